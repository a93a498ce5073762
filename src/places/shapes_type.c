// The value types of lines and polygons.

#include "places/shapes.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"

#include <math.h>
#include <stdio.h>

Shapes *shapes_new(Error *error) {
    Shapes *shapes = memory_new_zeroed(1, sizeof(Shapes), error);
    if (shapes)
        shapes->width = shapes->height = 1;
    return shapes;
}

void shapes_free(Shapes *shapes) {
    if (!shapes)
        return;
    memory_free(shapes->shapes);
    memory_free(shapes->parts);
    memory_free(shapes->points);
    attributes_free(shapes->attributes);
    memory_free(shapes);
}

// --- building ----------------------------------------------------------------------------------------------

// Room for one more element of an array; *array stays as it is where memory runs out.
static Status make_room(void **array, int count, int *room, size_t size, Error *error) {
    if (*array && count < *room)
        return STATUS_OK;
    const int more = count + count / 2 + 64;
    void *at = memory_enlarge(*array, (size_t)count, (size_t)more, size, error);
    if (!at)
        return STATUS_MEMORY;
    *array = at;
    *room = more;
    return STATUS_OK;
}

Status shapes_add_point(Shapes *shapes, ShapePoint point, Error *error) {
    if (shapes->point_count == SHAPE_POINTS_MAX)
        return fail(error, STATUS_INVALID, "more than %d points", SHAPE_POINTS_MAX);
    const Status status = make_room((void **)&shapes->points, shapes->point_count, &shapes->point_room,
                                    sizeof *shapes->points, error);
    if (status == STATUS_OK)
        shapes->points[shapes->point_count++] = point;
    return status;
}

Status shapes_end_part(Shapes *shapes, bool hole, Error *error) {
    const ShapePart *last = shapes->part_count ? &shapes->parts[shapes->part_count - 1] : NULL;
    const int first = last ? last->first + last->count : 0;
    if (first == shapes->point_count)
        return STATUS_OK;
    const Status status = make_room((void **)&shapes->parts, shapes->part_count, &shapes->part_room,
                                    sizeof *shapes->parts, error);
    if (status == STATUS_OK)
        shapes->parts[shapes->part_count++] = (ShapePart){ first, shapes->point_count - first, hole };
    return status;
}

Status shapes_end_shape(Shapes *shapes, Error *error) {
    const Shape *last = shapes->count ? &shapes->shapes[shapes->count - 1] : NULL;
    const int first = last ? last->first + last->count : 0;
    if (first == shapes->part_count)
        return STATUS_OK;
    const Status status =
        make_room((void **)&shapes->shapes, shapes->count, &shapes->room, sizeof *shapes->shapes, error);
    if (status == STATUS_OK)
        shapes->shapes[shapes->count++] = (Shape){ first, shapes->part_count - first };
    return status;
}

Attributes *shapes_attributes(Shapes *shapes, Error *error) {
    if (!shapes->attributes)
        shapes->attributes = attributes_new(error);
    return shapes->attributes;
}

// --- measures ----------------------------------------------------------------------------------------------

typedef struct Box {
    double left, top, right, bottom;
} Box;

static void box_include(Box *box, Box other) {
    box->left = min(box->left, other.left);
    box->top = min(box->top, other.top);
    box->right = max(box->right, other.right);
    box->bottom = max(box->bottom, other.bottom);
}

static Box box_of_points(const ShapePoint *points, int count) {
    Box box = { INFINITY, INFINITY, -INFINITY, -INFINITY };
    for (int i = 0; i < count; i++)
        box_include(&box, (Box){ points[i].x, points[i].y, points[i].x, points[i].y });
    return box;
}

void shapes_place(Shapes *shapes, const char *system) {
    enum { CELLS = 1024 };
    if (shapes->point_count == 0)
        return;
    const Box box = box_of_points(shapes->points, shapes->point_count);
    const double extent = max(box.right - box.left, box.bottom - box.top);
    int exponent = 0;
    frexp(extent / CELLS, &exponent); // extent ≤ CELLS · 2^exponent
    const double cell = extent > 0 ? ldexp(1, exponent) : 1;
    const double left = floor(box.left / cell) * cell, top = ceil(box.bottom / cell) * cell;
    shapes->frame = (Frame){ .x = left, .y = top, .right_x = cell, .down_y = -cell, .system = system };
    for (int i = 0; i < shapes->point_count; i++) {
        ShapePoint *point = &shapes->points[i];
        point->x = (point->x - left) / cell;
        point->y = (top - point->y) / cell;
    }
    shapes->width = whole_within((box.right - left) / cell + 1, 1, SIDE_MAX);
    shapes->height = whole_within((top - box.top) / cell + 1, 1, SIDE_MAX);
}

