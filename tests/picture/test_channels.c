// Images made of fields: normals, channels, the ground's colours.

#include "support.h"

#include "core/gaps.h"
#include "core/palette.h"
#include "core/param.h"
#include "core/vector.h"
#include "operations.h"

#include <math.h>

static Field plane(int side, float right, float down) {
    Field field;
    Error error;
    assert_ok(field_create(&field, side, side, &error), error);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            field_row(&field, y)[x] = right * (float)x + down * (float)y;
    return field;
}

static Image paint(const Operation *operation, const Field *field, void *params) {
    Output outputs[OUTPUTS_MAX];
    Error error;
    assert_ok(run_operation(operation, (Call){ .inputs = { { .field = field } } }, params, outputs, &error),
              error);
    return outputs[0].image;
}

static void set_number(const Operation *operation, void *params, const char *name, double value) {
    Error error;
    assert_ok(param_set_number(operation_param(operation, name), params, value, &error), error);
}

static void set_text(const Operation *operation, void *params, const char *name, const char *text) {
    Error error;
    assert_ok(param_set_text(operation_param(operation, name), params, text, &error), error);
}

// The same normal everywhere, edges included: its components are 127.5 (n + 1), rounded.
static void normals_of_planes(void **state) {
    (void)state;
    enum { SIDE = 32 };
    for (int down = -2; down <= 2; down++)
        for (int convention = 0; convention < 2; convention++) {
            Field field = plane(SIDE, 1.5f / 2, (float)down / 2); // a height of 1 is 2 cells
            _Alignas(64) unsigned char params[16384];
            params_initialise(&op_normal_map, params);
            set_text(&op_normal_map, params, "convention", convention ? "directx" : "opengl");
            Image image = paint(&op_normal_map, &field, params);
            const double length = sqrt(1.5 * 1.5 + down * down + 1);
            for (int i = 0; i < SIDE * SIDE; i++) {
                const Pixel pixel = image.pixels[i];
                assert_near(pixel.red, 127.5 * (1 - 1.5 / length), 0.51);
                assert_near(pixel.green, 127.5 * (1 + (convention ? -1 : 1) * down / length), 0.51);
                assert_near(pixel.blue, 127.5 * (1 + 1 / length), 0.51);
                assert_int_equal(pixel.alpha, 255);
            }
            image_free(&image);
            field_free(&field);
        }
}

static void set_field(const Operation *operation, void *params, const char *name, const Field *field) {
    *(const Field **)(void *)((unsigned char *)params + operation_param(operation, name)->offset) = field;
}

static void channels_are_fields(void **state) {
    (void)state;
    Field red = noise_field(40, 30, 1), green = noise_field(40, 30, 2), alpha = noise_field(40, 30, 3);
    _Alignas(64) unsigned char params[16384];
    params_initialise(&op_image, params);
    Image grey = paint(&op_image, &red, params);
    set_field(&op_image, params, "green", &green);
    set_field(&op_image, params, "alpha", &alpha);
    set_number(&op_image, params, "low", 0.25);
    set_number(&op_image, params, "high", 0.75);
    Image image = paint(&op_image, &red, params);
    set_number(&op_image, params, "shares", 1);
    Image shares = paint(&op_image, &red, params);
    for (int i = 0; i < 40 * 30; i++) {
        const double given[4] = { fmin(fmax((double)red.cells[i] * 2 - 0.5, 0), 1),
                                  fmin(fmax((double)green.cells[i] * 2 - 0.5, 0), 1), 0,
                                  fmin(fmax((double)alpha.cells[i] * 2 - 0.5, 0), 1) };
        const double sum = given[0] + given[1] + given[3];
        assert_near(grey.pixels[i].red, 255 * (double)red.cells[i], 0.51);
        assert_int_equal(grey.pixels[i].green + grey.pixels[i].blue, 0);
        assert_int_equal(grey.pixels[i].alpha, 255);
        assert_near(image.pixels[i].red, 255 * given[0], 0.51);
        assert_near(image.pixels[i].green, 255 * given[1], 0.51);
        assert_int_equal(image.pixels[i].blue, 0);
        assert_near(image.pixels[i].alpha, 255 * given[3], 0.51);
        const Pixel share = shares.pixels[i];
        assert_near(share.red, sum > 0 ? 255 * given[0] / sum : 255, 1);
        assert_near(share.green, sum > 0 ? 255 * given[1] / sum : 0, 1);
        assert_near(share.alpha, sum > 0 ? 255 * given[3] / sum : 0, 1);
        assert_int_equal(share.red + share.green + share.blue + share.alpha, 255);
    }
    set_number(&op_image, params, "high", 0.25);
    Output outputs[OUTPUTS_MAX];
    Error error;
    assert_int_equal(
        run_operation(&op_image, (Call){ .inputs = { { .field = &red } } }, params, outputs, &error),
        STATUS_INVALID);
    assert_string_equal(error.text, "high must be above low, got 0.25 and 0.25");
    image_free(&grey);
    image_free(&image);
    image_free(&shares);
    field_free(&red);
    field_free(&green);
    field_free(&alpha);
}

