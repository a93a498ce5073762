#include "support.h"

#include <pthread.h>
#include <time.h>

enum { ROWS = 1000 };

typedef struct Visits {
    atomic_int rows[ROWS];
    atomic_bool *stop;
    int stop_at;
} Visits;

static void visit(void *context, int first, int end) {
    Visits *visits = context;
    for (int row = first; row < end; row++) {
        atomic_fetch_add(&visits->rows[row], 1);
        if (visits->stop && row == visits->stop_at)
            atomic_store(visits->stop, true);
    }
}

static void every_row_is_done_once(void **state) {
    (void)state;
    static const int threads[] = { 1, 2, 3, 7, 32 };
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
        for (int loop = 0; loop < 200; loop++) { // loops close together: workers still look out
            Visits visits = { 0 };
            const int rows = 1 + loop * 5;
            assert_int_equal(parallel_rows(&on_threads(threads[i]), rows, 20000, visit, &visits), STATUS_OK);
            for (int row = 0; row < ROWS; row++)
                assert_int_equal(visits.rows[row], row < rows);
        }
}

static void no_rows_is_no_work(void **state) {
    (void)state;
    assert_int_equal(parallel_rows(&on_threads(2), 0, 1, visit, NULL), STATUS_OK);
}

static void a_stop_is_noticed_within_the_loop(void **state) {
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        atomic_bool stop = false;
        Visits visits = { .stop = &stop, .stop_at = 10 };
        const Run run = { .threads = threads, .stop = &stop };
        assert_int_equal(parallel_rows(&run, ROWS, 50000, visit, &visits), STATUS_STOPPED);
        int done = 0;
        for (int row = 0; row < ROWS; row++)
            done += visits.rows[row];
        assert_in_range(done, 11, ROWS / 2);
    }
}

static void nest(void *context, int first, int end) {
    for (int row = first; row < end; row++)
        parallel_rows(&on_threads(4), 10, 50000, visit, context);
}

static void a_loop_inside_a_loop_runs(void **state) {
    (void)state;
    Visits visits = { 0 };
    assert_int_equal(parallel_rows(&on_threads(4), 8, 100000, nest, &visits), STATUS_OK);
    for (int row = 0; row < ROWS; row++)
        assert_int_equal(visits.rows[row], row < 10 ? 8 : 0);
}

static void remember(void *context, double fraction) {
    *(double *)context = fraction;
}

static void advancing_tells_the_fraction_and_the_stop(void **state) {
    (void)state;
    double told = -1;
    atomic_bool stop = false;
    const Run run = { .stop = &stop, .progress = remember, .progress_context = &told };
    assert_int_equal(run_advance(&run, 3, 12), STATUS_OK);
    assert_near(told, 0.25, 0);
    atomic_store(&stop, true);
    assert_int_equal(run_advance(&run, 4, 12), STATUS_STOPPED);
}

static void sleep_a_little(void *context, int first, int end) {
    (void)context;
    for (int row = first; row < end; row++)
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

// The last fraction told stays below 1; an operation that reports its iterations is not interrupted. The
// thread that tells may get few of the rows, or none, where the machine is busy.
static void a_loop_tells_how_far_it_is(void **state) {
    (void)state;
    for (int threads = 1; threads < 3; threads++) {
        double told = -1;
        Run run = { .threads = threads, .progress = remember, .progress_context = &told };
        assert_int_equal(parallel_rows(&run, 20, 100000, sleep_a_little, NULL), STATUS_OK);
        assert_true((threads == 2 || told >= 0.5) && told < 1);
        told = -1;
        run.iterates = true;
        assert_int_equal(parallel_rows(&run, 20, 100000, sleep_a_little, NULL), STATUS_OK);
        assert_near(told, -1, 0);
    }
}

typedef struct Pair {
    pthread_t owner;
    atomic_bool helped;
} Pair;

static void sleep_elsewhere(void *context, int first, int end) {
    (void)first, (void)end;
    Pair *pair = context;
    const bool own = pthread_equal(pthread_self(), pair->owner);
    for (int i = 0; own && i < 2000 && !atomic_load(&pair->helped); i++)
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    if (!own) {
        atomic_store(&pair->helped, true);
        nanosleep(&(struct timespec){ .tv_nsec = 300000000 }, NULL);
    }
}

// As where a busy machine takes a worker's processor away in the middle of a block.
static void who_waits_for_a_worker_takes_no_processor(void **state) {
    (void)state;
    Pair pair = { .owner = pthread_self() };
    const clock_t before = clock();
    assert_int_equal(parallel_rows(&on_threads(2), 2, 200000, sleep_elsewhere, &pair), STATUS_OK);
    assert_true(pair.helped);
    assert_true(clock() - before < CLOCKS_PER_SEC / 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_done_once),
        cmocka_unit_test(no_rows_is_no_work),
        cmocka_unit_test(a_stop_is_noticed_within_the_loop),
        cmocka_unit_test(a_loop_inside_a_loop_runs),
        cmocka_unit_test(advancing_tells_the_fraction_and_the_stop),
        cmocka_unit_test(a_loop_tells_how_far_it_is),
        cmocka_unit_test(who_waits_for_a_worker_takes_no_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
