#include "rivermap/square/square_channels.h"

#include "core/math.h"
#include "core/whole.h"

#include <math.h>

typedef struct Way { // down to a square
    Channels *channels;
    Int128 datum; // in units of depth `datum_depth`
    int datum_depth;
} Way;

// Of an altitude of the square's, in map units: above the sea, and above the datum.
static double from_sea(const Square *square, Altitude altitude) {
    return ldexp((double)(square->base + altitude), -square->depth) / UNITS_PER_CELL;
}

static double level_of(const Way *way, const Square *square, Altitude altitude) {
    const int deeper = way->datum_depth - square->depth;
    const Int128 in_datum_units = (square->base + altitude) * ((Int128)1 << max(deeper, 0));
    const Int128 datum = deeper < 0 ? way->datum * ((Int128)1 << -deeper) : way->datum;
    const int depth = deeper > 0 ? way->datum_depth : square->depth;
    return ldexp((double)(in_datum_units - datum), -depth) / UNITS_PER_CELL;
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

static void go_down(const Way *way, const Square *square, SquareFrame frame, double parent_limit) {
    Channels *channels = way->channels;
    const double side = (double)frame.side / (double)channels->view->pixel;
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

void square_channels_add(Channels *channels, Int128 datum, int datum_depth) {
    const Way way = { channels, datum, datum_depth };
    channels->sea = ldexp(-(double)datum, -datum_depth) / UNITS_PER_CELL;
    const Square root = first_square(channels->view->map);
    go_down(&way, &root, (SquareFrame){ 0, 0, (Int128)1 << PLACE_BITS }, INFINITY);
}
