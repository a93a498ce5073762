// Selects the points of a field that a mesh needs to stay within an error of the field.

#ifndef ESKER_REFINEMENT_H
#define ESKER_REFINEMENT_H

#include "core/field.h"
#include "core/parallel.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Refinement {
    const Field *field;
    int cells;     // of the square of triangles around the field: a power of two
    uint8_t *keep; // of the square's (cells + 1)² points: whether triangles are halved there
} Refinement;

// Freed by refinement_free, also after a failure.
Status refinement_create(Refinement *refinement, const Run *run, const Field *field, double max_error,
                         Error *error);

void refinement_free(Refinement *refinement);

typedef struct GridPoint { // of the square; beyond the field, the field's nearest point is used
    int x, y;
} GridPoint;

// Calls `triangle` for each, corners clockwise with y down; triangles without area are left out.
void refinement_walk(const Refinement *refinement,
                     void (*triangle)(void *context, const GridPoint corners[3]), void *context);

// --- the triangulation -------------------------------------------------------------------------------------

// Selects the points of a field that a mesh of any triangles needs to stay within an error of the field.

typedef struct Delaunay Delaunay;

// Freed by delaunay_free; NULL after a failure. Uses about 60 bytes for each triangle.
Status delaunay_create(Delaunay **delaunay, const Run *run, const Field *field, double max_error,
                       Error *error);

void delaunay_free(Delaunay *delaunay);

// Calls `triangle` for each, corners clockwise with y down.
void delaunay_walk(const Delaunay *delaunay, void (*triangle)(void *context, const GridPoint corners[3]),
                   void *context);

#endif
