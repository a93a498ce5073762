#include "rivermap/tile/plane_block.h"

#include "core/whole.h"

#include <math.h>
#include <string.h>

// What all cuts of a loop share.
typedef struct Step {
    float moved, k2;        // k1 |V1 - V2|, and k2
    double lowest, highest; // altitudes, units
    double k3, k4;          // those between which a river begins; highest, lowest: none does
} Step;

// The cuts of a loop.
typedef struct Cuts {
    double x[BLOCK_TILES], y[BLOCK_TILES], altitudes[BLOCK_TILES];
    uint32_t seeds[BLOCK_TILES];
    uint8_t begins[BLOCK_TILES];
} Cuts;

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

// cut_dry_edge and the place of the cut, for all tiles of an array.
KERNEL_INLINE void cut_tiles(const Step *step, const BlockTiles *restrict tiles, bool scalene,
                             Cuts *restrict cuts) {
    const int count = tiles->count;
    const float moved_by = step->moved, k2 = step->k2;
    const double lowest = step->lowest, highest = step->highest, k3 = step->k3, k4 = step->k4;
    const double *restrict first_x = tiles->x[NEAR], *restrict first_y = tiles->y[NEAR];
    const double *restrict second_x = tiles->x[FAR], *restrict second_y = tiles->y[FAR];
    const double *restrict first_h = tiles->altitudes[NEAR], *restrict second_h = tiles->altitudes[FAR];
    const double *restrict across_h = tiles->altitudes[ACROSS];
    const uint32_t *restrict first_seed = tiles->seeds[NEAR], *restrict second_seed = tiles->seeds[FAR];
    for (int i = 0; i < count; i++) {
        const double ax = first_x[i], bx = second_x[i], ay = first_y[i], by = second_y[i];
        const bool turn = scalene & ((bx < ax) | ((bx == ax) & (by < ay)));
        const double near_x = turn ? bx : ax, near_y = turn ? by : ay, far_x = turn ? ax : bx,
                     far_y = turn ? ay : by;
        const double ah = first_h[i], bh = second_h[i];
        const double near_h = turn ? bh : ah, far_h = turn ? ah : bh;
        const uint32_t seed = mix_seeds(first_seed[i], second_seed[i]);
        const double along =
            scalene ? 0.5 + BEND_ALONG * (double)seed_value(mix_seeds(seed, 1)) : PENROSE_ALONG;
        const double aside = scalene ? BEND_ASIDE * (double)seed_value(mix_seeds(seed, 2)) : 0;
        const double dx = far_x - near_x, dy = far_y - near_y;
        cuts->x[i] = near_x + dx * along - dy * aside;
        cuts->y[i] = near_y + dy * along + dx * aside;
        const float weight = (float)(1 - along), difference = (float)(near_h - far_h);
        const double even = whole_below((near_h + far_h) * 0.5);
        const double uneven = far_h + toward_zero((double)(difference * weight));
        const double mean = weight == 0.5f ? even : uneven;
        const double altitude = mean + toward_zero((double)displacement(moved_by, k2, difference, seed));
        const double above = altitude > lowest ? altitude : lowest;
        const double h3 = above < highest ? above : highest, h0 = across_h[i];
        const double high = near_h > far_h ? near_h : far_h, low = near_h > far_h ? far_h : near_h;
        cuts->altitudes[i] = h3;
        cuts->seeds[i] = seed;
        cuts->begins[i] = (high > k3) & (low < k4) & (low < h0) & (low < h3);
    }
}

KERNEL static void cut_scalene_tiles(const Step *step, const BlockTiles *tiles, Cuts *cuts) {
    cut_tiles(step, tiles, true, cuts);
}

KERNEL static void cut_robinson_tiles(const Step *step, const BlockTiles *tiles, Cuts *cuts) {
    cut_tiles(step, tiles, false, cuts);
}

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

static void copy_cuts(BlockTiles *to, int corner, const Cuts *cuts, int cut_count) {
    const size_t count = (size_t)cut_count, at = (size_t)to->count;
    memcpy(to->x[corner] + at, cuts->x, count * sizeof(double));
    memcpy(to->y[corner] + at, cuts->y, count * sizeof(double));
    memcpy(to->altitudes[corner] + at, cuts->altitudes, count * sizeof(double));
    memcpy(to->seeds[corner] + at, cuts->seeds, count * sizeof(uint32_t));
}

