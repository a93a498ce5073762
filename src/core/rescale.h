// Scales heights to a range, for the generators, whose heights span 0 … 1, and for `normalize`.

#ifndef ESKER_RESCALE_H
#define ESKER_RESCALE_H

#include "core/field.h"
#include "core/parallel.h"

// A linear map from one range of heights to another.
typedef struct Scaling {
    float least, range, low, high, bottom, top;
} Scaling;

// The scaling from `least` … `most` to `low` … `high`; all heights become `low` if the first two are equal.
Scaling scaling_to(double least, double most, double low, double high);

// Scales `count` cells in place.
void scale_cells(const Scaling *scaling, float *cells, int count);

// Scales all cells of a field; fails when stopped.
Status field_scale_by(const Run *run, Field *field, const Scaling *scaling);

// Scales `field` in place so that its lowest height becomes `low` and its highest `high`; a constant field
// becomes `low`.
Status field_rescale(const Run *run, Field *field, double low, double high, Error *error);

#endif
