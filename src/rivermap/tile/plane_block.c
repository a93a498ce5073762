#include "rivermap/tile/plane_block.h"

#include "core/math.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

Corner block_corner(const BlockTiles *tiles, int corner, int i) {
    return (Corner){ tiles->x[corner][i],
                     tiles->y[corner][i],
                     { whole_64((double)tiles->altitudes[corner][i]), tiles->seeds[corner][i] } };
}

static void put_corner(BlockTiles *tiles, int corner, int i, const Corner *from) {
    tiles->x[corner][i] = from->x;
    tiles->y[corner][i] = from->y;
    tiles->altitudes[corner][i] = (double)from->vertex.altitude;
    tiles->seeds[corner][i] = from->vertex.seed;
}

static void copy_corners(BlockTiles *to, int corner, const BlockTiles *from, int which) {
    const size_t count = (size_t)from->count, at = (size_t)to->count;
    memcpy(to->x[corner] + at, from->x[which], count * sizeof(double));
    memcpy(to->y[corner] + at, from->y[which], count * sizeof(double));
    memcpy(to->altitudes[corner] + at, from->altitudes[which], count * sizeof(double));
    memcpy(to->seeds[corner] + at, from->seeds[which], count * sizeof(uint32_t));
}

static void copy_cuts(BlockTiles *to, int corner, const BlockCuts *cuts, int cut_count) {
    const size_t count = (size_t)cut_count, at = (size_t)to->count;
    memcpy(to->x[corner] + at, cuts->x, count * sizeof(double));
    memcpy(to->y[corner] + at, cuts->y, count * sizeof(double));
    memcpy(to->altitudes[corner] + at, cuts->altitudes, count * sizeof(double));
    memcpy(to->seeds[corner] + at, cuts->seeds, count * sizeof(uint32_t));
}

void block_add_halves(BlockTiles *to, const BlockTiles *from, const BlockCuts *cuts, const int corners[3]) {
    for (int corner = 0; corner < 3; corner++)
        if (corners[corner] == CUT)
            copy_cuts(to, corner, cuts, from->count);
        else
            copy_corners(to, corner, from, corners[corner]);
    to->count += from->count;
}

void block_leave_rivers(Block *block, BlockTiles *tiles, BlockCuts *cuts, bool acute, bool ordered) {
    for (const uint8_t *end = cuts->begins + tiles->count, *at = cuts->begins;
         at < end && (at = memchr(at, 1, (size_t)(end - at))); at++) {
        const int i = (int)(at - cuts->begins);
        const Corner nowhere = { 1e300, 0, { 0, 0 } };
        const Corner a = block_corner(tiles, NEAR, i), b = block_corner(tiles, FAR, i);
        const bool turn = !ordered && first_is_near((Vec3){ b.x, b.y, 0 }, (Vec3){ a.x, a.y, 0 });
        const Corner corners[3] = { turn ? b : a, turn ? a : b, block_corner(tiles, ACROSS, i) };
        block->begins(block->context, corners, acute, block->longest);
        for (int corner = 0; corner < 3; corner++)
            put_corner(tiles, corner, i, &nowhere);
        cuts->x[i] = nowhere.x;
        cuts->altitudes[i] = 0;
    }
}

BlockStep block_step(const Block *block) {
    const DryCut dry = dry_cut(&block->map->constants);
    return (BlockStep){ dry, dry_step(&dry, sqrt(block->longest)) };
}

BlockTiles *block_spare(Block *block, const BlockTiles *other) {
    for (int i = 0;; i++) {
        BlockTiles *tiles = &block->tiles[i];
        if (tiles != block->obtuse && tiles != block->acute && tiles != other) {
            tiles->count = 0;
            return tiles;
        }
    }
}

void block_start(Block *block, const Corner corners[3], bool acute, double longest) {
    block->acute = &block->tiles[0];
    block->obtuse = &block->tiles[1];
    block->acute->count = acute;
    block->obtuse->count = !acute;
    block->longest = longest;
    for (int corner = 0; corner < 3; corner++)
        put_corner(acute ? block->acute : block->obtuse, corner, 0, &corners[corner]);
}

void block_cut(Block *block, double longest) {
    while (block->longest > longest)
        block->map->tiling->tiles->cut_block(block);
}
