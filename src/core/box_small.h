// Means over small squares, whose cells are added one by one: quicker than a running sum, and each cell's
// mean depends on no cells but its own.

#ifndef ESKER_BOX_SMALL_H
#define ESKER_BOX_SMALL_H

#include "core/field.h"
#include "core/parallel.h"

#define BOX_SMALL_RADIUS 4 // radii below this are small
enum { BOX_SMALL_MEANS = 3 };

// box_mean for small radii and few means.
Status box_mean_small(const Run *run, const Field *from, Field *to, double radius, int means, bool wraps,
                      Error *error);

// What to multiply the means of a line by whose cells have no weight but count as 0 beyond its ends, so that
// only the cells that exist count; a number for each cell, to be freed. 1 away from the ends, the same for a
// mirrored line.
double *box_scales(int cells, double radius, int means, Error *error);

#endif
