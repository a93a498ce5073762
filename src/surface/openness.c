// Openness (Yokoyama, Shirasawa and Pike 2002, "Visualizing topography by openness", equations 3 to 5): the
// mean over eight directions of the angle between the zenith (nadir) and the highest (lowest) ground within
// a radius.

#include "core/angle.h"
#include "core/whole.h"
#include "surface/nine_points.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { POSITIVE, NEGATIVE };

typedef struct Openness {
    int side;
    double radius;
    double exaggeration;
} Openness;

typedef struct View {
    const Call *call;
    const Openness *params;
    float scale;
    int radius; // cells
} View;

enum { CHUNK = 512 };

// Raises `steepest` to the slope towards the cells `distance` away, `sign` 1 to the highest, -1 the lowest.
KERNEL static void look_at(const float *restrict from, const float *restrict to, float sign,
                           float inverse_distance, int count, float *restrict steepest) {
    for (int x = 0; x < count; x++) {
        const float slope = sign * (to[x] - from[x]) * inverse_distance;
        steepest[x] = slope > steepest[x] ? slope : steepest[x];
    }
}

KERNEL static void add_angles(const float *restrict steepest, float scale, int count, float *restrict out) {
    for (int x = 0; x < count; x++)
        out[x] += (90 - angle_of(steepest[x] * scale, 1) * DEGREES_PER_RADIAN) * 0.125f;
}

// The cells at one distance: a piece of a row, or several where edges meet.
static void look_at_row(const View *view, const float *from, int count, const float *row, int left,
                        float inverse_distance, float *steepest) {
    const int width = view->call->width;
    const float sign = view->params->side == POSITIVE ? 1 : -1;
    int first = 0, end = count, x = left;
    if (view->call->wraps) {
        x = ((left % width) + width) % width;
    } else { // the cells that are inside are a range
        first = max(0, -left);
        end = min(count, width - left);
        x += first;
    }
    for (int piece; first < end; first += piece, x = 0) {
        piece = min(end - first, width - x);
        look_at(from + first, row + x, sign, inverse_distance, piece, steepest + first);
    }
}

static void look_along(const View *view, int start, int count, int y, int dx, int dy, float *steepest) {
    const Field *height = view->call->inputs[0].field;
    const float *from = field_row(height, y) + start;
    const float length = sqrtf((float)(dx * dx + dy * dy));
    const int steps = max(whole_int(view->params->radius / (double)length + 0.5), 1);
    for (int k = 1, row = y + dy; k <= steps; k++, row += dy) {
        if (view->call->wraps)
            row = wrap(row, height->height);
        else if (row < 0 || row >= height->height)
            break;
        look_at_row(view, from, count, field_row(height, row), start + k * dx, 1 / ((float)k * length),
                    steepest);
    }
}

static void open_rows(void *context, int first, int end) {
    static const int directions[8][2] = { { 0, -1 }, { 1, -1 }, { 1, 0 },  { 1, 1 },
                                          { 0, 1 },  { -1, 1 }, { -1, 0 }, { -1, -1 } };
    const View *view = context;
    float steepest[CHUNK];
    for (int y = first; y < end; y++)
        for (int start = 0; start < view->call->width; start += CHUNK) {
            const int count = min(view->call->width - start, CHUNK);
            float *out = field_row(&view->call->outputs[0].field, y) + start;
            memset(out, 0, (size_t)count * sizeof *out);
            for (int i = 0; i < 8; i++) {
                for (int x = 0; x < count; x++)
                    steepest[x] = -FLT_MAX;
                look_along(view, start, count, y, directions[i][0], directions[i][1], steepest);
                for (int x = 0; x < count; x++)
                    steepest[x] = steepest[x] > -FLT_MAX ? steepest[x] : 0; // no ground: level
                add_angles(steepest, view->scale, count, out);
            }
        }
}

static Status run(const Call *call, Error *error) {
    (void)error;
    const Openness *params = call->params;
    View view = { call, params, cells_per_height(call->inputs[0].field, params->exaggeration),
                  whole_within(params->radius + 0.5, 1, SIDE_MAX) };
    return parallel_rows(call->run, call->height, call->width * (10 + view.radius * 2.0), open_rows, &view);
}

static const Param params[] = {
    PARAM(Openness, side, .choices = CHOICES("positive", "negative"),
          .doc = "positive: the sky seen from above ground, large on ridges; negative: the same from below, "
                 "large in valleys"),
    PARAM(Openness, radius, .initial = 0.1, .min = 0, .max = 1, .unit = UNIT_SIDES,
          .doc = "how far ground counts, rounded to whole steps in each direction, at least one"),
    EXAGGERATION_PARAM(Openness, UNIT_EXAGGERATION),
    { 0 },
};

const Operation op_openness = {
    .name = "openness",
    .gaps = GAPS_KEPT,
    .measures = MEASURES_SQUARES,
    .category = "surface",
    .keywords = "ridge valley convexity horizon zenith",
    .summary = "Gives how open the ground is to the sky, or to below: ridges and valleys in any light",
    .description =
        "The mean of eight angles: 90 degrees on a plane, level or not, more on ridges, less in "
        "valleys. In directions without cells, level ground is assumed. The time grows with radius in cells.",
    .source = "Yokoyama, Shirasawa and Pike 2002, Visualizing topography by openness, equations 3 to 5",
    .inputs = { { "height", "heights" } },
    .outputs = { { "openness", "0 to 180 degrees" } },
    .params = params,
    .params_size = sizeof(Openness),
    .example = "local ridges = height:openness{ radius = 0.1 }",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "local shades = { { 0, \"#000000\" }, { 1, \"#ffffff\" } }\n"
               "return height:openness():relief{ palette = shades, contrast = 0, low = 50, high = 110 }",
    .see_also = "sky_view relative_height curvature",
    .run = run,
};
