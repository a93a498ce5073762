#include "rivermap/eroded/eroded.h"

#include "core/math.h"
#include "core/memory.h"
#include "rivermap/eroded/fjords.h"
#include "rivermap/eroded/planet.h"

#include <math.h>
#include <stdatomic.h>

enum {
    DEPTH = 8,
    PLANET_DEPTH = 9,
    GUIDED_DEPTH_MAX = 10
};                      // of level 0: 256 cells, or as many as a guide has
enum { FINER = 2 };     // levels at which fjords are seen: FJORD_CELLS cells to one of level 0
enum { EROSIONS = 12 }; // of level 0; none where a guide says what the land is like

// A view of cells of the map's own land, as large as those of a depth.
static View view_of_cells(const RiverMap *map, const Run *run, int depth, Int128 x, Int128 y, int width,
                          int height) {
    const Int128 cell = (Int128)1 << (PLACE_BITS - depth);
    return (View){ .map = map,
                   .run = run,
                   .width = width,
                   .height = height,
                   .x = x * cell + cell * width / 2,
                   .y = y * cell + cell * height / 2,
                   .pixel = cell,
                   .pixels = ldexp(1, depth),
                   .line_basin = INFINITY };
}

// A guide has valleys of its own: the raw map's rivers would only dig pits into them.
static Status own_heights(void *context, int level, Int128 x, Int128 y, int width, int height,
                          uint32_t *heights, const Run *run, Error *error) {
    RiverMap map = *(const RiverMap *)context;
    map.constants.rivers = map.constants.rivers && map.guide.width == 0;
    const View view = view_of_cells(&map, run, map.eroded->depth + level, x, y, width, height);
    return map.tiling->heights(&view, heights, error);
}

// The map's own heights as a whole, `finer` levels above level 0; NULL: `status` says why.
static uint32_t *whole_map(const RiverMap *map, int finer, const Run *run, Status *status, Error *error) {
    const int side = 1 << (map->eroded->depth + finer);
    uint32_t *heights = memory_new((size_t)side * (size_t)side, sizeof *heights, error);
    *status =
        heights ? own_heights((void *)map, finer, 0, 0, side, side, heights, run, error) : STATUS_MEMORY;
    if (*status == STATUS_OK)
        return heights;
    memory_free(heights);
    return NULL;
}

// Level 0 before it is eroded, in cells, with the sea below 0.
static Status first_heights(const RiverMap *map, const Run *run, Field *field, Error *error) {
    const float unit = (float)VERTICAL_SCALE / HEIGHTS_PER_PIXEL;
    Status status;
    uint32_t *heights = whole_map(map, 0, run, &status, error);
    for (size_t i = 0; heights && i < field_count(field); i++)
        field_cells(field)[i] = (float)(int32_t)heights[i] * unit;
    memory_free(heights);
    uint32_t *fine = status == STATUS_OK ? whole_map(map, FINER, run, &status, error) : NULL;
    if (fine)
        status = open_fjords((const int32_t *)fine, unit / FJORD_CELLS, field, error);
    memory_free(fine);
    return status;
}

static Status begin(const RiverMap *map, const Run *run, Land **land, Error *error) {
    const bool planet = map->tiling->planet;
    const int side = 1 << (map->eroded->depth - (planet ? 2 : 0));
    Field field;
    LandRules rules = map->eroded->rules;
    rules.hillslope *= (float)(1 << map->eroded->depth);
    rules.planet = planet;
    Status status = field_create(&field, side, planet ? CUBE_FACES * side : side, error);
    if (status != STATUS_OK)
        return status;
    status = planet ? planet_heights(map, run, &field, error) : first_heights(map, run, &field, error);
    if (status == STATUS_OK)
        status = land_create(land, &rules, &field, map->guide.width > 0 ? 0 : EROSIONS, (float)VERTICAL_SCALE,
                             planet ? NULL : own_heights, (void *)map, run, error);
    field_free(&field);
    return status;
}

Status eroded_land(const RiverMap *map, const Run *run, Land **land, Error *error) {
    _Atomic(Land *) *kept = &map->eroded->land;
    *land = atomic_load(kept);
    if (*land)
        return STATUS_OK;
    const Status status = begin(map, run, land, error);
    Land *first = NULL;
    if (status == STATUS_OK && !atomic_compare_exchange_strong(kept, &first, *land)) {
        land_free(*land); // another thread was quicker, with the same land
        *land = first;
    }
    return status;
}

Eroded *eroded_new(const RiverMap *map, const LandRules *rules, Error *error) {
    Eroded *eroded = memory_new(1, sizeof *eroded, error);
    if (!eroded)
        return NULL;
    eroded->rules = *rules;
    eroded->depth = map->tiling->planet ? PLANET_DEPTH : clamp(map->guide.depth, DEPTH, GUIDED_DEPTH_MAX);
    if (map->tiling->planet)
        planet_axes(map, eroded->axes);
    atomic_init(&eroded->land, NULL);
    return eroded;
}

void eroded_free(Eroded *eroded) {
    if (eroded)
        land_free(atomic_load(&eroded->land));
    memory_free(eroded);
}
