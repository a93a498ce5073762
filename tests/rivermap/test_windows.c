// Zoomable maps: guides, windows against each other, planets, and what is refused.

#include "rivermap/maps.h"
#include "rivermap/square/square.h"
#include "rivermap/view.h"

static void a_map_follows_its_guide(void **state) {
    (void)state;
    Field guide = sketch(33, 33); // a vertex of the map at each cell
    for (int rivers = 0; rivers < 2; rivers++) {
        RiverMap *map = make_guided(4, &guide);
        map->constants.rivers = rivers;
        Square square = first_square(map);
        for (int depth = 0; depth < 5; depth++) {
            Square quarters[4];
            square_split(&map->constants, &square, quarters);
            square = quarters[depth % 4];
            const double units = (double)UNITS_PER_CELL * (double)(1 << square.depth);
            const int step = 32 >> square.depth;
            for (int i = 0; i < 4; i++) {
                const int x = ((int)square.x + i % 2) * step, y = ((int)square.y + i / 2) * step;
                const double altitude = (double)(square.base + square.corners[i].altitude) / units;
                const double wanted = (double)field_row(&guide, y)[x];
                assert_true(altitude <= wanted + 1e-3); // rivers carve, nothing raises
                if (!rivers)
                    if (!rivers)
                        assert_near(altitude, wanted, 1e-3);
            }
        }
        memory_free(map);
    }
    field_free(&guide);
}

static void bad_guides_are_named(void **state) {
    (void)state;
    Field narrow = noise_field(1, 5, 1), high = noise_field(8, 8, 1);
    field_cells(&high)[5] = 2.5f;
    Output outputs[OUTPUTS_MAX];
    Error error;
    assert_int_equal(try_map(1, &narrow, "right", outputs, &error), STATUS_INVALID);
    assert_string_equal(error.text, "guide must have at least 2 × 2 cells, got 1 × 5");
    assert_int_equal(try_map(1, &high, "right", outputs, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "guide must be -1 to 1, got "));
    _Alignas(16) unsigned char params[16384];
    params_initialise(&op_river_map, params);
    const Numbers corners = { 4, { 0, 0.1, 0, 0.1 } };
    assert_ok(param_set_numbers(operation_param(&op_river_map, "corners"), params, &corners, &error), error);
    assert_ok(param_set_text(operation_param(&op_river_map, "tiling"), params, "sphere", &error), error);
    assert_int_equal(run_operation(&op_river_map, (Call){ 0 }, params, outputs, &error), STATUS_INVALID);
    assert_string_equal(error.text, "the tiling \"sphere\" has no corners");
    assert_int_equal(try_map(1, &high, "penrose", outputs, &error), STATUS_INVALID);
    assert_string_equal(error.text, "the tiling \"penrose\" takes no guide");
    field_free(&narrow);
    field_free(&high);
}

static void windows_on_one_grid_agree(void **state) {
    (void)state;
    static const double zooms[] = { 3, 1, 1 << 20, 17.3, 0x1p70, 0x1p50 };
    static const char *const tilings[] = { "right", "penrose", "scalene", "sphere", "tetrahedra" };
    for (size_t i = 0; i < sizeof zooms / sizeof *zooms; i += UNDER_SANITIZERS ? 2 : 1)
        for (size_t t = 0; t < sizeof tilings / sizeof *tilings; t++) {
            const bool planet = t >= 3;                                   // half as high as wide
            if ((t > 0 && zooms[i] > 0x1p30) || (planet && zooms[i] < 2)) // deeper than doubles go
                continue;
            RiverMap *map = make_tiled(20 + i, tilings[t]);
            check_windows(map, zooms[i]);
            memory_free(map);
        }
}

