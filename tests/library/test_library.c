// The public interface: operations by name, the caller's memory, errors, tasks.

#include "esker.h"
#include "support.h"

#include <math.h>
#include <string.h>

static int released;

static void count_release(void *context, void *memory) {
    assert_ptr_equal(context, &released);
    assert_non_null(memory);
    released++;
}

static EskerValue *run_one(const char *operation, const EskerArgument *arguments, size_t count) {
    EskerError error = { "" };
    EskerValue *result = NULL;
    if (esker_run(operation, arguments, count, NULL, &result, 1, &error) != ESKER_OK)
        fail_msg("%s", error.text);
    return result;
}

static void refused(const char *message, const char *operation, const EskerArgument *arguments,
                    size_t count) {
    EskerError error = { "" };
    EskerValue *result = (EskerValue *)(void *)&error;
    assert_int_equal(esker_run(operation, arguments, count, NULL, &result, 1, &error), ESKER_INVALID);
    assert_null(result);
    if (!strstr(error.text, message))
        fail_msg("'%s' is not in '%s'", message, error.text);
    assert_int_equal(esker_run(operation, arguments, count, NULL, &result, 1, NULL), ESKER_INVALID);
}

static void equal_calls_give_equal_results(void **state) {
    (void)state;
    const EskerArgument noise[] = { esker_number("size", 64), esker_text("seed", "-9000000000000000007") };
    EskerValue *land = run_one("diamond_square", noise, 2);
    const EskerArgument arguments[] = { esker_value("height", land), esker_number("talus", 8),
                                        esker_number("iterations", 3) };
    uint64_t first = 0;
    for (int i = 0; i < 3; i++) {
        EskerValue *eroded = run_one("olsen_erosion", arguments, 3);
        first = i == 0 ? esker_hash(eroded) : first;
        assert_true(esker_hash(eroded) == first && first != esker_hash(land));
        esker_free(eroded);
    }
    esker_free(land);
}

static void fields_use_the_callers_memory(void **state) {
    (void)state;
    float cells[6] = { 0, 1, 2, 3, 4, 5 };
    EskerError error;
    released = 0;
    EskerValue *field = esker_field_wrap(cells, 3, 2, 12, count_release, &released, &error);
    assert_non_null(field);
    assert_ptr_equal(esker_field_cells(field), cells);
    int width = 0, height = 0;
    esker_size(field, &width, &height);
    assert_true(width == 3 && height == 2 && esker_kind(field) == ESKER_FIELD);
    cells[0] = -1;
    const EskerArgument arguments[] = { esker_value("height", field) };
    EskerValue *positive = run_one("clamp", arguments, 1);
    assert_true(esker_field_cells(positive)[0] == 0 && cells[0] == -1);
    assert_int_equal(released, 0);
    esker_free(field);
    assert_int_equal(released, 1);
    esker_free(positive);
    esker_free(NULL);
}

// Two columns of a grid of three: the rows do not follow each other.
static void other_strides_are_copied(void **state) {
    (void)state;
    float cells[6] = { 0, 1, 2, 3, 4, 5 };
    EskerError error;
    released = 0;
    EskerValue *field = esker_field_wrap(cells, 2, 2, 12, count_release, &released, &error);
    assert_int_equal(released, 1);
    const float *copied = esker_field_cells(field);
    assert_ptr_not_equal(copied, cells);
    assert_true(copied[0] == 0 && copied[1] == 1 && copied[2] == 3 && copied[3] == 4);
    esker_free(field);
    assert_int_equal(released, 1);
}

static void cells_that_are_not_finite_are_refused(void **state) {
    (void)state;
    float cells[4] = { 0, NAN, 2, 3 };
    EskerError error;
    released = 0;
    for (ptrdiff_t stride = 8; stride >= 4; stride -= 4) {
        assert_null(
            esker_field_wrap(cells, 2, stride == 8 ? 2 : 1, stride, count_release, &released, &error));
        assert_non_null(strstr(error.text, "(1, 0)"));
    }
    assert_null(esker_field_wrap(cells, 0, 2, 8, NULL, NULL, &error));
    assert_non_null(strstr(error.text, "width and height must be 1 to 65536, got 0 × 2"));
    assert_null(esker_field_wrap(cells, 0, 2, 8, NULL, NULL, NULL));
    assert_int_equal(released, 0);
}

