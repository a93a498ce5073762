#include "settlement/road_search.h"

#include "core/math.h"
#include "core/memory.h"
#include "rivermap/eroded/eroded.h"

#include <math.h>

const int road_x[WAYS] = { 1, 1, 0, -1, -1, -1, 0, 1 }, road_y[WAYS] = { 0, 1, 1, 1, 0, -1, -1, -1 };

// --- prices ------------------------------------------------------------------------------------------------

#define STEEP 0.3        // a slope on which a road costs twice as much as on level ground
#define STEEPEST 60.0f   // at most so much more
#define ON_ROAD 0.3f     // of the price where there is a road
#define BESIDE_ROAD 2.0f // and beside one, so that roads join it and do not run along it
#define BORDER 3.0f      // along the map's border
#define CAUSEWAY 60.0f   // through open water between gates
#define BRIDGE_WAY 40.0  // a bridge of a metre costs as much as a road of so many

double river_metres(const Settlement *settlement, const Grid *grid, size_t at) {
    return settlement->map->width * sqrt((double)grid->flow.cells[at]) * grid->metres;
}

typedef struct Pricing {
    RoadGround *ground;
    const Settlement *settlement;
    const uint8_t *links;
    bool open_water;
} Pricing;

// Whether there is a road within two pixels.
static bool is_beside(const Pricing *pricing, int x, int y) {
    const Grid *grid = pricing->ground->grid;
    for (int j = y - 2; j <= y + 2; j++)
        for (int i = x - 2; i <= x + 2; i++)
            if (box_holds(&grid->box, i, j) && pricing->links[grid_index(grid, i, j)])
                return true;
    return false;
}

static float price_of(const Pricing *pricing, int x, int y) {
    const Grid *grid = pricing->ground->grid;
    const size_t at = grid_index(grid, x, y);
    float price = grid_is_at_border(grid, x, y) ? BORDER : 1;
    if (grid_is_open_water(grid, at))
        price = pricing->open_water ? CAUSEWAY : INFINITY;
    else if (grid_is_wet(grid, at))
        price = 2.5f + (float)(BRIDGE_WAY * river_metres(pricing->settlement, grid, at) / grid->metres);
    return price * (!pricing->links            ? 1
                    : pricing->links[at]       ? ON_ROAD
                    : is_beside(pricing, x, y) ? BESIDE_ROAD
                                               : 1);
}

static void price_rows(void *context, int first, int end) {
    const Pricing *pricing = context;
    const GridBox *box = &pricing->ground->grid->box;
    for (int y = first; y < end; y++)
        for (int x = 0; x < box->width; x++)
            pricing->ground->prices[(size_t)y * (size_t)box->width + (size_t)x] =
                price_of(pricing, box->x + x, box->y + y);
}

Status road_ground_open(RoadGround *ground, const Settlement *settlement, const Grid *grid,
                        const uint8_t *links, bool open_water, Error *error) {
    *ground = (RoadGround){ .grid = grid, .steeper = eroded_steepening(settlement->map, grid->metres) };
    ground->prices = memory_new_cells(grid->box.width, grid->box.height, sizeof *ground->prices, error);
    Pricing pricing = { ground, settlement, links, open_water };
    return ground->prices
               ? parallel_rows(settlement->run, grid->box.height, grid->box.width * 5.0, price_rows, &pricing)
               : STATUS_MEMORY;
}

void road_ground_close(RoadGround *ground) {
    memory_free(ground->prices);
}

// --- boxes -------------------------------------------------------------------------------------------------

GridBox road_box(const Grid *grid, RoadPixel from, RoadPixel to, int margin) {
    const int last = (1 << grid->bits) - 1;
    const int left = max(min(from.x, to.x) - margin, 0), right = min(max(from.x, to.x) + margin, last),
              top = max(min(from.y, to.y) - margin, 0), bottom = min(max(from.y, to.y) + margin, last);
    return (GridBox){ left, top, right - left + 1, bottom - top + 1 };
}

bool road_box_is_known(const Grid *grid, const GridBox *box) {
    return box->width <= ROAD_SIDE && box->height <= ROAD_SIDE && box_holds(&grid->box, box->x, box->y) &&
           box_holds(&grid->box, box->x + box->width - 1, box->y + box->height - 1);
}

// --- one search --------------------------------------------------------------------------------------------

// A pixel that waits, by its cost with the straight line that is left; equal ones by their index.
typedef struct Open {
    float cost;
    int pixel;
} Open;

enum { BOX_PIXELS = ROAD_SIDE * ROAD_SIDE, HEAP_MAX = 4 * BOX_PIXELS };

// What one search needs.
typedef struct Scratch {
    float costs[BOX_PIXELS];
    uint8_t from[BOX_PIXELS]; // the way that led here; WAYS: the start; UNSEEN, SETTLED
    bool settled[BOX_PIXELS];
    Open heap[HEAP_MAX];
    int waiting;
} Scratch;

enum { UNSEEN = WAYS + 1 };

static bool is_before(Open a, Open b) {
    return a.cost != b.cost ? a.cost < b.cost : a.pixel < b.pixel;
}

static void heap_add(Scratch *scratch, Open added) {
    if (scratch->waiting == HEAP_MAX)
        return;
    int at = scratch->waiting++;
    for (; at > 0 && is_before(added, scratch->heap[(at - 1) / 2]); at = (at - 1) / 2)
        scratch->heap[at] = scratch->heap[(at - 1) / 2];
    scratch->heap[at] = added;
}

