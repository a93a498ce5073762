// Points from a table (RFC 4180): a row of names, then a row for each point. The names of two columns say
// that they are coordinates; the others become attributes, numbers where the whole field is one.

#include "vectors/csv_reader.h"

#include "core/math.h"
#include "core/memory.h"
#include "places/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FIELD_MAX = 1 << 16, COLUMNS_MAX = ATTRIBUTES_MAX, AXES = 3 };

// What columns of coordinates and of altitudes may be called.
static const char *const axis_names[AXES] = { "x lon long longitude lng easting east e",
                                              "y lat latitude northing north n",
                                              "altitude z height elevation elev ele" };

typedef struct Table {
    FILE *from;
    const char *path;
    char separator;
    char field[FIELD_MAX];      // the last
    int row, columns;           // of the file, from 1; of the row of names
    int attribute[COLUMNS_MAX]; // of each column, or -1 - axis
    Shapes *shapes;
} Table;

static Status broken(const Table *table, const char *why, Error *error) {
    return fail(error, STATUS_FILE, "cannot read '%.200s': row %d: %s", table->path, table->row, why);
}

// The next field of a row. `last` says whether it ends the row; *there is false at the end of the file.
static Status next_field(Table *table, bool *last, bool *there, Error *error) {
    size_t length = 0;
    int c = getc(table->from);
    const bool quoted = c == '"';
    bool open = quoted;
    *there = c != EOF;
    if (quoted)
        c = getc(table->from);
    for (; c != EOF && (open || (c != table->separator && c != '\n')); c = getc(table->from)) {
        if (quoted && c == '"') {
            const int next = getc(table->from);
            if (next != '"') {
                open = false;
                ungetc(next, table->from);
                continue;
            }
        }
        if (length + 1 == FIELD_MAX)
            return broken(table, "a field is longer than 65535 bytes", error);
        if (c == '\0')
            return broken(table, "it has a byte 0: it is no text", error);
        table->field[length++] = (char)c;
    }
    if (open)
        return broken(table, "a quote is not closed", error);
    if (length && table->field[length - 1] == '\r' && !(quoted && c == table->separator))
        length--;
    table->field[length] = '\0';
    *last = c == '\n' || c == EOF;
    return STATUS_OK;
}

// The separator of a row of names is the one that it has most of. A byte order mark is skipped.
static char find_separator(FILE *from) {
    static const char marks[] = ",;\t";
    int counts[3] = { 0 };
    const long begin = getc(from) == 0xef ? 3 : 0;
    fseek(from, begin, SEEK_SET);
    for (int c; (c = getc(from)) != EOF && c != '\n';)
        for (int i = 0; i < 3; i++)
            counts[i] += c == marks[i];
    fseek(from, begin, SEEK_SET);
    return counts[1] > counts[0] ? ';' : counts[2] > counts[0] ? '\t' : ',';
}

// 0 x, 1 y, 2 altitude; -1: another column.
static int axis_of(const char *name) {
    for (int axis = 0; axis < AXES; axis++)
        if (has_word(axis_names[axis], name))
            return axis;
    return -1;
}

static Status read_names(Table *table, bool *in_degrees, Error *error) {
    bool found[AXES] = { false }, last = false, there = false;
    Attributes *attributes = shapes_attributes(table->shapes, error);
    Status status = attributes ? STATUS_OK : STATUS_MEMORY;
    table->row = 1;
    for (; status == STATUS_OK && !last; table->columns++) {
        status = next_field(table, &last, &there, error);
        if (status == STATUS_OK && table->columns == COLUMNS_MAX)
            return broken(table, "more than 256 columns", error);
        const int axis = status == STATUS_OK ? axis_of(table->field) : -1;
        int *attribute = &table->attribute[table->columns];
        if (axis >= 0 && !found[axis]) {
            found[axis] = true;
            *attribute = -1 - axis;
            *in_degrees |= axis < 2 && strncasecmp(table->field, axis ? "lat" : "lo", axis ? 3 : 2) == 0;
        } else if (status == STATUS_OK) {
            status = attributes_column(attributes, table->field, attribute, error);
        }
    }
    if (status == STATUS_OK && !(found[0] && found[1]))
        return broken(table,
                      "it names no columns of coordinates: x and y, lon and lat, or easting and northing",
                      error);
    return status;
}

