#include "land/law.h"

#include "core/elementary.h"
#include "core/memory.h"
#include "core/random.h"

#include <math.h>

// What drains through a cell counts as this many cells more: its own ground has relief that the level does
// not show. Less would put half of the relief in forms of four to eight cells.
#define SHED 4.0

// Rocks and rates of uplift differ at every scale: the steepness of level 0 times 2^VARIETY for each octave
// of a smooth noise of -1 to 1.
enum { LATTICE_BITS = 5, VARIETY_STREAM = 1 << 25 }; // cells of a noise's first level between its points
#define CONTRAST 1.35f                               // of the points, as a spline evens them out

// --- the rules of a level ----------------------------------------------------------------------------------

double law_power(const Land *land, double cells) {
    if (cells <= LAW_CELLS_MAX)
        return (double)land->law->power[(int)cells];
    return power((cells + SHED) / (STREAM_CELLS + SHED), (double)land->rules.concavity);
}

Status law_create(Land *land, Error *error) {
    Law *law = memory_new(1, sizeof *law, error);
    const size_t count = memory_count(land->root.width, land->root.height);
    land->law = law;
    if (!law)
        return STATUS_MEMORY;
    law->steepness = memory_new(count, sizeof *law->steepness, error);
    if (!law->steepness)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++)
        law->steepness[i] = 1;
    for (int a = 0; a <= LAW_CELLS_MAX; a++)
        law->power[a] = (float)power((a + SHED) / (STREAM_CELLS + SHED), (double)land->rules.concavity);
    law->per_level = (float)power(2, 1 - 2 * (double)land->rules.concavity);
    return STATUS_OK;
}

void law_free(Law *law) {
    if (law)
        memory_free(law->steepness);
    memory_free(law);
}

float law_share(const Land *land, int level) {
    float share = 1;
    for (int finer = level; finer < land->rules.graded; finer++)
        share *= land->law->per_level;
    return share;
}

// Measured (docs/endless-land.md). What a level's own relief adds is in proportion to its slopes, and these
// to how high the ground is: one factor for a whole level, so that nothing that falls rises by it.
int land_rise(const LandRules *rules, int level) {
    const double last = 557, per_level = 1.42; // of the last graded level, and of one against the next
    double share = last, sum = 0;
    for (int finer = rules->graded; finer > max(level, 0) && finer > rules->graded - 10;
         finer--, share *= per_level)
        sum += share;
    return rules->guided ? 0 : whole_int(sum);
}

int32_t least_fall(const LandRules *rules, int level) {
    const int32_t at_last = 4; // units
    return is_graded(rules, level) ? at_last << min(rules->graded - level, 20) : 1;
}

int32_t filled_fall(const LandRules *rules, int level) {
    return is_graded(rules, level) ? 4 * least_fall(rules, level) : 1;
}

// --- steepness ---------------------------------------------------------------------------------------------

// Adds a quadratic spline of three points to the cells around the middle one, from `skipped` cells of them
// on.
KERNEL static void add_spline(const float points[3], float cell, int skipped, int count,
                              float *restrict sum) {
    const float before = points[0], own = points[1], after = points[2];
    for (int i = 0; i < count; i++) {
        const float t = ((float)(skipped + i) + 0.5f) * cell, rest = 1 - t;
        sum[i] += 0.5f * rest * rest * before + (0.5f + t * rest) * own + 0.5f * t * t * after;
    }
}

// A lattice with a point in the middle of each 2^bits cells, and the row of cells y on it.
typedef struct Lattice {
    int bits;
    Int128 row;
    float down[3]; // what its points and those above and below count
} Lattice;

static Lattice lattice_at(int bits, Int128 y) {
    const Int128 row = y >> bits;
    const float t = ((float)(int)(y - row * ((Int128)1 << bits)) + 0.5f) * ldexpf(1, -bits), rest = 1 - t;
    return (Lattice){ bits, row, { 0.5f * rest * rest, 0.5f + t * rest, 0.5f * t * t } };
}

