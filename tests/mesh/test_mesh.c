// Meshes: within the error everywhere, without gaps, and closed when they are solids.

#include "support.h"

#include "mesh/mesh.h"
#include "operations.h"

#include <math.h>
#include <stdlib.h>

_Alignas(64) static unsigned char params[1024];

static void set(const char *name, double value) {
    Error error;
    assert_ok(param_set_number(operation_param(&op_mesh, name), params, value, &error), error);
}

// z is the height itself for heights 0 … 1.
static const char *kind; // of triangles

static int use_right(void **state) {
    (void)state;
    kind = "right";
    return 0;
}

static int use_delaunay(void **state) {
    (void)state;
    kind = "delaunay";
    return 0;
}

static void make_mesh(const Field *field, double max_error, double base, Output *outputs) {
    Error error;
    params_initialise(&op_mesh, params);
    assert_ok(param_set_text(operation_param(&op_mesh, "triangles"), params, kind, &error), error);
    set("error", max_error);
    set("base", base);
    set("side", field_side(field));
    set("vertical_scale", 16.0 / field_side(field));
    assert_ok(run_operation(&op_mesh, (Call){ .inputs = { { .field = field } } }, params, outputs, &error),
              error);
}

static double doubled_area(MeshPoint a, MeshPoint b, MeshPoint c) {
    return ((double)b.x - (double)a.x) * ((double)c.y - (double)a.y) -
           ((double)c.x - (double)a.x) * ((double)b.y - (double)a.y);
}

// By brute force: each point of the field against each triangle that it lies in.
static double greatest_error(const Field *field, const Mesh *mesh, size_t triangles) {
    double greatest = 0;
    Field covered;
    Error error;
    assert_ok(field_create(&covered, field->width, field->height, &error), error);
    memset(field_cells(&covered), 0, field_count(&covered) * sizeof(float));
    for (size_t i = 0; i < triangles; i++) {
        const uint32_t *corners = mesh->triangles[i].corners;
        const MeshPoint a = mesh->points[corners[0]], b = mesh->points[corners[1]],
                        c = mesh->points[corners[2]];
        const double area = doubled_area(a, b, c);
        assert_true(area > 0);
        const int left = (int)fminf(a.x, fminf(b.x, c.x)), right = (int)fmaxf(a.x, fmaxf(b.x, c.x));
        const int low = (int)fminf(a.y, fminf(b.y, c.y)), high = (int)fmaxf(a.y, fmaxf(b.y, c.y));
        for (int y = low; y <= high; y++)
            for (int x = left; x <= right; x++) {
                const MeshPoint p = { (float)x + 0.5f, (float)y + 0.5f, 0 };
                const double u = doubled_area(b, c, p) / area, v = doubled_area(c, a, p) / area,
                             w = doubled_area(a, b, p) / area;
                if (u < -1e-9 || v < -1e-9 || w < -1e-9)
                    continue;
                const int row = field->height - 1 - y;
                const double z = u * (double)a.z + v * (double)b.z + w * (double)c.z;
                const double off = fabs(z - (double)field_row(field, row)[x]);
                greatest = off > greatest ? off : greatest;
                field_row(&covered, row)[x] = 1;
            }
    }
    assert_near(field_sum(&covered), (double)field_count(&covered), 0);
    field_free(&covered);
    return greatest;
}

typedef struct Side {
    uint32_t from, to;
} Side;

static int by_side(const void *a, const void *b) {
    const Side *x = a, *y = b;
    return x->from != y->from ? x->from < y->from ? -1 : 1 : x->to < y->to ? -1 : x->to > y->to;
}

// Every side is passed once each way; on a surface the border once. Returns how many sides are borders.
static size_t check_sides(const Mesh *mesh) {
    const size_t count = 3 * mesh->triangle_count;
    Side *sides = malloc(count * sizeof *sides);
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (size_t k = 0; k < 3; k++) {
            assert_true(mesh->triangles[i].corners[k] < mesh->point_count);
            sides[3 * i + k] =
                (Side){ mesh->triangles[i].corners[k], mesh->triangles[i].corners[(k + 1) % 3] };
        }
    qsort(sides, count, sizeof *sides, by_side);
    size_t border = 0;
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || by_side(&sides[i - 1], &sides[i]) != 0);
        const Side back = { sides[i].to, sides[i].from };
        border += !bsearch(&back, sides, count, sizeof *sides, by_side);
    }
    free(sides);
    return border;
}

