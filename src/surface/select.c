// Masks by the form of the surface and by places: ranges of height, slope, aspect, curvature, height above
// the surroundings, distance to a mask, noise and any other field, with soft edges. Where all of them must
// hold, memberships are combined by their minimum, where one is enough by their maximum (Zadeh 1965, "Fuzzy
// sets", section II).

#include "core/math.h"
#include "surface/nine_points.h"

#include <assert.h>
#include <float.h>
#include <math.h>

extern const Operation op_relative_height, op_distance, op_noise;

typedef struct Select {
    Numbers height, slope, aspect, curvature, relative_height, distance, noise, range;
    const Field *distance_to, *by;
    double radius, frequency;
    int combine;
    bool invert;
    double exaggeration;
} Select;

enum { ALL, ANY };

// A membership: 1 from low to high, falling to 0 over `soft` beyond each end, by a smoothstep.
typedef struct Range {
    float low, high, inverse; // 1 / soft; 0: hard edges
    bool given;
} Range;

// The ranges whose values are a field each.
enum { RELATIVE_HEIGHT, DISTANCE, NOISE, BY, FIELDS };

typedef struct Selection {
    Range height, slope, aspect, curvature, ranges[FIELDS];
    const Field *fields[FIELDS];
    float scale, side;
    bool any, invert;
} Selection;

KERNEL_INLINE float eased(float t) {
    const float above = t > 0 ? t : 0, share = above < 1 ? above : 1;
    return share * share * (3 - 2 * share);
}

KERNEL_INLINE float membership(Range range, float value) {
    if (range.inverse == 0)
        return value >= range.low && value <= range.high ? 1 : 0;
    const float rise = eased((value - range.low) * range.inverse + 1);
    const float fall = eased((range.high - value) * range.inverse + 1);
    return rise < fall ? rise : fall;
}

// Of a direction: by how far it is from the middle of the range, either way round. Level ground (-1) faces
// nowhere.
KERNEL_INLINE float facing(Range range, float degrees) {
    const float middle = 0.5f * (range.low + range.high), half = 0.5f * (range.high - range.low);
    const float apart = fabsf(degrees - middle); // NaN where the heights are too far apart for a float
    const float turned = apart - 360 * (float)float_to_within(apart * (1 / 360.0f), 0, 2);
    const float nearer = turned > 180 ? 360 - turned : turned;
    const Range around = { -FLT_MAX, half, range.inverse, true };
    const float member = membership(around, nearer);
    return degrees < 0 ? 0 : member;
}

KERNEL_INLINE float combined(bool any, float a, float b) {
    return any ? (a > b ? a : b) : (a < b ? a : b);
}

KERNEL static void select_heights(const Selection *by, const float *restrict values, Range range, int count,
                                  float *restrict out) {
    const bool any = by->any;
    for (int x = 0; x < count; x++)
        out[x] = combined(any, out[x], membership(range, values[x]));
}

KERNEL static void select_slopes(const Selection *by, NinePoints at, int count, float *restrict out) {
    const Range range = by->slope;
    const float scale = by->scale;
    const bool any = by->any;
    for (int x = 0; x < count; x++) {
        const float degrees = angle_of(slope_at(GRADIENT_HORN, at, x, scale), 1) * DEGREES_PER_RADIAN;
        out[x] = combined(any, out[x], membership(range, degrees));
    }
}

KERNEL static void select_aspects(const Selection *by, NinePoints at, int count, float *restrict out) {
    const Range range = by->aspect;
    const bool any = by->any;
    for (int x = 0; x < count; x++) {
        float across, along;
        gradient_at(GRADIENT_HORN, at, x, &across, &along);
        const float degrees = angle_of(-across, along) * DEGREES_PER_RADIAN;
        const float positive = ((across == 0) & (along == 0)) ? -1 : degrees < 0 ? degrees + 360 : degrees;
        out[x] = combined(any, out[x], facing(range, positive));
    }
}

