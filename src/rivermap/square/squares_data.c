// A window of the right-angled tiling as numbers: its rivers and its exact heights.

#include "core/memory.h"
#include "core/random.h"
#include "rivermap/square/window.h"
#include "rivermap/triangle_rivers.h"

#include <math.h>

// --- rivers ------------------------------------------------------------------------------------------------

// The rivers of the right-angled tiling as data, from the lattices that render draws.

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

// --- heights -----------------------------------------------------------------------------------------------

// The altitudes of a window of the right-angled tiling as whole numbers: a pixel is a cell of the lattice,
// and its altitude the sum of those of its four corners.

typedef struct HeightTiles {
    Window window;
    uint32_t *heights;
} HeightTiles;

// A tile's vertices, in units of the lattice.
typedef struct HeightPatch {
    const Window *window;
    int vertices; // in a row
    uint32_t altitudes[(LATTICE_CELLS + 1) * (LATTICE_CELLS + 1)];
    LatticePair pair; // to work with
} HeightPatch;

static void add_lattice_heights(void *context, const Square *square, const Lattice *lattice, int x, int y) {
    HeightPatch *patch = context;
    const int vertices = lattice->cells + 1, depth = patch->window->depth - square->depth;
    const uint32_t base = (uint32_t)square->base << depth;
    for (int row = lattice->area.top; row <= lattice->area.bottom; row++)
        for (int column = lattice->area.left; column <= lattice->area.right; column++)
            patch->altitudes[(y + row) * patch->vertices + x + column] =
                base + (uint32_t)lattice_altitude(lattice, row * vertices + column);
}

static void add_cliff_heights(void *context, const Square *square, const CliffLattice *lattice, int x,
                              int y) {
    HeightPatch *patch = context;
    const int vertices = lattice->cells + 1, depth = patch->window->depth - square->depth;
    const uint32_t base = (uint32_t)square->base << depth;
    for (int row = 0; row < vertices; row++)
        for (int column = 0; column < vertices; column++)
            patch->altitudes[(y + row) * patch->vertices + x + column] =
                base + cliff_bits(lattice, row * vertices + column);
}

static void add_cell_heights(void *context, const Square *square, int x, int y) {
    HeightPatch *patch = context;
    for (int i = 0; i < 4; i++)
        patch->altitudes[(y + i / 2) * patch->vertices + x + i % 2] =
            (uint32_t)square->base + (uint32_t)square->corners[i].altitude;
}

// `upper`, `lower`: the vertices above and below a row of cells, one more than those.
KERNEL static void add_corners(const uint32_t *restrict upper, const uint32_t *restrict lower, int count,
                               uint32_t *restrict heights) {
    for (int i = 0; i < count; i++)
        heights[i] = upper[i] + upper[i + 1] + lower[i] + lower[i + 1];
}

static void add_tile(const HeightTiles *tiles, const WindowTile *tile, HeightPatch *patch) {
    static const LatticeVisitor visitor = { add_lattice_heights, add_cell_heights, add_cliff_heights };
    const Window *window = &tiles->window;
    const Axis *across = &window->across, *down = &window->down;
    const int depth = window->depth - window->tile_depth, cells = 1 << depth;
    const int left = axis_first_pixel(across, tile->column),
              right = axis_first_pixel(across, tile->column + cells);
    const int top = axis_first_pixel(down, tile->row), bottom = axis_first_pixel(down, tile->row + cells);
    if (left >= right || top >= bottom)
        return;
    patch->window = window;
    patch->vertices = cells + 1;
    lattice_visit(&window->view->map->constants, &tile->square, depth, window_tile_area(window, tile),
                  &patch->pair, &visitor, patch, 0, 0);
    for (int y = top; y < bottom; y++) {
        const uint32_t *upper = patch->altitudes + (down->cells[y] - tile->row) * patch->vertices +
                                across->cells[left] - tile->column;
        add_corners(upper, upper + patch->vertices, right - left,
                    tiles->heights + (size_t)y * (size_t)across->pixels + left);
    }
}

// A patch is too large for a stack.
static void add_tiles(void *context, int first, int end) {
    HeightTiles *tiles = context;
    Error error; // which is told of once, for all threads
    HeightPatch *patch = memory_new(1, sizeof *patch, &error);
    if (!patch)
        atomic_store(&tiles->window.failed, true);
    for (int i = first; patch && i < end; i++)
        add_tile(tiles, &tiles->window.tiles[i], patch);
    memory_free(patch);
}

Status squares_heights(const View *view, uint32_t *heights, Error *error) {
    HeightTiles tiles;
    tiles.heights = heights;
    Status status = window_open(&tiles.window, view, error);
    if (status == STATUS_OK)
        status = parallel_rows(view->run, tiles.window.tile_count, 20000, add_tiles, &tiles);
    if (status == STATUS_OK && tiles.window.failed)
        status = fail(error, STATUS_MEMORY, "not enough memory for the tiles of a river map");
    window_close(&tiles.window);
    return status;
}
