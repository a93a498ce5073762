// Slopes of crests. Gentle ground is where sediment lies, which neither water nor new detail changes; but on
// a crest it would be smooth ground amid valleys. So gentle ground above all that lies around counts as
// steeper than it is.

#include "land/level.h"

#include "core/math.h"

enum { CREST_REACH = 3 }; // cells
#define CREST_SHARE 4.0f  // of the mean fall to the cells around
#define CREST_SLOPE (0.3f * LAND_UNITS_PER_CELL)

// Eight cells around one, of three rows.
typedef struct Around {
    const int32_t *above, *row, *below;
    int left, right;
} Around;

KERNEL_INLINE float crest_slope(Around around, int x, int32_t sea) {
    const int left = x - around.left, right = x + around.right;
    const int32_t own = around.row[x];
    const float falls = (float)difference(own, max(around.row[left], sea)) +
                        (float)difference(own, max(around.row[right], sea)) +
                        (float)difference(own, max(around.above[x], sea)) +
                        (float)difference(own, max(around.below[x], sea));
    const float aslant = (float)difference(own, max(around.above[left], sea)) +
                         (float)difference(own, max(around.above[right], sea)) +
                         (float)difference(own, max(around.below[left], sea)) +
                         (float)difference(own, max(around.below[right], sea));
    const float fall = (falls + aslant * ESKER_DIAGONAL) * (CREST_SHARE / (NEIGHBOURS * CREST_REACH));
    return own > sea ? min(fall, CREST_SLOPE) : 0;
}

KERNEL static void crest_cells(Around around, int first, int end, int32_t sea, float *restrict slope) {
    for (int x = first; x < end; x++) {
        const float crest = crest_slope(around, x, sea);
        slope[x] = max(slope[x], crest);
    }
}

void raise_crest_slopes(const Parent *parent, int y, float *slope) {
    const LandWindow *window = parent->window;
    const int width = window->width, middle = min(CREST_REACH, width),
              last = max(width - CREST_REACH, middle);
    const size_t stride = (size_t)width;
    Around around = { .above = window->altitude + (size_t)max(y - CREST_REACH, 0) * stride,
                      .row = window->altitude + (size_t)y * stride,
                      .below = window->altitude + (size_t)min(y + CREST_REACH, window->height - 1) * stride };
    for (int x = 0; x < width; x++) {
        const bool inside = x == middle && last > middle;
        const int end = inside ? last : x + 1;
        around.left = min(x, CREST_REACH);
        around.right = inside ? CREST_REACH : min(width - 1 - x, CREST_REACH);
        crest_cells(around, x, end, parent->sea, slope);
        x = end - 1;
    }
}
