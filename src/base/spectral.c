// Spectral synthesis (Olsen 2004, "Spectral synthesis"): octaves of noise are added, each of twice the
// frequency of the one before and of amplitude A = p^i, p the persistence. An octave is a lattice of random
// numbers, joined at opposite edges, with the cells between interpolated, down the columns first and then
// along the rows.

#include "core/kernel.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/random.h"
#include "core/rescale.h"

typedef struct Spectral {
    double persistence;
    int octaves, interpolation;
} Spectral;

enum { LINEAR, CUBIC };
enum {
    FIRST_LATTICE = 4,
    PAD = 3
}; // a lattice's row is read from one before its first to two behind its last

typedef struct Weights { // of the four lattice points around a cell; its own point and the next are 1 and 2
    float at[4];
} Weights;

typedef struct Octave {
    const Field *field;
    int columns, rows; // of the lattice
    float *lattice;    // rows × columns
    float *between;    // per row of the field: the lattice interpolated down, (columns + PAD)
    int *places;       // per column of the field: its lattice point
    float *weights[4]; // per column of the field
    float amplitude;
    int interpolation;
} Octave;

// Linear, or the cubic through four points (Catmull-Rom), at t = 0 … 1 behind the second.
static Weights weights_at(float t, int interpolation) {
    if (interpolation == LINEAR)
        return (Weights){ { 0, 1 - t, t, 0 } };
    const float t2 = t * t, t3 = t2 * t;
    return (Weights){ { 0.5f * (2 * t2 - t3 - t), 0.5f * (3 * t3 - 5 * t2 + 2), 0.5f * (4 * t2 - 3 * t3 + t),
                        0.5f * (t3 - t2) } };
}

static int place_of(int at, int cells, int points, float *t) {
    const int64_t scaled = (int64_t)at * points;
    *t = (float)(scaled % cells) / (float)cells;
    return (int)(scaled / cells);
}

KERNEL static void interpolate_down(const Octave *octave, int y, float *restrict between) {
    float t;
    const int place = place_of(y, octave->field->height, octave->rows, &t);
    const Weights weights = weights_at(t, octave->interpolation);
    const int columns = octave->columns;
    const float *restrict rows[4];
    for (int i = 0; i < 4; i++)
        rows[i] = octave->lattice + (size_t)((place + i - 1 + octave->rows) % octave->rows) * (size_t)columns;
    const float *restrict a = rows[0], *restrict b = rows[1], *restrict c = rows[2], *restrict d = rows[3];
    for (int x = 0; x < columns; x++)
        between[x + 1] =
            (weights.at[0] * a[x] + weights.at[1] * b[x]) + (weights.at[2] * c[x] + weights.at[3] * d[x]);
    between[0] = between[columns];
    between[columns + 1] = between[1];
    between[columns + 2] = between[columns > 1 ? 2 : 1];
}

KERNEL static void add_rows(void *context, int first, int end) {
    const Octave *octave = context;
    const int width = octave->field->width;
    const float amplitude = octave->amplitude;
    const int *restrict places = octave->places;
    const float *restrict w0 = octave->weights[0], *restrict w1 = octave->weights[1];
    const float *restrict w2 = octave->weights[2], *restrict w3 = octave->weights[3];
    for (int y = first; y < end; y++) {
        float *restrict between = octave->between + (size_t)y * (size_t)(octave->columns + PAD);
        interpolate_down(octave, y, between);
        float *restrict row = field_row(octave->field, y);
        if (octave->interpolation == LINEAR)
            for (int x = 0; x < width; x++)
                row[x] += amplitude * (w1[x] * between[places[x] + 1] + w2[x] * between[places[x] + 2]);
        else
            for (int x = 0; x < width; x++)
                row[x] += amplitude * ((w0[x] * between[places[x]] + w1[x] * between[places[x] + 1]) +
                                       (w2[x] * between[places[x] + 2] + w3[x] * between[places[x] + 3]));
    }
}