static int brightness(Pixel pixel) {
    return pixel.red + pixel.green + pixel.blue;
}

// Level ground has the palette's colour, high ground is white, cliffs are rock, and shade darkens all.
static void ground_is_coloured(void **state) {
    (void)state;
    enum { SIDE = 64 };
    Field field = plane(SIDE, 0, 0), shade = plane(SIDE, 0, 0);
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int x = i % SIDE; // a low plain, a cliff of 4 cells, a high plain
        field_cells(&field)[i] = x < 24 ? 0.25f : x < 40 ? 0.25f + (float)(x - 24) / 16 * 0.75f : 1;
        field_cells(&shade)[i] = 0.5f;
    }
    _Alignas(64) unsigned char params[16384];
    params_initialise(&op_texture, params);
    set_number(&op_texture, params, "variation", 0);
    set_number(&op_texture, params, "exaggeration", 16);
    Image image = paint(&op_texture, &field, params);
    const Palette *palette = palette_find("ground");
    const Pixel plain = image_row(&image, 9)[5], cliff = image_row(&image, 9)[31],
                top = image_row(&image, 9)[60];
    for (int i = 0; i < palette->count; i++)
        if (palette->stops[i].height == 0.25) {
            const Pixel colour = palette->stops[i].colour;
            assert_near(plain.red, colour.red, 1);
            assert_near(plain.green, colour.green, 1);
            assert_near(plain.blue, colour.blue, 1);
        }
    assert_true(brightness(top) > 700 && brightness(plain) < 400);
    assert_true(abs(cliff.red - cliff.green) < 20 && plain.green - plain.red > 20); // grey against green
    set_field(&op_texture, params, "shade", &shade);
    Image dark = paint(&op_texture, &field, params);
    for (int i = 0; i < SIDE * SIDE; i++)
        assert_true(brightness(dark.pixels[i]) < brightness(image.pixels[i]));
    image_free(&dark);
    // Without any light from the sun, the sky's is left.
    memset(field_cells(&shade), 0, SIDE * SIDE * sizeof(float));
    dark = paint(&op_texture, &field, params);
    const int shadow = brightness(image_row(&dark, 9)[31]);
    assert_true(shadow > 60 && shadow < brightness(cliff));
    image_free(&dark);
    set_number(&op_texture, params, "ambient", 0);
    dark = paint(&op_texture, &field, params);
    assert_true(brightness(image_row(&dark, 9)[31]) == 0);
    image_free(&dark);
    // Neither rock nor snow.
    Error error;
    set_field(&op_texture, params, "shade", NULL);
    assert_ok(param_set_numbers(operation_param(&op_texture, "snow"), params, &(Numbers){ 0 }, &error),
              error);
    assert_ok(param_set_numbers(operation_param(&op_texture, "rock"), params, &(Numbers){ 0 }, &error),
              error);
    Image bare = paint(&op_texture, &field, params);
    assert_true(brightness(image_row(&bare, 9)[60]) < brightness(top) - 100);
    assert_true(image_row(&bare, 9)[26].green > image_row(&bare, 9)[26].red + 10);
    image_free(&bare);
    image_free(&image);
    field_free(&field);
    field_free(&shade);
}

