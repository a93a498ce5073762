// Puts points, lines and polygons into another coordinate system, or into the cells of a field. GDAL knows
// the systems.

#include "core/math.h"
#include "core/memory.h"
#include "file/coordinate_systems.h"
#include "places/overlay.h"
#include "places/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

// A way from one system to another, and the points of shapes before it.
typedef struct Change {
    const Gdal *gdal;
    GdalHandle there, back;
    const char *name; // of the system that they get
    const ValueType *type;
    ShapePoint *before;
} Change;

// Some at a time, so that the arrays of coordinates stay small.
enum { AT_ONCE = 1024 };

typedef struct Places {
    double x[AT_ONCE], y[AT_ONCE];
    int well[AT_ONCE];
    int count;
} Places;

static bool is_somewhere(const Places *places, int i) {
    return places->well[i] && fabs(places->x[i]) <= 1e30 && fabs(places->y[i]) <= 1e30;
}

static Status transform_points(const Change *change, Shapes *shapes, Error *error) {
    Places places;
    for (int first = 0; first < shapes->point_count; first += AT_ONCE) {
        ShapePoint *points = shapes->points + first;
        places.count = min(shapes->point_count - first, AT_ONCE);
        for (int i = 0; i < places.count; i++) {
            places.x[i] = points[i].x;
            places.y[i] = points[i].y;
        }
        change->gdal->OCTTransformEx(change->there, places.count, places.x, places.y, NULL, places.well);
        for (int i = 0; i < places.count; i++) {
            if (!is_somewhere(&places, i))
                return fail(error, STATUS_INVALID, "the place %s, %s does not lie in the other system",
                            digits_of(points[i].x).text, digits_of(points[i].y).text);
            points[i].x = places.x[i];
            points[i].y = places.y[i];
        }
    }
    return STATUS_OK;
}

// --- shapes that reach too far -----------------------------------------------------------------------------

// A side stays straight between its ends. What it leaves out by that is small in maps of a region; around the
// world sides go through the wrong places, and rings fall together.

#define MOST_BEND 0.1 // of a side, of its middle from the straight line

static Status refuse_side(const Change *change, const Shapes *shapes, int end, Error *error) {
    int shape = 0;
    while (shapes->parts[shapes->shapes[shape].first + shapes->shapes[shape].count - 1].first +
               shapes->parts[shapes->shapes[shape].first + shapes->shapes[shape].count - 1].count <=
           end)
        shape++;
    const ShapePoint *a = &change->before[end - 1], *b = &change->before[end];
    return fail(
        error, STATUS_INVALID,
        "the side from %s, %s to %s, %s, of number %d of the %s, is far from straight in %.60s: take a "
        "part of them, or give it more points (ogr2ogr -clipsrc, -segmentize)",
        digits_of(a->x).text, digits_of(a->y).text, digits_of(b->x).text, digits_of(b->y).text, shape + 1,
        change->type->plural, change->name);
}

static double length_of(double x, double y) {
    return sqrt(x * x + y * y);
}

// The middles of sides that end at the points `ends`.
static Status check_middles(const Change *change, const Shapes *shapes, Places *middles, const int *ends,
                            Error *error) {
    change->gdal->OCTTransformEx(change->there, middles->count, middles->x, middles->y, NULL, middles->well);
    for (int i = 0; i < middles->count; i++) {
        const ShapePoint *a = &shapes->points[ends[i] - 1], *b = &shapes->points[ends[i]];
        const double length = length_of(b->x - a->x, b->y - a->y),
                     rounding = 1e-9 * (fabs(a->x) + fabs(a->y) + fabs(b->x) + fabs(b->y)),
                     bend =
                         length_of(middles->x[i] - 0.5 * (a->x + b->x), middles->y[i] - 0.5 * (a->y + b->y));
        if (!is_somewhere(middles, i) || bend > MOST_BEND * length + rounding)
            return refuse_side(change, shapes, ends[i], error);
    }
    middles->count = 0;
    return STATUS_OK;
}

static Status check_sides(const Change *change, const Shapes *shapes, Error *error) {
    Places middles = { .count = 0 };
    int ends[AT_ONCE];
    Status status = STATUS_OK;
    for (int i = 0; i < shapes->part_count && status == STATUS_OK; i++) {
        const ShapePart *part = &shapes->parts[i];
        for (int k = part->first + 1; k < part->first + part->count && status == STATUS_OK; k++) {
            const ShapePoint *a = &change->before[k - 1], *b = &change->before[k];
            middles.x[middles.count] = 0.5 * (a->x + b->x);
            middles.y[middles.count] = 0.5 * (a->y + b->y);
            ends[middles.count] = k;
            if (++middles.count == AT_ONCE)
                status = check_middles(change, shapes, &middles, ends, error);
        }
    }
    return status == STATUS_OK ? check_middles(change, shapes, &middles, ends, error) : status;
}

