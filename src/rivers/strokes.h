// Draws lines into a field: the share of each cell that they cover.

#ifndef ESKER_STROKES_H
#define ESKER_STROKES_H

#include "rivers/network.h"

// From a to b, in cells, with round ends; the most counts where lines cross. A line thinner than a cell is as
// much fainter instead.
void stroke_line(Field *cover, Vec2 a, Vec2 b, double width);

// All reaches, as wide as they are times `scale`, `least` or more. As wide as at the upper end: a tributary
// keeps its width where it joins.
void stroke_reaches(Field *cover, const RiverNetwork *network, double scale, double least);

// The same on land, a cell for each of the network's: cells higher than `bank` above the water stay dry.
void stroke_water(Field *cover, const RiverNetwork *network, const Field *land, float bank);

#endif
