// Several threads at the ground of maps with good, odd and forged arguments, while others open, close, stop,
// ask ahead and take memory away: each call succeeds with the bytes that a single caller gets, or is an error
// that says why and leaves the caller's memory alone. ESKER_TIMES: times as many calls (tests/long/races.sh,
// tests/long/ground-attacks.sh).

#include "esker.h"
#include "support.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum {
    CALLERS = 4,
    GROUNDS = 3,
    MAPS = 2,
    CALLS = 200, // of each caller
    SIDE = 32,   // cells of tiles, at most
    MIDDLE = SIDE * SIDE * 8,
    ROOM = 2 * MIDDLE, // floats of a layer, whose first cell lies in the middle: strides may be negative
    LAYERS = 5,
    PLACES = 6,
    RINGS = 3,
};

#define MAP_SIDE 131072.0
#define CELL 1024.0 // of good tiles: of a coarse level, on which calls are quick
#define UNTOUCHED (-77.0f)

typedef struct Attack {
    RandomKey key;
    uint32_t drawn;
    EskerTask *task;
    int successes, refusals, stops, failures;
    float cells[LAYERS][ROOM];
} Attack;

static EskerValue *maps[MAPS];
static _Atomic(EskerGround *) grounds[GROUNDS];
static Attack attacks[CALLERS];
static float expected[MAPS][PLACES][SIDE * SIDE];

// --- chance ------------------------------------------------------------------------------------------------

static int below(Attack *attack, int count) {
    attack->drawn++;
    return (int)(random_bits(attack->key, attack->drawn, 0) % (uint32_t)count);
}

static bool one_in(Attack *attack, int count) {
    return below(attack, count) == 0;
}

#define ONE_OF(attack, list) ((list)[below(attack, (int)(sizeof(list) / sizeof *(list)))])

static double odd_number(Attack *attack) {
    static const double numbers[] = { 0,         -0.0,        -1,     1e-300,       5e-324,    1e300,
                                      DBL_MAX,   -DBL_MAX,    NAN,    INFINITY,     -INFINITY, MAP_SIDE,
                                      -MAP_SIDE, 0x1p-20,     0x1p36, MAP_SIDE / 2, 3.7,       MAP_SIDE + 1,
                                      1e9,       MAP_SIDE * 6 };
    return ONE_OF(attack, numbers);
}

static int odd_count(Attack *attack) {
    static const int numbers[] = { 0,     -1,   1,    2,      INT_MAX, INT_MIN, 65535, 65536,
                                   65537, 1024, 1025, -65536, 9,       33,      4097,  21 };
    return ONE_OF(attack, numbers);
}

static ptrdiff_t odd_step(Attack *attack) {
    static const ptrdiff_t steps[] = { 0,  4,    -4,          8,           2,   3,  -1,
                                       12, -128, PTRDIFF_MAX, PTRDIFF_MIN, 128, 96, PTRDIFF_MAX & -4 };
    return ONE_OF(attack, steps);
}

// --- layers ------------------------------------------------------------------------------------------------

// Whether a layer is as esker.h wants it; `inside`: and lies in the caller's room.
static bool is_sound(const EskerLayer *layer, int width, int height, bool *inside) {
    const double step = layer->step ? (double)layer->step : sizeof(float),
                 stride = layer->stride ? (double)layer->stride : step * width;
    const double across = (width - 1) * fabs(step), down = (height - 1) * fabs(stride);
    *inside = across + down < (double)(MIDDLE - 1) * sizeof(float);
    const bool rows = (width == 1 || fabs(step) >= sizeof(float)) &&
                      (height == 1 || fabs(stride) >= across + sizeof(float)),
               columns = (height == 1 || fabs(stride) >= sizeof(float)) &&
                         (width == 1 || fabs(step) >= down + sizeof(float));
    return layer->step % (ptrdiff_t)sizeof(float) == 0 && layer->stride % (ptrdiff_t)sizeof(float) == 0 &&
           (rows || columns);
}

