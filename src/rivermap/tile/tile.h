// Tilings made of tiles, triangles that are cut one by one: Robinson triangles of Penrose tiles (Mogensen
// and Isenbecker 2025, section 5), scalene triangles in the plane and on a sphere (section 6). The cut
// position depends on the edge alone, so two triangles always agree on a shared edge; the paper's scalene
// triangles may cut it from opposite ends, which leaves cracks.

#ifndef ESKER_TILE_H
#define ESKER_TILE_H

#include "core/kernel.h"
#include "rivermap/rules.h"
#include "rivermap/tiling.h"
#include "rivermap/view.h"
#include "rivers/network.h"

// How a tile is cut next.
typedef struct TileShape {
    double longest; // of the edges, squared; for scalene tiles in the plane without the bends
    int cut, near;  // that edge; its end that is nearer to the cut, a vertex
    bool acute;     // of Robinson triangles: the apex has 36°, not 108°
} TileShape;

// Edge i lies between vertices i and i + 1; `forwards`: out of the tile. Altitudes are in units of
// 2^-FIXED_BITS.
typedef struct Tile {
    Vec3 places[3]; // in map units, z = 0; or on the unit sphere, where y points to the north
    Vertex vertices[3];
    Crossing edges[3];
    TileShape shape;
} Tile;

// A corner of a tile in the plane.
typedef struct Corner {
    double x, y;
    Vertex vertex;
} Corner;

// Where an edge is cut.
typedef struct EdgeCut {
    Vec3 at;
    double along; // how far from the near end to the far one, in lengths of the edge
} EdgeCut;

enum { FIRST_TILES_MAX = 48 };

typedef struct Block Block; // plane.h

struct TileMethods {
    // The tiles from which a map is cut; returns how many.
    int (*first)(const RiverMap *map, Tile tiles[FIRST_TILES_MAX]);

    // Where to cut an edge. `seed`: that of the new vertex.
    EdgeCut (*cut)(Vec3 near, Vec3 far, uint32_t seed);

    // The shape of a half of a tile: of that with the near end of the cut edge, or of that with the far one.
    // `places`: its vertices, in the order that tile_cut gives them.
    TileShape (*half)(const TileShape *whole, bool far, const Vec3 places[3]);

    // The longest edge, squared, in pixels, of tiles that are cut no more: then one to two vertices lie in a
    // pixel.
    double finest;

    // How far a tile's children may extend beyond it, in lengths of its longest edge.
    double reach;

    // In the plane: cuts all tiles of a block once (plane.h), and the share of a tile's area, as of the
    // square of its longest edge, that is left.
    void (*cut_block)(Block *block);
    double shrink;
};

static inline int first_tiles(const RiverMap *map, Tile tiles[FIRST_TILES_MAX]) {
    return map->tiling->tiles->first(map, tiles);
}

// Both halves have the cut as vertex 0, an end of the edge as vertex 1, first the near one, and the vertex
// across from it as vertex 2: the new edge is edge 2.
void tile_cut(const RiverMap *map, const Tile *tile, Tile halves[2]);

// The far end of the edge that is cut next, and the vertex across from it.
static inline int shape_far(TileShape shape) {
    return shape.near == shape.cut ? (shape.cut + 1) % 3 : shape.cut;
}

static inline int shape_across(TileShape shape) {
    return (shape.cut + 2) % 3;
}

static inline bool tile_has_river(const Tile *tile) {
    return tile->edges[0].river || tile->edges[1].river || tile->edges[2].river;
}

// Where rivers cross the tile's edges, around their middles, by the seeds of their ends; returns how many.
int tile_crossings(const Tile *tile, Vec3 crossings[3]);

// The middle of three places.
Vec3 tile_middle(const Vec3 *places);

// The near one of two ends (not for Robinson triangles, which have their own rule).
static inline bool first_is_near(Vec3 first, Vec3 second) {
    return first.x != second.x   ? first.x < second.x
           : first.y != second.y ? first.y < second.y
                                 : first.z < second.z;
}

