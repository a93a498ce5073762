// The value type of river networks.

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "rivers/network.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- networks ----------------------------------------------------------------------------------------------

typedef struct NetworkNode {
    uint64_t key;
    RiverPoint point;
    int downstream; // a node, NETWORK_NOWHERE or NETWORK_MOUTH
    int upstream;   // how many flow into it
    int reach;      // that begins here
} NetworkNode;

enum { TABLE_LEAST = 4096 };

// --- nodes -------------------------------------------------------------------------------------------------

static bool grow_nodes(NetworkBuilder *builder, int room) {
    NetworkNode *nodes =
        memory_enlarge(builder->nodes, (size_t)builder->count, (size_t)room, sizeof *nodes, NULL);
    if (!nodes)
        return false;
    builder->nodes = nodes;
    builder->room = room;
    return true;
}

static int *slot_of(const NetworkBuilder *builder, uint64_t key) {
    const uint64_t mask = (uint64_t)builder->table_size - 1;
    uint64_t at = mix64(key) & mask;
    while (builder->table[at] >= 0 && builder->nodes[builder->table[at]].key != key)
        at = (at + 1) & mask;
    return &builder->table[at];
}

// At most half full.
static bool grow_table(NetworkBuilder *builder, int size) {
    int *table = memory_new((size_t)size, sizeof *table, NULL);
    if (!table)
        return false;
    for (int i = 0; i < size; i++)
        table[i] = -1;
    memory_free(builder->table);
    builder->table = table;
    builder->table_size = size;
    for (int i = 0; i < builder->count; i++)
        if (builder->nodes[i].key)
            *slot_of(builder, builder->nodes[i].key) = i;
    return true;
}

void network_reserve(NetworkBuilder *builder, int count, bool keys) {
    int size = max(builder->table_size, TABLE_LEAST);
    while (keys && size / 2 < count)
        size *= 2;
    if ((count > builder->room && !grow_nodes(builder, count)) ||
        (keys && size > builder->table_size && !grow_table(builder, size)))
        builder->failed = true;
}

void network_expect(const NetworkBuilder *builder, uint64_t key) {
    if (builder->table)
        __builtin_prefetch(&builder->table[mix64(key) & ((uint64_t)builder->table_size - 1)], 1);
}

int network_node(NetworkBuilder *builder, uint64_t key, RiverPoint point) {
    if (builder->failed)
        return NETWORK_NOWHERE;
    if ((builder->count == builder->room && !grow_nodes(builder, 2 * builder->room + 1024)) ||
        (key && 2 * builder->count >= builder->table_size &&
         !grow_table(builder, max(2 * builder->table_size, TABLE_LEAST)))) {
        builder->failed = true;
        return NETWORK_NOWHERE;
    }
    int *slot = key ? slot_of(builder, key) : NULL;
    if (slot && *slot >= 0)
        return *slot;
    builder->nodes[builder->count] = (NetworkNode){ key, point, NETWORK_NOWHERE, 0, -1 };
    if (slot)
        *slot = builder->count;
    return builder->count++;
}

void network_link(NetworkBuilder *builder, int from, int to) {
    if (builder->failed || from < 0 || builder->nodes[from].downstream != NETWORK_NOWHERE)
        return;
    builder->nodes[from].downstream = to;
    if (to >= 0)
        builder->nodes[to].upstream++;
}

// --- reaches -----------------------------------------------------------------------------------------------

// Whether a reach begins here: at springs, at confluences, and where a river enters the window.
static bool begins_reach(const NetworkNode *node) {
    return node->upstream != 1 && node->downstream >= 0;
}

static bool ends_reach(const NetworkNode *node) {
    return node->upstream > 1 || node->downstream < 0;
}

// The reaches that begin in one part of the nodes, and their points; `first`: in the network.
typedef struct Part {
    int reaches, points, first_reach, first_point;
} Part;

enum { PART = 1 << 13 }; // nodes

typedef struct Finishing {
    NetworkNode *nodes;
    int count;
    Part *parts;
    RiverNetwork *network;
} Finishing;

