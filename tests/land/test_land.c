// Eroded land: windows agree, water runs down, and nothing breaks at the ends.

#include "support.h"

#include "core/math.h"
#include "core/parallel.h"
#include "land/level.h"
#include "water/drainage.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

static const Run alone = { .threads = 1 };

// Hills of a few cells, with a coast.
static Field hills(int width, int height, uint64_t seed) {
    Field field;
    Error error;
    assert_ok(field_create(&field, width, height, &error), error);
    const RandomKey coarse = random_key(seed, 0), fine = random_key(seed, 1);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const uint32_t column = (uint32_t)x / 8, row = (uint32_t)y / 8;
            const float u = (float)(x % 8) / 8, v = (float)(y % 8) / 8;
            const float swell = bilinear(
                random_signed(coarse, column, row), random_signed(coarse, column + 1, row),
                random_signed(coarse, column, row + 1), random_signed(coarse, column + 1, row + 1), u, v);
            field_row(&field, y)[x] = 1 + 4 * swell + 0.3f * random_signed(fine, (uint32_t)x, (uint32_t)y);
        }
    return field;
}

static Land *land_of(const Field *field, const LandRules *rules) {
    Land *land;
    Error error;
    assert_ok(land_create(&land, rules, field, true, &alone, &error), error);
    return land;
}

static Land *some_land(const LandRules *rules) {
    Field field = hills(48, 40, 3);
    Land *land = land_of(&field, rules);
    field_free(&field);
    return land;
}

static LandWindow window_on(Land *land, const Run *run, int level, Int128 x, Int128 y, int width,
                            int height) {
    LandWindow window;
    Error error;
    assert_ok(land_window(land, run, level, x, y, width, height, &window, &error), error);
    return window;
}

static LandWindow window_of(Land *land, int level, Int128 x, Int128 y, int width, int height) {
    return window_on(land, &alone, level, x, y, width, height);
}

// All cells that two windows share are the same to the bit; there are some.
static void assert_agree(const LandWindow *a, const LandWindow *b) {
    int shared = 0;
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++) {
            const Int128 column = a->x + x - b->x, row = a->y + y - b->y;
            if (column < 0 || row < 0 || column >= b->width || row >= b->height)
                continue;
            const size_t i = (size_t)y * (size_t)a->width + (size_t)x,
                         j = (size_t)row * (size_t)b->width + (size_t)column;
            shared++;
            if (a->base + a->altitude[i] != b->base + b->altitude[j] || a->area[i] != b->area[j] ||
                a->receiver[i] != b->receiver[j])
                fail_msg("level %d: cell (%d, %d) differs: %d, %g, %d and %d, %g, %d", a->level, x, y,
                         (int)(a->altitude[i] + (a->base - b->base)), (double)a->area[i], a->receiver[i],
                         b->altitude[j], (double)b->area[j], b->receiver[j]);
        }
    assert_true(shared > 0);
}

static Int128 along(int cells, int level, double at) {
    const Int128 fine = (Int128)(at * 0x1p30) * cells;
    return level >= 30 ? fine << (level - 30) : fine >> (30 - level);
}

// --- water ------------------------------------------------------------------------------------------------

static bool is_sea(const LandWindow *window, size_t cell) {
    return window->base + window->altitude[cell] < 0;
}

static size_t neighbour_in(const LandWindow *window, size_t cell, int direction) {
    return (size_t)((ptrdiff_t)cell + neighbour_y[direction] * (ptrdiff_t)window->width +
                    neighbour_x[direction]);
}

