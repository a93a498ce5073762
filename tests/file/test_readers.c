// Readers of heights as text and as plain numbers: what they take, and what each makes of a file that is not
// right.

#define _GNU_SOURCE // fopencookie
#include "support.h"

#include "core/gaps.h"
#include "core/image.h"
#include "exchange/format_list.h"
#include "file/formats.h"
#include "operations.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Case {
    const FileFormat *format;
    const char *text;
    size_t length;       // 0: of the text
    const char *problem; // NULL: it is read
    float first, last;   // heights then
    size_t gaps;         // cells without data
    const char *told;    // NULL: nothing
} Case;

static Status read_with(const FileFormat *format, FILE *stream, Field *field, Error *notice, Error *error) {
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
                        .image = &image,
                        .notice = notice };
    return format->read(&reading, error);
}

static Status read_stream(const FileFormat *format, FILE *stream, Field *field, Error *error) {
    return read_with(format, stream, field, NULL, error);
}

// The same from a file that has these bytes.
static Status read_bytes(const FileFormat *format, const char *bytes, size_t length, Field *field,
                         Error *notice, Error *error) {
    FILE *stream = length ? fmemopen((void *)bytes, length, "rb") : fopen("/dev/null", "rb");
    const Status status = read_with(format, stream, field, notice, error);
    fclose(stream);
    return status;
}

// `told` is a part of the notice, or NULL where there is none; `what` was read.
static void assert_told(const Error *notice, const char *told, const char *what) {
    if (told ? !strstr(notice->text, told) : notice->text[0] != '\0')
        fail_msg("%s: told '%s', not '%s'", what, notice->text, told ? told : "");
}

static void check(const Case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const size_t length = cases[i].length ? cases[i].length : strlen(cases[i].text);
        Field field;
        Error error = { "nothing" }, notice = { "" };
        const Status status = read_bytes(cases[i].format, cases[i].text, length, &field, &notice, &error);
        if (cases[i].problem) {
            if (status == STATUS_OK || !strstr(error.text, cases[i].problem))
                fail_msg("%zu: '%s', not '%s'", i, error.text, cases[i].problem);
        } else {
            if (status != STATUS_OK)
                fail_msg("%zu: %s", i, error.text);
            assert_near((double)field.cells[0], (double)cases[i].first, 1e-6);
            assert_near((double)field.cells[field_count(&field) - 1], (double)cases[i].last, 1e-6);
            const size_t gaps = field.gaps ? field.gaps->count : 0;
            if (gaps != cases[i].gaps)
                fail_msg("%zu: %zu gaps, not %zu", i, gaps, cases[i].gaps);
            assert_told(&notice, cases[i].told, cases[i].text);
        }
        field_free(&field);
    }
}

#define GRID(more) "ncols 2\nNROWS 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n" more

// A grid of 2 × 2 whose header says nothing of cells without data, and one with a number for them.
#define SIZES "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
#define MISSING(number, cells) SIZES "NODATA_value " number "\n" cells "\n"

static void text_grids(void **state) {
    (void)state;
    static const Case cases[] = {
        { &format_asc, GRID("1 2\n3 4\n"), 0, NULL, 1, 4 },
        { &format_asc, GRID("word 5\n1 2\n3 4\n"), 0, NULL, 1, 4, .told = "has 'word' in its header" },
        { &format_asc, "ncols 2\nnrows 2\nxllcenter 7\nyllcenter 0\ndx 1\ndy 1\n1 2\n3 4\n", 0, NULL, 1, 4 },
        { &format_asc, "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 7\ndx 1\ndy 2\n1 2\n3 4\n", 0, NULL, 1, 4 },
        { &format_asc, GRID("1 2\n3 4"), 0, NULL, 1, 4, .told = "its last height may be cut" },
        { &format_asc, GRID("1 2\n3 4,5\n"), 0, "'4,5' is not a height: numbers have a point, no comma", 0,
          0 },
        { &format_asc, GRID("1 2\n3"), 0, "truncated: it has 3 of 4 heights", 0, 0 },
        { &format_asc, GRID("1 2\n3 x\n"), 0, "'x' is not a height", 0, 0 },
        { &format_asc, GRID("1 2\n3 4m\n"), 0, "'4m' is not a height", 0, 0 },
        { &format_asc, GRID("1 2\n3 1e300\n"), 0, "is not a height", 0, 0 },
        { &format_asc, GRID("cellsize\n"), 0, "a second cellsize", 0, 0 },
        { &format_asc, "ncols 2\nnrows 2\ncellsize\n", 0, "cellsize has no number", 0, 0 },
        { &format_asc, "ncols 2\nnrows 2\ncellsize 0\n1 2\n3 4\n", 0, "cellsize must be above 0, got 0", 0,
          0 },
        { &format_asc, "ncols 2\ncellsize inf\n1 2\n3 4\n", 0, "cellsize must be above 0, got inf", 0, 0 },
        { &format_asc, "ncols 2\ncellsize 0,5\n", 0, "cellsize has no number, got 0,5: numbers have a point",
          0, 0 },
        { &format_asc, GRID("dy -1\n1 2\n3 4\n"), 0, "dy must be above 0, got -1", 0, 0 },
        { &format_asc, "xllcorner nan\n1 2\n3 4\n", 0, "xllcorner must be finite, got nan", 0, 0 },
        { &format_asc, GRID("ncols 2\n1 2\n3 4\n"), 0, "its header has a second ncols", 0, 0 },
        { &format_asc, GRID("xllcenter 2\n1 2\n3 4\n"), 0,
          "has xllcorner and xllcenter, which exclude each other", 0, 0 },
        { &format_asc, GRID("1 2\n3 4\n5\n"), 0, "it has more than 2 × 2 heights", 0, 0 },
        { &format_asc, GRID("1 2\n3 4 \n \n"), 0, NULL, 1, 4 },
        { &format_asc, GRID("1,5 2,5\n"), 0, "'1,5' is not a height: numbers have a point", 0, 0 },
        { &format_asc, GRID("word word\n"), 0, "word has no number", 0, 0 },
        { &format_asc, GRID(""), 0, "truncated", 0, 0 },
        { &format_asc, "", 0, "its header has no ncols", 0, 0 },
        { &format_asc, "1 2\n3 4\n", 0, "its header has no ncols", 0, 0 },
        { &format_asc, "ncols 2\n1 2\n", 0, "its header has no nrows", 0, 0 },
        { &format_asc, "ncols 2.5\nnrows 2\n1 2\n", 0, "ncols must be a whole number, 1 to 65536, got 2.5", 0,
          0 },
        { &format_asc, "ncols 2\nnrows 2.5\n1 2\n", 0, "nrows must be a whole number, 1 to 65536, got 2.5", 0,
          0 },
        { &format_asc, "ncols 2\nnrows -1\n1 2\n", 0, "its size is 2 × -1", 0, 0 },
        { &format_asc, "ncols nan\nnrows 1\n1 2\n", 0, "ncols must be a whole number, 1 to 65536, got nan", 0,
          0 },
        { &format_asc, "ncols 70000\nnrows 1\n1 2\n", 0, "its size is 70000 × 1", 0, 0 },
        { &format_asc, "ncols 1\nnrows 70000\n1 2\n", 0, "its size is 1 × 70000", 0, 0 },
        { &format_asc, "ncols 2000\nnrows 2000\n1 2\n", 0, "1 to 1000000 are allowed", 0, 0 },
    };
    check(cases, sizeof cases / sizeof *cases);
}

