// Every operation, with each of its choices, gives the same bits for any number of threads, where edges meet
// and where they do not, when each row is a block of its own, too. Under ThreadSanitizer
// (tests/long/races.sh) it shows that no two threads meet.

#include "attempts.h"

#include "core/parallel.h"
#include "output_hash.h"

static uint64_t run_on(const Operation *operation, const Param *chosen, int choice, int threads,
                       const Field *field) {
    Output outputs[OUTPUTS_MAX];
    Error error;
    assert_ok(attempt_choice(operation, chosen, choice, &on_threads(threads), field, outputs, &error), error);
    const uint64_t hash = output_hash(operation, outputs);
    outputs_free(outputs);
    return hash;
}

static void compare(const Operation *operation, const Param *chosen, int choice, const Field *field) {
    static const int threads[] = { 3, 32, 2, 7 };
    const size_t all = sizeof threads / sizeof *threads;
    const size_t numbers = UNDER_SANITIZERS ? 1 : chosen && times_as_many() < 4 ? 2 : all;
    const uint64_t expected = run_on(operation, chosen, choice, 1, field);
    parallel_every_row(true);
    for (size_t i = 0; i < numbers; i++)
        if (run_on(operation, chosen, choice, threads[i], field) != expected)
            fail_msg("%s %s differs on %d threads", operation->name, chosen ? chosen->choices[choice] : "",
                     threads[i]);
    parallel_every_row(false);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    Field field = noise_field(70, 50, 1);
    int turn = 0;
    for (const Operation *const *each = all_operations; *each; each++) {
        if (wants_text(*each))
            continue;
        compare(*each, NULL, 0, &field);
        if (operation_wrap_param(*each)) {
            field.wraps = true;
            compare(*each, NULL, 0, &field);
            field.wraps = false;
        }
        for (const Param *param = (*each)->params; param && param->name; param++)
            for (int i = 0; param->choices && param->choices[i] && !needs_company(param); i++)
                if (takes_turn(turn++))
                    compare(*each, param, i, &field);
    }
    field_free(&field);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(threads_do_not_change_a_bit) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
