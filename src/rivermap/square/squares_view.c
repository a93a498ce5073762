// Draws a window of the right-angled tiling: altitudes interpolated between the four vertices around a
// pixel's centre, rivers as lines through the edges that they cross.

#include "rivermap/eroded/eroded.h"
#include "rivermap/square/square_channels.h"
#include "rivermap/square/window.h"

#include "core/memory.h"

#include <math.h>

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
