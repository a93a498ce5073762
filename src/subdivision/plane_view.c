// Draws a window of a map of tiles in the plane. Tiles are cut while their longest edge is longer than a
// pixel's diagonal, wherever they reach into the window; a pixel takes the altitude of its centre in the
// tile that holds it. Places are doubles, the same for every window; so an edge parts its two tiles exactly,
// and each pixel has one owner. Most tiles are far from any river: they are cut as three corners, without
// their edges, until a river begins in one.

#include "core/memory.h"
#include "subdivision/channels.h"
#include "subdivision/plane_block.h"
#include "subdivision/river_lines.h"
#include "subdivision/tile.h"
#include "subdivision/view.h"

#include <math.h>
#include <stdatomic.h>

enum { TASK_PIXELS = 64, TASKS_ACROSS = 64 }; // a thread takes tiles of so many pixels, or more if too many
enum { PIXELS_A_LINE = 8, BAND = 64 }; // room for a line every so many pixels; rows that a thread draws

typedef struct Line { // of a river, in map units
    double from_x, from_y, to_x, to_y;
} Line;

typedef struct Canvas {
    const View *view;
    double left, top;       // of the window, in map units
    double pixel, per_unit; // its side in map units, and pixels a unit
    double longest;         // squared, what tiles are cut down to
    double block_longest;   // squared, of tiles that make no more than fit into a block
    double *columns, *rows; // the pixels' centres, and two beyond the last
    Altitude datum;
    Scales scales; // their length aside
    Tile *tasks;
    int count, room;
    Line *lines; // in any order: where they overlap the most counts
    atomic_int line_count;
    int line_room;
    double task_longest; // squared, of the tiles that threads take
    bool directly;       // draw lines at once: on one thread
} Canvas;

// --- pixels ------------------------------------------------------------------------------------------------

static double least(double a, double b, double c) {
    const double ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static double most(double a, double b, double c) {
    return -least(-a, -b, -c);
}

// `longest`: of the edges, squared. A margin of two pixels: rivers outside reach in.
static bool reaches_in(const Canvas *canvas, const Corner *a, const Corner *b, const Corner *c,
                       double longest) {
    const Field *field = canvas->view->altitude;
    const double bends = canvas->view->map->tiling == TILING_SCALENE ? BEND_REACH * sqrt(longest) : 0;
    const double margin = 2 * canvas->pixel + bends;
    return most(a->x, b->x, c->x) >= canvas->left - margin &&
           least(a->x, b->x, c->x) <= canvas->left + field->width * canvas->pixel + margin &&
           most(a->y, b->y, c->y) >= canvas->top - margin &&
           least(a->y, b->y, c->y) <= canvas->top + field->height * canvas->pixel + margin;
}

// Pixels whose centres may lie in low … high: `first` … `end` - 1. A hair more, for rounding.
static void pixels_between(double low, double high, int count, int *first, int *end) {
    const double from = low - 0.51, to = high + 0.51;
    *first = from > 0 ? (int)from + ((double)(int)from < from) : 0;
    *end = to < 0 ? 0 : to < count ? (int)to : count;
}

// Twice the area of (a, b, p), with the sign of the side; the same bits but for the sign from both sides.
static double side_of(const Corner *a, const Corner *b, double x, double y) {
    const bool turn = a->x > b->x || (a->x == b->x && a->y > b->y);
    const Corner *low = turn ? b : a, *high = turn ? a : b;
    return (high->x - low->x) * (y - low->y) - (high->y - low->y) * (x - low->x);
}

// Whether p lies on the same side of (a, b) as c; what lies on the edge belongs to the positive side.
static bool same_side(double part, double whole) {
    return part == 0 ? whole > 0 : (part > 0) == (whole > 0);
}

// The altitude at a place in the tile, in the plane through its corners.
static float altitude_inside(const Corner *const corners[3], Altitude datum, double x, double y) {
    const Corner *a = corners[0], *b = corners[1], *c = corners[2];
    const double bx = b->x - a->x, by = b->y - a->y, cx = c->x - a->x, cy = c->y - a->y;
    const double dx = x - a->x, dy = y - a->y, share = 1 / (bx * cy - by * cx);
    const double to_b = (dx * cy - dy * cx) * share, to_c = (bx * dy - by * dx) * share;
    // Of tiles, altitudes are small.
    const double height = (double)(int64_t)(a->vertex.altitude - datum);
    const double b_height = (double)(int64_t)(b->vertex.altitude - a->vertex.altitude);
    const double c_height = (double)(int64_t)(c->vertex.altitude - a->vertex.altitude);
    return (float)((height + to_b * b_height + to_c * c_height) * (1 / FIXED_UNITS));
}

// Whether it is this tile that holds a place.
static bool tile_holds(const Corner *const corners[3], double x, double y) {
    for (int i = 0; i < 3; i++) {
        const Corner *a = corners[i == 2 ? 0 : i + 1], *b = corners[i == 0 ? 2 : i - 1], *c = corners[i];
        if (!same_side(side_of(a, b, x, y), side_of(a, b, c->x, c->y)))
            return false;
    }
    return true;
}

static void paint(const Canvas *canvas, const Corner *a, const Corner *b, const Corner *c) {
    const Field *field = canvas->view->altitude;
    const double scale = canvas->per_unit;
    int left, right, top, bottom;
    pixels_between((least(a->y, b->y, c->y) - canvas->top) * scale,
                   (most(a->y, b->y, c->y) - canvas->top) * scale, field->height, &top, &bottom);
    if (top >= bottom)
        return;
    pixels_between((least(a->x, b->x, c->x) - canvas->left) * scale,
                   (most(a->x, b->x, c->x) - canvas->left) * scale, field->width, &left, &right);
    const Corner *const corners[3] = { a, b, c };
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            if (tile_holds(corners, canvas->columns[x], canvas->rows[y]))
                field_row(field, y)[x] =
                    altitude_inside(corners, canvas->datum, canvas->columns[x], canvas->rows[y]);
        }
}