static const int sizes[][2] = { { 2, 2 },   { 3, 3 },   { 2, 7 },   { 17, 17 },    { 33, 20 },
                                { 64, 64 }, { 61, 45 }, { 5, 100 }, { 96, 1 + 64 } };

static void meshes_keep_within_the_error(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Field field = noise_field(sizes[i][0], sizes[i][1], i);
        const double area = (sizes[i][0] - 1) * (sizes[i][1] - 1);
        size_t before = SIZE_MAX;
        for (double most = 0; most<2; most = most> 0 ? 4 * most : 0.005) {
            Output outputs[OUTPUTS_MAX];
            make_mesh(&field, most, 0, outputs);
            const Mesh *mesh = outputs[0].value;
            const double greatest = greatest_error(&field, mesh, mesh->triangle_count);
            if (!(greatest <= most + 1e-5))
                fail_msg("%d × %d: %g is more than %g", sizes[i][0], sizes[i][1], greatest, most);
            double covered = 0;
            for (size_t k = 0; k < mesh->triangle_count; k++) {
                const uint32_t *corners = mesh->triangles[k].corners;
                covered += doubled_area(mesh->points[corners[0]], mesh->points[corners[1]],
                                        mesh->points[corners[2]]) /
                           2;
            }
            assert_near(covered, area, 1e-3);
            check_sides(mesh);
            assert_true(mesh->triangle_count <= before);
            before = mesh->triangle_count;
            outputs_free(outputs);
        }
        field_free(&field);
    }
}

// What is flat needs two triangles, whatever its slope; a single peak only what is around it.
static void flat_ground_needs_few_triangles(void **state) {
    (void)state;
    Field field;
    Error error;
    Output outputs[OUTPUTS_MAX];
    assert_ok(field_create(&field, 65, 65, &error), error);
    for (int y = 0; y < 65; y++)
        for (int x = 0; x < 65; x++)
            field_row(&field, y)[x] = (float)(x + 2 * y) / 256;
    make_mesh(&field, 1e-4, 0, outputs);
    const Mesh *mesh = outputs[0].value;
    assert_int_equal(mesh->triangle_count, 2);
    outputs_free(outputs);
    field_row(&field, 21)[37] += 0.2f;
    make_mesh(&field, 1e-4, 0, outputs);
    mesh = outputs[0].value;
    assert_true(mesh->triangle_count >= 10 && mesh->triangle_count < 120);
    outputs_free(outputs);
    field_free(&field);
}

static double volume(const Mesh *mesh) {
    double sum = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *corners = mesh->triangles[i].corners;
        const MeshPoint a = mesh->points[corners[0]], b = mesh->points[corners[1]],
                        c = mesh->points[corners[2]];
        sum += ((double)a.z + (double)b.z + (double)c.z) * doubled_area(a, b, c) / 6;
    }
    return sum;
}

static void solids_are_closed(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int simple = 0; simple < 2; simple++) {
            Field field = noise_field(sizes[i][0], sizes[i][1], i);
            Output outputs[OUTPUTS_MAX];
            make_mesh(&field, simple * 0.05, 0.5, outputs);
            const Mesh *mesh = outputs[0].value;
            assert_int_equal(check_sides(mesh), 0);
            float lowest = INFINITY;
            double least = 2, most = 0;
            for (size_t k = 0; k < mesh->point_count; k++)
                lowest = fminf(lowest, mesh->points[k].z);
            for (size_t k = 0; k < field_count(&field); k++) {
                least = fmin(least, (double)field.cells[k]);
                most = fmax(most, (double)field.cells[k]);
            }
            assert_near((double)lowest, least - 0.5, 1e-6);
            const double area = (field.width - 1) * (field.height - 1), got = volume(outputs[0].value);
            assert_true(got >= 0.5 * area - 1e-3 && got <= (0.5 + most - least) * area + 1e-3);
            outputs_free(outputs);
            field_free(&field);
        }
}

