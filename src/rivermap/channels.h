// Rivers whose width grows with the drained area (Mogensen and Isenbecker 2025, section 7). A river is a
// chain of channels, each from one crossing to the next, in triangles a few times smaller than the river's
// width. Its width on the ground is therefore the same at every zoom, and its course does not follow the
// sawtooth of smaller triangles. The bed lies below the water and the land beside it above; the bank is where
// terrain and water meet, at any resolution.

#ifndef ESKER_CHANNELS_H
#define ESKER_CHANNELS_H

#include "rivermap/view.h"

#include <math.h>

// Positions are relative to the centre of the window's first pixel, in 256ths of a pixel, so that a channel
// is the same for all windows on a grid.
enum { CHANNEL_FINE = 256 };

typedef struct Channel {
    Int128 from_x, from_y, to_x, to_y;
    double from_half, to_half;   // half of its width, pixels
    double from_level, to_level; // of the water, map units from the view's zero
    double from_fresh, to_fresh; // share of the river's water, 1 … 0: in an estuary the rest is the sea's
    // The river's direction at the ends, of length 1: the water is level across it. 0: along the channel.
    double from_along[2], to_along[2];
} Channel;

typedef struct Channels {
    const View *view;
    Int128 left, top;   // the centre of the window's first pixel
    double sea;         // its level above the view's zero, map units
    double land;        // the same of the datum from which the land's altitudes count
    double tide;        // how high above the sea an estuary's water may stand, map units
    int finest_level;   // the level whose cells, 2^-level of the map's side, are one to two pixels large
    double finest_cell; // their side, pixels
    double per_basin;   // pixels of width per unit of a crossing's basin
    bool smooth_banks;  // as of eroded land; otherwise rough
    Channel *at;
    int count, room;
    bool failed; // memory ran out
} Channels;

Channels channels_begin(const View *view);

// Metres by which tides raise the sea, where the map's size is known: in lowlands the water of large rivers
// stands less than a share of their width above it for hundreds of kilometres.
#define TIDE 1.0

// Sets how high the sea and the land's datum lie: altitudes in `unit` map units, which are of a depth.
static inline void channels_set_zero(Channels *channels, int depth, double unit) {
    const View *view = channels->view;
    const Int128 zero = view_zero(view, depth);
    const double metres = view->map->metres;
    channels->sea = (double)-zero * unit;
    channels->tide = metres > 0 ? TIDE / (MAP_HEIGHT * metres) : (double)INFINITY;
    channels->land = view->datum ? (double)(datum_at(view->datum, depth) - zero) * unit : 0;
}

// The crossings of a triangle's edges, `count` of them.
typedef struct TriangleChannels {
    int count;
    struct TriangleCrossing {
        Int128 x, y; // places
        double width, level;
        bool out;
    } crossings[3];
    Int128 middle_x, middle_y; // of the triangle
    double side, parent_side;  // in pixels
    double limit;              // upper bound of its channels' width, pixels
} TriangleChannels;

// The distance, in pixels, at which a channel may still show: slightly beyond the point where its rounded
// weight becomes 0. In half widths its influence on the land ends at CHANNEL_REACH.
#define CHANNEL_REACH 4.0
static inline double channel_reach(double half) {
    return half * (CHANNEL_REACH * (1 + 0x1p-20));
}

// Adds the channels that were not added from a larger triangle and need not wait for a smaller one.
void channels_add(Channels *channels, const TriangleChannels *triangle);

// The width of a river in pixels; it widens where it comes to the sea. `level`: above the sea, map units.
double channel_width(const Channels *channels, double basin, double level);

// The crossings of a triangle or square whose channels have not all come from a larger one: only along those
// the way goes down. Begins with that of a river which drains no more than it. `limit`: no channel from here
// on down is wider. Rules let a river grow without bounds from a triangle to a smaller one (the paper's;
// islands' where arms meet); limits follow from the way down alone, so that every window that a channel may
// show in finds it.
typedef struct ChannelRange {
    double own, widest, narrowest, limit; // pixels
} ChannelRange;

ChannelRange channel_range(const Channels *channels, double length, double parent_limit);
void channel_range_add(ChannelRange *range, double width, double parent_side);
void channel_range_end(ChannelRange *range);

// Whether smaller triangles have channels to add.
bool channels_go_on(const ChannelRange *range, double side);

// Whether they may show in the window from a box of the map.
bool channels_reach(const Channels *channels, Int128 left, Int128 top, Int128 right, Int128 bottom,
                    const ChannelRange *range);

// Adds one, from whatever it comes.
void channels_append(Channels *channels, Channel channel);

// Adds `more` that the caller sets.
void channels_grow(Channels *channels, int more);

// Places as channels count them.
Int128 channel_x(const Channels *channels, Int128 place);
Int128 channel_y(const Channels *channels, Int128 place);

// Carves them into altitudes and rivers, and frees them.
Status channels_draw(Channels *channels, Error *error);

#endif
