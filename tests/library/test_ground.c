// The ground of a map for engines: the bytes of render, callers at once, rings without cracks, errors.

#include "esker.h"
#include "support.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIDE = 40, LAYERS = 4 };

#define MAP_SIDE 131072.0 // metres

// Whether sanitizers leave a test to the long run: it measures, or takes long and runs what others do.
static bool is_left_out(void) {
    return UNDER_SANITIZERS && times_as_many() < 4;
}

static EskerValue *make_map(double side, double lakes) {
    EskerError error = { "" };
    EskerValue *map = NULL;
    const EskerArgument arguments[] = { esker_number("seed", 5), esker_number("side", side),
                                        esker_number("lakes", lakes) };
    if (esker_run("river_map", arguments, 3, NULL, &map, 1, &error) != ESKER_OK)
        fail_msg("%s", error.text);
    return map;
}

static EskerGround *open_ground(const EskerValue *map) {
    EskerError error = { "" };
    EskerGround *ground = esker_ground_open(map, 0, &error);
    if (!ground)
        fail_msg("%s", error.text);
    return ground;
}

typedef struct Cells {
    float of[LAYERS][SIDE * SIDE];
} Cells;

static EskerTile tile_of(Cells *cells, double x, double y, double cell) {
    return (EskerTile){ .x = x,
                        .y = y,
                        .cell = cell,
                        .width = SIDE,
                        .height = SIDE,
                        .altitude = { cells->of[0], 0, 0 },
                        .river = { cells->of[1], 0, 0 },
                        .flow = { cells->of[2], 0, 0 },
                        .water = { cells->of[3], 0, 0 } };
}

static void get(EskerGround *ground, const EskerTile *tile) {
    EskerError error = { "" };
    if (esker_ground_tile(ground, tile, NULL, &error) != ESKER_OK)
        fail_msg("%s", error.text);
}

// --- what render gives -------------------------------------------------------------------------------------

static void equals_render(const EskerValue *map, EskerGround *ground, double side, double x, double y,
                          double cell) {
    static Cells cells;
    EskerError error = { "" };
    EskerValue *drawn[LAYERS] = { NULL };
    const EskerTile tile = tile_of(&cells, x, y, cell);
    get(ground, &tile);
    const EskerArgument window[] = { esker_value("map", map), esker_number("x", (x + SIDE * cell / 2) / side),
                                     esker_number("y", (side - y + SIDE * cell / 2) / side),
                                     esker_number("zoom", side / (SIDE * cell)), esker_number("size", SIDE) };
    if (esker_run("render", window, 5, NULL, drawn, LAYERS, &error) != ESKER_OK)
        fail_msg("%s", error.text);
    for (int i = 0; i < LAYERS; i++) {
        const float *expected = esker_field_cells(drawn[i]);
        for (int k = 0; k < SIDE * SIDE; k++)
            if (expected ? cells.of[i][k] != expected[k] : cells.of[i][k] != 0)
                fail_msg("layer %d at %g, %g, cells of %g: cell %d is %.9g, not %.9g", i, x, y, cell, k,
                         (double)cells.of[i][k], expected ? (double)expected[k] : 0);
        esker_free(drawn[i]);
    }
}

static void tiles_have_the_bytes_of_render(void **state) {
    (void)state;
    if (is_left_out())
        return;
    static const double places[][3] = {
        { 0, 1, 1024 },     { 0, 1, 512 },        { 0.25, 0.75, 128 }, { 0.5, 0.5, 64 },
        { 0.37, 0.61, 16 }, { 0.371, 0.61, 2.5 }, { 0.42, 0.57, 1 },   { 0.42, 0.57, 0.1 },
    };
    static const double sides[] = { MAP_SIDE, 200000 };
    for (int k = 0; k < (UNDER_SANITIZERS ? 1 : 2); k++) {
        EskerValue *map = make_map(sides[k], k ? 0 : 0.02);
        EskerGround *ground = open_ground(map);
        for (size_t i = 0; i < sizeof places / sizeof *places; i += UNDER_SANITIZERS ? 3 : (size_t)k + 1) {
            const double cell = places[i][2];
            equals_render(map, ground, sides[k], floor(places[i][0] * sides[k] / cell) * cell,
                          sides[k] - floor((1 - places[i][1]) * sides[k] / cell) * cell, cell);
        }
        esker_ground_close(ground);
        esker_free(map);
    }
}

