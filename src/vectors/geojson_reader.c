// GeoJSON (RFC 7946), read once from beginning to end: members come in any order, so the coordinates of a
// geometry are collected before its type is known. Nothing of the file is kept but shapes and attributes.

#include "vectors/geojson_reader.h"

#include "core/json_reader.h"
#include "core/math.h"
#include "places/points.h"

#include <math.h>
#include <string.h>

enum { DIMENSIONS = 3 };

static const char *const dimension_names[DIMENSIONS] = { "points", "lines", "polygons" };

typedef struct Parser {
    JsonReader json;           // the first member: place_of
    int feature;               // the number of the one that is read, from 1; 0: none
    Shapes *shapes, *geometry; // all; and the parts of the geometry that is read
    int leaf, ring;            // how deep its positions lie, or -1; how many rings the polygon has so far
    int dimension;             // of `shapes`: 0 points, 1 lines, 2 polygons; -1: not known yet
    int counts[DIMENSIONS], without; // features of each dimension, and without a geometry
    int beside[DIMENSIONS];          // geometries of a collection of which another dimension is read
    bool has_system, is_ours;        // it names a system, or says that there is none; Esker wrote it
    char system[40];
} Parser;

static void place_of(const JsonReader *json, char *place, size_t size) {
    const Parser *parser = (const Parser *)json;
    if (parser->feature)
        snprintf(place, size, "feature %d: ", parser->feature);
}

// --- coordinates -------------------------------------------------------------------------------------------

static void read_position(Parser *parser) {
    enum { COORDINATES = 3 };
    double at[COORDINATES] = { 0 };
    int count = 0;
    bool first = true;
    while (json_next_element(&parser->json, &first)) {
        const double number = json_read_number(&parser->json);
        if (count < COORDINATES)
            at[count] = number;
        count++;
    }
    if (json_is_well(&parser->json) && count < 2)
        json_broken(&parser->json, "a position has %d number", count);
    if (json_is_well(&parser->json) &&
        !(fabs(at[0]) <= 1e30 && fabs(at[1]) <= 1e30 && fabs(at[2]) <= HEIGHT_MAX))
        json_broken(&parser->json, "a position is out of range: %s, %s", digits_of(at[0]).text,
                    digits_of(at[1]).text);
    if (!json_is_well(&parser->json))
        return;
    parser->geometry->has_altitudes |= count > 2;
    json_note(&parser->json, shapes_add_point(parser->geometry, (ShapePoint){ at[0], at[1], (float)at[2] },
                                              parser->json.error));
}

enum { LEAF_MAX = 3 };

// A list that lies `level` lists deep: a position, or more lists. Those of positions are parts.
static void read_coordinates(Parser *parser, int level) {
    bool first = true;
    json_expect(&parser->json, '[', "'[' of coordinates");
    if (!json_is_well(&parser->json))
        return;
    if (json_begins_number(json_peek(&parser->json))) {
        if (parser->leaf >= 0 && parser->leaf != level)
            json_broken(&parser->json, "positions lie in lists of different depth");
        parser->leaf = level;
        read_position(parser);
        return;
    }
    if (level == LEAF_MAX && parser->json.next != ']')
        json_unexpected(&parser->json, "a position");
    while (json_next_element(&parser->json, &first)) {
        read_coordinates(parser, level + 1);
        if (parser->leaf == level + 3)
            parser->ring = 0;
    }
    if (json_is_well(&parser->json) && parser->leaf == level + 1)
        json_note(&parser->json, shapes_end_part(parser->geometry, parser->ring++ > 0, parser->json.error));
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
        json_broken(&parser->json, "a line has one position");
    if (dimension == 2 && part->count < 4)
        json_broken(&parser->json, "a ring of a polygon has %d positions; it takes at least 4", part->count);
    else if (dimension == 2 && !(first->x == last->x && first->y == last->y))
        json_broken(&parser->json, "a ring of a polygon does not end where it begins");
}

// Adds what was collected, if it is of the dimension that is read, and forgets it.
static void keep_geometry(Parser *parser, int dimension, int leaf) {
    Shapes *from = parser->geometry, *to = parser->shapes;
    if (parser->leaf == 0)
        json_note(&parser->json, shapes_end_part(from, false, parser->json.error));
    if (json_is_well(&parser->json) && parser->leaf >= 0 && parser->leaf != leaf)
        json_broken(&parser->json, "its coordinates do not fit its type");
    if (parser->dimension < 0 && from->part_count)
        parser->dimension = dimension;
    for (int i = 0; json_is_well(&parser->json) && i < from->part_count; i++) {
        const ShapePart *part = &from->parts[i];
        check_part(parser, part, dimension);
        if (dimension != parser->dimension)
            continue;
        for (int k = 0; json_is_well(&parser->json) && k < part->count; k++)
            json_note(&parser->json, shapes_add_point(to, from->points[part->first + k], parser->json.error));
        if (json_is_well(&parser->json))
            json_note(&parser->json, shapes_end_part(to, dimension == 2 && part->hole, parser->json.error));
    }
    to->has_altitudes |= from->has_altitudes;
}

