#include "filter/displace.h"

#include "core/finite.h"
#include "core/kernel.h"
#include "core/math.h"

#include <string.h>

enum { CHUNK = 256 }; // cells whose surroundings are fetched together

// The places from which a chunk of cells takes its heights.
typedef struct Places {
    float right[CHUNK], down[CHUNK];   // how far away, in cells
    int upper[CHUNK], lower[CHUNK];    // the cells to the left of that place, from the middle row's first on
    int beside[CHUNK];                 // from these to the ones to the right
    float across[CHUNK], along[CHUNK]; // from the upper left cell to the place, 0 … 1
} Places;

// The heights around each place: left and right.
typedef struct Corners {
    float upper[CHUNK][2], lower[CHUNK][2];
} Corners;

// --- one axis ----------------------------------------------------------------------------------------------

// The integer below: a conversion and a comparison, which vectorise; floorf does not. Far away it is any
// integer.
KERNEL_INLINE int whole_below(float at) {
    const int towards_zero = whole_int(at);
    return (int)((unsigned)towards_zero - (at < (float)towards_zero));
}

// Wraps into 0 … period, from any number of periods away; never below 0, where rounding would put it just
// before a whole period, and never outside, from however far away.
KERNEL_INLINE float wrap_far(float at, float period) {
    const float place = at - period * (float)whole_below(at / period);
    return clamp(place, 0, period);
}

// Wraps a place less than a period outside, without a division, to the same bits: for a place as little below
// 0 as `least` the quotient is 0.
KERNEL_INLINE float wrap_near(float at, float period) {
    const float least = -floorf(period / 2) * 0x1p-149f;
    return clamp(at < least ? at + period : at, 0, period);
}

KERNEL_INLINE float wrap_place(float at, float period, bool near) {
    return near ? wrap_near(at, period) : wrap_far(at, period);
}

// Reflects into 0 … last.
KERNEL_INLINE float mirror_place(float at, float last, bool near) {
    const float there_and_back = wrap_place(at, 2 * last, near);
    return there_and_back < last ? there_and_back : 2 * last - there_and_back;
}

// The two cells around a place, and the distance from the first one.
typedef struct Between {
    int first, second;
    float t;
} Between;

// The cells around the place `off` beyond the cell `at`. Where edges meet, `off` alone is wrapped, so that
// the place in the field does not matter to the last bit. `near`: no farther than near_cells.
KERNEL_INLINE Between between(int at, float off, int cells, bool wraps, bool near) {
    const float last = (float)(cells - 1), place = wraps       ? wrap_place(off, (float)cells, near)
                                                   : cells > 1 ? mirror_place((float)at + off, last, near)
                                                               : 0;
    const int below = near ? whole_unchecked(place) : whole_below(place),
              reached = wraps ? at + below : below;
    const int first = reached < cells ? reached : wraps ? reached - cells : 0;
    const int beyond = wraps ? 0 : first;
    return (Between){ first, first + 1 < cells ? first + 1 : beyond, place - (float)below };
}

// From where on a place may be a period away or more.
static float near_cells(int cells, bool wraps) {
    return wraps ? (float)cells : (float)max(cells - 2, 0);
}

// --- a chunk -----------------------------------------------------------------------------------------------

// Returns the largest magnitude.
KERNEL static int32_t find_offsets(const float *restrict values, float still, float reach, int count,
                                   float *restrict off) {
    int32_t most = 0;
    for (int i = 0; i < count; i++) {
        off[i] = (values[i] - still) * reach;
        most = max(float_magnitude(off[i]), most);
    }
    return most;
}

KERNEL_INLINE void find_places(Places *restrict places, int width, int height, int first, int y, int count,
                               bool wraps, bool near) {
    const int above = height / 2;
    for (int i = 0; i < count; i++) {
        const Between across = between(first + i, places->right[i], width, wraps, near),
                      along = between(y, places->down[i], height, wraps, near);
        places->upper[i] = (along.first - above) * width + across.first;
        places->lower[i] = (along.second - above) * width + across.first;
        places->beside[i] = across.second - across.first;
        places->across[i] = across.t;
        places->along[i] = along.t;
    }
}

KERNEL static void find_near_wrapped(Places *places, int width, int height, int first, int y, int count) {
    find_places(places, width, height, first, y, count, true, true);
}

KERNEL static void find_near_mirrored(Places *places, int width, int height, int first, int y, int count) {
    find_places(places, width, height, first, y, count, false, true);
}

KERNEL static void find_far_wrapped(Places *places, int width, int height, int first, int y, int count) {
    find_places(places, width, height, first, y, count, true, false);
}

KERNEL static void find_far_mirrored(Places *places, int width, int height, int first, int y, int count) {
    find_places(places, width, height, first, y, count, false, false);
}

// One by one, two cells at once: processors gather vectors more slowly.
static void fetch_corners(const float *middle, const Places *places, int count, Corners *corners) {
    for (int i = 0; i < count; i++) {
        const float *upper = middle + places->upper[i], *lower = middle + places->lower[i];
        if (places->beside[i] == 1) {
            memcpy(corners->upper[i], upper, sizeof corners->upper[i]);
            memcpy(corners->lower[i], lower, sizeof corners->lower[i]);
        } else {
            corners->upper[i][0] = upper[0];
            corners->upper[i][1] = upper[places->beside[i]];
            corners->lower[i][0] = lower[0];
            corners->lower[i][1] = lower[places->beside[i]];
        }
    }
}

KERNEL static void join_corners(const Corners *restrict corners, const Places *restrict places, int count,
                                float *restrict cells) {
    for (int i = 0; i < count; i++)
        cells[i] = bilinear(corners->upper[i][0], corners->upper[i][1], corners->lower[i][0],
                            corners->lower[i][1], places->across[i], places->along[i]);
}

static void displace_chunk(const Displacement *displacement, int x, int y, int count, const float *down) {
    const Field *height = displacement->height;
    const int width = height->width, rows = height->height;
    const bool wraps = displacement->wraps;
    const float still = displacement->still, reach = displacement->reach;
    float *cells = field_row(displacement->result, y) + x;
    Places places;
    Corners corners;
    const int32_t right_most = find_offsets(cells, still, reach, count, places.right),
                  down_most = find_offsets(down, still, reach, count, places.down);
    const bool near = right_most < float_magnitude(near_cells(width, wraps)) &&
                      down_most < float_magnitude(near_cells(rows, wraps));
    if (near)
        // cppcheck-suppress uninitvar // it sees no assignment through the pointer
        (wraps ? find_near_wrapped : find_near_mirrored)(&places, width, rows, x, y, count);
    else
        (wraps ? find_far_wrapped : find_far_mirrored)(&places, width, rows, x, y, count);
    fetch_corners(field_row(height, rows / 2), &places, count, &corners);
    join_corners(&corners, &places, count, cells);
}

void displace_part(const Displacement *displacement, int x, int y, int count, const float *down) {
    for (int start = 0; start < count; start += CHUNK)
        displace_chunk(displacement, x + start, y, min(count - start, CHUNK), down + start);
}

static void displace_rows(void *context, int first, int end) {
    const Displacement *displacement = context;
    for (int y = first; y < end; y++)
        displace_part(displacement, 0, y, displacement->height->width, field_row(displacement->down, y));
}

Status displace(const Run *run, Displacement *displacement) {
    const Field *height = displacement->height;
    return parallel_rows(run, height->height, height->width * 3.0, displace_rows, displacement);
}
