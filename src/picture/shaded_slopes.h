// Which slopes relief shades.

#ifndef ESKER_SHADED_SLOPES_H
#define ESKER_SHADED_SLOPES_H

#include "core/summary.h"

// Cells that a height of 1 is shaded as. In a window of a larger map colours may show the window's own range,
// but slopes are those of the map: of a zoomable one, or where its frame says how high that is, those of the
// ground, on a planet before planet_slopes of cells at the equator; of another, whose side in cells is given
// (otherwise 0), as if its heights were 0 to 1. `chosen`: the user gave the ends of the scale.
double shaded_cells(const Field *height, double side, bool chosen, const HeightScale *scale);

// Tells the user where a window's altitudes have too few digits for the slopes of its cells.
void tell_if_woven(const Field *height, const HeightScale *scale, double cells, Error *notice);

#endif