static bool is_colour(Pixel pixel, int red, int green, int blue) {
    return pixel.red == red && pixel.green == green && pixel.blue == blue;
}

// The ends of the range have the palette's first and last colour; a legend adds a column with both.
static void values_have_colours(void **state) {
    (void)state;
    Field field = plane(50, 1, 0);
    _Alignas(64) unsigned char params[16384];
    params_initialise(&op_colorize, params);
    Image plain = paint(&op_colorize, &field, params);
    assert_true(is_colour(image_row(&plain, 7)[0], 0x44, 0x01, 0x54));
    assert_true(is_colour(image_row(&plain, 7)[49], 0xfd, 0xe7, 0x25));
    set_number(&op_colorize, params, "legend", 1);
    set_number(&op_colorize, params, "low", 10);
    set_number(&op_colorize, params, "high", 20);
    Image image = paint(&op_colorize, &field, params);
    assert_int_equal(image.height, 50);
    assert_true(image.width > 80);
    assert_true(is_colour(image_row(&image, 7)[10], 0x44, 0x01, 0x54)); // 10 and below
    assert_true(is_colour(image_row(&image, 7)[20], 0xfd, 0xe7, 0x25));
    int first = 0, last = 0, ink = 0, right = 0;
    for (int y = 0; y < 50; y++)
        for (int x = 50; x < image.width; x++) {
            const Pixel pixel = image_row(&image, y)[x];
            first += abs(pixel.red - 0x44) + abs(pixel.green - 0x01) + abs(pixel.blue - 0x54) < 40;
            last += abs(pixel.red - 0xfd) + abs(pixel.green - 0xe7) + abs(pixel.blue - 0x25) < 40;
            ink += brightness(pixel) < 300 && x > 50 + 24;
            right = brightness(pixel) < 300 ? max(right, x) : right;
        }
    assert_in_range(image.width - 1 - right, 6, 12); // the margin beside the longest number
    assert_true(first >= 10 && last >= 10 && ink > 20);
    image_free(&plain);
    image_free(&image);
    field_free(&field);
}

// Cells of a row are coloured some at a time, and no pixel past its end is: the same colours as in a column.
static void long_rows_are_columns(void **state) {
    (void)state;
    enum { LONG = 300 };
    Field row, column;
    Error error;
    assert_ok(field_create(&row, LONG, 1, &error), error);
    assert_ok(field_create(&column, 1, LONG, &error), error);
    for (int i = 0; i < LONG; i++)
        field_cells(&row)[i] = field_cells(&column)[i] = (float)(i % 17);
    _Alignas(64) unsigned char params[16384];
    params_initialise(&op_colorize, params);
    for (int i = 0; i < 20; i++) { // memory that was written beyond a row is found out then
        Image along = paint(&op_colorize, &row, params), down = paint(&op_colorize, &column, params);
        assert_memory_equal(along.pixels, down.pixels, LONG * sizeof(Pixel));
        image_free(&down);
        image_free(&along);
    }
    field_free(&row);
    field_free(&column);
}

// A palette's coast is at the value 0, and its sea below; without values below 0 all are land.
static void coasts_are_at_zero(void **state) {
    (void)state;
    static const char *const names[] = { "grey", "hypsometric", "heights" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const Palette *palette = palette_find(names[i]);
        const struct PaletteStop *shore = palette->stops;
        while (shore->height != 0)
            shore++;
        const Pixel deepest = palette->stops[0].colour, land = shore->colour;
        Field field = plane(61, 1, 0);
        for (int sunk = 0; sunk <= 20; sunk += 20) {
            for (int k = 0; k < 61 * 61; k++)
                field_cells(&field)[k] -= (float)sunk;
            _Alignas(64) unsigned char params[16384];
            params_initialise(&op_colorize, params);
            set_text(&op_colorize, params, "palette", names[i]);
            Image image = paint(&op_colorize, &field, params);
            const Pixel *row = image_row(&image, 7);
            assert_true(is_colour(row[sunk], land.red, land.green, land.blue));
            if (sunk)
                assert_true(is_colour(row[0], deepest.red, deepest.green, deepest.blue));
            image_free(&image);
        }
        field_free(&field);
    }
    assert_false(palette_has_coast(palette_find("diverging")) || palette_has_coast(palette_find("viridis")));
}