static void fail_everywhere(const Operation *operation, const RiverMap *map) {
    const size_t before = memory_in_use();
    const long share = UNDER_SANITIZERS      ? 4
                       : times_as_many() < 4 ? 16
                                             : LONG_MAX; // of those that have succeeded
    Status status = STATUS_MEMORY;
    for (long successes = 0; status != STATUS_OK; successes += 1 + successes / share) {
        Output outputs[OUTPUTS_MAX];
        Error error;
        memory_fail_after(successes);
        const Call call = { .inputs = { { .value = map, .type = &type_map } }, .width = 60, .height = 30 };
        status = run_operation(operation, call, NULL, outputs, &error);
        memory_fail_after(-1);
        if (status == STATUS_OK)
            outputs_free(outputs);
        else
            assert_non_null(strstr(error.text, "not enough memory"));
        assert_int_equal(memory_in_use(), before);
    }
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    RiverMap *maps[] = { make_wide(3, "right"), make_wide(3, "penrose"), make_tiled(3, "scalene"),
                         make_tiled(3, "sphere"), make_tiled(3, "tetrahedra") };
    for (int i = 0; i < 5; i++) {
        fail_everywhere(&op_render, maps[i]);
        fail_everywhere(&op_rivers, maps[i]);
        if (i % 3 == 0) // flat, and a planet
            fail_everywhere(&op_identify, maps[i]);
        memory_free(maps[i]);
    }
}

// The field gets the memory of one that held what no map has. The middle row of an odd number lies on an edge
// of the two first tiles of Penrose.
static void every_pixel_is_painted(void **state) {
    (void)state;
    enum { SIDE = 151 };
    RiverMap *maps[] = { make_map(3), make_tiled(3, "penrose"), make_tiled(3, "scalene"),
                         make_tiled(3, "sphere"), make_tiled(3, "tetrahedra") };
    for (int i = 0; i < 5; i++) {
        Field poison[2];
        Error error;
        for (int f = 0; f < 2; f++) {
            assert_ok(field_create(&poison[f], SIDE, SIDE, &error), error);
            for (size_t c = 0; c < field_count(&poison[f]); c++)
                field_cells(&poison[f])[c] = 1e30f;
        }
        field_free(&poison[0]);
        field_free(&poison[1]);
        Output outputs[OUTPUTS_MAX] = { 0 };
        render_well(maps[i], (MapWindow){ .x = 0.5, .y = 0.5, .zoom = 2, .width = SIDE, .height = SIDE },
                    outputs);
        for (size_t c = 0; outputs[0].field.cells && c < SIDE * SIDE; c++)
            assert_true(outputs[0].field.cells[c] >= -1 && outputs[0].field.cells[c] <= 1);
        outputs_free(outputs);
        memory_free(maps[i]);
    }
}

static void digits_name_a_place_exactly(void **state) {
    (void)state;
    RiverMap *map = make_map(3);
    Output a[OUTPUTS_MAX] = { 0 }, b[OUTPUTS_MAX] = { 0 };
    render_well(map, (MapWindow){ .x = 0.375, .y = 0.625, .zoom = 1000, .width = 64, .height = 64 }, a);
    render_well(map,
                (MapWindow){ .x_text = "0.37500000000000000000000000000000000000",
                             .y_text = ".625",
                             .zoom = 1000,
                             .width = 64,
                             .height = 64 },
                b);
    assert_true(field_hash(&a[0].field) == field_hash(&b[0].field));
    outputs_free(a);
    outputs_free(b);
    // At 2^80 two places that agree in 23 digits are different windows, each with altitudes of its own.
    const char *const places[] = { "0.3750000000000000000000000", "0.3750000000000000000000080" };
    for (int i = 0; i < 2; i++) {
        const MapWindow view = {
            .x_text = places[i], .y_text = ".625", .zoom = 0x1p80, .width = 64, .height = 64, .relative = true
        };
        render_well(map, view, i == 0 ? a : b);
        const Field *field = i == 0 ? &a[0].field : &b[0].field;
        int steps = 0; // neighbours that differ: no blocks
        for (int c = 1; c < 64 * 64; c++)
            steps += field->cells[c] != field->cells[c - 1];
        assert_true(steps > 4000);
    }
    assert_memory_not_equal(a[0].field.cells, b[0].field.cells, 64 * 64 * sizeof(float));
    outputs_free(a);
    outputs_free(b);
    memory_free(map);
}

