// Histogram matching (Gonzalez and Woods, "Digital image processing", section 3.3): the cell of rank r, 0 … 1
// among all heights, gets the height of rank r of another field; equalization gives it r itself. Heights are
// ranked exactly; equal ones share their mean rank.

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/whole.h"

#include <stdint.h>
#include <string.h>

typedef struct Equalize {
    double low, high;
} Equalize;

enum { DIGIT_BITS = 8, VALUES = 1 << DIGIT_BITS, DIGITS_IN_KEY = 32 / DIGIT_BITS };

// A height as a whole number with the same order. -0 counts as 0.
static uint32_t key_of(float height) {
    const float unsigned_zero = height + 0.0f;
    uint32_t bits;
    memcpy(&bits, &unsigned_zero, sizeof bits);
    return bits >> 31 ? ~bits : bits | UINT32_C(1) << 31;
}

static float height_of(uint32_t key) {
    const uint32_t bits = key >> 31 ? key & ~(UINT32_C(1) << 31) : ~key;
    float height;
    memcpy(&height, &bits, sizeof height);
    return height;
}

// --- sorting -----------------------------------------------------------------------------------------------

// Keys are counted and moved in parts, side by side.
enum { PARTS_MAX = 64, PART_KEYS = 1 << 14 };

// One digit of a radix sort. `starts` has for each part where its keys with each value of the digit go.
typedef struct Sorting {
    const float *heights; // keys are made of
    uint32_t *keys, *sorted;
    size_t count;
    int parts, digit;
    size_t (*starts)[VALUES];
} Sorting;

static size_t part_start(const Sorting *sorting, int part) {
    return sorting->count * (size_t)part / (size_t)sorting->parts;
}

static int digit_of(const Sorting *sorting, uint32_t key) {
    return (int)(key >> sorting->digit * DIGIT_BITS & (VALUES - 1));
}

// Makes the keys of the cells that have data.
static void make_some_keys(const Field *field, uint32_t *keys) {
    for (size_t i = 0; i < field_count(field); i++)
        if (field_has_data(field, i))
            *keys++ = key_of(field->cells[i]);
}

static void make_keys(void *context, int first, int end) {
    const Sorting *sorting = context;
    for (size_t i = part_start(sorting, first); i < part_start(sorting, end); i++)
        sorting->keys[i] = key_of(sorting->heights[i]);
}

static void count_values(void *context, int first, int end) {
    const Sorting *sorting = context;
    for (int part = first; part < end; part++) {
        size_t *counts = sorting->starts[part];
        memset(counts, 0, VALUES * sizeof *counts);
        for (size_t i = part_start(sorting, part); i < part_start(sorting, part + 1); i++)
            counts[digit_of(sorting, sorting->keys[i])]++;
    }
}

static void move_keys(void *context, int first, int end) {
    const Sorting *sorting = context;
    for (int part = first; part < end; part++)
        for (size_t i = part_start(sorting, part); i < part_start(sorting, part + 1); i++)
            sorting->sorted[sorting->starts[part][digit_of(sorting, sorting->keys[i])]++] = sorting->keys[i];
}

static Status sort_digit(const Run *run, Sorting *sorting) {
    const double cost = (double)sorting->count / sorting->parts;
    Status status = parallel_rows(run, sorting->parts, cost, count_values, sorting);
    size_t sum = 0;
    for (int value = 0; value < VALUES && status == STATUS_OK; value++)
        for (int part = 0; part < sorting->parts; part++) {
            const size_t here = sorting->starts[part][value];
            sorting->starts[part][value] = sum;
            sum += here;
        }
    if (status == STATUS_OK)
        status = parallel_rows(run, sorting->parts, cost * 3, move_keys, sorting);
    uint32_t *const swap = sorting->keys;
    sorting->keys = sorting->sorted;
    sorting->sorted = swap;
    return status;
}

static size_t cells_with_data(const Field *field) {
    return field_count(field) - (field->gaps ? field->gaps->count : 0);
}

// Fills `keys`; `spare` has room for all of them.
static Status sort_heights(const Run *run, const Field *field, uint32_t *keys, uint32_t *spare,
                           Error *error) {
    Sorting sorting = { .heights = field->cells, .count = cells_with_data(field) };
    sorting.keys = keys;
    sorting.sorted = spare;
    sorting.parts = (int)min(sorting.count / PART_KEYS + 1, (size_t)PARTS_MAX);
    sorting.starts = memory_new((size_t)sorting.parts, sizeof *sorting.starts, error);
    if (!sorting.starts)
        return STATUS_MEMORY;
    Status status = STATUS_OK;
    if (field->gaps)
        make_some_keys(field, keys);
    else
        status =
            parallel_rows(run, sorting.parts, (double)sorting.count / sorting.parts, make_keys, &sorting);
    for (; sorting.digit < DIGITS_IN_KEY && status == STATUS_OK; sorting.digit++)
        status = sort_digit(run, &sorting);
    memory_free(sorting.starts);
    return status;
}

