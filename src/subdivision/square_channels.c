// The channels of the right-angled tiling: square by square, only along rivers wide enough to be channels.

#include "subdivision/channels.h"

#include <math.h>

typedef struct Way { // down to a square
    Channels *channels;
    Wide datum; // in units of depth `datum_depth`
    int datum_depth;
} Way;

// Of an altitude of the square's, in map units: above the sea, and above the datum.
static double from_sea(const Square *square, Altitude altitude) {
    return ldexp((double)(square->base + altitude), -square->depth) / UNITS_PER_CELL;
}

static float level_of(const Way *way, const Square *square, Altitude altitude) {
    const int deeper = way->datum_depth - square->depth;
    const Wide in_datum_units = (square->base + altitude) * ((Wide)1 << (deeper > 0 ? deeper : 0));
    const Wide datum = deeper < 0 ? way->datum * ((Wide)1 << -deeper) : way->datum;
    const int depth = deeper > 0 ? way->datum_depth : square->depth;
    return (float)(ldexp((double)(in_datum_units - datum), -depth) / UNITS_PER_CELL);
}

typedef struct Frame { // of a square, in places
    Wide left, top, side;
} Frame;

// Where an edge is crossed, from its first end, in the order of places, to its second.
static void cross_at(const Way *way, const Square *square, Crossing crossing, const Frame *frame, int first,
                     int second, bool out, TriangleChannels *triangle) {
    if (!crossing.river)
        return;
    const uint32_t seed = mix_seeds(square->corners[first].seed, square->corners[second].seed);
    const Wide along = frame->side / 1024 * (int)(512 + 256 * seed_value(mix_seeds(seed, 3)));
    const int x0 = first % 2, y0 = first / 2, dx = second % 2 - x0, dy = second / 2 - y0;
    triangle->crossings[triangle->count++] = (struct TriangleCrossing){
        frame->left + x0 * frame->side + dx * along, frame->top + y0 * frame->side + dy * along,
        channel_width(way->channels, crossing.basin, from_sea(square, crossing.altitude)),
        level_of(way, square, crossing.altitude), out
    };
}

static void add_triangles(const Way *way, const Square *square, const Frame *frame, float side,
                          float parent_side) {
    const Crossing *sides = square->sides, diagonal = square->diagonal;
    for (int lower = 0; lower < 2; lower++) {
        // East of the diagonal lies the lower triangle where it rises, the upper one where it falls.
        const bool east = square->rising == (lower == 1);
        TriangleChannels triangle = { .side = side, .parent_side = parent_side };
        const Wide third = frame->side / 3;
        triangle.middle_x = frame->left + (east ? 2 : 1) * third;
        triangle.middle_y = frame->top + (lower ? 2 : 1) * third;
        if (lower)
            cross_at(way, square, sides[BOTTOM], frame, LOWER_LEFT, LOWER_RIGHT, sides[BOTTOM].forwards,
                     &triangle);
        else
            cross_at(way, square, sides[TOP], frame, UPPER_LEFT, UPPER_RIGHT, !sides[TOP].forwards,
                     &triangle);
        if (east)
            cross_at(way, square, sides[RIGHT], frame, UPPER_RIGHT, LOWER_RIGHT, sides[RIGHT].forwards,
                     &triangle);
        else
            cross_at(way, square, sides[LEFT], frame, UPPER_LEFT, LOWER_LEFT, !sides[LEFT].forwards,
                     &triangle);
        cross_at(way, square, diagonal, frame, square->rising ? LOWER_LEFT : UPPER_LEFT,
                 square->rising ? UPPER_RIGHT : LOWER_RIGHT, diagonal.forwards != east, &triangle);
        if (triangle.count > 0)
            channels_add(way->channels, &triangle);
    }
}

static void go_down(const Way *way, const Square *square, Frame frame) {
    Channels *channels = way->channels;
    const float side = (float)((double)frame.side / (double)channels->view->pixel);
    const float parent_side = square->depth ? 2 * side : INFINITY;
    const Crossing crossings[5] = { square->sides[0], square->sides[1], square->sides[2], square->sides[3],
                                    square->diagonal };
    ChannelRange range = channel_range(channels, (float)ldexp(1, -square->depth));
    for (int i = 0; i < 5; i++)
        if (crossings[i].river)
            channel_range_add(
                &range, channel_width(channels, crossings[i].basin, from_sea(square, crossings[i].altitude)),
                parent_side);
    if (!channels_reach(channels, frame.left, frame.top, frame.left + frame.side, frame.top + frame.side,
                        &range))
        return;
    add_triangles(way, square, &frame, side, parent_side);
    if (!channels_go_on(&range, side))
        return;
    Square quarters[4];
    square_split(&channels->view->map->constants, square, quarters);
    const Wide half = frame.side / 2;
    for (int corner = 0; corner < 4; corner++)
        go_down(way, &quarters[corner],
                (Frame){ frame.left + corner % 2 * half, frame.top + corner / 2 * half, half });
}

void add_square_channels(Channels *channels, Wide datum, int datum_depth) {
    const Way way = { channels, datum, datum_depth };
    channels->sea = (float)(ldexp(-(double)datum, -datum_depth) / UNITS_PER_CELL);
    const Square root = river_map_root(channels->view->map);
    go_down(&way, &root, (Frame){ 0, 0, (Wide)1 << PLACE_BITS });
}
