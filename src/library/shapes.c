// Points, lines, polygons and their attributes in the public interface.

#include "core/math.h"
#include "library/handle.h"
#include "places/points.h"

#include <math.h>
#include <string.h>

// Public structs have the engine's layout, so that nothing is converted.
_Static_assert(sizeof(EskerPoint) == sizeof(PlacePoint) &&
                   offsetof(EskerPoint, species) == offsetof(PlacePoint, species),
               "places");
_Static_assert(sizeof(EskerShapePoint) == sizeof(ShapePoint) &&
                   offsetof(EskerShapePoint, altitude) == offsetof(ShapePoint, altitude),
               "points of shapes");
_Static_assert(sizeof(EskerShapePart) == sizeof(ShapePart) &&
                   offsetof(EskerShapePart, hole) == offsetof(ShapePart, hole),
               "parts");
_Static_assert(sizeof(EskerShape) == sizeof(Shape) && offsetof(EskerShape, count) == offsetof(Shape, count),
               "shapes");

enum { COUNT_MAX = 1 << 24 };
#define COORDINATE_MAX 1e30

static Points *points_of(const EskerValue *value) {
    return value && value->content.type == &type_points ? value->content.value : NULL;
}

static Shapes *shapes_of(const EskerValue *value) {
    const ValueType *type = value ? value->content.type : NULL;
    return type == &type_lines || type == &type_polygons ? value->content.value : NULL;
}

static void store_count(size_t *count, int number) {
    if (count)
        *count = (size_t)number;
}

const EskerPoint *esker_points(const EskerValue *points, size_t *count) {
    const Points *places = points_of(points);
    store_count(count, places ? places->count : 0);
    return places ? (const EskerPoint *)(const void *)places->at : NULL;
}

const EskerShape *esker_shapes(const EskerValue *shapes, size_t *count) {
    const Shapes *found = shapes_of(shapes);
    store_count(count, found ? found->count : 0);
    return found ? (const EskerShape *)(const void *)found->shapes : NULL;
}

const EskerShapePart *esker_shape_parts(const EskerValue *shapes, size_t *count) {
    const Shapes *found = shapes_of(shapes);
    store_count(count, found ? found->part_count : 0);
    return found ? (const EskerShapePart *)(const void *)found->parts : NULL;
}

const EskerShapePoint *esker_shape_points(const EskerValue *shapes, size_t *count) {
    const Shapes *found = shapes_of(shapes);
    store_count(count, found ? found->point_count : 0);
    return found ? (const EskerShapePoint *)(const void *)found->points : NULL;
}

// --- making ------------------------------------------------------------------------------------------------

static Status check_window(int width, int height, Error *error) {
    if (width >= 1 && height >= 1 && width <= SIDE_MAX && height <= SIDE_MAX)
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "width and height must be 1 to %d, got %d × %d", SIDE_MAX, width,
                height);
}

static Status check_count(const char *what, const void *at, size_t count, size_t most, Error *error) {
    if (count > most)
        return fail(error, STATUS_INVALID, "there may be %zu %s at most, got %zu", most, what, count);
    return at || !count ? STATUS_OK : fail(error, STATUS_INVALID, "the %s are missing: NULL", what);
}

static bool is_place(double x, double y, float altitude) {
    return fabs(x) <= COORDINATE_MAX && fabs(y) <= COORDINATE_MAX && fabs((double)altitude) <= HEIGHT_MAX;
}

static Status check_point(const EskerPoint *point, size_t index, Error *error) {
    if (!is_place(point->x, point->y, point->altitude) || !isfinite(point->variation))
        return fail(error, STATUS_INVALID, "point %zu: its numbers must be finite, coordinates within 1e30",
                    index);
    if (!(point->radius >= 0 && (double)point->radius <= 1e9) || point->species < 1)
        return fail(error, STATUS_INVALID,
                    "point %zu: radius must be 0 to 1e9, got %g, and species from 1, got %d", index,
                    (double)point->radius, point->species);
    return STATUS_OK;
}

