// Files of lines and points. CSV has a row for each point, in map coordinates, or without a frame in cells
// from the upper left corner. GeoJSON of points has the coordinates of networks: those of its frame, or N,
// the longer side, y upwards.

#include "vectors/line_files.h"
#include "core/format.h"
#include "core/json.h"
#include "core/math.h"
#include "core/memory.h"
#include "file/coordinate_systems.h"
#include "file/gdal.h"
#include "places/points.h"
#include "vectors/geojson_reader.h"
#include "vectors/point_labels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// --- CSV that is read --------------------------------------------------------------------------------------

// Points from a table (RFC 4180): a row of names, then a row for each point. The names of two columns say
// that they are coordinates; the others become attributes, numbers where the whole field is one.

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

// Spreadsheets take a text that begins so for a formula. Behind apostrophes it stays a text.
static bool is_formula(const char *text) {
    const char *begin = text + strspn(text, "'");
    return *begin && strchr("=+-@\t\r", *begin);
}

// A field as it was before put_field guarded it.
static const char *unguarded(const char *field) {
    return *field == '\'' && is_formula(field) ? field + 1 : field;
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
            status = attributes_column(attributes, unguarded(table->field), attribute, error);
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
                                                unguarded(table->field), error);
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

static Status read_csv(Reading *reading, Error *error) {
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

// --- files that GDAL reads ---------------------------------------------------------------------------------

void add_argument(Arguments *arguments, const char *option, const char *key, const char *value) {
    if (arguments->count + 2 > ARGUMENTS_MAX)
        return;
    char *text = arguments->texts[arguments->count];
    snprintf(text, ARGUMENT_MAX, "%s", option);
    arguments->at[arguments->count++] = text;
    text = arguments->texts[arguments->count];
    snprintf(text, ARGUMENT_MAX, "%s%s%s", key, *key ? "=" : "", value);
    arguments->at[arguments->count++] = text;
}

static const char *layer_name(const Gdal *gdal, GdalHandle set, int layer) {
    return gdal->OGR_L_GetName(gdal->GDALDatasetGetLayer(set, layer));
}

// The table that is read.
static Status find_layer(const Gdal *gdal, GdalHandle set, const Reading *reading, GdalHandle *layer,
                         Error *error) {
    const int count = gdal->GDALDatasetGetLayerCount(set);
    const char *wanted = reading->layer ? reading->layer : "";
    char names[200] = "";
    *layer = NULL;
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(names);
        if (*wanted ? strcmp(layer_name(gdal, set, i), wanted) == 0 : i == 0)
            *layer = gdal->GDALDatasetGetLayer(set, i);
        snprintf(names + used, sizeof names - used, "%s%.60s", i ? ", " : "", layer_name(gdal, set, i));
    }
    if (!*layer && *wanted)
        return fail(error, STATUS_INVALID, "'%.200s' has no layer '%.60s', but %s", reading->path, wanted,
                    names);
    if (!*layer)
        return fail(error, STATUS_FILE, "'%.200s' has no layer", reading->path);
    if (count > 1 && !*wanted)
        tell(reading->notice, "'%.200s' has %d layers: %s; this is the first (argument layer)", reading->path,
             count, names);
    return STATUS_OK;
}

// "" where the layer has none.
static Status layer_system(const Gdal *gdal, GdalHandle layer, const char **system, Error *error) {
    GdalHandle reference = gdal->OGR_L_GetSpatialRef(layer);
    char *wkt = NULL;
    *system = NULL;
    Status status = STATUS_OK;
    if (reference && gdal->OSRExportToWkt(reference, &wkt) == 0 && !strstr(wkt, "Undefined"))
        status = system_name(gdal, wkt, system, error);
    gdal->VSIFree(wkt);
    *system = *system ? *system : "";
    return status;
}

static Status read_translated(const Gdal *gdal, Reading *reading, const char *system, Error *error) {
    unsigned long long size = 0;
    void *bytes = gdal->VSIGetMemFileBuffer(GEOJSON_PATH, &size, 0);
    FILE *stream = bytes && size ? fmemopen(bytes, (size_t)size, "rb") : NULL;
    if (!stream)
        return fail(error, STATUS_FILE, "cannot read '%.200s': %.200s", reading->path,
                    gdal->CPLGetLastErrorMsg());
    const char *given = reading->system ? reading->system : "";
    if (!*system && !*given)
        tell(reading->notice,
             "'%.200s' names no coordinate system, and its coordinates are taken for those of the field that "
             "it is used with (system = \"EPSG:…\")",
             reading->path);
    const char *kept = NULL;
    Status status = frame_text(*system ? system : given, FRAME_SYSTEM_MAX, &kept, error);
    if (status == STATUS_OK)
        status = geojson_read(reading, stream, kept ? kept : "", error);
    fclose(stream);
    return status;
}

