// Cells without data: found, declared, and filled.

#include "core/gaps.h"
#include "core/kernel.h"
#include "core/memory.h"
#include "core/operation.h"
#include "filter/smooth_surface.h"

#include <string.h>

static const double cell_cost = 1; // nanoseconds: most of it waits for memory

KERNEL static void as_mask(const unsigned char *restrict gaps, float *restrict mask, int count) {
    for (int x = 0; x < count; x++)
        mask[x] = gaps[x];
}

static void find_rows(void *context, int first, int end) {
    const Call *call = context;
    const Gaps *gaps = call->inputs[0].field->gaps;
    const size_t width = (size_t)call->width;
    for (int y = first; y < end; y++) {
        float *mask = field_row(&call->outputs[0].field, y);
        if (gaps)
            as_mask(gaps->at + (size_t)y * width, mask, call->width);
        else
            memset(mask, 0, width * sizeof *mask);
    }
}

static Status run_find(const Call *call, Error *error) {
    (void)error;
    return parallel_rows(call->run, call->height, call->width * cell_cost, find_rows, (void *)call);
}

const Operation op_find_gaps = {
    .name = "find_gaps",
    .gaps = GAPS_OWN,
    .reach = reach_none,
    .category = "filter",
    .keywords = "nodata missing void mask null isnan isfinite footprint",
    .summary = "Gives a mask of the cells that have no data",
    .description =
        "Fields from files may have such cells; height.gaps is how many. Operations skip them or report an "
        "error; in that case fill them with height:inpaint(height:find_gaps()), or crop.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "mask", "1 where there is no data, else 0" } },
    .always_finite = "gives 0 and 1",
    .example = "local voids = height:find_gaps()",
    .picture = "local hole = esker.shape{ kind = \"dome\", size = height.width, radius = 0.25 } * 9\n"
               "local data = height:set_gaps(hole)\n"
               "return data:relief{ low = -1, high = 1, exaggeration = 2 }, data:find_gaps():colorize{ "
               "palette = \"heights\" }",
    .see_also = "set_gaps inpaint",
    .run = run_find,
};

typedef struct Setting {
    const Call *call;
    Gaps *gaps;
    int *counts; // of each row
} Setting;

KERNEL static void mark(const float *restrict mask, unsigned char *restrict gaps, int count) {
    for (int x = 0; x < count; x++)
        gaps[x] = mask[x] > 0.5f;
}

KERNEL static void mark_more(const unsigned char *restrict before, unsigned char *restrict gaps, int count) {
    for (int x = 0; x < count; x++)
        gaps[x] |= before[x];
}

// Cells in gaps are 0. Returns how many there are.
KERNEL static int take_cells(const float *restrict cells, const unsigned char *restrict gaps,
                             float *restrict out, int count) {
    int marked = 0;
    for (int x = 0; x < count; x++)
        marked += gaps[x];
    for (int x = 0; x < count; x++)
        out[x] = gaps[x] ? 0 : cells[x];
    return marked;
}

static void set_rows(void *context, int first, int end) {
    const Setting *setting = context;
    const Call *call = setting->call;
    const Field *height = call->inputs[0].field;
    for (int y = first; y < end; y++) {
        const size_t row = (size_t)y * (size_t)call->width;
        unsigned char *gaps = setting->gaps->at + row;
        mark(field_row(call->inputs[1].field, y), gaps, call->width);
        if (height->gaps)
            mark_more(height->gaps->at + row, gaps, call->width);
        setting->counts[y] =
            take_cells(field_row(height, y), gaps, field_row(&call->outputs[0].field, y), call->width);
    }
}

static Status run_set(const Call *call, Error *error) {
    Setting setting = { .call = call, .gaps = gaps_new_unset(field_count(call->inputs[0].field), error) };
    setting.counts = setting.gaps ? memory_new((size_t)call->height, sizeof *setting.counts, error) : NULL;
    Status status = setting.counts ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = parallel_rows(call->run, call->height, call->width * cell_cost, set_rows, &setting);
    size_t count = 0;
    for (int y = 0; y < call->height && status == STATUS_OK; y++)
        count += (size_t)setting.counts[y];
    memory_free(setting.counts);
    if (status == STATUS_OK)
        field_set_counted_gaps(&call->outputs[0].field, setting.gaps, count);
    else
        gaps_release(setting.gaps);
    return status;
}

const Operation op_set_gaps = {
    .name = "set_gaps",
    .gaps = GAPS_OWN,
    .reach = reach_none,
    .category = "filter",
    .keywords = "nodata missing void mask null cut out nearblack isolate",
    .summary = "Marks cells as having no data",
    .description = "For the sea of a survey, or what lies beyond a border. Cells that had no data stay gaps. "
                   ".tif and .asc files keep them; in pictures they are transparent.",
    .inputs = { { "height", "heights" }, { "mask", "above 0.5: no data" } },
    .outputs = { { "height", "the same heights, with gaps", .heights = true } },
    .always_finite = "copies cells",
    .example = "local island = height:set_gaps(height:select{ height = { -1, 0.3, 0 } })\nprint(island.gaps)",
    .picture = "local hole = esker.shape{ kind = \"dome\", size = height.width, radius = 0.25 } * 9\n"
               "return height:set_gaps(hole):relief{}",
    .see_also = "find_gaps inpaint crop",
    .run = run_set,
};

// --- inpaint -----------------------------------------------------------------------------------------------

// Fills holes of elevation data with the smoothest surface that continues what is around them.

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

static Status run_inpaint(const Call *call, Error *error) {
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

static const Param inpaint_params[] = {
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
                "membrane fillnodata nan nan_to_num",
    .summary = "Fills the cells that a mask marks with the smoothest surface through the others",
    .description = "For voids in elevation data, and to take something out: a pit, a road, a town. All other "
                   "cells keep their heights.",
    .source = "Smith and Wessel 1990, Gridding with continuous curvature splines in tension; solved with the "
              "levels of Bramble, Pasciak and Xu 1990",
    .inputs = { { "height", "heights" }, { "mask", "above 0.5: cells to fill" } },
    .outputs = { { "height", "heights without holes", .heights = true } },
    .params = inpaint_params,
    .params_size = sizeof(Inpaint),
    .wrapping = WRAPPING_CHOSEN,
    .example = "local voids = height:select{ slope = { 40, 90, 0 } }\n"
               "local whole = height:inpaint(voids)",
    .picture =
        "local hole = esker.shape{ kind = \"dome\", size = height.width, radius = 0.25 } * 9\n"
        "return height * (1 - hole:clamp()), height:inpaint(hole), height:inpaint(hole, { tension = 0.3 })",
    .see_also = "from_points fill lerp",
    .run = run_inpaint,
};
