// The ground of one of Azgaar's maps, as a guide of a zoomable map: a square grid of heights in metres. Its
// outermost cells lie on the border of the square, in whose middle the map is; the rest is sea.

#ifndef ESKER_AZGAAR_GROUND_H
#define ESKER_AZGAAR_GROUND_H

#include "core/field.h"
#include "core/parallel.h"
#include "vectors/azgaar.h"

typedef struct AzgaarGround {
    const Azgaar *map;
    double side;              // of the square, in metres
    double pixels, left, top; // of its side; from its corner to the map's
    bool continued;           // beyond the map its border goes on, instead of sea
    int *lakes;               // of each cell the index of its lake in the map's features; -1: none
    double *water;            // of each feature the altitude of its water, if it is a lake,
    int *outlets;             // and the cell of it from which a river leaves it; -1: none
} AzgaarGround;

// `side`: metres of the map's longer side; NAN: as the map says. Fails with STATUS_INVALID where it does not.
// Freed by azgaar_ground_free, also after a failure.
Status azgaar_ground_create(AzgaarGround *ground, const Azgaar *map, double side, bool continued,
                            Error *error);
void azgaar_ground_free(AzgaarGround *ground);

// How many cells a guide's side has: a power of two and one, so that each cell of the map has several.
int azgaar_guide_side(const Azgaar *map);

// Makes the heights, and of each cell of the grid the cell of the map that it lies in, -1 outside. The caller
// frees both.
Status azgaar_guide(const AzgaarGround *ground, int side, Field *heights, int **cells, Error *error);

// The altitude of a cell of the map.
double azgaar_altitude(const AzgaarGround *ground, int cell);

// A place in shares of the square.
AzgaarPlace azgaar_share(const AzgaarGround *ground, AzgaarPlace pixel);

// Of a window of the whole square in `width` × `width` cells, with its outermost cells' edges or, `centred`,
// their centres on its border.
Frame azgaar_frame(const AzgaarGround *ground, int width, bool centred);

#endif
