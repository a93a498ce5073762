// The type of zoomable maps.

#include "rivermap/view.h"

#include "core/memory.h"

static void map_free(void *value) {
    RiverMap *map = value;
    if (map->land->free)
        map->land->free(map->land_state);
    land_courses_free(map->courses);
    memory_free(map->edits);
    memory_free(map->places);
    map_step_free(map->made);
    memory_free(map->grounds);
    memory_free(map);
}

// One that a file gave knows it already.
static Status map_made(void *value, const Operation *operation, const Call *call, const void *params,
                       Error *error) {
    RiverMap *map = value;
    const Input *before = &call->inputs[0];
    if (map->made)
        return STATUS_OK;
    map->made = map_step_new(
        before->value && before->type == &type_map ? ((const RiverMap *)before->value)->made : NULL,
        operation, call, params, map->grounds, error);
    return map->made ? STATUS_OK : STATUS_MEMORY;
}

static int64_t is_planet(const void *value) {
    return ((const RiverMap *)value)->tiling->planet;
}

static int64_t has_eroded_land(const void *value) {
    const RiverMap *map = value;
    return map->land == map->tiling->eroded;
}

static int64_t has_climate(const void *value) {
    return ((const RiverMap *)value)->watered;
}

static int64_t levels(const void *value) {
    return log2_below(map_max_pixels(value));
}

static double side(const void *value) {
    return is_planet(value) ? 0 : ((const RiverMap *)value)->metres;
}

static double radius(const void *value) {
    return is_planet(value) ? ((const RiverMap *)value)->metres : 0;
}

static const ValueProperty properties[] = {
    { "planet", .boolean = true, .get = is_planet, .doc = "whether it covers a sphere, not a square" },
    { "eroded", .boolean = true, .get = has_eroded_land, .doc = "whether the land is eroded" },
    { "watered", .boolean = true, .get = has_climate,
      .doc = "whether its rivers carry the rain of a climate" },
    { "levels", .get = levels, .doc = "zoom times size of a window is at most 2^levels" },
    { "side", .length = side, .doc = "metres along a side of a flat map; nil where they are not known" },
    { "radius", .length = radius, .doc = "metres of a planet's radius; nil where they are not known" },
    { 0 },
};

const ValueType type_map = {
    .name = "RiverMap",
    .kind = "map",
    .singular = "a RiverMap",
    .plural = "maps",
    .number = 64,
    .doc = "a zoomable map",
    .properties = properties,
    .free = map_free,
    .made = map_made,
    .picture = "local map = ...\n"
               "local height, rivers = map:render{ size = 256 }\n"
               "if map.watered then\n"
               "    return height:relief{ rivers = rivers, drape = map:cover{ size = 256 }.image, palette = "
               "\"ground\" }\n"
               "end\n"
               "return height:relief{ rivers = rivers }",
};
