// Processor time and elapsed time of the first tile, from opening, and of 36 tiles of 256 × 256 cells of 30 m
// by several callers of one ground, against one: each in a process of its own, one after the other in several
// rounds. scripts/ground-figures.sh runs it.

#define _POSIX_C_SOURCE 200809L

#include <esker.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIDE = 256, ACROSS = 6, TILES = ACROSS * ACROSS, CASES = 5, ROUNDS_MAX = 100 };

static const int callers[CASES] = { 0, 1, 2, 4, 8 }; // 0: the first tile

typedef struct Times {
    double computed, elapsed; // seconds
} Times;

typedef struct Crowd {
    EskerGround *ground;
    atomic_int next;
} Crowd;

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void *ask(void *context) {
    Crowd *crowd = context;
    static _Thread_local float cells[SIDE * SIDE];
    for (int i; (i = atomic_fetch_add(&crowd->next, 1)) < TILES;) {
        const double length = SIDE * 30.0;
        const int column = i % ACROSS, row = i / ACROSS;
        const EskerTile tile = { .x = 900000 + column * length,
                                 .y = 1710000 - row * length,
                                 .cell = 30,
                                 .width = SIDE,
                                 .height = SIDE,
                                 .altitude = { cells, 0, 0 } };
        if (esker_ground_tile(crowd->ground, &tile, NULL, NULL) != ESKER_OK)
            exit(EXIT_FAILURE);
    }
    return NULL;
}

static EskerGround *open_ground(double side) {
    EskerValue *map = NULL;
    const EskerArgument arguments[] = { esker_number("seed", 2), esker_number("side", side) };
    if (esker_run("river_map", arguments, 2, NULL, &map, 1, NULL) != ESKER_OK)
        exit(EXIT_FAILURE);
    return esker_ground_open(map, 0, NULL);
}

static Times now(void) {
    return (Times){ seconds(CLOCK_PROCESS_CPUTIME_ID), seconds(CLOCK_MONOTONIC) };
}

// Of 81² points of 1 m, as a walk's first chunk.
static Times measure_first(void) {
    enum { POINTS = 81 };
    static float cells[POINTS * POINTS];
    const Times begun = now();
    EskerGround *ground = open_ground(200000);
    const EskerTile tile = {
        .x = 84000, .y = 86000, .cell = 1, .width = POINTS, .height = POINTS, .altitude = { cells, 0, 0 }
    };
    if (esker_ground_tile(ground, &tile, NULL, NULL) != ESKER_OK)
        exit(EXIT_FAILURE);
    const Times ended = now();
    return (Times){ ended.computed - begun.computed, ended.elapsed - begun.elapsed };
}

// `count`: callers; 0: the first tile.
static Times measure(int count) {
    if (count == 0)
        return measure_first();
    Crowd crowd = { .ground = open_ground(3e6) };
    const Times begun = now();
    pthread_t threads[8];
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, ask, &crowd);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    const Times ended = now();
    return (Times){ ended.computed - begun.computed, ended.elapsed - begun.elapsed };
}

static Times measure_alone(int count) {
    int ends[2];
    Times times = { 0, 0 };
    if (pipe(ends) != 0)
        exit(EXIT_FAILURE);
    const pid_t child = fork();
    if (child == 0) {
        times = measure(count);
        _exit(write(ends[1], &times, sizeof times) != sizeof times);
    }
    int status = 1;
    if (read(ends[0], &times, sizeof times) != sizeof times || waitpid(child, &status, 0) != child || status)
        exit(EXIT_FAILURE);
    close(ends[0]);
    close(ends[1]);
    return times;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *numbers, int count) {
    qsort(numbers, (size_t)count, sizeof *numbers, compare);
    return numbers[count / 2];
}

int main(int count, char **words) {
    const int wanted = count > 1 ? atoi(words[1]) : 5, rounds = wanted < ROUNDS_MAX ? wanted : ROUNDS_MAX;
    static double computed[CASES][ROUNDS_MAX], elapsed[CASES][ROUNDS_MAX];
    for (int round = 0; round < rounds; round++)
        for (int k = 0; k < CASES; k++) {
            const Times times = measure_alone(callers[k]);
            computed[k][round] = times.computed;
            elapsed[k][round] = times.elapsed;
        }
    printf("the first tile, from opening: %.2f s of processor time, %.2f s elapsed\n",
           median(computed[0], rounds), median(elapsed[0], rounds));
    const double one = median(computed[1], rounds), alone = median(elapsed[1], rounds);
    for (int k = 1; k < CASES; k++) {
        const double all = median(computed[k], rounds), wall = median(elapsed[k], rounds);
        printf("%d callers: %.2f s of processor time (%.2f times one's), %.2f s elapsed (%.2f)\n", callers[k],
               all, all / one, wall, wall / alone);
    }
    return EXIT_SUCCESS;
}
