// Leaves: the same as if all cells were followed one after the other, where bands of rows meet and for any
// number of threads.

#include "support.h"

#include "water/depressions.h"
#include "water/drainage.h"

// The lowest neighbour; of equal ones the last that comes before a cell, then the first after it. A pit:
// itself.
static size_t downhill(const Field *height, size_t cell) {
    static const int order[] = { 5, 6, 7, 4, 0, 3, 2, 1 };
    size_t lowest = cell;
    for (int i = 0; i < NEIGHBOURS; i++) {
        const size_t other = neighbour_of(height, cell, order[i]);
        const float least = height->cells[lowest];
        if (i < 4 ? height->cells[other] <= least : height->cells[other] < least)
            lowest = other;
    }
    return lowest;
}

static bool is_outlet(const Field *height, float sea, size_t cell) {
    const size_t width = (size_t)height->width;
    return on_border(height, (int)(cell % width), (int)(cell / width)) || height->cells[cell] < sea;
}

// Labels are one more than those of leaves; 0: not known yet.
static void follow(const Field *height, float sea, size_t from, uint32_t *label, uint32_t *count) {
    size_t end = from;
    while (label[end] == 0 && !is_outlet(height, sea, end) && downhill(height, end) != end)
        end = downhill(height, end);
    if (label[end] == 0)
        label[end] = is_outlet(height, sea, end) ? 1 : ++*count;
    for (size_t at = from; label[at] == 0; at = downhill(height, at))
        label[at] = label[end];
}

static void check(const Field *height, float sea) {
    static const int threads[] = { 1, 2, 3, 7 };
    Error error;
    uint32_t *expected = memory_new_zeroed(field_count(height), sizeof *expected, &error), count = 1;
    for (size_t i = 0; i < field_count(height); i++)
        follow(height, sea, i, expected, &count);
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        Leaves leaves;
        assert_ok(leaves_find(&on_threads(threads[t]), height, sea, &leaves, &error), error);
        assert_int_equal(leaves.count, count);
        for (size_t i = 0; i < field_count(height); i++) {
            assert_int_equal(leaves.label[i] + 1, expected[i]);
            leaves.cells[leaves.label[i]]--;
        }
        for (uint32_t i = 0; i < leaves.count; i++)
            assert_int_equal(leaves.cells[i], 0);
        leaves_free(&leaves);
    }
    memory_free(expected);
}

// In steps, so that water crosses flats and edges of bands, some of them several times.
static void leaves_are_those_of_one_band(void **state) {
    (void)state;
    static const int sides[][2] = { { 6000, 130 }, { 8200, 97 }, { 400, 1400 }, { 3, 3 }, { 1, 5 } };
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        Field height = noise_field(sides[i][0], sides[i][1], i);
        check(&height, 0.2f);
        for (size_t k = 0; k < field_count(&height); k++)
            field_cells(&height)[k] = (float)(int)(height.cells[k] * 20);
        check(&height, 0);
        field_free(&height);
    }
}

// One way that falls through all bands, up and down in turns.
static void a_way_through_all_bands(void **state) {
    (void)state;
    enum { WIDTH = 8000, HEIGHT = 140 };
    Field height;
    Error error;
    assert_ok(field_create(&height, WIDTH, HEIGHT, &error), error);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const bool down = x % 4 == 2, turns = x % 2 && (x % 4 == 1 ? y == 1 : y == HEIGHT - 2);
            const bool wall = (x % 2 && !turns) || x > WIDTH - 4 || y == 0 || y == HEIGHT - 1;
            const int along = x * HEIGHT + (x % 2 ? 0 : down ? y : HEIGHT - y);
            field_row(&height, y)[x] = wall ? 1e9f : -(float)along;
        }
    check(&height, -1e30f);
    field_free(&height);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(leaves_are_those_of_one_band),
                                        cmocka_unit_test(a_way_through_all_bands) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
