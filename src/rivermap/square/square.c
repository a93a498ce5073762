#include "rivermap/square/square.h"

#include "core/math.h"
#include "core/whole.h"

#include <math.h>

// Units of an altitude -1 … 1 at a depth.
static Int128 altitude_units(double altitude, int depth) {
    const Int128 fine = whole_128(altitude * 0x1p52);
    const int shift = depth + 12 - 52; // UNITS_PER_CELL is 2^12
    return shift >= 0 ? fine * ((Int128)1 << shift) : fine >> -shift;
}

static Altitude from_base(double altitude, int depth, Int128 base) {
    return altitude_units(altitude, depth) - base;
}

Scales square_scales(const Constants *constants, int depth, Int128 base) {
    return (Scales){ .sea = from_base(0, depth, base),
                     .k3 = from_base((double)constants->k3, depth, base),
                     .k4 = from_base((double)constants->k4, depth, base),
                     .k7 = from_base((double)constants->k7, depth, base),
                     .lowest = from_base(-1, depth, base),
                     .highest = from_base(1, depth, base),
                     .length = (float)ldexp(1, -depth) };
}

// With a guide, the cut takes its altitude, except on rivers, which carve deeper: without a valley a river
// would run along the grid. (x, y): the position of the cut, in halves of the square's side.
static void follow_guide(const Constants *constants, const Square *square, int x, int y, bool river,
                         Vertex *cut) {
    const Guide *guide = constants->guide;
    if (!guide || square->depth >= guide->depth)
        return;
    const double units = (double)UNITS_PER_CELL * (double)(UINT64_C(1) << square->depth);
    const int64_t altitude = guide_altitude(guide, 2 * square->x + (uint64_t)x, 2 * square->y + (uint64_t)y,
                                            square->depth + 1, units) -
                             (int64_t)square->base;
    cut->altitude = river ? min(cut->altitude, altitude) : altitude;
}

static void cut_diagonal(const Constants *constants, const Scales *scales, const Square *square,
                         Pieces *pieces) {
    const Vertex *corners = square->corners;
    const Crossing *sides = square->sides, diagonal = square->diagonal;
    const int west = square->rising ? LOWER_LEFT : UPPER_LEFT,
              east = square->rising ? UPPER_RIGHT : LOWER_RIGHT;
    const int north = square->rising ? UPPER_LEFT : UPPER_RIGHT,
              south = square->rising ? LOWER_RIGHT : LOWER_LEFT;
    Scales here = *scales;
    here.length *= 1.41421356f;
    Cut cut = cut_long_edge(constants, scales, diagonal_step(constants), 0.5f, corners[west], corners[east],
                            diagonal);
    follow_guide(constants, square, 1, 1, diagonal.river, &cut.vertex);
    pieces->centre = cut.vertex;
    pieces->spokes[west] = cut.first;
    pieces->spokes[east] = cut.second;
    // The triangle above the diagonal has its right angle in the north, on the diagonal's west where it
    // rises.
    const bool out = square->rising; // eastwards leads out of the upper triangle
    Triangle triangle = { corners[north], corners[west], corners[east], cut.vertex,
                          // e1: from the north to the diagonal's east end; e2: to its west end
                          square->rising ? crossing_turned(sides[TOP], true) : sides[RIGHT],
                          square->rising ? crossing_turned(sides[LEFT], true)
                                         : crossing_turned(sides[TOP], true),
                          crossing_turned(cut.first, !out), crossing_turned(cut.second, !out) };
    pieces->spokes[north] = cross_short_edge(constants, &here, &triangle);
    triangle = (Triangle){ corners[south],
                           corners[west],
                           corners[east],
                           cut.vertex,
                           square->rising ? sides[RIGHT] : sides[BOTTOM],
                           square->rising ? sides[BOTTOM] : crossing_turned(sides[LEFT], true),
                           crossing_turned(cut.first, out),
                           crossing_turned(cut.second, out) };
    pieces->spokes[south] = cross_short_edge(constants, &here, &triangle);
}

// The triangle between a side and the centre: the side's ends in reading order, and which way leads out of it
// through the side and through the spokes from both ends.
typedef struct SideTriangle {
    int first, second;
    int cut_x, cut_y; // the middle, in halves of the square's side
    bool out, first_out, second_out;
} SideTriangle;

static const SideTriangle side_triangles[4] = {
    [TOP] = { UPPER_LEFT, UPPER_RIGHT, 1, 0, false, false, true },
    [RIGHT] = { UPPER_RIGHT, LOWER_RIGHT, 2, 1, true, false, false },
    [BOTTOM] = { LOWER_LEFT, LOWER_RIGHT, 1, 2, true, false, true },
    [LEFT] = { UPPER_LEFT, LOWER_LEFT, 0, 1, false, true, true },
};

static void cut_side(const Constants *constants, const Scales *scales, const Square *square, int side,
                     Pieces *pieces) {
    const SideTriangle *shape = &side_triangles[side];
    const Vertex first = square->corners[shape->first], second = square->corners[shape->second];
    Cut cut =
        cut_long_edge(constants, scales, side_step(constants), 0.5f, first, second, square->sides[side]);
    follow_guide(constants, square, shape->cut_x, shape->cut_y, square->sides[side].river, &cut.vertex);
    const Triangle triangle = { pieces->centre,
                                first,
                                second,
                                cut.vertex,
                                crossing_turned(pieces->spokes[shape->second], !shape->second_out),
                                crossing_turned(pieces->spokes[shape->first], !shape->first_out),
                                crossing_turned(cut.first, !shape->out),
                                crossing_turned(cut.second, !shape->out) };
    pieces->sides[side] = cut;
    pieces->inner[side] = cross_short_edge(constants, scales, &triangle);
}

