// Finite results: no algorithm has to expect an infinite height or one that is not a number, because every
// result of an operation is checked, unless its declaration says why it cannot be one (.always_finite).

#ifndef ESKER_FINITE_H
#define ESKER_FINITE_H

#include "core/operation.h"

// Fails with STATUS_INVALID and names the first cell that is infinite or not a number; or when stopped.
Status field_check_finite(const Run *run, const Field *field, Error *error);

// The same of everything that an operation has put into its outputs: fields, numbers, lists, and what else
// has a check.
Status outputs_check_finite(const Run *run, const Operation *operation, const Output *outputs, Error *error);

#endif
