// Puts points, lines and polygons into another coordinate system, or into the cells of a field. GDAL knows
// the systems.

#include "core/memory.h"
#include "file/coordinate_systems.h"
#include "places/overlay.h"
#include "places/points.h"

#include <math.h>
#include <stdlib.h>

typedef struct Reproject {
    const Field *like;
    const char *system;
} Reproject;

// --- GDAL --------------------------------------------------------------------------------------------------

enum { TRADITIONAL_ORDER = 0 }; // OAMS_TRADITIONAL_GIS_ORDER: longitude before latitude

static GdalHandle open_system(const Gdal *gdal, const char *name, Error *error) {
    char *wkt = system_wkt(gdal, name, false, error);
    if (!wkt)
        return NULL;
    GdalHandle system = gdal->OSRNewSpatialReference(wkt);
    gdal->OSRSetAxisMappingStrategy(system, TRADITIONAL_ORDER);
    gdal->VSIFree(wkt);
    return system;
}

// Some at a time, so that the arrays of coordinates stay small.
static Status transform_points(const Gdal *gdal, GdalHandle change, Shapes *shapes, Error *error) {
    enum { AT_ONCE = 1024 };
    double x[AT_ONCE], y[AT_ONCE];
    int well[AT_ONCE];
    for (int first = 0; first < shapes->point_count; first += AT_ONCE) {
        const int left = shapes->point_count - first, count = left < AT_ONCE ? left : AT_ONCE;
        ShapePoint *points = shapes->points + first;
        for (int i = 0; i < count; i++) {
            x[i] = points[i].x;
            y[i] = points[i].y;
        }
        gdal->OCTTransformEx(change, count, x, y, NULL, well);
        for (int i = 0; i < count; i++) {
            if (!well[i] || !(fabs(x[i]) <= 1e30 && fabs(y[i]) <= 1e30))
                return fail(error, STATUS_INVALID, "the place %s, %s does not lie in the other system",
                            digits_of(points[i].x).text, digits_of(points[i].y).text);
            points[i].x = x[i];
            points[i].y = y[i];
        }
    }
    return STATUS_OK;
}

// Map coordinates of one system become those of another.
static Status change_system(Shapes *shapes, const char *from, const char *to, Error *error) {
    const Gdal *gdal = gdal_open(error);
    if (!gdal)
        return STATUS_FILE;
    GdalHandle source = open_system(gdal, from, error), target = source ? open_system(gdal, to, error) : NULL;
    Status status = target ? STATUS_OK : STATUS_INVALID;
    GdalHandle change = target ? gdal->OCTNewCoordinateTransformation(source, target) : NULL;
    if (change)
        status = transform_points(gdal, change, shapes, error);
    else if (target)
        status = fail(error, STATUS_INVALID, "GDAL knows no way from %.100s to %.100s", from, to);
    if (change)
        gdal->OCTDestroyCoordinateTransformation(change);
    if (target)
        gdal->OSRRelease(target);
    if (source)
        gdal->OSRRelease(source);
    return status;
}

// --- the operation -----------------------------------------------------------------------------------------

// Into the cells of `like`, from coordinates of its map.
static void place_in(Shapes *shapes, const Field *like) {
    const Frame map = { .right_x = 1, .down_y = 1, .system = like->frame.system };
    const Window from = { "", &map, 1, 1 }, to = window_of_field("like", like);
    CellMap cells;
    cell_map_find(&from, &to, true, &cells, NULL);
    for (int i = 0; i < shapes->point_count; i++) {
        double at[2];
        cell_map_point(&cells, shapes->points[i].x, shapes->points[i].y, at);
        shapes->points[i].x = at[0];
        shapes->points[i].y = at[1];
    }
    shapes->width = like->width;
    shapes->height = like->height;
    shapes->frame = like->frame;
    frame_drop_heights(&shapes->frame);
}

static Status move(const Call *call, Shapes *shapes, const Frame *own, Error *error) {
    const Reproject *params = call->params;
    const char *system = NULL;
    Status status = frame_text(params->system, FRAME_SYSTEM_MAX, &system, error);
    if (params->like)
        system = params->like->frame.system;
    else if (!system)
        system = own->system;
    if (status == STATUS_OK && system && !own->system)
        return fail(error, STATUS_INVALID,
                    "they are in no known coordinate system: load{ system = \"EPSG:…\" } says in which");
    if (status == STATUS_OK && systems_differ(own->system, system))
        status = change_system(shapes, own->system, system, error);
    if (status == STATUS_OK && params->like)
        place_in(shapes, params->like);
    else if (status == STATUS_OK)
        shapes_place(shapes, system);
    return status;
}

