// Coordinate systems by GDAL and PROJ: their names, the .prj that ESRI's formats have beside them, frames as
// users write them, and what systems are on the ground (core/earth.h).

#include "file/coordinate_systems.h"

#include "core/elementary.h"
#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "file/access.h"
#include "file/gdal.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// "EPSG:26916+5703": the first on the ground, the second of heights.
static int import_codes(const Gdal *gdal, GdalHandle system, const char *name) {
    const char *second = strchr(name, '+');
    if (!second)
        return gdal->OSRImportFromEPSG(system, atoi(name + 5));
    GdalHandle ground = gdal->OSRNewSpatialReference(NULL), heights = gdal->OSRNewSpatialReference(NULL);
    int outcome = gdal->OSRImportFromEPSG(ground, atoi(name + 5));
    if (outcome == 0)
        outcome = gdal->OSRImportFromEPSG(heights, atoi(second + 1));
    if (outcome == 0)
        outcome = gdal->OSRSetCompoundCS(system, name, ground, heights);
    gdal->OSRRelease(ground);
    gdal->OSRRelease(heights);
    return outcome;
}

// The system of a frame: "EPSG:26916", "EPSG:26916+5703" or WKT; freed by OSRRelease. NULL: GDAL does not
// know it.
static GdalHandle system_open(const Gdal *gdal, const char *name) {
    GdalHandle system = gdal->OSRNewSpatialReference(NULL);
    char *text = (char *)name; // only read
    const int outcome = strncasecmp(name, "EPSG:", 5) == 0 ? import_codes(gdal, system, name)
                                                           : gdal->OSRImportFromWkt(system, &text);
    if (outcome == 0)
        return system;
    gdal->OSRRelease(system);
    return NULL;
}

// The number of a system, or the part of it that is called `part`, in the EPSG's list, or 0.
static int code_of(const Gdal *gdal, GdalHandle system, const char *part) {
    const char *authority = gdal->OSRGetAuthorityName(system, part),
               *code = gdal->OSRGetAuthorityCode(system, part);
    return authority && code && strcmp(authority, "EPSG") == 0 ? atoi(code) : 0;
}

// The EPSG code of a system that differs in names only, such as ESRI's; 0: none.
static int code_of_match(const Gdal *gdal, GdalHandle system) {
    enum { SAME = 90 };
    int count = 0, *sureness = NULL;
    GdalHandle *matches = gdal->OSRFindMatches(system, NULL, &count, &sureness);
    const int code = matches && count > 0 && sureness[0] >= SAME ? code_of(gdal, matches[0], NULL) : 0;
    if (matches)
        gdal->OSRFreeSRSArray(matches);
    gdal->VSIFree(sureness);
    return code;
}

Status system_name(const Gdal *gdal, const char *wkt, const char **kept, Error *error) {
    *kept = NULL;
    if (!wkt || !*wkt)
        return STATUS_OK;
    GdalHandle system = gdal->OSRNewSpatialReference(wkt);
    gdal->OSRMorphFromESRI(system);
    const int vertical = gdal->OSRIsCompound(system) ? code_of(gdal, system, "VERT_CS") : 0;
    if (vertical)
        gdal->OSRStripVertical(system);
    gdal->OSRAutoIdentifyEPSG(system);
    int code = code_of(gdal, system, NULL);
    if (!code)
        code = code_of_match(gdal, system);
    char name[40];
    snprintf(name, sizeof name, vertical ? "EPSG:%d+%d" : "EPSG:%d", code, vertical);
    gdal->OSRRelease(system);
    return frame_text(code ? name : wkt, FRAME_SYSTEM_MAX, kept, error);
}

char *system_wkt(const Gdal *gdal, const char *name, bool esri, Error *error) {
    GdalHandle system = system_open(gdal, name);
    char *wkt = NULL;
    if (system && esri)
        gdal->OSRMorphToESRI(system);
    if (!system || gdal->OSRExportToWkt(system, &wkt) != 0)
        fail(error, STATUS_INVALID, "GDAL does not know the coordinate system '%.100s'", name);
    if (system)
        gdal->OSRRelease(system);
    return wkt;
}

// --- .prj --------------------------------------------------------------------------------------------------

