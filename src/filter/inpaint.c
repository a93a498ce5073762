// Fills holes of elevation data with the smoothest surface that continues what is around them.

#include "core/gaps.h"
#include "core/memory.h"
#include "core/operation.h"
#include "filter/smooth_surface.h"

#include <string.h>

typedef struct Inpaint {
    double tension;
} Inpaint;

// Gaps that the mask does not cover stay.
static Status keep_gaps(const Call *call, Error *error) {
    const Field *height = call->inputs[0].field, *mask = call->inputs[1].field;
    if (!height->gaps)
        return STATUS_OK;
    Gaps *gaps = gaps_new(field_count(height), error);
    if (!gaps)
        return STATUS_MEMORY;
    for (size_t i = 0; i < field_count(height); i++)
        gaps->at[i] = height->gaps->at[i] && !(mask->cells[i] > 0.5f);
    field_set_gaps(&call->outputs[0].field, gaps);
    return STATUS_OK;
}

static Status run(const Call *call, Error *error) {
    const Inpaint *inpaint = call->params;
    const Field *height = call->inputs[0].field, *mask = call->inputs[1].field;
    const size_t count = field_count(height);
    Field *result = &call->outputs[0].field;
    memcpy(field_cells(result), height->cells, count * sizeof(float));
    uint8_t *free = memory_new(count, 1, error);
    if (!free)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++)
        free[i] = mask->cells[i] > 0.5f || !field_has_data(height, i);
    Status status = STATUS_OK;
    if (!memchr(free, 0, count))
        status = fail(error, STATUS_INVALID, "mask must leave at least one cell that has data");
    else if (memchr(free, 1, count))
        status = smooth_surface(call->run, result, free, inpaint->tension, call->wraps, error);
    memory_free(free);
    return status == STATUS_OK ? keep_gaps(call, error) : status;
}

static const Param params[] = {
    PARAM(
        Inpaint, tension, .initial = 0, .min = 0, .max = 1,
        .doc =
            "0: a thin plate, which continues slopes into the hole and may overshoot; 1: a membrane, "
            "which stays within the heights around it but has edges at the border; 0.3 suits terrain at any "
            "resolution"),
    { 0 },
};

const Operation op_inpaint = {
    .name = "inpaint",
    .gaps = GAPS_OWN,
    .category = "filter",
    .keywords = "fill voids holes gaps nodata repair interpolate missing heal srtm thin plate spline "
                "membrane fillnodata",
    .summary = "Fills the cells that a mask marks with the smoothest surface through the others",
    .description = "For voids in elevation data, and to take something out: a pit, a road, a town. All other "
                   "cells keep their heights.",
    .source = "Smith and Wessel 1990, Gridding with continuous curvature splines in tension; solved with the "
              "levels of Bramble, Pasciak and Xu 1990",
    .inputs = { { "height", "heights" }, { "mask", "above 0.5: cells to fill" } },
    .outputs = { { "height", "heights without holes", .heights = true } },
    .params = params,
    .params_size = sizeof(Inpaint),
    .wrapping = WRAPPING_CHOSEN,
    .example = "local voids = height:select{ slope = { 40, 90, 0 } }\n"
               "local whole = height:inpaint(voids)",
    .picture =
        "local hole = esker.shape{ kind = \"dome\", size = height.width, radius = 0.25 } * 9\n"
        "return height * (1 - hole:clamp()), height:inpaint(hole), height:inpaint(hole, { tension = 0.3 })",
    .see_also = "from_points fill lerp",
    .run = run,
};
