// The steepest descent of each cell, and flow accumulation on free ground: the two loops that erosion and
// the final drainage share. Altitudes are multiplied by 4. The two low bits hold a direction, so the maximum
// of several falls carries its direction with it. Cardinal and diagonal neighbours are compared separately.

#ifndef ESKER_DRAIN_H
#define ESKER_DRAIN_H

#include "core/kernel.h"

#include <stddef.h>
#include <stdint.h>

enum { FALLS_NOWHERE = 8 }; // added to a direction in which the ground does not fall

// Sets for `count` cells the direction of steepest descent (of the smallest rise in a pit), and the fall in
// units. `stride`: cells between rows of `quarters`.
void find_falls(const int32_t *quarters, ptrdiff_t stride, int count, int32_t *fall, int32_t *direction);

// Packed flow: the low bits hold the direction, the others the number of cells that drain through the cell.
enum { FLOW_DIRECTION = 15, FLOW_CELL = 16 };

// One iteration of flow accumulation: 1 for the cell itself plus the previous flow of its donors. Directions
// do not change.
void gather_flow(const uint16_t *flow, ptrdiff_t stride, int count, uint16_t *gathered);

#endif
