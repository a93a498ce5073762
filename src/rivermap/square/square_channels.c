#include "rivermap/square/square_channels.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>

typedef struct Parts Parts;

typedef struct Way { // down to a square
    Channels *channels;
    Int128 zero; // in units of depth `zero_depth`
    int zero_depth;
    Parts *parts; // where squares small enough for a part are left for later; or NULL
} Way;

// Of an altitude of the square's, in map units: above the sea, and above the view's zero.
static double from_sea(const Square *square, Altitude altitude) {
    return ldexp((double)(square->base + altitude), -square->depth) / UNITS_PER_CELL;
}

static double level_of(const Way *way, const Square *square, Altitude altitude) {
    const int deeper = way->zero_depth - square->depth;
    const Int128 in_zero_units = (square->base + altitude) * ((Int128)1 << max(deeper, 0));
    const Int128 zero = deeper < 0 ? way->zero * ((Int128)1 << -deeper) : way->zero;
    const int depth = deeper > 0 ? way->zero_depth : square->depth;
    return ldexp((double)(in_zero_units - zero), -depth) / UNITS_PER_CELL;
}

typedef struct SquareFrame { // of a square, in places
    Int128 left, top, side;
} SquareFrame;

static void add_crossing(const Way *way, const Square *square, const SquareEdge *edge,
                         const SquareFrame *frame, TriangleChannels *triangle) {
    const Crossing crossing = edge->crossing;
    if (!crossing.river)
        return;
    const uint32_t seed = mix_seeds(square->corners[edge->first].seed, square->corners[edge->second].seed);
    const Int128 along = frame->side / 1024 * whole_int(512 + 256 * seed_value(mix_seeds(seed, 3)));
    const int x0 = edge->first % 2, y0 = edge->first / 2;
    const int dx = edge->second % 2 - x0, dy = edge->second / 2 - y0;
    triangle->crossings[triangle->count++] = (struct TriangleCrossing){
        frame->left + x0 * frame->side + dx * along, frame->top + y0 * frame->side + dy * along,
        channel_width(way->channels, (double)crossing.basin, from_sea(square, crossing.altitude)),
        level_of(way, square, crossing.altitude), edge->out
    };
}

static void add_triangles(const Way *way, const Square *square, const SquareFrame *frame, double side,
                          double parent_side, double limit) {
    for (int lower = 0; lower < 2; lower++) {
        SquareEdge edges[3];
        const bool east = square_triangle(square, lower, edges);
        const Int128 third = frame->side / 3;
        TriangleChannels triangle = { .middle_x = frame->left + (east ? 2 : 1) * third,
                                      .middle_y = frame->top + (lower ? 2 : 1) * third,
                                      .side = side,
                                      .parent_side = parent_side,
                                      .limit = limit };
        for (int i = 0; i < 3; i++)
            add_crossing(way, square, &edges[i], frame, &triangle);
        if (triangle.count > 0)
            channels_add(way->channels, &triangle);
    }
}

// --- parts -------------------------------------------------------------------------------------------------

// A square, all of whose channels another thread may find. In order they come after `before` of those that
// were found on the way to the parts.
typedef struct Part {
    Square square;
    SquareFrame frame;
    double parent_limit;
    int before;
    Channels found;
} Part;

struct Parts {
    double side; // in pixels, of the largest square that is one
    const Way *way;
    Part *at;
    int count, room;
    bool failed; // memory ran out
};

// Whether it is one.
static bool leave_for_later(const Way *way, const Square *square, SquareFrame frame, double side,
                            double parent_limit) {
    Parts *parts = way->parts;
    if (!parts || side > parts->side)
        return false;
    if (parts->count == parts->room) {
        const int room = parts->room ? 2 * parts->room : 64;
        Part *more = memory_enlarge(parts->at, (size_t)parts->count, (size_t)room, sizeof *more, NULL);
        parts->failed = parts->failed || !more;
        if (!more)
            return true;
        parts->at = more;
        parts->room = room;
    }
    Channels found = *way->channels;
    found.at = NULL;
    found.count = found.room = 0;
    parts->at[parts->count++] = (Part){ *square, frame, parent_limit, way->channels->count, found };
    return true;
}

static void go_down(const Way *way, const Square *square, SquareFrame frame, double parent_limit) {
    Channels *channels = way->channels;
    const double side = (double)frame.side / (double)channels->view->pixel;
    if (leave_for_later(way, square, frame, side, parent_limit))
        return;
    const double parent_side = square->depth ? 2 * side : INFINITY;
    const Crossing crossings[5] = { square->sides[0], square->sides[1], square->sides[2], square->sides[3],
                                    square->diagonal };
    ChannelRange range = channel_range(channels, ldexp(1, -square->depth), parent_limit);
    for (int i = 0; i < 5; i++)
        if (crossings[i].river)
            channel_range_add(
                &range,
                channel_width(channels, (double)crossings[i].basin, from_sea(square, crossings[i].altitude)),
                parent_side);
    channel_range_end(&range);
    if (!channels_reach(channels, frame.left, frame.top, frame.left + frame.side, frame.top + frame.side,
                        &range))
        return;
    add_triangles(way, square, &frame, side, parent_side, range.limit);
    if (!channels_go_on(&range, side))
        return;
    Square quarters[4];
    square_split(&channels->view->map->constants, square, quarters);
    const Int128 half = frame.side / 2;
    for (int corner = 0; corner < 4; corner++)
        go_down(way, &quarters[corner],
                (SquareFrame){ frame.left + corner % 2 * half, frame.top + corner / 2 * half, half },
                range.limit);
}

static void find_parts(void *context, int first, int end) {
    const Parts *parts = context;
    for (int i = first; i < end; i++) {
        Part *part = &parts->at[i];
        Way way = *parts->way;
        way.channels = &part->found;
        way.parts = NULL;
        go_down(&way, &part->square, part->frame, part->parent_limit);
    }
}

// In the order in which one thread would find them.
static void join_parts(const Parts *parts, const Channels *on_the_way, Channels *channels) {
    int done = 0;
    for (int i = 0; i <= parts->count; i++) {
        const Part *part = i < parts->count ? &parts->at[i] : NULL;
        for (; done < (part ? part->before : on_the_way->count); done++)
            channels_append(channels, on_the_way->at[done]);
        for (int j = 0; part && j < part->found.count; j++)
            channels_append(channels, part->found.at[j]);
        channels->failed = channels->failed || (part && part->found.failed);
    }
}

Status square_channels_add(Channels *channels, int depth) {
    enum { ACROSS_WINDOW = 8 }; // parts
    const View *view = channels->view;
    channels_set_zero(channels, depth, ldexp(1.0 / UNITS_PER_CELL, -depth));
    Channels on_the_way = *channels;
    Parts parts = { .side = (double)max(view->width, view->height) / ACROSS_WINDOW };
    const Way way = { &on_the_way, view_zero(view, depth), depth, &parts };
    parts.way = &way;
    const Square root = first_square(view->map);
    go_down(&way, &root, (SquareFrame){ 0, 0, (Int128)1 << PLACE_BITS }, INFINITY);
    const Status status = parallel_rows(view->run, parts.count, 50000, find_parts, &parts);
    channels->failed = channels->failed || on_the_way.failed || parts.failed;
    join_parts(&parts, &on_the_way, channels);
    for (int i = 0; i < parts.count; i++)
        memory_free(parts.at[i].found.at);
    memory_free(parts.at);
    memory_free(on_the_way.at);
    return status;
}
