// A grid with a frame one cell wide, so that every cell has eight neighbours in memory. Where opposite edges
// meet the frame holds what lies beyond; elsewhere whatever its owner puts there.

#ifndef ESKER_PADDED_GRID_H
#define ESKER_PADDED_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct PaddedGrid {
    int width, height; // without the frame
    bool wraps;
} PaddedGrid;

static inline size_t padded_stride(const PaddedGrid *grid) {
    return (size_t)grid->width + 2;
}

static inline size_t padded_count(const PaddedGrid *grid) {
    return padded_stride(grid) * ((size_t)grid->height + 2);
}

// (x, y): -1 … width, -1 … height.
static inline size_t padded_at(const PaddedGrid *grid, int x, int y) {
    return (size_t)(y + 1) * padded_stride(grid) + (size_t)(x + 1);
}

// The cell that (x, y) of the frame stands for; a cell stands for itself.
static inline size_t padded_cell(const PaddedGrid *grid, int x, int y) {
    const int in_x = x < 0 ? grid->width - 1 : x >= grid->width ? 0 : x;
    const int in_y = y < 0 ? grid->height - 1 : y >= grid->height ? 0 : y;
    return padded_at(grid, in_x, in_y);
}

static inline bool padded_border(const PaddedGrid *grid, int x, int y) {
    return x == 0 || y == 0 || x == grid->width - 1 || y == grid->height - 1;
}

// Fills the frame from the other side where edges meet; elsewhere with `beyond`, or with the nearest cells.
void padded_close(const PaddedGrid *grid, float *cells, float beyond);
void padded_extend(const PaddedGrid *grid, float *cells);

#endif
