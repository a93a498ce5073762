#include "support.h"

#include "analysis/scores.h"

#include <stdlib.h>

static const Run alone = { .threads = 1 };

// Every other seed gives a map that wraps.
static BitMap random_map(int width, int height, uint64_t seed, double share) {
    BitMap map;
    Error error;
    assert_ok(bit_map_create(&map, width, height, seed % 2 == 0, &error), error);
    const RandomKey key = random_key(seed, 0);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            map.cells[y * width + x] = (double)random_unit(key, (uint32_t)x, (uint32_t)y) < share;
    return map;
}

static int modulo(int at, int count) {
    return (at % count + count) % count;
}

static int at(const BitMap *map, int x, int y) {
    const bool outside = x < 0 || x >= map->width || y < 0 || y >= map->height;
    return (!outside || map->wraps) &&
           map->cells[modulo(y, map->height) * map->width + modulo(x, map->width)];
}

static bool square_fits(const BitMap *map, int x, int y, int side) {
    for (int dy = 0; dy < side; dy++)
        for (int dx = 0; dx < side; dx++)
            if (!at(map, x + dx, y + dy))
                return false;
    return side <= map->width && side <= map->height;
}

static bool square_covers(const BitMap *corners, int x, int y, int side) {
    for (int dy = 0; dy < side; dy++)
        for (int dx = 0; dx < side; dx++)
            if (at(corners, x - dx, y - dy))
                return true;
    return false;
}

static void squares_are_those_of_the_definition(void **state) {
    (void)state;
    static const int sides[] = { 1, 2, 3, 9 };
    static const int sizes[][2] = { { 9, 9 }, { 12, 30 }, { 31, 10 }, { 5, 40 } };
    Error error;
    for (int s = 0; s < 4; s++)
        for (int size = 0; size < 4; size++)
            for (uint64_t seed = 0; seed < 4; seed++) {
                const int side = sides[s], width = sizes[size][0], height = sizes[size][1];
                const double share = side == 9 ? 0.995 : 0.85;
                BitMap map = random_map(width, height, seed, share),
                       found = random_map(width, height, seed, share);
                assert_ok(find_squares(&alone, &found, side, &error), error);
                for (int y = 0; y < height; y++)
                    for (int x = 0; x < width; x++)
                        assert_int_equal(at(&found, x, y), square_fits(&map, x, y, side));
                memcpy(map.cells, found.cells, (size_t)width * (size_t)height);
                assert_ok(cover_squares(&alone, &found, side, &error), error);
                for (int y = 0; y < height && side <= width && side <= height; y++)
                    for (int x = 0; x < width; x++)
                        assert_int_equal(at(&found, x, y), square_covers(&map, x, y, side));
                bit_map_free(&map);
                bit_map_free(&found);
            }
}

// Marks all that is connected with (x, y) with `mark`; counts it.
static int flood(int *marks, const BitMap *map, int x, int y, int mark) {
    if (!at(map, x, y))
        return 0;
    x = modulo(x, map->width);
    y = modulo(y, map->height);
    if (marks[y * map->width + x])
        return 0;
    marks[y * map->width + x] = mark;
    return 1 + flood(marks, map, x - 1, y, mark) + flood(marks, map, x + 1, y, mark) +
           flood(marks, map, x, y - 1, mark) + flood(marks, map, x, y + 1, mark);
}

static void the_largest_area_is_the_one_that_a_flood_finds(void **state) {
    (void)state;
    static const int sizes[][2] = { { 1, 1 }, { 2, 2 }, { 40, 25 }, { 3, 50 }, { 50, 2 } };
    Error error;
    for (int size = 0; size < 5; size++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            const int width = sizes[size][0], height = sizes[size][1];
            BitMap map = random_map(width, height, seed, 0.3 + 0.02 * (double)seed);
            int *marks = calloc((size_t)width * (size_t)height, sizeof *marks), best = 0, most = 0;
            assert_non_null(marks);
            for (int i = 0; i < width * height; i++) {
                const int count = flood(marks, &map, i % width, i / width, i + 1);
                if (count > most)
                    most = count, best = i + 1;
            }
            assert_ok(keep_largest_area(&on_threads(2), &map, &error), error);
            for (int i = 0; i < width * height; i++)
                assert_int_equal(map.cells[i], best && marks[i] == best);
            free(marks);
            bit_map_free(&map);
        }
}

static void a_wide_unit_does_not_pass_a_narrow_gap(void **state) {
    (void)state;
    // Two rooms, 8 × 8 and 8 × 6, joined by a gap one cell wide.
    Error error;
    BitMap map = random_map(20, 10, 0, 0);
    for (int y = 1; y < 9; y++)
        for (int x = 1; x < 16; x++)
            map.cells[y * 20 + x] = x != 9;
    map.cells[4 * 20 + 9] = 1;
    BitMap narrow = random_map(20, 10, 0, 0);
    memcpy(narrow.cells, map.cells, 200);
    assert_ok(keep_largest_area(&on_threads(2), &narrow, &error), error);
    assert_int_equal(at(&narrow, 12, 4), 1);
    assert_ok(find_squares(&alone, &map, 3, &error), error);
    assert_ok(keep_largest_area(&on_threads(2), &map, &error), error);
    assert_ok(cover_squares(&alone, &map, 3, &error), error);
    assert_int_equal(at(&map, 4, 4), 1);
    assert_int_equal(at(&map, 12, 4), 0);
    bit_map_free(&map);
    bit_map_free(&narrow);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_are_those_of_the_definition),
        cmocka_unit_test(the_largest_area_is_the_one_that_a_flood_finds),
        cmocka_unit_test(a_wide_unit_does_not_pass_a_narrow_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
