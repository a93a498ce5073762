// The rivers of a map's eroded land as data: from cell to cell of the level that a window's pixels come from.

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "rivermap/eroded/ground.h"
#include "rivermap/eroded/river_courses.h"
#include "rivermap/globe.h"
#include "rivermap/view.h"
#include "rivers/network.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// --- data --------------------------------------------------------------------------------------------------

// Lines are set on all threads, a part of them at a time, and added to the network in their order on one.

// A stream's ends as nodes of the network.
typedef struct StreamLine {
    RiverPoint from, to;
    uint64_t from_key, to_key;
    bool ends, mouth; // at `to`; in the sea
} StreamLine;

// Sets a window's line of this number; false: there is none. Runs on any thread.
typedef bool StreamLineSet(const void *streams, int number, StreamLine *line);

enum { PART = 1 << 12, PIECE = 1 << 8 }; // lines

// What is known of a line that begins in the view, or is none.
typedef struct Line {
    StreamLine is;
    bool wanted;
} Line;

typedef struct Part {
    Line *at;
    int first, count;
} Part;

typedef struct Step {
    const View *view;
    NetworkBuilder *builder;
    StreamLineSet *set;
    const void *streams;
    Part next, added; // a part, and the one before
} Step;

static void set_lines(const Step *step, int first, int end) {
    const View *view = step->view;
    for (int i = first; i < end; i++) {
        Line *line = &step->next.at[i];
        const RiverPoint *from = &line->is.from;
        line->wanted = step->set(step->streams, step->next.first + i, &line->is) && from->x >= 0 &&
                       from->y >= 0 && from->x < view->width && from->y < view->height;
        // Rivers that end in the same cell have ends of their own, each with its own discharge.
        if (line->wanted && line->is.ends)
            line->is.to_key = mix64(line->is.from_key) | 1;
    }
}

static void add_line(NetworkBuilder *builder, const StreamLine *line) {
    const int first = network_node(builder, line->from_key, line->from),
              next = network_node(builder, line->to_key, line->to);
    network_link(builder, first, next);
    if (line->mouth)
        network_link(builder, next, NETWORK_MOUTH);
}

static void add_part(const Step *step) {
    enum { AHEAD = 12 };
    const Part *part = &step->added;
    for (int i = 0; i < part->count; i++) {
        const Line *line = &part->at[i], *soon = &part->at[min(i + AHEAD, part->count - 1)];
        if (soon->wanted) {
            network_expect(step->builder, soon->is.from_key);
            network_expect(step->builder, soon->is.to_key);
        }
        if (line->wanted)
            add_line(step->builder, &line->is);
    }
}

// Task 0 adds a part to the network, one line after the other, the others set pieces of the next part.
static void set_and_add(void *context, int first, int end) {
    const Step *step = context;
    for (int task = first; task < end; task++)
        if (task == 0)
            add_part(step);
        else
            set_lines(step, (task - 1) * PIECE, min(task * PIECE, step->next.count));
}

// So that a part's nodes need no more memory.
static void reserve_for_part(NetworkBuilder *builder, int expected) {
    const int needed = builder->count + 2 * PART;
    if (needed > builder->room)
        network_reserve(builder, needed + max(expected, builder->count / 2), true);
}

// Adds those of `count` lines to the network that begin in the view, in their order.
// A part at a time, whose lines are not all in memory.
static Status stream_data_add(const View *view, NetworkBuilder *builder, int count, StreamLineSet *set,
                              const void *streams, Error *error) {
    const Run *run = view->run;
    Line *at = memory_new((size_t)2 * PART, sizeof *at, error);
    Status status = at ? STATUS_OK : STATUS_MEMORY;
    Step step = { view, builder, set, streams, .next = { .at = at }, .added = { .at = at + PART } };
    for (int done = 0; done < count + PART && status == STATUS_OK; done += PART) {
        const Part free_part = step.added;
        step.added = step.next;
        step.next = (Part){ free_part.at, done, clamp(count - done, 0, PART) };
        reserve_for_part(builder, count - done);
        status =
            parallel_rows(run, 1 + (step.next.count + PIECE - 1) / PIECE, 200.0 * PIECE, set_and_add, &step);
        if (status == STATUS_OK)
            status = run_advance(run, min(done, count), max(count, 1));
    }
    memory_free(at);
    return status;
}

