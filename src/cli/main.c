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

// Runs Lua and the engine on a thread with a large stack, independent of `ulimit -s`. It is the thread that
// receives signals, and the only one that uses the heap much, so it needs no second arena.
int main(int count, char **words) {
    static const size_t stack = (size_t)8 << 20;
    Start start = { count, words, { { 0 } } };
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all;
    mallopt(M_ARENA_MAX, 1);
    signal(SIGCHLD, SIG_DFL); // if SIGCHLD is ignored, exit statuses are lost
    signal(SIGXFSZ, SIG_IGN); // beyond `ulimit -f` a write fails, as on a full disk
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &start.signals);
    const bool well = pthread_attr_init(&attributes) == 0 &&
                      pthread_attr_setstacksize(&attributes, stack) == 0 &&
                      pthread_create(&thread, &attributes, start_program, &start) == 0;
    if (!well) {
        fputs("esker: no thread could be started\n", stderr);
        return EXIT_FAILURE;
    }
    return pthread_join(thread, NULL) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