static void borders_and_strides(void **state) {
    (void)state;
    enum { BORDER = 3, INNER = SIDE - 2 * BORDER, SPREAD = 5 };
    static Cells plain;
    static float spread[SIDE * SIDE * SPREAD];
    EskerValue *map = make_map(MAP_SIDE, 0);
    EskerGround *ground = open_ground(map);
    EskerTile tile = tile_of(&plain, 64 * 300, 64 * 900, 64);
    get(ground, &tile);
    tile.x += BORDER * tile.cell;
    tile.y -= BORDER * tile.cell;
    tile.width = tile.height = INNER;
    tile.border = BORDER;
    // The southernmost row first, each cell with others beside it.
    const ptrdiff_t step = SPREAD * (ptrdiff_t)sizeof(float);
    for (int i = 0; i < SIDE * SIDE * SPREAD; i++)
        spread[i] = -77;
    tile.altitude = (EskerLayer){ spread + (SIDE - 1) * SIDE * SPREAD, step, -SIDE * step };
    tile.river.cells = tile.flow.cells = tile.water.cells = NULL;
    get(ground, &tile);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const float *at = spread + ((SIDE - 1 - y) * SIDE + x) * SPREAD;
            assert_true(at[0] == plain.of[0][y * SIDE + x]);
            assert_true(at[1] == -77 && at[4] == -77);
        }
    // Column by column, as some engines have them.
    tile.altitude = (EskerLayer){ spread, SIDE * (ptrdiff_t)sizeof(float), sizeof(float) };
    get(ground, &tile);
    for (int i = 0; i < SIDE * SIDE; i++)
        assert_true(spread[i % SIDE * SIDE + i / SIDE] == plain.of[0][i]);
    // At the map's corner the border has the numbers of the nearest cells.
    tile = tile_of(&plain, 0, MAP_SIDE, 512);
    tile.width = tile.height = INNER;
    tile.border = BORDER;
    get(ground, &tile);
    const float *corner = plain.of[0] + BORDER * SIDE + BORDER;
    assert_true(plain.of[0][0] == corner[0] && plain.of[0][BORDER * SIDE] == corner[0]);
    assert_true(plain.of[0][SIDE * 9 + 1] == plain.of[0][SIDE * 9 + BORDER]);
    assert_true(plain.of[0][9] != plain.of[0][SIDE * (BORDER + 6) + 9]);
    esker_ground_close(ground);
    esker_free(map);
}

// --- the water's surface -----------------------------------------------------------------------------------

enum { WIDE = 128, REST = WIDE / 2 };

typedef struct Waters {
    float altitude[WIDE * WIDE], river[WIDE * WIDE], water[WIDE * WIDE], level[WIDE * WIDE];
} Waters;

static Waters waters;

// A tile around a place, with all that tells of water.
static EskerTile get_waters(EskerGround *ground, double x, double y, double cell) {
    const EskerTile tile = { .x = floor(x / cell - WIDE / 2.0) * cell,
                             .y = floor(y / cell + WIDE / 2.0) * cell,
                             .cell = cell,
                             .width = WIDE,
                             .height = WIDE,
                             .altitude = { waters.altitude, 0, 0 },
                             .river = { waters.river, 0, 0 },
                             .water = { waters.water, 0, 0 },
                             .level = { waters.level, 0, 0 } };
    get(ground, &tile);
    return tile;
}

enum { RIVER, COAST, LAKE };

// Moves a place to where the last tile has such water: the widest river, or the first of others.
static bool find_water(const EskerTile *tile, int kind, double *x, double *y) {
    int best = -1;
    for (int i = WIDE * WIDE / 4; i < WIDE * WIDE - 1; i++) {
        const bool dry = waters.altitude[i] > 3 && waters.water[i] == 0;
        const bool is = kind == RIVER   ? dry && (best < 0 || waters.river[i] > waters.river[best])
                        : kind == COAST ? best < 0 && waters.altitude[i] < 0 && waters.altitude[i + 1] > 0
                                        : best < 0 && waters.water[i] > 0;
        best = is ? i : best;
    }
    const int column = best % WIDE, row = best / WIDE;
    *x = tile->x + (column + 0.5) * tile->cell;
    *y = tile->y - (row + 0.5) * tile->cell;
    return best >= 0;
}

typedef struct Counts {
    int covered, lakes, seas, leaks;
} Counts;

static void count_waters(double cell, Counts *counts) {
    const float *altitude = waters.altitude, *river = waters.river, *water = waters.water;
    for (int i = WIDE; i < WIDE * (WIDE - 1); i++) {
        const float up = waters.level[i] - altitude[i];
        assert_true(up >= 0);
        counts->seas += altitude[i] < 0;
        counts->lakes += water[i] > 0;
        if (altitude[i] < 0 && river[i] < 0.5f)
            assert_true(waters.level[i] == 0);
        else if (water[i] > 0 || river[i] == 0)
            assert_true(up == 0);
        if (water[i] > 0 || river[i] < 1 || up == 0)
            continue;
        counts->covered++;
        assert_true((double)up < 0.2 * (double)river[i] * cell);
        const int beside[] = { i - 1, i + 1, i - WIDE, i + WIDE };
        for (int k = 0; k < 4; k++) {
            const bool bank = river[beside[k]] < 0.5f && altitude[beside[k]] >= 0;
            counts->leaks += bank && altitude[beside[k]] < waters.level[i] - 0.05f;
        }
    }
}

