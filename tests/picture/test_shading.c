// Pictures of land: tones are spread, windows agree to the bit, colours and exaggeration follow metres.

#include "pictures.h"

#include "core/gaps.h"
#include "picture/shading.h"

static Drawing map;

static void begin(void) {
    map.operation = &op_relief;
    params_initialise(map.operation, map.params);
    set_number(&map, "low", 0);
    set_number(&map, "high", 1);
}

static int brightness(Pixel pixel) {
    return (pixel.red + 2 * pixel.green + pixel.blue) / 4;
}

// Land with forms of all sizes, 0.1 to 0.9.
static float rough(int x, int y) {
    double sum = 0, size = 0.16;
    for (int i = 0; i < 5; i++, size *= 0.55) {
        const double wave = 0.02 * (1 << i);
        sum += size * sin(x * wave * 1.1 + 3 * i + sin(y * wave * 0.7)) *
               cos(y * wave + i + sin(x * wave * 0.6));
    }
    return (float)(0.5 + sum);
}

// --- tones -------------------------------------------------------------------------------------------------

// Even where all ground is steep: it was black in every third place.
static void no_tone_takes_the_picture(void **state) {
    (void)state;
    Field height = field_of(400, 400, rough);
    for (int times = 1; times <= 16; times *= 4) {
        begin();
        set_number(&map, "exaggeration", times);
        Image image = drawn(&map, &height, 0, 0);
        int counts[256] = { 0 }, most = 0, darkest = 255, lightest = 0;
        for (int i = 0; i < 400 * 400; i++) {
            const int tone = brightness(image.pixels[i]);
            counts[tone]++;
            darkest = min(darkest, tone);
            lightest = max(lightest, tone);
        }
        for (int i = 0; i < 256; i++)
            most = max(most, counts[i]);
        print_message("# %d times: tones %d to %d, the most frequent %.1f %%\n", times, darkest, lightest,
                      most / 1600.0);
        assert_true(most < 400 * 400 / 20);
        assert_true(darkest > 40 && lightest < 250);
        assert_true(lightest - darkest > 60);
        image_free(&image);
    }
    field_free(&height);
}

static float raised;

static float raised_land(int x, int y) {
    return raised + 0.1f * rough(x, y);
}

static void contrast_rises_with_height(void **state) {
    (void)state;
    int spans[2];
    for (int i = 0; i < 2; i++) {
        raised = i ? 0.85f : 0.02f;
        Field height = field_of(200, 200, raised_land);
        begin();
        *(Palette *)drawing_member(&map, "palette") =
            (Palette){ 2, { { -1, { 150, 150, 150, 255 } }, { 1, { 150, 150, 150, 255 } } } };
        set_number(&map, "exaggeration", 8);
        Image image = drawn(&map, &height, 0, 0);
        int darkest = 255, lightest = 0;
        for (int k = 0; k < 200 * 200; k++) {
            darkest = min(darkest, brightness(image.pixels[k]));
            lightest = max(lightest, brightness(image.pixels[k]));
        }
        spans[i] = lightest - darkest;
        image_free(&image);
        field_free(&height);
    }
    assert_true(spans[1] > 1.1 * spans[0]);
}

static float plain(int x, int y) {
    (void)x, (void)y;
    return 0.4f;
}

static void a_plain_is_one_tone(void **state) {
    (void)state;
    Field height = field_of(300, 90, plain);
    begin();
    Image shaded = drawn(&map, &height, 0, 0);
    set_number(&map, "contrast", 0);
    Image bare = drawn(&map, &height, 0, 0);
    for (int i = 0; i < 300 * 90; i++)
        assert_memory_equal(&shaded.pixels[i], &bare.pixels[0], 3);
    image_free(&shaded);
    image_free(&bare);
    field_free(&height);
}

static float turned(int x, int y) { // a quarter clockwise
    return rough(y, 199 - x);
}

static void shades_turn_with_the_light(void **state) {
    (void)state;
    Field north = field_of(200, 200, rough), east = field_of(200, 200, turned);
    begin();
    Image a = drawn(&map, &north, 0, 0);
    set_list(&map, "light", (Numbers){ 2, { 45, 45 } });
    Image b = drawn(&map, &east, 0, 0);
    Image other = drawn(&map, &north, 0, 0);
    int apart = 0;
    for (int y = 0; y < 200; y++)
        for (int x = 0; x < 200; x++) {
            assert_true(abs(pixel_at(&a, x, y).green - pixel_at(&b, 199 - y, x).green) <= 2);
            apart += abs(pixel_at(&a, x, y).green - pixel_at(&other, x, y).green) > 10;
        }
    assert_true(apart > 200 * 200 / 5);
    image_free(&a);
    image_free(&b);
    image_free(&other);
    field_free(&north);
    field_free(&east);
}

