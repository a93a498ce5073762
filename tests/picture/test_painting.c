// Images blended as the standard says, and shapes painted over them.

#include "pictures.h"

#include "places/points.h"

#include <string.h>

enum { WIDTH = 300, HEIGHT = 9 };

static Drawing drawing;

// Any colours, and every alpha.
static Image some_image(uint64_t seed, bool opaque) {
    Image image;
    Error error;
    assert_ok(image_create(&image, WIDTH, HEIGHT, &error), error);
    const RandomKey key = random_key(seed, 0);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const uint32_t bits = random_bits(key, (uint32_t)x, (uint32_t)y);
            const int alpha = y < 2 ? y * 255 : (int)(bits >> 24);
            image_row(&image, y)[x] =
                (Pixel){ bits & 255, bits >> 8 & 255, bits >> 16 & 255, (uint8_t)(opaque ? 255 : alpha) };
        }
    return image;
}

static void begin(const Operation *operation) {
    drawing.operation = operation;
    assert_true(operation->params_size <= sizeof drawing.params);
    params_initialise(operation, drawing.params);
}

static Status try_images(const Image *image, const Input *shape, Output *outputs, Error *error) {
    return run_operation(drawing.operation, (Call){ .inputs = { { .image = image }, *shape } },
                         drawing.params, outputs, error);
}

// The caller frees the image.
static Image over(const Image *image, const Input *shape) {
    Output outputs[OUTPUTS_MAX];
    Error error;
    assert_ok(try_images(image, shape, outputs, &error), error);
    return outputs[0].image.pixels ? outputs[0].image : outputs[1].image;
}

static double channel(Pixel pixel, int i) {
    return (i == 0 ? pixel.red : i == 1 ? pixel.green : i == 2 ? pixel.blue : pixel.alpha) / 255.0;
}

static void assert_pixels(const Image *got, const Image *expected, int tolerance) {
    for (int y = 0; y < expected->height; y++)
        for (int x = 0; x < expected->width; x++)
            for (int i = 0; i < 4; i++) {
                const double here = channel(pixel_at(got, x, y), i) * 255;
                const double there = channel(pixel_at(expected, x, y), i) * 255;
                if (fabs(here - there) > tolerance + 1e-9)
                    fail_msg("channel %d of (%d, %d) is %g, not %g", i, x, y, here, there);
            }
}

// --- blend -------------------------------------------------------------------------------------------------

static double screen(double a, double b) {
    return a + b - a * b;
}

static double hard_light(double a, double b) {
    return b <= 0.5 ? 2 * a * b : screen(a, 2 * b - 1);
}

static double soft_light(double a, double b) {
    const double light = a <= 0.25 ? ((16 * a - 12) * a + 4) * a : sqrt(a);
    return b <= 0.5 ? a - (1 - 2 * b) * a * (1 - a) : a + (2 * b - 1) * (light - a);
}

static double mode_value(const char *mode, double a, double b) {
    if (!strcmp(mode, "multiply"))
        return a * b;
    if (!strcmp(mode, "screen"))
        return screen(a, b);
    if (!strcmp(mode, "overlay"))
        return hard_light(b, a);
    if (!strcmp(mode, "soft_light"))
        return soft_light(a, b);
    if (!strcmp(mode, "add"))
        return fmin(a + b, 1);
    if (!strcmp(mode, "subtract"))
        return fmax(a - b, 0);
    if (!strcmp(mode, "burn"))
        return a == 1 ? 1 : b == 0 ? 0 : 1 - fmin(1, (1 - a) / b);
    return b;
}

// Compositing and blending level 1: the mixed source, then "over", with alpha premultiplied.
static Pixel composed(const char *mode, Pixel a, Pixel b, double share) {
    double out[4];
    const double below = channel(a, 3), source = channel(b, 3) * share,
                 alpha = source + below - source * below;
    for (int i = 0; i < 3; i++) {
        const double mixed =
            (1 - below) * channel(b, i) + below * mode_value(mode, channel(a, i), channel(b, i));
        const double premultiplied = source * mixed + (1 - source) * below * channel(a, i);
        out[i] = alpha > 0 ? premultiplied / alpha : channel(a, i);
    }
    return (Pixel){ (uint8_t)(out[0] * 255 + 0.5), (uint8_t)(out[1] * 255 + 0.5),
                    (uint8_t)(out[2] * 255 + 0.5), (uint8_t)(alpha * 255 + 0.5) };
}