// Hexadecimal digits name places that are binary numbers, as deep as a place's last bit.
static void hexadecimal_digits_are_exact(void **state) {
    (void)state;
    static const struct {
        const char *hexadecimal, *decimal;
    } same[] = {
        { "0x.8a", "0.5390625" },
        { "0X0.8A", "0.5390625" },
        { "0x8a.p-8", "0.5390625" },
        { "0x.0000000000000008ap+60", "0.5390625" },
        { "0x.500000000000000000001p0", "0.312500000000000000000000051698788284564229679463" },
        { "0x1", "1" },
        { "0x000.p1", "0" },
        { "-0x0", "0" },
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        const Decimal one = { .text = same[i].hexadecimal }, other = { .text = same[i].decimal };
        const Int128 apart = place_from_decimal(one) - place_from_decimal(other);
        assert_true(apart >= 0 && apart <= 1); // long divisions round down
    }
    const Decimal least = { .text = "0xfp-123" }, cell = { .text = "0xfffffffffffffffffffffffff.8p-100" };
    assert_true(place_from_decimal(least) == 1);
    assert_true(place_from_decimal(cell) == ((Int128)1 << PLACE_BITS) - ((Int128)1 << 19));
    static const char *const nothing[] = { "0x1p-121", "0x.00000000000000000000000000000000fp0",
                                           "0xfp-99999999999999999999" };
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        assert_true(place_from_decimal((Decimal){ .text = nothing[i] }) == 0);
}

static bool has_river(const Field *river, int left, int top, int right, int bottom) {
    for (int y = top < 0 ? 0 : top; y < bottom && y < river->height; y++)
        for (int x = left < 0 ? 0 : left; x < right && x < river->width; x++)
            if (field_row(river, y)[x] > 0)
                return true;
    return false;
}

// Every river of the coarser picture is within a pixel of where it was on the finer one, or one with the sea.
static void check_rivers_stay(const Field *coarse, const Field *fine, const Field *fine_altitude, int times) {
    int rivers = 0, lost = 0;
    for (int y = 0; y < coarse->height; y++)
        for (int x = 0; x < coarse->width; x++)
            if (field_row(coarse, y)[x] >= 0.5f) {
                rivers++;
                lost +=
                    !has_river(fine, (x - 1) * times, (y - 1) * times, (x + 2) * times, (y + 2) * times) &&
                    field_row(fine_altitude, y * times + times / 2)[x * times + times / 2] >= 0;
            }
    print_message("# of %d pixels of rivers %d have none near them on the finer picture\n", rivers, lost);
    assert_true(lost * 100 <= rivers);
}

// Coarser pixels are about the mean of finer ones: the map does not jump from zoom to zoom, and its coast
// keeps its place to within a pixel.
static void check_finer(const RiverMap *map, MapWindow view, double most, double min_range) {
    Output coarse[OUTPUTS_MAX] = { 0 }, fine[OUTPUTS_MAX] = { 0 };
    const int size = view.width;
    render_well(map, view, coarse);
    view.width = view.height = 4 * size;
    render_well(map, view, fine);
    double worst = 0, low = 1, high = -1;
    int strays = 0;
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            double mean = 0;
            for (int i = 0; i < 16; i++)
                mean += (double)field_row(&fine[0].field, 4 * y + i / 4)[4 * x + i % 4] / 16;
            const double coarser = (double)field_row(&coarse[0].field, y)[x], off = mean - coarser;
            worst = off > worst ? off : -off > worst ? -off : worst;
            low = coarser < low ? coarser : low;
            high = coarser > high ? coarser : high;
            // Far from any coast of the coarser map there is none on the finer one, but what is too small.
            bool land = false, sea = false;
            for (int i = 0; i < 25; i++) {
                const int at_x = x + i % 5 - 2, at_y = y + i / 5 - 2;
                if (at_x < 0 || at_y < 0 || at_x >= size || at_y >= size)
                    continue;
                *(field_row(&coarse[0].field, at_y)[at_x] < 0 ? &sea : &land) = true;
            }
            strays += land != sea && (mean < 0) != sea;
        }
    assert_true(worst < most);
    assert_true(strays < size * size / 500);
    assert_true(high - low > min_range);
    check_rivers_stay(&coarse[1].field, &fine[1].field, &fine[0].field, 4);
    outputs_free(coarse);
    outputs_free(fine);
}