// Water is level with dry ground where there is none; on rivers it is above their bed, and not above the land
// beside it; 0 in the sea. A part of a tile without other layers has the same bytes.
static void water_stands_between_its_banks(void **state) {
    (void)state;
    if (is_left_out())
        return;
    static float part[REST * REST];
    EskerValue *map = make_map(MAP_SIDE, 0.02);
    EskerGround *ground = open_ground(map);
    Counts counts = { 0 };
    for (int kind = RIVER; kind <= LAKE; kind++) {
        double x = MAP_SIDE / 2, y = MAP_SIDE / 2;
        EskerTile tile = get_waters(ground, x, y, MAP_SIDE / WIDE);
        for (double cell = 16; cell >= 1; cell /= 4) {
            assert_true(find_water(&tile, kind, &x, &y));
            tile = get_waters(ground, x, y, cell);
        }
        count_waters(tile.cell, &counts);
        get(ground, &(EskerTile){ .x = tile.x + 37 * tile.cell,
                                  .y = tile.y - 41 * tile.cell,
                                  .cell = tile.cell,
                                  .width = REST,
                                  .height = REST,
                                  .level = { part, 0, 0 } });
        for (int row = 0; row < REST; row++)
            assert_memory_equal(part + row * REST, waters.level + (row + 41) * WIDE + 37,
                                REST * sizeof(float));
    }
    assert_true(counts.covered > 100 && counts.seas > 100 && counts.lakes > 100);
    assert_true(counts.leaks * 100 < counts.covered);
    esker_ground_close(ground);
    esker_free(map);
}

// --- callers at once ---------------------------------------------------------------------------------------

enum { TILES = 14, ROW = 5 };

typedef struct Crowd {
    EskerGround *ground;
    int seed;
    atomic_int next;
    Cells *cells;
    atomic_int failed; // calls; cmocka may not end a test from other threads than its own
} Crowd;

// The tiles in an order of the crowd's own.
static void *ask(void *context) {
    Crowd *crowd = context;
    for (int taken; (taken = atomic_fetch_add(&crowd->next, 1)) < TILES;) {
        const int i = (taken * (1 + 2 * crowd->seed) + crowd->seed) % TILES, row = i / ROW;
        const EskerTile tile =
            tile_of(&crowd->cells[i], 40000 + i % ROW * SIDE * 8, 70000 - row * SIDE * 8, 8);
        EskerError error = { "" };
        if (esker_ground_tile(crowd->ground, &tile, NULL, &error) != ESKER_OK) {
            fprintf(stderr, "tile %d: %s\n", i, error.text);
            atomic_fetch_add(&crowd->failed, 1);
        }
    }
    return NULL;
}

static void any_number_of_callers_gets_the_same_bytes(void **state) {
    (void)state;
    if (is_left_out())
        return;
    static const int callers[] = { 1, 2, 4, 8 };
    static const int seeds[] = { 0, 1, 2, 4 };
    static Cells expected[TILES], cells[TILES];
    for (int k = 0; k < 4; k += times_as_many() < 4 ? 3 : 1) {
        EskerValue *map = make_map(MAP_SIDE, 0.02);
        Crowd crowd = { .ground = open_ground(map), .seed = seeds[k], .cells = k ? cells : expected };
        pthread_t threads[8];
        for (int i = 0; i < callers[k]; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, ask, &crowd), 0);
        for (int i = 0; i < callers[k]; i++)
            pthread_join(threads[i], NULL);
        assert_int_equal(crowd.failed, 0);
        if (k)
            assert_memory_equal(cells, expected, sizeof cells);
        memset(cells, 0, sizeof cells);
        esker_ground_close(crowd.ground);
        esker_free(map);
    }
}

// A tile of points is wider than the cells for which a game asks ahead. Squares of 64 cells are kept, so it
// shows in one of eight places at the latest.
static void land_ahead_suffices_for_points(void **state) {
    (void)state;
    static Cells cells;
    EskerValue *map = make_map(MAP_SIDE, 0);
    EskerGround *ground = open_ground(map);
    for (int i = 0; i < (UNDER_SANITIZERS ? 1 : 8); i++) {
        EskerTile tile = tile_of(&cells, 64 * (640 + 73 * i), 64 * (1200 - 8 * i), 64);
        EskerTile ahead = tile;
        ahead.width = ahead.height = SIDE - 1;
        ahead.ahead = true;
        for (EskerLayer *layer = &ahead.altitude; layer <= &ahead.level; layer++)
            layer->cells = NULL;
        get(ground, &ahead);
        const size_t before = esker_memory_in_use();
        tile.x -= 32;
        tile.y += 32;
        get(ground, &tile);
        assert_int_equal(esker_memory_in_use(), before);
    }
    esker_ground_close(ground);
    esker_free(map);
}

// --- rings -------------------------------------------------------------------------------------------------

enum { POINTS = 33, RINGS = 5 };

static float point_of(const EskerTile *tile, int x, int y) {
    return tile->altitude.cells[y * POINTS + x];
}