// --- rivers ------------------------------------------------------------------------------------------------

// In rows `first` … `end` - 1 only.
static void stroke(const Canvas *canvas, Line line, int first, int end) {
    const Field *field = canvas->view->river;
    const double scale = canvas->per_unit, reach = (double)RIVER_HALF_WIDTH + 0.5;
    int left, right, top, bottom;
    pixels_between((fmin(line.from_y, line.to_y) - canvas->top) * scale - reach,
                   (fmax(line.from_y, line.to_y) - canvas->top) * scale + reach, field->height, &top,
                   &bottom);
    top = top > first ? top : first;
    bottom = bottom < end ? bottom : end;
    if (top >= bottom)
        return;
    pixels_between((fmin(line.from_x, line.to_x) - canvas->left) * scale - reach,
                   (fmax(line.from_x, line.to_x) - canvas->left) * scale + reach, field->width, &left,
                   &right);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            const double at_x = canvas->columns[x], at_y = canvas->rows[y];
            const float covered =
                line_coverage((float)((line.from_x - at_x) * scale), (float)((line.from_y - at_y) * scale),
                              (float)((line.to_x - at_x) * scale), (float)((line.to_y - at_y) * scale));
            float *cell = &field_row(field, y)[x];
            *cell = covered > *cell ? covered : *cell;
        }
}

// As published: the whole pixel in which a crossed tile lies.
static void mark_pixel(const Canvas *canvas, double at_x, double at_y, int first, int end) {
    const Field *field = canvas->view->river;
    const double x = (at_x - canvas->left) * canvas->per_unit, y = (at_y - canvas->top) * canvas->per_unit;
    if (x >= 0 && x < field->width && y >= first && y < end)
        field_row(field, (int)y)[(int)x] = 1;
}

static void draw_line(const Canvas *canvas, Line line, int first, int end) {
    if (canvas->view->whole_pixels)
        mark_pixel(canvas, line.from_x, line.from_y, first, end);
    else
        stroke(canvas, line, first, end);
}

static void add_line(Canvas *canvas, Place from, Place to) {
    const Line line = { from.x, from.y, to.x, to.y };
    if (canvas->directly) {
        draw_line(canvas, line, 0, canvas->view->height);
        return;
    }
    const int i = atomic_fetch_add_explicit(&canvas->line_count, 1, memory_order_relaxed);
    if (i < canvas->line_room)
        canvas->lines[i] = line;
}

