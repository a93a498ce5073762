// Maps of Azgaar's Fantasy Map Generator that are broken, and memory that runs out at each place: nothing is
// held afterwards.

#include "support.h"

#include "core/memory.h"
#include "exchange/format_list.h"

#include <string.h>

static Status read_layer(const char *text, size_t length, const char *layer, Error *error) {
    FILE *stream = fmemopen((void *)text, length, "rb"); // only read
    Field field = { 0 };
    Image image = { 0 };
    Reading reading = { .stream = stream, .path = "file", .layer = layer, .field = &field, .image = &image };
    const Status status = format_azgaar.read(&reading, error);
    assert_true(status != STATUS_OK || field.cells || reading.value);
    for (size_t i = 0; field.cells && status == STATUS_OK && i < field_count(&field); i++)
        assert_true(field.cells[i] - field.cells[i] == 0);
    if (reading.value)
        value_free(reading.type, &reading.value);
    field_free(&field);
    fclose(stream);
    return status;
}

// Land with a lake of one cell between two cells of ocean.
static const char whole[] =
    "{\"info\":{\"version\":\"1.100.00\",\"width\":4,\"height\":1},\"settings\":{\"distanceUnit\":\"km\","
    "\"distanceScale\":10,\"heightExponent\":\"2\"},\"pack\":{\"vertices\":[{\"i\":0,\"p\":[0,0]},{\"i\":1,"
    "\"p\":[1,0]},{\"i\":2,\"p\":[2,0]},{\"i\":3,\"p\":[3,0]},{\"i\":4,\"p\":[4,0]},{\"i\":5,\"p\":[0,1]},"
    "{\"i\":6,\"p\":[1,1]},{\"i\":7,\"p\":[2,1]},{\"i\":8,\"p\":[3,1]},{\"i\":9,\"p\":[4,1]}],\"cells\":["
    "{\"i\":0,\"p\":[0.5,0.5],\"v\":[0,1,6,5],\"h\":9,\"f\":1},{\"i\":1,\"p\":[1.5,0.5],\"v\":[1,2,7,6],"
    "\"h\":"
    "30,\"f\":2,\"biome\":1},{\"i\":2,\"p\":[2.5,0.5],\"v\":[2,3,8,7],\"h\":19,\"f\":3},{\"i\":3,\"p\":[3.5,"
    "0.5],\"v\":[3,4,9,8],\"h\":9,\"f\":1}],\"features\":[0,{\"i\":1,\"type\":\"ocean\"},{\"i\":2,\"type\":"
    "\"island\"},{\"i\":3,\"type\":\"lake\",\"height\":25,\"vertices\":[2,3,8,7]}],\"burgs\":[{},{\"i\":1,"
    "\"name\":\"\\u00c5\",\"x\":1.4,\"y\":0.5,\"cell\":1,\"population\":2,\"port\":1}],\"rivers\":[{\"i\":1,"
    "\"name\":\"R\",\"cells\":[1,0],\"discharge\":7},{\"i\":2,\"cells\":[1,-1]}],\"routes\":[{\"i\":0,"
    "\"group\":\"roads\",\"points\":[[1,1,0],[2,1,0]]}]}}";

static const char *const layers[] = { "heights", "rivers", "lakes", "places", "routes" };
enum { LAYERS = sizeof layers / sizeof *layers };

static void a_text_may_end_anywhere(void **state) {
    (void)state;
    Error error;
    for (size_t length = 1; length < sizeof whole - 1; length++) {
        assert_int_equal(read_layer(whole, length, "places", &error), STATUS_FILE);
        assert_int_equal(memory_in_use(), 0);
    }
    for (int i = 0; i < LAYERS; i++)
        assert_ok(read_layer(whole, sizeof whole - 1, layers[i], &error), error);
}

static void any_byte_may_be_wrong(void **state) {
    (void)state;
    static const char wrong[] = { '9', '-', '"', '[', '}', (char)0x86 };
    Error error;
    for (size_t at = 0; at < sizeof whole - 1; at++)
        for (size_t k = 0; k < sizeof wrong; k++) {
            char text[sizeof whole];
            memcpy(text, whole, sizeof whole);
            text[at] = wrong[k];
            read_layer(text, sizeof whole - 1, layers[1 + (at + k) % (LAYERS - 1)], &error);
            assert_int_equal(memory_in_use(), 0);
        }
}

static void sections_stand_once(void **state) {
    (void)state;
    static const char second[] = ",\"settings\":{\"heightExponent\":\"1\"}}";
    char text[sizeof whole + sizeof second];
    memcpy(text, whole, sizeof whole - 2); // but for the last brace
    memcpy(text + sizeof whole - 2, second, sizeof second);
    Error error;
    assert_int_equal(read_layer(text, sizeof whole + sizeof second - 3, "places", &error), STATUS_FILE);
    assert_non_null(strstr(error.text, "settings: it is there twice"));
}

static void memory_may_run_out(void **state) {
    (void)state;
    Error error;
    for (int i = 0; i < LAYERS; i++) {
        Status status = STATUS_MEMORY;
        for (long successes = 0; status != STATUS_OK; successes++) {
            memory_fail_after(successes);
            status = read_layer(whole, sizeof whole - 1, layers[i], &error);
            memory_fail_after(-1);
            assert_true(status == STATUS_OK || status == STATUS_MEMORY);
            assert_int_equal(memory_in_use(), 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_text_may_end_anywhere),
                                        cmocka_unit_test(any_byte_may_be_wrong),
                                        cmocka_unit_test(sections_stand_once),
                                        cmocka_unit_test(memory_may_run_out) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