// The layer as GeoJSON, in memory, which is then read as such a file.
static Status translate_layer(const Gdal *gdal, GdalHandle set, Reading *reading, Error *error) {
    GdalHandle layer;
    const char *system = "";
    Status status = find_layer(gdal, set, reading, &layer, error);
    if (status == STATUS_OK)
        status = layer_system(gdal, layer, &system, error);
    Arguments *arguments = status == STATUS_OK ? calloc(1, sizeof *arguments) : NULL;
    if (!arguments)
        return status == STATUS_OK ? fail(error, STATUS_MEMORY, "not enough memory for a file") : status;
    add_argument(arguments, "-f", "", "GeoJSON");
    add_argument(arguments, "-lco", "RFC7946", "NO");
    add_argument(arguments, "-nln", "", "read");
    char *name = arguments->texts[arguments->count];
    snprintf(name, ARGUMENT_MAX, "%s", gdal->OGR_L_GetName(layer));
    arguments->at[arguments->count++] = name;
    void *options = gdal->GDALVectorTranslateOptionsNew(arguments->at, NULL);
    GdalHandle to = options ? gdal->GDALVectorTranslate(GEOJSON_PATH, NULL, 1, &set, options, NULL) : NULL;
    if (options)
        gdal->GDALVectorTranslateOptionsFree(options);
    if (to)
        gdal->GDALClose(to);
    status = read_translated(gdal, reading, system, error);
    gdal->VSIUnlink(GEOJSON_PATH);
    free(arguments);
    return status;
}

Status read_vectors(Reading *reading, Error *error) {
    static const char *const drivers[] = { "GPKG", "ESRI Shapefile", "FlatGeobuf", NULL };
    char shown[GDAL_FILE_NAME];
    const Gdal *gdal = gdal_open(error);
    if (!gdal)
        return STATUS_FILE;
    Status status = gdal_files_show(gdal, reading->stream, reading->path, shown, error);
    if (status != STATUS_OK)
        return status;
    gdal_beside_show(reading->path, shown);
    gdal->CPLErrorReset();
    GdalHandle set = gdal->GDALOpenEx(shown, GDAL_OPEN_VECTOR, drivers, NULL, NULL);
    if (set)
        status = translate_layer(gdal, set, reading, error);
    else
        status = fail(
            error, STATUS_FILE, "cannot read '%.200s': it is no whole file of its format%s", reading->path,
            has_word("shp", path_ending(reading->path)) ? ", or its .shx or .dbf is not beside it" : "");
    if (set)
        gdal->GDALClose(set);
    gdal_files_hide(shown);
    return status;
}

// --- the files ---------------------------------------------------------------------------------------------

// Whether points have nothing but places and attributes: then files have no radius, species and variation.
static bool are_plain(const Points *points) {
    bool plain = points->attributes != NULL;
    for (int i = 0; plain && i < points->count; i++)
        plain = points->at[i].radius == 0 && points->at[i].species == 1 && points->at[i].variation == 0;
    return plain;
}

// The members of a point that Esker has itself, but for attributes of the same name. Returns whether none was
// written.
static bool put_own(const Points *points, const PlacePoint *point, double cell, FILE *stream) {
    const double numbers[] = { point->species, (double)point->radius * cell, (double)point->variation };
    static const char *const names[] = { "species", "radius", "variation" };
    bool first = true;
    for (int i = 0; i < 3; i++)
        if (attributes_find(points->attributes, names[i]) < 0) {
            fprintf(stream, "%s\"%s\":%.9g", first ? "" : ",", names[i], numbers[i]);
            first = false;
        }
    return first;
}

// A text in quotes where CSV needs them; with one more apostrophe where spreadsheets would compute it.
static void put_field(const char *text, FILE *stream) {
    double number;
    const char *guard = is_formula(text) && !is_number(text, &number) ? "'" : "";
    if (!strpbrk(text, ",\"\t\r\n")) {
        fprintf(stream, "%s%s", guard, text);
        return;
    }
    fprintf(stream, "\"%s", guard);
    for (; *text; text++)
        fputs(*text == '"' ? "\"\"" : (const char[]){ *text, '\0' }, stream);
    fputc('"', stream);
}

static void put_attribute(const Attributes *attributes, Attribute value, FILE *stream) {
    if (value.kind == ATTRIBUTE_NUMBER)
        fputs(digits_of(value.number).text, stream);
    else if (value.kind == ATTRIBUTE_FLAG)
        fputs(value.number != 0 ? "true" : "false", stream);
    else if (value.kind != ATTRIBUTE_NONE)
        put_field(attributes_text(attributes, value), stream);
}

