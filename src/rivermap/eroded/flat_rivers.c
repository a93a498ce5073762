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
    int count;
} Lines;

static void set_lines(const Lines *lines, int first, int end) {
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

static void add_part(const Lines *lines) {
    enum { AHEAD = 12 };
    NetworkBuilder *builder = lines->reader->builder;
    for (int i = 0; i < lines->count; i++) {
        const Line *soon = &lines->at[min(i + AHEAD, lines->count - 1)];
        network_expect(builder, soon->from_key);
        network_expect(builder, soon->to_key);
        add_line(builder, &lines->at[i]);
    }
}

enum { PART = 1 << 12, PIECE = 1 << 8 }; // lines

typedef struct Step {
    Lines set, added; // a part, and the one before
} Step;

// Task 0 adds a part to the network, one line after the other, the others set pieces of the next part.
static void set_and_add(void *context, int first, int end) {
    const Step *step = context;
    for (int task = first; task < end; task++)
        if (task == 0)
            add_part(&step->added);
        else
            set_lines(&step->set, (task - 1) * PIECE, min(task * PIECE, step->set.count));
}

// So that a part's nodes need no more memory.
static void reserve_for_part(NetworkBuilder *builder, int expected) {
    const int needed = builder->count + 2 * PART;
    if (needed > builder->room)
        network_reserve(builder, needed + max(expected, builder->count / 2), true);
}

// A part at a time, whose lines are not all in memory.
static Status add_lines(const Reader *reader, float least, const StreamCells *cells, Error *error) {
    const Run *run = reader->window->view->run;
    Line *at = memory_new((size_t)2 * PART, sizeof *at, error);
    Status status = at ? STATUS_OK : STATUS_MEMORY;
    Step step = { .set = { .reader = reader, .least = least, .at = at },
                  .added = { .reader = reader, .at = at + PART } };
    for (int done = 0; done < cells->count + PART && status == STATUS_OK; done += PART) {
        Line *const free_lines = step.added.at;
        step.added = step.set;
        step.set.at = free_lines;
        step.set.cells = cells->at + min(done, cells->count);
        step.set.count = clamp(cells->count - done, 0, PART);
        reserve_for_part(reader->builder, cells->count - done);
        status =
            parallel_rows(run, 1 + (step.set.count + PIECE - 1) / PIECE, 200.0 * PIECE, set_and_add, &step);
        if (status == STATUS_OK)
            status = run_advance(run, min(done, cells->count), max(cells->count, 1));
    }
    memory_free(at);
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
