// Functions shared by the tilings of the plane.

#ifndef ESKER_PLANE_H
#define ESKER_PLANE_H

#include "core/kernel.h"
#include "core/math.h"
#include "rivermap/tile/tile.h"

// The first tiles contain the map's square with a margin, so that rivers cross its border like any other
// line, and are rotated against it by 17°, so that no side of a tile is parallel to the map's. `x`, `y`:
// from the centre of the square.
Vec3 plane_place(double x, double y);

// First vertex i of a map, of up to four.
Vertex plane_vertex(const RiverMap *map, int i);

// The cut of an edge at `along`, or beside it, in lengths of the edge.
static inline EdgeCut plane_cut(Vec3 near, Vec3 far, double along, double aside) {
    const double x = far.x - near.x, y = far.y - near.y;
    return (EdgeCut){ { near.x + x * along - y * aside, near.y + y * along + x * aside, 0 }, along };
}

// --- drawing and listing -----------------------------------------------------------------------------------

typedef struct Channels Channels; // channels.h

extern const LandMethods plane_raw;
Status plane_heights(const View *view, uint32_t *heights, Error *error);
Status plane_add_rivers(const View *view, NetworkBuilder *builder, Error *error);

// Adds all of a map's.
void tile_channels_add(Channels *channels);

// --- blocks ------------------------------------------------------------------------------------------------

// Tiles in the plane without rivers, cut in vectors: all tiles of one size have had the same number of cuts,
// so each cut turns an array of tiles into arrays of smaller tiles. A tile is handled alone only when a
// river begins in it.

// Tiles of one kind that a block has room for.
enum { BLOCK_TILES = 536 };

// Corners of tiles: the near and the far end of the edge that is cut next, and the one across. Altitudes are
// whole numbers of units, exact in doubles. Where a tiling bends edges their ends come in any order.
typedef struct BlockTiles {
    int count;
    double *x[3], *y[3], *altitudes[3]; // by corner
    uint32_t *seeds[3];
    double numbers[3][3][BLOCK_TILES]; // what they point to
    uint32_t whole_numbers[3][BLOCK_TILES];
} BlockTiles;

enum { NEAR, FAR, ACROSS };

struct Block {
    const RiverMap *map;
    double longest; // squared, of all tiles; of Robinson triangles, of both kinds
    // Called where a river begins in a tile about to be cut, with its corners as above. The block continues
    // without it.
    void (*begins)(void *context, const Corner corners[3], bool acute, double longest);
    void *context;
    BlockTiles obtuse, acute; // Robinson triangles; others are all `obtuse`
};

void block_clear(Block *block);

// All tiles of a block have the same `longest`.
void block_add(Block *block, const Corner corners[3], bool acute, double longest);

// Cuts all tiles while they are longer than this, squared.
void block_cut(Block *block, double longest);

Corner block_corner(const BlockTiles *tiles, int corner, int i);

// --- for tilings -------------------------------------------------------------------------------------------

// Values shared by all cuts of a loop.
typedef struct BlockStep {
    DryCut dry;
    float moved; // k1 |V1 - V2|
} BlockStep;

// The cuts of a loop.
typedef struct BlockCuts {
    double x[BLOCK_TILES], y[BLOCK_TILES], altitudes[BLOCK_TILES];
    uint32_t seeds[BLOCK_TILES];
    uint32_t begins[BLOCK_TILES]; // 1: a river. As wide as the seeds: vectors hold as many
} BlockCuts;

// Values shared by all cuts of the block's tiles in their present state.
BlockStep block_step(const Block *block);

// Passes the tiles in which a river begins to `begins`; they are marked as removed. `ordered`: the near
// ends come first.
void block_leave_rivers(Block *block, BlockTiles *tiles, BlockCuts *cuts, bool acute, bool ordered);

// Which corners a half has; CUT is the new vertex.
enum { CUT = 3 };

// Turns each tile into a half of it, in place, and adds its other half to `others`, which may be the same.
void block_halve(BlockTiles *tiles, BlockCuts *cuts, const int kept[3], BlockTiles *others,
                 const int other[3]);

// cut_dry_edge and the place of the cut, for all tiles of an array. Each edge is cut at `along`; or, where
// `bend` is not 0, by so much around that and beside the edge, and its ends come in any order. Both are
// constants where a tiling makes a kernel of its own from this.
KERNEL_INLINE void block_cut_tiles(const BlockStep *step, const BlockTiles *restrict tiles, double along_all,
                                   double bend, BlockCuts *restrict cuts) {
    const int count = tiles->count;
    const BlockStep all = *step;
    const double *restrict first_x = tiles->x[NEAR], *restrict first_y = tiles->y[NEAR];
    const double *restrict second_x = tiles->x[FAR], *restrict second_y = tiles->y[FAR];
    const double *restrict first_h = tiles->altitudes[NEAR], *restrict second_h = tiles->altitudes[FAR];
    const double *restrict across_h = tiles->altitudes[ACROSS];
    const uint32_t *restrict first_seed = tiles->seeds[NEAR], *restrict second_seed = tiles->seeds[FAR];
    for (int i = 0; i < count; i++) {
        const double ax = first_x[i], bx = second_x[i], ay = first_y[i], by = second_y[i];
        const bool turn = (bend != 0) & ((bx < ax) | ((bx == ax) & (by < ay)));
        const double near_x = turn ? bx : ax, near_y = turn ? by : ay, far_x = turn ? ax : bx,
                     far_y = turn ? ay : by;
        const double ah = first_h[i], bh = second_h[i];
        const double near_h = turn ? bh : ah, far_h = turn ? ah : bh;
        const uint32_t seed = mix_seeds(first_seed[i], second_seed[i]);
        const double along =
            bend != 0 ? along_all + bend * (double)seed_value(mix_seeds(seed, 1)) : along_all;
        const double aside = bend != 0 ? bend * (double)seed_value(mix_seeds(seed, 2)) : 0;
        const double dx = far_x - near_x, dy = far_y - near_y;
        cuts->x[i] = near_x + dx * along - dy * aside;
        cuts->y[i] = near_y + dy * along + dx * aside;
        const double altitude = dry_altitude(&all.dry, all.moved, (float)(1 - along), near_h, far_h, seed);
        cuts->altitudes[i] = altitude;
        cuts->seeds[i] = seed;
        cuts->begins[i] = dry_source(&all.dry, near_h, far_h, across_h[i], altitude);
    }
}

#endif
