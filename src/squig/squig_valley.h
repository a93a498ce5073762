// Symmetric valleys: the second of the problems that Prusinkiewicz and Hammel leave open.

#ifndef ESKER_SQUIG_VALLEY_H
#define ESKER_SQUIG_VALLEY_H

#include "core/field.h"
#include "core/parallel.h"
#include "squig/squig.h"

typedef struct SquigValley {
    double alt;      // the altitude of water whose `high` is 0
    double slope;    // of the sides, altitude a cell
    double symmetry; // the share of the open valley in `height`, 0 … 1
} SquigValley;

// Opens, in `height`, the valley of the river through the vertices of `squig`'s next level, whose grid the
// fields use. `land` is the landscape without a river; it is overwritten.
Status squig_valley_open(const Run *run, const Squig *squig, SquigValley shape, Field *land, Field *height,
                         Error *error);

#endif
