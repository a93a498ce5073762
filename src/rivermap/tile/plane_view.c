// Draws a window of a map of tiles in the plane. Tiles that overlap the window are cut until each pixel
// holds one to two vertices; a pixel takes the altitude at its centre in the tile that contains it.
// Positions are doubles, the same for every window, so an edge separates its two tiles exactly and each
// pixel belongs to one tile.

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

static void draw_tasks(void *context, int first, int end) {
    Canvas *canvas = context;
    cut_tiles(canvas, canvas->tasks + first, end - first);
}

static Status draw_rivers(Canvas *canvas) {
    bool drawn = false;
    const Status status = draw_lines(canvas, &drawn);
    canvas->directly = true;
    if (status == STATUS_OK && !drawn) // all tiles again
        cut_tiles(canvas, canvas->tasks, canvas->count);
    return status;
}

// Splits the work; without room it only counts.
static void collect_tasks(Canvas *canvas, const Tile *tile) {
    if (!tile_reaches_in(canvas, tile))
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
        tile_channels_add(&channels);
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
                      .task_longest = task * task,
                      .scales = fixed_scales(&view->map->constants, 1) };
    canvas.heights = heights;
    canvas.columns = memory_new((size_t)width + PAST_COLUMNS + (size_t)height, sizeof(double), error);
    if (!canvas.columns)
        return STATUS_MEMORY;
    canvas.rows = canvas.columns + width + PAST_COLUMNS;
    for (int x = 0; x < width + PAST_COLUMNS; x++)
        canvas.columns[x] = pixel_centre(view->x, view->pixel, width, x);
    for (int y = 0; y < height; y++)
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
