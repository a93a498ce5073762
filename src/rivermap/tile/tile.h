// Tilings made of tiles, triangles that are cut one by one: Robinson triangles of Penrose tiles (Mogensen
// and Isenbecker 2025, section 5), scalene triangles in the plane and on a sphere (section 6). The cut
// position depends on the edge alone, so two triangles always agree on a shared edge; the paper's scalene
// triangles may cut it from opposite ends, which leaves cracks.

#ifndef ESKER_TILE_H
#define ESKER_TILE_H

#include "rivermap/tiling.h"

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

typedef struct Block Block; // plane_block.h

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

    // In the plane: cuts all tiles of a block once (plane_block.h), and the share of a tile's area, as of the
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

#endif
