// Checks that results are finite. Every result of an operation is checked, unless its declaration says why
// it is always finite (.always_finite), so no algorithm has to handle infinite heights or NaN.

#ifndef ESKER_FINITE_H
#define ESKER_FINITE_H

#include "core/operation.h"

// Fails with STATUS_INVALID, naming the first cell that is infinite or NaN; or when stopped.
Status field_check_finite(const Run *run, const Field *field, Error *error);

// The same for all outputs of an operation: fields, numbers, lists, and other types with a check.
Status outputs_check_finite(const Run *run, const Operation *operation, const Output *outputs, Error *error);

#endif
