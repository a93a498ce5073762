// Files of lines and points. CSV has a row for each point, in map coordinates, or without a frame in cells
// from the upper left corner. GeoJSON of points has the coordinates of networks: those of its frame, or N,
// the longer side, y upwards.

#include "core/format.h"
#include "core/math.h"
#include "core/memory.h"
#include "file/gdal.h"
#include "places/points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// --- GeoPackages -------------------------------------------------------------------------------------------

// GeoPackages, which GDAL makes of GeoJSON.
// GeoPackage: GeoJSON that GDAL translates, in memory.

#define GEOJSON_PATH "/vsimem/esker-lines.geojson"
#define GEOPACKAGE_PATH "/vsimem/esker-lines.gpkg"

// What GeoPackage calls the srs_id -1. GeoJSON without a system is in degrees of WGS 84 for GDAL.
#define UNKNOWN_SYSTEM "LOCAL_CS[\"Undefined Cartesian SRS\"]"

enum { ARGUMENTS_MAX = 80, ARGUMENT_MAX = 4096 };

// As those of ogr2ogr.
typedef struct Arguments {
    int count;
    char *at[ARGUMENTS_MAX + 1];
    char texts[ARGUMENTS_MAX][ARGUMENT_MAX];
} Arguments;

static Status failed(const Gdal *gdal, Error *error) {
    return fail(error, STATUS_FILE, "cannot write the GeoPackage: %.300s", gdal->CPLGetLastErrorMsg());
}

static void add(Arguments *arguments, const char *option, const char *key, const char *value) {
    if (arguments->count + 2 > ARGUMENTS_MAX)
        return;
    char *text = arguments->texts[arguments->count];
    snprintf(text, ARGUMENT_MAX, "%s", option);
    arguments->at[arguments->count++] = text;
    text = arguments->texts[arguments->count];
    snprintf(text, ARGUMENT_MAX, "%s%s%s", key, *key ? "=" : "", value);
    arguments->at[arguments->count++] = text;
}

// Whether a table may not be called so: names of SQLite and of GeoPackages, and what reads as an option.
static bool is_reserved(const char *name) {
    return *name == '-' || strncasecmp(name, "gpkg", 4) == 0 || strncasecmp(name, "sql", 3) == 0 ||
           strncasecmp(name, "rtree_", 6) == 0;
}

// What the table is called, as a file's name without folder and ending; "lines" and this where that is
// reserved.
static void add_layer(Arguments *arguments, const char *path) {
    char name[64];
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    snprintf(name, sizeof name, "%s%s", is_reserved(file) ? "lines_" : "", file);
    char *dot = strrchr(name, '.');
    if (dot)
        *dot = '\0';
    add(arguments, "-nln", "", *name ? name : "lines");
}

