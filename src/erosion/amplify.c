// A field at 2, 4 or 8 times its resolution, with eroded detail.
//
// The engine of eroded land (land/land.h) takes the field as its coarsest level, without eroding it, and
// inherits its streams into the finer ones, which it erodes. Its altitudes drift; so only the detail of each
// octave is taken (detail.h), whose means over the field's cells are 0.

#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/summary.h"
#include "erosion/detail.h"
#include "erosion/dry_land.h"
#include "erosion/octaves.h"
#include "land/land.h"

#include <math.h>

typedef struct Amplify {
    int levels;
    double detail, erodibility, roughness, sea_level, vertical_scale;
} Amplify;

// --- the field as level 0 ----------------------------------------------------------------------------------

// Around the field lies a margin, over whose border water leaves: of the other side where edges meet, else
// turned about the last cell.
typedef struct Ground {
    const Field *field;
    Field level; // with its margin, in cell sides
    int margin;
    double base, scale; // level = (height - base) × scale
} Ground;

enum { MARGIN = 4, MARGIN_WRAPPING = 48 };

enum { UNIT_BITS = 12 };

static const double RELIEF_MAX =
    1e4; // cells: what the engine's altitudes hold at every level, and more than any land has
static const double MEAN_SLOPE = 0.15; // that the engine works on, unless the vertical scale is given

static double mean_slope(const Field *field) {
    double sum = 0;
    size_t count = 0;
    for (int y = 0; y < field->height; y++) {
        double row = 0;
        for (int x = 1; x < field->width; x++)
            row += fabs((double)field_row(field, y)[x] - (double)field_row(field, y)[x - 1]);
        for (int x = 0; x < field->width && y > 0; x++)
            row += fabs((double)field_row(field, y)[x] - (double)field_row(field, y - 1)[x]);
        sum += row;
        count += (size_t)(field->width - 1) + (y > 0 ? (size_t)field->width : 0);
    }
    return count > 0 ? sum / (double)count : 0;
}

static void margin_rows(void *context, int first, int end) {
    Ground *ground = context;
    const Field *field = ground->field;
    for (int y = first; y < end; y++) {
        float *out = field_row(&ground->level, y);
        const int v = y - ground->margin;
        for (int x = 0; x < ground->level.width; x++) {
            const int u = x - ground->margin;
            double height;
            if (field->wraps) {
                const int at_x = (u % field->width + field->width) % field->width;
                const int at_y = (v % field->height + field->height) % field->height;
                height = (double)field_row(field, at_y)[at_x];
            } else {
                const int last_x = clamp(u, 0, field->width - 1), last_y = clamp(v, 0, field->height - 1);
                const int in_x = clamp(2 * last_x - u, 0, field->width - 1);
                const int in_y = clamp(2 * last_y - v, 0, field->height - 1);
                height = 2 * (double)field_row(field, last_y)[last_x] - (double)field_row(field, in_y)[in_x];
            }
            out[x] = (float)((height - ground->base) * ground->scale);
        }
    }
}

// Where no ground is below the sea, altitudes count from the lowest.
static Status prepare_ground(const Run *run, const Amplify *amplify, Ground *ground, Error *error) {
    const Field *field = ground->field;
    double low, high;
    Status status = field_range(run, field, &low, &high, error);
    if (status != STATUS_OK)
        return status;
    const double scale =
        amplify->vertical_scale > 0 ? amplify->vertical_scale : MEAN_SLOPE / mean_slope(field);
    ground->scale = min(scale, RELIEF_MAX / (high - low));
    ground->base =
        low < amplify->sea_level && high >= amplify->sea_level ? amplify->sea_level : low - 2 / ground->scale;
    ground->margin = field->wraps ? (int)MARGIN_WRAPPING : (int)MARGIN;
    status = field_create(&ground->level, field->width + 2 * ground->margin,
                          field->height + 2 * ground->margin, error);
    return status == STATUS_OK
               ? parallel_rows(run, ground->level.height, ground->level.width * 8.0, margin_rows, ground)
               : status;
}