// Which corners a half has; CUT is the new vertex.
enum { CUT = 3 };

static void add_halves(BlockTiles *to, const BlockTiles *from, const Cuts *cuts, const int corners[3]) {
    for (int corner = 0; corner < 3; corner++)
        if (corners[corner] == CUT)
            copy_cuts(to, corner, cuts, from->count);
        else
            copy_corners(to, corner, from, corners[corner]);
    to->count += from->count;
}

// Tiles in which a river begins are drawn apart, and what is left of them lies nowhere.
static void leave_rivers(Block *block, BlockTiles *tiles, Cuts *cuts, bool acute) {
    for (const uint8_t *end = cuts->begins + tiles->count, *at = cuts->begins;
         at < end && (at = memchr(at, 1, (size_t)(end - at))); at++) {
        const int i = (int)(at - cuts->begins);
        const Corner nowhere = { 1e300, 0, { 0, 0 } };
        block->begins(block->context, tiles, i, acute, block->longest);
        for (int corner = 0; corner < 3; corner++)
            put_corner(tiles, corner, i, &nowhere);
        cuts->x[i] = nowhere.x;
        cuts->altitudes[i] = 0;
    }
}

static Step step_of(const Block *block) {
    const Constants *constants = &block->map->constants;
    const double length = sqrt(block->longest), reach = length < 1 ? length : 1;
    const Scales scales = fixed_scales(constants, length);
    return (Step){ .moved = constants->k1 * (float)(reach * FIXED_UNITS),
                   .k2 = constants->k2,
                   .lowest = (double)scales.lowest,
                   .highest = (double)scales.highest,
                   .k3 = constants->rivers ? (double)scales.k3 : INFINITY,
                   .k4 = (double)scales.k4 };
}

// The corners of both halves in order, as in tile_cut.
static const int acute_halves[2][3] = { { CUT, ACROSS, NEAR }, { FAR, ACROSS, CUT } };
static const int obtuse_halves[2][3] = { { ACROSS, NEAR, CUT }, { ACROSS, FAR, CUT } };
static const int scalene_halves[2][3] = { { NEAR, ACROSS, CUT }, { FAR, ACROSS, CUT } };

// Room for halves, empty.
static BlockTiles *spare(Block *block, const BlockTiles *other) {
    for (int i = 0;; i++) {
        BlockTiles *tiles = &block->tiles[i];
        if (tiles != block->obtuse && tiles != block->acute && tiles != other) {
            tiles->count = 0;
            return tiles;
        }
    }
}

static void cut_scalene(Block *block) {
    const Step step = step_of(block);
    Cuts cuts;
    cut_scalene_tiles(&step, block->obtuse, &cuts);
    leave_rivers(block, block->obtuse, &cuts, false);
    BlockTiles *halves = spare(block, NULL);
    for (int i = 0; i < 2; i++)
        add_halves(halves, block->obtuse, &cuts, scalene_halves[i]);
    block->obtuse = halves;
    block->longest /= 2;
}

// An acute triangle gives an acute one, smaller by the golden ratio, and an obtuse one of its own size; an
// obtuse one gives a smaller one of either kind.
static void cut_robinson(Block *block) {
    const Step step = step_of(block);
    BlockTiles *acute = spare(block, NULL), *obtuse = spare(block, acute);
    Cuts cuts;
    cut_robinson_tiles(&step, block->acute, &cuts);
    leave_rivers(block, block->acute, &cuts, true);
    add_halves(acute, block->acute, &cuts, acute_halves[0]);
    add_halves(block->obtuse, block->acute, &cuts, acute_halves[1]);
    cut_robinson_tiles(&step, block->obtuse, &cuts);
    leave_rivers(block, block->obtuse, &cuts, false);
    add_halves(obtuse, block->obtuse, &cuts, obtuse_halves[0]);
    add_halves(acute, block->obtuse, &cuts, obtuse_halves[1]);
    block->acute = acute;
    block->obtuse = obtuse;
    block->longest *= ROBINSON_RATIO;
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
        if (block->map->tiling == TILING_PENROSE)
            cut_robinson(block);
        else
            cut_scalene(block);
}
