// Small lakes of graded levels: basins cut into the ground above a place on a stream, which becomes the
// outlet. The level's grid is divided into blocks, and a lake lies inside one, so that windows agree: a block
// is looked at as a whole, and only there.

#include "land/level.h"

#include "core/math.h"
#include "core/random.h"

#include <string.h>

enum {
    BLOCK_SIDE = SMALL_LAKE_REACH + 1,
    BLOCK_CELLS = BLOCK_SIDE * BLOCK_SIDE,
    OUTLET_INSET = 4, // cells between the block's border and an outlet,
    LAKE_INSET = 2,   // and a lake
    FEWEST = 4,       // cells of a lake
    MORE = 20,        // that one may have in addition
    WAY = 12,         // cells of the way of water into a lake, at most
    DISTRICT = 3,     // bits: lakes lie in districts of so many blocks
    DISTRICTS = 4,    // of which one in so many has any
    LAKE_STREAM = 1 << 28,
    DISTRICT_STREAM = 1 << 29
};
#define LEAST_STREAM 96.0f // cells that drain through an outlet
#define LARGEST_STREAM 4000.0f
#define BLOCKS_PER_SHARE 4.0f // the share of blocks with a lake, against that of the land that lakes take
#define DEEPEST_CUT 3.0f      // slopes of the streams that begin on this level

typedef struct Block {
    const Level *level;
    size_t first;  // cell
    uint32_t bits; // random
    size_t outlet; // where the lake's water leaves
    int cells[FEWEST + MORE], count;
    bool in[BLOCK_CELLS]; // whether a cell is the lake's, or the outlet
} Block;

static size_t cell_of(const Block *block, int number) {
    return block->first + (size_t)(number / BLOCK_SIDE) * (size_t)block->level->width +
           (size_t)(number % BLOCK_SIDE);
}

static int number_towards(int number, int direction) {
    return number + neighbour_y[direction] * BLOCK_SIDE + neighbour_x[direction];
}

static bool is_inside(int number, int inset) {
    const int x = number % BLOCK_SIDE, y = number / BLOCK_SIDE, last = BLOCK_SIDE - 1 - inset;
    return x >= inset && y >= inset && x <= last && y <= last;
}

static bool has_lake(const Block *block) {
    bool any = false;
    for (int y = 0; y < BLOCK_SIDE; y++)
        any |= memchr(block->level->receiver + cell_of(block, y * BLOCK_SIDE), LAND_LAKE, BLOCK_SIDE) != NULL;
    return any;
}

static bool may_leave_at(const Block *block, int number) {
    const Level *level = block->level;
    const size_t cell = cell_of(block, number);
    const int receiver = level->receiver[cell];
    return receiver < NEIGHBOURS && level->area[cell] >= LEAST_STREAM &&
           level->area[cell] <= LARGEST_STREAM &&
           level->receiver[towards(level, cell, receiver)] < NEIGHBOURS;
}

// The stream nearest to a place by chance; -1: there is none.
static int find_outlet(const Block *block) {
    const int span = BLOCK_SIDE - 2 * OUTLET_INSET;
    const int to_x = OUTLET_INSET + (int)(block->bits % (uint32_t)span),
              to_y = OUTLET_INSET + (int)(block->bits / (uint32_t)span % (uint32_t)span);
    int found = -1, least = BLOCK_CELLS * 2;
    for (int number = 0; number < BLOCK_CELLS; number++) {
        const int x = number % BLOCK_SIDE - to_x, y = number / BLOCK_SIDE - to_y, away = x * x + y * y;
        if (away >= least || !is_inside(number, OUTLET_INSET) || !may_leave_at(block, number))
            continue;
        found = number;
        least = away;
    }
    return found;
}

static bool drains_into(const Block *block, int number) {
    for (int step = 0; step < WAY && is_inside(number, 1); step++) {
        const int receiver = block->level->receiver[cell_of(block, number)];
        if (block->in[number])
            return true;
        if (receiver >= NEIGHBOURS)
            return false;
        number = number_towards(number, receiver);
    }
    return false;
}

// Whether the ground around a cell is above the water, so that it leaves at the outlet alone.
static bool is_enclosed(const Block *block, int number) {
    const Level *level = block->level;
    bool enclosed = true;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const int beside = number_towards(number, d);
        enclosed &= block->in[beside] || level->z[cell_of(block, beside)] > level->z[block->outlet];
    }
    return enclosed;
}

static bool may_join(const Block *block, int number, int32_t highest) {
    const Level *level = block->level;
    const size_t cell = cell_of(block, number);
    return !block->in[number] && is_inside(number, LAKE_INSET) && level->receiver[cell] != LAND_SEA &&
           level->z[cell] > level->z[block->outlet] && level->z[cell] <= highest &&
           drains_into(block, number) && is_enclosed(block, number);
}

