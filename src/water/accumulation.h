// Counts the cells that drain through each cell (D8 without rain): whole numbers, whose sums are exact in any
// order. Bands of rows are counted each on its own; each also finds for what enters it where that leaves.
// Then the sums are joined over the crossings of edges alone, and each band adds what enters it along its way
// (Barnes 2017, "Parallel non-divergent flow accumulation for trillion cell digital elevation models on
// desktops or clusters", adds it by counting once more).

#ifndef ESKER_ACCUMULATION_H
#define ESKER_ACCUMULATION_H

#include "core/error.h"
#include "core/field.h"
#include "core/parallel.h"

#include <stdint.h>

// Fills `sum`, whose cells are there already, for directions as in drainage.h. Requires fewer than 2^32
// cells.
Status count_cells_above(const Run *run, const uint8_t *direction, Field *sum, Error *error);

#endif