static void altitudes_coasts_and_rivers_keep_from_zoom_to_zoom(void **state) {
    (void)state;
    if (UNDER_SANITIZERS)
        return;
    RiverMap *map = make_map(5), *cliff = make_map(7), *tiles = make_tiled(5, "penrose"),
             *wide = make_wide(3, "right");
    check_finer(wide, (MapWindow){ .x = 0.3, .y = 0.6, .zoom = 2, .width = 128, .height = 128 }, 0.1, 0);
    check_finer(tiles, (MapWindow){ .x = 0.5, .y = 0.5, .zoom = 2, .width = 128, .height = 128 }, 0.2, 0);
    memory_free(wide);
    memory_free(tiles);
    check_finer(map, (MapWindow){ .x = 0.5, .y = 0.5, .zoom = 4, .width = 128, .height = 128 }, 0.05, 0);
    check_finer(map, (MapWindow){ .x = 0.45, .y = 0.35, .zoom = 100, .width = 128, .height = 128 }, 0.05, 0);
    // Beside a river that comes down to the sea cliffs may keep their height at any depth: here 0.08 at
    // 10^17.
    check_finer(cliff,
                (MapWindow){ .x_text = "0.3193536247332105645796978455265753658975",
                             .y_text = "0.7579781715552948300251980662432922366954",
                             .zoom = 0x1p57,
                             .width = 96,
                             .height = 96 },
                0.05, 0.05);
    memory_free(map);
    memory_free(cliff);
}

// The share of pixels that lie in one plane with their left and right neighbours.
static double level_share(const RiverMap *map, double zoom, int size) {
    Output outputs[OUTPUTS_MAX] = { 0 };
    render_well(
        map,
        (MapWindow){ .x = 0.42, .y = 0.47, .zoom = zoom, .width = size, .height = size, .relative = true },
        outputs);
    int level = 0;
    for (int y = 0; y < size; y++) {
        const float *row = field_row(&outputs[0].field, y);
        for (int x = 1; x + 1 < size; x++) {
            const float to_left = row[x] - row[x - 1], to_right = row[x + 1] - row[x];
            level += fabsf(to_right - to_left) <= 1e-3f * fabsf(to_left);
        }
    }
    outputs_free(outputs);
    return (double)level / (size * (size - 2));
}

// No cell is larger than a pixel, down to the deepest zoom.
static void planets_keep_their_detail_at_any_zoom(void **state) {
    (void)state;
    static const char *const tilings[] = { "sphere", "tetrahedra" };
    for (int t = 0; t < 2; t++) {
        RiverMap *map = make_tiled(2, tilings[t]);
        for (double zoom = 4; zoom < 0x1p34; zoom *= 0x1p10)
            assert_true(level_share(map, zoom, 64) < 0.02);
        memory_free(map);
    }
}

static void a_flat_map_does_not_turn(void **state) {
    (void)state;
    RiverMap *flat = make_map(5), *globe = make_tiled(5, "sphere");
    _Alignas(16) unsigned char params[16384];
    Output outputs[OUTPUTS_MAX] = { 0 };
    Error error;
    params_initialise(&op_render, params);
    const Numbers two = { 2, { 30, 20 } }, three = { 3, { 1, 2, 3 } };
    const Param *rotation = operation_param(&op_render, "rotation");
    assert_ok(param_set_numbers(rotation, params, &two, &error), error);
    Call call = { .inputs = { { .value = flat } }, .width = 64, .height = 32 };
    assert_int_equal(run_operation(&op_render, call, params, outputs, &error), STATUS_INVALID);
    assert_string_equal(error.text, "projection, face and rotation are for planets; this map is flat");
    call.inputs[0].value = globe;
    assert_ok(run_operation(&op_render, call, params, outputs, &error), error);
    outputs_free(outputs);
    assert_int_equal(param_set_numbers(rotation, params, &three, &error), STATUS_INVALID);
    assert_string_equal(error.text, "rotation must be a list of 2 numbers or none, got a list of 3");
    memory_free(flat);
    memory_free(globe);
}

