// Tetrahedra as cells: many at once (descent.h).

#ifndef ESKER_TETRAHEDRON_CELLS_H
#define ESKER_TETRAHEDRON_CELLS_H

#include "rivermap/planet/descent.h"

extern const CellMethods tetrahedron_cells;

Cell tetrahedron_cell(const Apex corners[4]);

#endif
