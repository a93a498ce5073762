// Lakes fill with what streams bring, up to plains that fall gently to the outlet, and fans at their edges.
// What settles in a lake is missing in those below.

#ifndef ESKER_LAKE_FILL_H
#define ESKER_LAKE_FILL_H

#include "erosion/stream_level.h"

// Raises the ground of lakes, whose drainage is that of the ground. A lake gets the rule's deposition times
// what its streams carry. Uses `room`, and finds the drainage of what comes out.
Status lakes_fill(const Run *run, StreamLevel *level, const StreamRule *rule, Error *error);

#endif
