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

// The altitude at a place in the tile, in the plane through its corners.
static double altitude_inside(const Corner *const corners[3], Altitude datum, double x, double y) {
    const Corner *a = corners[0], *b = corners[1], *c = corners[2];
    const double bx = b->x - a->x, by = b->y - a->y, cx = c->x - a->x, cy = c->y - a->y;
    const double dx = x - a->x, dy = y - a->y, share = 1 / (bx * cy - by * cx);
    const double to_b = (dx * cy - dy * cx) * share, to_c = (bx * dy - by * dx) * share;
    // Of tiles, altitudes are small.
    const double height = (double)(int64_t)(a->vertex.altitude - datum);
    const double b_height = (double)(int64_t)(b->vertex.altitude - a->vertex.altitude);
    const double c_height = (double)(int64_t)(c->vertex.altitude - a->vertex.altitude);
    return (height + to_b * b_height + to_c * c_height) * (1 / FIXED_UNITS);
}

// Gives a pixel its altitude.
static void paint(const Canvas *canvas, const Corner *const corners[3], int x, int y) {
    const double altitude = altitude_inside(corners, canvas->datum, canvas->columns[x], canvas->rows[y]);
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
                paint(canvas, corners, x, y);
}

// --- many tiles --------------------------------------------------------------------------------------------

// The pixels that each tile may hold; and of the first one, its right, lower and lower right neighbour which
// it does hold: a bit each. MORE: it may hold others.
typedef struct Hits {
    int left[BLOCK_TILES], right[BLOCK_TILES], top[BLOCK_TILES], bottom[BLOCK_TILES];
    uint8_t bits[BLOCK_TILES];
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

void paint_tiles(const Canvas *canvas, const BlockTiles *tiles) {
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
            paint_tile(canvas, &at[0], &at[1], &at[2]);
            continue;
        }
        const Corner *const corners[3] = { &at[0], &at[1], &at[2] };
        for (unsigned bits = hits.bits[i]; bits; bits &= bits - 1) {
            const int bit = __builtin_ctz(bits), x = hits.left[i] + bit % 2, y = hits.top[i] + bit / 2;
            paint(canvas, corners, x, y);
        }
    }
}
