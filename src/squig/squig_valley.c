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

#include "core/math.h"
#include "core/memory.h"

#include <math.h>

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

static float side_from(const Valley *valley, uint32_t water, int x, int y) {
    const float across = (float)((int)(water & 0xffff) - x), down = (float)((int)(water >> 16) - y);
    return water_altitude(valley, water) + valley->slope * sqrtf(across * across + down * down);
}

static void mark_water(const Valley *valley, const Squig *squig, double alt) {
    const size_t count = field_count(valley->land);
    for (size_t i = 0; i < count; i++)
        valley->water[i] = NO_WATER;
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

typedef struct Lowest {
    uint32_t water;
    float height;
} Lowest;

static void offer(const Valley *valley, uint32_t water, int x, int y, Lowest *lowest) {
    if (water == NO_WATER || water == lowest->water)
        return;
    const float height = side_from(valley, water, x, y);
    if (lowest->water == NO_WATER || height < lowest->height)
        *lowest = (Lowest){ water, height };
}

static Lowest lowest_at(const Valley *valley, uint32_t water, int x, int y) {
    return (Lowest){ water, water == NO_WATER ? 0 : side_from(valley, water, x, y) };
}

// Propagates from the previous row (`from` rows away) and along the row, in both directions.
static void pass_to_row(const Valley *valley, int y, int from) {
    const int side = valley->side;
    uint32_t *row = water_row(valley, y);
    const uint32_t *before = water_row(valley, y + from);
    for (int x = 0; x < side; x++) {
        Lowest lowest = lowest_at(valley, row[x], x, y);
        offer(valley, before[x > 0 ? x - 1 : 0], x, y, &lowest);
        offer(valley, before[x], x, y, &lowest);
        offer(valley, before[x + 1 < side ? x + 1 : x], x, y, &lowest);
        offer(valley, row[x > 0 ? x - 1 : 0], x, y, &lowest);
        row[x] = lowest.water;
    }
    for (int x = side - 2; x >= 0; x--) {
        Lowest lowest = lowest_at(valley, row[x], x, y);
        offer(valley, row[x + 1], x, y, &lowest);
        row[x] = lowest.water;
    }
}

static Status pass_water(const Valley *valley, const Run *run) {
    for (int y = 1; y < valley->side; y++) {
        if (y % 64 == 0 && run_stopped(run))
            return STATUS_STOPPED;
        pass_to_row(valley, y, -1);
    }
    for (int y = valley->side - 2; y >= 0; y--) {
        if (y % 64 == 0 && run_stopped(run))
            return STATUS_STOPPED;
        pass_to_row(valley, y, 1);
    }
    return STATUS_OK;
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
            const float side = side_from(valley, water[x], x, y), above = (side - least) * ROUGH;
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
    mark_water(&valley, squig, shape.alt);
    Status status = pass_water(&valley, run);
    if (status == STATUS_OK)
        status = parallel_rows(run, valley.side, valley.side * 12.0, open_rows, &valley);
    memory_free(valley.water);
    return status;
}
