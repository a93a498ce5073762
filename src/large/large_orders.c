// Orders of streams strip by strip. Of each strip its springs, its confluences and the streams' cells in its
// first and last row are nodes; between two of them a stream keeps its order. From the nodes of all strips,
// which are few, follow their orders, and from these, strip by strip, those of all cells.

#include "core/memory.h"
#include "large/gates.h"
#include "water/flow.h"
#include "water/stream_order.h"

#include <assert.h>
#include <string.h>

// Notes: a head; for each cell of the first row its node, from 1, or 0, then of the last row; and for each
// node these words: the node into which its stream leads, or the column of the next strip's cell; in which
// direction its last cell drains, and OUT where that is another strip; and what drains through that cell.
enum { MARK, WIDTH, ROWS, NODES, HEAD_WORDS };
enum { NODE_NEXT, NODE_WAY, NODE_AREA, NODE_WORDS };
enum { OUT = NEIGHBOURS };
#define NOTES_MARK UINT32_C(0x4544524f) // "ORDE"

// --- one strip ---------------------------------------------------------------------------------------------

typedef struct StripNodes {
    const StreamStrip *strip;
    Streams streams;
    int width;
    size_t start;    // of the strip's cells in the window
    uint8_t *donors; // streams that drain into each cell
    uint32_t *node;  // of each cell the one at which its stream begins, from 1; 0 without stream
    uint32_t *at;    // the cell of each node
    uint32_t count;
} StripNodes;

static void nodes_free(StripNodes *nodes) {
    memory_free(nodes->donors);
    memory_free(nodes->node);
    memory_free(nodes->at);
}

static size_t strip_cells(const StripNodes *nodes) {
    return (size_t)nodes->width * (size_t)nodes->strip->rows;
}

static bool has_stream(const StripNodes *nodes, size_t cell) {
    return is_stream(&nodes->streams, nodes->start + cell);
}

// Whether a stream's water goes on to another stream's cell.
static bool goes_on(const StripNodes *nodes, size_t cell) {
    const int way = nodes->strip->direction[cell];
    return way < NEIGHBOURS &&
           is_stream(&nodes->streams, neighbour_of(nodes->strip->height, nodes->start + cell, way));
}

static size_t receiver(const StripNodes *nodes, size_t cell) {
    return strip_receiver(nodes->strip->direction, nodes->width, nodes->strip->rows, cell);
}

static void count_donors(const StripNodes *nodes) {
    for (size_t i = 0; i < strip_cells(nodes); i++) {
        const size_t to = has_stream(nodes, i) && goes_on(nodes, i) ? receiver(nodes, i) : SIZE_MAX;
        if (to != SIZE_MAX)
            nodes->donors[to]++;
    }
}

static bool is_node(const StripNodes *nodes, size_t cell) {
    const size_t width = (size_t)nodes->width;
    return has_stream(nodes, cell) &&
           (cell < width || cell >= strip_cells(nodes) - width || nodes->donors[cell] != 1);
}

// The last cell of the stream that begins at a node, before the next one; gives all of them to it.
static size_t follow_stream(const StripNodes *nodes, uint32_t number) {
    size_t at = nodes->at[number - 1];
    while (goes_on(nodes, at)) {
        const size_t to = receiver(nodes, at);
        if (to == SIZE_MAX || nodes->node[to] != 0)
            break;
        nodes->node[to] = number;
        at = to;
    }
    return at;
}

// Finds the nodes; cells between them have none yet.
static Status nodes_find(const StreamStrip *strip, StripNodes *nodes, Error *error) {
    assert(strip->rivers || strip->drained);
    *nodes = (StripNodes){ .strip = strip,
                           .width = strip->height->width,
                           .streams = { .drainage.height = strip->height,
                                        .rivers = strip->rivers,
                                        .sea = strip->sea,
                                        .least = strip->least } };
    nodes->start = (size_t)strip->first * (size_t)nodes->width;
    if (strip->drained)
        nodes->streams.drained = *strip->drained;
    const size_t cells = strip_cells(nodes);
    if (!(nodes->donors = memory_new_zeroed(cells, 1, error)) ||
        !(nodes->node = memory_new_zeroed(cells, sizeof *nodes->node, error)))
        return STATUS_MEMORY;
    count_donors(nodes);
    for (size_t i = 0; i < cells; i++)
        if (is_node(nodes, i))
            nodes->node[i] = ++nodes->count;
    if (!(nodes->at = memory_new((size_t)nodes->count + 1, sizeof *nodes->at, error)))
        return STATUS_MEMORY;
    for (size_t i = 0; i < cells; i++)
        if (nodes->node[i] > 0)
            nodes->at[nodes->node[i] - 1] = (uint32_t)i;
    return STATUS_OK;
}