// A river through two edges, a mouth or spring inside the tile, or a confluence.
static void add_lines(Canvas *canvas, const Tile *tile) {
    Tile lines = *tile;
    for (int i = 0; i < 3; i++)
        lines.edges[i].river = lines.edges[i].river && lines.edges[i].basin < canvas->view->line_basin;
    Place crossings[3];
    const int count = tile_crossings(&lines, crossings);
    if (count == 0)
        return;
    const Place middle = tile_middle(count == 3 ? crossings : tile->places);
    if (canvas->view->whole_pixels)
        add_line(canvas, middle, middle);
    else if (count == 2)
        add_line(canvas, crossings[0], crossings[1]);
    else
        for (int i = 0; i < count; i++)
            add_line(canvas, crossings[i], middle);
}

// --- the way down ------------------------------------------------------------------------------------------

static bool has_river(const Tile *tile) {
    return tile->edges[0].river || tile->edges[1].river || tile->edges[2].river;
}

static Corner corner_of(const Tile *tile, int i) {
    return (Corner){ tile->places[i].x, tile->places[i].y, tile->vertices[i] };
}

static void cut_tile(Canvas *canvas, const Tile *tile);

// Three corners of a tile without rivers: the near and the far end of the edge that is cut next, and the one
// across from it.
typedef struct Bare {
    const Corner *near, *far, *across;
    double longest;
    bool acute;
} Bare;

static void cut_with_edges(Canvas *canvas, const Bare *bare) {
    const Corner *corners[3] = { bare->near, bare->far, bare->across };
    Tile tile = { .longest = bare->longest, .cut = 0, .near = 0, .acute = bare->acute };
    for (int i = 0; i < 3; i++) {
        tile.places[i] = (Place){ corners[i]->x, corners[i]->y, 0 };
        tile.vertices[i] = corners[i]->vertex;
    }
    cut_tile(canvas, &tile);
}

static Bare scalene_half(const Corner *cut, const Corner *a, const Corner *b, double longest) {
    const bool first = first_is_near((Place){ a->x, a->y, 0 }, (Place){ b->x, b->y, 0 });
    return (Bare){ first ? a : b, first ? b : a, cut, longest, false };
}

// --- blocks ------------------------------------------------------------------------------------------------

static void cut_apart(void *context, const BlockTiles *tiles, int i, bool acute, double longest) {
    Canvas *canvas = context;
    const Corner at[3] = { block_corner(tiles, 0, i), block_corner(tiles, 1, i), block_corner(tiles, 2, i) };
    const bool turn = canvas->view->map->tiling == TILING_SCALENE &&
                      !first_is_near((Place){ at[0].x, at[0].y, 0 }, (Place){ at[1].x, at[1].y, 0 });
    const Bare bare = { &at[turn ? 1 : 0], &at[turn ? 0 : 1], &at[2], longest, acute };
    cut_with_edges(canvas, &bare);
}

// The pixels that each tile may hold; and of the first one, its right, lower and lower right neighbour which
// it does hold: a bit each. MORE: it may hold others.
typedef struct Hits {
    int left[BLOCK_TILES], right[BLOCK_TILES], top[BLOCK_TILES], bottom[BLOCK_TILES];
    uint8_t bits[BLOCK_TILES];
} Hits;

enum { MORE = 16 };

KERNEL_INLINE double low_of(double a, double b, double c) {
    const double ab = a < b ? a : b;
    return ab < c ? ab : c;
}

// As pixels_between.
KERNEL static void find_ranges(const double *restrict a, const double *restrict b, const double *restrict c,
                               int count, double origin, double scale, double most_pixels,
                               int *restrict first, int *restrict end) {
    for (int i = 0; i < count; i++) {
        const double from = (low_of(a[i], b[i], c[i]) - origin) * scale - 0.51;
        const double to = (-low_of(-a[i], -b[i], -c[i]) - origin) * scale + 0.51;
        const double not_left = from > 0 ? from : 0, inside = not_left < most_pixels ? not_left : most_pixels;
        const double not_below = to > 0 ? to : 0, last = not_below < most_pixels ? not_below : most_pixels;
        const int start = (int)inside;
        first[i] = start + ((double)start < inside ? 1 : 0);
        end[i] = (int)last;
    }
}

