// The machinery of operations, tried on one that is declared here.

#include "support.h"

#include "core/error.h"
#include "values.h"

#include <math.h>

typedef struct Shift {
    int times;
    double by, talus;
    bool doubled;
    int mode;
    Numbers list;
    const Field *mask;
} Shift;

static const Param params[] = {
    PARAM(Shift, times, .initial = 1, .min = 0, .max = 10),
    PARAM(Shift, by, .initial = 0.5, .min = -2, .max = 2),
    PARAM(Shift, talus, .initial = 16, .max = 1e6, .unit = UNIT_PER_SIDE),
    PARAM(Shift, doubled, .initial = false),
    PARAM(Shift, mode, .choices = CHOICES("plain", "rough", "odd"), .initial = 1),
    PARAM(Shift, list, .initial_numbers = NUMBERS(-1, 1), .min = -9, .max = 9),
    PARAM(Shift, mask, .doc = "where"),
    { 0 },
};

static double seen_talus;

static Status run(const Call *call, Error *error) {
    const Shift *shift = call->params;
    seen_talus = shift->talus;
    if (shift->times == 9)
        return fail(error, STATUS_INVALID, "nine is too many");
    if (shift->times == 8)
        return STATUS_STOPPED;
    for (size_t i = 0; i < field_count(call->inputs[0].field); i++)
        field_cells(&call->outputs[0].field)[i] =
            call->inputs[0].field->cells[i] + (float)(shift->times * shift->by);
    if (shift->times == 7)
        field_cells(&call->outputs[0].field)[3] = INFINITY;
    return STATUS_OK;
}

static const Operation op_shift = {
    .name = "shift",
    .inputs = { { .name = "height" }, { .name = "other", .accepts = { &type_field, &type_number } } },
    .outputs = { { .name = "height" } },
    .params = params,
    .params_size = sizeof(Shift),
    .seeded = true,
    .run = run,
};

static const Param *named(const char *name) {
    return operation_param(&op_shift, name);
}

static void kinds_follow_the_members(void **state) {
    (void)state;
    assert_int_equal(named("times")->kind, PARAM_INTEGER);
    assert_int_equal(named("by")->kind, PARAM_NUMBER);
    assert_int_equal(named("doubled")->kind, PARAM_BOOLEAN);
    assert_int_equal(param_kind(named("mode")), PARAM_CHOICE);
    assert_int_equal(named("list")->kind, PARAM_NUMBERS);
    assert_int_equal(named("mask")->kind, PARAM_FIELD);
    assert_ptr_equal(named("seed"), &seed_param);
    assert_null(named("size"));
}

static void defaults_are_the_declared_ones(void **state) {
    (void)state;
    Shift shift;
    params_initialise(&op_shift, &shift);
    assert_int_equal(shift.times, 1);
    assert_near(shift.by, 0.5, 0);
    assert_int_equal(shift.mode, 1);
    assert_int_equal(shift.list.count, 2);
    assert_near(shift.list.at[0], -1, 0);
    assert_null(shift.mask);
}

static void refused(const char *name, double value, const char *message) {
    Shift shift;
    Error error = { "" };
    params_initialise(&op_shift, &shift);
    const Shift before = shift;
    assert_int_equal(param_set_number(named(name), &shift, value, &error), STATUS_INVALID);
    assert_string_equal(error.text, message);
    assert_memory_equal(&before, &shift, sizeof shift);
}

static void values_out_of_range_are_named(void **state) {
    (void)state;
    refused("times", 11, "times must be 0 to 10, got 11");
    refused("times", -1, "times must be 0 to 10, got -1");
    refused("times", 2.5, "times must be a whole number, 0 to 10, got 2.5");
    refused("by", NAN, "by must be -2 to 2, got nan");
    refused("by", INFINITY, "by must be -2 to 2, got inf");
    refused("talus", -3, "talus must be 0 to 1000000, got -3");
    refused("talus", 1e7, "talus must be 0 to 1000000, got 10000000");
}

static void choices_and_lists_are_checked(void **state) {
    (void)state;
    Shift shift;
    Error error;
    params_initialise(&op_shift, &shift);
    assert_ok(param_set_text(named("mode"), &shift, "odd", &error), error);
    assert_int_equal(shift.mode, 2);
    assert_int_equal(param_set_text(named("mode"), &shift, "even", &error), STATUS_INVALID);
    assert_string_equal(error.text, "mode must be \"plain\", \"rough\" or \"odd\", got \"even\"");
    const Numbers wrong = { 3, { 1, 2, 99 } };
    assert_int_equal(param_set_numbers(named("list"), &shift, &wrong, &error), STATUS_INVALID);
    assert_string_equal(error.text, "list: element 3 must be -9 to 9, got 99");
}

