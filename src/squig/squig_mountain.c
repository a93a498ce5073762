// A mountain and its river, made by one subdivision of triangles (Prusinkiewicz and Hammel 1993,
// "Integration of a river and a mountain"), and answers to the three problems that the paper leaves open.
//
// Every edge of a triangle of level n - 1 gets a vertex in its middle, at the mean of its ends plus a random
// displacement between -d(n) and d(n); where the river crosses the edge, the vertex lies as low as any could:
//
//     alt(n) = -(d(1) + … + d(n)).
//
// Heights are scaled so that alt(∞) is 0 and the highest that a vertex could reach is 1.
//
// Falling rivers: the water at each place lies `high` above alt (squig.h), which falls downstream. That no
// land lies lower than the river beside it follows from a bound that holds at every level: in a triangle
// whose water is at most `high`, all vertices lie at alt(n) + high or above, and so will all water in its
// children.

#include "core/field.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/whole.h"
#include "rivers/line_coverage.h"
#include "squig/squig.h"

#include <math.h>
#include <string.h>

// --- symmetric valleys -------------------------------------------------------------------------------------

// Symmetric valleys: the second of the problems that Prusinkiewicz and Hammel leave open.
// The sides of a valley are steep where the river's last approximations came close to a vertex that was
// placed high before (Prusinkiewicz and Hammel 1993, figure 10). Here both sides rise with the distance to
// the water alone, until they meet a landscape without a river:
//
//     h = smooth minimum of the land and v,  v = min over the water of (w + s d),
//
// where w is the altitude of the water, d the distance to it, s the slope. Where the valleys of two rivers
// meet, v has a crest. The water that gives the minimum is propagated from neighbour to neighbour in sweeps
// (Danielsson 1980).

// The water of a row's vertices and its altitude, infinite where there is none yet; one vertex more on both
// sides, like its neighbour.
typedef struct SquigLine {
    uint32_t *water;
    float *altitudes;
} SquigLine;

// How far water was passed on, from row to row.
typedef struct SquigSweep {
    SquigLine line, before; // the row, and that from which water comes
    float *heights;         // of the valley's side at the row's vertices
    int y, step;            // the next row, and from it to that after
} SquigSweep;

// Zeroed but for what the caller sets.
typedef struct SquigValley {
    double alt;     // the altitude of water whose `high` is 0
    float slope;    // of the sides, altitude a cell
    float symmetry; // the share of the open valley in `height`, 0 … 1
    Field *land;    // the landscape without a river; it is overwritten
    Field *height;  // where the valley opens
    // The valley's own:
    int side, patch; // cells from vertex to vertex of the land's coarse shape
    uint32_t *water; // of each vertex: where its water is, the row in the upper half
    SquigSweep sweep;
} SquigValley;

#define NO_WATER UINT32_MAX

// The share of the altitudes' range over which the valley's sides blend into the land.
#define BEND 0.12f

// The sides have the roughness of the land above from 1 / ROUGH over the water.
#define ROUGH 8.0f

static uint32_t *water_row(const SquigValley *valley, int y) {
    return valley->water + (size_t)y * (size_t)valley->side;
}

static float water_altitude(const SquigValley *valley, uint32_t water) {
    return field_row(valley->land, (int)(water >> 16))[water & 0xffff];
}

// Of the valley's side, so far from its water.
KERNEL_INLINE float side_over(float altitude, float slope, uint32_t water, int x, int y) {
    const float across = (float)((int)(water & 0xffff) - x), down = (float)((int)(water >> 16) - y);
    return altitude + slope * sqrtf(across * across + down * down);
}

static void clear_rows(void *context, int first, int end) {
    const SquigValley *valley = context;
    uint32_t *water = water_row(valley, first);
    for (size_t i = 0; i < (size_t)(end - first) * (size_t)valley->side; i++)
        water[i] = NO_WATER;
}

