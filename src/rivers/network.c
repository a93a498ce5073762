#include "rivers/network.h"

#include "core/memory.h"
#include "core/random.h"

#include <string.h>

typedef struct NetworkNode {
    uint64_t key;
    RiverPoint point;
    int downstream; // a node, NETWORK_NOWHERE or NETWORK_MOUTH
    int upstream;   // how many flow into it
    int reach;      // that begins here
} NetworkNode;

// --- nodes -------------------------------------------------------------------------------------------------

static bool grow_nodes(NetworkBuilder *builder) {
    Error ignored;
    const int room = builder->room ? 2 * builder->room : 1024;
    NetworkNode *nodes = memory_new((size_t)room, sizeof *nodes, &ignored);
    if (!nodes)
        return false;
    if (builder->count)
        memcpy(nodes, builder->nodes, (size_t)builder->count * sizeof *nodes);
    memory_free(builder->nodes);
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
static bool grow_table(NetworkBuilder *builder) {
    Error ignored;
    const int size = builder->table_size ? 2 * builder->table_size : 4096;
    int *table = memory_new((size_t)size, sizeof *table, &ignored);
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

int network_node(NetworkBuilder *builder, uint64_t key, RiverPoint point) {
    if (builder->failed)
        return NETWORK_NOWHERE;
    if ((builder->count == builder->room && !grow_nodes(builder)) ||
        (2 * builder->count >= builder->table_size && !grow_table(builder))) {
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
    if (from < 0 || builder->nodes[from].downstream != NETWORK_NOWHERE)
        return;
    builder->nodes[from].downstream = to;
    if (to >= 0)
        builder->nodes[to].upstream++;
}

// --- reaches -----------------------------------------------------------------------------------------------

// Where a reach begins: at springs, at confluences, and where a river enters.
static bool begins_reach(const NetworkNode *node) {
    return node->upstream != 1 && node->downstream >= 0;
}

static bool ends_reach(const NetworkNode *node) {
    return node->upstream > 1 || node->downstream < 0;
}

static void count_reaches(const NetworkBuilder *builder, int *reaches, int *points) {
    *reaches = *points = 0;
    for (int i = 0; i < builder->count; i++) {
        const NetworkNode *node = &builder->nodes[i];
        if (!begins_reach(node))
            continue;
        ++*reaches;
        ++*points;
        do {
            node = &builder->nodes[node->downstream];
            ++*points;
        } while (!ends_reach(node));
    }
}

static void fill_reaches(const NetworkBuilder *builder, RiverNetwork *network) {
    NetworkNode *nodes = builder->nodes;
    for (int i = 0; i < builder->count; i++)
        if (begins_reach(&nodes[i]))
            nodes[i].reach = network->reach_count++;
    for (int i = 0; i < builder->count; i++) {
        const NetworkNode *node = &nodes[i];
        if (node->reach < 0)
            continue;
        Reach *reach = &network->reaches[node->reach];
        reach->first = network->point_count;
        network->points[network->point_count++] = node->point;
        do {
            node = &nodes[node->downstream];
            network->points[network->point_count++] = node->point;
        } while (!ends_reach(node));
        reach->count = network->point_count - reach->first;
        reach->downstream = node->reach;
        reach->mouth = node->downstream == NETWORK_MOUTH;
    }
}

// What is known of the reaches that flow into one.
typedef struct Confluence {
    int waiting;        // so many have no order yet
    int highest, times; // of the others' orders, and how many have it
} Confluence;

// Downstream in waves: a reach has its order once all that flow into it have theirs. A circle keeps 1.
static void set_orders(RiverNetwork *network, Confluence *confluences, int *ready) {
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
        below->highest = reach->order > below->highest ? reach->order : below->highest;
        if (--below->waiting == 0)
            ready[count++] = reach->downstream;
    }
}

// A zeroed network with room for so many reaches and points, in one block.
static RiverNetwork *network_new(int reaches, int points, Error *error) {
    const size_t size =
        sizeof(RiverNetwork) + (size_t)points * sizeof(RiverPoint) + (size_t)reaches * sizeof(Reach);
    RiverNetwork *network = memory_new_zeroed(size, 1, error);
    if (!network)
        return NULL;
    network->points = (RiverPoint *)(void *)(network + 1);
    network->reaches = (Reach *)(void *)(network->points + points);
    return network;
}

RiverNetwork *network_finish(NetworkBuilder *builder, Error *error) {
    RiverNetwork *network = NULL;
    int reaches = 0, points = 0;
    if (builder->failed)
        fail(error, STATUS_MEMORY, "not enough memory for the river network");
    else {
        count_reaches(builder, &reaches, &points);
        network = network_new(reaches, points, error);
    }
    Confluence *confluences =
        network ? memory_new_zeroed((size_t)reaches + 1, sizeof *confluences, error) : NULL;
    int *ready = confluences ? memory_new((size_t)reaches + 1, sizeof *ready, error) : NULL;
    if (ready) {
        fill_reaches(builder, network);
        set_orders(network, confluences, ready);
    } else {
        memory_free(network);
        network = NULL;
    }
    memory_free(ready);
    memory_free(confluences);
    memory_free(builder->nodes);
    memory_free(builder->table);
    *builder = (NetworkBuilder){ 0 };
    return network;
}