static void rings_fit_without_cracks(void **state) {
    (void)state;
    if (is_left_out())
        return;
    static float cells[RINGS][POINTS * POINTS], plain[POINTS * POINTS];
    EskerError error = { "" };
    EskerValue *map = make_map(MAP_SIDE, 0);
    EskerGround *ground = open_ground(map);
    EskerTile tiles[RINGS] = { { .cell = 4, .width = POINTS } };
    for (int i = 0; i < RINGS; i++)
        tiles[i].altitude.cells = cells[i];
    for (int step = 0; step < (times_as_many() < 4 ? 1 : 3); step++) {
        const double x = 60001 + step * 9, y = 50003 - step * 17;
        if (esker_ground_ring(ground, x, y, tiles, RINGS, NULL, &error) != ESKER_OK)
            fail_msg("%s", error.text);
        for (int i = 0; i + 1 < RINGS; i++) {
            const EskerTile *fine = &tiles[i], *coarse = &tiles[i + 1];
            assert_true(coarse->cell == 2 * fine->cell &&
                        fabs(fine->x + fine->cell * POINTS / 2 - x) < 3 * fine->cell);
            const int left = (int)((fine->x + fine->cell / 2 - coarse->x - coarse->cell / 2) / coarse->cell),
                      top = (int)((coarse->y - coarse->cell / 2 - fine->y + fine->cell / 2) / coarse->cell);
            for (int k = 0; k < POINTS; k += 2) {
                assert_true(point_of(fine, k, 0) == point_of(coarse, left + k / 2, top));
                assert_true(point_of(fine, 0, k) == point_of(coarse, left, top + k / 2));
                assert_true(point_of(fine, POINTS - 1, k) ==
                            point_of(coarse, left + POINTS / 2, top + k / 2));
                assert_true(point_of(fine, k, POINTS - 1) ==
                            point_of(coarse, left + k / 2, top + POINTS / 2));
            }
            for (int k = 1; k < POINTS; k += 2)
                assert_true(point_of(fine, k, 0) ==
                            0.5f * (point_of(fine, k - 1, 0) + point_of(fine, k + 1, 0)));
            EskerTile alone = *fine;
            alone.altitude.cells = plain;
            get(ground, &alone);
            for (int row = 1; row < POINTS - 1; row++)
                assert_memory_equal(plain + row * POINTS + 1, cells[i] + row * POINTS + 1,
                                    (POINTS - 2) * sizeof(float));
        }
    }
    // What stands where it should is left alone.
    const double x = tiles[0].x + tiles[0].cell * 17, y = tiles[0].y - tiles[0].cell * 16;
    cells[0][40] = -9;
    cells[3][40] = -9;
    tiles[3].x = 0;
    assert_int_equal(esker_ground_ring(ground, x, y, tiles, RINGS, NULL, &error), ESKER_OK);
    assert_true(cells[0][40] == -9 && cells[3][40] != -9);
    // At the map's corner, and in two halves: the land first.
    EskerTile ahead[RINGS] = { { .cell = 1024, .width = POINTS, .ahead = true } };
    assert_int_equal(esker_ground_ring(ground, 0, 0, ahead, RINGS, NULL, &error), ESKER_OK);
    assert_true(ahead[1].cell == 2048 && ahead[1].width == POINTS);
    esker_ground_close(ground);
    esker_free(map);
}

// --- places ------------------------------------------------------------------------------------------------

static void places_have_the_slope_of_tiles(void **state) {
    (void)state;
    if (is_left_out())
        return;
    static Cells cells;
    EskerError error = { "" };
    EskerValue *map = make_map(MAP_SIDE, 0);
    EskerGround *ground = open_ground(map);
    const EskerTile tile = tile_of(&cells, 50000, 50000, 16);
    get(ground, &tile);
    for (int i = 1; i < SIDE - 1; i += 7) {
        EskerSpot spot;
        const double x = 50000 + (i + 0.5) * 16, y = 50000 - (i + 0.5) * 16;
        assert_int_equal(esker_ground_at(ground, x, y, 16, NULL, &spot, &error), ESKER_OK);
        const float *at = &cells.of[0][i * SIDE + i];
        assert_true(spot.altitude == (double)*at);
        assert_true(spot.drained == (double)cells.of[2][i * SIDE + i] * 256);
        const double east = (double)at[1 - SIDE] + 2 * (double)at[1] + (double)at[1 + SIDE],
                     west = (double)at[-1 - SIDE] + 2 * (double)at[-1] + (double)at[-1 + SIDE],
                     north = (double)at[-1 - SIDE] + 2 * (double)at[-SIDE] + (double)at[1 - SIDE],
                     south = (double)at[-1 + SIDE] + 2 * (double)at[SIDE] + (double)at[1 + SIDE];
        assert_true(fabs(-spot.down_x * spot.slope - (east - west) / 128) < 1e-9);
        assert_true(fabs(-spot.down_y * spot.slope - (north - south) / 128) < 1e-9);
        const double length = spot.down_x * spot.down_x + spot.down_y * spot.down_y;
        assert_true(spot.slope == 0 ? length == 0 : fabs(length - 1) < 1e-9);
    }
    EskerSpot spot;
    assert_int_equal(esker_ground_at(ground, 0, MAP_SIDE, 16, NULL, &spot, &error), ESKER_OK);
    esker_ground_close(ground);
    esker_free(map);
}