EskerValue *esker_points_new(int width, int height, const EskerPoint *points, size_t count,
                             EskerError *error) {
    Error *failure = engine_error(error);
    Status status = check_window(width, height, failure);
    if (status == STATUS_OK)
        status = check_count("points", points, count, COUNT_MAX, failure);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = check_point(&points[i], i, failure);
    if (status != STATUS_OK)
        return NULL;
    EskerValue *value = handle_new(&type_points, failure);
    Points *made = value ? points_new((int)count, failure) : NULL;
    if (!made) {
        esker_free(value);
        return NULL;
    }
    made->width = width;
    made->height = height;
    if (count)
        memcpy(made->at, points, count * sizeof *points);
    value->content.value = made;
    return value;
}

static Status check_list(const EskerShapeList *list, Error *error) {
    if (!list)
        return fail(error, STATUS_INVALID, "the list is missing: NULL");
    Status status = check_count("shapes", list->shapes, list->shape_count, COUNT_MAX, error);
    if (status == STATUS_OK)
        status = check_count("parts", list->parts, list->part_count, SHAPE_POINTS_MAX, error);
    return status == STATUS_OK
               ? check_count("points", list->points, list->point_count, SHAPE_POINTS_MAX, error)
               : status;
}

// A part whose points are the next of the list.
static Status add_part(Shapes *shapes, const EskerShapeList *list, size_t index, bool rings, Error *error) {
    const EskerShapePart *part = &list->parts[index];
    const int least = rings ? 4 : 2;
    if (part->first != shapes->point_count)
        return fail(error, STATUS_INVALID, "part %zu: its first point must be %d, which comes next, got %d",
                    index, shapes->point_count, part->first);
    if (part->count < least || (size_t)part->count > list->point_count - (size_t)part->first)
        return fail(error, STATUS_INVALID, "part %zu: it must have %d to %zu points, got %d", index, least,
                    list->point_count - (size_t)part->first, part->count);
    const EskerShapePoint *points = &list->points[part->first];
    Status status = STATUS_OK;
    for (int i = 0; i < part->count && status == STATUS_OK; i++) {
        if (!is_place(points[i].x, points[i].y, points[i].altitude))
            return fail(error, STATUS_INVALID,
                        "point %d: its numbers must be finite, coordinates within 1e30", part->first + i);
        shapes->has_altitudes |= points[i].altitude < 0 || points[i].altitude > 0;
        status =
            shapes_add_point(shapes, (ShapePoint){ points[i].x, points[i].y, points[i].altitude }, error);
    }
    const EskerShapePoint end = points[part->count - 1];
    const bool closed =
        points[0].x >= end.x && points[0].x <= end.x && points[0].y >= end.y && points[0].y <= end.y;
    if (status == STATUS_OK && rings && !closed)
        return fail(error, STATUS_INVALID, "part %zu: a ring must end with its first point", index);
    return status == STATUS_OK ? shapes_end_part(shapes, rings && part->hole, error) : status;
}

static Status add_shape(Shapes *shapes, const EskerShapeList *list, size_t index, bool rings, Error *error) {
    const EskerShape *shape = &list->shapes[index];
    if (shape->first != shapes->part_count)
        return fail(error, STATUS_INVALID, "shape %zu: its first part must be %d, which comes next, got %d",
                    index, shapes->part_count, shape->first);
    if (shape->count < 1 || (size_t)shape->count > list->part_count - (size_t)shape->first)
        return fail(error, STATUS_INVALID, "shape %zu: it must have 1 to %zu parts, got %d", index,
                    list->part_count - (size_t)shape->first, shape->count);
    if (rings && list->parts[shape->first].hole)
        return fail(error, STATUS_INVALID, "shape %zu: its first ring is a hole, which is cut out of none",
                    index);
    Status status = STATUS_OK;
    for (int i = 0; i < shape->count && status == STATUS_OK; i++)
        status = add_part(shapes, list, (size_t)shape->first + (size_t)i, rings, error);
    if (status == STATUS_OK)
        status = shapes_end_shape(shapes, error);
    return status == STATUS_OK && rings
               ? shapes_check_crossings(shapes, &shapes->shapes[shapes->count - 1], error)
               : status;
}

