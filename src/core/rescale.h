// Scales heights to a range, for the generators, whose heights span 0 … 1, and for `normalize`.

#ifndef ESKER_RESCALE_H
#define ESKER_RESCALE_H

#include "core/field.h"
#include "core/parallel.h"

// Scales `field` in place so that its lowest height becomes `low` and its highest `high`; a constant field
// becomes `low`.
Status field_rescale(const Run *run, Field *field, double low, double high, Error *error);

#endif