// "dem.prj" for "dem.asc".
static bool prj_path(const char *path, char *beside, size_t size) {
    const char *dot = strrchr(path, '.');
    const int stem = dot ? (int)(dot - path) : (int)strlen(path);
    return (size_t)snprintf(beside, size, "%.*s.prj", stem, path) < size;
}

Status prj_write(WholeFile *file, const char *path, const char *system, bool *named, Error *error) {
    char beside[4096];
    Error unused;
    const Gdal *gdal = whole_file_writes_to_stream() ? NULL : gdal_open(&unused);
    char *wkt = gdal ? system_wkt(gdal, system, true, &unused) : NULL;
    FILE *stream;
    Status status = STATUS_OK;
    *named = wkt && prj_path(path, beside, sizeof beside);
    if (*named && (status = whole_file_open_beside(file, beside, &stream, error)) == STATUS_OK)
        fprintf(stream, "%s\n", wkt); // whole_file_close detects write errors
    if (wkt)
        gdal->VSIFree(wkt);
    return status;
}

const char *prj_read(const char *path) {
    char beside[4096], wkt[FRAME_SYSTEM_MAX + 1];
    FILE *stream = prj_path(path, beside, sizeof beside) ? access_open_beside(path, beside, NULL) : NULL;
    if (!stream)
        return NULL;
    wkt[fread(wkt, 1, FRAME_SYSTEM_MAX, stream)] = '\0';
    fclose(stream);
    wkt[strcspn(wkt, "\r\n")] = '\0';
    const Gdal *gdal = gdal_open(NULL);
    const char *name = NULL;
    if (gdal)
        system_name(gdal, wkt, &name, NULL);
    else
        frame_text(wkt, FRAME_SYSTEM_MAX, &name, NULL);
    return name;
}

// --- texts of fields ---------------------------------------------------------------------------------------

// "EPSG:26916", in capital letters, which not all write.
static const char *capital_system(const char *system, char text[40]) {
    if (strncasecmp(system, "EPSG:", 5) != 0 || strlen(system) >= 40)
        return system;
    snprintf(text, 40, "EPSG:%s", system + 5);
    return text;
}

// Texts that are not given stay.
static Status copy_texts(const Georeference *given, Frame *frame, Error *error) {
    Status status = STATUS_OK;
    char system[40];
    if (*given->system)
        status = frame_system(capital_system(given->system, system), &frame->system, error);
    if (status == STATUS_OK && *given->unit)
        status = frame_text(given->unit, FRAME_UNIT_MAX, &frame->unit, error);
    return status;
}

static void take(double *member, double given) {
    if (!isnan(given))
        *member = given;
}

Status georeference_frame(const Georeference *given, const Frame *base, Frame *frame, Error *error) {
    *frame = (Frame){ 0 };
    if (given->nowhere)
        return STATUS_OK;
    if (given->like && !frame_is_set(base = &given->like->frame))
        return fail(error, STATUS_INVALID, "like has no frame");
    const bool bare = !base || !frame_is_set(base);
    *frame = bare ? (Frame){ .right_x = 1, .down_y = -1 } : *base;
    take(&frame->x, given->x);
    take(&frame->y, given->y);
    take(&frame->right_x, isnan(given->cell_width) ? given->cell : given->cell_width);
    take(&frame->down_y, -(isnan(given->cell_height) ? given->cell : given->cell_height));
    take(&frame->down_x, given->turn_x);
    take(&frame->right_y, given->turn_y);
    if (!frame_is_valid(frame))
        return fail(error, STATUS_INVALID, "cells of %s × %s have no area", digits_of(frame->right_x).text,
                    digits_of(-frame->down_y).text);
    const bool of_heights = *given->unit || !isnan(given->sea) || !isnan(given->top);
    frame->no_heights = !given->heights || (frame->no_heights && !given->like && !of_heights);
    take(&frame->top, given->top);
    // Real ground: what lies low is no sea. A frame whose sea is 0 without a system has named none.
    const bool unnamed = bare || (frame->sea == 0 && !frame->system);
    frame->sealess =
        isnan(given->sea) && (frame->sealess || (*given->system && unnamed && !(frame->top > 0)));
    take(&frame->sea, given->sea);
    return copy_texts(given, frame, error);
}