// --- eroded land -------------------------------------------------------------------------------------------

// Where edges meet, the first BLEND cells of the field fade in from what lies beyond the far edge.
enum { BLEND = 16 };

typedef struct Reading {
    const LandWindow *window;
    Field *land;
    int blend;        // cells of the finest level
    double unit, sea; // the altitude of a unit, and of the sea, in the field's heights
} Reading;

static double altitude_at(const Reading *reading, int x, int y) {
    const LandWindow *window = reading->window;
    return (double)window->altitude[(size_t)y * (size_t)window->width + (size_t)x];
}

// 1 inside, less where the land fades in.
static double share_at(const Reading *reading, int at) {
    return at < reading->blend ? smoothstep((at + 0.5) / reading->blend) : 1;
}

static void read_rows(void *context, int first, int end) {
    const Reading *reading = context;
    Field *land = reading->land;
    for (int y = first; y < end; y++) {
        const double down = share_at(reading, y);
        for (int x = 0; x < land->width; x++) {
            const double right = share_at(reading, x);
            double altitude = altitude_at(reading, x, y);
            if (right < 1)
                altitude = lerp(altitude_at(reading, x + land->width, y), altitude, right);
            if (down < 1) {
                double beyond = altitude_at(reading, x, y + land->height);
                if (right < 1)
                    beyond = lerp(altitude_at(reading, x + land->width, y + land->height), beyond, right);
                altitude = lerp(beyond, altitude, down);
            }
            field_row(land, y)[x] = (float)(reading->sea + altitude * reading->unit);
        }
    }
}

static Status read_land(const Call *call, const Ground *ground, Land *land, Field *result, Error *error) {
    const Amplify *amplify = call->params;
    const Field *field = ground->field;
    const int levels = amplify->levels, blend = field->wraps ? BLEND << levels : 0;
    const Int128 at = (Int128)ground->margin << levels;
    LandWindow window = { 0 };
    Status status = land_altitudes(land, call->run, levels, at, at, (field->width << levels) + blend,
                                   (field->height << levels) + blend, &window, error);
    if (status == STATUS_OK)
        status = field_create(result, field->width << levels, field->height << levels, error);
    if (status == STATUS_OK) {
        const double unit = 1 / (ldexp(1, UNIT_BITS) * ground->scale * (1 << levels));
        Reading reading = { &window, result, blend, unit, ground->base + (double)window.base * unit };
        status = parallel_rows(call->run, result->height, result->width * 3.0, read_rows, &reading);
    }
    land_window_free(&window);
    return status;
}

// The coarser levels between the blocks of the finest, which is asked for once.
enum { KEPT_BYTES = 64 << 20 };

static Status erode(const Call *call, Field *result, Error *error) {
    const Amplify *amplify = call->params;
    LandRules rules = land_rules_default;
    rules.graded = NOT_GRADED; // the field decides on its slopes
    rules.unit_bits = UNIT_BITS;
    Ground ground = { .field = call->inputs[0].field };
    Land *land = NULL;
    rules.erodibility = (float)amplify->erodibility;
    rules.roughness = (float)amplify->roughness;
    rules.uplift = 0.005f;
    rules.talus = 1.5f;
    rules.deposition = 0;
    rules.hillslope = 0;
    rules.seed = (uint32_t)(call->seed ^ call->seed >> 32);
    Field field = *ground.field;
    field.wraps = call->wraps;
    ground.field = &field;
    Status status = prepare_ground(call->run, amplify, &ground, error);
    if (status == STATUS_OK)
        status = land_create(&land, &rules, &ground.level, false, call->run, error);
    if (status == STATUS_OK)
        land_keep(land, KEPT_BYTES);
    if (status == STATUS_OK)
        status = read_land(call, &ground, land, result, error);
    land_free(land);
    field_free(&ground.level);
    if (status == STATUS_OK)
        result->wraps = call->wraps;
    return status;
}

