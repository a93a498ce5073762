// Climate: rain falls where winds rise, mirrored worlds have mirrored climates, planets have no seam, and
// whatever is allowed gives finite numbers.

#include "support.h"

#include "climate/climate.h"

#include <math.h>

enum { SIDE = 64 };

// Sea in the west, a range in the middle.
static float range_land(int x) {
    return x < SIDE / 4 ? -500.0f : x >= SIDE / 2 - 3 && x < SIDE / 2 + 3 ? 2000.0f : 150.0f;
}

typedef struct World {
    int width, height;
    bool round;
    double side;
    ClimateRules rules;
    float *heights;
} World;

static World world_of(int width, int height, float (*land)(int x)) {
    World world = { .width = width, .height = height, .side = 3e6, .rules = climate_rules_default };
    world.rules.south = 30;
    world.rules.north = 60;
    world.heights = test_malloc((size_t)width * (size_t)height * sizeof(float));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            world.heights[y * width + x] = land(x);
    return world;
}

static Climate *climate_of(const World *world, int threads) {
    const ClimateGround ground = { world->width, world->height, world->heights, world->side / world->width,
                                   world->round };
    Status status;
    Error error;
    Climate *climate = climate_create(&ground, &world->rules, &on_threads(threads), &status, &error);
    assert_ok(status, error);
    return climate;
}

static Air air_at(const Climate *climate, const World *world, int x, int y) {
    return climate_at(climate, (x + 0.5) / world->width, (y + 0.5) / world->height,
                      world->heights[y * world->width + x]);
}

// -----------------------------------------------------------------------------------------------------------

static void threads_agree(void **state) {
    (void)state;
    World world = world_of(SIDE, SIDE, range_land);
    Climate *one = climate_of(&world, 1), *many = climate_of(&world, 8);
    assert_memory_equal(one->cells, many->cells, CLIMATE_LAYERS * SIDE * SIDE * sizeof(float));
    memory_free(one);
    memory_free(many);
    test_free(world.heights);
}

static void the_lee_is_drier_than_the_windward_side(void **state) {
    (void)state;
    World world = world_of(SIDE, SIDE, range_land);
    world.rules.belts = false;
    world.rules.east = 8;
    Climate *climate = climate_of(&world, 2);
    for (int y = 8; y < SIDE - 8; y++) {
        const Air windward = air_at(climate, &world, SIDE / 2 - 4, y),
                  lee = air_at(climate, &world, SIDE / 2 + 4, y),
                  before = air_at(climate, &world, SIDE / 4 + 4, y);
        assert_true(windward.rain > 2 * lee.rain);
        assert_true(before.rain > lee.rain);
    }
    memory_free(climate);
    test_free(world.heights);
}

static void mirrored_wind_gives_mirrored_rain(void **state) {
    (void)state;
    World world = world_of(SIDE, SIDE, range_land), mirrored = world_of(SIDE, SIDE, range_land);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            mirrored.heights[y * SIDE + x] = world.heights[y * SIDE + SIDE - 1 - x];
    world.rules.belts = mirrored.rules.belts = false;
    world.rules.northward = mirrored.rules.northward = 2;
    world.rules.east = 8;
    mirrored.rules.east = -8;
    Climate *of_west = climate_of(&world, 2), *of_east = climate_of(&mirrored, 2);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const Air west = air_at(of_west, &world, x, y),
                      east = air_at(of_east, &mirrored, SIDE - 1 - x, y);
            assert_near((double)east.rain, (double)west.rain, 1e-3 * (double)west.rain);
            assert_near((double)east.temperature, (double)west.temperature, 1e-3);
        }
    memory_free(of_west);
    memory_free(of_east);
    test_free(world.heights);
    test_free(mirrored.heights);
}

// --- planets -----------------------------------------------------------------------------------------------

enum { ROUND = 2 * SIDE };

static float continents(int x) {
    return (x / 16) % 2 ? 400.0f : -2000.0f;
}

static World planet(void) {
    World world = world_of(ROUND, SIDE, continents);
    world.round = true;
    world.side = 4e7;
    world.rules.south = -90;
    world.rules.north = 90;
    return world;
}