// Each way down falls by a unit or more at each step, to the sea, the edge of the land or out of the window;
// pits are rare.
static void assert_water_runs_down(const LandWindow *window) {
    int land = 0, pits = 0;
    for (int y = 1; y < window->height - 1; y++)
        for (int x = 1; x < window->width - 1; x++) {
            const size_t cell = (size_t)y * (size_t)window->width + (size_t)x;
            const int receiver = window->receiver[cell];
            assert_true(!is_sea(window, cell) || receiver == LAND_SEA);
            land += !is_sea(window, cell);
            pits += receiver == LAND_NONE;
            if (receiver >= NEIGHBOURS)
                continue;
            const size_t next = neighbour_in(window, cell, receiver);
            if (!is_sea(window, next) && window->altitude[next] >= window->altitude[cell])
                fail_msg("level %d: water rises at (%d, %d), from %d to %d", window->level, x, y,
                         window->altitude[cell], window->altitude[next]);
        }
    assert_true(pits <= land / 200);
}

// --- windows -----------------------------------------------------------------------------------------------

// Two lands of the same rules, and one that reads what it has kept.
static void assert_windows_agree(const LandRules *rules, int level) {
    const Int128 x = along(48, level, 0.42), y = along(40, level, 0.57);
    const int size = level < 3 ? 20 : 70;
    Land *one = some_land(rules), *other = some_land(rules);
    LandWindow a = window_of(one, level, x, y, size, size + 9);
    LandWindow b = window_of(other, level, x + size / 2 + 3, y + size / 3, size, size);
    assert_agree(&a, &b);
    land_window_free(&b);
    b = window_of(one, level, x + size / 2 + 3, y + size / 3, size, size);
    assert_agree(&a, &b);
    land_window_free(&a);
    land_window_free(&b);
    land_free(one);
    land_free(other);
}

// How steeply a cell falls to a neighbour, the sea counted at its surface.
static double steepness_towards(const LandWindow *window, int cell, int direction) {
    const int beside = cell + neighbour_y[direction] * window->width + neighbour_x[direction];
    const double from = (double)(window->base + window->altitude[cell]),
                 to = (double)(window->base + window->altitude[beside]);
    return (from - (to > 0 ? to : 0)) * (double)inverse_distance[direction];
}

static void level_0_drains_to_the_steepest_neighbour(void **state) {
    (void)state;
    const double rounding = 2; // of both altitudes, in units
    Land *land = some_land(&land_rules_default);
    LandWindow root = window_of(land, 0, 0, 0, 48, 40);
    int cells[NEIGHBOURS] = { 0 };
    for (int cell = root.width; cell < root.width * (root.height - 1); cell++) {
        const int way = root.receiver[cell], x = cell % root.width;
        if (x == 0 || x == root.width - 1 || way >= NEIGHBOURS)
            continue;
        cells[way]++;
        for (int d = 0; d < NEIGHBOURS; d++)
            assert_true(steepness_towards(&root, cell, d) <= steepness_towards(&root, cell, way) + rounding);
    }
    for (int d = 0; d < NEIGHBOURS; d++)
        assert_true(cells[d] > 0);
    land_window_free(&root);
    land_free(land);
}

static void windows_agree_at_all_levels(void **state) {
    (void)state;
    static const int levels[] = { 3, 1, 9, 22 };
    for (int i = 0; i < min(rounds(1), 4); i++)
        assert_windows_agree(&land_rules_default, levels[i]);
}

// Of each side of the land, and of its corners.
static void windows_agree_at_the_edge(void **state) {
    (void)state;
    enum { LEVEL = UNDER_SANITIZERS ? 2 : 4, SIDE = 24 };
    const int width = 48 << LEVEL, height = 40 << LEVEL;
    Land *one = some_land(&land_rules_default), *other = some_land(&land_rules_default);
    LandWindow whole = window_of(one, LEVEL, 0, 0, width, height);
    const int x[] = { 0, width - SIDE, 0, width - SIDE, 0, width - SIDE, width / 3, width / 2 },
              y[] = { 0, 0, height - SIDE, height - SIDE, height / 3, height / 2, 0, height - SIDE };
    for (int i = 0; i < 8; i++) {
        land_keep(other, 0);
        LandWindow part = window_of(other, LEVEL, x[i], y[i], SIDE, SIDE);
        assert_agree(&part, &whole);
        land_window_free(&part);
    }
    land_window_free(&whole);
    land_free(one);
    land_free(other);
}

