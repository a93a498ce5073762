// What a level of a map's eroded land knows of a window.

#ifndef ESKER_ERODED_WINDOW_H
#define ESKER_ERODED_WINDOW_H

#include "rivermap/eroded/eroded.h"

typedef struct ErodedWindow {
    const View *view;
    int depth;       // the level has 2^depth cells along the map's side
    double cell;     // its side in pixels
    Int128 datum;    // altitudes count from here: units of the level above the sea
    double unit;     // of altitudes, in map units
    LandWindow land; // the window's cells and `margin` more on every side where the map goes on
} ErodedWindow;

// The depth whose cells are half a pixel to a pixel large, or level 0's where that is finer.
int eroded_depth(const View *view);

Status eroded_open(ErodedWindow *window, const View *view, int depth, int margin, Error *error);
void eroded_close(ErodedWindow *window);

// The place of the middle of a cell of the grid.
static inline Int128 cell_place(const ErodedWindow *window, Int128 cell) {
    return (2 * cell + 1) << (PLACE_BITS - window->depth - 1);
}

// An altitude of the window's land above the datum, in map units.
static inline double window_altitude(const ErodedWindow *window, int32_t altitude) {
    return (double)(window->land.base + altitude - window->datum) * window->unit;
}

// How many cells around the window the rivers that show in it may lie.
int river_reach(const RiverMap *map, int depth);

// What the rivers drain that are drawn and given as lines, in cells of the level, at the least: RIVER_PIXELS,
// and what no stream that ends at the hillslope length drains.
float river_area_least(const ErodedWindow *window);

// --- streams.c ---------------------------------------------------------------------------------------------

// Cells up and downstream over which the line of the widest rivers is smoothed.
enum { STREAM_SMOOTHING = 7 };

// A cell's way to the next, as a line between smoothed places.
typedef struct Stream {
    int from, to; // cells of the window's land, row by row
    Int128 x, y;  // places
    Int128 to_x, to_y;
    float area, to_area; // cells of the level
    bool mouth;          // `to` is the sea
} Stream;

// Sets what runs through a cell; false where less than `least` drains, or where the ground is sea. Looks at
// land STREAM_SMOOTHING + 2 cells around.
bool stream_at(const ErodedWindow *window, int cell, float least, Stream *stream);

// --- lines.c -----------------------------------------------------------------------------------------------

// Draws the rivers into the view's field.
Status eroded_draw_rivers(const ErodedWindow *window, Error *error);

#endif
