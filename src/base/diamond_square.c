// Midpoint displacement by the diamond-square algorithm (Olsen 2004, "Midpoint displacement" and figure 3).
//
// A lattice of random heights with joined opposite edges is refined level by level. The diamond step puts a
// point in the middle of every four lattice points. The square step puts one between two lattice points and
// the two middles beside them. Each gets the average of its neighbours plus a random offset. The range of
// the offsets is multiplied by `persistence` at each level; with `smooth` it is also multiplied by the
// average, so that low ground is smooth.
//
// A level is stored as two compact grids, corners and middles, so that every loop reads neighbours that are
// adjacent in memory. The last level is written directly to the field. A field whose sides are not multiples
// of a power of two takes evenly spaced rows and columns of the smallest lattice that covers it.

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/random.h"
#include "core/rescale.h"

#include <string.h>

typedef struct DiamondSquare {
    double persistence;
    int distribution;
    bool smooth;
    int lattice;
} DiamondSquare;

enum { UNIFORM, GAUSSIAN };
enum { CHUNK = 512 }; // lattice points of a row that are refined at once

// A grid of `columns` × `rows` lattice points whose rows have one more element: a copy of the first point.
typedef struct Lattice {
    int columns, rows;
    float *points;
} Lattice;

typedef struct Level {
    Lattice corners,
        middles;       // middles: point i + 1 is between corners i and i + 1, point 0 is a copy of the last
    Lattice finer;     // the next level's corners; on the last level, without points
    Field *field;      // on the last level the result, otherwise NULL
    RandomKey keys[3]; // of middles, of points between columns, of points between rows
    float range;
    bool smooth, gaussian;
} Level;

static float *lattice_row(const Lattice *lattice, int y) {
    return lattice->points + (size_t)y * (size_t)(lattice->columns + 1);
}

static Status lattice_create(Lattice *lattice, int columns, int rows, Error *error) {
    *lattice = (Lattice){ columns, rows, NULL };
    lattice->points = memory_new((size_t)rows * (size_t)(columns + 1), sizeof(float), error);
    return lattice->points ? STATUS_OK : STATUS_MEMORY;
}

// In -1 … 1: the mean of eight uniform bytes, close to a normal distribution (excess kurtosis -0.15) and,
// as the paper requires, inside the range.
KERNEL_INLINE float gaussian_offset(RandomKey key, uint32_t x, uint32_t y) {
    const uint32_t even_bytes = 0x00ff00ff;
    const uint32_t first = random_bits(key, x, 2 * y), second = random_bits(key, x, 2 * y + 1);
    const uint32_t sums = (first & even_bytes) + (first >> 8 & even_bytes) + // two of them, 16 bits each
                          (second & even_bytes) + (second >> 8 & even_bytes);
    return (float)((int32_t)((sums & 0xffff) + (sums >> 16)) - 4 * 255) * (1.0f / (4 * 255));
}

// Adds random offsets to the averages in `points`, which lie at x, x + 1, … of row y.
KERNEL static void displace(const Level *level, RandomKey key, float *restrict points, int count, int x,
                            int y) {
    const float range = level->range;
    if (level->gaussian && level->smooth)
        for (int i = 0; i < count; i++)
            points[i] += points[i] * (range * gaussian_offset(key, (uint32_t)(x + i), (uint32_t)y));
    else if (level->gaussian)
        for (int i = 0; i < count; i++)
            points[i] += range * gaussian_offset(key, (uint32_t)(x + i), (uint32_t)y);
    else if (level->smooth)
        for (int i = 0; i < count; i++)
            points[i] += points[i] * (range * random_signed(key, (uint32_t)(x + i), (uint32_t)y));
    else
        for (int i = 0; i < count; i++)
            points[i] += range * random_signed(key, (uint32_t)(x + i), (uint32_t)y);
}

