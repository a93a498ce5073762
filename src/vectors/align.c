// Resamples a field onto the cells of another one.

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/sample.h"
#include "places/overlay.h"

#include <math.h>

typedef struct Align {
    const Field *like;
    int method;
} Align;

enum { NEAREST, LINEAR, CUBIC, MEAN };

typedef struct Aligning {
    const Field *from;
    Field *to;
    Gaps *gaps;
    CellMap map; // from cells of `to` to those of `from`
    int method;
} Aligning;

// A weighted mean of cells that have data.
typedef struct Sum {
    double weight, heights;
    bool misses; // one that has none, or lies outside
} Sum;

static void sum_cell(Sum *sum, const Field *from, int x, int y, double weight) {
    const bool inside = x >= 0 && y >= 0 && x < from->width && y < from->height;
    const size_t cell = inside ? (size_t)y * (size_t)from->width + (size_t)x : 0;
    if (!inside || !field_has_data(from, cell)) {
        sum->misses = true;
        return;
    }
    sum->weight += weight;
    sum->heights += weight * (double)from->cells[cell];
}

// The 2 or 4 cells around a place along each axis, (0, 0) the centre of the first cell. Four that miss some
// would overshoot.
static Sum sample(const Field *from, double x, double y, int method) {
    const int left = whole_int(floor(x)), top = whole_int(floor(y));
    const float u = (float)(x - left), v = (float)(y - top);
    const CubicWeights linear[] = { { { 0, 1 - u, u, 0 } }, { { 0, 1 - v, v, 0 } } };
    const CubicWeights across = method == CUBIC ? catmull_rom(u) : linear[0],
                       down = method == CUBIC ? catmull_rom(v) : linear[1];
    Sum sum = { 0 };
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            if (across.at[i] != 0 && down.at[j] != 0)
                sum_cell(&sum, from, left - 1 + i, top - 1 + j, (double)across.at[i] * (double)down.at[j]);
    return method == CUBIC && sum.misses ? sample(from, x, y, LINEAR) : sum;
}

// How much of the stretch from `low` to `high` lies in cell `at`.
static double overlap(double low, double high, int at) {
    return max(min(high, at + 1.0) - max(low, (double)at), 0.0);
}

// The cells under a rectangle by their shares of it; no smaller one than a hundredth of a cell.
static Sum mean_of(const Field *from, double x, double y, double width, double height) {
    const double left = x - width / 2, right = x + width / 2, top = y - height / 2, bottom = y + height / 2;
    const int first = whole_within(floor(left), 0, from->width),
              last = whole_within(floor(right), -1, from->width - 1);
    const int upper = whole_within(floor(top), 0, from->height),
              lower = whole_within(floor(bottom), -1, from->height - 1);
    Sum sum = { 0 };
    for (int j = upper; j <= lower; j++)
        for (int i = first; i <= last; i++) {
            const double weight = overlap(left, right, i) * overlap(top, bottom, j);
            if (weight > 0)
                sum_cell(&sum, from, i, j, weight);
        }
    return sum;
}

// Whether the cell that holds a place has data.
static bool has_data_at(const Field *from, double x, double y) {
    const size_t cell = place_cell(x, y, from->width, from->height);
    return cell != SIZE_MAX && field_has_data(from, cell);
}

static Sum look_up(const Aligning *aligning, double x, double y) {
    const Field *from = aligning->from;
    const CellMap *map = &aligning->map;
    if (aligning->method == MEAN)
        return mean_of(from, x, y, max(fabs(map->right_x) + fabs(map->down_x), 0.01),
                       max(fabs(map->right_y) + fabs(map->down_y), 0.01));
    Sum sum = { 0 };
    if (!has_data_at(from, x, y))
        return sum;
    if (aligning->method == NEAREST)
        sum_cell(&sum, from, whole_int(x), whole_int(y), 1);
    else
        sum = sample(from, x - 0.5, y - 0.5, aligning->method);
    return sum;
}

static void align_rows(void *context, int first, int end) {
    const Aligning *aligning = context;
    for (int y = first; y < end; y++) {
        float *out = field_row(aligning->to, y);
        unsigned char *gaps = aligning->gaps->at + (size_t)y * (size_t)aligning->to->width;
        for (int x = 0; x < aligning->to->width; x++) {
            double at[2];
            cell_map_point(&aligning->map, x + 0.5, y + 0.5, at);
            const Sum sum = look_up(aligning, at[0], at[1]);
            const double height = sum.weight > 0 ? sum.heights / sum.weight : 0;
            gaps[x] = (unsigned char)!(sum.weight > 0);
            out[x] = (float)clamp(height, -HEIGHT_MAX, HEIGHT_MAX);
        }
    }
}

static Status run(const Call *call, Error *error) {
    const Align *params = call->params;
    const Field *from = call->inputs[0].field, *like = params->like ? params->like : from;
    Field *to = &call->outputs[0].field;
    Aligning aligning = { .from = from, .to = to, .method = params->method };
    const Window source = window_of_field("height", from), target = window_of_field("like", like);
    Status status = cell_map_find(&target, &source, false, &aligning.map, error);
    if (status == STATUS_OK)
        status = field_create(to, like->width, like->height, error);
    if (status != STATUS_OK)
        return status;
    to->frame = frame_is_set(&like->frame) ? like->frame : from->frame;
    frame_drop_heights(&to->frame);
    to->frame.unit = from->frame.unit;
    to->frame.sea = from->frame.sea;
    to->frame.top = from->frame.top;
    if (!(aligning.gaps = gaps_new(field_count(to), error)))
        return STATUS_MEMORY;
    const double cells = aligning.method == MEAN ? fabs(aligning.map.right_x * aligning.map.down_y) + 4 : 20;
    status = parallel_rows(call->run, to->height, to->width * 2.0 * cells, align_rows, &aligning);
    const size_t all = field_count(to);
    field_set_gaps(to, aligning.gaps);
    if (status == STATUS_OK && to->gaps && to->gaps->count == all)
        tell(call->notice, "height and like do not overlap: no cell has data");
    return status;
}

static const Param params[] = {
    PARAM(Align, like, .doc = "a field whose cells the result has; none: its own"),
    PARAM(Align, method, .initial = LINEAR, .choices = CHOICES("nearest", "linear", "cubic", "mean"),
          .doc = "\"nearest\" cell, for labels; between 4 cells \"linear\", or 16 \"cubic\" (Catmull-Rom); "
                 "\"mean\" of the "
                 "cells below, by area, for larger cells"),
    { 0 },
};

const Operation op_align = {
    .name = "align",
    .category = "vectors",
    .keywords = "resample regrid warp snap raster match extent resolution gdalwarp r.resamp bilinear",
    .summary = "Resamples a field onto the cells of another one",
    .description =
        "Both must have one coordinate system, or no frame and one size. Cells outside the field have no "
        "data. Beside an edge or a gap \"linear\" and \"mean\" take the cells that have data, and "
        "\"cubic\" is linear.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "the heights in other cells", .heights = true } },
    .params = params,
    .params_size = sizeof(Align),
    .framing = FRAMING_SET,
    .gaps = GAPS_OWN,
    .wrapping = WRAPPING_LOST,
    .any_sizes = true,
    .shapes_outputs = true,
    .always_finite = "heights are clamped",
    .example = "local coarse = height:georeference{ cell = 1 }:align{ method = \"mean\",\n"
               "    like = height:georeference{ cell = 1 }:resize{ size = 16 } }",
    .see_also = "resize crop clip zonal_statistics",
    .run = run,
};
