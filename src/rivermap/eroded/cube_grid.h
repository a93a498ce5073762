// The grids of a cube's faces around a planet (docs/endless-land.md): equal angles, 0 … `side` cells to the
// right and down. Faces are numbered as in land/cube.h.

#ifndef ESKER_CUBE_GRID_H
#define ESKER_CUBE_GRID_H

#include "core/vector.h"

typedef struct GridPlace {
    int face;
    double x, y;
    double across, down; // lengths of a cell's sides there, against those in the middle of a face
} GridPlace;

// The place on the grid of a direction from the planet's middle. `axes`: of the cube, on the planet.
GridPlace grid_place(const Vec3 axes[3], double side, Vec3 at);

// The opposite; the place may lie a little beyond an edge of its face.
Vec3 place_on_planet(const Vec3 axes[3], double side, int face, double x, double y);

#endif