// --- crossings ---------------------------------------------------------------------------------------------

// Two sides of rings cross if the ends of each lie on different sides of the other. Pairs of stretches whose
// boxes lie apart are left out: stretches are halved until they are single sides.
typedef struct Crossings {
    const ShapePoint *points;
    int *sides; // the first point of each
    int count;
    Box *boxes;     // of a tree of halves: node 0 has all sides, its halves are the nodes 2 i + 1 and 2 i + 2
    int64_t effort; // pairs that may still be looked at
    int at, other;  // the first points of two sides that cross, or -1
} Crossings;

enum { EFFORT = 1 << 28 };

// +1, -1, or 0 where rounding decides.
static int turn_of(const ShapePoint *a, const ShapePoint *b, const ShapePoint *c) {
    const double one = (b->x - a->x) * (c->y - a->y), other = (b->y - a->y) * (c->x - a->x);
    const double least = 0x1p-48 * (fabs(one) + fabs(other));
    return (one - other > least) - (one - other < -least);
}

static bool sides_cross(const ShapePoint *a, const ShapePoint *b) {
    return turn_of(a, a + 1, b) * turn_of(a, a + 1, b + 1) < 0 &&
           turn_of(b, b + 1, a) * turn_of(b, b + 1, a + 1) < 0;
}

static bool boxes_meet(Box a, Box b) {
    return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
}

typedef struct Stretch { // the sides first … first + count - 1
    size_t node;
    int first, count;
} Stretch;

static Stretch half(Stretch whole, int which) {
    const int lower = whole.count / 2;
    return which == 0 ? (Stretch){ 2 * whole.node + 1, whole.first, lower }
                      : (Stretch){ 2 * whole.node + 2, whole.first + lower, whole.count - lower };
}

static Box fill_boxes(const Crossings *crossings, Stretch stretch) {
    Box box;
    if (stretch.count == 1) {
        box = box_of_points(crossings->points + crossings->sides[stretch.first], 2);
    } else {
        box = fill_boxes(crossings, half(stretch, 0));
        box_include(&box, fill_boxes(crossings, half(stretch, 1)));
    }
    return crossings->boxes[stretch.node] = box;
}

static void find_crossing(Crossings *crossings, Stretch a, Stretch b) {
    const Box *boxes = crossings->boxes;
    if (crossings->at >= 0 || --crossings->effort < 0 || !boxes_meet(boxes[a.node], boxes[b.node]))
        return;
    if (a.count == 1 && b.count == 1) {
        const int side = crossings->sides[a.first];
        const int other = crossings->sides[b.first];
        if (sides_cross(crossings->points + side, crossings->points + other)) {
            crossings->at = side;
            crossings->other = other;
        }
    } else if (a.node == b.node) {
        find_crossing(crossings, half(a, 0), half(a, 0));
        find_crossing(crossings, half(a, 1), half(a, 1));
        find_crossing(crossings, half(a, 0), half(a, 1));
    } else if (a.count >= b.count) {
        find_crossing(crossings, half(a, 0), b);
        find_crossing(crossings, half(a, 1), b);
    } else {
        find_crossing(crossings, a, half(b, 0));
        find_crossing(crossings, a, half(b, 1));
    }
}

// Where two sides cross.
static void find_place(const ShapePoint *a, const ShapePoint *b, double place[2]) {
    const double ax = a[1].x - a->x, ay = a[1].y - a->y, bx = b[1].x - b->x, by = b[1].y - b->y;
    const double along = ((b->x - a->x) * by - (b->y - a->y) * bx) / (ax * by - ay * bx);
    place[0] = a->x + along * ax;
    place[1] = a->y + along * ay;
}

// Tells the place on the map.
static Status crossing_error(const Shapes *shapes, const Crossings *crossings, Error *error) {
    double place[2] = { 0, 0 };
    if (crossings->at >= 0)
        find_place(&shapes->points[crossings->at], &shapes->points[crossings->other], place);
    if (frame_is_set(&shapes->frame))
        frame_locate(&shapes->frame, place[0], place[1], place);
    return crossings->at >= 0
               ? fail(error, STATUS_INVALID, "its outline crosses itself near %.9g, %.9g", place[0], place[1])
               : fail(error, STATUS_INVALID, "its outline is too entangled to look for crossings");
}