KERNEL static void select_curvatures(const Selection *by, NinePoints at, int count, float *restrict out) {
    const Range range = by->curvature;
    const float scale = by->scale, side = by->side;
    const bool any = by->any;
    for (int x = 0; x < count; x++)
        out[x] = combined(any, out[x],
                          membership(range, mean_curvature(quadratic_at(FIT_EVANS, at, x, scale)) * side));
}

static void select_cells(const void *context, NinePoints at, int count, float *out) {
    const Selection *by = context;
    for (int x = 0; x < count; x++)
        out[x] = by->any ? 0 : 1;
    if (by->height.given)
        select_heights(by, at.row, by->height, count, out);
    for (int i = 0; i < FIELDS; i++)
        if (by->ranges[i].given)
            select_heights(by, field_row(by->fields[i], at.y) + at.x, by->ranges[i], count, out);
    if (by->slope.given)
        select_slopes(by, at, count, out);
    if (by->aspect.given)
        select_aspects(by, at, count, out);
    if (by->curvature.given)
        select_curvatures(by, at, count, out);
    for (int x = 0; x < count && by->invert; x++)
        out[x] = 1 - out[x];
}

// { low, high, soft }: without high there is no upper end, without soft the edges are hard.
static Status read_range(const char *name, const Numbers *given, bool turns, Range *range, Error *error) {
    *range = (Range){ .given = given->count > 0 };
    if (given->count == 0)
        return STATUS_OK;
    const double low = given->at[0], high = given->count > 1 ? given->at[1] : turns ? low : HEIGHT_MAX;
    const double soft = given->count > 2 ? given->at[2] : 0;
    if (!(high >= low) && !turns)
        return fail(error, STATUS_INVALID, "%s: high must be at least low, got %s and %s", name,
                    digits_of(high).text, digits_of(low).text);
    if (!(soft >= 0))
        return fail(error, STATUS_INVALID, "%s: soft must be at least 0, got %s", name, digits_of(soft).text);
    const double turn = high - low; // from north-west to north-east is a quarter, not minus three
    const double start = low - 360 * floor(low / 360);
    const double width = turn < 0 ? turn - 360 * floor(turn / 360) : min(turn, 360);
    range->low = (float)(turns ? start : low);
    range->high = (float)(turns ? start + width : high);
    range->inverse = soft > 0 ? (float)min(1 / soft, HEIGHT_MAX) : 0;
    return STATUS_OK;
}

// A range of directions on the map, as one in the array of cells.
static void turn_range(Range *range, Compass compass) {
    if (compass.turn == 0 && !compass.mirrored)
        return;
    const float width = range->high - range->low;
    range->low =
        (float)compass_to_cells(compass, compass.mirrored ? (double)range->high : (double)range->low);
    range->high = range->low + width;
}

// Slopes are 0 to 90 degrees: a range beyond these would select nothing.
static Status read_slope(const Numbers *given, Range *range, Error *error) {
    const Status status = read_range("slope", given, false, range, error);
    if (status != STATUS_OK || !range->given || (range->low <= 90 && range->high >= 0))
        return status;
    return fail(error, STATUS_INVALID, "slope: no ground has %s to %s degrees; slopes are 0 to 90",
                digits_of((double)range->low).text, digits_of((double)range->high).text);
}

// --- fields from other operations --------------------------------------------------------------------------

enum { PARAMS_MAX = 16384 };

// The field is the caller's. Gaps in the input are filled by now; the result of the whole has them.
static Status run_inner(const Call *call, const Operation *operation, const Field *input, const void *params,
                        Field *made, Error *error) {
    Field filled = input ? *input : (Field){ 0 };
    filled.gaps = NULL;
    Output outputs[OUTPUTS_MAX] = { 0 };
    Call inner = { .run = call->run,
                   .inputs = { { .field = input ? &filled : NULL } },
                   .width = call->width,
                   .height = call->height,
                   .seed = call->seed,
                   .wrap = call->wraps ? WRAP_ON : WRAP_OFF,
                   .outputs = outputs,
                   .notice = call->notice };
    const Status status = operation_run(operation, &inner, params, error);
    *made = outputs[0].field;
    return status;
}

