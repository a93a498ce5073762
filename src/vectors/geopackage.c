// GeoPackages: tables that GDAL writes in memory.

#include "core/format.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "file/gdal.h"
#include "places/points.h"
#include "rivers/network_files.h"
#include "vectors/line_files.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define GEOPACKAGE_PATH "/vsimem/esker-lines.gpkg"

// What GeoPackage calls the srs_id -1. GeoJSON without a system is in degrees of WGS 84 for GDAL.
#define UNKNOWN_SYSTEM "LOCAL_CS[\"Undefined Cartesian SRS\"]"

enum { TABLE_NAME = 64 };

static Status failed(const Gdal *gdal, Error *error) {
    return fail(error, STATUS_FILE, "cannot write the GeoPackage: %.300s", gdal->CPLGetLastErrorMsg());
}

// Whether a table may not be called so: names of SQLite, GeoPackages and GDAL, and what reads as an option.
static bool is_reserved(const char *name) {
    return *name == '-' || strncasecmp(name, "gpkg", 4) == 0 || strncasecmp(name, "sql", 3) == 0 ||
           strncasecmp(name, "rtree_", 6) == 0 || strncasecmp(name, "ogr_", 4) == 0;
}

// What the table is called, as a file's name without folder and ending; "lines" and this where that is
// reserved.
static void table_name(const char *path, char name[TABLE_NAME]) {
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    snprintf(name, TABLE_NAME, "%s%s", is_reserved(file) ? "lines_" : "", file);
    char *dot = strrchr(name, '.');
    if (dot)
        *dot = '\0';
    if (!*name)
        snprintf(name, TABLE_NAME, "lines");
}

static Status copy_file(const Gdal *gdal, FILE *stream, Error *error) {
    unsigned long long size = 0;
    const void *bytes = gdal->VSIGetMemFileBuffer(GEOPACKAGE_PATH, &size, 0);
    if (!bytes)
        return failed(gdal, error);
    fwrite(bytes, 1, (size_t)size, stream); // whole_file_close detects write errors
    return STATUS_OK;
}

// --- from GeoJSON ------------------------------------------------------------------------------------------

static void collect(Arguments *arguments, const char *path, const Frame *frame, const Labels *labels) {
    char name[TABLE_NAME];
    table_name(path, name);
    add_argument(arguments, "-f", "", "GPKG");
    add_argument(arguments, "-nln", "", name);
    add_argument(arguments, "-a_srs", "", frame && frame->system ? frame->system : UNKNOWN_SYSTEM);
    for (int i = 0; labels && i < labels->count; i++) {
        char key[GDAL_KEY_MAX];
        gdal_key(labels->at[i].key, key);
        add_argument(arguments, "-mo", key, labels->at[i].value);
    }
}

static Status translate(const Gdal *gdal, Arguments *arguments, FILE *stream, Error *error) {
    GdalHandle from = gdal->GDALOpenEx(GEOJSON_PATH, GDAL_OPEN_VECTOR, NULL, NULL, NULL);
    void *options = gdal->GDALVectorTranslateOptionsNew(arguments->at, NULL);
    GdalHandle to = NULL;
    if (from && options)
        to = gdal->GDALVectorTranslate(GEOPACKAGE_PATH, NULL, 1, &from, options, NULL);
    if (to)
        gdal->GDALClose(to);
    if (options)
        gdal->GDALVectorTranslateOptionsFree(options);
    if (from)
        gdal->GDALClose(from);
    return to ? copy_file(gdal, stream, error) : failed(gdal, error);
}

// Writes the value whose GeoJSON this is; the table is called as the file.
static Status write_geopackage(const Writing *writing, char *geojson, size_t size, Error *error) {
    const Gdal *gdal = gdal_open(error);
    Arguments *arguments = gdal ? calloc(1, sizeof *arguments) : NULL;
    if (!arguments)
        return gdal ? fail(error, STATUS_MEMORY, "not enough memory for a file") : STATUS_FILE;
    collect(arguments, writing->path, value_frame(writing->type, writing->value), writing->labels);
    gdal->CPLErrorReset();
    void *file = gdal->VSIFileFromMemBuffer(GEOJSON_PATH, geojson, size, 0);
    if (file)
        gdal->VSIFCloseL(file);
    const Status status = translate(gdal, arguments, writing->stream, error);
    gdal->VSIUnlink(GEOJSON_PATH);
    gdal->VSIUnlink(GEOPACKAGE_PATH);
    free(arguments);
    return status;
}

