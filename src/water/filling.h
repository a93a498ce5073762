// Fills the pits of a heightfield to the height at which they spill, in linear time.
//
// Cells that run down into the same pit are a basin. A cell's water leaves over no lower point than its
// basin's does, so that the filled height of a cell is the greater of its own and its basin's level
// (spills.h). Basins are found in bands of rows, each on its own: a band's edges make pits that are none, and
// these spill into the next band at once. Only basins along those edges are joined on one thread (the
// division is that of Barnes 2016, "Parallel priority-flood depression filling for trillion cell digital
// elevation models on desktops or clusters", whose tiles flood instead).

#ifndef ESKER_FILLING_H
#define ESKER_FILLING_H

#include "core/error.h"
#include "core/field.h"
#include "core/parallel.h"
#include "water/spills.h"

// From every cell of `filled`, whose cells are there already, a path that never rises leads to the border or
// to a cell below `sea`. No cell is higher than that requires.
Status fill_to_spills(const Run *run, const Field *height, float sea, Field *filled, Error *error);

// Some rows of a larger field, which goes on beyond open edges. Basins along these are keys: 0 are those that
// reach the border or the sea within the part, others have numbers from 1. The part is filled twice: first
// to find the keys and the spills between them; then, once the levels of keys are known from all parts, the
// cells.
typedef struct FillPart {
    bool open_top, open_bottom;
    uint32_t *top, *bottom; // for each cell of an open edge its key
    uint32_t key_count;     // without 0
    SpillList spills;       // between keys; has room for as many as there are cells along open edges
    const float *levels;    // of keys, from 1 on; NULL: not known yet
    Field *filled;          // its cells are there; NULL: not yet
} FillPart;

Status fill_part(const Run *run, const Field *height, float sea, FillPart *part, Error *error);

#endif