// What faces the light is warm, what faces away is bluish: beside level ground of the same colour.
static void light_is_warm_and_shade_is_blue(void **state) {
    (void)state;
    Lights lights;
    Error error;
    assert_ok(lights_set(&lights, (Compass){ 0, false }, 315, 45, 0.85, &error), error);
    const Light grey = { 0.4f, 0.4f, 0.4f };
    const float lit = lights_tone(&lights, 0.5f, 0.5f), dark = lights_tone(&lights, -0.5f, -0.5f);
    assert_true(fabsf(lights_tone(&lights, 0, 0)) < 1e-6f);
    assert_true(lit > 0.2f &&
                dark < -0.3f); // the light comes from the upper left, slopes rise to the lower right
    assert_true(lit_ground(grey, lit).red > lit_ground(grey, lit).blue);
    assert_true(lit_ground(grey, dark).red < lit_ground(grey, dark).blue);
    assert_true(soft_light(-0.5f) > 0.01f && soft_light(-0.3f) > soft_light(-0.5f)); // slopes in shade differ
    float last = 2;
    for (int i = -40; i <= 40; i++) { // no edge where ground begins to face away, and none is black
        const float slope = -0.25f * (float)i, tone = lights_tone(&lights, slope, slope);
        assert_true(i > 0 ? tone < last : true);
        assert_true(tone > -1 && lit_ground(grey, tone * contrast_at(1)).red > 0.02f);
        last = tone;
    }
}

// --- windows -----------------------------------------------------------------------------------------------

enum { WHOLE_WIDTH = 700, WHOLE_HEIGHT = 620 };

static void windows_agree_to_the_bit(void **state) {
    (void)state;
    static const int windows[][4] = { { 37, 51, 200, 180 }, { 300, 5, 399, 600 }, { 1, 400, 690, 130 } };
    Field whole = field_of(WHOLE_WIDTH, WHOLE_HEIGHT, rough);
    begin();
    set_number(&map, "sea_level", 0.45);
    set_number(&map, "side", 1000);
    Image all = drawn(&map, &whole, 0, 0);
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        const int left = windows[i][0], top = windows[i][1], width = windows[i][2], height = windows[i][3];
        Field part;
        Error error;
        assert_ok(field_create(&part, width, height, &error), error);
        for (int y = 0; y < height; y++)
            memcpy(field_row(&part, y), field_row(&whole, top + y) + left, (size_t)width * sizeof(float));
        Image image = drawn(&map, &part, 0, 0);
        for (int y = FORMS_REACH; y < height - FORMS_REACH; y++)
            assert_memory_equal(image_row(&image, y) + FORMS_REACH,
                                image_row(&all, top + y) + left + FORMS_REACH,
                                (size_t)(width - 2 * FORMS_REACH) * sizeof(Pixel));
        image_free(&image);
        field_free(&part);
    }
    image_free(&all);
    field_free(&whole);
}

static double sloping(int x, int y) {
    return 3 * x - 2 * y + 50 * sin(0.2 * x) * cos(0.13 * y);
}

// A form's rows are means over squares, twice each.
static void forms_are_means_over_squares(void **state) {
    (void)state;
    enum { COUNT = 5 };
    for (int steps = 1; steps <= FORM_STEPS_MOST; steps++) {
        static float sums[2 * ((1 << FORM_STEPS_MOST) - 1)][FORM_LINE];
        Form form;
        form_begin(&form, steps, sums);
        const int reach = form_reach(&form), wide = 1 << steps;
        for (int y = -reach - 1; y <= reach + 1; y++) {
            float cells[FORM_READ];
            for (int i = 0; i < COUNT + 2 + 2 * reach; i++)
                cells[i] = (float)sloping(i - reach - 1, y);
            form_add(&form, cells, COUNT);
        }
        for (int row = -1; row <= 1; row++)
            for (int x = -1; x <= COUNT; x++) {
                double mean = 0;
                for (int dy = -reach; dy <= reach; dy++)
                    for (int dx = -reach; dx <= reach; dx++)
                        mean += (wide - abs(dy)) * (double)(wide - abs(dx)) * sloping(x + dx, row + dy);
                mean /= pow(wide, 4);
                assert_true(fabs(mean - (double)form_row(&form, row + 1)[x + 1]) < 1e-3);
            }
    }
}

