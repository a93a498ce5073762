// Draws lines into a field: the share of each cell that they cover.

#ifndef ESKER_STROKES_H
#define ESKER_STROKES_H

#include "core/parallel.h"
#include "rivers/network.h"

// Draws a line from a to b, in cells, with round ends; where lines cross, the maximum counts. A line
// narrower than a cell is fainter instead. On a field whose edges meet, lines go on beyond them.
void stroke_line(Field *cover, Vec2 a, Vec2 b, double width);

// Draws all reaches at their width times `scale`, at least `least`. Each reach has the width of its upper
// end: a tributary keeps its width up to its confluence.
void stroke_reaches(Field *cover, const RiverNetwork *network, double scale, double least);

// Sets a whole field to the water on land, with the network's cells, at least a cell wide: cells more than
// `bank` above the water stay dry.
Status stroke_water(const Run *run, Field *cover, const RiverNetwork *network, const Field *land, float bank);

#endif
