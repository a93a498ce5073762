// What a view must not show, and what it must: shadows and depth of the sea, water where none is, broken
// rivers, rock and snow.

#include "pictures.h"

#include "core/elementary.h"
#include "picture/daylight.h"
#include "picture/river_cover.h"

static Drawing view;

static float shoal(int x, int y) {
    if (x < 5 && y < 5)
        return 0.5f; // some land
    const double dx = x - 60, dy = y - 60, far = (dx * dx + dy * dy) / 200;
    return far < 1 ? (float)(-0.5 + 0.45 * (1 - far)) : -0.5f;
}

static float deep(int x, int y) {
    return x < 5 && y < 5 ? 0.5f : -0.5f;
}

static void look_at_shoal(void) {
    begin_drawing(&view, &op_perspective, RED_LAND);
    set_number(&view, "vertical_scale", 4);
    set_number(&view, "azimuth", 0);
    set_number(&view, "pitch", 40);
    set_list(&view, "light", (Numbers){ 2, { 290, 12 } });
}

// A shoal makes the sea lighter where it is, and nowhere darker: it casts no shadow on the surface.
static void the_sea_floor_casts_no_shadow(void **state) {
    (void)state;
    Field with = field_of(128, 128, shoal), without = field_of(128, 128, deep);
    look_at_shoal();
    Image a = drawn(&view, &with, 160, 100), b = drawn(&view, &without, 160, 100);
    int lighter = 0;
    for (int i = 0; i < 160 * 100; i++) {
        const int change = a.pixels[i].blue - b.pixels[i].blue;
        lighter += change > 3;
        if (change < -1)
            fail_msg("pixel (%d, %d) is darker by %d", i % 160, i / 160, -change);
    }
    assert_true(lighter > 10);
    image_free(&a);
    image_free(&b);
    field_free(&with);
    field_free(&without);
}

// Land and shoals up to the border, so that each column of cells there is different.
static float ragged(int x, int y) {
    const float wave = (float)((x * 37 + y * 11) % 17) / 17;
    return x > 100 ? 0.6f * wave : -0.1f - 0.4f * wave;
}

// Seen away from a ragged field, all that is beyond it is open sea: rows without steps.
static void the_sea_beyond_the_field_is_uniform(void **state) {
    (void)state;
    Field height = field_of(128, 128, ragged);
    for (int side = 0; side < 4; side++) {
        static const double away[4][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } };
        const double x = 0.5 + 0.7 * away[side][0], y = 0.5 + 0.7 * away[side][1];
        begin_drawing(&view, &op_perspective, RED_LAND);
        set_number(&view, "haze", 0);
        set_list(&view, "light", (Numbers){ 2, { 90 + 180 * (away[side][0] > 0), 45 } });
        set_list(&view, "camera", (Numbers){ 3, { x, y, 0.2 } });
        set_list(&view, "target", (Numbers){ 3, { x + away[side][0], y + away[side][1], 0 } });
        Image image = drawn(&view, &height, 160, 100);
        for (int row = 0; row < 100; row++)
            for (int column = 1; column < 160; column++) {
                const Pixel left = pixel_at(&image, column - 1, row), here = pixel_at(&image, column, row);
                if (abs(left.blue - here.blue) > 2 || abs(left.green - here.green) > 2)
                    fail_msg("side %d: a step at (%d, %d)", side, column, row);
            }
        image_free(&image);
    }
    field_free(&height);
}

static float shoal_beside_the_border(int x, int y) {
    return x < 5 && y > 120 ? 0.5f : y > 6 && y < 12 ? -0.02f : -0.5f;
}

// From above, in the middle of the northern border: a shoal inside is lighter, and has no mirror image
// outside.
static void the_sea_beyond_the_field_shows_no_ghosts(void **state) {
    (void)state;
    Field height = field_of(128, 128, shoal_beside_the_border);
    begin_drawing(&view, &op_perspective, RED_LAND);
    set_number(&view, "haze", 0);
    set_number(&view, "azimuth", 0);
    set_number(&view, "pitch", 89);
    set_number(&view, "distance", 0.5);
    set_number(&view, "vertical_scale", 6);
    set_list(&view, "target", (Numbers){ 3, { 0.5, 0, 0 } });
    Image image = drawn(&view, &height, 100, 100);
    const int border = pixel_at(&image, 50, 50).blue, shoal_row = 50 + 100 * 9 / 34;
    assert_true(pixel_at(&image, 50, shoal_row).blue > border + 15);
    for (int row = 0; row < 50; row++)
        if (pixel_at(&image, 50, row).blue > border + 5)
            fail_msg("row %d: %d, at the border %d", row, pixel_at(&image, 50, row).blue, border);
    image_free(&image);
    field_free(&height);
}

