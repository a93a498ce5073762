// Raw heights, row by row, as used by game engines: 16-bit integers (.r16, .raw) or 32-bit floats (.r32), of
// which those that are not finite are gaps. The file stores neither its size nor its scale nor the order of
// bytes and rows: a .json beside it does (sidecar.h).

#include "file/formats.h"

#include "core/gaps.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

static void swap_bytes(unsigned char *bytes, int count) {
    for (int x = 0; x < count; x++) {
        const unsigned char first = bytes[2 * x];
        bytes[2 * x] = bytes[2 * x + 1];
        bytes[2 * x + 1] = first;
    }
}

// `bytes`, of each height.
static Status truncated(const Reading *reading, int bytes, Error *error) {
    const int64_t whole = (int64_t)bytes * reading->width * reading->height;
    fseek(reading->stream, 0, SEEK_END);
    return fail(error, STATUS_FILE,
                "cannot read '%.300s': it is truncated: it has %ld of the %lld bytes of %d × %d heights",
                reading->path, ftell(reading->stream), (long long)whole, reading->width, reading->height);
}

// Of the sides that so many heights may have, those nearest to a square; the width is the longer one.
static void likely_sides(long heights, long *width, long *height) {
    *height = 1;
    for (long side = 1; side <= SIDE_MAX && side * side <= heights; side++)
        if (heights % side == 0)
            *height = side;
    *width = heights / *height;
}

static Status ask_for_sides(const Reading *reading, long heights, Error *error) {
    long width, height;
    likely_sides(heights, &width, &height);
    return fail(
        error, STATUS_INVALID,
        "'%.300s' has %ld heights, but the file does not store its width, and no .json beside it does: "
        "give width and height, as in { width = %ld, height = %ld }",
        reading->path, heights, width, height);
}

// Whether the file has as many bytes as its heights.
static Status check_length(const Reading *reading, int bytes_each, Error *error) {
    if (fseek(reading->stream, 0, SEEK_END) != 0)
        return truncated(reading, bytes_each, error);
    const long bytes = ftell(reading->stream);
    rewind(reading->stream);
    // A truncated larger file could also be a square.
    if (!reading->width || !reading->height)
        return ask_for_sides(reading, bytes / bytes_each, error);
    const long wanted = (long)bytes_each * reading->width * reading->height;
    if (bytes < wanted)
        return truncated(reading, bytes_each, error);
    if (bytes > wanted)
        return fail(error, STATUS_FILE,
                    "cannot read '%.300s': it has %ld bytes, which is not the size of %d × %d heights",
                    reading->path, bytes, reading->width, reading->height);
    return refuse_pixels(reading, reading->width, reading->height, error);
}

// Which row of the field is the file's row y.
static int row_at(const Field *field, bool is_flipped, int y) {
    return is_flipped ? field->height - 1 - y : y;
}

static Status read_r16(Reading *reading, Error *error) {
    Status status = check_length(reading, 2, error);
    if (status == STATUS_OK)
        status = field_create(reading->field, reading->width, reading->height, error);
    if (status != STATUS_OK)
        return status;
    unsigned char *row = memory_new((size_t)reading->width, 2, error);
    status = row ? STATUS_OK : STATUS_MEMORY;
    const Scale scale = { reading->low, reading->high, 16 };
    for (int y = 0; status == STATUS_OK && y < reading->height; y++) {
        if (fread(row, 2, (size_t)reading->width, reading->stream) != (size_t)reading->width)
            status = truncated(reading, 2, error);
        if (!reading->is_big)
            swap_bytes(row, reading->width);
        if (status == STATUS_OK)
            dequantize_row(row, reading->width, scale,
                           field_row(reading->field, row_at(reading->field, reading->is_flipped, y)), 1);
    }
    memory_free(row);
    return status;
}

// Which cell of the field is the file's number i.
static size_t cell_at(const Field *field, bool is_flipped, size_t i) {
    const size_t width = (size_t)field->width;
    return (size_t)row_at(field, is_flipped, (int)(i / width)) * width + i % width;
}