static void mark_water(const SquigValley *valley, const Squig *squig, double alt) {
    for (int i = squig->count - 1; i >= 0; i--) { // in the order of placement: upstream last
        const SquigTriangle *triangle = &squig->triangles[i];
        for (SquigEdge edge = 0; edge < SQUIG_EDGES; edge++) {
            if (!(triangle->entries >> edge & 1) && edge != triangle->exit)
                continue;
            int x, y;
            squig_middle(triangle, edge, &x, &y);
            water_row(valley, y)[x] = (uint32_t)y << 16 | (uint32_t)x;
            field_row(valley->land, y)[x] = (float)(alt + triangle->high);
        }
    }
}

// --- passing water on --------------------------------------------------------------------------------------

static Status sweep_create(SquigSweep *sweep, int side, Error *error) {
    const size_t room = (size_t)side + 2;
    float *floats = memory_new(5 * room, sizeof *floats, error);
    if (!floats)
        return STATUS_MEMORY;
    sweep->heights = floats;
    sweep->line = (SquigLine){ (uint32_t *)(void *)(floats + room) + 1, floats + 2 * room + 1 };
    sweep->before = (SquigLine){ (uint32_t *)(void *)(floats + 3 * room) + 1, floats + 4 * room + 1 };
    return STATUS_OK;
}

static void sweep_free(SquigSweep *sweep) {
    memory_free(sweep->heights);
}

static void read_line(const SquigValley *valley, int y, SquigLine line) {
    const int side = valley->side;
    memcpy(line.water, water_row(valley, y), (size_t)side * sizeof *line.water);
    for (int x = 0; x < side; x++)
        line.altitudes[x] = line.water[x] == NO_WATER ? INFINITY : water_altitude(valley, line.water[x]);
}

static void write_line(const SquigValley *valley, int y, SquigLine line) {
    const int last = valley->side - 1;
    line.water[-1] = line.water[0];
    line.altitudes[-1] = line.altitudes[0];
    line.water[last + 1] = line.water[last];
    line.altitudes[last + 1] = line.altitudes[last];
    memcpy(water_row(valley, y), line.water, (size_t)valley->side * sizeof *line.water);
}

// From the three neighbours in the row before.
KERNEL static void pass_down(int side, float slope, int y, uint32_t *restrict water,
                             float *restrict altitudes, float *restrict heights,
                             const uint32_t *restrict water_before, const float *restrict altitudes_before) {
    for (int x = 0; x < side; x++) {
        uint32_t nearest = water[x];
        float altitude = altitudes[x], height = side_over(altitude, slope, nearest, x, y);
        for (int i = -1; i <= 1; i++) {
            const uint32_t other = water_before[x + i];
            const float level = altitudes_before[x + i], above = side_over(level, slope, other, x, y);
            const bool lower = above < height;
            nearest = lower ? other : nearest;
            altitude = lower ? level : altitude;
            height = lower ? above : height;
        }
        water[x] = nearest;
        altitudes[x] = altitude;
        heights[x] = height;
    }
}

// From one neighbour in the row: most have the same water.
static void pass_on(SquigLine line, float *heights, float slope, int x, int y, int from) {
    const uint32_t water = line.water[x + from];
    if (water == line.water[x])
        return;
    const float height = side_over(line.altitudes[x + from], slope, water, x, y);
    if (height >= heights[x])
        return;
    line.water[x] = water;
    line.altitudes[x] = line.altitudes[x + from];
    heights[x] = height;
}

// Propagates from the row before, if there is one, and along the row, in both directions.
static void pass_along(const SquigValley *valley, const SquigSweep *sweep, int y) {
    const SquigLine line = sweep->line, before = sweep->before;
    const int side = valley->side;
    const float slope = valley->slope;
    float *heights = sweep->heights;
    pass_down(side, slope, y, line.water, line.altitudes, heights, before.water, before.altitudes);
    for (int x = 1; x < side; x++)
        pass_on(line, heights, slope, x, y, -1);
    for (int x = side - 2; x >= 0; x--)
        pass_on(line, heights, slope, x, y, 1);
}

// From row `first`, down to the last one or up.
static void sweep_begin(SquigValley *valley, int first, int step) {
    SquigSweep *sweep = &valley->sweep;
    read_line(valley, first, sweep->line);
    write_line(valley, first, sweep->line);
    sweep->y = first + step;
    sweep->step = step;
}

