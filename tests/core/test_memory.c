#include "support.h"

#include "core/image.h"

static void what_is_in_use_is_counted(void **state) {
    (void)state;
    Error error;
    const size_t before = memory_in_use();
    memory_reset_peak();
    char *block = memory_new(1000, 3, &error);
    assert_non_null(block);
    assert_true((uintptr_t)block % 64 == 0);
    assert_in_range(memory_in_use() - before, 3000, 3200);
    memory_free(block);
    assert_int_equal(memory_in_use(), before);
    assert_in_range(memory_peak() - before, 3000, 3200);
    memory_free(NULL);
}

static void zeroed_memory_is_zero(void **state) {
    (void)state;
    Error error;
    unsigned char *block = memory_new_zeroed(12345, 1, &error);
    for (int i = 0; i < 12345; i++)
        assert_int_equal(block[i], 0);
    memory_free(block);
}

static void an_enlarged_block_keeps_its_elements_or_stays(void **state) {
    (void)state;
    const size_t before = memory_in_use();
    int *block = memory_enlarge(NULL, 0, 100, sizeof *block, NULL);
    for (int i = 0; i < 100; i++)
        block[i] = i;
    memory_fail_after(0);
    assert_null(memory_enlarge(block, 100, 1000, sizeof *block, NULL));
    memory_fail_after(-1);
    int *larger = memory_enlarge(block, 100, 1000, sizeof *block, NULL);
    for (int i = 0; i < 100; i++)
        assert_int_equal(larger[i], i);
    memory_free(larger);
    assert_int_equal(memory_in_use(), before);
}

static void the_limit_is_an_error_and_nothing_leaks(void **state) {
    (void)state;
    Error error;
    const size_t limit = memory_limit(), before = memory_in_use();
    memory_set_limit(before + (1 << 20));
    assert_null(memory_new(2, 1 << 20, &error));
    assert_string_equal(error.text, "not enough memory: 2.0 MiB more are needed, 1.0 MiB are left of 1.0");
    char *block = memory_new(1, 1 << 19, &error);
    assert_non_null(block);
    memory_free(block);
    memory_set_limit(limit);
    assert_int_equal(memory_in_use(), before);
}

static void a_product_that_overflows_is_an_error(void **state) {
    (void)state;
    Error error;
    assert_null(memory_new(SIZE_MAX / 4, 8, &error));
    assert_non_null(strstr(error.text, "not enough memory"));
    assert_null(memory_new(SIZE_MAX / 2, 1, &error));
}

static void counts_of_cells_do_not_overflow(void **state) {
    (void)state;
    Error error;
    assert_true(memory_count(3, 5) == 15 && memory_count(0, 5) == 0 && memory_count(5, 0) == 0);
    assert_true(memory_count(INT64_MAX, 3) == MEMORY_TOO_MUCH && memory_count(-1, 3) == MEMORY_TOO_MUCH);
    assert_true(memory_sum(3, 5) == 8);
    assert_true(memory_sum(SIZE_MAX / 4 * 3, SIZE_MAX / 4 * 3) == MEMORY_TOO_MUCH);
    assert_true(memory_sum(MEMORY_TOO_MUCH, 1) == MEMORY_TOO_MUCH);
    for (size_t times = 1; times <= 8; times++)
        assert_null(memory_new(times * memory_count(INT64_MAX, 3) + 100, 1, &error));
}

// The product of these sides is 2^32, which a size_t of 32 bits holds as 0.
static void cells_beyond_the_limit_are_refused(void **state) {
    (void)state;
    Error error;
    Field field;
    Image image;
    const size_t limit = memory_limit(), before = memory_in_use();
    memory_set_limit(before + (1 << 20));
    assert_int_equal(field_create(&field, SIDE_MAX, SIDE_MAX, &error), STATUS_MEMORY);
    assert_non_null(strstr(error.text, "not enough memory"));
    assert_int_equal(image_create(&image, SIDE_MAX, SIDE_MAX, &error), STATUS_MEMORY);
    assert_null(memory_new_cells(SIDE_MAX, SIDE_MAX, 1, &error));
    assert_null(memory_new_cells_zeroed(SIDE_MAX, SIDE_MAX, 1, &error));
    memory_set_limit(limit);
    assert_int_equal(memory_in_use(), before);
}

static void the_usual_limit_can_be_addressed(void **state) {
    (void)state;
    const size_t limit = memory_limit();
    assert_in_range(limit, (size_t)64 << 20, SIZE_MAX / 2);
    memory_set_limit(SIZE_MAX);
    assert_true(memory_limit() == SIZE_MAX / 2);
    memory_set_limit(limit);
}

static void large_blocks_come_back_and_are_not_counted_meanwhile(void **state) {
    (void)state;
    Error error;
    const size_t before = memory_in_use();
    for (int round = 0; round < 40; round++) { // more sizes than are kept
        char *block = memory_new((size_t)(1 + round) << 19, 1, &error);
        assert_non_null(block);
        memset(block, round, (size_t)(1 + round) << 19);
        memory_free(block);
        assert_int_equal(memory_in_use(), before);
    }
    char *first = memory_new(1 << 23, 1, &error);
    memory_free(first);
    char *again = memory_new((1 << 23) + 100, 1, &error);
    if (!memory_is_watched()) // AddressSanitizer keeps blocks back, to see who still uses them
        assert_ptr_equal(first, again);
    char *other = memory_new(1 << 23, 1, &error);
    assert_ptr_not_equal(other, again);
    memory_free(again);
    memory_free(other);
}

