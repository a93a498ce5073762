// Draws a window of a zoomable map. The square of the map is cut into quarters until a tile is reached, only
// where the window lies; tiles are cut as lattices. A pixel is drawn from the finest lattice whose cells are
// not larger than it: altitude between the four vertices around its centre, a river where one crosses a cell
// in it.
//
// Depth, tiles and lattices follow from place and size of the pixels alone, so windows on one grid agree bit
// for bit. Places are whole numbers of 2^-120 of the map's side.

#include "core/memory.h"
#include "subdivision/lattice.h"
#include "subdivision/river_map.h"

#include <math.h>
#include <string.h>

enum { PLACE_BITS = 120, DEPTH_MAX = 100 };

typedef struct Render {
    Decimal x, y;
    double zoom;
    bool relative;
} Render;

// How the window's columns, or its rows, lie on the lattice.
typedef struct Axis {
    Wide first_cell; // of the map's lattice, in which `cells` count
    int pixels;
    int cell_count;   // from the first to the last one, in whose pixels a river may lie
    int *cells;       // of each pixel
    float *fractions; // where in the cell the pixel's centre lies
    int *pixel_of;    // of each cell
} Axis;

typedef struct Tile {
    Square square;
    int column, row;                // the first cell, counted from the window's
    uint64_t rivers[LATTICE_CELLS]; // a bit a cell
} Tile;

typedef struct Window {
    const RiverMap *map;
    const Field *altitude, *river;
    Axis across, down;
    int tile_depth, depth; // of the tiles, and of the lattices
    Wide datum;            // in units of the lattice
    Tile *tiles;
    int tile_count, tile_room;
} Window;

// --- places ------------------------------------------------------------------------------------------------

// The fraction of a decimal number of 0 … 1, of any length; 1 gives 2^PLACE_BITS.
static Wide place_of(Decimal decimal) {
    const Wide one = (Wide)1 << PLACE_BITS;
    if (!decimal.text) {
        int exponent;
        const Wide digits = (Wide)ldexp(frexp(decimal.number, &exponent), 53);
        const int shift = PLACE_BITS - 53 + exponent;
        return shift >= 0 ? digits << shift : shift > -64 ? digits >> -shift : 0;
    }
    const char *point = strchr(decimal.text, '.');
    Wide place = 0;
    const char *end = decimal.text + strlen(decimal.text), *whole_end = point ? point : end;
    for (const char *digit = end - 1; digit > whole_end; digit--)
        place = (place + (*digit - '0') * one) / 10;
    for (const char *digit = decimal.text; digit < whole_end; digit++)
        place += *digit == '1' ? one : 0; // the whole part is 0 or 1: the number was checked
    return place;
}

static Wide floor_shift(Wide value, int bits) {
    return value >> bits; // arithmetic, as with every compiler that has Wide
}

// Pixel centres lie at centre + (2 i + 1 - pixels) pixel / 2. Leaves the map by less than a hair: kept
// inside.
static Status lay_axis(Axis *axis, int pixels, Wide centre, Wide pixel, int depth, Error *error) {
    const int shift = PLACE_BITS - depth;
    const Wide last_cell = ((Wide)1 << depth) - 1, origin = centre - pixel * pixels / 2;
    Wide first = floor_shift(origin, shift), last = floor_shift(origin + pixel * pixels - 1, shift);
    first = first < 0 ? 0 : first > last_cell ? last_cell : first;
    last = last < first ? first : last > last_cell ? last_cell : last;
    *axis = (Axis){ .first_cell = first, .pixels = pixels, .cell_count = (int)(last - first) + 1 };
    axis->cells = memory_new((size_t)pixels, sizeof *axis->cells, error);
    axis->fractions = axis->cells ? memory_new((size_t)pixels, sizeof *axis->fractions, error) : NULL;
    axis->pixel_of =
        axis->fractions ? memory_new((size_t)axis->cell_count, sizeof *axis->pixel_of, error) : NULL;
    if (!axis->pixel_of)
        return STATUS_MEMORY;
    for (int i = 0; i < pixels; i++) {
        const Wide place = centre + (2 * (Wide)i + 1 - pixels) * pixel / 2;
        Wide cell = floor_shift(place, shift) - first;
        cell = cell < 0 ? 0 : cell >= axis->cell_count ? axis->cell_count - 1 : cell;
        const Wide inside = place - ((first + cell) << shift);
        const double fraction = (double)(inside >> (shift - 16)) * 0x1p-16;
        axis->cells[i] = (int)cell;
        axis->fractions[i] = (float)(fraction < 0 ? 0 : fraction > 1 ? 1 : fraction);
    }
    for (int i = 0; i < axis->cell_count; i++) {
        const Wide middle = ((2 * (first + i) + 1) << shift) / 2;
        const Wide at = (middle - origin) / pixel;
        axis->pixel_of[i] = (int)(at < 0 ? 0 : at >= pixels ? pixels - 1 : at);
    }
    return STATUS_OK;
}

