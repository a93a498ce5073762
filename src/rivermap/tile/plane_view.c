// Draws a window of a map of tiles in the plane. Tiles that overlap the window are cut until each pixel
// holds one to two vertices; a pixel takes the altitude at its centre in the tile that contains it.
// Positions are doubles, the same for every window, so an edge separates its two tiles exactly and each
// pixel belongs to one tile.

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "rivermap/channels.h"
#include "rivermap/tile/plane.h"
#include "rivermap/tile/tile.h"
#include "rivermap/view.h"

#include <math.h>
#include <stdatomic.h>

typedef struct Line { // of a river, in map units
    double from_x, from_y, to_x, to_y;
} Line;

enum { PAST_COLUMNS = 3 };

typedef struct Canvas {
    const View *view;
    const TileMethods *tiles;
    double left, top;       // of the window, in map units
    double pixel, per_unit; // its side in map units, and pixels a unit
    double longest;         // squared, what tiles are cut down to
    double *columns, *rows; // the pixels' centres, and of some columns beyond the last
    Altitude datum;
    uint32_t *heights; // where they go instead of the view's field, if not NULL …
    double per_height; // … per altitude of 1
    Scales scales;     // their length aside
    Tile *tasks;
    int count, room; // of tasks
    Line *lines;     // in any order: where they overlap the most counts
    atomic_int line_count;
    int line_room;
    double task_longest; // squared, of the tiles that threads take
    bool directly;       // draw lines immediately: on one thread
    atomic_bool failed;  // memory ran out on a thread
} Canvas;

static inline double min_of_three(double a, double b, double c) {
    const double ab = min(a, b);
    return min(ab, c);
}

static inline double max_of_three(double a, double b, double c) {
    return -min_of_three(-a, -b, -c);
}

// Pixels whose centres may lie in low … high, pixels from the window's corner: `first` … `end` - 1. A hair
// more, for rounding.
static inline void pixels_between(double low, double high, int count, int *first, int *end) {
    const double from = low - 0.51, to = high + 0.51;
    *first = whole_within(ceil(from), 0, INT_MAX);
    *end = whole_within(to, 0, count);
}

static inline Corner corner_of(const Tile *tile, int i) {
    return (Corner){ tile->places[i].x, tile->places[i].y, tile->vertices[i] };
}

// --- pixels ------------------------------------------------------------------------------------------------

// Finds the pixels inside a tile in the plane, and their altitudes. An edge separates its two tiles exactly,
// so each pixel belongs to one tile.

// Twice the area of (a, b, p), with the sign of the side; swapping a and b changes only the sign, no other
// bit.
static double side_of(const Corner *a, const Corner *b, double x, double y) {
    const bool turn = a->x > b->x || (a->x == b->x && a->y > b->y);
    const Corner *low = turn ? b : a, *high = turn ? a : b;
    return (high->x - low->x) * (y - low->y) - (high->y - low->y) * (x - low->x);
}

// Whether p lies on the same side of (a, b) as c; what lies on the edge belongs to the positive side.
static bool same_side(double part, double whole) {
    return part == 0 ? whole > 0 : (part > 0) == (whole > 0);
}

// The altitude at a place in a tile, in the plane through its corners; theirs count from any base.
KERNEL_INLINE double altitude_between(double ax, double ay, double a, double bx, double by, double b,
                                      double cx, double cy, double c, double x, double y) {
    const double to_bx = bx - ax, to_by = by - ay, to_cx = cx - ax, to_cy = cy - ay;
    const double dx = x - ax, dy = y - ay, share = 1 / (to_bx * to_cy - to_by * to_cx);
    const double to_b = (dx * to_cy - dy * to_cx) * share, to_c = (to_bx * dy - to_by * dx) * share;
    return (a + to_b * (b - a) + to_c * (c - a)) * (1 / FIXED_UNITS);
}

static double above(const Corner *corner, Altitude datum) {
    return (double)(int64_t)(corner->vertex.altitude - datum); // of tiles, altitudes are small
}

static double altitude_inside(const Corner *const corners[3], Altitude datum, double x, double y) {
    const Corner *a = corners[0], *b = corners[1], *c = corners[2];
    return altitude_between(a->x, a->y, above(a, datum), b->x, b->y, above(b, datum), c->x, c->y,
                            above(c, datum), x, y);
}