static int pixels_unlike(const Image *a, const Image *b) {
    int count = 0;
    for (int i = 0; i < a->width * a->height; i++)
        count += memcmp(&a->pixels[i], &b->pixels[i], sizeof(Pixel)) != 0;
    return count;
}

// Labels, bar and arrow come and go; contours run where heights cross their levels and nowhere else.
static void maps_have_contours(void **state) {
    (void)state;
    Field field = plane(200, 0.005f, 0); // contours at x = 20, 40 …
    _Alignas(64) unsigned char params[16384];
    params_initialise(&op_contour_map, params);
    set_number(&op_contour_map, params, "interval", 0.1);
    set_number(&op_contour_map, params, "labels", 0);
    Image lines = paint(&op_contour_map, &field, params);
    set_number(&op_contour_map, params, "labels", 1);
    Image labels = paint(&op_contour_map, &field, params);
    set_number(&op_contour_map, params, "cell", 30);
    Image bar = paint(&op_contour_map, &field, params);
    for (int line = 20; line < 180; line += 20) // beside it the ground is brighter
        for (int y = 70; y < 190; y += 7) {
            const Pixel *row = image_row(&lines, y);
            const int darkest = min(brightness(row[line]), brightness(row[line - 1]));
            assert_true(darkest + 40 < brightness(row[line - 8]) && darkest + 40 < brightness(row[line + 8]));
        }
    // Rough contours are labelled, too.
    Field rough = noise_field(300, 300, 3);
    set_number(&op_contour_map, params, "cell", 0);
    Image written_on = paint(&op_contour_map, &rough, params);
    set_number(&op_contour_map, params, "labels", 0);
    Image bare = paint(&op_contour_map, &rough, params);
    assert_true(pixels_unlike(&written_on, &bare) > 300);
    image_free(&written_on);
    image_free(&bare);
    field_free(&rough);
    const int written = pixels_unlike(&lines, &labels), scale = pixels_unlike(&labels, &bar);
    assert_true(written > 200 && written < 4000);
    assert_true(scale > 400 && scale < 4000);
    image_free(&lines);
    image_free(&labels);
    image_free(&bar);
    field_free(&field);
}

// Where the labels of a map are: the middles of what differs from one without them.
static int find_labels(const Field *field, void *params, Vec2 *found, int most) {
    set_number(&op_contour_map, params, "labels", 0);
    Image bare = paint(&op_contour_map, field, params);
    set_number(&op_contour_map, params, "labels", 1);
    Image image = paint(&op_contour_map, field, params);
    int count = 0, members[64] = { 0 };
    for (int y = 0; y < image.height; y++)
        for (int x = 0; x < image.width; x++) {
            if (memcmp(&image_row(&image, y)[x], &image_row(&bare, y)[x], sizeof(Pixel)) == 0)
                continue;
            int near = 0;
            while (near < count &&
                   hypot(found[near].x / members[near] - x, found[near].y / members[near] - y) > 30)
                near++;
            assert_true(near < most);
            if (near == count)
                found[count++] = (Vec2){ 0 };
            found[near].x += x;
            found[near].y += y;
            members[near]++;
        }
    for (int i = 0; i < count; i++)
        found[i] = (Vec2){ found[i].x / members[i], found[i].y / members[i] };
    image_free(&bare);
    image_free(&image);
    return count;
}

