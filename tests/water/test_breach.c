// Channels out of pits, against a slow search for the cheapest.

#include "support.h"

#include "core/memory.h"
#include "operations.h"
#include "water/drainage.h"

#include <math.h>
#include <stdlib.h>

_Alignas(64) static unsigned char params[16384];

static Field land(int kind) {
    Field field = noise_field(61, 47, (uint64_t)kind + 1);
    for (size_t i = 0; i < field_count(&field); i++) {
        const float height = field.cells[i] - 0.1f;
        field_cells(&field)[i] = kind == 2 ? (float)(int)(height * 12) / 12 : height;
    }
    return field;
}

static Field breached(const Field *height, double slope, double depth, double length) {
    Error error;
    params_initialise(&op_breach, params);
    assert_ok(param_set_number(operation_param(&op_breach, "slope"), params, slope, &error), error);
    assert_ok(param_set_number(operation_param(&op_breach, "depth"), params, depth, &error), error);
    assert_ok(
        param_set_number(operation_param(&op_breach, "length"), params, length / field_side(height), &error),
        error);
    return run_field(&op_breach, (Call){ .inputs = { { .field = height } } }, params);
}

static Field filled(const Field *height) {
    return run_field(&op_fill, (Call){ .inputs = { { .field = height } } }, NULL);
}

// The same in plain steps: costs to all cells are improved until none changes (Bellman 1958).
typedef struct Slow {
    const Field *height;
    Field ground;
    bool *channel;
    float *cost;
    size_t *back;
} Slow;

static bool is_outside(const Field *field, size_t cell) {
    const size_t x = cell % (size_t)field->width, y = cell / (size_t)field->width;
    return x == 0 || y == 0 || x + 1 == (size_t)field->width || y + 1 == (size_t)field->height;
}

static bool ends(const Slow *slow, size_t cell, float bed) {
    const float ground = slow->ground.cells[cell];
    return ground < bed || ground < 0 || is_outside(&slow->ground, cell) ||
           (ground == bed && slow->channel[cell]);
}

static void open_slowly(Slow *slow, size_t pit) {
    const float bed = slow->ground.cells[pit];
    const size_t cells = field_count(&slow->ground);
    for (size_t i = 0; i < cells; i++)
        slow->cost[i] = i == pit ? 0 : INFINITY;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < cells; i++) {
            if (slow->cost[i] == INFINITY || (i != pit && ends(slow, i, bed)))
                continue;
            for (int k = 0; k < NEIGHBOURS; k++) {
                const size_t to = neighbour_of(&slow->ground, i, k);
                const float depth = fmaxf(slow->ground.cells[to] - bed, 0);
                const float cost = slow->cost[i] + depth;
                if (cost < slow->cost[to]) {
                    slow->cost[to] = cost;
                    slow->back[to] = i;
                    changed = true;
                }
            }
        }
    }
    size_t best = pit;
    for (size_t i = 0; i < cells; i++)
        if (i != pit && ends(slow, i, bed) && (best == pit || slow->cost[i] < slow->cost[best]))
            best = i;
    for (size_t at = best; at != pit; at = slow->back[at])
        if (slow->ground.cells[at] >= bed) {
            field_cells(&slow->ground)[at] = bed;
            slow->channel[at] = true;
        }
    slow->channel[pit] = true;
}

// Pits lie below their filled height, and no neighbour is lower.
static size_t lowest_pit(const Slow *slow, const Field *full) {
    size_t lowest = SIZE_MAX;
    for (size_t i = 0; i < field_count(full); i++) {
        bool pit = full->cells[i] > slow->height->cells[i] && !slow->channel[i];
        for (int k = 0; k < NEIGHBOURS && pit; k++)
            pit = slow->height->cells[neighbour_of(slow->height, i, k)] >= slow->height->cells[i];
        if (pit && (lowest == SIZE_MAX || slow->height->cells[i] < slow->height->cells[lowest]))
            lowest = i;
    }
    return lowest;
}

static Field opened_slowly(const Field *height) {
    const size_t cells = field_count(height);
    Field full = filled(height);
    Slow slow = { .height = height,
                  .channel = test_calloc(cells, sizeof(bool)),
                  .cost = test_malloc(cells * sizeof(float)),
                  .back = test_malloc(cells * sizeof(size_t)) };
    Error error;
    assert_ok(field_create(&slow.ground, height->width, height->height, &error), error);
    memcpy(field_cells(&slow.ground), height->cells, cells * sizeof(float));
    for (size_t pit; (pit = lowest_pit(&slow, &full)) != SIZE_MAX;)
        open_slowly(&slow, pit);
    test_free(slow.channel);
    test_free(slow.cost);
    test_free(slow.back);
    field_free(&full);
    return slow.ground;
}

static void pits_are_opened_at_the_least_cost(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        Field height = land(kind), open = breached(&height, 0, 0, 0), again = filled(&open);
        assert_same_bits(&again, &open); // no pit is left
        for (size_t i = 0; i < field_count(&height); i++)
            assert_true(open.cells[i] <= height.cells[i]);
        if (kind < (UNDER_SANITIZERS ? 1 : 2)) { // of kind 2 several channels cost the same
            Field slow = opened_slowly(&height);
            assert_same_bits(&open, &slow);
            field_free(&slow);
        }
        field_free(&height);
        field_free(&open);
        field_free(&again);
    }
}