// Gives a pixel its altitude.
static void put_altitude(const Canvas *canvas, int x, int y, double altitude) {
    Field *field = canvas->view->altitude;
    if (canvas->heights)
        canvas->heights[(size_t)y * (size_t)field->width + (size_t)x] =
            (uint32_t)whole_64(floor(altitude * canvas->per_height));
    else
        field_row(field, y)[x] = (float)altitude;
}

// Whether this tile contains a position.
static bool tile_holds(const Corner *const corners[3], double x, double y) {
    for (int i = 0; i < 3; i++) {
        const Corner *a = corners[i == 2 ? 0 : i + 1], *b = corners[i == 0 ? 2 : i - 1], *c = corners[i];
        if (!same_side(side_of(a, b, x, y), side_of(a, b, c->x, c->y)))
            return false;
    }
    return true;
}

// Sets the altitudes of the pixels that a tile, or each of many tiles, contains.
static void paint_tile(const Canvas *canvas, const Corner *a, const Corner *b, const Corner *c) {
    Field *field = canvas->view->altitude;
    const double scale = canvas->per_unit;
    int left, right, top, bottom;
    pixels_between((min_of_three(a->y, b->y, c->y) - canvas->top) * scale,
                   (max_of_three(a->y, b->y, c->y) - canvas->top) * scale, field->height, &top, &bottom);
    if (top >= bottom)
        return;
    pixels_between((min_of_three(a->x, b->x, c->x) - canvas->left) * scale,
                   (max_of_three(a->x, b->x, c->x) - canvas->left) * scale, field->width, &left, &right);
    const Corner *const corners[3] = { a, b, c };
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++)
            if (tile_holds(corners, canvas->columns[x], canvas->rows[y]))
                put_altitude(canvas, x, y,
                             altitude_inside(corners, canvas->datum, canvas->columns[x], canvas->rows[y]));
}

// --- many tiles --------------------------------------------------------------------------------------------

// The first pixel that each tile may hold, and how many columns and rows of them. Its corners, in pixels from
// that one's centre: near enough for all places that are not at an edge. And of that pixel, its right, lower
// and lower right neighbour which the tile does hold: a bit each. MORE: it may hold others, or one at its
// edge.
typedef struct Hits {
    int left[BLOCK_TILES], top[BLOCK_TILES], wide[BLOCK_TILES], high[BLOCK_TILES];
    float x[3][BLOCK_TILES], y[3][BLOCK_TILES];
    int bits[BLOCK_TILES];
} Hits;

enum { MORE = 16 };

KERNEL_INLINE double low_of(double a, double b, double c) {
    const double ab = min(a, b);
    return min(ab, c);
}

// One axis, with a margin as that of pixels_between.
KERNEL static void find_ranges(double *const numbers[3], int count, double origin, double scale, int pixels,
                               int *restrict first, int *restrict extent,
                               float (*restrict from_first)[BLOCK_TILES]) {
    const double *restrict at_a = numbers[0], *restrict at_b = numbers[1], *restrict at_c = numbers[2];
    float *restrict to_a = from_first[0], *restrict to_b = from_first[1], *restrict to_c = from_first[2];
    for (int i = 0; i < count; i++) {
        const double a = (at_a[i] - origin) * scale, b = (at_b[i] - origin) * scale,
                     c = (at_c[i] - origin) * scale;
        const int start = whole_within(low_of(a, b, c) + 0.49, 0, pixels),
                  end = whole_within(0.51 - low_of(-a, -b, -c), 0, pixels);
        const double centre = (double)start + 0.5;
        first[i] = start;
        extent[i] = end - start;
        to_a[i] = (float)(a - centre);
        to_b[i] = (float)(b - centre);
        to_c[i] = (float)(c - centre);
    }
}

// An edge, and how far the place (0, 0) lies from it, times its length; `sign`: which side counts.
typedef struct Side {
    float dx, dy, at;
} Side;

KERNEL_INLINE Side side_between(float ax, float ay, float bx, float by, float sign) {
    const float dx = (bx - ax) * sign, dy = (by - ay) * sign;
    return (Side){ dx, dy, dy * ax - dx * ay };
}

// Of three sides the least, at (x, y).
KERNEL_INLINE float least_at(Side ab, Side bc, Side ca, float x, float y) {
    const float a = ab.at + ab.dx * y - ab.dy * x, b = bc.at + bc.dx * y - bc.dy * x,
                c = ca.at + ca.dx * y - ca.dy * x;
    const float two = min(a, b);
    return min(two, c);
}

