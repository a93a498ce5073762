// Seas amid land, in level 0: what is too small against the land around it overflows and becomes a plain.

#include "support.h"

#include "core/parallel.h"
#include "land/land.h"

enum { SIDE = 160 };

static const Run alone = { .threads = 1 };

// Level 0 of land that rises from the sea on the left, with a round sea amid it.
static LandWindow land_around(float radius) {
    Field field;
    Land *land;
    LandWindow window;
    Error error;
    assert_ok(field_create(&field, SIDE, SIDE, &error), error);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const int middle = SIDE / 2;
            const float dx = (float)(x - middle), dy = (float)(y - middle);
            const bool inland = dx * dx + dy * dy < radius * radius;
            field_row(&field, y)[x] = inland ? -1 : 0.2f * (float)(x - 8);
        }
    assert_ok(land_create(&land, &land_rules_default, &field, true, &alone, &error), error);
    field_free(&field);
    assert_ok(land_window(land, &alone, 0, 0, 0, SIDE, SIDE, &window, &error), error);
    land_free(land);
    return window;
}

static int sea_amid(const LandWindow *window) {
    int cells = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = SIDE / 4; x < SIDE; x++)
            cells += window->altitude[y * SIDE + x] < 0;
    return cells;
}

// The most water that crosses the coast on the left.
static float largest_river(const LandWindow *window) {
    float largest = 0;
    for (int cell = 0; cell < SIDE * SIDE; cell++)
        if (cell % SIDE < SIDE / 4 && window->altitude[cell] >= 0)
            largest = window->area[cell] > largest ? window->area[cell] : largest;
    return largest;
}

static void a_small_sea_overflows(void **state) {
    (void)state;
    LandWindow window = land_around(17); // 901 cells
    assert_int_equal(sea_amid(&window), 0);
    assert_true(largest_river(&window) > 1000);
    land_window_free(&window);
}

static void a_large_sea_remains(void **state) {
    (void)state;
    LandWindow window = land_around(19); // 1125 cells
    assert_true(sea_amid(&window) > 1000);
    land_window_free(&window);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_sea_overflows),
        cmocka_unit_test(a_large_sea_remains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
