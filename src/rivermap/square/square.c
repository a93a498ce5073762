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

const LongEdge square_sides[4] = {
    [TOP] = { 0, 2, 1, { ACROSS, ACROSS + 1 } },
    [RIGHT] = { 2, 8, 5, { DOWN + 2, DOWN + 5 } },
    [BOTTOM] = { 6, 8, 7, { ACROSS + 4, ACROSS + 5 } },
    [LEFT] = { 0, 6, 3, { DOWN, DOWN + 3 } },
};

const LongEdge square_diagonals[2] = {
    { 0, 8, CENTRE, { SPOKES + UPPER_LEFT, SPOKES + LOWER_RIGHT } },
    { 6, 2, CENTRE, { SPOKES + LOWER_LEFT, SPOKES + UPPER_RIGHT } },
};

// Edges that `forwards` leads through eastwards: down, and diagonals; the others southwards.
#define TO_SIDES                                                                                             \
    { { CENTRE, 0, 2, 1 },                                                                                   \
      { SPOKES + UPPER_RIGHT, SPOKES + UPPER_LEFT, ACROSS, ACROSS + 1 },                                     \
      { false, true, true, true },                                                                           \
      DOWN + 1 },                                                                                            \
        { { CENTRE, 2, 8, 5 },                                                                               \
          { SPOKES + LOWER_RIGHT, SPOKES + UPPER_RIGHT, DOWN + 2, DOWN + 5 },                                \
          { true, true, false, false },                                                                      \
          ACROSS + 3 },                                                                                      \
        { { CENTRE, 6, 8, 7 },                                                                               \
          { SPOKES + LOWER_RIGHT, SPOKES + LOWER_LEFT, ACROSS + 4, ACROSS + 5 },                             \
          { false, true, false, false },                                                                     \
          DOWN + 4 },                                                                                        \
    {                                                                                                        \
        { CENTRE, 0, 6, 3 }, { SPOKES + LOWER_LEFT, SPOKES + UPPER_LEFT, DOWN, DOWN + 3 },                   \
            { false, false, true, true }, ACROSS + 2                                                         \
    }

const ShortEdge square_short_edges[2][SHORT_EDGES] = {
    { { { 2, 0, 8, CENTRE },
        { UNCUT + RIGHT, UNCUT + TOP, SPOKES + UPPER_LEFT, SPOKES + LOWER_RIGHT },
        { false, true, true, true },
        SPOKES + UPPER_RIGHT },
      { { 6, 0, 8, CENTRE },
        { UNCUT + BOTTOM, UNCUT + LEFT, SPOKES + UPPER_LEFT, SPOKES + LOWER_RIGHT },
        { false, true, false, false },
        SPOKES + LOWER_LEFT },
      TO_SIDES },
    { { { 0, 6, 2, CENTRE },
        { UNCUT + TOP, UNCUT + LEFT, SPOKES + LOWER_LEFT, SPOKES + UPPER_RIGHT },
        { true, true, false, false },
        SPOKES + UPPER_LEFT },
      { { 8, 6, 2, CENTRE },
        { UNCUT + RIGHT, UNCUT + BOTTOM, SPOKES + LOWER_LEFT, SPOKES + UPPER_RIGHT },
        { false, false, true, true },
        SPOKES + LOWER_RIGHT },
      TO_SIDES },
};

static void cut_edge(const Constants *constants, const Scales *scales, const Square *square, float step,
                     const LongEdge *edge, Crossing crossing, Pieces *pieces) {
    Vertex *vertices = pieces->vertices;
    Cut cut =
        cut_long_edge(constants, scales, step, 0.5f, vertices[edge->first], vertices[edge->second], crossing);
    follow_guide(constants, square, edge->middle % 3, edge->middle / 3, crossing.river, &cut.vertex);
    vertices[edge->middle] = cut.vertex;
    pieces->edges[edge->halves[0]] = cut.first;
    pieces->edges[edge->halves[1]] = cut.second;
}

static void find_short_edge(const Constants *constants, const Scales *scales, const ShortEdge *edge,
                            Pieces *pieces) {
    const Vertex *vertices = pieces->vertices;
    Crossing edges[4];
    for (int i = 0; i < 4; i++)
        edges[i] = crossing_turned(pieces->edges[edge->edges[i]], edge->turned[i]);
    const Triangle triangle = {
        vertices[edge->vertices[0]],
        vertices[edge->vertices[1]],
        vertices[edge->vertices[2]],
        vertices[edge->vertices[3]],
        edges[0],
        edges[1],
        edges[2],
        edges[3],
    };
    pieces->edges[edge->edge] = cross_short_edge(constants, scales, &triangle);
}

Scales spoke_scales(const Scales *scales) {
    Scales larger = *scales;
    larger.length *= 1.41421356f;
    return larger;
}

Pieces square_cut(const Constants *constants, const Scales *scales, const Square *square) {
    Pieces pieces;
    for (int corner = 0; corner < 4; corner++)
        pieces.vertices[6 * (corner / 2) + 2 * (corner % 2)] = square->corners[corner];
    cut_edge(constants, scales, square, diagonal_step(constants), &square_diagonals[square->rising],
             square->diagonal, &pieces);
    for (int side = 0; side < 4; side++) {
        cut_edge(constants, scales, square, side_step(constants), &square_sides[side], square->sides[side],
                 &pieces);
        pieces.edges[UNCUT + side] = square->sides[side];
    }
    const Scales larger = spoke_scales(scales);
    for (int i = 0; i < SHORT_EDGES; i++)
        find_short_edge(constants, i < SPOKES_FOUND ? &larger : scales,
                        &square_short_edges[square->rising][i], &pieces);
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
        const int east = corner % 2, south = corner / 2;
        const Vertex *vertices = pieces.vertices + 3 * south + east; // from the quarter's upper left one
        const Crossing *across = pieces.edges + ACROSS + 2 * south + east,
                       *down = pieces.edges + DOWN + 3 * south + east;
        const Altitude base = vertices[0].altitude;
        quarters[corner] =
            (Square){ .depth = square->depth + 1,
                      .base = 2 * (square->base + base),
                      .x = 2 * square->x + (uint64_t)east,
                      .y = 2 * square->y + (uint64_t)south,
                      .rising = east != south,
                      .corners = { vertex_doubled(vertices[0], base), vertex_doubled(vertices[1], base),
                                   vertex_doubled(vertices[3], base), vertex_doubled(vertices[4], base) },
                      .sides = { [TOP] = crossing_doubled(across[0], base),
                                 [RIGHT] = crossing_doubled(down[1], base),
                                 [BOTTOM] = crossing_doubled(across[2], base),
                                 [LEFT] = crossing_doubled(down[0], base) },
                      .diagonal = crossing_doubled(pieces.edges[SPOKES + corner], base) };
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
