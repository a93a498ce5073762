#include "rivermap/square/river_lines.h"

#include "core/math.h"
#include "core/random.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

// The lines among edges of one kind in a row: those that drain less than the channels do.
static uint64_t line_bits(uint64_t rivers, const Lattice *lattice, EdgeKind kind, int y, float line_basin) {
    const LatticeCrossing *crossings = lattice->crossings + lattice_edge(lattice, kind, 0, y);
    for (uint64_t rest = line_basin < INFINITY ? rivers : 0; rest; rest &= rest - 1)
        if (crossings[EDGE_KINDS * __builtin_ctzll(rest)].basin >= line_basin)
            rivers &= ~(rest & -rest);
    return rivers;
}

void river_bits_add_lattice(const Lattice *lattice, float line_basin, int x, int y, int cells,
                            RiverBits *bits) {
    const int count = lattice->cells;
    const RiverBits *rivers = &lattice->rivers;
    for (int i = 0; i <= count; i++)
        bits->across[y + i] |= line_bits(rivers->across[i], lattice, EDGE_ACROSS, i, line_basin) << x;
    for (int i = 0; i < count; i++) {
        bits->left[y + i] |= line_bits(rivers->left[i], lattice, EDGE_DOWN, i, line_basin) << x;
        bits->diagonals[y + i] |= line_bits(rivers->diagonals[i], lattice, EDGE_DIAGONAL, i, line_basin) << x;
        const bool right = x + count == cells && rivers->right >> i & 1;
        if (right && lattice->crossings[lattice_edge(lattice, EDGE_DOWN, count, i)].basin < line_basin)
            bits->right |= UINT64_C(1) << (y + i);
    }
}

static uint64_t line_bit(Crossing crossing, float line_basin) {
    return crossing.river && crossing.basin < line_basin;
}

void river_bits_add_square(const Square *square, float line_basin, int x, int y, int cells, RiverBits *bits) {
    bits->across[y] |= line_bit(square->sides[TOP], line_basin) << x;
    bits->across[y + 1] |= line_bit(square->sides[BOTTOM], line_basin) << x;
    bits->left[y] |= line_bit(square->sides[LEFT], line_basin) << x;
    bits->diagonals[y] |= line_bit(square->diagonal, line_basin) << x;
    if (x + 1 == cells)
        bits->right |= line_bit(square->sides[RIGHT], line_basin) << y;
}

enum { STAMP = 4 };  // pixels a side of which a line within a cell, no larger than a pixel, covers parts
enum { AROUND = 3 }; // cells or pixels that a river's line may reach beyond its cell

// The rows of cells whose rivers may reach into the rows of pixels that may be drawn.
static void rows_of_cells(const RiverSketch *sketch, int *first, int *end) {
    const int *cells = sketch->down->cells;
    const int top = cells[sketch->first_row] - sketch->row - AROUND;
    const int bottom = cells[sketch->end_row - 1] - sketch->row + AROUND + 1;
    *first = max(top, 0);
    *end = min(bottom, sketch->cells);
}

void river_mark_pixels(const RiverSketch *sketch) {
    const Axis *across = sketch->across, *down = sketch->down;
    int first, end;
    rows_of_cells(sketch, &first, &end);
    for (int y = first; y < end; y++)
        for (uint64_t bits = river_cells(sketch->rivers, sketch->cells, y); bits; bits &= bits - 1) {
            const int column = sketch->column + __builtin_ctzll(bits), row = sketch->row + y;
            if (column < 0 || column >= across->cell_count || row < 0 || row >= down->cell_count)
                continue;
            const int x = across->pixel_of[column], pixel_y = down->pixel_of[row];
            if (x >= 0 && x < across->pixels && pixel_y >= sketch->first_row && pixel_y < sketch->end_row)
                field_row(sketch->river, pixel_y)[x] = 1;
        }
}

// --- lines -------------------------------------------------------------------------------------------------

typedef struct Point { // in cells, from the lattice's corner
    float x, y;
} Point;

float along_edge(EdgeKind kind, uint64_t x, uint64_t y) {
    const RandomKey key = random_key(x >> 32 ^ y >> 32 << 32, (uint32_t)kind);
    return 0.5f + 0.25f * random_signed(key, (uint32_t)x, (uint32_t)y);
}

static float sketch_along(const RiverSketch *sketch, EdgeKind kind, int x, int y) {
    const uint64_t cells = (uint64_t)sketch->cells;
    return along_edge(kind, sketch->place_x * cells + (uint64_t)x, sketch->place_y * cells + (uint64_t)y);
}

// Draws the rivers of a lattice. The centres of pixels are in cells from its corner.
typedef struct Strokes {
    const RiverSketch *sketch;
    float scale;                                      // 1 / pixel
    int first_column, end_column, first_row, end_row; // of pixels
    float columns[LATTICE_CELLS + 2 * AROUND + STAMP], rows[LATTICE_CELLS + 2 * AROUND + STAMP];
} Strokes;

static void find_centres(const Axis *axis, int start, int cells, int *first, int *end, float *centres) {
    *first = max(axis_first_pixel(axis, start) - AROUND, *first);
    *end = min(axis_first_pixel(axis, start + cells) + AROUND, *end);
    for (int i = *first; i < *end; i++)
        centres[i - *first] = (float)(axis->cells[i] - start) + axis->fractions[i];
}

