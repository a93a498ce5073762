#include "settlement/road_search.h"

#include "climate/climate.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "land/smooth_noise.h"
#include "rivermap/eroded/eroded.h"
#include "settlement/sea_lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const int road_x[WAYS] = { 1, 1, 0, -1, -1, -1, 0, 1 }, road_y[WAYS] = { 0, 1, 1, 1, 0, -1, -1, -1 };

// --- prices ------------------------------------------------------------------------------------------------

#define STEEP 0.2        // a slope on which a road costs twice as much as on level ground
#define ON_ROAD 0.3f     // of the price where there is a road
#define BESIDE_ROAD 2.0f // and beside one, so that roads join it and do not run along it
#define ON_SHORE 1.5f    // beside sea and lakes
#define BORDER 3.0f      // along the map's border
#define CAUSEWAY 200.0f  // through open water between gates
#define BRIDGE_WAY 40.0  // a bridge of a metre costs as much as a road of so many
#define ON_LANE 0.9f     // as ON_ROAD, at sea: a lane joins another at a small angle
#define BESIDE_LANE 1.0f
#define WINDING 0.4f // how much the price of ground varies, so that roads have bends on plains, too
enum { WINDING_BITS = 3, WINDING_STREAM = 83 }; // over 2^3 pixels

// Whether sea or a lake begins at one of the four pixels around.
static bool is_on_shore(const Grid *grid, int x, int y) {
    const GridBox *box = &grid->box;
    return x > box->x && y > box->y && x + 1 < box->x + box->width && y + 1 < box->y + box->height &&
           (grid_is_open_water(grid, grid_index(grid, x - 1, y)) ||
            grid_is_open_water(grid, grid_index(grid, x + 1, y)) ||
            grid_is_open_water(grid, grid_index(grid, x, y - 1)) ||
            grid_is_open_water(grid, grid_index(grid, x, y + 1)));
}

// Ships keep off the shore: the price at sea, by the pixels to land in the nearest of eight directions.
static float offshore_price(const Grid *sea, int x, int y) {
    static const float prices[SHORE_RIM] = { 4, 2.5f, 1.7f, 1.3f };
    for (int far = 1; far <= SHORE_RIM; far++)
        for (int way = 0; way < WAYS; way++) {
            const int there_x = x + far * road_x[way], there_y = y + far * road_y[way];
            if (box_holds(&sea->box, there_x, there_y) &&
                grid_is_open_water(sea, grid_index(sea, there_x, there_y)))
                return prices[far - 1];
        }
    return 1;
}

// The price where there is no road.
static float bare_price(const RoadGround *ground, int x, int y) {
    const Grid *grid = ground->grid;
    const size_t at = grid_index(grid, x, y);
    if (grid_is_open_water(grid, at))
        return INFINITY;
    if (grid->is_sea)
        return max(offshore_price(grid, x, y), grid_is_at_border(grid, x, y) ? BORDER : 1);
    const float hard = ground->hardship[at];
    if (grid_has_river(grid, at))
        return hard * (grid_is_wet(grid, at) ? 2.5f : 1) +
               (float)(BRIDGE_WAY * flow_metres(ground->settlement, grid, grid->flow.cells[at]) /
                       grid->metres);
    return hard * (grid_is_at_border(grid, x, y) ? BORDER : is_on_shore(grid, x, y) ? ON_SHORE : 1);
}

typedef struct Pricing {
    RoadGround *ground;
    const uint8_t *links;
    bool open_water;
    LatticeNoise winding;
} Pricing;

enum { NEAR_ROAD = 2 }; // pixels from a road, within which others join it

// Which of `count` pixels of a row from `first` on have a road that near.
static void find_beside(const Pricing *pricing, int first, int row, int count, bool *beside) {
    bool columns[LATTICE_SPAN + 2 * NEAR_ROAD] = { false };
    const GridBox *box = &pricing->ground->grid->box;
    const int left = max(first - NEAR_ROAD, 0), right = min(first + count + NEAR_ROAD, box->width);
    for (int y = max(row - NEAR_ROAD, 0); y <= min(row + NEAR_ROAD, box->height - 1); y++) {
        const uint8_t *links = pricing->links + (size_t)y * (size_t)box->width;
        for (int x = left; x < right; x++)
            columns[x - first + NEAR_ROAD] |= links[x] != 0;
    }
    for (int i = 0; i < count; i++)
        // NEAR_ROAD on both sides
        beside[i] = columns[i] || columns[i + 1] || columns[i + 2] || columns[i + 3] || columns[i + 4];
}

