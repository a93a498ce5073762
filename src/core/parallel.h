// Parallel loops: the only way to use several threads, and the only place that checks for a stop. A loop
// over rows is cut into blocks whose height depends on the cost of a row, never on the number of threads.
// Results are the same for any number of threads as long as a body writes only to its own rows; a sum keeps
// one partial per row, added in order afterwards.

#ifndef ESKER_PARALLEL_H
#define ESKER_PARALLEL_H

#include "core/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

// The limits of a run and its callbacks. A zeroed Run is valid: all processors, no stop, no progress.
typedef struct Run {
    int threads;       // maximum; 0: one per processor
    atomic_bool *stop; // polled once per block; set by a signal handler; may be NULL
    void (*progress)(void *context, double fraction); // 0 … 1, on the calling thread; may be NULL
    void *progress_context;
    bool iterates;       // the operation reports its iterations; otherwise each of its loops reports itself
    atomic_int *sharing; // how many calls divide the threads among them now, this one included; NULL: one
} Run;

// Processes rows `first` … `end` - 1. Runs on any thread: may not allocate, fail or call Lua.
typedef void RowsBody(void *context, int first, int end);

// Calls `body` once for every row 0 … `rows` - 1, in blocks, on up to run->threads threads. `cost_per_row`
// is a rough estimate in nanoseconds: cheap loops stay on one thread. Returns STATUS_OK, or STATUS_STOPPED
// if a stop was requested before all rows were done.
Status parallel_rows(const Run *run, int rows, double cost_per_row, RowsBody *body, void *context);

// For operations that iterate: reports `done` of `total` and returns STATUS_STOPPED once a stop was
// requested.
Status run_advance(const Run *run, double done, double total);

bool run_stopped(const Run *run);

// For what one thread makes and others wait for: a lock, and the signal that something under it has changed.
typedef struct Monitor {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} Monitor;

void monitor_create(Monitor *monitor);
void monitor_destroy(Monitor *monitor);

// Waits until `changed` is signalled or 5 ms have passed; the threads of `sharing` are the others' meanwhile.
// The caller holds the mutex, and calls again until what it waits for is there. STATUS_STOPPED: a stop was
// requested.
Status monitor_wait(Monitor *monitor, const Run *run);

// For tests: each row is a block, even the cheapest loops use threads, and the last block is taken first. So
// a result that depends on the order of blocks differs even where one thread does all.
void parallel_every_row(bool every);

// The number of processors that this process may use.
int processor_count(void);

#endif
