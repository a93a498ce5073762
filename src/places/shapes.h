// Lines and polygons: shapes of one or several parts, each with attributes. Both types have one struct.

#ifndef ESKER_SHAPES_H
#define ESKER_SHAPES_H

#include "core/operation.h"
#include "core/value.h"
#include "places/attributes.h"

typedef struct ShapePoint {
    double x, y; // cells, (0, 0) the upper left corner of the first
    float altitude;
} ShapePoint;

typedef struct ShapePart { // points first … first + count - 1
    int first, count;
    bool hole; // of a polygon: cut out of the ring before it that is none
} ShapePart;

typedef struct Shape { // parts first … first + count - 1
    int first, count;
} Shape;

// Rings of polygons end with their first point again.
typedef struct Shapes {
    int count, part_count, point_count;
    int room, part_room, point_room;
    Shape *shapes;
    ShapePart *parts;
    ShapePoint *points;
    int width, height; // of the window, in cells
    bool has_altitudes;
    Frame frame;
    Attributes *attributes; // NULL: none
} Shapes;

enum { SHAPE_POINTS_MAX = 1 << 27 };

extern const ValueType type_lines, type_polygons;

// Without any shape; NULL if memory runs out. Freed by shapes_free, which takes NULL.
Shapes *shapes_new(Error *error);
void shapes_free(Shapes *shapes);

// What is added belongs to the part, and the shape, that end next. A part without points, and a shape
// without parts, is none.
Status shapes_add_point(Shapes *shapes, ShapePoint point, Error *error);
Status shapes_end_part(Shapes *shapes, bool hole, Error *error);
Status shapes_end_shape(Shapes *shapes, Error *error);

// The table, which is made if there is none yet; NULL if memory runs out.
Attributes *shapes_attributes(Shapes *shapes, Error *error);

// Gives coordinates of a map, y upwards, in the system `system` (may be NULL) a window of their own: whole
// cells of a power of two, 512 to 1024 along its longer side. So no coordinate between those of the window is
// rounded by more than the map's own numbers are.
void shapes_place(Shapes *shapes, const char *system);

// Fails with STATUS_INVALID where a ring of a shape crosses itself or another ring; touching is allowed.
Status shapes_check_crossings(const Shapes *shapes, const Shape *shape, Error *error);

#endif
