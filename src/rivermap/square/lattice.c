#include "rivermap/square/lattice.h"

#include "core/math.h"
#include "core/whole.h"
#include "rivermap/rules_64.h"

#include <math.h>
#include <string.h>

// The constants' altitudes, clamped to a lattice's range, and values shared by all rows.
typedef struct Limits {
    double k3, k4, lowest, highest;
    float side, diagonal, k2;
    const Guide *guide; // NULL also where the lattice is finer than it
    Square place;       // of the lattice: depth, x and y of its first cell, base
} Limits;

// Of the vertices that a row of cells gets, before they are put in order.
typedef struct NewRow {
    double top[LATTICE_CELLS], bottom[LATTICE_CELLS], left[LATTICE_CELLS + 1], centre[LATTICE_CELLS];
    uint32_t top_seeds[LATTICE_CELLS], bottom_seeds[LATTICE_CELLS], left_seeds[LATTICE_CELLS + 1];
    uint32_t centre_seeds[LATTICE_CELLS];
} NewRow;

static double cut_off(Altitude altitude) {
    const Altitude most = (Altitude)1 << 52;
    return (double)clamp(altitude, -most, most);
}

// Altitudes are even after doubling, so half a sum is an integer.
KERNEL_INLINE double cut_edge(double a, double b, uint32_t seed, float step, const Limits *limits) {
    const float moved = displacement(step, limits->k2, (float)(a - b), seed);
    const double altitude = 0.5 * (a + b) + (double)truncf(moved);
    return clamp(altitude, limits->lowest, limits->highest);
}

// The cuts of `count` edges without rivers, from a[i] to b[i].
KERNEL_INLINE void cut_edges(const double *restrict a, const double *restrict b,
                             const uint32_t *restrict a_seeds, const uint32_t *restrict b_seeds, int count,
                             float step, const Limits *limits, double *restrict altitudes,
                             uint32_t *restrict seeds) {
    for (int i = 0; i < count; i++) {
        seeds[i] = mix_seeds(a_seeds[i], b_seeds[i]);
        altitudes[i] = cut_edge(a[i], b[i], seeds[i], step, limits);
    }
}

// `rising`: 1 where the first cell's diagonal rises.
KERNEL_INLINE void cut_diagonals(const double *restrict upper, const double *restrict lower,
                                 const uint32_t *restrict upper_seeds, const uint32_t *restrict lower_seeds,
                                 int count, int rising, const Limits *limits, double *restrict altitudes,
                                 uint32_t *restrict seeds) {
    for (int i = 0; i < count; i++) {
        const bool rises = (i + rising) & 1;
        const double west = rises ? lower[i] : upper[i], east = rises ? upper[i + 1] : lower[i + 1];
        const uint32_t west_seed = rises ? lower_seeds[i] : upper_seeds[i];
        const uint32_t east_seed = rises ? upper_seeds[i + 1] : lower_seeds[i + 1];
        seeds[i] = mix_seeds(west_seed, east_seed);
        altitudes[i] = cut_edge(west, east, seeds[i], limits->diagonal, limits);
    }
}

// `count` cuts, two halves of a cell apart, the first at (x, y) in halves of a cell from the lattice's
// corner.
static void follow_guide(const Limits *limits, int x, int y, int count, double *altitudes) {
    const Square *place = &limits->place;
    const double units = (double)UNITS_PER_CELL * (double)(UINT64_C(1) << place->depth);
    for (int i = 0; i < count; i++)
        altitudes[i] = (double)(guide_altitude(limits->guide, 2 * place->x + (uint64_t)(x + 2 * i),
                                               2 * place->y + (uint64_t)y, place->depth + 1, units) -
                                (int64_t)place->base);
}

KERNEL_INLINE int source(double h0, double h1, double h2, double h3, double k3, double k4) {
    const double high = max(h1, h2), low = min(h1, h2);
    return (high > k3) & (low < k4) & (low < h0) & (low < h3);
}

// Whether rivers may begin in a row of cells: few have both high and low ground.
KERNEL_INLINE bool may_begin(const double *restrict upper, const double *restrict lower,
                             const double *restrict centre, int cells, const Limits *limits) {
    const double k3 = limits->k3, k4 = limits->k4;
    int64_t high = (upper[cells] > k3) | (lower[cells] > k3), low = (upper[cells] < k4) | (lower[cells] < k4);
    for (int i = 0; i < cells; i++) {
        high |= (upper[i] > k3) | (lower[i] > k3) | (centre[i] > k3);
        low |= (upper[i] < k4) | (lower[i] < k4) | (centre[i] < k4);
    }
    return high & low;
}

