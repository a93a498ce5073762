// Maps: rivers end at the sea, slopes are those of the ground in every projection, snow has shades, a globe
// has a smooth edge and air.

#include "pictures.h"

#include "core/elementary.h"

static Drawing map;

static int difference(Pixel a, Pixel b) {
    return abs(a.red - b.red) + abs(a.green - b.green) + abs(a.blue - b.blue);
}

static void begin(Palette palette) {
    begin_drawing(&map, &op_relief, palette);
    set_number(&map, "low", -1);
    set_number(&map, "high", 1);
}

// --- rivers ------------------------------------------------------------------------------------------------

// Land in the west with a bed below the sea, sea in the east.
static float coast(int x, int y) {
    return x < 64 && y != 20 ? 0.5f : -0.3f;
}

static float two_rivers(int x, int y) {
    (void)x;
    return y == 20 || y == 40;
}

static void rivers_end_at_the_sea(void **state) {
    (void)state;
    Field height = field_of(128, 64, coast), rivers = field_of(128, 64, two_rivers);
    begin(RED_LAND);
    set_number(&map, "contrast", 0); // or banks are light
    Image without = drawn(&map, &height, 0, 0);
    set_field(&map, "rivers", &rivers);
    Image with = drawn(&map, &height, 0, 0);
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 128; x++) {
            const bool changed = difference(pixel_at(&with, x, y), pixel_at(&without, x, y)) > 0;
            if (x < 62 ? changed != (y == 20 || y == 40) : x > 65 && changed)
                fail_msg("(%d, %d) is %sa river", x, y, changed ? "" : "not ");
        }
    set_number(&map, "sea_level", -1); // no sea: they go on
    Image dry = drawn(&map, &height, 0, 0);
    set_field(&map, "rivers", NULL);
    Image bare = drawn(&map, &height, 0, 0);
    assert_true(difference(pixel_at(&dry, 100, 40), pixel_at(&bare, 100, 40)) > 30);
    image_free(&with);
    image_free(&without);
    image_free(&dry);
    image_free(&bare);
    field_free(&height);
    field_free(&rivers);
}

// A plain on which a river 80 cells wide lies below the sea's level, and open sea beyond it.
static bool is_wide_river(int x, int y) {
    return x < 128 && y >= 24 && y < 104;
}

static float plain(int x, int y) {
    return x >= 128 ? -0.05f : is_wide_river(x, y) ? -0.02f : 0.1f;
}

static float wide_river(int x, int y) {
    return is_wide_river(x, y) ? 80 : 0;
}

static void wide_rivers_blend_with_the_sea(void **state) {
    (void)state;
    Field height = field_of(256, 128, plain), rivers = field_of(256, 128, wide_river);
    for (int side = 0; side <= 256; side += 256) { // as a map, and as a window of one
        begin(RED_LAND);
        set_number(&map, "contrast", 0);
        set_number(&map, "side", side);
        set_field(&map, "rivers", &rivers);
        Image image = drawn(&map, &height, 0, 0);
        int steepest = 0;
        for (int x = 1; x < 256; x++)
            steepest = max(steepest, difference(pixel_at(&image, x, 64), pixel_at(&image, x - 1, 64)));
        print_message("# steepest step of colour %d, the river's from the sea's %d\n", steepest,
                      difference(pixel_at(&image, 0, 64), pixel_at(&image, 255, 64)));
        assert_true(steepest < 10);
        assert_true(difference(pixel_at(&image, 0, 64), pixel_at(&image, 255, 64)) > 30);
        for (int y = 0; y < 128; y++) // inland the river is one colour, and none where there is land
            assert_true(is_wide_river(20, y) ==
                        (difference(pixel_at(&image, 20, y), pixel_at(&image, 0, 64)) == 0));
        image_free(&image);
    }
    field_free(&height);
    field_free(&rivers);
}

