// Channels out of pits, against the same without order or marks.

#include "support.h"

#include "core/memory.h"
#include "operations.h"
#include "rivers/drainage.h"

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
    assert_ok(param_set_number(operation_param(&op_breach, "length"), params, length, &error), error);
    return run_field(&op_breach, (Call){ .inputs = { { .field = height } } }, params);
}

static Field filled(const Field *height) {
    return run_field(&op_fill, (Call){ .inputs = { { .field = height } } }, NULL);
}

// From every pit the way is dug to its height, in any order, until the ground was lower from the start.
static Field dug_slowly(const Field *height) {
    Field ground;
    Error error;
    Drainage drainage = { .height = height };
    assert_ok(field_create(&drainage.filled, height->width, height->height, &error), error);
    assert_ok(field_create(&ground, height->width, height->height, &error), error);
    assert_ok(drainage_find(&on_threads(1), &drainage, &error), error);
    memcpy(field_cells(&ground), height->cells, field_count(height) * sizeof(float));
    for (size_t i = 0; i < field_count(height); i++) {
        const float bottom = height->cells[i];
        bool pit = drainage.filled.cells[i] > bottom;
        for (int k = 0; k < NEIGHBOURS && pit; k++)
            pit = height->cells[neighbour_of(height, i, k)] >= bottom;
        for (size_t at = i; pit && drainage.direction[at] != DRAINS_OFF;) {
            at = neighbour_of(height, at, drainage.direction[at]);
            if (height->cells[at] < bottom)
                break;
            if (ground.cells[at] > bottom)
                field_cells(&ground)[at] = bottom;
        }
    }
    memory_free(drainage.direction);
    field_free(&drainage.filled);
    return ground;
}

static void all_pits_are_opened_to_their_bottoms(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        Field height = land(kind), slow = dug_slowly(&height);
        Field open = breached(&height, 0, 0, 0), again = filled(&open);
        assert_same_bits(&open, &slow);
        assert_same_bits(&again, &open); // no pit is left
        field_free(&height);
        field_free(&slow);
        field_free(&open);
        field_free(&again);
    }
}

static void channels_with_a_slope_fall(void **state) {
    (void)state;
    Field height = land(1), flat = breached(&height, 0, 0, 0), open = breached(&height, 0.01, 0, 0);
    Field again = filled(&open);
    assert_same_bits(&again, &open);
    size_t lower = 0;
    for (size_t i = 0; i < field_count(&height); i++) {
        assert_true(open.cells[i] <= flat.cells[i]);
        lower += open.cells[i] < flat.cells[i];
    }
    assert_true(lower > 50);
    field_free(&height);
    field_free(&flat);
    field_free(&open);
    field_free(&again);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pits_are_opened_to_their_bottoms),
        cmocka_unit_test(channels_with_a_slope_fall),
        cmocka_unit_test(limits_leave_pits_to_be_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