// Rough land has few labels, far apart; on a cone, whose contours are closed, all are where up is uphill.
static void labels_are_sparse_and_face_uphill(void **state) {
    (void)state;
    enum { SIDE = 400, MOST = 64 };
    const double middle = 0.5 * SIDE;
    Vec2 labels[MOST];
    _Alignas(64) unsigned char params[16384];
    Field height = noise_field(SIDE / 8, SIDE / 8, 5), rough;
    params_initialise(&op_resize, params);
    set_number(&op_resize, params, "size", SIDE);
    rough = run_field(&op_resize, (Call){ .inputs = { { .field = &height } } }, params);
    params_initialise(&op_contour_map, params);
    set_number(&op_contour_map, params, "interval", 0.1);
    const int count = find_labels(&rough, params, labels, MOST);
    assert_in_range(count, 3, 30);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            assert_true(hypot(labels[i].x - labels[k].x, labels[i].y - labels[k].y) > 35);
    Field cone = plane(SIDE, 0, 0);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            field_row(&cone, y)[x] = (float)(1 - hypot(x - middle, y - middle) / 280);
    set_number(&op_contour_map, params, "index", 1);
    const int rings = find_labels(&cone, params, labels, MOST);
    assert_in_range(rings, 3, 20);
    for (int i = 0; i < rings; i++)
        assert_true(labels[i].y > middle - 25 || hypot(labels[i].x - middle, labels[i].y - middle) > 195);
    field_free(&height);
    field_free(&rough);
    field_free(&cone);
}

static bool is_opaque(const Image *image, int left, int right) {
    for (int y = 0; y < image->height; y++)
        for (int x = left; x < right; x++)
            if (image_row(image, y)[x].alpha != 255)
                return false;
    return true;
}

// Gaps are transparent beside a legend and round the signs of a map, which lie on opaque paper.
static void only_gaps_are_transparent(void **state) {
    (void)state;
    enum { SIDE = 160 };
    Field field = plane(SIDE, 1.0f / SIDE, 0);
    Error error;
    Gaps *gaps = gaps_new(SIDE * SIDE, &error);
    for (int i = 0; i < SIDE * SIDE; i++)
        gaps->at[i] = i % SIDE < 100;
    field_set_gaps(&field, gaps);
    _Alignas(64) unsigned char params[16384];
    params_initialise(&op_colorize, params);
    Image plain = paint(&op_colorize, &field, params);
    set_number(&op_colorize, params, "legend", 1);
    Image image = paint(&op_colorize, &field, params);
    assert_true(image.width > SIDE && is_opaque(&image, 100, image.width));
    for (int y = 0; y < SIDE; y++) {
        assert_int_equal(image_row(&image, y)[99].alpha, 0);
        assert_memory_equal(image_row(&image, y), image_row(&plain, y), SIDE * sizeof(Pixel));
    }
    assert_true(is_colour(image_row(&image, 7)[100], 0x44, 0x01, 0x54)); // the lowest with data
    image_free(&plain);
    image_free(&image);
    params_initialise(&op_contour_map, params);
    set_number(&op_contour_map, params, "cell", 30);
    set_text(&op_contour_map, params, "title", "Gaps");
    image = paint(&op_contour_map, &field, params);
    assert_true(is_opaque(&image, 100, SIDE));
    const int boxes[2][4] = { { 8, 8, 40, 30 }, { 8, SIDE - 34, 40, SIDE - 8 } }; // title, bar
    for (int i = 0; i < 2; i++) {
        int ink = 0;
        for (int y = boxes[i][1]; y < boxes[i][3]; y++)
            for (int x = boxes[i][0]; x < boxes[i][2]; x++) {
                assert_int_equal(image_row(&image, y)[x].alpha, 255);
                ink += brightness(image_row(&image, y)[x]) < 600;
            }
        assert_true(ink > 20);
    }
    for (int x = 0; x < 90; x++)
        assert_int_equal(image_row(&image, 80)[x].alpha, 0);
    image_free(&image);
    field_free(&field);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normals_of_planes),
        cmocka_unit_test(channels_are_fields),
        cmocka_unit_test(ground_is_coloured),
        cmocka_unit_test(values_have_colours),
        cmocka_unit_test(coasts_are_at_zero),
        cmocka_unit_test(only_gaps_are_transparent),
        cmocka_unit_test(long_rows_are_columns),
        cmocka_unit_test(maps_have_contours),
        cmocka_unit_test(labels_are_sparse_and_face_uphill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