static const char *const own_columns[] = { "radius", "species", "variation" };

// Whether the file has the column of Esker's own: an attribute of the same name stands for it.
static bool has_own(const Points *points, bool plain, int column) {
    return !plain && attributes_find(points->attributes, own_columns[column]) < 0;
}

// Whether an attribute has a column. One that is called as a place's coordinates has none: they were its own
// elsewhere, and a table has each name once.
static bool has_column(const Attributes *attributes, int column) {
    const char *name = attributes_name(attributes, column);
    return strcmp(name, "x") != 0 && strcmp(name, "y") != 0 && strcmp(name, "altitude") != 0;
}

// In cells, or where the points lie on the map.
static Status points_csv(const Writing *writing, Error *error) {
    (void)error;
    const Points *points = writing->value;
    const Attributes *attributes = points->attributes;
    FILE *stream = writing->stream;
    const bool placed = frame_is_set(&points->frame), plain = are_plain(points);
    const double cell = placed ? frame_cell(&points->frame) : 1;
    const int columns = attributes ? attributes->column_count : 0;
    fputs("x,y,altitude", stream);
    for (int i = 0; i < 3; i++)
        if (has_own(points, plain, i))
            fprintf(stream, ",%s", own_columns[i]);
    for (int i = 0; i < columns; i++)
        if (has_column(attributes, i)) {
            fputc(',', stream);
            put_field(attributes_name(attributes, i), stream);
        }
    fputc('\n', stream);
    for (int i = 0; i < points->count && !ferror(stream); i++) {
        const PlacePoint *point = &points->at[i];
        double place[2] = { point->x, point->y };
        if (placed)
            frame_locate(&points->frame, point->x, point->y, place);
        fprintf(stream, placed ? "%.15g,%.15g,%.9g" : "%.9g,%.9g,%.9g", place[0], place[1],
                (double)point->altitude);
        const double own[] = { (double)point->radius * cell, point->species, (double)point->variation };
        for (int k = 0; k < 3; k++)
            if (has_own(points, plain, k))
                fprintf(stream, ",%.9g", own[k]);
        for (int k = 0; k < columns; k++)
            if (has_column(attributes, k)) {
                fputc(',', stream);
                put_attribute(attributes, attributes_get(attributes, k, i), stream);
            }
        fputc('\n', stream);
    }
    return STATUS_OK;
}

Frame frame_in_json(const Frame *frame, int width, int height) {
    const double side = 1.0 / max(width, height);
    return frame_is_set(frame) ? *frame : (Frame){ .y = height * side, .right_x = side, .down_y = -side };
}

Status points_geojson(const Writing *writing, Error *error) {
    (void)error;
    const Points *points = writing->value;
    FILE *stream = writing->stream;
    const Frame frame = frame_in_json(&points->frame, points->width, points->height);
    const double cell = frame_cell(&frame);
    const bool plain = are_plain(points);
    geojson_begin(writing, &frame);
    for (int i = 0; i < points->count && !ferror(stream); i++) {
        const PlacePoint *point = &points->at[i];
        double place[2];
        frame_locate(&frame, point->x, point->y, place);
        fprintf(
            stream,
            "%s\n{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[%.15g,%.15g,%.9g]},"
            "\"properties\":{",
            i ? "," : "", place[0], place[1], (double)point->altitude);
        const bool none = plain || put_own(points, point, cell, stream);
        attributes_put_json(points->attributes, i, none, stream);
        fputs("}}", stream);
    }
    fputs("\n]}\n", stream);
    return STATUS_OK;
}

static void put_part(const Shapes *shapes, const ShapePart *part, const Frame *frame, FILE *stream) {
    fputc('[', stream);
    for (int i = part->first; i < part->first + part->count; i++) {
        double place[2];
        frame_locate(frame, shapes->points[i].x, shapes->points[i].y, place);
        fprintf(stream, "%s[%.15g,%.15g", i > part->first ? "," : "", place[0], place[1]);
        if (shapes->has_altitudes)
            fprintf(stream, ",%.9g", (double)shapes->points[i].altitude);
        fputc(']', stream);
    }
    fputc(']', stream);
}

// Of polygons a list for each outline with its holes.
static void put_parts(const Shapes *shapes, const Shape *shape, bool polygons, const Frame *frame,
                      FILE *stream) {
    for (int i = shape->first; i < shape->first + shape->count; i++) {
        const bool first = i == shape->first, begins = polygons && (first || !shapes->parts[i].hole);
        fputs(first ? "" : begins ? "]," : ",", stream);
        fputs(begins ? "[" : "", stream);
        put_part(shapes, &shapes->parts[i], frame, stream);
    }
    fputs(polygons ? "]" : "", stream);
}