// The diamond step.
KERNEL static void place_middles(void *context, int first, int end) {
    const Level *level = context;
    const int columns = level->corners.columns;
    for (int y = first; y < end; y++) {
        const float *restrict above = lattice_row(&level->corners, y);
        const float *restrict below = lattice_row(&level->corners, wrap(y + 1, level->corners.rows));
        float *restrict middles = lattice_row(&level->middles, y);
        for (int x = 0; x < columns; x++)
            middles[x + 1] = 0.25f * ((above[x] + above[x + 1]) + (below[x] + below[x + 1]));
        displace(level, level->keys[0], middles + 1, columns, 0, y);
        middles[0] = middles[columns];
    }
}

// The column or row of the finest lattice used by cell `at` of `cells`: every one if the counts agree.
static int sampled(int at, int cells, int points) {
    return (int)((int64_t)at * points / cells);
}

// Cells of the field's row that take points of `row`, which holds the lattice's points from `start` on.
static void sample(const Level *level, const float *row, int start, int count, int lattice_y) {
    Field *field = level->field;
    const int points = 2 * level->corners.columns, rows = 2 * level->corners.rows;
    const int y = (int)(((int64_t)lattice_y * field->height + rows - 1) / rows);
    if (y >= field->height || sampled(y, field->height, rows) != lattice_y)
        return;
    float *out = field_row(field, y);
    if (points == field->width) {
        memcpy(out + start, row, (size_t)count * sizeof *row);
        return;
    }
    int x = (int)(((int64_t)start * field->width + points - 1) / points);
    for (int at; x < field->width && (at = sampled(x, field->width, points)) < start + count; x++)
        out[x] = row[at - start];
}

static void store(const Level *level, const float *row, int start, int count, int y) {
    if (level->field) {
        sample(level, row, start, count, y);
        return;
    }
    float *out = lattice_row(&level->finer, y);
    memcpy(out + start, row, (size_t)count * sizeof *row);
    out[level->finer.columns] = out[0];
}

// The square step, and the finer rows assembled from corners, middles and the points between.
KERNEL static void place_edges(void *context, int first, int end) {
    const Level *level = context;
    const int columns = level->corners.columns, rows = level->corners.rows;
    float between_columns[CHUNK], between_rows[CHUNK], even[2 * CHUNK], odd[2 * CHUNK];
    for (int y = first; y < end; y++)
        for (int start = 0; start < columns; start += CHUNK) {
            const int count = min(columns - start, CHUNK);
            const float *restrict corners = lattice_row(&level->corners, y) + start;
            const float *restrict below = lattice_row(&level->corners, wrap(y + 1, rows)) + start;
            const float *restrict middles = lattice_row(&level->middles, y) + start;
            const float *restrict above = lattice_row(&level->middles, wrap(y - 1, rows)) + start;
            for (int i = 0; i < count; i++) {
                between_columns[i] =
                    0.25f * ((corners[i] + corners[i + 1]) + (above[i + 1] + middles[i + 1]));
                between_rows[i] = 0.25f * ((corners[i] + below[i]) + (middles[i] + middles[i + 1]));
            }
            displace(level, level->keys[1], between_columns, count, start, y);
            displace(level, level->keys[2], between_rows, count, start, y);
            for (int i = 0; i < count; i++) {
                even[2 * i] = corners[i];
                even[2 * i + 1] = between_columns[i];
                odd[2 * i] = between_rows[i];
                odd[2 * i + 1] = middles[i + 1];
            }
            store(level, even, 2 * start, 2 * count, 2 * y);
            store(level, odd, 2 * start, 2 * count, 2 * y + 1);
        }
}

static Status refine(const Run *run, Level *level) {
    const int columns = level->corners.columns, rows = level->corners.rows;
    const double cost = level->gaussian ? 6 : 2;
    Status status = parallel_rows(run, rows, columns * cost, place_middles, level);
    if (status == STATUS_OK)
        status = parallel_rows(run, rows, columns * cost * 3, place_edges, level);
    return status;
}

