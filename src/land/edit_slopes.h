// The slopes that edits ask for on levels finer than those that they enter, row by row (internal to
// src/land).

#ifndef ESKER_EDIT_SLOPES_H
#define ESKER_EDIT_SLOPES_H

#include "land/edit_lattice.h"
#include "land/edit_wishes.h"

// One for each edit of a level; NULL if memory runs out.
LatticeRows *lattice_new(const LocalEdits *local, Error *error);
void lattice_free(LatticeRows *lattice, int count); // NULL is allowed

// Finds the forms of those that a row of the level meets.
void lattice_find_row(const LocalEdits *local, const RowEdits *row);

// Whether forms on the lattice are all that a row meets. Then their slopes may be added edit by edit, the
// last one first, as wish_at() does cell by cell: what it says of `steep` and `sunk` in the row's columns.
bool lattice_has_all(const LocalEdits *local, const RowEdits *row);
void lattice_add_slopes(const LocalEdits *local, const RowEdits *row, double *steep, double *sunk);

#endif
