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

// Scales `count` cells of `from` into `to`, which may be the same.
void scale_cells(const Scaling *scaling, const float *from, float *to, int count);

// Scales all cells of a field into another one of its size or the same; fails when stopped.
Status field_scale_by(const Run *run, const Field *from, Field *to, const Scaling *scaling);

// Scales `from` into `to`, which may be the same, so that its lowest height becomes `low` and its highest
// `high`; a constant field becomes `low`.
Status field_rescale(const Run *run, const Field *from, Field *to, double low, double high, Error *error);

#endif
