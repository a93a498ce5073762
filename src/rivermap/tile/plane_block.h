// Many tiles in the plane without rivers, cut side by side in vectors: all tiles of a size have had as many
// cuts, so a tile becomes arrays of tiles, cut by cut, and only a river that begins asks for one of them
// alone.

#ifndef ESKER_PLANE_BLOCK_H
#define ESKER_PLANE_BLOCK_H

#include "rivermap/tile/tile.h"

// Tiles of one kind that a block has room for; so many cuts of scalene tiles, or so many steps of the golden
// ratio, fill it.
enum { BLOCK_TILES = 536, BLOCK_CUTS = 9, BLOCK_STEPS = 6 };

// Corners of tiles: the near and the far end of the edge that is cut next, and the one across. Altitudes are
// whole numbers of units, exact in doubles. Of scalene tiles the ends come in any order.
typedef struct BlockTiles {
    int count;
    double x[3][BLOCK_TILES], y[3][BLOCK_TILES], altitudes[3][BLOCK_TILES];
    uint32_t seeds[3][BLOCK_TILES];
} BlockTiles;

enum { NEAR, FAR, ACROSS };

typedef struct Block {
    const RiverMap *map;
    double longest; // squared, of all tiles; of Robinson triangles, of both kinds
    // Where a river begins in a tile: `i` of `tiles`, about to be cut. The block goes on without it.
    void (*begins)(void *context, const BlockTiles *tiles, int i, bool acute, double longest);
    void *context;
    BlockTiles *obtuse, *acute; // Robinson triangles; scalene ones are all `obtuse`
    BlockTiles tiles[4];        // those two, and room for their halves
} Block;

// Empties a block and adds a tile.
void block_start(Block *block, const Corner corners[3], bool acute, double longest);

// Cuts all tiles while they are longer than this, squared.
void block_cut(Block *block, double longest);

Corner block_corner(const BlockTiles *tiles, int corner, int i);

#endif
