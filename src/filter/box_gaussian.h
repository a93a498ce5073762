// Blurs a field with a Gaussian.

#ifndef ESKER_BOX_GAUSSIAN_H
#define ESKER_BOX_GAUSSIAN_H

#include "core/field.h"
#include "core/parallel.h"

// Blurs `from` into `to`, another field of its size, with a standard deviation of `sigma` cells: with the
// Gaussian itself if `exact` (sigma is at most GAUSSIAN_SIGMA_MAX), otherwise with three box means, whose
// time does not depend on sigma. Where edges do not meet, only cells that exist count.
Status soften(const Run *run, const Field *from, Field *to, double sigma, bool exact, bool wraps,
              Error *error);

// How far away it reads heights, in cells, or SEES_ALL (core/operation.h).
int soften_reach(double sigma, bool exact);

#endif