static float cliff(int x, int y) {
    (void)y;
    return x > 50 ? 10 : -1;
}

// A cliff 10 high at the border, the sun 45° high behind it: its shadow on the open sea is 10 long.
static void shadows_go_on_beyond_the_field_and_end(void **state) {
    (void)state;
    Field height = field_of(60, 60, cliff);
    MaxPyramid pyramid;
    Daylight daylight;
    Error error;
    assert_ok(max_pyramid_create(&pyramid, &on_threads(1), &height, 0, 1, &error), error);
    pyramid.sea = true;
    const double side = sqrt(0.5);
    assert_ok(daylight_create(&daylight, &on_threads(1), &pyramid, (Vector){ -side, 0, side }, &error),
              error);
    for (int far = 1; far < 40; far++) {
        const double sun = daylight_sun(&daylight, 59 + far, 30);
        assert_true(far < 9 ? sun < 0.1 : far > 10 ? sun == 1 : true);
        assert_true(daylight_sun(&daylight, -far, 30) == 1);
        assert_true(daylight_sun(&daylight, 30, -far) == 1);
    }
    daylight_free(&daylight);
    max_pyramid_free(&pyramid);
    field_free(&height);
}

static float basin(int x, int y) {
    const float dx = (float)(x - 64) / 64, dy = (float)(y - 64) / 64, far = dx * dx + dy * dy;
    return far < 0.5f ? 0 : far - 0.5f; // its floor is the lowest ground
}

static void without_a_sea_nothing_is_water(void **state) {
    (void)state;
    Field height = field_of(128, 128, basin);
    static const double levels[] = { 0, -3 };
    for (int i = 0; i < 2; i++) {
        begin_drawing(&view, &op_perspective, RED_LAND);
        set_number(&view, "sea_level", levels[i]);
        set_number(&view, "haze", 0);
        set_number(&view, "rock", 0);
        set_number(&view, "pitch", 70);
        set_number(&view, "distance", 0.8);
        Image image = drawn(&view, &height, 120, 90);
        for (int y = 0; y < 90; y++)
            for (int x = 0; x < 120; x++)
                if (pixel_at(&image, x, y).blue > 40)
                    fail_msg("level %g: water at (%d, %d)", levels[i], x, y);
        image_free(&image);
    }
    field_free(&height);
}

// --- rivers ------------------------------------------------------------------------------------------------

typedef struct Line {
    double x, y, along_x, along_y, width;
} Line;

// How much of each cell the line covers, by 16 × 16 samples.
static Field line_field(int side, Line line) {
    Field field;
    Error error;
    assert_ok(field_create(&field, side, side, &error), error);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            int inside = 0;
            for (int i = 0; i < 256; i++) {
                const double dx = x - 0.5 + (i % 16 + 0.5) / 16 - line.x;
                const double dy = y - 0.5 + (floor(i / 16.0) + 0.5) / 16 - line.y;
                inside += fabs(dx * line.along_y - dy * line.along_x) < 0.5 * line.width;
            }
            field_row(&field, y)[x] = (float)inside / 256;
        }
    return field;
}

// Lines at all angles are whole, have straight banks and their own width.
static void rivers_are_lines_of_their_width(void **state) {
    (void)state;
    static const double widths[] = { 0.5, 1, 1.7, 3, 6 };
    for (int i = 0; i < 5 * 12; i++) {
        const double angle = 0.02 + floor(i / 5.0) * PI / 12;
        const Line line = { 20.3, 19.6, cos(angle), sin(angle), widths[i % 5] };
        Field field = line_field(40, line);
        RiverCover cover;
        Error error;
        assert_ok(river_cover_create(&cover, &on_threads(1), &field, &error), error);
        for (double at = -12; at < 12; at += 0.37) {
            double sum = 0, most = 0; // thin lines may lie anywhere in their cells
            for (double off = -6; off < 6; off += 0.05) {
                const double share = river_cover_at(
                    &cover, &(Patch){ line.x + at * line.along_x - off * line.along_y,
                                      line.y + at * line.along_y + off * line.along_x, 0, 0, 0.05 });
                sum += 0.05 * share;
                most = share > most ? share : most;
            }
            if (!(most > 0.95) || fabs(sum - line.width) > 0.1 + 0.15 * line.width)
                fail_msg("angle %g, width %g: %g wide, %g in the middle at %g", angle, line.width, sum, most,
                         at);
        }
        river_cover_free(&cover);
        field_free(&field);
    }
}

