// What is kept is found as it was added, or not at all.

#include "support.h"

#include "core/memo.h"

#include <string.h>

enum { BITS = 12, VALUES = 2000, LONGEST = 60 };

static MemoKey number_key(int number) {
    return memo_key((MemoKey){ 0 }, &number, sizeof number);
}

static size_t value_for(int number, uint8_t *value) {
    const size_t size = 1 + (size_t)(number * 7 % LONGEST);
    memset(value, number % 251, size);
    return size;
}

static void test_the_newest_are_found_and_all_are_right(void **state) {
    (void)state;
    Error error;
    Memo *memo = memo_new(BITS, &error);
    uint8_t value[LONGEST], found[LONGEST];
    int kept = 0;
    assert_non_null(memo);
    for (int i = 0; i < VALUES; i++) {
        assert_int_equal(memo_find(memo, number_key(i), found, sizeof found), 0);
        memo_add(memo, number_key(i), value, value_for(i, value));
        assert_int_equal(memo_find(memo, number_key(i), found, sizeof found), value_for(i, value));
    }
    for (int i = 0; i < VALUES; i++) {
        const size_t size = memo_find(memo, number_key(i), found, sizeof found);
        if (size == 0)
            continue;
        kept++;
        assert_true(i > VALUES / 2);
        assert_int_equal(size, value_for(i, value));
        assert_memory_equal(found, value, size);
    }
    assert_in_range(kept, 20, 80); // of 56 bytes on average, and their keys, in 4096
    memo_free(memo);
}

static void test_what_has_no_room_is_not_found(void **state) {
    (void)state;
    static const uint8_t large[MEMO_VALUE_MAX + 1];
    Error error;
    Memo *memo = memo_new(BITS, &error);
    uint8_t found[LONGEST];
    assert_non_null(memo);
    memo_add(memo, number_key(1), large, sizeof large);
    assert_int_equal(memo_find(memo, number_key(1), found, sizeof found), 0);
    memo_add(memo, number_key(1), large, LONGEST);
    assert_int_equal(memo_find(memo, number_key(1), found, LONGEST - 1), 0);
    assert_int_equal(memo_find(memo, number_key(1), found, LONGEST), LONGEST);
    memo_free(memo);
    memo_free(NULL);
}

static void test_keys_are_those_of_all_bytes(void **state) {
    (void)state;
    uint8_t bytes[21] = { 0 };
    const MemoKey all = memo_key((MemoKey){ 0 }, bytes, sizeof bytes),
                  fewer = memo_key((MemoKey){ 0 }, bytes, sizeof bytes - 1);
    assert_true(all.first != fewer.first && all.second != fewer.second);
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = 1;
        const MemoKey other = memo_key((MemoKey){ 0 }, bytes, sizeof bytes);
        assert_true(all.first != other.first && all.second != other.second);
        bytes[i] = 0;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_newest_are_found_and_all_are_right),
        cmocka_unit_test(test_what_has_no_room_is_not_found),
        cmocka_unit_test(test_keys_are_those_of_all_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