// The same river, with open sea beyond a strip of land along it.
static float strip(int x, int y) {
    return is_wide_river(x, y) ? -0.02f : y < 16 ? -0.05f : 0.1f;
}

static void sea_behind_land_does_not_colour_a_river(void **state) {
    (void)state;
    Field height = field_of(128, 128, strip), rivers = field_of(128, 128, wide_river);
    begin(RED_LAND);
    set_number(&map, "contrast", 0);
    set_field(&map, "rivers", &rivers);
    Image image = drawn(&map, &height, 0, 0);
    for (int y = 26; y < 102; y++)
        assert_int_equal(difference(pixel_at(&image, 64, y), pixel_at(&image, 64, 64)), 0);
    image_free(&image);
    field_free(&height);
    field_free(&rivers);
}

// A river 40 cells wide that runs into the sea in one of the four directions, whose first and last cells it
// covers in half, as antialiased banks are.
enum { EAST, SOUTH, WEST, NORTH };
static int heading;

static int along(int x, int y) {
    const int places[] = { [EAST] = x, [SOUTH] = y, [WEST] = 127 - x, [NORTH] = 127 - y };
    return places[heading];
}

static float mouth_river(int x, int y) {
    const int across = heading == EAST || heading == WEST ? y : x, from_mouth = 63 - along(x, y);
    if (from_mouth < 0 || across < 44 || across >= 84)
        return 0;
    return from_mouth == 0 || from_mouth == 63 ? 0.5f : 40;
}

static float mouth_ground(int x, int y) {
    return along(x, y) >= 64 ? -0.05f : mouth_river(x, y) > 0 ? -0.02f : 0.1f;
}

// Of the mouth's middle line.
static Pixel mouth_pixel(const Image *image, int i) {
    const bool back = heading == WEST || heading == NORTH, level = heading == EAST || heading == WEST;
    const int place = back ? 127 - i : i;
    return pixel_at(image, level ? place : 64, level ? 64 : place);
}

// Where edges meet, the river's beginning touches the sea, too.
static void mouths_blend_whichever_way_they_run(void **state) {
    (void)state;
    Pixel first[2][128];
    for (heading = EAST; heading <= NORTH; heading++)
        for (int wraps = 0; wraps < 2; wraps++) {
            Field height = field_of(128, 128, mouth_ground), rivers = field_of(128, 128, mouth_river);
            height.wraps = rivers.wraps = wraps;
            begin(RED_LAND);
            set_number(&map, "contrast", 0);
            set_field(&map, "rivers", &rivers);
            Image image = drawn(&map, &height, 0, 0);
            const Pixel river = mouth_pixel(&image, 32), sea = mouth_pixel(&image, 70);
            assert_true(difference(river, sea) > 30);
            for (int i = 0; i < 128; i++) {
                const Pixel pixel = mouth_pixel(&image, i);
                if (heading == EAST)
                    first[wraps][i] = pixel;
                assert_int_equal(difference(pixel, first[wraps][i]), 0);
                if (i > 1 && i < 127)
                    assert_true(difference(pixel, mouth_pixel(&image, i - 1)) < 10);
            }
            assert_true(difference(mouth_pixel(&image, 62), sea) < 10);
            for (int i = 1; i < 63 && wraps; i++)
                assert_int_equal(difference(mouth_pixel(&image, i), mouth_pixel(&image, 63 - i)), 0);
            for (int i = 1; i < 43; i++) // further inland than half its width
                assert_true((wraps && i < 20) || difference(mouth_pixel(&image, i), river) == 0);
            image_free(&image);
            field_free(&height);
            field_free(&rivers);
        }
}

// An estuary: its water is the river's at the left, half of it in the middle, the sea's from 96 on. Its first
// row is covered in half, and in its last two the bed lies above the sea.
static float estuary_river(int x, int y) {
    const float share = x < 32 ? 1 : x < 96 ? (float)(96 - x) / 64 : 0;
    return y < 44 || y >= 84 ? 0 : y == 44 ? 0.5f * share : share == 1 ? 40 : share;
}

