// Lakes fill with what streams bring. What settles in a lake is missing in those below.

#ifndef ESKER_LAKE_FILL_H
#define ESKER_LAKE_FILL_H

#include "erosion/stream_level.h"

// Raises the ground of lakes, after a round and before anything else has used `water`. A lake gets
// `deposition` times what its streams carry.
Status lakes_fill(const Run *run, StreamLevel *level, float deposition, Error *error);

#endif
