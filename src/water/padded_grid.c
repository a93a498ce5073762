#include "water/padded_grid.h"

#include "core/math.h"

#include <stddef.h>

static size_t nearest_cell(const PaddedGrid *grid, int x, int y) {
    return padded_at(grid, clamp(x, 0, grid->width - 1), clamp(y, 0, grid->height - 1));
}

// `beyond` NULL: the nearest cells.
static void frame_at(const PaddedGrid *grid, float *cells, int x, int y, const float *beyond) {
    const size_t from = grid->wraps ? padded_cell(grid, x, y) : nearest_cell(grid, x, y);
    cells[padded_at(grid, x, y)] = beyond && !grid->wraps ? *beyond : cells[from];
}

static void frame(const PaddedGrid *grid, float *cells, const float *beyond) {
    const int width = grid->width, height = grid->height;
    for (int x = -1; x <= width; x++) {
        frame_at(grid, cells, x, -1, beyond);
        frame_at(grid, cells, x, height, beyond);
    }
    for (int y = 0; y < height; y++) {
        frame_at(grid, cells, -1, y, beyond);
        frame_at(grid, cells, width, y, beyond);
    }
}

void padded_close(const PaddedGrid *grid, float *cells, float beyond) {
    frame(grid, cells, &beyond);
}

void padded_extend(const PaddedGrid *grid, float *cells) {
    frame(grid, cells, NULL);
}