// --- gaps and the sea --------------------------------------------------------------------------------------

static float with_gaps(int x, int y) {
    return (x / 20 + y / 20) % 3 == 0 ? NAN : rough(x, y);
}

static void gaps_stay_gaps(void **state) {
    (void)state;
    Field height = field_of(150, 150, with_gaps);
    Error error;
    assert_ok(gaps_find(&height, &error), error);
    begin();
    Image image = drawn(&map, &height, 0, 0);
    for (int y = 0; y < 150; y++)
        for (int x = 0; x < 150; x++)
            assert_int_equal(pixel_at(&image, x, y).alpha, isnan(with_gaps(x, y)) ? 0 : 255);
    image_free(&image);
    field_free(&height);
}

static float sinking(int x, int y) {
    (void)y;
    return x < 40 ? 0.2f : 0.2f - 0.004f * (float)(x - 40);
}

// Deeper water is darker, in even steps: there is no band along the coast.
static void the_sea_has_no_bands(void **state) {
    (void)state;
    Field height = field_of(340, 60, sinking);
    begin();
    set_number(&map, "low", -1);
    Image image = drawn(&map, &height, 0, 0);
    for (int x = 94; x < 339; x++) {
        const int step = brightness(pixel_at(&image, x, 30)) - brightness(pixel_at(&image, x + 1, 30));
        assert_true(step >= -1 && step <= 2);
    }
    const Pixel shallow = pixel_at(&image, 100, 30), deep = pixel_at(&image, 330, 30);
    assert_true(brightness(shallow) - brightness(deep) > 20 && brightness(deep) > 100);
    image_free(&image);
    field_free(&height);
}

// --- metres ------------------------------------------------------------------------------------------------

static void exaggeration_follows_the_cells(void **state) {
    (void)state;
    assert_true(vertical_exaggeration(0) == 1 && vertical_exaggeration(1) == 1 &&
                vertical_exaggeration(50) == 1);
    assert_true(fabs(vertical_exaggeration(3000) - 102) < 2);
    double last = 1;
    for (double cell = 50; cell < 1e6; cell *= 1.01) {
        const double times = vertical_exaggeration(cell);
        assert_true(times >= last && times < last * 1.02 && times <= 150);
        last = times;
    }
}

static float hills_in_metres(int x, int y) {
    return 2000 * rough(x, y);
}

// The picture does not depend on the field's range, or on how far it goes.
static void pictures_in_metres_are_the_grounds(void **state) {
    (void)state;
    Field height = field_of(200, 200, hills_in_metres);
    height.frame = (Frame){ .right_x = 1000, .down_y = -1000, .unit = "m" };
    map.operation = &op_relief;
    params_initialise(map.operation, map.params);
    Image own = drawn(&map, &height, 0, 0);
    set_number(&map, "exaggeration", vertical_exaggeration(1000));
    Image same = drawn(&map, &height, 0, 0);
    assert_memory_equal(own.pixels, same.pixels, 200 * 200 * sizeof(Pixel));
    set_number(&map, "exaggeration", 1);
    Image gentle = drawn(&map, &height, 0, 0);
    int apart = 0;
    for (int i = 0; i < 200 * 200; i++)
        apart += abs(own.pixels[i].green - gentle.pixels[i].green) > 10;
    assert_true(apart > 200 * 200 / 5);
    set_number(&map, "exaggeration", 0);
    field_row(&height, 199)[199] = 8000; // another range
    Image peak = drawn(&map, &height, 0, 0);
    for (int y = 0; y < 150; y++)
        assert_memory_equal(image_row(&own, y), image_row(&peak, y), 150 * sizeof(Pixel));
    image_free(&own);
    image_free(&same);
    image_free(&gentle);
    image_free(&peak);
    field_free(&height);
}

// --- plains ------------------------------------------------------------------------------------------------

static float ground;

static float waves(int x, int y) { // slopes of 0.003 at most where cells are of 10 m
    return ground + 0.3f * (float)(sin(0.1 * x) * cos(0.08 * y));
}

static float ramp_of_few_digits(int x, int y) { // a slope of 0.005 where cells are of 1 cm
    (void)y;
    return 1000 + 5e-5f * (float)x;
}

