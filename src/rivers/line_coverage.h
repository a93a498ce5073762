// Draws lines into a field: the share of each cell that they cover.

#ifndef ESKER_LINE_COVERAGE_H
#define ESKER_LINE_COVERAGE_H

#include "core/parallel.h"
#include "rivers/network.h"

// Draws a line from a to b, in cells, with round ends; where lines cross, the maximum counts. A line
// narrower than a cell is fainter instead. On a field whose edges meet, lines go on beyond them.
void stroke_line(Field *cover, Vec2 a, Vec2 b, double width);

// Each reach has the width of its upper end: a tributary keeps its width up to its confluence.
typedef struct Strokes {
    const RiverNetwork *network;
    double scale;      // cells of the field for each of the network's
    double least;      // width, in cells
    const Field *land; // cells more than `bank` above the water stay dry; NULL: none
    float bank;
} Strokes;

// Sets a whole field to what all reaches cover.
Status stroke_network(const Run *run, Field *cover, const Strokes *strokes, Error *error);

#endif