static Open heap_first(Scratch *scratch) {
    const Open first = scratch->heap[0], last = scratch->heap[--scratch->waiting];
    int at = 0;
    for (int below = 1; below < scratch->waiting; below = 2 * at + 1) {
        if (below + 1 < scratch->waiting && is_before(scratch->heap[below + 1], scratch->heap[below]))
            below++;
        if (!is_before(scratch->heap[below], last))
            break;
        scratch->heap[at] = scratch->heap[below];
        at = below;
    }
    scratch->heap[at] = last;
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

// The least that is left to pay.
static float straight_cost(float least, RoadPixel at, RoadPixel to) {
    const float x = (float)(at.x - to.x), y = (float)(at.y - to.y);
    return 0.999f * least * sqrtf(x * x + y * y);
}

#define DIAGONAL 1.41421356f

// The cost of a step, in pixels. A diagonal one also crosses the river that runs between the pixels beside
// it.
static float step_cost(const RoadGround *ground, size_t at, int way) {
    const ptrdiff_t width = ground->grid->box.width;
    const size_t to = at + (size_t)(road_y[way] * width + road_x[way]);
    const float *heights = ground->grid->altitude.cells, *prices = ground->prices;
    const float length = way % 2 ? DIAGONAL : 1;
    const float rise = (float)(((double)max(heights[to], 0) - (double)max(heights[at], 0)) * ground->steeper /
                               ((double)length * ground->grid->metres * STEEP));
    float price = 0.5f * (prices[at] + prices[to]);
    if (way % 2) {
        const float beside = prices[at + (size_t)road_x[way]],
                    above = prices[at + (size_t)(road_y[way] * width)];
        price = max(price, min(beside, above));
    }
    return length * (1 + min(rise * rise, STEEPEST)) * price;
}

static void follow_back(const Scratch *scratch, const GridBox *box, RoadSearch *search) {
    RoadPixel reversed[ROAD_PIXELS];
    RoadPixel at = search->to;
    int count = 0;
    for (;;) {
        if (count == ROAD_PIXELS)
            return;
        reversed[count++] = at;
        const int way = scratch->from[(at.y - box->y) * box->width + at.x - box->x];
        if (way == WAYS)
            break;
        at.x -= road_x[way];
        at.y -= road_y[way];
    }
    search->count = count;
    for (int i = 0; i < count; i++)
        search->road[i] = reversed[count - 1 - i];
}

static void search_road(const RoadGround *ground, Scratch *scratch, RoadSearch *search) {
    const GridBox box = road_box(ground->grid, search->from, search->to, search->margin);
    const int goal = (search->to.y - box.y) * box.width + search->to.x - box.x,
              start = (search->from.y - box.y) * box.width + search->from.x - box.x;
    const float least = least_price(ground, &box);
    for (int i = 0; i < box.width * box.height; i++) {
        scratch->from[i] = UNSEEN;
        scratch->settled[i] = false;
    }
    scratch->waiting = search->count = 0;
    scratch->costs[start] = 0;
    scratch->from[start] = WAYS;
    heap_add(scratch, (Open){ straight_cost(least, search->from, search->to), start });
    while (scratch->waiting > 0) {
        const int pixel = heap_first(scratch).pixel;
        if (scratch->settled[pixel])
            continue;
        scratch->settled[pixel] = true;
        if (pixel == goal) {
            search->cost = scratch->costs[pixel];
            follow_back(scratch, &box, search);
            return;
        }
        const RoadPixel at = { box.x + pixel % box.width, box.y + pixel / box.width };
        const size_t index = grid_index(ground->grid, at.x, at.y);
        for (int way = 0; way < WAYS; way++) {
            const RoadPixel to = { at.x + road_x[way], at.y + road_y[way] };
            if (!box_holds(&box, to.x, to.y))
                continue;
            const int next = (to.y - box.y) * box.width + to.x - box.x;
            const float cost = scratch->costs[pixel] + step_cost(ground, index, way);
            if (scratch->settled[next] || !(cost < INFINITY) ||
                (scratch->from[next] != UNSEEN && cost >= scratch->costs[next]))
                continue;
            scratch->costs[next] = cost;
            scratch->from[next] = (uint8_t)way;
            heap_add(scratch, (Open){ cost + straight_cost(least, to, search->to), next });
        }
    }
}

// --- many --------------------------------------------------------------------------------------------------

enum { AT_ONCE = 16 };

typedef struct Searching {
    const RoadGround *ground;
    Scratch *scratch; // of each search that is done at once
    RoadSearch *searches;
} Searching;

static void search_rows(void *context, int first, int end) {
    const Searching *searching = context;
    for (int i = first; i < end; i++)
        search_road(searching->ground, &searching->scratch[i], &searching->searches[i]);
}

Status search_roads(const RoadGround *ground, const Run *run, RoadSearch *searches, int count, Error *error) {
    if (count == 0)
        return STATUS_OK;
    Searching searching = { ground, memory_new(AT_ONCE, sizeof(Scratch), error), NULL };
    Status status = searching.scratch ? STATUS_OK : STATUS_MEMORY;
    for (int i = 0; i < count && status == STATUS_OK; i += AT_ONCE) {
        searching.searches = searches + i;
        status = parallel_rows(run, min(count - i, (int)AT_ONCE), 2e5, search_rows, &searching);
    }
    memory_free(searching.scratch);
    return status;
}
