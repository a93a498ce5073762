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

// The numbers of one corner of all tiles, or of all cuts.
typedef struct CornerNumbers {
    double *x, *y, *altitudes;
    uint32_t *seeds;
} CornerNumbers;

static CornerNumbers numbers_of(const BlockTiles *tiles, int corner) {
    return (CornerNumbers){ tiles->x[corner], tiles->y[corner], tiles->altitudes[corner],
                            tiles->seeds[corner] };
}

static void set_numbers(BlockTiles *tiles, int corner, CornerNumbers numbers) {
    tiles->x[corner] = numbers.x;
    tiles->y[corner] = numbers.y;
    tiles->altitudes[corner] = numbers.altitudes;
    tiles->seeds[corner] = numbers.seeds;
}

static void copy_numbers(const BlockTiles *to, int corner, int at, CornerNumbers from, int how_many) {
    const size_t count = (size_t)how_many;
    memcpy(to->x[corner] + at, from.x, count * sizeof(double));
    memcpy(to->y[corner] + at, from.y, count * sizeof(double));
    memcpy(to->altitudes[corner] + at, from.altitudes, count * sizeof(double));
    memcpy(to->seeds[corner] + at, from.seeds, count * sizeof(uint32_t));
}

void block_halve(BlockTiles *tiles, BlockCuts *cuts, const int kept[3], BlockTiles *others,
                 const int other[3]) {
    const int count = tiles->count;
    const CornerNumbers old[4] = { numbers_of(tiles, NEAR),
                                   numbers_of(tiles, FAR),
                                   numbers_of(tiles, ACROSS),
                                   { cuts->x, cuts->y, cuts->altitudes, cuts->seeds } };
    const int replaced = NEAR + FAR + ACROSS + CUT - kept[0] - kept[1] - kept[2];
    for (int corner = 0; corner < 3; corner++)
        set_numbers(tiles, corner, old[kept[corner] == CUT ? replaced : kept[corner]]);
    for (int corner = 0; corner < 3; corner++)
        copy_numbers(others, corner, others->count, old[other[corner]], count);
    for (int corner = 0; corner < 3; corner++)
        if (kept[corner] == CUT)
            copy_numbers(tiles, corner, 0, old[CUT], count);
    others->count += count;
}

static bool any_begins(const BlockCuts *cuts, int count) {
    uint32_t any = 0;
    for (int i = 0; i < count; i++)
        any |= cuts->begins[i];
    return any;
}

void block_leave_rivers(Block *block, BlockTiles *tiles, BlockCuts *cuts, bool acute, bool ordered) {
    if (!any_begins(cuts, tiles->count))
        return;
    for (int i = 0; i < tiles->count; i++) {
        if (!cuts->begins[i])
            continue;
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

static void clear_tiles(BlockTiles *tiles) {
    tiles->count = 0;
    for (int corner = 0; corner < 3; corner++)
        set_numbers(tiles, corner,
                    (CornerNumbers){ tiles->numbers[0][corner], tiles->numbers[1][corner],
                                     tiles->numbers[2][corner], tiles->whole_numbers[corner] });
}

void block_clear(Block *block) {
    clear_tiles(&block->obtuse);
    clear_tiles(&block->acute);
}

void block_add(Block *block, const Corner corners[3], bool acute, double longest) {
    BlockTiles *tiles = acute ? &block->acute : &block->obtuse;
    block->longest = longest;
    for (int corner = 0; corner < 3; corner++)
        put_corner(tiles, corner, tiles->count, &corners[corner]);
    tiles->count++;
}

void block_cut(Block *block, double longest) {
    while (block->longest > longest)
        block->map->tiling->tiles->cut_block(block);
}
