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
#include "core/summary.h"
#include "core/whole.h"

#include <math.h>

enum { BLOCK_MAX = 256, RINGS_MAX = 8, BLOCKS_MAX = 5, LEAST = 16 };
enum { BLOCKS_AT_ONCE = 4 };

typedef struct Complex {
    double re, im;
} Complex;

// gcc 12 makes one rounding of a * b - c * d beside a * d + b * c, -ffp-contract=off or not, where the
// processor has FMA (vfmaddsub): with the negated part beside it there are sums alone.
typedef struct Turn {
    double re, im, minus_im;
} Turn;

typedef struct Ring {
    double count, log_k, power, cos2, sin2, cos4;
} Ring;

// A wave of a block, and what is the same in all blocks.
typedef struct Wave {
    uint32_t at; // in the block
    double log_k, cos2, sin2, cos4;
} Wave;

typedef struct Block {
    int x, y;
    double mean, along, across; // its plane, from its middle
    Complex *cells;
} Block;

typedef struct Spectrum {
    const Survey *survey;
    double lowest, relief;
    int side, rings; // of a block, a power of two
    Block blocks[BLOCKS_AT_ONCE];
    int block_count;
    Complex *cells; // of the blocks
    Wave *waves;    // of one ring after the other, in the order of rows
    int first_wave[RINGS_MAX + 1];
    Turn turn[BLOCK_MAX / 2];
    double window[BLOCK_MAX];
    int reversed[BLOCK_MAX];
    Ring ring[RINGS_MAX];
} Spectrum;

// --- Fourier transform -------------------------------------------------------------------------------------

// In place, of numbers in bit-reversed order (Cooley and Tukey 1965).
static void transform(const Spectrum *spectrum, Complex *line) {
    const int side = spectrum->side;
    for (int half = 1; half < side; half *= 2)
        for (int first = 0; first < side; first += 2 * half)
            for (int i = 0; i < half; i++) {
                const Turn turn = spectrum->turn[i * (side / 2 / half)];
                Complex *a = &line[first + i], *b = &line[first + i + half];
                const Complex turned = { b->re * turn.re + b->im * turn.minus_im,
                                         b->re * turn.im + b->im * turn.re };
                *b = (Complex){ a->re - turned.re, a->im - turned.im };
                *a = (Complex){ a->re + turned.re, a->im + turned.im };
            }
}

static double height_at(const Spectrum *spectrum, const Block *block, int x, int y) {
    const Survey *survey = spectrum->survey;
    const float height = field_row(survey->height, block->y + y)[block->x + x];
    return ((double)max(height, survey->sea_level) - spectrum->lowest) / spectrum->relief;
}

static void transform_rows(const Spectrum *spectrum, const Block *block) {
    const int side = spectrum->side;
    const double middle = (side - 1) / 2.0;
    for (int y = 0; y < side; y++) {
        Complex *line = block->cells + (size_t)y * (size_t)side;
        for (int x = 0; x < side; x++) {
            const double plane = block->mean + block->along * (x - middle) + block->across * (y - middle);
            line[spectrum->reversed[x]] = (Complex){ .re = (height_at(spectrum, block, x, y) - plane) *
                                                           spectrum->window[x] * spectrum->window[y] };
        }
        transform(spectrum, line);
    }
}

static void transform_columns(const Spectrum *spectrum, const Block *block) {
    const size_t side = (size_t)spectrum->side;
    Complex line[BLOCK_MAX];
    for (size_t x = 0; x < side; x++) {
        for (size_t y = 0; y < side; y++)
            line[spectrum->reversed[y]] = block->cells[y * side + x];
        transform(spectrum, line);
        for (size_t y = 0; y < side; y++)
            block->cells[y * side + x] = line[y];
    }
}

// --- rings -------------------------------------------------------------------------------------------------

static void fit_plane(const Spectrum *spectrum, Block *block) {
    const int side = spectrum->side;
    const double middle = (side - 1) / 2.0, cells = (double)side * side;
    double sum = 0, along = 0, across = 0;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            const double height = height_at(spectrum, block, x, y);
            sum += height;
            along += height * (x - middle);
            across += height * (y - middle);
        }
    const double squares = cells * (cells - 1) / 12; // Σ (x - middle)² over the block
    block->mean = sum / cells;
    block->along = along / squares;
    block->across = across / squares;
}

static void transform_blocks(void *context, int first, int end) {
    Spectrum *spectrum = context;
    for (int i = first; i < end; i++) {
        fit_plane(spectrum, &spectrum->blocks[i]);
        transform_rows(spectrum, &spectrum->blocks[i]);
        transform_columns(spectrum, &spectrum->blocks[i]);
    }
}

static int ring_of(int square) {
    int ring = 0;
    while (square >= 2 * LEAST << ring)
        ring++;
    return square < LEAST ? -1 : ring;
}