static float estuary_ground(int x, int y) {
    return y < 44 || y >= 84 ? 0.1f : y >= 82 && x < 96 ? 0.001f : -0.02f;
}

// A window of a zoomable map with rivers, all land of one colour.
static Image window_with(float (*ground)(int x, int y), float (*river)(int x, int y)) {
    Field height = field_of(128, 128, ground), rivers = field_of(128, 128, river);
    height.frame = (Frame){ .right_x = 0.001, .down_y = -0.001, .unit = MAP_UNIT };
    begin(RED_LAND);
    set_number(&map, "contrast", 0);
    set_field(&map, "rivers", &rivers);
    const Image image = drawn(&map, &height, 0, 0);
    field_free(&height);
    field_free(&rivers);
    return image;
}

static void an_estuary_goes_over_into_the_sea(void **state) {
    (void)state;
    Image image = window_with(estuary_ground, estuary_river);
    const Pixel river = pixel_at(&image, 20, 64), sea = pixel_at(&image, 110, 64);
    assert_true(difference(river, sea) > 30);
    for (int x = 1; x < 128; x++) {
        const Pixel here = pixel_at(&image, x, 64), before = pixel_at(&image, x - 1, 64);
        assert_true(difference(here, before) < 4);
        assert_true(difference(here, river) >= difference(before, river));
        if (x < 64) // no dry rim
            assert_true(difference(pixel_at(&image, x, 82), here) < 30);
    }
    assert_true(difference(pixel_at(&image, 64, 64), river) > 10 &&
                difference(pixel_at(&image, 64, 64), sea) > 10);
    image_free(&image);
}

static float faint_flow(int x, int y) {
    (void)x;
    return y < 2 ? 0 : 0.01f;
}

static float sea_far_away(int x, int y) {
    (void)x;
    return y < 2 ? -0.05f : 0.1f;
}

static void flow_in_all_cells_is_no_estuary(void **state) {
    (void)state;
    for (int of_map = 0; of_map < 2; of_map++) {
        Field height = field_of(128, 128, sea_far_away), rivers = field_of(128, 128, faint_flow);
        if (of_map)
            height.frame = (Frame){ .right_x = 0.001, .down_y = -0.001, .unit = MAP_UNIT };
        begin(RED_LAND);
        Image bare = drawn(&map, &height, 0, 0);
        set_field(&map, "rivers", &rivers);
        Image image = drawn(&map, &height, 0, 0);
        for (int y = 8; y < 128; y += 8)
            assert_true(difference(pixel_at(&image, 64, y), pixel_at(&bare, 64, y)) < 30);
        image_free(&bare);
        image_free(&image);
        field_free(&height);
        field_free(&rivers);
    }
}

// Inland, where streams meet in a few cells.
static float meeting_streams(int x, int y) {
    return x >= 60 && x < 65 && y >= 60 && y < 65 ? 0.3f : 0;
}

static void streams_that_meet_are_no_estuary(void **state) {
    (void)state;
    Image image = window_with(sea_far_away, meeting_streams);
    assert_int_equal(difference(pixel_at(&image, 62, 62), pixel_at(&image, 60, 60)), 0);
    image_free(&image);
}

// A valley just above the sea, the sea itself far away.
static float low_valley(int x, int y) {
    (void)y;
    return x == 0 ? -0.3f : 0.0001f + (x < 32 ? 0.01f * (float)(32 - x) : 0.03f * (float)(x - 32));
}

static void a_valley_above_the_sea_is_dry(void **state) {
    (void)state;
    Field height = field_of(64, 16, low_valley);
    begin(RED_LAND);
    set_number(&map, "contrast", 0);
    Image image = drawn(&map, &height, 0, 0);
    for (int x = 2; x < 64; x++)
        if (pixel_at(&image, x, 8).blue > 20)
            fail_msg("water at %d", x);
    assert_true(pixel_at(&image, 0, 8).blue > 100);
    image_free(&image);
    field_free(&height);
}

