// Height above the river into which a cell drains (HAND).
//
// HAND(c) = filled(c) - filled(r), where r is the first river cell on the way of c's water (Rennó et al.
// 2008, "HAND, a new terrain descriptor using SRTM-DEM", section 2.3). Water that meets no river is measured
// from where it leaves: its last cell (before a gap as before the border), or the sea's level.

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "water/flow.h"
#include "water/outlet_routes.h"

#include <string.h>

typedef struct HeightAboveRiver {
    STREAM_MEMBERS;
} HeightAboveRiver;

typedef struct Measuring {
    const Streams *streams;
    Field filled;  // and the result
    uint32_t *end; // of each cell; then the height there
} Measuring;

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
    const Measuring *measuring = context;
    const size_t width = (size_t)measuring->filled.width;
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++) {
        const float level = measuring->filled.cells[measuring->end[i]];
        const float base = max(level, measuring->streams->sea);
        memcpy(&measuring->end[i], &base, sizeof base);
    }
}

static void measure_rows(void *context, int first, int end) {
    Measuring *measuring = context;
    const size_t width = (size_t)measuring->filled.width;
    float *height = field_cells(&measuring->filled);
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++) {
        float base;
        memcpy(&base, &measuring->end[i], sizeof base);
        height[i] = max(height[i] - base, 0);
    }
}

static Status measure(const Run *run, Streams *streams, Error *error) {
    Measuring measuring = { .streams = streams, .filled = streams->drainage.filled };
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
        status = parallel_rows(run, rows, measuring.filled.width * 0.5, measure_rows, &measuring);
    memory_free(measuring.end);
    return status;
}

static Status run(const Call *call, Error *error) {
    const HeightAboveRiver *params = call->params;
    Streams streams = { .drainage = { .height = call->inputs[0].field,
                                      .filled = call->outputs[0].field,
                                      .sea_level = params->sea_level },
                        .rivers = params->rivers };
    Status status = streams_find(call->run, &streams, STREAM_BEGINNING(params), error);
    if (status == STATUS_OK)
        status = measure(call->run, &streams, error);
    streams_free(&streams);
    return status;
}

static const Param params[] = {
    STREAM_PARAMS(HeightAboveRiver),
    { 0 },
};

const Operation op_height_above_river = {
    .name = "height_above_river",
    .measures = MEASURES_SQUARES,
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
    .params_size = sizeof(HeightAboveRiver),
    .example = "local floodplain = 1 - (height:height_above_river{ threshold = 0.01 } * 20):clamp{}",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .picture =
        "local plain = { { 0, \"#08306b\" }, { 0.05, \"#6baed6\" }, { 0.2, \"#e5f5e0\" }, { 1, \"#a1d99b\" } "
        "}\n"
        "return height:height_above_river{ threshold = 0.005 }:relief{ palette = plain, low = 0, high = 1 }",
    .see_also = "distance_to_river rivers_from_flow relative_height",
    .run = run,
};
