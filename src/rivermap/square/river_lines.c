#include "rivermap/square/river_lines.h"

#include "core/math.h"
#include "core/random.h"
#include "core/whole.h"

#include <math.h>

// The lines among the edges of a row: those that drain less than the channels do.
static uint64_t line_bits(uint64_t rivers, const LatticeCrossing *crossings, float line_basin) {
    for (uint64_t rest = line_basin < INFINITY ? rivers : 0; rest; rest &= rest - 1)
        if (crossings[__builtin_ctzll(rest)].basin >= line_basin)
            rivers &= ~(rest & -rest);
    return rivers;
}

void river_bits_add_lattice(const Lattice *lattice, float line_basin, int x, int y, int cells,
                            RiverBits *bits) {
    const int count = lattice->cells;
    const RiverBits *rivers = &lattice->rivers;
    for (int i = 0; i <= count; i++)
        bits->across[y + i] |= line_bits(rivers->across[i], lattice->across + i * count, line_basin) << x;
    for (int i = 0; i < count; i++) {
        const LatticeCrossing *down = lattice->down + i * (count + 1);
        bits->left[y + i] |= line_bits(rivers->left[i], down, line_basin) << x;
        bits->diagonals[y + i] |= line_bits(rivers->diagonals[i], lattice->diagonals + i * count, line_basin)
                                  << x;
        if (x + count == cells)
            bits->right |= line_bits(rivers->right >> i & 1, down + count, line_basin) << (y + i);
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

// The rows of cells whose rivers may reach into the rows of pixels that may be drawn.
static void rows_of_cells(const RiverSketch *sketch, int *first, int *end) {
    enum { REACH = 3 };
    const int *cells = sketch->down->cells;
    const int top = cells[sketch->first_row] - sketch->row - REACH;
    const int bottom = cells[sketch->end_row - 1] - sketch->row + REACH + 1;
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

// Pixel centres that may be in low … high: `first` … `end` - 1, with a margin for rounding.
static void pixels_between(const RiverSketch *sketch, const Axis *axis, int start, float low, float high,
                           int *first, int *end) {
    const float hair = 0.01f, origin = (float)(axis->cells[0] - start) + axis->fractions[0];
    const float from = (low - origin) / sketch->pixel - hair, to = (high - origin) / sketch->pixel + hair;
    *first = whole_within(ceilf(from), 0, INT_MAX);
    *end = to < 0 ? 0 : whole_within(to + 1, 0, axis->pixels);
    *end = min(*end, axis->pixels);
}

static void stroke(const RiverSketch *sketch, Point from, Point to) {
    const float reach = (RIVER_HALF_WIDTH + 0.5f) * sketch->pixel, scale = 1 / sketch->pixel;
    const Axis *across = sketch->across, *down = sketch->down;
    const float left = min(from.x, to.x), right = max(from.x, to.x);
    const float top = min(from.y, to.y), bottom = max(from.y, to.y);
    int first, end, first_row, end_row;
    pixels_between(sketch, across, sketch->column, left - reach, right + reach, &first, &end);
    pixels_between(sketch, down, sketch->row, top - reach, bottom + reach, &first_row, &end_row);
    first_row = max(first_row, sketch->first_row);
    end_row = min(end_row, sketch->end_row);
    for (int y = first_row; y < end_row; y++) {
        const float centre_y = (float)(down->cells[y] - sketch->row) + down->fractions[y];
        float *row = field_row(sketch->river, y);
        for (int x = first; x < end; x++) {
            const float centre_x = (float)(across->cells[x] - sketch->column) + across->fractions[x];
            const float covered = line_coverage((from.x - centre_x) * scale, (from.y - centre_y) * scale,
                                                (to.x - centre_x) * scale, (to.y - centre_y) * scale);
            row[x] = max(covered, row[x]);
        }
    }
}

// A river through two edges, a mouth or spring inside the triangle, or a confluence.
static void draw_triangle(const RiverSketch *sketch, const Point *crossings, int count, Point middle) {
    if (count == 2) {
        stroke(sketch, crossings[0], crossings[1]);
        return;
    }
    if (count == 3)
        middle = (Point){ (crossings[0].x + crossings[1].x + crossings[2].x) / 3,
                          (crossings[0].y + crossings[1].y + crossings[2].y) / 3 };
    for (int i = 0; i < count; i++)
        stroke(sketch, crossings[i], middle);
}

static void draw_cell(const RiverSketch *sketch, int x, int y) {
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
    draw_triangle(sketch, upper, in_upper, (Point){ left + (rising ? third : 1 - third), top + third });
    draw_triangle(sketch, lower, in_lower, (Point){ left + (rising ? 1 - third : third), top + 1 - third });
}

void river_draw_lines(const RiverSketch *sketch) {
    int first, end;
    rows_of_cells(sketch, &first, &end);
    for (int y = first; y < end; y++)
        for (uint64_t bits = river_cells(sketch->rivers, sketch->cells, y); bits; bits &= bits - 1)
            draw_cell(sketch, __builtin_ctzll(bits), y);
}
