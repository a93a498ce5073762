// The median of a square around each cell. Of nine and of 25 cells: by sorted columns, of 25 then by
// forgetful selection, which drops the lowest and the highest of more than half of the values, takes in
// another, and so on until one is left (Paeth 1990, "Median finding on a 3 × 3 grid", Graphics Gems). Of
// more: the bits of the median from the highest down, each by counting.

#include "core/fetch.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"
#include "filter/surroundings.h"

#include <stdint.h>
#include <string.h>

typedef struct Median {
    int radius;
} Median;

enum { RADIUS_MAX = 16, CHUNK = 256, WINDOW_MAX = 2 * RADIUS_MAX + 1 };

// The rows around a chunk of cells: cell x of the chunk has its square at columns x … x + 2 · radius.
typedef struct Square {
    int radius, count;
    const float *rows[WINDOW_MAX]; // the field's, or copies
    float copies[WINDOW_MAX][CHUNK + 2 * RADIUS_MAX];
} Square;

static void load(const Call *call, int radius, int y, int start, Square *square) {
    const Field *height = call->inputs[0].field;
    square->radius = radius;
    square->count = min(call->width - start, CHUNK);
    for (int j = 0; j <= 2 * radius; j++)
        square->rows[j] = surroundings(height, y + j - radius, start - radius, square->count + 2 * radius,
                                       call->wraps, square->copies[j]);
}

// In ascending order.
typedef struct Three {
    float a, b, c;
} Three;

KERNEL_INLINE Three sorted_three(float a, float b, float c) {
    const float less = min(a, b), more = max(a, b), second = min(more, c);
    return (Three){ min(less, second), max(less, second), max(more, c) };
}

// The median of 3 × 3 cells. Each column is sorted; the median of all is the median of three: the highest of
// the low ones, the median of the middle ones, the lowest of the high ones.
KERNEL_NARROW static void median_nine(const Square *square, float *restrict out) {
    const float *restrict a = square->rows[0], *restrict b = square->rows[1], *restrict c = square->rows[2];
    const int count = square->count;
    for (int x = 0; x < count; x++) {
        const Three l = sorted_three(a[x], b[x], c[x]), m = sorted_three(a[x + 1], b[x + 1], c[x + 1]);
        const Three r = sorted_three(a[x + 2], b[x + 2], c[x + 2]);
        const float low = max(max(l.a, m.a), r.a), high = min(min(l.c, m.c), r.c);
        out[x] = sorted_three(low, sorted_three(l.b, m.b, r.b).b, high).b;
    }
}

KERNEL_INLINE void order(float *low, float *high) {
    const float a = *low, b = *high;
    *low = min(a, b);
    *high = max(a, b);
}

// In ascending order.
typedef struct Five {
    float a, b, c, d, e;
} Five;

// Nine exchanges, of which the compiler removes those whose results are unused.
KERNEL_INLINE Five sorted_five(Five v) {
    order(&v.a, &v.d), order(&v.b, &v.e);
    order(&v.a, &v.c), order(&v.b, &v.d);
    order(&v.a, &v.b), order(&v.c, &v.e);
    order(&v.b, &v.c), order(&v.d, &v.e);
    order(&v.c, &v.d);
    return v;
}

// The median of 5 × 5 cells, whose columns and then rows are sorted, as the parameters are. The value in
// row i and column j has at least (i + 1) (j + 1) - 1 others that are not above it and (5 - i) (5 - j) - 1
// not below. So only thirteen values may be the median of all, and it is also the median of these. Among
// eight of them, the lowest is one of four, the highest one of four others: both are dropped, another comes
// in, and so on.
KERNEL_INLINE float median_of_rows(Five lowest, Five low, Five middle, Five high, Five highest) {
    float a = lowest.d, b = lowest.e, c = low.c, d = low.d, e = low.e, f = middle.b, g = middle.c;
    float h = middle.d, i = high.a, j = high.b, k = high.c, l = highest.a, m = highest.b;
    order(&a, &c), order(&f, &i), order(&a, &f); // a goes
    order(&e, &h), order(&k, &m), order(&h, &m); // m goes; b comes
    order(&c, &f), order(&i, &b), order(&c, &i); // c goes
    order(&e, &h), order(&k, &b), order(&h, &b); // b goes; d comes
    order(&f, &d), order(&i, &k), order(&e, &h);
    order(&f, &i), order(&f, &e); // f goes
    order(&h, &k), order(&k, &d); // d goes; g comes
    order(&i, &g), order(&e, &k);
    order(&i, &e), order(&i, &h); // i goes
    order(&h, &k), order(&k, &g); // g goes; j comes
    order(&e, &j), order(&h, &k);
    order(&e, &h), order(&k, &j); // e and j go; l comes
    order(&h, &k);
    return max(h, min(k, l));
}

