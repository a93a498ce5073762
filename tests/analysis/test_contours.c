// Contours against the heights that they run through.

#include "support.h"

#include "core/memory.h"
#include "operations.h"
#include "rivers/network.h"

#include <math.h>
#include <stdlib.h>

_Alignas(64) static unsigned char params[16384];

static Output contour(const Field *height, double interval, int smooth) {
    Error error;
    Output outputs[OUTPUTS_MAX];
    params_initialise(&op_contours, params);
    assert_ok(param_set_number(operation_param(&op_contours, "interval"), params, interval, &error), error);
    assert_ok(param_set_number(operation_param(&op_contours, "smooth"), params, smooth, &error), error);
    assert_ok(
        run_operation(&op_contours, (Call){ .inputs = { { .field = height } } }, params, outputs, &error),
        error);
    return outputs[0];
}

// Bilinear between the centres of cells, which go on beyond the edges.
static double height_at(const Field *field, double x, double y) {
    const double u = x - 0.5 - floor(x - 0.5), v = y - 0.5 - floor(y - 0.5);
    double corner[2][2];
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            const int at_x = (int)floor(x - 0.5) + i, at_y = (int)floor(y - 0.5) + j;
            const int in_x = at_x < 0 ? 0 : at_x >= field->width ? field->width - 1 : at_x;
            const int in_y = at_y < 0 ? 0 : at_y >= field->height ? field->height - 1 : at_y;
            corner[j][i] = (double)field_row(field, in_y)[in_x];
        }
    return (corner[0][0] * (1 - u) + corner[0][1] * u) * (1 - v) +
           (corner[1][0] * (1 - u) + corner[1][1] * u) * v;
}

static bool on_edge(const Field *field, const RiverPoint *point) {
    return point->x == 0 || point->y == 0 || point->x == field->width || point->y == field->height;
}

static bool is_closed(const RiverPoint *points, const Reach *reach) {
    return points->x == points[reach->count - 1].x && points->y == points[reach->count - 1].y;
}

// How often levels cross between neighbouring cells, repeated cells beyond the edges among them.
static int count_crossings(const Field *field, double interval) {
    int count = 0;
    for (int y = 0; y < field->height; y++)
        for (int x = 0; x < field->width; x++) {
            const double own = floor((double)field_row(field, y)[x] / interval);
            if (x + 1 < field->width) {
                const int ways = 1 + (y == 0) + (y == field->height - 1);
                count += ways * (int)fabs(floor((double)field_row(field, y)[x + 1] / interval) - own);
            }
            if (y + 1 < field->height) {
                const int ways = 1 + (x == 0) + (x == field->width - 1);
                count += ways * (int)fabs(floor((double)field_row(field, y + 1)[x] / interval) - own);
            }
        }
    return count;
}

// Of the two cells between which a line passes the higher one is on its right.
static bool rises_to_the_right(const Field *field, const RiverPoint *from, const RiverPoint *to) {
    const bool level = from->y - 0.5 == floor(from->y); // the cells are side by side
    const double x = floor(from->x - 0.5) + 0.5, y = floor(from->y - 0.5) + 0.5;
    const double rise = height_at(field, x + level, y + !level) - height_at(field, x, y);
    const double right = level ? -(to->y - from->y) : to->x - from->x;
    return rise * right >= 0;
}

static void lines_run_where_the_level_is(void **state) {
    (void)state;
    const double interval = 0.0625;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        Field height = noise_field(37, 26, seed); // saddles in every third square
        Output output = contour(&height, interval, 0);
        const RiverNetwork *network = output.value;
        int passed = 0;
        for (int i = 0; i < network->reach_count; i++) {
            const Reach *reach = &network->reaches[i];
            const RiverPoint *points = network->points + reach->first;
            const double level = (double)points->altitude;
            const bool closed = is_closed(points, reach);
            assert_true(closed || (on_edge(&height, points) && on_edge(&height, points + reach->count - 1)));
            assert_int_equal(reach->order, fmod(level / interval, 5) == 0 ? 2 : 1);
            passed += reach->count - closed;
            for (int k = 0; k < reach->count; k++)
                assert_near(height_at(&height, points[k].x, points[k].y), level, 1e-6);
            for (int k = 0; k + 1 < reach->count; k++)
                assert_true(on_edge(&height, &points[k]) ||
                            rises_to_the_right(&height, &points[k], &points[k + 1]));
        }
        assert_int_equal(passed, count_crossings(&height, interval));
        output_free(&output);
        field_free(&height);
    }
}

