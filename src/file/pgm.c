// Portable graymaps, binary (P5) and plain (P2), with numbers up to 65,535 (netpbm's pgm(5)). The scale is in
// comments.

#include "core/math.h"
#include "file/formats.h"

#include "core/memory.h"

#include <ctype.h>
#include <string.h>

typedef struct Stated {
    char low[40], high[40]; // the file's scale, in digits; empty where it has none
} Stated;

// Reads a comment to the end of its line, behind the #.
static void read_comment(FILE *stream, Stated *stated) {
    char line[80] = "";
    size_t length = 0;
    for (int c = getc(stream); c != '\n' && c != '\r' && c != EOF; c = getc(stream))
        if (length + 1 < sizeof line)
            line[length++] = (char)c;
    line[length] = '\0';
    sscanf(line, " " SCALE_LOW " %39s", stated->low);
    sscanf(line, " " SCALE_HIGH " %39s", stated->high);
}

// A comment may stand anywhere before the numbers, also within a word.
static int next_letter(FILE *stream, Stated *stated) {
    int c = getc(stream);
    while (c == '#') {
        read_comment(stream, stated);
        c = getc(stream);
    }
    return c;
}

// The next number, or -1. The character after it is consumed, as the format requires.
static long next_number(FILE *stream, Stated *stated) {
    int c = next_letter(stream, stated);
    while (isspace(c))
        c = next_letter(stream, stated);
    long number = -1;
    for (; isdigit(c) && number < 100000000; c = next_letter(stream, stated))
        number = max(number, 0) * 10 + (c - '0');
    return c == EOF || isspace(c) ? number : -1;
}

typedef struct Graymap {
    bool is_plain;
    long width, height, most, rows; // rows: those that have been read
    Stated stated;
} Graymap;

static Status read_header(const Reading *reading, Graymap *map, Error *error) {
    char magic[2];
    if (fread(magic, 1, 2, reading->stream) != 2 || magic[0] != 'P' || !strchr("25", magic[1]))
        return fail(
            error, STATUS_FILE,
            "cannot read '%.300s': it is no graymap (P2 or P5); pamtopnm and ppmtopgm make one of others",
            reading->path);
    map->is_plain = magic[1] == '2';
    map->width = next_number(reading->stream, &map->stated);
    map->height = next_number(reading->stream, &map->stated);
    map->most = next_number(reading->stream, &map->stated);
    if (map->most < 1 || map->most > 65535)
        return fail(error, STATUS_FILE, "cannot read '%.300s': the largest value must be 1 to 65535, got %ld",
                    reading->path, map->most);
    return refuse_pixels(reading, (double)map->width, (double)map->height, error);
}

static Status truncated(const Reading *reading, const Graymap *map, Error *error) {
    return fail(error, STATUS_FILE, "cannot read '%.300s': it is truncated: it has %ld of %ld rows",
                reading->path, map->rows, map->height);
}

// Reads a row of numbers into 1 or 2 bytes each.
static Status read_row(const Reading *reading, Graymap *map, unsigned char *row, Error *error) {
    const size_t wide = map->most < 256 ? 1 : 2, width = (size_t)map->width;
    long most = 0;
    if (!map->is_plain && fread(row, wide, width, reading->stream) != width)
        return truncated(reading, map, error);
    for (size_t x = 0; x < width; x++) {
        const long number = map->is_plain ? next_number(reading->stream, &map->stated)
                            : wide == 1   ? row[x]
                                          : row[2 * x] << 8 | row[2 * x + 1];
        if (number < 0 && feof(reading->stream))
            return truncated(reading, map, error);
        if (number < 0)
            return fail(error, STATUS_FILE,
                        "cannot read '%.300s': number %zu of row %ld is not a whole number from 0 to %ld",
                        reading->path, x + 1, map->rows + 1, map->most);
        most = max(most, number);
        if (map->is_plain && wide == 2)
            row[2 * x] = (unsigned char)(number >> 8);
        if (map->is_plain)
            row[wide * x + wide - 1] = (unsigned char)(number & 255);
    }
    map->rows++;
    return most <= map->most
               ? STATUS_OK
               : fail(error, STATUS_FILE, "cannot read '%.300s': %ld is above its largest value, %ld",
                      reading->path, most, map->most);
}

static bool has_more(FILE *stream, Graymap *map) {
    int c = next_letter(stream, &map->stated);
    while (isspace(c))
        c = next_letter(stream, &map->stated);
    return c != EOF;
}

static Status read_pgm(Reading *reading, Error *error) {
    Graymap map = { .stated = { "", "" } };
    Status status = read_header(reading, &map, error);
    if (status == STATUS_OK)
        status = field_create(reading->field, (int)map.width, (int)map.height, error);
    if (status != STATUS_OK)
        return status;
    Scale scale = { reading->low, reading->high, map.most < 256 ? 8 : 16, (int)map.most };
    reading_scale(reading, map.stated.low, map.stated.high, &scale);
    unsigned char *row = memory_new((size_t)map.width, 2, error);
    status = row ? STATUS_OK : STATUS_MEMORY;
    for (int y = 0; status == STATUS_OK && y < map.height; y++) {
        status = read_row(reading, &map, row, error);
        if (status == STATUS_OK)
            dequantize_row(row, (int)map.width, scale, field_row(reading->field, y), 1);
    }
    memory_free(row);
    if (status == STATUS_OK && has_more(reading->stream, &map))
        tell(reading->notice, "'%.200s' has more than its first picture, which alone is read", reading->path);
    return status;
}

static Status write_pgm(const Writing *writing, Error *error) {
    (void)error;
    FILE *stream = writing->stream;
    const Field *field = writing->value;
    const Scale scale = writing->scale;
    static unsigned char row[2 * SIDE_MAX];
    fputs("P5\n", stream);
    if (scale.low != 0 || scale.high != 1)
        fprintf(stream, "# " SCALE_LOW " %.17g\n# " SCALE_HIGH " %.17g\n", scale.low, scale.high);
    fprintf(stream, "%d %d\n%d\n", field->width, field->height, scale.bits == 8 ? 255 : 65535);
    for (int y = 0; y < field->height; y++) {
        quantize_row(field, y, scale, row);
        fwrite(row, (size_t)scale.bits / 8, (size_t)field->width,
               stream); // whole_file_close detects write errors
    }
    return STATUS_OK;
}

const FileFormat format_pgm = {
    .name = "PGM",
    .endings = "pgm",
    .media_type = "image/x-portable-graymap",
    .holds = { { &type_field, write_pgm } },
    .read = read_pgm,
    .keeps = KEEPS_BESIDE,
    .bits = 16,
    .numbers = "16 or 8 bits of the range; reads P5 and P2, largest values up to 65,535",
    .load_takes = "low high",
    .save_takes = "low high bits",
    .doc = "A graymap; the range of heights is in comments that Esker reads",
};
