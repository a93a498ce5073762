// Which rivers of eroded land are drawn, from which level, and how wide.

#ifndef ESKER_RIVER_WIDTHS_H
#define ESKER_RIVER_WIDTHS_H

#include "rivermap/tiling.h"

#include <math.h>

// How many cells around the window the rivers that show in it may lie.
int river_reach(const RiverMap *map, int depth);

// What the rivers drain that are drawn and given as lines, in cells of the level, at the least: 64 pixels,
// and what no stream that ends at the hillslope length drains. `cell`: its side in pixels.
float river_min_area(const RiverMap *map, int depth, double cell);

// What drains so many cells of the level is a stream: below the hillslope length all ground drains much.
double stream_area(const RiverMap *map, int depth);

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

// Cells up and downstream over which the line of the widest rivers is smoothed.
enum { STREAM_SMOOTHING = 7 };

#endif