// The layers of a tile.
static EskerLayer *layer_of(EskerTile *tile, int i) {
    EskerLayer *const layers[LAYERS] = { &tile->altitude, &tile->river, &tile->flow, &tile->water,
                                         &tile->level };
    return layers[i];
}

static void set_layers(Attack *attack, EskerTile *tile) {
    for (int i = 0; i < LAYERS; i++) {
        EskerLayer *layer = layer_of(tile, i);
        *layer = (EskerLayer){ .cells = one_in(attack, 3) ? NULL : attack->cells[i] + MIDDLE };
        if (one_in(attack, 3)) {
            layer->step = odd_step(attack);
            layer->stride = odd_step(attack);
        }
    }
}

// Takes the layers from a tile of so many cells, with its border, that a call would write beyond the room.
// Whether it must refuse another one.
static bool keep_inside(EskerTile *tile, int width, int height) {
    bool unsound = false;
    for (int i = 0; i < LAYERS; i++) {
        EskerLayer *layer = layer_of(tile, i);
        bool inside = false;
        const bool sound = is_sound(layer, width, height, &inside);
        if (sound && !inside)
            layer->cells = NULL;
        unsound |= layer->cells && !sound;
    }
    return unsound;
}

static void clear_room(Attack *attack) {
    for (int i = 0; i < LAYERS; i++)
        for (int k = 0; k < ROOM; k++)
            attack->cells[i][k] = UNTOUCHED;
}

// How many numbers of all layers a call has changed.
static int changed(const Attack *attack) {
    int count = 0;
    for (int i = 0; i < LAYERS; i++)
        for (int k = 0; k < ROOM; k++)
            count += attack->cells[i][k] != UNTOUCHED;
    return count;
}

// --- calls -------------------------------------------------------------------------------------------------

// Threads other than the main one may not fail a test: they end the process.
#define expect(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                          \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

static void check_status(Attack *attack, EskerStatus status, const EskerError *error) {
    expect(status == ESKER_OK || status == ESKER_INVALID || status == ESKER_MEMORY ||
           status == ESKER_STOPPED);
    expect(status == ESKER_OK || (*error->text && memchr(error->text, 0, sizeof error->text)));
    attack->successes += status == ESKER_OK;
    attack->refusals += status == ESKER_INVALID;
    attack->stops += status == ESKER_STOPPED;
    attack->failures += status == ESKER_MEMORY;
}

static EskerGround *any_ground(Attack *attack) {
    return atomic_load(&grounds[below(attack, GROUNDS)]);
}

static EskerTile good_tile(int place, float *cells) {
    const int column = place % 3, row = place / 3;
    return (EskerTile){ .x = (8 + 13 * column) * CELL,
                        .y = MAP_SIDE - (20 + 11 * row) * CELL,
                        .cell = CELL,
                        .width = SIDE,
                        .height = SIDE,
                        .altitude = { cells, 0, 0 } };
}

static bool is_same(const float *cells, const float *others) {
    bool same = true;
    for (int i = 0; i < SIDE * SIDE; i++)
        same &= cells[i] == others[i];
    return same;
}

static void ask_well(Attack *attack) {
    static _Thread_local float cells[SIDE * SIDE];
    EskerError error = { "" };
    const int place = below(attack, PLACES);
    EskerTile tile = good_tile(place, cells);
    if (one_in(attack, 4)) { // for later
        tile.altitude.cells = NULL;
        tile.ahead = true;
    }
    const EskerStatus status = esker_ground_tile(any_ground(attack), &tile, attack->task, &error);
    check_status(attack, status, &error);
    if (status == ESKER_OK && !tile.ahead)
        expect(is_same(cells, expected[0][place]) || is_same(cells, expected[1][place]));
}

// Cells that are allowed and fine take long: others test them.
static double coarse_or_refused(double cell) {
    return cell >= MAP_SIDE * 0x1p-36 && cell < CELL / 64 ? CELL : cell;
}

