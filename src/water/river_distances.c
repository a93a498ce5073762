// How far each cell lies from its river, upwards and along the way of its water.

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "water/flow.h"
#include "water/outlet_routes.h"

#include <string.h>

// --- what both share ---------------------------------------------------------------------------------------

typedef struct RiverDistances {
    STREAM_MEMBERS;
} RiverDistances;

// Fills the result from the streams that the parameters ask for.
typedef Status MeasureFromRivers(const Call *call, Streams *streams, Error *error);

static Status run_measure(const Call *call, MeasureFromRivers *measure, Error *error) {
    const RiverDistances *params = call->params;
    Streams streams = { .drainage = { .height = call->inputs[0].field,
                                      .filled = call->outputs[0].field,
                                      .sea_level = params->sea_level },
                        .rivers = params->rivers };
    Status status = streams_find(call->run, &streams, STREAM_BEGINNING(params), error);
    if (status == STATUS_OK)
        status = measure(call, &streams, error);
    streams_free(&streams);
    return status;
}

static const Param params[] = {
    STREAM_PARAMS(RiverDistances),
    { 0 },
};

// --- the height above the river ----------------------------------------------------------------------------

// Height above the river into which a cell drains (HAND).
//
// HAND(c) = filled(c) - filled(r), where r is the first river cell on the way of c's water (Rennó et al.
// 2008, "HAND, a new terrain descriptor using SRTM-DEM", section 2.3). Water that meets no river is measured
// from where it leaves: its last cell (before a gap as before the border), or the sea's level.

typedef struct HeightMeasuring {
    const Streams *streams;
    Field filled;  // and the result
    uint32_t *end; // of each cell; then the height there
} HeightMeasuring;

// Water leaves before gaps, which have no height.
static void leave_rows(void *context, int first, int end) {
    const Streams *streams = context;
    const Field *height = streams->drainage.height;
    const size_t width = (size_t)height->width;
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++)
        if (!field_has_data(height, receiver_cell(streams, i)))
            streams->drainage.direction[i] = DRAINS_OFF;
}

static void look_up_rows(void *context, int first, int end) {
    const HeightMeasuring *measuring = context;
    const size_t width = (size_t)measuring->filled.width;
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++) {
        const float level = measuring->filled.cells[measuring->end[i]];
        const float base = max(level, measuring->streams->sea);
        memcpy(&measuring->end[i], &base, sizeof base);
    }
}

static void measure_heights(void *context, int first, int end) {
    HeightMeasuring *measuring = context;
    const size_t width = (size_t)measuring->filled.width;
    float *height = field_cells(&measuring->filled);
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++) {
        float base;
        memcpy(&base, &measuring->end[i], sizeof base);
        height[i] = max(height[i] - base, 0);
    }
}

static Status measure_height(const Call *call, Streams *streams, Error *error) {
    const Run *run = call->run;
    HeightMeasuring measuring = { .streams = streams, .filled = streams->drainage.filled };
    const int rows = measuring.filled.height;
    Status status = streams_end_ways(run, streams);
    if (status == STATUS_OK && streams->drainage.height->gaps)
        status = parallel_rows(run, rows, measuring.filled.width, leave_rows, streams);
    field_free(&streams->drained);
    measuring.end = memory_new(field_count(&measuring.filled), sizeof *measuring.end, error);
    if (!measuring.end)
        return STATUS_MEMORY;
    const Routes routes = { .end = measuring.end };
    if (status == STATUS_OK)
        status = routes_follow(run, &measuring.filled, streams->drainage.direction, &routes, error);
    if (status == STATUS_OK)
        status = parallel_rows(run, rows, measuring.filled.width * 2.0, look_up_rows, &measuring);
    if (status == STATUS_OK)
        status = parallel_rows(run, rows, measuring.filled.width * 0.5, measure_heights, &measuring);
    memory_free(measuring.end);
    return status;
}

static Status run_height(const Call *call, Error *error) {
    return run_measure(call, measure_height, error);
}