static void a_larger_block_comes_back_where_it_is_asked_for(void **state) {
    (void)state;
    Error error;
    const size_t limit = memory_limit(), before = memory_in_use();
    memory_set_limit(before + (1 << 20));
    memory_free(memory_new(1 << 19, 1, &error)); // nothing larger is kept from here on
    memory_set_limit(limit);
    char *first = memory_new(30 << 20, 1, &error);
    memory_free(first);
    char *small = memory_new_or_larger(768 << 10, 1, &error); // forty times as large is too large
    assert_ptr_not_equal(small, first);
    memory_free(small);
    memory_set_limit(before + (64 << 20)); // and so is a block that takes much of what is left
    char *tight = memory_new_or_larger(10 << 20, 1, &error);
    assert_in_range(memory_in_use() - before, 10 << 20, 11 << 20);
    memory_set_limit(limit);
    char *again = memory_new_or_larger(10 << 20, 1, &error);
    if (!memory_is_watched()) {
        assert_ptr_equal(again, first);
        assert_in_range(memory_in_use() - before, 40 << 20, 41 << 20);
    }
    memory_free(tight);
    memory_free(again);
    assert_int_equal(memory_in_use(), before);
    assert_null(memory_new_or_larger(SIZE_MAX / 4, 8, &error));
}

// What a block holds tells whether it was kept: new memory is zero.
static bool comes_back(size_t bytes) {
    Error error;
    char *block = memory_new(bytes, 1, &error);
    assert_non_null(block);
    block[bytes / 2] = 7;
    memory_free(block);
    char *again = memory_new(bytes, 1, &error);
    const bool kept = again[bytes / 2] == 7;
    memory_free(again);
    return kept;
}

static void much_of_a_small_limit_is_kept(void **state) {
    (void)state;
    Error error;
    const size_t limit = memory_limit(), before = memory_in_use();
    if (memory_is_watched())
        return;
    memory_set_limit(before + ((size_t)200 << 20));
    assert_true(comes_back((size_t)90 << 20));
    assert_false(comes_back((size_t)120 << 20));
    char *block = memory_new((size_t)90 << 20, 1, &error);
    block[(size_t)45 << 20] = 7;
    memory_free(block);
    memory_leave_room();
    block = memory_new((size_t)90 << 20, 1, &error);
    assert_int_equal(block[(size_t)45 << 20], 0);
    memory_free(block);
    char *all = memory_new((size_t)190 << 20, 1, &error); // what is kept goes where it is needed
    assert_non_null(all);
    memory_free(all);
    memory_set_limit(before + ((size_t)600 << 20));
    assert_true(comes_back((size_t)120 << 20));
    assert_false(comes_back((size_t)140 << 20));
    memory_set_limit(limit);
}

// Those of a field of 64², too; sizes that differ a little share blocks.
static void small_blocks_come_back(void **state) {
    (void)state;
    Error error;
    if (memory_is_watched()) // the system's allocator is used then
        return;
    for (size_t bytes = 5000; bytes < (size_t)1 << 20; bytes += bytes / 3) {
        char *one = memory_new(bytes, 1, &error), *two = memory_new(bytes, 1, &error);
        memory_free(one);
        memory_free(two);
        assert_ptr_equal(memory_new(bytes, 1, &error), two); // the last freed first
        assert_ptr_equal(memory_new(bytes, 1, &error), one);
        memory_free(one);
        memory_free(two);
    }
    char *large = memory_new(16000, 1, &error);
    memory_free(large);
    char *smaller = memory_new(15900, 1, &error);
    assert_ptr_equal(smaller, large);
    memory_free(smaller);
}

static void what_others_hold_counts_against_the_limit(void **state) {
    (void)state;
    Error error;
    const size_t limit = memory_limit(), before = memory_in_use();
    memory_set_limit(before + (4 << 20));
    assert_true(memory_charge(3 << 20));
    assert_int_equal(memory_in_use(), before); // fields alone
    assert_null(memory_new(2 << 20, 1, &error));
    assert_false(memory_charge(2 << 20));
    assert_false(memory_charge(SIZE_MAX - 5));
    memory_discharge(3 << 20);
    char *block = memory_new(2 << 20, 1, &error);
    assert_non_null(block);
    memory_free(block); // may be kept: makes room for what is wanted
    assert_true(memory_charge(4 << 20));
    memory_discharge(4 << 20);
    memory_set_limit(limit);
}

static void the_commanded_allocation_fails_once(void **state) {
    (void)state;
    Error error;
    memory_fail_after(1);
    char *first = memory_new(1, 1, &error), *second = memory_new(1, 1, &error);
    char *third = memory_new(1, 1, &error);
    assert_non_null(first);
    assert_null(second);
    assert_non_null(third);
    memory_free(first);
    memory_free(third);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_in_use_is_counted),
        cmocka_unit_test(zeroed_memory_is_zero),
        cmocka_unit_test(an_enlarged_block_keeps_its_elements_or_stays),
        cmocka_unit_test(the_limit_is_an_error_and_nothing_leaks),
        cmocka_unit_test(a_product_that_overflows_is_an_error),
        cmocka_unit_test(counts_of_cells_do_not_overflow),
        cmocka_unit_test(cells_beyond_the_limit_are_refused),
        cmocka_unit_test(the_usual_limit_can_be_addressed),
        cmocka_unit_test(large_blocks_come_back_and_are_not_counted_meanwhile),
        cmocka_unit_test(a_larger_block_comes_back_where_it_is_asked_for),
        cmocka_unit_test(much_of_a_small_limit_is_kept),
        cmocka_unit_test(small_blocks_come_back),
        cmocka_unit_test(what_others_hold_counts_against_the_limit),
        cmocka_unit_test(the_commanded_allocation_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