// Which number stands for no data, in which spelling, and where the file does not say.
static void text_grids_have_gaps(void **state) {
    (void)state;
    static const Case cases[] = {
        { &format_asc, MISSING("-9999", "1 2\n3 -9999"), 0, NULL, 1, 0, .gaps = 1 },
        { &format_asc, MISSING("0", "0 0\n0 0"), 0, NULL, 0, 0, .gaps = 4 },
        { &format_asc, MISSING("-9999.0000001", "1 -9999\n-9999.00 4"), 0, NULL, 1, 4, .gaps = 2 },
        { &format_asc, MISSING("-9999", "1 -9999.0000001\n-9.999e3 4"), 0, NULL, 1, 4, .gaps = 2 },
        { &format_asc, MISSING("-9999", "-9998.998 -9999.001\n-9999 4"), 0, NULL, -9998.998F, 4, .gaps = 1 },
        { &format_asc, MISSING("0.1", "1 0.100000001\n3 4"), 0, NULL, 1, 4, .gaps = 1 },
        { &format_asc, MISSING("-3.4e+38", "1 -3.3999999521443642e+38\n3 4"), 0, NULL, 1, 4, .gaps = 1 },
        { &format_asc, MISSING("-3.4028234663852886e+38", "-3.402823e+38 -3.4028e+38\n-3.4e38 4"), 0, NULL, 0,
          4, .gaps = 3 },
        { &format_asc,
          MISSING("-3.40282e+38", "-3.4028234663852886e+38 -340282346638528859811704183484516925440\n3 4"), 0,
          NULL, 0, 4, .gaps = 2 },
        { &format_asc, MISSING("-3.40282347e+38", "-3.403e+38 1\n-3.4028235e38 4"), 0, NULL, 0, 4,
          .gaps = 2 },
        { &format_asc, MISSING("-1.797693134862315708e+308", "-1.797693e+308 1\n3 4"), 0, NULL, 0, 4,
          .gaps = 1 },
        { &format_asc, MISSING("1.70141e38", "1.70141e+038 1.701411835e38\n3 4"), 0, NULL, 0, 4, .gaps = 2 },
        { &format_asc, MISSING("3.4e38", "-3.4e38 2\n3 4"), 0, NULL, -3.4e38F, 4 },
        { &format_asc, MISSING("nan", "nan NaN\nNAN 4"), 0, NULL, 0, 4, .gaps = 3 },
        { &format_asc, MISSING("-9999", "1 NaN\n-nan(ind) -9999"), 0, NULL, 1, 0, .gaps = 3 },
        { &format_asc, MISSING("-9999", "1.#QNAN -1.#IND\n1.#INF00 4"), 0, NULL, 0, 4, .gaps = 3 },
        { &format_asc, MISSING("1.#QNAN", "1.#QNAN -1.#J\nnan(0x8000) 4"), 0, NULL, 0, 4, .gaps = 3 },
        { &format_asc, MISSING("-9999", "inf -Infinity\n+inf 4"), 0, NULL, 0, 4, .gaps = 3 },
        { &format_asc, MISSING("null", "null NULL\nNA *"), 0, NULL, 0, 0, .gaps = 4 },
        { &format_asc, MISSING("*", "* 2\n3 4"), 0, NULL, 0, 4, .gaps = 1 },
        { &format_asc, MISSING("none", "none None\n3 4"), 0, NULL, 0, 4, .gaps = 2 },
        { &format_asc, MISSING("***", "*** 2\n3 4"), 0, NULL, 0, 4, .gaps = 1 },
        { &format_asc, MISSING("none", "1 nothing\n3 4"), 0, "'nothing' is not a height", 0, 0 },
        { &format_asc, MISSING("cellsize", "1 2\n3 4"), 0, "NODATA_value has no number, got cellsize", 0, 0 },
        { &format_asc, MISSING("-9999,0", "1 2\n3 4"), 0, "numbers have a point, no comma", 0, 0 },
        { &format_asc, MISSING("-9999", "1 ******\n3 4"), 0, "'******' is not a height: Fortran writes stars",
          0, 0 },
        { &format_asc, MISSING("-9999", "1 1.#TWO\n3 4"), 0, "'1.#TWO' is not a height", 0, 0 },
        { &format_asc, SIZES "1 -9999\n3 -9999.0\n", 0, NULL, 1, 0, .gaps = 2,
          .told = "has no NODATA_value: cells of -9999 have no data (2)" },
        { &format_asc, SIZES "1 nan\n3 4\n", 0, NULL, 1, 4, .gaps = 1 },
        { &format_asc, MISSING("-32768", "1 -9999\n-32768 4"), 0, NULL, 1, 4, .gaps = 1 },
    };
    check(cases, sizeof cases / sizeof *cases);
}

