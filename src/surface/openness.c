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

// Rows of a group look at the same rows ahead, which stay in the cache.
enum { CHUNK = 512, GROUP = 8 };

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

// Of rows `first` … `end` - 1, which look at each row ahead one after the other.
static void look_along(const View *view, int start, int count, int first, int end, int dx, int dy,
                       float (*steepest)[CHUNK]) {
    const Field *height = view->call->inputs[0].field;
    const float length = sqrtf((float)(dx * dx + dy * dy));
    const int steps = max(whole_int(view->params->radius / (double)length + 0.5), 1), rows = end - first;
    for (int ahead = 2 - rows; ahead <= steps; ahead++)
        for (int i = 0; i < rows; i++) { // row i is i rows behind the one that is nearest
            const int y = dy > 0 ? end - 1 - i : first + i, k = dy == 0 ? ahead : ahead + i;
            if (k < 1 || k > steps)
                continue;
            const int at = y + k * dy,
                      row = view->call->wraps ? (at % height->height + height->height) % height->height : at;
            if (row >= 0 && row < height->height)
                look_at_row(view, field_row(height, y) + start, count, field_row(height, row), start + k * dx,
                            1 / ((float)k * length), steepest[y - first]);
        }
}

static void open_rows(const View *view, int first, int end) {
    static const int directions[8][2] = { { 0, -1 }, { 1, -1 }, { 1, 0 },  { 1, 1 },
                                          { 0, 1 },  { -1, 1 }, { -1, 0 }, { -1, -1 } };
    float steepest[GROUP][CHUNK];
    for (int start = 0; start < view->call->width; start += CHUNK) {
        const int count = min(view->call->width - start, CHUNK);
        for (int y = first; y < end; y++)
            memset(field_row(&view->call->outputs[0].field, y) + start, 0, (size_t)count * sizeof(float));
        for (int i = 0; i < 8; i++) {
            for (int y = 0; y < end - first; y++)
                for (int x = 0; x < count; x++)
                    steepest[y][x] = -FLT_MAX;
            look_along(view, start, count, first, end, directions[i][0], directions[i][1], steepest);
            for (int y = 0; y < end - first; y++) {
                for (int x = 0; x < count; x++)
                    steepest[y][x] = steepest[y][x] > -FLT_MAX ? steepest[y][x] : 0; // no ground: level
                add_angles(steepest[y], view->scale, count,
                           field_row(&view->call->outputs[0].field, first + y) + start);
            }
        }
    }
}

static void open_groups(void *context, int first, int end) {
    const View *view = context;
    for (int group = first; group < end; group++)
        open_rows(view, group * GROUP, min((group + 1) * GROUP, view->call->height));
}

static Status run(const Call *call, Error *error) {
    (void)error;
    const Openness *params = call->params;
    View view = { call, params, cells_per_height(call->inputs[0].field, params->exaggeration),
                  whole_within(params->radius + 0.5, 1, SIDE_MAX) };
    return parallel_rows(call->run, (call->height + GROUP - 1) / GROUP,
                         GROUP * call->width * (10 + view.radius * 2.0), open_groups, &view);
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
    .outputs = { { "openness", "0 to 180", .dimension = DIMENSION_ANGLE } },
    .params = params,
    .params_size = sizeof(Openness),
    .example = "local ridges = height:openness{ radius = 0.1 }",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "local shades = { { 0, \"#000000\" }, { 1, \"#ffffff\" } }\n"
               "return height:openness():relief{ palette = shades, contrast = 0, low = 50, high = 110 }",
    .see_also = "sky_view relative_height curvature",
    .run = run,
};
