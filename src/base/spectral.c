// Spectral synthesis (Olsen 2004, "Spectral synthesis"): a sum of octaves of noise, each with twice the
// frequency of the one before and amplitude A = p^i, where p is the persistence. An octave is a lattice of
// random numbers with joined opposite edges, interpolated first down the columns, then along the rows.

#include "base/spectral.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/random.h"
#include "core/rescale.h"
#include "core/sample.h"
#include "core/summary.h"

#include <string.h>

enum {
    OCTAVES_MAX = 16,
    TAPS = 4,    // lattice points that make a cell, along a side
    PAD = 4,     // a lattice's row is read from one before its first point to three behind its last
    CHUNK = 512, // cells of a row computed together, all octaves
    SPREAD = 16  // cells from point to point, fewer than which one point at a time makes no vectors
};

// Weights of four points for each column of the field, or from one of them on.
typedef struct Weights {
    const float *of[TAPS];
} Weights;

typedef struct Octave {
    int columns, rows; // of the lattice
    int each;          // cells from point to point; 0: they differ
    int ahead;         // cells by which its points are shifted to the left
    float *lattice;    // rows × (columns + PAD), point 0 at 1; NULL: as fine as the field, made row by row
    int *places;       // per column of the field: its lattice point
    Weights weights;
    float amplitude;
    RandomKey key;
} Octave;

typedef struct Synthesis {
    Field *field;
    int interpolation, count;
    Octave octaves[OCTAVES_MAX];
    Bounds *bounds; // of each row
} Synthesis;

// Linear, the cubic through four points (Catmull-Rom) or the cubic B-spline, which passes by its points but
// is smooth in its curvature, at t = 0 … 1 behind the second.
static CubicWeights weights_at(float t, int interpolation) {
    if (interpolation == SPECTRAL_LINEAR)
        return (CubicWeights){ { 0, 1 - t, t, 0 } };
    if (interpolation == SPECTRAL_CUBIC)
        return catmull_rom(t);
    const float t2 = t * t, t3 = t2 * t, s = 1 - t;
    return (CubicWeights){ { s * s * s / 6, (3 * t3 - 6 * t2 + 4) / 6, (3 * t2 - 3 * t3 + 3 * t + 1) / 6,
                             t3 / 6 } };
}

// A spline's curvature is largest at its points: shifting octaves by a quarter of their spacing separates
// these.
static int lattice_point(int at, int cells, int points, int interpolation, float *t) {
    const int64_t whole = 4 * (int64_t)cells;
    const int64_t scaled = 4 * (int64_t)at * points + (interpolation == SPECTRAL_SPLINE ? cells : 0);
    *t = (float)(scaled % whole) / (float)whole;
    return (int)(scaled / whole);
}

static float *lattice_line(const Octave *octave, int row) {
    return octave->lattice + (size_t)row * (size_t)(octave->columns + PAD);
}

KERNEL static void fill_lattice(void *context, int first, int end) {
    const Octave *octave = context;
    const int columns = octave->columns;
    for (int y = first; y < end; y++) {
        float *restrict line = lattice_line(octave, y);
        for (int x = 0; x < columns; x++)
            line[x + 1] = random_unit(octave->key, (uint32_t)x, (uint32_t)y);
        line[0] = line[columns];
        for (int x = 0; x < PAD - 1; x++)
            line[columns + 1 + x] = line[1 + x % columns];
    }
}

// `count` points of line y from point `start` - 1 on. Those beyond an edge are not those of the other: they
// have no weight.
KERNEL static void make_line(const Octave *octave, int y, int start, int count, float *restrict line) {
    for (int i = 0; i < count; i++)
        line[i] = random_unit(octave->key, (uint32_t)(start - 1 + i), (uint32_t)y);
}

// The four lines of an octave's lattice around a row of the field, and their weights.
typedef struct Around {
    const float *lines[TAPS];
    CubicWeights weights;
    bool on_line; // the second has all weight
} Around;

static Around lines_around(const Synthesis *synthesis, const Octave *octave, int y) {
    float t;
    const int place = lattice_point(y, synthesis->field->height, octave->rows, synthesis->interpolation, &t);
    Around around = { .weights = weights_at(t, synthesis->interpolation),
                      .on_line = t == 0 && synthesis->interpolation != SPECTRAL_SPLINE };
    for (int i = 0; i < TAPS; i++)
        around.lines[i] = lattice_line(octave, (place + i - 1 + octave->rows) % octave->rows);
    return around;
}