static Wave wave_at(int x, int y, int kx, int ky, int side) {
    const int square = kx * kx + ky * ky;
    const double cos2 = (double)(kx * kx - ky * ky) / square, sin2 = 2.0 * kx * ky / square;
    return (Wave){ (uint32_t)(y * side + x), logarithm(square) / 2, cos2, sin2, 2 * cos2 * cos2 - 1 };
}

static void list_waves(Spectrum *spectrum) {
    const int side = spectrum->side;
    int count = 0;
    for (int ring = 0; ring < spectrum->rings; ring++) {
        spectrum->first_wave[ring] = count;
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++) {
                const int kx = x < side / 2 ? x : x - side, ky = y < side / 2 ? y : y - side;
                if (ring_of(kx * kx + ky * ky) == ring)
                    spectrum->waves[count++] = wave_at(x, y, kx, ky, side);
            }
    }
    spectrum->first_wave[spectrum->rings] = count;
}

static void add_to_rings(void *context, int first, int end) {
    Spectrum *spectrum = context;
    for (int j = first; j < end; j++) {
        Ring ring = spectrum->ring[j];
        for (int block = 0; block < spectrum->block_count; block++)
            for (int i = spectrum->first_wave[j]; i < spectrum->first_wave[j + 1]; i++) {
                const Wave *wave = &spectrum->waves[i];
                const Complex part = spectrum->blocks[block].cells[wave->at];
                const double power = part.re * part.re + part.im * part.im;
                ring.count++;
                ring.log_k += wave->log_k;
                ring.power += power;
                ring.cos2 += power * wave->cos2;
                ring.sin2 += power * wave->sin2;
                ring.cos4 += power * wave->cos4;
            }
        spectrum->ring[j] = ring;
    }
}

static Status add_at_once(Spectrum *spectrum) {
    const Run *run = spectrum->survey->run;
    const double cells = (double)spectrum->side * spectrum->side;
    const Status status = parallel_rows(run, spectrum->block_count, 20 * cells, transform_blocks, spectrum);
    return status == STATUS_OK
               ? parallel_rows(run, spectrum->rings, spectrum->block_count * cells, add_to_rings, spectrum)
               : status;
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
    const size_t cells = (size_t)spectrum->side * (size_t)spectrum->side;
    Status status = STATUS_OK;
    for (int i = 0; i < along * across && status == STATUS_OK; i += spectrum->block_count) {
        spectrum->block_count = min(along * across - i, (int)BLOCKS_AT_ONCE);
        for (int k = 0; k < spectrum->block_count; k++)
            spectrum->blocks[k] = (Block){ .x = block_at(spectrum, (i + k) % along, height->width),
                                           .y = block_at(spectrum, (i + k) / along, height->height),
                                           .cells = spectrum->cells + (size_t)k * cells };
        status = add_at_once(spectrum);
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
            spectrum->turn[i] = (Turn){ cosine(angle), -sine(angle), sine(angle) };
        spectrum->reversed[i] = 0;
        for (int bit = 0; bit < bits; bit++)
            spectrum->reversed[i] |= (i >> bit & 1) << (bits - 1 - bit);
    }
}

static Status bound(Spectrum *spectrum, Error *error) {
    const Survey *survey = spectrum->survey;
    double lowest, highest;
    const Status status = field_range(survey->run, survey->height, &lowest, &highest, error);
    const double sea = (double)survey->sea_level;
    if (status != STATUS_OK)
        return status;
    spectrum->lowest = max(lowest, sea);
    spectrum->relief = max(highest, sea) - spectrum->lowest;
    return STATUS_OK;
}

static Status add_up_rings(Spectrum *spectrum, Error *error) {
    const size_t cells = memory_count(spectrum->side, spectrum->side);
    if (!(spectrum->cells = memory_new(BLOCKS_AT_ONCE * cells, sizeof *spectrum->cells, error)) ||
        !(spectrum->waves = memory_new(cells, sizeof *spectrum->waves, error)))
        return STATUS_MEMORY;
    list_waves(spectrum);
    return add_blocks(spectrum);
}

Status survey_spectrum(Survey *survey, Error *error) {
    Spectrum *spectrum = memory_new_zeroed(1, sizeof *spectrum, error);
    if (!spectrum)
        return STATUS_MEMORY;
    spectrum->survey = survey;
    prepare(spectrum, min(survey->height->width, survey->height->height));
    Status status = bound(spectrum, error);
    if (status == STATUS_OK && spectrum->rings >= 2 && spectrum->relief > 0) {
        status = add_up_rings(spectrum, error);
        if (status == STATUS_OK)
            set_measures(survey, spectrum);
    }
    memory_free(spectrum->cells);
    memory_free(spectrum->waves);
    memory_free(spectrum);
    return status;
}
