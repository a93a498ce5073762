// The rivers of a map's eroded land as data: from cell to cell of the level that a window's pixels come from.

#include "rivermap/eroded/flat.h"
#include "rivermap/eroded/planet.h"
#include "rivers/network.h"

#include "core/math.h"
#include "core/memory.h"
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

// A stream's ends as nodes of the network.
typedef struct Line {
    RiverPoint from, to;
    uint64_t from_key, to_key;
    bool inside, mouth; // whether the window has it; whether it ends in the sea
} Line;

typedef struct Lines {
    const Reader *reader;
    float least;
    const int *cells;
    Line *at;
} Lines;

static void set_lines(void *context, int first, int end) {
    const Lines *lines = context;
    const Reader *reader = lines->reader;
    const LandWindow *land = &reader->window->land;
    const View *view = reader->window->view;
    for (int i = first; i < end; i++) {
        Stream stream;
        stream_at(reader->window, lines->cells[i], lines->least, &stream);
        Line *line = &lines->at[i];
        line->from = point_at(reader, stream.x, stream.y, stream.from, stream.area);
        line->inside = line->from.x >= 0 && line->from.y >= 0 && line->from.x < view->width &&
                       line->from.y < view->height;
        line->to = point_at(reader, stream.to_x, stream.to_y, stream.to, stream.to_area);
        line->mouth = stream.mouth;
        line->from_key = key_of(land, stream.from);
        // Rivers that end in the same cell have ends of their own, each with its own discharge.
        line->to_key = stream.ends ? mix64(line->from_key) | 1 : key_of(land, stream.to);
    }
}

static void add_line(NetworkBuilder *builder, const Line *line) {
    if (!line->inside)
        return;
    const int first = network_node(builder, line->from_key, line->from),
              next = network_node(builder, line->to_key, line->to);
    network_link(builder, first, next);
    if (line->mouth)
        network_link(builder, next, NETWORK_MOUTH);
}

static int sort_stream(const void *context, float area) {
    (void)context, (void)area;
    return 0;
}

// A part at a time, whose lines are not all in memory.
static Status add_lines(const Reader *reader, float least, const StreamCells *cells, Error *error) {
    enum { PART = 1 << 12, AHEAD = 12 };
    const Run *run = reader->window->view->run;
    Lines lines = { .reader = reader, .least = least };
    lines.at = memory_new(PART, sizeof *lines.at, error);
    Status status = lines.at ? STATUS_OK : STATUS_MEMORY;
    network_reserve(reader->builder, cells->count, true); // and a few ends
    for (int done = 0; done < cells->count && status == STATUS_OK; done += PART) {
        const int count = min(cells->count - done, PART);
        lines.cells = cells->at + done;
        status = parallel_rows(run, count, 200, set_lines, &lines);
        for (int i = 0; i < count && status == STATUS_OK; i++) {
            const Line *soon = &lines.at[min(i + AHEAD, count - 1)];
            network_expect(reader->builder, soon->from_key);
            network_expect(reader->builder, soon->to_key);
            add_line(reader->builder, &lines.at[i]);
        }
        if (status == STATUS_OK)
            status = run_advance(run, done + count, cells->count);
    }
    memory_free(lines.at);
    return status;
}

Status flat_add_rivers(const View *view, NetworkBuilder *builder, Error *error) {
    if (view->map->tiling->planet)
        return planet_add_rivers(view, builder, error);
    FlatWindow window;
    const int depth = flat_depth(view);
    Status status = flat_open(&window, view, depth, river_margin(view->map, depth), error);
    const Reader reader = { &window, builder, view_left(view), view_top(view) };
    const float least = river_min_area(view->map, depth, window.cell);
    StreamCells found[STREAM_SORTS] = { 0 };
    if (status == STATUS_OK)
        status = flat_find_gaps(&window, least, error);
    if (status == STATUS_OK)
        status = stream_cells_find(&window, least, sort_stream, NULL, found, error);
    if (status == STATUS_OK)
        status = add_lines(&reader, least, &found[0], error);
    stream_cells_free(found);
    flat_close(&window);
    return status;
}
