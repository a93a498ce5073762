// Lakes against drops of rain that run down one by one.

#include "support.h"

#include "core/memory.h"
#include "operations.h"
#include "water/depressions.h"
#include "water/drainage.h"

#include <math.h>

enum { LENGTH = 41 };

_Alignas(64) static unsigned char params[16384];

static void run_lakes(const Field *height, double rain, double evaporation, const Field *map,
                      Output *outputs) {
    Error error;
    params_initialise(&op_lakes, params);
    assert_ok(param_set_number(operation_param(&op_lakes, "rain"), params, rain, &error), error);
    assert_ok(param_set_number(operation_param(&op_lakes, "evaporation"), params, evaporation, &error),
              error);
    *(const Field **)(void *)(params + operation_param(&op_lakes, "rain_map")->offset) = map;
    assert_ok(run_operation(&op_lakes, (Call){ .inputs = { { .field = height } } }, params, outputs, &error),
              error);
}

static Field land(int width, int height, uint64_t seed) {
    return run_field(&op_diamond_square, (Call){ .width = width, .height = height, .seed = seed }, NULL);
}

// A gorge from left to right, whose walls hold all water, with pits and spills on its ground.
static Field gorge(uint64_t seed) {
    Field field = noise_field(LENGTH, 5, seed);
    for (int x = 0; x < LENGTH; x++) {
        field_row(&field, 0)[x] = field_row(&field, 4)[x] = 6;
        field_row(&field, 1)[x] = field_row(&field, 3)[x] = 5;
        field_row(&field, 2)[x] = 0.2f + 0.8f * field_row(&field, 2)[x] + 0.5f * (float)(x * 37 % 11) / 11;
    }
    return field;
}

static bool is_pit(const Field *height, int x) {
    const float *row = field_row(height, 2);
    return x > 0 && x < LENGTH - 1 && row[x] < row[x - 1] && row[x] < row[x + 1];
}

// Drops that fall into pits run to the lowest surface beside them until there is none lower. There they
// evaporate until the cell has lost its share, then they stay. Both ends swallow all.
static void rain_in_drops(const Field *height, const Field *map, double evaporation, double drop,
                          double *surface) {
    double debt[LENGTH];
    for (int x = 0; x < LENGTH; x++) {
        surface[x] = (double)field_row(height, 2)[x];
        debt[x] = evaporation;
    }
    for (int round = 0; round < 1000; round++)
        for (int x = 0; x < LENGTH; x++)
            for (int left = (int)field_row(map, 2)[x]; left > 0; left--) {
                int at, lowest = x;
                do {
                    at = lowest;
                    lowest = at > 0 && surface[at - 1] < surface[lowest] ? at - 1 : lowest;
                    lowest = at < LENGTH - 1 && surface[at + 1] < surface[lowest] ? at + 1 : lowest;
                } while (lowest != at && lowest != 0 && lowest != LENGTH - 1);
                if (lowest != at)
                    continue;
                if (debt[at] > drop / 2)
                    debt[at] -= drop;
                else
                    surface[at] += drop;
            }
}

static void drops_make_the_same_lakes(void **state) {
    (void)state;
    const double drop = 1e-4;
    size_t wet = 0, below = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        Field height = gorge(seed), map = gorge(seed);
        Field full = run_field(&op_fill, (Call){ .inputs = { { .field = &height } } }, NULL);
        Output outputs[OUTPUTS_MAX];
        double surface[LENGTH];
        const double evaporation = seed % 2 ? 0 : 0.2;
        for (int y = 0; y < 5; y++)
            for (int x = 0; x < LENGTH; x++)
                field_row(&map, y)[x] = y == 2 && is_pit(&height, x) ? (float)((x * 13 + (int)seed) % 23) : 0;
        run_lakes(&height, 1000 * drop, evaporation, &map, outputs);
        rain_in_drops(&height, &map, evaporation, drop, surface);
        for (int x = 1; x < LENGTH - 1; x++) {
            const float own = field_row(&height, 2)[x], level = field_row(&outputs[0].field, 2)[x];
            assert_near((double)level, surface[x], 30 * drop);
            assert_true((field_row(&outputs[1].field, 2)[x] > 0) == (level > own));
            wet += level > own;
            below += level > own && level < field_row(&full, 2)[x];
        }
        outputs_free(outputs);
        field_free(&full);
        field_free(&map);
        field_free(&height);
    }
    assert_true(wet > 100 && below > 30);
}

static void no_water_is_lost(void **state) {
    (void)state;
    static const double evaporations[] = { 0, 1e-3, 0.05, 2 };
    for (uint64_t seed = 1; seed <= 12; seed++)
        for (int i = 0; i < 4; i++) {
            Field height = land(120, 70, seed), map = noise_field(120, 70, seed);
            if (seed % 3 == 0) // flats and ties
                for (size_t k = 0; k < field_count(&height); k++)
                    field_cells(&height)[k] = floorf(height.cells[k] * 30) / 30;
            Output outputs[OUTPUTS_MAX];
            run_lakes(&height, 0.02, evaporations[i], &map, outputs);
            const double found = outputs[3].number + outputs[4].number + outputs[5].number;
            double fallen = 0, stored = 0;
            for (size_t k = 0; k < field_count(&map); k++) {
                fallen += 0.02 * (double)map.cells[k];
                stored += (double)outputs[0].field.cells[k] - (double)height.cells[k];
            }
            assert_near(found, fallen, 1e-9 * fallen);
            assert_near(outputs[3].number, stored, 1e-4 * fallen);
            assert_true(outputs[4].number >= -1e-9 * fallen && (i > 0) == (outputs[4].number > 0));
            outputs_free(outputs);
            field_free(&map);
            field_free(&height);
        }
}

