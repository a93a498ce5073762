// The value type of river networks.

#include "core/memory.h"
#include "rivers/network.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- validation --------------------------------------------------------------------------------------------

// Validates a network received from another process: every count, position and link.

static void make_flag(bool *flag) {
    unsigned char byte;
    memcpy(&byte, flag, 1);
    *flag = byte != 0;
}

static bool is_place(double x, double y) {
    return fabs(x) <= 1e30 && fabs(y) <= 1e30; // false for NaN
}

static bool are_places(const Vec2 *spots, int count) {
    for (int i = 0; i < count; i++)
        if (!is_place(spots[i].x, spots[i].y))
            return false;
    return true;
}

static bool is_part(int first, int count, int least, int all) {
    return first >= 0 && count >= least && count <= all && first <= all - count;
}

static bool points_are_valid(const RiverNetwork *network) {
    for (int i = 0; i < network->point_count; i++) {
        const RiverPoint *point = &network->points[i];
        if (!is_place(point->x, point->y) || !(point->area >= 0 && point->area <= 1e30) ||
            !(fabsf(point->altitude) <= 1e30f) || !(point->width >= 0 && point->width <= 1e9f) ||
            !(point->distance >= 0 && point->distance <= 1e30f))
            return false;
    }
    return true;
}

static bool reaches_are_valid(RiverNetwork *network) {
    for (int i = 0; i < network->reach_count; i++) {
        Reach *reach = &network->reaches[i];
        make_flag(&reach->mouth);
        if (!is_part(reach->first, reach->count, 1, network->point_count) || reach->downstream < -1 ||
            reach->downstream >= network->reach_count || reach->order < 1 || reach->order > 64)
            return false;
    }
    return true;
}

// Follows every reach down until it ends or meets one that is known to end. Those have their orders' sign
// turned meanwhile.
static bool links_end(RiverNetwork *network) {
    Reach *reaches = network->reaches;
    bool valid = true;
    for (int i = 0; valid && i < network->reach_count; i++) {
        int steps = 0;
        for (int at = i; valid && at >= 0 && reaches[at].order > 0; at = reaches[at].downstream)
            valid = ++steps <= network->reach_count;
        for (int at = i; valid && at >= 0 && reaches[at].order > 0; at = reaches[at].downstream)
            reaches[at].order = -reaches[at].order;
    }
    for (int i = 0; i < network->reach_count; i++)
        if (reaches[i].order < 0)
            reaches[i].order = -reaches[i].order;
    return valid;
}

static bool ridges_are_valid(const RiverNetwork *network) {
    for (int i = 0; i < network->ridge_count; i++) {
        const Ridge *ridge = &network->ridges[i];
        if (!is_part(ridge->first, ridge->count, 0, network->ridge_point_count) ||
            !are_places(&ridge->low, 1) || !are_places(&ridge->high, 1))
            return false;
    }
    return are_places(network->ridge_points, network->ridge_point_count);
}

static bool boundary_is_valid(Boundary *boundary) {
    make_flag(&boundary->convex);
    make_flag(&boundary->coast);
    if ((boundary->columns > 0) != (boundary->rows > 0) ||
        (boundary->columns > 0 && !(boundary->cell > 0 && boundary->cell <= 1e30)))
        return false;
    const size_t cells = (size_t)boundary->columns * (size_t)boundary->rows;
    for (size_t i = 0; i < cells; i++)
        if (!(fabsf(boundary->shore[i]) <= 1e30f))
            return false;
    return are_places(boundary->corners, boundary->corner_count);
}

// On the map, within the rounding of a window.
static bool is_exact_place(Int128 place) {
    const Int128 one = (Int128)1 << 120;
    return place >= -one && place <= 2 * one;
}

bool network_is_valid(RiverNetwork *network) {
    make_flag(&network->planet);
    make_flag(&network->lines);
    return network->width >= 1 && network->width <= SIDE_MAX && network->height >= 1 &&
           network->height <= SIDE_MAX && is_place(network->left, network->top) &&
           is_exact_place(network->exact_left) && is_exact_place(network->exact_top) &&
           is_exact_place(network->exact_cell) && network->exact_cell >= 0 && network->cell > 0 &&
           network->cell <= 1e30 && points_are_valid(network) && reaches_are_valid(network) &&
           links_end(network) && ridges_are_valid(network) && boundary_is_valid(&network->boundary);
}

// --- the type ----------------------------------------------------------------------------------------------

static int64_t width(const void *value) {
    return ((const RiverNetwork *)value)->width;
}

static int64_t height(const void *value) {
    return ((const RiverNetwork *)value)->height;
}

static Frame *frame(void *value) {
    return &((RiverNetwork *)value)->frame;
}

static uint64_t hash(const void *value) {
    return network_hash(value);
}

