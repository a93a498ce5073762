// The value type of points.

#include "places/points.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/whole.h"

#include <math.h>
#include <stdio.h>

Points *points_new(int count, Error *error) {
    Points *points = memory_new_zeroed(sizeof(Points) + memory_count(count, sizeof(PlacePoint)), 1, error);
    if (!points)
        return NULL;
    points->count = count;
    points->at = (PlacePoint *)(void *)(points + 1);
    return points;
}

void points_free(Points *points) {
    if (points)
        attributes_free(points->attributes);
    memory_free(points);
}

Attributes *points_attributes(Points *points, Error *error) {
    if (!points->attributes)
        points->attributes = attributes_new(error);
    return points->attributes;
}

// The number of a row; `otherwise` where there is none.
static double number_of(const Attributes *attributes, const char *name, int row, double otherwise) {
    const Attribute value = attributes_get(attributes, attributes_find(attributes, name), row);
    return value.kind == ATTRIBUTE_NUMBER ? value.number : otherwise;
}

// What points of Esker have besides: they are attributes in files.
static void set_own(PlacePoint *point, const Attributes *attributes, int row, double cell) {
    const double radius = number_of(attributes, "radius", row, 0) / cell,
                 species = number_of(attributes, "species", row, 1),
                 variation = number_of(attributes, "variation", row, 0);
    point->radius = radius >= 0 && radius <= 1e9 ? (float)radius : 0;
    point->species = species >= 1 && species <= 1e9 ? whole_int(species) : 1;
    point->variation = fabs(variation) <= 1e30 ? (float)variation : 0;
}

Status points_of_shapes(const Shapes *shapes, Points **made, Error *error) {
    Points *points = *made = points_new(shapes->point_count, error);
    if (!points)
        return STATUS_MEMORY;
    points->width = shapes->width;
    points->height = shapes->height;
    points->frame = shapes->frame;
    const double cell = frame_cell(&points->frame);
    Status status = shapes->attributes && !points_attributes(points, error) ? STATUS_MEMORY : STATUS_OK;
    int at = 0;
    for (int row = 0; row < shapes->count; row++) {
        const Shape *shape = &shapes->shapes[row];
        for (int i = shape->first; i < shape->first + shape->count; i++)
            for (int k = 0; status == STATUS_OK && k < shapes->parts[i].count; k++, at++) {
                const ShapePoint *from = &shapes->points[shapes->parts[i].first + k];
                points->at[at] = (PlacePoint){ .x = from->x, .y = from->y, .altitude = from->altitude };
                set_own(&points->at[at], shapes->attributes, row, cell);
                if (points->attributes)
                    status = attributes_copy(points->attributes, at, shapes->attributes, row, error);
            }
    }
    return status;
}

// A network of lines in a window.
static RiverNetwork *lines_new(int reaches, int points, int width, int height, const Frame *frame,
                               Error *error) {
    RiverNetwork *network = network_new(reaches, points, 0, error);
    if (!network)
        return NULL;
    network->width = width;
    network->height = height;
    network->frame = *frame;
    network->cell = 1.0 / max(max(width, height), 1);
    network->lines = true;
    return network;
}

static RiverNetwork *dots_of(const Points *points, Error *error) {
    RiverNetwork *network =
        lines_new(points->count, 2 * points->count, points->width, points->height, &points->frame, error);
    for (int i = 0; network && i < points->count; i++) {
        const PlacePoint *point = &points->at[i];
        network->reaches[i] =
            (Reach){ .first = 2 * i, .count = 2, .downstream = -1, .order = 1, .mouth = true };
        network->points[2 * i] = network->points[2 * i + 1] = (RiverPoint){
            .x = point->x, .y = point->y, .altitude = point->altitude, .width = 2 * point->radius
        };
    }
    return network;
}

static RiverNetwork *parts_of(const Shapes *shapes, Error *error) {
    RiverNetwork *network = lines_new(shapes->part_count, shapes->point_count, shapes->width, shapes->height,
                                      &shapes->frame, error);
    for (int i = 0; network && i < shapes->part_count; i++)
        network->reaches[i] = (Reach){ .first = shapes->parts[i].first,
                                       .count = shapes->parts[i].count,
                                       .downstream = -1,
                                       .order = 1,
                                       .mouth = true };
    for (int i = 0; network && i < shapes->point_count; i++)
        network->points[i] = (RiverPoint){ .x = shapes->points[i].x,
                                           .y = shapes->points[i].y,
                                           .altitude = shapes->points[i].altitude };
    return network;
}

