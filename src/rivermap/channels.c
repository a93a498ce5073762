#include "rivermap/channels.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>

// A channel is drawn from triangles whose sides are at most its width divided by this.
#define SIDES 4.0
// The largest factor by which a river may widen between a crossing and those in smaller triangles.
#define WIDENING 2.5

Channels channels_begin(const View *view) {
    const Field *field = view->altitude;
    const int level = log2_below(view->pixels);
    return (Channels){ .view = view,
                       .left = view->x + (1 - (Int128)field->width) * view->pixel / 2 + view_nudge(view),
                       .top = view->y + (1 - (Int128)field->height) * view->pixel / 2 + view_nudge(view),
                       .finest_level = level,
                       .finest_cell = ldexp(view->pixels, -level),
                       .per_basin = (double)view->map->constants.width * view->pixels };
}

// 2.5 times as wide at the sea as well above it.
double channel_width(const Channels *channels, double basin, double level) {
    const double lowland = 0.03, high = max(level, 0) / lowland;
    return channels->per_basin * basin * (high < 1 ? 2.5 - 1.5 * high : 1);
}

ChannelRange channel_range(const Channels *channels, double length, double parent_limit) {
    const double own = channel_width(channels, length, 0);
    return (ChannelRange){ own, own, INFINITY, parent_limit };
}

void channel_range_add(ChannelRange *range, double width, double parent_side) {
    if (width >= SIDES * parent_side)
        return;
    range->widest = max(width, range->widest);
    range->narrowest = width < range->narrowest && width >= CHANNEL_MIN ? width : range->narrowest;
}

void channel_range_end(ChannelRange *range) {
    range->limit = min(WIDENING * range->widest, range->limit);
}

bool channels_go_on(const ChannelRange *range, double side) {
    return range->widest >= CHANNEL_MIN && SIDES * side >= CHANNEL_MIN &&
           (range->narrowest < SIDES * side || range->own >= CHANNEL_MIN);
}

bool channels_reach(const Channels *channels, Int128 left, Int128 top, Int128 right, Int128 bottom,
                    const ChannelRange *range) {
    const View *view = channels->view;
    const double places = (channel_reach(range->limit / 2) + 2) * (double)view->pixel;
    const Int128 margin = whole_128(places);
    const Int128 last_x = channels->left + view->pixel * view->altitude->width;
    const Int128 last_y = channels->top + view->pixel * view->altitude->height;
    return right >= channels->left - margin && left <= last_x + margin && bottom >= channels->top - margin &&
           top <= last_y + margin;
}

static Int128 fine_place(Int128 place, Int128 origin, Int128 pixel) {
    const Int128 off = place - origin, whole = off >= 0 ? off / pixel : -((pixel - 1 - off) / pixel);
    const Int128 rest = (off - whole * pixel) / ((pixel + CHANNEL_FINE - 1) / CHANNEL_FINE); // below that
    return whole * CHANNEL_FINE + rest;
}

Int128 channel_x(const Channels *channels, Int128 place) {
    return fine_place(place, channels->left, channels->view->pixel);
}

Int128 channel_y(const Channels *channels, Int128 place) {
    return fine_place(place, channels->top, channels->view->pixel);
}

static void make_room(Channels *channels, int room) {
    Channel *more = memory_enlarge(channels->at, (size_t)channels->count, (size_t)room, sizeof *more, NULL);
    if (!more) {
        channels->failed = true;
        return;
    }
    channels->at = more;
    channels->room = room;
}

void channels_append(Channels *channels, Channel channel) {
    if (channels->count == channels->room)
        make_room(channels, channels->room ? 2 * channels->room : 256);
    if (channels->count < channels->room)
        channels->at[channels->count++] = channel;
}

void channels_grow(Channels *channels, int more) {
    if (channels->room - channels->count < more)
        make_room(channels, channels->count + more);
    if (channels->room - channels->count >= more)
        channels->count += more;
}

typedef struct TriangleCrossing TriangleCrossing;

static void add_between(Channels *channels, const TriangleChannels *triangle, const TriangleCrossing *from,
                        const TriangleCrossing *to) {
    const double widest = max(from->width, to->width), narrowest = min(from->width, to->width);
    if (widest < CHANNEL_MIN || widest < SIDES * triangle->side || narrowest >= SIDES * triangle->parent_side)
        return;
    const double limit = triangle->limit;
    channels_append(channels, (Channel){ channel_x(channels, from->x),
                                         channel_y(channels, from->y),
                                         channel_x(channels, to->x),
                                         channel_y(channels, to->y),
                                         min(from->width, limit) / 2,
                                         min(to->width, limit) / 2,
                                         from->level,
                                         to->level,
                                         1,
                                         1,
                                         { 0 },
                                         { 0 } });
}

void channels_add(Channels *channels, const TriangleChannels *triangle) {
    const TriangleCrossing *at = triangle->crossings;
    int widest = 0, lowest = 0;
    bool leaves = false;
    for (int i = 0; i < triangle->count; i++) {
        widest = at[i].width > at[widest].width ? i : widest;
        lowest = at[i].level < at[lowest].level ? i : lowest;
        leaves = leaves || at[i].out;
    }
    if (triangle->count == 2 && leaves) {
        add_between(channels, triangle, &at[0], &at[1]);
        return;
    }
    // The middle is a spring, a confluence, from which the widest river leaves, or a mouth, in the sea.
    TriangleCrossing middle = { triangle->middle_x, triangle->middle_y, at[widest].width, at[lowest].level,
                                false };
    if (!leaves && middle.level > channels->sea)
        middle.level = channels->sea;
    for (int i = 0; i < triangle->count; i++) {
        const bool spring = triangle->count == 1 && at[i].out;
        middle.width = spring ? at[i].width / 2 : at[i].width;
        add_between(channels, triangle, &at[i], &middle);
    }
}
