// Filling pits and water running down, against slow and plain ways to find the same.

#include "rivers/invariants.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "operations.h"
#include "rivers/network.h"
#include "water/cell_queue.h"
#include "water/flow.h"

#include <float.h>
#include <math.h>

_Alignas(64) static unsigned char params[16384];

static void *with(const Operation *operation, const char *name, double value) {
    Error error;
    params_initialise(operation, params);
    if (name)
        assert_ok(param_set_number(operation_param(operation, name), params, value, &error), error);
    return params;
}

static void *with_text(const Operation *operation, const char *name, const char *text) {
    Error error;
    params_initialise(operation, params);
    assert_ok(param_set_text(operation_param(operation, name), params, text, &error), error);
    return params;
}

// Some land with pits, flats and a sea.
static Field land(uint64_t seed) {
    Field field = noise_field(61, 47, seed);
    for (size_t i = 0; i < field_count(&field); i++) {
        const float height = field.cells[i] - 0.15f;
        field_cells(&field)[i] = height > 0.3f && height < 0.4f ? 0.35f : height;
    }
    return field;
}

static bool is_border(const Field *field, int x, int y) {
    return x == 0 || y == 0 || x == field->width - 1 || y == field->height - 1;
}

static bool inside(const Field *field, int x, int y) {
    return x >= 0 && y >= 0 && x < field->width && y < field->height;
}

// Planchon and Darboux 2002: everything under water, which then runs off.
static Field filled_slowly(const Field *height) {
    Field filled;
    Error error;
    assert_ok(field_create(&filled, height->width, height->height, &error), error);
    for (int y = 0; y < height->height; y++)
        for (int x = 0; x < height->width; x++) {
            const float own = field_row(height, y)[x];
            field_row(&filled, y)[x] = is_border(height, x, y) || own < 0 ? own : FLT_MAX;
        }
    for (bool changed = true; changed;) {
        changed = false;
        for (int y = 0; y < height->height; y++)
            for (int x = 0; x < height->width; x++)
                for (int i = 0; i < NEIGHBOURS; i++) {
                    const int from_x = x + neighbour_x[i], from_y = y + neighbour_y[i];
                    if (!inside(height, from_x, from_y))
                        continue;
                    const float own = field_row(height, y)[x], level = field_row(&filled, from_y)[from_x];
                    const float to = own > level ? own : level;
                    if (to < field_row(&filled, y)[x] && own >= 0) {
                        field_row(&filled, y)[x] = to;
                        changed = true;
                    }
                }
    }
    return filled;
}

static void fill_raises_no_more_than_it_must(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        Field height = land(seed), slow = filled_slowly(&height);
        Field filled = run_field(&op_fill, (Call){ .inputs = { { .field = &height } } }, NULL);
        assert_same_bits(&filled, &slow);
        field_free(&filled);
        field_free(&slow);
        field_free(&height);
    }
}

// At heights of 3000, too, where a float holds no step of 0.0001.
static void fill_with_a_slope_leaves_no_flat(void **state) {
    (void)state;
    for (int high = 0; high < 2; high++) {
        Field height = land(3);
        for (size_t i = 0; i < field_count(&height) && high; i++)
            field_cells(&height)[i] = 3000 + floorf(height.cells[i] * 5);
        Field filled =
            run_field(&op_fill, (Call){ .inputs = { { .field = &height } } }, with(&op_fill, "slope", 0.005));
        for (int y = 1; y < height.height - 1; y++)
            for (int x = 1; x < height.width - 1; x++) {
                const float level = field_row(&filled, y)[x];
                bool falls = field_row(&height, y)[x] < 0;
                for (int i = 0; i < NEIGHBOURS; i++)
                    falls = falls || field_row(&filled, y + neighbour_y[i])[x + neighbour_x[i]] < level;
                assert_true(falls);
                assert_true(level >= field_row(&height, y)[x]);
            }
        field_free(&filled);
        field_free(&height);
    }
}

// The least surface by its definition: levels are lowered, from everything under water, until none changes.
static Field sloped_slowly(const Field *height, float slope) {
    Field filled;
    Error error;
    assert_ok(field_create(&filled, height->width, height->height, &error), error);
    for (int y = 0; y < height->height; y++)
        for (int x = 0; x < height->width; x++) {
            const float own = field_row(height, y)[x];
            field_row(&filled, y)[x] = is_border(height, x, y) || own < 0 ? own : FLT_MAX;
        }
    for (bool changed = true; changed;) {
        changed = false;
        for (int y = 1; y < height->height - 1; y++)
            for (int x = 1; x < height->width - 1; x++) {
                const float own = field_row(height, y)[x];
                float *level = &field_row(&filled, y)[x];
                for (int i = 0; i < NEIGHBOURS; i++) {
                    const float from = field_row(&filled, y + neighbour_y[i])[x + neighbour_x[i]];
                    const float to = fmaxf(own, from + slope / inverse_distance[i]);
                    changed = changed || to < *level;
                    *level = fminf(*level, to);
                }
            }
    }
    return filled;
}

