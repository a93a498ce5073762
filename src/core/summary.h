// Minimum, maximum, mean, standard deviation and sum of a field, to the same bits for any number of threads:
// eight lanes a row, added in a fixed order, one partial a row.

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

#endif
