// Which neighbour each cell falls to most steeply, and what free ground drains: the two loops that erosion
// and the final drainage share. Altitudes are in quarters of a unit: in the two bits below stands a
// direction, so that of falls the greatest brings its direction along. Cardinal neighbours and diagonal ones
// are compared apart.

#ifndef ESKER_FALLS_H
#define ESKER_FALLS_H

#include "core/kernel.h"

#include <stddef.h>
#include <stdint.h>

enum { FALLS_NOWHERE = 8 }; // added to a direction in which the ground does not fall

// Of `count` cells: the direction of the steepest fall, or of the least rise, and the fall in units.
// `stride`: from a row of quarters to the next.
void find_falls(const int32_t *quarters, ptrdiff_t stride, int count, int32_t *fall, int32_t *direction);

// What flows through a cell, in cells that drain through it, and above all directions where to.
enum { FLOW_DIRECTION = 15, FLOW_CELL = 16 };

// A step of discharge: a cell for itself, and what those that flow towards it drained before. Directions
// stay.
void gather_flow(const uint16_t *flow, ptrdiff_t stride, int count, uint16_t *gathered);

#endif