static Status write_by_geojson(const Writing *writing, Error *error) {
    char *text = NULL;
    size_t size = 0;
    Writing inner = *writing;
    inner.stream = open_memstream(&text, &size);
    inner.labels = NULL;
    inner.notice = NULL;
    if (!inner.stream)
        return fail(error, STATUS_MEMORY, "not enough memory for a file");
    Status status = writing->type == &type_points    ? points_geojson(&inner, error)
                    : writing->type == &type_network ? write_geojson(&inner, error)
                                                     : shapes_geojson(&inner, error);
    if (fclose(inner.stream) != 0 && status == STATUS_OK)
        status = fail(error, STATUS_MEMORY, "not enough memory for a file");
    if (status == STATUS_OK)
        status = write_geopackage(writing, text, size, error);
    free(text);
    return status;
}

// --- tables ------------------------------------------------------------------------------------------------

// Lines and polygons with numbers and flags go into the table one by one. What GDAL makes of other
// attributes, texts that are dates, lists, columns of several kinds, is left to its reader of GeoJSON.

enum { FIELD_INTEGER = 0, FIELD_REAL = 2, FIELD_FLAG = 100 }; // OGRFieldType; integers of the subtype boolean
enum { SUBTYPE_FLAG = 1 };                                    // OFSTBoolean
enum { WKB_LINE = 2, WKB_POLYGON = 3, WKB_MULTI = 3, WKB_Z = 1000 };

typedef struct Table {
    const Gdal *gdal;
    GdalHandle set, layer;
    int geometry;         // its type in WKB
    unsigned char *bytes; // a geometry in WKB
    size_t size, room;
    bool no_memory;
} Table;

static void put(Table *table, const void *bytes, size_t size) {
    if (table->size + size > table->room) {
        Error error;
        const size_t room = 2 * table->room + size + 1024;
        unsigned char *grown = memory_enlarge(table->bytes, table->room, room, 1, &error);
        if (!grown) {
            table->no_memory = true;
            return;
        }
        table->bytes = grown;
        table->room = room;
    }
    memcpy(table->bytes + table->size, bytes, size);
    table->size += size;
}

static void put_number(Table *table, uint32_t number) {
    put(table, &number, sizeof number);
}

static void put_head(Table *table, int geometry) {
    const uint16_t one = 1;
    put(table, &one, 1); // the order of bytes: 1 on a machine where the lowest comes first
    put_number(table, (uint32_t)geometry);
}

static void put_place(Table *table, const double place[2], float altitude) {
    const double height = (double)altitude;
    put(table, place, 2 * sizeof *place);
    if (table->geometry > WKB_Z)
        put(table, &height, sizeof height);
}

// What GDAL's functions of simple features call such a geometry: with a bit for heights.
static int type_of(int geometry) {
    return geometry > WKB_Z ? (int)((unsigned)(geometry - WKB_Z) | 0x80000000U) : geometry;
}

static bool add_field(const Table *table, const char *name, int type) {
    const Gdal *gdal = table->gdal;
    GdalHandle field = gdal->OGR_Fld_Create(name, type == FIELD_FLAG ? FIELD_INTEGER : type);
    if (type == FIELD_FLAG)
        gdal->OGR_Fld_SetSubType(field, SUBTYPE_FLAG);
    const bool well = gdal->OGR_L_CreateField(table->layer, field, 1) == 0;
    gdal->OGR_Fld_Destroy(field);
    return well;
}

static bool table_open(Table *table, const Writing *writing) {
    const Gdal *gdal = table->gdal;
    const Frame *frame = value_frame(writing->type, writing->value);
    GdalHandle driver = gdal->GDALGetDriverByName("GPKG");
    table->set = driver ? gdal->GDALCreate(driver, GEOPACKAGE_PATH, 0, 0, 0, 0, NULL) : NULL;
    for (int i = 0; table->set && writing->labels && i < writing->labels->count; i++) {
        char key[GDAL_KEY_MAX];
        gdal_key(writing->labels->at[i].key, key);
        gdal->GDALSetMetadataItem(table->set, key, writing->labels->at[i].value, NULL);
    }
    GdalHandle system = gdal->OSRNewSpatialReference(NULL);
    if (table->set &&
        gdal->OSRSetFromUserInput(system, frame && frame->system ? frame->system : UNKNOWN_SYSTEM) == 0) {
        char name[TABLE_NAME];
        table_name(writing->path, name);
        gdal->OSRSetAxisMappingStrategy(system, 0);
        table->layer = gdal->GDALDatasetCreateLayer(table->set, name, system, type_of(table->geometry), NULL);
    }
    gdal->OSRRelease(system);
    return table->layer && gdal->GDALDatasetStartTransaction(table->set, 0) == 0;
}

static GdalHandle new_feature(const Table *table) {
    return table->gdal->OGR_F_Create(table->gdal->OGR_L_GetLayerDefn(table->layer));
}

