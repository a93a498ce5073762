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

#include "erosion/detail.h"

#include "core/math.h"
#include "core/summary.h"
#include "erosion/octaves.h"

#include <math.h>

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

Status add_detail(const Run *run, Field *result, Field *means, int levels, double detail, Error *error) {
    double expected[DETAIL_LEVELS_MAX + 1];
    Status status = expected_strengths(run, result, levels, expected, error);
    for (int l = levels; l > 0 && status == STATUS_OK; l--)
        status = half_as_fine(run, &means[l], &means[l - 1], error);
    for (int l = 1; l <= levels && status == STATUS_OK; l++)
        status = add_octave(run, result, &means[l], &means[l - 1], l == levels, detail * expected[l], error);
    return status;
}
