// The cells of a planet: six square grids, the faces of a cube. A cell beyond an edge of a face is a cell of
// the adjacent face, whose columns and rows may be rotated.

#ifndef ESKER_CUBE_H
#define ESKER_CUBE_H

#include "core/error.h"
#include "core/vector.h"
#include "core/whole.h"

#include <stdbool.h>
#include <stdint.h>

enum { CUBE_FACES = 6, CUBE_EDGES = 4 }; // front, right, back, left, top, bottom; right, lower, left, upper

typedef struct CubeCell {
    int face;
    Int128 x, y;
    int turn; // rotation of directions since the original face, in clockwise quarter turns
} CubeCell;

// Moves a cell beyond an edge of its face (by less than `side`, the cells along a face's side) to the
// adjacent face. Returns false for a cell beyond two edges: no face contains it.
bool cube_resolve(Int128 side, CubeCell *cell);

// The opposite: moves a cell of a face beside `face` to where it lies beyond the edge of that; false: the two
// have no edge in common. The turn is the one of directions from `face`.
bool cube_unfold(Int128 side, int face, CubeCell *cell);

// Rotates a direction (water/drainage.h) by clockwise quarter turns.
static inline int turned_direction(int direction, int quarters) {
    return (direction + 2 * quarters) & 7;
}

// --- places ------------------------------------------------------------------------------------------------

// The grids of the faces (docs/land-shapes.md): equal angles, 0 … `side` cells to the right and down.
typedef struct CubePlace {
    int face;
    double x, y;
    double across, down; // lengths of a cell's sides there, against those in the middle of a face
} CubePlace;

// The place on the grid of a direction from the planet's middle, in the cube's axes.
CubePlace cube_place(double side, Vec3 at);

// The opposite; the place may lie a little beyond an edge of its face.
Vec3 cube_direction(double side, int face, double x, double y);

// The same through the place whose distances from a face's middle are parts of that out of it.
Vec3 cube_through(int face, double right, double down);

// A direction in a face's axes: to the right, down and out of it.
Vec3 cube_seen(int face, Vec3 at);

// --- halos -------------------------------------------------------------------------------------------------

// Patches of a planet's faces are stacked vertically in one level's arrays. Each has a halo: cells of the
// adjacent faces around it. After each step the halos are copied from those faces, with directions rotated.
// So every cell is computed on its own face only, and all windows agree bit for bit.

enum { HALO = 8 }; // width of a halo in cells; no step reaches further between two exchanges

// Where a patch lies: `height` rows of the arrays from `row` on, over their whole width.
typedef struct PatchPlace {
    int face;
    Int128 x, y; // on the face, of its first cell, which belongs to the halo
    int height, row;
} PatchPlace;

// The missing cell beyond a corner of the cube: it gets the mean of the two cells beside it.
typedef struct SeamCorner {
    int to, beside, above;
} SeamCorner;

typedef struct Seams {
    int *to[4], *from[4]; // cells to copy, indexed by the quarter turns of directions from `from` to `to`
    int count[4];
    SeamCorner *corners;
    int corner_count;
} Seams;

// Finds the seams between patches. `side`: cells along a face's side.
Status seams_between(Seams *seams, const PatchPlace *patches, int count, int width, Int128 side,
                     Error *error);
void seams_free(Seams *seams);

// Copy one array into the halos. `beyond`: the value of the missing cells beyond corners.
void seams_exchange_altitudes(const Seams *seams, int32_t *cells);
void seams_exchange_floats(const Seams *seams, float *cells);
void seams_exchange_counts(const Seams *seams, uint16_t *cells, uint16_t beyond);
void seams_exchange_flow(const Seams *seams, uint16_t *cells, uint16_t beyond); // land/drain.h
void seams_exchange_directions(const Seams *seams, uint16_t *cells, uint16_t beyond);
void seams_exchange_receivers(const Seams *seams, uint8_t *cells, uint8_t beyond);
void seams_exchange_marks(const Seams *seams, uint8_t *cells);

// Indices of children (land/inherit.c) in row order; other values are copied unchanged.
void seams_exchange_children(const Seams *seams, uint8_t *cells, uint8_t beyond);

// Detours of diagonal steps (land/inherit.c).
void seams_exchange_detours(const Seams *seams, uint8_t *cells);

#endif
