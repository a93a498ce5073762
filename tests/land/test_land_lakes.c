// Lakes of eroded land: one water level on all levels, shores in one piece, as much water out as in, and
// windows that agree.

#include "support.h"

#include "core/math.h"
#include "land/land.h"
#include "water/drainage.h"

#include <math.h>
#include <string.h>

enum {
    SIDE = 128,
    GRADED = 4,
    LEVELS = UNDER_SANITIZERS ? 1 : 3,
    LANDS = UNDER_SANITIZERS ? 1 : 2,
    LAKES_MAX = 1000,
    LEAST_DRAINED = 96
};

static const Run alone = { .threads = 1 };

// Hills with closed basins.
static Land *land_of(uint32_t seed, float lakes, int side, bool planet) {
    Field field;
    Land *land;
    Error error;
    LandRules rules = land_rules_default;
    rules.seed = seed;
    rules.lakes = lakes;
    rules.graded = GRADED;
    rules.hillslope = 0.2f;
    rules.planet = planet;
    const RandomKey key = random_key(seed, 0);
    assert_ok(field_create(&field, side, planet ? CUBE_FACES * side : side, &error), error);
    for (int y = 0; y < field.height; y++)
        for (int x = 0; x < side; x++) {
            const uint32_t column = (uint32_t)x / 16, row = (uint32_t)y / 16;
            const float u = (float)(x % 16) / 16, v = (float)(y % 16) / 16;
            field_row(&field, y)[x] =
                3 + 4 * bilinear(random_signed(key, column, row), random_signed(key, column + 1, row),
                                 random_signed(key, column, row + 1), random_signed(key, column + 1, row + 1),
                                 u, v);
        }
    assert_ok(land_create(&land, &rules, &field, true, &alone, &error), error);
    field_free(&field);
    return land;
}

static LandWindow window_of(Land *land, int level, int x, int y, int width, int height) {
    LandWindow window;
    Error error;
    assert_ok(land_window(land, &alone, level, x, y, width, height, &window, &error), error);
    return window;
}

static LandWindow whole(Land *land, int level) {
    return window_of(land, level, 0, 0, SIDE << level, SIDE << level);
}

static size_t beside(const LandWindow *window, size_t cell, int direction) {
    return (size_t)((ptrdiff_t)cell + neighbour_y[direction] * (ptrdiff_t)window->width +
                    neighbour_x[direction]);
}

static Int128 height(const LandWindow *window, size_t cell) {
    return window->base + window->altitude[cell];
}

static bool is_lake(const LandWindow *window, size_t cell) {
    return window->receiver[cell] == LAND_LAKE;
}

// The stream that leaves a lake begins as high as it.
static bool begins(const LandWindow *window, size_t cell) {
    bool outlet = false;
    for (int d = 0; d < NEIGHBOURS && window->receiver[cell] < NEIGHBOURS; d++) {
        const size_t other = beside(window, cell, d);
        outlet |= is_lake(window, other) && window->altitude[other] == window->altitude[cell];
    }
    return outlet;
}

// --- one lake of a whole level -----------------------------------------------------------------------------

typedef struct Lake {
    int cells, outlets;
    double out, in; // cells of the level that drain through its outlet, and into it or that lie in it
    Int128 level;
    size_t first;
} Lake;

typedef struct Lakes {
    Lake at[LAKES_MAX];
    int count;
} Lakes;

static void visit_beside(const LandWindow *window, size_t cell, int d, uint8_t *seen, int *stack,
                         int *waiting, Lake *lake) {
    const size_t other = beside(window, cell, d);
    const bool water = is_lake(window, other) || begins(window, other);
    if (!water && window->receiver[other] == (d + 4) % 8)
        lake->in += (double)window->area[other];
    if (seen[other] || d & 1 || !water)
        return;
    seen[other] = 1;
    stack[(*waiting)++] = (int)other;
}

// Connected over sides, with its outlet.
static Lake lake_at(const LandWindow *window, size_t first, uint8_t *seen, int *stack) {
    Lake lake = { .level = height(window, first), .first = first };
    int waiting = 0;
    seen[first] = 1;
    stack[waiting++] = (int)first;
    while (waiting > 0) {
        const size_t cell = (size_t)stack[--waiting];
        assert_true(height(window, cell) == lake.level);
        lake.cells++;
        lake.in++;
        if (!is_lake(window, cell)) {
            lake.outlets++;
            lake.out += (double)window->area[cell];
        }
        for (int d = 0; d < NEIGHBOURS; d++)
            visit_beside(window, cell, d, seen, stack, &waiting, &lake);
    }
    return lake;
}

