// What a terminal is given of a stranger's text.

#include "support.h"

#include "cli/texts.h"

#include <stdlib.h>

static void assert_printed(const char *text, size_t length, const char *expected) {
    char *printed;
    size_t size;
    FILE *stream = open_memstream(&printed, &size);
    print_visible(stream, text, length);
    fclose(stream);
    assert_string_equal(printed, expected);
    free(printed);
}

static void text_of_all_scripts_passes(void **state) {
    (void)state;
    static const char text[] = "a\tb\n\"\\ é ß € 山 🏔 \u07ff\uffff\U0010ffff \u0915\u094d";
    assert_printed(text, sizeof text - 1, text);
}

static void controls_and_what_reorders_text_are_replaced(void **state) {
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        { "\033[2Jx\r\a\b\x7f", "?[2Jx????" },
        { "\xc2\x80\xc2\x9b"
          "31m\xc2\x9f\xc2\xa0",
          "??31m?\xc2\xa0" },
        // NOLINTNEXTLINE(misc-misleading-bidirectional)
        { "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c", "????????????" },
        { "\u2028\u2029\u200b\ufeff\ufff9\U000e0041", "??????" },
        { "\u00ad\u034f\u115f\u1160\u180e\u3164\ufe00\ufe0f\uffa0\U000e0100\U000e0fff", "???????????" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_printed(cases[i].text, strlen(cases[i].text), cases[i].expected);
    assert_printed("a\0b", 3, "a?b");
}

// Each byte of what is not UTF-8 becomes one '?': stray, too long, of surrogates, beyond Unicode, cut off.
static void bytes_that_are_not_utf8_are_replaced(void **state) {
    (void)state;
    assert_printed("\x9b"
                   "31m\xff\xfe\x80",
                   7, "?31m???");
    assert_printed("\xc0\x9b|\xe0\x82\x9b|\xf0\x80\x82\x9b", 11, "??|???|????");
    assert_printed("\xed\xa0\x80|\xf4\x90\x80\x80|\xf8\x88\x80\x80\x80", 14, "???|????|?????");
    assert_printed("\xe2\x82", 2, "??");
    assert_printed("\xe2\x82z\xc3", 4, "??z?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_of_all_scripts_passes),
        cmocka_unit_test(controls_and_what_reorders_text_are_replaced),
        cmocka_unit_test(bytes_that_are_not_utf8_are_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