// A shallow floor of the sea, into which a river's bed ends steeply.
static float bed_in_the_sea(int x, int y) {
    (void)y;
    return x < 32 ? -0.001f : -0.001f - 0.05f * min((float)(x - 31), 4.0f);
}

static void the_end_of_a_bed_is_no_shore(void **state) {
    (void)state;
    Field height = field_of(64, 16, bed_in_the_sea);
    begin(RED_LAND);
    set_number(&map, "contrast", 0);
    Image image = drawn(&map, &height, 0, 0);
    for (int x = 0; x < 64; x++)
        if (pixel_at(&image, x, 8).red > 20)
            fail_msg("land at %d", x);
    image_free(&image);
    field_free(&height);
}

static float level_land(int x, int y) {
    (void)y;
    return x < 4 ? -0.4f : 0.3f;
}

static float river_in_the_east(int x, int y) {
    (void)y;
    return x > 20;
}

static void rivers_have_the_palettes_colour(void **state) {
    (void)state;
    Field height = field_of(32, 8, level_land), rivers = field_of(32, 8, river_in_the_east);
    begin((Palette){
        3, { { -1, { 20, 20, 20, 255 } }, { 0, { 120, 60, 30, 255 } }, { 1, { 250, 200, 90, 255 } } } });
    set_number(&map, "contrast", 0);
    set_field(&map, "rivers", &rivers);
    Image image = drawn(&map, &height, 0, 0);
    assert_true(difference(pixel_at(&image, 25, 4), pixel_at(&image, 1, 4)) <= 3); // the sea at -0.4
    image_free(&image);
    *(Palette *)drawing_member(&map, "palette") =
        (Palette){ 2, { { 0, { 90, 90, 90, 255 } }, { 1, { 250, 250, 250, 255 } } } };
    image = drawn(&map, &height, 0, 0);
    assert_true(pixel_at(&image, 25, 4).blue > pixel_at(&image, 25, 4).red + 60);
    image_free(&image);
    field_free(&height);
    field_free(&rivers);
}

// --- the range of heights ----------------------------------------------------------------------------------

static float range_low, range_high; // of `slanting`

static float slanting(int x, int y) {
    (void)y;
    return range_low + (range_high - range_low) * (float)x / 63;
}

static void low_and_high_are_0_and_1_or_what_lies_beyond(void **state) {
    (void)state;
    static const struct {
        float low, high;
        double scale_low, scale_high;
    } ranges[] = { { -0.5f, 0.03125f, -0.5f, 1 },
                   { 0.2f, 0.6f, 0, 1 },
                   { -0.03125f, 0.0625f, -0.03125f, 0.0625f }, // too flat for that scale
                   { 0.3f, 2, 0, 2 },
                   { -0.5f, 3, -0.5f, 3 },
                   { 400, 450, 400, 450 } }; // metres
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        range_low = ranges[i].low, range_high = ranges[i].high;
        Field height = field_of(64, 4, slanting);
        begin_drawing(&map, &op_relief, RED_LAND);
        Image without = drawn(&map, &height, 0, 0);
        set_number(&map, "low", ranges[i].scale_low);
        set_number(&map, "high", ranges[i].scale_high);
        Image with = drawn(&map, &height, 0, 0);
        if (memcmp(with.pixels, without.pixels, 64 * 4 * sizeof(Pixel)) != 0)
            fail_msg("heights from %g to %g", (double)range_low, (double)range_high);
        image_free(&with);
        image_free(&without);
        field_free(&height);
    }
}

static float disk(int x, int y) {
    const float dx = (float)x - 47.5f, dy = (float)y - 47.5f;
    return 30 * 30 - dx * dx - dy * dy;
}

