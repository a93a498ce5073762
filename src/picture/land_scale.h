// The scales of a picture of land: which colour a height has, and how steep its slopes are drawn.

#ifndef ESKER_LAND_SCALE_H
#define ESKER_LAND_SCALE_H

#include "core/math.h"
#include "core/summary.h"

// What the caller gives, each 0 where it does not.
typedef struct LandScaleParams {
    double sea_level, low, high; // as those of relief
    double exaggeration;         // of slopes; 0: vertical_exaggeration of the cells
    double side; // of the whole map of which this is a window, in cells, where metres are not known
} LandScaleParams;

// Places on a palette, -1 to 1, are above * o / (1 + bend * o) for ground o above the sea, and the same with
// `below` and `bend_below` for the depth of the sea.
typedef struct LandScale {
    double sea, above, bend, below, bend_below;
    bool has_sea;
    double cells;        // that a height of 1 is drawn as
    HeightScale colours; // without metres, the heights of the palette's ends
} LandScale;

// Where heights and cells are in metres, colours are those of altitudes (500 m look alike in every picture)
// unless `low` and `high` are given, and slopes are those of the ground, exaggerated as its cells ask. In a
// window of a map whose frame says how high it is, colours are the map's and slopes those of the ground.
// Otherwise both count in the field's range; see field_scale. Fails as that does.
Status land_scale(const Run *run, const Field *height, const LandScaleParams *params, LandScale *scale,
                  Error *error);

// How many times steeper than they are slopes are drawn, by the metres of a cell: 1 to 50 m, 100 where a cell
// is 3 km, 150 at most; 1 for 0, which means not known. The slopes of a field fall as its cells grow, because
// they are those of means.
double vertical_exaggeration(double cell);

// Metres of a cell whose heights are known in metres, on a sphere those at the equator: windows of one map
// have the same. Otherwise 0.
double land_cell_metres(const Field *height);

// Tells the user where a window's altitudes have too few digits for the slopes of its cells.
void tell_if_woven(const Field *height, const LandScale *scale, Error *notice);

// The place on a palette of ground `over` the sea, 0 to 1, or of its floor, -1 to 0.
KERNEL_INLINE float land_place(float over, float above, float bend) {
    const float place = over * above / (1 + over * bend);
    return clamp(place, 0, 1);
}

#endif
