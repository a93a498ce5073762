// How much of each pixel a river's line covers.

#ifndef ESKER_LINE_COVER_H
#define ESKER_LINE_COVER_H

#include "core/math.h"

// Half the width of a river's line, in pixels.
#define RIVER_HALF_WIDTH 0.6f

// The share, 0 … 1, of the pixel around (0, 0), whose side is 1, that a line covers.
static inline float line_coverage(float from_x, float from_y, float to_x, float to_y) {
    const float dx = to_x - from_x, dy = to_y - from_y, share = segment_share(-from_x, -from_y, dx, dy);
    return min(RIVER_HALF_WIDTH + 0.5f - segment_distance(-from_x, -from_y, dx, dy, share), 1);
}

#endif