// As where a stride is given in cells, not in bytes.
static void rows_that_overlap_are_refused(void **state) {
    (void)state;
    float cells[12] = { 0 };
    EskerError error;
    released = 0;
    for (ptrdiff_t stride = -11; stride < 12; stride++) {
        assert_null(esker_field_wrap(cells, 3, 2, stride, count_release, &released, &error));
        assert_null(esker_image_wrap((uint8_t *)cells, 3, 2, stride, count_release, &released, NULL));
    }
    assert_string_equal(error.text,
                        "stride must be at least 12, the bytes of a row, or rows would overlap; got 11");
    assert_int_equal(released, 0);
    EskerValue *back = esker_field_wrap(cells + 3, 3, 2, -12, NULL, NULL, &error),
               *single = esker_field_wrap(cells, 3, 1, 0, NULL, NULL, &error);
    assert_true(back && single);
    esker_free(back);
    esker_free(single);
}

static void images_pass_through(void **state) {
    (void)state;
    uint8_t pixels[2 * 2 * 4] = { 255, 0, 0, 255 };
    EskerError error;
    EskerValue *image = esker_image_wrap(pixels, 2, 2, 8, NULL, NULL, &error);
    assert_ptr_equal(esker_image_pixels(image), pixels);
    assert_null(esker_field_cells(image));
    assert_true(esker_hash(image) != 0);
    esker_free(image);
}

static void fields_have_a_place_and_gaps(void **state) {
    (void)state;
    float cells[3 * 2] = { 1, 2, 3, 4, 5, 6 };
    const uint8_t none[3 * 2] = { 0, 1, 0, 0, 0, 7 };
    const EskerFrame there = { 500000, 4649776, 30, 0, 0, -30, "EPSG:32631", "m", 0, false };
    EskerFrame found;
    EskerError error;
    size_t count = 9;
    EskerValue *field = esker_field_wrap(cells, 3, 2, 12, NULL, NULL, &error);
    assert_false(esker_frame(field, &found));
    assert_null(esker_field_gaps(field, &count));
    assert_int_equal(count, 0);
    assert_int_equal(esker_set_frame(field, &there, &error), ESKER_OK);
    assert_int_equal(esker_field_set_gaps(field, none, &error), ESKER_OK);
    const EskerArgument arguments[] = { esker_value("height", field), esker_number("x", 1),
                                        esker_number("y", 0) };
    EskerValue *part = NULL;
    assert_int_equal(esker_run("crop", arguments, 3, NULL, &part, 1, &error), ESKER_OK);
    const uint8_t *gaps = esker_field_gaps(part, &count);
    assert_int_equal(count, 2);
    assert_int_equal(gaps[0] * 8 + gaps[1] * 4 + gaps[2] * 2 + gaps[3], 9);
    assert_true(esker_frame(part, &found));
    assert_true(found.x == 500030 && found.y == 4649776 && found.down_y == -30);
    assert_string_equal(found.system, "EPSG:32631");
    assert_string_equal(found.unit, "m");
    assert_int_equal(esker_field_set_gaps(part, NULL, &error), ESKER_OK);
    assert_null(esker_field_gaps(part, NULL));
    const EskerFrame flat = { .right_x = 30 };
    assert_int_equal(esker_set_frame(part, &flat, &error), ESKER_INVALID);
    assert_int_equal(esker_set_frame(part, NULL, &error), ESKER_OK);
    assert_false(esker_frame(part, &found));
    assert_int_equal(esker_set_frame(NULL, &there, &error), ESKER_INVALID);
    assert_int_equal(esker_field_set_gaps(NULL, none, &error), ESKER_INVALID);
    assert_true(cells[1] == 0 && cells[2] == 3);
    esker_free(part);
    esker_free(field);
    assert_int_equal(esker_memory_in_use(), 0);
}

