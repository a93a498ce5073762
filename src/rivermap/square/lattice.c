#include "rivermap/square/lattice.h"

#include "core/math.h"
#include "core/whole.h"
#include "rivermap/rules_64.h"

#include <math.h>
#include <string.h>

// --- all edges, as if there were no rivers -----------------------------------------------------------------

// The constants' altitudes, clamped to a lattice's range, and values that all edges share.
typedef struct Limits {
    struct {
        double k3, k4, lowest, highest;
    } wide;
    struct {
        int32_t k3, k4, lowest, highest;
    } narrow;
    float side, diagonal, k2;
    const Guide *guide; // NULL also where the lattice is finer than it; narrow lattices have none
    Square place;       // of the lattice: depth, x and y of its first cell, base
} Limits;

enum { COARSE_VERTICES = (LATTICE_CELLS / 2 + 1) * (LATTICE_CELLS / 2 + 1) };

// The guide's altitude at (x, y) in halves of a cell from the lattice's corner.
static double lattice_guided(const Limits *limits, int x, int y) {
    const Square *place = &limits->place;
    const double units = (double)UNITS_PER_CELL * (double)(UINT64_C(1) << place->depth);
    return (double)(guide_altitude(limits->guide, 2 * place->x + (uint64_t)x, 2 * place->y + (uint64_t)y,
                                   place->depth + 1, units) -
                    (int64_t)place->base);
}

// --- wide --------------------------------------------------------------------------------------------------

// Altitudes are even after doubling, so half a sum is an integer.
KERNEL_INLINE double cut_edge_wide(double a, double b, uint32_t seed, float step, const Limits *limits) {
    const float moved = displacement(step, limits->k2, (float)(a - b), seed);
    const double altitude = 0.5 * (a + b) + (double)truncf(moved);
    return clamp(altitude, limits->wide.lowest, limits->wide.highest);
}

#define Number double
#define WIDTH wide
#define GUIDED
#define NewVertices NewVertices_wide
#define cut_edge cut_edge_wide
#define cut_edges cut_edges_wide
#define cut_diagonals cut_diagonals_wide
#define source source_wide
#define may_begin may_begin_wide
#define beginnings beginnings_wide
#define interleave_row interleave_row_wide
#define cut_all cut_all_wide

#include "rivermap/square/lattice_rows_text.h"

// --- narrow ------------------------------------------------------------------------------------------------

KERNEL_INLINE int32_t cut_edge_narrow(int32_t a, int32_t b, uint32_t seed, float step, const Limits *limits) {
    const float moved = displacement(step, limits->k2, (float)(a - b), seed);
    const int32_t altitude = ((a + b) >> 1) + whole_unchecked(moved);
    return clamp(altitude, limits->narrow.lowest, limits->narrow.highest);
}

#define Number int32_t
#define WIDTH narrow
#define NewVertices NewVertices_narrow
#define cut_edge cut_edge_narrow
#define cut_edges cut_edges_narrow
#define cut_diagonals cut_diagonals_narrow
#define source source_narrow
#define may_begin may_begin_narrow
#define beginnings beginnings_narrow
#define interleave_row interleave_row_narrow
#define cut_all cut_all_narrow

#include "rivermap/square/lattice_rows_text.h"

// --- either ------------------------------------------------------------------------------------------------

// Sets vertices, not rivers, of a lattice twice as fine. `begin`: gets, for each row of cells, those in which
// rivers begin, a bit a column.
static void lattice_cut(const Lattice *from, Lattice *to, const Limits *limits, bool rivers,
                        uint64_t *begin) {
    if (from->is_narrow)
        cut_all_narrow(from, to, limits, rivers, begin);
    else
        cut_all_wide(from, to, limits, rivers, begin);
}

// --- cells near rivers -------------------------------------------------------------------------------------

static double cut_off(Altitude altitude) {
    const Altitude most = (Altitude)1 << 52;
    return (double)clamp(altitude, -most, most);
}

static Vertex64 vertex_at(const Lattice *lattice, int x, int y) {
    const int at = y * (lattice->cells + 1) + x;
    return (Vertex64){ lattice_altitude(lattice, at), lattice->seeds[at] };
}

