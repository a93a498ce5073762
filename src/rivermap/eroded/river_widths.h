// Which rivers of eroded land are drawn, from which level, and how wide.

#ifndef ESKER_RIVER_WIDTHS_H
#define ESKER_RIVER_WIDTHS_H

#include "rivermap/tiling.h"

#include <math.h>

// Cells around the window in which rivers that are visible inside it may lie.
int river_reach(const RiverMap *map, int depth);

// Cells around the window of the level that the pixels come from: there the gaps of rivers are closed, too.
int river_margin(const RiverMap *map, int depth);

// Minimum drained area, in cells of the level, of rivers that are drawn and returned as lines: 64 pixels, and
// more than any stream that ends at the hillslope length drains. `cell`: a cell's side in pixels.
float river_min_area(const RiverMap *map, int depth, double cell);

// Minimum drained area of a stream, in cells of the level; below the hillslope length all ground drains many
// cells.
double stream_area(const RiverMap *map, int depth);

// In cells: wider rivers are drawn from coarser levels. RIVER_WIDEST allows for a width that differs between
// levels by more than the factor 2, because drained areas differ slightly.
#define RIVER_WIDE 4.0f
#define RIVER_WIDEST (2.6f * RIVER_WIDE)

// Maximum widening of a river from one cell to the next.
#define RIVER_WIDENING 1.5

// Share of a pixel that a line of half width `half` covers at distance `away` from its centre line, in
// pixels; above 1 the line's width. Thin lines are drawn with the square root of their width, so that streams
// are visible.
static inline float river_cover(double half, double away) {
    const double inside = 0.5 + half - away, most = sqrt(2 * half < 1 ? 2 * half : 1);
    return (float)(inside >= 1 ? 2 * half : inside > most ? most : inside > 0 ? inside : 0);
}

// A new stream may drain more than the inherited one that it runs into, so a river may drain too little for
// some cells. Where they are at most as many as these, it goes on.
enum { RIVER_GAP = 24 };

// Cells up and downstream over which the line of the widest rivers is smoothed.
enum { STREAM_SMOOTHING = 7 };

#endif