static float some_mask(int x, int y) {
    return (float)(x * 7 % 11 - 1) * 0.1f + 0.01f * (float)y;
}

static void images_blend_as_the_standard_says(void **state) {
    (void)state;
    static const char *const modes[] = { "normal", "add",     "subtract",   "multiply",
                                         "screen", "overlay", "soft_light", "burn" };
    Image a = some_image(1, false), b = some_image(2, false), expected = some_image(3, false);
    Field mask = field_of(WIDTH, HEIGHT, some_mask);
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        begin(&op_blend);
        set_choice(&drawing, "mode", modes[k]);
        set_number(&drawing, "opacity", 0.8);
        set_field(&drawing, "mask", &mask);
        Image got = over(&a, &(Input){ .image = &b });
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const double share = 0.8 * fmin(fmax((double)field_row(&mask, y)[x], 0), 1);
                image_row(&expected, y)[x] =
                    composed(modes[k], pixel_at(&a, x, y), pixel_at(&b, x, y), share);
            }
        assert_pixels(&got, &expected, 1);
        image_free(&got);
    }
    field_free(&mask);
    image_free(&a);
    image_free(&b);
    image_free(&expected);
}

static void blending_nothing_changes_nothing(void **state) {
    (void)state;
    Image a = some_image(1, false), b = some_image(2, false);
    begin(&op_blend);
    set_choice(&drawing, "mode", "burn");
    set_number(&drawing, "opacity", 0);
    Image got = over(&a, &(Input){ .image = &b });
    assert_pixels(&got, &a, 0);
    image_free(&got);
    image_free(&a);
    image_free(&b);
}

static void images_blend_with_images_of_their_size(void **state) {
    (void)state;
    Image a = some_image(1, true), b;
    Field field = field_of(WIDTH, HEIGHT, some_mask);
    Output outputs[OUTPUTS_MAX];
    Error error;
    assert_ok(image_create(&b, WIDTH, HEIGHT + 1, &error), error);
    begin(&op_blend);
    assert_int_equal(try_images(&a, &(Input){ .image = &b }, outputs, &error), STATUS_INVALID);
    assert_string_equal(error.text, "b is 300 × 10, but must have the size of a, 300 × 9");
    assert_int_equal(try_images(&a, &(Input){ .field = &field }, outputs, &error), STATUS_INVALID);
    assert_string_equal(error.text, "a and b must be two fields or two images, got an image and a field");
    image_free(&a);
    image_free(&b);
    field_free(&field);
}

// --- paint -------------------------------------------------------------------------------------------------

static Image flat(int width, int height, Pixel colour) {
    Image image;
    Error error;
    assert_ok(image_create(&image, width, height, &error), error);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            image_row(&image, y)[x] = colour;
    return image;
}

static const Pixel red = { 200, 20, 10, 128 };

static void a_mask_is_painted_as_an_image_of_one_colour_is_blended(void **state) {
    (void)state;
    Image below = some_image(4, false), colour = flat(WIDTH, HEIGHT, red);
    Field mask = field_of(WIDTH, HEIGHT, some_mask);
    begin(&op_blend);
    set_field(&drawing, "mask", &mask);
    set_number(&drawing, "opacity", 0.7);
    Image blended = over(&below, &(Input){ .image = &colour });
    begin(&op_paint);
    set_choice(&drawing, "colour", "#c8140a80");
    set_number(&drawing, "opacity", 0.7);
    Image painted = over(&below, &(Input){ .field = &mask });
    assert_pixels(&painted, &blended, 1);
    image_free(&below);
    image_free(&colour);
    image_free(&blended);
    image_free(&painted);
    field_free(&mask);
}

// A line along row 3 of a window of 40 × 8 cells.
static RiverNetwork *line_of(double width) {
    Error error;
    RiverNetwork *network = network_new(1, 3, 0, &error);
    assert_non_null(network);
    network->width = 40;
    network->height = 8;
    network->lines = true;
    network->reaches[0] = (Reach){ .first = 0, .count = 3, .downstream = -1, .order = 1 };
    for (int i = 0; i < 3; i++)
        network->points[i] = (RiverPoint){ .x = i == 0   ? 2
                                                : i == 1 ? 17
                                                         : 38,
                                           .y = 3.5,
                                           .width = (float)width };
    return network;
}

static bool is_painted(const Image *image, int x, int y) {
    return pixel_at(image, x, y).green < 128;
}