static void fill_with_a_slope_is_the_least_surface(void **state) {
    (void)state;
    static const double slopes[] = { 0.01, 1, 8 };
    for (uint64_t seed = 1; seed <= 4; seed++)
        for (size_t k = 0; k < sizeof slopes / sizeof *slopes; k++) {
            Field height = land(seed);
            for (size_t i = 0; i < field_count(&height) && seed > 2; i++)
                field_cells(&height)[i] = floorf(height.cells[i] * 12) / 12; // many equal levels
            Field slow = sloped_slowly(&height, (float)(slopes[k] / field_side(&height)));
            Field filled = run_field(&op_fill, (Call){ .inputs = { { .field = &height } } },
                                     with(&op_fill, "slope", slopes[k]));
            assert_same_bits(&filled, &slow);
            field_free(&filled);
            field_free(&slow);
            field_free(&height);
        }
}

// Priority-flood with one heap (Barnes, Lehman and Mulla 2014, algorithm 2).
static Field filled_slowly_in_one(const Field *height) {
    Queue shore = { 0 };
    Field filled;
    Error error;
    bool *seen = test_calloc(field_count(height), 1);
    assert_ok(field_create(&filled, height->width, height->height, &error), error);
    for (int y = 0; y < height->height; y++)
        for (int x = 0; x < height->width; x++) {
            const size_t cell = (size_t)y * (size_t)height->width + (size_t)x;
            seen[cell] = is_border(height, x, y) || height->cells[cell] < 0;
            field_cells(&filled)[cell] = height->cells[cell];
            assert_true(!seen[cell] || heap_add(&shore, waiting_cell(height->cells[cell], x, y), &error));
        }
    while (shore.count) {
        const Waiting next = heap_take(&shore);
        const int x = waiting_x(next), y = waiting_y(next);
        for (int i = 0; i < NEIGHBOURS; i++) {
            const int to_x = x + neighbour_x[i], to_y = y + neighbour_y[i];
            const size_t to = (size_t)to_y * (size_t)height->width + (size_t)to_x;
            if (!inside(height, to_x, to_y) || seen[to])
                continue;
            seen[to] = true;
            field_cells(&filled)[to] = fmaxf(height->cells[to], field_row(&filled, y)[x]);
            assert_true(heap_add(&shore, waiting_cell(filled.cells[to], to_x, to_y), &error));
        }
    }
    memory_free(shore.at);
    test_free(seen);
    return filled;
}

// Wide enough for several bands of fill_to_spills, high enough for several of drainage_find; pits, steps,
// lakes of any size, and noise, where nearly every cell is a pit or a spill.
static Field banded_land(int kind) {
    static const int sizes[][2] = { { 4200, 70 }, { 300, 200 }, { 70, 1100 }, { 2100, 140 }, { 300, 300 } };
    Call call = { .width = sizes[kind][0], .height = sizes[kind][1], .seed = 1 };
    Field field = kind == 4 ? run_field(&op_diamond_square, call, NULL)
                            : noise_field(call.width, call.height, (uint64_t)kind + 1);
    for (int y = 0; y < field.height; y++)
        for (int x = 0; x < field.width; x++) {
            float *cell = &field_row(&field, y)[x];
            const float hill = (float)(x % 97 * (97 - x % 97) + y % 61 * (61 - y % 61)) / 3300;
            *cell = kind == 1 ? floorf(hill * 12) / 12 : kind == 2 ? floorf(8 * (hill + *cell)) / 8 : *cell;
            *cell = kind == 4 ? floorf(*cell * 20) / 20 : kind == 3 ? *cell - 0.01f : *cell;
        }
    return field;
}

// Flats by their definition (flats.h), with costs that are found from each other until none changes.
typedef struct SlowFlats {
    const Field *filled;
    bool *flat; // no neighbour is lower, and water does not leave
    int64_t *distance, *cost;
} SlowFlats;

static int length_of(int way) {
    return way % 2 ? 41 : 29;
}

static int64_t weight_of(int64_t distance) {
    return distance < (int64_t)84 * 29 ? 196 * 116 / (116 + distance - 29) : 9;
}