static void a_drawn_network_ends_at_its_coast(void **state) {
    (void)state;
    static Drawing growth;
    Field mask = field_of(96, 96, disk);
    Output network[OUTPUTS_MAX], drawing[OUTPUTS_MAX];
    Error error;
    growth.operation = &op_river_network;
    params_initialise(growth.operation, growth.params);
    set_field(&growth, "mask", &mask);
    set_number(&growth, "points", 400);
    set_number(&growth, "river_width", 0.2);
    assert_ok(run_operation(growth.operation, (Call){ .width = 96, .height = 96, .seed = 3 }, growth.params,
                            network, &error),
              error);
    assert_ok(
        run_operation(&op_draw, (Call){ .inputs = { { .value = network[0].value } } }, NULL, drawing, &error),
        error);
    int rivers = 0;
    for (int y = 0; y < 96; y++)
        for (int x = 0; x < 96; x++) {
            const Pixel pixel = pixel_at(&drawing[0].image, x, y);
            const bool river = pixel.red < 80;
            rivers += river;
            if (river && disk(x, y) < -130) // two cells outside
                fail_msg("a river at (%d, %d)", x, y);
        }
    assert_true(rivers > 50);
    outputs_free(drawing);
    outputs_free(network);
    field_free(&mask);
}

// --- projections -------------------------------------------------------------------------------------------

enum { WHOLE = 1440 }; // columns of a map of the whole planet: 0.25° each

// The same round hill at the equator and at 60° north, where it takes twice as many columns.
static float two_hills(int x, int y) {
    const bool north = y < WHOLE / 4 - 120;
    const double dx = (x - (north ? 1000 : 400)) * (north ? 0.5 : 1);
    const double dy = y + 0.5 - (north ? WHOLE / 12.0 : WHOLE / 4.0);
    const double far = (dx * dx + dy * dy) / 100;
    return far < 1 ? (float)(0.2 + (1 - far) * (1 - far) * 0.1) : 0.2f;
}

static void a_hill_shades_alike_at_every_latitude(void **state) {
    (void)state;
    Field height = field_of(WHOLE, WHOLE / 2, two_hills);
    begin(RED_LAND);
    set_choice(&map, "projection", "equirectangular");
    set_number(&map, "exaggeration", 2);
    Image image = drawn(&map, &height, 0, 0);
    int darkest = 255, brightest = 0, worst = 0;
    for (int dy = -9; dy < 9; dy++)
        for (int dx = -9; dx <= 9; dx++) {
            const Pixel low = pixel_at(&image, 400 + dx, WHOLE / 4 + dy);
            const Pixel high = pixel_at(&image, 1000 + 2 * dx, WHOLE / 12 + dy);
            const int off = abs(low.red - high.red);
            worst = off > worst ? off : worst;
            darkest = low.red < darkest ? low.red : darkest;
            brightest = low.red > brightest ? low.red : brightest;
        }
    assert_true(brightest - darkest > 50); // the hill is there
    if (worst > 12)
        fail_msg("they differ by %d", worst);
    image_free(&image);
    field_free(&height);
}

static void latitudes_of_a_window_are_told(void **state) {
    (void)state;
    Field whole = field_of(WHOLE, WHOLE / 2, two_hills), window;
    Error error;
    assert_ok(field_create(&window, WHOLE, 40, &error), error);
    for (int y = 0; y < 40; y++) // rows 100 to 139: from 65° to 55° north
        memcpy(field_row(&window, y), field_row((const Field *)&whole, 100 + y), WHOLE * sizeof(float));
    begin(RED_LAND);
    set_choice(&map, "projection", "equirectangular");
    Image all = drawn(&map, &whole, 0, 0);
    set_list(&map, "latitudes", (Numbers){ 2, { 65, 55 } });
    Image part = drawn(&map, &window, 0, 0);
    for (int y = 1; y < 39; y++)
        for (int x = 0; x < WHOLE; x++)
            assert_true(difference(pixel_at(&part, x, y), pixel_at(&all, x, 100 + y)) <= 3);
    image_free(&all);
    image_free(&part);
    field_free(&window);
    field_free(&whole);
}

