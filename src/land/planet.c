// Windows of a planet. A request may span several faces; everything not cached is computed together, from
// patches of the faces around it (land/cube.h). A window whose margin stays on its face is computed as on a
// flat land, with the same bits.

#include "land/level.h"
#include "land/runoff.h"
#include "land/tiles.h"

#include "core/math.h"

#include <string.h>

enum {
    STEP = 4,                // cells by which rectangles spread over edges at a time
    BLOCK = 160 * TILE_SIDE, // cells along the side of a block that is made at once
    TOGETHER = 3 << 20       // cells that are made at once where several faces are wanted
};

static Int128 smaller(Int128 a, Int128 b) {
    return a < b ? a : b;
}

static Int128 larger(Int128 a, Int128 b) {
    return a > b ? a : b;
}

// --- rectangles -------------------------------------------------------------------------------------------

static bool is_empty(const LandRect *rect) {
    return rect->right <= rect->left || rect->bottom <= rect->top;
}

static LandRect both(LandRect a, LandRect b) {
    return (LandRect){ larger(a.left, b.left), larger(a.top, b.top), smaller(a.right, b.right),
                       smaller(a.bottom, b.bottom) };
}

static void include(LandRect *rect, LandRect more) {
    if (is_empty(&more))
        return;
    if (is_empty(rect))
        *rect = more;
    else
        *rect = (LandRect){ smaller(rect->left, more.left), smaller(rect->top, more.top),
                            larger(rect->right, more.right), larger(rect->bottom, more.bottom) };
}

// Adds a rectangle that may extend over the edges of its face.
static void add_rect(LandRect rects[CUBE_FACES], int face, LandRect rect, Int128 side) {
    const LandRect whole = { 0, 0, side, side };
    const LandRect beyond[CUBE_EDGES] = {
        { side, 0, 2 * side, side }, { 0, side, side, 2 * side }, { -side, 0, 0, side }, { 0, -side, side, 0 }
    };
    include(&rects[face], both(rect, whole));
    for (int edge = 0; edge < CUBE_EDGES; edge++) {
        const LandRect strip = both(rect, beyond[edge]);
        if (is_empty(&strip))
            continue;
        CubeCell first = { face, strip.left, strip.top, 0 },
                 last = { face, strip.right - 1, strip.bottom - 1, 0 };
        cube_resolve(side, &first);
        cube_resolve(side, &last);
        include(&rects[first.face], (LandRect){ smaller(first.x, last.x), smaller(first.y, last.y),
                                                larger(first.x, last.x) + 1, larger(first.y, last.y) + 1 });
    }
}

static LandRect widened(const LandRect *rect, int reach) {
    return (LandRect){ rect->left - reach, rect->top - reach, rect->right + reach, rect->bottom + reach };
}

// In small steps, because an extension over one edge may continue over the next.
static void spread(LandRect rects[CUBE_FACES], Int128 side, int reach) {
    for (int done = 0; done < reach; done += STEP) {
        LandRect old[CUBE_FACES];
        memcpy(old, rects, sizeof old);
        for (int face = 0; face < CUBE_FACES; face++)
            if (!is_empty(&old[face]))
                add_rect(rects, face, widened(&old[face], min(STEP, reach - done)), side);
    }
}

static Int128 side_of(const Land *land, int level) {
    return (Int128)land->root.width << level;
}

void land_faces_spread(const Land *land, int level, LandFaces *faces, int reach) {
    const LandRect whole = { 0, 0, side_of(land, level), (Int128)land->root.height << level };
    if (land->rules.planet)
        spread(faces->wanted, whole.right, reach);
    else
        faces->wanted[0] = both(widened(&faces->wanted[0], reach), whole);
}

void land_faces_add(LandFaces *faces, int face, LandRect rect, Int128 side) {
    add_rect(faces->wanted, face, rect, side);
}

void land_faces_free(LandFaces *faces) {
    for (int face = 0; face < CUBE_FACES; face++)
        land_window_free(&faces->on[face]);
}

// The level's window of a rectangle; on the grid of all faces, one below the other, as all inside src/land.
static LandWindow window_at(const Land *land, int level, int face, const LandRect *rect, Int128 side) {
    return (LandWindow){ .x = rect->left,
                         .y = rect->top + face * side,
                         .width = (int)(rect->right - rect->left),
                         .height = (int)(rect->bottom - rect->top),
                         .level = level,
                         .version = land_version(land, level),
                         .face = face };
}

