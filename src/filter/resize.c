// Resampling. Cell x of W covers x/W … (x+1)/W of the field. Where the result is coarser, a cell is the mean
// of what it covers; where it is finer, heights are interpolated between cell centres.

#include "core/math.h"
#include "core/operation.h"
#include "core/sample.h"
#include "core/whole.h"

#include <math.h>

typedef struct Resize {
    int size, width, height, interpolation;
} Resize;

enum { LINEAR, CUBIC, NEAREST };

typedef struct Taps { // the cells that make one, and their weights
    int first, count;
    CubicWeights weights;
} Taps;

// The cell at `at`, any number of cells outside: where edges do not meet, the last one.
static int cell_at(int at, int count, bool wraps) {
    if (wraps)
        return (at % count + count) % count;
    return neighbour_at(at < -1 ? -1 : min(count, at), count, false);
}

// For a finer grid.
static Taps taps_between(int at, int from, int to, int interpolation) {
    const double centre = (at + 0.5) * from / to - 0.5;
    const int before = whole_int(floor(centre));
    const float t = (float)(centre - before);
    if (interpolation == NEAREST)
        return (Taps){ whole_int(floor(centre + 0.5)), 1, { { 1 } } };
    if (interpolation == LINEAR)
        return (Taps){ before, 2, { { 1 - t, t } } };
    return (Taps){ before - 1, 4, catmull_rom(t) };
}

typedef struct Axis {
    int from, to, interpolation;
    bool wraps;
} Axis;

// The value at `at` of a line of cells, `stride` apart.
static float line_at(const float *cells, size_t stride, Axis axis, int at) {
    if (axis.to >= axis.from || axis.interpolation == NEAREST) {
        const Taps taps = taps_between(at, axis.from, axis.to, axis.interpolation);
        float sum = 0;
        for (int i = 0; i < taps.count; i++)
            sum +=
                taps.weights.at[i] * cells[(size_t)cell_at(taps.first + i, axis.from, axis.wraps) * stride];
        return sum;
    }
    const double left = (double)at * axis.from / axis.to, right = (double)(at + 1) * axis.from / axis.to;
    double sum = 0;
    for (int i = whole_int(left); i < axis.from && i < right; i++) {
        const double low = max(i, left), high = min(i + 1, right);
        sum += (high - low) * (double)cells[(size_t)i * stride];
    }
    return (float)(sum / (right - left));
}

typedef struct Pass {
    const Field *from;
    Field *to;
    Axis axis;
} Pass;

static void along_rows(void *context, int first, int end) {
    const Pass *pass = context;
    for (int y = first; y < end; y++)
        for (int x = 0; x < pass->to->width; x++)
            field_row(pass->to, y)[x] = line_at(field_row(pass->from, y), 1, pass->axis, x);
}

static void down_columns(void *context, int first, int end) {
    const Pass *pass = context;
    for (int y = first; y < end; y++)
        for (int x = 0; x < pass->to->width; x++)
            field_row(pass->to, y)[x] =
                line_at(pass->from->cells + x, (size_t)pass->from->width, pass->axis, y);
}

static Status run(const Call *call, Error *error) {
    const Resize *resize = call->params;
    const Field *from = call->inputs[0].field;
    Field *to = &call->outputs[0].field;
    const int width = resize->width ? resize->width : resize->size,
              height = resize->height ? resize->height : resize->size;
    if (width < 1 || height < 1)
        return fail(error, STATUS_INVALID, "give size, or width and height");
    Field along;
    Status status = field_create(&along, width, from->height, error);
    if (status != STATUS_OK)
        return status;
    status = field_create(&call->outputs[0].field, width, height, error);
    to->wraps = call->wraps;
    Pass rows = { from, &along, { from->width, width, resize->interpolation, call->wraps } };
    Pass columns = { &along, to, { from->height, height, resize->interpolation, call->wraps } };
    if (status == STATUS_OK)
        status = parallel_rows(call->run, from->height, width * 8.0, along_rows, &rows);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, height, width * 8.0, down_columns, &columns);
    field_free(&along);
    return status;
}

static const Param params[] = {
    PARAM(Resize, size, .initial = 128, .min = 1, .max = SIDE_MAX, .unit = UNIT_CELLS,
          .doc = "new width and height"),
    PARAM(Resize, width, .initial = 0, .min = 0, .max = SIDE_MAX, .unit = UNIT_CELLS,
          .doc = "new width, instead of size"),
    PARAM(Resize, height, .initial = 0, .min = 0, .max = SIDE_MAX, .unit = UNIT_CELLS,
          .doc = "new height, instead of size"),
    PARAM(Resize, interpolation, .choices = CHOICES("linear", "cubic", "nearest"),
          .doc = "interpolation between cells where the new field is finer"),
    { 0 },
};

const Operation op_resize = {
    .name = "resize",
    .category = "filter",
    .keywords = "scale resample upsample downsample zoom resolution enlarge shrink",
    .summary = "Changes a terrain's resolution",
    .description = "Coarser cells are means of the cells that they cover; finer cells are interpolated. "
                   "Where edges do not meet, the outermost cells are repeated beyond the edge.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "the same terrain with more or fewer cells" } },
    .params = params,
    .params_size = sizeof(Resize),
    .wrapping = WRAPPING_CHOSEN,
    .shapes_outputs = true,
    .example = "local fine = height:resize{ size = 256, interpolation = \"cubic\" }",
    .picture = "local coarse = height:resize{ size = 16, interpolation = \"nearest\" }\n"
               "return coarse:resize{ size = height.width, interpolation = \"nearest\" },\n"
               "       coarse:resize{ size = height.width, interpolation = \"cubic\" }",
    .see_also = "crop blur",
    .run = run,
};
