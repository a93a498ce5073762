// The arms of deltas (land/root_deltas.c). Drainage is a tree, in which a river has one arm; the others are
// drawn, like streams, from the apex to the sea.

#ifndef ESKER_RIVER_ARMS_H
#define ESKER_RIVER_ARMS_H

#include "rivermap/eroded/river_courses.h"

typedef struct RiverArms {
    Stream *at; // with no cells
    int count;
} RiverArms;

// Those that an atlas's view may show, in pieces. Freed by river_arms_free, also if it fails.
Status river_arms_find(const Atlas *atlas, RiverArms *arms, Error *error);
void river_arms_free(RiverArms *arms);

#endif
