// Cover: what grows where it should, and shares that add up.

#include "support.h"

#include "climate/cover.h"
#include "climate/farmland.h"
#include "operations.h"
#include "rivermap/tiling.h"

#include <math.h>

static Air air_of(float temperature, float half_range, float rain) {
    return (Air){ .temperature = temperature,
                  .half_range = half_range,
                  .rain = rain,
                  .potential = HOLDRIDGE * (temperature > 0 ? temperature : 0),
                  .northern = true };
}

static void grounds_have_their_cover(void **state) {
    (void)state;
    enum { HALF = 50 }; // per cent
    const struct {
        Air air;
        CoverGround ground;
        int cover, biome;
    } known[] = {
        { air_of(26, 1, 2800), { .slope = 0.1f }, COVER_TREES, 12 },
        { air_of(25, 3, 700), { .slope = 0.1f }, COVER_GRASS, 10 },
        { air_of(9, 8, 700), { .slope = 0.05f, .farming.share = 1 }, COVER_CROPS, 5 },
        { air_of(9, 8, 900), { .slope = 0.5f, .farming = { .share = 1, .slope = 0.5f } }, COVER_TREES, 5 },
        { air_of(9, 8, 700), { .slope = 0.4f, .farming = { .share = 1, .parted = 1 } }, COVER_CROPS, 5 },
        { air_of(25, 9, 60), { .slope = 0.1f }, COVER_SAND, 9 },
        { air_of(9, 8, 900), { .slope = 0.2f }, COVER_TREES, 5 },
        { air_of(9, 13, 220), { .slope = 0.05f }, COVER_GRASS, 7 },
        { air_of(-2, 16, 500), { .slope = 0.1f }, COVER_TREES, 3 },
        { air_of(-9, 15, 250), { .slope = 0.02f }, COVER_GRASS, 2 },
        { air_of(-7, 7, 900), { .slope = 0.5f }, COVER_SNOW, 1 },
        { air_of(-25, 15, 100), { .slope = 0.02f }, COVER_ICE, 1 },
        { air_of(9, 8, 900), { .slope = 2 }, COVER_ROCK, 5 },
        { air_of(25, 9, 60), { .slope = 0.7f }, COVER_ROCK, 9 },
        { air_of(25, 3, 700), { .slope = 0.7f }, COVER_GRASS, 10 },
        { air_of(25, 9, 60), { .slope = 0.02f, .fresh = 1 }, COVER_TREES, 9 },
        { air_of(25, 9, 60), { .slope = 0.02f, .fresh = 1, .farming.share = 1 }, COVER_CROPS, 9 },
        { air_of(9, 8, 700), { .slope = 0.05f, .brook = 1, .farming.share = 1 }, COVER_TREES, 5 },
        { air_of(25, 9, 20), { .slope = 0.001f, .wet = 1 }, COVER_SALT, 9 },
        { air_of(5, 9, 1200), { .slope = 0.001f, .wet = 1 }, COVER_MARSH, 4 },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const Cover cover = cover_of(&known[i].air, &known[i].ground);
        if (!(cover.shares[known[i].cover] * 100 > HALF) || cover.biome != known[i].biome)
            fail_msg("place %zu: share %g, biome %d", i, (double)cover.shares[known[i].cover], cover.biome);
    }
}

