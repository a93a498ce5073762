// Terrain through scattered points of known height.

#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/whole.h"
#include "filter/smooth_surface.h"
#include "places/points.h"

#include <math.h>
#include <string.h>

typedef struct FromPoints {
    double scale, tension;
} FromPoints;

// The mean altitude of each cell's points, and a byte for each cell: whether it has none.
static Status place_points(const Points *points, double scale, Field *height, uint8_t *free, Error *error) {
    const size_t count = field_count(height);
    int *counts = memory_new_zeroed(count, sizeof *counts, error);
    if (!counts)
        return STATUS_MEMORY;
    bool any = false;
    memset(field_cells(height), 0, count * sizeof(float));
    for (int i = 0; i < points->count; i++) {
        const double x = floor(points->at[i].x * scale), y = floor(points->at[i].y * scale);
        if (!(x >= 0 && y >= 0 && x < height->width && y < height->height))
            continue;
        const int column = index_within(x, height->width), row = index_within(y, height->height);
        const size_t at = (size_t)row * (size_t)height->width + (size_t)column;
        float *cell = &field_cells(height)[at];
        *cell += (points->at[i].altitude - *cell) / (float)++counts[at];
        any = true;
    }
    for (size_t i = 0; i < count; i++)
        free[i] = counts[i] == 0;
    memory_free(counts);
    return any ? STATUS_OK : fail(error, STATUS_INVALID, "no point lies inside the window");
}

static Status interpolate(const Call *call, const Points *points, Error *error) {
    const FromPoints *params = call->params;
    Field *height = &call->outputs[0].field;
    uint8_t *free = memory_new(field_count(height), 1, error);
    if (!free)
        return STATUS_MEMORY;
    Status status = place_points(points, params->scale, height, free, error);
    if (status == STATUS_OK)
        status = smooth_surface(call->run, height, free, params->tension, call->wraps, error);
    memory_free(free);
    return status;
}

static Status run(const Call *call, Error *error) {
    const FromPoints *params = call->params;
    const Points *points = call->inputs[0].value;
    Field *height = &call->outputs[0].field;
    const Status status =
        field_create(height, whole_within(points->width * params->scale + 0.5, 1, SIDE_MAX),
                     whole_within(points->height * params->scale + 0.5, 1, SIDE_MAX), error);
    height->wraps = call->wraps;
    return status == STATUS_OK ? interpolate(call, points, error) : status;
}

static const Param params[] = {
    PARAM(FromPoints, scale, .initial = 1, .min = 0.01, .max = 100,
          .doc = "cells of the field per cell of the points' window"),
    PARAM(FromPoints, tension, .initial = 0, .min = 0, .max = 1,
          .doc =
              "0: a thin plate, which may overshoot; 1: a membrane, which stays within the points' "
              "heights but is pointed there, above about 0.7 visibly; 0.3 suits terrain at any resolution"),
    { 0 },
};

const Operation op_from_points = {
    .name = "from_points",
    .measures = MEASURES_SQUARES,
    .category = "places",
    .keywords = "interpolate grid gridding scattered data heights spline thin plate minimum curvature survey "
                "spot sketch idw kriging natural neighbour griddata rst surf xyz lidar las",
    .summary = "Makes the smoothest terrain through points of known altitude",
    .description = "A cell that holds points has their mean altitude, and points outside the window do not "
                   "count. The points come from esker.points{ list = … } or from scatter.",
    .source = "Smith and Wessel 1990, Gridding with continuous curvature splines in tension; solved with the "
              "levels of Bramble, Pasciak and Xu 1990",
    .inputs = { { "points", "points with altitudes", { &type_points } } },
    .outputs = { { "height", "heights", .heights = true } },
    .params = params,
    .params_size = sizeof(FromPoints),
    .wrapping = WRAPPING_CHOSEN,
    .shapes_outputs = true,
    .example =
        "local summits = esker.points{ size = 64, list = { { 10, 12, 0.9 }, { 50, 30, 0.6 }, { 20, 55, "
        "0.1 } } }\n"
        "local sketch = summits:from_points{ tension = 0.3 }",
    .picture =
        "local some = height:scatter{ distances = { 0.06 } }\n"
        "return height:relief{ low = -1, high = 1, exaggeration = 2 }:paint(some, { thickness = 0.3 }),\n"
        "       some:from_points(), some:from_points{ tension = 0.3 }",
    .see_also = "inpaint scatter polygon ridge_line",
    .run = run,
};
