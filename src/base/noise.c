// Lattice noise and sums of its octaves.
//
// gradient: Perlin 2002, "Improving noise". A random direction at each lattice point; the products of
// directions and offsets are interpolated with 6t^5 - 15t^4 + 10t^3.
// simplex: Gustavson and McEwan 2022, "Tiling simplex flow noise in 2-D and 3-D", section 2: a lattice of
// isosceles triangles, (x - y/2, y), that tiles; each point contributes (0.8 - r²)^4 times its product.
// value: a random number at each lattice point, interpolated in the same way.
//
// Sums: fBm and, of Musgrave (Ebert et al., "Texturing and modeling", chapter 16), the ridged multifractal,
// where an octave (1 - |n|)² is weighted by the one before. Billows are Perlin's turbulence, the sum of |n|.
//
// A cell's value depends on its position on an endless plane only. Positions are computed in double precision
// and split into lattice point and remainder before anything is rounded to float, so that windows that
// overlap have the same bits.

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/random.h"

#include <math.h>

typedef struct Noise {
    int kind, fractal, octaves, warp_octaves;
    double frequency, lacunarity, gain, warp;
    Numbers at;
    bool wrap;
} Noise;

enum { GRADIENT, SIMPLEX, VALUE, WHITE };
enum { NONE, FBM, RIDGED, BILLOW };
enum { OCTAVES_MAX = 16, CHUNK = 256 };

// One axis of an octave's lattice: position = (first + cell) × scale + shift, in lattice points. The sum is
// exact.
typedef struct Axis {
    double first, scale, shift;
    int period; // in lattice points; 0: endless
    float inverse;
} Axis;

typedef struct Octave {
    RandomKey key;
    Axis across, down;
    int *columns; // per column of the field: the lattice point at its left …
    float *u;     // … and how far it is beyond it, 0 … 1
    float amplitude;
} Octave;

typedef struct Octaves {
    int count;
    float total; // of amplitudes, also of those that are finer than the field
    Octave at[OCTAVES_MAX];
} Octaves;

typedef struct Synthesis {
    const Noise *noise;
    Field *field;
    int64_t left, top; // the window's corner in cells, for white noise
    float reach;       // of the warp in cells
    Octaves sum, warp[2];
} Synthesis;

// --- the noises --------------------------------------------------------------------------------------------

KERNEL_INLINE int below(float at) {
    const int towards_zero = whole_int(at);
    return towards_zero - (at < (float)towards_zero);
}

// Into 0 … period - 1. The quotient may be off by one.
KERNEL_INLINE int periodic(int at, const Axis *axis) {
    const int rest = at - below((float)at * axis->inverse) * axis->period;
    const int low = rest + (rest < 0 ? axis->period : 0);
    return low - (low >= axis->period ? axis->period : 0);
}

KERNEL_INLINE float fade(float t) {
    return t * t * t * (t * (t * 6 - 15) + 10);
}

// A sine of a turn's share, -1 … 1 for half a turn: a parabola, and a second one that corrects it to a
// thousandth.
KERNEL_INLINE float wave(float t) {
    const float first = 4 * t * (1 - fabsf(t));
    return first * (0.775f + 0.225f * fabsf(first));
}

// (x, y) times the random unit vector of a lattice point.
KERNEL_INLINE float product(RandomKey key, int column, int row, float x, float y) {
    const float turn = random_signed(key, (uint32_t)column, (uint32_t)row);
    const float quarter = turn + 0.5f;
    return x * wave(quarter - (quarter >= 1 ? 2.0f : 0.0f)) + y * wave(turn);
}