// --- stopping, memory, errors ------------------------------------------------------------------------------

typedef struct Stopped {
    EskerGround *ground;
    EskerTask *task;
    EskerStatus status;
} Stopped;

// Deep land takes a second under sanitizers.
#define FLIGHT_CELL (UNDER_SANITIZERS ? 16.0 : 1.0)

static void *fly(void *context) {
    Stopped *stopped = context;
    static _Thread_local Cells cells;
    for (int i = 0; i < 2000 && stopped->status == ESKER_OK; i++) {
        const int row = i / 50;
        const EskerTile tile = tile_of(&cells, i % 50 * 400, 90000 - row * 400, FLIGHT_CELL);
        stopped->status = esker_ground_tile(stopped->ground, &tile, stopped->task, NULL);
    }
    return NULL;
}

static void stopped_calls_leave_nothing(void **state) {
    (void)state;
    static Cells cells, same;
    EskerError error = { "" };
    EskerValue *map = make_map(MAP_SIDE, 0);
    EskerGround *ground = open_ground(map);
    Stopped stopped = { ground, esker_task_new(NULL), ESKER_OK };
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, fly, &stopped), 0);
    nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
    esker_task_stop(stopped.task, true);
    pthread_join(thread, NULL);
    assert_int_equal(stopped.status, ESKER_STOPPED);
    const EskerTile tile = tile_of(&cells, 400, 90000, FLIGHT_CELL);
    memset(&cells, 7, sizeof cells);
    memset(&same, 7, sizeof same);
    assert_int_equal(esker_ground_tile(ground, &tile, stopped.task, &error), ESKER_STOPPED);
    assert_string_equal(error.text, "stopped");
    assert_memory_equal(&cells, &same, sizeof cells);
    get(ground, &tile); // nobody waits for what was stopped
    esker_task_free(stopped.task);
    esker_ground_close(ground);
    esker_free(map);
    assert_int_equal(esker_memory_in_use(), 0);
}

static void memory_stays_below_the_limit(void **state) {
    (void)state;
    if (is_left_out())
        return;
    enum { LARGE = 192, COUNT = 5 };
    static float cells[LARGE * LARGE];
    const size_t limit = (size_t)128 << 20;
    EskerValue *map = make_map(3000e3, 0);
    EskerGround *ground = esker_ground_open(map, limit, NULL);
    memory_reset_peak();
    for (int i = 0; i < COUNT; i++)
        get(ground, &(EskerTile){ .x = 1200e3 + i * 20e3,
                                  .y = 1300e3 + i % 3 * 30e3,
                                  .cell = 30,
                                  .width = LARGE,
                                  .height = LARGE,
                                  .altitude = { cells, 0, 0 } });
    assert_true(memory_peak() < limit);
    assert_true(esker_memory_in_use() > limit / 4);
    esker_ground_close(ground);
    assert_true(esker_memory_in_use() < limit / 32); // the map's first level
    esker_free(map);
    assert_int_equal(esker_memory_in_use(), 0);
}

// --- planets -----------------------------------------------------------------------------------------------

#define RADIUS 1e6

static EskerValue *make_planet(void) {
    EskerError error = { "" };
    EskerValue *map = NULL;
    const EskerArgument arguments[] = { esker_text("tiling", "sphere"), esker_number("seed", 5),
                                        esker_number("radius", RADIUS) };
    if (esker_run("river_map", arguments, 3, NULL, &map, 1, &error) != ESKER_OK)
        fail_msg("%s", error.text);
    return map;
}

// One for both tests: its first level takes a second.
static EskerValue *planet;
static EskerGround *planet_ground;

static int open_planet(void **state) {
    (void)state;
    if (!is_left_out()) {
        planet = make_planet();
        planet_ground = open_ground(planet);
    }
    return 0;
}

static int close_planet(void **state) {
    (void)state;
    esker_ground_close(planet_ground);
    esker_free(planet);
    return 0;
}

static void faces_have_the_bytes_of_render(void **state) {
    (void)state;
    if (is_left_out())
        return;
    static const char *const faces[] = { "front", "right", "back", "left", "top", "bottom" };
    static Cells cells;
    EskerError error = { "" };
    EskerGround *ground = planet_ground;
    const double cell = 2 * RADIUS / 4096;
    for (int face = 0; face < 6; face += times_as_many() < 4 ? 4 : 2) {
        EskerValue *drawn[LAYERS] = { NULL };
        const double x = (1000 + 300 * face) * cell, y = 3000 * cell;
        const EskerTile tile = tile_of(&cells, face * 2 * RADIUS + x, y, cell);
        get(ground, &tile);
        const EskerArgument window[] = { esker_value("map", planet),
                                         esker_text("projection", "cube"),
                                         esker_text("face", faces[face]),
                                         esker_number("x", (1000 + 300 * face + SIDE / 2.0) / 4096),
                                         esker_number("y", (1096 + SIDE / 2.0) / 4096),
                                         esker_number("zoom", 4096.0 / SIDE),
                                         esker_number("size", SIDE) };
        if (esker_run("render", window, 7, NULL, drawn, LAYERS, &error) != ESKER_OK)
            fail_msg("%s", error.text);
        for (int i = 0; i < 3; i++) {
            assert_memory_equal(cells.of[i], esker_field_cells(drawn[i]), sizeof cells.of[i]);
            esker_free(drawn[i]);
        }
        esker_free(drawn[3]);
    }
}