// Adds the feature with the geometry whose bytes are there, and frees it.
static bool add_feature(Table *table, GdalHandle feature) {
    const Gdal *gdal = table->gdal;
    GdalHandle geometry = NULL;
    const bool well =
        !table->no_memory &&
        gdal->OGR_G_CreateFromWkb(table->bytes, NULL, &geometry, (int)min(table->size, INT_MAX)) == 0 &&
        gdal->OGR_F_SetGeometryDirectly(feature, geometry) == 0 &&
        gdal->OGR_L_CreateFeature(table->layer, feature) == 0;
    gdal->OGR_F_Destroy(feature);
    table->size = 0;
    return well;
}

// --- contours ----------------------------------------------------------------------------------------------

static bool add_contours(Table *table, const RiverNetwork *network) {
    const Gdal *gdal = table->gdal;
    bool well = add_field(table, "height", FIELD_REAL) && add_field(table, "order", FIELD_INTEGER) &&
                add_field(table, "closed", FIELD_FLAG);
    for (int i = 0; i < network->reach_count && well; i++) {
        const Reach *reach = &network->reaches[i];
        const RiverPoint *points = network->points + reach->first, *last = points + reach->count - 1;
        char height[32]; // as in GeoJSON
        snprintf(height, sizeof height, "%.7g", (double)points->altitude);
        GdalHandle feature = new_feature(table);
        gdal->OGR_F_SetFieldDouble(feature, 0, strtod(height, NULL));
        gdal->OGR_F_SetFieldInteger(feature, 1, reach->order);
        gdal->OGR_F_SetFieldInteger(feature, 2, points->x == last->x && points->y == last->y);
        put_head(table, table->geometry);
        put_number(table, (uint32_t)reach->count);
        for (int k = 0; k < reach->count; k++) {
            double place[2];
            network_locate(network, &points[k], place);
            put_place(table, place, points[k].altitude);
        }
        well = add_feature(table, feature);
    }
    return well;
}

// --- lines and polygons ------------------------------------------------------------------------------------

static bool begins_outline(const Shapes *shapes, const Shape *shape, int part, bool polygons) {
    return !polygons || part == shape->first || !shapes->parts[part].hole;
}

static int outlines_of(const Shapes *shapes, const Shape *shape, bool polygons) {
    int outlines = 0;
    for (int i = shape->first; i < shape->first + shape->count; i++)
        outlines += begins_outline(shapes, shape, i, polygons);
    return outlines;
}

// Whether the table has or may have another column of this name, for which case does not count.
static bool is_taken(const Attributes *attributes, int column) {
    const char *name = attributes_name(attributes, column);
    bool taken = strcasecmp(name, "fid") == 0 || strcasecmp(name, "geom") == 0;
    for (int i = 0; i < column && !taken; i++)
        taken = strcasecmp(name, attributes_name(attributes, i)) == 0;
    return taken;
}

// The type of a column of numbers or of flags; -1: another one, or an empty one.
static int type_of_column(const Shapes *shapes, int column) {
    int type = -1;
    if (is_taken(shapes->attributes, column))
        return type;
    for (int i = 0; i < shapes->count; i++) {
        const Attribute value = attributes_get(shapes->attributes, column, i);
        const bool is_whole = fabs(value.number) <= INT_MAX && value.number == (double)whole_64(value.number);
        const int own = value.kind == ATTRIBUTE_FLAG ? FIELD_FLAG : is_whole ? FIELD_INTEGER : FIELD_REAL;
        if (value.kind == ATTRIBUTE_NONE)
            continue;
        if (value.kind > ATTRIBUTE_FLAG || (type >= 0 && (type == FIELD_FLAG) != (own == FIELD_FLAG)))
            return -1;
        type = type == FIELD_REAL ? type : own;
    }
    return type;
}

// The type of all geometries in WKB; 0 where a table of simple columns cannot hold the shapes.
static int type_of_shapes(const Shapes *shapes, bool polygons) {
    const int columns = shapes->attributes ? shapes->attributes->column_count : 0;
    int several = 0;
    for (int i = 0; i < shapes->count; i++)
        several += outlines_of(shapes, &shapes->shapes[i], polygons) > 1;
    bool plain = shapes->count > 0 && (several == 0 || several == shapes->count);
    for (int i = 0; i < columns && plain; i++)
        plain = type_of_column(shapes, i) >= 0;
    const int type = (polygons ? WKB_POLYGON : WKB_LINE) + (several ? WKB_MULTI : 0);
    return plain ? type + (shapes->has_altitudes ? WKB_Z : 0) : 0;
}

static void put_part(Table *table, const Shapes *shapes, const ShapePart *part, const Frame *frame) {
    put_number(table, (uint32_t)part->count);
    for (int i = part->first; i < part->first + part->count; i++) {
        double place[2];
        frame_locate(frame, shapes->points[i].x, shapes->points[i].y, place);
        put_place(table, place, shapes->points[i].altitude);
    }
}