static void what_is_wrong_is_named(void **state) {
    (void)state;
    EskerError error;
    EskerValue *field = esker_field_new(8, 8, &error);
    const EskerArgument height = esker_value("height", field);
    refused("there is no operation 'blurr', did you mean 'blur'?", "blurr", &height, 1);
    refused("slope: height must be given: heights", "slope", NULL, 0);
    refused("save: picture must be given: a field (.png, ", "save", NULL, 0);
    refused("blur: unknown argument 'sigmo', did you mean 'sigma'?", "blur",
            (const EskerArgument[]){ height, esker_number("sigmo", 2) }, 2);
    refused("slope: unknown argument 'heigth', did you mean 'height'?", "slope",
            (const EskerArgument[]){ esker_value("heigth", field) }, 1);
    refused("slope: height is given twice", "slope", (const EskerArgument[]){ height, height }, 2);
    refused("blur: sigma is given twice", "blur",
            (const EskerArgument[]){ height, esker_number("sigma", 2), esker_number("sigma", 3) }, 3);
    refused("olsen_erosion: talus must be a number, 0 to 10000, got \"two\"", "olsen_erosion",
            (const EskerArgument[]){ height, esker_text("talus", "two") }, 2);
    refused("olsen_erosion: talus must be a number, 0 to 10000, got a field", "olsen_erosion",
            (const EskerArgument[]){ height, esker_value("talus", field) }, 2);
    refused("olsen_erosion: talus must be", "olsen_erosion",
            (const EskerArgument[]){ height, esker_number("talus", -1) }, 2);
    refused("thermal_erosion: method must be", "thermal_erosion",
            (const EskerArgument[]){ height, esker_number("method", 1) }, 2);
    refused("relief: palette: there is no palette \"alpin\", did you mean \"alpine\"?", "relief",
            (const EskerArgument[]){ height, esker_text("palette", "alpin") }, 2);
    refused("diamond_square: width and height are given together", "diamond_square",
            (const EskerArgument[]){ esker_number("width", 64) }, 1);
    refused("diamond_square: give size, or width and height, not both", "diamond_square",
            (const EskerArgument[]){ esker_number("width", 64), esker_number("size", 64) }, 2);
    refused("diamond_square: seed must be a whole number", "diamond_square",
            (const EskerArgument[]){ esker_number("seed", 0.5) }, 1);
    refused("slope: height must be a field, got 1", "slope",
            (const EskerArgument[]){ esker_number("height", 1) }, 1);
    esker_free(field);
}

static void all_results_come_in_their_order(void **state) {
    (void)state;
    EskerValue *network = NULL, *results[3];
    EskerError error;
    const EskerArgument plan[] = { esker_number("points", 300), esker_number("rivers", 2),
                                   esker_number("size", 64) };
    network = run_one("river_network", plan, 3);
    size_t reaches = 0, points = 0;
    const EskerReach *reach = esker_reaches(network, &reaches);
    const EskerRiverPoint *point = esker_river_points(network, &points);
    assert_true(reaches > 2 && reach[0].count >= 2 && points > reaches && point[0].width >= 0);
    const EskerArgument land[] = { esker_value("network", network) };
    assert_int_equal(esker_run("terrain", land, 1, NULL, results, 3, &error), ESKER_OK);
    assert_true(esker_kind(results[0]) == ESKER_FIELD && esker_kind(results[1]) == ESKER_FIELD &&
                !results[2]);
    const EskerArgument surface[] = { esker_value("height", results[0]) };
    EskerValue *mesh = run_one("mesh", surface, 1);
    size_t corners = 0, triangles = 0;
    assert_non_null(esker_mesh_points(mesh, &corners));
    const uint32_t(*triangle)[3] = esker_mesh_triangles(mesh, &triangles);
    assert_true(triangles > 0 && triangle[triangles - 1][2] < corners);
    assert_true(esker_hash(mesh) != 0 && esker_hash(network) != 0);
    esker_free(mesh);
    esker_free(results[0]);
    esker_free(results[1]);
    esker_free(network);
}

