// Where wide rivers end in the sea, a picture is the same whichever side the sea lies on, but for the
// rounding of slopes.

#include "support.h"

#include "core/param.h"
#include "operations.h"

enum { SIDE = 96, COAST = 60, RIVER_END = 70 };

// A river to the sea on the right; `turned`: to the left.
static Image draw(bool turned) {
    Field land = noise_field(SIDE, SIDE, 3), rivers = noise_field(SIDE, SIDE, 3);
    for (int y = 0; y < SIDE; y++)
        for (int column = 0; column < SIDE; column++) {
            const int x = turned ? SIDE - 1 - column : column;
            field_row(&land, y)[column] = (float)(COAST - x) / 100;
            field_row(&rivers, y)[column] = x < RIVER_END && abs(y - SIDE / 2) < 4 ? 8 : 0;
        }
    _Alignas(64) unsigned char params[16384];
    params_initialise(&op_relief, params);
    const Numbers light = { .count = 2, .at = { 0, 45 } }; // from the north, so that both sides have the same
    Error error;
    assert_ok(param_set_numbers(operation_param(&op_relief, "light"), params, &light, &error), error);
    *(const Field **)(void *)(params + operation_param(&op_relief, "rivers")->offset) = &rivers;
    Output outputs[OUTPUTS_MAX];
    assert_ok(run_operation(&op_relief, (Call){ .inputs = { { .field = &land } } }, params, outputs, &error),
              error);
    field_free(&land);
    field_free(&rivers);
    return outputs[0].image;
}

static void both_sides_are_alike(void **state) {
    (void)state;
    Image right = draw(false), left = draw(true);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const Pixel a = right.pixels[y * SIDE + x], b = left.pixels[y * SIDE + SIDE - 1 - x];
            if (abs(a.red - b.red) > 12 || abs(a.green - b.green) > 12 || abs(a.blue - b.blue) > 12)
                fail_msg("pixel (%d, %d) is %d, %d, %d, and mirrored %d, %d, %d", x, y, a.red, a.green,
                         a.blue, b.red, b.green, b.blue);
        }
    image_free(&right);
    image_free(&left);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(both_sides_are_alike) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
