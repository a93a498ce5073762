// Playability (Olsen 2004, "Playability issues"): can units get around, and is there room for buildings?
//
//     A  accessible: slope < T_u, and covered by a square of N_u × N_u accessible cells
//     U  the largest connected area of A: connected for the squares, since units of N_u × N_u cells must fit
//     F  flat: slope < T_b
//     B  U × F, covered by squares of N_b × N_b such cells
//     υ, β  the shares of U and B in all cells,   γ = ε υ β, the suitability

#include "analysis/largest_area.h"
#include "analysis/scores.h"
#include "core/kernel.h"
#include "core/operation.h"
#include "core/summary.h"

#include <float.h>
#include <string.h>

typedef struct Playability {
    double unit_slope, building_slope; // T_u, T_b
    int unit_size, building_size;      // N_u, N_b
    const Field *rivers;
} Playability;

enum { EROSION, UNIT, BUILDING, SUITABILITY, ACCESSIBLE, UNITS, FLAT, BUILDINGS };

typedef struct Threshold {
    const Field *slope;
    const BitMap *within, *map; // within: NULL for everywhere
    float most;
} Threshold;

KERNEL static void threshold_rows(void *context, int first, int end) {
    const Threshold *threshold = context;
    const size_t width = (size_t)threshold->slope->width;
    const float most = threshold->most;
    for (int y = first; y < end; y++) {
        const float *restrict slope = field_row(threshold->slope, y);
        uint8_t *restrict map = threshold->map->cells + (size_t)y * width;
        for (size_t x = 0; x < width; x++)
            map[x] = slope[x] < most;
        const uint8_t *restrict within =
            threshold->within ? threshold->within->cells + (size_t)y * width : NULL;
        for (size_t x = 0; within && x < width; x++)
            map[x] &= within[x];
    }
}

static Status below(const Call *call, const Field *slope, double most, const BitMap *within,
                    const BitMap *map) {
    Threshold threshold = { .slope = slope, .within = within, .map = map, .most = (float)most };
    return parallel_rows(call->run, slope->height, slope->width * 0.3, threshold_rows, &threshold);
}

typedef struct Copy {
    const BitMap *map;
    Field *field;
} Copy;

KERNEL static void copy_rows(void *context, int first, int end) {
    const Copy *copy = context;
    const int width = copy->map->width;
    for (int y = first; y < end; y++) {
        const uint8_t *restrict map = copy->map->cells + (size_t)y * (size_t)width;
        float *restrict out = field_row(copy->field, y);
        for (int x = 0; x < width; x++)
            out[x] = (float)map[x];
    }
}

static Status copy_out(const Call *call, const BitMap *map, int output) {
    Copy copy = { map, &call->outputs[output].field };
    return parallel_rows(call->run, map->height, map->width * 0.3, copy_rows, &copy);
}

// The share of ones in the map that was copied to `output`.
static Status score(const Call *call, int output, int number, Error *error) {
    Field *map = &call->outputs[output].field;
    Summary summary;
    const Status status = field_summarise(call->run, map, &summary, error);
    if (status == STATUS_OK)
        call->outputs[number].number = summary.sum / (double)field_count(map);
    return status;
}

// A and U; `map` holds U in the end. `scratch` is of its size.
static Status map_units(const Call *call, const Field *slope, const BitMap *map, const BitMap *scratch,
                        Error *error) {
    const Playability *playability = call->params;
    const int side = playability->unit_size;
    Status status = below(call, slope, playability->unit_slope, NULL, map);
    if (status == STATUS_OK)
        status = find_squares(call->run, map, side, error);
    memcpy(scratch->cells, map->cells, (size_t)map->width * (size_t)map->height);
    if (status == STATUS_OK)
        status = cover_squares(call->run, scratch, side, error);
    if (status == STATUS_OK)
        status = copy_out(call, scratch, ACCESSIBLE);
    if (status == STATUS_OK)
        status = keep_largest_area(call->run, map, error);
    if (status == STATUS_OK)
        status = cover_squares(call->run, map, side, error);
    if (status == STATUS_OK)
        status = copy_out(call, map, UNITS);
    return status == STATUS_OK ? score(call, UNITS, UNIT, error) : status;
}

// F and B; `units` is U.
static Status map_buildings(const Call *call, const Field *slope, const BitMap *units, const BitMap *map,
                            Error *error) {
    const Playability *playability = call->params;
    const int side = playability->building_size;
    Status status = below(call, slope, playability->building_slope, NULL, map);
    if (status == STATUS_OK)
        status = copy_out(call, map, FLAT);
    if (status == STATUS_OK)
        status = below(call, slope, playability->building_slope, units, map);
    if (status == STATUS_OK)
        status = find_squares(call->run, map, side, error);
    if (status == STATUS_OK)
        status = cover_squares(call->run, map, side, error);
    if (status == STATUS_OK)
        status = copy_out(call, map, BUILDINGS);
    return status == STATUS_OK ? score(call, BUILDINGS, BUILDING, error) : status;
}

