// The eroded land of a zoomable map (docs/land-levels.md). src/land erodes the raw map's altitudes in
// levels; each doubles the resolution. A window samples the level whose cells are half a pixel to one pixel
// wide, so a pixel depends only on its position and size.

#ifndef ESKER_ERODED_H
#define ESKER_ERODED_H

#include "climate/climate.h"
#include "core/math.h"
#include "core/memo.h"
#include "land/land.h"
#include "land/runoff.h"
#include "rivermap/tiling.h"
#include "rivermap/view.h"

#include <math.h>

// Methods of flat tilings and of planets (level_zero_heights.c).
extern const LandMethods eroded_flat, eroded_planet;

// Height of altitude 1, as a fraction of the map's side.
#define VERTICAL_SCALE MAP_HEIGHT

// What raw altitudes of 1 are in cells of level 0: a side of 256 cells times VERTICAL_SCALE. The law makes of
// them what land is like; their own slopes do not matter.

// Maximum pixels along the map's side: the range of 128-bit cell coordinates, less a reserve for cells finer
// than pixels.
#define ERODED_PIXELS_MAX 0x1p90

typedef struct Eroded Eroded;

// Creates level 0 and everything that finer levels need.
typedef Status ErodedBegin(const RiverMap *map, const LandRules *rules, const Run *run, Land **land,
                           Error *error);

// State of a map with eroded land. The land is created with the first window and freed with the map.
struct Eroded {
    LandRules rules;
    int depth;     // level 0 has 2^depth cells along the map's side, or around the planet
    double relief; // with a guide: what its altitude 1 is, in cells of the last graded level
    ErodedBegin *begin;
    Vec3 axes[3]; // of the cube around a planet
    _Atomic(Land *) land;
    _Atomic(Climate *) climate; // found when it is first asked for
    _Atomic(Memo *) memo;       // likewise
    Monitor monitor;            // of `making`: a thread makes the land, and others wait for it
    bool making;
};

static inline const Eroded *eroded_of(const RiverMap *map) {
    return map->land_state;
}

// Sets the map's land_state. Lengths of the rules, `relief` and `hillslope`, are metres.
Status eroded_create(RiverMap *map, const LandRules *rules, int depth, ErodedBegin *begin, Error *error);
// Sets the land_state of a copy of a map, whose land is yet to be made.
Status eroded_copy(const RiverMap *map, RiverMap *copy, Error *error);
void eroded_free(void *land_state);

// The depth whose cells' sides altitudes are measured by, on a level of a depth: that of the last graded one,
// or its own.
static inline int height_depth(const RiverMap *map, int depth) {
    const Eroded *eroded = eroded_of(map);
    return max(depth, eroded->depth + eroded->rules.graded);
}

// How high its ground is, in map units.
double eroded_top(const RiverMap *map);

// How much steeper the ground is, as cells as long as a hillslope show it, than from pixel to pixel of so
// many metres.
double eroded_steepening(const RiverMap *map, double metres);

// Gets the land of a map, which must have one.
Status eroded_land(const RiverMap *map, const Run *run, Land **land, Error *error);

// What is kept of a map's places and roads; made when it is first asked for.
Status eroded_memo(const RiverMap *map, Memo **memo, Error *error);

// --- widths of rivers --------------------------------------------------------------------------------------

// Which rivers of eroded land are drawn, from which level, and how wide.

// The width of a river that drains the whole map, in cells; on a watered map with the most water.
double widest_river(const RiverMap *map, int depth);

// Cells around the window in which rivers that are visible inside it may lie.
int river_reach(const RiverMap *map, int depth);

// Cells around the window outside which the line from a cell of a river, so many cells wide there, is not
// visible inside.
int river_shown_reach(const RiverMap *map, double width);

// Minimum drained area, in cells of the level, of rivers that are drawn and returned as lines: 64 pixels, and
// more than any stream that ends at the hillslope length drains. `cell`: a cell's side in pixels.
float river_min_area(const RiverMap *map, int depth, double cell);

// Minimum drained area of a stream, in cells of the level; below the hillslope length all ground drains many
// cells.
double stream_area(const RiverMap *map, int depth);

// Where less than WADI_RUNOFF runs off, a river that carries less than this, in m³/s, is a dry bed for most
// of the year, a wadi; its width is that of its floods.
#define RIVER_STEADY 20.0f

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
// line's width. Thin lines are as strong as the square root of four times their width, so that streams are
// visible. Their
// edges are so soft that the pixels at both sides add up to the same wherever a line runs between them; with
// harder edges streams were strings of beads.
static inline float river_cover(double half, double away) {
    const double soft = min(0.5 + half, 1), share = (river_cover_reach(half) - away) / soft;
    if (share >= 1 && half > 0.5)
        return (float)(2 * half);
    return (float)(sqrt(min(8 * half, 1)) * clamp(share, 0, 1));
}

// Cells up and downstream over which the line of the widest rivers is smoothed.
enum { STREAM_SMOOTHING = 15 };

// Those of a river `width` cells wide, less one a power of two. Steps from cell to cell go in eight
// directions: smoothed over less than its width, a river has corners, and over less than seven cells a brook
// zigzags.
static inline int stream_smoothing(double width) {
    return width < 4 ? 3 : width < 6 ? 7 : STREAM_SMOOTHING;
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