static void a_value_per_side_is_divided_by_the_longer_side(void **state) {
    (void)state;
    Field field = noise_field(20, 40, 1);
    Field result = run_field(&op_shift, (Call){ .inputs = { { .field = &field } } }, NULL);
    assert_near(seen_talus, 16.0 / 40, 0);
    assert_int_equal(result.height, 40);
    field_free(&result);
    field_free(&field);
}

static void fails(Call call, Shift *shift, Status status, const char *message) {
    Output outputs[OUTPUTS_MAX];
    Error error = { "" };
    const size_t before = memory_in_use();
    assert_int_equal(run_operation(&op_shift, call, shift, outputs, &error), status);
    assert_string_equal(error.text, message);
    assert_null(outputs[0].field.cells);
    assert_int_equal(memory_in_use(), before); // nothing is left of the outputs
}

static void failures_leave_no_outputs(void **state) {
    (void)state;
    Field field = noise_field(20, 40, 1), other = noise_field(20, 41, 1);
    const Call call = { .inputs = { { .field = &field } } };
    Shift shift;
    params_initialise(&op_shift, &shift);
    shift.times = 9;
    fails(call, &shift, STATUS_INVALID, "nine is too many");
    shift.times = 8;
    fails(call, &shift, STATUS_STOPPED, "interrupted");
    shift.times = 7;
    fails(call, &shift, STATUS_INVALID, "the result's cell (3, 0) is infinite: height is 0.03831 to 0.9217");
    shift.times = 1;
    shift.mask = &other;
    fails(call, &shift, STATUS_INVALID,
          "mask is 20 × 41, but must have the size of the first field, 20 × 40");
    shift.mask = NULL;
    const Call two = { .inputs = { { .field = &field }, { .field = &other } } };
    fails(two, &shift, STATUS_INVALID,
          "other is 20 × 41, but must have the size of the first field, 20 × 40");
    memory_fail_after(0);
    Output outputs[OUTPUTS_MAX];
    Error error;
    assert_int_equal(run_operation(&op_shift, call, &shift, outputs, &error), STATUS_MEMORY);
    field_free(&field);
    field_free(&other);
}

static void the_nearest_name_is_found(void **state) {
    (void)state;
    const char *const names[] = { "talus", "iterations", "mask", NULL };
    assert_string_equal(nearest_name("talsu", names), "talus");
    assert_string_equal(nearest_name("tallus", names), "talus");
    assert_string_equal(nearest_name("iteration", names), "iterations");
    assert_string_equal(nearest_name("iter", names), "iterations");
    assert_null(nearest_name("persistence", names));
    assert_null(nearest_name("", names));
}

static void value_types_have_bits_of_their_own(void **state) {
    (void)state;
    int taken = 0;
    for (const ValueType *const *type = all_value_types; *type; type++) {
        const int number = (*type)->number;
        if (number <= 0 || (number & (number - 1)) || (taken & number))
            fail_msg("%s: .number is %d, which is no power of two or another type's", (*type)->kind, number);
        taken |= number;
    }
}

// What help, messages and the reference say of a list.
static void lists_say_how_long_they_may_be(void **state) {
    (void)state;
    typedef struct Lists {
        Numbers list, rows, rest;
    } Lists;
    static const struct {
        Param param;
        const char *allowed;
    } cases[] = {
        { PARAM(Lists, list, .rows_min = 2, .rows_max = 2, .min = 0, .max = 9), "2 numbers, each 0 to 9" },
        { PARAM(Lists, rows, .columns = 4, .rows_min = 1, .rows_max = 64, .min = 0, .max = 9),
          "1 to 64 rows of 4 numbers, each 0 to 9" },
        { PARAM(Lists, rest, .columns = 3, .columns_min = 2, .rows_max = 5, .min = 0, .max = 9),
          "up to 5 rows of 2 to 3 numbers, each 0 to 9" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        param_allowed(&cases[i].param, text, sizeof text);
        assert_string_equal(text, cases[i].allowed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_follow_the_members),
        cmocka_unit_test(defaults_are_the_declared_ones),
        cmocka_unit_test(values_out_of_range_are_named),
        cmocka_unit_test(choices_and_lists_are_checked),
        cmocka_unit_test(lists_say_how_long_they_may_be),
        cmocka_unit_test(a_value_per_side_is_divided_by_the_longer_side),
        cmocka_unit_test(failures_leave_no_outputs),
        cmocka_unit_test(the_nearest_name_is_found),
        cmocka_unit_test(value_types_have_bits_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