// Each kind of argument, and what is not of it.
static void arguments_of_all_kinds(void **state) {
    (void)state;
    EskerError error;
    EskerValue *field = esker_field_new(8, 8, &error), *image = NULL;
    const EskerArgument height = esker_value("height", field);
    const double numbers[NUMBERS_MAX + 1] = { -1, 1 };
    const EskerArgument two = {
        .name = "coefficients", .kind = ESKER_NUMBERS, .numbers = numbers, .count = 2
    };
    EskerArgument many = two, none = two;
    many.count = NUMBERS_MAX + 1, none.count = 0;
    const EskerArgument size = esker_number("size", 16);
    esker_free(run_one("voronoi", (const EskerArgument[]){ size, two, esker_number("seed", -3) }, 3));
    refused("voronoi: coefficients must be a list of 1 to 8 numbers, got a list of 257", "voronoi",
            (const EskerArgument[]){ size, many }, 2);
    refused("voronoi: coefficients", "voronoi", (const EskerArgument[]){ size, none }, 2);
    refused("voronoi: coefficients must be", "voronoi",
            (const EskerArgument[]){ size, esker_number("coefficients", 1) }, 2);
    refused("voronoi: size must be", "voronoi", (const EskerArgument[]){ esker_text("size", "16") }, 1);
    refused("give size, or width and height", "voronoi",
            (const EskerArgument[]){ size, esker_number("width", 8) }, 2);
    esker_free(run_one("voronoi",
                       (const EskerArgument[]){ esker_number("width", 8), esker_number("height", 9) }, 2));
    static const char *const seeds[] = { "", "7 ", "x", "99999999999999999999" };
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
        refused("seed must be a whole number", "voronoi",
                (const EskerArgument[]){ esker_text("seed", seeds[i]) }, 1);
    refused("seed must be a whole number", "voronoi", (const EskerArgument[]){ esker_number("seed", 1e300) },
            1);
    refused("seed must be a whole number", "voronoi", (const EskerArgument[]){ esker_value("seed", field) },
            1);
    for (int wrap = 0; wrap < 2; wrap++) {
        EskerValue *slope =
            run_one("slope", (const EskerArgument[]){ height, esker_number("wrap", wrap) }, 2);
        assert_int_equal(esker_field_wraps(slope), wrap);
        esker_free(slope);
    }
    refused("slope: wrap must be", "slope", (const EskerArgument[]){ height, esker_text("wrap", "yes") }, 2);
    esker_free(run_one("thermal_erosion", (const EskerArgument[]){ height, esker_value("mask", field) }, 2));
    refused("thermal_erosion: mask must be", "thermal_erosion",
            (const EskerArgument[]){ height, esker_number("mask", 1) }, 2);
    image = run_one("relief", (const EskerArgument[]){ height, esker_text("palette", "alpine") }, 2);
    assert_int_equal(esker_kind(image), ESKER_IMAGE);
    refused("thermal_erosion: mask must be", "thermal_erosion",
            (const EskerArgument[]){ height, esker_value("mask", image) }, 2);
    refused("slope: height must be", "slope", (const EskerArgument[]){ esker_value("height", image) }, 1);
    esker_free(image);
    esker_free(field);
}

// A field is no image, no network, no mesh, no number and no list; and the other way round.
static void values_of_other_kinds_are_empty(void **state) {
    (void)state;
    uint8_t pixels[2 * 3 * 4] = { 255, 0, 0, 255 };
    const char *text = NULL;
    size_t count = 9;
    EskerError error;
    released = 0;
    EskerValue *image = esker_image_wrap(pixels, 2, 2, 12, count_release, &released, &error),
               *field = esker_field_new(2, 3, &error),
               *unreleased = esker_image_wrap(pixels, 2, 2, 12, NULL, NULL, &error);
    assert_int_equal(released, 1); // rows that do not follow each other are copied
    assert_ptr_not_equal(esker_image_pixels(image), pixels);
    assert_true(esker_hash(image) == esker_hash(unreleased));
    assert_null(esker_image_pixels(field));
    assert_null(esker_image_wrap(pixels, 2, -1, 8, NULL, NULL, &error));
    assert_true(!esker_reaches(field, &count) && count == 0 && !esker_river_points(field, &count) &&
                count == 0);
    assert_true(!esker_mesh_points(field, &count) && count == 0 && !esker_mesh_triangles(field, &count) &&
                count == 0);
    assert_true(!esker_numbers_of(field, &count) && count == 0 && esker_number_of(field) == 0);
    assert_true(esker_label_count(field) == 0 && !esker_label(field, 0, &text));
    esker_field_set_wraps(field, true);
    assert_true(esker_field_wraps(field));
    EskerValue *sums = run_one("statistics", (const EskerArgument[]){ esker_value("height", field) }, 1);
    assert_true(esker_kind(sums) == ESKER_NUMBER && esker_number_of(sums) == 0 && !esker_field_cells(sums));
    esker_free(sums);
    esker_free(unreleased);
    esker_free(image);
    esker_free(field);
}