Pieces square_cut(const Constants *constants, const Scales *scales, const Square *square) {
    Pieces pieces;
    cut_diagonal(constants, scales, square, &pieces);
    for (int side = 0; side < 4; side++)
        cut_side(constants, scales, square, side, &pieces);
    return pieces;
}

// Converts to the next depth's units, in which all numbers double, and to another base.
static Altitude doubled(Altitude altitude, Altitude base) {
    return 2 * (altitude - base);
}

static Vertex vertex_doubled(Vertex vertex, Altitude base) {
    return (Vertex){ doubled(vertex.altitude, base), vertex.seed };
}

static Crossing crossing_doubled(Crossing crossing, Altitude base) {
    crossing.altitude = doubled(crossing.altitude, base);
    return crossing;
}

void square_split(const Constants *constants, const Square *square, Square quarters[4]) {
    const Scales scales = square_scales(constants, square->depth, square->base);
    const Pieces pieces = square_cut(constants, &scales, square);
    for (int corner = 0; corner < 4; corner++) {
        const bool east = corner == UPPER_RIGHT || corner == LOWER_RIGHT;
        const bool south = corner == LOWER_LEFT || corner == LOWER_RIGHT;
        Vertex vertices[4];
        Crossing sides[4];
        const Cut *row = &pieces.sides[south ? BOTTOM : TOP], *column = &pieces.sides[east ? RIGHT : LEFT];
        vertices[corner] = square->corners[corner];
        vertices[3 - corner] = pieces.centre;
        vertices[south ? (east ? LOWER_LEFT : LOWER_RIGHT) : (east ? UPPER_LEFT : UPPER_RIGHT)] = row->vertex;
        vertices[south ? (east ? UPPER_RIGHT : UPPER_LEFT) : (east ? LOWER_RIGHT : LOWER_LEFT)] =
            column->vertex;
        sides[south ? BOTTOM : TOP] = east ? row->second : row->first;
        sides[east ? RIGHT : LEFT] = south ? column->second : column->first;
        sides[south ? TOP : BOTTOM] = pieces.inner[east ? RIGHT : LEFT];
        sides[east ? LEFT : RIGHT] = pieces.inner[south ? BOTTOM : TOP];
        const Altitude base = vertices[UPPER_LEFT].altitude;
        Square *quarter = &quarters[corner];
        *quarter = (Square){ .depth = square->depth + 1,
                             .base = 2 * (square->base + base),
                             .x = 2 * square->x + east,
                             .y = 2 * square->y + south,
                             .rising = east != south,
                             .diagonal = crossing_doubled(pieces.spokes[corner], base) };
        for (int i = 0; i < 4; i++) {
            quarter->corners[i] = vertex_doubled(vertices[i], base);
            quarter->sides[i] = crossing_doubled(sides[i], base);
        }
    }
}

bool square_triangle(const Square *square, bool lower, SquareEdge edges[3]) {
    // East of the diagonal lies the lower triangle where it rises, the upper one where it falls.
    const bool rising = square->rising, east = rising == lower;
    const Crossing flat = square->sides[lower ? BOTTOM : TOP], steep = square->sides[east ? RIGHT : LEFT];
    edges[0] = (SquareEdge){ flat, lower ? LOWER_LEFT : UPPER_LEFT, lower ? LOWER_RIGHT : UPPER_RIGHT,
                             flat.forwards == lower };
    edges[1] = (SquareEdge){ steep, east ? UPPER_RIGHT : UPPER_LEFT, east ? LOWER_RIGHT : LOWER_LEFT,
                             steep.forwards == east };
    edges[2] = (SquareEdge){ square->diagonal, rising ? LOWER_LEFT : UPPER_LEFT,
                             rising ? UPPER_RIGHT : LOWER_RIGHT, square->diagonal.forwards != east };
    return east;
}

// --- the first one -----------------------------------------------------------------------------------------

// Edges that start without a river are watersheds at every depth and show as creases. Therefore the higher
// half of the map drains across the diagonal into the lower half, and that, if it has no sea, across the
// map's border at its lowest corner.
static void add_first_rivers(Square *square) {
    const Vertex *at = square->corners;
    const Altitude shared = at[UPPER_LEFT].altitude + at[LOWER_RIGHT].altitude;
    const Altitude upper = (shared + at[UPPER_RIGHT].altitude) / 3,
                   lower = (shared + at[LOWER_LEFT].altitude) / 3;
    const bool to_upper = upper < lower;
    const Altitude high = to_upper ? lower : upper, low = to_upper ? upper : lower;
    if (high <= 0)
        return;
    const int apex = to_upper ? UPPER_RIGHT : LOWER_LEFT;
    const int end = at[UPPER_LEFT].altitude < at[LOWER_RIGHT].altitude ? UPPER_LEFT : LOWER_RIGHT;
    const Altitude lowest = min(at[apex].altitude, at[end].altitude);
    square->diagonal = (Crossing){ true, to_upper, 0.70710678f, (high + low) / 2 };
    if (lowest < 0)
        return;
    const int side = end == UPPER_LEFT ? (to_upper ? TOP : LEFT) : to_upper ? RIGHT : BOTTOM;
    square->sides[side] =
        (Crossing){ true, side == RIGHT || side == BOTTOM, 1, lowest - UNITS_PER_CELL / 64 };
}

Square first_square(const RiverMap *map) {
    Square square = { .rising = false };
    for (int corner = 0; corner < 4; corner++)
        square.corners[corner] =
            (Vertex){ whole_64(map->corners[corner] * UNITS_PER_CELL), map->seeds[corner] };
    if (map->constants.rivers && !map->constants.paper)
        add_first_rivers(&square);
    return square;
}
