// The spills between the basins of a row of a field and of the next one.

#ifndef ESKER_ROW_SPILLS_H
#define ESKER_ROW_SPILLS_H

#include "water/downhill.h"
#include "water/spills.h"

// Ways between a cell, its right neighbour and those below the two. A diagonal way is needed only where the
// other two of the four cells are higher.
enum { BESIDE = 1, BELOW = 2, FALLING = 4, RISING = 8 };

// Two rows of a field, one below the other, whose basins count from `own` and `below`.
typedef struct RowPair {
    const float *row, *down;
    const uint32_t *label, *under;
    uint32_t own, below;
} RowPair;

// Notes the spills of the ways in `ways`, for each cell of the rows. Requires room for four a cell.
void note_row_spills(SeenSpills *seen, SpillList *list, const RowPair *at, int width, int ways);

#endif