// The lattice at the height of a row: `count` points from `start` on, of lines that begin at point -1.
KERNEL static void interpolate_down(const Around *around, int start, int count, float *restrict between) {
    const CubicWeights weights = around->weights;
    const float *restrict a = around->lines[0] + start, *restrict b = around->lines[1] + start,
                          *restrict c = around->lines[2] + start, *restrict d = around->lines[3] + start;
    if (around->on_line) {
        memcpy(between, b, (size_t)count * sizeof *b);
        return;
    }
    for (int x = 0; x < count; x++)
        between[x] =
            (weights.at[0] * a[x] + weights.at[1] * b[x]) + (weights.at[2] * c[x] + weights.at[3] * d[x]);
}

static Weights weights_from(Weights weights, int cell) {
    for (int i = 0; i < TAPS; i++)
        weights.of[i] += cell;
    return weights;
}

// Adds an octave to `count` cells, `each` of them between two lattice points: weights repeat every `each`
// cells.
KERNEL_INLINE void interpolate_evenly(int each, int count, Weights weights, float amplitude,
                                      const float *restrict between, float *restrict row) {
    const float *restrict w0 = weights.of[0], *restrict w1 = weights.of[1], *restrict w2 = weights.of[2],
                          *restrict w3 = weights.of[3];
    for (int i = 0; i < count / each; i++)
        for (int j = 0; j < each; j++)
            row[i * each + j] += amplitude * ((w0[j] * between[i] + w1[j] * between[i + 1]) +
                                              (w2[j] * between[i + 2] + w3[j] * between[i + 3]));
}

// Adds an octave for any spacing, from point to point.
KERNEL_INLINE void interpolate_unevenly(const int *restrict places, int count, Weights weights,
                                        float amplitude, const float *restrict between, float *restrict row) {
    const float *restrict w0 = weights.of[0], *restrict w1 = weights.of[1], *restrict w2 = weights.of[2],
                          *restrict w3 = weights.of[3];
    for (int x = 0; x < count;) {
        const float *near = between + (places[x] - places[0]);
        const float a = near[0], b = near[1], c = near[2], d = near[3];
        for (const int place = places[x]; x < count && places[x] == place; x++)
            row[x] += amplitude * ((w0[x] * a + w1[x] * b) + (w2[x] * c + w3[x] * d));
    }
}

KERNEL static void interpolate_far(int each, int count, Weights weights, float amplitude,
                                   const float *restrict between, float *restrict row) {
    if (each == SPREAD) // a constant makes better vectors
        interpolate_evenly(SPREAD, count, weights, amplitude, between, row);
    else
        interpolate_evenly(each, count, weights, amplitude, between, row);
}

KERNEL_INLINE void repeat_points(const float *restrict between, int points, int each,
                                 float *restrict spread) {
    for (int i = 0; i < points; i++)
#pragma GCC unroll 8
        for (int j = 0; j < each; j++)
            spread[i * each + j] = between[i];
}

// Points that lie close together are repeated for each of their cells: then all cells are alike.
KERNEL static void spread_points(const float *restrict between, int points, int each,
                                 float *restrict spread) {
    if (each == 2)
        repeat_points(between, points, 2, spread);
    else if (each == 4)
        repeat_points(between, points, 4, spread);
    else if (each == 8)
        repeat_points(between, points, 8, spread);
    else
        repeat_points(between, points, each, spread);
}

KERNEL static void interpolate_near(int each, int count, Weights weights, float amplitude,
                                    const float *restrict spread, float *restrict row) {
    const float *restrict w0 = weights.of[0], *restrict w1 = weights.of[1], *restrict w2 = weights.of[2],
                          *restrict w3 = weights.of[3];
    for (int i = 0; i < count; i++)
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): spread_points sets all
        row[i] += amplitude * ((w0[i] * spread[i] + w1[i] * spread[i + each]) +
                               (w2[i] * spread[i + 2 * each] + w3[i] * spread[i + 3 * each]));
}