// --- ranks -------------------------------------------------------------------------------------------------

// A field's heights in ascending order, as keys. Between the lowest and the highest lie equal bins, each of
// which knows its first key.
typedef struct Ranking {
    uint32_t *keys;
    size_t *first;
    size_t count, bins;
    double low, scale; // the bin of h is (h - low) · scale
} Ranking;

// The cells of `result`, not yet set, are used for sorting where they suffice.
static Status rank(const Run *run, const Field *field, Field *result, Ranking *ranking, Error *error) {
    const size_t count = cells_with_data(field);
    const bool fits = field_count(result) >= count;
    ranking->count = count;
    ranking->keys = memory_new(count + 1, sizeof(uint32_t), error);
    uint32_t *own = ranking->keys && !fits ? memory_new(count, sizeof(uint32_t), error) : NULL;
    uint32_t *spare = fits ? (uint32_t *)(void *)field_cells(result) : own;
    if (!ranking->keys || !spare)
        return STATUS_MEMORY;
    const Status status = sort_heights(run, field, ranking->keys, spare, error);
    memory_free(own);
    return status;
}

static size_t bin_of(const Ranking *ranking, float height) {
    return (size_t)whole_64(((double)height - ranking->low) * ranking->scale);
}

enum { KEYS_IN_BIN = 16 };

static Status index_keys(Ranking *ranking, Error *error) {
    const size_t count = ranking->count;
    ranking->bins = count / KEYS_IN_BIN + 1;
    ranking->first = memory_new(ranking->bins + 1, sizeof *ranking->first, error);
    if (!ranking->first)
        return STATUS_MEMORY;
    ranking->low = (double)height_of(ranking->keys[0]);
    const double range = (double)height_of(ranking->keys[count - 1]) - ranking->low;
    ranking->scale = range > 0 ? (double)(ranking->bins - 1) / range : 0;
    size_t bin = 0;
    for (size_t i = 0; i < count; i++)
        for (const size_t to = bin_of(ranking, height_of(ranking->keys[i])); bin <= to; bin++)
            ranking->first[bin] = i;
    for (; bin <= ranking->bins; bin++)
        ranking->first[bin] = count;
    return STATUS_OK;
}

