// The power spectrum of the land, by Welch's method: the mean over square blocks, each freed of its plane and
// faded out towards its edges (Hann's window), and summed up in rings of half an octave of wave numbers, for
// waves of 4 cells (shorter ones are the grid's) to a quarter of the block (longer ones are few).
//
//     ring j:      16 · 2^j <= k² < 32 · 2^j,  k in waves a block
//     β:           log(mean power) over log k, by least squares, downwards
//     anisotropy:  the mean over the rings of |Σ P e^2iφ| / ΣP;   grid: of Σ P cos 4φ / ΣP

#include "analysis/survey.h"
#include "core/elementary.h"
#include "core/least_squares.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>

enum { BLOCK_MAX = 256, RINGS_MAX = 8, BLOCKS_MAX = 5, LEAST = 16 };

typedef struct Complex {
    double re, im;
} Complex;

typedef struct Ring {
    double count, log_k, power, cos2, sin2, cos4;
} Ring;

typedef struct Spectrum {
    const Survey *survey;
    double lowest, relief;
    int side, rings;            // of a block, a power of two
    int x, y;                   // of the block at hand
    double mean, along, across; // its plane, from its middle
    Complex turn[BLOCK_MAX / 2];
    double window[BLOCK_MAX];
    int reversed[BLOCK_MAX];
    Complex *block;
    Ring ring[RINGS_MAX];
} Spectrum;

// --- Fourier transform -------------------------------------------------------------------------------------

// In place, of numbers in bit-reversed order (Cooley and Tukey 1965).
static void transform(const Spectrum *spectrum, Complex *line) {
    const int side = spectrum->side;
    for (int half = 1; half < side; half *= 2)
        for (int first = 0; first < side; first += 2 * half)
            for (int i = 0; i < half; i++) {
                const Complex turn = spectrum->turn[i * (side / 2 / half)];
                Complex *a = &line[first + i], *b = &line[first + i + half];
                const Complex turned = { b->re * turn.re - b->im * turn.im,
                                         b->re * turn.im + b->im * turn.re };
                *b = (Complex){ a->re - turned.re, a->im - turned.im };
                *a = (Complex){ a->re + turned.re, a->im + turned.im };
            }
}

static double height_at(const Spectrum *spectrum, int x, int y) {
    const Survey *survey = spectrum->survey;
    const float height = field_row(survey->height, spectrum->y + y)[spectrum->x + x];
    return ((double)max(height, survey->sea_level) - spectrum->lowest) / spectrum->relief;
}

static void transform_rows(void *context, int first, int end) {
    const Spectrum *spectrum = context;
    const int side = spectrum->side;
    const double middle = (side - 1) / 2.0;
    for (int y = first; y < end; y++) {
        Complex *line = spectrum->block + (size_t)y * (size_t)side;
        for (int x = 0; x < side; x++) {
            const double plane =
                spectrum->mean + spectrum->along * (x - middle) + spectrum->across * (y - middle);
            line[spectrum->reversed[x]] = (Complex){ .re = (height_at(spectrum, x, y) - plane) *
                                                           spectrum->window[x] * spectrum->window[y] };
        }
        transform(spectrum, line);
    }
}

static void transform_columns(void *context, int first, int end) {
    const Spectrum *spectrum = context;
    const size_t side = (size_t)spectrum->side;
    Complex line[BLOCK_MAX];
    for (size_t x = (size_t)first; x < (size_t)end; x++) {
        for (size_t y = 0; y < side; y++)
            line[spectrum->reversed[y]] = spectrum->block[y * side + x];
        transform(spectrum, line);
        for (size_t y = 0; y < side; y++)
            spectrum->block[y * side + x] = line[y];
    }
}

// --- rings -------------------------------------------------------------------------------------------------

static void fit_plane(Spectrum *spectrum) {
    const int side = spectrum->side;
    const double middle = (side - 1) / 2.0, cells = (double)side * side;
    double sum = 0, along = 0, across = 0;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            const double height = height_at(spectrum, x, y);
            sum += height;
            along += height * (x - middle);
            across += height * (y - middle);
        }
    const double squares = cells * (cells - 1) / 12; // Σ (x - middle)² over the block
    spectrum->mean = sum / cells;
    spectrum->along = along / squares;
    spectrum->across = across / squares;
}

static void add_to_rings(Spectrum *spectrum) {
    const int side = spectrum->side;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            const int kx = x < side / 2 ? x : x - side, ky = y < side / 2 ? y : y - side;
            const int square = kx * kx + ky * ky;
            int j = 0;
            while (square >= 2 * LEAST << j)
                j++;
            if (square < LEAST || j >= spectrum->rings)
                continue;
            const Complex wave = spectrum->block[(size_t)y * (size_t)side + (size_t)x];
            const double power = wave.re * wave.re + wave.im * wave.im;
            const double cos2 = (double)(kx * kx - ky * ky) / square, sin2 = 2.0 * kx * ky / square;
            Ring *ring = &spectrum->ring[j];
            ring->count++;
            ring->log_k += logarithm(square) / 2;
            ring->power += power;
            ring->cos2 += power * cos2;
            ring->sin2 += power * sin2;
            ring->cos4 += power * (2 * cos2 * cos2 - 1);
        }
}