static void sweep_rows(SquigValley *valley, int count) {
    SquigSweep *sweep = &valley->sweep;
    for (; count > 0 && sweep->y >= 0 && sweep->y < valley->side; count--, sweep->y += sweep->step) {
        const SquigLine line = sweep->before;
        sweep->before = sweep->line;
        sweep->line = line;
        read_line(valley, sweep->y, line);
        pass_along(valley, sweep, sweep->y);
        write_line(valley, sweep->y, line);
    }
}

// --- opening -----------------------------------------------------------------------------------------------

static float smooth_minimum(float a, float b) {
    const float apart = a > b ? a - b : b - a, near = apart < BEND ? BEND - apart : 0;
    return min(a, b) - near * near / (4 * BEND);
}

// The detail finer than the land's coarse shape, which makes the valley's sides as rough as the land above.
static float detail_at(const SquigValley *valley, int x, int y) {
    const int patch = valley->patch, last = valley->side - 1 - patch;
    const int left = x / patch * patch < last ? x / patch * patch : last;
    const int top = y / patch * patch < last ? y / patch * patch : last;
    const float u = (float)(x - left) / (float)patch, v = (float)(y - top) / (float)patch;
    const float *up = field_row(valley->land, top) + left,
                *down = field_row(valley->land, top + patch) + left;
    const float upper = up[0] + (up[patch] - up[0]) * u, lower = down[0] + (down[patch] - down[0]) * u;
    return field_row(valley->land, y)[x] - (upper + (lower - upper) * v);
}

static void open_row(const SquigValley *valley, int y) {
    const uint32_t *water = water_row(valley, y);
    const float *land = field_row(valley->land, y);
    float *height = field_row(valley->height, y);
    for (int x = 0; x < valley->side; x++) {
        const float least = water_altitude(valley, water[x]);
        const float side = side_over(least, valley->slope, water[x], x, y), above = (side - least) * ROUGH;
        const float rough = min(above, 1) * detail_at(valley, x, y);
        const float open = smooth_minimum(land[x], side + rough);
        height[x] += valley->symmetry * (max(open, least) - height[x]);
    }
}

// While one thread passes the water on through a strip of rows, others open the strip below.
enum { STRIP = 128, ROWS = 8, TASKS = 2 + STRIP / ROWS }; // and a row before the first strip

typedef struct Opening {
    SquigValley *valley;
    int top, bottom; // of the strip that is opened
} Opening;

// Task 0 sweeps, each other one opens some rows.
static void open_strip(void *context, int first, int end) {
    const Opening *opening = context;
    for (int task = first; task < end; task++) {
        const int bottom = opening->bottom - (task - 1) * ROWS;
        if (task == 0)
            sweep_rows(opening->valley, STRIP);
        for (int y = bottom - 1; task > 0 && y >= max(bottom - ROWS, opening->top); y--)
            open_row(opening->valley, y);
    }
}

// The valley of the river through the vertices of `squig`'s next level, whose grid the fields use. `height`
// may still change until the valley opens. Ended also where it fails.
static Status squig_valley_begin(SquigValley *valley, const Run *run, const Squig *squig, Error *error) {
    valley->side = valley->height->width;
    valley->patch = max((valley->side - 1) / 16, 1);
    valley->water = memory_new(field_count(valley->land), sizeof *valley->water, error);
    Status status = valley->water ? sweep_create(&valley->sweep, valley->side, error) : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = parallel_rows(run, valley->side, valley->side * 0.5, clear_rows, valley);
    if (status == STATUS_OK)
        mark_water(valley, squig, valley->alt);
    return status;
}

static void squig_valley_end(SquigValley *valley) {
    sweep_free(&valley->sweep);
    memory_free(valley->water);
}

// Passes the water on from row to row, down; on one thread. Ends early where a stop was requested.
static void squig_valley_flow_down(SquigValley *valley, const Run *run) {
    sweep_begin(valley, 0, 1);
    while (valley->sweep.y < valley->side && !run_stopped(run))
        sweep_rows(valley, ROWS);
}

