// The eroded land of flat maps: level 0 and the finer levels come from the map's own heights.

#include "rivermap/eroded/bends.h"
#include "rivermap/eroded/fjords.h"
#include "rivermap/eroded/ground.h"
#include "rivermap/eroded/ponds.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/noise.h"

#include <math.h>

enum { DEPTH = 8, GUIDED_DEPTH_MAX = 10 }; // of level 0: 256 cells, or as many as a guide has
enum { FINER = 2 }; // levels at which fjords are seen: FJORD_CELLS cells to one of level 0, as bends have

// A view of the map's own land, in cells as large as those of a depth.
static View view_of_cells(const RiverMap *map, const Run *run, int depth) {
    const Int128 cell = (Int128)1 << (PLACE_BITS - depth);
    return (View){ .map = map,
                   .run = run,
                   .width = 1 << depth,
                   .height = 1 << depth,
                   .x = cell << (depth - 1),
                   .y = cell << (depth - 1),
                   .pixel = cell,
                   .pixels = ldexp(1, depth),
                   .line_basin = INFINITY };
}

// A guide has valleys of its own: the raw map's rivers would only dig pits into them.
static Status own_heights(const RiverMap *of, int depth, uint32_t *heights, const Run *run, Error *error) {
    RiverMap map = *of;
    map.constants.rivers = map.constants.rivers && map.guide.width == 0;
    const View view = view_of_cells(&map, run, depth);
    return map.tiling->heights(&view, heights, error);
}

// The map's own heights as a whole, `finer` levels above level 0; NULL: `status` says why.
static uint32_t *whole_map(const RiverMap *map, int finer, const Run *run, Status *status, Error *error) {
    const int depth = eroded_of(map)->depth + finer, side = 1 << depth;
    uint32_t *heights = memory_new_cells(side, side, sizeof *heights, error);
    *status = heights ? own_heights(map, depth, heights, run, error) : STATUS_MEMORY;
    if (*status == STATUS_OK)
        return heights;
    memory_free(heights);
    return NULL;
}

// Of the whole map's heights, which it frees unless it fails.
static uint32_t *bent_map(const RiverMap *map, uint32_t *heights, const Run *run, Status *status,
                          Error *error) {
    const int cells = 1 << eroded_of(map)->depth, side = cells << FINER;
    uint32_t *bent = memory_new_cells(side, side, sizeof *bent, error);
    *status =
        bent ? bend_heights(run, heights, cells, eroded_of(map)->rules.seed, bent, error) : STATUS_MEMORY;
    const bool made = *status == STATUS_OK;
    memory_free(made ? heights : bent);
    return made ? bent : heights;
}

enum { BORDER_CELLS = 24 }; // of level 0 along the border, that are lowered

// Lowers the land of a row or column towards its first cell, to what lies farther in: a third of BORDER_CELLS
// at the border.
static void lower_end(float *cells, ptrdiff_t step) {
    const float least = 0.1f;
    for (ptrdiff_t i = 0; i < BORDER_CELLS; i++) {
        const ptrdiff_t inward = (BORDER_CELLS - i) * (BORDER_CELLS - i) / (3 * BORDER_CELLS);
        float *height = cells + i * step;
        const float lower = max(height[inward * step], least * *height);
        *height = min(*height, lower);
    }
}

// No river of the raw map crosses the outer edges of its first triangles, so the border would be a straight
// ridge.
static void lower_border(Field *field) {
    const int side = field->width, last = side - 1;
    for (int i = 0; i < side; i++) {
        lower_end(field_row(field, i), 1);
        lower_end(field_row(field, i) + last, -1);
    }
    for (int i = 0; i < side; i++) {
        lower_end(field_row(field, 0) + i, side);
        lower_end(field_row(field, last) + i, -side);
    }
}

// Each cell's mean of the heights in its middle.
static void take_middles(const uint32_t *fine, float unit, Field *field) {
    const size_t side = (size_t)field->width << FINER;
    const int middle = (1 << FINER) / 2;
    for (int y = 0; y < field->height; y++)
        for (int x = 0; x < field->width; x++) {
            const uint32_t *at =
                fine + (size_t)((y << FINER) + middle) * side + (size_t)((x << FINER) + middle);
            const float upper =
                            (float)(int32_t)at[-1 - (ptrdiff_t)side] + (float)(int32_t)at[-(ptrdiff_t)side],
                        lower = (float)(int32_t)at[-1] + (float)(int32_t)at[0];
            field_row(field, y)[x] = (upper + lower) * (unit / 4);
        }
}

// Level 0 before it is eroded, in cells, with the sea below 0.
static Status first_heights(const RiverMap *map, const Run *run, Field *field, Error *error) {
    const Eroded *eroded = eroded_of(map);
    const bool guided = map->guide.width > 0;
    const float of_guide = (float)ldexp(eroded->relief / HEIGHTS_PER_PIXEL, -eroded->depth);
    const float unit = guided ? of_guide : (float)VERTICAL_SCALE / HEIGHTS_PER_PIXEL;
    const uint32_t seed = eroded->rules.seed;
    Status status = STATUS_OK;
    uint32_t *heights = guided ? whole_map(map, 0, run, &status, error) : NULL;
    for (size_t i = 0; heights && i < field_count(field); i++)
        field_cells(field)[i] = (float)(int32_t)heights[i] * unit;
    memory_free(heights);
    uint32_t *fine = status == STATUS_OK ? whole_map(map, FINER, run, &status, error) : NULL;
    if (fine && !guided) {
        fine = bent_map(map, fine, run, &status, error);
        take_middles(fine, unit / (1 << FINER), field);
    }
    if (status == STATUS_OK)
        status = open_fjords(run, (const int32_t *)fine, unit / FJORD_CELLS, field, error);
    if (status == STATUS_OK && !guided) {
        lower_border(field);
        status = swell_land(run, field, seed);
    }
    if (status == STATUS_OK && !guided)
        status = fill_ponds(field, false, error);
    memory_free(fine);
    return status;
}

// A guide says what the land is like: level 0 is not eroded.
static Status begin(const RiverMap *map, const LandRules *rules, const Run *run, Land **land, Error *error) {
    const int side = 1 << eroded_of(map)->depth;
    Field field;
    Status status = field_create(&field, side, side, error);
    if (status != STATUS_OK)
        return status;
    status = first_heights(map, run, &field, error);
    if (status == STATUS_OK)
        status = land_create(land, rules, &field, map->guide.width == 0, run, error);
    field_free(&field);
    return status;
}

static Status create(RiverMap *map, const LandRules *rules, Error *error) {
    return eroded_create(map, rules, clamp(map->guide.depth, DEPTH, GUIDED_DEPTH_MAX), begin, error);
}

const LandMethods eroded_flat = {
    .max_pixels = ERODED_PIXELS_MAX,
    .wide = true,
    .flow = true,
    .create = create,
    .free = eroded_free,
    .render = eroded_render,
    .prepare = eroded_prepare,
    .datum = eroded_datum,
    .top = eroded_top,
    .add_rivers = eroded_add_rivers,
};