static void turned_planets_have_the_same_climate(void **state) {
    (void)state;
    enum { BY = 40 };
    World world = planet(), turned = planet();
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < ROUND; x++) {
            world.heights[y * ROUND + x] = continents(x) + (float)(10 * (y % 7));
            turned.heights[y * ROUND + (x + BY) % ROUND] = world.heights[y * ROUND + x];
        }
    Climate *first = climate_of(&world, 2), *second = climate_of(&turned, 2);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < ROUND; x++) {
            const Air here = air_at(first, &world, x, y),
                      there = air_at(second, &turned, (x + BY) % ROUND, y);
            assert_near((double)there.rain, (double)here.rain, 2e-3 * (double)here.rain + 0.1);
            assert_near((double)there.temperature, (double)here.temperature, 2e-3);
        }
    memory_free(first);
    memory_free(second);
    test_free(world.heights);
    test_free(turned.heights);
}

static void both_halves_of_a_planet_are_alike(void **state) {
    (void)state;
    World world = planet();
    Climate *climate = climate_of(&world, 2);
    for (int y = 0; y < SIDE / 2; y++)
        for (int x = 0; x < ROUND; x += 5) {
            const Air north = air_at(climate, &world, x, y), south = air_at(climate, &world, x, SIDE - 1 - y);
            assert_near((double)south.rain, (double)north.rain, 0.01 * (double)north.rain + 0.1);
            assert_near((double)south.summer, (double)north.summer, 0.01 * (double)north.summer + 0.1);
            assert_near((double)south.temperature, (double)north.temperature, 0.01);
        }
    memory_free(climate);
    test_free(world.heights);
}

// Land rain and temperatures by latitude as on the earth, within wide limits.
static void totals_are_the_earths(void **state) {
    (void)state;
    World world = planet();
    Climate *climate = climate_of(&world, 2);
    double rain = 0, runoff = 0, area = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < ROUND; x++) {
            const Air air = air_at(climate, &world, x, y);
            const double part = cos((90 - (y + 0.5) * 180 / SIDE) * 3.14159265358979 / 180);
            if (world.heights[y * ROUND + x] < 0)
                continue;
            area += part;
            rain += part * (double)air.rain;
            runoff += part * (double)(air.rain - air.evaporation);
        }
    assert_true(rain / area > 500 && rain / area < 1200);
    assert_true(runoff / area > 100 && runoff / area < 500);
    const Air equator = air_at(climate, &world, 20, SIDE / 2), pole = air_at(climate, &world, 20, 0);
    assert_true(equator.temperature > 22 && equator.temperature < 32);
    assert_true(pole.temperature < -10 && pole.half_range > 2 * equator.half_range);
    memory_free(climate);
    test_free(world.heights);
}

// --- what is allowed ---------------------------------------------------------------------------------------

static float all_sea(int x) {
    (void)x;
    return -100;
}

static float all_land(int x) {
    (void)x;
    return 3000;
}

static float peaks(int x) {
    return x % 2 ? 4e7f : -1e6f;
}

static void check_world(const World *world) {
    Climate *climate = climate_of(world, 2);
    for (int y = -1; y <= world->height; y++)
        for (int x = -1; x <= world->width; x++) {
            const Air air = climate_at(climate, (x + 0.5) / world->width, (y + 0.5) / world->height, 100);
            assert_true(isfinite(air.temperature) && isfinite(air.half_range) && isfinite(air.rain));
            assert_true(air.half_range >= 0 && air.rain >= 0 && air.winter >= 0 && air.summer >= 0);
            assert_true(air.evaporation >= 0 && air.evaporation <= air.rain && air.rain < 1e6f);
            const int class = koppen_class(&air);
            assert_true(class >= 1 && class <= KOPPEN_CLASSES);
            if (world->rules.rain == 0)
                assert_true(air.rain == 0 && class >= 4);
        }
    memory_free(climate);
}

static void all_worlds_have_a_climate(void **state) {
    (void)state;
    float (*const lands[])(int x) = { range_land, all_sea, all_land, peaks };
    const double winds[][2] = { { 0, 0 }, { 50, -50 }, { 0, 3 } };
    for (size_t i = 0; i < sizeof lands / sizeof *lands; i++)
        for (int small = 0; small < 2; small++) {
            World world = world_of(small ? 2 : SIDE, small ? 2 : SIDE, lands[i]);
            check_world(&world);
            world.side = 1;
            world.rules.south = -90;
            world.rules.north = 90;
            check_world(&world);
            world.side = 4e8;
            check_world(&world);
            world.round = true;
            world.rules.tilt = 45;
            world.rules.temperature = 100;
            check_world(&world);
            world.rules.temperature = -100;
            world.rules.tilt = 0;
            check_world(&world);
            world.round = false;
            world.rules.belts = false;
            world.rules.south = world.rules.north = 45;
            world.rules.lift = 2;
            for (size_t wind = 0; wind < sizeof winds / sizeof *winds; wind++) {
                world.rules.east = winds[wind][0];
                world.rules.northward = winds[wind][1];
                check_world(&world);
            }
            world.rules.rain = 0;
            check_world(&world);
            test_free(world.heights);
        }
}