// --- windows that reach over edges -------------------------------------------------------------------------

static void copy_cell(const LandWindow *from, const CubeCell *cell, Int128 side, LandWindow *window,
                      size_t to) {
    const Int128 column = cell->x - from->x, row = cell->y + cell->face * side - from->y;
    const size_t i = (size_t)row * (size_t)from->width + (size_t)column;
    const int receiver = from->receiver[i];
    window->altitude[to] = from->altitude[i];
    window->area[to] = from->area[i];
    if (window->runoff)
        window->runoff[to] = from->runoff[i];
    window->receiver[to] =
        (uint8_t)(receiver < NEIGHBOURS ? turned_direction(receiver, (4 - cell->turn) & 3) : receiver);
}

// Beyond a corner: the mean of the two cells beside it on the faces' edges.
static void fill_corner(LandWindow *window, int x, int y, int beside, int above) {
    const size_t width = (size_t)window->width, to = (size_t)y * width + (size_t)x;
    const int32_t a = window->altitude[(size_t)beside * width + (size_t)x],
                  b = window->altitude[(size_t)y * width + (size_t)above];
    window->altitude[to] = sum(a, difference(b, a) / 2);
    window->area[to] = 1;
    if (window->runoff)
        window->runoff[to] = RUNOFF_UNKNOWN;
    window->receiver[to] = LAND_NONE;
}

// Copies a window that may extend over its face's edges from `faces`, which contain its cells.
static void assemble(const LandFaces *faces, Int128 side, LandWindow *window) {
    const Int128 top = window->y - window->face * side;
    window->base = faces->on[window->face].base;
    window_copy(&faces->on[window->face], window);
    for (int pass = 0; pass < 2; pass++) // corners are means of what lies beside them
        for (int y = 0; y < window->height; y++)
            for (int x = 0; x < window->width; x++) {
                CubeCell cell = { window->face, window->x + x, top + y, 0 };
                if (cell.x >= 0 && cell.x < side && cell.y >= 0 && cell.y < side) {
                    x = (int)(smaller(side - window->x, window->width)) - 1;
                    continue;
                }
                const bool exists = cube_resolve(side, &cell);
                if (exists && pass == 0)
                    copy_cell(&faces->on[cell.face], &cell, side, window,
                              (size_t)y * (size_t)window->width + (size_t)x);
                if (!exists && pass == 1)
                    fill_corner(window, x, y, (int)(clamp(cell.y, 0, side - 1) - top),
                                (int)(clamp(cell.x, 0, side - 1) - window->x));
            }
}

static Status get_faces(Land *land, const Run *run, int level, LandFaces *faces, Error *error);

// --- making -----------------------------------------------------------------------------------------------

typedef struct Making {
    Land *land;
    const Run *run;
    int level;
    Int128 side;
    int margin; // of the level's steps
    const LandRect *missing;
    bool *based; // whether what is wanted has a base
} Making;

// As on a flat land.
static Status make_inside(const Making *making, int face, LandWindow *made, Error *error) {
    const LandWindow wanted =
        window_at(making->land, making->level, face, &making->missing[face], making->side);
    LandWindow parent = parent_of(making->land, &wanted);
    const Int128 top = parent.y - face * (making->side / 2);
    LandFaces coarse = { 0 };
    coarse.wanted[face] = (LandRect){ parent.x, top, parent.x + parent.width, top + parent.height };
    Status status = get_faces(making->land, making->run, making->level - 1, &coarse, error);
    LandWindow whole = { 0 };
    if (status == STATUS_OK)
        status = level_compute(making->land, making->run, &coarse.on[face], &wanted, &whole, error);
    *made = wanted;
    made->base = whole.base;
    if (status == STATUS_OK)
        status = window_create(made, making->land->rules.watered, error);
    if (status == STATUS_OK)
        window_copy(&whole, made);
    land_window_free(&whole);
    land_faces_free(&coarse);
    return status;
}

