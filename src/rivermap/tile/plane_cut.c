// Cuts the tiles of a window down to its pixels. Most are far from any river: they are cut as three corners
// without edges, until a river begins in one. Such tiles of one size go down together in blocks
// (plane_block.h), however they came to be.

#include "core/math.h"
#include "core/memory.h"
#include "rivermap/tile/plane_canvas.h"

#include <math.h>

// How often tiles in a block are cut at most: from one such tile it is filled.
enum { STEPS_MAX = 9 };

// One thread's work: by how often their tiles still are to be cut, blocks that fill up. NULL: not needed yet.
typedef struct Cutting {
    Canvas *canvas;
    Block *blocks[STEPS_MAX + 1];
    bool busy[STEPS_MAX + 1]; // being cut
} Cutting;

// `longest`: of the edges, squared. A margin of two pixels: rivers outside reach in.
static bool reaches_in(const Canvas *canvas, const Corner *a, const Corner *b, const Corner *c,
                       double longest) {
    const Field *field = canvas->view->altitude;
    const double margin = 2 * canvas->pixel + canvas->tiles->reach * sqrt(longest);
    return max_of_three(a->x, b->x, c->x) >= canvas->left - margin &&
           min_of_three(a->x, b->x, c->x) <= canvas->left + field->width * canvas->pixel + margin &&
           max_of_three(a->y, b->y, c->y) >= canvas->top - margin &&
           min_of_three(a->y, b->y, c->y) <= canvas->top + field->height * canvas->pixel + margin;
}

static void cut_tile(Cutting *cutting, const Tile *tile);

// Three corners of a tile without rivers: the near and the far end of the edge that is cut next, and the one
// across from it.
typedef struct Bare {
    const Corner *near, *far, *across;
    double longest;
    bool acute;
} Bare;

static Vec3 corner_place(const Corner *corner) {
    return (Vec3){ corner->x, corner->y, 0 };
}

static Bare bare_tile(const Corner corners[3], TileShape shape) {
    return (Bare){ &corners[shape.near], &corners[shape_far(shape)], &corners[shape_across(shape)],
                   shape.longest, shape.acute };
}

static void cut_with_edges(Cutting *cutting, const Bare *bare) {
    const Corner *corners[3] = { bare->near, bare->far, bare->across };
    Tile tile = { .shape = { .longest = bare->longest, .cut = 0, .near = 0, .acute = bare->acute } };
    for (int i = 0; i < 3; i++) {
        tile.places[i] = corner_place(corners[i]);
        tile.vertices[i] = corners[i]->vertex;
    }
    cut_tile(cutting, &tile);
}

// --- blocks ------------------------------------------------------------------------------------------------

static void begin_river(void *cutting, const Corner corners[3], bool acute, double longest) {
    const Bare bare = { &corners[0], &corners[1], &corners[2], longest, acute };
    cut_with_edges(cutting, &bare);
}

static void finish_block(Cutting *cutting, int steps) {
    const Canvas *canvas = cutting->canvas;
    Block *block = cutting->blocks[steps];
    cutting->busy[steps] = true;
    block_cut(block, canvas->longest);
    paint_tiles(canvas, &block->obtuse);
    paint_tiles(canvas, &block->acute);
    block_clear(block);
    cutting->busy[steps] = false;
}

// Blocks are too large for a stack.
static Block *new_block(Cutting *cutting) {
    Error error; // reported once, for all threads
    Block *block = memory_new(1, sizeof *block, &error);
    if (!block) {
        atomic_store(&cutting->canvas->failed, true);
        return NULL;
    }
    block->map = cutting->canvas->view->map;
    block->begins = begin_river;
    block->context = cutting;
    block_clear(block);
    return block;
}

