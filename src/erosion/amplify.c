// A field at 2, 4, 8 or 16 times its resolution, with eroded detail.
//
// The smooth refinement of the field is roughened and eroded by streams. Of that only the detail of each
// octave is taken, whose means over the field's cells are 0.

#include "core/error.h"
#include "core/field.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/summary.h"
#include "erosion/octaves.h"
#include "erosion/stream_pyramid.h"

#include <float.h>
#include <math.h>

// --- dry land ----------------------------------------------------------------------------------------------

// Detail of finer land makes no ponds inland.
// Children of inland cells that lie below the sea are raised to it. The means that are too high then are put
// right by a smooth refinement (octaves.h) of what is too much, which lowers the ground beside them as well:
// so it falls gently to what has become level. A few rounds leave little; for that, the children of a cell
// move towards their mean, which alone would leave a level square with steep sides.

enum { ROUNDS = 5, DRY_REACH = 6 }; // reach: of the refinement, in cells of the field
static const float HASTE = 1.8f;    // how much of what is too much a round takes away; the last: all

// Rows of the field, which may begin beyond its edges.
typedef struct Strip {
    int top, height;
} Strip;

typedef struct Drying {
    const Field *field;
    Field *finer, *excess; // excess: by how much the mean of a cell's children is too high
    int side;              // how many children lie along a cell's side
    float sea;
    Strip strip; // what may be below it
} Drying;

static int row_of(const Field *field, int y, bool wraps) { // -1: none
    return wraps ? wrap(y, field->height) : y >= 0 && y < field->height ? y : -1;
}

// Whether neither the cell nor one of the eight around it is sea.
static bool is_inland(const Drying *drying, int x, int y) {
    const Field *field = drying->field;
    float least = field_row(field, y)[x];
    for (int v = y - 1; v <= y + 1; v++) {
        const float *row = field_row(field, neighbour_at(v, field->height, drying->finer->wraps));
        for (int u = x - 1; u <= x + 1; u++)
            least = min(least, row[neighbour_at(u, field->width, drying->finer->wraps)]);
    }
    return least >= drying->sea;
}

// The children of a cell in one row.
static float *children(const Drying *drying, int x, int row) {
    return field_row(drying->finer, row) + (ptrdiff_t)x * drying->side;
}

static float least_child(const Drying *drying, int x, int y) {
    float least = FLT_MAX;
    for (int v = y * drying->side; v < (y + 1) * drying->side; v++)
        for (int u = 0; u < drying->side; u++)
            least = min(least, children(drying, x, v)[u]);
    return least;
}

// Raises the children of a cell to the sea; by how much their mean is too high then.
static float raise_children(const Drying *drying, int x, int y) {
    double sum = 0;
    for (int v = y * drying->side; v < (y + 1) * drying->side; v++)
        for (int u = 0; u < drying->side; u++) {
            float *child = children(drying, x, v) + u;
            *child = max(*child, drying->sea);
            sum += (double)*child;
        }
    return (float)(sum / (drying->side * drying->side) - (double)field_row(drying->field, y)[x]);
}

static void raise_rows(void *context, int first, int end) {
    const Drying *drying = context;
    for (int i = first; i < end; i++) {
        const int y = row_of(drying->field, drying->strip.top + i, drying->finer->wraps);
        for (int x = 0; y >= 0 && x < drying->field->width; x++) {
            float *excess = &field_row(drying->excess, y)[x];
            const bool wet = is_inland(drying, x, y) && least_child(drying, x, y) < drying->sea;
            *excess = wet || *excess != 0 ? raise_children(drying, x, y) : 0;
        }
    }
}

// The children of a cell move towards its height until none is below the sea.
static void shrink_children(const Drying *drying, int x, int y) {
    const float mean = field_row(drying->field, y)[x], sea = drying->sea, least = least_child(drying, x, y);
    if (!(least < sea))
        return;
    const float share = (mean - sea) / (mean - least);
    for (int v = y * drying->side; v < (y + 1) * drying->side; v++)
        for (int u = 0; u < drying->side; u++) {
            float *child = children(drying, x, v) + u;
            *child = max(mean + share * (*child - mean), sea);
        }
}

static void shrink_rows(void *context, int first, int end) {
    const Drying *drying = context;
    for (int i = first; i < end; i++) {
        const int y = row_of(drying->field, drying->strip.top + i, drying->finer->wraps);
        for (int x = 0; y >= 0 && x < drying->field->width; x++)
            if (is_inland(drying, x, y))
                shrink_children(drying, x, y);
    }
}