#define GRASS(more) "north: 30\nsouth: 20\neast: 25\nwest: 10\nrows: 2\ncols: 2\n" more

static void text_grids_of_other_programs(void **state) {
    (void)state;
    static const Case cases[] = {
        { &format_asc, "\xef\xbb\xbfncols 2\nnrows 2\n1 2\n3 4\n", 0, NULL, 1, 4 },
        { &format_asc, "\xff\xfen\0c\0o\0l\0s\0 \0", 12, "it is UTF-16", 0, 0 },
        { &format_asc, "NCOLS 2\r\nNROWS 2\r\n1 2\r\n3 4\r\n", 0, NULL, 1, 4 },
        { &format_asc, "cellsize 2\rnrows 2\rncols 2\r1 2\r3 4\r", 0, NULL, 1, 4 },
        { &format_asc, "ncols = 2\nnrows: 2\ncellsize : 3\n1 2 3 4\n", 0, NULL, 1, 4 },
        { &format_asc, "ncols 2\nnrows 2\n1.0D+03 -2d-1\n+.5 1.25+003\n", 0, NULL, 1000, 1250 },
        { &format_asc, "ncols 2.\nnrows 2.D0\n1.5E3 4.\n3 -1.5-101\n", 0, NULL, 1500, 0 },
        { &format_asc, "ncols 2\nnrows 2\n1 12.5-13.4\n3 4\n", 0, "'12.5-13.4' is not a height", 0, 0 },
        { &format_asc, "ncols 2\nnrows 2\n1 12.5D\n3 4\n", 0, "'12.5D' is not a height", 0, 0 },
        { &format_asc, "ncols 2\nnrows 2\n1 3*0.0\n", 0, "'3*0.0' is not a height", 0, 0 },
        { &format_asc,
          "ncols 2\nnrows 1\n5 1.000000000000000000000000000000000000000000000000000000000000000000000000\n",
          0, "is not a height", 0, 0 },
        { &format_asc, "DSAA\n2 2\n0 1\n0 1\n1 4\n1 2\n3 4\n", 0,
          "its header has no ncols; 'DSAA' is not known", 0, 0 },
        { &format_asc, "columns 2\nnrows 2\n1 2\n3 4\n", 0, "its header has no ncols; 'columns' is not known",
          0, 0 },
        { &format_asc, GRASS("1 2\n3 4\n"), 0, NULL, 1, 4 },
        { &format_asc, GRASS("null: -9\ntype: float\nmultiplier: 0.5\n1 -9\n3 4\n"), 0, NULL, 0.5F, 2,
          .gaps = 1 },
        { &format_asc, GRASS("1 *\n3 -9999\n"), 0, NULL, 1, -9999, .gaps = 1 },
        { &format_asc, "rows: 2\ncols: 2\nnorth: 1\n1 2\n3 4\n", 0, "its header has no south", 0, 0 },
        { &format_asc, "rows: 2\ncols: 2\nnorth: 1\nsouth: 1\neast: 2\nwest: 1\n", 0,
          "north must be above south", 0, 0 },
        { &format_asc, "rows: 2\ncols: 2\nnorth: 2\nsouth: 1\neast: 1\nwest: 1\n", 0,
          "east must be above west", 0, 0 },
        { &format_asc, "rows: 2\ncols: 2\nnorth: 2X\n", 0, "north: has no number, got 2X", 0, 0 },
        { &format_asc,
          "2 ncols\n2 nrows\n10.0 xlower\n20.0 ylower\n5 cellsize\n-9999 nodata_value\n1 -9999\n3 4\n", 0,
          NULL, 1, 4, .gaps = 1 },
        { &format_asc, "1 mx\n2 my\n-9999\n7\n", 0, NULL, 0, 7, .gaps = 1, .told = "no NODATA_value" },
        { &format_asc, "2 ncols\n2 rowz\n1 2\n3 4\n", 0, "its header has no nrows; 'rowz' is not known", 0,
          0 },
    };
    check(cases, sizeof cases / sizeof *cases);
}