EskerValue *esker_shapes_new(EskerKind kind, int width, int height, const EskerShapeList *list,
                             EskerError *error) {
    Error *failure = engine_error(error);
    const bool rings = kind == ESKER_POLYGONS;
    Status status =
        rings || kind == ESKER_LINES
            ? check_window(width, height, failure)
            : fail(failure, STATUS_INVALID, "kind must be ESKER_LINES or ESKER_POLYGONS, got %d", (int)kind);
    if (status == STATUS_OK)
        status = check_list(list, failure);
    EskerValue *value =
        status == STATUS_OK ? handle_new(rings ? &type_polygons : &type_lines, failure) : NULL;
    Shapes *shapes = value ? shapes_new(failure) : NULL;
    if (!shapes) {
        esker_free(value);
        return NULL;
    }
    value->content.value = shapes;
    shapes->width = width;
    shapes->height = height;
    for (size_t i = 0; i < list->shape_count && status == STATUS_OK; i++)
        status = add_shape(shapes, list, i, rings, failure);
    const bool left =
        (size_t)shapes->part_count < list->part_count || (size_t)shapes->point_count < list->point_count;
    if (status == STATUS_OK && left)
        status = fail(failure, STATUS_INVALID, "%zu parts and %zu points belong to no shape",
                      list->part_count - (size_t)shapes->part_count,
                      list->point_count - (size_t)shapes->point_count);
    if (status == STATUS_OK)
        return value;
    esker_free(value);
    return NULL;
}

// --- attributes --------------------------------------------------------------------------------------------

static const Attributes *attributes_of(const EskerValue *value) {
    const Points *points = points_of(value);
    const Shapes *shapes = shapes_of(value);
    return points ? points->attributes : shapes ? shapes->attributes : NULL;
}

size_t esker_attribute_count(const EskerValue *value) {
    const Attributes *attributes = attributes_of(value);
    return attributes ? (size_t)attributes->column_count : 0;
}

const char *esker_attribute_name(const EskerValue *value, size_t attribute) {
    return attribute < esker_attribute_count(value) ? attributes_name(attributes_of(value), (int)attribute)
                                                    : NULL;
}

// How many points, lines or polygons there are.
static size_t rows_of(const EskerValue *value) {
    const Points *points = points_of(value);
    const Shapes *shapes = shapes_of(value);
    return (size_t)(points ? points->count : shapes ? shapes->count : 0);
}

EskerKind esker_attribute(const EskerValue *value, size_t index, size_t attribute, double *number,
                          const char **text) {
    if (attribute >= esker_attribute_count(value) || index >= rows_of(value))
        return ESKER_NONE;
    const Attributes *attributes = attributes_of(value);
    const Attribute found = attributes_get(attributes, (int)attribute, (int)index);
    if (found.kind == ATTRIBUTE_NONE)
        return ESKER_NONE;
    const bool is_number = found.kind == ATTRIBUTE_NUMBER || found.kind == ATTRIBUTE_FLAG;
    if (is_number && number)
        *number = found.number;
    if (!is_number && text)
        *text = attributes_text(attributes, found);
    return is_number ? ESKER_NUMBER : ESKER_TEXT;
}

EskerStatus esker_set_attribute(EskerValue *value, size_t index, const char *name, double number,
                                const char *text, EskerError *error) {
    Error *failure = engine_error(error);
    Points *points = points_of(value);
    Shapes *shapes = shapes_of(value);
    if (!points && !shapes)
        return (EskerStatus)fail(failure, STATUS_INVALID, "only points, lines and polygons have attributes");
    if (index >= rows_of(value))
        return (EskerStatus)fail(failure, STATUS_INVALID, "there are %zu, got the index %zu", rows_of(value),
                                 index);
    if (!name || !*name)
        return (EskerStatus)fail(failure, STATUS_INVALID, "the attribute's name is missing");
    if (!text && !isfinite(number))
        return (EskerStatus)fail(failure, STATUS_INVALID, "%s: the number must be finite", name);
    Attributes *attributes = points ? points_attributes(points, failure) : shapes_attributes(shapes, failure);
    int column = 0;
    Status status = attributes ? attributes_column(attributes, name, &column, failure) : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = text ? attributes_set_text(attributes, column, (int)index, ATTRIBUTE_TEXT, text, failure)
                      : attributes_set_number(attributes, column, (int)index, number, failure);
    return (EskerStatus)status;
}