// In random climates, on random ground.
static void shares_add_up(void **state) {
    (void)state;
    const RandomKey key = random_key(5, 0);
    for (uint32_t i = 0; i < 20000; i++) {
        const Air air = air_of(60 * random_signed(key, i, 0), 40 * random_unit(key, i, 1),
                               5000 * random_unit(key, i, 2) * random_unit(key, i, 3));
        const CoverGround ground = { .sea = i % 10 == 0,
                                     .slope = 3 * random_unit(key, i, 4) * random_unit(key, i, 5),
                                     .south = random_signed(key, i, 6),
                                     .wet = random_unit(key, i, 7),
                                     .fresh = random_unit(key, i, 16),
                                     .farming = { random_unit(key, i, 10), random_signed(key, i, 11),
                                                  random_unit(key, i, 12), random_unit(key, i, 13),
                                                  random_unit(key, i, 14), random_unit(key, i, 15) },
                                     .variety = 3 * random_signed(key, i, 8),
                                     .grain = 3 * random_signed(key, i, 9) };
        const Cover cover = cover_of(&air, &ground);
        double sum = 0;
        for (int k = 0; k < COVERS; k++) {
            assert_true(cover.shares[k] >= 0 && cover.shares[k] <= 1);
            sum += (double)cover.shares[k];
        }
        assert_true(cover.biome >= !ground.sea && cover.biome <= (ground.sea ? 0 : BIOMES));
        if (ground.sea)
            assert_true(sum == (double)cover.shares[COVER_ICE] && (double)cover.colour.alpha > 255 * sum - 1);
        else {
            assert_near(sum, 1, 1e-5);
            assert_int_equal(cover.colour.alpha, 255);
        }
    }
}

// Warm water has the palette's colour, cold water is greyer; ice lies where summers do not melt it, and in
// floes where only winters freeze the sea.
static void cold_seas_are_grey_or_frozen(void **state) {
    (void)state;
    const CoverGround sea = { .sea = true }, ridge = { .sea = true, .variety = 1.5f };
    const Air tropical = air_of(27, 1, 0), cold = air_of(4, 5, 0), winter = air_of(-6, 9, 0),
              arctic = air_of(-18, 14, 0);
    assert_int_equal(cover_of(&tropical, &ridge).colour.alpha, 0);
    const Cover water = cover_of(&cold, &ridge);
    assert_true(water.colour.alpha > 100 && water.colour.alpha < 200 && water.shares[COVER_ICE] == 0);
    const float open = cover_of(&winter, &sea).shares[COVER_ICE],
                floe = cover_of(&winter, &ridge).shares[COVER_ICE];
    assert_true(open < 0.5f && floe > 0.9f);
    assert_true(cover_of(&arctic, &sea).shares[COVER_ICE] > 0.99f);
}

// South of the equator the sun stands in the north: `south` is already what faces it.
static void sunny_slopes_are_warmer(void **state) {
    (void)state;
    const Air air = air_of(-1, 10, 900);
    const CoverGround sunny = { .slope = 0.4f, .south = 0.4f }, shady = { .slope = 0.4f, .south = -0.4f };
    assert_true(cover_of(&air, &sunny).shares[COVER_TREES] > cover_of(&air, &shady).shares[COVER_TREES]);
}

// With the map's land and climate there already, nothing stays behind.
static void failing_memory_is_an_error(void **state) {
    (void)state;
    static const Operation *const operations[2] = { &op_climate, &op_cover };
    Output map[OUTPUTS_MAX], outputs[OUTPUTS_MAX];
    Error error;
    assert_ok(run_operation(&op_river_map, (Call){ .seed = 2 }, NULL, map, &error), error);
    for (size_t i = 0; i < 2; i++) {
        const Call call = { .inputs = { { .value = map[0].value, .type = &type_map } },
                            .width = 8,
                            .height = 8 };
        assert_ok(run_operation(operations[i], call, NULL, outputs, &error), error);
        outputs_free(outputs);
        const size_t before = memory_in_use();
        Status status = STATUS_MEMORY;
        for (long successes = 0; status == STATUS_MEMORY; successes++) {
            memory_fail_after(successes);
            status = run_operation(operations[i], call, NULL, outputs, &error);
            memory_fail_after(-1);
            outputs_free(outputs);
            assert_int_equal(memory_in_use(), before);
            assert_true(status == STATUS_MEMORY || successes > 10);
        }
        assert_ok(status, error);
    }
    outputs_free(map);
}

// A plain of one climate would be one green.
static void cold_forests_have_stands(void **state) {
    (void)state;
    const Air cold = air_of(2, 13, 800), warm = air_of(26, 1, 2800);
    int apart[2];
    for (int i = 0; i < 2; i++) {
        const Air *air = i ? &warm : &cold;
        const Cover light = cover_of(air, &(CoverGround){ .slope = 0.02f, .variety = 1 }),
                    dark = cover_of(air, &(CoverGround){ .slope = 0.02f, .variety = -1 });
        assert_true(light.shares[COVER_TREES] > 0.9f && dark.shares[COVER_TREES] > 0.9f);
        apart[i] = light.colour.green - dark.colour.green;
    }
    assert_true(apart[0] > 35 && apart[0] > 2 * apart[1]);
}