static Status add_octave(const Call *call, Octave *octave, RandomKey key, Error *error) {
    const size_t points = (size_t)octave->columns * (size_t)octave->rows;
    octave->lattice = memory_new(points, sizeof(float), error);
    octave->between =
        memory_new((size_t)(octave->columns + PAD) * (size_t)call->height, sizeof(float), error);
    Status status = octave->lattice && octave->between ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK) {
        for (int y = 0; y < octave->rows; y++)
            for (int x = 0; x < octave->columns; x++)
                octave->lattice[(size_t)y * (size_t)octave->columns + (size_t)x] =
                    random_unit(key, (uint32_t)x, (uint32_t)y);
        for (int x = 0; x < call->width; x++) {
            float t;
            octave->places[x] = place_of(x, call->width, octave->columns, &t);
            const Weights weights = weights_at(t, octave->interpolation);
            for (int i = 0; i < 4; i++)
                octave->weights[i][x] = weights.at[i];
        }
        status = parallel_rows(call->run, call->height, call->width * 1.5, add_rows, octave);
    }
    memory_free(octave->lattice);
    memory_free(octave->between);
    return status;
}

// Octaves until the lattice is as fine as the field.
static int all_octaves(int shorter) {
    int octaves = 1;
    while (((int64_t)FIRST_LATTICE << octaves) <= shorter)
        octaves++;
    return octaves;
}

static Status run(const Call *call, Error *error) {
    const Spectral *spectral = call->params;
    const int shorter = call->width < call->height ? call->width : call->height;
    const int most = all_octaves(shorter);
    const int octaves = spectral->octaves > 0 && spectral->octaves < most ? spectral->octaves : most;
    Octave octave = { .field = &call->outputs[0].field, .interpolation = spectral->interpolation };
    char *columns = memory_new_zeroed((size_t)call->width * 5, sizeof(float), error);
    if (!columns)
        return STATUS_MEMORY;
    octave.places = (int *)(void *)columns;
    for (int i = 0; i < 4; i++)
        octave.weights[i] = (float *)(void *)columns + (size_t)(i + 1) * (size_t)call->width;
    for (size_t i = 0; i < field_count(octave.field); i++)
        octave.field->cells[i] = 0;
    Status status = STATUS_OK;
    octave.amplitude = 1;
    for (int i = 0; status == STATUS_OK && i < octaves; i++) {
        const int64_t lattice = (int64_t)(FIRST_LATTICE < shorter ? FIRST_LATTICE : shorter) << i;
        octave.columns = (int)((lattice * call->width + shorter / 2) / shorter);
        octave.rows = (int)((lattice * call->height + shorter / 2) / shorter);
        status = add_octave(call, &octave, random_key(call->seed, (uint32_t)i), error);
        octave.amplitude *= (float)spectral->persistence;
    }
    memory_free(columns);
    return status == STATUS_OK ? field_rescale(call->run, octave.field, 0, 1, error) : status;
}

static const Param params[] = {
    PARAM(Spectral, persistence, .initial = 0.5, .min = 0, .max = 1,
          .doc = "amplitude of an octave against the one before; higher is rougher"),
    PARAM(Spectral, octaves, .initial = 0, .min = 0, .max = 16,
          .doc = "octaves to add; 0 or too many: until the lattice is as fine as the field"),
    PARAM(Spectral, interpolation, .choices = CHOICES("linear", "cubic"), .initial = 1,
          .doc = "linear shows faint horizontal and vertical marks"),
    { 0 },
};

const Operation op_spectral = {
    .name = "spectral",
    .category = "base",
    .summary = "Makes fractal terrain by adding octaves of interpolated noise",
    .description =
        "The first octave has four lattice points along the shorter side, each further one twice as "
        "many. Heights span 0 to 1; opposite edges meet.",
    .source = "Olsen 2004, Spectral synthesis",
    .outputs = { { "height", "heights, 0 to 1" } },
    .params = params,
    .params_size = sizeof(Spectral),
    .sized = true,
    .seeded = true,
    .example = "local clouds = esker.spectral{ size = 64, seed = 5, octaves = 3 }",
    .run = run,
};
