// Minimum, maximum, mean, standard deviation and sum of a field, to the same bits for any number of threads:
// in lanes along a row, added in a fixed order, one partial a row.

#ifndef ESKER_SUMMARY_H
#define ESKER_SUMMARY_H

#include "core/field.h"
#include "core/parallel.h"

typedef struct Summary {
    double min, max, mean, stddev, sum;
} Summary;

// stddev is that of the whole population (divided by the number of cells). Fails for want of memory (one
// small record a row) or when stopped.
Status field_summarise(const Run *run, const Field *field, Summary *summary, Error *error);

// Minimum and maximum only, in a third of the time; fails in the same ways.
Status field_range(const Run *run, const Field *field, double *min, double *max, Error *error);

// The heights that the ends of a scale stand for. `low` and `high` stay as given unless both are 0, which
// means not given: then 0 and 1, and as far beyond as the heights go, so that a height looks alike in
// every picture; or the field's own range where all of it lies above 1 or below -1, which are other units.
// Fails with STATUS_INVALID unless a given high is above low.
Status field_scale(const Run *run, const Field *field, double *low, double *high, Error *error);

#endif