// `winding`: -1 to 1.
static float price_of(const Pricing *pricing, int x, int y, bool beside, float winding) {
    const Grid *grid = pricing->ground->grid;
    float price = bare_price(pricing->ground, x, y);
    if (is_on_no_face(grid, x, y))
        return INFINITY;
    if (pricing->open_water)
        price = min(price, CAUSEWAY);
    if (!pricing->links)
        return price;
    if (pricing->links[grid_index(grid, x, y)])
        return price * (grid->is_sea ? ON_LANE : ON_ROAD);
    if (beside)
        price *= grid->is_sea ? BESIDE_LANE : BESIDE_ROAD;
    return price * (1 + (grid->is_sea ? 0 : WINDING) * winding);
}

static void price_rows(void *context, int first, int end) {
    const Pricing *pricing = context;
    const GridBox *box = &pricing->ground->grid->box;
    for (int y = first; y < end; y++)
        for (int x = 0; x < box->width; x += LATTICE_SPAN) {
            LatticeSpan winding = { 0 };
            const int count = min(box->width - x, (int)LATTICE_SPAN);
            bool beside[LATTICE_SPAN] = { false };
            if (pricing->links) {
                lattice_add_noise(&pricing->winding, box->x + x, box->y + y, count, winding);
                find_beside(pricing, x, y, count, beside);
            }
            float *prices = pricing->ground->prices + (size_t)y * (size_t)box->width + (size_t)x;
            for (int i = 0; i < count; i++)
                prices[i] =
                    price_of(pricing, box->x + x + i, box->y + y, beside[i], winding[LATTICE_ROOM + i]);
        }
}

// --- ground ------------------------------------------------------------------------------------------------

// The mean of five heights with weights 1, 4, 6, 4, 1, `step` apart; the nearest one beyond the grid.
static float even_height(const float *heights, ptrdiff_t step, int at, int count) {
    const float *here = heights + step * at;
    const ptrdiff_t before = at > 0 ? -step : 0, farther_before = at > 1 ? before - step : before,
                    after = at + 1 < count ? step : 0, farther_after = at + 2 < count ? after + step : after;
    return 0.375f * here[0] + 0.25f * (here[before] + here[after]) +
           0.0625f * (here[farther_before] + here[farther_after]);
}

typedef struct Evening {
    const RoadGround *ground;
    float *columns; // means of five in each column
} Evening;

static void even_columns(void *context, int first, int end) {
    const Evening *evening = context;
    const Grid *grid = evening->ground->grid;
    const int width = grid->box.width, height = grid->box.height;
    for (int y = first; y < end; y++)
        for (int x = 0; x < width; x++)
            evening->columns[(size_t)y * (size_t)width + (size_t)x] =
                even_height(grid->altitude.cells + x, width, y, height);
}

static void even_rows(void *context, int first, int end) {
    const Evening *evening = context;
    const int width = evening->ground->grid->box.width;
    for (int y = first; y < end; y++) {
        const float *columns = evening->columns + (size_t)y * (size_t)width;
        float *heights = evening->ground->heights + (size_t)y * (size_t)width;
        for (int x = 0; x < width; x++)
            heights[x] = max(even_height(columns, 1, x, width), 0);
    }
}

static Status even_ground(RoadGround *ground, Error *error) {
    const GridBox *box = &ground->grid->box;
    Evening evening = { ground, memory_new_cells(box->width, box->height, sizeof(float), error) };
    Status status = evening.columns ? STATUS_OK : STATUS_MEMORY;
    const Run *run = ground->settlement->run;
    if (status == STATUS_OK)
        status = parallel_rows(run, box->height, box->width * 2.0, even_columns, &evening);
    if (status == STATUS_OK)
        status = parallel_rows(run, box->height, box->width * 2.0, even_rows, &evening);
    memory_free(evening.columns);
    return status;
}

// --- hardship ----------------------------------------------------------------------------------------------

#define ABOVE_TREES 2.0f // what is added to the price where summers are too cold for trees
#define ON_ICE 9.0f      // and where snow does not melt
#define ON_CREST 1.5f    // and on crests