// Then up, and opens the valley.
static Status squig_valley_open(SquigValley *valley, const Run *run) {
    sweep_begin(valley, valley->side - 1, -1);
    Status status = STATUS_OK;
    Opening opening = { .valley = valley, .top = valley->side, .bottom = valley->side };
    while (opening.bottom > 0 && status == STATUS_OK) {
        status = parallel_rows(run, TASKS, valley->side * 12.0 * ROWS, open_strip, &opening);
        opening.bottom = opening.top;
        opening.top = valley->sweep.y + 1;
    }
    return status;
}

// --- midpoints ---------------------------------------------------------------------------------------------

// Midpoint displacement of a square of triangles, all of whose diagonals run from the upper left to the lower
// right (Fournier, Fussell and Carpenter 1982, as in Prusinkiewicz and Hammel 1993).

enum { MIDPOINT_LEVELS_MAX = 18 };

typedef struct Midpoints {
    Field *field; // 2^levels + 1 a side
    RandomKey key;
    float limit;                   // of displacements, either way
    float smoothness;              // 0: a middle is the mean of its edge's ends; 1: Loop's weights, see above
    void (*beside)(void *context); // what needs none of the rows: one thread does it beside them; or NULL
    void *beside_context;
    int stride, shift; // set by midpoints_displace
} Midpoints;

// A vertex belongs to one level only, so hashing its position is hashing the ends of its edge (figure 5).
static float displaced(const Midpoints *middles, float mean, int x, int y) {
    return mean + middles->limit * random_signed(middles->key, (uint32_t)x << middles->shift,
                                                 (uint32_t)y << middles->shift);
}

// The mean of an edge's ends; with smoothness also the corners opposite the edge on both sides, as in Loop
// subdivision (3, 3, 1, 1 eighths), which leaves fewer creases along the edges of the first levels. The
// border has one such corner and uses only its ends.
static float mean_of(const Midpoints *middles, float from, float to, const float *left, const float *right) {
    const float mean = 0.5f * (from + to);
    if (!left || !right)
        return mean;
    return mean + middles->smoothness * 0.25f * (0.5f * (*left + *right) - mean);
}

static void cross_row(const Midpoints *middles, int y) {
    Field *field = middles->field;
    const int step = middles->stride, last = field->width - 1;
    float *row = field_row(field, y);
    const float *above = y > 0 ? field_row(field, y - 2 * step) : NULL;
    const float *below = y < last ? field_row(field, y + 2 * step) : NULL;
    for (int x = step; x < last; x += 2 * step)
        row[x] = displaced(middles,
                           mean_of(middles, row[x - step], row[x + step], above ? above + x - step : NULL,
                                   below ? below + x + step : NULL),
                           x, y);
}

static void fill_row(const Midpoints *middles, int y) {
    Field *field = middles->field;
    const int step = middles->stride, last = field->width - 1;
    float *row = field_row(field, y);
    const float *up = field_row(field, y - step), *down = field_row(field, y + step);
    for (int x = 0; x <= last; x += 2 * step)
        row[x] = displaced(middles,
                           mean_of(middles, up[x], down[x], x > 0 ? up + x - 2 * step : NULL,
                                   x < last ? down + x + 2 * step : NULL),
                           x, y);
    for (int x = step; x < last; x += 2 * step)
        row[x] = displaced(
            middles, mean_of(middles, up[x - step], down[x + step], up + x + step, down + x - step), x, y);
}

static void displace_rows(void *context, int first, int end) {
    const Midpoints *middles = context;
    for (int i = first; i < end; i++) {
        const int row = middles->beside ? i - 1 : i; // what is beside begins first, for it cannot be shared
        if (middles->beside && row < 0)
            middles->beside(middles->beside_context);
        else if (row % 2 == 0)
            cross_row(middles, row * middles->stride);
        else
            fill_row(middles, row * middles->stride);
    }
}

// Places the midpoints of all edges between the vertices of level `level` - 1. The same positions of the
// square get the same displacements for any `levels`.
static Status midpoints_displace(const Run *run, Midpoints middles, int level, int levels) {
    const int rows = (1 << level) + 1;
    middles.stride = 1 << (levels - level);
    middles.shift = MIDPOINT_LEVELS_MAX - levels;
    return parallel_rows(run, rows + (middles.beside ? 1 : 0), rows * 4.0, displace_rows, &middles);
}