// The edge drains itself and what runs to it.
static void rivers_leave_over_the_edge(void **state) {
    (void)state;
    enum { LEVEL = 3 };
    Land *land = some_land(&land_rules_default);
    LandWindow whole = window_of(land, LEVEL, 0, 0, 48 << LEVEL, 40 << LEVEL);
    int outlets = 0;
    for (int x = 1; x < whole.width - 1; x++) {
        const size_t cell = (size_t)x, below = cell + (size_t)whole.width;
        float area = 1;
        for (size_t donor = below - 1; donor <= below + 1; donor++)
            if (whole.receiver[donor] < NEIGHBOURS &&
                neighbour_in(&whole, donor, whole.receiver[donor]) == cell)
                area += whole.area[donor];
        outlets += area >= 24;
        if (!is_sea(&whole, cell) && whole.area[cell] != area)
            fail_msg("at %d the edge drains %g, not %g", x, (double)whole.area[cell], (double)area);
    }
    assert_true(outlets > 0);
    land_window_free(&whole);
    land_free(land);
}

// Far from the sea, and from the first cells of 128 bits.
static void windows_agree_without_hillslopes(void **state) {
    (void)state;
    LandRules rules = land_rules_default;
    rules.hillslope = 0;
    assert_windows_agree(&rules, UNDER_SANITIZERS ? 2 : 9);
}

static void windows_agree_deep_down(void **state) {
    (void)state;
    enum { LEVEL = UNDER_SANITIZERS ? 5 : 60, SIZE = 30 };
    const Int128 x = along(48, LEVEL, 0.42), y = along(40, LEVEL, 0.57);
    Land *land = some_land(&land_rules_default);
    LandWindow a = window_of(land, LEVEL, x, y, SIZE, SIZE);
    land_keep(land, 8000000); // of the last levels
    LandWindow b = window_of(land, LEVEL, x - 3 * SIZE, y, SIZE, SIZE);
    land_window_free(&b);
    land_keep(land, 1000000);
    b = window_of(land, LEVEL, x - 60, y + 5, 70, SIZE);
    assert_agree(&a, &b);
    assert_water_runs_down(&b);
    land_window_free(&a);
    land_window_free(&b);
    land_free(land);
}

static void bits_do_not_depend_on_what_is_kept(void **state) {
    (void)state;
    enum { LEVEL = UNDER_SANITIZERS ? 3 : 9, SIZE = 80 };
    const Int128 x = along(48, LEVEL, 0.3), y = along(40, LEVEL, 0.4);
    Land *keeps = some_land(&land_rules_default), *forgets = some_land(&land_rules_default);
    land_keep(forgets, 100000);
    LandWindow there = window_of(keeps, LEVEL + 1, 2 * x + 300, 2 * y - 40, SIZE, SIZE); // other parts first
    land_window_free(&there);
    there = window_of(keeps, LEVEL, x + 50, y + 30, 20, 60);
    land_window_free(&there);
    LandWindow a = window_of(keeps, LEVEL, x, y, SIZE, SIZE), b = window_of(forgets, LEVEL, x, y, SIZE, SIZE);
    assert_agree(&a, &b);
    land_window_free(&b);
    b = window_of(forgets, LEVEL, x + 7, y + 60, SIZE, SIZE);
    assert_agree(&a, &b);
    land_window_free(&a);
    land_window_free(&b);
    land_free(keeps);
    land_free(forgets);
}

