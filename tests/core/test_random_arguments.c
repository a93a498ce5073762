// Every operation ends, with finite heights or an error, whatever its arguments: those of the fuzzer's
// harness, from thousands of random bytes that are the same in every run. A call that takes seconds of
// processor time, on fields of at most 33 × 33 cells, is taken for one that does not end.

#include "support.h"

#include "fuzz/any_operation.h"

#include "rivermap/tiling.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

enum { BYTES = 96, SECONDS = 20 };

static const char *running;

static void give_up(int signal) {
    (void)signal;
    static const char message[] = " does not end\n";
    if (write(STDERR_FILENO, running, strlen(running)) > 0 &&
        write(STDERR_FILENO, message, sizeof message - 1) > 0)
        _exit(1);
    _exit(1);
}

static void set_timer(int seconds) {
    const struct itimerval timer = { .it_value = { .tv_sec = seconds } };
    setitimer(ITIMER_VIRTUAL, &timer, NULL); // counts this process's own work
}

// Each call makes a map anew, whose land takes a fifth of a second: one round of eight.
static bool takes_map(const Operation *operation) {
    return operation->inputs[0].name && input_accepts(&operation->inputs[0], &type_map);
}

static void every_operation_ends_whatever_its_arguments(void **state) {
    (void)state;
    unsigned operations = 1;
    while (all_operations[operations])
        operations++;
    signal(SIGVTALRM, give_up);
    const uint32_t cases = (uint32_t)rounds(1250);
    for (uint32_t i = 0; i < cases; i++) {
        const Operation *operation = all_operations[i % operations];
        if (takes_map(operation) && i / operations % 8 != 0 && times_as_many() == 1)
            continue;
        const RandomKey key = random_key(i, 3);
        uint8_t bytes[BYTES];
        for (uint32_t k = 0; k < BYTES; k++)
            bytes[k] = (uint8_t)random_bits(key, k, 0);
        bytes[0] = (uint8_t)(i % operations);
        running = operation->name;
        set_timer(SECONDS);
        try_operation(bytes, sizeof bytes);
    }
    set_timer(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_ends_whatever_its_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
