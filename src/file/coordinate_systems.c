// Names of coordinate systems, and the .prj that ESRI's formats have beside them.

#include "file/coordinate_systems.h"

#include "core/gaps.h"
#include "core/memory.h"
#include "file/access.h"
#include "file/system_ground.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
    frame->no_heights = frame->no_heights && !given->like && !of_heights;
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
                 "degrees "
                 "metres"),
    PARAM(Georeference, sea, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .optional = true,
          .doc =
              "height of the sea, for operations without sea_level; by default 0, and in a coordinate system "
              "none: ground by the Dead Sea is land"),
    PARAM(Georeference, top, .min = 0, .max = HEIGHT_MAX, .optional = true,
          .doc = "how high the ground of the whole map is above the sea, of which this is a window: pictures "
                 "colour heights as the map's, and shade the slopes of the ground, as in windows of zoomable "
                 "maps; by default 0: not known"),
    PARAM(Georeference, like, .doc = "a field of the same ground, whose frame is taken instead"),
    PARAM(Georeference, nowhere, .doc = "true: removes the frame"),
    { 0 },
};

const Operation op_georeference = {
    .name = "georeference",
    .gaps = GAPS_OWN,
    .category = "file",
    .keywords = "frame crs epsg wkt projection coordinates origin cell size place georeferenced",
    .summary = "Sets where a field lies: origin, cell size, coordinate system, unit of heights",
    .description =
        "The field's property frame is a table with these numbers and texts; field.frame = { x = 0, y = 0, "
        "cell = 30 } sets the whole. What georeference is not given stays as in the frame of the field, or "
        "of "
        "`like`. Operations keep the frame or change it with the cells; combining fields from "
        "different places cell by cell is an error, and a field without a frame takes that of the others. "
        "Saving to a format that cannot store the whole frame reports what is lost.",
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