static void lines_are_drawn_as_large_as_the_image(void **state) {
    (void)state;
    RiverNetwork *network = line_of(1);
    Image paper = flat(160, 32, (Pixel){ 255, 255, 255, 255 });
    begin(&op_paint);
    Image image = over(&paper, &(Input){ .value = network, .type = &type_network });
    for (int y = 0; y < 32; y++)
        if (is_painted(&image, 80, y) != (y >= 12 && y < 16)) // cell 3 is four pixels high
            fail_msg("row %d", y);
    assert_false(is_painted(&image, 2, 14));
    image_free(&image);
    set_number(&drawing, "thickness", 3);
    image = over(&paper, &(Input){ .value = network, .type = &type_network });
    assert_true(is_painted(&image, 80, 8) && is_painted(&image, 80, 19));
    assert_false(is_painted(&image, 80, 6) || is_painted(&image, 80, 21));
    image_free(&image);
    image_free(&paper);
    memory_free(network);
}

// Dashes go on over the line's points.
static void dashes_and_gaps_have_the_given_length(void **state) {
    (void)state;
    RiverNetwork *network = line_of(0.5);
    Image paper = flat(400, 80, (Pixel){ 255, 255, 255, 255 });
    begin(&op_paint);
    set_number(&drawing, "dash", 30);
    Image image = over(&paper, &(Input){ .value = network, .type = &type_network });
    for (int x = 20; x < 380; x++) {
        const int within = (x - 20) % 60, dash = within < 30;
        const bool border = within < 4 || within > 55 || (within > 25 && within < 34); // round ends
        if (!border && is_painted(&image, x, 35) != dash)
            fail_msg("%d", x);
    }
    image_free(&image);
    image_free(&paper);
    memory_free(network);
}

static void each_species_has_its_colour(void **state) {
    (void)state;
    Error error;
    Points *points = points_new(3, &error);
    assert_non_null(points);
    points->width = points->height = 30;
    for (int i = 0; i < 3; i++)
        points->at[i] = (PlacePoint){ .x = 5 + 10 * i, .y = 15, .radius = 3, .species = i + 1 };
    Image paper = flat(30, 30, (Pixel){ 255, 255, 255, 255 });
    begin(&op_paint);
    set_choice(&drawing, "colour", "#0a0000 #140000");
    Image image = over(&paper, &(Input){ .value = points, .type = &type_points });
    assert_int_equal(pixel_at(&image, 5, 15).red, 10);
    assert_int_equal(pixel_at(&image, 15, 15).red, 20);
    assert_int_equal(pixel_at(&image, 25, 15).red, 10); // colours are repeated
    assert_int_equal(pixel_at(&image, 10, 15).red, 255);
    image_free(&image);
    begin(&op_draw);
    Output outputs[OUTPUTS_MAX];
    assert_ok(run_operation(&op_draw, (Call){ .inputs = { { .value = points, .type = &type_points } } },
                            drawing.params, outputs, &error),
              error);
    assert_true(memcmp(&image_row(&outputs[0].image, 15)[5], &image_row(&outputs[0].image, 15)[15],
                       sizeof(Pixel)) != 0);
    outputs_free(outputs);
    image_free(&paper);
    memory_free(points);
}

static void a_shape_must_have_the_shape_of_the_image(void **state) {
    (void)state;
    RiverNetwork *network = line_of(1);
    Image paper = flat(160, 40, (Pixel){ 255, 255, 255, 255 });
    Output outputs[OUTPUTS_MAX];
    Error error;
    begin(&op_paint);
    assert_int_equal(try_images(&paper, &(Input){ .value = network, .type = &type_network }, outputs, &error),
                     STATUS_INVALID);
    assert_string_equal(error.text,
                        "the shape's window is 40 × 8, the image 160 × 40: their aspect ratios differ");
    image_free(&paper);
    memory_free(network);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_blend_as_the_standard_says),
        cmocka_unit_test(blending_nothing_changes_nothing),
        cmocka_unit_test(images_blend_with_images_of_their_size),
        cmocka_unit_test(a_mask_is_painted_as_an_image_of_one_colour_is_blended),
        cmocka_unit_test(lines_are_drawn_as_large_as_the_image),
        cmocka_unit_test(dashes_and_gaps_have_the_given_length),
        cmocka_unit_test(each_species_has_its_colour),
        cmocka_unit_test(a_shape_must_have_the_shape_of_the_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