enum { FACE = 128 };

// Hills or gentle swells over the whole sphere, as they lie on the cube's face `shown`.
static int shown;
static bool swells;

static float on_face(int x, int y) {
    const double right = 2 * (x + 0.5) / FACE - 1, up = 1 - 2 * (y + 0.5) / FACE;
    const double out = 1 / sqrt(1 + right * right + up * up), r = right * out, u = up * out;
    const double faces[3][3] = { { r, u, out }, { out, u, -r }, { r, out, -u } }; // front, right, top
    const double *at = faces[shown];
    if (swells)
        return (float)(0.3 * (sin(2 * at[0]) - cos(2 * at[1] + 1) + sin(2 * at[2])));
    return (float)(0.2 * sin(9 * at[0] + 1) * cos(8 * at[1]) + 0.2 * sin(10 * at[2] + at[1] * 7));
}

static Image face_image(int index, const char *face) {
    shown = index;
    Field height = field_of(FACE, FACE, on_face);
    begin((Palette){ 2, { { -1, { 160, 160, 160, 255 } }, { 1, { 160, 160, 160, 255 } } } });
    set_choice(&map, "projection", "cube");
    set_choice(&map, "face", face);
    set_number(&map, "exaggeration", 4);
    set_number(&map, "sea_level", -1);
    Image image = drawn(&map, &height, 0, 0);
    field_free(&height);
    return image;
}

// Two lines of pixels that go on over an edge of the cube: the first pixel at it, and the step to the next.
typedef struct Beside {
    const Image *image;
    int x, y, dx, dy;
} Beside;

static int tone_beside(const Beside *line, int far) {
    return pixel_at(line->image, line->x + far * line->dx, line->y + far * line->dy).red;
}

// The step of tones over an edge, and the greatest between pixels two apart beside it. Slopes at a face's
// border are those between its last two pixels, so slopes on both sides of the edge are two pixels apart.
static void add_steps(const Beside *one, const Beside *other, int *over, int *beside) {
    *over = max(*over, abs(tone_beside(one, 0) - tone_beside(other, 0)));
    for (int far = 1; far < 5; far++)
        for (int side = 0; side < 2; side++) {
            const Beside *line = side ? one : other;
            *beside = max(*beside, abs(tone_beside(line, far) - tone_beside(line, far + 2)));
        }
}

// The greatest steps over two edges of the cube, and beside them.
static void steps_at_edges(int *over, int *beside) {
    Image front = face_image(0, "front"), right = face_image(1, "right"), top = face_image(2, "top");
    const int last = FACE - 1;
    *over = *beside = 0;
    for (int i = 2; i < FACE - 2; i++) {
        add_steps(&(Beside){ &front, last, i, -1, 0 }, &(Beside){ &right, 0, i, 1, 0 }, over, beside);
        add_steps(&(Beside){ &front, i, 0, 0, 1 }, &(Beside){ &top, i, last, 0, -1 }, over, beside);
    }
    image_free(&front);
    image_free(&right);
    image_free(&top);
}

// The light, and how much steeper gentle slopes are drawn: by slopes of the picture, the gain differs by up
// to 1.44 from face to face, since cells are oblique there. Swells had steps of 4 over an edge, and of 2
// beside it.
static void light_does_not_turn_at_a_cubes_edges(void **state) {
    (void)state;
    int over, beside;
    for (int i = 0; i < 2; i++) {
        swells = i > 0;
        steps_at_edges(&over, &beside);
        print_message("# steps of %d over an edge, %d beside it\n", over, beside);
        assert_true(over <= beside && beside > 0);
    }
}

// --- the globe ---------------------------------------------------------------------------------------------

enum { GLOBE = 201 };

