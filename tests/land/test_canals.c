// A canal of a land: windows agree on what it leaves of brooks beside it, whatever of the canal they know.

#include "support.h"

#include "core/math.h"
#include "land/canals.h"

#include <math.h>
#include <string.h>

enum {
    SIDE = 64,
    LEVEL = 4,
    LEFT = 64, // the canal's cells on the level: to the right, then down, far from where windows are compared
    TOP = 384,
    ACROSS = 896,
    DOWN = 64,
};

static const Run alone = { .threads = 1 };

// A slope to the south with small hills, whose brooks the canal crosses.
static Land *new_land(void) {
    Field field;
    Land *land;
    Error error;
    LandRules rules = land_rules_default;
    rules.graded = LEVEL;
    rules.hillslope = 0;
    rules.seed = 5;
    const RandomKey key = random_key(5, 0);
    assert_ok(field_create(&field, SIDE, SIDE, &error), error);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            field_row(&field, y)[x] =
                20 + 0.4f * (float)(SIDE - y) + 4 * random_signed(key, (uint32_t)x / 4, (uint32_t)y / 4);
    assert_ok(land_create(&land, &rules, &field, true, &alone, &error), error);
    field_free(&field);
    return land;
}

// The middle of cell i of the canal.
static EditPoint middle(int i) {
    const double side = SIDE << LEVEL;
    const int right = min(i, ACROSS), down = max(i - ACROSS, 0);
    return (EditPoint){ (LEFT + right + 0.5) / side, (TOP + down + 0.5) / side };
}

// Its bed falls from `bed` to 0 along all of it.
static void add_canal(LandEdits *edits, double bed) {
    const int all = ACROSS + DOWN;
    for (int first = 0; first < all; first += CANAL_CELLS) {
        EditPoint points[CANAL_CELLS + 1 + (CANAL_CELLS + 2) / 2] = { 0 };
        const int count = min((int)CANAL_CELLS, all - first) + 1;
        LandEdit part = { .kind = EDIT_CANAL,
                          .count = count,
                          .half = 0.5 / (SIDE << LEVEL),
                          .data = canal_data(count),
                          .carries = 0.1 };
        for (int i = 0; i < count; i++) {
            const double height = bed * (all - first - i) / all;
            points[i] = middle(first + i);
            *(i % 2 ? &points[count + i / 2].y : &points[count + i / 2].x) = height;
        }
        land_edits_add(edits, &part, points, SIDE);
        assert_int_equal(edits->at[edits->count - 1].entry, LEVEL);
    }
}

static LandWindow window_of(Land *land, int x, int y, int width, int height) {
    LandWindow window;
    Error error;
    assert_ok(land_window(land, &alone, LEVEL, x, y, width, height, &window, &error), error);
    return window;
}

static int compare(const LandWindow *part, const LandWindow *whole) {
    int differ = 0;
    for (int y = 0; y < part->height; y++)
        for (int x = 0; x < part->width; x++) {
            const size_t i = (size_t)y * (size_t)part->width + (size_t)x,
                         j = (size_t)(part->y + y - whole->y) * (size_t)whole->width +
                             (size_t)(part->x + x - whole->x);
            differ += part->base + part->altitude[i] != whole->base + whole->altitude[j] ||
                      part->area[i] != whole->area[j] || part->receiver[i] != whole->receiver[j];
        }
    return differ;
}

// The smaller window knows only the first part of the canal.
static void windows_agree_beside_a_canal(void **state) {
    (void)state;
    Error error;
    Land *plain = new_land(), *other = new_land();
    LandEdits *edits = land_edits_copy(NULL, 64, 64 * (2 * CANAL_CELLS), &error);
    add_canal(edits, 18);
    Land *one = land_with_edits(plain, edits, &error), *two = land_with_edits(other, edits, &error);
    LandWindow part = window_of(one, LEFT, TOP + 1, 128, 24),
               whole = window_of(two, LEFT, TOP - 8, ACROSS, 48),
               before = window_of(plain, LEFT, TOP + 1, 128, 24);
    assert_true(compare(&part, &before) > 0);
    assert_int_equal(compare(&part, &whole), 0);
    land_window_free(&part);
    land_window_free(&whole);
    land_window_free(&before);
    land_free(one);
    land_free(two);
    land_free(plain);
    land_free(other);
    memory_free(edits);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(windows_agree_beside_a_canal) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