// --- the operation -----------------------------------------------------------------------------------------

typedef struct SquigMountain {
    int levels, size, entry, exit, branch_levels;
    double persistence, smoothness, slope, waterfalls, symmetry, valley_width, tributaries, river_width;
} SquigMountain;

enum { SIDE_LEFT, SIDE_TOP, SIDE_RIGHT, SIDE_BOTTOM, SIDES };

static const char *const side_names[] = { "left", "top", "right", "bottom", NULL };

// Ground higher above the water than this stays dry, in heights: a wide river does not climb its banks.
#define BANK 0.01f

typedef struct Mountain {
    const Call *call;
    const SquigMountain *params;
    Squig squig;
    NetworkBuilder nodes; // of the river at the last level
    RandomKey displacements;
    double first;       // d(1), where alt(∞) is at -1/2
    double highest;     // of the water, at the entry
    double base, scale; // of heights, so that they fill 0 … 1
    Field height;       // of all vertices, (2^levels + 1)²
    Field land;         // the same without a river, if symmetry needs it
    bool in_place;      // they are the outputs' cells
} Mountain;

// --- limits ------------------------------------------------------------------------------------------------

// d(n); with d(n + 1) = p d(n) they add up to one half.
static double displacement(const Mountain *mountain, int level) {
    double limit = mountain->first;
    for (int i = 1; i < level; i++)
        limit *= mountain->params->persistence;
    return limit;
}

static double lowest(const Mountain *mountain, int level) {
    double sum = 0;
    for (int i = 1; i <= level; i++)
        sum -= displacement(mountain, i);
    return sum;
}

static void lay_river(Mountain *mountain) {
    const Squig *squig = &mountain->squig;
    squig_lay_river(squig, &mountain->height, mountain->params->levels, lowest(mountain, squig->level + 1));
}

// --- growing -----------------------------------------------------------------------------------------------

static const struct Border {
    bool lower;
    uint8_t edge;
} borders[SIDES] = { [SIDE_LEFT] = { true, SQUIG_DOWN },
                     [SIDE_TOP] = { false, SQUIG_ACROSS },
                     [SIDE_RIGHT] = { false, SQUIG_DOWN },
                     [SIDE_BOTTOM] = { true, SQUIG_ACROSS } };

// A river through one half of the square, or through both.
static Status begin_river(Mountain *mountain, Error *error) {
    const struct Border in = borders[mountain->params->entry], out = borders[mountain->params->exit];
    const bool one = in.lower == out.lower;
    const double half = 0.5 * mountain->highest;
    const SquigTriangle course[2] = {
        { .lower = in.lower,
          .entries = (uint8_t)(1 << in.edge),
          .exit = one ? out.edge : SQUIG_DIAGONAL,
          .high = mountain->highest,
          .low = one ? 0 : half },
        { .lower = out.lower, .entries = 1 << SQUIG_DIAGONAL, .exit = out.edge, .high = half }
    };
    mountain->squig.tributaries = mountain->params->tributaries;
    mountain->squig.branch_levels = mountain->params->branch_levels;
    mountain->squig.waterfalls = mountain->params->waterfalls;
    return squig_begin(&mountain->squig, mountain->call->seed, course, one ? 1 : 2, error);
}

// The corners, level as in the paper, or falling from the entry's side to the exit's.
static void place_corners(const Mountain *mountain, Field *field) {
    static const uint8_t ends[SIDES][2] = { { 0, 2 }, { 0, 1 }, { 1, 3 }, { 2, 3 } };
    const int last = field->width - 1;
    for (int corner = 0; corner < 4; corner++) {
        const uint8_t *in = ends[mountain->params->entry], *out = ends[mountain->params->exit];
        const bool entry = corner == in[0] || corner == in[1], exit = corner == out[0] || corner == out[1];
        const double share = entry == exit ? 0.5 : entry ? 1 : 0;
        field_row(field, corner / 2 * last)[corner % 2 * last] = (float)(share * mountain->highest);
    }
}

