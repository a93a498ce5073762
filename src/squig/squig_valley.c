// The sides of a valley are steep where the river's last approximations came close to a vertex that was
// placed high before (Prusinkiewicz and Hammel 1993, figure 10). Here both sides rise with the distance to
// the water alone, until they meet a landscape without a river:
//
//     h = smooth minimum of the land and v,  v = min over the water of (w + s d),
//
// where w is the altitude of the water, d the distance to it, s the slope. Where the valleys of two rivers
// meet, v has a crest. The water that gives the minimum is propagated from neighbour to neighbour in sweeps
// (Danielsson 1980).

#include "squig/squig_valley.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

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

Status squig_valley_begin(SquigValley *valley, const Run *run, const Squig *squig, Error *error) {
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

void squig_valley_end(SquigValley *valley) {
    sweep_free(&valley->sweep);
    memory_free(valley->water);
}

void squig_valley_flow_down(SquigValley *valley, const Run *run) {
    sweep_begin(valley, 0, 1);
    while (valley->sweep.y < valley->side && !run_stopped(run))
        sweep_rows(valley, ROWS);
}

Status squig_valley_open(SquigValley *valley, const Run *run) {
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
