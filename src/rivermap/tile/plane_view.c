// Draws a window of a map of tiles in the plane. Tiles that overlap the window are cut until each pixel
// holds one to two vertices; a pixel takes the altitude at its centre in the tile that contains it.
// Positions are doubles, the same for every window, so an edge separates its two tiles exactly and each
// pixel belongs to one tile. Most tiles are far from any river: they are cut as three corners without edges,
// until a river begins in one.

#include "core/math.h"
#include "core/memory.h"
#include "rivermap/channels.h"
#include "rivermap/tile/plane.h"
#include "rivermap/tile/plane_canvas.h"
#include "rivermap/tile/tile_channels.h"

#include <math.h>

enum {
    TASK_PIXELS = 64,
    TASKS_ACROSS = 64
};                          // a thread takes tiles of this many pixels, or more if there are too many
enum { PIXELS_A_LINE = 8 }; // room for one line per this number of pixels

// `longest`: of the edges, squared. A margin of two pixels: rivers outside reach in.
static bool reaches_in(const Canvas *canvas, const Corner *a, const Corner *b, const Corner *c,
                       double longest) {
    const Field *field = canvas->view->altitude;
    const double margin = 2 * canvas->pixel + canvas->tiles->reach * sqrt(longest);
    return max_of_three(a->x, b->x, c->x) >= canvas->left - margin &&
           min_of_three(a->x, b->x, c->x) <= canvas->left + field->width * canvas->pixel + margin &&
           max_of_three(a->y, b->y, c->y) >= canvas->top - margin &&
           min_of_three(a->y, b->y, c->y) <= canvas->top + field->height * canvas->pixel + margin;
}

// --- the way down ------------------------------------------------------------------------------------------

static Corner corner_of(const Tile *tile, int i) {
    return (Corner){ tile->places[i].x, tile->places[i].y, tile->vertices[i] };
}

static void cut_tile(Canvas *canvas, const Tile *tile);

// Three corners of a tile without rivers: the near and the far end of the edge that is cut next, and the one
// across from it.
typedef struct Bare {
    const Corner *near, *far, *across;
    double longest;
    bool acute;
} Bare;

static Vec3 corner_place(const Corner *corner) {
    return (Vec3){ corner->x, corner->y, 0 };
}

static Bare bare_tile(const Corner corners[3], TileShape shape) {
    return (Bare){ &corners[shape.near], &corners[shape_far(shape)], &corners[shape_across(shape)],
                   shape.longest, shape.acute };
}

static void cut_with_edges(Canvas *canvas, const Bare *bare) {
    const Corner *corners[3] = { bare->near, bare->far, bare->across };
    Tile tile = { .shape = { .longest = bare->longest, .cut = 0, .near = 0, .acute = bare->acute } };
    for (int i = 0; i < 3; i++) {
        tile.places[i] = corner_place(corners[i]);
        tile.vertices[i] = corners[i]->vertex;
    }
    cut_tile(canvas, &tile);
}

static void begin_river(void *canvas, const Corner corners[3], bool acute, double longest) {
    const Bare bare = { &corners[0], &corners[1], &corners[2], longest, acute };
    cut_with_edges(canvas, &bare);
}

// A block is too large for a stack.
static void cut_block(Canvas *canvas, const Bare *bare) {
    Error error; // reported once, for all threads
    Block *block = memory_new(1, sizeof *block, &error);
    if (!block) {
        atomic_store(&canvas->failed, true);
        return;
    }
    block->map = canvas->view->map;
    block->begins = begin_river;
    block->context = canvas;
    const Corner corners[3] = { *bare->near, *bare->far, *bare->across };
    block_start(block, corners, bare->acute, bare->longest);
    block_cut(block, canvas->longest);
    paint_tiles(canvas, &block->obtuse);
    if (block->acute.count > 0)
        paint_tiles(canvas, &block->acute);
    memory_free(block);
}

