// Which rivers of eroded land are drawn, from which level, and how wide.

#ifndef ESKER_RIVER_WIDTHS_H
#define ESKER_RIVER_WIDTHS_H

#include "rivermap/tiling.h"

#include "core/math.h"

#include <math.h>

// Cells around the window in which rivers that are visible inside it may lie.
int river_reach(const RiverMap *map, int depth);

// Cells around the window outside which the line from a cell of a river, so many cells wide there, is not
// visible inside.
int river_shown_reach(const RiverMap *map, double width);

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

// How far from its centre line a line of half width `half` covers pixels, in pixels.
static inline double river_cover_reach(double half) {
    return max(0.5 + half, 0.75 + half / 2);
}

// Share of a pixel that such a line covers at distance `away` from its centre line, in pixels; above 1 the
// line's width. Thin lines are drawn with the square root of their width, so that streams are visible. Their
// edges are so soft that the pixels at both sides add up to the same wherever a line runs between them; with
// harder edges streams were strings of beads.
static inline float river_cover(double half, double away) {
    const double soft = min(0.5 + half, 1), share = (river_cover_reach(half) - away) / soft;
    if (share >= 1 && half > 0.5)
        return (float)(2 * half);
    return (float)(sqrt(min(2 * half, 1)) * clamp(share, 0, 1));
}

// A new stream may drain more than the inherited one that it runs into, so a river may drain too little for
// some cells. Where they are at most as many as these, it goes on.
enum { RIVER_GAP = 24 };

// Cells up and downstream over which the line of the widest rivers is smoothed.
enum { STREAM_SMOOTHING = 15 };

// Those of a river `width` cells wide, less one a power of two. Steps from cell to cell go in eight
// directions: smoothed over less than its width, a river has corners.
static inline int stream_smoothing(double width) {
    return width < 1.5 ? 1 : width < 4 ? 3 : width < 6 ? 7 : STREAM_SMOOTHING;
}

// In pixels: a narrower river has no estuary.
#define ESTUARY_MIN 8.0

// The share of a river's water in its estuary, by the way that leads out of it.
static inline double estuary_share(double way) {
    return way * (2 - way);
}

// Cells downstream in which the mouth of the widest rivers is looked for.
enum { STREAM_ESTUARY = 16 };

#endif