// Leaves a tile to the block of its size; false: it is too large, or the block is being cut.
static bool add_to_block(Cutting *cutting, const Bare *bare) {
    const Canvas *canvas = cutting->canvas;
    double longest = bare->longest, room = BLOCK_TILES;
    int steps = 0;
    for (; longest > canvas->longest && room >= 1; steps++) {
        longest *= canvas->tiles->shrink;
        room *= canvas->tiles->shrink; // as does the area of a tile
    }
    if (room < 1 || cutting->busy[steps])
        return false;
    if (!cutting->blocks[steps])
        cutting->blocks[steps] = new_block(cutting);
    Block *block = cutting->blocks[steps];
    if (!block)
        return true;
    const Corner corners[3] = { *bare->near, *bare->far, *bare->across };
    block_add(block, corners, bare->acute, bare->longest);
    if (block->obtuse.count + block->acute.count + 1 > room)
        finish_block(cutting, steps);
    return true;
}

// --- the way down ------------------------------------------------------------------------------------------

static void cut_bare(Cutting *cutting, const Bare *bare) {
    const Canvas *canvas = cutting->canvas;
    const Corner *near = bare->near, *far = bare->far, *across = bare->across;
    if (!reaches_in(canvas, near, far, across, bare->longest) || add_to_block(cutting, bare))
        return;
    const Constants *constants = &canvas->view->map->constants;
    const double length = sqrt(bare->longest), step = min(length, 1);
    const EdgeCut edge = canvas->tiles->cut(corner_place(near), corner_place(far),
                                            mix_seeds(near->vertex.seed, far->vertex.seed));
    const Corner cut = { edge.at.x, edge.at.y,
                         cut_dry_edge(constants, &canvas->scales, constants->k1 * (float)(step * FIXED_UNITS),
                                      (float)(1 - edge.along), near->vertex, far->vertex) };
    const Altitude h0 = across->vertex.altitude, h3 = cut.vertex.altitude;
    const Altitude h1 = near->vertex.altitude, h2 = far->vertex.altitude;
    if (constants->rivers &&
        source_between(h0, max(h1, h2), min(h1, h2), h3, canvas->scales.k3, canvas->scales.k4)) {
        cut_with_edges(cutting, bare);
        return;
    }
    const TileShape whole = { .longest = bare->longest, .acute = bare->acute };
    for (int i = 0; i < 2; i++) {
        const Corner corners[3] = { cut, i == 0 ? *near : *far, *across };
        const Vec3 places[3] = { edge.at, corner_place(&corners[1]), corner_place(across) };
        const Bare half = bare_tile(corners, canvas->tiles->half(&whole, i == 1, places));
        cut_bare(cutting, &half);
    }
}

static void cut_tile(Cutting *cutting, const Tile *tile) {
    Canvas *canvas = cutting->canvas;
    const Corner corners[3] = { corner_of(tile, 0), corner_of(tile, 1), corner_of(tile, 2) };
    if (!reaches_in(canvas, &corners[0], &corners[1], &corners[2], tile->shape.longest))
        return;
    if (tile->shape.longest <= canvas->longest) {
        paint_tile(canvas, &corners[0], &corners[1], &corners[2]);
        add_lines(canvas, tile);
        return;
    }
    Tile halves[2];
    tile_cut(canvas->view->map, tile, halves);
    for (int i = 0; i < 2; i++) {
        const Tile *half = &halves[i];
        if (tile_has_river(half)) {
            cut_tile(cutting, half);
            continue;
        }
        const Corner at[3] = { corner_of(half, 0), corner_of(half, 1), corner_of(half, 2) };
        const Bare bare = bare_tile(at, half->shape);
        cut_bare(cutting, &bare);
    }
}

bool tile_reaches_in(const Canvas *canvas, const Tile *tile) {
    const Corner a = corner_of(tile, 0), b = corner_of(tile, 1), c = corner_of(tile, 2);
    return reaches_in(canvas, &a, &b, &c, tile->shape.longest);
}

void cut_tiles(Canvas *canvas, const Tile *tiles, int count) {
    Cutting cutting = { .canvas = canvas };
    for (int i = 0; i < count; i++)
        cut_tile(&cutting, &tiles[i]);
    for (int steps = STEPS_MAX; steps >= 0; steps--) // what begins in a block goes to smaller ones
        if (cutting.blocks[steps])
            finish_block(&cutting, steps);
    for (int steps = 0; steps <= STEPS_MAX; steps++)
        memory_free(cutting.blocks[steps]);
}
