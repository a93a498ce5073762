// What edits far away ask of a level costs a window nothing.

#include "support.h"

#include "land/level.h"

enum { SIDE = 64, LEVEL = 4 };

static const Run alone = { .threads = 1 };

static void look(void *context, const Level *level, const LandStep *step) {
    size_t *count = context;
    if (level->number == LEVEL && step->number == 0)
        *count = level->count;
}

static void add(LandEdits *edits, double x, double y, double height) {
    const EditPoint at = { x, y };
    const LandEdit edit = { .kind = EDIT_RAISE, .count = 1, .half = 4.0 / (SIDE << LEVEL), .height = height };
    land_edits_add(edits, &edit, &at, SIDE);
    assert_int_equal(edits->at[edits->count - 1].entry, LEVEL);
}

// Cells of the level that are computed for a window beside a hill.
static size_t cells_beside(const Land *plain, const LandEdits *edits) {
    Error error;
    size_t count = 0;
    LandWindow window;
    Land *land = land_with_edits(plain, edits, &error);
    land->watch = (LandWatch){ look, &count };
    assert_ok(land_altitudes(land, &alone, LEVEL, 512, 512, 16, 16, &window, &error), error);
    land_window_free(&window);
    land_free(land);
    return count;
}

static void what_may_raise_a_far_sea_widens_no_margin(void **state) {
    (void)state;
    Error error;
    Field field;
    Land *plain;
    LandRules rules = land_rules_default;
    rules.graded = LEVEL;
    rules.hillslope = 0;
    assert_ok(field_create(&field, SIDE, SIDE, &error), error);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            field_row(&field, y)[x] = 10 + 0.3f * (float)y;
    assert_ok(land_create(&plain, &rules, &field, true, &alone, &error), error);
    field_free(&field);
    LandEdits *hill = land_edits_copy(NULL, 1, 1, &error), *both = land_edits_copy(NULL, 2, 2, &error);
    add(hill, 0.5, 0.5, 1);
    add(both, 0.5, 0.5, 1);
    add(both, 0.02, 0.02, 1);
    both->at[1].seaward = true;
    const size_t none = cells_beside(plain, NULL), one = cells_beside(plain, hill);
    assert_true(one > none);
    assert_true(cells_beside(plain, both) == one);
    memory_free(hill);
    memory_free(both);
    land_free(plain);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(what_may_raise_a_far_sea_widens_no_margin) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