static void much_rain_fills_all_pits(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        Field height = land(90, 130, seed);
        Field full = run_field(&op_fill, (Call){ .inputs = { { .field = &height } } }, NULL);
        Output outputs[OUTPUTS_MAX];
        run_lakes(&height, 1000, 0.1, NULL, outputs);
        assert_same_bits(&outputs[0].field, &full);
        size_t spilling = 0;
        float lakes = 0;
        for (size_t i = 0; i < field_count(&height); i++) {
            const float number = outputs[2].field.cells[i];
            lakes = fmaxf(outputs[1].field.cells[i], lakes);
            spilling += number > 0;
            bool beside = number == 0;
            for (int k = 0; k < NEIGHBOURS && !beside; k++)
                if (within_field(&height, (int)(i % 90) + neighbour_x[k], (int)(i / 90) + neighbour_y[k])) {
                    const size_t to = neighbour_of(&height, i, k);
                    beside = outputs[1].field.cells[to] == number && full.cells[to] >= height.cells[i];
                }
            assert_true(beside || outputs[1].field.cells[i] == number);
        }
        assert_true(lakes > 20 && spilling > 0 && (float)spilling <= lakes);
        outputs_free(outputs);
        field_free(&full);
        field_free(&height);
    }
}

// Land in steps, of several bands of rows, whose rims are often equal: lakes are those of a program that went
// through all cells in order, whatever the number of threads.
static void bands_change_nothing(void **state) {
    (void)state;
    static const int threads[] = { 1, 2, 3, 7 };
    Field height = noise_field(900, 1000, 11);
    for (size_t i = 0; i < field_count(&height); i++)
        field_cells(&height)[i] = (float)(int)(height.cells[i] * 64);
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        static const int fields[] = { 0, 1, 2, 6 };
        Output outputs[OUTPUTS_MAX];
        Error error;
        params_initialise(&op_lakes, params);
        assert_ok(param_set_number(operation_param(&op_lakes, "rain"), params, 2, &error), error);
        assert_ok(param_set_number(operation_param(&op_lakes, "evaporation"), params, 3, &error), error);
        const Call call = { .inputs = { { .field = &height } }, .run = &on_threads(threads[t]) };
        assert_ok(run_operation(&op_lakes, call, params, outputs, &error), error);
        uint64_t hash = 0;
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            hash = mix64(hash ^ field_hash(&outputs[fields[i]].field));
        for (int i = 3; i < 6; i++)
            hash = mix_number(hash, outputs[i].number);
        assert_int_equal(hash, UINT64_C(0x2b6e84248cc2ea16));
        outputs_free(outputs);
    }
    field_free(&height);
}

// Two bowls through all bands; sums of such heights depend on their order.
static Field two_bowls(void) {
    Field height = noise_field(900, 1000, 12);
    for (int y = 0; y < height.height; y++)
        for (int x = 0; x < height.width; x++) {
            const float across = (float)(x % 450 - 225) / 225, along = (float)(y - 500) / 500;
            const float deep = across * across + along * along;
            field_row(&height, y)[x] = deep * deep * deep + 1e-7f * field_row(&height, y)[x];
        }
    return height;
}

// Heights of a depression are added up in the order of cells, on any number of threads.
static void sums_have_one_order(void **state) {
    (void)state;
    static const int threads[] = { 1, 2, 3, 7 };
    Field height = two_bowls();
    parallel_every_row(true);
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        Depressions all = { .height = &height, .sea = -1 };
        Error error;
        assert_ok(depressions_find(&on_threads(threads[t]), &all, &error), error);
        double *sums = memory_new_zeroed(all.count, sizeof *sums, &error);
        uint32_t *own = memory_new_zeroed(all.count, sizeof *own, &error), shared = 0;
        int *last = memory_new(all.count, sizeof *last, &error);
        for (int band = 0; band < all.own.bands.count; band++)
            for (size_t i = own_first(&all, band); i < own_first(&all, band) + all.own.count[band]; i++) {
                const uint32_t at = all.own.depression[i];
                sums[at] += (double)height.cells[all.own.cell[i]];
                shared += own[at]++ > 0 && last[at] != band;
                last[at] = band;
            }
        for (uint32_t i = 1; i < all.count; i++)
            if (all.at[i].parent != NO_DEPRESSION)
                sums[all.at[i].parent] += sums[i];
        for (uint32_t i = 1; i < all.count; i++) {
            assert_int_equal(own[i], all.at[i].own);
            assert_true(sums[i] == all.at[i].sum);
        }
        assert_true(all.own.bands.count > 2 && shared > 0);
        memory_free(last);
        memory_free(sums);
        memory_free(own);
        depressions_free(&all);
    }
    parallel_every_row(false);
    field_free(&height);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drops_make_the_same_lakes), cmocka_unit_test(no_water_is_lost),
        cmocka_unit_test(much_rain_fills_all_pits),  cmocka_unit_test(bands_change_nothing),
        cmocka_unit_test(sums_have_one_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
