#include "subdivision/lattice.h"

#include <math.h>
#include <string.h>

// The constants' altitudes, cut off at what 32 bits hold, and what all rows share.
typedef struct Limits {
    int32_t k3, k4, lowest, highest;
    float side, diagonal, k2;
    const Guide *guide; // NULL also where the lattice is finer than it
    Square place;       // of the lattice: depth, x and y of its first cell, base
} Limits;

// Of the vertices that a row of cells gets, before they are put in order.
typedef struct NewRow {
    int32_t top[LATTICE_CELLS], bottom[LATTICE_CELLS], left[LATTICE_CELLS + 1], centre[LATTICE_CELLS];
    uint32_t top_seeds[LATTICE_CELLS], bottom_seeds[LATTICE_CELLS], left_seeds[LATTICE_CELLS + 1];
    uint32_t centre_seeds[LATTICE_CELLS];
    uint8_t near_river[LATTICE_CELLS];
} NewRow;

static int32_t cut_off(Altitude altitude) {
    const Altitude most = INT32_MAX - 1;
    return (int32_t)(altitude > most ? most : altitude < -most ? -most : altitude);
}

KERNEL_INLINE int32_t cut_edge(int32_t a, int32_t b, uint32_t seed, float step, const Limits *limits) {
    const float moved = displacement(step, limits->k2, (float)(a - b), seed);
    const int32_t altitude = ((a + b) >> 1) + (int32_t)moved;
    const int32_t above = altitude > limits->lowest ? altitude : limits->lowest;
    return above < limits->highest ? above : limits->highest;
}

// The cuts of `count` edges without rivers, from a[i] to b[i].
KERNEL_INLINE void cut_edges(const int32_t *restrict a, const int32_t *restrict b,
                             const uint32_t *restrict a_seeds, const uint32_t *restrict b_seeds, int count,
                             float step, const Limits *limits, int32_t *restrict altitudes,
                             uint32_t *restrict seeds) {
    for (int i = 0; i < count; i++) {
        seeds[i] = mix_seeds(a_seeds[i], b_seeds[i]);
        altitudes[i] = cut_edge(a[i], b[i], seeds[i], step, limits);
    }
}

// `rising`: 1 where the first cell's diagonal rises.
KERNEL_INLINE void cut_diagonals(const int32_t *restrict upper, const int32_t *restrict lower,
                                 const uint32_t *restrict upper_seeds, const uint32_t *restrict lower_seeds,
                                 int count, int rising, const Limits *limits, int32_t *restrict altitudes,
                                 uint32_t *restrict seeds) {
    for (int i = 0; i < count; i++) {
        const bool rises = (i + rising) & 1;
        const int32_t west = rises ? lower[i] : upper[i], east = rises ? upper[i + 1] : lower[i + 1];
        const uint32_t west_seed = rises ? lower_seeds[i] : upper_seeds[i];
        const uint32_t east_seed = rises ? upper_seeds[i + 1] : lower_seeds[i + 1];
        seeds[i] = mix_seeds(west_seed, east_seed);
        altitudes[i] = cut_edge(west, east, seeds[i], limits->diagonal, limits);
    }
}

// `count` cuts, two halves of a cell apart, the first at (x, y) in halves of a cell from the lattice's
// corner.
static void follow_guide(const Limits *limits, int x, int y, int count, int32_t *altitudes) {
    const Square *place = &limits->place;
    const double units = (double)UNITS_PER_CELL * (double)(UINT64_C(1) << place->depth);
    for (int i = 0; i < count; i++)
        altitudes[i] = (int32_t)(guide_altitude(limits->guide, 2 * place->x + (uint64_t)(x + 2 * i),
                                                2 * place->y + (uint64_t)y, place->depth + 1, units) -
                                 (int64_t)place->base);
}

KERNEL_INLINE int source(int32_t h0, int32_t h1, int32_t h2, int32_t h3, int32_t k3, int32_t k4) {
    const int32_t high = h1 > h2 ? h1 : h2, low = h1 > h2 ? h2 : h1;
    return (high > k3) & (low < k4) & (low < h0) & (low < h3);
}

