// Readers of heights as text and as plain numbers: what they take, and what each makes of a file that is not
// right.

#define _GNU_SOURCE // fopencookie
#include "support.h"

#include "core/image.h"
#include "file/formats.h"
#include "file/png_text.h"
#include "operations.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

typedef Status Reader(Reading *reading, Error *error);

typedef struct Case {
    Reader *read;
    const char *text;
    size_t length;       // 0: of the text
    const char *problem; // NULL: it is read
    float first, last;   // heights then
} Case;

static Status read_stream(Reader *read, FILE *stream, Field *field, Error *error) {
    Image image = { 0 };
    *field = (Field){ 0 };
    Reading reading = { .stream = stream,
                        .path = "file",
                        .given = true,
                        .low = 0,
                        .high = 255,
                        .width = 2,
                        .height = 2,
                        .max_pixels = 1e6,
                        .field = field,
                        .image = &image };
    return read(&reading, error);
}

static void check(const Case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const size_t length = cases[i].length ? cases[i].length : strlen(cases[i].text);
        FILE *stream = length ? fmemopen((void *)cases[i].text, length, "rb") : fopen("/dev/null", "rb");
        Field field;
        Error error = { "nothing" };
        const Status status = read_stream(cases[i].read, stream, &field, &error);
        fclose(stream);
        if (cases[i].problem) {
            if (status == STATUS_OK || !strstr(error.text, cases[i].problem))
                fail_msg("%zu: '%s', not '%s'", i, error.text, cases[i].problem);
        } else {
            if (status != STATUS_OK)
                fail_msg("%zu: %s", i, error.text);
            assert_near((double)field.cells[0], (double)cases[i].first, 1e-6);
            assert_near((double)field.cells[field_count(&field) - 1], (double)cases[i].last, 1e-6);
        }
        field_free(&field);
    }
}

#define GRID(more) "ncols 2\nNROWS 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n" more

static void text_grids(void **state) {
    (void)state;
    static const Case cases[] = {
        { read_asc, GRID("1 2\n3 4\n"), 0, NULL, 1, 4 },
        { read_asc, GRID("NODATA_value -9999\n1 2\n3 -9999\n"), 0, NULL, 1, 0 },
        { read_asc, GRID("NODATA_value 0\n0 0\n0 0\n"), 0, NULL, 0, 0 },
        { read_asc, GRID("word 5\n1 2\n3 4\n"), 0, NULL, 1, 4 },
        { read_asc, "ncols 2\nnrows 2\nxllcenter 7\nyllcenter 0\ndx 1\ndy 1\n1 2\n3 4\n", 0, NULL, 1, 4 },
        { read_asc, "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 7\ndx 1\ndy 2\n1 2\n3 4\n", 0, NULL, 1, 4 },
        { read_asc, GRID("1 2\n3 4"), 0, NULL, 1, 4 },
        { read_asc, GRID("1 2\n3 4,5\n"), 0, "'4,5' is not a height: numbers have a point, no comma", 0, 0 },
        { read_asc, GRID("1 2\n3"), 0, "truncated", 0, 0 },
        { read_asc, GRID("1 2\n3 x\n"), 0, "'x' is not a height", 0, 0 },
        { read_asc, GRID("1 2\n3 4m\n"), 0, "'4m' is not a height", 0, 0 },
        { read_asc, GRID("1 2\n3 nan\n"), 0, "is not a height", 0, 0 },
        { read_asc, GRID("1 2\n3 1e300\n"), 0, "is not a height", 0, 0 },
        { read_asc, GRID("cellsize\n"), 0, "cellsize has no number", 0, 0 },
        { read_asc, GRID("cellsize 0\n1 2\n3 4\n"), 0, "cellsize must be above 0, got 0", 0, 0 },
        { read_asc, GRID("cellsize inf\n1 2\n3 4\n"), 0, "cellsize must be above 0, got inf", 0, 0 },
        { read_asc, GRID("dy -1\n1 2\n3 4\n"), 0, "dy must be above 0, got -1", 0, 0 },
        { read_asc, GRID("xllcorner nan\n1 2\n3 4\n"), 0, "xllcorner must be finite, got nan", 0, 0 },
        { read_asc, GRID("ncols 2\n1 2\n3 4\n"), 0, "its header has a second ncols", 0, 0 },
        { read_asc, GRID("xllcenter 2\n1 2\n3 4\n"), 0, "a second xllcenter", 0, 0 },
        { read_asc, GRID("1 2\n3 4\n5\n"), 0, "it has more than 2 × 2 heights", 0, 0 },
        { read_asc, GRID("1 2\n3 4 \n \n"), 0, NULL, 1, 4 },
        { read_asc, GRID("word word\n"), 0, "word has no number", 0, 0 },
        { read_asc, GRID(""), 0, "is not a height", 0, 0 },
        { read_asc, "", 0, "its size is 0 × 0", 0, 0 },
        { read_asc, "ncols 2.5\nnrows 2\n1 2\n", 0, "its size is 0 ×", 0, 0 },
        { read_asc, "ncols 2\nnrows 2.5\n1 2\n", 0, "its size is 0 ×", 0, 0 },
        { read_asc, "ncols 2\nnrows -1\n1 2\n", 0, "its size is 2 × -1", 0, 0 },
        { read_asc, "ncols 70000\nnrows 1\n1 2\n", 0, "its size is 70000 × 1", 0, 0 },
        { read_asc, "ncols 1\nnrows 70000\n1 2\n", 0, "its size is 1 × 70000", 0, 0 },
        { read_asc, "ncols 2000\nnrows 2000\n1 2\n", 0, "1 to 1000000 are allowed", 0, 0 },
    };
    check(cases, sizeof cases / sizeof *cases);
}

