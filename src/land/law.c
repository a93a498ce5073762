#include "land/law.h"

#include "core/elementary.h"
#include "core/memory.h"
#include "core/random.h"

#include <math.h>
#include <string.h>

// What drains through a cell counts as this many cells more: its own ground has relief that the level does
// not show. Less would put half of the relief in forms of four to eight cells.
#define SHED 4.0

// Rocks and rates of uplift differ at every scale: the steepness of level 0 times 2^VARIETY for each octave
// of a smooth noise of -1 to 1. The points of octave 0 are 2^LATTICE_BITS cells of level 0 apart, those of
// each further one half as far. A level has FINER octaves beyond its number, down to points four cells apart,
// so the flanks of coarser valleys get spurs of all sizes, and their divides peaks and saddles. Without them
// flanks are planes with streams side by side.
enum { LATTICE_BITS = 5, FINER = 3, VARIETY_STREAM = 1 << 25 };
#define CONTRAST 1.35f // of the points, as a spline evens them out

// --- the rules of a level ----------------------------------------------------------------------------------

double law_power(const Land *land, double cells) {
    if (cells <= LAW_CELLS_MAX)
        return (double)land->law->power[(int)cells];
    return power((cells + SHED) / (STREAM_CELLS + SHED), (double)land->rules.concavity);
}

