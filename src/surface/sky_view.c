// The share of the sky that is in sight (Zakšek, Oštir and Kokalj 2011, "Sky-view factor as a relief
// visualization technique", equation 1): 1 - the mean of sin γ over directions, γ the horizon's angle.

#include "core/kernel.h"
#include "surface/horizon.h"
#include "surface/nine_points.h"

#include <math.h>

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

static Status run(const Call *call, Error *error) {
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

static const Param params[] = {
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
    .keywords = "svf ao ambient occlusion ambient_occlusion openness light visible sky",
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
    .params = params,
    .params_size = sizeof(SkyView),
    .example = "local occlusion = height:sky_view{ directions = 8 }",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "local shades = { { 0, \"#000000\" }, { 1, \"#ffffff\" } }\n"
               "return height:sky_view():relief{ palette = shades, contrast = 0, low = 0.5, high = 1 }",
    .see_also = "hillshade",
    .run = run,
};
