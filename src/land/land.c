// Windows of a land: cached tiles are read, and the rest is computed from the coarser level, block by block.

#include "land/law.h"
#include "land/tiles.h"

#include "core/math.h"
#include "core/memory.h"

#include <string.h>

enum {
    BLOCK_TILES = 320,       // maximum side of a block, which is computed at once
    SMALL_BLOCK_TILES = 192, // the same where memory is short
    AHEAD = 48,              // minimum number of coarser tiles computed beside cached ones
    FAR_AHEAD = 96,          // the same in calls that nobody waits for
};
#define AMPLE ((size_t)4 << 30) // a limit of memory that is not short: a large block takes 350 MB
#define KEPT_BYTES ((size_t)256 << 20)

const LandRules land_rules_default = { .erodibility = 0.05f,
                                       .uplift = 0.01f,
                                       .talus = 0.8f,
                                       .rounding = 0.1f,
                                       .roughness = 0.6f,
                                       .graded = 8,
                                       .unit_bits = 18,
                                       .gentle = 0.03f,
                                       .steep = 0.3f,
                                       .concavity = 0.37f,
                                       .variety = 0.5f,
                                       .deposition = 0.6f,
                                       .meanders = true,
                                       .hillslope = 0.018f,
                                       .seed = 1 };

static LandRules within_ranges(const LandRules *rules) {
    LandRules safe = *rules;
    safe.erodibility = clamp(rules->erodibility, 0.0f, 1.0f);
    safe.uplift = clamp(rules->uplift, 0.0f, 1.0f);
    safe.talus = clamp(rules->talus, 0.05f, 8.0f);
    safe.rounding = clamp(rules->rounding, 0.0f, 0.5f);
    safe.roughness = clamp(rules->roughness, 0.0f, 4.0f);
    safe.graded = clamp(rules->graded, 0, (int)GRADED_MAX);
    safe.unit_bits = clamp(rules->unit_bits, 12, 18);
    safe.concavity = clamp(rules->concavity, 0.2f, 0.5f);
    safe.variety = clamp(rules->variety, 0.0f, 1.0f);
    safe.hardness = clamp(rules->hardness, 0.0f, 0.95f);
    safe.deposition = clamp(rules->deposition, 0.0f, 1.0f);
    safe.lakes = clamp(rules->lakes, 0.0f, 0.1f);
    safe.hillslope = clamp(rules->hillslope, 0.0f, 1e6f);
    return safe;
}

static Tiles *new_tiles(bool watered, Error *error) {
    return tiles_new(min(KEPT_BYTES, memory_limit() / 4), watered, error);
}

Status land_create(Land **land, const LandRules *rules, const Field *heights, bool eroded, const Run *run,
                   Error *error) {
    Land *made = memory_new_zeroed(1, sizeof *made, error);
    *land = NULL;
    if (!made)
        return STATUS_MEMORY;
    made->rules = within_ranges(rules);
    made->cell = 1 << made->rules.unit_bits;
    made->tiles = new_tiles(made->rules.watered, error);
    made->owners = made->tiles ? memory_new(1, sizeof *made->owners, error) : NULL;
    if (made->owners)
        atomic_init(made->owners, 1);
    const Status status = made->owners ? root_create(made, heights, eroded, run, error) : STATUS_MEMORY;
    made->rules.courses = NULL;
    if (status == STATUS_OK)
        *land = made;
    else
        land_free(made);
    return status;
}

Land *land_with_edits(const Land *land, const LandEdits *edits, Error *error) {
    Land *made = memory_new(1, sizeof *made, error);
    if (!made)
        return NULL;
    *made = *land;
    made->rules.edits = edits;
    atomic_fetch_add(made->owners, 1);
    const int before = land->rules.edits ? land->rules.edits->count : 0;
    int first = LAND_VERSIONS;
    for (int i = before; edits && i < edits->count; i++)
        first = min(first, edits->at[i].entry);
    const uint32_t version = first < LAND_VERSIONS ? tiles_new_version(made->tiles) : 0;
    for (int level = first; level < LAND_VERSIONS; level++)
        made->versions[level] = version;
    return made;
}

void land_free(Land *land) {
    if (!land)
        return;
    if (!land->owners || atomic_fetch_sub(land->owners, 1) == 1) {
        land_window_free(&land->root);
        law_free(land->law);
        memory_free(land->deltas);
        memory_free(land->upward);
        memory_free(land->target);
        memory_free(land->local);
        memory_free(land->lake_shares);
        memory_free(land->lake_falls);
        memory_free(land->owners);
        tiles_free(land->tiles);
    }
    memory_free(land);
}

