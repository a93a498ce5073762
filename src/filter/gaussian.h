// Convolution with a sampled Gaussian.

#ifndef ESKER_GAUSSIAN_H
#define ESKER_GAUSSIAN_H

#include "core/field.h"
#include "core/parallel.h"

enum { GAUSSIAN_SIGMA_MAX = 1024 }; // cells

// How far away the convolution reads heights, in cells.
int gaussian_reach(double sigma);

// Replaces a field by its convolution; sigma in cells, 0 … GAUSSIAN_SIGMA_MAX. Where edges do not meet, only
// cells that exist count.
Status gaussian(const Run *run, Field *field, double sigma, bool wraps, Error *error);

#endif
