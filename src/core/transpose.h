// The transpose of a field.

#ifndef ESKER_TRANSPOSE_H
#define ESKER_TRANSPOSE_H

#include "core/field.h"
#include "core/parallel.h"

// Exchanges rows and columns: `to` is as wide as `from` is high, and the other way round.
Status field_transpose(const Run *run, const Field *from, Field *to);

#endif