static void ask_oddly(Attack *attack) {
    EskerError error = { "" };
    EskerTile tile = good_tile(below(attack, PLACES), NULL);
    tile.ahead = one_in(attack, 5);
    tile.width = 1 + below(attack, SIDE - 8);
    tile.height = 1 + below(attack, SIDE - 8);
    tile.border = one_in(attack, 2) ? below(attack, 4) : 0;
    set_layers(attack, &tile);
    double *const numbers[] = { &tile.x, &tile.y, &tile.cell };
    int *const counts[] = { &tile.width, &tile.height, &tile.border };
    if (one_in(attack, 3))
        *ONE_OF(attack, numbers) = odd_number(attack);
    if (one_in(attack, 3))
        *ONE_OF(attack, counts) = odd_count(attack);
    // Sizes beyond these are refused, whatever the layers are.
    const bool allowed = tile.width > 0 && tile.width <= SIDE_MAX && tile.height > 0 &&
                         tile.height <= SIDE_MAX && tile.border >= 0 && tile.border <= 1024;
    const bool unsound =
        allowed && keep_inside(&tile, tile.width + 2 * tile.border, tile.height + 2 * tile.border);
    tile.cell = coarse_or_refused(tile.cell);
    clear_room(attack);
    const EskerStatus status =
        esker_ground_tile(any_ground(attack), &tile, one_in(attack, 4) ? NULL : attack->task, &error);
    check_status(attack, status, &error);
    expect(!(unsound && status == ESKER_OK));
    expect(status == ESKER_OK || changed(attack) == 0);
}

static void ask_ring(Attack *attack) {
    EskerError error = { "" };
    EskerTile tiles[RINGS];
    const int width = one_in(attack, 4) ? odd_count(attack) : 9 + 4 * below(attack, 5);
    const bool plain = width >= 1 && width <= SIDE, altitudes = plain && one_in(attack, 2);
    memset(tiles, one_in(attack, 8) ? below(attack, 256) : 0, sizeof tiles);
    for (int i = 0; i < RINGS; i++) {
        set_layers(attack, &tiles[i]);
        tiles[i].ahead = one_in(attack, 2);
        tiles[i].altitude = (EskerLayer){ altitudes ? attack->cells[i] + MIDDLE : NULL, 0, 0 };
        keep_inside(&tiles[i], plain ? width : SIDE_MAX, plain ? width : SIDE_MAX);
    }
    tiles[0].cell = one_in(attack, 4) ? coarse_or_refused(odd_number(attack)) : CELL;
    tiles[0].width = width;
    tiles[0].ahead = one_in(attack, 3);
    if (width > SIDE) // 4097 points: a second
        tiles[0].cell = one_in(attack, 2) ? NAN : 0;
    const double x = one_in(attack, 4) ? odd_number(attack) : below(attack, 131072),
                 y = one_in(attack, 4) ? odd_number(attack) : below(attack, 131072);
    static const int counts[] = { 0, -1, 21, INT_MAX, INT_MIN };
    const int count = one_in(attack, 5) ? ONE_OF(attack, counts) : 1 + below(attack, RINGS);
    const EskerStatus status = esker_ground_ring(any_ground(attack), x, y, one_in(attack, 20) ? NULL : tiles,
                                                 count, attack->task, &error);
    check_status(attack, status, &error);
}

static void ask_at(Attack *attack) {
    EskerError error = { "" };
    EskerSpot spot = { 0 };
    const double x = one_in(attack, 3) ? odd_number(attack) : below(attack, 131072),
                 y = one_in(attack, 3) ? odd_number(attack) : below(attack, 131072);
    const double cell =
        one_in(attack, 3) ? coarse_or_refused(odd_number(attack)) : CELL / (1 + below(attack, 3));
    const EskerStatus status = esker_ground_at(any_ground(attack), x, y, cell, attack->task,
                                               one_in(attack, 20) ? NULL : &spot, &error);
    check_status(attack, status, &error);
    expect(status != ESKER_OK || (isfinite(spot.altitude) && spot.slope >= 0 && isfinite(spot.slope)));
}

