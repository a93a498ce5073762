// What a camera sees: rays against a plain march, shadows of known length, and cameras that cannot be.

#include "support.h"

#include "operations.h"
#include "picture/daylight.h"
#include "picture/max_pyramid.h"

#include <math.h>
#include <stdlib.h>

_Alignas(64) static unsigned char params[32768];

static double unit(uint32_t i, uint32_t k) {
    return (double)random_unit(random_key(5, 1), i, k);
}

// Where a ray first comes to the ground, in small steps.
static double march(const MaxPyramid *pyramid, Vector from, Vector along, double farthest) {
    for (double at = 0; at < farthest; at += 0.005) {
        const Vector here = vector_plus(from, along, at);
        const bool inside =
            here.x >= 0 && here.y >= 0 && here.x <= pyramid->columns[0] && here.y <= pyramid->rows[0];
        if (inside && here.z <= max_pyramid_ground(pyramid, here.x, here.y))
            return at;
    }
    return -1;
}

static void rays_meet_the_ground_where_a_march_does(void **state) {
    (void)state;
    Field height = noise_field(61, 45, 3);
    MaxPyramid pyramid;
    Error error;
    assert_ok(max_pyramid_create(&pyramid, &on_threads(1), &height, 0, 8, &error), error);
    pyramid.lowest = -1000;
    int met = 0;
    for (uint32_t i = 0; i < 3000; i++) {
        const Vector from = { 90 * unit(i, 0) - 15, 75 * unit(i, 1) - 15, 9 + 20 * unit(i, 2) };
        const Vector to = { 60 * unit(i, 3), 44 * unit(i, 4), 8 * unit(i, 5) };
        const Vector along = vector_unit(vector_plus(to, from, -1));
        const Seen seen = max_pyramid_cast(&pyramid, from, along, 200);
        const double expected = march(&pyramid, from, along, 200);
        met += expected >= 0;
        // A ray that only grazes a crest may pass in either.
        if ((seen.kind == SEEN_NOTHING) != (expected < 0) ||
            (expected >= 0 && fabs(seen.distance - expected) > 0.02)) {
            const double at = seen.kind == SEEN_NOTHING ? expected : seen.distance;
            const double nearest = expected >= 0 && expected < at ? expected : at;
            const Vector here = vector_plus(from, along, nearest + 0.3);
            if (fabs(here.z - max_pyramid_ground(&pyramid, here.x, here.y)) > 0.35)
                fail_msg("ray %u: %d at %g, but %g", i, (int)seen.kind, seen.distance, expected);
        }
    }
    assert_true(met > 2000);
    max_pyramid_free(&pyramid);
    field_free(&height);
}

// A tower 10 high, the sun 45° above the north: its shadow is 10 long, to the south.
static void shadows_are_as_long_as_the_sun_says(void **state) {
    (void)state;
    Field height;
    Error error;
    assert_ok(field_create(&height, 60, 60, &error), error);
    for (size_t i = 0; i < 3600; i++)
        field_cells(&height)[i] = 0;
    for (int y = 28; y < 31; y++)
        for (int x = 28; x < 33; x++)
            field_row(&height, y)[x] = 10;
    const struct {
        Vector sun;
        int x, y; // one step away from the sun
    } cases[] = { { { 0, -0.7071067811865476, 0.7071067811865476 }, 0, 1 },
                  { { 0, 0.7071067811865476, 0.7071067811865476 }, 0, -1 },
                  { { -0.7071067811865476, 0, 0.7071067811865476 }, 1, 0 },
                  { { 0.7071067811865476, 0, 0.7071067811865476 }, -1, 0 } };
    MaxPyramid pyramid;
    assert_ok(max_pyramid_create(&pyramid, &on_threads(1), &height, 0, 1, &error), error);
    for (int i = 0; i < 4; i++) {
        Daylight daylight;
        assert_ok(daylight_create(&daylight, &on_threads(1), &pyramid, cases[i].sun, &error), error);
        for (int far = 1; far < 20; far++) {
            const int x = 30 + cases[i].x * (far + 2), y = 29 + cases[i].y * (far + 1);
            const uint8_t sun = daylight.sun[y * 60 + x];
            assert_true(far < 9 ? sun < 20 : far > 11 ? sun > 235 : true);
            assert_int_equal(daylight.sun[(29 - cases[i].y * (far + 1)) * 60 + 30 - cases[i].x * (far + 2)],
                             255);
        }
        daylight_free(&daylight);
    }
    Daylight daylight;
    assert_ok(daylight_create(&daylight, &on_threads(1), &pyramid, (Vector){ 0, 0, 1 }, &error), error);
    for (int i = 0; i < 3600; i++)
        assert_int_equal(daylight.sun[i], 255);
    assert_true(daylight_sky(&daylight, 30, 27) < daylight_sky(&daylight, 5, 5)); // at the tower's foot
    daylight_free(&daylight);
    max_pyramid_free(&pyramid);
    field_free(&height);
}