KERNEL_INLINE float magnitude(float value) {
    return value < 0 ? -value : value;
}

// `doubt`: a side nearer than this may be either.
KERNEL static void find_pixels(int tiles, float doubt, Hits *restrict hits) {
    for (int i = 0; i < tiles; i++) {
        // cppcheck-suppress uninitvar // find_ranges sets them
        const float ax = hits->x[0][i], bx = hits->x[1][i], cx = hits->x[2][i];
        const float ay = hits->y[0][i], by = hits->y[1][i], cy = hits->y[2][i];
        const float area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax), sign = area > 0 ? 1.0f : -1.0f;
        const Side ab = side_between(ax, ay, bx, by, sign), bc = side_between(bx, by, cx, cy, sign),
                   ca = side_between(cx, cy, ax, ay, sign);
        const float here = least_at(ab, bc, ca, 0, 0), right = least_at(ab, bc, ca, 1, 0),
                    below = least_at(ab, bc, ca, 0, 1), across = least_at(ab, bc, ca, 1, 1);
        const int inside = (here > 0) * 1 | (right > 0) * 2 | (below > 0) * 4 | (across > 0) * 8;
        const int near = (magnitude(here) <= doubt) * 1 | (magnitude(right) <= doubt) * 2 |
                         (magnitude(below) <= doubt) * 4 | (magnitude(across) <= doubt) * 8;
        const int wide = hits->wide[i], high = hits->high[i];
        const int in_row = (wide > 0) * 5 | (wide > 1) * 10, in_column = (high > 0) * 3 | (high > 1) * 12;
        const int held = in_row & in_column;
        const int more = ((wide > 2) & (high > 0)) | ((high > 2) & (wide > 0));
        hits->bits[i] = (inside & held) | (near & held) * MORE | more * MORE;
    }
}

// In find_pixels, in pixels: what rounding to floats makes of products of a few pixels, and rounding to
// doubles, of places in the map.
static float doubt_of(const Canvas *canvas) {
    return (float)(0x1p-16 + canvas->per_unit * 0x1p-48);
}

// Pixels, each with the tile that contains it.
enum { PAINTED = 512 };

typedef struct Painted {
    int count, tile[PAINTED], x[PAINTED], y[PAINTED];
    double altitudes[PAINTED];
} Painted;

// As altitude_inside.
KERNEL static void find_tile_altitudes(const Canvas *canvas, const BlockTiles *restrict tiles,
                                       Painted *restrict painted) {
    const double *restrict columns = canvas->columns, *restrict rows = canvas->rows;
    const double datum = (double)canvas->datum;
    const int count = painted->count;
    for (int i = 0; i < count; i++) {
        const int t = painted->tile[i];
        painted->altitudes[i] =
            altitude_between(tiles->x[0][t], tiles->y[0][t], tiles->altitudes[0][t] - datum, tiles->x[1][t],
                             tiles->y[1][t], tiles->altitudes[1][t] - datum, tiles->x[2][t], tiles->y[2][t],
                             tiles->altitudes[2][t] - datum, columns[painted->x[i]], rows[painted->y[i]]);
    }
}

static void put_painted(const Canvas *canvas, const BlockTiles *tiles, Painted *painted) {
    find_tile_altitudes(canvas, tiles, painted);
    for (int i = 0; i < painted->count; i++)
        put_altitude(canvas, painted->x[i], painted->y[i], painted->altitudes[i]);
    painted->count = 0;
}

static void paint_large(const Canvas *canvas, const BlockTiles *tiles, int i) {
    const Corner at[3] = { block_corner(tiles, 0, i), block_corner(tiles, 1, i), block_corner(tiles, 2, i) };
    paint_tile(canvas, &at[0], &at[1], &at[2]);
}

