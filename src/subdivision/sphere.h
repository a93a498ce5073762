// A sphere: the 48 scalene faces of a disdyakis dodecahedron (Mogensen and Isenbecker 2025, section 6), blown
// up to the unit sphere and cut at the middle of the longest edge. The paper's cut of scalene triangles
// cracks; where an edge is cut, and whether, depends here on the edge alone, so that all faces fit together
// at the end.

#ifndef ESKER_SPHERE_H
#define ESKER_SPHERE_H

#include "subdivision/river_map.h"

typedef struct Place3 { // on the unit sphere; y points to the north
    double x, y, z;
} Place3;

// Edge i lies between vertices i and i + 1; `forwards`: out of the facet. Altitudes are in units of
// 2^-FIXED_BITS.
typedef struct Facet {
    Place3 places[3];
    Vertex vertices[3];
    Crossing edges[3];
    double longest; // squared
    int cut;        // the edge that is the longest
} Facet;

enum { SPHERE_FACES = 48 };

// The faces of the whole map, with rivers across their borders: each face drains over the edge to its lowest
// neighbour, wherever that way leads to the sea.
void sphere_faces(const RiverMap *map, Facet faces[SPHERE_FACES]);

// Which of them holds a direction.
int sphere_face_at(Place3 at);

void facet_cut(const Constants *constants, const Facet *facet, Facet halves[2]);

// Six times the volume of (a, b, p) and the centre, with the sign of the side on which p lies; the same bits
// but for the sign when a and b change places.
double facet_side(Place3 a, Place3 b, Place3 p);

#endif