static Lakes *lakes_of(const LandWindow *window) {
    const size_t count = (size_t)window->width * (size_t)window->height;
    Lakes *lakes = calloc(1, sizeof *lakes);
    uint8_t *seen = calloc(count, 1);
    int *stack = malloc(count * sizeof *stack);
    for (size_t cell = 0; cell < count; cell++)
        if (is_lake(window, cell) && !seen[cell] && lakes->count < LAKES_MAX)
            lakes->at[lakes->count++] = lake_at(window, cell, seen, stack);
    free(seen);
    free(stack);
    return lakes;
}

// --- whole levels ------------------------------------------------------------------------------------------

// The lake of level 0 with this water; its altitudes double below the last graded level.
static const Lake *same_lake(const Lakes *lakes, Int128 level) {
    for (int i = 0; i < lakes->count; i++)
        if (lakes->at[i].level == level)
            return &lakes->at[i];
    return NULL;
}

// What drains differs from level to level, as that of any river: a finer level finds the land's divides
// elsewhere.
static void assert_same_lakes(const Lakes *coarse, const Lakes *lakes, int level) {
    int found = 0;
    for (int i = 0; i < lakes->count; i++) {
        const Lake *lake = &lakes->at[i], *before = same_lake(coarse, lake->level);
        assert_int_equal(lake->outlets, 1);
        assert_true(lake->out >= LEAST_DRAINED);
        if (!before) // a smaller one, of a finer level
            continue;
        found++;
        assert_true(lake->out == ldexp(before->out, 2 * level));
        assert_near(lake->in / lake->out, 1, level == 0 ? 0 : 0.06);
        assert_near(lake->cells / ldexp(before->cells, 2 * level), 1, 0.35);
    }
    assert_int_equal(found, coarse->count);
}

static void lakes_keep_level_and_outlet(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= LANDS; seed++) {
        Land *land = land_of(seed, 0.03f, SIDE, false);
        LandWindow root = whole(land, 0);
        Lakes *coarse = lakes_of(&root);
        assert_true(coarse->count > 0);
        for (int level = 0; level <= LEVELS; level++) {
            LandWindow window = whole(land, level);
            Lakes *lakes = lakes_of(&window);
            assert_same_lakes(coarse, lakes, level);
            land_window_free(&window);
            free(lakes);
        }
        land_window_free(&root);
        free(coarse);
        land_free(land);
    }
}

static void assert_shore(const LandWindow *window, size_t cell) {
    for (int d = 0; d < NEIGHBOURS; d++) {
        const size_t other = beside(window, cell, d);
        const bool stream = window->receiver[other] < NEIGHBOURS && window->area[other] >= 24;
        assert_true(is_lake(window, other) || stream || height(window, other) > height(window, cell));
    }
}

// On the last graded level are small pits whose way out is too long for filling.
static void all_water_has_a_way_down(void **state) {
    (void)state;
    Land *land = land_of(3, 0.03f, SIDE, false);
    for (int level = 0; level <= (UNDER_SANITIZERS ? LEVELS : GRADED); level++) {
        LandWindow window = whole(land, level);
        for (int y = 1; y < window.height - 1; y++)
            for (int x = 1; x < window.width - 1; x++) {
                const size_t cell = (size_t)y * (size_t)window.width + (size_t)x;
                const int way = window.receiver[cell];
                assert_true(way != LAND_NONE);
                if (is_lake(&window, cell))
                    assert_shore(&window, cell);
                else if (way < NEIGHBOURS)
                    assert_true(height(&window, cell) > max(height(&window, beside(&window, cell, way)), 0));
            }
        land_window_free(&window);
    }
    land_free(land);
}

