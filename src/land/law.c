#include "land/law.h"

#include "land/smooth_noise.h"

#include "core/elementary.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/whole.h"

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

// --- the rules of a level ----------------------------------------------------------------------------------

double law_power_of_many(const Land *land, double cells) {
    return power((cells + SHED) / (STREAM_CELLS + SHED), (double)land->rules.concavity);
}

Status law_create(Land *land, Error *error) {
    Law *law = memory_new(1, sizeof *law, error);
    const size_t count = memory_count(land->root.width, land->root.height);
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
    law->rise = 1 + land_rise(&land->rules, 0) * 0x1p-16;
    law->shares = 0;
    for (int level = 1; level <= land->rules.graded; level++)
        law->shares += (double)law_share(land, level);
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

// Measured (docs/land-levels.md). What a level's own relief adds is in proportion to its slopes, and these
// to how high the ground is: one factor for a whole level, so that nothing that falls rises by it.
int land_rise(const LandRules *rules, int level) {
    const double last = 557, per_level = 1.42; // of the last graded level, and of one against the next
    double share = last, sum = 0;
    for (int finer = rules->graded; finer > max(level, 0) && finer > rules->graded - 10;
         finer--, share *= per_level)
        sum += share;
    return rules->guided ? 0 : whole_int(sum);
}

// Measured (docs/land-figures.md). A summit rises on each graded level by what a slope of the law makes of
// some cells; on low land, whose flanks are short, by no more than a share of its altitude.
double law_top(const Land *land, size_t cell, double altitude) {
    const double cells = 10, most = 2.9;
    const Law *law = land->law;
    if (land->rules.guided || !law || altitude <= 0)
        return altitude;
    const double risen = altitude * law->rise;
    return min(risen + cells * law->shares * (double)law->steepness[cell] * land->cell, most * risen);
}

int32_t least_fall(const LandRules *rules, int level) {
    const int32_t at_last = 4; // units
    return is_graded(rules, level) ? at_last << min(rules->graded - level, 20) : 1;
}

int32_t filled_fall(const LandRules *rules, int level) {
    return is_graded(rules, level) ? 4 * least_fall(rules, level) : 1;
}

// --- steepness ---------------------------------------------------------------------------------------------

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

// 2^sum, nearly: (1 + sum ln 2/8)^8.
KERNEL static void set_slopes(const float *restrict sum, float variety, float scale, int count,
                              float *restrict slope) {
    for (int i = 0; i < count; i++) {
        const float root = max(1 + variety * 0.0866434f * sum[i], 0.1f), square = root * root;
        slope[i] *= square * square * (square * square) * scale;
    }
}

// Multiplies the slopes of cells by 2^noise and by a scale. `numbers`, unless NULL, become those by which the
// noise multiplies.
static void vary_span(const Land *land, int level, int face, Int128 x, Int128 y, int count, float scale,
                      float *slope, float *numbers) {
    const LandRules *rules = &land->rules;
    const int side = land->root.width, height = rules->planet ? side : land->root.height;
    LatticeSpan sum = { 0 };
    for (int octave = 0; rules->variety > 0 && octave <= level + FINER; octave++) {
        const RandomKey key = random_key(rules->seed, VARIETY_STREAM + (uint32_t)(octave * 8 + face));
        const LatticeNoise noise = { key, LATTICE_BITS + level - octave, (Int128)side << level,
                                     (Int128)height << level, rules->planet };
        lattice_add_noise(&noise, x, y, count, sum);
    }
    set_slopes(sum + LATTICE_ROOM, rules->variety, scale, count, slope);
    for (int i = 0; i < count && numbers; i++)
        numbers[i] = 1;
    if (numbers)
        set_slopes(sum + LATTICE_ROOM, rules->variety, 1, count, numbers);
}

static void law_span(const Land *land, int level, int face, Int128 x, Int128 y, int count, float *slope,
                     float *numbers) {
    const int side = land->root.width, height = land->rules.planet ? side : land->root.height;
    const Coarse coarse = { land->law->steepness + (size_t)face * (size_t)side * (size_t)height, side,
                            height };
    float points[LATTICE_POINTS];
    LatticeSpan steepness = { 0 };
    const Lattice lattice = lattice_at(level, y);
    set_coarse_points(&coarse, &lattice, (x >> level) - 1, lattice_points(&lattice, x, count), points);
    lattice_add(&lattice, points, x, count, steepness);
    memcpy(slope, steepness + LATTICE_ROOM, (size_t)count * sizeof *slope);
    vary_span(land, level, face, x, y, count, law_share(land, level) * (float)land->cell, slope, numbers);
}

void law_row(const Land *land, int level, int face, Int128 x, Int128 y, int count, float *slope,
             float *numbers) {
    const Int128 row = y - face * ((Int128)land->root.width << level);
    for (int first = 0; first < count; first += LATTICE_SPAN)
        law_span(land, level, face, x + first, row, min(LATTICE_SPAN, count - first), slope + first,
                 numbers ? numbers + first : NULL);
}

Status law_set_first_slopes(Land *land, Error *error) {
    const int width = land->root.width, height = land->root.height;
    float *slopes = memory_new((size_t)width * (size_t)height, sizeof *slopes, error);
    land->law->first_slopes = slopes;
    for (int y = 0; slopes && y < height; y++)
        law_row(land, 0, land->rules.planet ? y / width : 0, 0, y, width, slopes + (size_t)y * (size_t)width,
                NULL);
    return slopes ? STATUS_OK : STATUS_MEMORY;
}