static Status run(const Call *call, Error *error) {
    const Field *from = call->inputs[0].field;
    Field *to = &call->outputs[0].field;
    memcpy(field_cells(to), from->cells, field_count(from) * sizeof *from->cells);
    field_set_gaps(to, gaps_keep(from->gaps));
    return georeference_frame(call->params, &from->frame, &to->frame, error);
}

#define COORDINATE .min = -1e15, .max = 1e15

static const Param params[] = {
    PARAM(Georeference, x, COORDINATE, .optional = true,
          .doc = "x of the upper left corner of the first cell, in map units; by default 0"),
    PARAM(Georeference, y, COORDINATE, .optional = true,
          .doc = "y of that corner; y grows to the north, so rows go down in y; by default 0"),
    PARAM(Georeference, cell, .min = 1e-30, .max = 1e15, .optional = true,
          .doc = "side of a cell in map units; by default 1"),
    PARAM(Georeference, cell_width, COORDINATE, .optional = true,
          .doc = "width of a cell; below 0: columns go to the west"),
    PARAM(Georeference, cell_height, COORDINATE, .optional = true,
          .doc = "height of a cell; below 0: rows go to the north"),
    PARAM(Georeference, turn_x, COORDINATE, .optional = true,
          .doc = "change of x per row, for rotated cells; by default 0"),
    PARAM(Georeference, turn_y, COORDINATE, .optional = true,
          .doc = "change of y per column, for rotated cells; by default 0"),
    PARAM(Georeference, system, .initial_text = "",
          .doc = "coordinate system: \"EPSG:26916\", or WKT; empty: unknown"),
    PARAM(Georeference, unit, .initial_text = "",
          .doc = "unit of the heights: \"m\", \"ft\", \"us-ft\", \"km\"; empty: that of the coordinates, in "
                 "degrees metres"),
    PARAM(Georeference, sea, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .optional = true,
          .doc =
              "height of the sea, for operations without sea_level; by default 0, and in a coordinate system "
              "none: ground by the Dead Sea is land"),
    PARAM(Georeference, top, .min = 0, .max = HEIGHT_MAX, .optional = true,
          .doc = "how high the ground of the whole map is above the sea, of which this is a window: pictures "
                 "colour heights as the map's, and shade the slopes of the ground, as in windows of zoomable "
                 "maps; by default 0: not known"),
    PARAM(Georeference, heights, .initial = true,
          .doc = "false: cells are other numbers than heights, such as angles, and no unit is assumed"),
    PARAM(Georeference, like, .doc = "a field of the same ground, whose frame is taken instead"),
    PARAM(Georeference, nowhere, .doc = "true: removes the frame"),
    { 0 },
};

const Operation op_georeference = {
    .name = "georeference",
    .gaps = GAPS_OWN,
    .category = "file",
    .keywords = "frame crs epsg wkt projection coordinates origin cell size place georeferenced gcp gcps srs",
    .summary = "Sets where a field lies: origin, cell size, coordinate system, unit of heights",
    .description =
        "The field's property frame is a table with these numbers and texts; field.frame = { x = 0, y = 0, "
        "cell = 30 } sets the whole. Members that are not given stay as in the frame of the field, or of "
        "`like`. Operations keep the frame or change it with the cells; combining fields from different "
        "places cell by cell is an error, and a field without a frame takes that of the others. Saving to a "
        "format that cannot store the whole frame reports what is lost.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "the same heights", .heights = true } },
    .params = params,
    .params_size = sizeof(Georeference),
    .always_finite = "copies cells",
    .framing = FRAMING_SET,
    .any_sizes = true,
    .example = "local placed = height:georeference{ x = 733975, y = 3469995, cell = 30, system = "
               "\"EPSG:26916\", unit = \"m\" }\nprint(placed.frame.system)",
    .picture = "local metres = esker.spectral{ size = 256, seed = 4 }:blur{ sigma = 0.008 } * 2000\n"
               "local placed = metres:georeference{ cell = 30, unit = \"m\", system = \"EPSG:32632\" }\n"
               "return metres:contour_map{}, placed:contour_map{}",
    .see_also = "load save crop",
    .run = run,
};