static void describe_node(const StripNodes *nodes, uint32_t number, uint32_t *words) {
    const StreamStrip *strip = nodes->strip;
    const size_t last = follow_stream(nodes, number);
    words[NODE_NEXT] = NOWHERE;
    words[NODE_WAY] = strip->direction[last];
    if (strip->drained)
        memcpy(&words[NODE_AREA], &strip->drained->cells[nodes->start + last], sizeof(float));
    if (!goes_on(nodes, last))
        return;
    const size_t to = receiver(nodes, last);
    if (to != SIZE_MAX) {
        words[NODE_NEXT] = nodes->node[to] - 1;
        return;
    }
    words[NODE_NEXT] = (uint32_t)((int)(last % (size_t)nodes->width) + neighbour_x[words[NODE_WAY]]);
    words[NODE_WAY] |= OUT;
}

Status large_orders_look(const StreamStrip *strip, Notes *notes, Error *error) {
    StripNodes nodes;
    Status status = nodes_find(strip, &nodes, error);
    const size_t width = (size_t)nodes.width;
    notes->count = HEAD_WORDS + 2 * width + NODE_WORDS * (size_t)nodes.count;
    notes->at = status == STATUS_OK ? memory_new_zeroed(notes->count, sizeof *notes->at, error) : NULL;
    if (notes->at) {
        notes->at[MARK] = NOTES_MARK;
        notes->at[WIDTH] = (uint32_t)nodes.width;
        notes->at[ROWS] = (uint32_t)strip->rows;
        notes->at[NODES] = nodes.count;
        memcpy(notes->at + HEAD_WORDS, nodes.node, width * sizeof *nodes.node);
        memcpy(notes->at + HEAD_WORDS + width, nodes.node + (strip_cells(&nodes) - width),
               width * sizeof *nodes.node);
        for (uint32_t i = 1; i <= nodes.count; i++)
            describe_node(&nodes, i, notes->at + HEAD_WORDS + 2 * width + NODE_WORDS * (size_t)(i - 1));
    } else {
        status = STATUS_MEMORY;
    }
    nodes_free(&nodes);
    return status;
}

Status large_orders_finish(const StreamStrip *strip, const float *orders, size_t count, Field *order,
                           Error *error) {
    StripNodes nodes;
    Status status = nodes_find(strip, &nodes, error);
    if (status == STATUS_OK && nodes.count != count)
        status = fail(error, STATUS_FILE, "the orders of a strip are those of another field");
    for (uint32_t i = 1; status == STATUS_OK && i <= nodes.count; i++)
        follow_stream(&nodes, i);
    for (size_t i = 0; status == STATUS_OK && i < strip_cells(&nodes); i++)
        field_cells(order)[i] = nodes.node[i] > 0 ? orders[nodes.node[i] - 1] : 0;
    nodes_free(&nodes);
    return status;
}

// --- all strips --------------------------------------------------------------------------------------------

typedef struct Node {
    uint32_t next; // or NOWHERE
    uint32_t way;
    float area;
} Node;

struct OrderJoin {
    int width;
    Node *nodes;
    uint32_t *start; // the first node of each strip, and one more
    uint32_t *above; // the nodes of the last row of the strip before
    size_t strips, room;
    float *order;
};

OrderJoin *order_join_new(int width, Error *error) {
    OrderJoin *join = memory_new_zeroed(1, sizeof *join, error);
    if (!join)
        return NULL;
    join->width = width;
    if ((join->start = memory_new_zeroed(1, sizeof *join->start, error)) &&
        (join->above = memory_new_zeroed((size_t)width, sizeof *join->above, error)))
        return join;
    order_join_free(join);
    return NULL;
}

void order_join_free(OrderJoin *join) {
    if (!join)
        return;
    memory_free(join->nodes);
    memory_free(join->start);
    memory_free(join->above);
    memory_free(join->order);
    memory_free(join);
}

