// The horizon of every cell in one direction.

#ifndef ESKER_HORIZON_H
#define ESKER_HORIZON_H

#include "core/field.h"
#include "core/parallel.h"

// Working memory for any number of directions over one field, about twice the size of that; free with
// horizon_free.
typedef struct Horizon {
    const Field *height;
    bool wraps;
    CellShape shape;
    Field turned, turned_tangent; // with rows and columns exchanged, for directions nearer to the rows
    struct Slot *slots;           // one a thread
    int slot_count;
} Horizon;

Status horizon_create(Horizon *horizon, const Run *run, const Field *height, bool wraps, Error *error);
void horizon_free(Horizon *horizon);

// Writes into `tangent` how far the ground rises above each cell in the direction of `azimuth` (degrees
// clockwise from up): the largest (height there - height here) / distance in sides of a cell (frame_cell),
// negative where all
// ground in sight is lower; 0 where no ground lies in that direction. A field that wraps is followed once
// around. Time per cell does not depend on the distance: along each line, the upper convex hull of the
// ground ahead holds all that can be a horizon (Timonen and Westerholm 2010, "Scalable height field
// self-shadowing", section 3).
Status horizon_towards(Horizon *horizon, const Run *run, double azimuth, Field *tangent);

#endif
