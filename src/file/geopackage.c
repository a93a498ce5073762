// GeoPackage: GeoJSON that GDAL translates, in memory.

#include "file/geopackage.h"

#include "file/gdal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

Status write_geopackage(const Writing *writing, char *geojson, size_t size, Error *error) {
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