static SquigFrame frame_of(const Mountain *mountain) {
    const SquigMountain *params = mountain->params;
    const int size = mountain->call->outputs[0].field.width;
    const double side = size - 1;
    return (SquigFrame){ .width = size,
                         .height = size,
                         .left = 0.5,
                         .top = 0.5,
                         .right_x = side,
                         .bottom_y = side,
                         .base = mountain->base + mountain->scale * lowest(mountain, params->levels),
                         .scale = mountain->scale,
                         .river_width = params->river_width * side };
}

// The river's next level, or after the last one its network's nodes.
static void prepare_river(void *context) {
    Mountain *mountain = context;
    const int level = mountain->squig.level + 1;
    if (level < mountain->params->levels) {
        squig_subdivide(&mountain->squig, displacement(mountain, level + 1));
    } else {
        const SquigFrame frame = frame_of(mountain);
        squig_connect(&mountain->squig, &frame, &mountain->nodes);
    }
}

static Status reserve_river(Mountain *mountain, Error *error) {
    if (mountain->squig.level + 1 < mountain->params->levels)
        return squig_reserve(&mountain->squig, error);
    squig_reserve_nodes(&mountain->squig, &mountain->nodes);
    return STATUS_OK;
}

// The river's next step needs no heights, so one thread takes it beside their rows.
static Status displace(Mountain *mountain, Field *field, int level) {
    const Midpoints middles = { .field = field,
                                .key = mountain->displacements,
                                .limit = (float)displacement(mountain, level),
                                .smoothness = (float)mountain->params->smoothness,
                                .beside = field == &mountain->height ? prepare_river : NULL,
                                .beside_context = mountain };
    return midpoints_displace(mountain->call->run, middles, level, mountain->params->levels);
}

typedef struct LastLevel {
    Mountain *mountain;
    SquigValley *valley;
    Status status;
} LastLevel;

// Task 0 passes the valley's water on, task 1 places the river: neither needs the other.
static void grow_side_by_side(void *context, int first, int end) {
    LastLevel *last = context;
    Mountain *mountain = last->mountain;
    for (int task = first; task < end; task++)
        if (task == 0) {
            squig_valley_flow_down(last->valley, mountain->call->run);
        } else {
            last->status = displace(mountain, &mountain->height, mountain->params->levels);
            lay_river(mountain);
        }
}

// The last level of a mountain with a valley, whose sides rise by half the range of altitudes within its
// width.
static Status open_valley(Mountain *mountain, Error *error) {
    const SquigMountain *params = mountain->params;
    const Run *run = mountain->call->run;
    const double width = params->valley_width * (mountain->height.width - 1);
    SquigValley valley = { .alt = lowest(mountain, params->levels),
                           .slope = (float)(0.5 / width),
                           .symmetry = (float)params->symmetry,
                           .land = &mountain->land,
                           .height = &mountain->height };
    LastLevel last = { .mountain = mountain, .valley = &valley };
    Status status = squig_valley_begin(&valley, run, &mountain->squig, error);
    if (status == STATUS_OK)
        status = parallel_rows(run, 2, 3.0 * (double)field_count(valley.height), grow_side_by_side, &last);
    if (status == STATUS_OK)
        status = last.status;
    if (status == STATUS_OK)
        status = squig_valley_open(&valley, run);
    squig_valley_end(&valley);
    if (status == STATUS_OK)
        lay_river(mountain);
    return status;
}

static Status create_grids(Mountain *mountain, Error *error) {
    Output *outputs = mountain->call->outputs;
    const int side = (1 << mountain->params->levels) + 1;
    const int size = mountain->params->size ? mountain->params->size : side;
    Status status = field_create(&outputs[0].field, size, size, error);
    if (status == STATUS_OK)
        status = field_create(&outputs[1].field, size, size, error);
    mountain->in_place = size == side;
    if (status != STATUS_OK || mountain->in_place) {
        mountain->height = outputs[0].field;
        mountain->land = outputs[1].field;
        return status;
    }
    status = field_create(&mountain->height, side, side, error);
    if (status == STATUS_OK && mountain->params->symmetry > 0)
        status = field_create(&mountain->land, side, side, error);
    return status;
}