// Patches around the rectangles, equally wide; what they are for is in the order of faces.
static int place_patches(const Making *making, Patch patches[CUBE_FACES], int *width) {
    LandRect around[CUBE_FACES];
    int count = 0, row = 0;
    *width = 0;
    memcpy(around, making->missing, sizeof around);
    spread(around, making->side, making->margin + 2 * STEP);
    for (int face = 0; face < CUBE_FACES; face++)
        *width = is_empty(&around[face])
                     ? *width
                     : max(*width, (int)(around[face].right - (around[face].left & ~(Int128)1)));
    *width += *width & 1;
    for (int face = 0; face < CUBE_FACES; face++) {
        const LandRect *rect = &around[face];
        if (is_empty(rect))
            continue;
        const Int128 left = smaller(rect->left & ~(Int128)1, making->side - *width),
                     top = rect->top & ~(Int128)1, bottom = rect->bottom + (rect->bottom & 1);
        PatchPlace *place = &patches[count++].place;
        *place = (PatchPlace){ face, left - HALO, top - HALO + face * making->side,
                               (int)(bottom - top) + 2 * HALO, row };
        row += place->height;
    }
    *width += 2 * HALO;
    return count;
}

// The coarser land around a patch: a window that may reach over edges.
static LandWindow parent_window(const Making *making, const PatchPlace *place, int width) {
    const Int128 side = making->side / 2, top = place->y - place->face * making->side;
    const LandRect rect = { place->x / 2 - PARENT_MARGIN, top / 2 - PARENT_MARGIN,
                            (place->x + width) / 2 + PARENT_MARGIN,
                            (top + place->height) / 2 + PARENT_MARGIN };
    return window_at(making->land, making->level - 1, place->face, &rect, side);
}

static Status get_parents(const Making *making, Patch *patches, int count, int width, Error *error) {
    const Int128 side = making->side / 2;
    LandFaces coarse = { 0 };
    for (int i = 0; i < count; i++) {
        const LandWindow parent = parent_window(making, &patches[i].place, width);
        const Int128 top = parent.y - parent.face * side;
        add_rect(coarse.wanted, parent.face,
                 (LandRect){ parent.x, top, parent.x + parent.width, top + parent.height }, side);
    }
    Status status = get_faces(making->land, making->run, making->level - 1, &coarse, error);
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        patches[i].parent = parent_window(making, &patches[i].place, width);
        status = window_create(&patches[i].parent, making->land->rules.watered, error);
        if (status == STATUS_OK)
            assemble(&coarse, side, &patches[i].parent);
    }
    land_faces_free(&coarse);
    return status;
}

static Status make_across(const Making *making, LandWindow *made, int made_count, Error *error) {
    Patch patches[CUBE_FACES] = { 0 };
    int width;
    const int count = place_patches(making, patches, &width);
    Status status = get_parents(making, patches, count, width, error);
    if (status == STATUS_OK)
        status = level_compute_patches(making->land, making->run, making->level, patches, count, width,
                                       making->side, made, made_count, error);
    for (int i = 0; i < count; i++)
        land_window_free(&patches[i].parent);
    return status;
}

// Whether a rectangle's margin, and that of the coarser land, ends on its face.
static bool is_inside(const Making *making, const LandRect *rect) {
    const int least = making->margin + 2 * (PARENT_MARGIN + 1);
    return rect->left >= least && rect->top >= least && rect->right <= making->side - least &&
           rect->bottom <= making->side - least;
}

// Computes rectangles of whole tiles, caches them, and copies the requested cells.
static Status make(const Making *making, LandFaces *faces, Error *error) {
    LandWindow made[CUBE_FACES] = { 0 };
    int count = 0, last = 0;
    for (int face = 0; face < CUBE_FACES; face++) {
        if (is_empty(&making->missing[face]))
            continue;
        made[count++] = window_at(making->land, making->level, face, &making->missing[face], making->side);
        last = face;
    }
    const bool inside = count == 1 && is_inside(making, &making->missing[last]);
    const Status status =
        inside ? make_inside(making, last, &made[0], error) : make_across(making, made, count, error);
    for (int face = 0; face < CUBE_FACES && status == STATUS_OK && !*making->based; face++)
        faces->on[face].base = made[0].base;
    for (int i = 0; i < count; i++) {
        if (status == STATUS_OK) {
            *making->based = true;
            window_copy(&made[i], &faces->on[made[i].face]);
            const LandRect cells = cells_of_window(&made[i]);
            tiles_keep(making->land->tiles, making->run, &made[i], &cells, making->side,
                       CUBE_FACES * making->side);
        }
        land_window_free(&made[i]);
    }
    return status;
}

