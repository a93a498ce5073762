// GeoJSON (RFC 7946), read once from beginning to end: members come in any order, so the coordinates of a
// geometry are collected before its type is known. Nothing of the file is kept but shapes and attributes.

#include "vectors/geojson_reader.h"

#include "core/math.h"
#include "core/memory.h"
#include "places/points.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, TEXT_MAX = 1 << 24, DIGITS_MAX = 400, DIMENSIONS = 3 };

static const char *const dimension_names[DIMENSIONS] = { "points", "lines", "polygons" };

typedef struct Parser {
    FILE *from;
    const char *path;
    Error *error;
    Status status; // of the first failure; nothing is read after it
    int next;      // the next byte, or EOF
    int feature;   // the number of the one that is read, from 1; 0: none
    char *text;    // the last string
    size_t length, room;
    Shapes *shapes, *geometry; // all; and the parts of the geometry that is read
    int leaf, ring;            // how deep its positions lie, or -1; how many rings the polygon has so far
    int dimension;             // of `shapes`: 0 points, 1 lines, 2 polygons; -1: not known yet
    int counts[DIMENSIONS], without; // features of each dimension, and without a geometry
    bool has_system, is_ours;        // it names a system, or says that there is none; Esker wrote it
    char system[40];
} Parser;

// --- tokens ------------------------------------------------------------------------------------------------