enum { NODES_APART = 8, CREST = 4 }; // pixels: between two temperatures, and from a crest to its foot

// The warmest month at the sea's level on a lattice of the grid, so that windows agree.
typedef struct Summers {
    RoadGround *ground;
    int left, top, width, height; // of the lattice
    float *nodes;
} Summers;

// Of pixels beyond an edge, too, whose numbers are below 0.
static int node_before(int pixel) {
    return (pixel - (pixel % NODES_APART + NODES_APART) % NODES_APART) / NODES_APART;
}

static void find_summers(void *context, int first, int end) {
    const Summers *summers = context;
    const Settlement *settlement = summers->ground->settlement;
    for (int y = first; y < end; y++)
        for (int x = 0; x < summers->width; x++) {
            const Vec2 at = grid_in_climate(summers->ground->grid, (summers->left + x) * NODES_APART,
                                            (summers->top + y) * NODES_APART);
            const Air air = climate_at(settlement->climate, min(at.x, 1), min(at.y, 1), 0);
            summers->nodes[y * summers->width + x] = air.temperature + air.half_range;
        }
}

static float summer_at(const Summers *summers, int x, int y) {
    const int right = x - summers->left * NODES_APART, low = y - summers->top * NODES_APART;
    const float *upper = summers->nodes + low / NODES_APART * summers->width + right / NODES_APART,
                *lower = upper + summers->width;
    const float across = (float)(right % NODES_APART) / NODES_APART,
                down = (float)(low % NODES_APART) / NODES_APART;
    const float above = upper[0] + (upper[1] - upper[0]) * across,
                below = lower[0] + (lower[1] - lower[0]) * across;
    return above + (below - above) * down;
}

static float ramp(float from, float to, float at) {
    return smoothstep(clamp((at - from) / (to - from), 0, 1));
}

// The pixels CREST away in eight directions, as offsets of their index; nearer ones at the grid's edges.
typedef struct Ring {
    ptrdiff_t left, right, up, low, aslant_left, aslant_right, aslant_up, aslant_low;
} Ring;

enum { ASLANT = 3 }; // pixels along both axes

static Ring ring_around(const GridBox *box, int x, int y) {
    const ptrdiff_t width = box->width;
    const int right = box->width - 1 - x, low = box->height - 1 - y;
    return (Ring){ -min(x, (int)CREST),          min(right, (int)CREST),       -width * min(y, (int)CREST),
                   width * min(low, (int)CREST), -min(x, (int)ASLANT),         min(right, (int)ASLANT),
                   -width * min(y, (int)ASLANT), width * min(low, (int)ASLANT) };
}

// How far a pixel stands above those around it, as a slope; a pass stands above two sides and below two.
static float crest_at(const RoadGround *ground, const Ring *ring, size_t at) {
    const float *here = ground->grid->altitude.cells + at;
    const float straight = (max(here[ring->left], 0) + max(here[ring->right], 0)) +
                           (max(here[ring->up], 0) + max(here[ring->low], 0));
    const float *above = here + ring->aslant_up, *below = here + ring->aslant_low;
    const float aslant = (max(above[ring->aslant_left], 0) + max(above[ring->aslant_right], 0)) +
                         (max(below[ring->aslant_left], 0) + max(below[ring->aslant_right], 0));
    return (ground->heights[at] - (straight + aslant) / WAYS) * ground->steepness * (float)STEEP / CREST;
}

static void find_hardship(void *context, int first, int end) {
    const Summers *summers = context;
    const RoadGround *ground = summers->ground;
    const GridBox *box = &ground->grid->box;
    for (int y = first; y < end; y++) {
        const Ring inside = ring_around(box, box->width / 2, y);
        for (int x = 0; x < box->width; x++) {
            const size_t at = (size_t)y * (size_t)box->width + (size_t)x;
            const bool edge = x < CREST || x >= box->width - CREST;
            const Ring ring = edge ? ring_around(box, x, y) : inside;
            const float summer =
                summer_at(summers, box->x + x, box->y + y) - (float)LAPSE * ground->heights[at];
            const float cold =
                summer < 10 ? 1 + ABOVE_TREES * ramp(10, 4, summer) + ON_ICE * ice_share(summer - 1) : 1;
            ground->hardship[at] = cold * (1 + ON_CREST * ramp(0.02f, 0.25f, crest_at(ground, &ring, at)));
        }
    }
}