static EskerStatus try_everything(EskerError *error) {
    float cells[6] = { 0, 1, 2, 3, 4, 5 };
    uint8_t pixels[2 * 3 * 4] = { 0 };
    EskerStatus status = ESKER_MEMORY;
    EskerValue *results[3] = { 0 }, *field = esker_field_wrap(cells, 2, 2, 12, NULL, NULL, error),
               *image = field ? esker_image_wrap(pixels, 2, 2, 12, NULL, NULL, error) : NULL,
               *whole = image ? esker_image_wrap(pixels, 2, 3, 8, NULL, NULL, error) : NULL;
    EskerTask *task = whole ? esker_task_new(error) : NULL;
    if (task)
        status = esker_run("voronoi", (const EskerArgument[]){ esker_number("size", 8) }, 1, task, results, 2,
                           error);
    for (int i = 0; i < 3; i++) {
        assert_true(status == ESKER_OK || !results[i]);
        esker_free(results[i]);
    }
    esker_task_free(task);
    esker_free(whole);
    esker_free(image);
    esker_free(field);
    return status;
}

static void without_memory_there_is_an_error_and_no_leak(void **state) {
    (void)state;
    const size_t before = esker_memory_in_use();
    EskerStatus status = ESKER_MEMORY;
    for (long successes = 0; status != ESKER_OK; successes++) {
        EskerError error = { "" };
        memory_fail_after(successes);
        status = try_everything(&error);
        memory_fail_after(-1);
        assert_true(status == ESKER_OK ||
                    (status == ESKER_MEMORY && strstr(error.text, "not enough memory")));
        assert_int_equal(esker_memory_in_use(), before);
    }
}

static double last_progress;

static void keep_progress(void *context, double fraction) {
    assert_true(fraction >= 0 && fraction <= 1);
    *(double *)context = fraction;
}

static void tasks_report_and_stop(void **state) {
    (void)state;
    EskerError error;
    EskerTask *task = esker_task_new(&error);
    assert_int_equal(esker_task_set_threads(task, 257, &error), ESKER_INVALID);
    assert_int_equal(esker_task_set_threads(task, 2, &error), ESKER_OK);
    esker_task_set_progress(task, keep_progress, &last_progress);
    EskerValue *field = esker_field_new(64, 64, &error), *result = NULL;
    const EskerArgument arguments[] = { esker_value("height", field), esker_number("iterations", 5) };
    assert_int_equal(esker_run("olsen_erosion", arguments, 2, task, &result, 1, &error), ESKER_OK);
    assert_true(last_progress > 0);
    esker_free(result);
    esker_task_stop(task, true);
    assert_int_equal(esker_run("olsen_erosion", arguments, 2, task, &result, 1, &error), ESKER_STOPPED);
    assert_null(result);
    esker_task_stop(task, false);
    assert_int_equal(esker_run("olsen_erosion", arguments, 2, task, &result, 1, &error), ESKER_OK);
    esker_free(result);
    esker_free(field);
    esker_task_free(task);
}

static const EskerShapePoint shape_points[] = { { 1, 1, 0 }, { 9, 1, 0 }, { 9, 9, 0 },
                                                { 1, 9, 0 }, { 1, 1, 0 }, { 3, 3, 0 },
                                                { 5, 3, 0 }, { 5, 5, 0 }, { 3, 3, 0 } };
static const EskerShapePart shape_parts[] = { { 0, 5, false }, { 5, 4, true } };
static const EskerShape one_shape[] = { { 0, 2 } };
static const EskerShapeList a_list = { one_shape, shape_parts, shape_points, 1, 2, 9 };

static void shapes_go_in_and_come_out(void **state) {
    (void)state;
    EskerError error = { "" };
    EskerValue *polygons = esker_shapes_new(ESKER_POLYGONS, 16, 12, &a_list, &error);
    assert_int_equal(esker_kind(polygons), ESKER_POLYGONS);
    size_t shapes, parts, points;
    const EskerShape *shape = esker_shapes(polygons, &shapes);
    const EskerShapePart *part = esker_shape_parts(polygons, &parts);
    const EskerShapePoint *point = esker_shape_points(polygons, &points);
    assert_true(shapes == 1 && parts == 2 && points == 9);
    assert_true(shape[0].count == 2 && part[1].first == 5 && part[1].hole && point[6].x == 5);
    const EskerShapeList read = { shape, part, point, shapes, parts, points };
    EskerValue *again = esker_shapes_new(ESKER_POLYGONS, 16, 12, &read, &error);
    assert_int_equal(esker_hash(again), esker_hash(polygons));
    const EskerArgument arguments[] = { esker_value("lines", polygons) };
    EskerValue *mask = run_one("rasterize", arguments, 1);
    const float *cells = esker_field_cells(mask);
    assert_true(cells[7 * 16 + 7] > 0 && cells[3 * 16 + 4] == 0 && cells[10 * 16 + 10] == 0);
    esker_free(mask);
    esker_free(again);
    esker_free(polygons);

    const EskerPoint places[] = { { 3, 4, 0.5F, 1, 0.25F, 2 }, { 5, 6, 0, 0, 0, 1 } };
    EskerValue *made = esker_points_new(16, 12, places, 2, &error);
    assert_memory_equal(esker_points(made, &points), places, sizeof places);
    esker_free(made);
    made = esker_points_new(1, 1, NULL, 0, &error);
    assert_non_null(made);
    esker_free(made);
}

