// The median of a square around each cell. Of nine cells: by sorted columns. Of 25: forgetful selection,
// which drops the lowest and the highest of more than half of the values, takes in another, and so on until
// one is left (Paeth 1990, "Median finding on a 3 × 3 grid", Graphics Gems). Of more: the bits of the median
// from the highest down, each by counting.

#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"
#include "filter/surroundings.h"

#include <stdint.h>
#include <string.h>

typedef struct Median {
    int radius;
} Median;

enum { RADIUS_MAX = 16, CHUNK = 128, WINDOW_MAX = 2 * RADIUS_MAX + 1 };
enum { KEPT_MAX = 25 / 2 + 2 };

// The rows around a chunk of cells: cell x of the chunk has its square at columns x … x + 2 · radius.
typedef struct Square {
    int radius, count;
    float rows[WINDOW_MAX][CHUNK + 2 * RADIUS_MAX];
} Square;

static void load(const Call *call, int radius, int y, int start, Square *square) {
    const Field *height = call->inputs[0].field;
    square->radius = radius;
    square->count = min(call->width - start, CHUNK);
    for (int j = 0; j <= 2 * radius; j++)
        surroundings_load(height, y + j - radius, start - radius, square->count + 2 * radius, call->wraps,
                          square->rows[j]);
}

// Of a square of nine: each column is sorted; the median of all is that of the highest of the low ones, the
// median of the middle ones and the lowest of the high ones.
KERNEL static void median_nine(const Square *square, float *restrict out) {
    const float *restrict a = square->rows[0], *restrict b = square->rows[1], *restrict c = square->rows[2];
    float low[CHUNK + 2] = { 0 }, middle[CHUNK + 2] = { 0 }, high[CHUNK + 2] = { 0 };
    const int count = square->count;
    for (int x = 0; x < count + 2; x++) {
        const float less = min(a[x], b[x]), more = max(a[x], b[x]), second = min(more, c[x]);
        low[x] = min(less, second);
        middle[x] = max(less, second);
        high[x] = max(more, c[x]);
    }
    for (int x = 0; x < count; x++) {
        const float highest_low = max(max(low[x], low[x + 1]), low[x + 2]);
        const float lowest_high = min(min(high[x], high[x + 1]), high[x + 2]);
        const float m = middle[x], n = middle[x + 1], between = max(min(m, n), min(max(m, n), middle[x + 2]));
        const float less = min(highest_low, between), more = max(highest_low, between);
        out[x] = max(less, min(more, lowest_high));
    }
}

KERNEL_INLINE void sort_pair(float *restrict low, float *restrict high, int count) {
    for (int x = 0; x < count; x++) {
        const float a = low[x], b = high[x];
        low[x] = min(a, b);
        high[x] = max(a, b);
    }
}

// The lowest goes to the first, the highest to the last.
KERNEL static void median_part(float (*kept)[CHUNK], int kept_count, int count) {
    for (int i = 0, j = kept_count - 1; i < j; i++, j--)
        sort_pair(kept[i], kept[j], count);
    const int half = (kept_count + 1) / 2; // of which each holds a low one, the rest high ones
    for (int i = 1; i < half; i++)
        sort_pair(kept[0], kept[i], count);
    for (int i = kept_count - 2; i >= kept_count / 2; i--)
        sort_pair(kept[i], kept[kept_count - 1], count);
}

static void select_median(const Square *square, float *out) {
    const int side = 2 * square->radius + 1, all = side * side, count = square->count;
    float kept[KEPT_MAX][CHUNK] = { { 0 } };
    int kept_count = all / 2 + 2, next = 0;
    for (; next < kept_count; next++)
        memcpy(kept[next], square->rows[next / side] + next % side, (size_t)count * sizeof(float));
    for (;; next++) {
        median_part(kept, kept_count, count);
        if (next == all)
            break;
        // The highest makes room for another, the lowest for the last.
        memcpy(kept[kept_count - 1], square->rows[next / side] + next % side, (size_t)count * sizeof(float));
        kept_count--;
        memcpy(kept[0], kept[kept_count], (size_t)count * sizeof(float));
    }
    memcpy(out, kept[1], (size_t)count * sizeof(float));
}

// Floats as whole numbers in the same order, and back.
KERNEL_INLINE int32_t ordered(int32_t bits) {
    return bits < 0 ? bits ^ INT32_MAX : bits;
}

KERNEL static void median_count(const Square *square, float *restrict out) {
    const int side = 2 * square->radius + 1, count = square->count, middle = side * side / 2;
    static const uint32_t sign = UINT32_C(1) << 31;
    uint32_t found[CHUNK] = { 0 }; // the median's key, in the order of unsigned numbers
    for (int bit = 31; bit >= 0; bit--) {
        int32_t below[CHUNK] = { 0 }, tried[CHUNK];
        for (int x = 0; x < count; x++)
            tried[x] = (int32_t)((found[x] | UINT32_C(1) << bit) ^ sign);
        for (int j = 0; j < side; j++)
            for (int i = 0; i < side; i++) {
                const float *restrict row = square->rows[j] + i;
                for (int x = 0; x < count; x++) {
                    int32_t bits;
                    memcpy(&bits, row + x, sizeof bits);
                    below[x] += ordered(bits) < tried[x] ? 1 : 0;
                }
            }
        for (int x = 0; x < count; x++)
            found[x] |= below[x] <= middle ? UINT32_C(1) << bit : 0;
    }
    for (int x = 0; x < count; x++) {
        const int32_t bits = ordered((int32_t)(found[x] ^ sign));
        memcpy(out + x, &bits, sizeof bits);
    }
}

static void median_rows(void *context, int first, int end) {
    const Call *call = context;
    const int radius = ((const Median *)call->params)->radius;
    Square square;
    for (int y = first; y < end; y++)
        for (int start = 0; start < call->width; start += CHUNK) {
            load(call, radius, y, start, &square);
            float *out = field_row(&call->outputs[0].field, y) + start;
            if (radius == 1)
                median_nine(&square, out);
            else if (radius == 2)
                select_median(&square, out);
            else
                median_count(&square, out);
        }
}

static Status run(const Call *call, Error *error) {
    (void)error;
    const int side = 2 * ((const Median *)call->params)->radius + 1;
    return parallel_rows(call->run, call->height, call->width * 0.5 * side * side, median_rows, (void *)call);
}

static const Param params[] = {
    PARAM(Median, radius, .initial = 1, .min = 0, .max = RADIUS_MAX, .unit = UNIT_CELLS,
          .doc = "the surroundings are a square of 2 × radius + 1 cells"),
    { 0 },
};

const Operation op_median = {
    .name = "median",
    .category = "filter",
    .summary = "Gives each cell the median of its surroundings: removes specks and keeps edges",
    .description = "Where edges do not meet, the outermost cells are repeated beyond the edge.",
    .source = "Paeth 1990, Median finding on a 3 × 3 grid",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "medians" } },
    .params = params,
    .params_size = sizeof(Median),
    .always_finite = "gives heights of the field",
    .wrapping = WRAPPING_CHOSEN,
    .example = "local clean = height:median{ radius = 2 }",
    .picture =
        "local specks = esker.noise{ size = height.width, kind = \"white\" }:remap{ from = { 0.97, 0.98 } }\n"
        "local noisy = height:max(specks)\n"
        "return noisy, noisy:median{}",
    .keywords = "despeckle denoise rank filter spikes outliers",
    .see_also = "blur bilateral morphology",
    .run = run,
};
