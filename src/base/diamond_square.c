// Midpoint displacement by the diamond-square algorithm (Olsen 2004, "Midpoint displacement" and figure 3).
//
// A lattice of random heights with joined opposite edges is refined level by level. The diamond step puts a
// point in the middle of every four lattice points. The square step puts one between two lattice points and
// the two middles beside them. Each gets the average of its neighbours plus a random offset. The range of
// the offsets is multiplied by `persistence` at each level; with `smooth` it is also multiplied by the
// average, so that low ground is smooth.
//
// A level is stored as two compact grids, corners and middles, so that every loop reads neighbours that are
// adjacent in memory. The last level is written directly to the field. A field of other sides than the
// lattice takes the means of the smallest lattice that covers it: had it evenly spaced rows and columns, some
// would be twice as far apart as others, which shows as a woven grain.

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
enum { CHUNK = 512 };           // lattice points of a row that are refined at once
enum { CELLS = 256, TAPS = 4 }; // cells of a row that take means at once; points that touch a cell, at most

// A grid of `columns` × `rows` lattice points whose rows have one more element: a copy of the first point.
typedef struct Lattice {
    int columns, rows;
    float *points;
} Lattice;

// The columns of a field that its cells take from the lattice: `taps` points from `first` on, and how much of
// a cell each covers, share k of cell x at k * (the field's width) + x.
typedef struct Columns {
    int taps, *first;
    float *shares;
} Columns;

typedef struct Rows { // cells `x` to `x` + `count` - 1 of rows `first` to `end` - 1
    int first, end, x, count;
} Rows;

typedef struct Level {
    Lattice corners,
        middles;       // middles: point i + 1 is between corners i and i + 1, point 0 is a copy of the last
    Lattice finer;     // the next level's corners; on the last level, without points
    Field *field;      // on the last level the result, otherwise NULL
    Columns columns;   // where the last level has not the field's sides
    RandomKey keys[3]; // of middles, of points between columns, of points between rows
    float range;
    bool smooth, gaussian;
} Level;

static float *lattice_row(const Lattice *lattice, int y) {
    return lattice->points + (size_t)y * (size_t)(lattice->columns + 1);
}