static void failing_memory_is_an_error(void **state) {
    (void)state;
    World world = world_of(8, 8, range_land);
    const ClimateGround ground = { 8, 8, world.heights, 1e4, false };
    const size_t before = memory_in_use();
    Status status = STATUS_MEMORY;
    Error error;
    for (long successes = 0; status == STATUS_MEMORY; successes++) {
        memory_fail_after(successes);
        memory_free(climate_create(&ground, &world.rules, &on_threads(1), &status, &error));
        memory_fail_after(-1);
        assert_int_equal(memory_in_use(), before);
        assert_true(status == STATUS_MEMORY || successes > 10);
    }
    assert_ok(status, error);
    test_free(world.heights);
}

static void heights_cool(void **state) {
    (void)state;
    World world = world_of(SIDE, SIDE, range_land);
    Climate *climate = climate_of(&world, 2);
    const Air low = climate_at(climate, 0.7, 0.3, 0), high = climate_at(climate, 0.7, 0.3, 1000);
    assert_near((double)(low.temperature - high.temperature), 5.7, 1e-3);
    assert_true(high.evaporation < low.evaporation && high.rain == low.rain);
    memory_free(climate);
    test_free(world.heights);
}

static void koppen_knows_classes(void **state) {
    (void)state;
    const struct {
        const char *name;
        Air air; // temperature, half range, rain; winter and summer
    } known[] = {
        { "Af", { 27, 1, 2500, .winter = 2400, .summer = 2600 } },
        { "Am", { 27, 1, 2600, .winter = 600, .summer = 4600 } },
        { "Aw", { 27, 2, 1300, .winter = 100, .summer = 2500 } },
        { "BWh", { 25, 9, 60, .winter = 60, .summer = 60 } },
        { "BWk", { 8, 15, 80, .winter = 60, .summer = 100 } },
        { "BSh", { 26, 5, 450, .winter = 300, .summer = 600 } },
        { "BSk", { 9, 13, 270, .winter = 200, .summer = 340 } },
        { "Csa", { 17, 8, 800, .winter = 1400, .summer = 200 } },
        { "Csb", { 13, 6, 700, .winter = 1200, .summer = 200 } },
        { "Cwa", { 20, 9, 1200, .winter = 150, .summer = 2400 } },
        { "Cfa", { 17, 11, 1200, .winter = 1000, .summer = 1400 } },
        { "Cfb", { 10, 7, 700, .winter = 700, .summer = 700 } },
        { "Cfc", { 6, 5, 900, .winter = 900, .summer = 800 } },
        { "Dfa", { 10, 14, 900, .winter = 700, .summer = 1100 } },
        { "Dfb", { 5, 14, 650, .winter = 500, .summer = 800 } },
        { "Dfc", { -1, 15, 500, .winter = 400, .summer = 600 } },
        { "Dfd", { -15, 29, 300, .winter = 200, .summer = 400 } },
        { "Dwb", { 3, 16, 600, .winter = 60, .summer = 1400 } },
        { "ET", { -8, 14, 200, .winter = 200, .summer = 200 } },
        { "EF", { -30, 18, 100, .winter = 100, .summer = 100 } },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_string_equal(koppen_names[koppen_class(&known[i].air)], known[i].name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_agree),
        cmocka_unit_test(the_lee_is_drier_than_the_windward_side),
        cmocka_unit_test(mirrored_wind_gives_mirrored_rain),
        cmocka_unit_test(turned_planets_have_the_same_climate),
        cmocka_unit_test(both_halves_of_a_planet_are_alike),
        cmocka_unit_test(totals_are_the_earths),
        cmocka_unit_test(all_worlds_have_a_climate),
        cmocka_unit_test(failing_memory_is_an_error),
        cmocka_unit_test(heights_cool),
        cmocka_unit_test(koppen_knows_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