static void collect(Arguments *arguments, const char *path, const Frame *frame, const Labels *labels) {
    add(arguments, "-f", "", "GPKG");
    add_layer(arguments, path);
    add(arguments, "-a_srs", "", frame && frame->system ? frame->system : UNKNOWN_SYSTEM);
    for (int i = 0; labels && i < labels->count; i++) {
        char key[GDAL_KEY_MAX];
        gdal_key(labels->at[i].key, key);
        add(arguments, "-mo", key, labels->at[i].value);
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
    unsigned long long size = 0;
    const void *bytes = to ? gdal->VSIGetMemFileBuffer(GEOPACKAGE_PATH, &size, 0) : NULL;
    if (!bytes)
        return failed(gdal, error);
    fwrite(bytes, 1, size, stream); // whole_file_close detects write errors
    return STATUS_OK;
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

// --- the files ---------------------------------------------------------------------------------------------

// In cells, or where the points lie on the map.
static Status points_csv(const Writing *writing, Error *error) {
    (void)error;
    const Points *points = writing->value;
    FILE *stream = writing->stream;
    const bool placed = frame_is_set(&points->frame);
    const double cell = placed ? frame_cell(&points->frame) : 1;
    fputs("x,y,altitude,radius,species,variation\n", stream);
    for (int i = 0; i < points->count && !ferror(stream); i++) {
        const PlacePoint *point = &points->at[i];
        double place[2] = { point->x, point->y };
        if (placed)
            frame_locate(&points->frame, point->x, point->y, place);
        fprintf(stream, placed ? "%.17g,%.17g,%.9g,%.9g,%d,%.9g\n" : "%.9g,%.9g,%.9g,%.9g,%d,%.9g\n",
                place[0], place[1], (double)point->altitude, (double)point->radius * cell, point->species,
                (double)point->variation);
    }
    return STATUS_OK;
}

static Status points_geojson(const Writing *writing, Error *error) {
    (void)error;
    const Points *points = writing->value;
    FILE *stream = writing->stream;
    Frame frame = points->frame;
    if (!frame_is_set(&frame)) {
        const double side = 1.0 / max(points->width, points->height);
        frame = (Frame){ .y = points->height * side, .right_x = side, .down_y = -side };
    }
    const double cell = frame_cell(&frame);
    geojson_begin(writing, &frame);
    for (int i = 0; i < points->count && !ferror(stream); i++) {
        const PlacePoint *point = &points->at[i];
        double place[2];
        frame_locate(&frame, point->x, point->y, place);
        fprintf(
            stream,
            "%s\n{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[%.17g,%.17g,%.9g]},"
            "\"properties\":{\"species\":%d,\"radius\":%.9g,\"variation\":%.9g}}",
            i ? "," : "", place[0], place[1], (double)point->altitude, point->species,
            (double)point->radius * cell, (double)point->variation);
    }
    fputs("\n]}\n", stream);
    return STATUS_OK;
}

// Dots of their radius.
static Status points_svg(const Writing *writing, Error *error) {
    RiverNetwork *dots;
    if (!input_lines(&(Input){ .value = writing->value, .type = &type_points }, &dots, error))
        return STATUS_MEMORY;
    dots->lines = false;
    Writing drawing = *writing;
    drawing.value = dots;
    const Status status = write_svg(&drawing, error);
    memory_free(dots);
    return status;
}

// GeoJSON, which GDAL makes into a GeoPackage.
static Status write_gpkg(const Writing *writing, Error *error) {
    char *text = NULL;
    size_t size = 0;
    Writing inner = *writing;
    inner.stream = open_memstream(&text, &size);
    inner.labels = NULL;
    inner.notice = NULL;
    if (!inner.stream)
        return fail(error, STATUS_MEMORY, "not enough memory for a file");
    Status status =
        writing->type == &type_points ? points_geojson(&inner, error) : write_geojson(&inner, error);
    if (fclose(inner.stream) != 0 && status == STATUS_OK)
        status = fail(error, STATUS_MEMORY, "not enough memory for a file");
    if (status == STATUS_OK)
        status = write_geopackage(writing, text, size, error);
    free(text);
    return status;
}

const FileFormat format_geojson = {
    .name = "GeoJSON",
    .endings = "geojson",
    .media_type = "application/geo+json",
    .holds = { { &type_network, write_geojson }, { &type_points, points_geojson } },
    .keeps = KEEPS_PLACE | KEEPS_TURN | KEEPS_EPSG,
    .numbers = "exact",
    .doc = "Lines or points with their attributes; its system is that of the ground",
};

const FileFormat format_gpkg = {
    .name = "GeoPackage",
    .endings = "gpkg",
    .media_type = "application/geopackage+sqlite3",
    .library = "GDAL",
    .holds = { { &type_network, write_gpkg }, { &type_points, write_gpkg } },
    .keeps = KEEPS_PLACE | KEEPS_TURN | KEEPS_EPSG | KEEPS_SYSTEM,
    .numbers = "exact",
    .doc = "One table of lines or points, with the attributes of the GeoJSON",
};

const FileFormat format_csv = {
    .name = "CSV",
    .endings = "csv",
    .media_type = "text/csv",
    .holds = { { &type_network, write_csv }, { &type_points, points_csv } },
    .keeps = KEEPS_PLACE | KEEPS_TURN | KEEPS_BESIDE,
    .numbers = "exact",
    .doc = "A row for each point",
};

const FileFormat format_svg = {
    .name = "SVG",
    .endings = "svg",
    .media_type = "image/svg+xml",
    .holds = { { &type_network, write_svg }, { &type_points, points_svg } },
    .numbers = "in pixels",
    .doc = "A drawing of lines, or of points as dots of their radius",
};
