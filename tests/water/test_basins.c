// Basins: what the colours of their picture promise.

#include "support.h"

#include "operations.h"

static bool same_colour(Pixel a, Pixel b) {
    return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

// Sides and corners; 0 is no basin.
static void assert_told_apart(const Field *labels, const Image *image, int x, int y, int to_x, int to_y) {
    const float one = field_row(labels, y)[x], other = field_row(labels, to_y)[to_x];
    const Pixel *row = image->pixels + (size_t)y * (size_t)image->width,
                *to_row = image->pixels + (size_t)to_y * (size_t)image->width;
    if (one != other && same_colour(row[x], to_row[to_x]))
        fail_msg("basins %g and %g beside (%d, %d) have one colour", (double)one, (double)other, x, y);
}

static void assert_colours_differ(const Field *land) {
    Output outputs[OUTPUTS_MAX];
    Error error;
    const Call call = { .inputs = { { .field = land } } };
    assert_ok(run_operation(&op_basins, call, NULL, outputs, &error), error);
    const Field *labels = &outputs[0].field;
    const Image *image = &outputs[1].image;
    for (int y = 0; y + 1 < land->height; y++)
        for (int x = 0; x + 1 < land->width; x++) {
            assert_told_apart(labels, image, x, y, x + 1, y);
            assert_told_apart(labels, image, x, y, x, y + 1);
            assert_told_apart(labels, image, x, y, x + 1, y + 1);
            assert_told_apart(labels, image, x + 1, y, x, y + 1);
        }
    outputs_free(outputs);
}

static void neighbours_have_different_colours(void **state) {
    (void)state;
    Field land = noise_field(200, 150, 5);
    assert_colours_differ(&land);
    field_free(&land);
}

// Six small basins beside a river's that is wider than what is looked at in one piece: each drains over the
// lower edge, and meets the river's at its upper end only. `before`: others on the other side, which change
// the labels and so the colours.
static void neighbours_of_wide_basins_do(void **state) {
    (void)state;
    for (int before = 0; before < 9; before++) {
        Field land;
        Error error;
        assert_ok(field_create(&land, 2100, 5, &error), error);
        for (int y = 0; y < land.height; y++)
            for (int x = 0; x < land.width; x++) {
                const bool upper = x >= 50 && x < 50 + before, lower = x >= 1100 && x < 1106;
                const float rows[] = { upper ? 0 : 0.7f, 0.5f, 0.1f + 1e-5f * (float)x, 0.3f,
                                       lower ? 0 : 0.5f };
                field_row(&land, y)[x] = rows[y];
            }
        assert_colours_differ(&land);
        field_free(&land);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(neighbours_have_different_colours),
                                        cmocka_unit_test(neighbours_of_wide_basins_do) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
