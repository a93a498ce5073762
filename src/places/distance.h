// The exact Euclidean distance transform.

#ifndef ESKER_DISTANCE_H
#define ESKER_DISTANCE_H

#include "core/field.h"
#include "core/parallel.h"

// For each cell the squared distance, in widths of a cell, which is `tall` times as high, between its centre
// and that of the nearest cell whose mask is above `threshold` (or, `outside`, is not). Where there is none,
// `distance_limit` squared.
Status distance_transform(const Run *run, const Field *mask, double tall, float threshold, bool outside,
                          bool to_border, bool wraps, Field *squared, Error *error);

// The same where rows differ on the ground, as in degrees: `rows` has each row's sides, in whose unit the
// distances are. A cell's nearest one is found by the sides of its own row, and its distance measured by
// those of the row between the two.
Status distance_by_rows(const Run *run, const Field *mask, const CellShape *rows, float threshold,
                        bool outside, bool to_border, Field *squared, Error *error);

// A distance, in cells, that no two cells have.
static inline float distance_limit(const Field *field) {
    return (float)field->width + (float)field->height;
}

#endif