// Two opposite corners above a level are joined where the bilinear surface's saddle is above it, though the
// mean of the corners may be below.
static void saddles_are_those_of_the_surface(void **state) {
    (void)state;
    static const struct {
        float corners[4];
        bool joined;
    } cases[] = {
        { { 1, 0, 0, 1.2f }, true },          // saddle 0.545
        { { 0.9f, 0, 0, 0.9f }, false },      // 0.45
        { { 1, 0.4f, -1.5f, 1 }, true },      // 0.514; mean 0.225
        { { 0.45f, 2, 0.55f, 0.45f }, true }, // 0.544
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Field height;
        Error error;
        Output outputs[OUTPUTS_MAX];
        assert_ok(field_create(&height, 2, 2, &error), error);
        memcpy(field_cells(&height), cases[i].corners, sizeof cases[i].corners);
        params_initialise(&op_contours, params);
        assert_ok(param_set_numbers(operation_param(&op_contours, "levels"), params, &(Numbers){ 1, { 0.5 } },
                                    &error),
                  error);
        assert_ok(run_operation(&op_contours, (Call){ .inputs = { { .field = &height } } }, params, outputs,
                                &error),
                  error);
        const RiverNetwork *network = outputs[0].value;
        assert_int_equal(network->reach_count, 2);
        const bool falling = cases[i].corners[0] > 0.5f; // the high corners are upper left and lower right
        const RiverPoint *points = network->points + network->reaches[0].first;
        const RiverPoint *ends[2] = { points, points + network->reaches[0].count - 1 };
        const bool left = ends[0]->x == 0 || ends[1]->x == 0, top = ends[0]->y == 0 || ends[1]->y == 0;
        assert_true(((left == top) != falling) == cases[i].joined); // joined: lines go around low corners
        outputs_free(outputs);
        field_free(&height);
    }
}

// Heights are whole numbers, most of them levels: lines run through the centres of cells. None turns back,
// and each that is closed has an area.
static void lines_at_heights_of_cells_have_no_spikes(void **state) {
    (void)state;
    int through = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        Field height = noise_field(23, 19, seed);
        for (size_t i = 0; i < field_count(&height); i++)
            field_cells(&height)[i] = floorf(height.cells[i] * 6);
        Output output = contour(&height, 1, 0);
        const RiverNetwork *network = output.value;
        for (int i = 0; i < network->reach_count; i++) {
            const Reach *reach = &network->reaches[i];
            const RiverPoint *points = network->points + reach->first;
            double area = 0;
            for (int k = 0; k + 1 < reach->count; k++) {
                const RiverPoint *next = &points[k + 2 < reach->count ? k + 2 : 1];
                through += points[k].x + 0.5 == floor(points[k].x + 0.5) &&
                           points[k].y + 0.5 == floor(points[k].y + 0.5);
                area += points[k].x * points[k + 1].y - points[k + 1].x * points[k].y;
                if (k + 2 < reach->count || is_closed(points, reach))
                    assert_true(points[k].x != next->x || points[k].y != next->y);
            }
            assert_true(!is_closed(points, reach) || fabs(area) > 1e-3);
        }
        output_free(&output);
        field_free(&height);
    }
    assert_true(through > 1000);
}

static void smooth_lines_stay_near(void **state) {
    (void)state;
    Field height = noise_field(20, 20, 4);
    Output plain = contour(&height, 0.25, 0), smooth = contour(&height, 0.25, 3);
    const RiverNetwork *from = plain.value, *to = smooth.value;
    assert_int_equal(from->reach_count, to->reach_count);
    for (int i = 0; i < from->reach_count; i++) {
        const Reach *old = &from->reaches[i], *new = &to->reaches[i];
        const RiverPoint *before = from->points + old->first, *after = to->points + new->first;
        const bool closed = is_closed(before, old);
        assert_true(old->count < 3 || new->count > 7 * (old->count - 2));
        assert_int_equal(is_closed(after, new), closed);
        if (!closed)
            assert_true(after->x == before->x && after->y == before->y);
        else if (old->count > 3)
            assert_true(after->x != before->x || after->y != before->y);
        for (int k = 0; k < new->count; k++) {
            double nearest = 1e9;
            for (int m = 0; m < old->count; m++)
                nearest = fmin(nearest, hypot(before[m].x - after[k].x, before[m].y - after[k].y));
            assert_true(nearest < 1);
        }
    }
    output_free(&plain);
    output_free(&smooth);
    field_free(&height);
}

static char *written(Status (*write)(const Writing *, Error *), const RiverNetwork *network) {
    char *text = NULL;
    size_t size;
    Error error;
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(write(&(Writing){ .stream = stream, .type = &type_network, .value = network }, &error),
                     STATUS_OK);
    fclose(stream);
    return text;
}

static void files_have_heights_and_labels(void **state) {
    (void)state;
    Field height;
    Error error;
    assert_ok(field_create(&height, 40, 40, &error), error);
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 40; x++)
            field_row(&height, y)[x] = (float)x;
    Output output = contour(&height, 5, 0);
    char *geojson = written(write_geojson, output.value), *svg = written(write_svg, output.value);
    assert_non_null(
        strstr(geojson, "\"id\":1,\"properties\":{\"height\":0.0,\"order\":2,\"closed\":false},"));
    assert_non_null(strstr(geojson, "\"height\":35.0,\"order\":1,"));
    assert_null(strstr(geojson, "mouth"));
    assert_non_null(strstr(svg, ">25</text>"));
    assert_null(strstr(svg, ">20</text>"));
    free(geojson);
    free(svg);
    output_free(&output);
    field_free(&height);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_run_where_the_level_is),
        cmocka_unit_test(saddles_are_those_of_the_surface),
        cmocka_unit_test(lines_at_heights_of_cells_have_no_spikes),
        cmocka_unit_test(smooth_lines_stay_near),
        cmocka_unit_test(files_have_heights_and_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
