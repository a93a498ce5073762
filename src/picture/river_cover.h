// The share of a patch of ground that is river, from a field with the share of each cell. Close up, where a
// cell is larger than a pixel, the river's line and width are reconstructed from the surrounding cells; far
// away the shares are averaged over squares of cells.

#ifndef ESKER_RIVER_COVER_H
#define ESKER_RIVER_COVER_H

#include "core/error.h"
#include "core/field.h"
#include "core/parallel.h"

enum { COVER_LEVELS = 17 };

typedef struct RiverCover {
    const Field *rivers; // NULL: there are none
    int levels;
    Field means[COVER_LEVELS]; // level k: of squares of 2^k cells a side; level 0 is not stored
} RiverCover;

// The footprint of a pixel on the ground, in cells: a patch around a position, longer in one direction.
typedef struct Patch {
    double x, y;
    double along_x, along_y; // half of its length
    double width;
} Patch;

// `rivers` may be NULL. Freed by river_cover_free, also after a failure.
Status river_cover_create(RiverCover *cover, const Run *run, const Field *rivers, Error *error);

void river_cover_free(RiverCover *cover);

// 0 … 1
double river_cover_at(const RiverCover *cover, const Patch *patch);

#endif
