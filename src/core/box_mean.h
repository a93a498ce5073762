// The mean over a square around each cell, in time that does not depend on its size.

#ifndef ESKER_BOX_MEAN_H
#define ESKER_BOX_MEAN_H

#include "core/field.h"
#include "core/parallel.h"

// Replaces each cell of `field` by the mean of the cells at most `radius` columns and rows away, which wrap
// around; the square is cut to the field's size where it is larger.
Status box_mean(const Run *run, Field *field, int radius, Error *error);

#endif