static int64_t roughness_of(int64_t weight, int64_t cost) {
    const int64_t away = 196 - weight;
    const uint32_t bits = random_bits(random_key(0, 0), (uint32_t)(cost % 65536), (uint32_t)weight);
    return 256 + ((int64_t)(bits >> 24) - 128) * away / 196 * away / 196 * away / 196;
}

static bool lies_flat(const Field *filled, int x, int y) {
    const size_t cell = (size_t)y * (size_t)filled->width + (size_t)x;
    bool lower = is_border(filled, x, y) || filled->cells[cell] < 0;
    for (int i = 0; i < NEIGHBOURS && !lower; i++)
        lower = filled->cells[neighbour_of(filled, cell, i)] < filled->cells[cell];
    return !lower;
}

// What the way to a neighbour costs in all, or its length to higher ground.
static int64_t by_way(const SlowFlats *flats, size_t cell, int way, bool costs) {
    const size_t to = neighbour_of(flats->filled, cell, way);
    const bool higher = flats->filled->cells[to] > flats->filled->cells[cell];
    if (!costs)
        return higher            ? length_of(way)
               : flats->flat[to] ? flats->distance[to] + length_of(way)
                                 : INT64_MAX / 2;
    const int64_t own = weight_of(flats->distance[cell]), other = weight_of(flats->distance[to]);
    const int64_t before = flats->cost[to], step = length_of(way) * (own + other);
    return higher            ? INT64_MAX / 2
           : flats->flat[to] ? before + step * roughness_of(other, before) / 256
                             : length_of(way) * 2 * own;
}

static void settle_slowly(const SlowFlats *flats, bool costs) {
    const size_t cells = field_count(flats->filled);
    int64_t *least = costs ? flats->cost : flats->distance;
    for (size_t i = 0; i < cells; i++)
        least[i] = INT64_MAX / 4;
    bool changed = true;
    for (int pass = 0; changed || pass % 2; pass++) {
        changed = false;
        for (size_t k = 0; k < cells; k++) {
            const size_t i = pass % 2 ? cells - 1 - k : k;
            int64_t best = INT64_MAX / 4;
            for (int way = 0; way < NEIGHBOURS && flats->flat[i]; way++)
                best = min(best, by_way(flats, i, way, costs));
            changed = changed || best != least[i];
            least[i] = best;
        }
    }
}

static SlowFlats slow_flats(const Field *filled) {
    const size_t cells = field_count(filled);
    SlowFlats flats = { filled, test_malloc(cells), test_malloc(cells * sizeof(int64_t)),
                        test_malloc(cells * sizeof(int64_t)) };
    for (int y = 0; y < filled->height; y++)
        for (int x = 0; x < filled->width; x++)
            flats.flat[(size_t)y * (size_t)filled->width + (size_t)x] = lies_flat(filled, x, y);
    settle_slowly(&flats, false);
    settle_slowly(&flats, true);
    return flats;
}

static void slow_flats_free(SlowFlats *flats) {
    test_free(flats->flat);
    test_free(flats->distance);
    test_free(flats->cost);
}

static void bands_drain_as_one_flood(void **state) {
    (void)state;
    for (int kind = 0; kind < (UNDER_SANITIZERS ? 2 : 5); kind++) {
        Field height = banded_land(kind), slow = filled_slowly_in_one(&height);
        SlowFlats flats = slow_flats(&slow);
        const size_t cells = field_count(&height);
        uint8_t *before = test_calloc(cells, 1);
        for (int threads = 1; threads <= 3; threads += 2) {
            Error error;
            Drainage drainage = { .height = &height };
            assert_ok(field_create(&drainage.filled, height.width, height.height, &error), error);
            assert_ok(drainage_find(&on_threads(threads), &drainage, &error), error);
            assert_same_bits(&drainage.filled, &slow);
            assert_true(threads == 1 || memcmp(before, drainage.direction, cells) == 0);
            memcpy(before, drainage.direction, cells);
            for (size_t i = 0; i < cells; i++)
                assert_true(!flats.flat[i] ||
                            (drainage.direction[i] < DRAINS_OFF &&
                             by_way(&flats, i, drainage.direction[i], true) == flats.cost[i]));
            memory_free(drainage.direction);
            field_free(&drainage.filled);
        }
        test_free(before);
        slow_flats_free(&flats);
        field_free(&slow);
        field_free(&height);
    }
}