// On the last graded level soil that creeps dams valleys, whose ways out are up to 23 cells long. A pit that
// drains a stream would be a sink on all finer levels: with 24 steps of filling three are here.
static void long_hillslopes_leave_no_sinks(void **state) {
    (void)state;
    enum { SIZE = 96 };
    Land *land = land_of(3, 0.03f, SIDE, false);
    LandWindow window = window_of(land, GRADED, (SIDE << GRADED) - SIZE - 1, 80, SIZE, SIZE);
    for (size_t cell = 0; cell < SIZE * SIZE; cell++)
        assert_false(window.receiver[cell] == LAND_SEA && height(&window, cell) > 0);
    land_window_free(&window);
    land_free(land);
}

// The smaller ones of finer levels, with those of level 0.
static void levels_add_lakes(void **state) {
    (void)state;
    if (UNDER_SANITIZERS) // a measurement, which shows them nothing new
        return;
    Land *land = land_of(2, 0.03f, SIDE, false);
    int before = 0;
    for (int level = 1; level <= 2; level++) {
        LandWindow window = whole(land, level);
        Lakes *lakes = lakes_of(&window);
        double cells = 0;
        for (int i = 0; i < lakes->count; i++)
            cells += lakes->at[i].cells;
        assert_true(lakes->count > before + 10);
        assert_in_range((int)(1e5 * ldexp(cells, -2 * level) / SIDE / SIDE), 300, 2000);
        before = lakes->count;
        land_window_free(&window);
        free(lakes);
    }
    land_free(land);
}

static void no_lakes_without_a_share(void **state) {
    (void)state;
    Land *land = land_of(3, 0, SIDE, false);
    LandWindow window = whole(land, min(LEVELS, 2));
    assert_null(memchr(window.receiver, LAND_LAKE, (size_t)window.width * (size_t)window.height));
    land_window_free(&window);
    land_free(land);
}

static void lakes_take_their_share_at_most(void **state) {
    (void)state;
    Land *land = land_of(1, 0.005f, SIDE, false);
    LandWindow window = whole(land, 0);
    int wet = 0;
    for (size_t cell = 0; cell < SIDE * SIDE; cell++)
        wet += is_lake(&window, cell);
    assert_in_range(wet, 6, (int)(0.005f * SIDE * SIDE));
    land_window_free(&window);
    land_free(land);
}

// --- windows -----------------------------------------------------------------------------------------------

static void assert_agree(const LandWindow *all, const LandWindow *some) {
    for (int y = 0; y < some->height; y++)
        for (int x = 0; x < some->width; x++) {
            const size_t a = (size_t)y * (size_t)some->width + (size_t)x,
                         b = (size_t)(some->y - all->y + y) * (size_t)all->width +
                             (size_t)(some->x - all->x + x);
            assert_true(height(some, a) == height(all, b));
            assert_int_equal(some->receiver[a], all->receiver[b]);
            assert_true(some->area[a] == all->area[b]);
        }
}

static void windows_agree(void **state) {
    (void)state;
    enum { SIZE = 48 };
    Land *land = land_of(2, 0.03f, SIDE, false), *cold = land_of(2, 0.03f, SIDE, false);
    land_keep(cold, 0);
    for (int level = 1; level <= LEVELS; level++) {
        LandWindow all = whole(land, level);
        Lakes *lakes = lakes_of(&all);
        for (int i = 0; i < lakes->count; i += 1 + lakes->count / (UNDER_SANITIZERS ? 2 : 5)) {
            const int last = (SIDE << level) - SIZE, x = (int)(lakes->at[i].first % (size_t)all.width),
                      y = (int)(lakes->at[i].first / (size_t)all.width);
            LandWindow some = window_of(cold, level, clamp(x - SIZE / 2, 0, last),
                                        clamp(y - SIZE / 3, 0, last), SIZE, SIZE);
            assert_agree(&all, &some);
            land_window_free(&some);
        }
        free(lakes);
        land_window_free(&all);
    }
    land_free(land);
    land_free(cold);
}

// Around two small pits that touch each other, and get ways out.
static void windows_agree_at_small_pits(void **state) {
    (void)state;
    enum { X = 2019, Y = 135, AROUND = 28, SIZE = 16 };
    Land *land = land_of(3, 0.03f, SIDE, false), *cold = land_of(3, 0.03f, SIDE, false);
    land_keep(cold, 0);
    LandWindow all = window_of(land, GRADED, X - AROUND, Y - AROUND, 2 * AROUND, 2 * AROUND);
    for (int step = 0; step < (UNDER_SANITIZERS ? 1 : 8); step++) {
        LandWindow some =
            window_of(cold, GRADED, X - AROUND + 5 * step, Y - AROUND + (11 * step) % 38, SIZE, SIZE);
        assert_agree(&all, &some);
        land_window_free(&some);
    }
    land_window_free(&all);
    land_free(land);
    land_free(cold);
}

