// Brings parts of rows into the cache, ahead of a loop that follows a strip of columns down a field: rows lie
// so far apart that processors do not foresee them. What is written is fetched, too: a cell is written into a
// line of the cache that has been read. A row that is not in the field, and columns outside, are left out.
// Inlined always: gcc leaves out calls of functions that only fetch, since they change nothing.

#ifndef ESKER_FETCH_H
#define ESKER_FETCH_H

#include "core/field.h"
#include "core/kernel.h"
#include "core/math.h"

enum { ROWS_AHEAD = 3, FETCHED = 16 }; // cells that come together

static inline bool is_row(const Field *field, int y) {
    return y >= 0 && y < field->height;
}

KERNEL_INLINE void fetch_to_read(const Field *field, int y, int left, int columns) {
    const float *row = field_row(field, is_row(field, y) ? y : 0);
    const int end = is_row(field, y) ? min(left + columns, field->width) : 0;
    for (int x = max(left, 0); x < end; x += FETCHED)
        __builtin_prefetch(row + x);
}

KERNEL_INLINE void fetch_to_write(const Field *field, int y, int left, int columns) {
    const float *row = field_row(field, is_row(field, y) ? y : 0);
    const int end = is_row(field, y) ? min(left + columns, field->width) : 0;
    for (int x = max(left, 0); x < end; x += FETCHED)
        __builtin_prefetch(row + x, 1);
}

#endif