static void begin(void) {
    params_initialise(&op_perspective, params);
    *(Palette *)(void *)(params + operation_param(&op_perspective, "palette")->offset) =
        (Palette){ 2, { { 0, { 20, 120, 20, 255 } }, { 1, { 255, 255, 255, 255 } } } };
}

static void set_list(const char *name, Numbers numbers) {
    Error error;
    assert_ok(param_set_numbers(operation_param(&op_perspective, name), params, &numbers, &error), error);
}

static void set(const char *name, double value) {
    Error error;
    assert_ok(param_set_number(operation_param(&op_perspective, name), params, value, &error), error);
}

static Status look(const Field *height, Output *outputs, Error *error) {
    return run_operation(&op_perspective,
                         (Call){ .inputs = { { .field = height } }, .width = 80, .height = 60 }, params,
                         outputs, error);
}

static void fails_with(const Field *height, const char *message) {
    Output outputs[OUTPUTS_MAX];
    Error error;
    assert_int_equal(look(height, outputs, &error), STATUS_INVALID);
    if (!strstr(error.text, message))
        fail_msg("'%s' is not in '%s'", message, error.text);
}

// By default the camera sees the whole field: its corners are in the picture, near the edge, whatever the
// angles, and nothing of it is outside.
static void the_whole_field_is_seen_by_default(void **state) {
    (void)state;
    Field height = noise_field(64, 40, 1);
    static const double azimuths[] = { 330, 0, 45, 200 }, pitches[] = { 10, 30, 80 };
    begin();
    for (int i = 0; i < 12; i++) {
        set("azimuth", azimuths[i % 4]);
        set("pitch", pitches[i / 4]);
        Output outputs[OUTPUTS_MAX];
        Error error;
        assert_ok(look(&height, outputs, &error), error);
        const Image *image = &outputs[0].image;
        const Pixel sky = image_row(image, 0)[0];
        int left = image->width, right = -1, top = image->height, bottom = -1;
        for (int y = 0; y < image->height; y++)
            for (int x = 0; x < image->width; x++) {
                const Pixel pixel = image_row(image, y)[x];
                if (abs(pixel.red - sky.red) + abs(pixel.blue - sky.blue) < 60)
                    continue;
                left = min(left, x), right = max(right, x);
                top = min(top, y), bottom = max(bottom, y);
            }
        const int margin = min(min(left, image->width - 1 - right), min(top, image->height - 1 - bottom));
        if (margin < 1 || margin > 5)
            fail_msg("azimuth %g, pitch %g: margin %d", azimuths[i % 4], pitches[i / 4], margin);
        outputs_free(outputs);
    }
    field_free(&height);
}

static void cameras_that_cannot_be_are_refused(void **state) {
    (void)state;
    Field height = noise_field(64, 64, 1), other = noise_field(32, 32, 1);
    begin();
    set_list("camera", (Numbers){ 3, { 0.5, 0.5, 0.001 } });
    set_list("target", (Numbers){ 3, { 0.6, 0.5, 0 } });
    fails_with(&height, "the camera is inside the ground");
    begin();
    set_list("camera", (Numbers){ 3, { 0.5, 0.5, 1 } });
    fails_with(&height, "the camera must not look straight up or down");
    begin();
    set_list("camera", (Numbers){ 3, { 0.5, 0.5, 1 } });
    set_list("target", (Numbers){ 3, { 0.5, 0.5, 1 } });
    fails_with(&height, "the camera must not look straight up or down");
    begin();
    set_list("light", (Numbers){ 2, { 100, 0 } });
    fails_with(&height, "light: the altitude must be 1 to 90");
    begin();
    *(const Field **)(void *)(params + operation_param(&op_perspective, "rivers")->offset) = &other;
    fails_with(&height, "rivers is 32 × 32, but must have the size of the first field, 64 × 64");
    field_free(&other);
    field_free(&height);
}

