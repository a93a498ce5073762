// Scalene triangles in the plane (Mogensen and Isenbecker 2025, section 6). The cut position depends on the
// edge alone, so two triangles always agree on a shared edge. In the paper they may cut it from opposite
// ends, which leaves cracks.

#include "rivermap/eroded/eroded.h"
#include "rivermap/tile/plane.h"

#include <math.h>

// The range of a cut around the middle of an edge, and to its side, in lengths of the edge.
#define BEND 0.02

// One triangle with the sides of a disdyakis dodecahedron's: 1, a and b times a scale, with
// a² = 9 (12 + 6√2) / (4 (60 + 6√2)) and b² = (30 - 3√2) / (60 + 6√2): half of b is printed in section 6.
static int first(const RiverMap *map, Tile tiles[FIRST_TILES_MAX]) {
    const double radius_needed = 1.4; // for the map's square, where cuts bend edges inwards
    const double root = sqrt(2), b = sqrt((30 - 3 * root) / (60 + 6 * root));
    const double a = sqrt(9 * (12 + 6 * root) / (4 * (60 + 6 * root)));
    const double foot = (1 + a * a - b * b) / 2, height = sqrt(a * a - foot * foot);
    const double radius = height / (1 + a + b), scale = radius_needed / radius;
    const double centre_x = (1 + a - b) / 2;
    const double corners[3][2] = { { 0, 0 }, { 1, 0 }, { foot, height } };
    tiles[0] = (Tile){ 0 };
    for (int i = 0; i < 3; i++) {
        tiles[0].places[i] =
            plane_place(scale * (corners[i][0] - centre_x), scale * (corners[i][1] - radius));
        tiles[0].vertices[i] = plane_vertex(map, i);
    }
    tiles[0].shape = longest_edge_shape(tiles[0].places);
    tiles[0].shape.longest = 2 * a * a * scale * scale; // its halves are larger than a right-angled one's
    return 1;
}

// Near the middle and slightly to the side, by the seed: no straight line survives, and no angle becomes
// small (docs/zoomable-maps.md).
static EdgeCut cut(Vec3 near, Vec3 far, uint32_t seed) {
    return plane_cut(near, far, 0.5 + BEND * (double)seed_value(mix_seeds(seed, 1)),
                     BEND * (double)seed_value(mix_seeds(seed, 2)));
}

// The next cut is across from the newest vertex. In the paper's triangle and all its descendants that is
// the longest edge, apart from the bends. All tiles of one size have therefore had the same number of cuts,
// and fit together.
static TileShape half(const TileShape *whole, bool far, const Vec3 places[3]) {
    (void)far;
    return (TileShape){ .longest = whole->longest / 2,
                        .cut = 1,
                        .near = first_is_near(places[1], places[2]) ? 1 : 2 };
}

// --- blocks ------------------------------------------------------------------------------------------------

static const int halves[2][3] = { { NEAR, ACROSS, CUT }, { FAR, ACROSS, CUT } };

KERNEL static void cut_scalene_tiles(const BlockStep *step, const BlockTiles *tiles, BlockCuts *cuts) {
    block_cut_tiles(step, tiles, 0.5, BEND, cuts);
}

static void cut_block(Block *block) {
    const BlockStep step = block_step(block);
    BlockCuts cuts;
    cut_scalene_tiles(&step, &block->obtuse, &cuts);
    block_leave_rivers(block, &block->obtuse, &cuts, false, false);
    block_halve(&block->obtuse, &cuts, halves[0], &block->obtuse, halves[1]);
    block->longest /= 2;
}

static const TileMethods tiles = {
    .first = first,
    .cut = cut,
    .half = half,
    .finest = 2,
    .reach = 0.25,
    .cut_block = cut_block,
    .shrink = 0.5,
};

const Tiling tiling_scalene = {
    .corners = true,
    .raw = &plane_raw,
    .eroded = &eroded_flat,
    .heights = plane_heights,
    .tiles = &tiles,
};
