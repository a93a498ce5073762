#include "core/scratch.h"
#include "support.h"

enum { RANGES = 1000, SIZE = 3 };

static void take_and_mark(ScratchRange *range, int number) {
    Error error;
    assert_int_equal(scratch_take(SIZE, range, &error), STATUS_OK);
    assert_int_equal(scratch_write(range->start, SIZE, &number, &error), STATUS_OK);
}

// A field of 65,536 rows has a few for each of its strips.
static void there_is_room_for_many_ranges(void **state) {
    (void)state;
    static ScratchRange ranges[RANGES];
    for (int i = 0; i < RANGES; i++)
        take_and_mark(ranges + i, i);
    for (int i = 0; i < RANGES; i += 2)
        scratch_give_back(ranges + i);
    for (int i = 0; i < RANGES; i += 2)
        take_and_mark(ranges + i, RANGES + i);
    for (int i = 0; i < RANGES; i++) {
        int number = 0;
        Error error;
        assert_int_equal(scratch_read(ranges[i].start, SIZE, &number, &error), STATUS_OK);
        assert_int_equal(number, i % 2 == 0 ? RANGES + i : i);
        assert_true(ranges[i].end <= RANGES * SIZE); // what was given back is taken again
    }
    for (int i = 0; i < RANGES; i++)
        scratch_give_back(ranges + i);
}

static void no_memory_for_the_list_takes_nothing(void **state) {
    (void)state;
    ScratchRange range;
    Error error;
    memory_fail_after(0);
    assert_int_equal(scratch_take(SIZE, &range, &error), STATUS_MEMORY);
    memory_fail_after(-1);
    assert_int_equal(range.end, 0);
    take_and_mark(&range, 0);
    assert_int_equal(range.start, 0);
    scratch_give_back(&range);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_room_for_many_ranges),
        cmocka_unit_test(no_memory_for_the_list_takes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