KERNEL_INLINE float lattice_noise(const Octave *octave, bool gradients, int column, int row, float u, float v,
                                  bool wraps) {
    const RandomKey key = octave->key;
    const int left = wraps ? periodic(column, &octave->across) : column;
    const int right = wraps ? periodic(column + 1, &octave->across) : column + 1;
    const int upper = wraps ? periodic(row, &octave->down) : row;
    const int lower = wraps ? periodic(row + 1, &octave->down) : row + 1;
    if (!gradients)
        return bilinear(random_signed(key, (uint32_t)left, (uint32_t)upper),
                        random_signed(key, (uint32_t)right, (uint32_t)upper),
                        random_signed(key, (uint32_t)left, (uint32_t)lower),
                        random_signed(key, (uint32_t)right, (uint32_t)lower), fade(u), fade(v));
    const float most = 1.41f; // just below √2: no octave leaves -1 … 1
    return most * bilinear(product(key, left, upper, u, v), product(key, right, upper, u - 1, v),
                           product(key, left, lower, u, v - 1), product(key, right, lower, u - 1, v - 1),
                           fade(u), fade(v));
}

// What the point `right` and `down` of the triangles' first adds; (x, y) from that first point.
KERNEL_INLINE float simplex_point(const Octave *octave, int column, int row, int right, int down, float x,
                                  float y, bool wraps) {
    const float off_x = x - ((float)right - 0.5f * (float)down), off_y = y - (float)down;
    const float near = 0.8f - off_x * off_x - off_y * off_y, kept = max(near, 0), squared = kept * kept;
    int i = column + right, j = row + down;
    if (wraps) { // rows lean: one period further down is half a period of them to the right
        const int inside = periodic(j, &octave->down);
        i = periodic(i - (j - inside) / 2, &octave->across);
        j = inside;
    }
    return squared * squared * product(octave->key, i, j, off_x, off_y);
}

// Octave's axes count x and y; the points of row j lie at x = i - j / 2.
KERNEL_INLINE float simplex_noise(const Octave *octave, int column, int row, float u, float v, bool wraps) {
    const float lean = u + 0.5f * ((float)(row & 1) + v); // from the row's first point at the left
    const int beyond = below(lean), i = column + (row - (row & 1)) / 2 + beyond;
    const float s = lean - (float)beyond, x = s - 0.5f * v;
    const int second = s > v ? 1 : 0; // the triangle's corner between the first and the last
    const float sum = simplex_point(octave, i, row, 0, 0, x, v, wraps) +
                      simplex_point(octave, i, row, second, 1 - second, x, v, wraps) +
                      simplex_point(octave, i, row, 1, 1, x, v, wraps);
    return 10.9f * sum; // just below the greatest sum's inverse
}

KERNEL_INLINE void fill_chunk(const Octave *octave, int kind, bool wraps, int start, int count, int row,
                              float v, const float *restrict right, const float *restrict down,
                              float *restrict out) {
    const int *restrict columns = octave->columns + start;
    const float *restrict shares = octave->u + start;
    const float across = (float)octave->across.scale, along = (float)octave->down.scale;
    for (int x = 0; x < count; x++) {
        const float at_u = shares[x] + right[x] * across, at_v = v + down[x] * along;
        const int over_u = below(at_u), over_v = below(at_v);
        const float u = at_u - (float)over_u, w = at_v - (float)over_v;
        out[x] = kind == SIMPLEX ? simplex_noise(octave, columns[x] + over_u, row + over_v, u, w, wraps)
                                 : lattice_noise(octave, kind == GRADIENT, columns[x] + over_u, row + over_v,
                                                 u, w, wraps);
    }
}

// Cells from `start` on of one row, displaced by `right` and `down` cells.
KERNEL static void noise_octave(const Octave *octave, int kind, int start, int count, int row, float v,
                                const float *right, const float *down, float *out) {
    const bool wraps = octave->across.period > 0;
    if (kind == GRADIENT && wraps)
        fill_chunk(octave, GRADIENT, true, start, count, row, v, right, down, out);
    else if (kind == GRADIENT)
        fill_chunk(octave, GRADIENT, false, start, count, row, v, right, down, out);
    else if (kind == SIMPLEX && wraps)
        fill_chunk(octave, SIMPLEX, true, start, count, row, v, right, down, out);
    else if (kind == SIMPLEX)
        fill_chunk(octave, SIMPLEX, false, start, count, row, v, right, down, out);
    else if (wraps)
        fill_chunk(octave, VALUE, true, start, count, row, v, right, down, out);
    else
        fill_chunk(octave, VALUE, false, start, count, row, v, right, down, out);
}

