// A walk over endless land, as an engine does it: chunks of 80 × 80 m around a camera, computed by several
// threads, and the land ahead by one more. Or a flight, over tiles of 256 × 256 cells of 30 m, or a race,
// which is a flight as fast as it goes.
//
//     cc walk.c $(pkg-config --cflags --libs esker) -pthread -o walk && ./walk 2 50 && ./walk 2 50 flight
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

enum { CHUNK_MAX = 256, POINTS_MAX = CHUNK_MAX + 1, THREADS_MAX = 64 };

typedef struct Trip {
    double side, cell, x, y; // metres: of the map, of a cell, where the camera begins
    int chunk, seen, ahead;  // cells along a chunk; chunks that are seen across, and that are made ahead
    int pause;               // milliseconds from chunk to chunk
} Trip;

static const Trip on_foot = { 200000, 1, 84000, 86000, 80, 5, 6, 100 },
                  by_air = { 3000000, 30, 900000, 1710000, 256, 2, 2, 500 },
                  in_haste = { 3000000, 30, 900000, 1710000, 256, 2, 2, 0 };
static const double orbital_velocity = 7800; // metres a second

typedef struct World {
    EskerValue *map;
    EskerGround *ground;
    Trip trip;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int walked, wanted, taken, done; // chunks: of the camera's way, and in all
    bool over;
    double *latencies; // of all chunks, in milliseconds
    double *computing; // the same in processor time of the calling thread
    double first;      // when the first chunk was there
    unsigned long long hash;
} World;

static double milliseconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static double milliseconds(void) {
    return milliseconds_of(CLOCK_MONOTONIC);
}

static void fail(const EskerError *error) {
    fprintf(stderr, "%s\n", error->text);
    exit(EXIT_FAILURE);
}

// The same for any order of chunks.
static unsigned long long hash_of(const float *heights, int count, int number) {
    unsigned long long hash = 1469598103934665603ULL + (unsigned long long)number;
    for (int i = 0; i < count; i++) {
        unsigned bits;
        memcpy(&bits, &heights[i], sizeof bits);
        hash = (hash ^ bits) * 1099511628211ULL;
    }
    return hash;
}

// --- threads -----------------------------------------------------------------------------------------------

// Chunk `number` is in the column that the camera sees first after number / seen steps. Points are the
// middles of cells, and neighbours share a row of them.
static void make_chunk(World *world, int number, float *heights) {
    const Trip *trip = &world->trip;
    const double length = trip->chunk * trip->cell;
    const int column = number / trip->seen, row = number % trip->seen;
    EskerError error = { "" };
    EskerTile tile;
    memset(&tile, 0, sizeof tile);
    tile.cell = trip->cell;
    tile.x = trip->x + column * length - trip->cell / 2;
    tile.y = trip->y + row * length + trip->cell / 2;
    tile.width = tile.height = trip->chunk + 1;
    tile.altitude.cells = heights;
    const double begun = milliseconds(), computed = milliseconds_of(CLOCK_THREAD_CPUTIME_ID);
    if (esker_ground_tile(world->ground, &tile, NULL, &error) != ESKER_OK)
        fail(&error);
    world->latencies[number] = milliseconds() - begun;
    world->computing[number] = milliseconds_of(CLOCK_THREAD_CPUTIME_ID) - computed;
}

static void *work(void *context) {
    World *world = (World *)context;
    const int points = world->trip.chunk + 1;
    static _Thread_local float heights[POINTS_MAX * POINTS_MAX];
    pthread_mutex_lock(&world->mutex);
    while (!world->over) {
        if (world->taken == world->wanted) {
            pthread_cond_wait(&world->changed, &world->mutex);
            continue;
        }
        const int number = world->taken++;
        pthread_mutex_unlock(&world->mutex);
        make_chunk(world, number, heights);
        const unsigned long long hash = hash_of(heights, points * points, number);
        pthread_mutex_lock(&world->mutex);
        world->hash += hash;
        world->first = world->done++ ? world->first : milliseconds();
        pthread_cond_broadcast(&world->changed);
    }
    pthread_mutex_unlock(&world->mutex);
    return NULL;
}

// Computes the land where the camera goes, when no chunk is asked for: a tile without layers, `ahead`. The
// next one begins while the camera still walks over the one before, for it takes as long as many chunks.
static void *look_ahead(void *context) {
    World *world = (World *)context;
    const Trip *trip = &world->trip;
    const double length = trip->chunk * trip->cell;
    int looked = 0;
    pthread_mutex_lock(&world->mutex);
    while (!world->over) {
        if (world->walked + trip->ahead < looked) {
            pthread_cond_wait(&world->changed, &world->mutex);
            continue;
        }
        EskerError error = { "" };
        EskerTile tile;
        memset(&tile, 0, sizeof tile);
        tile.cell = trip->cell;
        tile.x = trip->x + (looked + trip->seen) * length;
        tile.y = trip->y + (trip->seen - 1) * length;
        tile.width = trip->ahead * trip->chunk;
        tile.height = trip->seen * trip->chunk;
        tile.ahead = true;
        looked += trip->ahead;
        pthread_mutex_unlock(&world->mutex);
        if (esker_ground_tile(world->ground, &tile, NULL, &error) != ESKER_OK)
            fail(&error);
        pthread_mutex_lock(&world->mutex);
    }
    pthread_mutex_unlock(&world->mutex);
    return NULL;
}

