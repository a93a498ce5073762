#include "rivermap/square/lattice.h"

#include "core/math.h"
#include "core/whole.h"

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
    uint8_t begins[LATTICE_CELLS];
    for (int i = 0; i < cells; i++) {
        const int rises = (i + row) & 1;
        const double a = upper[i], b = upper[i + 1], c = lower[i], d = lower[i + 1], m = new->centre[i];
        const double west = rises ? c : a, east = rises ? b : d, north = rises ? a : b, south = rises ? d : c;
        begins[i] =
            (uint8_t)(source(north, west, east, m, k3, k4) | source(south, west, east, m, k3, k4) |
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

static Vertex vertex_at(const Lattice *lattice, int x, int y) {
    const int at = y * (lattice->cells + 1) + x;
    return (Vertex){ whole_64(lattice->altitudes[at]), lattice->seeds[at] };
}

static Crossing crossing_at(uint64_t rivers, int bit, const LatticeCrossing *crossing) {
    if (!(rivers >> bit & 1))
        return (Crossing){ 0 };
    return (Crossing){ true, crossing->forwards, crossing->basin, crossing->altitude };
}

static void put_crossing(Crossing crossing, uint64_t *rivers, int bit, LatticeCrossing *to) {
    if (!crossing.river)
        return;
    *rivers |= UINT64_C(1) << bit;
    *to = (LatticeCrossing){ (int64_t)(2 * crossing.altitude), crossing.basin, crossing.forwards };
}

// The edge left of cell (x, y); x may be one more than there are cells.
static uint64_t *left_bits(Lattice *lattice, int x, int y, int *bit) {
    const bool last = x == lattice->cells;
    *bit = last ? y : x;
    return last ? &lattice->rivers.right : &lattice->rivers.left[y];
}

static void put_vertex(Vertex vertex, Lattice *lattice, int x, int y) {
    const int at = y * (lattice->cells + 1) + x;
    lattice->altitudes[at] = (double)(int64_t)(2 * vertex.altitude);
    lattice->seeds[at] = vertex.seed;
}

// Stores the result of cutting the cell at (x, y), over what the loops have written for it.
static void put_pieces(const Pieces *pieces, Lattice *to, int x, int y) {
    const int left = 2 * x, top = 2 * y, width = to->cells;
    const Cut *sides = pieces->sides;
    put_vertex(pieces->centre, to, left + 1, top + 1);
    put_vertex(sides[TOP].vertex, to, left + 1, top);
    put_vertex(sides[BOTTOM].vertex, to, left + 1, top + 2);
    put_vertex(sides[LEFT].vertex, to, left, top + 1);
    put_vertex(sides[RIGHT].vertex, to, left + 2, top + 1);
    for (int corner = 0; corner < 4; corner++) {
        const int column = left + corner % 2, row = top + corner / 2;
        put_crossing(pieces->spokes[corner], &to->rivers.diagonals[row], column,
                     &to->diagonals[row * width + column]);
    }
    const Crossing across[3][2] = { { sides[TOP].first, sides[TOP].second },
                                    { pieces->inner[LEFT], pieces->inner[RIGHT] },
                                    { sides[BOTTOM].first, sides[BOTTOM].second } };
    const Crossing down[2][3] = { { sides[LEFT].first, pieces->inner[TOP], sides[RIGHT].first },
                                  { sides[LEFT].second, pieces->inner[BOTTOM], sides[RIGHT].second } };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) {
            put_crossing(across[i][j], &to->rivers.across[top + i], left + j,
                         &to->across[(top + i) * width + left + j]);
            int bit;
            uint64_t *rivers = left_bits(to, left + i, top + j, &bit);
            put_crossing(down[j][i], rivers, bit, &to->down[(top + j) * (width + 1) + left + i]);
        }
}

uint64_t river_right_edges(const RiverBits *rivers, int cells, int y) {
    return rivers->left[y] >> 1 | (rivers->right >> y & 1) << (cells - 1);
}

uint64_t river_cells(const RiverBits *rivers, int cells, int y) {
    return rivers->across[y] | rivers->across[y + 1] | rivers->left[y] | river_right_edges(rivers, cells, y) |
           rivers->diagonals[y];
}

Square lattice_square(const Lattice *lattice, const Square *place, int x, int y) {
    const int cells = lattice->cells;
    const RiverBits *rivers = &lattice->rivers;
    const LatticeCrossing *across = lattice->across + y * cells + x,
                          *down = lattice->down + y * (cells + 1) + x;
    return (Square){
        .depth = place->depth,
        .base = place->base,
        .x = place->x + (uint64_t)x,
        .y = place->y + (uint64_t)y,
        .rising = (x + y) & 1,
        .corners = { vertex_at(lattice, x, y), vertex_at(lattice, x + 1, y), vertex_at(lattice, x, y + 1),
                     vertex_at(lattice, x + 1, y + 1) },
        .sides = { [TOP] = crossing_at(rivers->across[y], x, across),
                   [RIGHT] = crossing_at(river_right_edges(rivers, cells, y), x, down + 1),
                   [BOTTOM] = crossing_at(rivers->across[y + 1], x, across + cells),
                   [LEFT] = crossing_at(rivers->left[y], x, down) },
        .diagonal = crossing_at(rivers->diagonals[y], x, &lattice->diagonals[y * cells + x]),
    };
}

Square lattice_place(const Square *square, int depth) {
    return (Square){ .depth = square->depth + depth,
                     .base = square->base * ((Int128)1 << depth),
                     .x = square->x << depth,
                     .y = square->y << depth };
}

static void cut_cell(const Constants *constants, const Scales *scales, const Square *place,
                     const Lattice *from, Lattice *to, int x, int y) {
    const Square square = lattice_square(from, place, x, y);
    const Pieces pieces = square_cut(constants, scales, &square);
    put_pieces(&pieces, to, x, y);
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
    for (int y = 0; y < cells; y++)
        for (uint64_t bits = near_rivers[y]; bits; bits &= bits - 1)
            cut_cell(constants, &scales, place, from, to, __builtin_ctzll(bits), y);
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
    for (int corner = 0; corner < 4; corner++)
        put_vertex(square->corners[corner], lattice, corner % 2 * 2, corner / 2 * 2);
    put_pieces(&pieces, lattice, 0, 0);
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
    const int half = 1 << (depth - 1);
    Square quarters[4];
    square_split(constants, square, quarters);
    for (int corner = 0; corner < 4; corner++)
        lattice_visit(constants, &quarters[corner], depth - 1, pair, visitor, context, x + corner % 2 * half,
                      y + corner / 2 * half);
}