// The lowest cell beside the lake's that may join it; -1: none may.
static int find_next(const Block *block, int outlet, int32_t highest) {
    int found = -1;
    for (int i = -1; i < block->count; i++)
        for (int d = 0; d < NEIGHBOURS; d += 2) {
            const int number = number_towards(i < 0 ? outlet : block->cells[i], d);
            const bool lower = found < 0 || difference(block->level->z[cell_of(block, number)],
                                                       block->level->z[cell_of(block, found)]) < 0;
            if (lower && may_join(block, number, highest))
                found = number;
        }
    return found;
}

static void cut_lake(Block *block) {
    const Level *level = block->level;
    const int outlet = find_outlet(block), wanted = FEWEST + (int)(block->bits >> 8) % (MORE + 1);
    if (outlet < 0)
        return;
    block->outlet = cell_of(block, outlet);
    block->in[outlet] = true;
    const int32_t water = level->z[block->outlet],
                  highest = sum(water, whole_int(DEEPEST_CUT * level->slope[block->outlet]));
    while (block->count < wanted) {
        const int next = find_next(block, outlet, highest);
        if (next < 0)
            break;
        block->in[next] = true;
        block->cells[block->count++] = next;
    }
    for (int i = 0; i < block->count && block->count >= FEWEST; i++) {
        const size_t cell = cell_of(block, block->cells[i]);
        level->z[cell] = water;
        level->receiver[cell] = LAND_LAKE;
        level->area[cell] = 1;
    }
}

// --- blocks ------------------------------------------------------------------------------------------------

// Where a patch lies on its face.
typedef struct Grid {
    const Level *level; // the patch's
    Int128 x, y, side_x, side_y;
    int left, top, right, bottom; // its valid cells
    uint32_t face;
    RandomKey key, districts;
    int rows;
} Grid;

static bool is_chosen(const Grid *grid, Int128 column, Int128 row, uint32_t *bits) {
    const float share = grid->level->land->rules.lakes * BLOCKS_PER_SHARE * DISTRICTS;
    const uint32_t district =
        random_bits(grid->districts, bits_of_place(column >> DISTRICT), bits_of_place(row >> DISTRICT));
    *bits = random_bits(grid->key, bits_of_place(column), bits_of_place(row));
    return district % DISTRICTS == 0 && (float)(*bits >> 16) < share * 0x1p16f;
}

static int offset_of(Int128 first) {
    return (int)((BLOCK_SIDE - (first & (BLOCK_SIDE - 1))) & (BLOCK_SIDE - 1));
}

// Those at the edge of the land have none.
static bool is_on_face(Int128 at, Int128 side, bool planet) {
    const Int128 least = planet ? 0 : 1;
    return at >= least && at + BLOCK_SIDE <= side - least;
}

static void cut_rows(void *context, int first, int end) {
    const Grid *grid = context;
    const Level *level = grid->level;
    for (int i = first; i < end; i++) {
        const int y = offset_of(grid->y) + i * BLOCK_SIDE;
        for (int x = offset_of(grid->x); x + BLOCK_SIDE <= grid->right; x += BLOCK_SIDE) {
            const bool planet = level->land->rules.planet;
            if (x < grid->left || y < grid->top || y + BLOCK_SIDE > grid->bottom ||
                !is_on_face(grid->x + x, grid->side_x, planet) ||
                !is_on_face(grid->y + y, grid->side_y, planet))
                continue;
            Block block = { .level = level, .first = (size_t)y * (size_t)level->width + (size_t)x };
            if (is_chosen(grid, (grid->x + x) / BLOCK_SIDE, (grid->y + y) / BLOCK_SIDE, &block.bits) &&
                !has_lake(&block))
                cut_lake(&block);
        }
    }
}

static Status cut_patch(const Level *level, const Level *part, const Patch *patch) {
    const LandRules *rules = &level->land->rules;
    const int face = patch->place.face;
    const Int128 side_x = (Int128)level->land->root.width << level->number,
                 side_y = rules->planet ? side_x : (Int128)level->land->root.height << level->number;
    const uint32_t stream = (uint32_t)(level->number * 8 + face);
    const bool sewn = level->seams;
    Grid grid = { .level = part,
                  .x = patch->place.x,
                  .y = patch->place.y - (rules->planet ? face * side_y : 0),
                  .side_x = side_x,
                  .side_y = side_y,
                  .left = sewn ? 0 : level->region.left,
                  .top = sewn ? 0 : level->region.top,
                  .right = sewn ? part->width : level->region.right,
                  .bottom = sewn ? part->height : level->region.bottom,
                  .key = random_key(rules->seed, LAKE_STREAM + stream),
                  .districts = random_key(rules->seed, DISTRICT_STREAM + stream) };
    return parallel_rows(level->run, part->height / BLOCK_SIDE, part->width * 1.0, cut_rows, &grid);
}

Status cut_small_lakes(Level *level) {
    Status status = STATUS_OK;
    if (!level->hillslope.small_lakes)
        return status;
    for (int i = 0; i < level->patch_count && status == STATUS_OK; i++) {
        const Level part = level_part(level, &level->patches[i]);
        status = cut_patch(level, &part, &level->patches[i]);
    }
    level_shrink(level, SMALL_LAKE_REACH);
    level_exchange(level, LEVEL_ALTITUDE | LEVEL_AREA | LEVEL_RECEIVER);
    return status;
}
