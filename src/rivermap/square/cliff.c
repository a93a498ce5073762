#include "rivermap/square/lattice.h"

#include "core/math.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

#define CLIFF_ROOM ((Int128)1 << 103)

typedef struct Limbs {
    double high, low;
} Limbs;

static Limbs limbs_of(Altitude altitude) {
    const Altitude within = clamp(altitude, -CLIFF_ROOM, CLIFF_ROOM);
    const Altitude high = within >> 50;
    return (Limbs){ (double)high, (double)(within - high * ((Altitude)1 << 50)) };
}

static Altitude altitude_of(Limbs limbs) {
    return whole_128(limbs.high) * ((Altitude)1 << 50) + whole_64(limbs.low);
}

KERNEL_INLINE double limbs_value(Limbs limbs) {
    return limbs.high * CLIFF_LIMB + limbs.low;
}

KERNEL_INLINE Limbs carried(double high, double low) {
    const double carry = floor(low * (1 / CLIFF_LIMB));
    return (Limbs){ high + carry, low - carry * CLIFF_LIMB };
}

KERNEL_INLINE bool limbs_below(Limbs a, Limbs b) {
    return (a.high < b.high) | ((a.high == b.high) & (a.low < b.low));
}

KERNEL_INLINE Limbs limbs_if(bool first, Limbs a, Limbs b) {
    return (Limbs){ first ? a.high : b.high, first ? a.low : b.low };
}

typedef struct CliffLimits {
    Limbs lowest, highest;
    float side, diagonal, k2;
} CliffLimits;

// As cut_dry_edge.
KERNEL_INLINE Limbs cut_edge(Limbs a, Limbs b, uint32_t seed, float step, const CliffLimits *limits) {
    const Limbs off = { a.high - b.high, a.low - b.low };
    const double moved = (double)truncf(displacement(step, limits->k2, (float)limbs_value(off), seed));
    const double moved_high = floor(moved * (1 / CLIFF_LIMB)), moved_low = moved - moved_high * CLIFF_LIMB;
    const double both = a.high + b.high, half = floor(0.5 * both);
    const double low = floor(0.5 * (a.low + b.low + (both - 2 * half) * CLIFF_LIMB));
    const Limbs cut = carried(half + moved_high, low + moved_low);
    const Limbs above = limbs_if(limbs_below(cut, limits->lowest), limits->lowest, cut);
    return limbs_if(limbs_below(limits->highest, above), limits->highest, above);
}

// A row of vertices, or of cuts.
typedef struct CliffRow {
    double *high, *low;
    uint32_t *seeds;
} CliffRow;

static CliffRow row_of(CliffLattice *lattice, int y) {
    const int at = y * (lattice->cells + 1);
    return (CliffRow){ lattice->high + at, lattice->low + at, lattice->seeds + at };
}

enum { ROW_MAX = (1 << CLIFF_DEPTH) + 1 };

typedef struct CutRow {
    double high[ROW_MAX], low[ROW_MAX];
    uint32_t seeds[ROW_MAX];
} CutRow;

KERNEL static void cut_cliff_edges(CliffRow a, CliffRow b, int count, float step, const CliffLimits *given,
                                   CutRow *restrict cuts) {
    const CliffLimits limits = *given;
    const double *restrict a_high = a.high, *restrict a_low = a.low, *restrict b_high = b.high,
                           *restrict b_low = b.low;
    const uint32_t *restrict a_seeds = a.seeds, *restrict b_seeds = b.seeds;
    for (int i = 0; i < count; i++) {
        const uint32_t seed = mix_seeds(a_seeds[i], b_seeds[i]);
        const Limbs cut =
            cut_edge((Limbs){ a_high[i], a_low[i] }, (Limbs){ b_high[i], b_low[i] }, seed, step, &limits);
        cuts->seeds[i] = seed;
        cuts->high[i] = cut.high;
        cuts->low[i] = cut.low;
    }
}

// `rising`: 1 where the first cell's diagonal rises.
KERNEL static void cut_cliff_diagonals(CliffRow upper, CliffRow lower, int count, int rising,
                                       const CliffLimits *given, CutRow *restrict cuts) {
    const CliffLimits limits = *given;
    const double *restrict upper_high = upper.high, *restrict upper_low = upper.low,
                           *restrict lower_high = lower.high, *restrict lower_low = lower.low;
    const uint32_t *restrict upper_seeds = upper.seeds, *restrict lower_seeds = lower.seeds;
    for (int i = 0; i < count; i++) {
        const bool rises = (i + rising) & 1;
        const Limbs a = { upper_high[i], upper_low[i] }, b = { upper_high[i + 1], upper_low[i + 1] },
                    c = { lower_high[i], lower_low[i] }, d = { lower_high[i + 1], lower_low[i + 1] };
        const uint32_t falling_seed = mix_seeds(upper_seeds[i], lower_seeds[i + 1]),
                       rising_seed = mix_seeds(lower_seeds[i], upper_seeds[i + 1]);
        const uint32_t seed = rises ? rising_seed : falling_seed;
        const Limbs cut =
            cut_edge(limbs_if(rises, c, a), limbs_if(rises, b, d), seed, limits.diagonal, &limits);
        cuts->seeds[i] = seed;
        cuts->high[i] = cut.high;
        cuts->low[i] = cut.low;
    }
}