// Cells that have a river on an edge or may get one.
KERNEL_INLINE void find_rivers(const Lattice *lattice, int row, const Limits *limits, NewRow *restrict new) {
    const int cells = lattice->cells;
    const int32_t *restrict upper = lattice->altitudes + row * (cells + 1), *restrict lower =
                                                                                upper + cells + 1;
    const int32_t *restrict top = lattice->across + row * cells, *restrict bottom = top + cells;
    const int32_t *restrict left = lattice->down + row * (cells + 1);
    const int32_t *restrict diagonal = lattice->diagonals + row * cells;
    const int32_t k3 = limits->k3, k4 = limits->k4;
    for (int i = 0; i < cells; i++) {
        const int rises = (i + row) & 1;
        const int32_t a = upper[i], b = upper[i + 1], c = lower[i], d = lower[i + 1], m = new->centre[i];
        const int32_t west = rises ? c : a, east = rises ? b : d, north = rises ? a : b,
                      south = rises ? d : c;
        const int begins = source(north, west, east, m, k3, k4) | source(south, west, east, m, k3, k4) |
                           source(m, a, b, new->top[i], k3, k4) | source(m, c, d, new->bottom[i], k3, k4) |
                           source(m, a, c, new->left[i], k3, k4) | source(m, b, d, new->left[i + 1], k3, k4);
        const int flows = (top[i] != NO_RIVER) | (bottom[i] != NO_RIVER) | (left[i] != NO_RIVER) |
                          (left[i + 1] != NO_RIVER) | (diagonal[i] != NO_RIVER);
        new->near_river[i] = (uint8_t)(begins | flows);
    }
}

// All in the next level's units, in which altitudes are twice as much: even places from `even`, odd from
// `odd`.
KERNEL_INLINE void weave_row(const int32_t *restrict even, const int32_t *restrict odd,
                             const uint32_t *restrict even_seeds, const uint32_t *restrict odd_seeds,
                             int cells, int32_t *restrict altitudes, uint32_t *restrict seeds) {
    for (int i = 0; i < cells; i++) {
        altitudes[2 * i] = 2 * even[i];
        altitudes[2 * i + 1] = 2 * odd[i];
        seeds[2 * i] = even_seeds[i];
        seeds[2 * i + 1] = odd_seeds[i];
    }
    altitudes[2 * cells] = 2 * even[cells];
    seeds[2 * cells] = even_seeds[cells];
}

KERNEL static void cut_row(const Lattice *from, Lattice *to, int row, const Limits *limits, bool rivers,
                           NewRow *new) {
    const int cells = from->cells;
    const bool last = row + 1 == cells;
    const int32_t *upper = from->altitudes + row * (cells + 1), *lower = upper + cells + 1;
    const uint32_t *upper_seeds = from->seeds + row * (cells + 1), *lower_seeds = upper_seeds + cells + 1;
    cut_edges(upper, upper + 1, upper_seeds, upper_seeds + 1, cells, limits->side, limits, new->top,
              new->top_seeds);
    cut_edges(upper, lower, upper_seeds, lower_seeds, cells + 1, limits->side, limits, new->left,
              new->left_seeds);
    cut_diagonals(upper, lower, upper_seeds, lower_seeds, cells, row & 1, limits, new->centre,
                  new->centre_seeds);
    if (rivers || last)
        cut_edges(lower, lower + 1, lower_seeds, lower_seeds + 1, cells, limits->side, limits, new->bottom,
                  new->bottom_seeds);
    if (limits->guide) {
        follow_guide(limits, 1, 2 * row, cells, new->top);
        follow_guide(limits, 0, 2 * row + 1, cells + 1, new->left);
        follow_guide(limits, 1, 2 * row + 1, cells, new->centre);
        follow_guide(limits, 1, 2 * row + 2, cells, new->bottom);
    }
    const int finer = 2 * cells + 1;
    int32_t *altitudes = to->altitudes + 2 * row * finer;
    uint32_t *seeds = to->seeds + 2 * row * finer;
    weave_row(upper, new->top, upper_seeds, new->top_seeds, cells, altitudes, seeds);
    weave_row(new->left, new->centre, new->left_seeds, new->centre_seeds, cells, altitudes + finer,
              seeds + finer);
    if (last)
        weave_row(lower, new->bottom, lower_seeds, new->bottom_seeds, cells, altitudes + 2 * finer,
                  seeds + 2 * finer);
    if (rivers)
        find_rivers(from, row, limits, new);
}

static Vertex vertex_at(const Lattice *lattice, int x, int y) {
    const int at = y * (lattice->cells + 1) + x;
    return (Vertex){ lattice->altitudes[at], lattice->seeds[at] };
}

static Crossing crossing_at(const int32_t *altitudes, const float *basins, int at) {
    if (altitudes[at] == NO_RIVER)
        return (Crossing){ 0 };
    return (Crossing){ true, !signbit(basins[at]), fabsf(basins[at]), altitudes[at] };
}

static void put_crossing(Crossing crossing, int32_t *altitudes, float *basins, int at) {
    altitudes[at] = crossing.river ? (int32_t)(2 * crossing.altitude) : NO_RIVER;
    basins[at] = crossing.forwards ? crossing.basin : -crossing.basin;
}

