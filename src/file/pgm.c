// Portable graymap, binary (P5), 8 or 16 bits. The scale is in comments.

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
    for (int c = getc(stream); c != '\n' && c != EOF; c = getc(stream))
        if (length + 1 < sizeof line)
            line[length++] = (char)c;
    line[length] = '\0';
    sscanf(line, " " SCALE_LOW " %39s", stated->low);
    sscanf(line, " " SCALE_HIGH " %39s", stated->high);
}

// The next number of the header, or -1.
static long header_number(FILE *stream, Stated *stated) {
    int c = getc(stream);
    while (isspace(c) || c == '#') {
        if (c == '#')
            read_comment(stream, stated);
        c = getc(stream);
    }
    long number = -1;
    for (; isdigit(c) && number < 100000000; c = getc(stream))
        number = max(number, 0) * 10 + (c - '0');
    return number; // the character after it is consumed, as the format requires
}

Status read_pgm(Reading *reading, Error *error) {
    char magic[2];
    if (fread(magic, 1, 2, reading->stream) != 2 || memcmp(magic, "P5", 2) != 0)
        return fail(error, STATUS_FILE, "cannot read '%.300s': it is not a binary PGM file (P5)",
                    reading->path);
    Stated stated = { "", "" };
    const long width = header_number(reading->stream, &stated),
               height = header_number(reading->stream, &stated);
    const long most = header_number(reading->stream, &stated);
    if (most != 255 && most != 65535)
        return fail(error, STATUS_FILE,
                    "cannot read '%.300s': the largest value must be 255 or 65535, got %ld", reading->path,
                    most);
    Status status = refuse_pixels(reading, (double)width, (double)height, error);
    if (status == STATUS_OK)
        status = field_create(reading->field, (int)width, (int)height, error);
    if (status != STATUS_OK)
        return status;
    Scale scale = { reading->low, reading->high, most == 255 ? 8 : 16 };
    reading_scale(reading, stated.low, stated.high, &scale);
    const size_t bytes = (size_t)width * (size_t)scale.bits / 8;
    unsigned char *row = memory_new(bytes, 1, error);
    status = row ? STATUS_OK : STATUS_MEMORY;
    for (int y = 0; status == STATUS_OK && y < height; y++) {
        if (fread(row, 1, bytes, reading->stream) != bytes)
            status = fail(error, STATUS_FILE, "cannot read '%.300s': it is truncated", reading->path);
        else
            dequantize_row(row, (int)width, scale, field_row(reading->field, y), 1);
    }
    memory_free(row);
    return status;
}

Status write_pgm(FILE *stream, const Field *field, Scale scale) {
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