static void graymaps(void **state) {
    (void)state;
    static const Case cases[] = {
        { read_pgm, "P5 2 2 255\n\0\1\2\3", 15, NULL, 0, 3 },
        { read_pgm, "P5\n# of the hills\n2 # wide\n2\n255\n\0\1\2\377", 38, NULL, 0, 255 },
        { read_pgm,
          "P5 # a comment that is longer than the line in which a scale is looked for, which has 80 bytes"
          "\n2 2 255\n\0\1\2\3",
          107, NULL, 0, 3 },
        { read_pgm, "P5 2 2 65535\n\0\0\0\0\0\0\377\377", 21, NULL, 0, 255 },
        { read_pgm, "P5 2 2 65535\n\0\0\0\0\0\0\377", 20, "truncated", 0, 0 },
        { read_pgm, "P6 2 2 255\n\0\1\2\3", 15, "not a binary PGM", 0, 0 },
        { read_pgm, "P", 0, "not a binary PGM", 0, 0 },
        { read_pgm, "P5 2 2 256\n\0\1\2\3", 15, "must be 255 or 65535, got 256", 0, 0 },
        { read_pgm, "P5 2 2", 0, "must be 255 or 65535, got -1", 0, 0 },
        { read_pgm, "P5 # no end", 0, "must be 255 or 65535, got -1", 0, 0 },
        { read_pgm, "P5 x 2 255\n", 0, "its size is -1 × 2", 0, 0 },
        { read_pgm, "P5 0 2 255\n", 0, "its size is 0 × 2", 0, 0 },
        { read_pgm, "P5 999999999999 2 255\n", 0, "must be 255 or 65535", 0, 0 },
        { read_pgm, "P5 2 99999999 255\n", 0, "its size is 2 × 99999999", 0, 0 },
    };
    check(cases, sizeof cases / sizeof *cases);
}

// numpy's version 1, with a header of 80 bytes.
#define NPY(header) "\x93NUMPY\1\0\120\0" header