// The right edge of a face and the left edge of the next one: points on it, and those beyond it that a border
// shows. The same slope at a place whichever the face.
static void faces_meet(void **state) {
    (void)state;
    if (is_left_out())
        return;
    static Cells cells[2];
    EskerGround *ground = planet_ground;
    const double cell = 2 * RADIUS / 2048;
    double off = 0, range = 0;
    for (int k = 0; k < 2; k++) {
        EskerTile tile = tile_of(&cells[k], 2 * RADIUS - (k ? 0.5 : SIDE - 0.5) * cell, 1200.5 * cell, cell);
        get(ground, &tile);
    }
    for (int row = 0; row < SIDE; row++) {
        const double left = (double)cells[0].of[0][row * SIDE + SIDE - 1],
                     right = (double)cells[1].of[0][row * SIDE];
        off = fmax(off, fabs(left - right));
        range = fmax(range, fabs(right - (double)cells[1].of[0][0]));
    }
    if (!(range > 0.1 && off < range * 1e-3))
        fail_msg("%g m off in a range of %g m", off, range);
    EskerError error = { "" };
    EskerTile ring[3] = { { .cell = cell, .width = 33 } };
    static float heights[3][33 * 33];
    for (int i = 0; i < 3; i++)
        ring[i].altitude.cells = heights[i];
    assert_int_equal(esker_ground_ring(ground, 2 * RADIUS - cell, RADIUS, ring, 3, NULL, &error), ESKER_OK);
    EskerSpot spot;
    assert_int_equal(esker_ground_at(ground, 11 * RADIUS, RADIUS, cell, NULL, &spot, &error), ESKER_OK);
    EskerTile tile = tile_of(&cells[0], 2 * RADIUS - cell * SIDE + cell, RADIUS, cell);
    assert_int_equal(esker_ground_tile(ground, &tile, NULL, &error), ESKER_INVALID);
    assert_non_null(strstr(error.text, "the tile leaves the face: x must be"));
    assert_int_equal(esker_ground_at(ground, 12.1 * RADIUS, 0, cell, NULL, &spot, &error), ESKER_INVALID);
    assert_string_equal(error.text, "x must be 0 to 12000000, six sides of a face, got 12100000");
}

// --- closed grounds ----------------------------------------------------------------------------------------

static void closed_grounds_are_refused(void **state) {
    (void)state;
    static Cells cells;
    EskerError error = { "" };
    EskerSpot spot;
    EskerValue *map = make_map(MAP_SIDE, 0);
    EskerGround *ground = open_ground(map);
    const EskerTile tile = tile_of(&cells, 0, MAP_SIDE, 512);
    EskerTile ring[2] = { { .cell = 512, .width = 33 } };
    esker_free(map); // the ground has it
    get(ground, &tile);
    esker_ground_close(ground);
    assert_int_equal(esker_memory_in_use(), 0);
    assert_int_equal(esker_ground_tile(ground, &tile, NULL, &error), ESKER_INVALID);
    assert_string_equal(error.text, "the ground is not open: esker_ground_close has closed it");
    assert_int_equal(esker_ground_ring(ground, 9, 9, ring, 2, NULL, &error), ESKER_INVALID);
    assert_int_equal(esker_ground_at(ground, 9, 9, 1, NULL, &spot, &error), ESKER_INVALID);
    esker_ground_close(ground);
}

// Closing waits for the calls that compute; those that come later are refused.
static void closing_waits_for_calls(void **state) {
    (void)state;
    EskerValue *map = make_map(MAP_SIDE, 0);
    Stopped asking[2] = { { open_ground(map), NULL, ESKER_OK } };
    asking[1] = asking[0];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, fly, &asking[i]), 0);
    nanosleep(&(struct timespec){ .tv_nsec = 30000000 }, NULL);
    esker_ground_close(asking[0].ground);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(asking[i].status, ESKER_INVALID);
    }
    esker_free(map);
    assert_int_equal(esker_memory_in_use(), 0);
}

static void without_memory_there_is_an_error(void **state) {
    (void)state;
    if (is_left_out())
        return;
    static Cells cells;
    EskerValue *map = make_map(MAP_SIDE, 0);
    EskerGround *ground = open_ground(map);
    const EskerTile tile = tile_of(&cells, 4096, 8192, 64);
    EskerStatus status = ESKER_MEMORY;
    for (long successes = 0; status != ESKER_OK; successes += 1 + successes / (UNDER_SANITIZERS ? 2 : 8)) {
        EskerError error = { "" };
        memory_fail_after(successes);
        status = esker_ground_tile(ground, &tile, NULL, &error);
        memory_fail_after(-1);
        assert_true(status == ESKER_OK ||
                    (status == ESKER_MEMORY && strstr(error.text, "not enough memory")));
    }
    esker_ground_close(ground);
    esker_free(map);
    assert_int_equal(esker_memory_in_use(), 0);
}