Status shapes_geojson(const Writing *writing, Error *error) {
    (void)error;
    const Shapes *shapes = writing->value;
    FILE *stream = writing->stream;
    const bool polygons = writing->type == &type_polygons;
    const Frame frame = frame_in_json(&shapes->frame, shapes->width, shapes->height);
    geojson_begin(writing, &frame);
    for (int i = 0; i < shapes->count && !ferror(stream); i++) {
        const Shape *shape = &shapes->shapes[i];
        int outlines = 0;
        for (int k = shape->first; k < shape->first + shape->count; k++)
            outlines += !polygons || k == shape->first || !shapes->parts[k].hole;
        fprintf(stream, "%s\n{\"type\":\"Feature\",\"properties\":{", i ? "," : "");
        attributes_put_json(shapes->attributes, i, true, stream);
        fprintf(stream, "},\"geometry\":{\"type\":\"%s%s\",\"coordinates\":%s", outlines > 1 ? "Multi" : "",
                polygons ? "Polygon" : "LineString", outlines > 1 ? "[" : "");
        put_parts(shapes, shape, polygons, &frame, stream);
        fputs(outlines > 1 ? "]}}" : "}}", stream);
    }
    fputs("\n]}\n", stream);
    return STATUS_OK;
}

static Status shapes_svg(const Writing *writing, Error *error) {
    RiverNetwork *lines;
    if (!input_lines(&(Input){ .value = writing->value, .type = writing->type }, &lines, error))
        return STATUS_MEMORY;
    Writing drawing = *writing;
    drawing.value = lines;
    const Status status = write_svg(&drawing, error);
    memory_free(lines);
    return status;
}

// Dots of their radius, and their names.
static Status points_svg(const Writing *writing, Error *error) {
    RiverNetwork *dots;
    if (!input_lines(&(Input){ .value = writing->value, .type = &type_points }, &dots, error))
        return STATUS_MEMORY;
    dots->lines = false;
    Writing drawing = *writing;
    drawing.value = dots;
    write_open_svg(&drawing);
    const Status status = write_point_labels(writing->stream, writing->value, error);
    fputs("</svg>\n", writing->stream);
    memory_free(dots);
    return status;
}

const FileFormat format_geojson = {
    .name = "GeoJSON",
    .endings = "geojson",
    .media_type = "application/geo+json",
    .holds = { { &type_network, write_geojson },
               { &type_points, points_geojson },
               { &type_lines, shapes_geojson },
               { &type_polygons, shapes_geojson } },
    .read = read_geojson,
    .keeps = KEEPS_PLACE | KEEPS_TURN | KEEPS_EPSG,
    .numbers = "exact",
    .load_takes = "geometry system",
    .doc = "Points, lines or polygons with their attributes; its system is that of the ground. Rivers come "
           "back as lines",
};

const FileFormat format_shp = {
    .name = "Shapefile",
    .endings = "shp",
    .media_type = "application/octet-stream",
    .library = "GDAL",
    .holds = { { &type_points }, { &type_lines }, { &type_polygons } },
    .read = read_vectors,
    .keeps = KEEPS_PLACE | KEEPS_SYSTEM,
    .numbers = "exact",
    .load_takes = "geometry system",
    .doc = "Points, lines or polygons; .shx, .dbf and .prj lie beside it",
};

const FileFormat format_fgb = {
    .name = "FlatGeobuf",
    .endings = "fgb",
    .media_type = "application/octet-stream",
    .library = "GDAL",
    .holds = { { &type_points }, { &type_lines }, { &type_polygons } },
    .read = read_vectors,
    .keeps = KEEPS_PLACE | KEEPS_SYSTEM,
    .numbers = "exact",
    .load_takes = "geometry system",
    .doc = "Points, lines or polygons",
};

const FileFormat format_csv = {
    .name = "CSV",
    .endings = "csv",
    .media_type = "text/csv",
    .holds = { { &type_network, write_csv }, { &type_points, points_csv } },
    .read = read_csv,
    .keeps = KEEPS_PLACE | KEEPS_TURN | KEEPS_BESIDE,
    .numbers = "exact",
    .load_takes = "system",
    .doc = "A row for each point, with its coordinates in columns x and y, or lon and lat. Rivers come back "
           "as points",
};

const FileFormat format_svg = {
    .name = "SVG",
    .endings = "svg",
    .media_type = "image/svg+xml",
    .holds = { { &type_network, write_svg },
               { &type_points, points_svg },
               { &type_lines, shapes_svg },
               { &type_polygons, shapes_svg } },
    .numbers = "in pixels",
    .doc = "A drawing of lines, or of points as dots of their radius",
};