// --- on the ground -----------------------------------------------------------------------------------------

// The latitude and longitude of a projected system, which keep its ellipsoid: no shift of a datum is
// computed, which would want files.
typedef struct Projection {
    char *system;
    SystemGround ground;
    GdalHandle to_degrees, from_degrees;
} Projection;

enum { PROJECTIONS_KEPT = 8 };
static Projection projections[PROJECTIONS_KEPT];
static int next_projection;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // PROJ's objects belong to one thread at a time

static double unit_of_heights(const Gdal *gdal, GdalHandle system, double otherwise) {
    char *name = NULL;
    return gdal->OSRIsCompound(system) || gdal->OSRIsVertical(system)
               ? gdal->OSRGetTargetLinearUnits(system, "VERT_CS", &name)
               : otherwise;
}

static bool read_system(const Gdal *gdal, GdalHandle system, SystemGround *ground) {
    int wrong = 0;
    char *name = NULL;
    const double axis = gdal->OSRGetSemiMajor(system, &wrong);
    const double inverse = gdal->OSRGetInvFlattening(system, &wrong);
    const double flattening = inverse > 0 ? 1 / inverse : 0;
    *ground = (SystemGround){ .axis = axis, .e2 = flattening * (2 - flattening) };
    if (gdal->OSRIsProjected(system)) {
        ground->kind = GROUND_STRETCHED;
        ground->unit = gdal->OSRGetLinearUnits(system, &name);
        ground->height_unit = unit_of_heights(gdal, system, ground->unit);
    } else if (gdal->OSRIsGeographic(system)) {
        ground->kind = GROUND_DEGREES;
        ground->unit = gdal->OSRGetAngularUnits(system, &name);
        ground->height_unit = unit_of_heights(gdal, system, 1);
    } else if (gdal->OSRIsLocal(system)) {
        ground->kind = GROUND_PLANE;
        ground->unit = gdal->OSRGetLinearUnits(system, &name);
        ground->height_unit = unit_of_heights(gdal, system, ground->unit);
    }
    const bool is_sane = ground->unit > 0 && isfinite(ground->unit) && ground->height_unit > 0 &&
                         isfinite(ground->height_unit);
    return ground->kind != GROUND_UNKNOWN && is_sane &&
           (ground->kind == GROUND_PLANE || (axis > 0 && isfinite(axis)));
}

static bool read(const char *name, SystemGround *ground) {
    Error unused;
    pthread_mutex_lock(&lock);
    const Gdal *gdal = gdal_open(&unused);
    GdalHandle system = gdal ? system_open(gdal, name) : NULL;
    const bool is_read = system && read_system(gdal, system, ground);
    if (system)
        gdal->OSRRelease(system);
    pthread_mutex_unlock(&lock);
    return is_read;
}

// --- the scale of a system ---------------------------------------------------------------------------------

static void close_projection(const Gdal *gdal, Projection *projection) {
    if (projection->to_degrees)
        gdal->OCTDestroyCoordinateTransformation(projection->to_degrees);
    if (projection->from_degrees)
        gdal->OCTDestroyCoordinateTransformation(projection->from_degrees);
    free(projection->system);
    *projection = (Projection){ 0 };
}

static bool open_projection(const Gdal *gdal, const char *name, Projection *to) {
    GdalHandle system = system_open(gdal, name);
    if (!system)
        return false;
    if (gdal->OSRIsCompound(system))
        gdal->OSRStripVertical(system);
    GdalHandle degrees = gdal->OSRCloneGeogCS(system);
    enum { LONGITUDE_FIRST = 0 }; // OAMS_TRADITIONAL_GIS_ORDER
    gdal->OSRSetAxisMappingStrategy(system, LONGITUDE_FIRST);
    if (degrees)
        gdal->OSRSetAxisMappingStrategy(degrees, LONGITUDE_FIRST);
    *to = (Projection){ .system = strdup(name),
                        .to_degrees = degrees ? gdal->OCTNewCoordinateTransformation(system, degrees) : NULL,
                        .from_degrees =
                            degrees ? gdal->OCTNewCoordinateTransformation(degrees, system) : NULL };
    const bool is_read = read_system(gdal, system, &to->ground);
    const double angle = degrees ? gdal->OSRGetAngularUnits(degrees, &(char *){ NULL }) : 0;
    if (degrees)
        gdal->OSRRelease(degrees);
    gdal->OSRRelease(system);
    const double length = to->ground.unit;
    to->ground.unit = angle; // of the degrees
    if (is_read && to->system && to->to_degrees && to->from_degrees && angle > 0 && length > 0)
        return true;
    close_projection(gdal, to);
    return false;
}