// How far the tones of a picture in metres differ.
static int tones_of(Field *height, double cell) {
    height->frame = (Frame){ .right_x = cell, .down_y = -cell, .unit = "m" };
    map.operation = &op_relief;
    params_initialise(map.operation, map.params);
    Image image = drawn(&map, height, 0, 0);
    int darkest = 255, lightest = 0;
    for (int i = 0; i < image.width * image.height; i++) {
        darkest = min(darkest, brightness(image.pixels[i]));
        lightest = max(lightest, brightness(image.pixels[i]));
    }
    image_free(&image);
    return lightest - darkest;
}

static void plains_show_their_forms(void **state) {
    (void)state;
    int spans[2];
    for (int i = 0; i < 2; i++) {
        ground = i ? -40 : 40;
        Field height = field_of(200, 200, waves);
        spans[i] = tones_of(&height, 10);
        field_free(&height);
    }
    Field height = field_of(200, 200, ramp_of_few_digits);
    const int grain = tones_of(&height, 0.01);
    field_free(&height);
    print_message("# tones of a plain %d, of the sea %d, of too few digits %d\n", spans[0], spans[1], grain);
    assert_true(spans[0] >= 5);
    assert_true(spans[1] <= 2); // the sea is quiet
    assert_true(grain <= 3);
}

static void what_is_steeper_is_drawn_steeper(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        const float height = k ? 1e5f * (float)k : 0;
        float last = 0;
        for (float slope = 1e-5f; slope < 100; slope *= 1.1f) {
            const float gain = gentle_gain(0.6f * slope, -0.8f * slope, height);
            assert_true(gain * slope > last && gain >= 1 && gain < 31);
            assert_true(slope < 0.5f || gain < 1.02f); // mountains are as they are
            last = gain * slope;
        }
    }
    assert_true(gentle_gain(0.001f, 0, 0) > 15 && gentle_gain(0.001f, 0, 1e5f) < 2);
}

// --- rivers ------------------------------------------------------------------------------------------------

static float streams(int x, int y) {
    (void)x;
    return y == 30 ? 0.15f : y == 60 ? 1.0f : 0;
}

static void rivers_thin_upstream_and_have_light_edges(void **state) {
    (void)state;
    Field height = field_of(90, 90, plain), rivers = field_of(90, 90, streams);
    begin();
    set_field(&map, "rivers", &rivers);
    Image image = drawn(&map, &height, 0, 0);
    const int land = brightness(pixel_at(&image, 45, 10)), brook = brightness(pixel_at(&image, 45, 30));
    const int river = brightness(pixel_at(&image, 45, 60)), bank = brightness(pixel_at(&image, 45, 61));
    assert_true(river < brook - 40 && brook < land - 3 && bank > land + 3);
    assert_int_equal(brightness(pixel_at(&image, 45, 31)), land);
    image_free(&image);
    field_free(&height);
    field_free(&rivers);
}

// --- natural colours ---------------------------------------------------------------------------------------

// A forest's slopes in the light are a brighter green, not milky; sand and snow keep their forms, too.
static void natural_colours_keep_their_hue_in_the_light(void **state) {
    (void)state;
    const Light forest = { 0.03f, 0.1f, 0.03f }, snow = { 0.9f, 0.93f, 0.96f };
    const Light lit = lit_nature(forest, 0.4f), shade = lit_nature(forest, -0.4f);
    assert_true(lit.green > 1.4f * forest.green && lit.green > 2.5f * lit.red && lit.green > 2.5f * lit.blue);
    assert_true(shade.green < 0.8f * forest.green && shade.green > 2.5f * shade.red);
    for (float tone = -0.8f, last = 0; tone < 0.5f; tone += 0.1f) {
        const float red = lit_nature(snow, tone).red;
        assert_true(red > last);
        last = red;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_tone_takes_the_picture),
        cmocka_unit_test(contrast_rises_with_height),
        cmocka_unit_test(a_plain_is_one_tone),
        cmocka_unit_test(shades_turn_with_the_light),
        cmocka_unit_test(light_is_warm_and_shade_is_blue),
        cmocka_unit_test(windows_agree_to_the_bit),
        cmocka_unit_test(forms_are_means_over_squares),
        cmocka_unit_test(gaps_stay_gaps),
        cmocka_unit_test(the_sea_has_no_bands),
        cmocka_unit_test(exaggeration_follows_the_cells),
        cmocka_unit_test(pictures_in_metres_are_the_grounds),
        cmocka_unit_test(plains_show_their_forms),
        cmocka_unit_test(what_is_steeper_is_drawn_steeper),
        cmocka_unit_test(rivers_thin_upstream_and_have_light_edges),
        cmocka_unit_test(natural_colours_keep_their_hue_in_the_light),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