// Where the first cell's corner lies, and the sides of a cell.
static void text_grids_lie_somewhere(void **state) {
    (void)state;
    static const struct {
        const char *header;
        double x, y, width, height;
    } grids[] = {
        { "ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 5\n", 10, 30, 5, 5 },
        { "ncols 3\nnrows 2\nxllcenter 10\nyllcorner 20\ncellsize 5\n", 7.5, 30, 5, 5 },
        { "ncols 3\nnrows 2\nxllcorner 10\nyllcenter 20\ndx 5\ndy 4\n", 10, 26, 5, 4 },
        { "3 ncols\n2 nrows\n10.0 xlower\n20.0 ylower\n5 cellsize\n", 7.5, 27.5, 5, 5 },
        { "3 ncols\n2 nrows\n10.0 xllcorner\n20.0 yllcorner\n5 cellsize\n", 10, 30, 5, 5 },
        { "north: 30\nsouth: 20\neast: 25\nwest: 10\nrows: 2\ncols: 3\n", 10, 30, 5, 5 },
        { "north: 49:30:36N\nsouth: 49N\neast: 0:30E\nwest: 1:00W\nrows: 2\ncols: 3\n", -1, 49.51, 0.5,
          0.255 },
    };
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        char text[300];
        const int length = snprintf(text, sizeof text, "%s1 2 3\n4 5 6\n", grids[i].header);
        Field field;
        Error error;
        assert_ok(read_bytes(&format_asc, text, (size_t)length, &field, NULL, &error), error);
        assert_near(field.frame.x, grids[i].x, 1e-12);
        assert_near(field.frame.y, grids[i].y, 1e-12);
        assert_near(field.frame.right_x, grids[i].width, 1e-12);
        assert_near(-field.frame.down_y, grids[i].height, 1e-12);
        field_free(&field);
    }
}

static void graymaps(void **state) {
    (void)state;
    static const Case cases[] = {
        { &format_pgm, "P5 2 2 255\n\0\1\2\3", 15, NULL, 0, 3 },
        { &format_pgm, "P5\n# of the hills\n2 # wide\n2\n255\n\0\1\2\377", 37, NULL, 0, 255 },
        { &format_pgm,
          "P5 # a comment that is longer than the line in which a scale is looked for, which has 80 bytes"
          "\n2 2 255\n\0\1\2\3",
          107, NULL, 0, 3 },
        { &format_pgm, "P5 2 2 65535\n\0\0\0\0\0\0\377\377", 21, NULL, 0, 255 },
        { &format_pgm, "P5 2 2 65535\n\0\0\0\0\0\0\377", 20, "truncated: it has 1 of 2 rows", 0, 0 },
        { &format_pgm, "P6 2 2 255\n\0\1\2\3", 15, "no graymap (P2 or P5)", 0, 0 },
        { &format_pgm, "P", 0, "no graymap", 0, 0 },
        { &format_pgm, "P5 2 2 254\n\0\1\2\376", 15, NULL, 0, 255 },
        { &format_pgm, "P5 2 1 1\n\0\1", 11, NULL, 0, 255 },
        { &format_pgm, "P5 2 1 256\n\0\0\1\0", 15, NULL, 0, 255 },
        { &format_pgm, "P5 2 1 510\n\0\2\1\376", 15, NULL, 1, 255 },
        { &format_pgm, "P5 2 2 3\n\0\1\2\4", 13, "4 is above its largest value, 3", 0, 0 },
        { &format_pgm, "P5 2 1 256\n\0\0\1\1", 15, "257 is above its largest value, 256", 0, 0 },
        { &format_pgm, "P5 2 2 0\n\0\0\0\0", 13, "must be 1 to 65535, got 0", 0, 0 },
        { &format_pgm, "P5 2 2 65536\n\0\0\0\0", 17, "must be 1 to 65535, got 65536", 0, 0 },
        { &format_pgm, "P5\r2\t2#wide\r\n25#mid\n5\n\0\1\2\377", 26, NULL, 0, 255 },
        { &format_pgm, "P5 2 2 255\n\0\1\2\3P5 2 2 255\n\0\1\2\3", 30, NULL, 0, 3,
          .told = "has more than its first picture" },
        { &format_pgm, "P2\n2 2\n255\n0 1\n2 255\n", 0, NULL, 0, 255 },
        { &format_pgm, "P2 # plain\n2 2 510\n2 1\n\n2 510", 0, NULL, 1, 255 },
        { &format_pgm, "P2 2 2 15\n0 1 2 15 # end\n", 0, NULL, 0, 255 },
        { &format_pgm, "P2 2 2 15\n0 1 2\n", 0, "it is truncated: it has 1 of 2 rows", 0, 0 },
        { &format_pgm, "P2 2 2 15\n0 1 2 16\n", 0, "16 is above its largest value, 15", 0, 0 },
        { &format_pgm, "P2 2 2 15\n0 1 -2 1\n", 0, "number 1 of row 2 is not a whole number from 0 to 15", 0,
          0 },
        { &format_pgm, "P2 2 2 15\n0 1 2.5 1\n", 0, "number 1 of row 2 is not a whole number from 0 to 15", 0,
          0 },
        { &format_pgm, "P2 2 2 15\n0 1 2 3\n4\n", 0, NULL, 0, 51, .told = "has more than its first picture" },
        { &format_pgm, "P5 2 2", 0, "must be 1 to 65535, got -1", 0, 0 },
        { &format_pgm, "P5 # no end", 0, "must be 1 to 65535, got -1", 0, 0 },
        { &format_pgm, "P2 2 2 15\n0 1 2 -3\n", 0, "number 2 of row 2 is not a whole number from 0 to 15", 0,
          0 },
        { &format_pgm, "P5 x 2 255\n", 0, "its size is -1 × 2", 0, 0 },
        { &format_pgm, "P5 0 2 255\n", 0, "its size is 0 × 2", 0, 0 },
        { &format_pgm, "P5 999999999999 2 255\n", 0, "its size is -1 × 99", 0, 0 },
        { &format_pgm, "P5 2 99999999 255\n", 0, "its size is 2 × 99999999", 0, 0 },
    };
    check(cases, sizeof cases / sizeof *cases);
}

