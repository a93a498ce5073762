// Pits drain over their lowest pass (Cordonnier, Bovy and Braun 2019, "A versatile, linear complexity
// algorithm for flow routing in topographies with depressions"): cells that drain into the same pit are a
// basin; basins are joined over their passes, the lowest first, until all drain to an outlet; within a basin
// the way from the pass to the pit is turned around.

#ifndef ESKER_BASIN_GRAPH_H
#define ESKER_BASIN_GRAPH_H

#include "water/drainage_tree.h"

// Changes receivers so that following them leads to an outlet from everywhere. Uses `order` meanwhile.
// Which pits are outlets: see drainage_tree_find.
Status basin_graph_drain(const Run *run, DrainageTree *tree, const float *ground, float sea, Error *error);

#endif