// A bowl with a low, long way out at the left and a thin wall at the right.
static void thin_walls_are_cut_rather_than_low_spills(void **state) {
    (void)state;
    Field height;
    Error error;
    assert_ok(field_create(&height, 60, 9, &error), error);
    for (int y = 0; y < 9; y++)
        for (int x = 0; x < 60; x++)
            field_row(&height, y)[x] = x == 50 && y == 4           ? 0.1f
                                       : y == 4 && x > 2 && x < 50 ? 0.5f
                                       : x == 51 && y == 4         ? 0.6f
                                       : x > 51 && y == 4          ? 0.05f
                                                                   : 1;
    Field open = breached(&height, 0, 0, 0);
    assert_true(field_row(&open, 4)[51] == 0.1f);
    assert_true(field_row(&open, 4)[30] == 0.5f);
    field_free(&height);
    field_free(&open);
}

// Two pits in a plateau, whose channels fall below the sea: neither ends in the other's as if it were sea.
static void a_channel_below_the_sea_is_no_sea(void **state) {
    (void)state;
    Field height;
    Error error;
    assert_ok(field_create(&height, 25, 25, &error), error);
    for (int i = 0; i < 25 * 25; i++)
        field_cells(&height)[i] = 0.5f;
    field_row(&height, 8)[12] = 0.001f;
    field_row(&height, 14)[12] = 0.002f;
    Field out = breached(&height, 0.5, 0, 0);
    for (int y = 1; y < 24; y++)
        for (int x = 1; x < 24; x++) {
            const float here = field_row(&out, y)[x];
            bool lower = here == field_row(&height, y)[x] && here == 0.5f; // level ground is left
            for (int i = 0; i < 9; i++)
                lower = lower || field_row(&out, y + i / 3 - 1)[x + i % 3 - 1] < here;
            assert_true(lower);
        }
    field_free(&out);
    field_free(&height);
}

static void channels_with_a_slope_fall(void **state) {
    (void)state;
    Field height = land(1), flat = breached(&height, 0, 0, 0), open = breached(&height, 0.01, 0, 0);
    Field again = filled(&open);
    assert_same_bits(&again, &open);
    size_t lower = 0;
    for (size_t i = 0; i < field_count(&height); i++) {
        assert_true(open.cells[i] <= height.cells[i]);
        lower += open.cells[i] < flat.cells[i];
    }
    assert_true(lower > 50);
    field_free(&height);
    field_free(&flat);
    field_free(&open);
    field_free(&again);
}

// At heights of 3000 a float holds no step of 0.0001: channels fall by the least that it holds.
static void channels_of_high_land_fall(void **state) {
    (void)state;
    Field height = land(1);
    for (size_t i = 0; i < field_count(&height); i++)
        field_cells(&height)[i] += 3000;
    Field open = breached(&height, 0.005, 0, 0);
    size_t dug = 0;
    for (int y = 1; y < height.height - 1; y++)
        for (int x = 1; x < height.width - 1; x++) {
            const float bed = field_row(&open, y)[x];
            bool falls = bed == field_row(&height, y)[x];
            dug += !falls;
            for (int i = 0; i < NEIGHBOURS; i++)
                falls = falls || field_row(&open, y + neighbour_y[i])[x + neighbour_x[i]] < bed;
            assert_true(falls);
        }
    assert_true(dug > 50);
    field_free(&height);
    field_free(&open);
}

// What would be too deep or too long is filled: no cell is raised above its filled height, or dug too deep.
static void limits_leave_pits_to_be_filled(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++)
        for (int limit = 0; limit < 2; limit++) {
            Field height = land(kind), full = filled(&height);
            Field open = breached(&height, 0, limit ? 0 : 0.1, limit ? 2 : 0), again = filled(&open);
            size_t raised = 0, dug = 0;
            assert_same_bits(&again, &open);
            for (size_t i = 0; i < field_count(&height); i++) {
                raised += open.cells[i] > height.cells[i];
                dug += open.cells[i] < height.cells[i];
                assert_true(open.cells[i] <= full.cells[i]);
                assert_true(limit || open.cells[i] >= height.cells[i] - 0.1f);
            }
            assert_true(raised > 0 && dug > 0);
            field_free(&height);
            field_free(&full);
            field_free(&open);
            field_free(&again);
        }
}

// Where several channels meet, each may dig: together they go no deeper than the limit.
static void no_channel_is_deeper_than_the_limit(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++)
        for (int k = 0; k < 2; k++) {
            Field height =
                run_field(&op_diamond_square, (Call){ .width = 80, .height = 80, .seed = seed }, NULL);
            Field open = breached(&height, k ? 2 : 0, 0.1, 0), again = filled(&open);
            assert_same_bits(&again, &open);
            for (size_t i = 0; i < field_count(&height); i++)
                assert_true(height.cells[i] - open.cells[i] <= 0.1f);
            field_free(&height);
            field_free(&open);
            field_free(&again);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pits_are_opened_at_the_least_cost),
        cmocka_unit_test(thin_walls_are_cut_rather_than_low_spills),
        cmocka_unit_test(channels_with_a_slope_fall),
        cmocka_unit_test(channels_of_high_land_fall),
        cmocka_unit_test(a_channel_below_the_sea_is_no_sea),
        cmocka_unit_test(limits_leave_pits_to_be_filled),
        cmocka_unit_test(no_channel_is_deeper_than_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