// The shape of a triangle that is cut at its longest edge.
static inline TileShape longest_edge_shape(const Vec3 places[3]) {
    TileShape shape = { .longest = -1 };
    for (int i = 0; i < 3; i++) {
        const double length = squared_distance(places[i], places[(i + 1) % 3]);
        if (length > shape.longest) {
            shape.longest = length;
            shape.cut = i;
        }
    }
    const int next = (shape.cut + 1) % 3;
    shape.near = first_is_near(places[shape.cut], places[next]) ? shape.cut : next;
    return shape;
}

// --- rivers as data ----------------------------------------------------------------------------------------

// The rivers of tiles as data: the same rivers that render draws.

// How tiles are projected to a window.
typedef struct TileWindow {
    const View *view;
    double pixel;     // its side where the tiles lie
    double left, top; // of the window, in map units
    Vec3 middle;      // of the window, where the tiles lie, for `beside`

    // Where a place lies on the map, in map units.
    Vec2 (*on_map)(Vec3 at);

    // Whether a tile, with all its children, is outside the window.
    bool (*beside)(const struct TileWindow *window, const Tile *tile);
} TileWindow;

// A window's position; the rest depends on the tiling.
TileWindow tile_window(const View *view);

Status tile_rivers_add(const TileWindow *window, NetworkBuilder *builder);

// --- cuts in vectors ---------------------------------------------------------------------------------------

// cut_dry_edge (rules.h) for loops over vectors, in the units of tilings with positions in doubles: altitudes
// are whole numbers below 2^51, as doubles.

typedef struct DryCut {
    float k1, k2;
    double lowest, highest; // altitudes, units
    double k3, k4;          // those between which a river begins; highest, lowest: none does
} DryCut;

static inline DryCut dry_cut(const Constants *constants) {
    const Scales scales = fixed_scales(constants, 1);
    return (DryCut){ .k1 = constants->k1,
                     .k2 = constants->k2,
                     .lowest = (double)scales.lowest,
                     .highest = (double)scales.highest,
                     .k3 = constants->rivers ? (double)scales.k3 : INFINITY,
                     .k4 = (double)scales.k4 };
}

// k1 |V1 - V2| in units, of an edge so long.
KERNEL_INLINE float dry_step(const DryCut *cut, double length) {
    const double reach = min(length, 1); // the first edges may be longer than the map
    return cut->k1 * (float)(reach * FIXED_UNITS);
}

// Of whole numbers below 2^51 and their halves, as vectors can: what is added and taken away leaves a whole
// number.
KERNEL_INLINE double whole_below(double value) {
    const double rounded = (value + 0x1.8p52) - 0x1.8p52;
    return rounded - (rounded > value ? 1 : 0);
}

KERNEL_INLINE double toward_zero(double value) {
    const double size = value < 0 ? -value : value, whole = whole_below(size);
    return value < 0 ? -whole : whole;
}

// The altitude at the cut of an edge between altitudes a and b; `weight`: that of a in their mean.
KERNEL_INLINE double dry_altitude(const DryCut *cut, float step, float weight, double a, double b,
                                  uint32_t seed) {
    const float difference = (float)(a - b);
    const double even = whole_below((a + b) * 0.5);
    const double uneven = b + toward_zero((double)(difference * weight));
    const double mean = weight == 0.5f ? even : uneven;
    const double altitude = mean + toward_zero((double)displacement(step, cut->k2, difference, seed));
    const double above = max(altitude, cut->lowest);
    return min(above, cut->highest);
}

// source_between, of the altitudes of a cut edge's ends, the vertex across, and the cut.
KERNEL_INLINE bool dry_source(const DryCut *cut, double a, double b, double across, double middle) {
    const double high = max(a, b), low = min(a, b);
    return (high > cut->k3) & (low < cut->k4) & (low < across) & (low < middle);
}

#endif
