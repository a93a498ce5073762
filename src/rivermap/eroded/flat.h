// The eroded land of a flat map: what a level knows of a window.

#ifndef ESKER_ERODED_FLAT_H
#define ESKER_ERODED_FLAT_H

#include "rivermap/eroded/eroded.h"
#include "rivermap/eroded/river_widths.h"

#include <math.h>
#include <stdatomic.h>

enum { TURN = 4 }; // directions of eight to the opposite one

typedef struct FlatWindow {
    const View *view;
    int depth;               // the level has 2^depth cells along the map's side
    double cell;             // its side in pixels
    Int128 datum;            // altitudes count from here: units of the level above the sea
    double unit;             // of altitudes, in map units
    LandWindow land;         // the window's cells and `margin` more on every side where the map goes on
    _Atomic uint8_t *in_gap; // whether a cell lies in a gap of a river; NULL: none does
} FlatWindow;

// The depth whose cells are half a pixel to a pixel large, or level 0's where that is finer.
int flat_depth(const View *view);

Status flat_open(FlatWindow *window, const View *view, int depth, int margin, Error *error);
void flat_close(FlatWindow *window);

// The place of the middle of a cell of the grid.
static inline Int128 cell_place(const FlatWindow *window, Int128 cell) {
    return (2 * cell + 1) << (PLACE_BITS - window->depth - 1);
}

// An altitude of the window's land above the datum, in map units.
static inline double window_altitude(const FlatWindow *window, int32_t altitude) {
    return (double)(window->land.base + altitude - window->datum) * window->unit;
}

// --- flat_streams.c ----------------------------------------------------------------------------------------

// A river's at one of its cells, smoothed.
typedef struct StreamPlace {
    Int128 x, y;
    double along[2]; // the river's direction, of any length
    Int128 height;   // of its water above the sea, in 256ths of the level's units
    double from_sea; // the way to its mouth, 1: as far as is looked or farther
} StreamPlace;

// A cell's way to the next, as a line between smoothed places.
typedef struct Stream {
    int from, to; // cells of the window's land, row by row
    StreamPlace at, to_at;
    float area, to_area; // cells of the level
    bool ends;           // at `to`: in the sea, at the land's edge or in a sink
    bool mouth;          // in the sea
} Stream;

// Finds the gaps of rivers that drain `least` above and below them.
Status flat_find_gaps(FlatWindow *window, float least, Error *error);

// Whether a river runs through a cell that drains `least`, or in its gap.
static inline bool has_river(const FlatWindow *window, int cell, float least) {
    return window->land.area[cell] >= least ||
           (window->in_gap && atomic_load_explicit(&window->in_gap[cell], memory_order_relaxed));
}

// Sets what runs through a cell; false where there is no river, or where the ground is sea. Looks at land
// STREAM_ESTUARY + 1 cells around. Sets the heights of its water only where they are asked for.
bool stream_at(const FlatWindow *window, int cell, float least, bool heights, Stream *stream);

enum { STREAM_SORTS = 2 };

// Cells of the window's land that have a stream, in the order of cells.
typedef struct StreamCells {
    int *at, count;
} StreamCells;

// 0 … STREAM_SORTS - 1, or -1: not wanted.
typedef int StreamSort(const void *context, int cell);

// Finds the cells of which stream_at knows something, of each sort. Freed by stream_cells_free, also if it
// fails.
Status stream_cells_find(const FlatWindow *window, float least, StreamSort *sort, const void *context,
                         StreamCells found[STREAM_SORTS], Error *error);
void stream_cells_free(StreamCells found[STREAM_SORTS]);

// --- flat_seas.c -------------------------------------------------------------------------------------------

// Shows sea where straits and inlets of the land's cells run, in a picture whose pixels are no cells. Those
// within PIXEL_SEAS_MARGIN of the view's edge are for those inside.
Status flat_open_seas(const FlatWindow *window, Error *error);

// --- flat_lines.c ------------------------------------------------------------------------------------------

// Draws the rivers into the view's field.
Status flat_draw_rivers(const FlatWindow *window, Error *error);

// -----------------------------------------------------------------------------------------------------------

Status flat_datum(const View *view, Datum *datum, Error *error);
Status flat_render(const View *view, Error *error);
Status flat_prepare(const View *view, Error *error);
Status flat_add_rivers(const View *view, NetworkBuilder *builder, Error *error);

#endif
