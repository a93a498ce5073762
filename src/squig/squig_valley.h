// Symmetric valleys: the second of the problems that Prusinkiewicz and Hammel leave open.

#ifndef ESKER_SQUIG_VALLEY_H
#define ESKER_SQUIG_VALLEY_H

#include "core/field.h"
#include "core/parallel.h"
#include "squig/squig.h"

typedef struct SquigValley {
    double alt;      // the altitude of water whose `high` is 0
    double slope;    // of the sides, altitude a cell
    double symmetry; // how much of `height` becomes the open valley, 0 … 1
} SquigValley;

// Opens the valley of the river that runs through the vertices of `squig`'s next level, whose grid the fields
// are, in `height`. `land` is the landscape without a river, and is used up.
Status squig_valley_open(const Run *run, const Squig *squig, SquigValley shape, Field *land, Field *height,
                         Error *error);

#endif
