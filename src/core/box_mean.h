// The mean over a square around each cell, in time that does not depend on its size.

#ifndef ESKER_BOX_MEAN_H
#define ESKER_BOX_MEAN_H

#include "core/field.h"
#include "core/parallel.h"

// Replaces each cell of `field` by the mean of the cells at most `radius` columns and rows away; those beyond
// count by the fraction of the radius (with 2.25, the cells three away count a quarter). Where `wraps` says
// that edges meet, the field repeats for ever, so that a large square counts its cells several times;
// otherwise the mean is of the cells that exist.
Status box_mean(const Run *run, Field *field, double radius, bool wraps, Error *error);

#endif
