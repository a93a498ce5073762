// A zoomable map, its tiling, which defines how triangles cover it, and its land, raw or eroded. A tiling is
// one table of functions, in its own file, and one line in tilings.h; so is a kind of land for the tilings
// that have it. No other file depends on which of them a map has.

#ifndef ESKER_TILING_H
#define ESKER_TILING_H

#include "climate/climate.h"
#include "core/operation.h"
#include "core/vector.h"
#include "core/whole.h"
#include "land/land.h"
#include "rivermap/map_steps.h"
#include "rivermap/rules.h"

typedef struct Tiling Tiling;

typedef struct LandMethods LandMethods;

// Towns and villages of the map's author.
typedef struct OwnPlace {
    int face;    // of a planet's cube; 0 of a flat map
    Int128 x, y; // on the face (rivermap/view.h)
    Vec3 at;     // the same in the plane or in space, where the sides of faces are 1, to measure distances
    double population; // people
    double apart;      // to the nearest place with more people, the same
    size_t name, kind; // where the texts begin in the block; 0: none
} OwnPlace;

// Which other places there are.
typedef enum OtherPlaces { OTHERS_ALL, OTHERS_SMALLER, OTHERS_NONE } OtherPlaces;

typedef struct OwnPlaces { // one block of memory
    size_t size;           // of the block, in bytes
    OtherPlaces others;
    int count;
    OwnPlace at[]; // those with the most people first
} OwnPlaces;

static inline const char *own_text(const OwnPlaces *places, size_t text) {
    return (const char *)places + text;
}

typedef struct RiverMap {
    const Tiling *tiling;
    const LandMethods *land; // one of the tiling's
    void *land_state;        // what they keep
    Constants constants;
    double corners[4];        // altitudes, -1 … 1, in reading order
    uint32_t seeds[4];        // of the corners
    double sea_level;         // the rise of the sea, already subtracted from corners and guide
    double width;             // of a river that drains the whole map, even if rivers are not drawn wide
    double metres;            // of eroded land: a flat map's side, a planet's radius; 0: not known
    bool archipelago;         // eroded land begins with islands in place of the raw map's land
    double lakes;             // the share of eroded land that may be lakes
    LandCourses *courses;     // of eroded land: its own rivers; NULL: none
    ClimateRules climate;     // of eroded land
    bool watered;             // rivers carry what runs off in the climate
    LandEdits *edits;         // of eroded land; NULL: none
    OwnPlaces *places;        // of eroded land: its own places; NULL: none
    MapStep *made;            // how it was made
    EditGrounds *grounds;     // what its last edits found there; NULL: nothing
    const EditGrounds *known; // those that its next edits find, as a file has them; NULL: not known
    Guide guide;              // its cells follow the map in the same block; none: width 0
} RiverMap;

extern const ValueType type_map;

// Whether there may be lakes: level 0 may have some, or edits make them.
bool map_has_lakes(const RiverMap *map);

// An exact altitude above the sea, in 2^-depth × unit map units: that of the land, and what wide rivers raise
// it by. The unit is the map's. Land is drawn from its own altitude: it may be too far from a river's for a
// float, which has the details of neither then.
typedef struct Datum {
    Int128 altitude;
    int depth;
    double unit;
    Int128 raised;
} Datum;

enum { HEIGHTS_PER_PIXEL = 4 * UNITS_PER_CELL };

typedef struct View View;                     // rivermap/view.h
typedef struct NetworkBuilder NetworkBuilder; // rivers/network.h
typedef struct TileMethods TileMethods;       // rivermap/tile/tile.h

// How a map's land is drawn and its rivers are listed: that of a tiling's triangles (raw), or land that
// begins with it.
struct LandMethods {
    double max_pixels; // along the map's side: limit of its precision
    bool wide;         // its rivers always are
    bool flow;         // render also sets the view's flow

    // Sets the map's land_state. NULL: the rules are not used, and nothing is kept.
    Status (*create)(RiverMap *map, const LandRules *rules, Error *error);
    void (*free)(void *land_state);

    // Draws the pixels of a window; rivers are 0 at first.
    Status (*render)(const View *view, Error *error);

    // Computes and keeps the land that render needs for a window. NULL: nothing is kept.
    Status (*prepare)(const View *view, Error *error);

    // The altitude in the middle of a window. `finds_datum`: render does it, too, where view->own_datum is
    // set.
    Status (*datum)(const View *view, Datum *datum, Error *error);
    bool finds_datum;

    // How high the ground of the whole map is, in map units, once a window of it has been drawn. NULL: 1.
    double (*top)(const RiverMap *map);

    // Adds the rivers of a window to a network. NULL: there are none.
    Status (*add_rivers)(const View *view, NetworkBuilder *builder, Error *error);
};

// Kinds of land, one per line: its name.
#define ALL_LANDS(X)                                                                                         \
    X(raw)                                                                                                   \
    X(eroded)

struct Tiling {
    bool planet;  // covers a sphere, not a square
    bool corners; // the map begins with four corners, whose altitudes may be given
    bool guide;   // follows a guide

    // Its land of each kind.
#define TILING_LAND(name) const LandMethods *name;
    ALL_LANDS(TILING_LAND)
#undef TILING_LAND

    // The mean altitude of each pixel of a window whose pixels are a power of two along the map's side, row
    // by row: whole numbers modulo 2^32, of which HEIGHTS_PER_PIXEL are a pixel's side. So differences are
    // exact at any depth, and the same in every window. NULL: for planets.
    Status (*heights)(const View *view, uint32_t *heights, Error *error);

    // The altitudes of places on a planet, in map units, as pixels so large show them. NULL: for flat maps.
    void (*altitudes)(const RiverMap *map, double pixel, const Vec3 *places, int count, double *altitudes);

    // Its first tiles and cuts; NULL if it is not made of tiles.
    const TileMethods *tiles;
};

#endif
