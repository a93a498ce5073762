// Twice as fine, half as fine: heights as means over their cells, so that a finer field has the means of the
// coarser one to the rounding of a float, and what it has beyond is the detail of an octave.

#ifndef ESKER_OCTAVES_H
#define ESKER_OCTAVES_H

#include "core/error.h"
#include "core/field.h"
#include "core/parallel.h"

// Each creates `result`, which wraps as `field` does; it is freed by the caller, also after a failure.
Status twice_as_fine(const Run *run, const Field *field, Field *result, Error *error); // smooth
Status half_as_fine(const Run *run, const Field *field, Field *result,
                    Error *error); // drops an odd last cell

#endif
