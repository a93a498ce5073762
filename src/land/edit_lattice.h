// Forms of edits on levels finer than those that they enter. There they ask for slopes alone, which change
// little from cell to cell: forms are asked at cells as far apart as those of the level that the edit enters,
// and are linear between. The lattice lies on the grid of a face, so windows agree.

#ifndef ESKER_EDIT_LATTICE_H
#define ESKER_EDIT_LATTICE_H

#include "land/edits.h"

#include "core/whole.h"

// One edit in a row of the level, from the rows of the lattice above and below that.
typedef struct LatticeRows {
    int bits;          // a step of the lattice is 1 << bits cells
    int face;          // of the rows; -1: none are known
    Int128 row, first; // of the lattice: the row above, and the column of the first form
    int count, room;   // forms of a row
    int begin, end;    // columns of the level that the edit may change in its row
    EditForm *forms;   // above, below and in the row; NULL: the edit is asked at each cell
} LatticeRows;

// `x`: the column of its face in which a cell lies.
EditForm lattice_form(const LatticeRows *rows, Int128 x, int column);

// Of two forms; and the share of a step by which a cell lies beyond the lattice's.
EditForm form_between(const EditForm *a, const EditForm *b, double share);
double lattice_beyond(const LatticeRows *rows, Int128 cell);

#endif
