// Draws a window of the right-angled tiling: altitudes interpolated between the four vertices around a
// pixel's centre, rivers as lines through the edges that they cross.

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/whole.h"
#include "rivermap/channels.h"
#include "rivermap/eroded/eroded.h"
#include "rivermap/square/lattice.h"
#include "rivermap/square/square.h"
#include "rivermap/square/window.h"
#include "rivermap/view.h"

#include <math.h>
#include <string.h>

// --- lines of rivers ---------------------------------------------------------------------------------------

typedef struct RiverSketch {
    const RiverBits *rivers;
    int cells, column, row;    // of the lattice: how many, and where in the window it begins
    uint64_t place_x, place_y; // and where in the map, in lattices of its size
    const Axis *across, *down;
    float pixel; // its side in cells
    Field *river;
    int first_row, end_row; // of pixels that may be drawn
} RiverSketch;

// The lines among edges of one kind in a row: those that drain less than the channels do.
static uint64_t line_bits(uint64_t rivers, const Lattice *lattice, EdgeKind kind, int y, float line_basin) {
    const LatticeCrossing *crossings = lattice->crossings + lattice_edge(lattice, kind, 0, y);
    for (uint64_t rest = line_basin < INFINITY ? rivers : 0; rest; rest &= rest - 1)
        if (crossings[EDGE_KINDS * __builtin_ctzll(rest)].basin >= line_basin)
            rivers &= ~(rest & -rest);
    return rivers;
}