KERNEL static void median_25(const Square *square, float *restrict out) {
    float lowest[CHUNK + 4], low[CHUNK + 4], middle[CHUNK + 4], high[CHUNK + 4], highest[CHUNK + 4];
    const int count = square->count;
    const float *restrict first = square->rows[0], *restrict second = square->rows[1];
    const float *restrict third = square->rows[2], *restrict fourth = square->rows[3];
    const float *restrict fifth = square->rows[4];
    for (int x = 0; x < count + 4; x++) {
        const Five column = sorted_five((Five){ first[x], second[x], third[x], fourth[x], fifth[x] });
        lowest[x] = column.a;
        low[x] = column.b;
        middle[x] = column.c;
        high[x] = column.d;
        highest[x] = column.e;
    }
    for (int x = 0; x < count; x++)
        out[x] = median_of_rows(
            sorted_five((Five){ lowest[x], lowest[x + 1], lowest[x + 2], lowest[x + 3], lowest[x + 4] }),
            sorted_five((Five){ low[x], low[x + 1], low[x + 2], low[x + 3], low[x + 4] }),
            sorted_five((Five){ middle[x], middle[x + 1], middle[x + 2], middle[x + 3], middle[x + 4] }),
            sorted_five((Five){ high[x], high[x + 1], high[x + 2], high[x + 3], high[x + 4] }),
            sorted_five(
                (Five){ highest[x], highest[x + 1], highest[x + 2], highest[x + 3], highest[x + 4] }));
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
            fetch_to_read(call->inputs[0].field, y + radius + 1, start, CHUNK);
            fetch_to_write(&call->outputs[0].field, y + 1, start, CHUNK);
            load(call, radius, y, start, &square);
            float *out = field_row(&call->outputs[0].field, y) + start;
            if (radius == 1)
                median_nine(&square, out);
            else if (radius == 2)
                median_25(&square, out);
            else
                median_count(&square, out);
        }
}

static Status run(const Call *call, Error *error) {
    (void)error;
    const int side = 2 * ((const Median *)call->params)->radius + 1;
    return parallel_rows(call->run, call->height, call->width * 0.5 * side * side, median_rows, (void *)call);
}

static int median_reach(const Call *call) {
    return ((const Median *)call->params)->radius;
}

static const Param params[] = {
    PARAM(Median, radius, .initial = 1, .min = 0, .max = RADIUS_MAX, .unit = UNIT_CELLS,
          .doc = "the surroundings are a square of 2 × radius + 1 cells"),
    { 0 },
};

const Operation op_median = {
    .name = "median",
    .gaps = GAPS_KEPT,
    .reach = median_reach,
    .category = "filter",
    .summary = "Gives each cell the median of its surroundings: removes specks and keeps edges",
    .description = "Where edges do not meet, the outermost cells are repeated beyond the edge.",
    .source = "Paeth 1990, Median finding on a 3 × 3 grid",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "medians", .heights = true } },
    .params = params,
    .params_size = sizeof(Median),
    .always_finite = "gives heights of the field",
    .wrapping = WRAPPING_CHOSEN,
    .example = "local clean = height:median{ radius = 2 }",
    .picture =
        "local specks = esker.noise{ size = height.width, kind = \"white\" }:remap{ from = { 0.97, 0.98 } }\n"
        "local noisy = height:max(specks)\n"
        "return noisy, noisy:median{}",
    .keywords = "despeckle denoise rank filter spikes outliers sieve neighbors neighbours majority "
                "percentile_filter despike",
    .see_also = "blur bilateral morphology",
    .run = run,
};