Status shapes_check_crossings(const Shapes *shapes, const Shape *shape, Error *error) {
    Crossings crossings = { .points = shapes->points, .effort = EFFORT, .at = -1, .other = -1 };
    for (int i = shape->first; i < shape->first + shape->count; i++)
        crossings.count += shapes->parts[i].count - 1;
    if (crossings.count < 3)
        return STATUS_OK;
    size_t nodes = 1;
    while (nodes < 2 * (size_t)crossings.count)
        nodes *= 2;
    crossings.sides = memory_new((size_t)crossings.count, sizeof *crossings.sides, error);
    crossings.boxes = crossings.sides ? memory_new(nodes, sizeof *crossings.boxes, error) : NULL;
    Status status = crossings.boxes ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK) {
        int *side = crossings.sides;
        for (int i = shape->first; i < shape->first + shape->count; i++)
            for (int k = 0; k < shapes->parts[i].count - 1; k++)
                *side++ = shapes->parts[i].first + k;
        const Stretch all = { 0, 0, crossings.count };
        fill_boxes(&crossings, all);
        find_crossing(&crossings, all, all);
        if (crossings.at >= 0 || crossings.effort < 0)
            status = crossing_error(shapes, &crossings, error);
    }
    memory_free(crossings.sides);
    memory_free(crossings.boxes);
    return status;
}

// --- the types ---------------------------------------------------------------------------------------------

static int64_t count(const void *value) {
    return ((const Shapes *)value)->count;
}

static int64_t width(const void *value) {
    return ((const Shapes *)value)->width;
}

static int64_t height(const void *value) {
    return ((const Shapes *)value)->height;
}

static Frame *frame(void *value) {
    return &((Shapes *)value)->frame;
}

static void free_shapes(void *value) {
    shapes_free(value);
}

static uint64_t hash(const void *value) {
    const Shapes *shapes = value;
    uint64_t bits = mix64(((uint64_t)shapes->width << 32 | (uint32_t)shapes->height) + 1);
    for (int i = 0; i < shapes->count; i++)
        bits = mix_number(bits, shapes->shapes[i].count);
    for (int i = 0; i < shapes->part_count; i++)
        bits = mix_number(mix_number(bits, shapes->parts[i].count), shapes->parts[i].hole);
    for (int i = 0; i < shapes->point_count; i++) {
        const ShapePoint *point = &shapes->points[i];
        bits = mix_number(mix_number(mix_number(bits, point->x), point->y), (double)point->altitude);
    }
    return attributes_hash(shapes->attributes, shapes->count, bits);
}

static void describe(const void *value, char *text, size_t size) {
    const Shapes *shapes = value;
    snprintf(text, size, ": %d of %d points", shapes->count, shapes->point_count);
}

// Fields one by one: a struct with padding, or with flags of any byte, is not sent.
static void write(const void *value, ByteWriter *to) {
    const Shapes *shapes = value;
    const int head[] = { shapes->count, shapes->part_count, shapes->point_count,
                         shapes->width, shapes->height,     shapes->has_altitudes };
    bytes_put(to, head, sizeof head);
    frame_write(&shapes->frame, to);
    bytes_put(to, shapes->shapes, (size_t)shapes->count * sizeof *shapes->shapes);
    for (int i = 0; i < shapes->part_count; i++) {
        const int part[] = { shapes->parts[i].count, shapes->parts[i].hole };
        bytes_put(to, part, sizeof part);
    }
    for (int i = 0; i < shapes->point_count; i++) {
        const ShapePoint *point = &shapes->points[i];
        const double numbers[] = { point->x, point->y, (double)point->altitude };
        bytes_put(to, numbers, sizeof numbers);
    }
    attributes_write(shapes->attributes, shapes->count, to);
}

static bool is_place(double x) {
    return fabs(x) <= 1e30;
}

