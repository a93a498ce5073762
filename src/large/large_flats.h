// Flats that reach across strips: as in memory (water/flats.h), over cells on disk.

#ifndef ESKER_LARGE_FLATS_H
#define ESKER_LARGE_FLATS_H

#include "large/large.h"

#include <stdbool.h>

typedef struct LargeFlats {
    const Plane *filled;
    Plane *direction; // UNSEEN and above: of cells that are to get one
    float sea, lowest;
    const bool *unsettled; // of each row: whether it has such cells
} LargeFlats;

Status large_flats(const Run *run, const LargeFlats *flats, Error *error);

#endif