static void kept_windows_stay_within_bounds(void **state) {
    (void)state;
    const size_t before = memory_in_use();
    enum { LEVEL = UNDER_SANITIZERS ? 4 : 12, KEPT = UNDER_SANITIZERS ? 300000 : 1000000 };
    const Int128 x = along(48, LEVEL, 0.4), y = along(40, LEVEL, 0.4);
    Land *land = some_land(&land_rules_default);
    const size_t own = memory_in_use() - before;
    LandWindow window = window_of(land, LEVEL, x, y, 60, 60);
    land_window_free(&window);
    assert_true(memory_in_use() - before > own + KEPT);
    land_keep(land, KEPT);
    assert_true(memory_in_use() - before <= own + KEPT + 100000);
    window = window_of(land, LEVEL, x + 60, y, 60, 60);
    land_window_free(&window);
    assert_true(memory_in_use() - before <= own + KEPT + 100000);
    land_free(land);
    assert_int_equal(memory_in_use(), before);
}

static void altitudes_alone_are_those_of_a_window_and_not_kept(void **state) {
    (void)state;
    Land *land = some_land(&land_rules_default), *other = some_land(&land_rules_default);
    LandWindow window = window_of(other, 1, 10, 20, 50, 40), altitudes;
    const size_t before = memory_in_use();
    Error error;
    assert_ok(land_altitudes(land, &alone, 1, 10, 20, 50, 40, &altitudes, &error), error);
    assert_null(altitudes.area);
    assert_null(altitudes.receiver);
    for (int i = 0; i < 50 * 40; i++)
        assert_true(altitudes.altitude[i] + altitudes.base == window.altitude[i] + window.base);
    land_window_free(&altitudes);
    assert_int_equal(memory_in_use(), before);
    land_window_free(&window);
    land_free(land);
    land_free(other);
}

static void bits_do_not_depend_on_threads(void **state) {
    (void)state;
    const Int128 x = along(48, 2, 0.2), y = along(40, 2, 0.3);
    Land *land = some_land(&land_rules_default);
    LandWindow alone_made = window_of(land, 2, x, y, 90, 70);
    land_free(land);
    parallel_every_row(true);
    for (int threads = 2; threads <= 5; threads += 3) {
        land = some_land(&land_rules_default);
        LandWindow window = window_on(land, &on_threads(threads), 2, x, y, 90, 70);
        assert_agree(&alone_made, &window);
        land_window_free(&window);
        land_free(land);
    }
    parallel_every_row(false);
    land_window_free(&alone_made);
}

// --- discharge ---------------------------------------------------------------------------------------------

// Counts the levels that are computed, and takes its time, so that others ask meanwhile.
static void count_making(void *context, const Level *level, const LandStep *step) {
    (void)level;
    if (strcmp(step->name, "drain") != 0)
        return;
    atomic_fetch_add((atomic_int *)context, 1);
    nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
}

static void *ask_for_window(void *land) {
    LandWindow window = window_of(land, 6, 600, 700, 90, 70);
    land_window_free(&window);
    return NULL;
}

static void what_several_threads_want_is_made_once(void **state) {
    (void)state;
    enum { THREADS = 4 };
    int alone_made = 0;
    for (int threads = 1; threads <= THREADS; threads += THREADS - 1) {
        atomic_int made = 0;
        Land *land = some_land(&land_rules_default);
        land->watch = (LandWatch){ count_making, &made };
        pthread_t asking[THREADS];
        for (int i = 0; i < threads; i++)
            assert_int_equal(pthread_create(&asking[i], NULL, ask_for_window, land), 0);
        for (int i = 0; i < threads; i++)
            pthread_join(asking[i], NULL);
        alone_made = threads == 1 ? made : alone_made;
        assert_int_equal(made, alone_made);
        land_free(land);
    }
    assert_true(alone_made >= 6);
}

typedef struct Made {
    int coarse, fine; // levels up to COARSE that are computed, and finer ones
} Made;

enum { COARSE = 3 };

static void count_coarse(void *context, const Level *level, const LandStep *step) {
    Made *made = context;
    if (strcmp(step->name, "interpolate") == 0)
        ++*(level->number <= COARSE ? &made->coarse : &made->fine);
}

