// The mean over a square around each cell, in time that does not depend on its size.

#ifndef ESKER_BOX_MEAN_H
#define ESKER_BOX_MEAN_H

#include "core/field.h"
#include "core/parallel.h"

// Means over small squares, whose cells are added one by one: quicker than a running sum, and each cell's
// mean depends on no cells but its own.
#define BOX_SMALL_RADIUS 4 // radii below this are small
enum { BOX_SMALL_MEANS = 3 };

// Sets each cell of `to`, which has the size of `from` and may be the same field, to the mean of the cells of
// `from` at most `radius` columns and rows away; the next cells get the fraction of the radius as weight
// (with 2.25, cells three away have weight a quarter). Repeats this `means` times, each on the result before.
// If `wraps`, the field repeats without end, so that a large square counts its cells several times; otherwise
// only cells that exist count, with the weights that they have in all means together.
Status box_mean(const Run *run, const Field *from, Field *to, double radius, int means, bool wraps,
                Error *error);

// box_mean with one mean over the cells that have data, into another field; results in gaps mean nothing.
Status data_mean(const Run *run, const Field *from, Field *to, double radius, bool wraps, Error *error);

// How many columns and rows away a mean reads cells, or SEES_ALL (core/operation.h) if it uses a running sum.
int box_mean_reach(double radius, int means);

#endif
