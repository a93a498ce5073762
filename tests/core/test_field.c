#include "support.h"

#include "core/bytes.h"
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

// From another process, which may be hostile.
static void sides_of_more_cells_than_there_are_bytes_are_damaged(void **state) {
    (void)state;
    FILE *from = tmpfile();
    Error error;
    const int most[2] = { SIDE_MAX, SIDE_MAX }, few[2] = { 1, 2 };
    const float cells[2] = { 0 };
    int sides[2];
    fwrite(most, sizeof most, 1, from);
    fwrite(few, sizeof few, 1, from);
    fwrite(cells, sizeof cells, 1, from);
    rewind(from);
    assert_int_not_equal(bytes_get_sides(from, sides, sizeof(float), &error), STATUS_OK);
    assert_ok(bytes_get_sides(from, sides, sizeof(float), &error), error);
    fclose(from);
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
        cmocka_unit_test(sides_of_more_cells_than_there_are_bytes_are_damaged),
        cmocka_unit_test(the_hash_tells_size_and_every_bit),
        cmocka_unit_test(the_first_cell_that_is_not_finite_is_named),
        cmocka_unit_test(coordinates_wrap_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