static void bad_fields_are_refused(void **state) {
    (void)state;
    Field field = noise_field(1, 5, 1);
    Output outputs[OUTPUTS_MAX];
    Error error;
    assert_int_equal(
        run_operation(&op_mesh, (Call){ .inputs = { { .field = &field } } }, NULL, outputs, &error),
        STATUS_INVALID);
    assert_non_null(strstr(error.text, "height must have at least 2 × 2 cells, got 1 × 5"));
    field_free(&field);
}

// No point of the mesh lies inside the circle through a triangle's corners (places are whole plus a half, so
// that this is exact), and there are fewer triangles than right ones.
static void circles_are_empty(void **state) {
    (void)state;
    Field field = noise_field(61, 45, 4);
    Output outputs[OUTPUTS_MAX], others[OUTPUTS_MAX];
    kind = "right";
    make_mesh(&field, 0.1, 0, others);
    kind = "delaunay";
    make_mesh(&field, 0.1, 0, outputs);
    const Mesh *mesh = outputs[0].value, *other = others[0].value;
    assert_true(20 * mesh->triangle_count < 19 * other->triangle_count);
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *corners = mesh->triangles[i].corners;
        for (size_t k = 0; k < mesh->point_count; k++) {
            double at[3][2], square[3];
            for (int c = 0; c < 3; c++) {
                at[c][0] = (double)mesh->points[corners[c]].x - (double)mesh->points[k].x;
                at[c][1] = (double)mesh->points[corners[c]].y - (double)mesh->points[k].y;
                square[c] = at[c][0] * at[c][0] + at[c][1] * at[c][1];
            }
            double sum = 0; // counterclockwise: positive inside
            for (int c = 0; c < 3; c++) {
                const double *b = at[(c + 1) % 3], *d = at[(c + 2) % 3];
                sum += square[c] * (b[0] * d[1] - b[1] * d[0]);
            }
            assert_true(sum <= 0);
        }
    }
    outputs_free(outputs);
    outputs_free(others);
    field_free(&field);
}

// Beside every corner and along every side: cells of a wall, of a cross of walls, and heights at the ends of
// their range.
static void cliffs_and_extremes_are_met(void **state) {
    (void)state;
    Field field;
    Error error;
    Output outputs[OUTPUTS_MAX];
    assert_ok(field_create(&field, 48, 48, &error), error);
    for (int y = 0; y < 48; y++)
        for (int x = 0; x < 48; x++)
            field_row(&field, y)[x] = x == 24 || y == 24 || x + y == 60;
    make_mesh(&field, 0.001, 0, outputs);
    const Mesh *mesh = outputs[0].value;
    assert_true(greatest_error(&field, mesh, mesh->triangle_count) <= 0.001 + 1e-5);
    check_sides(mesh);
    outputs_free(outputs);
    for (int x = 0; x < 48; x++)
        field_row(&field, 7)[x] = x % 2 ? 1e30f : -1e30f;
    make_mesh(&field, 1, 0, outputs); // the highest peaks
    mesh = outputs[0].value;
    check_sides(mesh);
    assert_true(mesh->point_count > 48 + 4);
    outputs_free(outputs);
    field_free(&field);
}

#define OF_BOTH_KINDS(test)                                                                                  \
    { #test " of right triangles", test, use_right, NULL, NULL }, {                                          \
#test " of any triangles", test, use_delaunay, NULL, NULL                                            \
    }

int main(void) {
    const struct CMUnitTest tests[] = {
        OF_BOTH_KINDS(meshes_keep_within_the_error),
        OF_BOTH_KINDS(flat_ground_needs_few_triangles),
        OF_BOTH_KINDS(solids_are_closed),
        OF_BOTH_KINDS(bad_fields_are_refused),
        OF_BOTH_KINDS(cliffs_and_extremes_are_met),
        cmocka_unit_test(circles_are_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