// How many points the reach has that begins at a node.
static int count_points(const NetworkNode *nodes, const NetworkNode *node) {
    int points = 1;
    do {
        node = &nodes[node->downstream];
        points++;
    } while (!ends_reach(node));
    return points;
}

static void count_reaches(void *context, int first, int end) {
    const Finishing *finishing = context;
    for (int part = first; part < end; part++)
        for (int i = part * PART; i < min((part + 1) * PART, finishing->count); i++)
            if (begins_reach(&finishing->nodes[i])) {
                finishing->parts[part].reaches++;
                finishing->parts[part].points += count_points(finishing->nodes, &finishing->nodes[i]);
            }
}

static void number_reaches(void *context, int first, int end) {
    const Finishing *finishing = context;
    for (int part = first; part < end; part++) {
        int reach = finishing->parts[part].first_reach;
        for (int i = part * PART; i < min((part + 1) * PART, finishing->count); i++)
            if (begins_reach(&finishing->nodes[i]))
                finishing->nodes[i].reach = reach++;
    }
}

static void fill_reaches(void *context, int first, int end) {
    const Finishing *finishing = context;
    const NetworkNode *nodes = finishing->nodes;
    const RiverNetwork *network = finishing->network;
    for (int part = first; part < end; part++) {
        int point = finishing->parts[part].first_point;
        for (int i = part * PART; i < min((part + 1) * PART, finishing->count); i++) {
            const NetworkNode *node = &nodes[i];
            if (node->reach < 0)
                continue;
            Reach *reach = &network->reaches[node->reach];
            reach->first = point;
            network->points[point++] = node->point;
            do {
                node = &nodes[node->downstream];
                network->points[point++] = node->point;
            } while (!ends_reach(node));
            reach->count = point - reach->first;
            reach->downstream = node->reach;
            reach->mouth = node->downstream == NETWORK_MOUTH;
        }
    }
}

// In the order of the nodes at which they begin.
static Status make_reaches(const Run *run, Finishing *finishing, size_t extra, Error *error) {
    const int parts = (finishing->count + PART - 1) / PART;
    const double cost = PART * 10.0;
    finishing->parts = memory_new_zeroed((size_t)parts, sizeof *finishing->parts, error);
    if (!finishing->parts)
        return STATUS_MEMORY;
    Status status = parallel_rows(run, parts, cost, count_reaches, finishing);
    int reaches = 0, points = 0;
    for (int i = 0; i < parts; i++) {
        Part *part = &finishing->parts[i];
        part->first_reach = reaches;
        part->first_point = points;
        reaches += part->reaches;
        points += part->points;
    }
    if (status == STATUS_OK && !(finishing->network = network_new(reaches, points, extra, error)))
        status = STATUS_MEMORY;
    if (status == STATUS_OK)
        status = parallel_rows(run, parts, PART * 2.0, number_reaches, finishing);
    return status == STATUS_OK ? parallel_rows(run, parts, cost, fill_reaches, finishing) : status;
}

// State of the reaches that flow into one.
typedef struct Confluence {
    int waiting;        // number of reaches without an order yet
    int highest, times; // of the others' orders, and how many have it
} Confluence;

// Downstream in waves: a reach has its order once all that flow into it have theirs. A circle keeps 1.
// `ready` gets all but circles, what is upstream first; their number is returned.
static int set_orders(RiverNetwork *network, Confluence *confluences, int *ready) {
    Reach *reaches = network->reaches;
    int count = 0;
    for (int i = 0; i < network->reach_count; i++) {
        reaches[i].order = 1;
        if (reaches[i].downstream >= 0)
            confluences[reaches[i].downstream].waiting++;
    }
    for (int i = 0; i < network->reach_count; i++)
        if (confluences[i].waiting == 0)
            ready[count++] = i;
    for (int next = 0; next < count; next++) {
        Reach *reach = &reaches[ready[next]];
        const Confluence *above = &confluences[ready[next]];
        if (above->highest > 0)
            reach->order = above->highest + (above->times > 1);
        if (reach->downstream < 0)
            continue;
        Confluence *below = &confluences[reach->downstream];
        below->times = reach->order > below->highest ? 1 : below->times + (reach->order == below->highest);
        below->highest = max(reach->order, below->highest);
        if (--below->waiting == 0)
            ready[count++] = reach->downstream;
    }
    return count;
}

