// The program's process: its signals, and the thread that everything runs on. Windows has windows/main.c.

#include "cli/program.h"

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Start {
    int count;
    char **words;
    sigset_t signals;
} Start;

// Ends the process directly: a forked process has no other thread.
static void *start_program(void *context) {
    const Start *start = context;
    pthread_sigmask(SIG_SETMASK, &start->signals, NULL);
    exit(run_program(start->count, start->words));
}

// The thread is the one that receives signals, and the only one that uses the heap much, so it needs no
// second arena.
int main(int count, char **words) {
    Start start = { count, words, { { 0 } } };
    sigset_t all;
    mallopt(M_ARENA_MAX, 1);
    signal(SIGCHLD, SIG_DFL); // if SIGCHLD is ignored, exit statuses are lost
    signal(SIGXFSZ, SIG_IGN); // beyond `ulimit -f` a write fails, as on a full disk
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &start.signals);
    return run_on_thread(start_program, &start);
}