KERNEL static void interpolate_some(const int *places, int count, Weights weights, float amplitude,
                                    const float *restrict between, float *restrict row) {
    interpolate_unevenly(places, count, weights, amplitude, between, row);
}

// Cells up to a point, if the first one does not lie behind one; points lie `each` cells apart.
static int cells_before_point(const Octave *octave, int each, int start, int count) {
    const int next = (octave->places[start] + 1) * each - octave->ahead;
    return min((next - start) % each, count);
}

// `between` holds the points from the left neighbour of cell `start` on.
static void interpolate_along(const Octave *octave, int start, int count, const float *between, float *row) {
    const int *places = octave->places + start;
    const Weights weights = weights_from(octave->weights, start);
    const int each = octave->each;
    if (!each) {
        interpolate_some(places, count, weights, octave->amplitude, between, row);
        return;
    }
    if (each < SPREAD) {
        float spread[CHUNK + (TAPS + 1) * SPREAD];
        spread_points(between, places[count - 1] - places[0] + TAPS, each, spread);
        interpolate_near(each, count, weights, octave->amplitude, spread + (start + octave->ahead) % each,
                         row);
        return;
    }
    const int before = cells_before_point(octave, each, start, count);
    const int even = (count - before) / each * each, rest = before + even;
    if (before)
        interpolate_far(before, before, weights, octave->amplitude, between, row);
    if (even)
        interpolate_far(each, even, weights_from(weights, before), octave->amplitude,
                        between + (places[before] - places[0]), row + before);
    if (rest < count)
        interpolate_far(count - rest, count - rest, weights_from(weights, rest), octave->amplitude,
                        between + (places[rest] - places[0]), row + rest);
}

static void add_octaves(void *context, int first, int end) {
    const Synthesis *synthesis = context;
    const int width = synthesis->field->width;
    float between[CHUNK + TAPS] = { 0 };
    Around around[OCTAVES_MAX];
    for (int y = first; y < end; y++) {
        for (int i = 0; i < synthesis->count; i++)
            if (synthesis->octaves[i].lattice)
                around[i] = lines_around(synthesis, &synthesis->octaves[i], y);
        for (int start = 0; start < width; start += CHUNK) {
            const int count = min(width - start, CHUNK);
            float *row = field_row(synthesis->field, y) + start;
            memset(row, 0, (size_t)count * sizeof *row);
            for (int i = 0; i < synthesis->count; i++) {
                const Octave *octave = &synthesis->octaves[i];
                const int own = octave->places[start], last = octave->places[start + count - 1];
                const int points = last - own + 1 + TAPS - 1;
                if (octave->lattice)
                    interpolate_down(&around[i], own, points, between);
                else
                    make_line(octave, y, own, points, between);
                interpolate_along(octave, start, count, between, row);
            }
        }
        synthesis->bounds[y] = bounds_of(field_row(synthesis->field, y), width);
    }
}

// Each row of the field is a line of the lattice, which no other row needs.
static bool is_as_fine(const Synthesis *synthesis, const Octave *octave) {
    return synthesis->interpolation != SPECTRAL_SPLINE && octave->columns == synthesis->field->width &&
           octave->rows == synthesis->field->height;
}

static Status prepare_octave(const Run *run, const Synthesis *synthesis, Octave *octave, Error *error) {
    const int width = synthesis->field->width;
    const bool stored = !is_as_fine(synthesis, octave);
    if (stored) {
        octave->lattice = memory_new_cells(octave->columns + PAD, octave->rows, sizeof(float), error);
        if (!octave->lattice)
            return STATUS_MEMORY;
    }
    octave->places = memory_new((size_t)width * 5, sizeof(float), error);
    if (!octave->places)
        return STATUS_MEMORY;
    float *of[TAPS];
    for (int i = 0; i < TAPS; i++)
        octave->weights.of[i] = of[i] = (float *)(void *)octave->places + (size_t)(i + 1) * (size_t)width;
    for (int x = 0; x < width; x++) {
        float t;
        octave->places[x] = lattice_point(x, width, octave->columns, synthesis->interpolation, &t);
        const CubicWeights weights = weights_at(t, synthesis->interpolation);
        for (int i = 0; i < TAPS; i++)
            of[i][x] = weights.at[i];
    }
    return stored ? parallel_rows(run, octave->rows, octave->columns * 1.0, fill_lattice, octave) : STATUS_OK;
}