static void numpy_arrays(void **state) {
    (void)state;
    static const Case cases[] = {
        { read_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }                    \n") "\1\2\3\4",
          94, NULL, 1, 4 },
        { read_npy,
          NPY("{'descr': '|i1', 'fortran_order': False, 'shape': (2, 2), }                    \n") "\1\2\3"
                                                                                                   "\377",
          94, NULL, 1, -1 },
        { read_npy,
          NPY("{'descr': '>u2', 'fortran_order': False, 'shape': (1, 2), }                    \n") "\1\0\0\4",
          94, NULL, 256, 4 },
        { read_npy,
          NPY("{'descr': '<i2', 'fortran_order': False, 'shape': (1, 2), }                    \n") "\377\377"
                                                                                                   "\0\200",
          94, NULL, -1, -32768 },
        { read_npy,
          NPY("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }                    \n") "\0\0\200"
                                                                                                   "\277\0\0"
                                                                                                   "\300\177",
          98, NULL, -1, 0 },
        { read_npy,
          NPY("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }                    \n") "\0\0\200"
                                                                                                   "\277\0\0"
                                                                                                   "\200\177",
          98, "no height", 0, 0 },
        { read_npy,
          NPY("{'descr': '>f8', 'fortran_order': False, 'shape': (1, 1), }                    \n") "\300\0\0"
                                                                                                   "\0\0\0\0"
                                                                                                   "\0",
          98, NULL, -2, -2 },
        { read_npy,
          NPY("{'descr': '|u1', 'fortran_order': True , 'shape': (2, 2), }                    \n") "\1\2\3\4",
          94, NULL, 1, 4 },
        { read_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }                    \n") "\1\2\3",
          93, "length is not that", 0, 0 },
        { read_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }                    \n") "\1\2\3\4"
                                                                                                   "\5",
          95, "length is not that", 0, 0 },
        { read_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (4,), }                      \n") "\1\2\3\4",
          94, "no array of two dimensions", 0, 0 },
        { read_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2, 1), }                 \n") "\1\2\3\4",
          94, "no array of two dimensions", 0, 0 },
        { read_npy,
          NPY("{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2), }                    \n") "\1\1\0\0",
          94, NULL, 1, 0 },
        { read_npy,
          NPY("{'descr': '|f1', 'fortran_order': False, 'shape': (2, 2), }                    \n") "\1\2\3\4",
          94, "no array of two dimensions", 0, 0 },
        { read_npy, // the largest, and the smallest that is not subnormal
          NPY("{'descr': '<f2', 'fortran_order': False, 'shape': (1, 2), }                    \n") "\377\173"
                                                                                                   "\0\204",
          94, NULL, 65504, -0x1p-14F },
        { read_npy, // half the latter
          NPY("{'descr': '>f2', 'fortran_order': False, 'shape': (1, 2), }                    \n") "\2\0"
                                                                                                   "\176\0",
          94, NULL, 0x1p-15F, 0 },
        { read_npy,
          NPY("{'descr': '<f2', 'fortran_order': False, 'shape': (1, 2), }                    \n") "\0\74"
                                                                                                   "\0\174",
          94, "no height", 0, 0 },
        { read_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (0, 2), }                    \n") "", 90,
          "its size is 2 × 0", 0, 0 },
        { read_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (2000, 2000), }              \n") "\1", 91,
          "1 to 1000000 are allowed", 0, 0 },
        { read_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (1e99, 2), }                 \n") "\1", 91,
          "pixels; sides of 1 to 65536 are allowed", 0, 0 },
        { read_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (65537, 1), }                \n") "\1", 91,
          "its size is 1 × 65537 pixels; sides of 1 to 65536 are allowed", 0, 0 },
        { read_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (nan, 2), }                  \n") "\1", 91,
          "no array of two dimensions", 0, 0 },
        { read_npy, NPY("{'descr'"), 18, "truncated", 0, 0 },
        { read_npy, "\x93NUMPY\2\0\377\377\377\377", 12, "header is too long", 0, 0 },
        { read_npy, "\x93NUMPY\7\0\1\0", 10, "version is not known", 0, 0 },
        { read_npy, "\x93NUMPY", 6, "not a numpy array", 0, 0 },
        { read_npy, "PNG", 3, "not a numpy array", 0, 0 },
    };
    check(cases, sizeof cases / sizeof *cases);
}

static void plain_numbers(void **state) {
    (void)state;
    static const Case cases[] = {
        { read_r16, "\0\0\0\0\0\0\377\377", 8, NULL, 0, 255 },
        { read_r16, "\0\0\0\0\0\0\377", 7, "truncated", 0, 0 },
        { read_r16, "\0\0\0\0\0\0\377\377\0", 9, "it has 9 bytes, which is not the size of 2 × 2 heights", 0,
          0 },
    };
    check(cases, sizeof cases / sizeof *cases);
    Field field;
    Error error;
    FILE *stream = fmemopen((void *)"\0\0\0\0\0\0\377\377", 8, "rb");
    for (int side = 0; side < 3; side++) {
        Reading reading = { .stream = stream,
                            .path = "file",
                            .width = side == 1 ? 2 : 0,
                            .height = side == 2 ? 2 : 0,
                            .field = &field };
        assert_int_equal(read_r16(&reading, &error), STATUS_INVALID);
        assert_non_null(strstr(error.text, "has 4 heights"));
        assert_non_null(strstr(error.text, "give width and height"));
    }
    Reading large = {
        .stream = stream, .path = "file", .width = 2, .height = 2, .max_pixels = 3, .field = &field
    };
    assert_int_equal(read_r16(&large, &error), STATUS_FILE);
    assert_non_null(strstr(error.text, "1 to 3 are allowed (argument max_pixels)"));
    fclose(stream);
}

// --- streams that are no files -----------------------------------------------------------------------------

static void a_pipe_has_no_size(void **state) {
    (void)state;
    int ends[2];
    Field field;
    Error error;
    assert_int_equal(pipe(ends), 0);
    FILE *stream = fdopen(ends[0], "rb");
    assert_int_equal(read_stream(read_r16, stream, &field, &error), STATUS_FILE);
    // A text to be passed over, in a stream that cannot go on.
    static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\4IHDR";
    assert_int_equal(write(ends[1], png, 16), 16);
    Labels labels;
    assert_int_equal(png_read_text(stream, "file", &labels, &error), STATUS_FILE);
    assert_non_null(strstr(error.text, "cannot read 'file'"));
    labels_free(&labels);
    fclose(stream);
    close(ends[1]);
}

