// A walk over endless land, as an engine does it: chunks of 80 × 80 m around a camera, computed by several
// threads, and the land ahead by one more.
//
//     cc walk.c $(pkg-config --cflags --libs esker) -pthread -o walk && ./walk 2 50
//
// The first number is that of the threads, the second how many chunks the camera walks. The hash of the
// ground is the same for any number of threads. docs/streaming.md explains the calls.

#define _POSIX_C_SOURCE 200809L

#include <esker.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CHUNK = 80, POINTS = CHUNK + 1, AROUND = 2, SEEN = 2 * AROUND + 1, AHEAD = 6, THREADS_MAX = 64 };

static const double side = 200000, start_x = 84000, start_y = 86000; // metres

typedef struct World {
    EskerGround *ground;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int walked, wanted, taken, done; // chunks: of the camera's way, and in all
    bool over;
    double *latencies; // of all chunks, in milliseconds
    unsigned long long hash;
} World;

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void fail(const EskerError *error) {
    fprintf(stderr, "%s\n", error->text);
    exit(EXIT_FAILURE);
}

// The same for any order of chunks.
static unsigned long long hash_of(const float *heights, int number) {
    unsigned long long hash = 1469598103934665603ULL + (unsigned long long)number;
    for (int i = 0; i < POINTS * POINTS; i++) {
        unsigned bits;
        memcpy(&bits, &heights[i], sizeof bits);
        hash = (hash ^ bits) * 1099511628211ULL;
    }
    return hash;
}

// --- threads
// -------------------------------------------------------------------------------------------------

// Chunk `number` is in the column that the camera sees first after number / SEEN steps. Points are the
// middles of cells, and neighbours share a row of them.
static double make_chunk(World *world, int number, float *heights) {
    EskerError error = { "" };
    EskerTile tile;
    memset(&tile, 0, sizeof tile);
    tile.cell = 1;
    tile.x = start_x + number / SEEN * CHUNK - 0.5;
    tile.y = start_y + number % SEEN * CHUNK + 0.5;
    tile.width = tile.height = POINTS;
    tile.altitude.cells = heights;
    const double begun = milliseconds();
    if (esker_ground_tile(world->ground, &tile, NULL, &error) != ESKER_OK)
        fail(&error);
    return milliseconds() - begun;
}

static void *work(void *context) {
    World *world = (World *)context;
    static _Thread_local float heights[POINTS * POINTS];
    pthread_mutex_lock(&world->mutex);
    while (!world->over) {
        if (world->taken == world->wanted) {
            pthread_cond_wait(&world->changed, &world->mutex);
            continue;
        }
        const int number = world->taken++;
        pthread_mutex_unlock(&world->mutex);
        const double latency = make_chunk(world, number, heights);
        pthread_mutex_lock(&world->mutex);
        world->latencies[number] = latency;
        world->hash += hash_of(heights, number);
        world->done++;
        pthread_cond_broadcast(&world->changed);
    }
    pthread_mutex_unlock(&world->mutex);
    return NULL;
}

// Computes the land where the camera goes, when no chunk is asked for: a tile without layers, `ahead`.
static void *look_ahead(void *context) {
    World *world = (World *)context;
    int looked = 0;
    pthread_mutex_lock(&world->mutex);
    while (!world->over) {
        if (world->walked < looked) {
            pthread_cond_wait(&world->changed, &world->mutex);
            continue;
        }
        EskerError error = { "" };
        EskerTile tile;
        memset(&tile, 0, sizeof tile);
        tile.cell = 1;
        tile.x = start_x + (looked + SEEN) * CHUNK;
        tile.y = start_y + (SEEN - 1) * CHUNK;
        tile.width = AHEAD * CHUNK;
        tile.height = SEEN * CHUNK;
        tile.ahead = true;
        looked += AHEAD;
        pthread_mutex_unlock(&world->mutex);
        if (esker_ground_tile(world->ground, &tile, NULL, &error) != ESKER_OK)
            fail(&error);
        pthread_mutex_lock(&world->mutex);
    }
    pthread_mutex_unlock(&world->mutex);
    return NULL;
}

// --- the camera
// ----------------------------------------------------------------------------------------------

// Walks a chunk to the east, and waits until what is seen from there is whole.
static void walk(World *world, int step) {
    pthread_mutex_lock(&world->mutex);
    world->walked = step;
    world->wanted = (step + SEEN) * SEEN;
    pthread_cond_broadcast(&world->changed);
    while (world->done < world->wanted)
        pthread_cond_wait(&world->changed, &world->mutex);
    pthread_mutex_unlock(&world->mutex);
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(World *world, double opened, double first, double all) {
    const int count = world->done;
    qsort(world->latencies, (size_t)count, sizeof *world->latencies, compare);
    printf("open %.0f ms, first view %.0f ms, %d chunks in %.0f ms\n", opened, first, count, all);
    printf("a chunk takes %.1f ms (median), %.1f ms (99 %%), %.1f ms (most)\n", world->latencies[count / 2],
           world->latencies[count * 99 / 100], world->latencies[count - 1]);
    printf("memory %.0f MB\n", (double)esker_memory_in_use() * 1e-6);
    printf("hash %016llx\n", world->hash);
}

int main(int count, char **words) {
    const int threads = count > 1 ? atoi(words[1]) : 2, steps = count > 2 ? atoi(words[2]) : 50;
    if (threads < 1 || threads > THREADS_MAX || steps < 1 || steps > 1000) {
        fprintf(stderr, "usage: walk [THREADS [STEPS]]: 1 to %d, 1 to 1000\n", THREADS_MAX);
        return EXIT_FAILURE;
    }
    EskerError error = { "" };
    EskerValue *map = NULL;
    const EskerArgument arguments[] = { esker_number("seed", 2), esker_number("side", side) };
    World world;
    memset(&world, 0, sizeof world);
    const double begun = milliseconds();
    if (esker_run("river_map", arguments, 2, NULL, &map, 1, &error) != ESKER_OK)
        fail(&error);
    world.ground = esker_ground_open(map, 0, &error);
    world.latencies = (double *)malloc(sizeof(double) * (size_t)(steps + SEEN) * SEEN);
    if (!world.ground || !world.latencies)
        fail(&error);
    const double opened = milliseconds();
    pthread_mutex_init(&world.mutex, NULL);
    pthread_cond_init(&world.changed, NULL);
    pthread_t workers[THREADS_MAX], ahead;
    for (int i = 0; i < threads; i++)
        pthread_create(&workers[i], NULL, work, &world);
    pthread_create(&ahead, NULL, look_ahead, &world);
    walk(&world, 0);
    const double seen = milliseconds();
    const struct timespec pause = { 0, 20 * 1000 * 1000 }; // an engine draws meanwhile
    for (int step = 1; step < steps; step++) {
        nanosleep(&pause, NULL);
        walk(&world, step);
    }
    report(&world, opened - begun, seen - opened, milliseconds() - seen);
    pthread_mutex_lock(&world.mutex);
    world.over = true;
    pthread_cond_broadcast(&world.changed);
    pthread_mutex_unlock(&world.mutex);
    for (int i = 0; i < threads; i++)
        pthread_join(workers[i], NULL);
    pthread_join(ahead, NULL);
    esker_ground_close(world.ground);
    esker_free(map);
    free(world.latencies);
    printf("memory after closing %.0f MB\n", (double)esker_memory_in_use() * 1e-6);
    return EXIT_SUCCESS;
}