static Status lattice_create(Lattice *lattice, int columns, int rows, Error *error) {
    *lattice = (Lattice){ columns, rows, NULL };
    lattice->points = memory_new_cells(rows, columns + 1, sizeof(float), error);
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

static void store(const Level *level, const float *row, int start, int count, int y) {
    float *out = level->field ? field_row(level->field, y) : lattice_row(&level->finer, y);
    memcpy(out + start, row, (size_t)count * sizeof *row);
    if (!level->field)
        out[level->finer.columns] = out[0];
}

// The square step, and from corners, middles and the points between two finer rows: points `start` to
// `start` + `count` - 1 of row y of the corners.
KERNEL static void assemble_rows(const Level *level, int y, int start, int count, float *restrict even,
                                 float *restrict odd) {
    float between_columns[CHUNK], between_rows[CHUNK];
    const int rows = level->corners.rows;
    const float *restrict corners = lattice_row(&level->corners, y) + start;
    const float *restrict below = lattice_row(&level->corners, wrap(y + 1, rows)) + start;
    const float *restrict middles = lattice_row(&level->middles, y) + start;
    const float *restrict above = lattice_row(&level->middles, wrap(y - 1, rows)) + start;
    for (int i = 0; i < count; i++) {
        between_columns[i] = 0.25f * ((corners[i] + corners[i + 1]) + (above[i + 1] + middles[i + 1]));
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
}

static void place_edges(void *context, int first, int end) {
    const Level *level = context;
    float even[2 * CHUNK], odd[2 * CHUNK];
    for (int y = first; y < end; y++)
        for (int start = 0; start < level->corners.columns; start += CHUNK) {
            const int count = min(level->corners.columns - start, CHUNK);
            assemble_rows(level, y, start, count, even, odd);
            store(level, even, 2 * start, 2 * count, 2 * y);
            store(level, odd, 2 * start, 2 * count, 2 * y + 1);
        }
}

// --- fields of other sides ---------------------------------------------------------------------------------

// The share of a cell that a lattice point covers, one of `points` along as many `cells`.
static float covered(int at, int cells, int point, int points) {
    const int64_t left = max((int64_t)at * points, (int64_t)point * cells);
    const int64_t right = min((int64_t)(at + 1) * points, (int64_t)(point + 1) * cells);
    return (float)max(right - left, 0) / (float)points;
}

// The first lattice point that touches a cell, or the first cell that a point touches.
static int touched(int at, int cells, int points) {
    return (int)((int64_t)at * points / cells);
}

static Status find_columns(Columns *columns, int cells, int points, Error *error) {
    columns->taps = min((int)TAPS, points);
    columns->first = memory_new((size_t)cells, sizeof *columns->first, error);
    columns->shares =
        columns->first ? memory_new((size_t)cells * TAPS, sizeof *columns->shares, error) : NULL;
    if (!columns->shares)
        return STATUS_MEMORY;
    for (int x = 0; x < cells; x++) {
        columns->first[x] = min(touched(x, cells, points), points - columns->taps);
        for (int k = 0; k < columns->taps; k++)
            columns->shares[(size_t)k * (size_t)cells + (size_t)x] =
                covered(x, cells, columns->first[x] + k, points);
    }
    return STATUS_OK;
}

// Adds a share of the means of a lattice row, which begins at point `start`, to cells x, x + 1, ….
KERNEL static void add_means(const Columns *columns, const float *restrict row, int start, float share,
                             int width, int x, int count, float *restrict out) {
    const int *restrict first = columns->first + x;
    const float *restrict shares = columns->shares + x;
    float means[CELLS] = { 0 };
    for (int k = 0; k < columns->taps; k++) {
        const float *restrict covers = shares + (size_t)k * (size_t)width;
        for (int i = 0; i < count; i++)
            means[i] += covers[i] * row[first[i] - start + k];
    }
    for (int i = 0; i < count; i++)
        out[i] += share * means[i];
}

// Rows of the field from x on: what row y of the lattice adds to them.
static void add_row(const Level *level, const float *row, int start, int y, const Rows *cells) {
    Field *field = level->field;
    const int rows = 2 * level->corners.rows;
    for (int v = max(touched(y, rows, field->height), cells->first);
         v < cells->end && (int64_t)v * rows < (int64_t)(y + 1) * field->height; v++)
        add_means(&level->columns, row, start, covered(v, field->height, y, rows), field->width, cells->x,
                  cells->count, field_row(field, v) + cells->x);
}

// Sets rows of the field to means of the fine lattice.
static void place_means(void *context, int first, int end) {
    const Level *level = context;
    Field *field = level->field;
    const Columns *columns = &level->columns;
    const int rows = 2 * level->corners.rows;
    const int top = touched(first, field->height, rows) / 2;
    const int bottom = (int)(((int64_t)end * rows - 1) / field->height) / 2;
    float even[2 * CHUNK], odd[2 * CHUNK];
    for (int x = 0; x < field->width; x += CELLS) {
        const Rows cells = { first, end, x, min(field->width - x, (int)CELLS) };
        const int start = columns->first[x] / 2;
        const int last = (columns->first[x + cells.count - 1] + columns->taps - 1) / 2;
        for (int v = first; v < end; v++)
            memset(field_row(field, v) + x, 0, (size_t)cells.count * sizeof(float));
        for (int y = top; y <= bottom; y++) {
            assemble_rows(level, y, start, last + 1 - start, even, odd);
            add_row(level, even, 2 * start, 2 * y, &cells);
            add_row(level, odd, 2 * start, 2 * y + 1, &cells);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------

// The field takes the lattice as it is, or means of it.
static Status finish(const Run *run, Level *level, double cost, Error *error) {
    Field *field = level->field;
    const int columns = 2 * level->corners.columns, rows = 2 * level->corners.rows;
    if (columns == field->width && rows == field->height)
        return parallel_rows(run, rows / 2, columns * cost * 1.5, place_edges, level);
    Status status = find_columns(&level->columns, field->width, columns, error);
    if (status == STATUS_OK)
        status = parallel_rows(run, field->height, columns * cost * 3, place_means, level);
    memory_free(level->columns.shares);
    memory_free(level->columns.first);
    return status;
}

static Status refine(const Run *run, Level *level, Error *error) {
    const int columns = level->corners.columns, rows = level->corners.rows;
    const double cost = level->gaussian ? 6 : 2;
    Status status = parallel_rows(run, rows, columns * cost, place_middles, level);
    if (status == STATUS_OK && level->field)
        status = finish(run, level, cost, error);
    else if (status == STATUS_OK)
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
            status = refine(call->run, &level, error);
        memory_free(level.middles.points);
        memory_free(level.corners.points);
        level.corners = level.finer;
        level.middles = level.finer = (Lattice){ 0 };
    }
    memory_free(level.corners.points);
    if (status == STATUS_OK)
        status = field_rescale(call->run, &call->outputs[0].field, &call->outputs[0].field, 0, 1, error);
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
    .keywords = "fractal noise plasma midpoint displacement fbm brownian generate surf",
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
