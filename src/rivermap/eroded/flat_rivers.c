// The rivers of a map's eroded land as data: from cell to cell of the level that a window's pixels come from.

#include "rivermap/eroded/flat.h"
#include "rivermap/eroded/planet.h"
#include "rivers/network.h"

#include "core/random.h"

#include <math.h>

typedef struct Reader {
    const FlatWindow *window;
    NetworkBuilder *builder;
    Int128 left, top;
} Reader;

static RiverPoint point_at(const Reader *reader, Int128 x, Int128 y, int cell, float area) {
    const FlatWindow *window = reader->window;
    const View *view = window->view;
    const double map_area = ldexp((double)area, -2 * window->depth), pixel = (double)view->pixel;
    const double altitude = window_altitude(window, window->land.altitude[cell]);
    return (RiverPoint){ .x = (double)(x - reader->left) / pixel,
                         .y = (double)(y - reader->top) / pixel,
                         .area = map_area,
                         .altitude = (float)(altitude > 0 ? altitude : 0),
                         .width = (float)(view->map->width * sqrt(map_area) * view->pixels) };
}

static uint64_t key_of(const LandWindow *land, int cell) {
    const uint64_t x = (uint64_t)(land->x + cell % land->width), y = (uint64_t)(land->y + cell / land->width);
    return mix64(mix64(x) + y) | 1;
}

static void add_stream(const Reader *reader, const Stream *stream) {
    const LandWindow *land = &reader->window->land;
    const RiverPoint from = point_at(reader, stream->x, stream->y, stream->from, stream->area);
    const View *view = reader->window->view;
    if (from.x < 0 || from.y < 0 || from.x >= view->width || from.y >= view->height)
        return;
    const RiverPoint to = point_at(reader, stream->to_x, stream->to_y, stream->to, stream->to_area);
    const int first = network_node(reader->builder, key_of(land, stream->from), from);
    // Rivers that end in the same cell of the sea have ends of their own, each with its own discharge.
    const uint64_t end = stream->mouth ? mix64(key_of(land, stream->from)) | 1 : key_of(land, stream->to);
    const int next = network_node(reader->builder, end, to);
    network_link(reader->builder, first, next);
    if (stream->mouth)
        network_link(reader->builder, next, NETWORK_MOUTH);
}

Status flat_add_rivers(const View *view, NetworkBuilder *builder, Error *error) {
    if (view->map->tiling->planet)
        return planet_add_rivers(view, builder, error);
    FlatWindow window;
    const int depth = flat_depth(view);
    Status status = flat_open(&window, view, depth, river_reach(view->map, depth), error);
    const Reader reader = { &window, builder, view_left(view), view_top(view) };
    const float least = river_min_area(view->map, depth, window.cell);
    const LandWindow *land = &window.land;
    for (int y = 0; status == STATUS_OK && y < land->height; y++) {
        for (int x = 0; x < land->width; x++) {
            Stream stream;
            if (stream_at(&window, y * land->width + x, least, &stream))
                add_stream(&reader, &stream);
        }
        status = run_advance(view->run, y + 1, land->height);
    }
    flat_close(&window);
    return status;
}
