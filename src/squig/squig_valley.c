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

typedef struct Valley {
    int side;
    uint32_t *water; // of each vertex: where its water is, the row in the upper half
    int patch;       // cells from vertex to vertex of the land's coarse shape
    float slope, symmetry;
    Field *land, *height;
} Valley;

static uint32_t *water_row(const Valley *valley, int y) {
    return valley->water + (size_t)y * (size_t)valley->side;
}

static float water_altitude(const Valley *valley, uint32_t water) {
    return field_row(valley->land, (int)(water >> 16))[water & 0xffff];
}

// Of the valley's side, so far from its water.
KERNEL_INLINE float side_over(float altitude, float slope, uint32_t water, int x, int y) {
    const float across = (float)((int)(water & 0xffff) - x), down = (float)((int)(water >> 16) - y);
    return altitude + slope * sqrtf(across * across + down * down);
}

static void clear_rows(void *context, int first, int end) {
    const Valley *valley = context;
    uint32_t *water = water_row(valley, first);
    for (size_t i = 0; i < (size_t)(end - first) * (size_t)valley->side; i++)
        water[i] = NO_WATER;
}

static void mark_water(const Valley *valley, const Squig *squig, double alt) {
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

// The water of a row's vertices and its altitude, infinite where there is none yet; one vertex more on both
// sides, like its neighbour.
typedef struct Line {
    uint32_t *water;
    float *altitudes;
} Line;

// What a sweep needs.
typedef struct Sweep {
    Line line, before; // the row, and that from which water comes
    float *heights;    // of the valley's side at the row's vertices
} Sweep;

static Status sweep_create(Sweep *sweep, int side, Error *error) {
    const size_t room = (size_t)side + 2;
    float *floats = memory_new(5 * room, sizeof *floats, error);
    if (!floats)
        return STATUS_MEMORY;
    sweep->heights = floats;
    sweep->line = (Line){ (uint32_t *)(void *)(floats + room) + 1, floats + 2 * room + 1 };
    sweep->before = (Line){ (uint32_t *)(void *)(floats + 3 * room) + 1, floats + 4 * room + 1 };
    return STATUS_OK;
}

static void sweep_free(Sweep *sweep) {
    memory_free(sweep->heights);
}

static void read_line(const Valley *valley, int y, Line line) {
    const uint32_t *water = water_row(valley, y);
    for (int x = 0; x < valley->side; x++) {
        line.water[x] = water[x];
        line.altitudes[x] = water[x] == NO_WATER ? INFINITY : water_altitude(valley, water[x]);
    }
}

static void write_line(const Valley *valley, int y, Line line) {
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
static void pass_on(const Sweep *sweep, float slope, int x, int y, int from) {
    const Line line = sweep->line;
    const uint32_t water = line.water[x + from];
    if (water == line.water[x])
        return;
    const float height = side_over(line.altitudes[x + from], slope, water, x, y);
    if (height >= sweep->heights[x])
        return;
    line.water[x] = water;
    line.altitudes[x] = line.altitudes[x + from];
    sweep->heights[x] = height;
}

// Propagates from the row before, if there is one, and along the row, in both directions.
static void pass_along(const Valley *valley, const Sweep *sweep, int y) {
    const Line line = sweep->line, before = sweep->before;
    pass_down(valley->side, valley->slope, y, line.water, line.altitudes, sweep->heights, before.water,
              before.altitudes);
    for (int x = 1; x < valley->side; x++)
        pass_on(sweep, valley->slope, x, y, -1);
    for (int x = valley->side - 2; x >= 0; x--)
        pass_on(sweep, valley->slope, x, y, 1);
}

// From row `first`, down to the last one or up.
static Status sweep_rows(const Valley *valley, const Run *run, Sweep *sweep, int first, int step) {
    read_line(valley, first, sweep->line);
    write_line(valley, first, sweep->line);
    for (int y = first + step; y >= 0 && y < valley->side; y += step) {
        if (y % 64 == 0 && run_stopped(run))
            return STATUS_STOPPED;
        const Line line = sweep->before;
        sweep->before = sweep->line;
        sweep->line = line;
        read_line(valley, y, line);
        pass_along(valley, sweep, y);
        write_line(valley, y, line);
    }
    return STATUS_OK;
}

static Status pass_water(const Valley *valley, const Run *run, Error *error) {
    Sweep sweep;
    Status status = sweep_create(&sweep, valley->side, error);
    if (status != STATUS_OK)
        return status;
    status = sweep_rows(valley, run, &sweep, 0, 1);
    if (status == STATUS_OK)
        status = sweep_rows(valley, run, &sweep, valley->side - 1, -1);
    sweep_free(&sweep);
    return status;
}

// --- opening -----------------------------------------------------------------------------------------------

static float smooth_minimum(float a, float b) {
    const float apart = a > b ? a - b : b - a, near = apart < BEND ? BEND - apart : 0;
    return min(a, b) - near * near / (4 * BEND);
}

// The detail finer than the land's coarse shape, which makes the valley's sides as rough as the land above.
static float detail_at(const Valley *valley, int x, int y) {
    const int patch = valley->patch, last = valley->side - 1 - patch;
    const int left = x / patch * patch < last ? x / patch * patch : last;
    const int top = y / patch * patch < last ? y / patch * patch : last;
    const float u = (float)(x - left) / (float)patch, v = (float)(y - top) / (float)patch;
    const float *up = field_row(valley->land, top) + left,
                *down = field_row(valley->land, top + patch) + left;
    const float upper = up[0] + (up[patch] - up[0]) * u, lower = down[0] + (down[patch] - down[0]) * u;
    return field_row(valley->land, y)[x] - (upper + (lower - upper) * v);
}

static void open_rows(void *context, int first, int end) {
    const Valley *valley = context;
    for (int y = first; y < end; y++) {
        const uint32_t *water = water_row(valley, y);
        const float *land = field_row(valley->land, y);
        float *height = field_row(valley->height, y);
        for (int x = 0; x < valley->side; x++) {
            const float least = water_altitude(valley, water[x]);
            const float side = side_over(least, valley->slope, water[x], x, y),
                        above = (side - least) * ROUGH;
            const float rough = min(above, 1) * detail_at(valley, x, y);
            const float open = smooth_minimum(land[x], side + rough);
            height[x] += valley->symmetry * (max(open, least) - height[x]);
        }
    }
}

Status squig_valley_open(const Run *run, const Squig *squig, SquigValley shape, Field *land, Field *height,
                         Error *error) {
    Valley valley = { .side = height->width,
                      .patch = (height->width - 1) / 16 > 0 ? (height->width - 1) / 16 : 1,
                      .slope = (float)shape.slope,
                      .symmetry = (float)shape.symmetry,
                      .land = land,
                      .height = height };
    valley.water = memory_new(field_count(land), sizeof *valley.water, error);
    if (!valley.water)
        return STATUS_MEMORY;
    Status status = parallel_rows(run, valley.side, valley.side * 0.5, clear_rows, &valley);
    if (status == STATUS_OK) {
        mark_water(&valley, squig, shape.alt);
        status = pass_water(&valley, run, error);
    }
    if (status == STATUS_OK)
        status = parallel_rows(run, valley.side, valley.side * 12.0, open_rows, &valley);
    memory_free(valley.water);
    return status;
}