static Status open_hardship(RoadGround *ground, Error *error) {
    const GridBox *box = &ground->grid->box;
    Summers summers = { .ground = ground,
                        .left = node_before(box->x),
                        .top = node_before(box->y),
                        .width = node_before(box->x + box->width - 1) - node_before(box->x) + 2,
                        .height = node_before(box->y + box->height - 1) - node_before(box->y) + 2 };
    summers.nodes = memory_new_cells(summers.width, summers.height, sizeof(float), error);
    if (summers.nodes)
        ground->hardship = memory_new_cells(box->width, box->height, sizeof(float), error);
    const Run *run = ground->settlement->run;
    Status status = ground->hardship ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = parallel_rows(run, summers.height, summers.width * 100.0, find_summers, &summers);
    if (status == STATUS_OK)
        status = parallel_rows(run, box->height, box->width * 10.0, find_hardship, &summers);
    memory_free(summers.nodes);
    return status;
}

// -----------------------------------------------------------------------------------------------------------

Status road_ground_open(RoadGround *ground, const Settlement *settlement, const Grid *grid,
                        const uint8_t *links, bool open_water, Error *error) {
    const GridBox *box = &grid->box;
    *ground = (RoadGround){ .settlement = settlement,
                            .grid = grid,
                            .steepness = (float)(eroded_steepening(settlement->map, grid->metres) /
                                                 (STEEP * grid->metres)) };
    ground->heights = memory_new_cells(box->width, box->height, sizeof *ground->heights, error);
    if (ground->heights)
        ground->prices = memory_new_cells(box->width, box->height, sizeof *ground->prices, error);
    if (!ground->prices)
        return STATUS_MEMORY;
    const RandomKey key = random_key(eroded_of(settlement->map)->rules.seed, WINDING_STREAM);
    Pricing pricing = { ground,
                        links,
                        open_water,
                        { key, WINDING_BITS, (Int128)1 << grid->bits, (Int128)1 << grid->bits, false } };
    Status status = even_ground(ground, error);
    if (status == STATUS_OK && !grid->is_sea)
        status = open_hardship(ground, error);
    return status == STATUS_OK
               ? parallel_rows(settlement->run, box->height, box->width * 5.0, price_rows, &pricing)
               : status;
}

void road_ground_close(RoadGround *ground) {
    memory_free(ground->heights);
    memory_free(ground->hardship);
    memory_free(ground->prices);
}

// --- boxes -------------------------------------------------------------------------------------------------

GridBox road_box(const Grid *grid, RoadPixel from, RoadPixel to, int margin) {
    const int last = (1 << grid->bits) - 1;
    if (grid->axes)
        return (GridBox){ min(from.x, to.x) - margin, min(from.y, to.y) - margin,
                          abs(to.x - from.x) + 2 * margin + 1, abs(to.y - from.y) + 2 * margin + 1 };
    const int left = max(min(from.x, to.x) - margin, 0), right = min(max(from.x, to.x) + margin, last),
              top = max(min(from.y, to.y) - margin, 0), bottom = min(max(from.y, to.y) + margin, last);
    return (GridBox){ left, top, right - left + 1, bottom - top + 1 };
}

bool road_box_is_known(const Grid *grid, const GridBox *box) {
    return box->width <= ROAD_SIDE && box->height <= ROAD_SIDE && box_holds(&grid->box, box->x, box->y) &&
           box_holds(&grid->box, box->x + box->width - 1, box->y + box->height - 1);
}

// --- steps -------------------------------------------------------------------------------------------------

// The 16 steps of a search: the eight neighbours, and those of a chess knight.
enum { STEPS = 16 };
static const int step_x[STEPS] = { 1, 1, 0, -1, -1, -1, 0, 1, 2, 1, -1, -2, -2, -1, 1, 2 },
                 step_y[STEPS] = { 0, 1, 1, 1, 0, -1, -1, -1, 1, 2, 2, 1, -1, -2, -2, -1 };

// How long steps are, in pixels of the middle of a face: the square of a step (x, y) is xx x² + xy x y + yy
// y².
typedef struct Metric {
    float xx, xy, yy;
} Metric;