static void broken(Parser *parser, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void broken(Parser *parser, const char *format, ...) {
    char reason[200], place[40] = "";
    if (parser->status != STATUS_OK)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (parser->feature)
        snprintf(place, sizeof place, "feature %d: ", parser->feature);
    parser->status =
        fail(parser->error, STATUS_FILE, "cannot read '%.200s': %s%s", parser->path, place, reason);
}

static bool is_well(const Parser *parser) {
    return parser->status == STATUS_OK;
}

// The status of something that fills an error by itself.
static void note(Parser *parser, Status status) {
    if (status == STATUS_OK || !is_well(parser))
        return;
    if (status == STATUS_INVALID && parser->error) {
        const Error why = *parser->error;
        broken(parser, "%.190s", why.text);
    } else {
        parser->status = status;
    }
}

static void step(Parser *parser) {
    parser->next = getc_unlocked(parser->from); // a stream of this thread alone
}

// The next byte that is no space.
static int peek(Parser *parser) {
    while (parser->next == ' ' || parser->next == '\t' || parser->next == '\n' || parser->next == '\r')
        step(parser);
    return parser->next;
}

static void unexpected(Parser *parser, const char *wanted) {
    const int next = parser->next;
    if (next == EOF)
        broken(parser, "it ends where %s is expected", wanted);
    else if (next >= 32 && next < 127)
        broken(parser, "%s expected, got '%c'", wanted, next);
    else
        broken(parser, "%s expected, got the byte %d", wanted, next);
}

static bool take(Parser *parser, char wanted) {
    if (!is_well(parser) || peek(parser) != wanted)
        return false;
    step(parser);
    return true;
}

static void expect(Parser *parser, char wanted, const char *name) {
    if (is_well(parser) && !take(parser, wanted))
        unexpected(parser, name);
}

// After an element of a list or an object: whether another one follows. Takes the end.
static bool goes_on(Parser *parser, char end, const char *name) {
    if (take(parser, ','))
        return true;
    expect(parser, end, name);
    return false;
}

// Room for one more byte and the end of the text; nothing after a failure.
static bool has_room(Parser *parser) {
    if (!is_well(parser) || parser->length + 1 < parser->room)
        return is_well(parser);
    if (parser->room >= TEXT_MAX) {
        broken(parser, "a text is longer than %d bytes", TEXT_MAX);
        return false;
    }
    const size_t room = 2 * parser->room + 256;
    char *text = memory_enlarge(parser->text, parser->length, room, 1, parser->error);
    if (!text) {
        parser->status = STATUS_MEMORY;
        return false;
    }
    parser->text = text;
    parser->room = room;
    return true;
}

static void put_byte(Parser *parser, int byte) {
    if (!has_room(parser))
        return;
    parser->text[parser->length++] = (char)byte;
    parser->text[parser->length] = '\0';
}

static void begin_text(Parser *parser) {
    parser->length = 0;
    put_byte(parser, 0); // so that an empty text has a block
    parser->length = 0;
}

static unsigned read_hex(Parser *parser) {
    unsigned code = 0;
    for (int i = 0; i < 4 && is_well(parser); i++, step(parser)) {
        const int c = parser->next;
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            broken(parser, "\\u takes four hexadecimal digits");
        code = code * 16 + (unsigned)digit;
    }
    return code;
}

static void put_character(Parser *parser, unsigned code) {
    if (code < 0x80) {
        put_byte(parser, (int)code);
    } else if (code < 0x800) {
        put_byte(parser, (int)(0xc0 | code >> 6));
        put_byte(parser, (int)(0x80 | (code & 0x3f)));
    } else {
        if (code < 0x10000) {
            put_byte(parser, (int)(0xe0 | code >> 12));
        } else {
            put_byte(parser, (int)(0xf0 | code >> 18));
            put_byte(parser, (int)(0x80 | (code >> 12 & 0x3f)));
        }
        put_byte(parser, (int)(0x80 | (code >> 6 & 0x3f)));
        put_byte(parser, (int)(0x80 | (code & 0x3f)));
    }
}

static void read_escape(Parser *parser) {
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const int c = parser->next;
    const char *found = c > 0 ? strchr(names, c) : NULL;
    step(parser);
    if (found && *found) {
        put_byte(parser, meant[found - names]);
        return;
    }
    if (c != 'u') {
        broken(parser, "a text has an unknown escape");
        return;
    }
    unsigned code = read_hex(parser);
    if (code >= 0xd800 && code < 0xdc00) {
        const bool follows = is_well(parser) && parser->next == '\\';
        step(parser);
        const unsigned low = follows && parser->next == 'u' ? (step(parser), read_hex(parser)) : 0;
        code = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : 0;
    }
    if (code == 0 || (code >= 0xd800 && code < 0xe000))
        broken(parser, "a text has the character 0 or half a surrogate pair");
    else
        put_character(parser, code);
}

// Reads a string into `text`.
static void read_text(Parser *parser) {
    expect(parser, '"', "a text");
    begin_text(parser);
    while (is_well(parser) && parser->next != '"') {
        if (parser->next == '\\') {
            step(parser);
            read_escape(parser);
        } else if (parser->next < 32) { // EOF, too
            unexpected(parser, "the end of a text");
        } else {
            put_byte(parser, parser->next);
            step(parser);
        }
    }
    if (is_well(parser))
        step(parser);
}

static double read_number(Parser *parser) {
    char digits[DIGITS_MAX + 1];
    size_t count = 0;
    peek(parser);
    for (; count < DIGITS_MAX && parser->next > 0 && strchr("+-.0123456789eE", parser->next); step(parser))
        digits[count++] = (char)parser->next;
    digits[count] = '\0';
    char *end;
    const double number = strtod(digits, &end);
    if (count == 0)
        unexpected(parser, "a number");
    else if (*end || count == DIGITS_MAX || *digits == '+' || !isfinite(number))
        broken(parser, "'%.40s' is no number of JSON", digits);
    return number;
}

static bool begins_number(int next) {
    return next == '-' || (next >= '0' && next <= '9');
}

// true, false, null; the error names what else there is.
static void read_word(Parser *parser, char *word, size_t size) {
    size_t count = 0;
    for (; count + 1 < size && parser->next >= 'a' && parser->next <= 'z'; step(parser))
        word[count++] = (char)parser->next;
    word[count] = '\0';
    if (count == 0)
        unexpected(parser, "a value");
    else if (strcmp(word, "true") != 0 && strcmp(word, "false") != 0 && strcmp(word, "null") != 0)
        broken(parser, "'%s' is no value of JSON", word);
}

enum { WORD_MAX = 8 };

static void skip_value(Parser *parser, int depth);

// The next key of an object, into `text`; false at its end.
static bool next_key(Parser *parser, bool *first) {
    const bool more = *first ? !take(parser, '}') : goes_on(parser, '}', "'}'");
    *first = false;
    if (!more || !is_well(parser))
        return false;
    read_text(parser);
    expect(parser, ':', "':'");
    return is_well(parser);
}

static bool next_element(Parser *parser, bool *first) {
    const bool more = *first ? !take(parser, ']') : goes_on(parser, ']', "']'");
    *first = false;
    return more && is_well(parser);
}

static void skip_value(Parser *parser, int depth) {
    char word[WORD_MAX];
    const int next = peek(parser);
    bool first = true;
    if (depth > DEPTH_MAX)
        broken(parser, "lists and objects lie more than %d deep in each other", DEPTH_MAX);
    else if (take(parser, '{'))
        while (next_key(parser, &first))
            skip_value(parser, depth + 1);
    else if (take(parser, '['))
        while (next_element(parser, &first))
            skip_value(parser, depth + 1);
    else if (next == '"')
        read_text(parser);
    else if (begins_number(next))
        read_number(parser);
    else
        read_word(parser, word, sizeof word);
}

// Copies a list or an object into `text` as it stands, but for the spaces around its tokens.
static void copy_value(Parser *parser) {
    int depth = 0;
    bool in_text = false;
    begin_text(parser);
    do {
        const int c = in_text ? parser->next : peek(parser);
        if (c == EOF || (in_text && c < 32)) {
            unexpected(parser, "the end of a list or an object");
        } else {
            depth += !in_text && (c == '{' || c == '[');
            depth -= !in_text && (c == '}' || c == ']');
            in_text = (c == '"') != in_text;
            put_byte(parser, c);
            step(parser);
            if (in_text && c == '\\') {
                put_byte(parser, parser->next);
                step(parser);
            }
        }
        if (depth > DEPTH_MAX)
            broken(parser, "lists and objects lie more than %d deep in each other", DEPTH_MAX);
    } while (depth > 0 && is_well(parser));
}

// --- coordinates -------------------------------------------------------------------------------------------

static void read_position(Parser *parser) {
    enum { COORDINATES = 3 };
    double at[COORDINATES] = { 0 };
    int count = 0;
    bool first = true;
    while (next_element(parser, &first)) {
        const double number = read_number(parser);
        if (count < COORDINATES)
            at[count] = number;
        count++;
    }
    if (is_well(parser) && count < 2)
        broken(parser, "a position has %d number", count);
    if (is_well(parser) && !(fabs(at[0]) <= 1e30 && fabs(at[1]) <= 1e30 && fabs(at[2]) <= HEIGHT_MAX))
        broken(parser, "a position is out of range: %s, %s", digits_of(at[0]).text, digits_of(at[1]).text);
    if (!is_well(parser))
        return;
    parser->geometry->has_altitudes |= count > 2;
    note(parser,
         shapes_add_point(parser->geometry, (ShapePoint){ at[0], at[1], (float)at[2] }, parser->error));
}

enum { LEAF_MAX = 3 };

// A list that lies `level` lists deep: a position, or more lists. Those of positions are parts.
static void read_coordinates(Parser *parser, int level) {
    bool first = true;
    expect(parser, '[', "'[' of coordinates");
    if (!is_well(parser))
        return;
    if (begins_number(peek(parser))) {
        if (parser->leaf >= 0 && parser->leaf != level)
            broken(parser, "positions lie in lists of different depth");
        parser->leaf = level;
        read_position(parser);
        return;
    }
    if (level == LEAF_MAX && parser->next != ']')
        unexpected(parser, "a position");
    while (next_element(parser, &first)) {
        read_coordinates(parser, level + 1);
        if (parser->leaf == level + 3)
            parser->ring = 0;
    }
    if (is_well(parser) && parser->leaf == level + 1)
        note(parser, shapes_end_part(parser->geometry, parser->ring++ > 0, parser->error));
}

// --- geometries --------------------------------------------------------------------------------------------

static const struct {
    const char *name;
    int dimension, leaf;
} geometry_types[] = {
    { "Point", 0, 0 },           { "MultiPoint", 0, 1 }, { "LineString", 1, 1 },
    { "MultiLineString", 1, 2 }, { "Polygon", 2, 2 },    { "MultiPolygon", 2, 3 },
};

static void check_part(Parser *parser, const ShapePart *part, int dimension) {
    const ShapePoint *first = &parser->geometry->points[part->first], *last = first + part->count - 1;
    if (dimension == 1 && part->count < 2)
        broken(parser, "a line has one position");
    if (dimension == 2 && part->count < 4)
        broken(parser, "a ring of a polygon has %d positions; it takes at least 4", part->count);
    else if (dimension == 2 && !(first->x == last->x && first->y == last->y))
        broken(parser, "a ring of a polygon does not end where it begins");
}

// Adds what was collected, if it is of the dimension that is read, and forgets it.
static void keep_geometry(Parser *parser, int dimension, int leaf) {
    Shapes *from = parser->geometry, *to = parser->shapes;
    if (parser->leaf == 0)
        note(parser, shapes_end_part(from, false, parser->error));
    if (is_well(parser) && parser->leaf >= 0 && parser->leaf != leaf)
        broken(parser, "its coordinates do not fit its type");
    if (parser->dimension < 0 && from->part_count)
        parser->dimension = dimension;
    for (int i = 0; is_well(parser) && i < from->part_count; i++) {
        const ShapePart *part = &from->parts[i];
        check_part(parser, part, dimension);
        if (dimension != parser->dimension)
            continue;
        for (int k = 0; is_well(parser) && k < part->count; k++)
            note(parser, shapes_add_point(to, from->points[part->first + k], parser->error));
        if (is_well(parser))
            note(parser, shapes_end_part(to, dimension == 2 && part->hole, parser->error));
    }
    to->has_altitudes |= from->has_altitudes;
}

// The dimension, or -1 for none and -2 for a collection.
static int read_geometry(Parser *parser, int depth);

static void read_geometries(Parser *parser, int depth, int *dimension) {
    bool first = true;
    expect(parser, '[', "'[' of geometries");
    while (next_element(parser, &first)) {
        const int found = read_geometry(parser, depth + 1);
        *dimension = *dimension < 0 || found == parser->dimension ? found : *dimension;
    }
}

static void drop_geometry(Parser *parser) {
    Shapes *geometry = parser->geometry;
    geometry->part_count = geometry->point_count = 0;
    geometry->has_altitudes = false;
    parser->leaf = -1;
    parser->ring = 0;
}

// Which of geometry_types a name is; -1: none.
static int find_geometry(const char *name) {
    for (int i = 0; i < (int)(sizeof geometry_types / sizeof *geometry_types); i++)
        if (strcmp(name, geometry_types[i].name) == 0)
            return i;
    return -1;
}

static void finish_geometry(Parser *parser, const char *type, int *dimension) {
    const int kind = find_geometry(type);
    if (kind >= 0) {
        keep_geometry(parser, geometry_types[kind].dimension, geometry_types[kind].leaf);
        *dimension = parser->leaf >= 0 ? geometry_types[kind].dimension : -1;
    } else if (strcmp(type, "GeometryCollection") != 0) {
        broken(parser, "a geometry of the unknown type '%.40s'", type);
    }
}

static int read_geometry(Parser *parser, int depth) {
    char type[40] = "", word[WORD_MAX];
    int dimension = -1;
    bool first = true;
    if (depth > DEPTH_MAX)
        broken(parser, "geometries lie more than %d deep in each other", DEPTH_MAX);
    if (is_well(parser) && peek(parser) == 'n') {
        read_word(parser, word, sizeof word);
        return -1;
    }
    drop_geometry(parser);
    expect(parser, '{', "'{' of a geometry");
    while (next_key(parser, &first)) {
        if (strcmp(parser->text, "type") == 0) {
            read_text(parser);
            if (is_well(parser))
                snprintf(type, sizeof type, "%s", parser->text);
        } else if (strcmp(parser->text, "coordinates") == 0) {
            if (parser->leaf >= 0)
                broken(parser, "a geometry has coordinates twice");
            read_coordinates(parser, 0);
        } else if (strcmp(parser->text, "geometries") == 0) {
            read_geometries(parser, depth, &dimension);
            drop_geometry(parser);
        } else {
            skip_value(parser, depth);
        }
    }
    if (is_well(parser))
        finish_geometry(parser, type, &dimension);
    return dimension;
}

// --- features ----------------------------------------------------------------------------------------------

// The value of an attribute, into the row of the shape that is to come.
static void read_attribute(Parser *parser, const char *name, bool keeps) {
    Attributes *attributes = shapes_attributes(parser->shapes, parser->error);
    const int row = parser->shapes->count, next = peek(parser);
    int column = 0;
    char word[WORD_MAX] = "";
    if (!attributes)
        parser->status = STATUS_MEMORY;
    else
        note(parser, attributes_column(attributes, name, &column, parser->error));
    if (!is_well(parser))
        return;
    Attribute value = { 0 };
    AttributeKind kind = ATTRIBUTE_NONE;
    if (next == '"') {
        kind = ATTRIBUTE_TEXT;
        read_text(parser);
    } else if (next == '{' || next == '[') {
        kind = ATTRIBUTE_JSON;
        copy_value(parser);
    } else if (begins_number(next)) {
        value = (Attribute){ .kind = ATTRIBUTE_NUMBER, .number = read_number(parser) };
    } else {
        read_word(parser, word, sizeof word);
        if (*word != 'n')
            value = (Attribute){ .kind = ATTRIBUTE_FLAG, .number = *word == 't' };
    }
    if (!is_well(parser) || (keeps && attributes_get(attributes, column, row).kind != ATTRIBUTE_NONE))
        return;
    note(parser, kind == ATTRIBUTE_NONE
                     ? attributes_set(attributes, column, row, value, parser->error)
                     : attributes_set_text(attributes, column, row, kind, parser->text, parser->error));
}

static void read_properties(Parser *parser) {
    char name[ATTRIBUTE_NAME_MAX + 2], word[WORD_MAX];
    bool first = true;
    if (is_well(parser) && peek(parser) == 'n') {
        read_word(parser, word, sizeof word);
        return;
    }
    expect(parser, '{', "'{' of properties");
    while (next_key(parser, &first)) {
        snprintf(name, sizeof name, "%s", parser->text);
        read_attribute(parser, name, false);
    }
}

// Forgets the attributes of a feature that is not kept.
static void drop_row(Parser *parser) {
    Attributes *attributes = parser->shapes->attributes;
    for (int i = 0; attributes && i < attributes->column_count; i++)
        attributes->columns[i].count = min(attributes->columns[i].count, parser->shapes->count);
}

static void finish_feature(Parser *parser, int dimension) {
    const int before = parser->shapes->count;
    if (!is_well(parser))
        return;
    if (dimension >= 0)
        parser->counts[dimension]++;
    else
        parser->without++;
    note(parser, shapes_end_shape(parser->shapes, parser->error));
    if (parser->shapes->count == before)
        drop_row(parser);
}

static void read_feature(Parser *parser) {
    int dimension = -1;
    bool first = true;
    parser->feature++;
    expect(parser, '{', "'{' of a feature");
    while (next_key(parser, &first)) {
        const int next = peek(parser);
        if (strcmp(parser->text, "geometry") == 0)
            dimension = read_geometry(parser, 0);
        else if (strcmp(parser->text, "properties") == 0)
            read_properties(parser);
        else if (strcmp(parser->text, "id") == 0 && (next == '"' || begins_number(next)))
            read_attribute(parser, "id", true);
        else
            skip_value(parser, 0);
    }
    finish_feature(parser, dimension);
}

// --- the file ----------------------------------------------------------------------------------------------

// "urn:ogc:def:crs:EPSG::26916", "EPSG:26916", "urn:ogc:def:crs:OGC:1.3:CRS84", or null for none.
static void read_system(Parser *parser) {
    char word[WORD_MAX];
    parser->has_system = true;
    if (peek(parser) == 'n') {
        read_word(parser, word, sizeof word);
        return;
    }
    copy_value(parser);
    if (!is_well(parser))
        return;
    const char *code = strstr(parser->text, "EPSG:");
    if (strstr(parser->text, "CRS84"))
        snprintf(parser->system, sizeof parser->system, "EPSG:4326");
    else if (code && (code = strpbrk(code, "0123456789")))
        snprintf(parser->system, sizeof parser->system, "EPSG:%.*s",
                 (int)min(strspn(code, "0123456789"), 9UL), code);
    else
        broken(parser, "its coordinate system has no EPSG code: %.100s", parser->text);
}

static void read_top(Parser *parser) {
    char type[40] = "";
    int dimension = -1;
    bool first = true, has_features = false;
    expect(parser, '{', "'{'");
    drop_geometry(parser);
    while (next_key(parser, &first)) {
        const char *key = parser->text;
        if (strcmp(key, "features") == 0) {
            bool begins = true;
            has_features = true;
            expect(parser, '[', "'[' of features");
            while (next_element(parser, &begins))
                read_feature(parser);
            parser->feature = 0;
        } else if (strcmp(key, "type") == 0) {
            read_text(parser);
            if (is_well(parser))
                snprintf(type, sizeof type, "%s", parser->text);
        } else if (strcmp(key, "crs") == 0) {
            read_system(parser);
        } else if (strcmp(key, "coordinates") == 0) {
            read_coordinates(parser, 0);
        } else if (strcmp(key, "geometries") == 0) {
            read_geometries(parser, 0, &dimension);
        } else if (strcmp(key, "geometry") == 0) {
            dimension = read_geometry(parser, 0);
        } else if (strcmp(key, "properties") == 0) {
            read_properties(parser);
        } else {
            parser->is_ours |= strcmp(key, "recipe") == 0;
            skip_value(parser, 0);
        }
    }
    if (!is_well(parser) || has_features)
        return;
    if (strcmp(type, "Feature") != 0)
        finish_geometry(parser, type, &dimension);
    finish_feature(parser, dimension);
}

// Whether all coordinates can be degrees.
static bool fits_degrees(const Shapes *shapes) {
    for (int i = 0; i < shapes->point_count; i++)
        if (!(fabs(shapes->points[i].x) <= 180 && fabs(shapes->points[i].y) <= 90))
            return false;
    return true;
}

// Without a member "crs" coordinates are degrees of WGS 84 (RFC 7946, section 4), unless they cannot be, or
// Esker wrote the file: then there was no system.
static const char *system_of(const Parser *parser, const Reading *reading) {
    const char *given = reading->system ? reading->system : "";
    const char *name = parser->has_system                                 ? parser->system
                       : *given                                           ? given
                       : !parser->is_ours && fits_degrees(parser->shapes) ? "EPSG:4326"
                                                                          : "";
    const char *kept = NULL;
    if (!*name && !parser->has_system)
        tell(reading->notice,
             "'%.200s' names no coordinate system, and its coordinates are taken for those of the field that "
             "it is used with (system = \"EPSG:…\")",
             reading->path);
    frame_text(name, FRAME_SYSTEM_MAX, &kept, NULL);
    return kept;
}

static Status refuse_mixture(const Parser *parser, const Reading *reading, Error *error) {
    const int *counts = parser->counts;
    const bool mixed = (counts[0] > 0) + (counts[1] > 0) + (counts[2] > 0) > 1;
    if (reading->geometry == 0 && mixed)
        return fail(error, STATUS_FILE,
                    "'%.200s' has %d points, %d lines and %d polygons: geometry = \"%s\" reads one kind of "
                    "them",
                    reading->path, counts[0], counts[1], counts[2], dimension_names[parser->dimension]);
    if (parser->dimension < 0 || counts[parser->dimension] == 0)
        return fail(error, STATUS_FILE, "'%.200s' has no %s", reading->path,
                    reading->geometry == 0 ? "points, lines or polygons"
                                           : dimension_names[reading->geometry - 1]);
    if (parser->without)
        tell(reading->notice, "'%.200s': %d without a place were left out", reading->path, parser->without);
    return STATUS_OK;
}

static Status check_polygons(const Shapes *shapes, const char *path, Error *error) {
    for (int i = 0; i < shapes->count; i++) {
        Error why;
        const Status status = shapes_check_crossings(shapes, &shapes->shapes[i], &why);
        if (status == STATUS_INVALID)
            return fail(error, STATUS_FILE,
                        "cannot read '%.200s': polygon %d: %.150s; ogr2ogr -makevalid mends it", path, i + 1,
                        why.text);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

// Gives the value to `reading`, and leaves `*shapes` NULL where it is the value.
static Status give(const Parser *parser, Reading *reading, const char *system, Shapes **shapes,
                   Error *error) {
    Status status = refuse_mixture(parser, reading, error);
    if (status != STATUS_OK)
        return status;
    shapes_place(*shapes, system ? system : system_of(parser, reading));
    if (parser->dimension == 0) {
        Points *points;
        status = points_of_shapes(*shapes, &points, error);
        reading->type = &type_points;
        reading->value = points;
        return status;
    }
    if (parser->dimension == 2)
        status = check_polygons(*shapes, reading->path, error);
    if (status == STATUS_OK) {
        reading->type = parser->dimension == 1 ? &type_lines : &type_polygons;
        reading->value = *shapes;
        *shapes = NULL;
    }
    return status;
}

Status geojson_read(Reading *reading, FILE *stream, const char *system, Error *error) {
    Error unused = { 0 };
    Parser parser = { .from = stream,
                      .path = reading->path,
                      .error = error ? error : &unused,
                      .shapes = shapes_new(error),
                      .geometry = shapes_new(error),
                      .dimension = reading->geometry - 1 };
    if (!parser.shapes || !parser.geometry)
        parser.status = STATUS_MEMORY;
    step(&parser);
    if (is_well(&parser) && parser.next == 0xef) // the byte order mark of UTF-8
        for (int i = 0; i < 3; i++)
            step(&parser);
    if (is_well(&parser))
        read_top(&parser);
    if (is_well(&parser) && peek(&parser) != EOF)
        unexpected(&parser, "the end");
    if (is_well(&parser))
        parser.status = give(&parser, reading, system, &parser.shapes, error);
    shapes_free(parser.shapes);
    shapes_free(parser.geometry);
    memory_free(parser.text);
    return parser.status;
}

Status read_geojson(Reading *reading, Error *error) {
    return geojson_read(reading, reading->stream, NULL, error);
}