// The dimension, or -1 for none and -2 for a collection.
static int read_geometry(Parser *parser, int depth);

static void read_geometries(Parser *parser, int depth, int *dimension) {
    bool first = true;
    json_expect(&parser->json, '[', "'[' of geometries");
    while (json_next_element(&parser->json, &first)) {
        const int found = read_geometry(parser, depth + 1);
        *dimension = *dimension < 0 || found == parser->dimension ? found : *dimension;
        if (found >= 0 && found != parser->dimension)
            parser->beside[found]++;
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
        json_broken(&parser->json, "a geometry of the unknown type '%.40s'", type);
    }
}

static int read_geometry(Parser *parser, int depth) {
    char type[40] = "", word[JSON_WORD_MAX];
    int dimension = -1;
    bool first = true;
    if (depth > JSON_DEPTH_MAX)
        json_broken(&parser->json, "geometries lie more than %d deep in each other", JSON_DEPTH_MAX);
    if (json_is_well(&parser->json) && json_peek(&parser->json) == 'n') {
        json_read_word(&parser->json, word);
        return -1;
    }
    drop_geometry(parser);
    json_expect(&parser->json, '{', "'{' of a geometry");
    while (json_next_key(&parser->json, &first)) {
        if (strcmp(parser->json.text, "type") == 0) {
            json_read_text(&parser->json);
            if (json_is_well(&parser->json))
                snprintf(type, sizeof type, "%s", parser->json.text);
        } else if (strcmp(parser->json.text, "coordinates") == 0) {
            if (parser->leaf >= 0)
                json_broken(&parser->json, "a geometry has coordinates twice");
            read_coordinates(parser, 0);
        } else if (strcmp(parser->json.text, "geometries") == 0) {
            read_geometries(parser, depth, &dimension);
            drop_geometry(parser);
        } else {
            json_skip(&parser->json, depth);
        }
    }
    if (json_is_well(&parser->json))
        finish_geometry(parser, type, &dimension);
    return dimension;
}

// --- features ----------------------------------------------------------------------------------------------

// The value of an attribute, into the row of the shape that is to come.
static void read_attribute(Parser *parser, const char *name, bool keeps) {
    Attributes *attributes = shapes_attributes(parser->shapes, parser->json.error);
    const int row = parser->shapes->count, next = json_peek(&parser->json);
    int column = 0;
    char word[JSON_WORD_MAX] = "";
    if (!attributes)
        parser->json.status = STATUS_MEMORY;
    else
        json_note(&parser->json, attributes_column(attributes, name, &column, parser->json.error));
    if (!json_is_well(&parser->json))
        return;
    Attribute value = { 0 };
    AttributeKind kind = ATTRIBUTE_NONE;
    if (next == '"') {
        kind = ATTRIBUTE_TEXT;
        json_read_text(&parser->json);
    } else if (next == '{' || next == '[') {
        kind = ATTRIBUTE_JSON;
        json_copy(&parser->json);
    } else if (json_begins_number(next)) {
        value = (Attribute){ .kind = ATTRIBUTE_NUMBER, .number = json_read_number(&parser->json) };
    } else {
        json_read_word(&parser->json, word);
        if (*word != 'n')
            value = (Attribute){ .kind = ATTRIBUTE_FLAG, .number = *word == 't' };
    }
    if (!json_is_well(&parser->json) ||
        (keeps && attributes_get(attributes, column, row).kind != ATTRIBUTE_NONE))
        return;
    json_note(&parser->json, kind == ATTRIBUTE_NONE
                                 ? attributes_set(attributes, column, row, value, parser->json.error)
                                 : attributes_set_text(attributes, column, row, kind, parser->json.text,
                                                       parser->json.error));
}

