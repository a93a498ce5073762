// Basins of a band of rows: what runs down into the same cell.

#ifndef ESKER_DOWNHILL_H
#define ESKER_DOWNHILL_H

#include <stdint.h>

// Marks labels: the number of a cell's basin in its band, with this bit. Others are places of lower cells.
#define BASIN_FOUND UINT32_C(0x80000000)

// Points each cell of a row to its lowest neighbour, of equal ones to the last that comes before it, or to
// itself. `place` is that of the row in its band; one that lies outside wraps round. Ends of the row and
// cells below `sea` are outlets: BASIN_FOUND.
void point_downhill(const float *up, const float *row, const float *down, uint32_t *label, int width,
                    uint32_t place, float sea);

// Follows the cells of a band downhill and labels them; basins are numbered as they are met, from 1. 0 are
// outlets. Returns the number of basins, with 0.
uint32_t label_downhill(uint32_t *label, uint32_t cells);

#endif
