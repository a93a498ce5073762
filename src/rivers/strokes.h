// Draws lines into a field: the share of each cell that they cover.

#ifndef ESKER_STROKES_H
#define ESKER_STROKES_H

#include "rivers/network.h"

// Draws a line from a to b, in cells, with round ends; where lines cross, the maximum counts. A line
// narrower than a cell is fainter instead. On a field whose edges meet, lines go on beyond them.
void stroke_line(Field *cover, Vec2 a, Vec2 b, double width);

// Draws all reaches at their width times `scale`, at least `least`. Each reach has the width of its upper
// end: a tributary keeps its width up to its confluence.
void stroke_reaches(Field *cover, const RiverNetwork *network, double scale, double least);

// The same on land, with the network's cells: cells more than `bank` above the water stay dry.
void stroke_water(Field *cover, const RiverNetwork *network, const Field *land, float bank);

#endif