static void refused(EskerGround *ground, EskerTile tile, const char *message) {
    EskerError error = { "" };
    assert_int_equal(esker_ground_tile(ground, &tile, NULL, &error), ESKER_INVALID);
    assert_int_equal(esker_ground_tile(ground, &tile, NULL, NULL), ESKER_INVALID);
    if (!strstr(error.text, message))
        fail_msg("'%s' is not in '%s'", message, error.text);
}

static void what_is_wrong_is_named(void **state) {
    (void)state;
    static Cells cells;
    EskerError error = { "" };
    EskerValue *map = make_map(MAP_SIDE, 0), *raw = NULL;
    EskerGround *ground = open_ground(map);
    const EskerTile good = tile_of(&cells, 0, MAP_SIDE, 64);
    EskerTile tile = good;
    tile.cell = 0;
    refused(ground, tile, "cell must be");
    tile.cell = NAN;
    refused(ground, tile, "cell must be");
    tile.cell = 1e-9;
    refused(ground, tile, "cell must be 1.9073486328125e-06 to 131072, the map's side, in metres, got");
    tile = good, tile.border = -1;
    refused(ground, tile, "border must be 0 to 1024, got -1");
    tile = good, tile.width = 0;
    refused(ground, tile, "width and height must be 1 to 65536, got 0 × 40");
    tile = good, tile.height = 65536, tile.border = 1;
    refused(ground, tile, "width and height must be 1 to 65534, got 40 × 65536");
    tile = good, tile.height = 2049;
    refused(ground, tile, "height must be at most 2048, the map's side in cells, got 2049");
    tile = good, tile.x = -64;
    refused(ground, tile, "the tile leaves the map: x must be 0 to 128512, got -64");
    tile = good, tile.y = 2000;
    refused(ground, tile, "the tile leaves the map: y must be 2560 to 131072, got 2000");
    tile = good, tile.x = INFINITY;
    refused(ground, tile, "x and y must be numbers, got inf and 131072");
    tile = good, tile.altitude.stride = 4;
    refused(ground, tile, "altitude: stride must be at least 160, the bytes of a row of 40 cells");
    tile = good, tile.border = 3, tile.river.stride = -40 * 4;
    refused(ground, tile,
            "river: stride must be at least 184, the bytes of a row of 46 cells with the border");
    tile = good, tile.flow.step = 8, tile.flow.stride = 40 * 4;
    refused(ground, tile, "flow: stride must be at least 316");
    tile = good, tile.water.step = 6;
    refused(ground, tile, "water: step and stride must be multiples of 4 bytes, got 6 and 0");
    tile = good, tile.level.stride = PTRDIFF_MIN;
    tile.level.cells = cells.of[0];
    refused(ground, tile,
            "level: step and stride must be at most 1099511627776 bytes, either way, got 0 and -92");
    refused(NULL, good, "the ground is missing: NULL");
    assert_int_equal(esker_ground_tile(ground, NULL, NULL, &error), ESKER_INVALID);
    assert_string_equal(error.text, "the tile is missing: NULL");

    EskerTile rings[3] = { { .cell = 1, .width = 33 } };
    assert_int_equal(esker_ground_ring(ground, 9, 9, NULL, 3, NULL, &error), ESKER_INVALID);
    assert_int_equal(esker_ground_ring(NULL, 9, 9, rings, 3, NULL, &error), ESKER_INVALID);
    assert_int_equal(esker_ground_ring(ground, 9, 9, rings, 21, NULL, &error), ESKER_INVALID);
    assert_string_equal(error.text, "count must be 1 to 20, got 21");
    assert_int_equal(esker_ground_ring(ground, -1, 9, rings, 3, NULL, &error), ESKER_INVALID);
    assert_string_equal(error.text, "x must be 0 to 131072, the map's side, got -1");
    rings[0].width = 32;
    assert_int_equal(esker_ground_ring(ground, 9, 9, rings, 3, NULL, &error), ESKER_INVALID);
    assert_string_equal(error.text, "width must be a multiple of 4 and one more, 9 to 4097, got 32");
    rings[0].width = 33, rings[0].cell = 32768;
    assert_int_equal(esker_ground_ring(ground, 9, 9, rings, 3, NULL, &error), ESKER_INVALID);
    assert_string_equal(
        error.text, "count must be at most 2 at this cell: beyond that, cells are larger than half the map");
    rings[0].cell = 8, rings[1].altitude.cells = cells.of[0];
    assert_int_equal(esker_ground_ring(ground, 9, 9, rings, 3, NULL, &error), ESKER_INVALID);
    assert_string_equal(error.text, "tiles: all must have altitudes, or none; tile 1 has some");
    rings[1].altitude.cells = NULL, rings[2].flow = (EskerLayer){ cells.of[0], 0, 128 };
    assert_int_equal(esker_ground_ring(ground, 9, 9, rings, 3, NULL, &error), ESKER_INVALID);
    assert_non_null(strstr(error.text, "flow: stride must be at least 132"));

    EskerSpot spot;
    assert_int_equal(esker_ground_at(ground, 9, NAN, 1, NULL, &spot, &error), ESKER_INVALID);
    assert_non_null(strstr(error.text, "y must be 0 to 131072"));
    assert_int_equal(esker_ground_at(ground, 9, 9, 1, NULL, NULL, &error), ESKER_INVALID);
    assert_int_equal(esker_ground_at(NULL, 9, 9, 1, NULL, &spot, &error), ESKER_INVALID);

    const EskerArgument bare[] = { esker_text("land", "raw") };
    assert_int_equal(esker_run("river_map", bare, 1, NULL, &raw, 1, &error), ESKER_OK);
    assert_null(esker_ground_open(raw, 0, &error));
    assert_string_equal(error.text, "map must have eroded land, got raw land, which has no metres");
    assert_null(esker_ground_open(NULL, 0, &error));
    assert_string_equal(error.text, "map must be a map, as river_map makes it, got NULL");
    assert_null(esker_ground_open(map, 1000, &error));
    assert_string_equal(error.text, "memory must be at least 134217728 bytes, or 0, got 1000");
    esker_ground_close(NULL);
    esker_free(raw);
    esker_ground_close(ground);
    esker_free(map);
}