static void attributes_go_in_and_come_out(void **state) {
    (void)state;
    EskerError error = { "" };
    EskerValue *polygons = esker_shapes_new(ESKER_POLYGONS, 16, 12, &a_list, &error);
    double number = 0;
    const char *text = NULL;
    assert_int_equal(esker_attribute_count(polygons), 0);
    assert_int_equal(esker_attribute(polygons, 0, 0, &number, &text), ESKER_NONE);
    assert_int_equal(esker_set_attribute(polygons, 0, "area", 2.5, NULL, &error), ESKER_OK);
    assert_int_equal(esker_set_attribute(polygons, 0, "name", 0, "Ost", &error), ESKER_OK);
    assert_string_equal(esker_attribute_name(polygons, 1), "name");
    assert_int_equal(esker_attribute(polygons, 0, 0, &number, NULL), ESKER_NUMBER);
    assert_int_equal(esker_attribute(polygons, 0, 1, NULL, &text), ESKER_TEXT);
    assert_true(number == 2.5 && !strcmp(text, "Ost"));
    char name[] = "a000";
    for (int i = 2; i < 256; i++) { // each of a text that the table itself holds and moves
        name[1] = (char)('0' + i / 100), name[2] = (char)('0' + i / 10 % 10), name[3] = (char)('0' + i % 10);
        esker_attribute(polygons, 0, 1, NULL, &text);
        assert_int_equal(esker_set_attribute(polygons, 0, name, 0, text, &error), ESKER_OK);
        esker_attribute(polygons, 0, (size_t)i, NULL, &text);
        assert_string_equal(text, "Ost");
    }
    assert_int_equal(esker_set_attribute(polygons, 0, "one more", 1, NULL, &error), ESKER_INVALID);
    assert_string_equal(error.text, "more than 256 attributes");
    assert_int_equal(esker_set_attribute(polygons, 1, "area", 1, NULL, &error), ESKER_INVALID);
    assert_int_equal(esker_set_attribute(polygons, 0, "area", NAN, NULL, &error), ESKER_INVALID);
    assert_int_equal(esker_set_attribute(polygons, 0, NULL, 1, NULL, &error), ESKER_INVALID);
    assert_null(esker_attribute_name(polygons, 256));
    esker_free(polygons);
}