// In the middle of a box.
static Metric metric_in(const Grid *grid, const GridBox *box) {
    if (!grid->axes)
        return (Metric){ 1, 0, 1 };
    const GridShape shape = grid_shape(grid, box->x + box->width / 2, box->y + box->height / 2);
    return (Metric){ (float)(shape.across * shape.across),
                     (float)(2 * shape.cosine * shape.across * shape.down),
                     (float)(shape.down * shape.down) };
}

static inline float length_by(const Metric *metric, float x, float y) {
    return sqrtf(metric->xx * x * x + metric->xy * x * y + metric->yy * y * y);
}

// How much more a step costs that rises. On steeper ground it is so much for each metre of the rise that no
// road gains by going to and fro.
static float steep_factor(const RoadGround *ground, float rise, float length) {
    const float slope = fabsf(ground->steepness * rise) / length;
    return slope < 1 ? slope * slope : 2 * slope - 1;
}

// The two pixels that a knight's step passes between: the straight one, and the diagonal one.
static void pixels_between(int step, int between_x[2], int between_y[2]) {
    between_x[0] = step_x[step] / 2;
    between_y[0] = step_y[step] / 2;
    between_x[1] = step_x[step] > 0 ? 1 : -1;
    between_y[1] = step_y[step] > 0 ? 1 : -1;
}

// The steps on a grid: from a pixel to where they lead, and to those beside or between, which they touch,
// too.
typedef struct Steps {
    Metric metric;
    float lengths[STEPS];
    ptrdiff_t to[STEPS], beside[STEPS][2];
} Steps;

static Steps steps_on(const Grid *grid, const GridBox *box) {
    const ptrdiff_t width = grid->box.width;
    Steps steps = { .metric = metric_in(grid, box) };
    for (int step = 0; step < STEPS; step++) {
        int x[2] = { step_x[step], 0 }, y[2] = { 0, step_y[step] };
        if (step >= WAYS)
            pixels_between(step, x, y);
        steps.to[step] = step_y[step] * width + step_x[step];
        for (int i = 0; i < 2; i++)
            steps.beside[step][i] = y[i] * width + x[i];
        steps.lengths[step] = length_by(&steps.metric, (float)step_x[step], (float)step_y[step]);
    }
    return steps;
}

// The cost of a step, in pixels. A diagonal one also crosses the river that runs between the pixels beside
// it, a knight's one touches both pixels between.
static inline float straight_cost_of(const RoadGround *ground, const Steps *steps, size_t at, int step) {
    const size_t to = at + (size_t)steps->to[step];
    const float *heights = ground->heights, *prices = ground->prices;
    const float length = steps->lengths[step];
    float price = 0.5f * (prices[at] + prices[to]);
    if (step % 2)
        price = max(price, min(prices[at + (size_t)steps->beside[step][0]],
                               prices[at + (size_t)steps->beside[step][1]]));
    return length * (1 + steep_factor(ground, heights[to] - heights[at], length)) * price;
}

static inline float knight_cost_of(const RoadGround *ground, const Steps *steps, size_t at, int step) {
    const float *heights = ground->heights, *prices = ground->prices;
    const size_t to = at + (size_t)steps->to[step], straight = at + (size_t)steps->beside[step][0],
                 diagonal = at + (size_t)steps->beside[step][1];
    const float middle = 0.5f * (heights[straight] + heights[diagonal]);
    const float price = 0.25f * (prices[at] + prices[to]) + 0.5f * max(prices[straight], prices[diagonal]);
    const float length = steps->lengths[step];
    return length *
           (1 + 0.5f * (steep_factor(ground, middle - heights[at], 0.5f * length) +
                        steep_factor(ground, heights[to] - middle, 0.5f * length))) *
           price;
}

float straight_road_cost(const RoadGround *ground, RoadPixel from, RoadPixel to) {
    const int count = max(max(abs(to.x - from.x), abs(to.y - from.y)), 1);
    const float x = (float)(to.x - from.x) / (float)count, y = (float)(to.y - from.y) / (float)count;
    const GridBox box = road_box(ground->grid, from, to, 0);
    const Metric metric = metric_in(ground->grid, &box);
    const float length = length_by(&metric, x, y);
    float cost = 0, before = ground->heights[grid_index(ground->grid, from.x, from.y)];
    for (int i = 1; i <= count; i++) {
        const int at_x = from.x + whole_int(floorf((float)i * x + 0.5f)),
                  at_y = from.y + whole_int(floorf((float)i * y + 0.5f));
        const float here = ground->heights[grid_index(ground->grid, at_x, at_y)];
        cost += length * (1 + steep_factor(ground, here - before, length)) * bare_price(ground, at_x, at_y);
        before = here;
    }
    return cost;
}

