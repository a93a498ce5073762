// Raw 16-bit heights, little-endian, row by row, as used by game engines. The file stores neither its size
// nor its scale.

#include "file/formats.h"

#include "core/memory.h"

static void swap_bytes(unsigned char *bytes, int count) {
    for (int x = 0; x < count; x++) {
        const unsigned char first = bytes[2 * x];
        bytes[2 * x] = bytes[2 * x + 1];
        bytes[2 * x + 1] = first;
    }
}

static Status truncated(const Reading *reading, Error *error) {
    return fail(error, STATUS_FILE, "cannot read '%.300s': it is truncated", reading->path);
}

Status read_r16(Reading *reading, Error *error) {
    if (fseek(reading->stream, 0, SEEK_END) != 0)
        return truncated(reading, error);
    const long bytes = ftell(reading->stream);
    rewind(reading->stream);
    // A truncated larger file could also be a square.
    if (!reading->width || !reading->height)
        return fail(
            error, STATUS_INVALID,
            "'%.300s' has %ld heights, but the file does not store its width: give width and height, as "
            "in { width = 1025, height = 1025 }",
            reading->path, bytes / 2);
    const long wanted = 2L * reading->width * reading->height;
    if (bytes < wanted)
        return truncated(reading, error);
    if (bytes > wanted)
        return fail(error, STATUS_FILE,
                    "cannot read '%.300s': it has %ld bytes, which is not the size of %d × %d heights",
                    reading->path, bytes, reading->width, reading->height);
    Status status = refuse_pixels(reading, reading->width, reading->height, error);
    if (status == STATUS_OK)
        status = field_create(reading->field, reading->width, reading->height, error);
    if (status != STATUS_OK)
        return status;
    unsigned char *row = memory_new((size_t)reading->width, 2, error);
    status = row ? STATUS_OK : STATUS_MEMORY;
    const Scale scale = { reading->low, reading->high, 16 };
    for (int y = 0; status == STATUS_OK && y < reading->height; y++) {
        if (fread(row, 2, (size_t)reading->width, reading->stream) != (size_t)reading->width)
            status = truncated(reading, error);
        swap_bytes(row, reading->width);
        if (status == STATUS_OK)
            dequantize_row(row, reading->width, scale, field_row(reading->field, y), 1);
    }
    memory_free(row);
    return status;
}

Status write_r16(FILE *stream, const Field *field, Scale scale) {
    static unsigned char row[2 * SIDE_MAX];
    scale.bits = 16;
    for (int y = 0; y < field->height; y++) {
        quantize_row(field, y, scale, row);
        swap_bytes(row, field->width);
        fwrite(row, 2, (size_t)field->width, stream); // whole_file_close detects write errors
    }
    return STATUS_OK;
}
