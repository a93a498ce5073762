// A thread pool, started by the first loop that is expensive enough. An atomic counter hands out blocks;
// the calling thread works too. The loops of an iterated operation are only microseconds apart, so threads
// spin for a while before they sleep: workers for the next loop, the caller for workers with their last
// blocks.

#include "core/parallel.h"

#include "core/math.h"
#include "core/platform.h"
#include "core/whole.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>

enum {
    THREADS_MAX = 256,
    BLOCK_COST = 50 * 1000,     // nanoseconds: well above the cost of handing out a block
    PARALLEL_COST = 100 * 1000, // a loop below this ends before a second thread wakes up
    LOOK_OUT = 100 * 1000,      // nanoseconds that a thread spins before it sleeps
    STACK_SIZE = 1 << 20,
};

typedef struct Loop {
    RowsBody *body;
    void *context;
    const Run *run;
    int rows, block_rows, blocks;
} Loop;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static pthread_cond_t all_left = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t one_loop = PTHREAD_MUTEX_INITIALIZER; // held by the thread whose loop uses the pool
static int workers;                                          // threads started
static int sleeping;                                         // workers waiting for `wake`, under `mutex`
static Loop loop;                                            // the current loop, constant while it runs

// (generation of the loop) << 32 | (workers that may still join it). A worker joins by taking one down.
static _Atomic uint64_t ticket;
static atomic_int next_block, joined;
static atomic_bool stopped;
static atomic_bool awaited;       // the loop's owner sleeps until `joined` is 0
static bool every_row;            // in tests
static _Thread_local bool inside; // nested loops run on the body's own thread

void parallel_every_row(bool every) {
    every_row = every;
}

int processor_count(void) {
    return platform_processors();
}

bool run_stopped(const Run *run) {
    return run->stop && atomic_load_explicit(run->stop, memory_order_relaxed);
}

// Reports the progress of a loop of an operation that does not iterate, from the thread that started it.
static void report(const Loop *at, int blocks_done) {
    const Run *run = at->run;
    if (run->progress && !run->iterates)
        run->progress(run->progress_context, (double)blocks_done / at->blocks);
}

static void work(bool reports) {
    for (;;) {
        if (run_stopped(loop.run))
            atomic_store(&stopped, true);
        if (atomic_load(&stopped))
            return;
        const int taken = atomic_fetch_add(&next_block, 1);
        if (taken >= loop.blocks)
            return;
        if (reports)
            report(&loop, taken);
        const int block = every_row ? loop.blocks - 1 - taken : taken;
        const int first = block * loop.block_rows;
        const int end = min(first + loop.block_rows, loop.rows);
        loop.body(loop.context, first, end);
    }
}

static void leave(void) {
    if (atomic_fetch_sub(&joined, 1) == 1 && atomic_load(&awaited)) {
        pthread_mutex_lock(&mutex);
        pthread_cond_signal(&all_left);
        pthread_mutex_unlock(&mutex);
    }
}

static bool join(uint64_t *seen) {
    uint64_t now = atomic_load(&ticket);
    while (now >> 32 != *seen && (uint32_t)now > 0) {
        // Counted before the ticket is taken: the loop's owner waits until all workers have left.
        atomic_fetch_add(&joined, 1);
        if (atomic_compare_exchange_strong(&ticket, &now, now - 1)) {
            *seen = now >> 32;
            return true;
        }
        leave();
    }
    return false;
}

static int64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void pause_briefly(void) {
#if defined(__x86_64__)
    for (int i = 0; i < 16; i++)
        __builtin_ia32_pause();
#endif
    sched_yield(); // with more threads than processors, the thread waited for may need this one
}

