// How much of the sky a place sees.

#include "core/kernel.h"
#include "core/math.h"
#include "core/whole.h"
#include "surface/horizon.h"
#include "surface/nine_points.h"

#include <float.h>
#include <math.h>
#include <string.h>

// --- the share of the sky ----------------------------------------------------------------------------------

// The share of the sky that is in sight (Zakšek, Oštir and Kokalj 2011, "Sky-view factor as a relief
// visualization technique", equation 1): 1 - the mean of sin γ over directions, γ the horizon's angle.

typedef struct SkyView {
    int directions;
    double exaggeration;
} SkyView;

typedef struct Sky {
    const Field *tangent;
    Field *view;
    float scale, share; // of one direction
    bool first;
} Sky;

KERNEL static void close_rows(void *context, int first, int end) {
    const Sky *sky = context;
    const float scale = sky->scale, share = sky->share;
    for (int y = first; y < end; y++) {
        const float *restrict tangent = field_row(sky->tangent, y);
        float *restrict view = field_row(sky->view, y);
        for (int x = 0; x < sky->view->width; x++) {
            const float rise = tangent[x] > 0 ? tangent[x] * scale : 0;
            view[x] = (sky->first ? 1 : view[x]) - share * rise / sqrtf(1 + rise * rise);
        }
    }
}

static Status run_sky_view(const Call *call, Error *error) {
    const SkyView *params = call->params;
    const Field *height = call->inputs[0].field;
    Field tangent = { 0 };
    Horizon horizon = { 0 };
    Status status = field_create(&tangent, call->width, call->height, error);
    if (status == STATUS_OK)
        status = horizon_create(&horizon, call->run, height, call->wraps, error);
    Sky sky = { .tangent = &tangent,
                .view = &call->outputs[0].field,
                .scale = cells_per_height(height, params->exaggeration),
                .share = 1 / (float)params->directions };
    for (int i = 0; i < params->directions && status == STATUS_OK; i++) {
        sky.first = i == 0;
        status = horizon_towards(&horizon, call->run, i * 360.0 / params->directions, &tangent);
        if (status == STATUS_OK)
            status = parallel_rows(call->run, call->height, call->width * 1.0, close_rows, &sky);
    }
    horizon_free(&horizon);
    field_free(&tangent);
    return status;
}

static const Param sky_view_params[] = {
    PARAM(SkyView, directions, .initial = 16, .min = 4, .max = 360,
          .doc = "number of directions in which the horizon is sought"),
    EXAGGERATION_PARAM(SkyView, UNIT_EXAGGERATION),
    { 0 },
};

const Operation op_sky_view = {
    .name = "sky_view",
    .gaps = GAPS_KEPT,
    .measures = MEASURES_CELLS,
    .category = "surface",
    .keywords = "svf ao ambient occlusion ambient_occlusion openness light visible sky skyview cavity",
    .summary = "Gives the visible share of the sky (sky-view factor), for ambient light and occlusion",
    .description =
        "1 on tops and plains, less in valleys and below cliffs. The horizon is that of the whole "
        "field, however far. It is found along lines one cell apart, of which a cell takes the nearest. On "
        "rough ground the share is off by 0.005 on average and 0.05 at most. On a field that wraps it "
        "changes that much with the place where the field is cut. More directions give smoother pictures, "
        "not a more exact share. Multiplied with a picture's brightness it darkens hollows.",
    .source = "Zakšek, Oštir and Kokalj 2011, Sky-view factor as a relief visualization technique, equation "
              "1; horizons: Timonen and Westerholm 2010, Scalable height field self-shadowing",
    .inputs = { { "height", "heights" } },
    .outputs = { { "view", "share of the sky, 0 to 1" } },
    .params = sky_view_params,
    .params_size = sizeof(SkyView),
    .example = "local occlusion = height:sky_view{ directions = 8 }",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "local shades = { { 0, \"#000000\" }, { 1, \"#ffffff\" } }\n"
               "return height:sky_view():relief{ palette = shades, contrast = 0, low = 0.5, high = 1 }",
    .see_also = "hillshade",
    .run = run_sky_view,
};

// --- openness ----------------------------------------------------------------------------------------------

// Openness (Yokoyama, Shirasawa and Pike 2002, "Visualizing topography by openness", equations 3 to 5): the
// mean over eight directions of the angle between the zenith (nadir) and the highest (lowest) ground within
// a radius.

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
    CellShape shape;
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
    const double across = dx * view->shape.across, down = dy * view->shape.down;
    const float length = sqrtf((float)(across * across + down * down));
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

static Status run_openness(const Call *call, Error *error) {
    (void)error;
    const Openness *params = call->params;
    View view = { call, params, cells_per_height(call->inputs[0].field, params->exaggeration),
                  whole_within(params->radius + 0.5, 1, SIDE_MAX), field_cell_shape(call->inputs[0].field) };
    return parallel_rows(call->run, (call->height + GROUP - 1) / GROUP,
                         GROUP * call->width * (10 + view.radius * 2.0), open_groups, &view);
}

static const Param openness_params[] = {
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
    .measures = MEASURES_CELLS,
    .category = "surface",
    .keywords = "ridge valley convexity horizon zenith",
    .summary = "Gives how open the ground is to the sky, or to below: ridges and valleys in any light",
    .description = "The mean of eight angles: 90 degrees on a plane, level or not, more on ridges, less in "
                   "valleys. Directions are those of the neighbours of a cell. In directions without cells, "
                   "level ground is "
                   "assumed. The time grows with radius in cells.",
    .source = "Yokoyama, Shirasawa and Pike 2002, Visualizing topography by openness, equations 3 to 5",
    .inputs = { { "height", "heights" } },
    .outputs = { { "openness", "0 to 180", .dimension = DIMENSION_ANGLE } },
    .params = openness_params,
    .params_size = sizeof(Openness),
    .example = "local ridges = height:openness{ radius = 0.1 }",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "local shades = { { 0, \"#000000\" }, { 1, \"#ffffff\" } }\n"
               "return height:openness():relief{ palette = shades, contrast = 0, low = 50, high = 110 }",
    .see_also = "sky_view relative_height curvature",
    .run = run_openness,
};
