// A zoomable map, and its tiling, which defines how triangles cover it. A tiling is one table of functions,
// in its own file, and one line in tilings.h; no other file depends on which tiling a map has.

#ifndef ESKER_TILING_H
#define ESKER_TILING_H

#include "core/operation.h"
#include "core/vector.h"
#include "rivermap/rules.h"

typedef struct Tiling Tiling;

typedef struct Eroded Eroded; // rivermap/eroded/eroded.h

typedef struct RiverMap {
    const Tiling *tiling;
    Constants constants;
    double corners[4]; // altitudes, -1 … 1, in reading order
    uint32_t seeds[4]; // of the corners
    double width;      // of a river that drains the whole map, even if rivers are not drawn wide
    Guide guide;       // its cells follow the map in the same block; none: width 0
    Eroded *eroded;    // NULL: the land is raw
} RiverMap;

extern const ValueType type_map;

enum { HEIGHTS_PER_PIXEL = 4 * UNITS_PER_CELL };

typedef struct View View;                     // rivermap/view.h
typedef struct NetworkBuilder NetworkBuilder; // rivers/network.h
typedef struct TileMethods TileMethods;       // rivermap/tile/tile.h

struct Tiling {
    bool planet;       // covers a sphere, not a square
    bool corners;      // the map begins with four corners, whose altitudes may be given
    bool guide;        // follows a guide
    double max_pixels; // along the map's side: limit of its precision

    // Draws the pixels of a window; rivers are 0 at first.
    Status (*render)(const View *view, Error *error);

    // The mean altitude of each pixel of a window whose pixels are a power of two along the map's side, row
    // by row: whole numbers modulo 2^32, of which HEIGHTS_PER_PIXEL are a pixel's side. So differences are
    // exact at any depth, and the same in every window. NULL: for planets.
    Status (*heights)(const View *view, uint32_t *heights, Error *error);

    // The altitudes of places on a planet, in map units, as pixels so large show them. NULL: for flat maps.
    void (*altitudes)(const RiverMap *map, double pixel, const Vec3 *places, int count, double *altitudes);

    // Adds the rivers of a window to a network. NULL: the tiling has none.
    Status (*add_rivers)(const View *view, NetworkBuilder *builder, Error *error);

    // Its first tiles and cuts; NULL if it is not made of tiles.
    const TileMethods *tiles;
};

#endif
