// Text as strokes, and the titles of maps.

#include "support.h"

#include "core/math.h"
#include "operations.h"
#include "picture/lettering.h"

#include <math.h>

enum { SHEET = 120, SIZE = 60, LEFT = 20, TOP = 20 };

static Field letter(const char *text) {
    Field cover;
    Error error;
    assert_ok(field_create(&cover, SHEET, SHEET, &error), error);
    memset(field_cells(&cover), 0, SHEET * SHEET * sizeof(float));
    letter_text(&cover, text, (Vec2){ LEFT, TOP }, (Vec2){ 1, 0 }, SIZE);
    return cover;
}

static bool look_alike(const Field *a, const Field *b) {
    for (int i = 0; i < SHEET * SHEET; i++)
        if (a->cells[i] != b->cells[i])
            return false;
    return true;
}

// Each glyph is another one, stays within its place and goes no lower than a third below the base line.
static void every_printable_character_has_a_glyph(void **state) {
    (void)state;
    enum { COUNT = '~' - ' ' + 1 };
    Field drawn[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const char text[2] = { (char)(' ' + i), '\0' };
        const double right = LEFT + letter_length(text, SIZE), pen = SIZE / 16.0 + 1;
        drawn[i] = letter(text);
        double ink = 0;
        for (int y = 0; y < SHEET; y++)
            for (int x = 0; x < SHEET; x++) {
                const double share = (double)field_row(&drawn[i], y)[x];
                ink += share;
                if (x < LEFT - pen || x > right - SIZE / 3.0 + pen || y < TOP - pen ||
                    y > TOP + SIZE * 4 / 3.0 + pen)
                    assert_near(share, 0, 0);
            }
        assert_int_equal(ink > 50, i > 0); // all but the space
        for (int k = 0; k < i; k++)
            assert_false(look_alike(&drawn[k], &drawn[i]));
    }
    for (int i = 0; i < COUNT; i++)
        field_free(&drawn[i]);
    for (int digit = '1'; digit <= '9'; digit++)
        assert_near(letter_length((const char[]){ (char)digit, '\0' }, SIZE), letter_length("0", SIZE), 0);
    static const char nothing[] = "\n\t\x7f\xc3\xff";
    Field none = letter(nothing);
    assert_near(letter_length(nothing, SIZE), 0, 0);
    for (int i = 0; i < SHEET * SHEET; i++)
        assert_near((double)none.cells[i], 0, 0);
    field_free(&none);
}

// The letters of European languages, each another drawing, no higher above the top than five twelfths and no
// lower than a third.
static void letters_have_their_marks(void **state) {
    (void)state;
    static const char all[] =
        "AaEeIiOoUuÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿŒœŸẞ"
        "ĄąĆćĘęŁłŃńŚśŹźŻżČčĎďĚěŇňŘřŠšŤťŮůŽžĽľĹĺŔŕŐőŰűĂăȘșȚțđĦħĠġĊċĜĝĤĥĴĵŜŝŬŭĀāĒēĢģĪīĶķĻļ"
        "ŅņŪūĮįŲųĖėİıĞğŞşŴŵŶŷŊŋŦŧĲĳĬĭ¡¿«»°·‐–—‘’‚“”„…€×";
    enum { MOST = 260 };
    static Field drawn[MOST];
    int count = 0;
    for (const char *rest = all; *rest; count++) {
        char text[8] = { 0 };
        int length = 1;
        while ((rest[length] & 0xc0) == 0x80)
            length++;
        memcpy(text, rest, (size_t)length);
        rest += length;
        assert_true(count < MOST);
        drawn[count] = letter(text);
        const double right = LEFT + letter_length(text, SIZE), pen = SIZE / 16.0 + 1;
        double ink = 0;
        for (int y = 0; y < SHEET; y++)
            for (int x = 0; x < SHEET; x++) {
                const double share = (double)field_row(&drawn[count], y)[x];
                ink += share;
                if (x < LEFT - pen || x > right - SIZE / 3.0 + pen || y < TOP - SIZE * 5 / 12.0 - pen ||
                    y > TOP + SIZE * 4 / 3.0 + pen)
                    assert_near(share, 0, 0);
            }
        assert_true(ink > 20);
        for (int k = 0; k < count; k++)
            assert_false(look_alike(&drawn[k], &drawn[count]));
    }
    for (int i = 0; i < count; i++)
        field_free(&drawn[i]);
    Field one = letter("\u00e9n"), other = letter("e\u0301n"); // a mark of its own joins its letter
    assert_true(look_alike(&one, &other));
    field_free(&one);
    field_free(&other);
}