// --- the operation -----------------------------------------------------------------------------------------

static Status copy_of(const Field *field, bool wraps, Field *copy, Error *error) {
    const Status status = field_create(copy, field->width, field->height, error);
    for (size_t i = 0; status == STATUS_OK && i < field_count(field); i++)
        field_cells(copy)[i] = field->cells[i];
    copy->wraps = wraps;
    return status;
}

static Status run(const Call *call, Error *error) {
    const Amplify *amplify = call->params;
    const Field *field = call->inputs[0].field;
    Field *result = &call->outputs[0].field, means[DETAIL_LEVELS_MAX + 1] = { 0 };
    if (field_side(field) > SIDE_MAX >> amplify->levels)
        return fail(error, STATUS_INVALID, "a side of %d cells is too long for %d levels: at most %d",
                    field_side(field), amplify->levels, SIDE_MAX >> amplify->levels);
    Status status = copy_of(field, call->wraps, result, error);
    const bool plain = !(mean_slope(field) > 0) || min(field->width, field->height) < 4;
    if (status == STATUS_OK && !plain)
        status = erode(call, &means[amplify->levels], error);
    if (status == STATUS_OK && !plain)
        status = add_detail(call->run, result, means, amplify->levels, amplify->detail, error);
    for (int l = 0; l < amplify->levels && plain && status == STATUS_OK; l++) {
        Field finer = { 0 };
        status = twice_as_fine(call->run, result, &finer, error);
        field_free(result);
        *result = finer;
    }
    if (status == STATUS_OK)
        status = keep_dry(call->run, field, amplify->levels, (float)amplify->sea_level, result, error);
    for (int l = 0; l <= amplify->levels; l++)
        field_free(&means[l]);
    return status;
}

static const Param params[] = {
    PARAM(Amplify, levels, .initial = 3, .min = 1, .max = DETAIL_LEVELS_MAX,
          .doc = "each doubles the cells along a side"),
    PARAM(Amplify, detail, .initial = 1, .min = 0, .max = 4,
          .doc = "strength of the detail; 0: a smooth refinement"),
    PARAM(Amplify, erodibility, .initial = 0.03, .min = 0.01, .max = 0.12, .doc = "how fast streams cut"),
    PARAM(Amplify, roughness, .initial = 0.15, .min = 0, .max = 1, .doc = "randomness of the detail"),
    PARAM(Amplify, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "lower ground is sea, which is not eroded"),
    PARAM(Amplify, vertical_scale, .initial = 0, .min = 0, .max = 1e9,
          .doc = "how many cells high a height of 1 is; 0: so that the mean slope becomes 0.15, on which the "
                 "erosion works best"),
    { 0 },
};

const Operation op_amplify = {
    .name = "amplify",
    .measures = MEASURES_SQUARES,
    .category = "erosion",
    .keywords = "upsample superresolution detail enlarge upscale refine subdivide subsurf subdivision",
    .summary = "Gives a terrain at 2, 4, 8 or 16 times its resolution, with eroded detail",
    .description = "The mean over the cells that come from one cell is that cell's height. Cells of land "
                   "that touch no sea, on a side or corner, get none; the coast crosses those that touch it. "
                   "Streams follow those of the coarse terrain, and the strength of each "
                   "octave of detail is extrapolated from the terrain's own octaves. A smooth sketch has "
                   "none and stays smooth: shape it first, as in "
                   "sketch:stream_erosion{ age = 0.4 }:amplify{}.",
    .source = "Donoho 1993, Smooth wavelet decompositions with blocky coefficient kernels; docs/amplify.md",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "heights at the higher resolution", .heights = true } },
    .see_also = "resize hydraulic_erosion realism",
    .params = params,
    .params_size = sizeof(Amplify),
    .seeded = true,
    .wrapping = WRAPPING_CHOSEN,
    .shapes_outputs = true,
    .example = "local finer = height:amplify{ levels = 2 }",
    .picture = "return height:resize{ size = 32 }:amplify{}",
    .run = run,
};