// --- rounds ------------------------------------------------------------------------------------------------

static bool any_excess(const Field *excess, int y) {
    bool any = false;
    for (int x = 0; x < excess->width; x++)
        any = any || field_row(excess, y)[x] != 0;
    return any;
}

// The rows with an excess and those around that their refinement reaches; none: of height 0.
static Strip strip_of(const Field *excess) {
    int top = excess->height, bottom = 0;
    for (int y = 0; y < excess->height; y++)
        if (any_excess(excess, y)) {
            top = min(top, y);
            bottom = y + 1;
        }
    if (top >= bottom)
        return (Strip){ 0 };
    const Strip strip = { top - DRY_REACH, bottom - top + 2 * DRY_REACH };
    return strip.height < excess->height ? strip : (Strip){ 0, excess->height };
}

static Status excess_of_strip(const Drying *drying, float haste, Field *taken, Error *error) {
    const Field *excess = drying->excess;
    const Status status = field_create(taken, excess->width, drying->strip.height, error);
    taken->wraps = drying->finer->wraps;
    for (int y = 0; y < taken->height && status == STATUS_OK; y++) {
        const int row = row_of(excess, drying->strip.top + y, taken->wraps);
        for (int x = 0; x < excess->width; x++)
            field_row(taken, y)[x] = row < 0 ? 0 : haste * field_row(excess, row)[x];
    }
    return status;
}

typedef struct Taking {
    const Field *taken;
    Field *finer;
    int top; // the row of `finer` that is the first of `taken`
} Taking;

static void take_rows(void *context, int first, int end) {
    const Taking *taking = context;
    for (int y = first; y < end; y++) {
        const int row = row_of(taking->finer, taking->top + y, taking->finer->wraps);
        for (int x = 0; row >= 0 && x < taking->finer->width; x++)
            field_row(taking->finer, row)[x] -= field_row(taking->taken, y)[x];
    }
}

static Status take_excess(const Run *run, const Drying *drying, int levels, float haste, Error *error) {
    Field taken = { 0 };
    Status status = excess_of_strip(drying, haste, &taken, error);
    for (int l = 0; l < levels && status == STATUS_OK; l++) {
        Field finer = { 0 };
        status = twice_as_fine(run, &taken, &finer, error);
        field_free(&taken);
        taken = finer;
    }
    Taking taking = { &taken, drying->finer, drying->strip.top * drying->side };
    if (status == STATUS_OK)
        status = parallel_rows(run, taken.height, taken.width * 0.5, take_rows, &taking);
    field_free(&taken);
    return status;
}

// Raises `finer`, which is `levels` times twice as fine as `field` and has its means, to `sea` and above,
// where a cell of `field` and the eight around it are: the coast crosses cells that touch the sea, no others.
// Means stay.
static Status keep_dry(const Run *run, const Field *field, int levels, float sea, Field *finer,
                       Error *error) {
    Field excess = { 0 };
    Drying drying = { field, finer, &excess, 1 << levels, sea, { 0, field->height } };
    const double cost = finer->width * 0.5 * drying.side;
    Status status = field_create(&excess, field->width, field->height, error);
    for (size_t i = 0; status == STATUS_OK && i < field_count(field); i++)
        field_cells(&excess)[i] = 0;
    for (int round = 0; round < ROUNDS && drying.strip.height > 0 && status == STATUS_OK; round++) {
        status = parallel_rows(run, drying.strip.height, cost, raise_rows, &drying);
        drying.strip = strip_of(&excess);
        if (status == STATUS_OK && drying.strip.height > 0)
            status = take_excess(run, &drying, levels, round + 1 < ROUNDS ? HASTE : 1, error);
    }
    if (status == STATUS_OK && drying.strip.height > 0)
        status = parallel_rows(run, drying.strip.height, cost, shrink_rows, &drying);
    field_free(&excess);
    return status;
}

// --- detail ------------------------------------------------------------------------------------------------

