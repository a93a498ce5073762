// The way of each cell's water to the first river, in N.
//
// Whole numbers of steps s to a neighbour beside and d to a diagonal one are counted; the way is s + d √2
// cells long.

#include "core/memory.h"
#include "water/flow.h"
#include "water/outlet_routes.h"

typedef struct DistanceToRiver {
    STREAM_MEMBERS;
} DistanceToRiver;

typedef struct Measuring {
    Field *out;
    Routes routes;
} Measuring;

static void measure_rows(void *context, int first, int end) {
    const Measuring *measuring = context;
    const size_t width = (size_t)measuring->out->width;
    const double cell = 1.0 / field_side(measuring->out);
    float *out = field_cells(measuring->out);
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++)
        out[i] = (float)(((double)measuring->routes.straight[i] +
                          (double)measuring->routes.diagonal[i] * 1.41421356237309504880) *
                         cell);
}

static Status measure(const Call *call, Streams *streams, Error *error) {
    Field *out = &call->outputs[0].field;
    const size_t cells = field_count(out);
    Measuring measuring = { .out = out };
    Routes *routes = &measuring.routes;
    Status status = streams_end_ways(call->run, streams);
    field_free(&streams->drained);
    if (!(routes->end = memory_new(cells, sizeof *routes->end, error)) ||
        !(routes->straight = memory_new(cells, sizeof *routes->straight, error)) ||
        !(routes->diagonal = memory_new(cells, sizeof *routes->diagonal, error)))
        status = STATUS_MEMORY;
    if (status == STATUS_OK)
        status = routes_follow(call->run, out, streams->drainage.direction, routes, error);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, out->height, out->width, measure_rows, &measuring);
    memory_free(routes->end);
    memory_free(routes->straight);
    memory_free(routes->diagonal);
    return status;
}

static Status run(const Call *call, Error *error) {
    const DistanceToRiver *params = call->params;
    Streams streams = { .drainage = { .height = call->inputs[0].field,
                                      .filled = call->outputs[0].field,
                                      .sea_level = params->sea_level },
                        .rivers = params->rivers };
    Status status = streams_find(call->run, &streams, params->threshold, error);
    if (status == STATUS_OK)
        status = measure(call, &streams, error);
    streams_free(&streams);
    return status;
}

static const Param params[] = {
    STREAM_PARAMS(DistanceToRiver),
    { 0 },
};

const Operation op_distance_to_river = {
    .name = "distance_to_river",
    .measures = MEASURES_SQUARES,
    .category = "rivers",
    .keywords = "downstream flow distance length travel",
    .summary = "Computes the distance along the water's path from each cell to the first river",
    .description = "The path is that of flow_accumulation with method \"d8\": a step to a diagonal neighbour "
                   "is 1.414 cells long. Water that reaches no river is measured to its outlet: its last "
                   "cell at the border, or the first of the sea.",
    .source = "D8: O'Callaghan and Mark 1984",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "distance", "lengths, in N, the longer side; 0 in rivers and the sea" } },
    .params = params,
    .params_size = sizeof(DistanceToRiver),
    .example = "local far = height:distance_to_river{ threshold = 0.01 }",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .always_finite = "no way has more steps than there are cells",
    .picture =
        "return (height:distance_to_river{ threshold = 0.005 } * 3):relief{ contrast = 0, palette = { { 0, "
        "\"#08306b\" }, { 0.05, \"#9ecae1\" }, { 0.5, \"#f7f4ea\" }, { 1, \"#8c6d31\" } } }",
    .see_also = "height_above_river flow_direction",
    .run = run,
};