// The cells of a row in which rivers begin: a bit a column.
KERNEL_INLINE uint64_t beginnings(const double *restrict upper, const double *restrict lower, int cells,
                                  int row, const Limits *limits, const NewRow *restrict new) {
    const double k3 = limits->k3, k4 = limits->k4;
    uint32_t begins[LATTICE_CELLS]; // bytes among doubles would make vectors of 64 lanes, which do not fit
    for (int i = 0; i < cells; i++) {
        const int rises = (i + row) & 1;
        const double a = upper[i], b = upper[i + 1], c = lower[i], d = lower[i + 1], m = new->centre[i];
        const double west = rises ? c : a, east = rises ? b : d, north = rises ? a : b, south = rises ? d : c;
        begins[i] =
            (uint32_t)(source(north, west, east, m, k3, k4) | source(south, west, east, m, k3, k4) |
                       source(m, a, b, new->top[i], k3, k4) | source(m, c, d, new->bottom[i], k3, k4) |
                       source(m, a, c, new->left[i], k3, k4) | source(m, b, d, new->left[i + 1], k3, k4));
    }
    uint64_t bits = 0;
    for (int i = 0; i < cells; i++)
        bits |= (uint64_t)begins[i] << i;
    return bits;
}

// All in the next level's units, in which altitudes are twice as much: even places from `even`, odd from
// `odd`.
KERNEL_INLINE void interleave_row(const double *restrict even, const double *restrict odd,
                                  const uint32_t *restrict even_seeds, const uint32_t *restrict odd_seeds,
                                  int cells, double *restrict altitudes, uint32_t *restrict seeds) {
    for (int i = 0; i < cells; i++) {
        altitudes[2 * i] = 2 * even[i];
        altitudes[2 * i + 1] = 2 * odd[i];
        seeds[2 * i] = even_seeds[i];
        seeds[2 * i + 1] = odd_seeds[i];
    }
    altitudes[2 * cells] = 2 * even[cells];
    seeds[2 * cells] = even_seeds[cells];
}

// Returns the cells in which rivers begin.
KERNEL static uint64_t cut_row(const Lattice *from, Lattice *to, int row, const Limits *limits, bool rivers,
                               NewRow *new) {
    const int cells = from->cells;
    const bool last = row + 1 == cells;
    const double *upper = from->altitudes + row * (cells + 1), *lower = upper + cells + 1;
    const uint32_t *upper_seeds = from->seeds + row * (cells + 1), *lower_seeds = upper_seeds + cells + 1;
    cut_edges(upper, upper + 1, upper_seeds, upper_seeds + 1, cells, limits->side, limits, new->top,
              new->top_seeds);
    cut_edges(upper, lower, upper_seeds, lower_seeds, cells + 1, limits->side, limits, new->left,
              new->left_seeds);
    cut_diagonals(upper, lower, upper_seeds, lower_seeds, cells, row & 1, limits, new->centre,
                  new->centre_seeds);
    if (limits->guide) {
        follow_guide(limits, 1, 2 * row, cells, new->top);
        follow_guide(limits, 0, 2 * row + 1, cells + 1, new->left);
        follow_guide(limits, 1, 2 * row + 1, cells, new->centre);
    }
    const bool begin = rivers && may_begin(upper, lower, new->centre, cells, limits);
    if (begin || last)
        cut_edges(lower, lower + 1, lower_seeds, lower_seeds + 1, cells, limits->side, limits, new->bottom,
                  new->bottom_seeds);
    if ((begin || last) && limits->guide)
        follow_guide(limits, 1, 2 * row + 2, cells, new->bottom);
    const int finer = 2 * cells + 1;
    double *altitudes = to->altitudes + 2 * row * finer;
    uint32_t *seeds = to->seeds + 2 * row * finer;
    interleave_row(upper, new->top, upper_seeds, new->top_seeds, cells, altitudes, seeds);
    interleave_row(new->left, new->centre, new->left_seeds, new->centre_seeds, cells, altitudes + finer,
                   seeds + finer);
    if (last)
        interleave_row(lower, new->bottom, lower_seeds, new->bottom_seeds, cells, altitudes + 2 * finer,
                       seeds + 2 * finer);
    return begin ? beginnings(upper, lower, cells, row, limits, new) : 0;
}