static bool are_sound(const OrderJoin *join, const uint32_t *notes, size_t count) {
    const size_t width = (size_t)join->width;
    if (count < HEAD_WORDS + 2 * width || notes[MARK] != NOTES_MARK || notes[WIDTH] != width ||
        count != HEAD_WORDS + 2 * width + (size_t)NODE_WORDS * notes[NODES])
        return false;
    for (size_t x = 0; x < 2 * width; x++)
        if (notes[HEAD_WORDS + x] > notes[NODES])
            return false;
    const uint32_t *node = notes + HEAD_WORDS + 2 * width;
    for (size_t i = 0; i < notes[NODES]; i++, node += NODE_WORDS) {
        const uint32_t most = node[NODE_WAY] & OUT ? notes[WIDTH] : notes[NODES];
        if (node[NODE_NEXT] != NOWHERE && node[NODE_NEXT] >= most)
            return false;
    }
    return true;
}

static Status make_room(OrderJoin *join, uint32_t more, Error *error) {
    const size_t count = join->start[join->strips], all = count + more;
    if (all >= NOWHERE)
        return fail(error, STATUS_INVALID, "more than 2^32 springs and confluences: let rivers begin later");
    uint32_t *start =
        memory_enlarge(join->start, join->strips + 1, join->strips + 2, sizeof *join->start, error);
    if (!start)
        return STATUS_MEMORY;
    join->start = start;
    start[join->strips + 1] = (uint32_t)all;
    if (all <= join->room)
        return STATUS_OK;
    const size_t room = all + count / 2;
    Node *nodes = memory_enlarge(join->nodes, count, room, sizeof *nodes, error);
    if (!nodes)
        return STATUS_MEMORY;
    join->nodes = nodes;
    join->room = room;
    return STATUS_OK;
}

static bool leads(const Node *node, int down) {
    return node->next != NOWHERE && node->way & OUT && neighbour_y[node->way & (NEIGHBOURS - 1)] == down;
}

// Streams of nodes that leave a strip lead to nodes of the row beyond, whose numbers count from `start`.
static void lead_across(OrderJoin *join, size_t strip, int down, const uint32_t *beyond, uint32_t start) {
    for (size_t i = join->start[strip]; i < join->start[strip + 1]; i++) {
        Node *node = &join->nodes[i];
        if (!leads(node, down))
            continue;
        const uint32_t to = beyond[node->next];
        node->next = to > 0 ? start + to - 1 : NOWHERE;
        node->way &= NEIGHBOURS - 1;
    }
}

Status order_join_add(OrderJoin *join, const uint32_t *notes, size_t count, Error *error) {
    if (!are_sound(join, notes, count))
        return fail(error, STATUS_FILE, "the notes of a strip are damaged, or those of another field");
    const Status status = make_room(join, notes[NODES], error);
    if (status != STATUS_OK)
        return status;
    const size_t width = (size_t)join->width;
    const uint32_t start = join->start[join->strips], *gates = notes + HEAD_WORDS;
    const uint32_t *words = gates + 2 * width;
    for (size_t i = 0; i < notes[NODES]; i++, words += NODE_WORDS) {
        const bool inside = words[NODE_NEXT] != NOWHERE && !(words[NODE_WAY] & OUT);
        Node *node = &join->nodes[start + i];
        *node = (Node){ words[NODE_NEXT] + (inside ? start : 0), words[NODE_WAY], 0 };
        memcpy(&node->area, &words[NODE_AREA], sizeof node->area);
    }
    if (join->strips > 0) {
        lead_across(join, join->strips - 1, 1, gates, start);
        lead_across(join, join->strips, -1, join->above, join->start[join->strips - 1]);
    }
    memcpy(join->above, gates + width, width * sizeof *gates);
    join->strips++;
    return STATUS_OK;
}

// The nodes whose streams lead into each, in the order of the neighbours from which they come.
typedef struct Donors {
    uint32_t *start, *at;
} Donors;

static int side_of(const Node *node) {
    return (int)(node->way + NEIGHBOURS / 2) % NEIGHBOURS;
}

static void sort_donors(const Node *nodes, uint32_t *donors, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t node = donors[i];
        uint32_t to = i;
        for (; to > 0 && side_of(&nodes[donors[to - 1]]) > side_of(&nodes[node]); to--)
            donors[to] = donors[to - 1];
        donors[to] = node;
    }
}

