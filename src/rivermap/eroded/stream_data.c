// Lines are set on all threads, a part of them at a time, and added to the network in their order on one.

#include "rivermap/eroded/stream_data.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"

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

// A part at a time, whose lines are not all in memory.
Status stream_data_add(const View *view, NetworkBuilder *builder, int count, StreamLineSet *set,
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