static Vertex64 vertex_at(const Lattice *lattice, int x, int y) {
    const int at = y * (lattice->cells + 1) + x;
    return (Vertex64){ whole_64(lattice->altitudes[at]), lattice->seeds[at] };
}

static void put_vertex(Altitude64 altitude, uint32_t seed, Lattice *lattice, int x, int y) {
    const int at = y * (lattice->cells + 1) + x;
    lattice->altitudes[at] = (double)(2 * altitude);
    lattice->seeds[at] = seed;
}

// The place of an edge of Pieces in the finer lattice, counted from the first of the coarser lattice's cell.
typedef struct EdgePlace {
    EdgeKind kind;
    int column, row;
} EdgePlace;

static EdgePlace place_of(int edge) {
    if (edge < DOWN)
        return (EdgePlace){ EDGE_ACROSS, edge % 2, edge / 2 };
    if (edge < SPOKES)
        return (EdgePlace){ EDGE_DOWN, (edge - DOWN) % 3, (edge - DOWN) / 3 };
    return (EdgePlace){ EDGE_DIAGONAL, (edge - SPOKES) % 2, (edge - SPOKES) / 2 };
}

// Of cell (x, y) of the coarser lattice.
KERNEL_INLINE void put_crossing(Crossing64 crossing, Lattice *finer, int x, int y, EdgePlace place) {
    if (!crossing.river)
        return;
    const int column = 2 * x + place.column, row = 2 * y + place.row;
    RiverBits *rivers = &finer->rivers;
    const bool last = column == finer->cells;
    uint64_t *bits = place.kind == EDGE_ACROSS     ? &rivers->across[row]
                     : place.kind == EDGE_DIAGONAL ? &rivers->diagonals[row]
                     : last                        ? &rivers->right
                                                   : &rivers->left[row];
    *bits |= UINT64_C(1) << (last ? row : column);
    LatticeCrossing *to = &finer->crossings[lattice_edge(finer, place.kind, column, row)];
    to->altitude = 2 * crossing.altitude; // each on its own, as it is read again soon
    to->basin = crossing.basin;
    to->forwards = crossing.forwards;
}

uint64_t river_right_edges(const RiverBits *rivers, int cells, int y) {
    return rivers->left[y] >> 1 | (rivers->right >> y & 1) << (cells - 1);
}

uint64_t river_cells(const RiverBits *rivers, int cells, int y) {
    return rivers->across[y] | rivers->across[y + 1] | rivers->left[y] | river_right_edges(rivers, cells, y) |
           rivers->diagonals[y];
}

static Vertex corner_at(const Lattice *lattice, int x, int y) {
    const Vertex64 vertex = vertex_at(lattice, x, y);
    return (Vertex){ vertex.altitude, vertex.seed };
}

static Crossing crossing_at(const Lattice *lattice, bool river, EdgeKind kind, int x, int y) {
    if (!river)
        return (Crossing){ 0 };
    const LatticeCrossing *crossing = &lattice->crossings[lattice_edge(lattice, kind, x, y)];
    return (Crossing){ true, crossing->forwards, crossing->basin, crossing->altitude };
}

Square lattice_square(const Lattice *lattice, const Square *place, int x, int y) {
    const RiverBits *rivers = &lattice->rivers;
    const uint64_t right = river_right_edges(rivers, lattice->cells, y);
    return (Square){
        .depth = place->depth,
        .base = place->base,
        .x = place->x + (uint64_t)x,
        .y = place->y + (uint64_t)y,
        .rising = (x + y) & 1,
        .corners = { corner_at(lattice, x, y), corner_at(lattice, x + 1, y), corner_at(lattice, x, y + 1),
                     corner_at(lattice, x + 1, y + 1) },
        .sides = { [TOP] = crossing_at(lattice, rivers->across[y] >> x & 1, EDGE_ACROSS, x, y),
                   [RIGHT] = crossing_at(lattice, right >> x & 1, EDGE_DOWN, x + 1, y),
                   [BOTTOM] = crossing_at(lattice, rivers->across[y + 1] >> x & 1, EDGE_ACROSS, x, y + 1),
                   [LEFT] = crossing_at(lattice, rivers->left[y] >> x & 1, EDGE_DOWN, x, y) },
        .diagonal = crossing_at(lattice, rivers->diagonals[y] >> x & 1, EDGE_DIAGONAL, x, y),
    };
}

Square lattice_place(const Square *square, int depth) {
    return (Square){ .depth = square->depth + depth,
                     .base = square->base * ((Int128)1 << depth),
                     .x = square->x << depth,
                     .y = square->y << depth };
}