static void free_axis(Axis *axis) {
    memory_free(axis->cells);
    memory_free(axis->fractions);
    memory_free(axis->pixel_of);
}

// --- tiles -------------------------------------------------------------------------------------------------

static bool touches(const Axis *axis, uint64_t place, int depth_left) {
    // 2^64 squares in a row are more than differ here: the window's cells are few, so differences suffice.
    const int64_t first = (int64_t)(place - (uint64_t)floor_shift(axis->first_cell, depth_left));
    const int64_t last =
        (int64_t)((uint64_t)floor_shift(axis->first_cell + axis->cell_count - 1, depth_left) -
                  (uint64_t)floor_shift(axis->first_cell, depth_left));
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

KERNEL static uint64_t river_bits(const int32_t *restrict top, const int32_t *restrict bottom,
                                  const int32_t *restrict left, const int32_t *restrict diagonal, int cells) {
    uint8_t crossed[LATTICE_CELLS];
    for (int i = 0; i < cells; i++)
        crossed[i] = (top[i] != NO_RIVER) | (bottom[i] != NO_RIVER) | (left[i] != NO_RIVER) |
                     (left[i + 1] != NO_RIVER) | (diagonal[i] != NO_RIVER);
    uint64_t bits = 0;
    for (int i = 0; i < cells; i++)
        bits |= (uint64_t)crossed[i] << i;
    return bits;
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
    for (int y = 0; window->map->constants.rivers && y < cells; y++)
        tile->rivers[y] = river_bits(lattice->across + y * cells, lattice->across + (y + 1) * cells,
                                     lattice->down + y * (cells + 1), lattice->diagonals + y * cells, cells);
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
    bool river = square->diagonal.river;
    for (int i = 0; i < 4; i++) {
        const Wide altitude = square->base + square->corners[i].altitude - window->datum;
        patch->altitudes[(y + i / 2) * (patch->cells + 1) + x + i % 2] = (float)((double)altitude * unit);
        river = river || square->sides[i].river;
    }
    tile->rivers[y] |= (uint64_t)river << x;
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

// The pixels whose cells lie in `cells` cells from `start` on.
static int first_pixel(const Axis *axis, int start) {
    int low = 0, high = axis->pixels;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (axis->cells[middle] < start)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void draw_tile(const Window *window, Tile *tile) {
    Patch patch = { .cells = 1 << (window->depth - window->tile_depth) };
    memset(tile->rivers, 0, sizeof tile->rivers);
    if (lattice_holds(&tile->square, window->depth - window->tile_depth))
        patch_from_lattice(window, tile, &patch);
    else
        patch_from_square(window, tile, &tile->square, &patch, 0, 0);
    const Axis *across = &window->across, *down = &window->down;
    const int left = first_pixel(across, tile->column),
              right = first_pixel(across, tile->column + patch.cells);
    const int bottom = first_pixel(down, tile->row + patch.cells);
    for (int y = first_pixel(down, tile->row); y < bottom; y++) {
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

// A river's cell may lie in a pixel of another tile: afterwards, and on one thread, for they are few.
static void draw_rivers(const Window *window) {
    for (int i = 0; i < window->tile_count; i++) {
        const Tile *tile = &window->tiles[i];
        for (int y = 0; y < LATTICE_CELLS; y++)
            for (uint64_t bits = tile->rivers[y]; bits; bits &= bits - 1) {
                const int column = tile->column + __builtin_ctzll(bits), row = tile->row + y;
                if (column >= 0 && column < window->across.cell_count && row >= 0 &&
                    row < window->down.cell_count)
                    field_row(window->river, window->down.pixel_of[row])[window->across.pixel_of[column]] = 1;
            }
    }
}

static Status draw(const Call *call, Window *window, Error *error) {
    const Field *river = window->river;
    memset(river->cells, 0, field_count(river) * sizeof(float));
    Status status = collect_tiles(window, error);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, window->tile_count, 20000, draw_tiles, window);
    if (status == STATUS_OK)
        draw_rivers(window);
    memory_free(window->tiles);
    return status;
}

static Status check_window(const char *name, Wide centre, Wide half, Error *error) {
    const Wide one = (Wide)1 << PLACE_BITS, hair = half >> 24;
    if (centre - half >= -hair && centre + half <= one + hair)
        return STATUS_OK;
    const double margin = (double)half / (double)one;
    return fail(error, STATUS_INVALID,
                "the window leaves the map: at this zoom %s must be %.10g to %.10g, got %.10g", name, margin,
                1 - margin, (double)centre / (double)one);
}

static Status run(const Call *call, Error *error) {
    const Render *render = call->params;
    const int longer = call->width > call->height ? call->width : call->height;
    const double pixels = render->zoom * longer; // along the map's side
    if (!(pixels <= 0x1p100))
        return fail(error, STATUS_INVALID, "zoom must be at most %.3g at this size, got %.10g",
                    0x1p100 / longer, render->zoom);
    const Wide pixel = (Wide)ldexp(1 / pixels, PLACE_BITS);
    const Wide x = place_of(render->x), y = place_of(render->y);
    Status status = check_window("x", x, pixel * call->width / 2, error);
    if (status == STATUS_OK)
        status = check_window("y", y, pixel * call->height / 2, error);
    if (status != STATUS_OK)
        return status;
    int depth = (int)ceil(log2(pixels));
    depth = depth < 1 ? 1 : depth;
    Window window = { .map = call->inputs[0].map,
                      .altitude = &call->outputs[0].field,
                      .river = &call->outputs[1].field,
                      .depth = depth,
                      .tile_depth = depth > LATTICE_DEPTH ? depth - LATTICE_DEPTH : 0 };
    status = lay_axis(&window.across, call->width, x, pixel, depth, error);
    if (status == STATUS_OK)
        status = lay_axis(&window.down, call->height, y, pixel, depth, error);
    if (status == STATUS_OK && render->relative)
        window.datum =
            altitude_of_cell(&window, window.across.first_cell + window.across.cells[call->width / 2],
                             window.down.first_cell + window.down.cells[call->height / 2]);
    if (status == STATUS_OK)
        status = draw(call, &window, error);
    free_axis(&window.across);
    free_axis(&window.down);
    return status;
}

static const Param params[] = {
    PARAM(Render, x, .initial = 0.5, .min = 0, .max = 1,
          .doc = "the window's centre, 0 at the map's left; a string of digits names a place more exactly"),
    PARAM(Render, y, .initial = 0.5, .min = 0, .max = 1, .doc = "the same, 0 at the top"),
    PARAM(Render, zoom, .initial = 1, .min = 1, .max = 0x1p100,
          .doc = "the window's longer side is the map's divided by this"),
    PARAM(
        Render, relative, .initial = false,
        .doc =
            "altitudes count from that of the window's centre: deep inside the land, where pixels differ in "
            "digits that an altitude does not have room for"),
    { 0 },
};

const Operation op_render = {
    .name = "render",
    .category = "zoomable maps",
    .summary = "Draws a window of a zoomable map, at any zoom in the same time",
    .description =
        "What a pixel shows depends on the map, its place and its size, never on the window: windows on "
        "one grid agree bit for bit, unless they are relative.",
    .source = "Mogensen and Isenbecker 2025, sections 2 to 4",
    .inputs = { { "map", "a map made by river_map", KIND_MAP } },
    .outputs = { { "altitude", "-1 to 1, the sea at 0" },
                 { "river", "0 where none, else the river's width in cells" } },
    .params = params,
    .params_size = sizeof(Render),
    .sized = true,
    .example = "local altitude, river = esker.river_map{ seed = 2 }:render{ zoom = 4, size = 64 }\n"
               "local picture = altitude:relief{ rivers = river }",
    .run = run,
};
