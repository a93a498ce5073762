#include "rivers/network.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"

#include <math.h>
#include <string.h>

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
    return aligned(sizeof(RiverNetwork) + (size_t)points * sizeof(RiverPoint) +
                   (size_t)reaches * sizeof(Reach));
}

RiverNetwork *network_new(int reaches, int points, size_t extra, Error *error) {
    RiverNetwork *network = memory_new_zeroed(size_without_extra(reaches, points) + extra, 1, error);
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

uint64_t network_hash(const RiverNetwork *network) {
    uint64_t hash = mix64((uint64_t)network->width << 32 | (uint32_t)network->height);
    for (int i = 0; i < network->point_count; i++) {
        const RiverPoint *point = &network->points[i];
        const double numbers[] = { point->x, point->y, point->area, (double)point->altitude,
                                   (double)point->width };
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            hash = mix_number(hash, numbers[k]);
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