// What lies in the disk's middle lies in the map's middle, too, by whatever way it is turned.
static void both_projections_show_one_planet(void **state) {
    (void)state;
    if (UNDER_SANITIZERS)
        return;
    RiverMap *globe = make_tiled(6, "sphere");
    _Alignas(16) unsigned char params[16384];
    for (int i = 0; i < 5; i++) {
        const Numbers rotation = { 2, { 70.0 * i - 140, 35.0 * i - 70 } };
        Output map[OUTPUTS_MAX] = { 0 }, disk[OUTPUTS_MAX] = { 0 };
        Error error;
        params_initialise(&op_render, params);
        assert_ok(param_set_numbers(operation_param(&op_render, "rotation"), params, &rotation, &error),
                  error);
        assert_ok(param_set_number(operation_param(&op_render, "zoom"), params, 2, &error), error);
        Call call = { .inputs = { { .value = globe } }, .width = 201, .height = 201 };
        assert_ok(run_operation(&op_render, call, params, map, &error), error);
        assert_ok(param_set_text(operation_param(&op_render, "projection"), params, "orthographic", &error),
                  error);
        assert_ok(run_operation(&op_render, call, params, disk, &error), error);
        assert_near((double)field_row(&map[0].field, 100)[100], (double)field_row(&disk[0].field, 100)[100],
                    0.02);
        outputs_free(map);
        outputs_free(disk);
    }
    memory_free(globe);
}

// Of a face of the cube around a planet; whether it has rivers does not matter.
static void render_face(const RiverMap *planet, const char *face, Output *outputs) {
    _Alignas(16) unsigned char params[16384];
    Error error;
    params_initialise(&op_render, params);
    assert_ok(param_set_text(operation_param(&op_render, "projection"), params, "cube", &error), error);
    assert_ok(param_set_text(operation_param(&op_render, "face"), params, face, &error), error);
    const Call call = { .inputs = { { .value = planet } }, .width = 128, .height = 128 };
    assert_ok(run_operation(&op_render, call, params, outputs, &error), error);
}

// Along an edge of the cube its two faces look at nearly the same places.
static void check_cube_edge(const RiverMap *planet, const char *first, const char *second, bool below) {
    Output a[OUTPUTS_MAX] = { 0 }, b[OUTPUTS_MAX] = { 0 };
    render_face(planet, first, a);
    render_face(planet, second, b);
    double off = 0, usual = 0; // from pixel to pixel, across the edge and before it
    for (int i = 0; i < 128; i++) {
        const Field *field = &a[0].field;
        const float last = below ? field_row(field, 127)[i] : field_row(field, i)[127];
        const float before = below ? field_row(field, 126)[i] : field_row(field, i)[126];
        const float next = below ? field_row(&b[0].field, 0)[i] : field_row(&b[0].field, i)[0];
        off += fabs((double)(last - next));
        usual += fabs((double)(last - before));
    }
    assert_true(off > 0 && off < 2 * usual);
    outputs_free(a);
    outputs_free(b);
}

static void the_faces_of_a_cube_meet(void **state) {
    (void)state;
    if (UNDER_SANITIZERS)
        return;
    static const char *const round[] = { "front", "right", "back", "left", "front" };
    RiverMap *planets[] = { make_tiled(4, "sphere"), make_tiled(4, "tetrahedra") };
    for (int i = 0; i < 2; i++) {
        for (int face = 0; face < 4; face++)
            check_cube_edge(planets[i], round[face], round[face + 1], false);
        check_cube_edge(planets[i], "top", "front", true);
        check_cube_edge(planets[i], "front", "bottom", true);
        memory_free(planets[i]);
    }
}