// As same_side.
KERNEL_INLINE int in_half(double part, int side) {
    const int on = part == 0, over = part > 0;
    return (on & side) | ((on ^ 1) & (over ^ side ^ 1));
}

// side_of and same_side, for four places.
KERNEL_INLINE int same_sides(double ax, double ay, double bx, double by, double cx, double cy, double left,
                             double right, double top, double bottom) {
    const bool turn = (ax > bx) | ((ax == bx) & (ay > by));
    const double low_x = turn ? bx : ax, low_y = turn ? by : ay, high_x = turn ? ax : bx,
                 high_y = turn ? ay : by;
    const double dx = high_x - low_x, dy = high_y - low_y;
    const double whole = dx * (cy - low_y) - dy * (cx - low_x);
    const double up = dx * (top - low_y), down = dx * (bottom - low_y);
    const double west = dy * (left - low_x), east = dy * (right - low_x);
    const int side = whole > 0;
    return in_half(up - west, side) | in_half(up - east, side) << 1 | in_half(down - west, side) << 2 |
           in_half(down - east, side) << 3;
}

KERNEL static void find_pixels(const Canvas *canvas, const BlockTiles *restrict tiles, Hits *restrict hits) {
    const double *restrict columns = canvas->columns, *restrict rows = canvas->rows;
    const int count = tiles->count;
    for (int i = 0; i < count; i++) {
        const double ax = tiles->x[0][i], bx = tiles->x[1][i], cx = tiles->x[2][i];
        const double ay = tiles->y[0][i], by = tiles->y[1][i], cy = tiles->y[2][i];
        const int x = hits->left[i], y = hits->top[i], wide = hits->right[i] - x, high = hits->bottom[i] - y;
        const double at_x = columns[x], after_x = columns[x + 1], at_y = rows[y], after_y = rows[y + 1];
        const int inside = same_sides(ax, ay, bx, by, cx, cy, at_x, after_x, at_y, after_y) &
                           same_sides(bx, by, cx, cy, ax, ay, at_x, after_x, at_y, after_y) &
                           same_sides(cx, cy, ax, ay, bx, by, at_x, after_x, at_y, after_y);
        const int in_row = (wide > 0) * 5 | (wide > 1) * 10, in_column = (high > 0) * 3 | (high > 1) * 12;
        const int more = ((wide > 2) & (high > 0)) | ((high > 2) & (wide > 0));
        hits->bits[i] = (uint8_t)((inside & in_row & in_column) | more * MORE);
    }
}

static void paint_tiles(const Canvas *canvas, const BlockTiles *tiles) {
    Hits hits;
    const double width = canvas->view->altitude->width, height = canvas->view->altitude->height;
    find_ranges(tiles->x[0], tiles->x[1], tiles->x[2], tiles->count, canvas->left, canvas->per_unit, width,
                hits.left, hits.right);
    find_ranges(tiles->y[0], tiles->y[1], tiles->y[2], tiles->count, canvas->top, canvas->per_unit, height,
                hits.top, hits.bottom);
    find_pixels(canvas, tiles, &hits);
    for (int i = 0; i < tiles->count; i++) {
        if (!hits.bits[i])
            continue;
        const Corner at[3] = { block_corner(tiles, 0, i), block_corner(tiles, 1, i),
                               block_corner(tiles, 2, i) };
        if (hits.bits[i] & MORE) {
            paint(canvas, &at[0], &at[1], &at[2]);
            continue;
        }
        const Corner *const corners[3] = { &at[0], &at[1], &at[2] };
        for (unsigned bits = hits.bits[i]; bits; bits &= bits - 1) {
            const int bit = __builtin_ctz(bits), x = hits.left[i] + bit % 2, y = hits.top[i] + bit / 2;
            field_row(canvas->view->altitude, y)[x] =
                altitude_inside(corners, canvas->datum, canvas->columns[x], canvas->rows[y]);
        }
    }
}

static void cut_block(Canvas *canvas, const Bare *bare) {
    Block block;
    block.map = canvas->view->map;
    block.begins = cut_apart;
    block.context = canvas;
    const Corner corners[3] = { *bare->near, *bare->far, *bare->across };
    block_start(&block, corners, bare->acute, bare->longest);
    block_cut(&block, canvas->longest);
    paint_tiles(canvas, block.obtuse);
    if (block.map->tiling == TILING_PENROSE)
        paint_tiles(canvas, block.acute);
}