// The first lattice: `lattice` cells along the shorter side, as many of the same size along the longer one,
// heights 0 … 1.
static Status first_lattice(const Call *call, const DiamondSquare *params, Lattice *corners, Error *error) {
    const int shorter = min(call->width, call->height);
    const int cells = min(params->lattice, shorter);
    const int columns = (int)(((int64_t)call->width * cells + shorter / 2) / shorter);
    const int rows = (int)(((int64_t)call->height * cells + shorter / 2) / shorter);
    const Status status = lattice_create(corners, columns, rows, error);
    if (status != STATUS_OK)
        return status;
    const RandomKey key = random_key(call->seed, 0);
    for (int y = 0; y < rows; y++) {
        float *row = lattice_row(corners, y);
        for (int x = 0; x < columns; x++)
            row[x] = random_unit(key, (uint32_t)x, (uint32_t)y);
        row[columns] = row[0];
    }
    return STATUS_OK;
}

// The first lattice's heights span 1, as if they were offsets by ±1/2, and the range falls before each level.
static Status run(const Call *call, Error *error) {
    const DiamondSquare *params = call->params;
    Level level = { .range = 0.5f, .smooth = params->smooth, .gaussian = params->distribution == GAUSSIAN };
    Status status = first_lattice(call, params, &level.corners, error);
    for (uint32_t depth = 0; status == STATUS_OK && !level.field; depth++) {
        const int columns = level.corners.columns, rows = level.corners.rows;
        level.range *= (float)params->persistence;
        for (uint32_t i = 0; i < 3; i++)
            level.keys[i] = random_key(call->seed, 1 + 3 * depth + i);
        if (2 * columns >= call->width && 2 * rows >= call->height)
            level.field = &call->outputs[0].field;
        else
            status = lattice_create(&level.finer, 2 * columns, 2 * rows, error);
        if (status == STATUS_OK)
            status = lattice_create(&level.middles, columns, rows, error);
        if (status == STATUS_OK)
            status = refine(call->run, &level);
        memory_free(level.middles.points);
        memory_free(level.corners.points);
        level.corners = level.finer;
        level.middles = level.finer = (Lattice){ 0 };
    }
    memory_free(level.corners.points);
    if (status == STATUS_OK)
        status = field_rescale(call->run, &call->outputs[0].field, 0, 1, error);
    return status;
}

static const Param params[] = {
    PARAM(DiamondSquare, persistence, .initial = 0.5, .min = 0, .max = 1,
          .doc = "factor by which the range of offsets shrinks at each level; higher is rougher"),
    PARAM(DiamondSquare, distribution, .choices = CHOICES("uniform", "gaussian"),
          .doc = "distribution of the offsets within their range"),
    PARAM(DiamondSquare, smooth, .initial = false,
          .doc = "multiplies offsets by the local height, which makes low ground smooth"),
    PARAM(DiamondSquare, lattice, .initial = 8, .min = 1, .max = 4096,
          .doc = "points of the first lattice along the shorter side; more give smaller hills"),
    { 0 },
};

const Operation op_diamond_square = {
    .name = "diamond_square",
    .category = "base",
    .keywords = "fractal noise plasma midpoint displacement fbm brownian generate",
    .summary = "Makes fractal terrain by midpoint displacement (the diamond-square algorithm)",
    .description = "Approximates 1/f noise at persistence 0.5 and is many times faster than adding "
                   "octaves. Heights span 0 to 1; opposite edges meet.",
    .source = "Olsen 2004, Midpoint displacement",
    .outputs = { { "height", "heights, 0 to 1", .heights = true } },
    .params = params,
    .params_size = sizeof(DiamondSquare),
    .sized = true,
    .wrapping = WRAPPING_MADE,
    .seeded = true,
    .example = "local noise = esker.diamond_square{ size = 64, seed = 7, smooth = true }",
    .see_also = "spectral voronoi perturb",
    .run = run,
};
