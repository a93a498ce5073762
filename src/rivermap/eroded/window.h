// What a level of a map's eroded land knows of a window.

#ifndef ESKER_ERODED_WINDOW_H
#define ESKER_ERODED_WINDOW_H

#include "rivermap/eroded/eroded.h"

#include <math.h>

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
float river_area_least_at(const RiverMap *map, int depth, double cell); // `cell`: its side in pixels

// What drains so many cells is a stream.
#define STREAM_AREA 24.0

// In cells: a river so wide comes from this level or a coarser one; and it may be so much wider here than a
// level up, doubled, since what drains through it is not quite the same.
#define RIVER_WIDE 4.0f
#define RIVER_WIDEST (2.6f * RIVER_WIDE)

// From cell to cell a river widens by no more than this.
#define RIVER_WIDENING 1.5

// How much a line of this half width covers of a pixel so far from its middle; above 1 its width in pixels. A
// thin one is drawn stronger than it is, by the root of its width, so that streams show.
static inline float river_cover(double half, double away) {
    const double inside = 0.5 + half - away, most = sqrt(2 * half < 1 ? 2 * half : 1);
    return (float)(inside >= 1 ? 2 * half : inside > most ? most : inside > 0 ? inside : 0);
}

// Weights, which add up to 1, of `count` cells around a place: by a cubic (Catmull and Rom 1974) stretched to
// the size of a pixel, of which a cell is `cell`. `first`: the place, from the middle of the first.
void weigh_cells(float *weights, int count, float first, float cell);

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