// numpy's version 1, with a header of 80 bytes.
#define NPY(header) "\x93NUMPY\1\0\120\0" header

static void numpy_arrays(void **state) {
    (void)state;
    static const Case cases[] = {
        { &format_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }                    \n") "\1\2\3\4",
          94, NULL, 1, 4 },
        { &format_npy,
          NPY("{'descr': '|i1', 'fortran_order': False, 'shape': (2, 2), }                    \n") "\1\2\3"
                                                                                                   "\377",
          94, NULL, 1, -1 },
        { &format_npy,
          NPY("{'descr': '>u2', 'fortran_order': False, 'shape': (1, 2), }                    \n") "\1\0\0\4",
          94, NULL, 256, 4 },
        { &format_npy,
          NPY("{'descr': '<i2', 'fortran_order': False, 'shape': (1, 2), }                    \n") "\377\377"
                                                                                                   "\0\200",
          94, NULL, -1, -32768 },
        { &format_npy,
          NPY("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }                    \n") "\0\0\200"
                                                                                                   "\277\0\0"
                                                                                                   "\300\177",
          98, NULL, -1, 0, .gaps = 1 },
        { &format_npy,
          NPY("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }                    \n") "\0\0\200"
                                                                                                   "\277\0\0"
                                                                                                   "\200\177",
          98, NULL, -1, 0, .gaps = 1 },
        { &format_npy,
          NPY("{'descr': '>f8', 'fortran_order': False, 'shape': (1, 1), }                    \n") "\300\0\0"
                                                                                                   "\0\0\0\0"
                                                                                                   "\0",
          98, NULL, -2, -2 },
        { &format_npy,
          NPY("{'descr': '|u1', 'fortran_order': True , 'shape': (2, 2), }                    \n") "\1\2\3\4",
          94, NULL, 1, 4 },
        { &format_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }                    \n") "\1\2\3",
          93, "it is truncated: 3 bytes, where 2 × 2 numbers take 4", 0, 0 },
        { &format_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }                    \n") "\1\2\3\4"
                                                                                                   "\5",
          95, "it is too long: 5 bytes, where 2 × 2 numbers take 4", 0, 0 },
        { &format_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (4,), }                      \n") "\1\2\3\4",
          94, "are read", 0, 0 },
        { &format_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2, 1), }                 \n") "\1\2\3\4",
          94, NULL, 1, 4 },
        { &format_npy,
          NPY("{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2), }                    \n") "\1\1\0\0",
          94, NULL, 1, 0 },
        { &format_npy,
          NPY("{'descr': '|f1', 'fortran_order': False, 'shape': (2, 2), }                    \n") "\1\2\3\4",
          94, "are read", 0, 0 },
        { &format_npy, // the largest, and the smallest that is not subnormal
          NPY("{'descr': '<f2', 'fortran_order': False, 'shape': (1, 2), }                    \n") "\377\173"
                                                                                                   "\0\204",
          94, NULL, 65504, -0x1p-14F },
        { &format_npy, // half the latter
          NPY("{'descr': '>f2', 'fortran_order': False, 'shape': (1, 2), }                    \n") "\2\0"
                                                                                                   "\176\0",
          94, NULL, 0x1p-15F, 0, .gaps = 1 },
        { &format_npy,
          NPY("{'descr': '<f2', 'fortran_order': False, 'shape': (1, 2), }                    \n") "\0\74"
                                                                                                   "\0\174",
          94, NULL, 1, 0, .gaps = 1 },
        { &format_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (0, 2), }                    \n") "", 90,
          "its size is 2 × 0", 0, 0 },
        { &format_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (2000, 2000), }              \n") "\1", 91,
          "1 to 1000000 are allowed", 0, 0 },
        { &format_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (1e99, 2), }                 \n") "\1", 91,
          "pixels; sides of 1 to 65536 are allowed", 0, 0 },
        { &format_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (65537, 1), }                \n") "\1", 91,
          "its size is 1 × 65537 pixels; sides of 1 to 65536 are allowed", 0, 0 },
        { &format_npy,
          NPY("{'descr': '|u1', 'fortran_order': False, 'shape': (nan, 2), }                  \n") "\1", 91,
          "are read", 0, 0 },
        { &format_npy, NPY("{'descr'"), 18, "truncated", 0, 0 },
        { &format_npy, "\x93NUMPY\2\0\377\377\377\377", 12, "truncated", 0, 0 },
        { &format_npy, "\x93NUMPY\7\0\1\0", 10, "version is not known", 0, 0 },
        { &format_npy, "\x93NUMPY", 6, "not a numpy array", 0, 0 },
        { &format_npy, "PNG", 3, "not a numpy array", 0, 0 },
    };
    check(cases, sizeof cases / sizeof *cases);
}

// Headers as the specification of the format (NEP 1, numpy.lib.format) allows, and some that it does not: the
// numbers are bytes of 1, 2, 3 … as many as are needed.
typedef struct HeaderCase {
    int version, spaces;
    const char *header;
    int bytes;
    const char *problem;
    float first, last;
    int width, height;
} HeaderCase;

