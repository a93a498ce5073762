// The erosion score (Olsen 2004, "Defining erosion"): eroded terrain has wide flats between steep slopes, so
// the slope map's mean is low and its standard deviation high:
//
//     ε = σ_s / mean_s

#include "analysis/scores.h"

#include "core/operation.h"
#include "core/summary.h"

Status erosion_score(const Run *run, const Field *slope, double *score, Error *error) {
    Summary summary;
    const Status status = field_summarise(run, slope, &summary, error);
    if (status == STATUS_OK)
        *score = summary.mean > 0 ? summary.stddev / summary.mean : 0;
    return status;
}

static Status run(const Call *call, Error *error) {
    const Field *height = call->inputs[0].field;
    Field slope;
    Status status = field_create(&slope, height->width, height->height, error);
    if (status != STATUS_OK)
        return status;
    status = slope_map(call->run, height, call->wraps, &slope);
    if (status == STATUS_OK)
        status = erosion_score(call->run, &slope, &call->outputs[0].number, error);
    field_free(&slope);
    return status;
}

const Operation op_erosion_score = {
    .name = "erosion_score",
    .category = "analysis",
    .keywords = "measure metric quality",
    .summary = "Measures how eroded a terrain is: the slope map's standard deviation divided by its "
               "mean",
    .description = "Plain noise scores about 0.4, well-eroded terrain 2 and more. The score of a flat "
                   "terrain is undefined and given as 0.",
    .source = "Olsen 2004, Defining erosion",
    .inputs = { { "height", "heights" } },
    .outputs = { { "score", "0 or more", &type_number } },
    .example = "local score = height:erosion_score()",
    .wrapping = WRAPPING_CHOSEN,
    .see_also = "slope playability",
    .run = run,
};
