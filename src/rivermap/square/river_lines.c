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

static RandomKey along_key(EdgeKind kind, uint64_t x, uint64_t y) {
    return random_key(x >> 32 ^ y >> 32 << 32, (uint32_t)kind);
}

KERNEL_INLINE float along_of(RandomKey key, uint64_t x, uint64_t y) {
    return 0.5f + 0.25f * random_signed(key, (uint32_t)x, (uint32_t)y);
}

float along_edge(EdgeKind kind, uint64_t x, uint64_t y) {
    return along_of(along_key(kind, x, y), x, y);
}

// Lines to be drawn.
enum { LINES_MOST = 128, LINES_OF_CELL = 6 };
typedef struct Lines {
    int count;
    float from_x[LINES_MOST], from_y[LINES_MOST], to_x[LINES_MOST], to_y[LINES_MOST];
} Lines;

// Draws the rivers of a lattice. The centres of pixels are in cells from its corner.
typedef struct Strokes {
    const RiverSketch *sketch;
    uint64_t place_x, place_y;                        // of the lattice's first cell
    RandomKey keys[EDGE_KINDS];                       // of its cells
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
    strokes->place_x = sketch->place_x * (uint64_t)sketch->cells;
    strokes->place_y = sketch->place_y * (uint64_t)sketch->cells;
    for (int kind = 0; kind < EDGE_KINDS; kind++)
        strokes->keys[kind] = along_key((EdgeKind)kind, strokes->place_x, strokes->place_y);
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

// Beyond its last row and column a lattice may be one whose key is another.
KERNEL_INLINE float sketch_along(const Strokes *strokes, EdgeKind kind, int x, int y) {
    const uint64_t place_x = strokes->place_x + (uint64_t)x, place_y = strokes->place_y + (uint64_t)y;
    const int cells = strokes->sketch->cells;
    return x < cells && y < cells ? along_of(strokes->keys[kind], place_x, place_y)
                                  : along_edge(kind, place_x, place_y);
}

// Of `count` centres from `centre` on, those that may be in low … high: `first` … `end` - 1, with a margin
// for rounding.
KERNEL_INLINE void centres_between(float scale, float centre, int count, float low, float high, int *first,
                                   int *end) {
    const float hair = 0.01f, from = (low - centre) * scale - hair, to = (high - centre) * scale + hair;
    *first = whole_within(from + 1, 0, count);
    *end = whole_within(to + 1, 0, count);
}

// Four at once, also beyond the last column, where nothing is drawn.
KERNEL_INLINE void cover_rows(const Strokes *strokes, Point from, Point to, int column, int first_row,
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

// Draws them, and leaves none.
KERNEL static void cover_lines(const Strokes *strokes, Lines *lines) {
    const float reach = (RIVER_HALF_WIDTH + 0.5f) * strokes->sketch->pixel, scale = strokes->scale;
    const int columns = strokes->end_column - strokes->first_column,
              rows = strokes->end_row - strokes->first_row;
    const float column = strokes->columns[0], row = strokes->rows[0];
    int first[LINES_MOST], end[LINES_MOST], first_row[LINES_MOST], end_row[LINES_MOST];
    for (int i = 0; i < lines->count; i++) {
        const float x0 = lines->from_x[i], x1 = lines->to_x[i], y0 = lines->from_y[i], y1 = lines->to_y[i];
        centres_between(scale, column, columns, min(x0, x1) - reach, max(x0, x1) + reach, &first[i], &end[i]);
        centres_between(scale, row, rows, min(y0, y1) - reach, max(y0, y1) + reach, &first_row[i],
                        &end_row[i]);
    }
    for (int i = 0; i < lines->count; i++) {
        if (first[i] < end[i])
            cover_rows(strokes, (Point){ lines->from_x[i], lines->from_y[i] },
                       (Point){ lines->to_x[i], lines->to_y[i] }, first[i], first_row[i], end_row[i]);
    }
    lines->count = 0;
}

KERNEL_INLINE void add_line(Point from, Point to, Lines *lines) {
    const int i = lines->count++;
    lines->from_x[i] = from.x;
    lines->from_y[i] = from.y;
    lines->to_x[i] = to.x;
    lines->to_y[i] = to.y;
}

// A river through two edges, a mouth or spring inside the triangle, or a confluence.
static void add_triangle(const Point *crossings, int count, Point middle, Lines *lines) {
    if (count == 2) {
        add_line(crossings[0], crossings[1], lines);
        return;
    }
    if (count == 3)
        middle = (Point){ (crossings[0].x + crossings[1].x + crossings[2].x) / 3,
                          (crossings[0].y + crossings[1].y + crossings[2].y) / 3 };
    for (int i = 0; i < count; i++)
        add_line(crossings[i], middle, lines);
}

KERNEL_INLINE void add_cell(const Strokes *strokes, int x, int y, Lines *lines) {
    const RiverSketch *sketch = strokes->sketch;
    const RiverBits *rivers = sketch->rivers;
    const bool rising = (x + y) & 1;
    const float left = (float)x, top = (float)y;
    Point upper[3], lower[3]; // crossings of the triangle at the top edge, and of the one at the bottom edge
    int in_upper = 0, in_lower = 0;
    if (rivers->across[y] >> x & 1)
        upper[in_upper++] = (Point){ left + sketch_along(strokes, EDGE_ACROSS, x, y), top };
    if (rivers->across[y + 1] >> x & 1)
        lower[in_lower++] = (Point){ left + sketch_along(strokes, EDGE_ACROSS, x, y + 1), top + 1 };
    if (rivers->left[y] >> x & 1) {
        const Point crossing = { left, top + sketch_along(strokes, EDGE_DOWN, x, y) };
        *(rising ? &upper[in_upper++] : &lower[in_lower++]) = crossing;
    }
    if (river_right_edges(rivers, sketch->cells, y) >> x & 1) {
        const Point crossing = { left + 1, top + sketch_along(strokes, EDGE_DOWN, x + 1, y) };
        *(rising ? &lower[in_lower++] : &upper[in_upper++]) = crossing;
    }
    if (rivers->diagonals[y] >> x & 1) {
        const float along = sketch_along(strokes, EDGE_DIAGONAL, x, y);
        upper[in_upper++] = lower[in_lower++] = (Point){ left + along, top + (rising ? 1 - along : along) };
    }
    const float third = 1 / 3.0f;
    add_triangle(upper, in_upper, (Point){ left + (rising ? third : 1 - third), top + third }, lines);
    add_triangle(lower, in_lower, (Point){ left + (rising ? 1 - third : third), top + 1 - third }, lines);
}

void river_draw_lines(const RiverSketch *sketch) {
    int first, end;
    rows_of_cells(sketch, &first, &end);
    if (first >= end)
        return;
    Strokes strokes;
    if (!strokes_begin(sketch, &strokes))
        return;
    Lines lines = { .count = 0 };
    for (int y = first; y < end; y++)
        for (uint64_t bits = river_cells(sketch->rivers, sketch->cells, y); bits; bits &= bits - 1) {
            add_cell(&strokes, __builtin_ctzll(bits), y, &lines);
            if (lines.count > LINES_MOST - LINES_OF_CELL)
                cover_lines(&strokes, &lines);
        }
    cover_lines(&strokes, &lines);
}