// Parts and points follow each other without a gap, so that their counts say where each begins.
static Status read_parts(Shapes *shapes, const int *head, FILE *from, Error *error) {
    Status status = STATUS_OK;
    int64_t points = 0, parts = 0;
    shapes->shapes = memory_new_zeroed((size_t)head[0] + 1, sizeof *shapes->shapes, error);
    shapes->parts = memory_new_zeroed((size_t)head[1] + 1, sizeof *shapes->parts, error);
    shapes->points = memory_new_zeroed((size_t)head[2] + 1, sizeof *shapes->points, error);
    if (!shapes->shapes || !shapes->parts || !shapes->points)
        return STATUS_MEMORY;
    status = bytes_get(from, shapes->shapes, (size_t)head[0] * sizeof *shapes->shapes, error);
    for (int i = 0; status == STATUS_OK && i < head[0]; i++) {
        if (shapes->shapes[i].first != parts || shapes->shapes[i].count < 1)
            return bytes_damaged(error);
        parts += shapes->shapes[i].count;
    }
    for (int i = 0; status == STATUS_OK && i < head[1]; i++) {
        int part[2];
        status = bytes_get(from, part, sizeof part, error);
        if (status == STATUS_OK && (part[0] < 1 || part[0] > head[2] - points))
            return bytes_damaged(error);
        shapes->parts[i] = (ShapePart){ (int)points, part[0], part[1] != 0 };
        points += part[0];
    }
    return status != STATUS_OK || (parts == head[1] && points == head[2]) ? status : bytes_damaged(error);
}

static Status read(void *held, FILE *from, Error *error) {
    int head[6];
    Frame placed;
    Status status = bytes_get(from, head, sizeof head, error);
    if (status == STATUS_OK)
        status = frame_read(&placed, from, error);
    if (status != STATUS_OK)
        return status;
    const size_t left = bytes_left(from);
    if (head[0] < 0 || (size_t)head[0] > left / sizeof(Shape) || head[1] < 0 ||
        (size_t)head[1] > left / sizeof(int[2]) || head[2] < 0 ||
        (size_t)head[2] > left / sizeof(double[3]) || head[3] < 1 || head[3] > SIDE_MAX || head[4] < 1 ||
        head[4] > SIDE_MAX)
        return bytes_damaged(error);
    Shapes *shapes = *(Shapes **)held = shapes_new(error);
    if (!shapes)
        return STATUS_MEMORY;
    shapes->frame = placed;
    shapes->width = head[3];
    shapes->height = head[4];
    shapes->has_altitudes = head[5] != 0;
    status = read_parts(shapes, head, from, error);
    shapes->count = head[0];
    shapes->part_count = head[1];
    shapes->point_count = head[2];
    for (int i = 0; status == STATUS_OK && i < head[2]; i++) {
        double numbers[3];
        status = bytes_get(from, numbers, sizeof numbers, error);
        if (status == STATUS_OK &&
            !(is_place(numbers[0]) && is_place(numbers[1]) && fabs(numbers[2]) <= HEIGHT_MAX))
            status = bytes_damaged(error);
        else
            shapes->points[i] = (ShapePoint){ numbers[0], numbers[1], (float)numbers[2] };
    }
    return status == STATUS_OK ? attributes_read(&shapes->attributes, head[0], from, error) : status;
}

static const ValueProperty properties[] = {
    { "count", .get = count, .doc = "how many there are, each with one or more parts" },
    { "width", .get = width, .doc = "cells of the window from left to right" },
    { "height", .get = height, .doc = "cells of the window from top to bottom" },
    { "frame", .doc = FRAME_DOC },
    { 0 },
};

#define PICTURE                                                                                              \
    "local shapes, pixels = ...\n"                                                                           \
    "local longer = math.max(shapes.width, shapes.height)\n"                                                 \
    "return shapes:draw{ scale = math.min(1, pixels / longer), line = 1 }"

const ValueType type_lines = {
    .name = "Lines",
    .kind = "lines",
    .singular = "Lines",
    .plural = "lines",
    .number = 1024,
    .doc = "lines with attributes: roads, streams, borders. Each has one or several parts",
    .properties = properties,
    .picture = PICTURE,
    .ending = "geojson",
    .free = free_shapes,
    .frame = frame,
    .hash = hash,
    .describe = describe,
    .write = write,
    .read = read,
};

const ValueType type_polygons = {
    .name = "Polygons",
    .kind = "polygons",
    .singular = "Polygons",
    .plural = "polygons",
    .number = 2048,
    .doc = "polygons with attributes: parcels, lakes, catchments. Each has one or several outlines, and "
           "holes in them",
    .properties = properties,
    .picture = PICTURE,
    .ending = "geojson",
    .free = free_shapes,
    .frame = frame,
    .hash = hash,
    .describe = describe,
    .write = write,
    .read = read,
};