static float on_disk(int x, int y, float beside) {
    const double dx = (x + 0.5) * 2 / GLOBE - 1, dy = (y + 0.5) * 2 / GLOBE - 1;
    return dx * dx + dy * dy < 1 ? 0.5f : beside;
}

static float level_globe(int x, int y) {
    return on_disk(x, y, -1);
}

static float level_everywhere(int x, int y) {
    return on_disk(x, y, 0.5f);
}

static Image globe_image(HeightAt *at) {
    Field height = field_of(GLOBE, GLOBE, at);
    begin((Palette){ 2, { { -1, { 200, 200, 200, 255 } }, { 1, { 200, 200, 200, 255 } } } });
    set_choice(&map, "projection", "orthographic");
    Image image = drawn(&map, &height, 0, 0);
    field_free(&height);
    return image;
}

// From the edge outwards the light falls off in several steps, and along it there are none.
static void a_globe_has_a_smooth_edge(void **state) {
    (void)state;
    Image image = globe_image(level_globe);
    const Pixel middle = pixel_at(&image, GLOBE / 2, GLOBE / 2), space = pixel_at(&image, 0, 0);
    assert_true(middle.red > 150 && space.red < 30);
    int between = 0;
    for (int y = 0; y < GLOBE; y++)
        for (int x = 0; x < GLOBE; x++) {
            const double dx = x - 0.5 * (GLOBE - 1), dy = y - 0.5 * (GLOBE - 1),
                         off = sqrt(dx * dx + dy * dy) - 0.5 * GLOBE;
            const Pixel pixel = pixel_at(&image, x, y);
            if (off > 0 && off < 0.4 && pixel.red > space.red + 10 && pixel.red < middle.red - 20)
                between++;
            if (off < -3 && x > 0 && abs(pixel.red - pixel_at(&image, x - 1, y).red) > 12)
                fail_msg("a step at (%d, %d)", x, y);
        }
    assert_true(between > 150);
    const Pixel limb = pixel_at(&image, 1, GLOBE / 2);
    assert_true(limb.blue - limb.red > middle.blue - middle.red + 8); // air
    image_free(&image);
}

// What lies beside the disk is not ground: it shades no slope.
static void the_edge_is_no_cliff(void **state) {
    (void)state;
    Image globe = globe_image(level_globe), everywhere = globe_image(level_everywhere);
    assert_memory_equal(globe.pixels, everywhere.pixels, GLOBE * GLOBE * sizeof(Pixel));
    image_free(&globe);
    image_free(&everywhere);
}

static float rough_globe(int x, int y) {
    return 0.5f + 0.002f * (float)((x * 37 + y * 53 + x * y * 11) % 17);
}

// Differences between neighbours, summed along a row near the lower edge or the middle.
static int grain(const Image *image, int y) {
    int sum = 0;
    for (int x = GLOBE / 2 - 9; x < GLOBE / 2 + 9; x++)
        sum += difference(pixel_at(image, x, y), pixel_at(image, x + 1, y));
    return sum;
}

// Towards the edge a pixel shows so much ground that its slopes even out.
static void a_globe_is_not_grainy_at_its_edge(void **state) {
    (void)state;
    Image image = globe_image(rough_globe);
    int edge = 0, middle = 0;
    for (int i = 0; i < 3; i++) {
        edge += grain(&image, GLOBE - 4 + i);
        middle += grain(&image, GLOBE / 2 + i);
    }
    if (middle < 200 || edge > 0.3 * middle)
        fail_msg("%d at the edge, %d in the middle", edge, middle);
    image_free(&image);
}

// --- snow --------------------------------------------------------------------------------------------------

static float hills(int x, int y) {
    return (float)(0.5 + 0.25 * sin(x * 0.13) + 0.2 * cos(y * 0.17 + x * 0.05));
}