// --- getting ----------------------------------------------------------------------------------------------

// Reads cached tiles; `missing`: the bounding rectangle of the others.
static Status read_kept(const Making *making, LandWindow *window, const LandRect *wanted, LandRect *missing,
                        Error *error) {
    const Int128 above = window->face * (making->side / TILE_SIDE); // in tiles
    const TileRect tiles = { wanted->left / TILE_SIDE, wanted->top / TILE_SIDE + above,
                             (wanted->right - 1) / TILE_SIDE, (wanted->bottom - 1) / TILE_SIDE + above };
    TileRect others;
    const Status status =
        tiles_read(making->land->tiles, making->run, &tiles, window, making->based, &others, error);
    if (status == STATUS_OK && others.left <= others.right)
        *missing = (LandRect){ others.left * TILE_SIDE, (others.top - above) * TILE_SIDE,
                               (others.right + 1) * TILE_SIDE, (others.bottom + 1 - above) * TILE_SIDE };
    return status;
}

static double cells_of(const LandRect rects[CUBE_FACES]) {
    double cells = 0;
    for (int face = 0; face < CUBE_FACES; face++)
        if (!is_empty(&rects[face]))
            cells += (double)(rects[face].right - rects[face].left) *
                     (double)(rects[face].bottom - rects[face].top);
    return cells;
}

// One block after another, where there is too much to be made at once.
static Status make_blocks(const Making *making, LandFaces *faces, Error *error) {
    Status status = STATUS_OK;
    for (int face = 0; face < CUBE_FACES; face++) {
        const LandRect *all = &making->missing[face];
        for (Int128 top = all->top; top < all->bottom && !is_empty(all); top += BLOCK)
            for (Int128 left = all->left; left < all->right && status == STATUS_OK; left += BLOCK) {
                LandRect block[CUBE_FACES] = { 0 };
                block[face] = both((LandRect){ left, top, left + BLOCK, top + BLOCK }, *all);
                Making one = *making;
                one.missing = block;
                status = make(&one, faces, error);
            }
    }
    return status;
}

// Reads what is cached of all faces; their windows share one base.
static Status read_faces(const Making *making, LandFaces *faces, LandRect missing[CUBE_FACES], Error *error) {
    Int128 base = *making->based ? faces->on[0].base : 0;
    Status status = STATUS_OK;
    for (int face = 0; face < CUBE_FACES && status == STATUS_OK; face++) {
        missing[face] = (LandRect){ 0 };
        faces->on[face].base = base;
        if (!is_empty(&faces->wanted[face]))
            status = read_kept(making, &faces->on[face], &faces->wanted[face], &missing[face], error);
        base = *making->based ? faces->on[face].base : base;
    }
    for (int face = 0; face < CUBE_FACES && status == STATUS_OK; face++)
        faces->on[face].base = base;
    return status;
}

// The tiles of rectangles on all faces, which lie below each other in the cache.
static void set_tiles(const Making *making, const LandRect rects[CUBE_FACES], TileRect tiles[CUBE_FACES]) {
    const Int128 above = making->side / TILE_SIDE;
    for (int face = 0; face < CUBE_FACES; face++)
        tiles[face] =
            is_empty(&rects[face])
                ? (TileRect){ 1, 1, 0, 0 }
                : (TileRect){ rects[face].left / TILE_SIDE, rects[face].top / TILE_SIDE + face * above,
                              (rects[face].right - 1) / TILE_SIDE,
                              (rects[face].bottom - 1) / TILE_SIDE + face * above };
}