static void numpy_headers(void **state) {
    (void)state;
#define BYTES "'descr': '|u1', 'fortran_order': False, "
    static const HeaderCase cases[] = {
        { 1, 0, "{" BYTES "'shape': (2, 3), }\n", 6, NULL, 1, 6, 3, 2 },
        { 2, 0, "{" BYTES "'shape': (2, 3), }\n", 6, NULL, 1, 6, 3, 2 },
        { 3, 0, "{" BYTES "'shape': (2, 3), }\n", 6, NULL, 1, 6, 3, 2 },
        { 4, 0, "{" BYTES "'shape': (2, 3), }\n", 6, "version is not known", 0, 0, 0, 0 },
        { 257, 0, "{" BYTES "'shape': (2, 3), }\n", 6, "version is not known", 0, 0, 0, 0 }, // 1.1
        { 1, 60000, "{" BYTES "'shape': (2, 3), }", 6, NULL, 1, 6, 3, 2 },
        { 2, 100000, "{" BYTES "'shape': (2, 3), }", 6, NULL, 1, 6, 3, 2 },
        { 1, 0, "{\"descr\": \"|u1\", \"fortran_order\": False, \"shape\": (2, 3)}", 6, NULL, 1, 6, 3, 2 },
        { 1, 0, "  { 'shape' :( 2,3 , ) ,'fortran_order':False ,\n\t'descr':'|u1' } \n", 6, NULL, 1, 6, 3,
          2 },
        { 1, 0, "{" BYTES "'shape': (2L, 3L)}", 6, NULL, 1, 6, 3, 2 },
        { 1, 0, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3)}", 6, NULL, 1, 6, 3, 2 },
        // sides of 1
        { 1, 0, "{" BYTES "'shape': (1, 2, 3)}", 6, NULL, 1, 6, 3, 2 },
        { 1, 0, "{" BYTES "'shape': (2, 3, 1)}", 6, NULL, 1, 6, 3, 2 },
        { 1, 0, "{" BYTES "'shape': (1, 1, 2, 3)}", 6, NULL, 1, 6, 3, 2 },
        { 1, 0, "{" BYTES "'shape': (2, 1, 3)}", 6, NULL, 1, 6, 3, 2 },
        { 1, 0, "{" BYTES "'shape': (1, 6, 1)}", 6, NULL, 1, 6, 1, 6 },
        { 1, 0, "{" BYTES "'shape': (1, 1, 6)}", 6, NULL, 1, 6, 6, 1 },
        { 1, 0, "{" BYTES "'shape': (1, 1)}", 1, NULL, 1, 1, 1, 1 },
        { 1, 0, "{" BYTES "'shape': (1, 1, 1)}", 1, NULL, 1, 1, 1, 1 },
        { 1, 0, "{" BYTES "'shape': (1, 6)}", 6, NULL, 1, 6, 6, 1 },
        { 1, 0, "{" BYTES "'shape': (6,)}", 6, "its shape is (6,); arrays of two dimensions are read", 0, 0,
          0, 0 },
        { 1, 0, "{" BYTES "'shape': ()}", 1, "its shape is (); arrays", 0, 0, 0, 0 },
        { 1, 0, "{" BYTES "'shape': (2, 3, 2)}", 12, "its shape is (2, 3, 2); arrays", 0, 0, 0, 0 },
        { 1, 0, "{" BYTES "'shape': (2.5, 3)}", 12, "its shape is (2.5, 3)", 0, 0, 0, 0 },
        { 1, 0, "{" BYTES "'shape': (-2, 3)}", 12, "its shape is (-2, 3)", 0, 0, 0, 0 },
        { 1, 0, "{" BYTES "'shape': [2, 3]}", 12, "its shape is [2, 3]", 0, 0, 0, 0 },
        { 1, 0, "{" BYTES "'shape': (2 3)}", 12, "its shape is (2 3)", 0, 0, 0, 0 },
        { 1, 0, "{" BYTES "'shape': (0, 3)}", 0, "its size is 3 × 0", 0, 0, 0, 0 },
        { 1, 0, "{" BYTES "'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2)}",
          2, "its shape is (1,1,1,", 0, 0, 0, 0 },
        // types
        { 1, 0, "{'descr': '|b1', 'fortran_order': False, 'shape': (1, 2)}", 2, NULL, 1, 2, 2, 1 },
        { 1, 0, "{'descr': '<u2', 'fortran_order': False, 'shape': (1, 2)}", 4, NULL, 513, 1027, 2, 1 },
        { 1, 0, "{'descr': '>i2', 'fortran_order': False, 'shape': (1, 2)}", 4, NULL, 258, 772, 2, 1 },
        { 1, 0, "{'descr': '=i2', 'fortran_order': False, 'shape': (1, 2)}", 4, NULL, 513, 1027, 2, 1 },
        { 1, 0, "{'descr': '>u4', 'fortran_order': False, 'shape': (1, 1)}", 4, NULL, 16909060, 16909060, 1,
          1 },
        { 1, 0, "{'descr': '<i4', 'fortran_order': False, 'shape': (1, 1)}", 4, NULL, 67305984, 67305984, 1,
          1 },
        { 1, 0, "{'descr': '>u8', 'fortran_order': False, 'shape': (1, 1)}", 8, NULL, 0x1.02030405060708p+56F,
          0x1.02030405060708p+56F, 1, 1 },
        { 1, 0, "{'descr': '<i8', 'fortran_order': False, 'shape': (1, 1)}", 8, NULL, 0x8.07060504030201p+56F,
          0x8.07060504030201p+56F, 1, 1 },
        { 1, 0, "{'descr': '<f2', 'fortran_order': False, 'shape': (1, 1)}", 2, NULL, 513 * 0x1p-24F,
          513 * 0x1p-24F, 1, 1 },
        { 1, 0, "{'descr': '>f4', 'fortran_order': False, 'shape': (1, 1)}", 4, NULL, 0x1.040608p-125F,
          0x1.040608p-125F, 1, 1 },
        { 1, 0, "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1)}", 8, NULL, 0, 0, 1, 1 },
        { 1, 0, "{'descr': '<f16', 'fortran_order': False, 'shape': (1, 1)}", 16, "its descr is '<f16'; ", 0,
          0, 0, 0 },
        { 1, 0, "{'descr': '|f1', 'fortran_order': False, 'shape': (1, 1)}", 1, "its descr is '|f1'; ", 0, 0,
          0, 0 },
        { 1, 0, "{'descr': '<i3', 'fortran_order': False, 'shape': (1, 1)}", 3, "its descr is '<i3'; ", 0, 0,
          0, 0 },
        { 1, 0, "{'descr': '|b2', 'fortran_order': False, 'shape': (1, 1)}", 2, "its descr is '|b2'; ", 0, 0,
          0, 0 },
        { 1, 0, "{'descr': '<c8', 'fortran_order': False, 'shape': (1, 1)}", 8, "its descr is '<c8'; ", 0, 0,
          0, 0 },
        { 1, 0, "{'descr': '|S4', 'fortran_order': False, 'shape': (1, 1)}", 4, "its descr is '|S4'; ", 0, 0,
          0, 0 },
        { 1, 0, "{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (1, 1)}", 8,
          "its descr is '<M8[ns]'; ", 0, 0, 0, 0 },
        { 1, 0, "{'descr': '|O', 'fortran_order': False, 'shape': (1, 1)}", 8, "its descr is '|O'; ", 0, 0, 0,
          0 },
        { 1, 0, "{'descr': [('z', '<f4')], 'fortran_order': False, 'shape': (1, 1)}", 4,
          "its descr is [('z', '<f4')]; truth values", 0, 0, 0, 0 },
        { 1, 0, "{'descr': u1, 'fortran_order': False, 'shape': (1, 1)}", 1, "its descr is u1; ", 0, 0, 0,
          0 },
        // what is no header
        { 1, 0, "{'descr': '|u1', 'fortran_order': 1, 'shape': (1, 1)}", 1, "its fortran_order is 1; True", 0,
          0, 0, 0 },
        { 1, 0, "{'descr': '|u1', 'fortran_order': False}", 1, "not that of an array", 0, 0, 0, 0 },
        { 1, 0, "{" BYTES "'shape': (1, 1), 'shape': (1, 1)}", 1, "not that of an array", 0, 0, 0, 0 },
        { 1, 0, "{" BYTES "'shape': (1, 1), 'more': 1}", 1, "not that of an array", 0, 0, 0, 0 },
        { 1, 0, "{" BYTES "'shape': (1, 1)", 1, "not that of an array", 0, 0, 0, 0 },
        { 1, 0, "{'descr': '|u1", 1, "not a dictionary", 0, 0, 0, 0 },
        { 1, 0, "{'descr'", 1, "not a dictionary", 0, 0, 0, 0 },
        { 1, 5000, "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1)    ,}", 1, NULL, 1, 1, 1, 1 },
        { 1, 0, "words", 1, "not a dictionary", 0, 0, 0, 0 },
        { 1, 0, "", 1, "not that of an array", 0, 0, 0, 0 },
    };