static Status run_with(const Call *call, const Operation *operation, const Field *input, const char *name,
                       double value, Field *made, Error *error) {
    _Alignas(16) unsigned char params[PARAMS_MAX];
    assert(operation->params_size <= sizeof params);
    params_initialise(operation, params);
    Status status = STATUS_OK;
    if (name)
        status = param_set_number(operation_param(operation, name), params, value, error);
    if (operation == &op_noise)
        *(bool *)(void *)(params + operation_param(operation, "wrap")->offset) = call->wraps;
    return status == STATUS_OK ? run_inner(call, operation, input, params, made, error) : status;
}

// Those of the ranges that are given; `made` is the caller's.
static Status make_fields(const Call *call, const Range *ranges, Field *made, Error *error) {
    const Select *params = call->params;
    Status status = STATUS_OK;
    if (ranges[RELATIVE_HEIGHT].given)
        status = run_with(call, &op_relative_height, call->inputs[0].field, "radius", params->radius,
                          &made[RELATIVE_HEIGHT], error);
    if (status == STATUS_OK && ranges[DISTANCE].given)
        status = run_with(call, &op_distance, params->distance_to, NULL, 0, &made[DISTANCE], error);
    if (status == STATUS_OK && ranges[NOISE].given)
        status = run_with(call, &op_noise, NULL, "frequency", params->frequency, &made[NOISE], error);
    return status;
}

// --- the operation -----------------------------------------------------------------------------------------

static Status read_ranges(const Call *call, Selection *by, Error *error) {
    const Select *params = call->params;
    Status status = read_range("height", &params->height, false, &by->height, error);
    if (status == STATUS_OK)
        status = read_slope(&params->slope, &by->slope, error);
    if (status == STATUS_OK)
        status = read_range("aspect", &params->aspect, true, &by->aspect, error);
    turn_range(&by->aspect, frame_compass(&call->inputs[0].field->frame));
    if (status == STATUS_OK)
        status = read_range("curvature", &params->curvature, false, &by->curvature, error);
    const Numbers *given[FIELDS] = { &params->relative_height, &params->distance, &params->noise,
                                     &params->range };
    static const char *const names[FIELDS] = { "relative_height", "distance", "noise", "range" };
    for (int i = 0; status == STATUS_OK && i < FIELDS; i++)
        status = read_range(names[i], given[i], false, &by->ranges[i], error);
    if (status != STATUS_OK)
        return status;
    if (by->ranges[DISTANCE].given != (params->distance_to != NULL))
        return fail(error, STATUS_INVALID,
                    "distance_to and distance go together: the mask, and the range of distances to it");
    if (by->ranges[BY].given != (params->by != NULL))
        return fail(error, STATUS_INVALID,
                    "by and range go together: the field, and the range of its values");
    return STATUS_OK;
}

static Status run(const Call *call, Error *error) {
    const Select *params = call->params;
    const Field *height = call->inputs[0].field;
    Field made[FIELDS] = { { 0 } };
    Selection by = { .fields = { &made[RELATIVE_HEIGHT], &made[DISTANCE], &made[NOISE], params->by },
                     .scale = cells_per_height(height, params->exaggeration),
                     .side = (float)field_side(height),
                     .any = params->combine == ANY,
                     .invert = params->invert };
    Status status = read_ranges(call, &by, error);
    if (status == STATUS_OK)
        status = make_fields(call, by.ranges, made, error);
    if (status == STATUS_OK)
        status = nine_points(call, select_cells, &by, 5, &call->outputs[0].field);
    for (int i = 0; i < FIELDS; i++)
        field_free(&made[i]);
    return status;
}

// A surrounding, a distance and the place in the noise need the whole field.
static int reach(const Call *call) {
    const Select *params = call->params;
    const bool whole =
        params->relative_height.count > 0 || params->distance.count > 0 || params->noise.count > 0;
    return whole ? SEES_ALL : reach_beside(call);
}