const RiverNetwork *input_lines(const Input *input, RiverNetwork **made, Error *error) {
    *made = NULL;
    if (input->type == &type_points)
        return *made = dots_of(input->value, error);
    if (input->type == &type_lines || input->type == &type_polygons)
        return *made = parts_of(input->value, error);
    return input->value;
}

// --- the type ----------------------------------------------------------------------------------------------

static int64_t count(const void *value) {
    return ((const Points *)value)->count;
}

static int64_t width(const void *value) {
    return ((const Points *)value)->width;
}

static int64_t height(const void *value) {
    return ((const Points *)value)->height;
}

static int64_t wraps(const void *value) {
    return ((const Points *)value)->wraps;
}

static Frame *frame(void *value) {
    return &((Points *)value)->frame;
}

static uint64_t hash(const void *value) {
    const Points *points = value;
    uint64_t bits = mix64(((uint64_t)points->width << 32 | (uint32_t)points->height) + 1);
    for (int i = 0; i < points->count; i++) {
        const PlacePoint *point = &points->at[i];
        const double numbers[] = {
            point->x,      point->y, (double)point->altitude, (double)point->radius, (double)point->variation,
            point->species
        };
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            bits = mix_number(bits, numbers[k]);
    }
    return attributes_hash(points->attributes, points->count, bits);
}

static void describe(const void *value, char *text, size_t size) {
    snprintf(text, size, ": %d", ((const Points *)value)->count);
}

static void write(const void *value, ByteWriter *to) {
    const Points *points = value;
    Points head = *points;
    head.at = NULL;
    head.attributes = NULL;
    bytes_put(to, &head, sizeof head);
    const unsigned char flag = points->wraps;
    bytes_put(to, &flag, 1);
    frame_write(&points->frame, to);
    bytes_put(to, points->at, (size_t)points->count * sizeof *points->at);
    attributes_write(points->attributes, points->count, to);
}

static void free_points(void *value) {
    points_free(value);
}

static bool is_sound(const Points *points) {
    bool sound =
        points->width >= 1 && points->width <= SIDE_MAX && points->height >= 1 && points->height <= SIDE_MAX;
    for (int i = 0; i < points->count; i++) {
        const PlacePoint *point = &points->at[i];
        sound = sound && fabs(point->x) <= 1e30 && fabs(point->y) <= 1e30 && isfinite(point->altitude) &&
                point->radius >= 0 && point->radius <= 1e9f && isfinite(point->variation) &&
                point->species >= 1;
    }
    return sound;
}

static Status read(void *held, FILE *from, Error *error) {
    Points head;
    unsigned char flag;
    Status status = bytes_get(from, &head, sizeof head, error);
    if (status == STATUS_OK)
        status = bytes_get(from, &flag, 1, error);
    if (status == STATUS_OK)
        status = frame_read(&head.frame, from, error);
    if (status != STATUS_OK)
        return status;
    if (head.count < 0 || (size_t)head.count > bytes_left(from) / sizeof(PlacePoint))
        return bytes_damaged(error);
    Points *points = points_new(head.count, error);
    if (!points)
        return STATUS_MEMORY;
    points->width = head.width;
    points->height = head.height;
    points->wraps = flag != 0;
    points->frame = head.frame;
    *(Points **)held = points;
    status = bytes_get(from, points->at, (size_t)points->count * sizeof *points->at, error);
    if (status == STATUS_OK && !is_sound(points))
        status = bytes_damaged(error);
    return status == STATUS_OK ? attributes_read(&points->attributes, points->count, from, error) : status;
}

static const ValueProperty properties[] = {
    { "count", .get = count, .doc = "number of points" },
    { "width", .get = width, .doc = "cells of the window from left to right" },
    { "height", .get = height, .doc = "cells of the window from top to bottom" },
    { "wraps", .boolean = true, .get = wraps, .doc = "whether opposite edges of the window meet" },
    { "frame", .doc = FRAME_DOC },
    { 0 },
};

const ValueType type_points = {
    .name = "Points",
    .kind = "points",
    .singular = "Points",
    .plural = "points",
    .number = 512,
    .doc =
        "places with attributes: trees, rocks, houses. In files, x and y are coordinates of the frame, and "
        "radius is in the same unit. Without a frame they are cells from the upper left corner of the "
        "window, y down, in .csv, and shares of N from the lower left corner, y up, in .geojson",
    .properties = properties,
    .picture = "local points, pixels = ...\n"
               "local longer = math.max(points.width, points.height)\n"
               "return points:draw{ scale = math.min(1, pixels / longer), line = 1 }",
    .ending = "csv",
    .free = free_points,
    .frame = frame,
    .hash = hash,
    .describe = describe,
    .write = write,
    .read = read,
};
