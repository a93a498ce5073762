// Brings parts of rows into the cache, ahead of a loop that follows a strip of columns down a field: rows lie
// so far apart that processors do not foresee them. What is written is fetched, too: a cell is written into a
// line of the cache that has been read. Rows outside the field are left out.

#ifndef ESKER_FETCH_H
#define ESKER_FETCH_H

#include "core/field.h"
#include "core/math.h"

enum { ROWS_AHEAD = 3, FETCHED = 16 }; // cells that come together

static inline void fetch_to_read(const Field *field, int y, int left, int columns) {
    const int end = min(left + columns, field->width);
    for (int x = max(left, 0); x < end && y >= 0 && y < field->height; x += FETCHED)
        __builtin_prefetch(field_row(field, y) + x);
}

static inline void fetch_to_write(const Field *field, int y, int left, int columns) {
    const int end = min(left + columns, field->width);
    for (int x = max(left, 0); x < end && y >= 0 && y < field->height; x += FETCHED)
        __builtin_prefetch(field_row(field, y) + x, 1);
}

#endif