static void put_vertex(Vertex vertex, Lattice *lattice, int x, int y) {
    const int at = y * (lattice->cells + 1) + x;
    lattice->altitudes[at] = (int32_t)(2 * vertex.altitude);
    lattice->seeds[at] = vertex.seed;
}

// What cutting the cell at (x, y) gave, over what the loops have written for it.
static void put_pieces(const Pieces *pieces, Lattice *to, int x, int y) {
    const int left = 2 * x, top = 2 * y, width = to->cells;
    const Cut *sides = pieces->sides;
    put_vertex(pieces->centre, to, left + 1, top + 1);
    put_vertex(sides[TOP].vertex, to, left + 1, top);
    put_vertex(sides[BOTTOM].vertex, to, left + 1, top + 2);
    put_vertex(sides[LEFT].vertex, to, left, top + 1);
    put_vertex(sides[RIGHT].vertex, to, left + 2, top + 1);
    for (int corner = 0; corner < 4; corner++)
        put_crossing(pieces->spokes[corner], to->diagonals, to->diagonal_basins,
                     (top + corner / 2) * width + left + corner % 2);
    const Crossing across[3][2] = { { sides[TOP].first, sides[TOP].second },
                                    { pieces->inner[LEFT], pieces->inner[RIGHT] },
                                    { sides[BOTTOM].first, sides[BOTTOM].second } };
    const Crossing down[2][3] = { { sides[LEFT].first, pieces->inner[TOP], sides[RIGHT].first },
                                  { sides[LEFT].second, pieces->inner[BOTTOM], sides[RIGHT].second } };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) {
            put_crossing(across[i][j], to->across, to->across_basins, (top + i) * width + left + j);
            put_crossing(down[j][i], to->down, to->down_basins, (top + j) * (width + 1) + left + i);
        }
}

Square lattice_square(const Lattice *lattice, const Square *place, int x, int y) {
    const int cells = lattice->cells;
    const float *across = lattice->across_basins, *down = lattice->down_basins;
    return (Square){
        .depth = place->depth,
        .base = place->base,
        .x = place->x + (uint64_t)x,
        .y = place->y + (uint64_t)y,
        .rising = (x + y) & 1,
        .corners = { vertex_at(lattice, x, y), vertex_at(lattice, x + 1, y), vertex_at(lattice, x, y + 1),
                     vertex_at(lattice, x + 1, y + 1) },
        .sides = { [TOP] = crossing_at(lattice->across, across, y * cells + x),
                   [RIGHT] = crossing_at(lattice->down, down, y * (cells + 1) + x + 1),
                   [BOTTOM] = crossing_at(lattice->across, across, (y + 1) * cells + x),
                   [LEFT] = crossing_at(lattice->down, down, y * (cells + 1) + x) },
        .diagonal = crossing_at(lattice->diagonals, lattice->diagonal_basins, y * cells + x),
    };
}

Square lattice_place(const Square *square, int depth) {
    return (Square){ .depth = square->depth + depth,
                     .base = square->base * ((Wide)1 << depth),
                     .x = square->x << depth,
                     .y = square->y << depth };
}

static void cut_cell(const Constants *constants, const Scales *scales, const Square *place,
                     const Lattice *from, Lattice *to, int x, int y) {
    const Square square = lattice_square(from, place, x, y);
    const Pieces pieces = square_cut(constants, scales, &square);
    put_pieces(&pieces, to, x, y);
}

static void clear_rivers(Lattice *lattice) {
    const size_t cells = (size_t)lattice->cells;
    memset(lattice->across, 0x80, (cells + 1) * cells * sizeof *lattice->across);
    memset(lattice->down, 0x80, (cells + 1) * cells * sizeof *lattice->down);
    memset(lattice->diagonals, 0x80, cells * cells * sizeof *lattice->diagonals);
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
    if (constants->rivers)
        clear_rivers(to);
    uint8_t near_river[LATTICE_CELLS * LATTICE_CELLS];
    NewRow new;
    for (int y = 0; y < cells; y++) {
        cut_row(from, to, y, &limits, constants->rivers, &new);
        memcpy(near_river + y * cells, new.near_river, (size_t)cells);
    }
    if (!constants->rivers)
        return;
    for (const uint8_t *end = near_river + cells * cells, *cell = near_river;
         (cell = memchr(cell, 1, (size_t)(end - cell))); cell++) {
        const int at = (int)(cell - near_river);
        cut_cell(constants, &scales, place, from, to, at % cells, at / cells);
        if (cell + 1 == end)
            break;
    }
}

bool lattice_holds(const Square *square, int depth) {
    const int64_t most = (int64_t)1 << (29 - depth);
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
    clear_rivers(lattice);
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