// --- their sums --------------------------------------------------------------------------------------------

// Adds octave `n`, -1 … 1. `weights` are those of the ridges, 1 before the first octave.
KERNEL static void noise_add(int fractal, float amplitude, int count, const float *restrict n,
                             float *restrict weights, float *restrict sum) {
    if (fractal == RIDGED) {
        for (int x = 0; x < count; x++) {
            const float ridge = 1 - fabsf(n[x]), signal = ridge * ridge * weights[x];
            sum[x] += amplitude * signal;
            weights[x] = min(2 * signal, 1);
        }
    } else if (fractal == BILLOW) {
        for (int x = 0; x < count; x++)
            sum[x] += amplitude * fabsf(n[x]);
    } else {
        for (int x = 0; x < count; x++)
            sum[x] += amplitude * n[x];
    }
}

// The lattice point at or before a cell, and how far the cell is beyond it.
static int lattice_point(const Axis *axis, int cell, float *beyond) {
    const double at = (axis->first + cell) * axis->scale + axis->shift, point = floor(at);
    *beyond = (float)(at - point);
    const int last = 1 << 30; // lattices end there: farther than a billion points
    const double in_period = axis->period > 0 ? point - axis->period * floor(point / axis->period) : point;
    return whole_within(in_period, -last, last);
}

static void add_octaves(const Octaves *octaves, int kind, int fractal, int start, int count, int y,
                        const float *right, const float *down, float *sum) {
    float n[CHUNK], weights[CHUNK];
    for (int x = 0; x < count; x++)
        sum[x] = 0, weights[x] = 1;
    for (int i = 0; i < octaves->count; i++) {
        const Octave *octave = &octaves->at[i];
        float v;
        const int row = lattice_point(&octave->down, y, &v);
        noise_octave(octave, kind, start, count, row, v, right, down, n);
        noise_add(fractal, octave->amplitude, count, n, weights, sum);
    }
}

KERNEL static void noise_scale(float *restrict row, int count, float factor, float offset) {
    for (int x = 0; x < count; x++)
        row[x] = row[x] * factor + offset;
}

static void noise_rows(void *context, int first, int end) {
    const Synthesis *synthesis = context;
    const int width = synthesis->field->width;
    const Octaves *sum = &synthesis->sum;
    const bool folded = synthesis->noise->fractal == RIDGED || synthesis->noise->fractal == BILLOW;
    static const float still[CHUNK];
    float displaced[2][CHUNK] = { { 0 } };
    for (int y = first; y < end; y++)
        for (int start = 0; start < width; start += CHUNK) {
            const int count = min(width - start, CHUNK);
            const bool warped = synthesis->reach > 0;
            float *row = field_row(synthesis->field, y) + start;
            for (int axis = 0; warped && axis < 2; axis++) {
                const Octaves *warp = &synthesis->warp[axis];
                add_octaves(warp, GRADIENT, FBM, start, count, y, still, still, displaced[axis]);
                noise_scale(displaced[axis], count, synthesis->reach / warp->total, 0);
            }
            add_octaves(sum, synthesis->noise->kind, synthesis->noise->fractal, start, count, y,
                        warped ? displaced[0] : still, warped ? displaced[1] : still, row);
            noise_scale(row, count, (folded ? 1 : 0.5f) / sum->total, folded ? 0 : 0.5f);
        }
}

KERNEL static void noise_white_rows(void *context, int first, int end) {
    const Synthesis *synthesis = context;
    const RandomKey key = synthesis->sum.at[0].key;
    const uint32_t left = (uint32_t)synthesis->left, top = (uint32_t)synthesis->top;
    const Field *field = synthesis->field;
    const bool wraps = synthesis->noise->wrap;
    const int64_t width = field->width, height = field->height;
    for (int y = first; y < end; y++) {
        float *restrict row = field_row(synthesis->field, y);
        const int64_t in_y = ((synthesis->top + y) % height + height) % height;
        const uint32_t at_y = wraps ? (uint32_t)in_y : top + (uint32_t)y;
        const uint32_t start = wraps ? (uint32_t)((synthesis->left % width + width) % width) : left;
        const int before = wraps ? (int)(width - start) : (int)width; // columns up to the seam
        for (int x = 0; x < before; x++)
            row[x] = random_unit(key, start + (uint32_t)x, at_y);
        for (int x = before; x < (int)width; x++)
            row[x] = random_unit(key, (uint32_t)(x - before), at_y);
    }
}