const Operation op_height_above_river = {
    .name = "height_above_river",
    .measures = MEASURES_SHAPES,
    .category = "rivers",
    .keywords = "HAND nearest drainage floodplain flood wetness valley",
    .summary = "Gives the height of each cell above the river into which it drains (HAND)",
    .description =
        "Low values flood first, so a threshold gives a mask of floodplains. The flow path is "
        "that of flow_accumulation with method \"d8\", and pits count as filled. Water that "
        "reaches no river is measured from its outlet: its last cell at the border or a gap, or the "
        "sea's level.",
    .source = "Rennó et al. 2008, HAND",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "above", "heights above the river, 0 or more; 0 in rivers and the sea",
                   .dimension = DIMENSION_HEIGHT } },
    .params = params,
    .params_size = sizeof(RiverDistances),
    .example = "local floodplain = 1 - (height:height_above_river{ threshold = 0.01 } * 20):clamp{}",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .picture =
        "local plain = { { 0, \"#08306b\" }, { 0.05, \"#6baed6\" }, { 0.2, \"#e5f5e0\" }, { 1, \"#a1d99b\" } "
        "}\n"
        "return height:height_above_river{ threshold = 0.005 }:relief{ palette = plain, low = 0, high = 1 }",
    .see_also = "distance_to_river rivers_from_flow relative_height",
    .run = run_height,
};

// --- the way to the river ----------------------------------------------------------------------------------

// The way of each cell's water to the first river, in metres where the field has a frame, elsewhere in N.
//
// Whole numbers are counted, whose sums are the same in any order: steps s to a neighbour beside and d to a
// diagonal one, so that the way is s + d √2 cells long; or, of cells that are no squares or differ from row
// to row, lengths in 2^-20 of a cell.

typedef struct WayMeasuring {
    Field *out;
    Routes routes;
    double cell; // its length in the result
} WayMeasuring;

static void measure_ways(void *context, int first, int end) {
    const WayMeasuring *measuring = context;
    const Routes *routes = &measuring->routes;
    const size_t width = (size_t)measuring->out->width;
    float *out = field_cells(measuring->out);
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++)
        out[i] = routes_length((uint64_t)routes->diagonal[i] << 32 | routes->straight[i], !routes->steps,
                               measuring->cell);
}

static Status measure_distance(const Call *call, Streams *streams, Error *error) {
    Field *out = &call->outputs[0].field;
    const size_t cells = field_count(out);
    const Field *height = streams->drainage.height;
    const double metres = field_cell_metres(height);
    WayMeasuring measuring = { .out = out, .cell = metres > 0 ? metres : 1.0 / field_side(height) };
    Routes *routes = &measuring.routes;
    Status status = streams_end_ways(call->run, streams);
    uint64_t *steps = NULL;
    if (!routes_are_counted(height)) {
        routes->steps = steps = routes_steps(height, error);
        status = steps ? status : STATUS_MEMORY;
    }
    field_free(&streams->drained);
    if (!(routes->end = memory_new(cells, sizeof *routes->end, error)) ||
        !(routes->straight = memory_new(cells, sizeof *routes->straight, error)) ||
        !(routes->diagonal = memory_new(cells, sizeof *routes->diagonal, error)))
        status = STATUS_MEMORY;
    if (status == STATUS_OK)
        status = routes_follow(call->run, out, streams->drainage.direction, routes, error);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, out->height, out->width, measure_ways, &measuring);
    memory_free(routes->end);
    memory_free(routes->straight);
    memory_free(routes->diagonal);
    memory_free(steps);
    return status;
}

static Status run_distance(const Call *call, Error *error) {
    return run_measure(call, measure_distance, error);
}

const Operation op_distance_to_river = {
    .name = "distance_to_river",
    .measures = MEASURES_CELLS,
    .category = "rivers",
    .keywords = "downstream flow distance length travel stream",
    .summary = "Computes the distance along the water's path from each cell to the first river",
    .description = "The path is that of flow_accumulation with method \"d8\": a step to a diagonal neighbour "
                   "is 1.414 cells long, and the sides of cells are those on the ground. Water that reaches "
                   "no river is measured to its outlet: its last cell at the border, or the first of the "
                   "sea or without data.",
    .source = "D8: O'Callaghan and Mark 1984",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "distance", "lengths; 0 in rivers and the sea", .dimension = DIMENSION_LENGTH } },
    .params = params,
    .params_size = sizeof(RiverDistances),
    .example = "local far = height:distance_to_river{ threshold = 0.01 }",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .always_finite = "no way has more steps than there are cells",
    .picture =
        "return (height:distance_to_river{ threshold = 0.005 } * 3):relief{ contrast = 0, palette = { { 0, "
        "\"#08306b\" }, { 0.05, \"#9ecae1\" }, { 0.5, \"#f7f4ea\" }, { 1, \"#8c6d31\" } } }",
    .see_also = "height_above_river flow_direction",
    .run = run_distance,
};