// --- blocks ------------------------------------------------------------------------------------------------

static size_t aligned(size_t bytes) {
    return (bytes + 15) & ~(size_t)15;
}

static size_t size_without_extra(int reaches, int points) {
    return aligned(sizeof(RiverNetwork) + memory_sum(memory_count(points, sizeof(RiverPoint)),
                                                     memory_count(reaches, sizeof(Reach))));
}

RiverNetwork *network_new(int reaches, int points, size_t extra, Error *error) {
    RiverNetwork *network =
        memory_new_zeroed(memory_sum(size_without_extra(reaches, points), extra), 1, error);
    if (!network)
        return NULL;
    network->points = (RiverPoint *)(void *)(network + 1);
    network->reaches = (Reach *)(void *)(network->points + points);
    network->reach_count = reaches;
    network->point_count = points;
    return network;
}

void *network_extra(const RiverNetwork *network) {
    return (char *)network + size_without_extra(network->reach_count, network->point_count);
}

size_t network_grown_size(const RiverNetwork *network) {
    return (size_t)network->ridge_count * sizeof(Ridge) + (size_t)network->ridge_point_count * sizeof(Vec2) +
           boundary_size(&network->boundary);
}

void network_copy_grown(RiverNetwork *to, const RiverNetwork *from) {
    to->left = from->left, to->top = from->top, to->cell = from->cell;
    to->width = from->width, to->height = from->height;
    to->planet = from->planet;
    to->frame = from->frame;
    to->lines = from->lines;
    to->exact_left = from->exact_left, to->exact_top = from->exact_top, to->exact_cell = from->exact_cell;
    to->ridge_count = from->ridge_count, to->ridge_point_count = from->ridge_point_count;
    to->ridge_points = network_extra(to);
    to->ridges = (Ridge *)(void *)(to->ridge_points + to->ridge_point_count);
    if (to->ridge_count) {
        memcpy(to->ridge_points, from->ridge_points, (size_t)to->ridge_point_count * sizeof(Vec2));
        memcpy(to->ridges, from->ridges, (size_t)to->ridge_count * sizeof(Ridge));
    }
    boundary_copy(&to->boundary, &from->boundary, to->ridges + to->ridge_count);
}

// --- finishing ---------------------------------------------------------------------------------------------

static void set_distances(RiverNetwork *network, const int *ready, int count) {
    for (int i = count - 1; i >= 0; i--) { // what is downstream first
        const Reach *reach = &network->reaches[ready[i]];
        RiverPoint *points = network->points + reach->first;
        points[reach->count - 1].distance =
            reach->downstream < 0 ? 0 : network->points[network->reaches[reach->downstream].first].distance;
        for (int k = reach->count - 2; k >= 0; k--) {
            const double x = points[k + 1].x - points[k].x, y = points[k + 1].y - points[k].y;
            points[k].distance = points[k + 1].distance + (float)sqrt(x * x + y * y);
        }
    }
}

Status network_settle(RiverNetwork *network, Error *error) {
    const size_t room = (size_t)network->reach_count + 1;
    Confluence *confluences = memory_new_zeroed(room, sizeof *confluences, error);
    int *ready = confluences ? memory_new(room, sizeof *ready, error) : NULL;
    if (ready) {
        const int count = set_orders(network, confluences, ready);
        set_distances(network, ready, count);
    }
    memory_free(ready);
    memory_free(confluences);
    return ready ? STATUS_OK : STATUS_MEMORY;
}

Status network_finish(NetworkBuilder *builder, Status collected, const Run *run, size_t extra,
                      RiverNetwork **network, Error *error) {
    Finishing finishing = { .nodes = builder->nodes, .count = builder->count };
    Status status = collected;
    if (status == STATUS_OK && builder->failed)
        status = fail(error, STATUS_MEMORY, "not enough memory for the river network");
    if (status == STATUS_OK)
        status = make_reaches(run, &finishing, extra, error);
    if (status == STATUS_OK)
        status = network_settle(finishing.network, error);
    if (status != STATUS_OK) {
        memory_free(finishing.network);
        finishing.network = NULL;
    }
    *network = finishing.network;
    memory_free(finishing.parts);
    memory_free(builder->nodes);
    memory_free(builder->table);
    *builder = (NetworkBuilder){ 0 };
    return status;
}

