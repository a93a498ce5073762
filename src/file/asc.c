// ESRI ASCII grid: a header of names and numbers, then the heights as text. Heights are written with nine
// digits, which restore a float exactly. Heights that lie nowhere get map units, so that they align with
// rivers (geojson.c) and meshes: the lower left corner is (0, 0), and the longer side 1.

#include "core/math.h"
#include "file/formats.h"

#include "core/gaps.h"
#include "core/whole.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Header {
    double columns, rows, missing;
    bool has_missing;
    double left, bottom, cell, cell_height; // cell_height 0: as cell
    bool left_of_centre, bottom_of_centre;  // of the first cell, not its corner
} Header;

// Reads one word of at most 63 characters.
static bool read_word(FILE *stream, char word[64]) {
    return fscanf(stream, "%63s", word) == 1;
}

static bool is_number(const char *word, double *number) {
    char *end;
    *number = strtod(word, &end);
    return end != word && *end == '\0';
}

// The names of a header. Those that exclude each other have one number.
enum { COLUMNS, ROWS, MISSING, LEFT, BOTTOM, CELL, CELL_HEIGHT, NAMED };
static const struct {
    const char *name;
    int key;
} names[] = {
    { "ncols", COLUMNS },  { "nrows", ROWS },       { "nodata_value", MISSING }, { "xllcorner", LEFT },
    { "xllcenter", LEFT }, { "yllcorner", BOTTOM }, { "yllcenter", BOTTOM },     { "cellsize", CELL },
    { "dx", CELL },        { "dy", CELL_HEIGHT },
};

static int key_of(const char *word) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(word, names[i].name) == 0)
            return names[i].key;
    return NAMED;
}

static Status check_number(const Reading *reading, const char *word, int key, const char *value,
                           Error *error) {
    double number;
    if (!is_number(value, &number))
        return fail(error, STATUS_FILE, "cannot read '%.300s': %s has no number", reading->path, word);
    if ((key == LEFT || key == BOTTOM) && !isfinite(number))
        return fail(error, STATUS_FILE, "cannot read '%.300s': %s must be finite, got %s", reading->path,
                    word, value);
    if ((key == CELL || key == CELL_HEIGHT) && !(number > 0 && isfinite(number)))
        return fail(error, STATUS_FILE, "cannot read '%.300s': %s must be above 0, got %s", reading->path,
                    word, value);
    return STATUS_OK;
}

// Leaves the first height in `word`.
static Status read_header(const Reading *reading, Header *header, char word[64], Error *error) {
    double numbers[NAMED + 1] = { 0 };
    bool has[NAMED + 1] = { false };
    double number;
    while (read_word(reading->stream, word) && !is_number(word, &number)) {
        char value[64] = "";
        const int key = key_of(word);
        read_word(reading->stream, value);
        const Status status = check_number(reading, word, key, value, error);
        if (status != STATUS_OK)
            return status;
        if (has[key] && key != NAMED)
            return fail(error, STATUS_FILE, "cannot read '%.300s': its header has a second %s", reading->path,
                        word);
        has[key] = true;
        is_number(value, &numbers[key]);
        header->left_of_centre = header->left_of_centre || strcasecmp(word, "xllcenter") == 0;
        header->bottom_of_centre = header->bottom_of_centre || strcasecmp(word, "yllcenter") == 0;
    }
    header->columns = numbers[COLUMNS];
    header->rows = numbers[ROWS];
    header->missing = numbers[MISSING];
    header->has_missing = has[MISSING];
    header->left = numbers[LEFT];
    header->bottom = numbers[BOTTOM];
    header->cell = numbers[CELL];
    header->cell_height = numbers[CELL_HEIGHT];
    if (header->columns != floor(header->columns) || header->rows != floor(header->rows))
        header->columns = 0;
    return refuse_pixels(reading, header->columns, header->rows, error);
}