static void paint_tiles(const Canvas *canvas, const BlockTiles *tiles) {
    Hits hits;
    Painted painted;
    int some[BLOCK_TILES], count = 0; // tiles that contain any pixel
    const int width = canvas->view->altitude->width, height = canvas->view->altitude->height;
    painted.count = 0;
    find_ranges(tiles->x, tiles->count, canvas->left, canvas->per_unit, width, hits.left, hits.wide, hits.x);
    find_ranges(tiles->y, tiles->count, canvas->top, canvas->per_unit, height, hits.top, hits.high, hits.y);
    find_pixels(tiles->count, doubt_of(canvas), &hits);
    for (int i = 0; i < tiles->count; i++) { // without branches
        some[count] = i;
        count += hits.bits[i] != 0;
    }
    for (int k = 0; k < count; k++) {
        const int i = some[k];
        const unsigned found = (unsigned)hits.bits[i];
        if (found >= MORE) {
            paint_large(canvas, tiles, i);
            continue;
        }
        if (painted.count > PAINTED - 4)
            put_painted(canvas, tiles, &painted);
        for (unsigned bits = found; bits; bits &= bits - 1) {
            const int bit = __builtin_ctz(bits), to = painted.count++;
            painted.tile[to] = i;
            painted.x[to] = hits.left[i] + bit % 2;
            painted.y[to] = hits.top[i] + bit / 2;
        }
    }
    put_painted(canvas, tiles, &painted);
}

// --- lines of rivers ---------------------------------------------------------------------------------------

// Four pixels of a row at once: lines reach into no more, but for a few.
enum { STAMP = 1 + PAST_COLUMNS };

KERNEL static void cover_pixels(const Canvas *canvas, Line line, int left, int right, int top, int bottom) {
    const double scale = canvas->per_unit, *columns = canvas->columns;
    for (int y = top; y < bottom; y++) {
        float *row = field_row(canvas->view->river, y);
        const float from_y = (float)((line.from_y - canvas->rows[y]) * scale),
                    to_y = (float)((line.to_y - canvas->rows[y]) * scale);
        for (int x = left; x < right; x += STAMP) {
            float covered[STAMP];
#pragma GCC unroll 1
            for (int i = 0; i < STAMP; i++)
                covered[i] = line_coverage((float)((line.from_x - columns[x + i]) * scale), from_y,
                                           (float)((line.to_x - columns[x + i]) * scale), to_y);
            for (int i = 0; i < STAMP && x + i < right; i++)
                row[x + i] = max(covered[i], row[x + i]);
        }
    }
}

// In rows `first` … `end` - 1 only.
static void stroke(const Canvas *canvas, Line line, int first, int end) {
    const Field *field = canvas->view->river;
    const double scale = canvas->per_unit, reach = (double)RIVER_HALF_WIDTH + 0.5;
    int left, right, top, bottom;
    pixels_between((min(line.from_y, line.to_y) - canvas->top) * scale - reach,
                   (max(line.from_y, line.to_y) - canvas->top) * scale + reach, field->height, &top, &bottom);
    top = max(top, first);
    bottom = min(bottom, end);
    if (top >= bottom)
        return;
    pixels_between((min(line.from_x, line.to_x) - canvas->left) * scale - reach,
                   (max(line.from_x, line.to_x) - canvas->left) * scale + reach, field->width, &left, &right);
    cover_pixels(canvas, line, left, right, top, bottom);
}

// As published: the whole pixel in which a crossed tile lies.
static void mark_pixel(const Canvas *canvas, double at_x, double at_y, int first, int end) {
    Field *field = canvas->view->river;
    const double x = (at_x - canvas->left) * canvas->per_unit, y = (at_y - canvas->top) * canvas->per_unit;
    if (x >= 0 && x < field->width && y >= first && y < end)
        field_row(field, index_within(y, field->height))[index_within(x, field->width)] = 1;
}

static void draw_line(const Canvas *canvas, Line line, int first, int end) {
    if (canvas->view->whole_pixels)
        mark_pixel(canvas, line.from_x, line.from_y, first, end);
    else
        stroke(canvas, line, first, end);
}

static void add_line(Canvas *canvas, Vec3 from, Vec3 to) {
    const Line line = { from.x, from.y, to.x, to.y };
    if (canvas->directly) {
        draw_line(canvas, line, 0, canvas->view->height);
        return;
    }
    const int i = atomic_fetch_add_explicit(&canvas->line_count, 1, memory_order_relaxed);
    if (i < canvas->line_room)
        canvas->lines[i] = line;
}

// Adds the lines of a tile's rivers.
// A river through two edges, a mouth or spring inside the tile, or a confluence.
static void add_lines(Canvas *canvas, const Tile *tile) {
    Tile lines = *tile;
    for (int i = 0; i < 3; i++)
        lines.edges[i].river = lines.edges[i].river && lines.edges[i].basin < canvas->view->line_basin;
    Vec3 crossings[3];
    const int count = tile_crossings(&lines, crossings);
    if (count == 0)
        return;
    const Vec3 middle = tile_middle(count == 3 ? crossings : tile->places);
    if (canvas->view->whole_pixels)
        add_line(canvas, middle, middle);
    else if (count == 2)
        add_line(canvas, crossings[0], crossings[1]);
    else
        for (int i = 0; i < count; i++)
            add_line(canvas, crossings[i], middle);
}