static void cut_bare(Canvas *canvas, const Bare *bare) {
    const Corner *near = bare->near, *far = bare->far, *across = bare->across;
    if (!reaches_in(canvas, near, far, across, bare->longest))
        return;
    if (bare->longest <= canvas->longest) {
        paint(canvas, near, far, across);
        return;
    }
    if (bare->longest <= canvas->block_longest && bare->longest > 8 * canvas->longest) {
        cut_block(canvas, bare);
        return;
    }
    const RiverMap *map = canvas->view->map;
    const Constants *constants = &map->constants;
    const double length = sqrt(bare->longest), step = length < 1 ? length : 1;
    const Bend bend = cut_bend(map->tiling, mix_seeds(near->vertex.seed, far->vertex.seed));
    const double x = far->x - near->x, y = far->y - near->y;
    const Corner cut = { near->x + x * bend.along - y * bend.aside, near->y + y * bend.along + x * bend.aside,
                         cut_dry_edge(constants, &canvas->scales, constants->k1 * (float)(step * FIXED_UNITS),
                                      (float)(1 - bend.along), near->vertex, far->vertex) };
    const Altitude h0 = across->vertex.altitude, h3 = cut.vertex.altitude;
    const Altitude h1 = near->vertex.altitude, h2 = far->vertex.altitude;
    if (constants->rivers &&
        source_between(h0, h1 > h2 ? h1 : h2, h1 > h2 ? h2 : h1, h3, canvas->scales.k3, canvas->scales.k4)) {
        cut_with_edges(canvas, bare);
        return;
    }
    Bare halves[2];
    if (map->tiling == TILING_PENROSE) { // as in tile_cut
        const double shorter = bare->longest * ROBINSON_RATIO;
        halves[0] = bare->acute ? (Bare){ &cut, across, near, shorter, true }
                                : (Bare){ across, near, &cut, shorter, false };
        halves[1] = bare->acute ? (Bare){ far, across, &cut, bare->longest, false }
                                : (Bare){ across, far, &cut, shorter, true };
    } else {
        halves[0] = scalene_half(&cut, near, across, bare->longest / 2);
        halves[1] = scalene_half(&cut, far, across, bare->longest / 2);
    }
    cut_bare(canvas, &halves[0]);
    cut_bare(canvas, &halves[1]);
}

static void cut_tile(Canvas *canvas, const Tile *tile) {
    const Corner corners[3] = { corner_of(tile, 0), corner_of(tile, 1), corner_of(tile, 2) };
    if (!reaches_in(canvas, &corners[0], &corners[1], &corners[2], tile->longest))
        return;
    if (tile->longest <= canvas->longest) {
        paint(canvas, &corners[0], &corners[1], &corners[2]);
        add_lines(canvas, tile);
        return;
    }
    Tile halves[2];
    tile_cut(canvas->view->map, tile, halves);
    for (int i = 0; i < 2; i++) {
        const Tile *half = &halves[i];
        if (has_river(half)) {
            cut_tile(canvas, half);
            continue;
        }
        const Corner at[3] = { corner_of(half, 0), corner_of(half, 1), corner_of(half, 2) };
        const int near = half->near, far = near == half->cut ? (half->cut + 1) % 3 : half->cut;
        const Bare bare = { &at[near], &at[far], &at[(half->cut + 2) % 3], half->longest, half->acute };
        cut_bare(canvas, &bare);
    }
}

static void draw_tasks(void *context, int first, int end) {
    Canvas *canvas = context;
    for (int i = first; i < end; i++)
        cut_tile(canvas, &canvas->tasks[i]);
}

// Lines reach into other tasks' pixels, so threads take rows.
static void draw_bands(void *context, int first, int end) {
    const Canvas *canvas = context;
    const int height = canvas->view->height, last = end * BAND < height ? end * BAND : height;
    const int count = atomic_load(&canvas->line_count);
    for (int i = 0; i < count; i++)
        draw_line(canvas, canvas->lines[i], first * BAND, last);
}