static void *worker(void *unused) {
    (void)unused;
    inside = true;
    uint64_t seen = 0;
    for (;;) {
        if (join(&seen)) {
            work(false);
            leave();
            continue;
        }
        const int64_t until = nanoseconds() + LOOK_OUT;
        bool found = false;
        while (!found && nanoseconds() < until) {
            pause_briefly();
            const uint64_t now = atomic_load(&ticket);
            found = now >> 32 != seen && (uint32_t)now > 0;
        }
        if (found)
            continue;
        pthread_mutex_lock(&mutex);
        sleeping++;
        uint64_t now = atomic_load(&ticket);
        while (now >> 32 == seen || (uint32_t)now == 0) {
            pthread_cond_wait(&wake, &mutex);
            now = atomic_load(&ticket);
        }
        sleeping--;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

// On a busy machine a worker may have lost its processor in the middle of a block, for as long as a time
// slice.
static void await_workers(void) {
    const int64_t until = nanoseconds() + LOOK_OUT;
    while (atomic_load(&joined) > 0 && nanoseconds() < until)
        pause_briefly();
    if (atomic_load(&joined) == 0)
        return;
    pthread_mutex_lock(&mutex);
    atomic_store(&awaited, true);
    while (atomic_load(&joined) > 0)
        pthread_cond_wait(&all_left, &mutex);
    atomic_store(&awaited, false);
    pthread_mutex_unlock(&mutex);
}

// A forked process has no worker threads and starts its own.
static void before_fork(void) {
    pthread_mutex_lock(&mutex);
}

static void after_fork_in_parent(void) {
    pthread_mutex_unlock(&mutex);
}

static void after_fork_in_child(void) {
    pthread_mutex_unlock(&mutex);
    workers = sleeping = 0;
    pthread_cond_init(&wake, NULL);
    pthread_cond_init(&all_left, NULL);
    atomic_store(&awaited, false);
}

// Starts threads until there are `wanted`, or fewer if the system refuses. Workers block signals, which are
// left to the host's threads.
static void start_workers(int wanted) {
    pthread_attr_t attributes;
    static bool forks_are_known;
    if (workers >= wanted || pthread_attr_init(&attributes) != 0)
        return;
    if (!forks_are_known)
        forks_are_known = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    while (workers < wanted && pthread_create(&thread, &attributes, worker, NULL) == 0)
        workers++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

static Status run_on_pool(const Loop *wanted, int helpers) {
    pthread_mutex_lock(&one_loop);
    start_workers(helpers);
    loop = *wanted;
    atomic_store(&next_block, 0);
    atomic_store(&stopped, false);
    const uint64_t generation = (atomic_load(&ticket) >> 32) + 1;
    pthread_mutex_lock(&mutex);
    atomic_store(&ticket, generation << 32 | (uint32_t)min(helpers, workers));
    if (sleeping > 0)
        pthread_cond_broadcast(&wake);
    pthread_mutex_unlock(&mutex);

    inside = true;
    work(true);
    inside = false;

    atomic_store(&ticket, generation << 32); // no worker can join now
    await_workers();
    const bool was_stopped = atomic_load(&stopped);
    pthread_mutex_unlock(&one_loop);
    return was_stopped ? STATUS_STOPPED : STATUS_OK;
}

static Status run_alone(const Loop *wanted) {
    for (int first = 0; first < wanted->rows; first += wanted->block_rows) {
        if (run_stopped(wanted->run))
            return STATUS_STOPPED;
        if (!inside)
            report(wanted, first / wanted->block_rows);
        const int left = wanted->rows - first;
        wanted->body(wanted->context, first, first + min(left, wanted->block_rows));
    }
    return STATUS_OK;
}

Status parallel_rows(const Run *run, int rows, double cost_per_row, RowsBody *body, void *context) {
    if (rows <= 0)
        return STATUS_OK;
    const double block_rows = every_row ? 1 : BLOCK_COST / max(cost_per_row, 1);
    Loop wanted = { .body = body, .context = context, .run = run, .rows = rows };
    wanted.block_rows = whole_within(block_rows, 1, rows);
    wanted.blocks = (rows + wanted.block_rows - 1) / wanted.block_rows;
    int threads = run->threads > 0 ? run->threads : processor_count();
    if (run->sharing)
        threads /= max(atomic_load_explicit(run->sharing, memory_order_relaxed), 1);
    threads = clamp(threads, 1, THREADS_MAX);
    if (inside || threads == 1 || wanted.blocks == 1 || (!every_row && cost_per_row * rows < PARALLEL_COST))
        return run_alone(&wanted);
    return run_on_pool(&wanted, threads - 1);
}

// --- monitors ----------------------------------------------------------------------------------------------

#ifdef __APPLE__ // its conditions know no clock, but how long to wait
static void create_condition(pthread_cond_t *condition) {
    pthread_cond_init(condition, NULL);
}

static void wait_for(pthread_cond_t *condition, pthread_mutex_t *held, long most) {
    const struct timespec time = { .tv_nsec = most };
    pthread_cond_timedwait_relative_np(condition, held, &time);
}
#else
static void create_condition(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void wait_for(pthread_cond_t *condition, pthread_mutex_t *held, long most) {
    enum { SECOND = 1000 * 1000 * 1000 };
    const int64_t until = nanoseconds() + most;
    const struct timespec time = { .tv_sec = (time_t)(until / SECOND), .tv_nsec = (long)(until % SECOND) };
    pthread_cond_timedwait(condition, held, &time);
}
#endif

void monitor_create(Monitor *monitor) {
    pthread_mutex_init(&monitor->mutex, NULL);
    create_condition(&monitor->changed);
}

void monitor_destroy(Monitor *monitor) {
    pthread_cond_destroy(&monitor->changed);
    pthread_mutex_destroy(&monitor->mutex);
}

Status monitor_wait(Monitor *monitor, const Run *run) {
    enum { PATIENCE = 5 * 1000 * 1000 }; // nanoseconds: stops are not signalled
    if (run_stopped(run))
        return STATUS_STOPPED;
    if (run->sharing)
        atomic_fetch_sub(run->sharing, 1);
    wait_for(&monitor->changed, &monitor->mutex, PATIENCE);
    if (run->sharing)
        atomic_fetch_add(run->sharing, 1);
    return run_stopped(run) ? STATUS_STOPPED : STATUS_OK;
}

// -----------------------------------------------------------------------------------------------------------

Status run_advance(const Run *run, double done, double total) {
    if (run_stopped(run))
        return STATUS_STOPPED;
    if (run->progress)
        run->progress(run->progress_context, total > 0 ? done / total : 1);
    return STATUS_OK;
}