enum { BAND = 64 }; // rows of pixels

// Lines reach into other tasks' pixels, so threads take rows.
static void draw_bands(void *context, int first, int end) {
    const Canvas *canvas = context;
    const int height = canvas->view->height, last = end * BAND < height ? end * BAND : height;
    const int count = atomic_load(&canvas->line_count);
    for (int i = 0; i < count; i++)
        draw_line(canvas, canvas->lines[i], first * BAND, last);
}

// Draws all lines; false: there was not enough room, and none is drawn.
static Status draw_lines(Canvas *canvas, bool *drawn) {
    const View *view = canvas->view;
    *drawn = atomic_load(&canvas->line_count) <= canvas->line_room;
    return *drawn ? parallel_rows(view->run, (view->height + BAND - 1) / BAND, view->width * 200.0,
                                  draw_bands, canvas)
                  : STATUS_OK;
}

// --- cutting -----------------------------------------------------------------------------------------------

// Cuts the tiles of a window down to its pixels. Most are far from any river: they are cut as three corners
// without edges, until a river begins in one. Such tiles of one size go down together in blocks
// (plane.h), however they came to be.

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

// Whether a tile, or any part of it, may lie in the window.
static bool tile_reaches_in(const Canvas *canvas, const Tile *tile) {
    const Corner a = corner_of(tile, 0), b = corner_of(tile, 1), c = corner_of(tile, 2);
    return reaches_in(canvas, &a, &b, &c, tile->shape.longest);
}

// Cuts tiles down, and draws what they become.
static void cut_tiles(Canvas *canvas, const Tile *tiles, int count) {
    Cutting cutting = { .canvas = canvas };
    for (int i = 0; i < count; i++)
        cut_tile(&cutting, &tiles[i]);
    for (int steps = STEPS_MAX; steps >= 0; steps--) // what begins in a block goes to smaller ones
        if (cutting.blocks[steps])
            finish_block(&cutting, steps);
    for (int steps = 0; steps <= STEPS_MAX; steps++)
        memory_free(cutting.blocks[steps]);
}

// --- windows -----------------------------------------------------------------------------------------------

enum {
    TASK_PIXELS = 64,
    TASKS_ACROSS = 64
};                          // a thread takes tiles of this many pixels, or more if there are too many
enum { PIXELS_A_LINE = 8 }; // room for one line per this number of pixels

static void draw_tasks(void *context, int first, int end) {
    Canvas *canvas = context;
    cut_tiles(canvas, canvas->tasks + first, end - first);
}

static Status draw_rivers(Canvas *canvas) {
    bool drawn = false;
    const Status status = draw_lines(canvas, &drawn);
    canvas->directly = true;
    if (status == STATUS_OK && !drawn) // all tiles again
        cut_tiles(canvas, canvas->tasks, canvas->count);
    return status;
}

// Splits the work; without room it only counts.
static void collect_tasks(Canvas *canvas, const Tile *tile) {
    if (!tile_reaches_in(canvas, tile))
        return;
    if (tile->shape.longest <= canvas->task_longest) {
        if (canvas->count < canvas->room)
            canvas->tasks[canvas->count] = *tile;
        canvas->count++;
        return;
    }
    Tile halves[2];
    tile_cut(canvas->view->map, tile, halves);
    collect_tasks(canvas, &halves[0]);
    collect_tasks(canvas, &halves[1]);
}

// Squared: what tiles are cut down to.
static double longest_of(const View *view) {
    const double pixel = 1 / view->pixels;
    return view->map->tiling->tiles->finest * pixel * pixel;
}

static bool holds(const Tile *tile, double x, double y) {
    const Corner corners[3] = { corner_of(tile, 0), corner_of(tile, 1), corner_of(tile, 2) };
    const Corner *const at[3] = { &corners[0], &corners[1], &corners[2] };
    return tile_holds(at, x, y);
}

