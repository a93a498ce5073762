// The mean over a square around each cell, in time that does not depend on its size.

#ifndef ESKER_BOX_MEAN_H
#define ESKER_BOX_MEAN_H

#include "core/field.h"
#include "core/parallel.h"

// Replaces, `means` times, each cell of `field` by the mean of the cells at most `radius` columns and rows
// away; the next cells get the fraction of the radius as weight (with 2.25, cells three away have weight a
// quarter). If `wraps`, the field repeats without end, so that a large square counts its cells several times;
// otherwise only cells that exist count.
Status box_mean(const Run *run, Field *field, double radius, int means, bool wraps, Error *error);

#endif
