// Cells counted in bands of rows against cells counted one after the other, with water that crosses the edges
// of bands again and again and meets there.

#include "support.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "water/drainage.h"
#include "water/flow.h"

#include <string.h>

typedef struct Ways {
    Field sum;
    uint8_t *direction;
    uint32_t *order; // each cell before those that drain into it
    size_t count;
} Ways;

static Ways ways_new(int width, int height) {
    Error error;
    Ways ways = { .count = 0 };
    assert_ok(field_create(&ways.sum, width, height, &error), error);
    ways.direction = memory_new(field_count(&ways.sum), 1, &error);
    ways.order = memory_new(field_count(&ways.sum), sizeof *ways.order, &error);
    assert_non_null(ways.direction);
    assert_non_null(ways.order);
    memset(ways.direction, UNSEEN, field_count(&ways.sum));
    return ways;
}

static void ways_free(Ways *ways) {
    field_free(&ways->sum);
    memory_free(ways->direction);
    memory_free(ways->order);
}

// Grows ways from three outlets, cell by cell, from one of the `last` cells found: the fewer, the longer and
// the more winding they are.
static void grow(Ways *ways, uint32_t last) {
    const Field *size = &ways->sum;
    Error error;
    uint32_t *open = memory_new(field_count(size), sizeof *open, &error), count = 0;
    const RandomKey key = random_key(last, 0);
    for (size_t i = 0; i < 3; i++) {
        open[count] = (uint32_t)(i * (field_count(size) / 3));
        ways->direction[open[count++]] = DRAINS_OFF;
    }
    while (count > 0) {
        const uint32_t back = random_bits(key, (uint32_t)ways->count, 0) % min(count, last);
        const uint32_t at = count - 1 - back, cell = open[at];
        const int x = (int)(cell % (uint32_t)size->width), y = (int)(cell / (uint32_t)size->width);
        open[at] = open[--count];
        for (uint32_t k = 0; k < NEIGHBOURS; k++) {
            const int i = (int)((k + cell * UINT32_C(2654435761) / 65536) % NEIGHBOURS);
            if (!within_field(size, x + neighbour_x[i], y + neighbour_y[i]))
                continue;
            const size_t to = neighbour_of(size, cell, i);
            if (ways->direction[to] != UNSEEN)
                continue;
            ways->direction[to] = (uint8_t)((i + NEIGHBOURS / 2) % NEIGHBOURS);
            open[count++] = (uint32_t)to;
        }
        ways->order[ways->count++] = cell;
    }
    memory_free(open);
}

static void check(int width, int height, uint32_t last) {
    static const int threads[] = { 1, 2, 3, 7 };
    Ways ways = ways_new(width, height);
    Error error;
    grow(&ways, last);
    assert_int_equal(ways.count, field_count(&ways.sum));
    uint32_t *expected = memory_new(ways.count, sizeof *expected, &error);
    for (size_t i = 0; i < ways.count; i++)
        expected[i] = 1;
    for (size_t i = ways.count; i-- > 0;) {
        const uint32_t cell = ways.order[i];
        if (ways.direction[cell] != DRAINS_OFF)
            expected[neighbour_of(&ways.sum, cell, ways.direction[cell])] += expected[cell];
    }
    parallel_every_row(true);
    for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
        assert_ok(count_cells_above(&on_threads(threads[k]), ways.direction, &ways.sum, &error), error);
        for (size_t i = 0; i < ways.count; i++)
            if (ways.sum.cells[i] != (float)expected[i])
                fail_msg("cell %zu of %d x %d on %d threads: %g, not %g", i, width, height, threads[k],
                         (double)ways.sum.cells[i], (double)expected[i]);
    }
    parallel_every_row(false);
    memory_free(expected);
    ways_free(&ways);
}

static void ways_through_several_bands(void **state) {
    (void)state;
    check(700, 900, 4);     // five bands of 187 rows
    check(700, 900, 60000); // many short ways that meet
    check(4500, 197, 4);    // four of 64, the last of five rows
    check(2300, 130, 500);
}

static void a_single_band(void **state) {
    (void)state;
    check(90, 70, 4);
    check(1, 300, 4);
    check(300, 1, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_through_several_bands),
        cmocka_unit_test(a_single_band),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
