// Fields where web maps show them, against the formulas of the projection in the C library.

#include "support.h"

#include "core/gaps.h"
#include "tiles/web_map.h"

#include <math.h>

enum { SIDE = 64 };

// Heights that are latitudes, in degrees.
static Field latitudes(void) {
    Field field;
    assert_int_equal(field_create(&field, SIDE, SIDE, NULL), STATUS_OK);
    field.frame = (Frame){ .x = 20, .y = 60, .right_x = 0.5, .down_y = -0.5, .system = "EPSG:4326" };
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            field_row(&field, y)[x] = (float)(60 - 0.5 * (y + 0.5));
    return field;
}

static void degrees_are_projected(void **state) {
    (void)state;
    Field field = latitudes(), drawn;
    const double pixel = 1.0 / 1024, left = 550 * pixel, top = 300 * pixel, pi = acos(-1);
    assert_int_equal(field_create(&drawn, 100, 120, NULL), STATUS_OK);
    assert_int_equal(web_map_draw(&(Run){ 0 }, &field, left, top, pixel, &drawn, NULL), STATUS_OK);
    int seen = 0;
    for (int y = 0; y < 120; y++)
        for (int x = 0; x < 100; x++) {
            const double longitude = 360 * (left + (x + 0.5) * pixel - 0.5);
            const double ordinate = 2 * pi * (0.5 - (top + (y + 0.5) * pixel));
            const double latitude = (2 * atan(exp(ordinate)) - pi / 2) * 180 / pi;
            const bool within = longitude > 20 && longitude < 52 && latitude < 60 && latitude > 28;
            assert_int_equal(field_has_data(&drawn, (size_t)(y * 100 + x)), within);
            if (within && latitude < 59.75 && latitude > 28.25)
                assert_true(fabs((double)field_row(&drawn, y)[x] - latitude) < 1e-4);
            seen += within;
        }
    assert_true(seen > 4000);
    field_free(&field);
    field_free(&drawn);
}

static void the_box_is_that_of_the_frame(void **state) {
    (void)state;
    Field field = latitudes();
    const WebBox box = web_map_box(&field);
    assert_true(fabs(box.left - (0.5 + 20.0 / 360)) < 1e-12 && fabs(box.right - (0.5 + 52.0 / 360)) < 1e-12);
    assert_true(fabs(box.cell - 0.5 / 360) < 1e-12);
    field_free(&field);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(degrees_are_projected),
        cmocka_unit_test(the_box_is_that_of_the_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