// Says that there are eight bytes, and gives four.
typedef struct Shrinking {
    bool given;
    off64_t at;
} Shrinking;

static ssize_t give_less(void *cookie, char *bytes, size_t size) {
    Shrinking *file = cookie;
    if (file->given || size < 4)
        return 0;
    file->given = true;
    memset(bytes, 0, 4);
    return 4;
}

static int claim_eight(void *cookie, off64_t *offset, int whence) {
    Shrinking *file = cookie;
    file->at = whence == SEEK_END ? 8 : whence == SEEK_SET ? *offset : file->at;
    *offset = file->at;
    return 0;
}

static void a_file_that_shrinks_is_truncated(void **state) {
    (void)state;
    Shrinking file = { 0 };
    Field field;
    Error error;
    FILE *stream =
        fopencookie(&file, "rb", (cookie_io_functions_t){ .read = give_less, .seek = claim_eight });
    assert_int_equal(read_stream(read_r16, stream, &field, &error), STATUS_FILE);
    assert_non_null(strstr(error.text, "truncated"));
    field_free(&field);
    fclose(stream);
}

// --- load --------------------------------------------------------------------------------------------------

static Status load(const char *path, const char *param, double value, Error *error) {
    _Alignas(16) unsigned char params[1024];
    Output outputs[OUTPUTS_MAX];
    params_initialise(&op_load, params);
    if (param)
        assert_ok(param_set_number(operation_param(&op_load, param), params, value, error), *error);
    return run_operation(&op_load, (Call){ .inputs = { { .text = path } } }, params, outputs, error);
}

static void load_says_what_is_wrong(void **state) {
    (void)state;
    Error error;
    assert_int_equal(load("file", NULL, 0, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "must end in .png, .tif, .exr, .asc, .npy, .r16, .raw, .r32 or .pgm"));
    assert_int_equal(load("file.txt", NULL, 0, &error), STATUS_FILE);
    assert_int_equal(load("missing.png", "low", 5, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "high must be above low"));
    assert_int_equal(load("missing.png", NULL, 0, &error), STATUS_FILE);
}

// Each allocation of labels fails once.
static void labels_without_memory_are_an_error(void **state) {
    (void)state;
    static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\5tEXtkey\0v....\0\0\0\5tEXtkey\0w....";
    Status status = STATUS_MEMORY;
    long tries = 0;
    for (; status != STATUS_OK; tries++) {
        FILE *stream = fmemopen((void *)png, sizeof png - 1, "rb");
        Labels labels;
        Error error;
        const size_t before = memory_in_use();
        memory_fail_after(tries);
        status = png_read_text(stream, "file", &labels, &error);
        memory_fail_after(-1);
        if (status == STATUS_OK)
            assert_string_equal(label_value(&labels, "key"), "v");
        labels_free(&labels);
        assert_int_equal(memory_in_use(), before);
        fclose(stream);
    }
    assert_int_equal(tries, 7); // two for the list, four for two labels, none
}

// As read_pgm and read_r16 ask for a field and a row.
static void heights_without_memory_are_an_error(void **state) {
    (void)state;
    static Reader *const readers[] = { read_pgm, read_r16, read_asc };
    static const char *const texts[] = { "P5 2 2 255\n\0\1\2\3", "\0\0\0\0\0\0\377\377", GRID("1 2\n3 4\n") };
    static const size_t lengths[] = { 15, 8, sizeof GRID("1 2\n3 4\n") - 1 };
    for (int i = 0; i < 3; i++) {
        Status status = STATUS_MEMORY;
        for (long tries = 0; status != STATUS_OK; tries++) {
            FILE *stream = fmemopen((void *)texts[i], lengths[i], "rb");
            Field field;
            Error error;
            memory_fail_after(tries);
            status = read_stream(readers[i], stream, &field, &error);
            memory_fail_after(-1);
            assert_true(status == STATUS_OK || status == STATUS_MEMORY);
            field_free(&field);
            fclose(stream);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numpy_arrays),
        cmocka_unit_test(text_grids),
        cmocka_unit_test(graymaps),
        cmocka_unit_test(plain_numbers),
        cmocka_unit_test(a_pipe_has_no_size),
        cmocka_unit_test(a_file_that_shrinks_is_truncated),
        cmocka_unit_test(load_says_what_is_wrong),
        cmocka_unit_test(labels_without_memory_are_an_error),
        cmocka_unit_test(heights_without_memory_are_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