// --- preparation -------------------------------------------------------------------------------------------

// `frequency` in lattice points per cell; `at` the window's corner in cells. An even number of rows lets
// triangles meet.
static Axis make_axis(double frequency, double at, int cells, bool wraps, bool even, float shift) {
    Axis axis = { .first = at, .scale = frequency, .shift = (double)shift };
    if (wraps) {
        const double points = even ? 2 * floor(cells * frequency / 2 + 0.5) : floor(cells * frequency + 0.5);
        axis.period = whole_within(points, even ? 2 : 1, SIDE_MAX);
        axis.inverse = 1 / (float)axis.period;
        axis.scale = (double)axis.period / cells;
    }
    return axis;
}

static void prepare_axes(const Synthesis *synthesis, const Call *call, double frequency, bool even,
                         Octave *octave) {
    const Noise *noise = synthesis->noise;
    const double side = field_side(synthesis->field);
    // Lattices that coincide would show: noise of gradients is 0 at every point.
    octave->across = make_axis(frequency, noise->at.at[0] * side, call->width, noise->wrap, false,
                               random_unit(octave->key, UINT32_MAX, 0));
    octave->down = make_axis(frequency, noise->at.at[1] * side, call->height, noise->wrap, even,
                             random_unit(octave->key, UINT32_MAX, 1));
}

static Status prepare(const Synthesis *synthesis, const Call *call, int wanted, uint32_t stream, int kind,
                      Octaves *octaves, Error *error) {
    const Noise *noise = synthesis->noise;
    double frequency = noise->frequency, amplitude = 1;
    for (int i = 0; i < wanted; i++) {
        octaves->total += (float)amplitude;
        if (i == 0 || frequency <= 0.5) { // a wave needs two cells
            Octave *octave = &octaves->at[octaves->count++];
            octave->key = random_key(call->seed, stream + (uint32_t)i);
            octave->amplitude = (float)amplitude;
            prepare_axes(synthesis, call, frequency, kind == SIMPLEX, octave);
            octave->columns = memory_new((size_t)call->width * 2, sizeof(float), error);
            if (!octave->columns)
                return STATUS_MEMORY;
            octave->u = (float *)(void *)octave->columns + call->width;
            for (int x = 0; x < call->width; x++)
                octave->columns[x] = lattice_point(&octave->across, x, &octave->u[x]);
        }
        amplitude *= noise->gain;
        frequency *= noise->lacunarity;
    }
    return STATUS_OK;
}

static void octaves_free(Octaves *octaves) {
    for (int i = 0; i < octaves->count; i++)
        memory_free(octaves->at[i].columns);
}

static Status run(const Call *call, Error *error) {
    const Noise *noise = call->params;
    Field *field = &call->outputs[0].field;
    const double side = field_side(field);
    Synthesis synthesis = { .noise = noise,
                            .field = field,
                            .left = whole_64(floor(noise->at.at[0] * side + 0.5)),
                            .top = whole_64(floor(noise->at.at[1] * side + 0.5)),
                            .reach = (float)(noise->warp * side) };
    field->wraps = noise->wrap;
    if (noise->kind == WHITE) {
        synthesis.sum.at[0].key = random_key(call->seed, 0);
        return parallel_rows(call->run, call->height, call->width * 1.0, noise_white_rows, &synthesis);
    }
    const int octaves = noise->fractal == NONE ? 1 : noise->octaves;
    Status status = prepare(&synthesis, call, octaves, 0, noise->kind, &synthesis.sum, error);
    for (int axis = 0; status == STATUS_OK && noise->warp > 0 && axis < 2; axis++)
        status = prepare(&synthesis, call, noise->warp_octaves, (uint32_t)(axis + 1) * OCTAVES_MAX, GRADIENT,
                         &synthesis.warp[axis], error);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, call->height, call->width * 2.0 * octaves, noise_rows, &synthesis);
    octaves_free(&synthesis.sum);
    octaves_free(&synthesis.warp[0]);
    octaves_free(&synthesis.warp[1]);
    return status;
}

