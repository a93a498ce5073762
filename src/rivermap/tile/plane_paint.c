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

void paint_tiles(const Canvas *canvas, const BlockTiles *tiles) {
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