// A camera goes on through land of level 8. It needs land of the coarsest levels at first, and then not for a
// long time, in which more is made than is kept.
static void coarse_land_is_kept_while_a_camera_moves(void **state) {
    (void)state;
    enum { LEVEL = 8, SIZE = 256, STEPS = UNDER_SANITIZERS ? 2 : 7 };
    Made made = { 0 };
    Error error;
    Land *land = some_land(&land_rules_default);
    land_keep(land, 7000000); // a fifth of what is made
    land->watch = (LandWatch){ count_coarse, &made };
    Int128 x = along(48, LEVEL, 0.3);
    const Int128 y = along(40, LEVEL, 0.4);
    for (int step = 0; step < STEPS; step++, x += SIZE) {
        LandFaces faces = { .wanted = { { x, y, x + SIZE, y + SIZE } } };
        assert_ok(land_faces_ahead(land, &alone, LEVEL, &faces, &error), error);
        land_faces_free(&faces);
    }
    assert_true(made.fine >= STEPS);
    assert_in_range(made.coarse, COARSE, 2 * COARSE);
    land_free(land);
}

static void water_runs_down_at_every_level(void **state) {
    (void)state;
    static const int levels[] = { 2, 0, 1, 4, 9, 20, 40 };
    Land *land = some_land(&land_rules_default);
    for (int i = 0; i < min(rounds(2), 7); i++) {
        const int level = levels[i], width = min(48 << min(level, 3), 160),
                  height = min(40 << min(level, 3), 160);
        LandWindow window = window_of(land, level, along(48, level, level > 2 ? 0.4 : 0),
                                      along(40, level, level > 2 ? 0.4 : 0), width, height);
        assert_water_runs_down(&window);
        land_window_free(&window);
    }
    land_free(land);
}

// Ground that falls gently, far from streams, does not become a block with walls where steps to fill its pits
// run out.
static void gentle_ground_has_no_walls(void **state) {
    (void)state;
    enum { SIDE = 24, LEVEL = 3, SIZE = SIDE << LEVEL };
    Field field;
    Land *land;
    Error error;
    LandRules rules = land_rules_default;
    rules.hillslope = 0;
    assert_ok(field_create(&field, SIDE, SIDE, &error), error);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            field_row(&field, y)[x] = 5 + 0.05f * (float)x;
    assert_ok(land_create(&land, &rules, &field, false, &alone, &error), error);
    field_free(&field);
    LandWindow window = window_of(land, LEVEL, 0, 0, SIZE, SIZE);
    int steepest = 0;
    for (int y = 8; y < SIZE - 8; y++)
        for (int x = 8; x < SIZE - 8; x++) {
            const size_t cell = (size_t)y * SIZE + (size_t)x;
            steepest = max(steepest, abs(window.altitude[cell] - window.altitude[cell + 1]));
            steepest = max(steepest, abs(window.altitude[cell] - window.altitude[cell + SIZE]));
        }
    print_message("steps of %.2f cells\n", ldexp(steepest, -rules.unit_bits));
    assert_true(steepest < 1 << rules.unit_bits);
    land_window_free(&window);
    land_free(land);
}

static float inflow_of(const LandWindow *window, size_t cell) {
    float inflow = 0;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const size_t donor = neighbour_in(window, cell, d);
        inflow += window->receiver[donor] == ((d + 4) & 7) ? window->area[donor] : 0;
    }
    return inflow;
}