#undef BYTES
    static char file[110000];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const HeaderCase *each = &cases[i];
        const int length = (int)strlen(each->header) + each->spaces,
                  wide = (each->version & 255) == 1 ? 2 : 4;
        int at = 8;
        memcpy(file, "\x93NUMPY", 6); // NOLINT(bugprone-not-null-terminated-result): bytes
        file[6] = (char)(each->version & 255);
        file[7] = (char)(each->version >> 8);
        for (int k = 0; k < wide; k++)
            file[at++] = (char)(length >> 8 * k);
        at += snprintf(file + at, sizeof file - (size_t)at, "%s%*s", each->header, each->spaces, "");
        for (int k = 1; k <= each->bytes; k++)
            file[at++] = (char)k;
        Field field;
        Error error = { "nothing" };
        const Status status = read_bytes(&format_npy, file, (size_t)at, &field, NULL, &error);
        if (each->problem ? status == STATUS_OK || !strstr(error.text, each->problem) : status != STATUS_OK)
            fail_msg("%s: '%s', not '%s'", each->header, status == STATUS_OK ? "read" : error.text,
                     each->problem);
        if (!each->problem &&
            (field.width != each->width || field.height != each->height || field.cells[0] != each->first ||
             field.cells[field_count(&field) - 1] != each->last))
            fail_msg("%s: %d × %d, %.9g to %.9g", each->header, field.width, field.height,
                     (double)field.cells[0], (double)field.cells[field_count(&field) - 1]);
        field_free(&field);
    }
}

static void plain_numbers(void **state) {
    (void)state;
    static const Case cases[] = {
        { &format_r16, "\0\0\0\0\0\0\377\377", 8, NULL, 0, 255 },
        { &format_r16, "\0\0\0\0\0\0\377", 7, "truncated: it has 7 of the 8 bytes of 2 × 2 heights", 0, 0 },
        { &format_r16, "\0\0\0\0\0\0\377\377\0", 9, "it has 9 bytes, which is not the size of 2 × 2 heights",
          0, 0 },
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
        assert_int_equal(format_r16.read(&reading, &error), STATUS_INVALID);
        assert_non_null(strstr(error.text, "has 4 heights"));
        assert_non_null(strstr(error.text, "as in { width = 2, height = 2 }"));
    }
    Reading large = {
        .stream = stream, .path = "file", .width = 2, .height = 2, .max_pixels = 3, .field = &field
    };
    assert_int_equal(format_r16.read(&large, &error), STATUS_FILE);
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
    assert_int_equal(read_stream(&format_r16, stream, &field, &error), STATUS_FILE);
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
    assert_int_equal(read_stream(&format_r16, stream, &field, &error), STATUS_FILE);
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
    assert_non_null(strstr(error.text, "must end in .png, .tif, .tiff, "));
    assert_int_equal(load("file.txt", NULL, 0, &error), STATUS_FILE);
    assert_int_equal(load("missing.png", "low", 5, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "high must be above low"));
    assert_int_equal(load("missing.png", NULL, 0, &error), STATUS_FILE);
}

