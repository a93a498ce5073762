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
    float uplift;
    bool wraps;
} StreamInput;

typedef struct StreamPyramid {
    StreamLevel levels[STREAM_LEVELS_MAX]; // the finest first
    int count;
} StreamPyramid;

// Freed by stream_pyramid_free, also after a failure.
Status stream_pyramid_create(const Run *run, StreamPyramid *pyramid, const StreamInput *input, Error *error);
void stream_pyramid_free(StreamPyramid *pyramid);

// Makes all land below the rule's sea level sea, on each level by its own heights.
Status stream_pyramid_flood(const Run *run, StreamPyramid *pyramid, const StreamRule *rule);

// Runs rounds from the coarsest level to the finest, whose ground is the result.
Status stream_pyramid_erode(const Run *run, StreamPyramid *pyramid, const StreamRule *rule, Error *error);

#endif