// Whether a place is inside an odd number of the rings of a shape with these points.
static bool is_inside(const Shapes *shapes, const ShapePoint *points, const Shape *shape, double x,
                      double y) {
    bool inside = false;
    for (int i = shape->first; i < shape->first + shape->count; i++)
        for (int k = 1; k < shapes->parts[i].count; k++) {
            const ShapePoint *a = &points[shapes->parts[i].first + k - 1], *b = a + 1;
            if ((a->y > y) != (b->y > y) && x < a->x + (b->x - a->x) * ((y - a->y) / (b->y - a->y)))
                inside = !inside;
        }
    return inside;
}

// A polygon in which a field lies must hold it still: rings around the world fall together.
static Status check_holding(const Change *change, const Shapes *shapes, const Field *like, Error *error) {
    enum { STEPS = 3 };
    Places there = { .count = STEPS * STEPS }, before;
    for (int i = 0; i < there.count; i++) {
        const int column = i % STEPS, row = i / STEPS;
        double at[2];
        frame_locate(&like->frame, (column + 0.5) * like->width / STEPS, (row + 0.5) * like->height / STEPS,
                     at);
        there.x[i] = at[0];
        there.y[i] = at[1];
    }
    before = there;
    change->gdal->OCTTransformEx(change->back, before.count, before.x, before.y, NULL, before.well);
    for (int i = 0; i < shapes->count; i++) {
        int held = 0, hold = 0;
        for (int k = 0; k < there.count; k++) {
            held += is_somewhere(&before, k) &&
                    is_inside(shapes, change->before, &shapes->shapes[i], before.x[k], before.y[k]);
            hold += is_inside(shapes, shapes->points, &shapes->shapes[i], there.x[k], there.y[k]);
        }
        if (held == there.count && hold == 0)
            return fail(
                error, STATUS_INVALID,
                "like lies inside number %d of the polygons, but no longer in %.60s, where it reaches "
                "too far: take a part of it (ogr2ogr -clipsrc)",
                i + 1, change->name);
    }
    return STATUS_OK;
}

// --- another system ----------------------------------------------------------------------------------------

static Status change_points(Change *change, Shapes *shapes, const Field *like, Error *error) {
    const size_t count = (size_t)shapes->point_count;
    change->before = memory_new(count + 1, sizeof *change->before, error);
    if (!change->before)
        return STATUS_MEMORY;
    if (count)
        memcpy(change->before, shapes->points, count * sizeof *change->before);
    Status status = transform_points(change, shapes, error);
    if (status == STATUS_OK)
        status = check_sides(change, shapes, error);
    if (status == STATUS_OK && like && change->type == &type_polygons)
        status = check_holding(change, shapes, like, error);
    memory_free(change->before);
    return status;
}

// Map coordinates of one system become those of another, of `like` if it is there.
static Status change_system(const Input *input, Shapes *shapes, const char *from, const char *to,
                            const Field *like, Error *error) {
    const Gdal *gdal = gdal_open(error);
    if (!gdal)
        return STATUS_FILE;
    GdalHandle source = open_system(gdal, from, error), target = source ? open_system(gdal, to, error) : NULL;
    Status status = target ? STATUS_OK : STATUS_INVALID;
    Change change = { .gdal = gdal, .name = to, .type = input->type };
    if (target) {
        change.there = gdal->OCTNewCoordinateTransformation(source, target);
        change.back = gdal->OCTNewCoordinateTransformation(target, source);
    }
    if (change.there && change.back)
        status = change_points(&change, shapes, like, error);
    else if (target)
        status = fail(error, STATUS_INVALID, "GDAL knows no way from %.100s to %.100s", from, to);
    if (change.there)
        gdal->OCTDestroyCoordinateTransformation(change.there);
    if (change.back)
        gdal->OCTDestroyCoordinateTransformation(change.back);
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
        status = change_system(&call->inputs[0], shapes, own->system, system, params->like, error);
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
    .keywords =
        "transform projection crs coordinate system utm wgs84 epsg ogr2ogr proj v.proj gdaltransform cs2cs",
    .summary = "Puts points, lines and polygons into another coordinate system, or into the cells of a field",
    .description =
        "With like they get the window of that field, as flatten, distance and draw need them; "
        "shapes outside it stay outside. Without like they get a window of their own. Another "
        "system needs GDAL; sides stay straight between their points, and what reaches too far for "
        "that, such as an outline of the world in UTM, is an error. Fields are reprojected by gdalwarp.",
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
