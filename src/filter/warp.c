// Domain warp: every cell takes the height at a position displaced by two fields, N · magnitude · (d - still)
// along each axis. `perturb` is the same with noise of its own.

#include "core/operation.h"
#include "filter/displace.h"

#include <string.h>

typedef struct Warp {
    double magnitude, still;
} Warp;

static Status run(const Call *call, Error *error) {
    (void)error;
    const Warp *warp = call->params;
    const Field *height = call->inputs[0].field, *right = call->inputs[1].field;
    Field *result = &call->outputs[0].field;
    memcpy(field_cells(result), right->cells, field_count(right) * sizeof(float));
    Displacement displacement = { .height = height,
                                  .down = call->inputs[2].field,
                                  .result = result,
                                  .still = (float)warp->still,
                                  .reach = (float)(warp->magnitude * field_side(height)),
                                  .wraps = call->wraps };
    return displace(call->run, &displacement);
}

static const Param params[] = {
    PARAM(Warp, magnitude, .initial = 0.1, .min = -1, .max = 1,
          .doc = "displacement where a field is 1 above `still`, as a share of N, the longer side"),
    PARAM(Warp, still, .initial = 0.5, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "the value of the fields that displaces nothing"),
    { 0 },
};

const Operation op_warp = {
    .name = "warp",
    .gaps = GAPS_MOVED,
    .category = "filter",
    .summary = "Displaces every cell by two fields: domain warp",
    .description = "A cell takes the height found `right` and `down` of it. Where edges do not meet, the "
                   "terrain is mirrored beyond them. height:warp(height, height) folds a terrain by itself.",
    .inputs = { { "height", "heights" },
                { "right", "displacement to the right" },
                { "down", "displacement down" } },
    .outputs = { { "height", "displaced heights", .heights = true } },
    .params = params,
    .params_size = sizeof(Warp),
    .wrapping = WRAPPING_CHOSEN,
    .example = "local right = esker.noise{ size = height.width, seed = 1 }\n"
               "local down = esker.noise{ size = height.width, seed = 2 }\n"
               "local bent = height:warp(right, down, { magnitude = 0.3 })",
    .picture = "local right = esker.noise{ size = height.width, seed = 1, frequency = 3 }\n"
               "local down = esker.noise{ size = height.width, seed = 2, frequency = 3 }\n"
               "return height, height:warp(right, down, { magnitude = 0.5 }), height:warp(height, height, { "
               "magnitude = 0.5 })",
    .keywords = "distort domain displace swirl map coordinates vector",
    .see_also = "perturb noise",
    .run = run,
};