static Projection *projection_of(const Gdal *gdal, const char *name) {
    for (int i = 0; i < PROJECTIONS_KEPT; i++)
        if (projections[i].system && strcmp(projections[i].system, name) == 0)
            return &projections[i];
    Projection opened;
    if (!open_projection(gdal, name, &opened))
        return NULL;
    Projection *kept = &projections[next_projection];
    next_projection = (next_projection + 1) % PROJECTIONS_KEPT;
    close_projection(gdal, kept);
    *kept = opened;
    return kept;
}

// By differences over a thousand coordinates: of a projection's bend and PROJ's rounding a few parts in 10⁸
// remain.
static bool stretch(const char *name, double x, double y, double jacobian[4]) {
    enum { STEP = 1000 };
    double xs[5] = { x, x - STEP, x + STEP, x, x }, ys[5] = { y, y, y, y - STEP, y + STEP };
    Error unused;
    pthread_mutex_lock(&lock);
    const Gdal *gdal = gdal_open(&unused);
    const Projection *projection = gdal ? projection_of(gdal, name) : NULL;
    bool is_found = projection && gdal->OCTTransform(projection->to_degrees, 5, xs, ys, NULL) != 0;
    const SystemGround ground = projection ? projection->ground : (SystemGround){ 0 };
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 5; i++)
        is_found = is_found && isfinite(xs[i]) && isfinite(ys[i]) && fabs(ys[i] * ground.unit) < PI;
    if (!is_found)
        return false;
    const GroundScale scale = ground_scale_of_degrees(&ground, ys[0] * ground.unit);
    const double turn = 2 * PI / ground.unit;
    for (int k = 0; k < 2; k++) {
        const double east = xs[2 * k + 2] - xs[2 * k + 1];
        jacobian[k] = (east - turn * floor(east / turn + 0.5)) * scale.east / (2 * STEP);
        jacobian[2 + k] = (ys[2 * k + 2] - ys[2 * k + 1]) * scale.north / (2 * STEP);
    }
    return true;
}

static bool place(const char *name, double longitude, double latitude, double at[2]) {
    Error unused;
    pthread_mutex_lock(&lock);
    const Gdal *gdal = gdal_open(&unused);
    const Projection *projection = gdal ? projection_of(gdal, name) : NULL;
    const double unit = projection ? PI / 180 / projection->ground.unit : 1;
    at[0] = longitude * unit;
    at[1] = latitude * unit;
    const bool is_found =
        projection && gdal->OCTTransform(projection->from_degrees, 1, &at[0], &at[1], NULL) != 0;
    pthread_mutex_unlock(&lock);
    return is_found && isfinite(at[0]) && isfinite(at[1]);
}

static bool degrees(const char *name, const double at[2], double found[2]) {
    Error unused;
    pthread_mutex_lock(&lock);
    const Gdal *gdal = gdal_open(&unused);
    const Projection *projection = gdal ? projection_of(gdal, name) : NULL;
    const double unit = projection ? projection->ground.unit * (180 / PI) : 1;
    found[0] = at[0];
    found[1] = at[1];
    const bool is_found =
        projection && gdal->OCTTransform(projection->to_degrees, 1, &found[0], &found[1], NULL) != 0;
    pthread_mutex_unlock(&lock);
    found[0] *= unit;
    found[1] *= unit;
    return is_found && isfinite(found[0]) && isfinite(found[1]);
}

// -----------------------------------------------------------------------------------------------------------

// Before main: core asks for lengths wherever a frame has any, and must not know this folder.
__attribute__((constructor)) static void set_reader(void) {
    static const GroundReader reader = { read, stretch, place, degrees };
    ground_set_reader(&reader);
}