typedef struct Barrier {
    const Field *rivers;
    Field *slope;
} Barrier;

// A cell that is more than half water counts as a wall for units and buildings.
static void raise_rivers(void *context, int first, int end) {
    const Barrier *barrier = context;
    for (int y = first; y < end; y++) {
        const float *rivers = field_row(barrier->rivers, y);
        float *slope = field_row(barrier->slope, y);
        for (int x = 0; x < barrier->slope->width; x++)
            slope[x] = rivers[x] >= 0.5f ? FLT_MAX : slope[x];
    }
}

static Status run(const Call *call, Error *error) {
    const Playability *playability = call->params;
    Field slope = { 0 };
    BitMap units = { 0 }, buildings = { 0 };
    Output *outputs = call->outputs;
    Status status = field_create(&slope, call->width, call->height, error);
    if (status == STATUS_OK)
        status = bit_map_create(&units, call->width, call->height, call->wraps, error);
    if (status == STATUS_OK)
        status = bit_map_create(&buildings, call->width, call->height, call->wraps, error);
    if (status == STATUS_OK)
        status = slope_map(call->run, call->inputs[0].field, call->wraps, &slope);
    if (status == STATUS_OK)
        status = erosion_score(call->run, &slope, &outputs[EROSION].number, error);
    Barrier barrier = { playability->rivers, &slope };
    if (status == STATUS_OK && playability->rivers)
        status = parallel_rows(call->run, call->height, call->width * 0.5, raise_rivers, &barrier);
    if (status == STATUS_OK)
        status = map_units(call, &slope, &units, &buildings, error);
    if (status == STATUS_OK)
        status = map_buildings(call, &slope, &units, &buildings, error);
    outputs[SUITABILITY].number = outputs[EROSION].number * outputs[UNIT].number * outputs[BUILDING].number;
    field_free(&slope);
    bit_map_free(&units);
    bit_map_free(&buildings);
    return status;
}

static const Param params[] = {
    PARAM(Playability, unit_slope, .initial = 8, .min = 0, .max = 1e4, .unit = UNIT_SLOPE,
          .doc = "slope below which units can move"),
    PARAM(Playability, building_slope, .initial = 2, .min = 0, .max = 1e4, .unit = UNIT_SLOPE,
          .doc = "slope below which buildings can stand"),
    PARAM(Playability, unit_size, .initial = 1, .min = 1, .max = SIDE_MAX, .unit = UNIT_CELLS,
          .doc = "side of the square that a unit occupies"),
    PARAM(Playability, building_size, .initial = 9, .min = 1, .max = SIDE_MAX, .unit = UNIT_CELLS,
          .doc = "side of the square that a building occupies"),
    PARAM(Playability, rivers,
          .doc = "barriers, such as render's river: no units or buildings where this is at least 0.5; "
                 "set a cell to 0 for a ford"),
    { 0 },
};

const Operation op_playability = {
    .name = "playability",
    .measures = MEASURES_SQUARES,
    .category = "analysis",
    .keywords = "game score units buildings accessible rts",
    .summary = "Scores a terrain for strategy games: room to move, room to build, and both together",
    .description = "The time does not depend on the sizes of units and buildings. Of two connected "
                   "areas of equal size the first one, row by row, counts. Squares larger than the "
                   "field fit nowhere.",
    .source = "Olsen 2004, Playability issues",
    .inputs = { { "height", "heights, 0 to 1" } },
    .outputs = { { "erosion", "the erosion score", &type_number },
                 { "unit", "share of cells that units can reach", &type_number },
                 { "building", "share of cells that buildings can cover", &type_number },
                 { "suitability", "erosion × unit × building", &type_number },
                 { "accessible", "1 where units can stand" },
                 { "units", "1 in the largest connected area" },
                 { "flat", "1 where the slope allows buildings" },
                 { "buildings", "1 where buildings can stand" } },
    .params = params,
    .params_size = sizeof(Playability),
    .record = true,
    .wrapping = WRAPPING_CHOSEN,
    .example = "local play = height:playability{ unit_size = 3 }\nprint(play.suitability)",
    .picture = "local land = height:resize{ size = 128 }:olsen_erosion{ talus = 6 }\n"
               "local play = land:playability{ building_size = 5 }\n"
               "local shades = { { 0, \"#3a3f4a\" }, { 1, \"#f2efe6\" } }\n"
               "return land, play.units:relief{ palette = shades, contrast = 0 }, play.buildings:relief{ "
               "palette = shades, contrast = 0 }",
    .see_also = "slope erosion_score olsen_erosion",
    .run = run,
};