static bool strokes_begin(const RiverSketch *sketch, Strokes *strokes) {
    strokes->sketch = sketch;
    strokes->scale = 1 / sketch->pixel;
    strokes->first_column = 0;
    strokes->end_column = sketch->across->pixels;
    strokes->first_row = sketch->first_row;
    strokes->end_row = sketch->end_row;
    memset(strokes->columns, 0, sizeof strokes->columns);
    find_centres(sketch->across, sketch->column, sketch->cells, &strokes->first_column, &strokes->end_column,
                 strokes->columns);
    find_centres(sketch->down, sketch->row, sketch->cells, &strokes->first_row, &strokes->end_row,
                 strokes->rows);
    return strokes->first_column < strokes->end_column && strokes->first_row < strokes->end_row;
}

// Of `count` centres, those that may be in low … high: `first` … `end` - 1, with a margin for rounding.
static void centres_between(const Strokes *strokes, const float *centres, int count, float low, float high,
                            int *first, int *end) {
    const float hair = 0.01f, from = (low - centres[0]) * strokes->scale - hair,
                to = (high - centres[0]) * strokes->scale + hair;
    *first = whole_within(ceilf(from), 0, count);
    *end = to < 0 ? 0 : whole_within(to + 1, 0, count);
}

// Four at once, also beyond the last column, where nothing is drawn.
KERNEL static void cover_rows(const Strokes *strokes, Point from, Point to, int column, int first_row,
                              int end_row) {
    const float scale = strokes->scale, *columns = strokes->columns + column;
    const int count = min(strokes->end_column - strokes->first_column - column, STAMP);
    for (int y = first_row; y < end_row; y++) {
        const float centre = strokes->rows[y];
        float covered[STAMP];
#pragma GCC unroll 1
        for (int i = 0; i < STAMP; i++)
            covered[i] = line_coverage((from.x - columns[i]) * scale, (from.y - centre) * scale,
                                       (to.x - columns[i]) * scale, (to.y - centre) * scale);
        float *row =
            field_row(strokes->sketch->river, strokes->first_row + y) + strokes->first_column + column;
        for (int i = 0; i < count; i++)
            row[i] = max(covered[i], row[i]);
    }
}

static void stroke(const Strokes *strokes, Point from, Point to) {
    const float reach = (RIVER_HALF_WIDTH + 0.5f) * strokes->sketch->pixel;
    const int columns = strokes->end_column - strokes->first_column,
              rows = strokes->end_row - strokes->first_row;
    int first, end, first_row, end_row;
    centres_between(strokes, strokes->columns, columns, min(from.x, to.x) - reach, max(from.x, to.x) + reach,
                    &first, &end);
    centres_between(strokes, strokes->rows, rows, min(from.y, to.y) - reach, max(from.y, to.y) + reach,
                    &first_row, &end_row);
    if (first < end)
        cover_rows(strokes, from, to, first, first_row, end_row);
}

// A river through two edges, a mouth or spring inside the triangle, or a confluence.
static void draw_triangle(const Strokes *strokes, const Point *crossings, int count, Point middle) {
    if (count == 2) {
        stroke(strokes, crossings[0], crossings[1]);
        return;
    }
    if (count == 3)
        middle = (Point){ (crossings[0].x + crossings[1].x + crossings[2].x) / 3,
                          (crossings[0].y + crossings[1].y + crossings[2].y) / 3 };
    for (int i = 0; i < count; i++)
        stroke(strokes, crossings[i], middle);
}

static void draw_cell(const Strokes *strokes, int x, int y) {
    const RiverSketch *sketch = strokes->sketch;
    const RiverBits *rivers = sketch->rivers;
    const bool rising = (x + y) & 1;
    const float left = (float)x, top = (float)y;
    Point upper[3], lower[3]; // crossings of the triangle at the top edge, and of the one at the bottom edge
    int in_upper = 0, in_lower = 0;
    if (rivers->across[y] >> x & 1)
        upper[in_upper++] = (Point){ left + sketch_along(sketch, EDGE_ACROSS, x, y), top };
    if (rivers->across[y + 1] >> x & 1)
        lower[in_lower++] = (Point){ left + sketch_along(sketch, EDGE_ACROSS, x, y + 1), top + 1 };
    if (rivers->left[y] >> x & 1) {
        const Point crossing = { left, top + sketch_along(sketch, EDGE_DOWN, x, y) };
        *(rising ? &upper[in_upper++] : &lower[in_lower++]) = crossing;
    }
    if (river_right_edges(sketch->rivers, sketch->cells, y) >> x & 1) {
        const Point crossing = { left + 1, top + sketch_along(sketch, EDGE_DOWN, x + 1, y) };
        *(rising ? &lower[in_lower++] : &upper[in_upper++]) = crossing;
    }
    if (rivers->diagonals[y] >> x & 1) {
        const float along = sketch_along(sketch, EDGE_DIAGONAL, x, y);
        upper[in_upper++] = lower[in_lower++] = (Point){ left + along, top + (rising ? 1 - along : along) };
    }
    const float third = 1 / 3.0f;
    draw_triangle(strokes, upper, in_upper, (Point){ left + (rising ? third : 1 - third), top + third });
    draw_triangle(strokes, lower, in_lower, (Point){ left + (rising ? 1 - third : third), top + 1 - third });
}

void river_draw_lines(const RiverSketch *sketch) {
    int first, end;
    rows_of_cells(sketch, &first, &end);
    if (first >= end)
        return;
    Strokes strokes;
    if (!strokes_begin(sketch, &strokes))
        return;
    for (int y = first; y < end; y++)
        for (uint64_t bits = river_cells(sketch->rivers, sketch->cells, y); bits; bits &= bits - 1)
            draw_cell(&strokes, __builtin_ctzll(bits), y);
}