// --- the camera --------------------------------------------------------------------------------------------

// Walks a chunk to the east, and waits until what is seen from there is whole.
static void walk(World *world, int step) {
    pthread_mutex_lock(&world->mutex);
    world->walked = step;
    world->wanted = (step + world->trip.seen) * world->trip.seen;
    pthread_cond_broadcast(&world->changed);
    while (world->done < world->wanted)
        pthread_cond_wait(&world->changed, &world->mutex);
    pthread_mutex_unlock(&world->mutex);
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double percentile(const double *sorted, int count, int percent) {
    return sorted[(count - 1) * percent / 100];
}

// The process's memory in megabytes; 0 where the system does not say.
static double resident(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*s %ld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return (double)pages * 4096e-6;
}

static void report(World *world, int steps, double all, double computed) {
    const Trip *trip = &world->trip;
    const int first = trip->seen * trip->seen, count = world->done - first;
    double *latencies = world->latencies + first, *computing = world->computing + first;
    qsort(latencies, (size_t)count, sizeof *latencies, compare);
    qsort(computing, (size_t)count, sizeof *computing, compare);
    printf("%d more chunks in %.0f ms, %.1f ms of processor time each, with the land ahead\n", count, all,
           computed / count);
    printf("a chunk takes %.1f ms (median), %.1f ms (99 %%), %.1f ms (most)\n",
           percentile(latencies, count, 50), percentile(latencies, count, 99), latencies[count - 1]);
    printf("of that its caller computes %.1f ms (median), %.1f ms (99 %%), %.1f ms (most)\n",
           percentile(computing, count, 50), percentile(computing, count, 99), computing[count - 1]);
    const double way = (steps - 1) * trip->chunk * trip->cell;
    if (trip->cell > 1)
        printf("%.1f times orbital velocity for each processor, here %.1f\n",
               way / (computed * 1e-3) / orbital_velocity, way / (all * 1e-3) / orbital_velocity);
    printf("memory %.0f MB, of the process %.0f MB\n", (double)esker_memory_in_use() * 1e-6, resident());
    printf("hash %016llx\n", world->hash);
}

static void begin(World *world, const Trip *trip, int steps) {
    EskerError error = { "" };
    memset(world, 0, sizeof *world);
    world->trip = *trip;
    const size_t most = (size_t)(steps + trip->seen) * (size_t)trip->seen;
    world->latencies = (double *)calloc(most, sizeof(double));
    world->computing = (double *)calloc(most, sizeof(double));
    pthread_mutex_init(&world->mutex, NULL);
    pthread_cond_init(&world->changed, NULL);
    const EskerArgument arguments[] = { esker_number("seed", 2), esker_number("side", trip->side) };
    if (esker_run("river_map", arguments, 2, NULL, &world->map, 1, &error) != ESKER_OK)
        fail(&error);
    world->ground = esker_ground_open(world->map, 0, &error);
    if (!world->ground || !world->latencies || !world->computing)
        fail(&error);
}

int main(int count, char **words) {
    const int threads = count > 1 ? atoi(words[1]) : 2, steps = count > 2 ? atoi(words[2]) : 50;
    const bool flies = count > 3 && strcmp(words[3], "flight") == 0,
               races = count > 3 && strcmp(words[3], "race") == 0;
    if (threads < 1 || threads > THREADS_MAX || steps < 2 || steps > 250 || (count > 3 && !flies && !races)) {
        fprintf(stderr, "usage: walk [THREADS [STEPS [flight | race]]]: 1 to %d, 2 to 250\n", THREADS_MAX);
        return EXIT_FAILURE;
    }
    World world;
    const double begun = milliseconds();
    begin(&world, races ? &in_haste : flies ? &by_air : &on_foot, steps);
    const double opened = milliseconds();
    pthread_t workers[THREADS_MAX], ahead;
    for (int i = 0; i < threads; i++)
        pthread_create(&workers[i], NULL, work, &world);
    pthread_create(&ahead, NULL, look_ahead, &world);
    walk(&world, 0);
    const double seen = milliseconds(), computed = milliseconds_of(CLOCK_PROCESS_CPUTIME_ID);
    printf("open %.0f ms, first chunk %.0f ms later, first view %.0f ms later; %.0f ms of processor time\n",
           opened - begun, world.first - opened, seen - opened, computed);
    const struct timespec pause = { 0, world.trip.pause * 1000000L }; // an engine draws meanwhile
    for (int step = 1; step < steps; step++) {
        nanosleep(&pause, NULL);
        walk(&world, step);
    }
    report(&world, steps, milliseconds() - seen, milliseconds_of(CLOCK_PROCESS_CPUTIME_ID) - computed);
    pthread_mutex_lock(&world.mutex);
    world.over = true;
    pthread_cond_broadcast(&world.changed);
    pthread_mutex_unlock(&world.mutex);
    for (int i = 0; i < threads; i++)
        pthread_join(workers[i], NULL);
    pthread_join(ahead, NULL);
    esker_ground_close(world.ground);
    esker_free(world.map);
    free(world.latencies);
    free(world.computing);
    printf("memory after closing %.0f MB, of the process %.0f MB\n", (double)esker_memory_in_use() * 1e-6,
           resident());
    return EXIT_SUCCESS;
}
