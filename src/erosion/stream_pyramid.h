// The levels of stream erosion: each has half the sides of the one before, rounded up, and means of its
// cells.

#ifndef ESKER_STREAM_PYRAMID_H
#define ESKER_STREAM_PYRAMID_H

#include "core/field.h"
#include "erosion/stream_level.h"

enum { STREAM_LEVELS_MAX = 17 };

typedef struct StreamInput {
    const Field *height, *rain, *mask; // rain and mask may be NULL
    const Field *uplift_map;           // may be NULL
    float uplift;                      // until age 1
    bool wraps;
} StreamInput;

// Sets the start of all land of the finest level to `base`, or if that is NULL to the given heights, raised
// for some time.
Status stream_level_raise(const Run *run, StreamLevel *level, const StreamInput *input, const float *base,
                          float time);

typedef struct StreamPyramid {
    StreamLevel levels[STREAM_LEVELS_MAX]; // the finest first
    int count;
} StreamPyramid;

// The finest level alone: the given land, raised for the time of the rule, as start and as ground. Land below
// the rule's sea level is sea, on each level by its own heights. Freed by stream_pyramid_free, also after a
// failure.
Status stream_pyramid_create(const Run *run, StreamPyramid *pyramid, const StreamInput *input,
                             const StreamRule *rule, Error *error);
void stream_pyramid_free(StreamPyramid *pyramid);

// Finds how water runs on the land that the rule makes of the given one, from the coarsest level to the
// finest, which alone is left: its tree and its flow. Keeps the finest level's `room`. Sediment plays no
// part: with it, large rivers would change their course from round to round.
Status stream_pyramid_drain(const Run *run, StreamPyramid *pyramid, const StreamInput *input,
                            const StreamRule *rule, Error *error);

#endif
