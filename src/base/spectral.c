// Spectral synthesis (Olsen 2004, "Spectral synthesis"): a sum of octaves of noise, each with twice the
// frequency of the one before and amplitude A = p^i, where p is the persistence. An octave is a lattice of
// random numbers with joined opposite edges, interpolated first down the columns, then along the rows.

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/random.h"
#include "core/rescale.h"
#include "core/sample.h"

#include <string.h>

typedef struct Spectral {
    double persistence;
    int octaves, lattice, interpolation;
} Spectral;

enum { LINEAR, CUBIC, SPLINE };
enum {
    OCTAVES_MAX = 16,
    TAPS = 4,   // lattice points that make a cell, along a side
    PAD = 4,    // a lattice's row is read from one before its first point to three behind its last
    CHUNK = 256 // cells of a row computed together, all octaves
};

// Weights of four points for each column of the field, or from one of them on.
typedef struct Weights {
    const float *of[TAPS];
} Weights;

typedef struct Octave {
    int columns, rows; // of the lattice
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
} Synthesis;

// Linear, the cubic through four points (Catmull-Rom) or the cubic B-spline, which passes by its points but
// is smooth in its curvature, at t = 0 … 1 behind the second.
static CubicWeights weights_at(float t, int interpolation) {
    if (interpolation == LINEAR)
        return (CubicWeights){ { 0, 1 - t, t, 0 } };
    if (interpolation == CUBIC)
        return catmull_rom(t);
    const float t2 = t * t, t3 = t2 * t, s = 1 - t;
    return (CubicWeights){ { s * s * s / 6, (3 * t3 - 6 * t2 + 4) / 6, (3 * t2 - 3 * t3 + 3 * t + 1) / 6,
                             t3 / 6 } };
}

// A spline's curvature is largest at its points: shifting octaves by a quarter of their spacing separates
// these.
static int lattice_point(int at, int cells, int points, int interpolation, float *t) {
    const int64_t whole = 4 * (int64_t)cells;
    const int64_t scaled = 4 * (int64_t)at * points + (interpolation == SPLINE ? cells : 0);
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
                      .on_line = t == 0 && synthesis->interpolation != SPLINE };
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

// Adds an octave to `count` cells, of which `each` lie from point to point: weights repeat after so many.
KERNEL_INLINE void interpolate_evenly(int each, int count, Weights weights, float amplitude,
                                      const float *restrict between, float *restrict row) {
    const float *restrict w0 = weights.of[0], *restrict w1 = weights.of[1], *restrict w2 = weights.of[2],
                          *restrict w3 = weights.of[3];
    for (int i = 0; i < count / each; i++)
        for (int j = 0; j < each; j++)
            row[i * each + j] += amplitude * ((w0[j] * between[i] + w1[j] * between[i + 1]) +
                                              (w2[j] * between[i + 2] + w3[j] * between[i + 3]));
}

// The same for any spacing, from point to point.
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

// `each`: a constant in most cases, so that the compiler makes vectors.
KERNEL static void interpolate_all(int each, int count, Weights weights, float amplitude,
                                   const float *restrict between, float *restrict row) {
    if (each == 1) // as fine as the field
        interpolate_evenly(1, count, weights, amplitude, between, row);
    else if (each == 2)
        interpolate_evenly(2, count, weights, amplitude, between, row);
    else if (each == 4)
        interpolate_evenly(4, count, weights, amplitude, between, row);
    else if (each == 8)
        interpolate_evenly(8, count, weights, amplitude, between, row);
    else if (each == 16)
        interpolate_evenly(16, count, weights, amplitude, between, row);
    else
        interpolate_evenly(each, count, weights, amplitude, between, row);
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
static void interpolate_along(const Octave *octave, int width, int start, int count, const float *between,
                              float *row) {
    const int *places = octave->places + start;
    const Weights weights = weights_from(octave->weights, start);
    const int each = width % octave->columns == 0 ? width / octave->columns : 0;
    if (!each) {
        interpolate_some(places, count, weights, octave->amplitude, between, row);
        return;
    }
    const int before = cells_before_point(octave, each, start, count);
    const int even = (count - before) / each * each, rest = before + even;
    if (before)
        interpolate_all(before, before, weights, octave->amplitude, between, row);
    if (even)
        interpolate_all(each, even, weights_from(weights, before), octave->amplitude,
                        between + (places[before] - places[0]), row + before);
    if (rest < count)
        interpolate_all(count - rest, count - rest, weights_from(weights, rest), octave->amplitude,
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
                interpolate_along(octave, width, start, count, between, row);
            }
        }
    }
}

// Each row of the field is a line of the lattice, which no other row needs.
static bool is_as_fine(const Synthesis *synthesis, const Octave *octave) {
    return synthesis->interpolation != SPLINE && octave->columns == synthesis->field->width &&
           octave->rows == synthesis->field->height;
}

static Status prepare_octave(const Run *run, const Synthesis *synthesis, Octave *octave, Error *error) {
    const int width = synthesis->field->width;
    const bool stored = !is_as_fine(synthesis, octave);
    if (stored) {
        octave->lattice =
            memory_new((size_t)(octave->columns + PAD) * (size_t)octave->rows, sizeof(float), error);
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

static Status run(const Call *call, Error *error) {
    const Spectral *spectral = call->params;
    const int shorter = min(call->width, call->height);
    const int first = min(spectral->lattice, shorter);
    const int most = all_octaves(first, shorter);
    Synthesis synthesis = {
        .field = &call->outputs[0].field,
        .interpolation = spectral->interpolation,
        .count = spectral->octaves > 0 && spectral->octaves < most ? spectral->octaves : most,
    };
    Status status = STATUS_OK;
    float amplitude = 1;
    for (int i = 0; status == STATUS_OK && i < synthesis.count; i++) {
        Octave *octave = &synthesis.octaves[i];
        const int64_t lattice = (int64_t)first << i;
        octave->columns = (int)((lattice * call->width + shorter / 2) / shorter);
        octave->rows = (int)((lattice * call->height + shorter / 2) / shorter);
        octave->ahead = spectral->interpolation == SPLINE ? call->width / octave->columns / 4 : 0;
        octave->key = random_key(call->seed, (uint32_t)i);
        octave->amplitude = amplitude;
        status = prepare_octave(call->run, &synthesis, octave, error);
        amplitude *= (float)spectral->persistence;
    }
    if (status == STATUS_OK)
        status = parallel_rows(call->run, call->height, call->width * 5.0, add_octaves, &synthesis);
    for (int i = 0; i < synthesis.count; i++) {
        memory_free(synthesis.octaves[i].lattice);
        memory_free(synthesis.octaves[i].places);
    }
    return status == STATUS_OK ? field_rescale(call->run, synthesis.field, 0, 1, error) : status;
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
    .params = params,
    .params_size = sizeof(Spectral),
    .sized = true,
    .wrapping = WRAPPING_MADE,
    .seeded = true,
    .example = "local clouds = esker.spectral{ size = 64, seed = 5, octaves = 3 }",
    .see_also = "diamond_square voronoi",
    .run = run,
};
