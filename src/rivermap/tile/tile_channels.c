#include "rivermap/tile/tile_channels.h"

#include "core/math.h"
#include "core/whole.h"

#include <math.h>

static Int128 to_place(double units) {
    return whole_128(ldexp(units, PLACE_BITS));
}

static double from_sea(Altitude altitude) {
    return (double)altitude * (1 / FIXED_UNITS);
}

static void add_triangle(Channels *channels, const Tile *tile, Altitude zero, double side, double parent_side,
                         double limit) {
    Vec3 at[3];
    TriangleChannels triangle = {
        .count = tile_crossings(tile, at), .side = side, .parent_side = parent_side, .limit = limit
    };
    if (triangle.count == 0)
        return;
    const Vec3 middle = tile_middle(tile->places);
    triangle.middle_x = to_place(middle.x);
    triangle.middle_y = to_place(middle.y);
    int count = 0;
    for (int i = 0; i < 3; i++) {
        const Crossing edge = tile->edges[i];
        if (!edge.river)
            continue;
        triangle.crossings[count] =
            (struct TriangleCrossing){ to_place(at[count].x), to_place(at[count].y),
                                       channel_width(channels, (double)edge.basin, from_sea(edge.altitude)),
                                       from_sea(edge.altitude - zero), edge.forwards };
        count++;
    }
    channels_add(channels, &triangle);
}

static void go_down(Channels *channels, const Tile *tile, Altitude zero, double parent_side,
                    double parent_limit) {
    const double length = sqrt(tile->shape.longest);
    const double side = length * channels->view->pixels;
    ChannelRange range = channel_range(channels, length, parent_limit);
    double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
    for (int i = 0; i < 3; i++) {
        const Vec3 at = tile->places[i];
        left = min(at.x, left);
        right = max(at.x, right);
        top = min(at.y, top);
        bottom = max(at.y, bottom);
        if (!tile->edges[i].river)
            continue;
        channel_range_add(
            &range, channel_width(channels, (double)tile->edges[i].basin, from_sea(tile->edges[i].altitude)),
            parent_side);
    }
    channel_range_end(&range);
    const double bends = channels->view->map->tiling->tiles->reach * length;
    if (!channels_reach(channels, to_place(left - bends), to_place(top - bends), to_place(right + bends),
                        to_place(bottom + bends), &range))
        return;
    add_triangle(channels, tile, zero, side, parent_side, range.limit);
    if (!channels_go_on(&range, side))
        return;
    Tile halves[2];
    tile_cut(channels->view->map, tile, halves);
    for (int i = 0; i < 2; i++)
        go_down(channels, &halves[i], zero, side, range.limit);
}

void tile_channels_add(Channels *channels) {
    channels_set_zero(channels, 0, 1 / FIXED_UNITS);
    const Altitude zero = view_zero(channels->view, 0);
    Tile first[FIRST_TILES_MAX];
    const int count = first_tiles(channels->view->map, first);
    for (int i = 0; i < count; i++)
        go_down(channels, &first[i], zero, INFINITY, INFINITY);
}
