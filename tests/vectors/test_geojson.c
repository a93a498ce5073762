// GeoJSON that is broken, and memory that runs out at each place: nothing is held afterwards.

#include "support.h"

#include "core/memory.h"
#include "exchange/format_list.h"

#include <string.h>

static Status read_text(const char *text, size_t length, Error *error) {
    FILE *stream = fmemopen((void *)text, length, "rb"); // only read
    Field field = { 0 };
    Image image = { 0 };
    Reading reading = { .stream = stream, .path = "file", .field = &field, .image = &image };
    const Status status = format_geojson.read(&reading, error);
    if (reading.value)
        value_free(reading.type, &reading.value);
    fclose(stream);
    return status;
}

static const char whole[] =
    "{\"features\":[{\"properties\":{\"a\":1,\"b\":\"text\",\"c\":[1,{}]},\"geometry\":{\"type\":\"Polygon\","
    "\"coordinates\":[[[0,0],[4,0],[4,4],[0,0]],[[2,1],[3,1],[3,2],[2,1]]]}}],\"type\":"
    "\"FeatureCollection\"}";

static void a_text_may_end_anywhere(void **state) {
    (void)state;
    Error error;
    for (size_t length = 1; length < sizeof whole - 1; length++) {
        assert_int_equal(read_text(whole, length, &error), STATUS_FILE);
        assert_int_equal(memory_in_use(), 0);
    }
    assert_ok(read_text(whole, sizeof whole - 1, &error), error);
}

static void any_byte_may_be_wrong(void **state) {
    (void)state;
    Error error;
    for (size_t at = 0; at < sizeof whole - 1; at++) {
        char text[sizeof whole];
        memcpy(text, whole, sizeof whole);
        text[at] = (char)0x86;
        read_text(text, sizeof whole - 1, &error);
        assert_int_equal(memory_in_use(), 0);
    }
}

static void memory_may_run_out(void **state) {
    (void)state;
    Error error;
    Status status = STATUS_MEMORY;
    for (long successes = 0; status != STATUS_OK; successes++) {
        memory_fail_after(successes);
        status = read_text(whole, sizeof whole - 1, &error);
        memory_fail_after(-1);
        assert_true(status == STATUS_OK || status == STATUS_MEMORY);
        assert_int_equal(memory_in_use(), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_text_may_end_anywhere),
                                        cmocka_unit_test(any_byte_may_be_wrong),
                                        cmocka_unit_test(memory_may_run_out) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