// --- one search --------------------------------------------------------------------------------------------

// A pixel that waits, by its cost with the straight line that is left; equal ones by their index. The bits of
// floats that are not negative are in the order of their values.
typedef uint64_t Open;

static Open open_of(float cost, int pixel) {
    uint32_t bits;
    memcpy(&bits, &cost, sizeof bits);
    return (Open)bits << 32 | (uint32_t)pixel;
}

static int pixel_of(Open open) {
    return (int)(uint32_t)open;
}

enum { BOX_PIXELS = ROAD_SIDE * ROAD_SIDE, HEAP_MAX = 4 * BOX_PIXELS };

// What one search needs, and its road.
typedef struct Scratch {
    float costs[BOX_PIXELS];
    uint8_t from[BOX_PIXELS]; // the step that led here; STEPS: the start; UNSEEN
    bool settled[BOX_PIXELS];
    Open heap[HEAP_MAX];
    int waiting;
    int count; // of the road's pixels; 0: none
    RoadPixel road[ROAD_PIXELS];
} Scratch;

enum { UNSEEN = STEPS + 1 };

static void heap_add(Scratch *scratch, Open added) {
    if (scratch->waiting == HEAP_MAX)
        return;
    int at = scratch->waiting++;
    for (; at > 0 && added < scratch->heap[(at - 1) / 2]; at = (at - 1) / 2)
        scratch->heap[at] = scratch->heap[(at - 1) / 2];
    scratch->heap[at] = added;
}

static Open heap_first(Scratch *scratch) {
    const Open first = scratch->heap[0], last = scratch->heap[--scratch->waiting];
    Open *heap = scratch->heap;
    const int count = scratch->waiting;
    int at = 0;
    for (int below = 1; below < count; below = 2 * at + 1) {
        below += below + 1 < count && heap[below + 1] < heap[below];
        if (heap[below] >= last)
            break;
        heap[at] = heap[below];
        at = below;
    }
    heap[at] = last;
    return first;
}

static float least_price(const RoadGround *ground, const GridBox *box) {
    float least = CAUSEWAY;
    for (int y = box->y; y < box->y + box->height; y++) {
        const float *row = ground->prices + grid_index(ground->grid, box->x, y);
        for (int x = 0; x < box->width; x++)
            least = min(least, row[x]);
    }
    return least;
}

// What is left to pay on level ground, and more: the search looks at fewer pixels, and the road costs up to
// so much more than the best.
// At sea, where all ways cost the same, it finds the best, which is straight.
#define HASTE 1.5f
static float straight_cost(const Metric *metric, float least, RoadPixel at, RoadPixel to) {
    return least * length_by(metric, (float)(at.x - to.x), (float)(at.y - to.y));
}

// Of roads that cost the same the one near the straight line: what a pixel's distance from it adds to the
// price, where `across` is the line's direction turned by a right angle.
static float astray(RoadPixel from, RoadPixel at, float across_x, float across_y) {
    enum { FAR = 8 };
    const float distance =
        fabsf((float)(at.x - from.x) * across_x + (float)(at.y - from.y) * across_y) / (float)FAR;
    return 0.03f * min(distance, 1);
}

// Between the pixels of a knight's step the cheaper one, the straight one if both cost the same.
static RoadPixel pixel_between(const RoadGround *ground, RoadPixel from, int step) {
    int x[2], y[2];
    pixels_between(step, x, y);
    const bool diagonal = ground->prices[grid_index(ground->grid, from.x + x[1], from.y + y[1])] <
                          ground->prices[grid_index(ground->grid, from.x + x[0], from.y + y[0])];
    return (RoadPixel){ from.x + x[diagonal], from.y + y[diagonal] };
}