static Status grow(Mountain *mountain, Error *error) {
    const int levels = mountain->params->levels;
    const bool symmetric = mountain->params->symmetry > 0;
    Status status = create_grids(mountain, error);
    if (status == STATUS_OK)
        status = begin_river(mountain, error);
    if (status != STATUS_OK)
        return status;
    place_corners(mountain, &mountain->height);
    if (symmetric)
        place_corners(mountain, &mountain->land);
    for (int level = 1; level <= levels && status == STATUS_OK; level++) {
        if (level > 1)
            squig_advance(&mountain->squig);
        status = reserve_river(mountain, error);
        if (status == STATUS_OK && symmetric)
            status = displace(mountain, &mountain->land, level);
        if (status == STATUS_OK && symmetric && level == levels)
            return open_valley(mountain, error);
        if (status == STATUS_OK)
            status = displace(mountain, &mountain->height, level);
        if (status == STATUS_OK)
            lay_river(mountain);
    }
    return status;
}

// --- sampling ----------------------------------------------------------------------------------------------

static void scale_rows(Mountain *mountain, int first, int end) {
    Field *height = &mountain->height;
    const float base = (float)mountain->base, scale = (float)mountain->scale;
    float *cells = field_row(height, first);
    for (size_t i = 0; i < (size_t)(end - first) * (size_t)height->width; i++)
        cells[i] = base + scale * cells[i];
}

// Interpolates on the flat triangles: a cell's halves are cut from its upper left to its lower right.
static void sample_rows(void *context, int first, int end) {
    Mountain *mountain = context;
    const Field *from = &mountain->height;
    Field *to = &mountain->call->outputs[0].field;
    if (mountain->in_place) {
        scale_rows(mountain, first, end);
        return;
    }
    const double step = (double)(from->width - 1) / (to->width - 1);
    const float base = (float)mountain->base, scale = (float)mountain->scale;
    for (int y = first; y < end; y++) {
        const double down = y * step;
        const int row = index_within(down, from->height - 1);
        const float v = (float)(down - row);
        const float *up = field_row(from, row), *low = field_row(from, row + 1);
        float *out = field_row(to, y);
        for (int x = 0; x < to->width; x++) {
            const double across = x * step;
            const int column = index_within(across, from->width - 1);
            const float u = (float)(across - column);
            const float a = up[column], b = up[column + 1], c = low[column], d = low[column + 1];
            const float height = u > v ? a + (b - a) * u + (d - b) * v : a + (c - a) * v + (d - c) * u;
            out[x] = base + scale * height;
        }
    }
}

static Status write_outputs(Mountain *mountain, Status grown, Error *error) {
    const Run *run = mountain->call->run;
    Output *outputs = mountain->call->outputs;
    const int size = outputs[0].field.width;
    RiverNetwork *network = NULL;
    const SquigFrame frame = frame_of(mountain);
    Status status = squig_network(&mountain->squig, &frame, &mountain->nodes, grown, run, &network, error);
    outputs[2].value = network;
    if (status == STATUS_OK)
        status = parallel_rows(run, size, size * 4.0, sample_rows, mountain);
    if (status != STATUS_OK)
        return status;
    const Strokes water = {
        .network = network, .scale = 1, .least = 1, .land = &outputs[0].field, .bank = BANK
    };
    return stroke_network(run, &outputs[1].field, &water, error);
}

static Status run(const Call *call, Error *error) {
    const SquigMountain *params = call->params;
    if (params->entry == params->exit)
        return fail(error, STATUS_INVALID, "entry and exit must be two sides, got \"%s\" for both",
                    side_names[params->entry]);
    if (params->size == 1)
        return fail(error, STATUS_INVALID, "size must be 2 to %d, or 0, got 1", SIDE_MAX);
    Mountain mountain = { .call = call, .params = params, .displacements = random_key(call->seed, 0) };
    mountain.first = 0.5 * (1 - params->persistence);
    mountain.scale = 1 - params->slope; // the highest possible vertex is at 1 + highest
    mountain.highest = params->slope / mountain.scale;
    mountain.base = 0.5 * mountain.scale;
    const Status grown = grow(&mountain, error), status = write_outputs(&mountain, grown, error);
    squig_free(&mountain.squig);
    if (!mountain.in_place) {
        field_free(&mountain.land);
        field_free(&mountain.height);
    }
    return status;
}