static void cut_bare(Canvas *canvas, const Bare *bare) {
    const Corner *near = bare->near, *far = bare->far, *across = bare->across;
    if (!reaches_in(canvas, near, far, across, bare->longest))
        return;
    if (bare->longest <= canvas->longest) {
        paint_tile(canvas, near, far, across);
        return;
    }
    if (bare->longest <= canvas->block_longest && bare->longest > 8 * canvas->longest) {
        cut_block(canvas, bare);
        return;
    }
    const Constants *constants = &canvas->view->map->constants;
    const double length = sqrt(bare->longest), step = min(length, 1);
    const EdgeCut edge = canvas->tiles->cut(corner_place(near), corner_place(far),
                                            mix_seeds(near->vertex.seed, far->vertex.seed));
    const Corner cut = { edge.at.x, edge.at.y,
                         cut_dry_edge(constants, &canvas->scales, constants->k1 * (float)(step * FIXED_UNITS),
                                      (float)(1 - edge.along), near->vertex, far->vertex) };
    const Altitude h0 = across->vertex.altitude, h3 = cut.vertex.altitude;
    const Altitude h1 = near->vertex.altitude, h2 = far->vertex.altitude;
    if (constants->rivers &&
        source_between(h0, max(h1, h2), min(h1, h2), h3, canvas->scales.k3, canvas->scales.k4)) {
        cut_with_edges(canvas, bare);
        return;
    }
    const TileShape whole = { .longest = bare->longest, .acute = bare->acute };
    for (int i = 0; i < 2; i++) {
        const Corner corners[3] = { cut, i == 0 ? *near : *far, *across };
        const Vec3 places[3] = { edge.at, corner_place(&corners[1]), corner_place(across) };
        const Bare half = bare_tile(corners, canvas->tiles->half(&whole, i == 1, places));
        cut_bare(canvas, &half);
    }
}

static void cut_tile(Canvas *canvas, const Tile *tile) {
    const Corner corners[3] = { corner_of(tile, 0), corner_of(tile, 1), corner_of(tile, 2) };
    if (!reaches_in(canvas, &corners[0], &corners[1], &corners[2], tile->shape.longest))
        return;
    if (tile->shape.longest <= canvas->longest) {
        paint_tile(canvas, &corners[0], &corners[1], &corners[2]);
        add_lines(canvas, tile);
        return;
    }
    Tile halves[2];
    tile_cut(canvas->view->map, tile, halves);
    for (int i = 0; i < 2; i++) {
        const Tile *half = &halves[i];
        if (tile_has_river(half)) {
            cut_tile(canvas, half);
            continue;
        }
        const Corner at[3] = { corner_of(half, 0), corner_of(half, 1), corner_of(half, 2) };
        const Bare bare = bare_tile(at, half->shape);
        cut_bare(canvas, &bare);
    }
}

static void draw_tasks(void *context, int first, int end) {
    Canvas *canvas = context;
    for (int i = first; i < end; i++)
        cut_tile(canvas, &canvas->tasks[i]);
}

static Status draw_rivers(Canvas *canvas) {
    bool drawn = false;
    const Status status = draw_lines(canvas, &drawn);
    canvas->directly = true;
    for (int i = 0; status == STATUS_OK && !drawn && i < canvas->count; i++) // all tiles again
        cut_tile(canvas, &canvas->tasks[i]);
    return status;
}

// Splits the work; without room it only counts.
static void collect_tasks(Canvas *canvas, const Tile *tile) {
    const Corner corners[3] = { corner_of(tile, 0), corner_of(tile, 1), corner_of(tile, 2) };
    if (!reaches_in(canvas, &corners[0], &corners[1], &corners[2], tile->shape.longest))
        return;
    if (tile->shape.longest <= canvas->task_longest) {
        if (canvas->count < canvas->room)
            canvas->tasks[canvas->count] = *tile;
        canvas->count++;
        return;
    }
    Tile halves[2];
    tile_cut(canvas->view->map, tile, halves);
    collect_tasks(canvas, &halves[0]);
    collect_tasks(canvas, &halves[1]);
}

// Squared: what tiles are cut down to.
static double longest_of(const View *view) {
    const double pixel = 1 / view->pixels;
    return view->map->tiling->tiles->finest * pixel * pixel;
}

static bool holds(const Tile *tile, double x, double y) {
    const Corner corners[3] = { corner_of(tile, 0), corner_of(tile, 1), corner_of(tile, 2) };
    const Corner *const at[3] = { &corners[0], &corners[1], &corners[2] };
    return tile_holds(at, x, y);
}

