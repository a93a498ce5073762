// What streams lay down: flat floors beside those that fall gently, and deltas; and beaches.

#include "support.h"

#include "core/math.h"
#include "land/land.h"
#include "water/drainage.h"

#include <math.h>

enum { SIDE = 48, LEVEL = 3, WINDOW = 200 };

static const Run alone = { .threads = 1 };

typedef float Ground(float x, float y);

// A valley that falls towards the left.
static float gentle_valley(float x, float y) {
    return 0.02f * x + 0.5f * fabsf(y - SIDE / 2.0f);
}

static float steep_valley(float x, float y) {
    return 8.0f * x + 8.0f * fabsf(y - SIDE / 2.0f);
}

// Around the map's middle.
static LandWindow window_of_level(Ground *ground, float deposition, uint32_t seed, int level) {
    Field field;
    Land *land;
    LandWindow window;
    Error error;
    LandRules rules = land_rules_default;
    rules.deposition = deposition;
    rules.hillslope = 0;
    rules.seed = seed;
    const RandomKey key = random_key(5, 0);
    assert_ok(field_create(&field, SIDE, SIDE, &error), error);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            field_row(&field, y)[x] =
                0.1f + ground((float)x, (float)y) + 0.05f * random_signed(key, (uint32_t)x, (uint32_t)y);
    assert_ok(land_create(&land, &rules, &field, false, &alone, &error), error);
    field_free(&field);
    const int start = ((SIDE << level) - WINDOW) / 2;
    assert_ok(land_window(land, &alone, level, start, start, WINDOW, WINDOW, &window, &error), error);
    land_free(land);
    return window;
}

static LandWindow window_of_seed(Ground *ground, float deposition, uint32_t seed) {
    return window_of_level(ground, deposition, seed, LEVEL);
}

enum { BESIDE = 40 }; // most cells beside a river

// How high ground lies over the valley's river on a level, on average, `distance` cells beside it, in cells.
static double height_beside_river_on(Ground *ground, float deposition, uint32_t seed, int level,
                                     int distance) {
    LandWindow window = window_of_level(ground, deposition, seed, level);
    const float least = ldexpf(3000, 2 * (level - LEVEL));
    double sum = 0;
    int count = 0;
    for (int y = BESIDE; y < WINDOW - BESIDE; y++)
        for (int x = BESIDE; x < WINDOW - BESIDE; x++) {
            const int cell = y * WINDOW + x;
            if (window.receiver[cell] >= NEIGHBOURS || window.area[cell] < least)
                continue;
            sum += window.altitude[cell - distance * WINDOW] + window.altitude[cell + distance * WINDOW] -
                   2 * window.altitude[cell];
            count += 2;
        }
    land_window_free(&window);
    assert_true(count > 100);
    return sum / count / ldexp(1, land_rules_default.unit_bits);
}

static double height_beside_river(Ground *ground, float deposition, int distance) {
    return height_beside_river_on(ground, deposition, 1, LEVEL, distance);
}

static void a_gentle_river_has_a_floor(void **state) {
    (void)state;
    const double with = height_beside_river(gentle_valley, 0.6f, 3),
                 without = height_beside_river(gentle_valley, 0, 3);
    print_message("3 cells beside the river: %.3f cells, without deposition %.3f\n", with, without);
    assert_true(with < 0.3 * without && with > 0);
}

static void a_steep_river_has_hardly_any(void **state) {
    (void)state;
    const double with = height_beside_river(steep_valley, 0.6f, 3),
                 without = height_beside_river(steep_valley, 0, 3);
    print_message("3 cells beside the river: %.3f cells, without deposition %.3f\n", with, without);
    assert_true(with > 0.6 * without);
}

// A wide floor comes from a coarse level. Finer ones, whose deposits are narrower, put no hills on it again.
static void finer_levels_keep_floors(void **state) {
    (void)state;
    enum { FINER = 2, AWAY = 2 << FINER };
    for (uint32_t seed = 1; seed <= (UNDER_SANITIZERS ? 1 : 3); seed++) {
        const double with = height_beside_river_on(gentle_valley, 0.6f, seed, LEVEL + FINER, AWAY),
                     without = height_beside_river_on(gentle_valley, 0, seed, LEVEL + FINER, AWAY);
        print_message("%d cells beside it, %d levels on: %.3f cells, without deposition %.3f\n", AWAY, FINER,
                      with, without);
        assert_true(with < 0.15 * without);
    }
}

// --- the shore --------------------------------------------------------------------------------------------

// A gentle coast with a bay every 12 cells.
static float coast(float x, float y) {
    return 0.1f * (x - SIDE / 2.0f) + 0.15f * (fabsf(fmodf(y, 12) - 6) - 3);
}

static bool is_water(const LandWindow *window, int cell) {
    return window->base + window->altitude[cell] < 0;
}

// Seeds of coasts, since one's shore and deltas say little.
enum { COASTS = UNDER_SANITIZERS ? 2 : 8 };

static double height_of_shore(const LandWindow *window) {
    double sum = 0;
    int count = 0;
    for (int y = 1; y < WINDOW - 1; y++)
        for (int x = 1; x < WINDOW - 1; x++) {
            const int cell = y * WINDOW + x;
            if (is_water(window, cell) || (!is_water(window, cell - 1) && !is_water(window, cell - WINDOW) &&
                                           !is_water(window, cell + 1) && !is_water(window, cell + WINDOW)))
                continue;
            sum += (double)(window->base + window->altitude[cell]) / ldexp(1, land_rules_default.unit_bits);
            count++;
        }
    assert_true(count > 100);
    return sum / count;
}

static bool drains_much_near(const LandWindow *window, int x, int y) {
    float most = 0;
    for (int row = max(y - 5, 0); row <= min(y + 5, WINDOW - 1); row++)
        for (int column = max(x - 5, 0); column <= min(x + 5, WINDOW - 1); column++)
            most = max(most, window->area[row * WINDOW + column]);
    return most >= 200;
}

// Land near the mouths of rivers, in cells that are sea without them.
static void count_deltas(const LandWindow *with, const LandWindow *without, int *won, int *lost) {
    for (int cell = 0; cell < WINDOW * WINDOW; cell++) {
        if (is_water(with, cell) == is_water(without, cell) ||
            !drains_much_near(without, cell % WINDOW, cell / WINDOW))
            continue;
        *won += is_water(without, cell);
        *lost += is_water(with, cell);
    }
}

static void coasts_have_beaches_and_deltas(void **state) {
    (void)state;
    double low = 0, high = 0;
    int won = 0, lost = 0;
    for (uint32_t seed = 1; seed <= COASTS; seed++) {
        LandWindow with = window_of_seed(coast, 0.6f, seed), without = window_of_seed(coast, 0, seed);
        low += height_of_shore(&with) / COASTS;
        high += height_of_shore(&without) / COASTS;
        count_deltas(&with, &without, &won, &lost);
        land_window_free(&with);
        land_window_free(&without);
    }
    print_message("the shore is %.4f cells high, without deposition %.4f\n", low, high);
    print_message("%d cells of delta, %d drowned\n", won, lost);
    assert_true(low < 0.8 * high);
    assert_true(won > 50 * COASTS && lost < won / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gentle_river_has_a_floor),
        cmocka_unit_test(finer_levels_keep_floors),
        cmocka_unit_test(a_steep_river_has_hardly_any),
        cmocka_unit_test(coasts_have_beaches_and_deltas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
