// Selects the points of a field that a mesh of any triangles needs to stay within an error of the field.

#ifndef ESKER_DELAUNAY_H
#define ESKER_DELAUNAY_H

#include "mesh/refinement.h"

typedef struct Delaunay Delaunay;

// Freed by delaunay_free; NULL after a failure. Uses about 60 bytes for each triangle.
Status delaunay_create(Delaunay **delaunay, const Run *run, const Field *field, double max_error,
                       Error *error);

void delaunay_free(Delaunay *delaunay);

// Calls `triangle` for each, corners clockwise with y down.
void delaunay_walk(const Delaunay *delaunay, void (*triangle)(void *context, const GridPoint corners[3]),
                   void *context);

#endif