// From far away a patch shows as much water as lies in it, whichever way it is stretched.
static void far_rivers_fade_to_their_share(void **state) {
    (void)state;
    Field field = line_field(256, (Line){ 128, 128, 0, 1, 2 });
    RiverCover cover;
    Error error;
    assert_ok(river_cover_create(&cover, &on_threads(1), &field, &error), error);
    static const double sizes[] = { 2, 4, 7, 12, 16 };
    for (int i = 0; i < 5; i++) {
        double sum = 0, stretched = 0;
        for (double off = -80; off < 80; off += 0.5) {
            sum += 0.5 * river_cover_at(&cover, &(Patch){ 128 + off, 120, 0, 0, sizes[i] });
            stretched += 0.5 * river_cover_at(&cover, &(Patch){ 128 + off, 120, 3 * sizes[i], 0, sizes[i] });
        }
        if (fabs(sum - 2) > 0.2 || fabs(stretched - 2) > 0.2)
            fail_msg("size %g: %g, stretched %g", sizes[i], sum, stretched);
    }
    river_cover_free(&cover);
    field_free(&field);
}

static float level(int x, int y) {
    (void)x, (void)y;
    return 0.5f;
}

// The bed of a wide river, which sinks below the sea's level half way across the field.
static float sinking_bed(int x, int y) {
    return y < 40 || y >= 88 ? 0.2f : x < 64 ? 0.001f : -0.1f;
}

static float in_bed(int x, int y) {
    (void)x;
    return y >= 40 && y < 88;
}

static void a_river_goes_on_below_the_seas_level(void **state) {
    (void)state;
    Field height = field_of(128, 128, sinking_bed), river = field_of(128, 128, in_bed);
    begin_drawing(&view, &op_perspective, RED_LAND);
    set_field(&view, "rivers", &river);
    set_number(&view, "vertical_scale", 0.1);
    set_number(&view, "azimuth", 0);
    set_number(&view, "pitch", 60);
    set_number(&view, "haze", 0);
    Image image = drawn(&view, &height, 320, 240);
    for (int x = 121; x < 200; x++) {
        const int step = abs(pixel_at(&image, x, 120).blue - pixel_at(&image, x - 1, 120).blue);
        if (step > 4)
            fail_msg("a step of %d at %d", step, x);
    }
    image_free(&image);
    field_free(&height);
    field_free(&river);
}

// A river that runs slightly askew into the distance, from a camera near the ground: each row of the picture
// below the horizon crosses it, and none much paler than the others.
static void a_river_from_a_low_camera_is_not_striped(void **state) {
    (void)state;
    Field height = field_of(128, 128, level);
    Field river = line_field(128, (Line){ 64, 64, sin(0.13), -cos(0.13), 1 });
    begin_drawing(&view, &op_perspective, RED_LAND);
    set_field(&view, "rivers", &river);
    set_number(&view, "high", 1);
    set_number(&view, "vertical_scale", 0.01);
    set_number(&view, "haze", 0);
    set_list(&view, "camera", (Numbers){ 3, { 0.44, 1.0, 0.03 } });
    set_list(&view, "target", (Numbers){ 3, { 0.5, 0.5, 0 } });
    Image image = drawn(&view, &height, 320, 240);
    int last = -1, rows = 0;
    for (int y = 239; y > 120; y--) {
        int bluest = 0, land = 0;
        for (int x = 0; x < 320; x++) {
            const Pixel pixel = pixel_at(&image, x, y);
            bluest = pixel.blue > bluest ? pixel.blue : bluest;
            land += pixel.red > 60;
        }
        if (land < 100 || bluest < 60)
            continue;
        if (last >= 0 && abs(bluest - last) > 12)
            fail_msg("row %d: the river's blue is %d, beside it %d", y, bluest, last);
        last = bluest;
        rows++;
    }
    assert_true(rows > 80);
    image_free(&image);
    field_free(&river);
    field_free(&height);
}