static void bad_windows_are_named(void **state) {
    (void)state;
    RiverMap *map = make_map(5);
    static const struct {
        MapWindow view;
        const char *message;
    } cases[] = {
        { { .x = 0.5, .y = 0.5, .zoom = 0, .width = 64, .height = 64 }, "zoom must be 1 to 2^100, got 0" },
        { { .x = 0.5, .y = 0.5, .zoom = -2, .width = 64, .height = 64 }, "zoom must be 1 to 2^100, got -2" },
        { { .x = 0.5, .y = 0.5, .zoom = 1e30, .width = 64, .height = 64 },
          "zoom must be at most 1.9807040628566084e+28 at this size" },
        { { .x = 0.9, .y = 0.5, .zoom = 2, .width = 64, .height = 64 },
          "the window leaves the map: at this zoom x must be 0.25 to 0.75, got 0.9" },
        { { .x = 0.4, .y = 0.5, .zoom = 1, .width = 200, .height = 200 },
          "the window leaves the map: at this zoom x must be 0.5, got 0.4" },
        { { .x = 1.5, .y = 0.5, .zoom = 2, .width = 64, .height = 64 }, "x must be 0 to 1, got 1.5" },
        { { .x_text = "0.5.1", .y = 0.5, .zoom = 2, .width = 64, .height = 64 },
          "x must be a number, or its digits as a string (\"0.25\", \"0x.4\"), got \"0.5.1\"" },
        { { .x_text = "0x.8g", .y = 0.5, .zoom = 2, .width = 64, .height = 64 }, "got \"0x.8g\"" },
        { { .x_text = "0x.8p", .y = 0.5, .zoom = 2, .width = 64, .height = 64 }, "got \"0x.8p\"" },
        { { .x_text = "0x.8p1.5", .y = 0.5, .zoom = 2, .width = 64, .height = 64 }, "got \"0x.8p1.5\"" },
        { { .x_text = "", .y = 0.5, .zoom = 2, .width = 64, .height = 64 }, "got \"\"" },
        { { .x_text = "0x.", .y = 0.5, .zoom = 2, .width = 64, .height = 64 }, "got \"0x.\"" },
        { { .x_text = "0xp0", .y = 0.5, .zoom = 2, .width = 64, .height = 64 }, "got \"0xp0\"" },
        { { .x_text = "0x8", .y = 0.5, .zoom = 2, .width = 64, .height = 64 }, "x must be 0 to 1, got 8" },
        { { .x_text = "0x.f", .y = 0.5, .zoom = 2, .width = 64, .height = 64 },
          "at this zoom x must be 0.25 to 0.75, got 0x.f" },
        { { .x_text = "half", .y = 0.5, .zoom = 2, .width = 64, .height = 64 }, "got \"half\"" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Output outputs[OUTPUTS_MAX];
        Error error;
        const size_t before = memory_in_use();
        assert_int_equal(render(map, cases[i].view, outputs, &error), STATUS_INVALID);
        if (!strstr(error.text, cases[i].message))
            fail_msg("'%s' is not in '%s'", cases[i].message, error.text);
        assert_int_equal(memory_in_use(), before);
    }
    memory_free(map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_follows_its_guide),
        cmocka_unit_test(bad_guides_are_named),
        cmocka_unit_test(windows_on_one_grid_agree),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_pixel_is_painted),
        cmocka_unit_test(digits_name_a_place_exactly),
        cmocka_unit_test(hexadecimal_digits_are_exact),
        cmocka_unit_test(altitudes_coasts_and_rivers_keep_from_zoom_to_zoom),
        cmocka_unit_test(planets_keep_their_detail_at_any_zoom),
        cmocka_unit_test(a_flat_map_does_not_turn),
        cmocka_unit_test(both_projections_show_one_planet),
        cmocka_unit_test(the_faces_of_a_cube_meet),
        cmocka_unit_test(bad_windows_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