static Status draw_rivers(Canvas *canvas) {
    const View *view = canvas->view;
    if (atomic_load(&canvas->line_count) <= canvas->line_room)
        return parallel_rows(view->run, (view->height + BAND - 1) / BAND, view->width * 200.0, draw_bands,
                             canvas);
    canvas->directly = true; // more rivers than there is room for: all tiles again
    for (int i = 0; i < canvas->count; i++)
        cut_tile(canvas, &canvas->tasks[i]);
    return STATUS_OK;
}

// Splits the work; with no room it only counts.
static void collect_tasks(Canvas *canvas, const Tile *tile) {
    const Corner corners[3] = { corner_of(tile, 0), corner_of(tile, 1), corner_of(tile, 2) };
    if (!reaches_in(canvas, &corners[0], &corners[1], &corners[2], tile->longest))
        return;
    if (tile->longest <= canvas->task_longest) {
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

static bool holds(const Tile *tile, double x, double y) {
    const Corner corners[3] = { corner_of(tile, 0), corner_of(tile, 1), corner_of(tile, 2) };
    const Corner *const at[3] = { &corners[0], &corners[1], &corners[2] };
    return tile_holds(at, x, y);
}

// The altitude of a vertex of the smallest tile around the window's centre.
static Altitude altitude_near(const Canvas *canvas, const Tile *first, int count) {
    const double x = ldexp((double)canvas->view->x, -PLACE_BITS),
                 y = ldexp((double)canvas->view->y, -PLACE_BITS);
    int i = 0;
    while (i + 1 < count && !holds(&first[i], x, y))
        i++;
    Tile tile = first[i];
    while (tile.longest > canvas->longest) {
        Tile halves[2];
        tile_cut(canvas->view->map, &tile, halves);
        tile = halves[holds(&halves[0], x, y) ? 0 : 1];
    }
    return tile.vertices[0].altitude;
}

static Status draw(const View *view, Canvas *canvas, Error *error) {
    Tile first[FIRST_TILES_MAX];
    const int count = first_tiles(view->map, first);
    canvas->datum = view->relative ? altitude_near(canvas, first, count) : 0;
    for (int i = 0; i < count; i++)
        collect_tasks(canvas, &first[i]);
    canvas->room = canvas->count;
    canvas->count = 0;
    canvas->line_room =
        view->map->constants.rivers ? (int)(field_count(view->river) / PIXELS_A_LINE) + 64 : 0;
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
    if (status == STATUS_OK)
        status = draw_rivers(canvas);
    memory_free(canvas->lines);
    memory_free(canvas->tasks);
    if (status == STATUS_OK && view->line_basin < INFINITY) {
        Channels channels = channels_begin(view);
        add_tile_channels(&channels, canvas->datum);
        status = channels_draw(&channels, error);
    }
    return status;
}

Status draw_plane(const View *view, Error *error) {
    const int width = view->altitude->width, height = view->altitude->height;
    const int longer = width > height ? width : height;
    const double pixel = 1 / view->pixels;
    const double task = pixel * (longer / TASKS_ACROSS > TASK_PIXELS ? longer / TASKS_ACROSS : TASK_PIXELS);
    const double longest = finest_tile(view->map->tiling) * pixel * pixel;
    Canvas canvas = { .view = view,
                      .pixel = pixel,
                      .per_unit = view->pixels,
                      .longest = longest,
                      .block_longest =
                          longest * (view->map->tiling == TILING_PENROSE ? pow(ROBINSON_RATIO, -BLOCK_STEPS)
                                                                         : 1 << BLOCK_CUTS),
                      .task_longest = task * task,
                      .scales = fixed_scales(&view->map->constants, 1) };
    canvas.columns = memory_new((size_t)width + (size_t)height + 4, sizeof(double), error);
    if (!canvas.columns)
        return STATUS_MEMORY;
    canvas.rows = canvas.columns + width + 2;
    for (int x = 0; x < width + 2; x++)
        canvas.columns[x] = pixel_centre(view->x, view->pixel, width, x);
    for (int y = 0; y < height + 2; y++)
        canvas.rows[y] = pixel_centre(view->y, view->pixel, height, y);
    canvas.left = canvas.columns[0] - 0.5 * pixel;
    canvas.top = canvas.rows[0] - 0.5 * pixel;
    const Status status = draw(view, &canvas, error);
    memory_free(canvas.columns);
    return status;
}
