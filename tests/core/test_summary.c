// The scale of a picture's colours.

#include "support.h"

#include "core/summary.h"

enum { TOP = 1000 }; // the highest ground of the map, in metres

// A window of a map whose heights run from `low` to `high`.
static HeightScale scale_of_window(float low, float high) {
    static const Run alone = { .threads = 1 };
    Field field;
    Error error;
    HeightScale scale;
    assert_ok(field_create(&field, 20, 5, &error), error);
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 20; x++)
            field_row(&field, y)[x] = low + (high - low) * (float)x / 19;
    field.frame = (Frame){ .right_x = 1, .down_y = -1, .unit = "m", .top = TOP };
    assert_ok(field_scale(&alone, &field, 0, 0, 0, &scale, &error), error);
    field_free(&field);
    return scale;
}

// Half of the colours, around the one that the window's middle has on the whole map, from the sea to the top.
static void windows_of_few_heights_take_half_the_colours(void **state) {
    (void)state;
    static const float windows[][2] = { { 300, 400 }, { 700, 720 }, { 800, 1000 } };
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        const double low = (double)windows[i][0], high = (double)windows[i][1], middle = (low + high) / 2;
        const HeightScale scale = scale_of_window(windows[i][0], windows[i][1]);
        assert_near(scale.high - scale.low, 2 * (high - low), 1e-6 * TOP);
        assert_near((middle - scale.low) / (scale.high - scale.low), middle / TOP, 1e-6);
        assert_near(scale.range, high - low, 1e-6 * TOP);
    }
    const HeightScale lowland = scale_of_window(10, 60); // all of it has colours of its own
    assert_near(lowland.low, 10, 1e-6 * TOP);
    assert_near(lowland.high, 110, 1e-6 * TOP);
}

// At the coast land begins with the first colour of land, and takes half of its colours.
static void land_begins_at_the_coast(void **state) {
    (void)state;
    const HeightScale scale = scale_of_window(-20, 80);
    assert_near(scale.high, 160, 1e-6 * TOP);
    assert_near(scale.low, -40, 1e-6 * TOP);
}

// The whole map's: its sea is half as deep as its ground is high.
static void windows_of_many_heights_have_the_map_s_colours(void **state) {
    (void)state;
    const HeightScale scale = scale_of_window(100, 900), sea = scale_of_window(-300, -290);
    assert_true(scale.high == TOP && scale.low == -TOP * 0.5);
    assert_true(sea.high == TOP && sea.low == -TOP * 0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_of_few_heights_take_half_the_colours),
        cmocka_unit_test(land_begins_at_the_coast),
        cmocka_unit_test(windows_of_many_heights_have_the_map_s_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