static void no_parameter_counts_for_nothing(void **state) {
    (void)state;
    static const struct {
        const char *path, *param, *problem;
    } cases[] = {
        { "missing.npy", "band", "'missing.npy' takes no band, which is for .png, .tif, .tiff" },
        { "missing.exr", "band", "takes no band" },
        { "missing.pgm", "band", "takes no band" },
        { "missing.png", "width", "takes no width, which is for .r16, .raw, .r32" },
        { "missing.asc", "height", "takes no height" },
        { "missing.npy", "order", "'missing.npy' takes no order, which is for .r16, .raw, .r32" },
        { "missing.tif", "flip", "takes no flip" },
        { "missing.hgt", "flip", "takes no flip" },
        { "missing.npy", "high", "'missing.npy' takes no high, which is for .png, .r16, .raw, .pgm" },
        { "missing.asc", "high", "takes no high" },
        { "missing.r32", "high", "takes no high" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Error error = { "" };
        const Status status = load(cases[i].path, cases[i].param, 1, &error);
        if (status != STATUS_INVALID || !strstr(error.text, cases[i].problem))
            fail_msg("%s of %s: '%s'", cases[i].param, cases[i].path, error.text);
    }
    static const char *const taken[][2] = { { "missing.png", "high" },  { "missing.png", "band" },
                                            { "missing.r16", "flip" },  { "missing.raw", "high" },
                                            { "missing.r32", "order" }, { "missing.pgm", "high" } };
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        Error error;
        assert_int_equal(load(taken[i][0], taken[i][1], 1, &error), STATUS_FILE);
    }
}

// Numbers that usually stand where there are no data are told where the file does not say that they do.
static void likely_gaps_are_told(void **state) {
    (void)state;
    static const struct {
        const char *cells, *told;
    } cases[] = {
        { "1 2 3 -9999", "has heights of -9999, and does not say that they are no data" },
        { "-32768 2 -32768 4", "has heights of -32768 in several cells, and" },
        { "-32767 0 1 2", "-32767" },
        { "-99999 0 1 2", "-99999" },
        { "1 1.70141e38 3 4", "has heights of 1.70141" },
        { "-1e35 2 3 4", "has heights of -1" },
        { "-9999 -9998 -9997 0", NULL }, // the sea floor
        { "-9999 -9999 -9999 -9999", NULL },
        { "-9999 -8999.5 0 0", NULL },
        { "-9998 0 0 0", NULL },
        { "-1 nan 2 3", NULL },
    };
    char path[] = "/tmp/esker-grid-XXXXXX.asc";
    const int file = mkstemps(path, 4);
    assert_true(file >= 0);
    close(file);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FILE *stream = fopen(path, "w");
        fprintf(stream, "ncols 4\nnrows 1\nNODATA_value 7\n%s\n", cases[i].cells);
        fclose(stream);
        _Alignas(16) unsigned char params[1024];
        Output outputs[OUTPUTS_MAX];
        Error error, notice = { "" };
        params_initialise(&op_load, params);
        const Call call = { .inputs = { { .text = path } }, .notice = &notice };
        assert_ok(run_operation(&op_load, call, params, outputs, &error), error);
        outputs_free(outputs);
        assert_told(&notice, cases[i].told, cases[i].cells);
    }
    unlink(path);
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

// As the readers of .pgm and .r16 ask for a field and a row.
static void heights_without_memory_are_an_error(void **state) {
    (void)state;
    static const FileFormat *const readers[] = { &format_pgm, &format_r16, &format_asc };
    static const char *const texts[] = { "P5 2 2 255\n\0\1\2\3", "\0\0\0\0\0\0\377\377", GRID("1 2\n3 4\n") };
    static const size_t lengths[] = { 15, 8, sizeof GRID("1 2\n3 4\n") - 1 };
    for (int i = 0; i < 3; i++) {
        Status status = STATUS_MEMORY;
        for (long tries = 0; status != STATUS_OK; tries++) {
            Field field;
            Error error;
            memory_fail_after(tries);
            status = read_bytes(readers[i], texts[i], lengths[i], &field, NULL, &error);
            memory_fail_after(-1);
            assert_true(status == STATUS_OK || status == STATUS_MEMORY);
            field_free(&field);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numpy_arrays),
        cmocka_unit_test(numpy_headers),
        cmocka_unit_test(text_grids),
        cmocka_unit_test(text_grids_have_gaps),
        cmocka_unit_test(text_grids_of_other_programs),
        cmocka_unit_test(text_grids_lie_somewhere),
        cmocka_unit_test(graymaps),
        cmocka_unit_test(plain_numbers),
        cmocka_unit_test(a_pipe_has_no_size),
        cmocka_unit_test(a_file_that_shrinks_is_truncated),
        cmocka_unit_test(load_says_what_is_wrong),
        cmocka_unit_test(no_parameter_counts_for_nothing),
        cmocka_unit_test(likely_gaps_are_told),
        cmocka_unit_test(labels_without_memory_are_an_error),
        cmocka_unit_test(heights_without_memory_are_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