// --- rivers ------------------------------------------------------------------------------------------------

// Cutting a lattice into the next finer one.
typedef struct Halving {
    const Constants *constants;
    Scales64 scales, larger; // of triangles at the sides, and of those at the diagonal
    const Limits *limits;
    const Lattice *from;
    Lattice *to;
    EdgePlace places[UNCUT];  // of edges of Pieces
    int crossings[UNCUT + 4]; // where they are kept, from the first of the cell, for UNCUT sides in `from`
} Halving;

// An edge of cell (x, y) that a river crosses; the loops over rows have cut it as if there were none.
static void cut_river_edge(const Halving *halving, int x, int y, const LongEdge *edge, EdgeKind kind) {
    const Lattice *from = halving->from;
    Lattice *to = halving->to;
    const Limits *limits = halving->limits;
    const LatticeCrossing *river = &from->crossings[lattice_edge(from, kind, x, y)];
    const Crossing64 crossing = { true, river->forwards, river->basin, river->altitude };
    const Vertex64 first = vertex_at(from, x + edge->first % 3 / 2, y + edge->first / 6);
    const Vertex64 second = vertex_at(from, x + edge->second % 3 / 2, y + edge->second / 6);
    Cut64 cut = cut_long_edge64(halving->constants, &halving->scales,
                                kind == EDGE_DIAGONAL ? limits->diagonal : limits->side, 0.5f, first, second,
                                crossing);
    const int column = 2 * x + edge->middle % 3, row = 2 * y + edge->middle / 3;
    if (limits->guide) {
        double altitude;
        follow_guide(limits, column, row, 1, &altitude);
        cut.vertex.altitude = min(cut.vertex.altitude, whole_64(altitude));
    }
    put_vertex(cut.vertex.altitude, cut.vertex.seed, to, column, row);
    put_crossing(cut.first, to, x, y, halving->places[edge->halves[0]]);
    put_crossing(cut.second, to, x, y, halving->places[edge->halves[1]]);
}

// All of them; the last row and column end with sides of cells beyond them.
static void cut_river_edges(const Halving *halving) {
    const RiverBits *rivers = &halving->from->rivers;
    const int cells = halving->from->cells;
    for (int y = 0; y <= cells; y++)
        for (uint64_t bits = rivers->across[y]; bits; bits &= bits - 1)
            cut_river_edge(halving, __builtin_ctzll(bits), y, &square_sides[TOP], EDGE_ACROSS);
    for (int y = 0; y < cells; y++) {
        for (uint64_t bits = rivers->left[y]; bits; bits &= bits - 1)
            cut_river_edge(halving, __builtin_ctzll(bits), y, &square_sides[LEFT], EDGE_DOWN);
        if (rivers->right >> y & 1)
            cut_river_edge(halving, cells, y, &square_sides[LEFT], EDGE_DOWN);
        for (uint64_t bits = rivers->diagonals[y]; bits; bits &= bits - 1) {
            const int x = __builtin_ctzll(bits);
            cut_river_edge(halving, x, y, &square_diagonals[(x + y) & 1], EDGE_DIAGONAL);
        }
    }
}

// The edges of cell (x, y) and of its pieces that carry a river: a bit an edge of Pieces.
static uint32_t rivers_of_pieces(const Halving *halving, int x, int y) {
    const RiverBits *coarse = &halving->from->rivers, *fine = &halving->to->rivers;
    const int cells = halving->from->cells, left = 2 * x, top = 2 * y;
    uint64_t edges = (fine->across[top] >> left & 3) << ACROSS;
    edges |= (fine->across[top + 2] >> left & 3) << (ACROSS + 4);
    for (int row = 0; row < 2; row++) {
        edges |= (fine->left[top + row] >> left & 1) << (DOWN + 3 * row);
        edges |= (river_right_edges(fine, 2 * cells, top + row) >> (left + 1) & 1) << (DOWN + 3 * row + 2);
        edges |= (fine->diagonals[top + row] >> left & 3) << (SPOKES + 2 * row);
    }
    edges |= (coarse->across[y] >> x & 1) << (UNCUT + TOP);
    edges |= (river_right_edges(coarse, cells, y) >> x & 1) << (UNCUT + RIGHT);
    edges |= (coarse->across[y + 1] >> x & 1) << (UNCUT + BOTTOM);
    edges |= (coarse->left[y] >> x & 1) << (UNCUT + LEFT);
    return (uint32_t)edges;
}

