// Points on a terrain, each with attributes: trees, rocks, houses.

#ifndef ESKER_POINTS_H
#define ESKER_POINTS_H

#include "core/value.h"
#include "places/attributes.h"
#include "places/shapes.h"
#include "rivers/network.h"

typedef struct PlacePoint {
    double x, y;     // cells, (0, 0) the upper left corner of the first
    float altitude;  // of the ground
    float radius;    // half the distance to others of its species, in cells
    float variation; // a random number of its own, 0 … 1
    int species;     // from 1
} PlacePoint;

typedef struct Points {       // one block of memory, but for the attributes
    int count, width, height; // of the window, in cells
    bool wraps;               // its opposite edges meet
    PlacePoint *at;
    Frame frame;
    Attributes *attributes; // in a block of its own; NULL: none
} Points;

extern const ValueType type_points;

// Room for `count` points, not set yet; NULL if memory runs out. Freed by points_free, which takes NULL.
Points *points_new(int count, Error *error);
void points_free(Points *points);

// The table, which is made if there is none yet; NULL if memory runs out.
Attributes *points_attributes(Points *points, Error *error);

// The points of shapes, each with the attributes of its shape. Those called radius, species and variation are
// those of Esker's own points, too. *made is freed by the caller, also after a failure.
Status points_of_shapes(const Shapes *shapes, Points **made, Error *error);

// The lines that an input stands for: a network itself; of Points a dot of each point's radius; of Lines and
// Polygons their parts. The caller frees *made with memory_free (NULL for a network). NULL if memory runs
// out.
const RiverNetwork *input_lines(const Input *input, RiverNetwork **made, Error *error);

#endif
