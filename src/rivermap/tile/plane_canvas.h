// State shared by the code that draws tiles in the plane: the window, its pixels, and the lines of its
// rivers.

#ifndef ESKER_PLANE_CANVAS_H
#define ESKER_PLANE_CANVAS_H

#include "core/math.h"
#include "core/whole.h"
#include "rivermap/tile/plane_block.h"
#include "rivermap/view.h"

#include <math.h>
#include <stdatomic.h>

typedef struct Line { // of a river, in map units
    double from_x, from_y, to_x, to_y;
} Line;

enum { PAST_COLUMNS = 3 };

typedef struct Canvas {
    const View *view;
    const TileMethods *tiles;
    double left, top;       // of the window, in map units
    double pixel, per_unit; // its side in map units, and pixels a unit
    double longest;         // squared, what tiles are cut down to
    double *columns, *rows; // the pixels' centres, and of some columns beyond the last
    Altitude datum;
    uint32_t *heights; // where they go instead of the view's field, if not NULL …
    double per_height; // … per altitude of 1
    Scales scales;     // their length aside
    Tile *tasks;
    int count, room; // of tasks
    Line *lines;     // in any order: where they overlap the most counts
    atomic_int line_count;
    int line_room;
    double task_longest; // squared, of the tiles that threads take
    bool directly;       // draw lines immediately: on one thread
    atomic_bool failed;  // memory ran out on a thread
} Canvas;

static inline double min_of_three(double a, double b, double c) {
    const double ab = min(a, b);
    return min(ab, c);
}

static inline double max_of_three(double a, double b, double c) {
    return -min_of_three(-a, -b, -c);
}

// Pixels whose centres may lie in low … high, pixels from the window's corner: `first` … `end` - 1. A hair
// more, for rounding.
static inline void pixels_between(double low, double high, int count, int *first, int *end) {
    const double from = low - 0.51, to = high + 0.51;
    *first = whole_within(ceil(from), 0, INT_MAX);
    *end = whole_within(to, 0, count);
}

static inline Corner corner_of(const Tile *tile, int i) {
    return (Corner){ tile->places[i].x, tile->places[i].y, tile->vertices[i] };
}

// --- plane_cut.c -------------------------------------------------------------------------------------------

// Whether a tile, or any part of it, may lie in the window.
bool tile_reaches_in(const Canvas *canvas, const Tile *tile);

// Cuts tiles down, and draws what they become.
void cut_tiles(Canvas *canvas, const Tile *tiles, int count);

// --- plane_paint.c -----------------------------------------------------------------------------------------

// Whether this tile contains a position.
bool tile_holds(const Corner *const corners[3], double x, double y);

// Sets the altitudes of the pixels that a tile, or each of many tiles, contains.
void paint_tile(const Canvas *canvas, const Corner *a, const Corner *b, const Corner *c);
void paint_tiles(const Canvas *canvas, const BlockTiles *tiles);

// --- plane_lines.c -----------------------------------------------------------------------------------------

// Adds the lines of a tile's rivers.
void add_lines(Canvas *canvas, const Tile *tile);

// Draws all lines; false: there was not enough room, and none is drawn.
Status draw_lines(Canvas *canvas, bool *drawn);

#endif