// A 64-bit hash of reaches, points, ridges and window, the same on every machine.
static uint64_t network_hash(const RiverNetwork *network) {
    uint64_t hash = mix64((uint64_t)network->width << 32 | (uint32_t)network->height);
    for (int i = 0; i < network->point_count; i++) {
        const RiverPoint *point = &network->points[i];
        const double numbers[] = { point->x, point->y, point->area, (double)point->altitude,
                                   (double)point->width };
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            hash = mix_number(hash, numbers[k]);
        if (network->watered)
            hash = mix_number(hash, (double)point->water);
    }
    for (int i = 0; i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        hash = mix64(hash ^ (uint64_t)reach->first << 32 ^ (uint32_t)reach->downstream);
        hash = mix64(hash ^ (uint64_t)reach->order << 1 ^ reach->mouth);
    }
    for (int i = 0; i < network->ridge_point_count; i++)
        hash = mix_number(mix_number(hash, network->ridge_points[i].x), network->ridge_points[i].y);
    return hash;
}

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
            !(point->water >= 0 && point->water <= 1e30f) ||
            !(point->distance >= 0 && point->distance <= 1e30f))
            return false;
    }
    return true;
}

static bool reaches_are_valid(RiverNetwork *network) {
    for (int i = 0; i < network->reach_count; i++) {
        Reach *reach = &network->reaches[i];
        make_flag(&reach->mouth);
        make_flag(&reach->wadi);
        make_flag(&reach->salt);
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
    make_flag(&network->watered);
    return network->width >= 1 && network->width <= SIDE_MAX && network->height >= 1 &&
           network->height <= SIDE_MAX && is_place(network->left, network->top) &&
           is_exact_place(network->exact_left) && is_exact_place(network->exact_top) &&
           is_exact_place(network->exact_cell) && network->exact_cell >= 0 && network->cell > 0 &&
           network->cell <= 1e30 && points_are_valid(network) && reaches_are_valid(network) &&
           links_end(network) && ridges_are_valid(network) && boundary_is_valid(&network->boundary);
}

// --- properties --------------------------------------------------------------------------------------------

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
    const RiverNetwork *network = value;
    snprintf(text, size, " of %d %s", network->reach_count, network->lines ? "lines, no rivers" : "reaches");
}

// --- between processes -------------------------------------------------------------------------------------

// The sizes of its arrays in bytes, in the order of the memory: those with doubles first.
typedef struct ArraySizes {
    size_t points, ridges, ridge_points, corners, reaches, shore;
} ArraySizes;

static ArraySizes sizes_of(const RiverNetwork *network) {
    const Boundary *boundary = &network->boundary;
    return (ArraySizes){
        .points = memory_count(network->point_count, sizeof *network->points),
        .ridges = memory_count(network->ridge_count, sizeof *network->ridges),
        .ridge_points = memory_count(network->ridge_point_count, sizeof *network->ridge_points),
        .corners = memory_count(boundary->corner_count, sizeof *boundary->corners),
        .reaches = memory_count(network->reach_count, sizeof *network->reaches),
        .shore = memory_count(boundary->columns, boundary->rows) * sizeof *boundary->shore,
    };
}

static size_t size_of_all(const ArraySizes *sizes) {
    const size_t places = memory_sum(memory_sum(sizes->ridges, sizes->ridge_points), sizes->corners);
    return memory_sum(memory_sum(sizes->points, sizes->reaches), memory_sum(sizes->shore, places));
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
        memory_count(boundary->columns, boundary->rows) > left / sizeof *boundary->shore)
        return false;
    const ArraySizes sizes = sizes_of(network);
    return size_of_all(&sizes) <= left;
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
    const size_t size = size_of_all(&sizes);
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
