// Makes a field tile: near an edge it fades into a copy of itself shifted by half its side, which goes on
// across that edge. The copy's own seam lies in the middle, where nothing of it shows.

#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"

typedef struct Seamless {
    double edge;
} Seamless;

// The copy's share at the cell `at` of `count`, the edge in cells.
KERNEL_INLINE float copy_share(int at, int count, float edge) {
    const float away = (float)min(at, count - 1 - at);
    return smoothstep(clamp(1 - away / edge, 0, 1));
}

// Cells `first` … `end` - 1 of a row and of the copy's, whose opposites lie `aside` cells to the right.
KERNEL static void fade_row(const float *restrict row, const float *restrict other, int first, int end,
                            int aside, int width, float edge, float down, float *restrict out) {
    for (int x = first; x < end; x++) {
        const float right = copy_share(x, width, edge);
        const float upper = row[x] * (1 - right) + row[x + aside] * right;
        const float lower = other[x] * (1 - right) + other[x + aside] * right;
        out[x] = upper * (1 - down) + lower * down;
    }
}

static void seamless_rows(void *context, int first, int end) {
    const Call *call = context;
    const Field *height = call->inputs[0].field;
    const int width = call->width, half = width / 2;
    const float share = (float)((const Seamless *)call->params)->edge;
    const float edge_x = max(share * (float)width, 1), edge_y = max(share * (float)call->height, 1);
    for (int y = first; y < end; y++) {
        const float *row = field_row(height, y);
        const float *other = field_row(height, (y + call->height / 2) % call->height);
        const float down = copy_share(y, call->height, edge_y);
        float *out = field_row(&call->outputs[0].field, y);
        fade_row(row, other, 0, width - half, half, width, edge_x, down, out);
        fade_row(row, other, width - half, width, half - width, width, edge_x, down, out);
    }
}

static Status run(const Call *call, Error *error) {
    (void)error;
    call->outputs[0].field.wraps = true;
    return parallel_rows(call->run, call->height, call->width * 1.0, seamless_rows, (void *)call);
}

static const Param params[] = {
    PARAM(Seamless, edge, .initial = 0.15, .min = 0.001, .max = 0.45,
          .doc = "width of the zone along each edge that is blended, as a share of the side"),
    { 0 },
};

const Operation op_seamless = {
    .name = "seamless",
    .category = "filter",
    .summary = "Makes a field tile: its opposite edges meet afterwards",
    .description = "Along the edges the field is blended with a copy of itself, shifted by half its sides. "
                   "Cells farther from all edges keep their heights.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "heights that tile", .heights = true } },
    .params = params,
    .params_size = sizeof(Seamless),
    .wrapping = WRAPPING_MADE,
    .example = "local tile = height:seamless{ edge = 0.2 }",
    .picture =
        "local slope = height + esker.shape{ kind = \"ramp\", size = height.width, azimuth = 120 } - 0.5\n"
        "return slope, slope:seamless{}",
    .keywords = "tile tiling tileable wrap repeat texture edges",
    .see_also = "crop transform noise",
    .run = run,
};
