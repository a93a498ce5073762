// The value type of points.

#include "places/points.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"

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

static RiverNetwork *as_network(const Points *points, Error *error) {
    RiverNetwork *network = network_new(points->count, 2 * points->count, 0, error);
    if (!network)
        return NULL;
    network->width = points->width;
    network->height = points->height;
    network->frame = points->frame;
    network->cell = 1.0 / max(max(points->width, points->height), 1);
    network->lines = true;
    for (int i = 0; i < points->count; i++) {
        const PlacePoint *point = &points->at[i];
        network->reaches[i] =
            (Reach){ .first = 2 * i, .count = 2, .downstream = -1, .order = 1, .mouth = true };
        network->points[2 * i] = network->points[2 * i + 1] = (RiverPoint){
            .x = point->x, .y = point->y, .altitude = point->altitude, .width = 2 * point->radius
        };
    }
    return network;
}

const RiverNetwork *input_lines(const Input *input, RiverNetwork **dots, Error *error) {
    *dots = NULL;
    if (input->type != &type_points)
        return input->value;
    return *dots = as_network(input->value, error);
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
    return bits;
}

static void describe(const void *value, char *text, size_t size) {
    snprintf(text, size, ": %d", ((const Points *)value)->count);
}

static void write(const void *value, ByteWriter *to) {
    const Points *points = value;
    bytes_put(to, points, sizeof *points);
    const unsigned char flag = points->wraps;
    bytes_put(to, &flag, 1);
    frame_write(&points->frame, to);
    bytes_put(to, points->at, (size_t)points->count * sizeof *points->at);
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
    return status != STATUS_OK || is_sound(points) ? status : bytes_damaged(error);
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
        "window, "
        "y down, in .csv, and shares of N from the lower left corner, y up, in .geojson",
    .properties = properties,
    .picture = "local points, pixels = ...\n"
               "local longer = math.max(points.width, points.height)\n"
               "return points:draw{ scale = math.min(1, pixels / longer), line = 1 }",
    .ending = "csv",
    .frame = frame,
    .hash = hash,
    .describe = describe,
    .write = write,
    .read = read,
};
