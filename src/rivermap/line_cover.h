// How a river's line covers pixels.

#ifndef ESKER_LINE_COVER_H
#define ESKER_LINE_COVER_H

#include <math.h>

// A river's line is so many pixels wide to each side.
#define RIVER_HALF_WIDTH 0.6f

// How much of the pixel around (0, 0), whose side is 1, a line covers, 0 … 1.
static inline float line_coverage(float from_x, float from_y, float to_x, float to_y) {
    const float dx = to_x - from_x, dy = to_y - from_y, length = dx * dx + dy * dy;
    const float along = length > 0 ? -(from_x * dx + from_y * dy) / length : 0;
    const float share = along < 0 ? 0 : along > 1 ? 1 : along;
    const float off_x = from_x + share * dx, off_y = from_y + share * dy;
    const float inside = RIVER_HALF_WIDTH + 0.5f - sqrtf(off_x * off_x + off_y * off_y);
    return inside < 1 ? inside : 1;
}

#endif
