// Penrose tiles as Robinson triangles (Mogensen and Isenbecker 2025, section 5).

#include "rivermap/eroded/eroded.h"
#include "rivermap/tile/plane.h"

#include <math.h>

#define GOLDEN 1.6180339887498949
#define ALONG 0.38196601125010515 // 2 - φ: where an edge is cut
#define RATIO 0.38196601125010515 // (φ - 1)²: of the squared edges of a triangle and a smaller one

// The two acute triangles of a kite, with sides φ and 1 times a scale. The circle that touches all sides
// holds the map's square, whose half diagonal is a hair less.
static int first(const RiverMap *map, Tile tiles[FIRST_TILES_MAX]) {
    const double sine_36 = 0.58778525229247314, cosine_36 = 0.80901699437494742;
    const double radius = GOLDEN * GOLDEN * sine_36 / (GOLDEN + 1);  // the kite's area by half its girth
    const double scale = 0.7072 / radius, centre = radius / sine_36; // from B, along BC
    const double corners[4][2] = { { -centre, 0 },
                                   { GOLDEN - centre, 0 },
                                   { GOLDEN * cosine_36 - centre, GOLDEN * sine_36 },
                                   { GOLDEN * cosine_36 - centre, -GOLDEN * sine_36 } }; // B, C, A, A'
    for (int half = 0; half < 2; half++) {
        const int order[3] = { 2 + half, 0, 1 };
        Tile *tile = &tiles[half];
        *tile = (Tile){
            .shape = { .longest = scale * GOLDEN * scale * GOLDEN, .cut = 1, .near = 2, .acute = true }
        };
        for (int i = 0; i < 3; i++) {
            tile->places[i] = plane_place(scale * corners[order[i]][0], scale * corners[order[i]][1]);
            tile->vertices[i] = plane_vertex(map, order[i]);
        }
    }
    return 2;
}

static EdgeCut cut(Vec3 near, Vec3 far, uint32_t seed) {
    (void)seed;
    return plane_cut(near, far, ALONG, 0);
}

// An acute triangle (A, B, C), apex B, is cut on BC near C into an acute (C, A, R) and an obtuse (B, R, A);
// an obtuse one on CA near A into an obtuse (B, P, A) and an acute (P, C, B). Lengths follow from the number
// of cuts, so that two triangles at an edge agree.
static TileShape half(const TileShape *whole, bool far, const Vec3 places[3]) {
    (void)places;
    const double shorter = whole->longest * RATIO;
    if (far)
        return (TileShape){ .longest = whole->acute ? whole->longest : shorter,
                            .cut = 1,
                            .near = whole->acute ? 1 : 2,
                            .acute = !whole->acute };
    return (TileShape){
        .longest = shorter, .cut = whole->acute ? 2 : 1, .near = whole->acute ? 0 : 2, .acute = whole->acute
    };
}

// --- blocks ------------------------------------------------------------------------------------------------

// The corners of both halves in order, as above.
static const int acute_halves[2][3] = { { CUT, ACROSS, NEAR }, { FAR, ACROSS, CUT } };
static const int obtuse_halves[2][3] = { { ACROSS, NEAR, CUT }, { ACROSS, FAR, CUT } };

KERNEL static void cut_robinson_tiles(const BlockStep *step, const BlockTiles *tiles, BlockCuts *cuts) {
    block_cut_tiles(step, tiles, ALONG, 0, cuts);
}

// An acute triangle gives an acute one, smaller by the golden ratio, and an obtuse one of its own size; an
// obtuse one gives a smaller one of either kind.
static void cut_block(Block *block) {
    const BlockStep step = block_step(block);
    BlockTiles *acute = &block->acute, *obtuse = &block->obtuse;
    BlockCuts cuts;
    cut_robinson_tiles(&step, acute, &cuts);
    block_leave_rivers(block, acute, &cuts, true, true);
    block_halve(acute, &cuts, acute_halves[0], obtuse, acute_halves[1]);
    cut_robinson_tiles(&step, obtuse, &cuts);
    block_leave_rivers(block, obtuse, &cuts, false, true);
    block_halve(obtuse, &cuts, obtuse_halves[0], acute, obtuse_halves[1]);
    block->longest *= RATIO;
}

static const TileMethods tiles = {
    .first = first,
    .cut = cut,
    .half = half,
    .finest = 2.56,
    .cut_block = cut_block,
    .shrink = RATIO,
};

const Tiling tiling_penrose = {
    .corners = true,
    .raw = &plane_raw,
    .eroded = &eroded_flat,
    .heights = plane_heights,
    .tiles = &tiles,
};