// Nothing if the file has only what write_asc writes of heights that lie nowhere.
static Frame frame_of(const Header *header) {
    const double width = header->cell != 0 ? header->cell : 1,
                 height = header->cell_height != 0 ? header->cell_height : width,
                 longer = max(header->columns, header->rows);
    const Frame frame = { .x = header->left - (header->left_of_centre ? 0.5 * width : 0),
                          .y = header->bottom - (header->bottom_of_centre ? 0.5 * height : 0) +
                               header->rows * height,
                          .right_x = width,
                          .down_y = -height };
    const bool placed =
        header->left != 0 || header->bottom != 0 || height != width || (width != 1 && width != 1 / longer);
    return placed && frame_is_valid(&frame) ? frame : (Frame){ 0 };
}

Status read_asc(Reading *reading, Error *error) {
    Header header = { 0 };
    char word[64] = "";
    Status status = read_header(reading, &header, word, error);
    if (status == STATUS_OK)
        status = field_create(reading->field, whole_int(header.columns), whole_int(header.rows), error);
    if (status != STATUS_OK)
        return status;
    Field *field = reading->field;
    const size_t count = field_count(field);
    Gaps *gaps = header.has_missing ? gaps_new(count, error) : NULL;
    if (header.has_missing && !gaps)
        return STATUS_MEMORY;
    field->gaps = gaps; // from here on freed with the field
    for (size_t i = 0; i < count; i++) {
        double height;
        if (i > 0 && !read_word(reading->stream, word))
            return fail(error, STATUS_FILE, "cannot read '%.300s': it is truncated", reading->path);
        if (!is_number(word, &height) || !isfinite((float)height))
            return fail(error, STATUS_FILE, "cannot read '%.300s': '%s' is not a height%s", reading->path,
                        word, strchr(word, ',') ? ": numbers have a point, no comma" : "");
        field_cells(field)[i] = (float)height;
        if (gaps)
            gaps->at[i] = height == header.missing;
    }
    if (getc(reading->stream) == EOF) // as some programs write it
        tell(reading->notice, "'%.200s' ends without a line's end: its last height may be cut",
             reading->path);
    if (read_word(reading->stream, word))
        return fail(error, STATUS_FILE, "cannot read '%.300s': it has more than %d × %d heights",
                    reading->path, field->width, field->height);
    field_set_gaps(field, gaps_keep(gaps));
    field->frame = frame_of(&header);
    return STATUS_OK;
}

double number_below(double lowest) {
    return lowest > -9999 ? -9999 : (double)(float)max(2 * lowest, -(double)FLT_MAX);
}

double number_for_gaps(const Field *field) {
    double lowest = 0;
    for (size_t i = 0; i < field_count(field); i++)
        lowest = min((double)field->cells[i], lowest);
    return number_below(lowest);
}

// GDAL reads cells that are not square, dx × dy, which ESRI's format does not have.
static void write_cell(FILE *stream, double width, double height) {
    if (fabs(width - height) <= 1e-9 * width)
        fprintf(stream, "cellsize %.17g\n", width);
    else
        fprintf(stream, "dx %.17g\ndy %.17g\n", width, height);
}

Status write_asc(FILE *stream, const Field *field) {
    const double cell = 1.0 / field_side(field), missing = number_for_gaps(field);
    Frame frame = field->frame;
    if (!frame_is_set(&frame) || !frame_is_upright(&frame))
        frame = (Frame){ .y = field->height * cell, .right_x = cell, .down_y = -cell };
    const double bottom = frame.y + field->height * frame.down_y;
    fprintf(stream, "ncols %d\nnrows %d\nxllcorner %.17g\nyllcorner %.17g\n", field->width, field->height,
            frame.x, fabs(bottom) < 1e-12 * fabs(frame.y) ? 0 : bottom);
    write_cell(stream, frame.right_x, -frame.down_y);
    fprintf(stream, "NODATA_value %.17g\n", missing);
    for (int y = 0; y < field->height; y++)
        for (int x = 0; x < field->width; x++)
            fprintf(stream, "%.9g%c",
                    field_has_data(field, (size_t)y * (size_t)field->width + (size_t)x)
                        ? (double)field_row(field, y)[x]
                        : missing,
                    x + 1 < field->width ? ' ' : '\n');
    return STATUS_OK;
}