static const Param params[] = {
    PARAM(Noise, kind, .choices = CHOICES("gradient", "simplex", "value", "white"),
          .doc = "gradient is Perlin's improved noise; simplex shows no grid; value has rounder, blockier "
                 "hills; white is a random number for each cell, without frequency or octaves"),
    PARAM(Noise, fractal, .choices = CHOICES("none", "fbm", "ridged", "billow"), .initial = FBM,
          .doc = "how octaves are added: fbm for hills, ridged for crests, billow (turbulence) for rounded "
                 "humps with creases; none: one octave"),
    PARAM(Noise, frequency, .initial = 4, .min = 0.001, .max = SIDE_MAX, .unit = UNIT_PER_SIDE,
          .doc = "lattice points of the first octave"),
    PARAM(Noise, octaves, .initial = 8, .min = 1, .max = OCTAVES_MAX,
          .doc = "number of octaves; those too fine for the field are left out"),
    PARAM(Noise, lacunarity, .initial = 2, .min = 1, .max = 8,
          .doc = "frequency of each octave relative to the one before"),
    PARAM(Noise, gain, .initial = 0.5, .min = 0, .max = 1,
          .doc = "amplitude of each octave relative to the one before; higher is rougher"),
    PARAM(Noise, warp, .initial = 0, .min = 0, .max = 1,
          .doc = "largest displacement by a noise of the same frequency along each axis, as a share of N"),
    PARAM(Noise, warp_octaves, .initial = 4, .min = 1, .max = OCTAVES_MAX,
          .doc = "octaves of the noise that displaces"),
    PARAM(Noise, at, .initial_numbers = NUMBERS(0, 0), .rows_min = 2, .rows_max = 2, .min = -1e6, .max = 1e6,
          .doc = "upper left corner of the window { x, y }, in N, the longer side"),
    PARAM(Noise, wrap, .initial = true,
          .doc = "whether opposite edges meet; frequencies are then rounded to whole lattices"),
    { 0 },
};

const Operation op_noise = {
    .name = "noise",
    .category = "base",
    .summary = "Makes noise: Perlin's gradient noise, simplex or value noise, and fractal sums of it",
    .description = "Heights lie in 0 to 1 for every argument, mostly near the middle; normalize{} spreads "
                   "them. They depend on position only: with wrap = false, noise{ at = { 1, 0 } } continues "
                   "noise{} at the right, and windows that overlap by whole cells have the same bytes there. "
                   "Octaves are the same at every resolution; a larger field adds finer ones.",
    .source = "Perlin 2002, Improving noise; Gustavson and McEwan 2022, Tiling simplex flow noise in 2-D and "
              "3-D; Ebert et al. 2003, Texturing and modeling, chapter 16",
    .outputs = { { "height", "heights, 0 to 1", .heights = true } },
    .params = params,
    .params_size = sizeof(Noise),
    .sized = true,
    .seeded = true,
    .always_finite = "is a sum of bounded octaves",
    .example = "local crests = esker.noise{ size = 64, seed = 3, fractal = \"ridged\", frequency = 3 }",
    .picture = "local function noise(arguments)\n"
               "    arguments.size, arguments.seed, arguments.frequency = height.width, 3, 3\n"
               "    return esker.noise(arguments):normalize{}\n"
               "end\n"
               "return noise{}, noise{ fractal = \"ridged\" }, noise{ fractal = \"billow\" },\n"
               "       noise{ kind = \"simplex\", fractal = \"none\" }, noise{ warp = 0.2 }",
    .keywords = "perlin fbm fractal brownian ridged billow turbulence simplex opensimplex value white clouds "
                "musgrave attribute gauss gaussian lognormal random rng default_rng",
    .see_also = "spectral diamond_square voronoi perturb",
    .run = run,
};