static void put_vertex(Altitude64 altitude, uint32_t seed, Lattice *lattice, int x, int y) {
    const int at = y * (lattice->cells + 1) + x;
    if (lattice->is_narrow)
        lattice->narrow[at] = (int32_t)(2 * altitude);
    else
        lattice->wide[at] = (double)(2 * altitude);
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
    uint32_t halves[2][SHORT_EDGES]
                   [2]; // the edges around a short edge, by side of it: a bit an edge of Pieces
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
    if (limits->guide)
        cut.vertex.altitude = min(cut.vertex.altitude, whole_64(lattice_guided(limits, column, row)));
    put_vertex(cut.vertex.altitude, cut.vertex.seed, to, column, row);
    put_crossing(cut.first, to, x, y, halving->places[edge->halves[0]]);
    put_crossing(cut.second, to, x, y, halving->places[edge->halves[1]]);
}

// All of them; the last row and column end with sides of cells beyond them.
static void cut_river_edges(const Halving *halving) {
    const RiverBits *rivers = &halving->from->rivers;
    const CellArea area = halving->from->area;
    const int cells = halving->from->cells;
    const uint64_t columns = area_columns(area), sides = columns | columns << 1;
    for (int y = area.top; y <= area.bottom; y++)
        for (uint64_t bits = rivers->across[y] & columns; bits; bits &= bits - 1)
            cut_river_edge(halving, __builtin_ctzll(bits), y, &square_sides[TOP], EDGE_ACROSS);
    for (int y = area.top; y < area.bottom; y++) {
        for (uint64_t bits = rivers->left[y] & sides; bits; bits &= bits - 1)
            cut_river_edge(halving, __builtin_ctzll(bits), y, &square_sides[LEFT], EDGE_DOWN);
        if (area.right == cells && rivers->right >> y & 1)
            cut_river_edge(halving, cells, y, &square_sides[LEFT], EDGE_DOWN);
        for (uint64_t bits = rivers->diagonals[y] & columns; bits; bits &= bits - 1) {
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
    Altitude64 altitudes[9];
    uint32_t seeds[9];
    const LatticeCrossing *crossings[2]; // in the coarser lattice and in the finer one
} CellPieces;

static Vertex64 piece_vertex(const CellPieces *pieces, int i) {
    return (Vertex64){ pieces->altitudes[i], pieces->seeds[i] };
}

static Crossing64 piece_crossing(const Halving *halving, const CellPieces *pieces, int edge, bool turned) {
    const bool cut = edge < UNCUT;
    const LatticeCrossing *at = pieces->crossings[cut] + halving->crossings[edge];
    return (Crossing64){ pieces->rivers >> edge & 1, at->forwards != turned, at->basin, at->altitude >> cut };
}

static CellPieces cell_pieces(const Halving *halving, int x, int y) {
    const Lattice *from = halving->from, *to = halving->to;
    CellPieces pieces = { .rivers = rivers_of_pieces(halving, x, y),
                          .crossings = { from->crossings + lattice_edge(from, 0, x, y),
                                         to->crossings + lattice_edge(to, 0, 2 * x, 2 * y) } };
    for (int i = 0; i < 9; i++) {
        const int at = (2 * y + i / 3) * (to->cells + 1) + 2 * x + i % 3;
        pieces.altitudes[i] = lattice_altitude(to, at) >> 1;
        pieces.seeds[i] = to->seeds[at];
    }
    return pieces;
}

// Whether an edge without a river around it may be one's beginning.
static bool may_begin_at(const CellPieces *pieces, const ShortEdge *edge, const Scales64 *scales) {
    const Altitude64 *at = pieces->altitudes, a = at[edge->vertices[1]], b = at[edge->vertices[2]];
    return source_between64(at[edge->vertices[0]], max(a, b), min(a, b), at[edge->vertices[3]], scales->k3,
                            scales->k4);
}

// Whether two rivers on one half may get a third, which few do: seeds tell before all else is looked up.
static bool may_branch_at(const CellPieces *pieces, const ShortEdge *edge, const Scales64 *scales,
                          const Constants *constants) {
    const uint32_t seed = edge_seed(pieces->seeds[edge->vertices[0]], pieces->seeds[edge->vertices[3]]);
    return constants->paper || branches(constants, scales, seed);
}

// The new edges of cell (x, y), after its old ones.
static void find_short_edges(const Halving *halving, int x, int y) {
    CellPieces pieces = cell_pieces(halving, x, y);
    for (int i = 0; i < SHORT_EDGES; i++) {
        const ShortEdge *edge = &square_short_edges[(x + y) & 1][i];
        const uint8_t *edges = edge->edges, *vertices = edge->vertices;
        const Scales64 *scales = i < SPOKES_FOUND ? &halving->larger : &halving->scales;
        const uint32_t *halves = halving->halves[(x + y) & 1][i];
        const uint32_t rivers = pieces.rivers & (halves[0] | halves[1]);
        if (rivers == 0 ? !may_begin_at(&pieces, edge, scales)
                        : (rivers == halves[0] || rivers == halves[1]) &&
                              !may_branch_at(&pieces, edge, scales, halving->constants))
            continue;
        const Triangle64 triangle = { piece_vertex(&pieces, vertices[0]),
                                      piece_vertex(&pieces, vertices[1]),
                                      piece_vertex(&pieces, vertices[2]),
                                      piece_vertex(&pieces, vertices[3]),
                                      piece_crossing(halving, &pieces, edges[0], edge->turned[0]),
                                      piece_crossing(halving, &pieces, edges[1], edge->turned[1]),
                                      piece_crossing(halving, &pieces, edges[2], edge->turned[2]),
                                      piece_crossing(halving, &pieces, edges[3], edge->turned[3]) };
        const Crossing64 crossing = cross_short_edge64(halving->constants, scales, &triangle);
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
    Halving halving = { constants, scales_64(scales), scales_64(&larger), limits, from, to, { { 0 } },
                        { 0 },     { { { 0 } } } };
    for (int i = 0; i < 2 * SHORT_EDGES; i++) {
        const uint8_t *edges = square_short_edges[i / SHORT_EDGES][i % SHORT_EDGES].edges;
        uint32_t *halves = halving.halves[i / SHORT_EDGES][i % SHORT_EDGES];
        halves[0] = UINT32_C(1) << edges[0] | UINT32_C(1) << edges[3];
        halves[1] = UINT32_C(1) << edges[1] | UINT32_C(1) << edges[2];
    }
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

// --- all of it ---------------------------------------------------------------------------------------------

// Altitudes of a lattice that is to be cut `cuts` times more may be narrow up to here. By a cut, with k2 up
// to 0.8, those of vertices grow to 2.6 times as much and a step of a cell and a half, and cuts to come only
// double those of rivers: none leaves the 31 bits.
static int64_t narrow_most(int cuts) {
    return (int64_t)1 << (26 - cuts);
}

KERNEL static bool is_flat(const int32_t *altitudes, int count, int32_t most) {
    int32_t high = 0, low = 0;
    for (int i = 0; i < count; i++) {
        high = max(high, altitudes[i]);
        low = min(low, altitudes[i]);
    }
    return high <= most && low >= -most;
}

// From the last to the first, since they share their place.
static void widen(Lattice *lattice) {
    for (int i = (lattice->cells + 1) * (lattice->cells + 1) - 1; i >= 0; i--)
        lattice->wide[i] = (double)lattice->narrow[i];
    lattice->is_narrow = false;
}

static int32_t narrow_limit(Altitude altitude) {
    const Altitude most = (Altitude)1 << 30;
    return (int32_t)clamp(altitude, -most, most);
}

// `place`: depth, first cell and base of `from`.
static void cut_lattice(const Constants *constants, const Square *place, const Lattice *from, Lattice *to) {
    const Scales scales = square_scales(constants, place->depth, place->base);
    const Limits limits = {
        .wide = { cut_off(scales.k3), cut_off(scales.k4), cut_off(scales.lowest), cut_off(scales.highest) },
        .narrow = { narrow_limit(scales.k3), narrow_limit(scales.k4), narrow_limit(scales.lowest),
                    narrow_limit(scales.highest) },
        .side = side_step(constants),
        .diagonal = diagonal_step(constants),
        .k2 = constants->k2,
        .guide = constants->guide && place->depth < constants->guide->depth ? constants->guide : NULL,
        .place = *place
    };
    const int cells = from->cells;
    to->cells = 2 * cells;
    to->is_narrow = from->is_narrow;
    to->rivers = (RiverBits){ 0 };
    uint64_t begin[LATTICE_CELLS / 2];
    lattice_cut(from, to, &limits, constants->rivers, begin);
    const Halving halving = halving_of(constants, &scales, &limits, from, to);
    cut_river_edges(&halving);
    const uint64_t columns = area_columns(from->area);
    for (int y = from->area.top; y < from->area.bottom; y++)
        for (uint64_t bits = (begin[y] | river_cells(&from->rivers, cells, y)) & columns; bits;
             bits &= bits - 1)
            find_short_edges(&halving, __builtin_ctzll(bits), y);
}

static bool is_within(const Square *square, int64_t most) {
    for (int i = 0; i < 4; i++)
        if (square->corners[i].altitude > most || square->corners[i].altitude < -most ||
            square->sides[i].altitude > most || square->sides[i].altitude < -most)
            return false;
    return square->diagonal.altitude <= most && square->diagonal.altitude >= -most;
}

bool lattice_holds(const Square *square, int depth) {
    return is_within(square, (int64_t)1 << (50 - depth));
}

Square lattice_place(const Square *square, int depth) {
    return (Square){ .depth = square->depth + depth,
                     .base = square->base * ((Int128)1 << depth),
                     .x = square->x << depth,
                     .y = square->y << depth };
}

// Of a lattice, whose cells have 2^finer of the finest in a row, those that are to be cut for some of these.
// They begin in an even row, in which the first diagonal falls.
static CellArea area_above(CellArea area, int finer) {
    const int last = (1 << finer) - 1;
    return (CellArea){ area.left >> finer, (area.right + last) >> finer, (area.top >> finer) & ~1,
                       (area.bottom + last) >> finer };
}

const Lattice *lattice_fill(const Constants *constants, const Square *square, int depth, CellArea area,
                            LatticePair *pair) {
    // The first cut is that of the square, whose diagonal may rise.
    Lattice *lattice = &pair->at[0];
    const Scales scales = square_scales(constants, square->depth, square->base);
    const Pieces pieces = square_cut(constants, &scales, square);
    lattice->cells = 2;
    lattice->is_narrow = is_within(square, narrow_most(depth)) &&
                         !(constants->guide && square->depth < constants->guide->depth);
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
        lattice->area = area_above(area, depth - level);
        const int vertices = lattice->cells + 1, first = lattice->area.top * vertices;
        if (lattice->is_narrow &&
            !is_flat(lattice->narrow + first, (lattice->area.bottom + 1) * vertices - first,
                     (int32_t)narrow_most(depth - level)))
            widen(lattice);
        const Square place = lattice_place(square, level);
        cut_lattice(constants, &place, lattice, finer);
        lattice = finer;
    }
    lattice->area = area;
    return lattice;
}

// --- squares, cell by cell ---------------------------------------------------------------------------------

static Vertex corner_at(const Lattice *lattice, int x, int y) {
    const int at = y * (lattice->cells + 1) + x;
    return (Vertex){ lattice_altitude(lattice, at), lattice->seeds[at] };
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

// The part of `area` that lies in a quarter of `half` cells a side, as seen from it.
static CellArea area_of_quarter(CellArea area, int corner, int half) {
    const int x = corner % 2 * half, y = corner / 2 * half;
    return (CellArea){ clamp(area.left - x, 0, half), clamp(area.right - x, 0, half),
                       clamp(area.top - y, 0, half), clamp(area.bottom - y, 0, half) };
}

void lattice_visit(const Constants *constants, const Square *square, int depth, CellArea area,
                   LatticePair *pair, const LatticeVisitor *visitor, void *context, int x, int y) {
    if (area.left >= area.right || area.top >= area.bottom)
        return;
    if (depth == 0) {
        visitor->cell(context, square, x, y);
        return;
    }
    if (lattice_holds(square, depth)) {
        visitor->lattice(context, square, lattice_fill(constants, square, depth, area, pair), x, y);
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
        lattice_visit(constants, &quarters[corner], depth - 1, area_of_quarter(area, corner, half), pair,
                      visitor, context, x + corner % 2 * half, y + corner / 2 * half);
}
