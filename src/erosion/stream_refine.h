// From a level of stream erosion to the next finer one.

#ifndef ESKER_STREAM_REFINE_H
#define ESKER_STREAM_REFINE_H

#include "erosion/stream_level.h"

// Sets the ground of `fine` to the eroded one of `coarse`, with what is left of its own detail, and the
// receivers that it keeps (see drainage_tree_find) to the ways of all coarse streams. Uses its flow.
Status stream_refine(const Run *run, const StreamLevel *fine, const StreamLevel *coarse,
                     const StreamRule *rule);

#endif
