// What counts as a long narrow arm of the sea.

#include "core/memory.h"
#include "rivermap/eroded/sea_arms.h"
#include "support.h"

enum { SIDE = 96, STEP = 2, NODES = SIDE / STEP + 1, TOP = 20 };

// Land, with sea in the top rows and an inlet of this width and length down from them. Returns how near arms
// places are.
static float *near_inlet(int width, int length) {
    Field field;
    Error error;
    float *near = NULL;
    assert_ok(field_create(&field, SIDE, SIDE, &error), error);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const bool inlet = x >= SIDE / 2 && x < SIDE / 2 + width && y < TOP + length;
            field_row(&field, y)[x] = y < TOP || inlet ? -1 : 1;
        }
    assert_ok(find_sea_arms(&field, STEP, &near, &error), error);
    field_free(&field);
    return near;
}

static void long_narrow_inlets_are_arms(void **state) {
    (void)state;
    float *near = near_inlet(4, 50);
    assert_non_null(near);
    const float *row = near + (TOP + 30) / STEP * NODES;
    assert_true(row[SIDE / 2 / STEP + 1] == 1);
    assert_true(row[SIDE / 2 / STEP - 4] > 0 && row[SIDE / 2 / STEP - 4] < 1);
    assert_true(row[SIDE / 2 / STEP - 8] == 0 && near[0] == 0);
    memory_free(near);
}

static void other_inlets_are_none(void **state) {
    (void)state;
    assert_null(near_inlet(4, 35));
    assert_null(near_inlet(9, 50));
    assert_null(near_inlet(0, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_narrow_inlets_are_arms),
        cmocka_unit_test(other_inlets_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
