// Forms of edits on levels finer than those that they enter. There they ask for slopes alone, which change
// little from cell to cell: forms are asked at cells as far apart as those of the level that the edit enters,
// and are linear between. The lattice lies on the grid of a face, so windows agree.

#ifndef ESKER_EDIT_LATTICE_H
#define ESKER_EDIT_LATTICE_H

#include "land/edit_wishes.h"

// One edit in a row of the level, from the rows of the lattice above and below that.
typedef struct LatticeRows {
    int bits;          // a step of the lattice is 1 << bits cells
    int face;          // of the rows; -1: none are known
    Int128 row, first; // of the lattice: the row above, and the column of the first form
    int count, room;   // forms of a row
    int begin, end;    // columns of the level that the edit may change in its row
    EditForm *forms;   // above, below and in the row; NULL: the edit is asked at each cell
} LatticeRows;

// One for each edit of a level; NULL if memory runs out.
LatticeRows *lattice_new(const LocalEdits *local, Error *error);
void lattice_free(LatticeRows *lattice, int count); // NULL is allowed

// Finds the forms of those that a row of the level meets.
void lattice_find_row(const LocalEdits *local, const RowEdits *row);

// Whether forms on the lattice are all that a row meets. Then their slopes may be added edit by edit, the
// last one first, as wish_at() does cell by cell: what it says of `steep` and `sunk` in the row's columns.
bool lattice_has_all(const LocalEdits *local, const RowEdits *row);
void lattice_add_slopes(const LocalEdits *local, const RowEdits *row, EditSlope *slopes);

EditForm lattice_form(const LatticeRows *rows, const FaceRow *at, int column);

#endif