// Rows without ink between a mark and its letter in the size of a title's second line.
static void marks_stand_off_narrow_letters(void **state) {
    (void)state;
    static const char *const marked[] = { "İ", "Ĭ", "ĭ", "Ż", "ė", "Ǐ" };
    for (size_t i = 0; i < sizeof marked / sizeof *marked; i++) {
        Field cover;
        Error error;
        assert_ok(field_create(&cover, 40, 40, &error), error);
        memset(field_cells(&cover), 0, 1600 * sizeof(float));
        letter_text(&cover, marked[i], (Vec2){ 15, 15 }, (Vec2){ 1, 0 }, 10);
        int parts = 0;
        bool inked = false;
        for (int y = 0; y < 40; y++) {
            float most = 0;
            for (int x = 0; x < 40; x++)
                most = max(most, field_row(&cover, y)[x]);
            parts += most > 0.3f && !inked;
            inked = most > 0.3f;
        }
        if (parts != 2)
            fail_msg("%s has %d parts", marked[i], parts);
        field_free(&cover);
    }
}

static Status draw_map(const Field *field, const char *title, Image *image, Error *error) {
    _Alignas(64) unsigned char params[16384];
    Output outputs[OUTPUTS_MAX] = { 0 };
    params_initialise(&op_contour_map, params);
    const Status set = param_set_text(operation_param(&op_contour_map, "title"), params, title, error);
    assert_int_equal(set, STATUS_OK);
    const Status status =
        run_operation(&op_contour_map, (Call){ .inputs = { { .field = field } } }, params, outputs, error);
    *image = outputs[0].image;
    return status;
}

// The rows and columns in which two images differ; none: all -1.
static void find_change(const Image *a, const Image *b, int *right, int *bottom) {
    *right = *bottom = -1;
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++)
            if (memcmp(&image_row(a, y)[x], &image_row(b, y)[x], sizeof(Pixel)) != 0) {
                *right = x > *right ? x : *right;
                *bottom = y;
            }
}

// A title takes the upper left corner, a second line makes it higher, and a long one is smaller but stays
// clear of the arrow.
static void titles_are_printed(void **state) {
    (void)state;
    Field field = noise_field(200, 200, 3);
    Image bare, once, twice, full, plain, marked;
    Error error;
    int right, bottom, lower;
    assert_ok(draw_map(&field, "", &bare, &error), error);
    assert_ok(draw_map(&field, "Esk", &once, &error), error);
    assert_ok(draw_map(&field, "Esk\nsheet 12", &twice, &error), error);
    assert_ok(draw_map(&field, "Upper and lower Esk", &full, &error), error);
    find_change(&bare, &once, &right, &bottom);
    find_change(&once, &twice, &right, &lower);
    assert_ok(draw_map(&field, "Esk\nSheet 12", &plain, &error), error);
    assert_ok(draw_map(&field, "Esk\nŠheet 12", &marked, &error), error);
    int lines, moved;
    find_change(&once, &plain, &right, &lines);
    find_change(&once, &marked, &right, &moved);
    assert_true(moved >= lines + 3); // accents have room of their own
    image_free(&plain);
    image_free(&marked);
    assert_true(bottom > 20 && lower > bottom + 10); // contours' labels may give way anywhere
    for (int y = 0; y < 56; y++)                     // the arrow's box
        assert_memory_equal(&image_row(&bare, y)[170], &image_row(&full, y)[170], 24 * sizeof(Pixel));
    image_free(&bare);
    image_free(&once);
    image_free(&twice);
    image_free(&full);
    field_free(&field);
}

static void titles_without_room_or_glyphs_are_refused(void **state) {
    (void)state;
    char longest[300] = { 0 };
    memset(longest, 'a', sizeof longest - 1);
    const struct {
        const char *title, *message;
    } wrong[] = {
        { "Caf\xc3", "title must be UTF-8, got a byte that is not at character 4" },
        { "\xc3\xa9\xed\xa0\x80", "title must be UTF-8, got a byte that is not at character 2" },
        { "É \u041c", "line breaks only, got U+041C at character 3" },
        { longest, "title must have at most 255 bytes, got 299" },
        { "\n \nA", "title does not fit: it is " },
        { "The Upper Esk", "title does not fit: a map 64 cells wide has room for 1 " },
    };
    Field field = noise_field(64, 64, 3);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Image image;
        Error error;
        assert_int_equal(draw_map(&field, wrong[i].title, &image, &error), STATUS_INVALID);
        assert_non_null(strstr(error.text, wrong[i].message));
    }
    field_free(&field);
}

static void numbers_are_short(void **state) {
    (void)state;
    const struct {
        double number, step;
        const char *text;
    } cases[] = { { 0, 1e-31, "0" },         { -0.0, 1e-31, "0" },         { 0, 2e37, "0" },
                  { 3e-31, 1e-31, "3e-31" }, { 9.99999e37, 2e37, "1e38" }, { 0.5, 0.1, "0.5" },
                  { -0.0, 0.5, "0.0" },      { 1.2e38, 2e37, "1.2e38" } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(number_text(cases[i].number, cases[i].step).text, cases[i].text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_printable_character_has_a_glyph),
        cmocka_unit_test(letters_have_their_marks),
        cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(marks_stand_off_narrow_letters),
        cmocka_unit_test(titles_are_printed),
        cmocka_unit_test(titles_without_room_or_glyphs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