static void a_forked_process_is_told_to_open_its_own(void **state) {
    (void)state;
    static Cells cells;
    EskerValue *map = make_map(MAP_SIDE, 0);
    EskerGround *ground = open_ground(map);
    const pid_t child = fork();
    if (child == 0) {
        EskerError error = { "" };
        const EskerTile tile = tile_of(&cells, 0, MAP_SIDE, 512);
        const EskerStatus status = esker_ground_tile(ground, &tile, NULL, &error);
        esker_ground_close(ground); // which does nothing
        _exit(status == ESKER_INVALID && strstr(error.text, "another process") ? 0 : 1);
    }
    int status = 1;
    assert_true(waitpid(child, &status, 0) == child && status == 0);
    esker_ground_close(ground);
    esker_free(map);
}

// A file of a map, which an edit has changed, opens as that map does.
static void a_map_of_a_file_has_the_same_ground(void **state) {
    (void)state;
    static const char path[] = "/tmp/esker-test-ground.json";
    EskerError error = { "" };
    EskerValue *map = make_map(MAP_SIDE, 0), *edited = NULL, *loaded = NULL;
    const double place[] = { 0.5, 0.5 };
    const EskerArgument hill[] = { { "map", ESKER_MAP, 0, NULL, NULL, 0, map },
                                   { "along", ESKER_NUMBERS, 0, NULL, place, 2, NULL },
                                   esker_number("width", 4000),
                                   esker_number("height", 500) };
    assert_int_equal(esker_run("raise", hill, 4, NULL, &edited, 1, &error), ESKER_OK);
    const EskerArgument save[] = { { "map", ESKER_MAP, 0, NULL, NULL, 0, edited }, esker_text("path", path) };
    assert_int_equal(esker_run("save_map", save, 2, NULL, NULL, 0, &error), ESKER_OK);
    assert_int_equal(esker_run("load_map", save + 1, 1, NULL, &loaded, 1, &error), ESKER_OK);
    remove(path);
    static Cells cells[3];
    const EskerValue *maps[] = { map, edited, loaded };
    for (int i = 0; i < 3; i++) {
        EskerGround *ground = open_ground(maps[i]);
        const EskerTile tile = tile_of(&cells[i], MAP_SIDE / 2 - 2560, MAP_SIDE / 2 + 2560, 128);
        get(ground, &tile);
        esker_ground_close(ground);
    }
    assert_memory_equal(&cells[1], &cells[2], sizeof cells[1]);
    assert_memory_not_equal(&cells[0], &cells[2], sizeof cells[0]);
    esker_free(map);
    esker_free(edited);
    esker_free(loaded);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_have_the_bytes_of_render),
        cmocka_unit_test(borders_and_strides),
        cmocka_unit_test(a_map_of_a_file_has_the_same_ground),
        cmocka_unit_test(water_stands_between_its_banks),
        cmocka_unit_test(any_number_of_callers_gets_the_same_bytes),
        cmocka_unit_test(land_ahead_suffices_for_points),
        cmocka_unit_test(rings_fit_without_cracks),
        cmocka_unit_test(places_have_the_slope_of_tiles),
        cmocka_unit_test(stopped_calls_leave_nothing),
        cmocka_unit_test(memory_stays_below_the_limit),
        cmocka_unit_test_setup(faces_have_the_bytes_of_render, open_planet),
        cmocka_unit_test_teardown(faces_meet, close_planet),
        cmocka_unit_test(closed_grounds_are_refused),
        cmocka_unit_test(closing_waits_for_calls),
        cmocka_unit_test(without_memory_there_is_an_error),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(a_forked_process_is_told_to_open_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