// --- networks ----------------------------------------------------------------------------------------------

typedef struct Reader {
    const Atlas *atlas;
    float least;
    StreamCells found[STREAM_SORTS];
} Reader;

// A place in the window's pixels; of a planet on its unrotated equirectangular map.
static Vec2 place_in_window(const Atlas *atlas, AtlasPlace place) {
    const View *view = atlas->view;
    const Int128 left = view_left(view), top = view_top(view);
    if (!atlas->planet)
        return (Vec2){ (double)(place.x - left) / (double)view->pixel,
                       (double)(place.y - top) / (double)view->pixel };
    const Vec2 on_map = globe_on_map(atlas_on_planet(atlas, place));
    return (Vec2){ (view_nearest_turn(view, on_map.x) - ldexp((double)left, -PLACE_BITS)) * view->pixels,
                   (on_map.y - ldexp((double)top, -PLACE_BITS)) * view->pixels };
}

static RiverPoint point_at(const Atlas *atlas, const StreamPlace *place, AtlasCell cell, float area,
                           float size) {
    const Vec2 at = place_in_window(atlas, place->at);
    const double altitude = altitude_of(atlas, cell);
    return (RiverPoint){ .x = at.x,
                         .y = at.y,
                         .area = drained_share(atlas, area),
                         .altitude = (float)(altitude > 0 ? altitude : 0),
                         .width = (float)(river_width(atlas, size) * atlas->cell) };
}

static uint64_t key_of(const Atlas *atlas, AtlasCell cell) {
    const LandWindow *land = land_of(atlas, cell);
    const uint64_t x = (uint64_t)(land->x + cell.x), y = (uint64_t)(land->y + cell.y);
    return mix64(mix64(x) + y + ((uint64_t)cell.face << 61)) | 1;
}

// Of dry beds with a sign, until the network is finished.
static float flow_of(const Atlas *atlas, AtlasCell cell) {
    return is_wadi(atlas, cell) ? -water_of(atlas, cell) : water_of(atlas, cell);
}

static bool set_line(const void *context, int number, StreamLine *line) {
    const Reader *reader = context;
    const Atlas *atlas = reader->atlas;
    Stream stream;
    if (!stream_at(atlas, reader->found[0].at[number], reader->least, false, &stream))
        return false;
    *line = (StreamLine){ .from = point_at(atlas, &stream.at, stream.from, stream.area, stream.size),
                          .to = point_at(atlas, &stream.to_at, stream.to, stream.to_area, stream.to_size),
                          .from_key = key_of(atlas, stream.from),
                          .to_key = key_of(atlas, stream.to),
                          .ends = stream.ends,
                          .mouth = stream.mouth };
    if (atlas->view->map->watered) {
        line->from.water = flow_of(atlas, stream.from);
        line->to.water = stream.ends ? line->from.water : flow_of(atlas, stream.to);
    }
    return true;
}

static int sort_stream(const void *context, AtlasCell cell) {
    (void)context, (void)cell;
    return 0;
}

Status eroded_add_rivers(const View *view, NetworkBuilder *builder, Error *error) {
    Atlas atlas;
    const int depth = atlas_depth(view);
    Status status = atlas_open(&atlas, view, depth, river_reach(view->map, depth), error);
    Reader reader = { .atlas = &atlas, .least = river_min_area(view->map, depth, atlas.cell) };
    if (status == STATUS_OK)
        status = stream_cells_find(&atlas, reader.least, sort_stream, NULL, reader.found, error);
    if (status == STATUS_OK)
        status = stream_data_add(view, builder, reader.found[0].count, set_line, &reader, error);
    stream_cells_free(reader.found);
    atlas_close(&atlas);
    return status;
}