// Octaves until the lattice is as fine as the field.
static int all_octaves(int lattice, int shorter) {
    int octaves = 1;
    while (octaves < OCTAVES_MAX && ((int64_t)lattice << octaves) <= shorter)
        octaves++;
    return octaves;
}

Status spectral_sum(const Run *run, const Spectral *spectral, uint64_t seed, Field *field, Bounds *bounds,
                    Error *error) {
    const int width = field->width, height = field->height, shorter = min(width, height);
    const int first = min(spectral->lattice, shorter);
    const int all = all_octaves(first, shorter);
    Synthesis synthesis = {
        .field = field,
        .interpolation = spectral->interpolation,
        .count = spectral->octaves > 0 && spectral->octaves < all ? spectral->octaves : all,
        .bounds = memory_new((size_t)height, sizeof *synthesis.bounds, error),
    };
    Status status = synthesis.bounds ? STATUS_OK : STATUS_MEMORY;
    float amplitude = 1;
    for (int i = 0; status == STATUS_OK && i < synthesis.count; i++) {
        Octave *octave = &synthesis.octaves[i];
        const int64_t lattice = (int64_t)first << i;
        octave->columns = (int)((lattice * width + shorter / 2) / shorter);
        octave->rows = (int)((lattice * height + shorter / 2) / shorter);
        octave->each = width % octave->columns == 0 ? width / octave->columns : 0;
        octave->ahead = spectral->interpolation == SPECTRAL_SPLINE ? width / octave->columns / 4 : 0;
        octave->key = random_key(seed, (uint32_t)i);
        octave->amplitude = amplitude;
        status = prepare_octave(run, &synthesis, octave, error);
        amplitude *= (float)spectral->persistence;
    }
    if (status == STATUS_OK)
        status = parallel_rows(run, height, width * 5.0, add_octaves, &synthesis);
    if (status == STATUS_OK)
        *bounds = bounds_join(synthesis.bounds, height);
    for (int i = 0; i < synthesis.count; i++) {
        memory_free(synthesis.octaves[i].lattice);
        memory_free(synthesis.octaves[i].places);
    }
    memory_free(synthesis.bounds);
    return status;
}

static Status run(const Call *call, Error *error) {
    Bounds bounds;
    Field *field = &call->outputs[0].field;
    const Status status = spectral_sum(call->run, call->params, call->seed, field, &bounds, error);
    if (status != STATUS_OK)
        return status;
    const Scaling scaling = scaling_to((double)bounds.least, (double)bounds.most, 0, 1);
    return field_scale_by(call->run, field, field, &scaling);
}

static const Param params[] = {
    PARAM(Spectral, persistence, .initial = 0.5, .min = 0, .max = 1,
          .doc = "amplitude of each octave relative to the one before; higher is rougher"),
    PARAM(Spectral, octaves, .initial = 0, .min = 0, .max = 16,
          .doc = "number of octaves; 0, or more than fit: until the lattice is as fine as the field"),
    PARAM(Spectral, lattice, .initial = 4, .min = 1, .max = 4096,
          .doc = "points of the first octave's lattice along the shorter side; more give smaller hills"),
    PARAM(Spectral, interpolation, .choices = CHOICES("linear", "cubic", "spline"), .initial = 1,
          .doc = "linear shows faint horizontal and vertical lines; spline is the smoothest and hides "
                 "the lattice"),
    { 0 },
};

const Operation op_spectral = {
    .name = "spectral",
    .category = "base",
    .keywords = "fbm perlin noise fractal value octaves brownian turbulence generate surf",
    .summary = "Makes fractal terrain by adding octaves of interpolated noise",
    .description = "Each octave has twice as many lattice points per side as the one before. Heights "
                   "span 0 to 1; opposite edges meet.",
    .source = "Olsen 2004, Spectral synthesis",
    .outputs = { { "height", "heights, 0 to 1", .heights = true } },
    .always_finite = "is a sum of bounded octaves",
    .params = params,
    .params_size = sizeof(Spectral),
    .sized = true,
    .wrapping = WRAPPING_MADE,
    .seeded = true,
    .example = "local clouds = esker.spectral{ size = 64, seed = 5, octaves = 3 }",
    .see_also = "diamond_square voronoi",
    .run = run,
};