// Detail of a finer land, laid into a refined field octave by octave, so that the field's means stay.
// With U the smooth refinement (octaves.h), c the field and e_l the means of the detailed land over the cells
// of level l:
//
//     r₀ = c,  r_l = U(r_(l-1)) + w_l (e_l - U(e_(l-1)))
//
// The weight w_l gives an octave the strength that the field's own octaves lead to expect: with s₀ that of
// its finest octave, and q₀ = s₀ over that of the next coarser one,
//
//     q_l = 0.2 + 0.5 q_(l-1),  s_l = q_l s_(l-1)
//
// fitted to the octaves of 24 real models (docs/realism.md): land is smoother the closer one looks. Of that
// 0.78 is given to the first octave and 0.55 to the others: detail that is not where the real land has it
// makes the result differ more from it, and about as much keeps it closer than cubic interpolation
// (docs/amplify.md).

enum { DETAIL_LEVELS_MAX = 4 };

static double strength_of(const Summary *summary) {
    return sqrt(summary->mean * summary->mean + summary->stddev * summary->stddev);
}

// What a finer field has beyond the refinement of a coarser one.
typedef struct Beyond {
    const Field *fine, *coarse;
    int top; // the row of `fine` that is the first of `detail`
    Field *detail;
} Beyond;

KERNEL static void subtract_refined(const float *restrict fine, const float *restrict refined, int count,
                                    float *restrict detail) {
    for (int i = 0; i < count; i++)
        detail[i] = fine[i] - refined[i];
}

static void detail_rows(void *context, int first, int end) {
    const Beyond *beyond = context;
    float refined[2][2 * REFINED];
    for (int y = first; y < end; y++)
        for (int x = 0; x < beyond->coarse->width; x += REFINED) {
            const int count = min(REFINED, beyond->coarse->width - x);
            refine_cells(beyond->coarse, beyond->top / 2 + y, x, count, refined[0], refined[1]);
            for (int i = 0; i < 2; i++)
                subtract_refined(field_row(beyond->fine, beyond->top + 2 * y + i) + (ptrdiff_t)2 * x,
                                 refined[i], 2 * count,
                                 field_row(beyond->detail, 2 * y + i) + (ptrdiff_t)2 * x);
        }
}

// How strong what `fine` has beyond the refinement of `coarse` is. A few rows of it at a time stay in the
// cache and take no new memory.
static Status measure_detail(const Run *run, const Field *fine, const Field *coarse, double *strength,
                             Error *error) {
    enum { ROWS = 128 };
    Field detail = { 0 };
    Beyond beyond = { fine, coarse, 0, &detail };
    SummaryParts parts = { 0 };
    Status status = field_create(&detail, fine->width, min((int)ROWS, fine->height), error);
    for (; beyond.top < fine->height && status == STATUS_OK; beyond.top += ROWS) {
        detail.height = min((int)ROWS, fine->height - beyond.top);
        status = parallel_rows(run, detail.height / 2, fine->width * 6.0, detail_rows, &beyond);
        if (status == STATUS_OK)
            status = summary_add(run, &detail, &parts, error);
    }
    field_free(&detail);
    const Summary summary = summary_of(&parts);
    *strength = strength_of(&summary);
    return status;
}

// Of the field's finest octave; `half` becomes its means over two by two cells. 0: it is too small to tell.
static Status own_octave(const Run *run, const Field *field, Field *half, double *strength, Error *error) {
    enum { LEAST = 4 };
    *strength = 0;
    if (min(field->width, field->height) < LEAST)
        return STATUS_OK;
    Field even = { 0 };
    Status status = half_as_fine(run, field, half, error);
    if (status == STATUS_OK)
        status = field_create(&even, 2 * half->width, 2 * half->height, error);
    for (int y = 0; status == STATUS_OK && y < even.height; y++)
        for (int x = 0; x < even.width; x++)
            field_row(&even, y)[x] = field_row(field, y)[x];
    if (status == STATUS_OK)
        status = measure_detail(run, &even, half, strength, error);
    field_free(&even);
    return status;
}

// What the octaves beyond the field's are expected to have.
static Status expected_strengths(const Run *run, const Field *field, int levels, double *strengths,
                                 Error *error) {
    Field half = { 0 }, quarter = { 0 };
    double own = 0, coarser = 0;
    Status status = own_octave(run, field, &half, &own, error);
    if (status == STATUS_OK && half.width > 0)
        status = own_octave(run, &half, &quarter, &coarser, error);
    field_free(&half);
    field_free(&quarter);
    double ratio = coarser > 0 ? min(own / coarser, 1.0) : 0.55;
    for (int l = 1; l <= levels; l++) {
        ratio = 0.2 + 0.5 * ratio;
        own *= ratio;
        strengths[l] = own * (l == 1 ? 0.78 : 0.55);
    }
    return status;
}

