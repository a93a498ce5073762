// Draws a window of the right-angled tiling. The square of the map is cut into quarters until a tile is
// reached, only where the window lies; tiles are cut as lattices. A pixel is drawn from the finest lattice
// whose cells are not larger than it: altitude between the four vertices around its centre, rivers as lines
// through the edges that they cross.
//
// Depth, tiles and lattices follow from place and size of the pixels alone, so windows on one grid agree bit
// for bit.

#include "core/memory.h"
#include "subdivision/channels.h"
#include "subdivision/lattice.h"
#include "subdivision/river_lines.h"
#include "subdivision/view.h"

#include <math.h>
#include <string.h>

typedef struct Tile {
    Square square;
    int column, row; // the first cell, counted from the window's
    RiverBits rivers;
} Tile;

typedef struct Window {
    const RiverMap *map;
    const Field *altitude;
    Axis across, down;
    int tile_depth, depth; // of the tiles, and of the lattices
    Wide datum;            // in units of the lattice
    float pixel;           // its side in cells, 1 … 2
    float line_basin;      // rivers that drain more are channels
    Tile *tiles;
    int tile_count;
} Window;

// --- tiles -------------------------------------------------------------------------------------------------

static bool touches(const Axis *axis, uint64_t place, int depth_left) {
    // 2^64 squares in a row are more than differ here: the window's cells are few, so differences suffice.
    const int64_t first = (int64_t)(place - (uint64_t)(axis->first_cell >> depth_left));
    const int64_t last = (int64_t)((uint64_t)((axis->first_cell + axis->cell_count - 1) >> depth_left) -
                                   (uint64_t)(axis->first_cell >> depth_left));
    return first >= 0 && first <= last;
}

static void add_tile(Window *window, const Square *square) {
    const int cells = window->depth - window->tile_depth;
    Tile *tile = &window->tiles[window->tile_count++];
    tile->square = *square;
    tile->column = (int)(int64_t)((square->x << cells) - (uint64_t)window->across.first_cell);
    tile->row = (int)(int64_t)((square->y << cells) - (uint64_t)window->down.first_cell);
}

static void find_tiles(Window *window, const Square *square) {
    const int left = window->depth - square->depth;
    if (!touches(&window->across, square->x, left) || !touches(&window->down, square->y, left))
        return;
    if (square->depth == window->tile_depth) {
        add_tile(window, square);
        return;
    }
    Square quarters[4];
    square_split(&window->map->constants, square, quarters);
    for (int corner = 0; corner < 4; corner++)
        find_tiles(window, &quarters[corner]);
}

static Status collect_tiles(Window *window, Error *error) {
    const int cells = 1 << (window->depth - window->tile_depth);
    const int columns = window->across.cell_count / cells + 2, rows = window->down.cell_count / cells + 2;
    window->tiles = memory_new((size_t)columns * (size_t)rows, sizeof *window->tiles, error);
    if (!window->tiles)
        return STATUS_MEMORY;
    const Square root = river_map_root(window->map);
    find_tiles(window, &root);
    return STATUS_OK;
}

// The altitude of a cell's upper left vertex, in units of the lattice.
static Wide altitude_of_cell(const Window *window, Wide x, Wide y) {
    Square square = river_map_root(window->map);
    while (square.depth < window->depth) {
        Square quarters[4];
        square_split(&window->map->constants, &square, quarters);
        const int shift = window->depth - quarters[0].depth;
        square = quarters[(int)(y >> shift & 1) * 2 + (int)(x >> shift & 1)];
    }
    return square.base + square.corners[UPPER_LEFT].altitude;
}

// --- drawing -----------------------------------------------------------------------------------------------

// The lattice's altitudes in map units, from the datum, and where rivers are.
typedef struct Patch {
    int cells;
    float altitudes[(LATTICE_CELLS + 1) * (LATTICE_CELLS + 1)];
} Patch;

KERNEL static void scale_altitudes(const int32_t *restrict altitudes, int count, double base, double unit,
                                   float *restrict scaled) {
    for (int i = 0; i < count; i++)
        scaled[i] = (float)(base + (double)altitudes[i] * unit);
}

static double unit_of(const Window *window) {
    return ldexp(1.0 / UNITS_PER_CELL, -window->depth);
}

static void patch_from_lattice(const Window *window, Tile *tile, Patch *patch) {
    LatticePair pair;
    const int depth = window->depth - window->tile_depth;
    const Lattice *lattice = lattice_fill(&window->map->constants, &tile->square, depth, &pair);
    const int cells = patch->cells = lattice->cells;
    const double unit = unit_of(window);
    const Wide base = tile->square.base * ((Wide)1 << depth) - window->datum;
    scale_altitudes(lattice->altitudes, (cells + 1) * (cells + 1), (double)base * unit, unit,
                    patch->altitudes);
    if (window->map->constants.rivers)
        river_bits_of(lattice, window->line_basin, &tile->rivers);
}

