// Grids for the reference erosions, whose rows are one cell longer at each end: the first cell comes again at
// the end and the last one at the start, so that loops over neighbours need no special case.

#ifndef ESKER_PADDED_H
#define ESKER_PADDED_H

#include "core/field.h"
#include "core/memory.h"

#include <string.h>

typedef struct Padded {
    int width, height;
    float *cells;
} Padded;

// Cell 0 of row y; -1 and `width` may be read, too. Rows wrap around: y may be -1 or `height`.
static inline float *padded_row(const Padded *grid, int y) {
    return grid->cells + (size_t)wrap(y, grid->height) * (size_t)(grid->width + 2) + 1;
}

static inline void pad_row(float *row, int width) {
    row[-1] = row[width - 1];
    row[width] = row[0];
}

static inline Status padded_create(Padded *grid, int width, int height, Error *error) {
    *grid = (Padded){ width, height, NULL };
    grid->cells = memory_new_zeroed((size_t)height * (size_t)(width + 2), sizeof(float), error);
    return grid->cells ? STATUS_OK : STATUS_MEMORY;
}

static inline void padded_from_field(const Padded *grid, const Field *field) {
    for (int y = 0; y < field->height; y++) {
        float *row = padded_row(grid, y);
        memcpy(row, field_row(field, y), (size_t)field->width * sizeof *row);
        pad_row(row, field->width);
    }
}

static inline void padded_to_field(const Padded *grid, const Field *field) {
    for (int y = 0; y < field->height; y++)
        memcpy(field_row(field, y), padded_row(grid, y), (size_t)field->width * sizeof(float));
}

#endif