// Leaves no road if it has more pixels than fit.
static void follow_back(const RoadGround *ground, Scratch *scratch, const GridBox *box,
                        const RoadSearch *search) {
    RoadPixel reversed[ROAD_PIXELS];
    RoadPixel at = search->to;
    int count = 0, step;
    reversed[count++] = at;
    while ((step = scratch->from[(at.y - box->y) * box->width + at.x - box->x]) != STEPS) {
        if (count + 2 > ROAD_PIXELS)
            return;
        at.x -= step_x[step];
        at.y -= step_y[step];
        if (step >= WAYS)
            reversed[count++] = pixel_between(ground, at, step);
        reversed[count++] = at;
    }
    for (int i = 0; i < count; i++)
        scratch->road[i] = reversed[count - 1 - i];
    scratch->count = ground->grid->is_sea ? straighten_lane(ground, scratch->road, count) : count;
}

static void search_road(const RoadGround *ground, Scratch *scratch, const RoadSearch *search) {
    const GridBox box = road_box(ground->grid, search->from, search->to, search->margin);
    const int goal = (search->to.y - box.y) * box.width + search->to.x - box.x,
              start = (search->from.y - box.y) * box.width + search->from.x - box.x;
    const float least = least_price(ground, &box) * (ground->grid->is_sea ? 1 : HASTE);
    const Steps steps = steps_on(ground->grid, &box);
    const float x = (float)(search->to.x - search->from.x), y = (float)(search->to.y - search->from.y);
    const float length = max(sqrtf(x * x + y * y), 1), across_x = y / length, across_y = -x / length;
    for (int i = 0; i < box.width * box.height; i++) {
        scratch->from[i] = UNSEEN;
        scratch->settled[i] = false;
    }
    scratch->waiting = scratch->count = 0;
    scratch->costs[start] = 0;
    scratch->from[start] = STEPS;
    heap_add(scratch, open_of(straight_cost(&steps.metric, least, search->from, search->to), start));
    while (scratch->waiting > 0) {
        const int pixel = pixel_of(heap_first(scratch));
        if (scratch->settled[pixel])
            continue;
        scratch->settled[pixel] = true;
        if (pixel == goal) {
            follow_back(ground, scratch, &box, search);
            return;
        }
        const RoadPixel at = { box.x + pixel % box.width, box.y + pixel / box.width };
        const size_t index = grid_index(ground->grid, at.x, at.y);
        const float stray = 1 + astray(search->from, at, across_x, across_y);
        for (int step = 0; step < STEPS; step++) {
            const RoadPixel to = { at.x + step_x[step], at.y + step_y[step] };
            if (!box_holds(&box, to.x, to.y))
                continue;
            const int next = (to.y - box.y) * box.width + to.x - box.x;
            if (scratch->settled[next])
                continue;
            const float own = step < WAYS ? straight_cost_of(ground, &steps, index, step)
                                          : knight_cost_of(ground, &steps, index, step);
            const float cost = scratch->costs[pixel] + stray * own;
            if (!(cost < INFINITY) || (scratch->from[next] != UNSEEN && cost >= scratch->costs[next]))
                continue;
            scratch->costs[next] = cost;
            scratch->from[next] = (uint8_t)step;
            heap_add(scratch, open_of(cost + straight_cost(&steps.metric, least, to, search->to), next));
        }
    }
}

// --- kept roads --------------------------------------------------------------------------------------------

// A road follows from its ends and from the ground of its box, wherever that lies.
static MemoKey key_of(const RoadGround *ground, const RoadSearch *search) {
    const GridBox box = road_box(ground->grid, search->from, search->to, search->margin);
    const int shape[] = { search->from.x - box.x,
                          search->from.y - box.y,
                          search->to.x - box.x,
                          search->to.y - box.y,
                          box.width,
                          box.height,
                          ground->grid->is_sea };
    MemoKey key = memo_key((MemoKey){ 0 }, shape, sizeof shape);
    const Metric metric = metric_in(ground->grid, &box);
    key = memo_key(key, &metric, sizeof metric);
    key = memo_key(key, &ground->steepness, sizeof ground->steepness);
    for (int y = box.y; y < box.y + box.height; y++) {
        const size_t at = grid_index(ground->grid, box.x, y), size = (size_t)box.width * sizeof(float);
        key = memo_key(memo_key(key, ground->heights + at, size), ground->prices + at, size);
    }
    return key;
}

static int way_of(int x, int y) {
    for (int way = 0; way < WAYS; way++)
        if (road_x[way] == x && road_y[way] == y)
            return way;
    return WAYS;
}