// The vertices and edges of the pieces of a cell, in the units of the coarser lattice.
typedef struct CellPieces {
    uint32_t rivers; // a bit an edge of Pieces
    double altitudes[9];
    uint32_t seeds[9];
    const LatticeCrossing *fine, *coarse;
} CellPieces;

static Vertex64 piece_vertex(const CellPieces *pieces, int i) {
    return (Vertex64){ whole_64(pieces->altitudes[i]), pieces->seeds[i] };
}

static Crossing64 piece_crossing(const Halving *halving, const CellPieces *pieces, int edge, bool turned) {
    if (!(pieces->rivers >> edge & 1))
        return (Crossing64){ 0 };
    const bool cut = edge < UNCUT;
    const LatticeCrossing *at = (cut ? pieces->fine : pieces->coarse) + halving->crossings[edge];
    return (Crossing64){ true, at->forwards != turned, at->basin, cut ? at->altitude >> 1 : at->altitude };
}

static CellPieces cell_pieces(const Halving *halving, int x, int y) {
    const Lattice *from = halving->from, *to = halving->to;
    CellPieces pieces = { .rivers = rivers_of_pieces(halving, x, y),
                          .fine = to->crossings + lattice_edge(to, 0, 2 * x, 2 * y),
                          .coarse = from->crossings + lattice_edge(from, 0, x, y) };
    for (int i = 0; i < 9; i++) {
        const int at = (2 * y + i / 3) * (to->cells + 1) + 2 * x + i % 3;
        pieces.altitudes[i] = 0.5 * to->altitudes[at];
        pieces.seeds[i] = to->seeds[at];
    }
    return pieces;
}

// Whether an edge without a river around it may be one's beginning.
static bool may_begin_at(const CellPieces *pieces, const ShortEdge *edge, const Limits *limits) {
    const double *at = pieces->altitudes;
    return source(at[edge->vertices[0]], at[edge->vertices[1]], at[edge->vertices[2]], at[edge->vertices[3]],
                  limits->k3, limits->k4);
}

// The new edges of cell (x, y), after its old ones.
static void find_short_edges(const Halving *halving, int x, int y) {
    CellPieces pieces = cell_pieces(halving, x, y);
    for (int i = 0; i < SHORT_EDGES; i++) {
        const ShortEdge *edge = &square_short_edges[(x + y) & 1][i];
        const uint8_t *edges = edge->edges, *vertices = edge->vertices;
        const uint32_t around = UINT32_C(1) << edges[0] | UINT32_C(1) << edges[1] | UINT32_C(1) << edges[2] |
                                UINT32_C(1) << edges[3];
        if (!(pieces.rivers & around) && !may_begin_at(&pieces, edge, halving->limits))
            continue;
        const Triangle64 triangle = { piece_vertex(&pieces, vertices[0]),
                                      piece_vertex(&pieces, vertices[1]),
                                      piece_vertex(&pieces, vertices[2]),
                                      piece_vertex(&pieces, vertices[3]),
                                      piece_crossing(halving, &pieces, edges[0], edge->turned[0]),
                                      piece_crossing(halving, &pieces, edges[1], edge->turned[1]),
                                      piece_crossing(halving, &pieces, edges[2], edge->turned[2]),
                                      piece_crossing(halving, &pieces, edges[3], edge->turned[3]) };
        const Crossing64 crossing = cross_short_edge64(
            halving->constants, i < SPOKES_FOUND ? &halving->larger : &halving->scales, &triangle);
        put_crossing(crossing, halving->to, x, y, halving->places[edge->edge]);
        pieces.rivers |= (uint32_t)crossing.river << edge->edge;
    }
}

static Scales64 scales_64(const Scales *scales) {
    return (Scales64){ whole_64(cut_off(scales->sea)),
                       whole_64(cut_off(scales->k3)),
                       whole_64(cut_off(scales->k4)),
                       whole_64(cut_off(scales->k7)),
                       whole_64(cut_off(scales->lowest)),
                       whole_64(cut_off(scales->highest)),
                       scales->length };
}