static Status read_r32(Reading *reading, Error *error) {
    Field *field = reading->field;
    Status status = check_length(reading, 4, error);
    if (status == STATUS_OK)
        status = field_create(field, reading->width, reading->height, error);
    Gaps *gaps = status == STATUS_OK ? gaps_new(field_count(field), error) : NULL;
    if (!gaps)
        return status == STATUS_OK ? STATUS_MEMORY : status;
    for (size_t i = 0; status == STATUS_OK && i < field_count(field); i++) {
        const size_t cell = cell_at(field, reading->is_flipped, i);
        unsigned char bytes[4];
        if (fread(bytes, 1, sizeof bytes, reading->stream) != sizeof bytes)
            status = truncated(reading, 4, error);
        field_cells(field)[cell] = (float)number_get(bytes, (NumberKind){ 'f', 4, reading->is_big });
        if (!isfinite(field->cells[cell]))
            gaps->at[cell] = 1;
    }
    field_set_gaps(field, gaps);
    return status;
}

static void put_little(unsigned char *bytes, float number) { // one store on most machines
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    bytes[0] = (unsigned char)bits;
    bytes[1] = (unsigned char)(bits >> 8);
    bytes[2] = (unsigned char)(bits >> 16);
    bytes[3] = (unsigned char)(bits >> 24);
}

Status write_r32(FILE *stream, const Field *field, bool is_big, bool is_flipped) {
    enum { AT_ONCE = 1 << 13 }; // a call of fwrite for each number would cost 10 ns
    unsigned char bytes[4 * AT_ONCE];
    const int rows = is_flipped ? field->height : 1; // unturned, all are one
    const size_t width = is_flipped ? (size_t)field->width : field_count(field);
    for (int y = 0; y < rows; y++) {
        const size_t row = is_flipped ? (size_t)row_at(field, is_flipped, y) * width : 0;
        for (size_t first = 0; first < width; first += AT_ONCE) {
            const int count = (int)min((size_t)AT_ONCE, width - first);
            for (int i = 0; i < count; i++) {
                const size_t cell = row + first + (size_t)i;
                put_little(bytes + 4 * i, field_has_data(field, cell) ? field->cells[cell] : NAN);
            }
            if (is_big)
                for (int i = 0; i < 4 * count; i += 4) {
                    const unsigned char lowest = bytes[i], low = bytes[i + 1];
                    bytes[i] = bytes[i + 3];
                    bytes[i + 1] = bytes[i + 2];
                    bytes[i + 2] = low;
                    bytes[i + 3] = lowest;
                }
            fwrite(bytes, 4, (size_t)count, stream);
        }
    }
    return STATUS_OK;
}

Status write_r16(FILE *stream, const Field *field, Scale scale, bool is_big, bool is_flipped) {
    static unsigned char row[2 * SIDE_MAX];
    scale.bits = 16;
    for (int y = 0; y < field->height; y++) {
        quantize_row(field, row_at(field, is_flipped, y), scale, row);
        if (!is_big)
            swap_bytes(row, field->width);
        fwrite(row, 2, (size_t)field->width, stream); // whole_file_close detects write errors
    }
    return STATUS_OK;
}

static Status write_integers(const Writing *writing, Error *error) {
    (void)error;
    return write_r16(writing->stream, writing->value, writing->scale, writing->is_big, writing->is_flipped);
}

static Status write_floats(const Writing *writing, Error *error) {
    (void)error;
    return write_r32(writing->stream, writing->value, writing->is_big, writing->is_flipped);
}

const FileFormat format_r16 = {
    .name = "raw integers",
    .endings = "r16 raw",
    .media_type = "application/octet-stream",
    .holds = { { &type_field, write_integers } },
    .read = read_r16,
    .keeps = KEEPS_BESIDE,
    .bits = 16,
    .numbers = "16 bits of the range",
    .raw_type = "uint16",
    .load_takes = "low high width height order flip",
    .save_takes = "low high order flip",
    .doc = "Nothing but the heights, row by row, as game engines take them",
};

const FileFormat format_r32 = {
    .name = "raw floats",
    .endings = "r32",
    .media_type = "application/octet-stream",
    .holds = { { &type_field, write_floats } },
    .read = read_r32,
    .rows = ROWS_RAW,
    .keeps = KEEPS_BESIDE | KEEPS_GAPS,
    .numbers = "exact",
    .gaps = "NaN",
    .raw_type = "float32",
    .load_takes = "width height order flip",
    .save_takes = "order flip",
    .doc = "Nothing but the heights, row by row, as 32-bit floats",
};