// A drape red in the west, blue in the east and clear in the middle, on level ground seen from the south.
static void a_drape_covers_the_ground(void **state) {
    (void)state;
    Field height;
    Image drape;
    Error error;
    Output outputs[OUTPUTS_MAX];
    assert_ok(field_create(&height, 60, 60, &error), error);
    assert_ok(image_create(&drape, 60, 60, &error), error);
    for (int y = 0; y < 60; y++)
        for (int x = 0; x < 60; x++) {
            field_row(&height, y)[x] = 0.5f;
            image_row(&drape, y)[x] = x < 20   ? (Pixel){ 255, 0, 0, 255 }
                                      : x < 40 ? (Pixel){ 255, 255, 255, 0 }
                                               : (Pixel){ 0, 0, 255, 255 };
        }
    begin();
    set("haze", 0);
    set("azimuth", 0);
    set("pitch", 60);
    *(const Image **)(void *)(params + operation_param(&op_perspective, "drape")->offset) = &drape;
    assert_ok(look(&height, outputs, &error), error);
    const Pixel *row = image_row(&outputs[0].image, 30);
    assert_true(row[22].red > 150 && row[22].green < 20 && row[22].blue < 20);
    assert_true(row[40].green > row[40].red && row[40].green > row[40].blue);
    assert_true(row[57].blue > 150 && row[57].green < 20 && row[57].red < 20);
    outputs_free(outputs);
    image_free(&drape);
    assert_ok(image_create(&drape, 32, 60, &error), error);
    fails_with(&height, "drape is 32 × 60, but must have the size of the first field, 60 × 60");
    image_free(&drape);
    field_free(&height);
}

// Level ground seen from the south: sky above the horizon, ground below, and the same from left to right.
static void level_ground_ends_at_the_horizon(void **state) {
    (void)state;
    Field height;
    Error error;
    Output outputs[OUTPUTS_MAX];
    assert_ok(field_create(&height, 50, 50, &error), error);
    for (size_t i = 0; i < 2500; i++)
        field_cells(&height)[i] = 0.5f;
    begin();
    set("sea_level", 0.6); // all is sea, which has no end
    set("haze", 0);
    set_list("camera", (Numbers){ 3, { 0.5, 1.5, 0.4 } });
    set_list("target", (Numbers){ 3, { 0.5, 0.5, 0.4 } });
    assert_ok(look(&height, outputs, &error), error);
    const Image *image = &outputs[0].image;
    for (int y = 0; y < 60; y++) {
        const Pixel left = image_row(image, y)[2], right = image_row(image, y)[77];
        assert_true(abs(left.green - right.green) < 12); // except for the glow around the sun
        assert_int_equal(left.alpha, 255);
    }
    const Pixel above = image_row(image, 28)[40], below = image_row(image, 40)[40];
    assert_true(above.red > 180 && below.red < above.red - 30);
    outputs_free(outputs);
    field_free(&height);
}

// Rows from south to north, and columns for rows: the view is that of the map.
static void mirrored_ground_looks_as_it_lies(void **state) {
    (void)state;
    Field north = noise_field(64, 64, 3), south = noise_field(64, 64, 3), across = noise_field(64, 64, 3);
    north.frame = (Frame){ .y = 64, .right_x = 1, .down_y = -1 };
    south.frame = (Frame){ .right_x = 1, .down_y = 1 };
    across.frame = (Frame){ .y = 64, .right_y = -1, .down_x = 1 };
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 64; x++) {
            field_row(&north, y)[x] = (float)(0.5 + 0.3 * sin(x * 0.1) + 0.2 * cos(y * 0.17 + x * 0.05));
            field_row(&south, 63 - y)[x] = field_row(&north, y)[x];
            field_row(&across, x)[y] = field_row(&north, y)[x];
        }
    begin();
    Error error;
    Output views[3][OUTPUTS_MAX];
    assert_ok(look(&north, views[0], &error), error);
    assert_ok(look(&south, views[1], &error), error);
    assert_ok(look(&across, views[2], &error), error);
    const Image *image = &views[0][0].image;
    const size_t count = (size_t)image->width * (size_t)image->height;
    int64_t sums[3] = {
        0
    }; // of differences: mirrored rows, columns for rows, and the view's own mirror image
    for (size_t i = 0; i < count; i++) {
        const size_t row = i / (size_t)image->width * (size_t)image->width;
        const Pixel here = image->pixels[i],
                    there = image->pixels[row + (size_t)image->width - 1 - (i - row)];
        sums[0] += abs(here.green - views[1][0].image.pixels[i].green);
        sums[1] += abs(here.green - views[2][0].image.pixels[i].green);
        sums[2] += abs(here.green - there.green);
    }
    assert_true(sums[0] * 100 < sums[2]);
    assert_true(sums[1] * 100 < sums[2]);
    for (int i = 0; i < 3; i++)
        outputs_free(views[i]);
    field_free(&north);
    field_free(&south);
    field_free(&across);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_meet_the_ground_where_a_march_does),
        cmocka_unit_test(shadows_are_as_long_as_the_sun_says),
        cmocka_unit_test(the_whole_field_is_seen_by_default),
        cmocka_unit_test(cameras_that_cannot_be_are_refused),
        cmocka_unit_test(a_drape_covers_the_ground),
        cmocka_unit_test(level_ground_ends_at_the_horizon),
        cmocka_unit_test(mirrored_ground_looks_as_it_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