static Halving halving_of(const Constants *constants, const Scales *scales, const Limits *limits,
                          const Lattice *from, Lattice *to) {
    const Scales larger = spoke_scales(scales);
    Halving halving = {
        constants, scales_64(scales), scales_64(&larger), limits, from, to, { { 0 } }, { 0 }
    };
    for (int edge = 0; edge < UNCUT; edge++) {
        const EdgePlace place = halving.places[edge] = place_of(edge);
        halving.crossings[edge] = lattice_edge(to, place.kind, place.column, place.row);
    }
    halving.crossings[UNCUT + TOP] = lattice_edge(from, EDGE_ACROSS, 0, 0);
    halving.crossings[UNCUT + RIGHT] = lattice_edge(from, EDGE_DOWN, 1, 0);
    halving.crossings[UNCUT + BOTTOM] = lattice_edge(from, EDGE_ACROSS, 0, 1);
    halving.crossings[UNCUT + LEFT] = lattice_edge(from, EDGE_DOWN, 0, 0);
    return halving;
}

// `place`: depth, first cell and base of `from`.
static void cut_lattice(const Constants *constants, const Square *place, const Lattice *from, Lattice *to) {
    const Scales scales = square_scales(constants, place->depth, place->base);
    const Limits limits = { .k3 = cut_off(scales.k3),
                            .k4 = cut_off(scales.k4),
                            .lowest = cut_off(scales.lowest),
                            .highest = cut_off(scales.highest),
                            .side = side_step(constants),
                            .diagonal = diagonal_step(constants),
                            .k2 = constants->k2,
                            .guide = constants->guide && place->depth < constants->guide->depth
                                         ? constants->guide
                                         : NULL,
                            .place = *place };
    const int cells = from->cells;
    to->cells = 2 * cells;
    to->rivers = (RiverBits){ 0 };
    uint64_t near_rivers[LATTICE_CELLS];
    NewRow new;
    for (int y = 0; y < cells; y++)
        near_rivers[y] =
            cut_row(from, to, y, &limits, constants->rivers, &new) | river_cells(&from->rivers, cells, y);
    const Halving halving = halving_of(constants, &scales, &limits, from, to);
    cut_river_edges(&halving);
    for (int y = 0; y < cells; y++)
        for (uint64_t bits = near_rivers[y]; bits; bits &= bits - 1)
            find_short_edges(&halving, __builtin_ctzll(bits), y);
}

bool lattice_holds(const Square *square, int depth) {
    const int64_t most = (int64_t)1 << (50 - depth);
    for (int i = 0; i < 4; i++)
        if (square->corners[i].altitude > most || square->corners[i].altitude < -most ||
            square->sides[i].altitude > most || square->sides[i].altitude < -most)
            return false;
    return square->diagonal.altitude <= most && square->diagonal.altitude >= -most;
}

const Lattice *lattice_fill(const Constants *constants, const Square *square, int depth, LatticePair *pair) {
    // The first cut is that of the square, whose diagonal may rise.
    Lattice *lattice = &pair->at[0];
    const Scales scales = square_scales(constants, square->depth, square->base);
    const Pieces pieces = square_cut(constants, &scales, square);
    lattice->cells = 2;
    lattice->rivers = (RiverBits){ 0 };
    for (int i = 0; i < 9; i++)
        put_vertex((Altitude64)pieces.vertices[i].altitude, pieces.vertices[i].seed, lattice, i % 3, i / 3);
    for (int edge = 0; edge < UNCUT; edge++) {
        const Crossing *cut = &pieces.edges[edge];
        put_crossing((Crossing64){ cut->river, cut->forwards, cut->basin, (Altitude64)cut->altitude },
                     lattice, 0, 0, place_of(edge));
    }
    for (int level = 1; level < depth; level++) {
        Lattice *finer = &pair->at[level % 2];
        const Square place = lattice_place(square, level);
        cut_lattice(constants, &place, lattice, finer);
        lattice = finer;
    }
    return lattice;
}

void lattice_visit(const Constants *constants, const Square *square, int depth, LatticePair *pair,
                   const LatticeVisitor *visitor, void *context, int x, int y) {
    if (depth == 0) {
        visitor->cell(context, square, x, y);
        return;
    }
    if (lattice_holds(square, depth)) {
        visitor->lattice(context, square, lattice_fill(constants, square, depth, pair), x, y);
        return;
    }
    const CliffLattice *cliff = cliff_fill(constants, square, depth, &pair->cliffs);
    if (cliff) {
        if (visitor->cliff)
            visitor->cliff(context, square, cliff, x, y);
        return;
    }
    const int half = 1 << (depth - 1);
    Square quarters[4];
    square_split(constants, square, quarters);
    for (int corner = 0; corner < 4; corner++)
        lattice_visit(constants, &quarters[corner], depth - 1, pair, visitor, context, x + corner % 2 * half,
                      y + corner / 2 * half);
}
