// Readers: the first byte chooses the format, the rest is the file. Whatever it is, the reader gives finite
// heights, shapes or an error, holds nothing afterwards, and takes its picture and a two mebibytes at most.

#include "core/image.h"
#include "core/json.h"
#include "core/memory.h"
#include "exchange/format_list.h"
#include "file/formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

enum { TEXTS = 31 }; // instead of a format

// The format of this number among those that are read, from 0 on; NULL: there are not so many.
static const FileFormat *format_of(unsigned number) {
    for (const FileFormat *const *each = all_formats; *each; each++)
        if ((*each)->read && number-- == 0)
            return *each;
    return NULL;
}

// As slow as what it guesses; tests/long/fuzz.sh asks for it.
static bool is_left_out(const FileFormat *format) {
    return (format->read == format_raster.read || format->read == format_gpkg.read) && !getenv("FUZZ_GDAL");
}

// What lies beside files (file/sidecar.h).
static void read_json(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1), string[8];
    double number;
    memcpy(text, data, size);
    text[size] = '\0';
    json_number(text, "low", &number);
    json_string(text, "unit", string, sizeof string);
    free(text);
}

static void read_texts(FILE *stream) {
    Labels labels;
    Error error;
    if (png_read_text(stream, "fuzzed", &labels, &error) == STATUS_OK)
        label_value(&labels, "esker:low");
    labels_free(&labels);
}

// What is left of the libraries' own: a chunk of all channels, each of which takes 18 bytes of the header, in
// three buffers.
static size_t most_memory(const FileFormat *format, size_t size, size_t picture) {
    const size_t own = format == &format_exr                ? 5 * size + 3 * (size / 18) * picture
                       : format->read == format_raster.read ? size
                       : format == &format_azgaar           ? 256 * size
                       : format->load_takes && strstr(format->load_takes, "system") ? 256 * size // attributes
                                                                                    : 0;
    return picture + picture / 4 + own + (2 << 20); // gaps, too
}

static void read_picture(const FileFormat *format, FILE *stream, size_t size, uint8_t choice) {
    Field field = { 0 };
    Image image = { 0 };
    Error error;
    Reading reading = { .stream = stream,
                        .path = "fuzzed",
                        .given = choice & 32,
                        .low = choice & 32 ? -100 : 0,
                        .high = choice & 128 ? 5000 : 1,
                        .width = choice & 64 ? 7 : 16,
                        .height = choice & 128 ? 5 : 16,
                        .max_pixels = 1 << 20,
                        .field = &field,
                        .image = &image };
    const size_t before = memory_in_use();
    memory_reset_peak();
    const Status status = format->read(&reading, &error);
    const size_t picture = field.cells    ? field_count(&field) * sizeof(float)
                           : image.pixels ? (size_t)image.width * (size_t)image.height * sizeof(Pixel)
                                          : 0;
    if (status == STATUS_OK && memory_peak() - before > most_memory(format, size, picture))
        abort();
    if (status == STATUS_OK && !picture && !reading.value)
        abort();
    if (reading.value)
        value_free(reading.type, &reading.value);
    for (size_t i = 0; status == STATUS_OK && field.cells && i < field_count(&field); i++)
        if (!isfinite(field.cells[i]))
            abort();
    field_free(&field);
    image_free(&image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    const FileFormat *format = format_of(data[0] % 32);
    if (format ? is_left_out(format) : data[0] % 32 != TEXTS)
        return 0;
    FILE *stream = fmemopen((void *)(data + 1), size - 1, "rb"); // only read
    if (format) {
        read_picture(format, stream, size - 1, data[0]);
    } else {
        read_texts(stream);
        read_json(data + 1, size - 1);
    }
    fclose(stream);
    if (memory_in_use() != 0)
        abort();
    return 0;
}

static uint32_t word_at(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

// A wrong checksum hides what is behind it: they are set right after a change.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    const size_t length = LLVMFuzzerMutate(data, size, most);
    if (length < 21 || format_of(data[0] % 32) != &format_png || seed % 16 == 0)
        return length;
    for (size_t at = 9; at + 12 <= length;) {
        const size_t inner = word_at(data + at);
        if (inner > length - at - 12)
            break;
        const uLong sum = crc32(0, data + at + 4, (uInt)inner + 4);
        for (int i = 0; i < 4; i++)
            data[at + 8 + inner + (size_t)i] = (uint8_t)(sum >> (24 - 8 * i));
        at += inner + 12;
    }
    return length;
}
