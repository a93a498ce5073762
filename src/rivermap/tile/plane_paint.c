// Finds the pixels inside a tile in the plane, and their altitudes. An edge separates its two tiles exactly,
// so each pixel belongs to one tile.

#include "core/math.h"
#include "rivermap/tile/plane_canvas.h"

#include "core/whole.h"

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
bool tile_holds(const Corner *const corners[3], double x, double y) {
    for (int i = 0; i < 3; i++) {
        const Corner *a = corners[i == 2 ? 0 : i + 1], *b = corners[i == 0 ? 2 : i - 1], *c = corners[i];
        if (!same_side(side_of(a, b, x, y), side_of(a, b, c->x, c->y)))
            return false;
    }
    return true;
}

void paint_tile(const Canvas *canvas, const Corner *a, const Corner *b, const Corner *c) {
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

// The pixels that each tile may hold; and of the first one, its right, lower and lower right neighbour which
// it does hold: a bit each. MORE: it may hold others.
typedef struct Hits {
    int left[BLOCK_TILES], right[BLOCK_TILES], top[BLOCK_TILES], bottom[BLOCK_TILES];
    int bits[BLOCK_TILES];
} Hits;

enum { MORE = 16 };

KERNEL_INLINE double low_of(double a, double b, double c) {
    const double ab = min(a, b);
    return min(ab, c);
}

// As pixels_between.
KERNEL static void find_ranges(const double *restrict a, const double *restrict b, const double *restrict c,
                               int count, double origin, double scale, double max_pixels, int *restrict first,
                               int *restrict end) {
    for (int i = 0; i < count; i++) {
        const double from = (low_of(a[i], b[i], c[i]) - origin) * scale - 0.51;
        const double to = (-low_of(-a[i], -b[i], -c[i]) - origin) * scale + 0.51;
        const double inside = clamp(from, 0, max_pixels);
        const double last = clamp(to, 0, max_pixels);
        const int start = whole_int(inside);
        first[i] = start + ((double)start < inside ? 1 : 0);
        end[i] = whole_int(last);
    }
}

// side_of and same_side, for the four places between left and right, top and bottom: a bit each.
KERNEL_INLINE int same_sides(double ax, double ay, double bx, double by, double cx, double cy, double left,
                             double right, double top, double bottom) {
    const bool turn = (ax > bx) | ((ax == bx) & (ay > by));
    const double low_x = turn ? bx : ax, low_y = turn ? by : ay, high_x = turn ? ax : bx,
                 high_y = turn ? ay : by;
    const double dx = high_x - low_x, dy = high_y - low_y;
    const bool positive = dx * (cy - low_y) - dy * (cx - low_x) > 0;
    const double sign = positive ? 1 : -1, least = positive ? 0 : 0x1p-1074; // what is over 0
    const double up = dx * (top - low_y), down = dx * (bottom - low_y);
    const double west = dy * (left - low_x), east = dy * (right - low_x);
    return ((up - west) * sign >= least ? 1 : 0) | ((up - east) * sign >= least ? 2 : 0) |
           ((down - west) * sign >= least ? 4 : 0) | ((down - east) * sign >= least ? 8 : 0);
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
        hits->bits[i] = (inside & in_row & in_column) | more * MORE;
    }
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

void paint_tiles(const Canvas *canvas, const BlockTiles *tiles) {
    Hits hits;
    Painted painted;
    int some[BLOCK_TILES], count = 0; // tiles that contain any pixel
    const double width = canvas->view->altitude->width, height = canvas->view->altitude->height;
    painted.count = 0;
    find_ranges(tiles->x[0], tiles->x[1], tiles->x[2], tiles->count, canvas->left, canvas->per_unit, width,
                hits.left, hits.right);
    find_ranges(tiles->y[0], tiles->y[1], tiles->y[2], tiles->count, canvas->top, canvas->per_unit, height,
                hits.top, hits.bottom);
    find_pixels(canvas, tiles, &hits);
    for (int i = 0; i < tiles->count; i++) { // without branches
        some[count] = i;
        count += hits.bits[i] != 0;
    }
    for (int k = 0; k < count; k++) {
        const int i = some[k];
        const unsigned found = (unsigned)hits.bits[i];
        if (found & MORE) {
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
