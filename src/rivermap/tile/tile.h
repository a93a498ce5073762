// The triangles of all tilings but the right-angled one: Robinson triangles of Penrose tiles (Mogensen and
// Isenbecker 2025, section 5), scalene triangles in the plane and on a sphere (section 6). Where an edge is
// cut depends on the edge alone, so two triangles at an edge always agree; the paper's scalene triangles may
// cut an edge from opposite ends, and crack.

#ifndef ESKER_TILE_H
#define ESKER_TILE_H

#include "core/vector.h"
#include "rivermap/river_map.h"

// Edge i lies between vertices i and i + 1; `forwards`: out of the tile. Altitudes are in units of
// 2^-FIXED_BITS.
typedef struct Tile {
    Vec3 places[3]; // in map units, z = 0; or on the unit sphere, where y points to the north
    Vertex vertices[3];
    Crossing edges[3];
    double longest; // of the edges, squared; of scalene tiles in the plane as it were without bends
    int cut, near;  // that edge; its end that is nearer to the cut, a vertex
    bool acute;     // of Robinson triangles: the apex has 36°, not 108°
} Tile;

// A corner of a tile in the plane.
typedef struct Corner {
    double x, y;
    Vertex vertex;
} Corner;

enum { SPHERE_FACES = 48, FIRST_TILES_MAX = SPHERE_FACES };

// The tiles from which a map is cut; returns how many.
int first_tiles(const RiverMap *map, Tile tiles[FIRST_TILES_MAX]);

// Both halves have the cut as vertex 0, an end of the edge as vertex 1, first the near one, and the vertex
// across from it as vertex 2: the new edge is edge 2.
void tile_cut(const RiverMap *map, const Tile *tile, Tile halves[2]);

// Where rivers cross the tile's edges, around their middles, by the seeds of their ends; returns how many.
int tile_crossings(const Tile *tile, Vec3 crossings[3]);

// The middle of three places.
Vec3 tile_middle(const Vec3 *places);

// What a cut depends on, whoever makes it: where on the edge it lies, from the near end to the far one, and
// how far beside it, in lengths of the edge. What its children may reach beyond a tile, in lengths of its
// longest edge.
typedef struct Bend {
    double along, aside;
} Bend;
#define BEND_REACH 0.25
#define PENROSE_ALONG 0.38196601125010515  // 2 - φ
#define ROBINSON_RATIO 0.38196601125010515 // (φ - 1)²: of the squared edges of a triangle and a smaller one
#define BEND_ALONG 0.02
#define BEND_ASIDE 0.02

static inline Bend cut_bend(Tiling tiling, uint32_t seed) {
    if (tiling != TILING_SCALENE)
        return (Bend){ tiling == TILING_PENROSE ? PENROSE_ALONG : 0.5, 0 };
    return (Bend){ 0.5 + BEND_ALONG * (double)seed_value(mix_seeds(seed, 1)),
                   BEND_ASIDE * (double)seed_value(mix_seeds(seed, 2)) };
}

// The longest edge, squared, in pixels, of tiles that are cut no more: then one to two vertices lie in a
// pixel.
static inline double finest_tile(Tiling tiling) {
    return tiling == TILING_PENROSE ? 2.56 : tiling == TILING_SCALENE ? 2 : 1;
}

// Of two ends, which is the near one (but for Robinson triangles, which know).
static inline bool first_is_near(Vec3 first, Vec3 second) {
    return first.x != second.x   ? first.x < second.x
           : first.y != second.y ? first.y < second.y
                                 : first.z < second.z;
}

// --- plane_tiles.c, sphere.c -------------------------------------------------------------------------------

int penrose_tiles(const RiverMap *map, Tile tiles[FIRST_TILES_MAX]);
int scalene_tiles(const RiverMap *map, Tile tiles[FIRST_TILES_MAX]);

// 48 faces with rivers across their borders: each face drains over the edge to its lowest neighbour,
// wherever that way leads to the sea.
int sphere_tiles(const RiverMap *map, Tile tiles[FIRST_TILES_MAX]);

// Which face of the sphere holds a direction.
int sphere_face_at(Vec3 at);

// Sets longest, cut and near from the places.
void tile_find_longest(Tile *tile);

static inline double squared_distance(Vec3 a, Vec3 b) {
    const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    return dx * dx + dy * dy + dz * dz;
}

static inline Vec3 place_between(Vec3 a, Vec3 b, double share) {
    return (Vec3){ a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, a.z + (b.z - a.z) * share };
}

#endif