typedef float PointOf(const void *points, const Lattice *lattice, Int128 column);

static void add_lattice(const Lattice *lattice, const void *of, PointOf *point_of, Int128 x, int count,
                        float *sum) {
    const int bits = lattice->bits, width = 1 << bits;
    const float cell = ldexpf(1, -bits);
    Int128 column = x >> bits;
    float points[3] = { 0, point_of(of, lattice, column - 1), point_of(of, lattice, column) };
    int skipped = (int)(x & (width - 1));
    for (int i = 0; i < count; skipped = 0) {
        const int some = min(width - skipped, count - i);
        points[0] = points[1];
        points[1] = points[2];
        points[2] = point_of(of, lattice, ++column);
        add_spline(points, cell, skipped, some, sum + i);
        i += some;
    }
}

typedef struct Coarse {
    const float *steepness; // of the face's first cell
    int width, height;
} Coarse;

static float coarse_point(const void *points, const Lattice *lattice, Int128 column) {
    const Coarse *coarse = points;
    const size_t x = (size_t)clamp(column, 0, coarse->width - 1);
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        const size_t y = (size_t)clamp(lattice->row + i - 1, 0, coarse->height - 1);
        sum += lattice->down[i] * coarse->steepness[y * (size_t)coarse->width + x];
    }
    return sum;
}

typedef struct Variety {
    RandomKey key;
    Int128 last_column, last_row; // of a planet's face, along whose edges the noise is 0
    bool planet;
} Variety;

static float variety_point(const void *points, const Lattice *lattice, Int128 column) {
    const Variety *variety = points;
    const uint32_t across = bits_of_place(column);
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        const Int128 row = lattice->row + i - 1;
        const bool inside = column > 0 && row > 0 && column < variety->last_column && row < variety->last_row;
        if (inside || !variety->planet)
            sum += lattice->down[i] * random_signed(variety->key, across, bits_of_place(row));
    }
    return sum * CONTRAST;
}

// 2^sum, nearly: (1 + sum ln 2/8)^8.
KERNEL static void set_slopes(const float *restrict sum, float variety, float scale, int count,
                              float *restrict slope) {
    for (int i = 0; i < count; i++) {
        const float root = max(1 + variety * 0.0866434f * sum[i], 0.1f), square = root * root;
        slope[i] *= square * square * (square * square) * scale;
    }
}

enum { SPAN = 1024 };

static void law_span(const Land *land, int level, int face, Int128 x, Int128 y, int count, float *slope) {
    const LandRules *rules = &land->rules;
    const int side = land->root.width, height = rules->planet ? side : land->root.height;
    const Coarse coarse = { land->law->steepness + (size_t)face * (size_t)side * (size_t)height, side,
                            height };
    float sum[SPAN];
    for (int i = 0; i < count; i++)
        slope[i] = sum[i] = 0;
    Lattice lattice = lattice_at(level, y);
    add_lattice(&lattice, &coarse, coarse_point, x, count, slope);
    for (int octave = 0; rules->variety > 0 && octave <= level; octave++) {
        const int bits = LATTICE_BITS + level - octave;
        const Variety variety = { .key =
                                      random_key(rules->seed, VARIETY_STREAM + (uint32_t)(octave * 8 + face)),
                                  .last_column = (((Int128)side << level) >> bits) - 1,
                                  .last_row = (((Int128)height << level) >> bits) - 1,
                                  .planet = rules->planet };
        lattice = lattice_at(bits, y);
        add_lattice(&lattice, &variety, variety_point, x, count, sum);
    }
    set_slopes(sum, rules->variety, law_share(land, level) * (float)land->cell, count, slope);
}

void law_row(const Land *land, int level, int face, Int128 x, Int128 y, int count, float *slope) {
    const Int128 row = y - face * ((Int128)land->root.width << level);
    for (int first = 0; first < count; first += SPAN)
        law_span(land, level, face, x + first, row, min(SPAN, count - first), slope + first);
}