static const Param params[] = {
    PARAM(Select, height, .rows_min = 1, .rows_max = 3, .optional = true,
          .doc = "{ low, high, soft }: heights, the mask is 1 from low to high; without high, "
                 "all above; soft: the width over which it falls to 0 beyond each end"),
    PARAM(Select, slope, .rows_min = 1, .rows_max = 3, .optional = true,
          .doc = "the same for the slope, in degrees, 0 to 90"),
    PARAM(Select, aspect, .rows_min = 1, .rows_max = 3, .optional = true,
          .doc = "the same for the direction in which ground falls, in degrees clockwise from "
                 "north: { 315, 45 } faces north"),
    PARAM(Select, curvature, .rows_min = 1, .rows_max = 3, .optional = true,
          .doc = "the same for the mean curvature, per side length: above 0 ridges, below 0 "
                 "valleys"),
    PARAM(Select, relative_height, .rows_min = 1, .rows_max = 3, .optional = true,
          .doc = "the same for the height above the mean of the surroundings: above 0 ridges and tops, "
                 "below 0 valleys"),
    PARAM(Select, radius, .initial = 0.06, .min = 0, .max = 1,
          .doc = "how far those surroundings reach, in N, the longer side"),
    PARAM(Select, distance_to,
          .doc = "a mask: cells with 1 are at distance 0. For a network or points use lines:rasterize{}"),
    PARAM(Select, distance, .rows_min = 1, .rows_max = 3, .optional = true,
          .doc = "the range of distances to it, in N: { 0, 0.05, 0.02 }"),
    PARAM(Select, noise, .rows_min = 1, .rows_max = 3, .optional = true,
          .doc = "the same for gradient noise, 0 to 1, half of it above 0.5: patches"),
    PARAM(Select, frequency, .initial = 8, .min = 0.001, .max = SIDE_MAX,
          .doc = "how many lattice points of that noise lie along N"),
    PARAM(Select, by, .doc = "any other field: flow, insolation, a wetness or position index"),
    PARAM(Select, range, .rows_min = 1, .rows_max = 3, .optional = true,
          .doc = "the range of its values, as for height"),
    PARAM(Select, combine, .choices = CHOICES("all", "any"), .doc = "whether all ranges must hold or one"),
    PARAM(Select, invert, .doc = "whether to select everything else"),
    EXAGGERATION_PARAM(Select, UNIT_NONE),
    { 0 },
};

const Operation op_select = {
    .name = "select",
    .gaps = GAPS_KEPT,
    .reach = reach,
    .measures = MEASURES_CELLS,
    .category = "surface",
    .keywords = "mask range band threshold where choose step smoothstep splat biome biomes feature features "
                "selector chooser blast isolate weight nonzero argwhere isin boolean selection",
    .summary =
        "Makes a mask of the ground within ranges of height, slope, aspect, curvature, relative height, "
        "distance or noise",
    .description =
        "Without any range everything is selected. Masks combine with each other: a * b or "
        "a:min(b) where both hold, a:max(b) where one "
        "does, 1 - a where not. Relative heights, distances and noise are those of relative_height, "
        "distance and noise; for more than one other field, select by each and multiply.",
    .source = "Zadeh 1965, Fuzzy sets, section II",
    .inputs = { { "height", "heights" } },
    .outputs = { { "mask", "0 outside to 1 inside" } },
    .params = params,
    .params_size = sizeof(Select),
    .seeded = true,
    .example = "local meadow = height:select{ height = { 0.3, 0.6, 0.1 }, slope = { 0, 20, 5 } }\n"
               "local shore = height:select{ distance_to = height:select{ height = { 0, 0.3 } },\n"
               "    distance = { 0, 0.05, 0.02 }, noise = { 0.5, 1, 0.1 }, seed = 7 }",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "return height:select{ height = { 0.3, 0.6, 0.1 }, slope = { 0, 20, 5 } }:relief{ palette = "
               "\"grey\", contrast = 0 }",
    .see_also = "gradient_angle aspect curvature relative_height distance noise lerp",
    .run = run,
};