static void put_shape(Table *table, const Shapes *shapes, const Shape *shape, bool polygons,
                      const Frame *frame) {
    const int z = shapes->has_altitudes ? WKB_Z : 0, end = shape->first + shape->count;
    const bool several = outlines_of(shapes, shape, polygons) > 1;
    if (several) {
        put_head(table, table->geometry);
        put_number(table, (uint32_t)outlines_of(shapes, shape, polygons));
    }
    for (int i = shape->first; i < end;) {
        int rings = 1;
        while (i + rings < end && !begins_outline(shapes, shape, i + rings, polygons))
            rings++;
        put_head(table, (polygons ? WKB_POLYGON : WKB_LINE) + z);
        if (polygons)
            put_number(table, (uint32_t)rings);
        for (int k = 0; k < rings; k++)
            put_part(table, shapes, &shapes->parts[i + k], frame);
        i += rings;
    }
}

static void set_fields(const Table *table, GdalHandle feature, const Shapes *shapes, int row,
                       const int types[ATTRIBUTES_MAX]) {
    for (int k = 0; shapes->attributes && k < shapes->attributes->column_count; k++) {
        const Attribute value = attributes_get(shapes->attributes, k, row);
        if (value.kind == ATTRIBUTE_NONE)
            continue;
        if (types[k] == FIELD_REAL)
            table->gdal->OGR_F_SetFieldDouble(feature, k, value.number);
        else
            table->gdal->OGR_F_SetFieldInteger(feature, k, whole_int(value.number));
    }
}

static bool add_shapes(Table *table, const Shapes *shapes, bool polygons) {
    const Frame frame = frame_in_json(&shapes->frame, shapes->width, shapes->height);
    int types[ATTRIBUTES_MAX];
    bool well = true;
    for (int k = 0; shapes->attributes && k < shapes->attributes->column_count && well; k++) {
        types[k] = type_of_column(shapes, k);
        well = add_field(table, attributes_name(shapes->attributes, k), types[k]);
    }
    for (int i = 0; i < shapes->count && well; i++) {
        GdalHandle feature = new_feature(table);
        set_fields(table, feature, shapes, i, types);
        put_shape(table, shapes, &shapes->shapes[i], polygons, &frame);
        well = add_feature(table, feature);
    }
    return well;
}

// -----------------------------------------------------------------------------------------------------------

// The type of geometries that a table gets directly; 0: it is made of GeoJSON.
static int direct_type(const Writing *writing) {
    if (writing->type != &type_network)
        return writing->type == &type_points
                   ? 0
                   : type_of_shapes(writing->value, writing->type == &type_polygons);
    const RiverNetwork *network = writing->value;
    bool plain = network->lines && !network->planet && network->reach_count > 0;
    for (int i = 0; i < network->reach_count && plain; i++)
        plain = !(network->points[network->reaches[i].first].area > 0); // an outline
    return plain ? WKB_LINE + WKB_Z : 0;
}

static Status write_directly(const Writing *writing, int type, Error *error) {
    Table table = { .gdal = gdal_open(error), .geometry = type };
    const Gdal *gdal = table.gdal;
    if (!gdal)
        return STATUS_FILE;
    gdal->CPLErrorReset();
    bool well = table_open(&table, writing);
    if (well)
        well = writing->type == &type_network
                   ? add_contours(&table, writing->value)
                   : add_shapes(&table, writing->value, writing->type == &type_polygons);
    well = well && gdal->GDALDatasetCommitTransaction(table.set) == 0;
    Status status = well ? STATUS_OK : failed(gdal, error);
    if (table.set)
        gdal->GDALClose(table.set);
    if (table.no_memory)
        status = fail(error, STATUS_MEMORY, "not enough memory for a file");
    memory_free(table.bytes);
    if (status == STATUS_OK)
        status = copy_file(gdal, writing->stream, error);
    gdal->VSIUnlink(GEOPACKAGE_PATH);
    return status;
}

static Status write_gpkg(const Writing *writing, Error *error) {
    const int type = direct_type(writing);
    return type ? write_directly(writing, type, error) : write_by_geojson(writing, error);
}

const FileFormat format_gpkg = {
    .name = "GeoPackage",
    .endings = "gpkg",
    .media_type = "application/geopackage+sqlite3",
    .library = "GDAL",
    .holds = { { &type_network, write_gpkg },
               { &type_points, write_gpkg },
               { &type_lines, write_gpkg },
               { &type_polygons, write_gpkg } },
    .read = read_vectors,
    .keeps = KEEPS_PLACE | KEEPS_TURN | KEEPS_EPSG | KEEPS_SYSTEM,
    .numbers = "exact",
    .load_takes = "geometry system layer",
    .doc = "One table of points, lines or polygons, with the attributes of the GeoJSON",
};
