// What two threads would take, measured on one: stands before the engine's parallel_rows (ld --wrap) in the
// module that `make bench-threads` links. The blocks of each loop run one after the other, and are dealt to
// whichever of two threads is free first. Other programs on the machine disturb that less than elapsed times.

#define _GNU_SOURCE // CLOCK_THREAD_CPUTIME_ID
#include "core/math.h"
#include "core/parallel.h"

#include <lua.h>
#include <time.h>

Status __real_parallel_rows(const Run *run, int rows, double cost_per_row, RowsBody *body, void *context);
Status __wrap_parallel_rows(const Run *run, int rows, double cost_per_row, RowsBody *body, void *context);

typedef struct Timed {
    RowsBody *body;
    void *context;
    int blocks;
    double busy[2]; // seconds of each thread
} Timed;

static double in_loops, of_two; // seconds inside loops on one thread, and until the later of two is done
static bool inside;             // a loop in a loop's body runs on the body's thread

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void time_block(void *context, int first, int end) {
    Timed *timed = context;
    const double start = seconds();
    timed->body(timed->context, first, end);
    timed->busy[timed->busy[1] < timed->busy[0]] += seconds() - start;
    timed->blocks++;
}

Status __wrap_parallel_rows(const Run *run, int rows, double cost_per_row, RowsBody *body, void *context) {
    const double parallel_cost =
        100 * 1000; // as in src/core/parallel.c, which keeps cheaper loops on one thread
    if (inside || cost_per_row * rows < parallel_cost)
        return __real_parallel_rows(run, rows, cost_per_row, body, context);
    Run alone = *run;
    alone.threads = 1;
    Timed timed = { .body = body, .context = context };
    inside = true;
    const Status status = __real_parallel_rows(&alone, rows, cost_per_row, time_block, &timed);
    inside = false;
    if (timed.blocks > 1) {
        in_loops += timed.busy[0] + timed.busy[1];
        of_two += max(timed.busy[0], timed.busy[1]);
    }
    return status;
}

// For package.loadlib: the two sums so far.
__attribute__((visibility("default"))) int loop_seconds(lua_State *L);

int loop_seconds(lua_State *L) {
    lua_pushnumber(L, in_loops);
    lua_pushnumber(L, of_two);
    return 2;
}
