// A pixel's altitude as a mean of cells.

#ifndef ESKER_CELL_WEIGHTS_H
#define ESKER_CELL_WEIGHTS_H

// Weights, which add up to 1, of `count` cells around a place: by a cubic (Catmull and Rom 1974) stretched to
// the size of a pixel, of which a cell is `cell`. `first`: the place, from the middle of the first.
void weigh_cells(float *weights, int count, float first, float cell);

#endif