double land_top(const Land *land) {
    double top = 0;
    for (size_t i = 0; i < (size_t)land->root.width * (size_t)land->root.height; i++)
        top = max(top, law_top(land, i, (double)land->root.altitude[i]));
    return top;
}

bool land_has_sea(const Land *land, int face, const EditBox *box, int reach) {
    const LandWindow *root = &land->root;
    const double cells = root->width;
    const int high = land->rules.planet ? root->width : root->height, top = face * high;
    if (box_is_empty(box))
        return false;
    const int first_x = double_to_within(box->left * cells - reach, 0, root->width - 1),
              first_y = double_to_within(box->top * cells - reach, 0, high - 1),
              last_x = double_to_within(box->right * cells + reach, 0, root->width - 1),
              last_y = double_to_within(box->bottom * cells + reach, 0, high - 1);
    bool sea = false;
    for (int y = top + first_y; y <= top + last_y && !sea; y++)
        for (int x = first_x; x <= last_x && !sea; x++)
            sea = root->base + root->altitude[(size_t)y * (size_t)root->width + (size_t)x] <= 0;
    return sea;
}

int land_next_cell(const Land *land, int cell) {
    const LandWindow *root = &land->root;
    const int side = root->width, receiver = root->receiver[cell], face = cell / side / side;
    if (receiver >= NEIGHBOURS)
        return receiver == LAND_LAKE ? -2 : -1;
    CubeCell next = { .face = face,
                      .x = cell % side + neighbour_x[receiver],
                      .y = cell / side - face * side + neighbour_y[receiver] };
    if (!land->rules.planet) // all of it is the first face; its edge is water's end
        return (int)next.y * side + (int)next.x + face * side * side;
    cube_resolve(side, &next);
    return (next.face * side + (int)next.y) * side + (int)next.x;
}

void land_keep(Land *land, size_t bytes) {
    tiles_limit(land->tiles, bytes);
}

// --- windows ----------------------------------------------------------------------------------------------

static Int128 smaller(Int128 a, Int128 b) {
    return a < b ? a : b;
}

static Int128 larger(Int128 a, Int128 b) {
    return a > b ? a : b;
}

static Int128 grid_width(const Land *land, int level) {
    return (Int128)land->root.width << level;
}

static Int128 grid_height(const Land *land, int level) {
    return (Int128)land->root.height << level;
}

// Because of its margin a narrow strip costs almost as much as a wide one, and windows tend to move on. So if
// tiles are cached at one end, the missing range `first` … `last` is extended at the other.
static void look_ahead(Int128 first, Int128 last, Int128 end, int ahead, Int128 *missing_first,
                       Int128 *missing_last) {
    if (*missing_first > first && *missing_last == last)
        *missing_last = smaller(larger(last, *missing_first + ahead - 1), end);
    else if (*missing_last < last && *missing_first == first)
        *missing_first = larger(smaller(first, *missing_last - ahead + 1), 0);
}

static TileRect with_tiles_ahead(const Land *land, int level, int ahead, const TileRect *block,
                                 TileRect missing) {
    const Int128 right = (grid_width(land, level) - 1) / TILE_SIDE,
                 bottom = (grid_height(land, level) - 1) / TILE_SIDE;
    look_ahead(block->left, block->right, right, ahead, &missing.left, &missing.right);
    look_ahead(block->top, block->bottom, bottom, ahead, &missing.top, &missing.bottom);
    return missing;
}

static LandWindow window_of_block(const Land *land, int level, const TileRect *block) {
    const Int128 x = block->left * TILE_SIDE, y = block->top * TILE_SIDE;
    return (LandWindow){ .x = x,
                         .y = y,
                         .width = (int)(smaller((block->right + 1) * TILE_SIDE, grid_width(land, level)) - x),
                         .height =
                             (int)(smaller((block->bottom + 1) * TILE_SIDE, grid_height(land, level)) - y),
                         .level = level,
                         .version = land_version(land, level) };
}

// What was asked for. `ahead`: for later.
typedef struct Asked {
    int level;
    bool ahead;
} Asked;

static Status get_window(Land *land, const Run *run, Asked asked, LandWindow *window, Error *error);
static Status fill_window(Land *land, const Run *run, Asked asked, LandWindow *window, Error *error);

typedef struct Copying {
    const LandWindow *made;
    LandRect cells;
    LandWindow *window;
} Copying;

static void copy_rows(void *context, int first, int end) {
    const Copying *copying = context;
    LandRect rows = copying->cells;
    rows.bottom = rows.top + end;
    rows.top += first;
    window_copy_part(copying->made, &rows, copying->window);
}