// Larches of a land with a mean of -8 °C are green, not as grey as its winter.
static void forests_of_cold_winters_are_green(void **state) {
    (void)state;
    const Air air = air_of(-8, 20, 300);
    const Cover cover = cover_of(&air, &(CoverGround){ .slope = 0.02f });
    assert_true(cover.shares[COVER_TREES] > 0.9f);
    assert_true(cover.colour.green > cover.colour.red + 15 && cover.colour.green > cover.colour.blue + 35);
}

// Beds in meadows are pebbles, in deserts bright sand.
static void beds_are_as_bright_as_their_land_is_dry(void **state) {
    (void)state;
    const Air wet = air_of(9, 8, 900), dry = air_of(25, 9, 60);
    const CoverGround bed = { .slope = 0.02f, .bed = 1 };
    assert_true(cover_of(&dry, &bed).colour.red > cover_of(&wet, &bed).colour.red + 50);
}

// Hot deserts redden; the dry ground of the Arctic is grey, neither that nor a meadow.
static void dry_cold_ground_is_grey(void **state) {
    (void)state;
    const Air arctic = air_of(-16, 20, 30), coast = air_of(-6, 12, 70), desert = air_of(25, 9, 60);
    const CoverGround cliff = { .slope = 2, .soil = 1 }, level = { .slope = 0.02f };
    const Pixel rock = cover_of(&arctic, &cliff).colour, red = cover_of(&desert, &cliff).colour,
                tundra = cover_of(&coast, &level).colour;
    assert_true(rock.red - rock.blue < 35 && red.red - red.blue > 40);
    assert_true(tundra.green < tundra.red + 2);
}

// Along a line parcels change about as often as they are wide, and each change is at an edge.
static void parcels_have_edges(void **state) {
    (void)state;
    enum { STEPS = 40000 };
    const RandomKey key = random_key(3, 0);
    for (int planet = 0; planet < 2; planet++) {
        int parcels = 0;
        double chosen = 0;
        Parcel before = { 0 };
        for (int i = 0; i < STEPS; i++) { // a metre each
            const Parcel parcel = parcel_at(key, (Vec3){ 1e6 + i, 2e6 + 0.3 * i, planet * 5e6 }, planet);
            assert_true(parcel.edge >= 0 && parcel.edge < 2 * PARCEL_METRES);
            if (parcel.chosen != before.chosen || parcel.use != before.use) {
                assert_true(i == 0 || (parcel.edge < 2 && before.edge < 2));
                parcels++;
                chosen += (double)parcel.chosen;
            } else {
                assert_memory_equal(&parcel.middle, &before.middle, sizeof parcel.middle);
            }
            if (!planet) { // those at the edges of regions are cut
                const Vec3 off = vec3_minus(parcel.middle, (Vec3){ 1e6 + i, 2e6 + 0.3 * i, 0 });
                assert_true(vec3_dot(off, off) < 500.0 * 500);
            }
            before = parcel;
        }
        assert_true(parcels > STEPS / 300 && parcels < STEPS / 80);
        assert_near(chosen / parcels, 0.5, 0.1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(grounds_have_their_cover),
                                        cmocka_unit_test(shares_add_up),
                                        cmocka_unit_test(cold_forests_have_stands),
                                        cmocka_unit_test(parcels_have_edges),
                                        cmocka_unit_test(forests_of_cold_winters_are_green),
                                        cmocka_unit_test(beds_are_as_bright_as_their_land_is_dry),
                                        cmocka_unit_test(sunny_slopes_are_warmer),
                                        cmocka_unit_test(cold_seas_are_grey_or_frozen),
                                        cmocka_unit_test(dry_cold_ground_is_grey),
                                        cmocka_unit_test(failing_memory_is_an_error) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
