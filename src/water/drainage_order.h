// The cells of a drainage tree in an order, and passes in it. Bands of rows are put in order each on its own:
// all cells but those into which water comes from another band, through whichever cells, and those at which
// these are entered. What is left of some bands is put in order as one band, until one has all rows: only the
// largest rivers wait for others on one thread.
//
// A cell's donors come in the order of the last cells, row by row, that have no donors and drain through
// them. So sums are added in the same order however high the bands are.

#ifndef ESKER_DRAINAGE_ORDER_H
#define ESKER_DRAINAGE_ORDER_H

#include "water/drainage_tree.h"

// Finds the order once all receivers are known.
Status drainage_order_find(const Run *run, DrainageTree *tree, Error *error);

// Passes over some cells, which touches these and their receivers.
typedef void CellsBody(void *context, const uint32_t *cells, size_t count);

// From all cells to those that they drain into: each cell after its donors. The body takes its cells from the
// first to the last. The cost of a cell is in nanoseconds.
Status drainage_order_down(const Run *run, const DrainageTree *tree, double cost, CellsBody *body,
                           void *context);

// From outlets up: each cell after its receiver. The body takes its cells from the last to the first.
Status drainage_order_up(const Run *run, const DrainageTree *tree, double cost, CellsBody *body,
                         void *context);

#endif