static Status add_block(Spectrum *spectrum) {
    const Run *run = spectrum->survey->run;
    const int side = spectrum->side;
    fit_plane(spectrum);
    Status status = parallel_rows(run, side, side * 20.0, transform_rows, spectrum);
    if (status == STATUS_OK)
        status = parallel_rows(run, side, side * 20.0, transform_columns, spectrum);
    if (status == STATUS_OK)
        add_to_rings(spectrum);
    return status;
}

// At most half of a block lies over its neighbour, and at most BLOCKS_MAX stand in a row.
static int blocks_along(const Spectrum *spectrum, int cells) {
    return min(BLOCKS_MAX, 2 * (cells - 1) / spectrum->side);
}

static int block_at(const Spectrum *spectrum, int i, int cells) {
    const int last = blocks_along(spectrum, cells) - 1;
    return last > 0 ? (int)((int64_t)(cells - spectrum->side) * i / last) : (cells - spectrum->side) / 2;
}

static Status add_blocks(Spectrum *spectrum) {
    const Field *height = spectrum->survey->height;
    const int along = max(1, blocks_along(spectrum, height->width));
    const int across = max(1, blocks_along(spectrum, height->height));
    Status status = STATUS_OK;
    for (int i = 0; i < along * across && status == STATUS_OK; i++) {
        spectrum->x = block_at(spectrum, i % along, height->width);
        spectrum->y = block_at(spectrum, i / along, height->height);
        status = add_block(spectrum);
    }
    return status;
}

static void set_measures(Survey *survey, const Spectrum *spectrum) {
    Line line = { 0 };
    double grain = 0, grid = 0;
    for (int j = 0; j < spectrum->rings; j++) {
        const Ring *ring = &spectrum->ring[j];
        if (!(ring->count > 0 && ring->power > 0))
            continue;
        line_add(&line, ring->log_k / ring->count, logarithm(ring->power / ring->count));
        grain += sqrt(ring->cos2 * ring->cos2 + ring->sin2 * ring->sin2) / ring->power;
        grid += ring->cos4 / ring->power;
    }
    if (line.count < 2)
        return;
    survey_set(survey, MEASURE_spectrum, -line_slope(&line));
    survey_set(survey, MEASURE_anisotropy, grain / line.count);
    survey_set(survey, MEASURE_grid, grid / line.count);
}

// --- all ---------------------------------------------------------------------------------------------------

static void prepare(Spectrum *spectrum, int shorter) {
    int side = 1, bits = 0;
    for (; side * 2 <= min(shorter, (int)BLOCK_MAX); side *= 2)
        bits++;
    spectrum->side = side;
    spectrum->rings = 2 * bits - 8; // up to side / 4 waves
    for (int i = 0; i < side; i++) {
        const double angle = 2 * PI * i / side;
        spectrum->window[i] = (1 - cosine(2 * PI * (i + 0.5) / side)) / 2;
        if (i < side / 2)
            spectrum->turn[i] = (Complex){ cosine(angle), -sine(angle) };
        spectrum->reversed[i] = 0;
        for (int bit = 0; bit < bits; bit++)
            spectrum->reversed[i] |= (i >> bit & 1) << (bits - 1 - bit);
    }
}

static void bound(Spectrum *spectrum) {
    const Survey *survey = spectrum->survey;
    float lowest = max(survey->height->cells[0], survey->sea_level), highest = lowest;
    for (size_t i = 0; i < field_count(survey->height); i++) {
        const float height = max(survey->height->cells[i], survey->sea_level);
        lowest = min(height, lowest);
        highest = max(height, highest);
    }
    spectrum->lowest = (double)lowest;
    spectrum->relief = (double)highest - (double)lowest;
}

Status survey_spectrum(Survey *survey, Error *error) {
    Spectrum *spectrum = memory_new_zeroed(1, sizeof *spectrum, error);
    if (!spectrum)
        return STATUS_MEMORY;
    Status status = STATUS_OK;
    spectrum->survey = survey;
    prepare(spectrum, min(survey->height->width, survey->height->height));
    bound(spectrum);
    if (spectrum->rings >= 2 && spectrum->relief > 0) {
        const size_t cells = (size_t)spectrum->side * (size_t)spectrum->side;
        spectrum->block = memory_new(cells, sizeof *spectrum->block, error);
        status = spectrum->block ? add_blocks(spectrum) : STATUS_MEMORY;
        if (status == STATUS_OK)
            set_measures(survey, spectrum);
    }
    memory_free(spectrum->block);
    memory_free(spectrum);
    return status;
}