// What coarser land of a window's place is cached counts as used with it. Otherwise that of the coarsest
// levels, of which a camera needs more once in a hundred steps, would be thrown away, and made again from
// level 0 on.
static void use_coarser(Land *land, Asked asked, const LandWindow *window) {
    LandWindow coarser = *window;
    while (coarser.level > 1) {
        coarser = parent_of(land, &coarser);
        coarser.version = land_version(land, coarser.level);
        tiles_use(land->tiles, &coarser, asked.ahead ? FAR_AHEAD : 0);
    }
}

static Status make_block(Land *land, const Run *run, Asked asked, const TileRect *block, LandWindow *window,
                         bool *based, Error *error) {
    const int level = window->level;
    const Int128 width = grid_width(land, level), height = grid_height(land, level);
    const LandWindow wanted = window_of_block(land, level, block);
    LandWindow parent = parent_of(land, &wanted), made = { 0 };
    Status status = get_window(land, run, asked, &parent, error);
    if (status == STATUS_OK)
        status = level_compute(land, run, &parent, &wanted, &made, error);
    use_coarser(land, asked, &parent);
    land_window_free(&parent);
    if (status == STATUS_OK) {
        if (!*based)
            window->base = made.base;
        *based = true;
        made.version = wanted.version;
        const LandRect cells = cells_of_window(&wanted);
        Copying copying = { &made, cells, window };
        status = parallel_rows(run, wanted.height, wanted.width * 2.0, copy_rows, &copying);
        const bool once = window->altitude && !window->area; // land_altitudes
        if (status == STATUS_OK && !once)
            tiles_keep(land->tiles, run, &made, &cells, width, height);
    }
    land_window_free(&made);
    return status;
}

// Copies the cached tiles of a block and makes the others, or waits for those that other threads make.
static Status fill_block(Land *land, const Run *run, Asked asked, const TileRect *block, LandWindow *window,
                         bool *based, Error *error) {
    const int level = window->level;
    const bool once = window->altitude && !window->area; // land_altitudes, which keeps nothing
    Status status = STATUS_OK;
    for (bool whole = false; !whole && status == STATUS_OK;) {
        TileClaim claim = { .level = level, .count = 1, .version = window->version, .wanted = { *block } };
        TileRect missing;
        bool claimed = false;
        claim.kept = tiles_kept(land->tiles, &claim);
        status = tiles_read(land->tiles, run, block, window, based, &missing, error);
        if (status != STATUS_OK || missing.left > missing.right)
            return status;
        if (once)
            return make_block(land, run, asked, &missing, window, based, error);
        claim.rects[0] = missing;
        status = tiles_claim(land->tiles, run, &claim, &claimed);
        if (!claimed)
            continue;
        whole = memcmp(&claim.rects[0], &missing, sizeof missing) == 0;
        // Beyond the first, coarser levels dominate the cost, so that who waits would wait longer.
        if (asked.ahead ? level < asked.level : level == asked.level - 1) {
            const TileRect ahead =
                with_tiles_ahead(land, level, asked.ahead ? FAR_AHEAD : AHEAD, block, claim.rects[0]);
            tiles_claim_more(land->tiles, &claim, &ahead);
        }
        status = make_block(land, run, asked, &claim.rects[0], window, based, error);
        tiles_unclaim(land->tiles, &claim);
    }
    return status;
}

static int block_tiles(void) {
    return memory_limit() >= AMPLE ? BLOCK_TILES : SMALL_BLOCK_TILES;
}

// Start of part i when `count` tiles are divided into the fewest equal parts that fit a block.
static Int128 part_of(Int128 first, Int128 count, int i) {
    const Int128 most = block_tiles(), parts = (count + most - 1) / most;
    return first + count * i / parts;
}

// Whether the coarser land of what is missing is made at once for several blocks: so it has one margin,
// whereas the parents of blocks overlap by theirs, and so do the parents of these.
static bool has_common_parent(const Land *land, int level, const TileRect *missing, LandWindow *parent) {
    const int most = block_tiles();
    if (missing->right - missing->left < most && missing->bottom - missing->top < most)
        return false;
    const LandWindow wanted = window_of_block(land, level, missing);
    *parent = parent_of(land, &wanted);
    return max(parent->width, parent->height) <= (most - 1) * TILE_SIDE;
}

static Status make_common_parent(Land *land, const Run *run, Asked asked, int level, const TileRect *missing,
                                 Error *error) {
    LandWindow parent; // without arrays: its tiles are kept
    return has_common_parent(land, level, missing, &parent) ? fill_window(land, run, asked, &parent, error)
                                                            : STATUS_OK;
}