static Status donors_find(const Node *nodes, uint32_t count, Donors *donors, Error *error) {
    *donors = (Donors){ 0 };
    if (!(donors->start = memory_new_zeroed((size_t)count + 2, sizeof *donors->start, error)) ||
        !(donors->at = memory_new((size_t)count + 1, sizeof *donors->at, error)))
        return STATUS_MEMORY;
    uint32_t *start = donors->start;
    for (uint32_t i = 0; i < count; i++)
        if (nodes[i].next != NOWHERE)
            start[nodes[i].next + 2]++;
    for (uint32_t i = 2; i < count + 2; i++)
        start[i] += start[i - 1];
    for (uint32_t i = 0; i < count; i++)
        if (nodes[i].next != NOWHERE)
            donors->at[start[nodes[i].next + 1]++] = i;
    for (uint32_t i = 0; i < count; i++)
        sort_donors(nodes, donors->at + start[i], start[i + 1] - start[i]);
    return STATUS_OK;
}

// From springs down: `waiting` has room for all nodes.
static void order_down(const OrderJoin *join, const Donors *donors, int method, uint32_t count,
                       uint32_t *waiting) {
    uint32_t listed = 0;
    for (uint32_t i = 0; i < count; i++)
        join->order[i] = -(float)(donors->start[i + 1] - donors->start[i]); // donors that have none yet
    for (uint32_t i = 0; i < count; i++)
        if (donors->start[i + 1] == donors->start[i])
            waiting[listed++] = i;
    for (uint32_t at = 0; at < listed; at++) {
        const uint32_t node = waiting[at], next = join->nodes[node].next;
        Meeting meeting = { 0 };
        for (uint32_t k = donors->start[node]; k < donors->start[node + 1]; k++)
            meeting_add(&meeting, join->order[donors->at[k]]);
        join->order[node] = method == METHOD_SHREVE ? shreve_order(meeting) : strahler_order(meeting);
        if (next != NOWHERE && ++join->order[next] == 0)
            waiting[listed++] = next;
    }
}

// Of the streams that meet in a node the one that goes on as its own: that with the largest area.
static bool is_main(const OrderJoin *join, const Donors *donors, uint32_t node) {
    const uint32_t next = join->nodes[node].next;
    uint32_t most = NOWHERE;
    float area = 0;
    for (uint32_t k = donors->start[next]; k < donors->start[next + 1]; k++)
        if (join->nodes[donors->at[k]].area > area) {
            most = donors->at[k];
            area = join->nodes[most].area;
        }
    return most == node;
}

// From outlets up: `trail` has room for all nodes.
static void order_up(const OrderJoin *join, const Donors *donors, uint32_t count, uint32_t *trail) {
    memset(join->order, 0, count * sizeof *join->order);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = 0, node = i;
        for (; join->order[node] == 0 && join->nodes[node].next != NOWHERE && length < count;
             node = join->nodes[node].next)
            trail[length++] = node;
        if (join->order[node] == 0)
            join->order[node] = 1;
        float order = join->order[node];
        while (length > 0) {
            node = trail[--length];
            order += is_main(join, donors, node) ? 0 : 1;
            join->order[node] = order;
        }
    }
}

Status order_join_solve(OrderJoin *join, int method, Error *error) {
    const uint32_t count = join->start[join->strips];
    for (uint32_t i = 0; i < count; i++)
        if (join->nodes[i].way & OUT && join->nodes[i].next != NOWHERE)
            return fail(error, STATUS_FILE, "the notes of a strip are missing");
    Donors donors;
    Status status = donors_find(join->nodes, count, &donors, error);
    uint32_t *list = status == STATUS_OK ? memory_new((size_t)count + 1, sizeof *list, error) : NULL;
    join->order = list ? memory_new((size_t)count + 1, sizeof *join->order, error) : NULL;
    if (join->order && method == METHOD_HACK)
        order_up(join, &donors, count, list);
    else if (join->order)
        order_down(join, &donors, method, count, list);
    else
        status = STATUS_MEMORY;
    memory_free(list);
    memory_free(donors.start);
    memory_free(donors.at);
    return status;
}

const float *order_join_orders(const OrderJoin *join, int strip, size_t *count) {
    *count = join->start[strip + 1] - join->start[strip];
    return join->order + join->start[strip];
}