// The altitude of a vertex of the smallest tile around the window's centre.
static Status plane_datum(const View *view, Datum *datum, Error *error) {
    const double x = ldexp((double)view->x, -PLACE_BITS), y = ldexp((double)view->y, -PLACE_BITS);
    const double longest = longest_of(view);
    Tile first[FIRST_TILES_MAX];
    const int count = first_tiles(view->map, first);
    int i = 0;
    (void)error;
    while (i + 1 < count && !holds(&first[i], x, y))
        i++;
    Tile tile = first[i];
    while (tile.shape.longest > longest) {
        Tile halves[2];
        tile_cut(view->map, &tile, halves);
        tile = halves[holds(&halves[0], x, y) ? 0 : 1];
    }
    *datum = (Datum){ tile.vertices[0].altitude, 0, 1 / FIXED_UNITS };
    return STATUS_OK;
}

static Status draw(const View *view, Canvas *canvas, Error *error) {
    Tile first[FIRST_TILES_MAX];
    const int count = first_tiles(view->map, first);
    canvas->datum = view->datum ? view->datum->altitude : 0;
    for (int i = 0; i < count; i++)
        collect_tasks(canvas, &first[i]);
    canvas->room = canvas->count;
    canvas->count = 0;
    canvas->line_room = view->map->constants.rivers && !canvas->heights
                            ? (int)(field_count(view->altitude) / PIXELS_A_LINE) + 64
                            : 0;
    canvas->tasks = memory_new((size_t)canvas->room, sizeof *canvas->tasks, error);
    canvas->lines =
        canvas->tasks ? memory_new((size_t)canvas->line_room + 1, sizeof *canvas->lines, error) : NULL;
    if (!canvas->lines) {
        memory_free(canvas->tasks);
        return STATUS_MEMORY;
    }
    for (int i = 0; i < count; i++)
        collect_tasks(canvas, &first[i]);
    Status status = parallel_rows(view->run, canvas->count, 500000, draw_tasks, canvas);
    if (status == STATUS_OK && !canvas->heights)
        status = draw_rivers(canvas);
    if (status == STATUS_OK && canvas->failed)
        status = fail(error, STATUS_MEMORY, "not enough memory for the tiles of a river map");
    memory_free(canvas->lines);
    memory_free(canvas->tasks);
    if (status == STATUS_OK && !canvas->heights && view->line_basin < INFINITY) {
        Channels channels = channels_begin(view);
        tile_channels_add(&channels, canvas->datum);
        status = channels_draw(&channels, error);
    }
    return status;
}

static Status draw_window(const View *view, uint32_t *heights, Error *error) {
    const int width = view->altitude->width, height = view->altitude->height;
    const int longer = max(width, height);
    const double pixel = 1 / view->pixels;
    const double task = pixel * (longer / TASKS_ACROSS > TASK_PIXELS ? longer / TASKS_ACROSS : TASK_PIXELS);
    const TileMethods *tiles = view->map->tiling->tiles;
    const double longest = longest_of(view);
    Canvas canvas = { .view = view,
                      .per_height = HEIGHTS_PER_PIXEL * view->pixels,
                      .tiles = tiles,
                      .pixel = pixel,
                      .per_unit = view->pixels,
                      .longest = longest,
                      .block_longest = longest * tiles->block_longest,
                      .task_longest = task * task,
                      .scales = fixed_scales(&view->map->constants, 1) };
    canvas.heights = heights;
    canvas.columns = memory_new((size_t)width + (size_t)height + 4, sizeof(double), error);
    if (!canvas.columns)
        return STATUS_MEMORY;
    canvas.rows = canvas.columns + width + 2;
    for (int x = 0; x < width + 2; x++)
        canvas.columns[x] = pixel_centre(view->x, view->pixel, width, x);
    for (int y = 0; y < height + 2; y++)
        canvas.rows[y] = pixel_centre(view->y, view->pixel, height, y);
    canvas.left = canvas.columns[0] - 0.5 * pixel;
    canvas.top = canvas.rows[0] - 0.5 * pixel;
    const Status status = draw(view, &canvas, error);
    memory_free(canvas.columns);
    return status;
}

static Status render(const View *view, Error *error) {
    return draw_window(view, NULL, error);
}

Status plane_heights(const View *view, uint32_t *heights, Error *error) {
    Field size = { .width = view->width, .height = view->height }; // without cells
    View bare = *view;
    bare.altitude = &size;
    bare.line_basin = 0; // no lines
    return draw_window(&bare, heights, error);
}

const LandMethods plane_raw = {
    .datum = plane_datum,
    .max_pixels = 0x1p40,
    .render = render,
    .add_rivers = plane_add_rivers,
};