// What takes the most memory: a block of the level asked for, or the coarser land of several.
static Status reserve(const Land *land, int level, const TileRect *missing, Error *error) {
    const int most = block_tiles();
    const TileRect block = { missing->left, missing->top, smaller(missing->right, missing->left + most - 1),
                             smaller(missing->bottom, missing->top + most - 1) };
    LandWindow wanted = window_of_block(land, level, &block), parent;
    if (has_common_parent(land, level, missing, &parent)) {
        const TileRect tiles = tiles_around(&parent);
        const LandWindow coarser = window_of_block(land, level - 1, &tiles);
        const bool larger = (Int128)coarser.width * coarser.height > (Int128)wanted.width * wanted.height;
        wanted = larger ? coarser : wanted;
    }
    return level_reserve(land, &wanted, error);
}

static Status get_blocks(Land *land, const Run *run, Asked asked, LandWindow *window, Error *error) {
    const TileRect whole = tiles_around(window);
    const Int128 left = whole.left, top = whole.top;
    const Int128 columns = whole.right - left + 1, rows = whole.bottom - top + 1;
    bool based = false;
    TileRect unknown;
    Status status = tiles_read(land->tiles, run, &whole, window, &based, &unknown, error);
    if (status != STATUS_OK || unknown.left > unknown.right)
        return status;
    if (window->level == asked.level)
        status = reserve(land, asked.level, &unknown, error);
    if (status == STATUS_OK)
        status = make_common_parent(land, run, asked, window->level, &unknown, error);
    for (int j = 0; part_of(top, rows, j) < top + rows && status == STATUS_OK; j++)
        for (int i = 0; part_of(left, columns, i) < left + columns && status == STATUS_OK; i++) {
            const TileRect block = { part_of(left, columns, i), part_of(top, rows, j),
                                     part_of(left, columns, i + 1) - 1, part_of(top, rows, j + 1) - 1 };
            status = fill_block(land, run, asked, &block, window, &based, error);
        }
    return status;
}

// Those of its arrays that it has.
static Status fill_window(Land *land, const Run *run, Asked asked, LandWindow *window, Error *error) {
    window->version = land_version(land, window->level);
    if (window->level > 0)
        return get_blocks(land, run, asked, window, error);
    window_copy(&land->root, window);
    return STATUS_OK;
}

// Computes a window whose level, position and size are set. `asked`: the level originally requested.
static Status get_window(Land *land, const Run *run, Asked asked, LandWindow *window, Error *error) {
    const Status status = window_create(window, land->rules.watered, error);
    return status == STATUS_OK ? fill_window(land, run, asked, window, error) : status;
}

static Status check_window(const Land *land, const LandWindow *window, Error *error) {
    const int level = window->level;
    if (land->rules.planet || level < 0 || level > LAND_LEVEL_MAX || window->width < 1 ||
        window->height < 1 || window->x < 0 || window->y < 0 ||
        window->x + window->width > grid_width(land, level) ||
        window->y + window->height > grid_height(land, level))
        return fail(error, STATUS_INVALID, "a window must lie inside the land, at level 0 to %d",
                    LAND_LEVEL_MAX);
    return STATUS_OK;
}

static Status window_at(Land *land, const Run *run, Asked asked, const LandRect *rect, LandWindow *window,
                        Error *error) {
    *window = (LandWindow){ .x = rect->left,
                            .y = rect->top,
                            .width = (int)(rect->right - rect->left),
                            .height = (int)(rect->bottom - rect->top),
                            .level = asked.level };
    Status status = check_window(land, window, error);
    if (status == STATUS_OK)
        status = get_window(land, run, asked, window, error);
    if (status != STATUS_OK)
        land_window_free(window);
    return status;
}

Status land_window(Land *land, const Run *run, int level, Int128 x, Int128 y, int width, int height,
                   LandWindow *window, Error *error) {
    const LandRect rect = { x, y, x + width, y + height };
    return window_at(land, run, (Asked){ .level = level }, &rect, window, error);
}

Status land_faces_ahead(Land *land, const Run *run, int level, LandFaces *faces, Error *error) {
    memset(faces->on, 0, sizeof faces->on);
    const Asked asked = { .level = level, .ahead = true };
    return window_at(land, run, asked, &faces->wanted[0], &faces->on[0], error);
}

Status land_altitudes(Land *land, const Run *run, int level, Int128 x, Int128 y, int width, int height,
                      LandWindow *window, Error *error) {
    *window = (LandWindow){ .x = x, .y = y, .width = width, .height = height, .level = level };
    Status status = check_window(land, window, error);
    if (status == STATUS_OK) {
        window->altitude = cells_new(memory_count(width, height), sizeof *window->altitude, error);
        status = window->altitude ? fill_window(land, run, (Asked){ .level = level }, window, error)
                                  : STATUS_MEMORY;
    }
    if (status != STATUS_OK)
        land_window_free(window);
    return status;
}