static void read_properties(Parser *parser) {
    char name[ATTRIBUTE_NAME_MAX + 2], word[JSON_WORD_MAX];
    bool first = true;
    if (json_is_well(&parser->json) && json_peek(&parser->json) == 'n') {
        json_read_word(&parser->json, word);
        return;
    }
    json_expect(&parser->json, '{', "'{' of properties");
    while (json_next_key(&parser->json, &first)) {
        snprintf(name, sizeof name, "%s", parser->json.text);
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
    if (!json_is_well(&parser->json))
        return;
    if (dimension >= 0)
        parser->counts[dimension]++;
    else
        parser->without++;
    json_note(&parser->json, shapes_end_shape(parser->shapes, parser->json.error));
    if (parser->shapes->count == before)
        drop_row(parser);
}

static void read_feature(Parser *parser) {
    int dimension = -1;
    bool first = true;
    parser->feature++;
    json_expect(&parser->json, '{', "'{' of a feature");
    while (json_next_key(&parser->json, &first)) {
        const int next = json_peek(&parser->json);
        if (strcmp(parser->json.text, "geometry") == 0)
            dimension = read_geometry(parser, 0);
        else if (strcmp(parser->json.text, "properties") == 0)
            read_properties(parser);
        else if (strcmp(parser->json.text, "id") == 0 && (next == '"' || json_begins_number(next)))
            read_attribute(parser, "id", true);
        else
            json_skip(&parser->json, 0);
    }
    finish_feature(parser, dimension);
}

// --- the file ----------------------------------------------------------------------------------------------

// "urn:ogc:def:crs:EPSG::26916", "EPSG:26916", "urn:ogc:def:crs:OGC:1.3:CRS84", or null for none.
static void read_system(Parser *parser) {
    char word[JSON_WORD_MAX];
    parser->has_system = true;
    if (json_peek(&parser->json) == 'n') {
        json_read_word(&parser->json, word);
        return;
    }
    json_copy(&parser->json);
    if (!json_is_well(&parser->json))
        return;
    const char *code = strstr(parser->json.text, "EPSG:");
    if (strstr(parser->json.text, "CRS84"))
        snprintf(parser->system, sizeof parser->system, "EPSG:4326");
    else if (code && (code = strpbrk(code, "0123456789")))
        snprintf(parser->system, sizeof parser->system, "EPSG:%.*s",
                 (int)min(strspn(code, "0123456789"), 9UL), code);
    else
        json_broken(&parser->json, "its coordinate system has no EPSG code: %.100s", parser->json.text);
}

static void read_top(Parser *parser) {
    char type[40] = "";
    int dimension = -1;
    bool first = true, has_features = false;
    json_expect(&parser->json, '{', "'{'");
    drop_geometry(parser);
    while (json_next_key(&parser->json, &first)) {
        const char *key = parser->json.text;
        if (strcmp(key, "features") == 0) {
            bool begins = true;
            has_features = true;
            json_expect(&parser->json, '[', "'[' of features");
            while (json_next_element(&parser->json, &begins))
                read_feature(parser);
            parser->feature = 0;
        } else if (strcmp(key, "type") == 0) {
            json_read_text(&parser->json);
            if (json_is_well(&parser->json))
                snprintf(type, sizeof type, "%s", parser->json.text);
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
            json_skip(&parser->json, 0);
        }
    }
    if (!json_is_well(&parser->json) || has_features)
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
    int counts[DIMENSIONS];
    for (int i = 0; i < DIMENSIONS; i++)
        counts[i] = parser->counts[i] + parser->beside[i];
    const bool mixed = (counts[0] > 0) + (counts[1] > 0) + (counts[2] > 0) > 1;
    if (reading->geometry == 0 && mixed)
        return fail(error, STATUS_FILE,
                    "'%.200s' has %d points, %d lines and %d polygons: geometry = \"%s\" reads one kind of "
                    "them",
                    reading->path, counts[0], counts[1], counts[2], dimension_names[parser->dimension]);
    if (parser->dimension < 0 || parser->counts[parser->dimension] == 0)
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
    Parser parser = { .shapes = shapes_new(error),
                      .geometry = shapes_new(error),
                      .dimension = reading->geometry - 1 };
    JsonReader *json = &parser.json;
    json_begin(json, stream, reading->path, error);
    json->place = place_of;
    if (!parser.shapes || !parser.geometry)
        json->status = STATUS_MEMORY;
    if (json_is_well(json))
        read_top(&parser);
    json_end(json);
    if (json_is_well(json))
        json->status = give(&parser, reading, system, &parser.shapes, error);
    shapes_free(parser.shapes);
    shapes_free(parser.geometry);
    return json->status;
}

Status read_geojson(Reading *reading, Error *error) {
    return geojson_read(reading, reading->stream, NULL, error);
}
