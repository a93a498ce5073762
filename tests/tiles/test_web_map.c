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
    const WebSource source = { field.frame, SIDE, SIDE, &field, 0, 0 };
    const WebSquare square = { left, top, pixel, 120 };
    assert_int_equal(web_map_draw(&(Run){ 0 }, &source, &square, NULL, &drawn, NULL), STATUS_OK);
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
    const WebBox box = web_map_box(&field.frame, SIDE, SIDE);
    assert_true(fabs(box.left - (0.5 + 20.0 / 360)) < 1e-12 && fabs(box.right - (0.5 + 52.0 / 360)) < 1e-12);
    assert_true(fabs(box.cell - 0.5 / 360) < 1e-12);
    field_free(&field);
}

// Every square is the same, whether all cells are there or those that web_map_cells names.
static void a_part_is_enough(void **state) {
    (void)state;
    const Frame frames[] = {
        { .x = 20, .y = 60, .right_x = 0.5, .down_y = -0.5, .system = "EPSG:4326" },
        { .x = 1e6,
          .y = 5e6,
          .right_x = 900,
          .right_y = 400,
          .down_x = 300,
          .down_y = -1100,
          .system = "EPSG:3857" },
        { .x = -30,
          .y = 84,
          .right_x = 0.3,
          .right_y = -0.1,
          .down_x = -0.2,
          .down_y = -0.4,
          .system = "EPSG:4326" },
        { .x = 9, .y = -50, .right_x = -0.3, .down_y = 0.3, .system = "EPSG:4326" },
    };
    Field field = latitudes(), drawn, again;
    assert_int_equal(field_create(&drawn, 40, 40, NULL), STATUS_OK);
    assert_int_equal(field_create(&again, 40, 40, NULL), STATUS_OK);
    int shown = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 400; k++) {
            const WebBox box = web_map_box(&frames[i], SIDE, SIDE);
            const double pixel = box.cell * (0.05 + 0.013 * (k % 97));
            const WebSquare square = { box.left + (box.right - box.left) * 0.01 * (k % 101) - 20 * pixel,
                                       box.top + (box.bottom - box.top) * 0.01 * (k % 89) - 20 * pixel, pixel,
                                       40 };
            WebSource source = { frames[i], SIDE, SIDE, &field, 0, 0 };
            assert_int_equal(web_map_draw(&(Run){ 0 }, &source, &square, NULL, &drawn, NULL), STATUS_OK);
            int cells[4];
            if (!web_map_cells(&source, &square, cells)) {
                assert_int_equal((int)drawn.gaps->count, 1600);
                continue;
            }
            Field part;
            assert_int_equal(field_create(&part, cells[2], cells[3], NULL), STATUS_OK);
            for (int y = 0; y < cells[3]; y++)
                memcpy(field_row(&part, y), field_row(&field, cells[1] + y) + cells[0],
                       (size_t)cells[2] * sizeof(float));
            source.cells = &part;
            source.x = cells[0];
            source.y = cells[1];
            assert_int_equal(web_map_draw(&(Run){ 0 }, &source, &square, NULL, &again, NULL), STATUS_OK);
            assert_memory_equal(drawn.cells, again.cells, 1600 * sizeof(float));
            for (size_t cell = 0; cell < 1600; cell++)
                assert_true(field_has_data(&drawn, cell) == field_has_data(&again, cell));
            shown += cells[2] * cells[3] < SIDE * SIDE;
            field_free(&part);
        }
    assert_true(shown > 800);
    field_free(&field);
    field_free(&drawn);
    field_free(&again);
}

static void systems_with_heights_are_known(void **state) {
    (void)state;
    static const char *const known[] = { "EPSG:4326", "epsg:4326", "EPSG:4326+3855",
                                         "EPSG:9518", "EPSG:4979", "EPSG:3857+5773" };
    Frame frame = { .x = 20, .y = 60, .right_x = 0.5, .down_y = -0.5, .system = "EPSG:4326" };
    const WebBox box = web_map_box(&frame, 8, 8);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        frame.system = known[i];
        assert_true(web_map_knows(&frame));
        const WebBox same = web_map_box(&frame, 8, 8);
        assert_true(i > 4 || (same.left == box.left && same.top == box.top && same.bottom == box.bottom));
    }
    frame.system = "EPSG:26916+5703";
    assert_false(web_map_knows(&frame));
    frame.system = NULL;
    assert_false(web_map_knows(&frame));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(degrees_are_projected),
        cmocka_unit_test(systems_with_heights_are_known),
        cmocka_unit_test(a_part_is_enough),
        cmocka_unit_test(the_box_is_that_of_the_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