// Square by square, for the rare tile whose altitudes differ by more than a lattice holds.
static void patch_from_square(const Window *window, Tile *tile, const Square *square, Patch *patch, int x,
                              int y) {
    if (square->depth < window->depth) {
        const int half = 1 << (window->depth - square->depth - 1);
        Square quarters[4];
        square_split(&window->map->constants, square, quarters);
        for (int corner = 0; corner < 4; corner++)
            patch_from_square(window, tile, &quarters[corner], patch, x + corner % 2 * half,
                              y + corner / 2 * half);
        return;
    }
    const double unit = unit_of(window);
    for (int i = 0; i < 4; i++) {
        const Wide altitude = square->base + square->corners[i].altitude - window->datum;
        patch->altitudes[(y + i / 2) * (patch->cells + 1) + x + i % 2] = (float)((double)altitude * unit);
    }
    river_bits_add(square, window->line_basin, x, y, patch->cells, &tile->rivers);
}

KERNEL static void draw_row(const float *restrict upper, const float *restrict lower, float fraction,
                            int vertices, const int *restrict cells, const float *restrict fractions,
                            int first, int count, int column, float *restrict out) {
    float between[LATTICE_CELLS + 1] = { 0 };
    for (int i = 0; i < vertices; i++)
        between[i] = upper[i] + (lower[i] - upper[i]) * fraction;
    for (int i = first; i < first + count; i++) {
        const int cell = cells[i] - column;
        out[i] = between[cell] + (between[cell + 1] - between[cell]) * fractions[i];
    }
}

static void draw_tile(const Window *window, Tile *tile) {
    Patch patch = { .cells = 1 << (window->depth - window->tile_depth) };
    tile->rivers = (RiverBits){ 0 };
    if (lattice_holds(&tile->square, window->depth - window->tile_depth))
        patch_from_lattice(window, tile, &patch);
    else
        patch_from_square(window, tile, &tile->square, &patch, 0, 0);
    const Axis *across = &window->across, *down = &window->down;
    const int left = axis_first_pixel(across, tile->column),
              right = axis_first_pixel(across, tile->column + patch.cells);
    const int bottom = axis_first_pixel(down, tile->row + patch.cells);
    for (int y = axis_first_pixel(down, tile->row); y < bottom; y++) {
        const float *upper = patch.altitudes + (down->cells[y] - tile->row) * (patch.cells + 1);
        draw_row(upper, upper + patch.cells + 1, down->fractions[y], patch.cells + 1, across->cells,
                 across->fractions, left, right - left, tile->column, field_row(window->altitude, y));
    }
}

static void draw_tiles(void *context, int first, int end) {
    const Window *window = context;
    for (int i = first; i < end; i++)
        draw_tile(window, &window->tiles[i]);
}

static void draw_rivers(const View *view, const Window *window) {
    for (int i = 0; i < window->tile_count; i++) {
        const Tile *tile = &window->tiles[i];
        const RiverSketch sketch = { .rivers = &tile->rivers,
                                     .cells = 1 << (window->depth - window->tile_depth),
                                     .column = tile->column,
                                     .row = tile->row,
                                     .place_x = tile->square.x,
                                     .place_y = tile->square.y,
                                     .across = &window->across,
                                     .down = &window->down,
                                     .pixel = window->pixel,
                                     .river = view->river };
        if (view->whole_pixels)
            river_mark_pixels(&sketch);
        else
            river_draw_lines(&sketch);
    }
}

static Status draw(const View *view, Window *window, Error *error) {
    Status status = collect_tiles(window, error);
    if (status == STATUS_OK)
        status = parallel_rows(view->run, window->tile_count, 20000, draw_tiles, window);
    if (status == STATUS_OK)
        draw_rivers(view, window); // on one thread: a line may reach into another tile
    memory_free(window->tiles);
    if (status == STATUS_OK && view->line_basin < INFINITY) {
        Channels channels = channels_begin(view);
        add_square_channels(&channels, window->datum, window->depth);
        status = channels_draw(&channels, error);
    }
    return status;
}

Status draw_squares(const View *view, Error *error) {
    int depth = (int)ceil(log2(view->pixels));
    depth = depth < 1 ? 1 : depth;
    const int width = view->altitude->width, height = view->altitude->height;
    Window window = { .map = view->map,
                      .altitude = view->altitude,
                      .line_basin = view->line_basin,
                      .depth = depth,
                      .tile_depth = depth > LATTICE_DEPTH ? depth - LATTICE_DEPTH : 0,
                      .pixel = (float)ldexp((double)view->pixel, depth - PLACE_BITS) };
    Status status = axis_create(&window.across, width, view->x, view->pixel, depth, error);
    if (status == STATUS_OK)
        status = axis_create(&window.down, height, view->y, view->pixel, depth, error);
    if (status == STATUS_OK && view->relative)
        window.datum = altitude_of_cell(&window, window.across.first_cell + window.across.cells[width / 2],
                                        window.down.first_cell + window.down.cells[height / 2]);
    if (status == STATUS_OK)
        status = draw(view, &window, error);
    axis_free(&window.across);
    axis_free(&window.down);
    return status;
}
