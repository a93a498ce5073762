// Grids of a zoomable map whose pixels are a power of two along its side. What is decided on such a grid is
// the same in every window, whatever the window's own pixels are.

#ifndef ESKER_SETTLEMENT_GRID_H
#define ESKER_SETTLEMENT_GRID_H

#include "core/field.h"
#include "core/whole.h"
#include "rivermap/tiling.h"

// A rectangle of pixels, from (x, y) on.
typedef struct GridBox {
    int x, y, width, height;
} GridBox;

typedef struct Grid {
    int bits;                           // 2^bits pixels along the map's side
    GridBox box;                        // what is drawn
    double metres;                      // a pixel's side
    bool is_sea;                        // its land and sea are exchanged (settlement/sea_lanes.h)
    Field altitude, river, flow, water; // as those of render; water is empty on maps without lakes
    Field discharge;                    // of a watered map: m³/s
} Grid;

// The box of all pixels that a rectangle of the map touches, given in places (rivermap/view.h), and `margin`
// more on each side; all on the map.
GridBox grid_box(int bits, const Int128 corners[4], int margin);

// The same box, enlarged to whole squares of `side` pixels, a power of two.
GridBox grid_box_aligned(int bits, GridBox box, int side);

// Draws the ground. grid_free takes a zeroed grid, too, and is called also after a failure.
Status grid_draw(Grid *grid, const RiverMap *map, int bits, GridBox box, const Run *run, Error *error);
void grid_free(Grid *grid);

static inline bool box_holds(const GridBox *box, int x, int y) {
    return x >= box->x && y >= box->y && x < box->x + box->width && y < box->y + box->height;
}

// The index of a pixel, which the box holds, among those of the box.
static inline size_t box_index(const GridBox *box, int x, int y) {
    return (size_t)(y - box->y) * (size_t)box->width + (size_t)(x - box->x);
}

static inline size_t grid_index(const Grid *grid, int x, int y) {
    return box_index(&grid->box, x, y);
}

// Whether a pixel is sea, lake, or mostly river.
static inline bool grid_is_wet(const Grid *grid, size_t at) {
    return grid->altitude.cells[at] < 0 || grid->river.cells[at] >= 0.5f ||
           (grid->water.cells && grid->water.cells[at] > 0);
}

// Whether a pixel is sea or lake.
static inline bool grid_is_open_water(const Grid *grid, size_t at) {
    return grid->altitude.cells[at] < 0 || (grid->water.cells && grid->water.cells[at] > 0);
}

// Whether a road over a pixel crosses a river, though it may be narrow.
static inline bool grid_has_river(const Grid *grid, size_t at) {
    return grid->river.cells[at] >= 0.1f;
}

// Whether a pixel is one of the outermost on the map, where land ends.
static inline bool grid_is_at_border(const Grid *grid, int x, int y) {
    enum { BORDER_PIXELS = 2 };
    const int last = (1 << grid->bits) - 1 - BORDER_PIXELS;
    return x < BORDER_PIXELS || y < BORDER_PIXELS || x > last || y > last;
}

#endif
