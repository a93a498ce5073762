// numpy's format (NEP 1): a magic string, the version, the length of a header, the header as the text of a
// Python dictionary, and the numbers. Cells without data are NaN.

#include "file/npy.h"
#include "core/gaps.h"
#include "core/memory.h"
#include "core/whole.h"
#include "file/formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char magic[6] = "\x93NUMPY";
enum { HEADER_MAX = 4096 };

static Status damaged(const Reading *reading, const char *what, Error *error) {
    return fail(error, STATUS_FILE, "cannot read '%.300s': %s", reading->path, what);
}

static Status read_text(const Reading *reading, char text[HEADER_MAX + 1], Error *error) {
    unsigned char head[12];
    if (fread(head, 1, 8, reading->stream) != 8 || memcmp(head, magic, sizeof magic) != 0)
        return damaged(reading, "it is not a numpy array", error);
    const size_t wide = head[6] == 1 ? 2 : 4; // of the length, which version 2 made larger
    if (head[6] < 1 || head[6] > 3 || fread(head + 8, 1, wide, reading->stream) != wide)
        return damaged(reading, "its version is not known, or it is truncated", error);
    const double length = number_get(head + 8, (NumberKind){ 'u', (int)wide, false });
    if (length > HEADER_MAX)
        return damaged(reading, "its header is too long", error);
    const size_t size = (size_t)whole_64(length);
    text[size] = '\0';
    return fread(text, 1, size, reading->stream) == size ? STATUS_OK
                                                         : damaged(reading, "it is truncated", error);
}

// What follows a key, or "".
static const char *value_of_key(const char *text, const char *key) {
    const char *at = strstr(text, key);
    at = at ? at + strlen(key) : "";
    return at + strspn(at, "'\": ");
}

static bool parse(const char *text, NpyArray *array) {
    const char *type = value_of_key(text, "'descr'"), *shape = value_of_key(text, "'shape'");
    char order = 0, kind = 0;
    int bytes = 0;
    if (sscanf(type, "%c%c%1d", &order, &kind, &bytes) != 3 || !strchr("<>|=", order) ||
        !strchr("fiub", kind))
        return false;
    if (kind == 'b') // numpy's truth values: bytes of 0 and 1
        kind = 'u';
    array->numbers = (NumberKind){ kind, bytes, order == '>' };
    array->by_columns = strncmp(value_of_key(text, "'fortran_order'"), "True", 4) == 0;
    char end = 0;
    if (sscanf(shape, "(%lf , %lf %c", &array->height, &array->width, &end) != 3 || end != ')')
        return false;
    const bool whole = array->width == floor(array->width) && array->height == floor(array->height);
    return whole && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) && (kind != 'f' || bytes >= 2);
}

// `count` numbers, which lie `step` cells apart from `cell` on.
static Status read_line(const Reading *reading, const NpyArray *array, unsigned char *line, size_t cell,
                        size_t step, size_t count, Gaps *gaps, Error *error) {
    const size_t bytes = (size_t)array->numbers.bytes;
    if (fread(line, bytes, count, reading->stream) != count)
        return damaged(reading, "it is truncated", error);
    for (size_t i = 0; i < count; i++, cell += step) {
        const double number = number_get(line + i * bytes, array->numbers);
        if (isnan(number))
            gaps->at[cell] = 1;
        field_cells(reading->field)[cell] = gaps->at[cell] ? 0 : (float)number;
    }
    return STATUS_OK;
}

static Status read_cells(const Reading *reading, const NpyArray *array, Error *error) {
    Field *field = reading->field;
    const size_t width = (size_t)field->width, height = (size_t)field->height;
    const size_t count = array->by_columns ? height : width, lines = array->by_columns ? width : height;
    unsigned char *line = memory_new(count, 8, error);
    Gaps *gaps = line ? gaps_new(width * height, error) : NULL;
    Status status = gaps ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; status == STATUS_OK && i < lines; i++)
        status = read_line(reading, array, line, array->by_columns ? i : i * width,
                           array->by_columns ? width : 1, count, gaps, error);
    memory_free(line);
    if (status == STATUS_OK)
        field_set_gaps(field, gaps);
    else
        gaps_release(gaps);
    for (size_t i = 0; status == STATUS_OK && i < width * height; i++)
        if (!isfinite(field->cells[i]))
            status = damaged(reading, "one of its numbers is no height", error);
    return status;
}

Status npy_read_header(const Reading *reading, NpyArray *array, Error *error) {
    char text[HEADER_MAX + 1];
    const Status status = read_text(reading, text, error);
    if (status == STATUS_OK && !parse(text, array))
        return damaged(reading, "it is no array of two dimensions of integers, or floats of 2, 4 or 8 bytes",
                       error);
    return status;
}

Status read_npy(Reading *reading, Error *error) {
    NpyArray array = { 0 };
    Status status = npy_read_header(reading, &array, error);
    if (status == STATUS_OK)
        status = refuse_pixels(reading, array.width, array.height, error);
    if (status == STATUS_OK &&
        (double)bytes_left(reading->stream) != array.width * array.height * array.numbers.bytes)
        status = damaged(reading, "its length is not that of its cells", error);
    if (status == STATUS_OK)
        status = field_create(reading->field, whole_int(array.width), whole_int(array.height), error);
    return status == STATUS_OK ? read_cells(reading, &array, error) : status;
}

// The numbers begin at a multiple of 64 bytes.
void npy_write_header(FILE *stream, int width, int height) {
    char text[119]; // 118 are written, which are 128 with the 10 bytes before
    memset(text, ' ', sizeof text);
    const int length = snprintf(
        text, sizeof text, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", height, width);
    text[length] = ' ';
    text[117] = '\n';
    fwrite(magic, 1, sizeof magic, stream);
    fwrite("\1\0\166\0", 1, 4, stream);
    fwrite(text, 1, 118, stream);
}

Status write_npy(FILE *stream, const Field *field) {
    npy_write_header(stream, field->width, field->height);
    return write_r32(stream, field, false, false); // whole_file_close detects write errors
}