// Puts another ground in the place of one, which is closed, perhaps twice.
static void reopen(Attack *attack) {
    static const size_t memories[] = { 0, 0, 0, 1, (size_t)128 << 20, ((size_t)128 << 20) - 1, SIZE_MAX };
    EskerError error = { "" };
    EskerGround *opened = NULL;
    if (!one_in(attack, 4)) {
        opened = esker_ground_open(maps[below(attack, MAPS)], ONE_OF(attack, memories), &error);
        expect(opened || *error.text);
    }
    EskerGround *old = atomic_exchange(&grounds[below(attack, GROUNDS)], opened);
    esker_ground_close(old);
    if (one_in(attack, 4))
        esker_ground_close(old);
}

static void disturb(Attack *attack) {
    switch (below(attack, 5)) {
    case 0:
        esker_set_memory_limit(esker_memory_in_use() + ((size_t)below(attack, 2) << 20));
        break;
    case 1:
    case 2:
        esker_set_memory_limit((size_t)1 << 30);
        break;
    default:
        esker_task_stop(attacks[below(attack, CALLERS)].task, one_in(attack, 2));
    }
}

static void *attack_grounds(void *context) {
    Attack *attack = context;
    const int calls = CALLS * times_as_many();
    for (int i = 0; i < calls; i++)
        switch (below(attack, 12)) {
        case 0:
            reopen(attack);
            break;
        case 1:
            disturb(attack);
            esker_task_stop(attack->task, false);
            break;
        case 2:
        case 3:
            ask_ring(attack);
            break;
        case 4:
            ask_at(attack);
            break;
        case 5:
        case 6:
        case 7:
            ask_well(attack);
            break;
        default:
            ask_oddly(attack);
        }
    return NULL;
}

// --- the test ----------------------------------------------------------------------------------------------

static void prepare(void) {
    for (int k = 0; k < MAPS; k++) {
        EskerError error = { "" };
        const EskerArgument arguments[] = { esker_number("seed", 5 + k), esker_number("side", MAP_SIDE),
                                            esker_number("lakes", 0.02 * k) };
        if (esker_run("river_map", arguments, 3, NULL, &maps[k], 1, &error) != ESKER_OK)
            fail_msg("%s", error.text);
        EskerGround *ground = esker_ground_open(maps[k], 0, &error);
        assert_non_null(ground);
        for (int i = 0; i < PLACES; i++) {
            const EskerTile tile = good_tile(i, expected[k][i]);
            assert_int_equal(esker_ground_tile(ground, &tile, NULL, &error), ESKER_OK);
        }
        esker_ground_close(ground);
    }
}

static void odd_calls_from_many_threads(void **state) {
    (void)state;
    Attack sum = { .successes = 0 };
    prepare();
    pthread_t threads[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
        attacks[i].key = random_key(42, (uint32_t)i);
        attacks[i].task = esker_task_new(NULL);
        assert_non_null(attacks[i].task);
    }
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, attack_grounds, &attacks[i]), 0);
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(threads[i], NULL);
        sum.successes += attacks[i].successes;
        sum.refusals += attacks[i].refusals;
        sum.stops += attacks[i].stops;
        sum.failures += attacks[i].failures;
    }
    esker_set_memory_limit((size_t)1 << 30);
    for (int i = 0; i < GROUNDS; i++)
        esker_ground_close(atomic_load(&grounds[i]));
    for (int i = 0; i < CALLERS; i++)
        esker_task_free(attacks[i].task);
    for (int k = 0; k < MAPS; k++)
        esker_free(maps[k]);
    assert_int_equal(esker_memory_in_use(), 0);
    print_message("%d succeeded, %d refused, %d stopped, %d without memory\n", sum.successes, sum.refusals,
                  sum.stops, sum.failures);
    assert_true(sum.successes > 0 && sum.refusals > sum.successes / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(odd_calls_from_many_threads) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