// A kept road is the ways from its pixels to the next, behind a byte that says whether there is one.
static bool find_kept(const RoadGround *ground, MemoKey key, const RoadSearch *search, Scratch *scratch) {
    uint8_t kept[ROAD_PIXELS];
    const int size = (int)memo_find(ground->settlement->memo, key, kept, sizeof kept);
    scratch->count = 0;
    if (size == 0 || !kept[0])
        return size != 0;
    RoadPixel at = search->from;
    scratch->road[scratch->count++] = at;
    for (int i = 1; i < size; i++) {
        at.x += road_x[kept[i]];
        at.y += road_y[kept[i]];
        scratch->road[scratch->count++] = at;
    }
    return true;
}

static void keep_ways(const RoadGround *ground, MemoKey key, const Scratch *scratch) {
    uint8_t kept[ROAD_PIXELS] = { scratch->count > 0 };
    for (int i = 1; i < scratch->count; i++) {
        const RoadPixel *at = &scratch->road[i];
        const int way = way_of(at->x - at[-1].x, at->y - at[-1].y);
        if (way == WAYS)
            return;
        kept[i] = (uint8_t)way;
    }
    memo_add(ground->settlement->memo, key, kept, (size_t)max(scratch->count, 1));
}

static void find_road(const RoadGround *ground, Scratch *scratch, const RoadSearch *search) {
    const MemoKey key = key_of(ground, search);
    if (find_kept(ground, key, search, scratch))
        return;
    search_road(ground, scratch, search);
    keep_ways(ground, key, scratch);
}

// --- many --------------------------------------------------------------------------------------------------

enum { AT_ONCE = 16 };

Status add_search(RoadSearches *searches, const RoadSearch *search, Error *error) {
    if (searches->count == searches->room) {
        const int room = 2 * searches->room + 64;
        RoadSearch *at =
            memory_enlarge(searches->at, (size_t)searches->count, (size_t)room, sizeof *at, error);
        if (!at)
            return STATUS_MEMORY;
        searches->at = at;
        searches->room = room;
    }
    searches->at[searches->count++] = *search;
    return STATUS_OK;
}

void searches_free(RoadSearches *searches) {
    memory_free(searches->at);
    memory_free(searches->pixels);
}

static Status keep_road(RoadSearches *searches, RoadSearch *search, const Scratch *scratch, Error *error) {
    if (searches->pixel_count + scratch->count > searches->pixel_room) {
        const int room = 2 * searches->pixel_room + 16 * ROAD_PIXELS;
        RoadPixel *pixels = memory_enlarge(searches->pixels, (size_t)searches->pixel_count, (size_t)room,
                                           sizeof *pixels, error);
        if (!pixels)
            return STATUS_MEMORY;
        searches->pixels = pixels;
        searches->pixel_room = room;
    }
    search->first = searches->pixel_count;
    search->count = scratch->count;
    for (int i = 0; i < scratch->count; i++)
        searches->pixels[searches->pixel_count++] = scratch->road[i];
    return STATUS_OK;
}

typedef struct Searching {
    const RoadGrounds *grounds;
    Scratch *scratch; // of each search that is done at once
    const RoadSearch *searches;
} Searching;

static void search_rows(void *context, int first, int end) {
    const Searching *searching = context;
    for (int i = first; i < end; i++)
        find_road(&searching->grounds->on[searching->searches[i].face], &searching->scratch[i],
                  &searching->searches[i]);
}

Status search_roads(const RoadGrounds *grounds, const Run *run, RoadSearches *searches, Error *error) {
    if (searches->count == 0)
        return STATUS_OK;
    Searching searching = { grounds, memory_new(AT_ONCE, sizeof(Scratch), error), NULL };
    Status status = searching.scratch ? STATUS_OK : STATUS_MEMORY;
    for (int i = 0; i < searches->count && status == STATUS_OK; i += AT_ONCE) {
        const int some = min(searches->count - i, (int)AT_ONCE);
        searching.searches = searches->at + i;
        status = parallel_rows(run, some, 2e5, search_rows, &searching);
        for (int k = 0; k < some && status == STATUS_OK; k++)
            status = keep_road(searches, &searches->at[i + k], &searching.scratch[k], error);
    }
    memory_free(searching.scratch);
    return status;
}
