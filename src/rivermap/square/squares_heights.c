// The altitudes of a window of the right-angled tiling as whole numbers: a pixel is a cell of the lattice,
// and its altitude the sum of those of its four corners.

#include "rivermap/square/window.h"

#include "core/memory.h"

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

static void add_lattice(void *context, const Square *square, const Lattice *lattice, int x, int y) {
    HeightPatch *patch = context;
    const int vertices = lattice->cells + 1, depth = patch->window->depth - square->depth;
    const uint32_t base = (uint32_t)square->base << depth;
    for (int row = lattice->area.top; row <= lattice->area.bottom; row++)
        for (int column = lattice->area.left; column <= lattice->area.right; column++)
            patch->altitudes[(y + row) * patch->vertices + x + column] =
                base + (uint32_t)lattice_altitude(lattice, row * vertices + column);
}

static void add_cliff(void *context, const Square *square, const CliffLattice *lattice, int x, int y) {
    HeightPatch *patch = context;
    const int vertices = lattice->cells + 1, depth = patch->window->depth - square->depth;
    const uint32_t base = (uint32_t)square->base << depth;
    for (int row = 0; row < vertices; row++)
        for (int column = 0; column < vertices; column++)
            patch->altitudes[(y + row) * patch->vertices + x + column] =
                base + cliff_bits(lattice, row * vertices + column);
}

static void add_cell(void *context, const Square *square, int x, int y) {
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
    static const LatticeVisitor visitor = { add_lattice, add_cell, add_cliff };
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