// With rain of 1 everywhere cells are passed on one by one.
static void bands_count_as_one_walk(void **state) {
    (void)state;
    for (int kind = 0; kind < 5; kind++) {
        Field height = banded_land(kind), rain = banded_land(kind);
        for (size_t i = 0; i < field_count(&rain); i++)
            field_cells(&rain)[i] = 1;
        Field counted = run_field(&op_flow_accumulation, (Call){ .inputs = { { .field = &height } } }, NULL);
        void *given = with(&op_flow_accumulation, NULL, 0);
        *(const Field **)(void *)(params + operation_param(&op_flow_accumulation, "rain")->offset) = &rain;
        Field walked = run_field(&op_flow_accumulation, (Call){ .inputs = { { .field = &height } } }, given);
        assert_same_bits(&counted, &walked);
        field_free(&counted);
        field_free(&walked);
        field_free(&rain);
        field_free(&height);
    }
}

static Flow find(const Field *height, bool parted) {
    Error error;
    Flow flow = { .drainage = { .height = height } };
    assert_ok(field_create(&flow.drainage.filled, height->width, height->height, &error), error);
    assert_ok(field_create(&flow.sum, height->width, height->height, &error), error);
    assert_ok(flow_find(&on_threads(1), &flow, parted, &error), error);
    return flow;
}

static void release(Flow *flow) {
    flow_free(flow);
    field_free(&flow->sum);
    field_free(&flow->drainage.filled);
}

// The path of every cell's water, step by step.
static void d8_counts_the_cells_above(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        Field height = land(seed);
        Flow flow = find(&height, false);
        static int above[61 * 47];
        memset(above, 0, sizeof above);
        for (size_t i = 0; i < field_count(&height); i++) {
            size_t at = i;
            int steps = 0;
            for (; flow.drainage.direction[at] != DRAINS_OFF; steps++) {
                const size_t to = neighbour_of(&height, at, flow.drainage.direction[at]);
                above[at]++;
                assert_true(flow.drainage.filled.cells[to] <= flow.drainage.filled.cells[at]);
                assert_true(steps < 61 * 47);
                at = to;
            }
            above[at]++;
            assert_true(is_border(&height, (int)(at % 61), (int)(at / 61)) || height.cells[at] < 0);
        }
        Field counted = run_field(&op_flow_accumulation, (Call){ .inputs = { { .field = &height } } }, NULL);
        for (size_t i = 0; i < field_count(&height); i++)
            assert_int_equal((int)counted.cells[i], above[i]);
        field_free(&counted);
        release(&flow);
        field_free(&height);
    }
}

static void water_goes_down_the_steepest_way(void **state) {
    (void)state;
    Field height = land(2);
    Flow flow = find(&height, false);
    const Field *filled = &flow.drainage.filled;
    for (int y = 1; y < 46; y++)
        for (int x = 1; x < 60; x++) {
            const size_t cell = (size_t)y * 61 + (size_t)x;
            if (height.cells[cell] < 0)
                continue;
            float steepest = 0;
            for (int i = 0; i < NEIGHBOURS; i++) {
                const float fall = (filled->cells[cell] - filled->cells[neighbour_of(filled, cell, i)]) *
                                   inverse_distance[i];
                steepest = fall > steepest ? fall : steepest;
            }
            const int own = flow.drainage.direction[cell];
            assert_true((filled->cells[cell] - filled->cells[neighbour_of(filled, cell, own)]) *
                            inverse_distance[own] ==
                        steepest);
        }
    release(&flow);
    field_free(&height);
}

// A plane that falls 1 to the right for each `down` downwards: all of a cell's water goes to its right and
// lower right neighbours, parted by the direction's angle.
static void dinf_parts_water_by_the_direction(void **state) {
    (void)state;
    Field plane;
    Error error;
    assert_ok(field_create(&plane, 40, 40, &error), error);
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 40; x++)
            field_row(&plane, y)[x] = 100 - (float)x - 0.57735027f * (float)y; // 30° below the right
    Flow flow = find(&plane, true);
    for (int y = 2; y < 38; y++)
        for (int x = 2; x < 38; x++) {
            const size_t cell = (size_t)y * 40 + (size_t)x;
            assert_int_equal(flow.drainage.direction[cell], 0);
            assert_int_equal(flow.second[cell], 1);
            assert_near(flow.share[cell] / 65535.0, 30.0 / 45, 1e-3);
        }
    release(&flow);
    field_free(&plane);
}

