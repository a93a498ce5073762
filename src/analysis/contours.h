// Contours of fields of which only some rows are in memory at a time.

#ifndef ESKER_CONTOURS_H
#define ESKER_CONTOURS_H

#include "analysis/contour_lines.h"
#include "core/operation.h"

typedef struct Level {
    float height;
    bool index; // drawn thicker
} Level;

typedef struct Levels {
    Level *at;
    int count;
} Levels;

// How lines are drawn.
typedef struct ContourStyle {
    int smooth;  // how often corners are cut
    double line; // their width
} ContourStyle;

// The network of the lines through these squares of a field of this size, without a frame. Squares are row by
// row for each level; their order of levels does not matter.
Status contours_of_squares(const Run *run, const ContourSquares *squares, const Levels *levels,
                           ContourStyle style, int width, int height, RiverNetwork **network, Error *error);

// The levels of a field, of which a sample with its lowest and its highest cell is known: how often corners
// are cut, the width of lines, then of each level its height and whether it is an index level. It is no
// operation of recipes.
extern const Operation levels_of_contours;

#endif