static void describe(const void *value, char *text, size_t size) {
    snprintf(text, size, " of %d reaches", ((const RiverNetwork *)value)->reach_count);
}

// --- between processes -------------------------------------------------------------------------------------

// The sizes of its arrays in bytes, in the order of the memory: those with doubles first.
typedef struct ArraySizes {
    size_t points, ridges, ridge_points, corners, reaches, shore;
} ArraySizes;

static ArraySizes sizes_of(const RiverNetwork *network) {
    const Boundary *boundary = &network->boundary;
    return (ArraySizes){
        .points = (size_t)network->point_count * sizeof *network->points,
        .ridges = (size_t)network->ridge_count * sizeof *network->ridges,
        .ridge_points = (size_t)network->ridge_point_count * sizeof *network->ridge_points,
        .corners = (size_t)boundary->corner_count * sizeof *boundary->corners,
        .reaches = (size_t)network->reach_count * sizeof *network->reaches,
        .shore = (size_t)boundary->columns * (size_t)boundary->rows * sizeof *boundary->shore,
    };
}

static void write(const void *value, ByteWriter *to) {
    const RiverNetwork *network = value;
    const ArraySizes sizes = sizes_of(network);
    bytes_put(to, network, sizeof *network);
    frame_write(&network->frame, to);
    bytes_put(to, network->points, sizes.points);
    bytes_put(to, network->ridges, sizes.ridges);
    bytes_put(to, network->ridge_points, sizes.ridge_points);
    bytes_put(to, network->boundary.corners, sizes.corners);
    bytes_put(to, network->reaches, sizes.reaches);
    bytes_put(to, network->boundary.shore, sizes.shore);
}

// Whether no count is below zero, and all together are no more bytes than there are.
static bool counts_fit(const RiverNetwork *network, size_t left) {
    const Boundary *boundary = &network->boundary;
    if (network->point_count < 0 || network->reach_count < 0 || network->ridge_count < 0 ||
        network->ridge_point_count < 0 || boundary->corner_count < 0 || boundary->columns < 0 ||
        boundary->rows < 0 ||
        (size_t)boundary->columns * (size_t)boundary->rows > left / sizeof *boundary->shore)
        return false;
    const ArraySizes sizes = sizes_of(network);
    return sizes.points + sizes.ridges + sizes.ridge_points + sizes.corners + sizes.reaches + sizes.shore <=
           left;
}

// Sets the pointers of a network to the bytes that follow it.
static void lay_out(RiverNetwork *network, char *bytes) {
    const ArraySizes sizes = sizes_of(network);
    network->points = (RiverPoint *)(void *)bytes;
    network->ridges = (Ridge *)(void *)(bytes += sizes.points);
    network->ridge_points = (Vec2 *)(void *)(bytes += sizes.ridges);
    network->boundary.corners = (Vec2 *)(void *)(bytes += sizes.ridge_points);
    network->reaches = (Reach *)(void *)(bytes += sizes.corners);
    network->boundary.shore = (float *)(void *)(bytes + sizes.reaches);
}

static Status read(void *held, FILE *from, Error *error) {
    RiverNetwork network;
    Status status = bytes_get(from, &network, sizeof network, error);
    if (status == STATUS_OK)
        status = frame_read(&network.frame, from, error);
    if (status != STATUS_OK)
        return status;
    if (!counts_fit(&network, bytes_left(from)))
        return bytes_damaged(error);
    const ArraySizes sizes = sizes_of(&network);
    const size_t size =
        sizes.points + sizes.ridges + sizes.ridge_points + sizes.corners + sizes.reaches + sizes.shore;
    RiverNetwork *whole = memory_new(1, sizeof *whole + size, error);
    if (!whole)
        return STATUS_MEMORY;
    *whole = network;
    lay_out(whole, (char *)(whole + 1));
    *(RiverNetwork **)held = whole;
    status = bytes_get(from, whole + 1, size, error);
    return status != STATUS_OK || network_is_valid(whole) ? status : bytes_damaged(error);
}

// --- the type ----------------------------------------------------------------------------------------------

static const ValueProperty properties[] = {
    { "width", .get = width, .doc = "cells of the window from left to right" },
    { "height", .get = height, .doc = "cells of the window from top to bottom" },
    { "frame", .doc = FRAME_DOC },
    { 0 },
};

const ValueType type_network = {
    .name = "RiverNetwork",
    .kind = "network",
    .singular = "a RiverNetwork",
    .plural = "networks",
    .number = 128,
    .doc = "rivers: reaches from springs and confluences down to mouths",
    .properties = properties,
    .picture = "local network, pixels = ...\n"
               "local longer = math.max(network.width, network.height)\n"
               "return network:draw{ scale = math.min(1, pixels / longer), line = 1.5 }",
    .ending = "geojson",
    .frame = frame,
    .hash = hash,
    .describe = describe,
    .write = write,
    .read = read,
};
