// The spills between leaves: the lowest over which the water of one reaches the next.

#ifndef ESKER_BASIN_RIMS_H
#define ESKER_BASIN_RIMS_H

#include "core/error.h"
#include "core/field.h"
#include "core/parallel.h"
#include "water/pit_basins.h"
#include "water/spills.h"

// Lists the spills of a minimum spanning forest of leaves, from the lowest; a spill's `basin` are cells here,
// for the outlet. Of equal heights the one with the lower side comes first: water that has several ways takes
// the lowest. Then that which rows meet first, from the last that a slot held on (basin_rims.c). `list` has its
// scratch and is freed by the caller, both also after a failure.
Status rims_find(const Run *run, const Field *height, const Leaves *leaves, SpillList *list, Error *error);

#endif