static void shapes_are_checked(void **state) {
    (void)state;
    static const struct {
        EskerKind kind;
        int width;
        EskerShape shape;
        EskerShapePart part;
        double x; // of the ring's second point
        size_t points;
        const char *message;
    } wrong[] = {
        { ESKER_POLYGONS,
          0,
          { 0, 1 },
          { 0, 5, false },
          9,
          5,
          "width and height must be 1 to 65536, got 0 × 12" },
        { ESKER_POINTS, 16, { 0, 1 }, { 0, 5, false }, 9, 5, "kind must be ESKER_LINES or ESKER_POLYGONS" },
        { ESKER_LINES, 16, { 1, 1 }, { 0, 5, false }, 9, 5, "shape 0: its first part must be 0" },
        { ESKER_LINES, 16, { 0, 2 }, { 0, 5, false }, 9, 5, "shape 0: it must have 1 to 1 parts, got 2" },
        { ESKER_LINES, 16, { 0, 0 }, { 0, 5, false }, 9, 5, "shape 0: it must have 1 to 1 parts, got 0" },
        { ESKER_LINES, 16, { 0, 1 }, { -1, 5, false }, 9, 5, "part 0: its first point must be 0" },
        { ESKER_POLYGONS, 16, { 0, 1 }, { 0, 5, true }, 9, 5, "shape 0: its first ring is a hole" },
        { ESKER_LINES, 16, { 0, 1 }, { 0, 6, false }, 9, 5, "part 0: it must have 2 to 5 points, got 6" },
        { ESKER_LINES, 16, { 0, 1 }, { 0, -6, false }, 9, 5, "part 0: it must have 2 to 5 points, got -6" },
        { ESKER_POLYGONS, 16, { 0, 1 }, { 0, 3, false }, 9, 5, "part 0: it must have 4 to 5 points, got 3" },
        { ESKER_POLYGONS,
          16,
          { 0, 1 },
          { 0, 4, false },
          9,
          5,
          "part 0: a ring must end with its first point" },
        { ESKER_POLYGONS, 16, { 0, 1 }, { 0, 5, false }, NAN, 5, "point 1: its numbers must be finite" },
        { ESKER_LINES, 16, { 0, 1 }, { 0, 5, false }, 1e31, 5, "point 1: its numbers must be finite" },
        { ESKER_POLYGONS, 16, { 0, 1 }, { 0, 5, false }, -9, 5, "its outline crosses itself near" },
        { ESKER_POLYGONS, 16, { 0, 1 }, { 0, 5, false }, 8, 5, NULL },
        { ESKER_LINES, 16, { 0, 1 }, { 0, 4, false }, 9, 5, "0 parts and 1 points belong to no shape" },
        { ESKER_LINES, 16, { 0, 1 }, { 0, 5, false }, 9, SIZE_MAX, "points at most, got" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        EskerShapePoint points[5];
        memcpy(points, shape_points, sizeof points);
        points[1].x = wrong[i].x;
        const EskerShapeList list = { &wrong[i].shape, &wrong[i].part, points, 1, 1, wrong[i].points };
        EskerError error = { "" };
        EskerValue *made = esker_shapes_new(wrong[i].kind, wrong[i].width, 12, &list, &error);
        if (!wrong[i].message != !!made)
            fail_msg("%zu: %s", i, error.text);
        if (wrong[i].message && !strstr(error.text, wrong[i].message))
            fail_msg("'%s' is not in '%s'", wrong[i].message, error.text);
        esker_free(made);
    }
    EskerError error = { "" };
    const EskerShapeList missing = { NULL, NULL, NULL, 1, 0, 0 };
    assert_null(esker_shapes_new(ESKER_LINES, 4, 4, &missing, &error));
    assert_string_equal(error.text, "the shapes are missing: NULL");
    assert_null(esker_shapes_new(ESKER_LINES, 4, 4, NULL, &error));
    const EskerPoint bad = { 3, 4, 0, -1, 0, 1 };
    assert_null(esker_points_new(16, 12, &bad, 1, &error));
    assert_non_null(strstr(error.text, "point 0: radius must be 0 to 1e9, got -1"));
    assert_null(esker_points_new(16, 12, NULL, 1, &error));
}

static void declarations_are_json(void **state) {
    (void)state;
    const char *json = esker_operations_json();
    assert_non_null(json);
    assert_ptr_equal(json, esker_operations_json());
    assert_non_null(strstr(json, "{\"name\": \"diamond_square\", \"category\": \"base\""));
    assert_string_equal(esker_version(), ESKER_VERSION);
}

// Missing parts are errors, not crashes.
// As the result of a call that failed: it has no kind, and nothing in it.
static void a_missing_value_is_empty(void **state) {
    (void)state;
    EskerError error;
    size_t count = 7;
    int width = 7, height = 7;
    esker_size(NULL, &width, &height);
    assert_int_equal(width + height, 0);
    assert_int_equal(esker_kind(NULL), ESKER_NONE);
    assert_int_equal(esker_hash(NULL), 0);
    assert_true(!esker_field_cells(NULL) && !esker_image_pixels(NULL) && !esker_field_wraps(NULL));
    esker_field_set_wraps(NULL, true);
    assert_true(esker_number_of(NULL) == 0 && esker_label_count(NULL) == 0 && !esker_label(NULL, 0, NULL));
    assert_true(!esker_numbers_of(NULL, &count) && count == 0);
    assert_true(!esker_reaches(NULL, &count) && !esker_river_points(NULL, NULL) && !esker_points(NULL, NULL));
    assert_true(!esker_mesh_points(NULL, NULL) && !esker_mesh_triangles(NULL, &count));
    assert_true(!esker_shapes(NULL, &count) && !esker_shape_parts(NULL, NULL) &&
                !esker_shape_points(NULL, NULL));
    assert_true(esker_attribute_count(NULL) == 0 && !esker_attribute_name(NULL, 0));
    assert_int_equal(esker_set_attribute(NULL, 0, "a", 1, NULL, NULL), ESKER_INVALID);
    assert_true(!esker_field_wrap(NULL, 2, 2, 8, NULL, NULL, &error) && strstr(error.text, "missing"));
    assert_true(!esker_image_wrap(NULL, 2, 2, 8, NULL, NULL, NULL));
    assert_int_equal(esker_task_set_threads(NULL, 1, &error), ESKER_INVALID);
    esker_task_set_progress(NULL, NULL, NULL);
    esker_task_stop(NULL, true);
    EskerValue *result;
    assert_int_equal(esker_run("spectral", NULL, 2, NULL, &result, 1, &error), ESKER_INVALID);
    assert_string_equal(error.text, "the arguments are missing: NULL");
    assert_int_equal(esker_run("spectral", NULL, 0, NULL, NULL, 1, &error), ESKER_INVALID);
    assert_string_equal(error.text, "the results are missing: NULL");
    refused("height must be a field", "blur", (const EskerArgument[]){ esker_value("height", NULL) }, 1);
}

static void nulls_are_refused(void **state) {
    (void)state;
    EskerError error;
    EskerValue *results[3];
    EskerValue *land = run_one("spectral", (const EskerArgument[]){ esker_number("size", 16) }, 1);
    const EskerArgument wrong[] = {
        { .name = "mask", .kind = ESKER_FIELD },   { .name = "wrap", .kind = ESKER_TEXT },
        { .name = NULL, .kind = ESKER_NUMBER },    { .name = "method", .kind = ESKER_TEXT },
        { .name = "height", .kind = ESKER_FIELD }, { .name = "height", .kind = ESKER_TEXT },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const EskerArgument arguments[] = { esker_value("height", land), wrong[i] };
        assert_int_equal(esker_run("thermal_erosion", arguments, 2, NULL, results, 3, &error), ESKER_INVALID);
    }
    const EskerArgument numbers[] = { esker_value("height", land),
                                      { .name = "light", .kind = ESKER_NUMBERS, .count = 3 } };
    assert_int_equal(esker_run("hillshade", numbers, 2, NULL, results, 3, &error), ESKER_INVALID);
    assert_int_equal(esker_run(NULL, numbers, 2, NULL, results, 3, &error), ESKER_INVALID);
    const EskerArgument seed[] = { { .name = "seed", .kind = ESKER_TEXT } };
    assert_int_equal(esker_run("spectral", seed, 1, NULL, results, 3, &error), ESKER_INVALID);
    int width = 0;
    esker_size(land, &width, NULL);
    assert_int_equal(width, 16);
    EskerValue *places = run_one(
        "scatter", (const EskerArgument[]){ esker_value("height", land), esker_number("seed", 3) }, 2);
    size_t count = 0;
    const EskerPoint *point = esker_points(places, &count);
    assert_true(count > 10 && point[0].species == 1 && point[count - 1].x <= 16);
    assert_true(!esker_points(land, &count) && count == 0);
    esker_free(places);
    esker_free(land);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_calls_give_equal_results),
        cmocka_unit_test(a_missing_value_is_empty),
        cmocka_unit_test(nulls_are_refused),
        cmocka_unit_test(fields_use_the_callers_memory),
        cmocka_unit_test(other_strides_are_copied),
        cmocka_unit_test(cells_that_are_not_finite_are_refused),
        cmocka_unit_test(rows_that_overlap_are_refused),
        cmocka_unit_test(images_pass_through),
        cmocka_unit_test(fields_have_a_place_and_gaps),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(all_results_come_in_their_order),
        cmocka_unit_test(arguments_of_all_kinds),
        cmocka_unit_test(values_of_other_kinds_are_empty),
        cmocka_unit_test(without_memory_there_is_an_error_and_no_leak),
        cmocka_unit_test(tasks_report_and_stop),
        cmocka_unit_test(shapes_go_in_and_come_out),
        cmocka_unit_test(attributes_go_in_and_come_out),
        cmocka_unit_test(shapes_are_checked),
        cmocka_unit_test(declarations_are_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