// In the next level's units, in which altitudes are twice as much: even places from `even`, odd ones from
// `odd`.
KERNEL static void interleave_cliff_row(CliffRow even, const CutRow *restrict odd, int cells, CliffRow to) {
    const double *restrict even_high = even.high, *restrict even_low = even.low;
    const uint32_t *restrict even_seeds = even.seeds;
    double *restrict high = to.high, *restrict low = to.low;
    uint32_t *restrict seeds = to.seeds;
    for (int i = 0; i < cells; i++) {
        const Limbs first = carried(2 * even_high[i], 2 * even_low[i]);
        const Limbs second = carried(2 * odd->high[i], 2 * odd->low[i]);
        high[2 * i] = first.high;
        high[2 * i + 1] = second.high;
        low[2 * i] = first.low;
        low[2 * i + 1] = second.low;
        seeds[2 * i] = even_seeds[i];
        seeds[2 * i + 1] = odd->seeds[i];
    }
    const Limbs last = carried(2 * even_high[cells], 2 * even_low[cells]);
    high[2 * cells] = last.high;
    low[2 * cells] = last.low;
    seeds[2 * cells] = even_seeds[cells];
}

static void cut_cliff(const CliffLimits *limits, CliffLattice *from, CliffLattice *to, bool rising) {
    const int cells = from->cells;
    CutRow sides, middles;
    to->cells = 2 * cells;
    for (int y = 0; y <= cells; y++) {
        const CliffRow upper = row_of(from, y);
        const CliffRow after = { upper.high + 1, upper.low + 1, upper.seeds + 1 };
        cut_cliff_edges(upper, after, cells, limits->side, limits, &sides);
        interleave_cliff_row(upper, &sides, cells, row_of(to, 2 * y));
        if (y == cells)
            break;
        const CliffRow lower = row_of(from, y + 1);
        cut_cliff_edges(upper, lower, cells + 1, limits->side, limits, &sides);
        cut_cliff_diagonals(upper, lower, cells, y % 2 + rising, limits, &middles);
        interleave_cliff_row((CliffRow){ sides.high, sides.low, sides.seeds }, &middles, cells,
                             row_of(to, 2 * y + 1));
    }
}

// --- a whole square ----------------------------------------------------------------------------------------

static bool is_dry(const Square *square) {
    return !square->diagonal.river && !square->sides[0].river && !square->sides[1].river &&
           !square->sides[2].river && !square->sides[3].river;
}

// Each cut may make the range of altitudes 5.2 times as large (k2 is at most 0.8, and units halve).
static bool has_room(const Square *square) {
    const Altitude most = (Altitude)1 << 86;
    for (int i = 0; i < 4; i++)
        if (square->corners[i].altitude > most || square->corners[i].altitude < -most)
            return false;
    return true;
}

// Whether some ground lies above k3, and other ground below k4: only there a river may begin.
KERNEL static bool cliff_spans(const CliffLattice *lattice, Limbs k3, Limbs k4) {
    const int vertices = (lattice->cells + 1) * (lattice->cells + 1);
    int high = 0, low = 0;
    for (int i = 0; i < vertices; i++) {
        const Limbs altitude = { lattice->high[i], lattice->low[i] };
        high |= limbs_below(k3, altitude);
        low |= limbs_below(altitude, k4);
    }
    return high & low;
}

const CliffLattice *cliff_fill(const Constants *constants, const Square *square, int depth, CliffPair *pair) {
    if (!is_dry(square) || !has_room(square) || (constants->guide && square->depth < constants->guide->depth))
        return NULL;
    CliffLattice *lattice = &pair->at[0];
    lattice->cells = 1;
    for (int i = 0; i < 4; i++) {
        const Limbs altitude = limbs_of(square->corners[i].altitude);
        lattice->high[i] = altitude.high;
        lattice->low[i] = altitude.low;
        lattice->seeds[i] = square->corners[i].seed;
    }
    CliffLimits limits = { .side = side_step(constants),
                           .diagonal = diagonal_step(constants),
                           .k2 = constants->k2 };
    for (int level = 0; level < depth; level++) {
        const Scales scales =
            square_scales(constants, square->depth + level, square->base * ((Int128)1 << level));
        CliffLattice *finer = &pair->at[1 - level % 2];
        limits.lowest = limbs_of(scales.lowest);
        limits.highest = limbs_of(scales.highest);
        cut_cliff(&limits, lattice, finer, level == 0 && square->rising);
        lattice = finer;
    }
    const Scales finest =
        square_scales(constants, square->depth + depth, square->base * ((Int128)1 << depth));
    const bool begins = constants->rivers && cliff_spans(lattice, limbs_of(finest.k3), limbs_of(finest.k4));
    return begins ? NULL : lattice;
}

void cliff_altitudes(const CliffLattice *lattice, int first, int count, Int128 from, double *altitudes) {
    const Limbs base = limbs_of(from);
    const bool exact = from < CLIFF_ROOM && from > -CLIFF_ROOM;
    for (int i = 0; i < count; i++) {
        const Limbs at = { lattice->high[first + i], lattice->low[first + i] };
        altitudes[i] = exact ? limbs_value((Limbs){ at.high - base.high, at.low - base.low })
                             : (double)(altitude_of(at) - from);
    }
}

uint32_t cliff_bits(const CliffLattice *lattice, int vertex) {
    return (uint32_t)whole_64(lattice->low[vertex]); // the other limb is a multiple of 2^32
}