// Free ground drains itself and its donors, to the unit; a stream never less than half of what its largest
// donor brings, but at one cell of a hundred.
static void discharge_adds_up(void **state) {
    (void)state;
    enum { STREAM = 24 };
    static const int levels[] = { 2, 0, 6, 11 };
    Land *land = some_land(&land_rules_default);
    for (int i = 0; i < min(rounds(1), 4); i++) {
        const int level = levels[i], width = min(48 << min(level, 2), 192),
                  height = min(40 << min(level, 2), 160);
        LandWindow window = window_of(land, level, along(48, level, level > 2 ? 0.4 : 0),
                                      along(40, level, level > 2 ? 0.4 : 0), width, height);
        int streams = 0, lost = 0, gained = 0;
        for (int y = 1; y < height - 1; y++)
            for (int x = 1; x < width - 1; x++) {
                const size_t cell = (size_t)y * (size_t)width + (size_t)x;
                if (window.receiver[cell] >= NEIGHBOURS)
                    continue;
                const float area = window.area[cell], inflow = inflow_of(&window, cell);
                if (area < STREAM - 1) // a head that is none counts T - 1
                    assert_true(area == 1 + inflow);
                else if (level == 0)
                    assert_true(area == 1 + inflow);
                streams += area >= STREAM;
                lost += area >= STREAM && area < inflow / 2;
                gained += area > 2 * (STREAM + inflow);
            }
        assert_true(streams > 0);
        assert_true(lost <= streams / 100);
        print_message("level %d: %d of %d streams carry more than drains into them\n", level, gained,
                      streams);
        assert_true(level > 9 || gained <= streams / 200); // on soil, hillslopes are longer than steps reach
        land_window_free(&window);
    }
    land_free(land);
}

// A level's rivers stay where they are a level finer, within a pixel.
static void rivers_keep_their_places(void **state) {
    (void)state;
    enum { SIZE = 100, LARGE = 64 };
    static const int levels[] = { 2, 8 };
    Land *land = some_land(&land_rules_default);
    for (int i = 0; i < min(rounds(1), 2); i++) {
        const Int128 x = along(48, levels[i], 0.35), y = along(40, levels[i], 0.35);
        const int size = levels[i] == 2 ? 90 : SIZE;
        LandWindow coarse = window_of(land, levels[i], x, y, size, size),
                   fine = window_of(land, levels[i] + 1, 2 * x, 2 * y, 2 * size, 2 * size);
        int rivers = 0, kept = 0;
        for (int v = 1; v < size - 1; v++)
            for (int u = 1; u < size - 1; u++) {
                const size_t cell = (size_t)v * (size_t)size + (size_t)u;
                if (coarse.receiver[cell] >= NEIGHBOURS || coarse.area[cell] < LARGE)
                    continue;
                float most = 0;
                for (int b = 2 * v - 2; b < 2 * v + 4; b++)
                    for (int a = 2 * u - 2; a < 2 * u + 4; a++)
                        most = max(most, fine.area[(size_t)b * 2 * (size_t)size + (size_t)a]);
                rivers++;
                kept += most >= 2 * coarse.area[cell];
            }
        assert_true(rivers > 50);
        assert_true(kept >= rivers - rivers / 200);
        land_window_free(&coarse);
        land_window_free(&fine);
    }
    land_free(land);
}

// --- ends --------------------------------------------------------------------------------------------------

typedef enum Shape { FLAT, PIT, SEA, HIGHLAND, ENDLESS } Shape;

static Field shape(Shape kind, int width, int height) {
    static const float levels[] = { 0, 2, -3, 7, 0 };
    Field field;
    Error error;
    assert_ok(field_create(&field, width, height, &error), error);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            field_row(&field, y)[x] = kind == ENDLESS ? ((x + y) % 2 ? 3e38f : -3e38f) : levels[kind];
    if (kind == PIT)
        field_row(&field, height / 2)[width / 2] = 0.5f;
    return field;
}