// At the shore, which is followed from level to level.
static void deep_water_is_as_high(void **state) {
    (void)state;
    enum { SIZE = 32 };
    const int deepest = times_as_many() < 4 ? GRADED + 4 : 14;
    Land *land = land_of(1, 0.03f, SIDE, false);
    LandWindow window = whole(land, 1);
    Lakes *lakes = lakes_of(&window);
    Int128 level = lakes->at[0].level;
    int x = (int)(lakes->at[0].first % (size_t)window.width),
        y = (int)(lakes->at[0].first / (size_t)window.width);
    for (int number = 2; number <= deepest; number++) {
        land_window_free(&window);
        window = window_of(land, number, 2 * x - SIZE / 2, 2 * y - SIZE / 2, SIZE, SIZE);
        level = number > GRADED ? 2 * level : level;
        int wet = 0, dry = 0, found = -1;
        for (int cell = 0; cell < SIZE * SIZE; cell++) {
            const bool lake = is_lake(&window, (size_t)cell);
            assert_true(!lake || height(&window, (size_t)cell) == level);
            wet += lake;
            dry += !lake;
            found = lake && found < 0 && cell >= SIZE * SIZE / 3 ? cell : found;
        }
        assert_true(wet > 0 && found >= 0);
        assert_true(dry > 0 || number > 4);
        x = (int)window.x + found % SIZE;
        y = (int)window.y + found / SIZE;
    }
    land_window_free(&window);
    free(lakes);
    land_free(land);
}

// --- planets -----------------------------------------------------------------------------------------------

enum { FACE = 48 };

static LandFaces faces_of(Land *land, int level, const LandRect *rects) {
    LandFaces faces;
    Error error;
    memcpy(faces.wanted, rects, sizeof faces.wanted);
    assert_ok(land_faces(land, &alone, level, &faces, &error), error);
    return faces;
}

// Windows around the lake's cells that come first on each face; those of level 0 are whole.
static void windows_of_planets_agree(void **state) {
    (void)state;
    enum { SIZE = 24, PLANET_LEVELS = 2 };
    Land *land = land_of(4, 0.05f, FACE, true), *cold = land_of(4, 0.05f, FACE, true);
    int wet = 0;
    land_keep(cold, 0);
    for (int level = 0; level <= PLANET_LEVELS; level++) {
        const int side = FACE << level;
        LandRect rects[CUBE_FACES];
        for (int face = 0; face < CUBE_FACES; face++)
            rects[face] = (LandRect){ 0, 0, side, side };
        LandFaces all = faces_of(land, level, rects);
        for (int face = 0; face < CUBE_FACES; face++) {
            const LandWindow *window = &all.on[face];
            const uint8_t *lake = memchr(window->receiver, LAND_LAKE, (size_t)side * (size_t)side);
            const int first = lake ? (int)(lake - window->receiver) : 0;
            const Int128 left = clamp(first % side - SIZE / 2, 0, side - SIZE),
                         top = clamp(first / side - SIZE / 2, 0, side - SIZE);
            LandRect few[CUBE_FACES] = { 0 };
            few[face] = (LandRect){ left, top, left + SIZE, top + SIZE };
            LandFaces some = faces_of(cold, level, few);
            assert_agree(window, &some.on[face]);
            wet += lake != NULL;
            land_faces_free(&some);
        }
        land_faces_free(&all);
    }
    assert_true(wet > 3);
    land_free(land);
    land_free(cold);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lakes_keep_level_and_outlet),
        cmocka_unit_test(all_water_has_a_way_down),
        cmocka_unit_test(long_hillslopes_leave_no_sinks),
        cmocka_unit_test(levels_add_lakes),
        cmocka_unit_test(no_lakes_without_a_share),
        cmocka_unit_test(lakes_take_their_share_at_most),
        cmocka_unit_test(windows_agree),
        cmocka_unit_test(windows_agree_at_small_pits),
        cmocka_unit_test(deep_water_is_as_high),
        cmocka_unit_test(windows_of_planets_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
