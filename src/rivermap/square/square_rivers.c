// The rivers of the right-angled tiling as data, from the lattices that render draws.

#include "rivermap/square/window.h"
#include "rivermap/triangle_rivers.h"

#include "core/memory.h"
#include "core/random.h"

#include <math.h>

typedef struct Reader {
    const Window *window;
    NetworkBuilder *builder;
    double left, top; // of the window, in cells from that of column and row 0
} Reader;

static double cells_to(const Axis *axis, float pixel) {
    return axis->cells[0] + (double)axis->fractions[0] - 0.5 * (double)pixel;
}

static RiverPoint point_at(const Reader *reader, double column, double row) {
    const double pixel = (double)reader->window->pixel;
    return (RiverPoint){ .x = (column - reader->left) / pixel, .y = (row - reader->top) / pixel };
}

// Edge `kind` of a triangle of the cell at (column, row) of the window.
static void add_crossing(const Reader *reader, const Square *square, const SquareEdge *edge, EdgeKind kind,
                         int column, int row, TriangleRivers *triangle) {
    const Crossing crossing = edge->crossing;
    if (!crossing.river)
        return;
    // Of the cell whose top or left edge it is.
    const int dx = kind == EDGE_DOWN ? edge->first % 2 : 0, dy = kind == EDGE_ACROSS ? edge->first / 2 : 0;
    const uint64_t x = square->x + (uint64_t)dx, y = square->y + (uint64_t)dy;
    const double along = (double)along_edge(kind, x, y);
    const double right = kind == EDGE_DOWN ? 0 : along;
    const double down = kind == EDGE_ACROSS ? 0
                        : kind == EDGE_DOWN ? along
                                            : (square->rising ? 1 - along : along);
    const View *view = reader->window->view;
    const int i = triangle->count++;
    RiverPoint *point = &triangle->points[i];
    *point = point_at(reader, column + dx + right, row + dy + down);
    point->altitude =
        (float)(ldexp((double)(square->base + crossing.altitude), -square->depth) / UNITS_PER_CELL);
    point->area = (double)crossing.basin * (double)crossing.basin;
    point->width = (float)(view->map->width * (double)crossing.basin * view->pixels);
    triangle->keys[i] = mix64(mix64(4 * x + (uint64_t)kind) + y) | 1;
    triangle->out[i] = edge->out;
}

static void add_cell(const Reader *reader, const Square *square, int column, int row) {
    for (int lower = 0; lower < 2; lower++) {
        SquareEdge edges[3];
        const bool east = square_triangle(square, lower, edges);
        TriangleRivers triangle = { .count = 0 };
        for (int i = 0; i < 3; i++)
            add_crossing(reader, square, &edges[i], (EdgeKind)i, column, row, &triangle);
        triangle.middle = point_at(reader, column + (east ? 2 : 1) / 3.0, row + (lower ? 2 : 1) / 3.0);
        if (triangle.count > 0)
            triangle_rivers_add(reader->builder, &triangle);
    }
}

// Whether the cell's middle lies in the window.
static bool is_inside(const Reader *reader, int column, int row) {
    const RiverPoint middle = point_at(reader, column + 0.5, row + 0.5);
    const View *view = reader->window->view;
    return middle.x >= 0 && middle.x < view->width && middle.y >= 0 && middle.y < view->height;
}

static void read_lattice(void *context, const Square *square, const Lattice *lattice, int column, int row) {
    const Reader *reader = context;
    const Square place = lattice_place(square, reader->window->depth - square->depth);
    for (int y = 0; y < lattice->cells; y++)
        for (uint64_t cells = river_cells(&lattice->rivers, lattice->cells, y); cells; cells &= cells - 1) {
            const int x = __builtin_ctzll(cells);
            if (!is_inside(reader, column + x, row + y))
                continue;
            const Square cell = lattice_square(lattice, &place, x, y);
            add_cell(reader, &cell, column + x, row + y);
        }
}

static void read_cell(void *context, const Square *cell, int column, int row) {
    const Reader *reader = context;
    if (is_inside(reader, column, row))
        add_cell(reader, cell, column, row);
}

Status squares_add_rivers(const View *view, NetworkBuilder *builder, Error *error) {
    Window window;
    Status status = window_open(&window, view, error);
    LatticePair *pair =
        status == STATUS_OK ? memory_new(1, sizeof *pair, error) : NULL; // too large for a stack
    if (status == STATUS_OK && !pair)
        status = STATUS_MEMORY;
    static const LatticeVisitor visitor = { read_lattice, read_cell, NULL };
    Reader reader = { &window, builder, 0, 0 };
    if (status == STATUS_OK) { // otherwise there may be no axes
        reader.left = cells_to(&window.across, window.pixel);
        reader.top = cells_to(&window.down, window.pixel);
    }
    for (int i = 0; status == STATUS_OK && i < window.tile_count; i++) {
        const WindowTile *tile = &window.tiles[i];
        lattice_visit(&view->map->constants, &tile->square, window.depth - window.tile_depth,
                      window_tile_area(&window, tile), pair, &visitor, &reader, tile->column, tile->row);
        status = run_advance(view->run, i + 1, window.tile_count);
    }
    memory_free(pair);
    window_close(&window);
    return status;
}
