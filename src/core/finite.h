// Checks that results are finite. Every result of an operation is checked, unless its declaration says why
// it is always finite (.always_finite), so no algorithm has to handle infinite heights or NaN.

#ifndef ESKER_FINITE_H
#define ESKER_FINITE_H

#include "core/operation.h"

#include <string.h>

// For loops over vectors: the bits of a magnitude, in the order of magnitudes; from FLOAT_INFINITE on it is
// infinite, above it not a number.
enum { FLOAT_INFINITE = 0x7f800000 };

KERNEL_INLINE int32_t float_magnitude(float value) {
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & 0x7fffffff;
}

// The number of the first of an array that is not finite, or `count`.
Status find_first_not_finite(const Run *run, const float *numbers, size_t count, size_t *first);

// Fails with STATUS_INVALID, naming the first cell that is infinite or NaN; or when stopped.
Status field_check_finite(const Run *run, const Field *field, Error *error);

// Runs `body` over the rows of a field that is a call's only output, and has its cells, and checks the rows
// while they are in the cache. If all cells are finite, operation_run does not read the field again. `body`
// and `cost_per_row` as for parallel_rows; `body` sets all cells of its rows.
Status finite_rows(const Call *call, double cost_per_row, RowsBody *body, void *context);

// A body that checks its rows itself: it returns their largest float_magnitude.
typedef int32_t MeasuredBody(void *context, int first, int end);
Status finite_rows_measured(const Call *call, double cost_per_row, MeasuredBody *body, void *context);

// field_check_finite for all outputs of a call: fields, numbers, lists, and other types with a check. The
// error says in which range the call's fields are.
Status outputs_check_finite(const Call *call, const Operation *operation, Error *error);

#endif