static void assert_shape_works(Shape kind, int width, int height) {
    Field field = shape(kind, width, height);
    Land *land = land_of(&field, &land_rules_default);
    for (int level = 0; level <= 6; level += level < 2 ? 1 : 4) {
        const int columns = min(width << level, 150), rows = min(height << level, 60);
        LandWindow a = window_of(land, level, 0, 0, columns, rows);
        LandWindow b = window_of(land, level, columns / 2, rows / 2, columns - columns / 2, rows - rows / 2);
        assert_agree(&a, &b);
        if (kind != ENDLESS)
            assert_water_runs_down(&a);
        land_window_free(&a);
        land_window_free(&b);
    }
    land_free(land);
    field_free(&field);
}

static void degenerate_fields_work(void **state) {
    (void)state;
    for (int kind = FLAT; kind <= ENDLESS; kind++) {
        assert_shape_works((Shape)kind, 40, 30);
        assert_shape_works((Shape)kind, 2, 2);
        assert_shape_works((Shape)kind, 1, 1);
        assert_shape_works((Shape)kind, 4096, 1);
        assert_shape_works((Shape)kind, 1, 4096);
    }
}

// Without the law, level ground that rises quickly has hollows whose way out is long. A stream that runs into
// one ends there, in a sink; it neither rises nor runs dry. Sinks are rare.
static void streams_end_in_sinks(void **state) {
    (void)state;
    enum { SIDE = 64, SIZE = UNDER_SANITIZERS ? 90 : 200, STREAM = 24 };
    Field field = shape(HIGHLAND, SIDE, SIDE);
    LandRules rules = land_rules_default;
    Land *land;
    Error error;
    rules.graded = 0;
    rules.uplift = 0.1f;
    assert_ok(land_create(&land, &rules, &field, false, &alone, &error), error);
    int sinks = 0;
    for (int level = 1; level <= (UNDER_SANITIZERS ? 2 : 9); level++) {
        const int size = min(SIDE << level, SIZE);
        LandWindow a =
            window_of(land, level, along(SIDE, level, 0.3), along(SIDE, level, 0.4), size / 2, size / 2);
        assert_water_runs_down(&a);
        int here = 0;
        for (int y = 1; y < a.height - 1; y++)
            for (int x = 1; x < a.width - 1; x++) {
                const size_t cell = (size_t)y * (size_t)a.width + (size_t)x;
                here += a.receiver[cell] == LAND_SEA;
                if (a.receiver[cell] < NEIGHBOURS && a.area[cell] >= STREAM) {
                    const size_t next = neighbour_in(&a, cell, a.receiver[cell]);
                    assert_true(a.receiver[next] == LAND_SEA || a.area[next] >= STREAM);
                }
            }
        assert_true(here <= a.width * a.height / 500);
        sinks += here;
        LandWindow b = window_of(land, level, a.x + size / 8, a.y + size / 5, size / 4, size / 4);
        assert_agree(&a, &b);
        land_window_free(&a);
        land_window_free(&b);
    }
    print_message("%d sinks\n", sinks);
    assert_true(sinks > 0);
    land_free(land);
    field_free(&field);
}

static void nothing_breaks_at_the_ends_of_parameters(void **state) {
    (void)state;
    static const float ends[][2] = { { 0.2f, 0.5f }, { 0, 1 },    { 0.3f, 1.5f }, { 0, 0.5f }, { 0, 1 },
                                     { 0, 500 },     { 0, 0.9f }, { 0, 1 },       { 0, 0.01f } };
    for (int i = 9 - min(rounds(3), 9); i < 9; i++)
        for (int end = 0; end < 2; end++) {
            LandRules rules = land_rules_default;
            float *const members[] = { &rules.concavity, &rules.variety,    &rules.talus,
                                       &rules.rounding,  &rules.roughness,  &rules.relief,
                                       &rules.hardness,  &rules.deposition, &rules.gentle };
            *members[i] = ends[i][end];
            assert_windows_agree(&rules, 3);
            Land *land = some_land(&rules);
            LandWindow window = window_of(land, 5, along(48, 5, 0.5), along(40, 5, 0.5), 60, 60);
            assert_water_runs_down(&window);
            land_window_free(&window);
            land_free(land);
        }
}