// --- rock and snow -----------------------------------------------------------------------------------------

static float steps(int x, int y) {
    (void)x;
    return 0.25f * floorf((float)y / 32);
}

static Pixel middle_of_cliff(Palette palette) {
    Field height = field_of(128, 128, steps);
    begin_drawing(&view, &op_perspective, palette);
    set_number(&view, "haze", 0);
    set_number(&view, "azimuth", 180);
    set_number(&view, "pitch", 20);
    set_number(&view, "vertical_scale", 8);
    set_list(&view, "light", (Numbers){ 2, { 0, 30 } });
    Image image = drawn(&view, &height, 160, 120);
    Pixel found = { 0 };
    set_number(&view, "rock", 0);
    Image bare = drawn(&view, &height, 160, 120);
    int most = 0; // where rock changes the picture
    for (int i = 0; i < 160 * 120; i++) {
        const Pixel a = image.pixels[i], b = bare.pixels[i];
        const int change = abs(a.red - b.red) + abs(a.green - b.green) + abs(a.blue - b.blue);
        if (change > most)
            most = change, found = a;
    }
    assert_true(most > 12);
    image_free(&image);
    image_free(&bare);
    field_free(&height);
    return found;
}

static void rock_goes_with_the_palette(void **state) {
    (void)state;
    const Palette green = { 2, { { 0, { 20, 120, 20, 255 } }, { 1, { 60, 220, 60, 255 } } } };
    const Palette red = { 2, { { 0, { 120, 20, 20, 255 } }, { 1, { 220, 60, 60, 255 } } } };
    const Palette dark = { 2, { { 0, { 20, 20, 20, 255 } }, { 1, { 70, 70, 70, 255 } } } };
    const Pixel on_green = middle_of_cliff(green), on_red = middle_of_cliff(red);
    const Pixel on_dark = middle_of_cliff(dark);
    assert_true(on_green.green > on_green.red && on_red.red > on_red.green);
    assert_true(on_dark.green < on_green.green);
}

static float hills(int x, int y) {
    return (float)(0.5 + 0.25 * sin(x * 0.13) + 0.2 * cos(y * 0.17 + x * 0.05));
}

// Snow everywhere, hills below: many shades, and hardly any of them just white.
static void snow_keeps_its_shades(void **state) {
    (void)state;
    Field height = field_of(256, 256, hills);
    const Palette snow = { 2, { { 0, { 255, 255, 255, 255 } }, { 1, { 255, 255, 255, 255 } } } };
    begin_drawing(&view, &op_perspective, snow);
    set_number(&view, "rock", 0);
    set_number(&view, "haze", 0);
    set_number(&view, "pitch", 60);
    set_number(&view, "distance", 0.9);
    set_number(&view, "vertical_scale", 2);
    Image image = drawn(&view, &height, 160, 160);
    int count[256] = { 0 }, shades = 0;
    for (int y = 60; y < 100; y++)
        for (int x = 60; x < 100; x++)
            count[pixel_at(&image, x, y).green]++;
    for (int i = 0; i < 256; i++)
        shades += count[i] > 0;
    if (!(shades > 60) || count[255] > 16)
        fail_msg("%d shades, %d pixels of 1600 are white", shades, count[255]);
    image_free(&image);
    field_free(&height);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sea_floor_casts_no_shadow),
        cmocka_unit_test(the_sea_beyond_the_field_is_uniform),
        cmocka_unit_test(the_sea_beyond_the_field_shows_no_ghosts),
        cmocka_unit_test(shadows_go_on_beyond_the_field_and_end),
        cmocka_unit_test(without_a_sea_nothing_is_water),
        cmocka_unit_test(rivers_are_lines_of_their_width),
        cmocka_unit_test(a_river_goes_on_below_the_seas_level),
        cmocka_unit_test(far_rivers_fade_to_their_share),
        cmocka_unit_test(a_river_from_a_low_camera_is_not_striped),
        cmocka_unit_test(rock_goes_with_the_palette),
        cmocka_unit_test(snow_keeps_its_shades),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
