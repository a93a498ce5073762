// Resampling of fields of which only some rows are in memory at a time: the bits are those of `resize`.

#ifndef ESKER_RESIZE_H
#define ESKER_RESIZE_H

#include "core/field.h"
#include "core/parallel.h"
#include "filter/resample.h"

typedef struct Resize { // the parameters of the operation
    int size, width, height, interpolation;
    double scale;
} Resize;

// The sides of the result; only the size of `from` matters.
Status resize_sides(const Resize *resize, const Field *from, int *width, int *height, Error *error);

// The rows `*top` … `*bottom` - 1 that make rows `first` … `end` - 1 of the result; `down` does not wrap.
void resize_needs(const Axis *down, int first, int end, int *top, int *bottom);

// Makes these rows of `to`, which has no more columns than `part`: that begins with row `top` of the whole
// and has all rows that they need.
Status resize_part(const Run *run, const Field *part, int top, const Axis *down, Field *to, int first,
                   int end, Error *error);

#endif