static void snow_keeps_its_shades(void **state) {
    (void)state;
    Field height = field_of(128, 128, hills);
    begin((Palette){ 2, { { 0, { 255, 255, 255, 255 } }, { 1, { 255, 255, 255, 255 } } } });
    set_number(&map, "exaggeration", 2);
    Image image = drawn(&map, &height, 0, 0);
    int count[256] = { 0 }, bright = 0;
    for (int i = 0; i < 128 * 128; i++)
        count[image.pixels[i].green]++;
    for (int i = 240; i < 256; i++) // slopes towards the light
        bright += count[i] > 50;
    if (bright < 10 || count[255] > 128 * 128 / 50)
        fail_msg("%d bright shades, %d white pixels", bright, count[255]);
    image_free(&image);
    set_number(&map, "contrast", 0); // a map without shading has the palette's own colours
    image = drawn(&map, &height, 0, 0);
    for (int i = 0; i < 128 * 128; i++)
        assert_int_equal(image.pixels[i].green, 255);
    image_free(&image);
    field_free(&height);
}

// --- where the light comes from ----------------------------------------------------------------------------

static float mirrored_hills(int x, int y) {
    return hills(x, 127 - y);
}

static float turned_hills(int x, int y) { // a quarter clockwise
    return hills(y, 127 - x);
}

// Rows from south to north, or columns from north to south: the picture is the same, in that order.
static void light_comes_from_the_maps_directions(void **state) {
    (void)state;
    Field north = field_of(128, 128, hills), south = field_of(128, 128, mirrored_hills),
          turned = field_of(128, 128, turned_hills);
    north.frame = (Frame){ .y = 128, .right_x = 1, .down_y = -1 };
    south.frame = (Frame){ .right_x = 1, .down_y = 1 };
    turned.frame = (Frame){ .right_y = 1, .down_x = 1 };
    begin((Palette){ 2, { { 0, { 0, 0, 0, 255 } }, { 1, { 255, 255, 255, 255 } } } });
    Image a = drawn(&map, &north, 0, 0), b = drawn(&map, &south, 0, 0), c = drawn(&map, &turned, 0, 0);
    int apart = 0;
    for (int y = 0; y < 128; y++)
        for (int x = 0; x < 128; x++) {
            apart = max(apart, difference(image_row(&a, y)[x], image_row(&b, 127 - y)[x]));
            apart = max(apart, difference(image_row(&a, y)[x], image_row(&c, x)[127 - y]));
        }
    assert_true(apart <= 3); // one in each channel: sums are rounded otherwise
    image_free(&a);
    image_free(&b);
    image_free(&c);
    field_free(&north);
    field_free(&south);
    field_free(&turned);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_rivers_blend_with_the_sea),
        cmocka_unit_test(sea_behind_land_does_not_colour_a_river),
        cmocka_unit_test(mouths_blend_whichever_way_they_run),
        cmocka_unit_test(an_estuary_goes_over_into_the_sea),
        cmocka_unit_test(streams_that_meet_are_no_estuary),
        cmocka_unit_test(flow_in_all_cells_is_no_estuary),
        cmocka_unit_test(rivers_end_at_the_sea),
        cmocka_unit_test(a_valley_above_the_sea_is_dry),
        cmocka_unit_test(the_end_of_a_bed_is_no_shore),
        cmocka_unit_test(rivers_have_the_palettes_colour),
        cmocka_unit_test(low_and_high_are_0_and_1_or_what_lies_beyond),
        cmocka_unit_test(a_drawn_network_ends_at_its_coast),
        cmocka_unit_test(a_hill_shades_alike_at_every_latitude),
        cmocka_unit_test(latitudes_of_a_window_are_told),
        cmocka_unit_test(light_does_not_turn_at_a_cubes_edges),
        cmocka_unit_test(a_globe_has_a_smooth_edge),
        cmocka_unit_test(the_edge_is_no_cliff),
        cmocka_unit_test(a_globe_is_not_grainy_at_its_edge),
        cmocka_unit_test(snow_keeps_its_shades),
        cmocka_unit_test(light_comes_from_the_maps_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