Status law_create(Land *land, Error *error) {
    Law *law = memory_new(1, sizeof *law, error);
    const size_t count = (size_t)land->root.width * (size_t)land->root.height;
    land->law = law;
    if (!law)
        return STATUS_MEMORY;
    law->first_slopes = NULL;
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
    if (law) {
        memory_free(law->steepness);
        memory_free(law->first_slopes);
    }
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

// Cells of a row are added to a span, which has room for a whole lattice cell before and behind.
enum { SPAN = 1024, ROOM_BITS = LATTICE_BITS, ROOM = 1 << ROOM_BITS, POINTS = SPAN + 2 };

// A quadratic spline of three points, for the cells around the middle one from `skipped` cells of them on.
KERNEL static void add_spline(const float points[3], float cell, int skipped, int count,
                              float *restrict sum) {
    const float before = points[0], own = points[1], after = points[2];
    for (int i = 0; i < count; i++) {
        const float t = ((float)(skipped + i) + 0.5f) * cell, rest = 1 - t;
        sum[i] += 0.5f * rest * rest * before + (0.5f + t * rest) * own + 0.5f * t * t * after;
    }
}

// The same for all cells around `count` points, from the second one on: few cells each, LANES at a time.
enum { LANES = 4 };
KERNEL static void add_splines(const float *restrict points, int count, int bits, float *restrict sum) {
    const float cell = 1 / (float)(1 << bits);
    for (int first = 0; first < 1 << bits; first += LANES) {
        float weight[3][LANES];
        for (int lane = 0; lane < LANES; lane++) {
            const float t = ((float)(first + lane) + 0.5f) * cell, rest = 1 - t;
            weight[0][lane] = 0.5f * rest * rest;
            weight[1][lane] = 0.5f + t * rest;
            weight[2][lane] = 0.5f * t * t;
        }
        for (int i = 0; i < count; i++) {
            const float before = points[i], own = points[i + 1], after = points[i + 2];
            float *restrict cells = sum + (i << bits) + first;
            for (int lane = 0; lane < LANES; lane++)
                cells[lane] += weight[0][lane] * before + weight[1][lane] * own + weight[2][lane] * after;
        }
    }
}

// Points of the lattice from the one before that of cell x on, as add_splines takes them.
static void add_points(const Lattice *lattice, const float *points, Int128 x, int count, float *span) {
    const int bits = lattice->bits, width = 1 << bits;
    int skipped = (int)(x & (width - 1));
    if (1 << bits >= LANES && bits <= ROOM_BITS) {
        add_splines(points, (skipped + count + width - 1) >> bits, bits, span + ROOM - skipped);
        return;
    }
    for (int i = 0; i < count; skipped = 0, points++) {
        const int some = min(width - skipped, count - i);
        add_spline(points, ldexpf(1, -bits), skipped, some, span + ROOM + i);
        i += some;
    }
}

static int points_of(const Lattice *lattice, Int128 x, int count) {
    const int width = 1 << lattice->bits;
    return (((int)(x & (width - 1)) + count + width - 1) >> lattice->bits) + 2;
}

typedef struct Coarse {
    const float *steepness; // of the face's first cell
    int width, height;
} Coarse;

static void set_coarse_points(const Coarse *coarse, const Lattice *lattice, Int128 first, int count,
                              float *points) {
    for (int k = 0; k < count; k++) {
        const size_t x = (size_t)clamp(first + k, 0, coarse->width - 1);
        points[k] = 0;
        for (int i = 0; i < 3; i++) {
            const size_t y = (size_t)clamp(lattice->row + i - 1, 0, coarse->height - 1);
            points[k] += lattice->down[i] * coarse->steepness[y * (size_t)coarse->width + x];
        }
    }
}

// bits_of_place, of places whose upper halves are the same.
KERNEL static void set_place_bits(uint64_t first, uint32_t upper, int count, uint32_t *restrict bits) {
    for (int i = 0; i < count; i++)
        bits[i] = (uint32_t)mix64(first + (uint64_t)i) ^ upper;
}

static void set_columns(Int128 first, int count, uint32_t *bits) {
    if ((first + count) >> 64 == first >> 64) {
        set_place_bits((uint64_t)first, bits_of_place(first) ^ (uint32_t)mix64((uint64_t)first), count, bits);
        return;
    }
    for (int i = 0; i < count; i++)
        bits[i] = bits_of_place(first + i);
}

KERNEL static void add_chances(RandomKey key, const uint32_t *restrict columns, uint32_t row, float weight,
                               int count, float *restrict points) {
    for (int i = 0; i < count; i++)
        points[i] += weight * random_signed(key, columns[i], row);
}

typedef struct Variety {
    RandomKey key;
    Int128 last_column, last_row; // of a planet's face, along whose edges the noise is 0
    bool planet;
} Variety;

static bool is_inside(Int128 place, Int128 last) {
    return place > 0 && place < last;
}

static void set_variety_points(const Variety *variety, const Lattice *lattice, Int128 first, int count,
                               float *points) {
    uint32_t columns[POINTS];
    set_columns(first, count, columns);
    memset(points, 0, (size_t)count * sizeof *points);
    for (int i = 0; i < 3; i++) {
        const Int128 row = lattice->row + i - 1;
        if (!variety->planet || is_inside(row, variety->last_row))
            add_chances(variety->key, columns, bits_of_place(row), CONTRAST * lattice->down[i], count,
                        points);
    }
    for (int k = 0; k < count && variety->planet; k++)
        if (!is_inside(first + k, variety->last_column))
            points[k] = 0;
}

// 2^sum, nearly: (1 + sum ln 2/8)^8.
KERNEL static void set_slopes(const float *restrict sum, float variety, float scale, int count,
                              float *restrict slope) {
    for (int i = 0; i < count; i++) {
        const float root = max(1 + variety * 0.0866434f * sum[i], 0.1f), square = root * root;
        slope[i] *= square * square * (square * square) * scale;
    }
}

static void law_span(const Land *land, int level, int face, Int128 x, Int128 y, int count, float *slope) {
    const LandRules *rules = &land->rules;
    const int side = land->root.width, height = rules->planet ? side : land->root.height;
    const Coarse coarse = { land->law->steepness + (size_t)face * (size_t)side * (size_t)height, side,
                            height };
    float points[POINTS], steepness[SPAN + 2 * ROOM] = { 0 }, sum[SPAN + 2 * ROOM] = { 0 };
    Lattice lattice = lattice_at(level, y);
    set_coarse_points(&coarse, &lattice, (x >> level) - 1, points_of(&lattice, x, count), points);
    add_points(&lattice, points, x, count, steepness);
    for (int octave = 0; rules->variety > 0 && octave <= level + FINER; octave++) {
        const int bits = LATTICE_BITS + level - octave;
        const Variety variety = { .key =
                                      random_key(rules->seed, VARIETY_STREAM + (uint32_t)(octave * 8 + face)),
                                  .last_column = (((Int128)side << level) >> bits) - 1,
                                  .last_row = (((Int128)height << level) >> bits) - 1,
                                  .planet = rules->planet };
        lattice = lattice_at(bits, y);
        set_variety_points(&variety, &lattice, (x >> bits) - 1, points_of(&lattice, x, count), points);
        add_points(&lattice, points, x, count, sum);
    }
    memcpy(slope, steepness + ROOM, (size_t)count * sizeof *slope);
    set_slopes(sum + ROOM, rules->variety, law_share(land, level) * (float)land->cell, count, slope);
}

void law_row(const Land *land, int level, int face, Int128 x, Int128 y, int count, float *slope) {
    const Int128 row = y - face * ((Int128)land->root.width << level);
    for (int first = 0; first < count; first += SPAN)
        law_span(land, level, face, x + first, row, min(SPAN, count - first), slope + first);
}

Status law_set_first_slopes(Land *land, Error *error) {
    const int width = land->root.width, height = land->root.height;
    float *slopes = memory_new((size_t)width * (size_t)height, sizeof *slopes, error);
    land->law->first_slopes = slopes;
    for (int y = 0; slopes && y < height; y++)
        law_row(land, 0, land->rules.planet ? y / width : 0, 0, y, width, slopes + (size_t)y * (size_t)width);
    return slopes ? STATUS_OK : STATUS_MEMORY;
}
