#include "support.h"

#include "core/finite.h"

#include <math.h>

static void sides_outside_the_range_are_errors(void **state) {
    (void)state;
    Field field;
    Error error;
    assert_int_equal(field_create(&field, 0, 5, &error), STATUS_INVALID);
    assert_string_equal(error.text, "a field's sides must be 1 to 65536, got 0 × 5");
    assert_int_equal(field_create(&field, 5, SIDE_MAX + 1, &error), STATUS_INVALID);
    assert_null(field.cells);
}

static void the_hash_tells_size_and_every_bit(void **state) {
    (void)state;
    Field a = noise_field(12, 5, 1), b = noise_field(12, 5, 1);
    assert_true(field_hash(&a) == field_hash(&b));
    for (size_t i = 0; i < field_count(&a); i++) {
        const float kept = b.cells[i];
        field_cells(&b)[i] = nextafterf(kept, 2);
        assert_true(field_hash(&a) != field_hash(&b));
        field_cells(&b)[i] = kept;
    }
    b.width = 5;
    b.height = 12;
    assert_true(field_hash(&a) != field_hash(&b));
    field_free(&a);
    field_free(&b);
}

static void the_first_cell_that_is_not_finite_is_named(void **state) {
    (void)state;
    Field field = noise_field(20, 10, 1);
    Error error;
    assert_ok(field_check_finite(&on_threads(1), &field, &error), error);
    field_row(&field, 7)[13] = NAN;
    assert_int_equal(field_check_finite(&on_threads(1), &field, &error), STATUS_INVALID);
    assert_string_equal(error.text, "cell (13, 7) is not a number");
    field_row(&field, 2)[19] = -INFINITY;
    assert_int_equal(field_check_finite(&on_threads(1), &field, &error), STATUS_INVALID);
    assert_string_equal(error.text, "cell (19, 2) is infinite");
    field_free(&field);
}

static void coordinates_wrap_around(void **state) {
    (void)state;
    assert_int_equal(wrap(-1, 10), 9);
    assert_int_equal(wrap(10, 10), 0);
    assert_int_equal(wrap(4, 10), 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_outside_the_range_are_errors),
        cmocka_unit_test(the_hash_tells_size_and_every_bit),
        cmocka_unit_test(the_first_cell_that_is_not_finite_is_named),
        cmocka_unit_test(coordinates_wrap_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
