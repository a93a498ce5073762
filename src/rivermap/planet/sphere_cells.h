// The tiles of a sphere that no river crosses, as cells: many at once (descent.h).

#ifndef ESKER_SPHERE_CELLS_H
#define ESKER_SPHERE_CELLS_H

#include "rivermap/planet/descent.h"
#include "rivermap/tile/tile.h"

extern const CellMethods sphere_cells;

// The plane that separates the halves of a tile, through the cut, the vertex across and the planet's centre;
// towards the half of vertex `end`.
Vec3 sphere_plane(Vec3 cut, Vec3 across, Vec3 end);

// A tile without rivers.
Cell sphere_cell(const Tile *tile);

// The altitude at a place in a cell, in units.
double sphere_altitude(const CutRules *rules, const Cell *cell, Vec3 at);

#endif
