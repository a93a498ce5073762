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

typedef struct Mixing {
    const Field *with;
    Field *into;
    float weight, own; // into = own × into + weight × with
} Mixing;

static void mix_rows(void *context, int first, int end) {
    const Mixing *mixing = context;
    for (int y = first; y < end; y++) {
        const float *restrict with = field_row(mixing->with, y);
        float *restrict into = field_row(mixing->into, y);
        for (int x = 0; x < mixing->into->width; x++)
            into[x] = mixing->own * into[x] + mixing->weight * with[x];
    }
}

static Status mix(const Run *run, Field *into, float own, const Field *with, float weight) {
    Mixing mixing = { with, into, weight, own };
    return parallel_rows(run, into->height, into->width * 1.0, mix_rows, &mixing);
}

// What `fine` has beyond the refinement of `coarse`, into `detail`, and its strength.
static Status detail_of(const Run *run, const Field *fine, const Field *coarse, Field *detail,
                        double *strength, Error *error) {
    Summary summary;
    Status status = twice_as_fine(run, coarse, detail, error);
    if (status == STATUS_OK)
        status = mix(run, detail, -1, fine, 1);
    if (status == STATUS_OK)
        status = field_summarise(run, detail, &summary, error);
    if (status == STATUS_OK)
        *strength = strength_of(&summary);
    return status;
}

// Of the field's finest octave; `half` becomes its means over two by two cells. 0: it is too small to tell.
static Status own_octave(const Run *run, const Field *field, Field *half, double *strength, Error *error) {
    enum { LEAST = 4 };
    *strength = 0;
    if (min(field->width, field->height) < LEAST)
        return STATUS_OK;
    Field detail = { 0 }, even = { 0 };
    Status status = half_as_fine(run, field, half, error);
    if (status == STATUS_OK)
        status = field_create(&even, 2 * half->width, 2 * half->height, error);
    for (int y = 0; status == STATUS_OK && y < even.height; y++)
        for (int x = 0; x < even.width; x++)
            field_row(&even, y)[x] = field_row(field, y)[x];
    if (status == STATUS_OK)
        status = detail_of(run, &even, half, &detail, strength, error);
    field_free(&detail);
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

// r_l in the place of r_(l-1).
static Status add_octave(const Run *run, Field *result, const Field *fine, const Field *coarse,
                         double expected, Error *error) {
    enum { WEIGHT_MAX = 8 };
    Field finer = { 0 }, detail = { 0 };
    double strength = 0;
    Status status = twice_as_fine(run, result, &finer, error);
    if (status == STATUS_OK)
        status = detail_of(run, fine, coarse, &detail, &strength, error);
    if (status == STATUS_OK && strength > 0)
        status = mix(run, &finer, 1, &detail, (float)min(expected / strength, (double)WEIGHT_MAX));
    field_free(&detail);
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
        status = add_octave(run, result, &means[l], &means[l - 1], detail * expected[l], error);
    return status;
}