// The altitude of a vertex of the smallest tile around the window's centre.
static Status plane_datum(const View *view, Datum *datum, Error *error) {
    const double x = ldexp((double)view->x, -PLACE_BITS), y = ldexp((double)view->y, -PLACE_BITS);
    const double longest = longest_of(view);
    Tile first[FIRST_TILES_MAX];
    const int count = first_tiles(view->map, first);
    int i = 0;
    (void)error;
    while (i + 1 < count && !holds(&first[i], x, y))
        i++;
    Tile tile = first[i];
    while (tile.shape.longest > longest) {
        Tile halves[2];
        tile_cut(view->map, &tile, halves);
        tile = halves[holds(&halves[0], x, y) ? 0 : 1];
    }
    *datum = (Datum){ tile.vertices[0].altitude, 0, 1 / FIXED_UNITS };
    return STATUS_OK;
}

static Status draw(const View *view, Canvas *canvas, Error *error) {
    Tile first[FIRST_TILES_MAX];
    const int count = first_tiles(view->map, first);
    canvas->datum = view->datum ? view->datum->altitude : 0;
    for (int i = 0; i < count; i++)
        collect_tasks(canvas, &first[i]);
    canvas->room = canvas->count;
    canvas->count = 0;
    canvas->line_room = view->map->constants.rivers && !canvas->heights
                            ? (int)(field_count(view->altitude) / PIXELS_A_LINE) + 64
                            : 0;
    canvas->tasks = memory_new((size_t)canvas->room, sizeof *canvas->tasks, error);
    canvas->lines =
        canvas->tasks ? memory_new((size_t)canvas->line_room + 1, sizeof *canvas->lines, error) : NULL;
    if (!canvas->lines) {
        memory_free(canvas->tasks);
        return STATUS_MEMORY;
    }
    for (int i = 0; i < count; i++)
        collect_tasks(canvas, &first[i]);
    Status status = parallel_rows(view->run, canvas->count, 500000, draw_tasks, canvas);
    if (status == STATUS_OK && !canvas->heights)
        status = draw_rivers(canvas);
    if (status == STATUS_OK && canvas->failed)
        status = fail(error, STATUS_MEMORY, "not enough memory for the tiles of a river map");
    memory_free(canvas->lines);
    memory_free(canvas->tasks);
    if (status == STATUS_OK && !canvas->heights && view->line_basin < INFINITY) {
        Channels channels = channels_begin(view);
        tile_channels_add(&channels);
        status = channels_draw(&channels, error);
    }
    return status;
}

static Status draw_window(const View *view, uint32_t *heights, Error *error) {
    const int width = view->altitude->width, height = view->altitude->height;
    const int longer = max(width, height);
    const double pixel = 1 / view->pixels;
    const double task = pixel * (longer / TASKS_ACROSS > TASK_PIXELS ? longer / TASKS_ACROSS : TASK_PIXELS);
    const TileMethods *tiles = view->map->tiling->tiles;
    const double longest = longest_of(view);
    Canvas canvas = { .view = view,
                      .per_height = HEIGHTS_PER_PIXEL * view->pixels,
                      .tiles = tiles,
                      .pixel = pixel,
                      .per_unit = view->pixels,
                      .longest = longest,
                      .task_longest = task * task,
                      .scales = fixed_scales(&view->map->constants, 1) };
    canvas.heights = heights;
    canvas.columns = memory_new((size_t)width + PAST_COLUMNS + (size_t)height, sizeof(double), error);
    if (!canvas.columns)
        return STATUS_MEMORY;
    canvas.rows = canvas.columns + width + PAST_COLUMNS;
    for (int x = 0; x < width + PAST_COLUMNS; x++)
        canvas.columns[x] = pixel_centre(view->x, view->pixel, width, x);
    for (int y = 0; y < height; y++)
        canvas.rows[y] = pixel_centre(view->y, view->pixel, height, y);
    canvas.left = canvas.columns[0] - 0.5 * pixel;
    canvas.top = canvas.rows[0] - 0.5 * pixel;
    const Status status = draw(view, &canvas, error);
    memory_free(canvas.columns);
    return status;
}

static Status render(const View *view, Error *error) {
    return draw_window(view, NULL, error);
}

Status plane_heights(const View *view, uint32_t *heights, Error *error) {
    Field size = { .width = view->width, .height = view->height }; // without cells
    View bare = *view;
    bare.altitude = &size;
    bare.line_basin = 0; // no lines
    return draw_window(&bare, heights, error);
}

const LandMethods plane_raw = {
    .datum = plane_datum,
    .max_pixels = 0x1p40,
    .render = render,
    .add_rivers = plane_add_rivers,
};