static void no_water_is_lost(void **state) {
    (void)state;
    static const char *const methods[] = { "d8", "dinf" };
    for (int m = 0; m < 2; m++) {
        Field height = land(7), rain = noise_field(61, 47, 8);
        void *given = with_text(&op_flow_accumulation, "method", methods[m]);
        *(const Field **)(void *)(params + operation_param(&op_flow_accumulation, "rain")->offset) = &rain;
        Field sum = run_field(&op_flow_accumulation, (Call){ .inputs = { { .field = &height } } }, given);
        Flow flow = find(&height, m == 1);
        double out = 0;
        for (size_t i = 0; i < field_count(&sum); i++)
            out += flow.drainage.direction[i] == DRAINS_OFF ? (double)sum.cells[i] : 0;
        assert_near(out, field_sum(&rain), 1e-3);
        release(&flow);
        field_free(&sum);
        field_cells(&rain)[5] = -1;
        Output outputs[OUTPUTS_MAX];
        Error error;
        assert_int_equal(run_operation(&op_flow_accumulation, (Call){ .inputs = { { .field = &height } } },
                                       given, outputs, &error),
                         STATUS_INVALID);
        assert_string_equal(error.text, "rain must be 0 or more, got -1 at cell (5, 0)");
        field_free(&rain);
        field_free(&height);
    }
}

// A river ends in a cell of the sea, or on the map's border.
static void check_end(const Field *height, const Reach *reach, const RiverPoint *last) {
    if (reach->mouth) {
        assert_true(field_row(height, (int)floor(last->y))[(int)floor(last->x)] < 0);
        assert_true(last->altitude == 0);
    } else {
        assert_true(last->x == 0 || last->y == 0 || last->x == height->width || last->y == height->height);
        assert_true(last->altitude == last[-1].altitude);
    }
    assert_true(fabs(last->x - last[-1].x) <= 0.75 && fabs(last->y - last[-1].y) <= 0.75);
    assert_true(last->area == last[-1].area);
}

static void rivers_lie_where_water_gathers(void **state) {
    (void)state;
    Field height = land(5);
    Output outputs[OUTPUTS_MAX];
    Error error;
    assert_ok(run_operation(&op_rivers_from_flow, (Call){ .inputs = { { .field = &height } } },
                            with(&op_rivers_from_flow, "threshold", 0.001), outputs, &error),
              error);
    Field sum = run_field(&op_flow_accumulation, (Call){ .inputs = { { .field = &height } } }, NULL);
    const RiverNetwork *network = outputs[0].value;
    size_t wet = 0, cells = 0, mouths = 0, short_ones = 0;
    for (size_t i = 0; i < field_count(&sum); i++)
        cells += sum.cells[i] >= 0.001f * 61 * 47 && height.cells[i] >= 0;
    static bool seen[61 * 47];
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        const RiverPoint *points = network->points + reach->first;
        const bool ends = reach->downstream < 0;
        for (int k = 0; k < reach->count - ends; k++) {
            const size_t cell = (size_t)points[k].y * 61 + (size_t)points[k].x;
            assert_near(points[k].area * 61 * 61, (double)sum.cells[cell], 1e-2);
            wet += !seen[cell];
            seen[cell] = true;
            assert_true(k == 0 || points[k].altitude <= points[k - 1].altitude);
        }
        if (ends)
            check_end(&height, reach, points + reach->count - 1);
        mouths += reach->mouth;
        short_ones += ends && reach->count == 2;
    }
    assert_true(wet == cells && cells > 100); // those of one cell, too
    assert_true(mouths > 10 && short_ones > 5);
    assert_mouths_are_apart(network);
    field_free(&sum);
    outputs_free(outputs);
    field_free(&height);
}

// A queue through which a million cells pass has room for those that wait in it, not for all.
static void queues_are_as_long_as_what_waits(void **state) {
    (void)state;
    Queue queue = { 0 };
    Error error;
    Waiting next = 0;
    for (Waiting i = 0; i < 1000000; i++) {
        assert_true(queue_append(&queue, i, &error));
        if (i >= 3000)
            assert_true(queue_next(&queue) == next++);
    }
    assert_true(queue.room <= 8192);
    memory_free(queue.at);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fill_raises_no_more_than_it_must),
        cmocka_unit_test(fill_with_a_slope_leaves_no_flat),
        cmocka_unit_test(fill_with_a_slope_is_the_least_surface),
        cmocka_unit_test(bands_drain_as_one_flood),
        cmocka_unit_test(bands_count_as_one_walk),
        cmocka_unit_test(d8_counts_the_cells_above),
        cmocka_unit_test(water_goes_down_the_steepest_way),
        cmocka_unit_test(dinf_parts_water_by_the_direction),
        cmocka_unit_test(no_water_is_lost),
        cmocka_unit_test(queues_are_as_long_as_what_waits),
        cmocka_unit_test(rivers_lie_where_water_gathers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
