// The rivers of a map's eroded land as data: from cell to cell of the level that a window's pixels come from.

#include "rivermap/eroded/flat.h"
#include "rivermap/eroded/planet.h"
#include "rivermap/eroded/stream_data.h"

#include "core/random.h"

#include <math.h>

typedef struct Reader {
    const FlatWindow *window;
    Int128 left, top;
    float least;
    StreamCells found[STREAM_SORTS];
} Reader;

static RiverPoint point_at(const Reader *reader, const StreamPlace *place, int cell, float area) {
    const FlatWindow *window = reader->window;
    const View *view = window->view;
    const double map_area = ldexp((double)area, -2 * window->depth), pixel = (double)view->pixel;
    const double altitude = window_altitude(window, window->land.altitude[cell]);
    return (RiverPoint){ .x = (double)(place->x - reader->left) / pixel,
                         .y = (double)(place->y - reader->top) / pixel,
                         .area = map_area,
                         .altitude = (float)(altitude > 0 ? altitude : 0),
                         .width = (float)(view->map->width * sqrt(map_area) * view->pixels) };
}

static uint64_t key_of(const LandWindow *land, int cell) {
    const uint64_t x = (uint64_t)(land->x + cell % land->width), y = (uint64_t)(land->y + cell / land->width);
    return mix64(mix64(x) + y) | 1;
}

static bool set_line(const void *context, int number, StreamLine *line) {
    const Reader *reader = context;
    const LandWindow *land = &reader->window->land;
    Stream stream;
    if (!stream_at(reader->window, reader->found[0].at[number], reader->least, false, &stream))
        return false;
    *line = (StreamLine){ .from = point_at(reader, &stream.at, stream.from, stream.area),
                          .to = point_at(reader, &stream.to_at, stream.to, stream.to_area),
                          .from_key = key_of(land, stream.from),
                          .to_key = key_of(land, stream.to),
                          .ends = stream.ends,
                          .mouth = stream.mouth };
    return true;
}

static int sort_stream(const void *context, int cell) {
    (void)context, (void)cell;
    return 0;
}

Status flat_add_rivers(const View *view, NetworkBuilder *builder, Error *error) {
    if (view->map->tiling->planet)
        return planet_add_rivers(view, builder, error);
    FlatWindow window;
    const int depth = flat_depth(view);
    Status status = flat_open(&window, view, depth, river_margin(view->map, depth), error);
    Reader reader = { .window = &window,
                      .left = view_left(view),
                      .top = view_top(view),
                      .least = river_min_area(view->map, depth, window.cell) };
    if (status == STATUS_OK)
        status = flat_find_gaps(&window, reader.least, error);
    if (status == STATUS_OK)
        status = stream_cells_find(&window, reader.least, sort_stream, NULL, reader.found, error);
    if (status == STATUS_OK)
        status = stream_data_add(view, builder, reader.found[0].count, set_line, &reader, error);
    stream_cells_free(reader.found);
    flat_close(&window);
    return status;
}