// How many keys are below, from `low` to `high`. Few are counted: a search would guess its branches.
static size_t keys_below(const Ranking *ranking, uint32_t key, size_t low, size_t high) {
    while (high - low > 2 * KEYS_IN_BIN) {
        const size_t middle = low + (high - low) / 2;
        if (ranking->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t below = 0;
    for (size_t i = low; i < high; i++)
        below += ranking->keys[i] < key;
    return low + below;
}

// The mean rank, 0 … count - 1, of all heights that are equal to this one, which is in this bin.
static double rank_of(const Ranking *ranking, float height, size_t bin) {
    const size_t last = ranking->first[bin + 1];
    const uint32_t key = key_of(height);
    const size_t first = keys_below(ranking, key, ranking->first[bin], last);
    const bool alone = first + 1 >= last || ranking->keys[first + 1] != key;
    const size_t end = alone ? first + 1 : keys_below(ranking, key + 1, first + 1, last);
    return 0.5 * ((double)first + (double)end - 1);
}

typedef struct Matching {
    const Field *from;
    Field *to;
    const Ranking *own, *other; // other NULL: equalize
    double low, high;
} Matching;

// The place of a share, 0 … 1, of the ranks among the other field's keys.
static double place_among(const Ranking *other, double share) {
    return share * (double)(other->count - 1);
}

static float new_height(const Matching *matching, double share) {
    const Ranking *other = matching->other;
    if (!other)
        return (float)(matching->low * (1 - share) + matching->high * share);
    const double at = place_among(other, share);
    const size_t below = (size_t)whole_64(at), above = min(below + 1, other->count - 1);
    const double low = (double)height_of(other->keys[below]);
    const double high = (double)height_of(other->keys[above]), t = at - (double)below;
    return (float)(low * (1 - t) + high * t);
}

enum { BATCH = 64 };

// Bins and keys lie anywhere in memory: those of a batch of cells are fetched side by side.
static void match_batch(const Matching *matching, const float *heights, int count, float *out) {
    const Ranking *own = matching->own, *other = matching->other;
    size_t bins[BATCH];
    double shares[BATCH];
    for (int i = 0; i < count; i++) {
        bins[i] = bin_of(own, heights[i]);
        __builtin_prefetch(&own->first[bins[i]]);
    }
    for (int i = 0; i < count; i++)
        __builtin_prefetch(&own->keys[own->first[bins[i]]]);
    for (int i = 0; i < count; i++) {
        if (i > 0 && heights[i] == heights[i - 1])
            shares[i] = shares[i - 1];
        else
            shares[i] = own->count > 1 ? rank_of(own, heights[i], bins[i]) / (double)(own->count - 1) : 0.5;
        if (other)
            __builtin_prefetch(&other->keys[whole_64(place_among(other, shares[i]))]);
    }
    for (int i = 0; i < count; i++)
        out[i] = new_height(matching, shares[i]);
}

static void match_rows(void *context, int first, int end) {
    const Matching *matching = context;
    const int width = matching->from->width;
    for (int y = first; y < end; y++)
        for (int x = 0; x < width; x += BATCH)
            match_batch(matching, field_row(matching->from, y) + x, min(width - x, BATCH),
                        field_row(matching->to, y) + x);
}

static Status map_ranks(const Call *call, const Field *from, Matching matching) {
    matching.from = from;
    matching.to = &call->outputs[0].field;
    return parallel_rows(call->run, call->height, call->width * 30.0, match_rows, &matching);
}

static void ranking_free(Ranking *ranking) {
    memory_free(ranking->keys);
    memory_free(ranking->first);
}

static Status run_equalize(const Call *call, Error *error) {
    const Equalize *equalize = call->params;
    if (cells_with_data(call->inputs[0].field) == 0)
        return STATUS_OK;
    Ranking own = { 0 };
    Status status = rank(call->run, call->inputs[0].field, &call->outputs[0].field, &own, error);
    if (status == STATUS_OK)
        status = index_keys(&own, error);
    if (status == STATUS_OK)
        status = map_ranks(call, call->inputs[0].field,
                           (Matching){ .own = &own, .low = equalize->low, .high = equalize->high });
    ranking_free(&own);
    return status;
}

// A height for each cell: in gaps the nearest, which is one of those that are ranked.
static Status match_heights(const Call *call, const Field *height, Error *error) {
    Ranking own = { 0 }, other = { 0 };
    Status status = rank(call->run, height, &call->outputs[0].field, &own, error);
    if (status == STATUS_OK)
        status = rank(call->run, call->inputs[1].field, &call->outputs[0].field, &other, error);
    if (status == STATUS_OK)
        status = index_keys(&own, error);
    if (status == STATUS_OK)
        status = map_ranks(call, height, (Matching){ .own = &own, .other = &other });
    ranking_free(&own);
    ranking_free(&other);
    return status;
}

static Status run_match(const Call *call, Error *error) {
    const Field *height = call->inputs[0].field;
    if (cells_with_data(call->inputs[1].field) == 0)
        return fail(error, STATUS_INVALID, "like has no data in any of its cells");
    if (!height->gaps)
        return match_heights(call, height, error);
    Field filled = { 0 };
    Status status = gaps_fill(height, call->wraps, &filled, error);
    if (status == STATUS_OK) {
        filled.gaps = gaps_keep(height->gaps);
        if (cells_with_data(height) > 0)
            status = match_heights(call, &filled, error);
        field_set_gaps(&call->outputs[0].field, gaps_keep(height->gaps));
    }
    field_free(&filled);
    return status;
}

static const Param equalize_params[] = {
    PARAM(Equalize, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .doc = "the lowest new height"),
    PARAM(Equalize, high, .initial = 1, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "the highest new height"),
    { 0 },
};

const Operation op_equalize = {
    .name = "equalize",
    .gaps = GAPS_KEPT, // which it leaves out of the ranks
    .category = "filter",
    .summary = "Spreads heights so that each is as frequent as every other",
    .description =
        "A cell's new height is its rank among all cells, which makes thresholds shares: 30 % of an "
        "equalized field lie below 0.3. Equal heights stay equal.",
    .source = "Gonzalez and Woods, Digital image processing, section 3.3",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "new heights" } },
    .params = equalize_params,
    .params_size = sizeof(Equalize),
    .example = "local even = height:equalize{}",
    .keywords = "histogram rank percentile quantile uniform equalizer",
    .see_also = "match normalize histogram",
    .run = run_equalize,
};

const Operation op_match = {
    .name = "match",
    .gaps = GAPS_OWN, // those of the other field are no places of this one
    .category = "filter",
    .summary = "Gives a field the distribution of heights of another, such as a real elevation model",
    .description =
        "The highest cell gets the other field's highest height, the median its median, and so on; "
        "the order of heights stays. The two may differ in size.",
    .source = "Gonzalez and Woods, Digital image processing, section 3.3",
    .inputs = { { "height", "heights" }, { "like", "a field with the wanted heights, of any size" } },
    .outputs = { { "height", "new heights", .heights = true } },
    .any_sizes = true,
    .always_finite = "gives heights between those of the other field",
    .example = "local alpine = height:match(esker.noise{ size = 100, fractal = \"ridged\" })",
    .keywords = "histogram matching specification transfer distribution hypsometry",
    .see_also = "equalize curve realism",
    .run = run_match,
};