// Whether a whole field is a finite number.
static bool is_number(const char *text, double *number) {
    char *end;
    if (!*text || !strchr("+-.0123456789", *text))
        return false;
    *number = strtod(text, &end);
    return !*end && isfinite(*number) && !strpbrk(text, "xXpP");
}

static Status take_field(Table *table, int column, double place[AXES], Error *error) {
    const int attribute = table->attribute[column], row = table->shapes->count;
    double number = 0;
    const bool is_numeric = is_number(table->field, &number);
    if (attribute >= 0 && !*table->field)
        return STATUS_OK;
    if (attribute >= 0)
        return is_numeric ? attributes_set_number(table->shapes->attributes, attribute, row, number, error)
                          : attributes_set_text(table->shapes->attributes, attribute, row, ATTRIBUTE_TEXT,
                                                table->field, error);
    if (!is_numeric && (attribute != -AXES || *table->field))
        return fail(error, STATUS_FILE, "cannot read '%.200s': row %d: '%.40s' is no coordinate", table->path,
                    table->row, table->field);
    place[-1 - attribute] = number;
    return STATUS_OK;
}

static Status read_row(Table *table, bool *ended, Error *error) {
    bool last = false, there = false;
    int column = 0;
    double place[AXES] = { NAN, NAN, 0 };
    Status status = STATUS_OK;
    table->row++;
    for (; status == STATUS_OK && !last; column++) {
        status = next_field(table, &last, &there, error);
        if (status == STATUS_OK && column == 0 && last && !*table->field) { // an empty line
            *ended = !there;
            return STATUS_OK;
        }
        if (status == STATUS_OK && column < table->columns)
            status = take_field(table, column, place, error);
    }
    if (status == STATUS_OK && column != table->columns)
        return fail(error, STATUS_FILE, "cannot read '%.200s': row %d has %d fields, the names are %d",
                    table->path, table->row, column, table->columns);
    if (status == STATUS_OK &&
        !(fabs(place[0]) <= 1e30 && fabs(place[1]) <= 1e30 && fabs(place[2]) <= HEIGHT_MAX))
        return broken(table, "its coordinates are out of range", error);
    if (status == STATUS_OK)
        status = shapes_add_point(table->shapes, (ShapePoint){ place[0], place[1], (float)place[2] }, error);
    if (status == STATUS_OK)
        status = shapes_end_part(table->shapes, false, error);
    return status == STATUS_OK ? shapes_end_shape(table->shapes, error) : status;
}

static Status read_all(Table *table, Reading *reading, Error *error) {
    bool in_degrees = false, ended = false;
    Status status = read_names(table, &in_degrees, error);
    while (status == STATUS_OK && !ended)
        status = read_row(table, &ended, error);
    if (status != STATUS_OK)
        return status;
    if (!table->shapes->count)
        return fail(error, STATUS_FILE, "'%.200s' has no points", reading->path);
    const char *given = reading->system ? reading->system : "", *kept = NULL;
    status = frame_text(*given ? given : in_degrees ? "EPSG:4326" : "", FRAME_SYSTEM_MAX, &kept, error);
    if (status != STATUS_OK)
        return status;
    shapes_place(table->shapes, kept);
    Points *points = NULL;
    status = points_of_shapes(table->shapes, &points, error);
    reading->type = &type_points;
    reading->value = points;
    return status;
}

Status read_csv(Reading *reading, Error *error) {
    Table *table = memory_new_zeroed(1, sizeof *table, error);
    if (!table)
        return STATUS_MEMORY;
    table->from = reading->stream;
    table->path = reading->path;
    table->separator = find_separator(reading->stream);
    table->shapes = shapes_new(error);
    const Status status = table->shapes ? read_all(table, reading, error) : STATUS_MEMORY;
    shapes_free(table->shapes);
    memory_free(table);
    return status;
}
