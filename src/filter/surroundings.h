// Rows of a field with the cells beyond its edges.

#ifndef ESKER_SURROUNDINGS_H
#define ESKER_SURROUNDINGS_H

#include "core/field.h"
#include "core/math.h"

#include <string.h>

// `count` cells of row y from column `start` on; both may be any number of periods outside. Where edges do
// not meet, the outermost cells are repeated.
static inline void surroundings_load(const Field *field, int y, int start, int count, bool wraps,
                                     float *cells) {
    const int width = field->width, height = field->height;
    const float *row = field_row(field, wraps ? (y % height + height) % height : clamp(y, 0, height - 1));
    const int first = clamp(-start, 0, count), end = clamp(width - start, first, count);
    if (end > first)
        memcpy(cells + first, row + start + first, (size_t)(end - first) * sizeof *row);
    for (int i = 0; i < count; i++) {
        if (i == first)
            i = end; // those are there
        if (i < count)
            cells[i] = row[wraps ? ((start + i) % width + width) % width : clamp(start + i, 0, width - 1)];
    }
}

// The same, but where all of them are in the field, the row's own; else they are in `cells`.
static inline const float *surroundings(const Field *field, int y, int start, int count, bool wraps,
                                        float *cells) {
    const int height = field->height, row = wraps ? (y % height + height) % height : clamp(y, 0, height - 1);
    if (start >= 0 && start + count <= field->width)
        return field_row(field, row) + start;
    surroundings_load(field, row, start, count, wraps, cells);
    return cells;
}

#endif