// --- errors -----------------------------------------------------------------------------------------------

static void a_window_lies_inside_the_land(void **state) {
    (void)state;
    Land *land = some_land(&land_rules_default);
    static const int outside[][5] = { { 0, 1, 0, 48, 40 }, { 0, 0, 0, 0, 1 },
                                      { 1, -1, 0, 5, 5 },  { 1, 0, 79, 2, 2 },
                                      { -1, 0, 0, 1, 1 },  { LAND_LEVEL_MAX + 1, 0, 0, 1, 1 } };
    for (int i = 0; i < 6; i++) {
        LandWindow window;
        Error error;
        const int *at = outside[i];
        assert_int_equal(land_window(land, &alone, at[0], at[1], at[2], at[3], at[4], &window, &error),
                         STATUS_INVALID);
        assert_null(window.altitude);
    }
    land_free(land);
}

static void a_stop_leaves_the_land_as_it_was(void **state) {
    (void)state;
    atomic_bool stop = true;
    const Run run = { .threads = 1, .stop = &stop };
    Land *land = some_land(&land_rules_default), *other = some_land(&land_rules_default);
    LandWindow window;
    Error error;
    assert_int_equal(land_window(land, &run, 4, 100, 100, 30, 30, &window, &error), STATUS_STOPPED);
    assert_null(window.altitude);
    LandWindow a = window_of(land, 4, 100, 100, 30, 30), b = window_of(other, 4, 100, 100, 30, 30);
    assert_agree(&a, &b);
    land_window_free(&a);
    land_window_free(&b);
    land_free(land);
    land_free(other);
}

static void want_of_memory_is_an_error_that_leaks_nothing(void **state) {
    (void)state;
    const size_t before = memory_in_use();
    Field field = hills(20, 20, 3);
    for (long successes = 0;; successes++) {
        Land *land = NULL;
        LandWindow window = { 0 };
        Error error;
        memory_fail_after(successes);
        Status status = land_create(&land, &land_rules_default, &field, true, &alone, &error);
        if (status == STATUS_OK)
            status = land_window(land, &alone, 2, 30, 30, 10, 10, &window, &error);
        const bool failed = memory_fails_after() < 0;
        memory_fail_after(-1);
        if (status == STATUS_OK)
            land_window_free(&window);
        else
            assert_int_equal(status, STATUS_MEMORY);
        land_free(land);
        if (!failed)
            break;
    }
    field_free(&field);
    assert_int_equal(memory_in_use(), before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_0_drains_to_the_steepest_neighbour),
        cmocka_unit_test(windows_agree_at_all_levels),
        cmocka_unit_test(windows_agree_at_the_edge),
        cmocka_unit_test(rivers_leave_over_the_edge),
        cmocka_unit_test(windows_agree_without_hillslopes),
        cmocka_unit_test(windows_agree_deep_down),
        cmocka_unit_test(bits_do_not_depend_on_what_is_kept),
        cmocka_unit_test(kept_windows_stay_within_bounds),
        cmocka_unit_test(altitudes_alone_are_those_of_a_window_and_not_kept),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(what_several_threads_want_is_made_once),
        cmocka_unit_test(coarse_land_is_kept_while_a_camera_moves),
        cmocka_unit_test(water_runs_down_at_every_level),
        cmocka_unit_test(gentle_ground_has_no_walls),
        cmocka_unit_test(discharge_adds_up),
        cmocka_unit_test(rivers_keep_their_places),
        cmocka_unit_test(degenerate_fields_work),
        cmocka_unit_test(streams_end_in_sinks),
        cmocka_unit_test(nothing_breaks_at_the_ends_of_parameters),
        cmocka_unit_test(a_window_lies_inside_the_land),
        cmocka_unit_test(a_stop_leaves_the_land_as_it_was),
        cmocka_unit_test(want_of_memory_is_an_error_that_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
