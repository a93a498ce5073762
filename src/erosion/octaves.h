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

enum { REFINED = 512 }; // cells that are refined at a time

// Of cells `first` … `first` + `count` - 1 of row y, at most REFINED, what twice_as_fine makes of them: 2 ×
// `count` cells of two rows.
void refine_cells(const Field *field, int y, int first, int count, float *upper, float *lower);

#endif