static void set_cells(const Making *making, const TileRect tiles[CUBE_FACES], LandRect rects[CUBE_FACES]) {
    const Int128 above = making->side / TILE_SIDE;
    for (int face = 0; face < CUBE_FACES; face++) {
        const TileRect *rect = &tiles[face];
        const bool empty = rect->right < rect->left || rect->bottom < rect->top;
        if (empty)
            rects[face] = (LandRect){ 0 };
        else
            rects[face] =
                (LandRect){ rect->left * TILE_SIDE, (rect->top - face * above) * TILE_SIDE,
                            (rect->right + 1) * TILE_SIDE, (rect->bottom + 1 - face * above) * TILE_SIDE };
    }
}

static Status get_kept_or_make(Land *land, const Run *run, int level, LandFaces *faces, Error *error) {
    LandRect missing[CUBE_FACES];
    bool based = false;
    const Hillslope form = hillslope_of(&land->rules, level);
    const Making making = { land, run, level, side_of(land, level), margin_of(&form), missing, &based };
    TileClaim claim = { .level = level, .count = CUBE_FACES, .version = land_version(land, level) };
    set_tiles(&making, faces->wanted, claim.wanted);
    Status status = STATUS_OK;
    for (bool whole = false; !whole && status == STATUS_OK;) {
        bool claimed = false;
        claim.kept = tiles_kept(land->tiles, &claim);
        status = read_faces(&making, faces, missing, error);
        const double cells = cells_of(missing);
        if (status != STATUS_OK || cells == 0)
            return status;
        set_tiles(&making, missing, claim.rects);
        status = tiles_claim(land->tiles, run, &claim, &claimed);
        if (!claimed)
            continue;
        set_cells(&making, claim.rects, missing);
        whole = cells_of(missing) == cells;
        status =
            cells_of(missing) > TOGETHER ? make_blocks(&making, faces, error) : make(&making, faces, error);
        tiles_unclaim(land->tiles, &claim);
    }
    return status;
}

static Status get_faces(Land *land, const Run *run, int level, LandFaces *faces, Error *error) {
    const Int128 side = side_of(land, level);
    Status status = STATUS_OK;
    for (int face = 0; face < CUBE_FACES && status == STATUS_OK; face++) {
        faces->on[face] = window_at(land, level, face, &faces->wanted[face], side);
        if (!is_empty(&faces->wanted[face]))
            status = window_create(&faces->on[face], land->rules.watered, error);
        if (status == STATUS_OK && level == 0 && !is_empty(&faces->wanted[face]))
            window_copy(&land->root, &faces->on[face]);
    }
    return status == STATUS_OK && level > 0 ? get_kept_or_make(land, run, level, faces, error) : status;
}

static bool is_on_face(const LandRect *rect, Int128 side) {
    const Int128 most = INT32_MAX / 4;
    return is_empty(rect) ||
           (rect->left >= 0 && rect->top >= 0 && rect->right <= side && rect->bottom <= side &&
            rect->right - rect->left <= most && rect->bottom - rect->top <= most);
}

Status land_faces_once(Land *land, const Run *run, int level, LandFaces *faces, Error *error) {
    const LandRect *rect = &faces->wanted[0];
    if (land->rules.planet)
        return land_faces(land, run, level, faces, error);
    memset(faces->on, 0, sizeof faces->on);
    return land_altitudes(land, run, level, rect->left, rect->top, (int)(rect->right - rect->left),
                          (int)(rect->bottom - rect->top), &faces->on[0], error);
}

Status land_faces(Land *land, const Run *run, int level, LandFaces *faces, Error *error) {
    memset(faces->on, 0, sizeof faces->on);
    if (!land->rules.planet) {
        const LandRect *rect = &faces->wanted[0];
        return land_window(land, run, level, rect->left, rect->top, (int)(rect->right - rect->left),
                           (int)(rect->bottom - rect->top), &faces->on[0], error);
    }
    const bool exists = level >= 0 && level <= LAND_LEVEL_MAX;
    const Int128 side = exists ? side_of(land, level) : 0;
    for (int face = 0; face < CUBE_FACES; face++)
        if (!exists || !is_on_face(&faces->wanted[face], side))
            return fail(error, STATUS_INVALID, "a window must lie on a face of the land, at level 0 to %d",
                        LAND_LEVEL_MAX);
    const Status status = get_faces(land, run, level, faces, error);
    if (status != STATUS_OK)
        land_faces_free(faces);
    for (int face = 0; face < CUBE_FACES; face++)
        faces->on[face].y -= face * side;
    return status;
}