#define SIDE_CHOICES CHOICES("left", "top", "right", "bottom")

static const Param params[] = {
    PARAM(SquigMountain, levels, .initial = 9, .min = 1, .max = 15,
          .doc = "number of subdivisions; the grid has 2^levels + 1 vertices per side"),
    PARAM(SquigMountain, size, .initial = 0, .min = 0, .max = SIDE_MAX, .unit = UNIT_CELLS,
          .doc = "width and height of the fields; 0: one cell per vertex"),
    PARAM(SquigMountain, entry, .choices = SIDE_CHOICES, .doc = "side where the river enters"),
    PARAM(SquigMountain, exit, .initial = SIDE_RIGHT, .choices = SIDE_CHOICES, .doc = "and where it leaves"),
    PARAM(SquigMountain, persistence, .initial = 0.5, .min = 0.1, .max = 0.9,
          .doc = "displacement at each level relative to the level before; higher is rougher"),
    PARAM(SquigMountain, smoothness, .initial = 0, .min = 0, .max = 1,
          .doc = "1: midpoints also follow the corners opposite to them, which leaves fewer creases; "
                 "0: as published"),
    PARAM(SquigMountain, slope, .initial = 0, .min = 0, .max = 0.9,
          .doc = "height difference between entry and exit; 0: level, as published"),
    PARAM(SquigMountain, waterfalls, .initial = 0, .min = 0, .max = 1,
          .doc = "share of the fall that is concentrated in a few places"),
    PARAM(SquigMountain, symmetry, .initial = 0, .min = 0, .max = 1,
          .doc = "1: both sides of the valley are alike; 0: as published, where one is often almost "
                 "vertical"),
    PARAM(SquigMountain, valley_width, .initial = 0.15, .min = 0.01, .max = 1,
          .doc = "with symmetry: extent of the valley to each side of the river, in sides"),
    PARAM(SquigMountain, tributaries, .initial = 0, .min = 0, .max = 1,
          .doc = "probability that a triangle on the river gets a tributary when it is subdivided"),
    PARAM(SquigMountain, river_width, .initial = 0.003, .min = 0, .max = 0.5,
          .doc = "width where the river leaves, in sides; elsewhere proportional to the square root "
                 "of the drained area, and at least one cell"),
    PARAM(SquigMountain, branch_levels, .initial = 6, .min = 0, .max = 15,
          .doc = "number of levels, from the first, at which tributaries begin"),
    { 0 },
};

const Operation op_squig_mountain = {
    .name = "squig_mountain",
    .category = "rivers",
    .keywords = "mandelbrot river mountain fractal",
    .summary = "Makes a mountain and its river in one subdivision: midpoint displacement and a "
               "squig curve",
    .description = "The river runs from side to side through the lowest vertices and is nowhere higher "
                   "than the land beside it. The three problems that the paper leaves open are options "
                   "that work alone and together: slope (and waterfalls), symmetry, and tributaries, "
                   "whose water descends from springs in the landscape.\n\n"
                   "Without symmetry, a mountain of fewer levels is a subset of one of more: every "
                   "2^k-th vertex.",
    .source = "Prusinkiewicz and Hammel 1993, Integration of a river and a mountain; Conclusions",
    .outputs = { { "height", "heights, 0 to 1", .heights = true },
                 { "river", "1 on the river, 0 elsewhere, in between at its edges" },
                 { "network", "the river and its tributaries as lines", &type_network } },
    .params = params,
    .params_size = sizeof(SquigMountain),
    .seeded = true,
    .shapes_outputs = true,
    .example = "local mountain, water = esker.squig_mountain{ levels = 6, seed = 2, slope = 0.2 }",
    .picture = "local land, river = esker.squig_mountain{ levels = 8, size = 192, seed = 7, slope = 0.3, "
               "symmetry = 1,\n"
               "                                         tributaries = 0.35, smoothness = 1 }\n"
               "return land:relief{ rivers = river }",
    .see_also = "squig_curve stream_erosion perspective mesh",
    .run = run,
};