// Adds the edges of a lattice or of a square that lies at cell (x, y) of one of `cells`; rivers whose basin
// is `line_basin` or more are left out.
static void river_bits_add_lattice(const Lattice *lattice, float line_basin, int x, int y, int cells,
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

static void river_bits_add_square(const Square *square, float line_basin, int x, int y, int cells,
                                  RiverBits *bits) {
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

// As published: 1 in every pixel with a cell that a river crosses.
static void river_mark_pixels(const RiverSketch *sketch) {
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
static void add_triangle_lines(const Point *crossings, int count, Point middle, Lines *lines) {
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

KERNEL_INLINE void add_cell_lines(const Strokes *strokes, int x, int y, Lines *lines) {
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
    add_triangle_lines(upper, in_upper, (Point){ left + (rising ? third : 1 - third), top + third }, lines);
    add_triangle_lines(lower, in_lower, (Point){ left + (rising ? 1 - third : third), top + 1 - third },
                       lines);
}

// An antialiased line from crossing to crossing: the covered share of the pixel, 0 … 1. The maximum counts.
static void river_draw_lines(const RiverSketch *sketch) {
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
            add_cell_lines(&strokes, __builtin_ctzll(bits), y, &lines);
            if (lines.count > LINES_MOST - LINES_OF_CELL)
                cover_lines(&strokes, &lines);
        }
    cover_lines(&strokes, &lines);
}

// --- channels ----------------------------------------------------------------------------------------------

// The channels of the right-angled tiling, square by square, only along rivers wide enough to be channels.

typedef struct Parts Parts;

typedef struct Way { // down to a square
    Channels *channels;
    Int128 zero; // in units of depth `zero_depth`
    int zero_depth;
    Parts *parts; // where squares small enough for a part are left for later; or NULL
} Way;

// Of an altitude of the square's, in map units: above the sea, and above the view's zero.
static double from_sea(const Square *square, Altitude altitude) {
    return ldexp((double)(square->base + altitude), -square->depth) / UNITS_PER_CELL;
}

static double level_of(const Way *way, const Square *square, Altitude altitude) {
    const int deeper = way->zero_depth - square->depth;
    const Int128 in_zero_units = (square->base + altitude) * ((Int128)1 << max(deeper, 0));
    const Int128 zero = deeper < 0 ? way->zero * ((Int128)1 << -deeper) : way->zero;
    const int depth = deeper > 0 ? way->zero_depth : square->depth;
    return ldexp((double)(in_zero_units - zero), -depth) / UNITS_PER_CELL;
}

typedef struct SquareFrame { // of a square, in places
    Int128 left, top, side;
} SquareFrame;

static void add_crossing(const Way *way, const Square *square, const SquareEdge *edge,
                         const SquareFrame *frame, TriangleChannels *triangle) {
    const Crossing crossing = edge->crossing;
    if (!crossing.river)
        return;
    const uint32_t seed = mix_seeds(square->corners[edge->first].seed, square->corners[edge->second].seed);
    const Int128 along = frame->side / 1024 * whole_int(512 + 256 * seed_value(mix_seeds(seed, 3)));
    const int x0 = edge->first % 2, y0 = edge->first / 2;
    const int dx = edge->second % 2 - x0, dy = edge->second / 2 - y0;
    triangle->crossings[triangle->count++] = (struct TriangleCrossing){
        frame->left + x0 * frame->side + dx * along, frame->top + y0 * frame->side + dy * along,
        channel_width(way->channels, (double)crossing.basin, from_sea(square, crossing.altitude)),
        level_of(way, square, crossing.altitude), edge->out
    };
}

static void add_triangles(const Way *way, const Square *square, const SquareFrame *frame, double side,
                          double parent_side, double limit) {
    for (int lower = 0; lower < 2; lower++) {
        SquareEdge edges[3];
        const bool east = square_triangle(square, lower, edges);
        const Int128 third = frame->side / 3;
        TriangleChannels triangle = { .middle_x = frame->left + (east ? 2 : 1) * third,
                                      .middle_y = frame->top + (lower ? 2 : 1) * third,
                                      .side = side,
                                      .parent_side = parent_side,
                                      .limit = limit };
        for (int i = 0; i < 3; i++)
            add_crossing(way, square, &edges[i], frame, &triangle);
        if (triangle.count > 0)
            channels_add(way->channels, &triangle);
    }
}

// --- parts -------------------------------------------------------------------------------------------------

// A square, all of whose channels another thread may find. In order they come after `before` of those that
// were found on the way to the parts.
typedef struct Part {
    Square square;
    SquareFrame frame;
    double parent_limit;
    int before;
    Channels found;
} Part;

struct Parts {
    double side; // in pixels, of the largest square that is one
    const Way *way;
    Part *at;
    int count, room;
    bool failed; // memory ran out
};

// Whether it is one.
static bool leave_for_later(const Way *way, const Square *square, SquareFrame frame, double side,
                            double parent_limit) {
    Parts *parts = way->parts;
    if (!parts || side > parts->side)
        return false;
    if (parts->count == parts->room) {
        const int room = parts->room ? 2 * parts->room : 64;
        Part *more = memory_enlarge(parts->at, (size_t)parts->count, (size_t)room, sizeof *more, NULL);
        parts->failed = parts->failed || !more;
        if (!more)
            return true;
        parts->at = more;
        parts->room = room;
    }
    Channels found = *way->channels;
    found.at = NULL;
    found.count = found.room = 0;
    parts->at[parts->count++] = (Part){ *square, frame, parent_limit, way->channels->count, found };
    return true;
}

static void go_down(const Way *way, const Square *square, SquareFrame frame, double parent_limit) {
    Channels *channels = way->channels;
    const double side = (double)frame.side / (double)channels->view->pixel;
    if (leave_for_later(way, square, frame, side, parent_limit))
        return;
    const double parent_side = square->depth ? 2 * side : INFINITY;
    const Crossing crossings[5] = { square->sides[0], square->sides[1], square->sides[2], square->sides[3],
                                    square->diagonal };
    ChannelRange range = channel_range(channels, ldexp(1, -square->depth), parent_limit);
    for (int i = 0; i < 5; i++)
        if (crossings[i].river)
            channel_range_add(
                &range,
                channel_width(channels, (double)crossings[i].basin, from_sea(square, crossings[i].altitude)),
                parent_side);
    channel_range_end(&range);
    if (!channels_reach(channels, frame.left, frame.top, frame.left + frame.side, frame.top + frame.side,
                        &range))
        return;
    add_triangles(way, square, &frame, side, parent_side, range.limit);
    if (!channels_go_on(&range, side))
        return;
    Square quarters[4];
    square_split(&channels->view->map->constants, square, quarters);
    const Int128 half = frame.side / 2;
    for (int corner = 0; corner < 4; corner++)
        go_down(way, &quarters[corner],
                (SquareFrame){ frame.left + corner % 2 * half, frame.top + corner / 2 * half, half },
                range.limit);
}

static void find_parts(void *context, int first, int end) {
    const Parts *parts = context;
    for (int i = first; i < end; i++) {
        Part *part = &parts->at[i];
        Way way = *parts->way;
        way.channels = &part->found;
        way.parts = NULL;
        go_down(&way, &part->square, part->frame, part->parent_limit);
    }
}

// In the order in which one thread would find them.
static void join_parts(const Parts *parts, const Channels *on_the_way, Channels *channels) {
    int done = 0;
    for (int i = 0; i <= parts->count; i++) {
        const Part *part = i < parts->count ? &parts->at[i] : NULL;
        for (; done < (part ? part->before : on_the_way->count); done++)
            channels_append(channels, on_the_way->at[done]);
        for (int j = 0; part && j < part->found.count; j++)
            channels_append(channels, part->found.at[j]);
        channels->failed = channels->failed || (part && part->found.failed);
    }
}

// Adds all of a map's. Levels count from the view's zero in units of this depth.
static Status square_channels_add(Channels *channels, int depth) {
    enum { ACROSS_WINDOW = 8 }; // parts
    const View *view = channels->view;
    channels_set_zero(channels, depth, ldexp(1.0 / UNITS_PER_CELL, -depth));
    Channels on_the_way = *channels;
    Parts parts = { .side = (double)max(view->width, view->height) / ACROSS_WINDOW };
    const Way way = { &on_the_way, view_zero(view, depth), depth, &parts };
    parts.way = &way;
    const Square root = first_square(view->map);
    go_down(&way, &root, (SquareFrame){ 0, 0, (Int128)1 << PLACE_BITS }, INFINITY);
    const Status status = parallel_rows(view->run, parts.count, 50000, find_parts, &parts);
    channels->failed = channels->failed || on_the_way.failed || parts.failed;
    join_parts(&parts, &on_the_way, channels);
    for (int i = 0; i < parts.count; i++)
        memory_free(parts.at[i].found.at);
    memory_free(parts.at);
    memory_free(on_the_way.at);
    return status;
}

// --- drawing -----------------------------------------------------------------------------------------------

// A tile's altitudes in map units, relative to the datum, and its rivers.
typedef struct Patch {
    int cells;
    float altitudes[(LATTICE_CELLS + 1) * (LATTICE_CELLS + 1)];
    LatticePair pair; // to work with
} Patch;

KERNEL static void scale_altitudes(const double *restrict altitudes, int count, double base, double unit,
                                   float *restrict scaled) {
    for (int i = 0; i < count; i++)
        scaled[i] = (float)(base + altitudes[i] * unit);
}

KERNEL static void scale_narrow(const int32_t *restrict altitudes, int count, double base, double unit,
                                float *restrict scaled) {
    for (int i = 0; i < count; i++)
        scaled[i] = (float)(base + (double)altitudes[i] * unit);
}

static double unit_of(const Window *window) {
    return ldexp(1.0 / UNITS_PER_CELL, -window->depth);
}

typedef struct Painter {
    const Window *window;
    WindowTile *tile;
    Patch *patch;
} Painter;

// All of a square that lies at cell (x, y) of the tile.
static void add_lattice(void *context, const Square *square, const Lattice *lattice, int x, int y) {
    const Painter *painter = context;
    const Window *window = painter->window;
    const int depth = window->depth - square->depth, width = painter->patch->cells + 1;
    const int vertices = lattice->cells + 1;
    const double unit = unit_of(window);
    const double base = (double)(square->base * ((Int128)1 << depth) - window->datum) * unit;
    const CellArea area = lattice->area;
    const int columns = area.right - area.left + 1;
    for (int row = area.top; row <= area.bottom; row++) {
        const int first = row * vertices + area.left;
        float *scaled = painter->patch->altitudes + (y + row) * width + x + area.left;
        if (lattice->is_narrow)
            scale_narrow(lattice->narrow + first, columns, base, unit, scaled);
        else
            scale_altitudes(lattice->wide + first, columns, base, unit, scaled);
    }
    river_bits_add_lattice(lattice, window->view->line_basin, x, y, painter->patch->cells,
                           &painter->tile->rivers);
}

static void add_cliff(void *context, const Square *square, const CliffLattice *lattice, int x, int y) {
    const Painter *painter = context;
    const Window *window = painter->window;
    const int depth = window->depth - square->depth, width = painter->patch->cells + 1;
    const int vertices = lattice->cells + 1;
    const Int128 datum = window->datum - square->base * ((Int128)1 << depth);
    double altitudes[LATTICE_CELLS + 1];
    for (int row = 0; row < vertices; row++) {
        cliff_altitudes(lattice, row * vertices, vertices, datum, altitudes);
        scale_altitudes(altitudes, vertices, 0, unit_of(window),
                        painter->patch->altitudes + (y + row) * width + x);
    }
}

static void add_cell(void *context, const Square *square, int x, int y) {
    const Painter *painter = context;
    const Window *window = painter->window;
    Patch *patch = painter->patch;
    const double unit = unit_of(window);
    for (int i = 0; i < 4; i++) {
        const Int128 altitude = square->base + square->corners[i].altitude - window->datum;
        patch->altitudes[(y + i / 2) * (patch->cells + 1) + x + i % 2] = (float)((double)altitude * unit);
    }
    river_bits_add_square(square, window->view->line_basin, x, y, patch->cells, &painter->tile->rivers);
}

// Pixels as large as cells, as where their number is a power of two, take one cell after the other.
static bool are_adjacent(const int *cells, int count) {
    bool adjacent = true;
    for (int i = 1; i < count; i++)
        adjacent &= cells[i] == cells[0] + i;
    return adjacent;
}

KERNEL static void draw_pixel_row(const float *restrict upper, const float *restrict lower, float fraction,
                                  int vertices, const int *restrict cells, const float *restrict fractions,
                                  int count, int column, bool adjacent, float *restrict out) {
    float between[LATTICE_CELLS + 1] = { 0 };
    for (int i = 0; i < vertices; i++)
        between[i] = upper[i] + (lower[i] - upper[i]) * fraction;
    const float *from = between + (cells[0] - column);
    if (adjacent)
        for (int i = 0; i < count; i++)
            out[i] = from[i] + (from[i + 1] - from[i]) * fractions[i];
    else
        for (int i = 0; i < count; i++) {
            const int cell = cells[i] - column;
            out[i] = between[cell] + (between[cell + 1] - between[cell]) * fractions[i];
        }
}

enum { CACHE_LINE = 64 / sizeof(float) };

static void draw_tile(const Window *window, WindowTile *tile, Patch *patch) {
    patch->cells = 1 << (window->depth - window->tile_depth);
    tile->rivers = (RiverBits){ 0 };
    const Axis *across = &window->across, *down = &window->down;
    Field *altitude = window->view->altitude;
    const int left = axis_first_pixel(across, tile->column),
              right = axis_first_pixel(across, tile->column + patch->cells);
    const int top = axis_first_pixel(down, tile->row),
              bottom = axis_first_pixel(down, tile->row + patch->cells);
    // Rows of pixels lie far apart: their memory comes while the tile is cut.
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x += CACHE_LINE)
            __builtin_prefetch(field_row(altitude, y) + x, 1);
    static const LatticeVisitor visitor = { add_lattice, add_cell, add_cliff };
    Painter painter = { window, tile, patch };
    lattice_visit(&window->view->map->constants, &tile->square, window->depth - window->tile_depth,
                  window_tile_area(window, tile), &patch->pair, &visitor, &painter, 0, 0);
    if (left >= right)
        return;
    const bool adjacent = are_adjacent(across->cells + left, right - left);
    for (int y = top; y < bottom; y++) {
        const float *upper = patch->altitudes + (down->cells[y] - tile->row) * (patch->cells + 1);
        draw_pixel_row(upper, upper + patch->cells + 1, down->fractions[y], patch->cells + 1,
                       across->cells + left, across->fractions + left, right - left, tile->column, adjacent,
                       field_row(altitude, y) + left);
    }
}

// A patch is too large for a stack.
static void draw_tiles(void *context, int first, int end) {
    Window *window = context;
    Error error; // reported once, for all threads
    Patch *patch = memory_new(1, sizeof *patch, &error);
    if (!patch)
        atomic_store(&window->failed, true);
    for (int i = first; patch && i < end; i++)
        draw_tile(window, &window->tiles[i], patch);
    memory_free(patch);
}

enum { BAND = 64 }; // rows of pixels

// Lines may extend into other tiles, so threads take rows, not tiles.
static void draw_river_bands(void *context, int first, int end) {
    const Window *window = context;
    const View *view = window->view;
    const int first_row = first * BAND, end_row = end * BAND < view->height ? end * BAND : view->height;
    for (int i = 0; i < window->tile_count; i++) {
        const WindowTile *tile = &window->tiles[i];
        const RiverSketch sketch = { .rivers = &tile->rivers,
                                     .cells = 1 << (window->depth - window->tile_depth),
                                     .column = tile->column,
                                     .row = tile->row,
                                     .place_x = tile->square.x,
                                     .place_y = tile->square.y,
                                     .across = &window->across,
                                     .down = &window->down,
                                     .pixel = window->pixel,
                                     .river = view->river,
                                     .first_row = first_row,
                                     .end_row = end_row };
        if (view->whole_pixels)
            river_mark_pixels(&sketch);
        else
            river_draw_lines(&sketch);
    }
}

static Status draw_rivers(Window *window) {
    const View *view = window->view;
    if (!view->map->constants.rivers)
        return STATUS_OK;
    return parallel_rows(view->run, (view->height + BAND - 1) / BAND, view->width * 200.0, draw_river_bands,
                         window);
}

static Status draw_channels(const Window *window, Error *error) {
    Channels channels = channels_begin(window->view);
    const Status status = square_channels_add(&channels, window->depth);
    const Status drawn = channels_draw(&channels, error);
    return status == STATUS_OK ? drawn : status;
}

static Status render(const View *view, Error *error) {
    Window window;
    Status status = window_open(&window, view, error);
    if (status == STATUS_OK)
        status = parallel_rows(view->run, window.tile_count, 20000, draw_tiles, &window);
    if (status == STATUS_OK && window.failed)
        status = fail(error, STATUS_MEMORY, "not enough memory for the tiles of a river map");
    if (status == STATUS_OK)
        status = draw_rivers(&window);
    window_close(&window);
    return status == STATUS_OK && view->line_basin < INFINITY ? draw_channels(&window, error) : status;
}

static const LandMethods raw = {
    .datum = squares_datum,
    .max_pixels = 0x1p100,
    .render = render,
    .add_rivers = squares_add_rivers,
};

const Tiling tiling_right = {
    .corners = true,
    .guide = true,
    .raw = &raw,
    .eroded = &eroded_flat,
    .heights = squares_heights,
};