// Moves what lies in `shapes` back to a value of the type of the input.
static Status give(const Call *call, Shapes **shapes, Error *error) {
    const Input *input = &call->inputs[0];
    if (input->type != &type_points) {
        call->outputs[input->type == &type_lines ? 1 : 2].value = *shapes;
        *shapes = NULL;
        return STATUS_OK;
    }
    const Points *from = input->value;
    Points *points = points_new(from->count, error);
    if (!points)
        return STATUS_MEMORY;
    call->outputs[0].value = points;
    const double scale =
        frame_is_set(&from->frame) ? frame_cell(&from->frame) / frame_cell(&(*shapes)->frame) : 1;
    for (int i = 0; i < from->count; i++) {
        points->at[i] = from->at[i];
        points->at[i].x = (*shapes)->points[i].x;
        points->at[i].y = (*shapes)->points[i].y;
        points->at[i].radius *=
            (float)(systems_differ(from->frame.system, (*shapes)->frame.system) ? 1 : scale);
    }
    points->width = (*shapes)->width;
    points->height = (*shapes)->height;
    points->frame = (*shapes)->frame;
    points->attributes = (*shapes)->attributes;
    (*shapes)->attributes = NULL;
    return STATUS_OK;
}

static Status copy_attributes(const Input *input, Shapes *shapes, Error *error) {
    const int count = (int)value_property(input->type, "count")->get(input->value);
    return attributes_duplicate(input_attributes(input), count, &shapes->attributes, error);
}

// Gives the shapes, or frees them after a failure.
static Status end(const Call *call, Shapes *shapes, Status status, Error *error) {
    if (status == STATUS_OK)
        status = give(call, &shapes, error);
    shapes_free(shapes);
    return status;
}

// What lies nowhere stays as it is.
static Status give_copy(const Call *call, Error *error) {
    const Input *input = &call->inputs[0];
    const CellMap same = { .right_x = 1, .down_y = 1 };
    Shapes *shapes = overlay_copy(input, &same, error);
    if (!shapes)
        return STATUS_MEMORY;
    shapes->width = (int)value_property(input->type, "width")->get(input->value);
    shapes->height = (int)value_property(input->type, "height")->get(input->value);
    const Status status = copy_attributes(input, shapes, error);
    return end(call, shapes, status, error);
}

static Status run(const Call *call, Error *error) {
    const Reproject *params = call->params;
    const Input *input = &call->inputs[0];
    const Frame *own = input->type->frame((void *)input->value);
    const bool placed = frame_is_set(own);
    if (params->like && *params->system)
        return fail(error, STATUS_INVALID, "give like, a field, or system, not both");
    if (!placed && !params->like && !*params->system)
        return give_copy(call, error);
    if (!placed || (params->like && !frame_is_set(&params->like->frame)))
        return fail(error, STATUS_INVALID, "%s on a map: georeference places a field",
                    placed ? "like has no place" : "they have no place");
    const CellMap map = { own->x, own->y, own->right_x, own->right_y, own->down_x, own->down_y };
    Shapes *shapes = overlay_copy(input, &map, error);
    Status status = shapes ? copy_attributes(input, shapes, error) : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = move(call, shapes, own, error);
    return end(call, shapes, status, error);
}

static const Param params[] = {
    PARAM(Reproject, like, .doc = "a field, whose cells and system they get"),
    PARAM(Reproject, system, .initial_text = "",
          .doc = "the coordinate system that they get, \"EPSG:26916\", without like"),
    { 0 },
};

const Operation op_reproject = {
    .name = "reproject",
    .category = "vectors",
    .keywords = "transform projection crs coordinate system utm wgs84 epsg ogr2ogr proj v.proj",
    .summary = "Puts points, lines and polygons into another coordinate system, or into the cells of a field",
    .description = "With like they get the window of that field, as flatten, distance and draw need them; "
                   "shapes outside it stay outside. Without like they get a window of their own. Another "
                   "system needs GDAL. Fields are reprojected by gdalwarp.",
    .inputs = { { "shapes", "points, lines or polygons", { &type_points, &type_lines, &type_polygons } } },
    .outputs = { { "points", "of points", &type_points },
                 { "lines", "of lines", &type_lines },
                 { "polygons", "of polygons", &type_polygons } },
    .params = params,
    .params_size = sizeof(Reproject),
    .framing = FRAMING_SET,
    .gaps = GAPS_OWN, // only the place of `like` counts
    .any_sizes = true,
    .one_output = true,
    .shapes_outputs = true,
    .example = "local land = height:georeference{ x = 500000, y = 4000000, cell = 30, unit = \"m\" }\n"
               "local zones = land:terrace{ steps = 3 }:polygonize():reproject{ like = land }",
    .see_also = "georeference load rasterize",
    .run = run,
};