typedef struct Octave {
    const Field *result, *fine, *coarse; // r_(l-1), e_l, e_(l-1)
    float weight;
    Field *finer; // r_l; may be `fine`
} Octave;

KERNEL static void add_weighted(const float *refined, const float *fine, const float *coarse, float weight,
                                int count, float *finer) {
    INDEPENDENT_PASSES
    for (int i = 0; i < count; i++)
        finer[i] = refined[i] + weight * (fine[i] - coarse[i]);
}

static void octave_rows(void *context, int first, int end) {
    const Octave *octave = context;
    float refined[2][2 * REFINED], coarse[2][2 * REFINED];
    for (int y = first; y < end; y++)
        for (int x = 0; x < octave->result->width; x += REFINED) {
            const int count = min(REFINED, octave->result->width - x);
            refine_cells(octave->result, y, x, count, refined[0], refined[1]);
            refine_cells(octave->coarse, y, x, count, coarse[0], coarse[1]);
            for (int i = 0; i < 2; i++)
                add_weighted(refined[i], field_row(octave->fine, 2 * y + i) + (ptrdiff_t)2 * x, coarse[i],
                             octave->weight, 2 * count,
                             field_row(octave->finer, 2 * y + i) + (ptrdiff_t)2 * x);
        }
}

// r_l in the place of r_(l-1). That of the last level takes the place of e_l, too.
static Status add_octave(const Run *run, Field *result, Field *fine, const Field *coarse, bool last,
                         double expected, Error *error) {
    enum { WEIGHT_MAX = 8 };
    Field finer = { 0 };
    double strength = 0;
    Status status = measure_detail(run, fine, coarse, &strength, error);
    if (status == STATUS_OK && !last)
        status = field_create(&finer, fine->width, fine->height, error);
    const double weight = strength > 0 ? min(expected / strength, (double)WEIGHT_MAX) : 0;
    Octave octave = { result, fine, coarse, (float)weight, last ? fine : &finer };
    if (status == STATUS_OK)
        status = parallel_rows(run, result->height, fine->width * 12.0, octave_rows, &octave);
    if (last) {
        finer = *fine;
        *fine = (Field){ 0 };
    }
    finer.wraps = result->wraps;
    field_free(result);
    *result = finer;
    return status;
}

// `result`: the field, which becomes `levels` times twice as fine. `means[levels]`: the land that the detail
// is taken from, of that size; those before it, empty so far, become its means over larger cells, to be freed
// by the caller. The first is used up. `detail`: its strength; 1 for as much as the field's octaves lead to
// expect.
static Status add_detail(const Run *run, Field *result, Field *means, int levels, double detail,
                         Error *error) {
    double expected[DETAIL_LEVELS_MAX + 1];
    Status status = expected_strengths(run, result, levels, expected, error);
    for (int l = levels; l > 0 && status == STATUS_OK; l--)
        status = half_as_fine(run, &means[l], &means[l - 1], error);
    for (int l = 1; l <= levels && status == STATUS_OK; l++)
        status = add_octave(run, result, &means[l], &means[l - 1], l == levels, detail * expected[l], error);
    return status;
}

// --- amplified land ----------------------------------------------------------------------------------------

typedef struct Amplify {
    int levels;
    double detail, erodibility, roughness, sea_level;
} Amplify;

static const double BANK = 2; // how much steeper than the land the sides of its valleys are, in mean slopes
static const double HEAD = 4; // cells that drain where streams begin
static const float ROUNDING = 0.3f; // of crests

// --- rough land --------------------------------------------------------------------------------------------

// What streams erode: at each level the smooth refinement, roughened. Plain land would be cut by streams side
// by side.

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

typedef struct Roughening {
    Field *land;
    RandomKey key;
    float strength; // in heights
} Roughening;

KERNEL static void add_random_row(RandomKey key, uint32_t y, float strength, int count, float *restrict row) {
    for (int x = 0; x < count; x++)
        row[x] += strength * random_signed(key, (uint32_t)x, y);
}

static void add_random_rows(void *context, int first, int end) {
    const Roughening *roughening = context;
    for (int y = first; y < end; y++)
        add_random_row(roughening->key, (uint32_t)y, roughening->strength, roughening->land->width,
                       field_row(roughening->land, y));
}

// `land`: of the field's size times 2^levels; freed by the caller, also after a failure.
static Status roughen(const Call *call, const Field *field, double slope, Field *land, Error *error) {
    const Amplify *amplify = call->params;
    Status status = twice_as_fine(call->run, field, land, error);
    for (int level = 1; status == STATUS_OK; level++) {
        const Roughening roughening = { land, random_key(call->seed, (uint32_t)level),
                                        (float)ldexp(amplify->roughness * slope, -level) };
        status =
            parallel_rows(call->run, land->height, land->width * 2.0, add_random_rows, (void *)&roughening);
        if (status != STATUS_OK || level == amplify->levels)
            break;
        Field finer = { 0 };
        status = twice_as_fine(call->run, land, &finer, error);
        field_free(land);
        *land = finer;
    }
    return status;
}

// --- eroded land -------------------------------------------------------------------------------------------

typedef struct Reading {
    const StreamLevel *level;
    Field *land;
} Reading;

static void read_rows(void *context, int first, int end) {
    const Reading *reading = context;
    for (int y = first; y < end; y++) {
        const size_t at = padded_at(&reading->level->tree.grid, 0, y);
        const float *start = reading->level->start + at, *ground = reading->level->ground + at;
        float *land = field_row(reading->land, y);
        for (int x = 0; x < reading->land->width; x++)
            land[x] = start[x] > STREAM_SEA ? ground[x] : land[x];
    }
}

// Streams cut along the valleys of the rough land, as young ones of `stream_erosion` do; mature ones would
// leave the valleys that the field has.
static Status erode(const Call *call, double slope, Field *land, Error *error) {
    const Amplify *amplify = call->params;
    const double bank = BANK * slope * ldexp(field_side(land), -amplify->levels);
    const StreamRule rule = { .power = (float)amplify->erodibility,
                              .head = (float)(HEAD / ((double)field_side(land) * field_side(land))),
                              .talus = 1e12f,
                              .bank = (float)min(bank, 1e12),
                              .relief = 1,
                              .rounding = ROUNDING,
                              .sea_level = (float)amplify->sea_level };
    const StreamInput input = { .height = land, .wraps = call->wraps };
    StreamPyramid pyramid;
    Status status = stream_pyramid_create(call->run, &pyramid, &input, &rule, error);
    StreamLevel *level = &pyramid.levels[0];
    if (status == STATUS_OK)
        status = stream_level_drain(call->run, level, &rule, false, error);
    if (status == STATUS_OK)
        status = stream_level_erode(call->run, level, &rule);
    if (status == STATUS_OK)
        status = stream_level_slide(call->run, level, &rule);
    if (status == STATUS_OK)
        status = hillslopes_round(call->run, level, rule.rounding);
    Reading reading = { level, land };
    if (status == STATUS_OK)
        status = parallel_rows(call->run, land->height, land->width * 1.0, read_rows, &reading);
    stream_pyramid_free(&pyramid);
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
    const double slope = mean_slope(field);
    const bool plain = !(slope > 0) || min(field->width, field->height) < 4;
    Field *land = &means[amplify->levels];
    if (status == STATUS_OK && !plain)
        status = roughen(call, result, slope, land, error);
    if (status == STATUS_OK && !plain)
        status = erode(call, slope, land, error);
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
    PARAM(Amplify, erodibility, .initial = 3, .min = 0, .max = 100, .doc = "how deep streams cut"),
    PARAM(Amplify, roughness, .initial = 0.05, .min = 0, .max = 4, .doc = "randomness of the detail"),
    PARAM(Amplify, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "lower ground is sea, which is not eroded"),
    { 0 },
};

const Operation op_amplify = {
    .name = "amplify",
    .measures = NEEDS_SQUARES,
    .category = "erosion",
    .keywords = "upsample superresolution detail enlarge upscale refine subdivide subsurf subdivision",
    .summary = "Gives a terrain at 2, 4, 8 or 16 times its resolution, with eroded detail",
    .description = "The mean of the fine cells inside a coarse cell is its height. Coarse cells of land that "
                   "touch no sea, on a side or corner, get no sea; the coast may cross those that touch it. "
                   "Streams follow those of the coarse terrain, and the strength of each octave of detail is "
                   "extrapolated from the terrain's own octaves. A smooth sketch has none and stays smooth: "
                   "shape it first, as in sketch:stream_erosion{ age = 0.4 }:amplify{}.",
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
