// Pits opened by channels of least cost (Lindsay and Dhun 2015, "Modelling surface drainage patterns in
// altered landscapes using LiDAR", section 2.2; Lindsay 2016, "Efficient hybrid breaching-filling sink
// removal methods for flow path enforcement in digital elevation models").
//
// From the bottom of a pit a search goes out in the order of cost (Dijkstra 1959) until it finds ground that
// is lower, the sea or the border. A step costs what is dug in its cell: the depth of the channel, which is
// as low as the bottom or falls from there. The lowest pits are opened first, so that lower ground always
// drains: higher ones end in their channels.

#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "water/cell_queue.h"
#include "water/drainage.h"
#include "water/filling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Breach {
    double slope, depth;
    double length;
    double sea_level;
} Breach;

enum { PIT = 1, CHANNEL = 2 };
static const size_t NOWHERE = (size_t)-1;

typedef struct Visit { // of a cell by a search
    float cost, bed;   // of the way there; how low the channel is
    uint32_t search;   // its number; of any other, the rest is not set
    uint32_t from;     // the way's length in cells, times NEIGHBOURS, and the direction back
} Visit;

typedef struct Digging {
    const Breach *params;
    const Field *height;
    Field ground; // filled at first, then as dug so far
    uint8_t *marks;
    Waiting *pits;
    size_t pit_count;
    Visit *visits;
    float *falls; // of each row, how much a channel falls to each neighbour
    Queue heap;
    uint32_t search;
    bool left; // whether pits could not be opened within the limits
} Digging;

// --- pits ------------------------------------------------------------------------------------------------

static bool is_pit(const Digging *digging, int x, int y) {
    const Field *height = digging->height;
    const size_t cell = (size_t)y * (size_t)height->width + (size_t)x;
    if (!(digging->ground.cells[cell] > height->cells[cell])) // so that it is not on the border
        return false;
    for (int i = 0; i < NEIGHBOURS; i++)
        if (height->cells[neighbour_of(height, cell, i)] < height->cells[cell])
            return false;
    return true;
}

static void mark_rows(void *context, int first, int end) {
    const Digging *digging = context;
    const int width = digging->ground.width;
    for (int y = first; y < end; y++)
        for (int x = 0; x < width; x++)
            digging->marks[(size_t)y * (size_t)width + (size_t)x] = is_pit(digging, x, y) ? PIT : 0;
}

static int compare(const void *one, const void *other) {
    const Waiting a = *(const Waiting *)one, b = *(const Waiting *)other;
    return (a > b) - (a < b);
}

static Status list_pits(const Run *run, Digging *digging, Error *error) {
    const Field *height = digging->height;
    const size_t cells = field_count(height), width = (size_t)height->width;
    digging->marks = memory_new(cells, 1, error);
    if (!digging->marks)
        return STATUS_MEMORY;
    const Status status = parallel_rows(run, height->height, (double)width * 4, mark_rows, digging);
    if (status != STATUS_OK)
        return status;
    size_t count = 0;
    for (size_t i = 0; i < cells; i++)
        count += digging->marks[i] == PIT;
    digging->pits = memory_new(count + 1, sizeof *digging->pits, error);
    if (!digging->pits)
        return STATUS_MEMORY;
    for (size_t i = 0; i < cells; i++)
        if (digging->marks[i] == PIT)
            digging->pits[digging->pit_count++] =
                waiting_cell(height->cells[i], (int)(i % width), (int)(i / width));
    qsort(digging->pits, count, sizeof *digging->pits, compare);
    return STATUS_OK;
}

// --- channels --------------------------------------------------------------------------------------------

static bool is_border(const Field *field, size_t cell) {
    const size_t width = (size_t)field->width, x = cell % width, y = cell / width;
    return x == 0 || y == 0 || x + 1 == width || y + 1 == (size_t)field->height;
}

// A channel may be dug below the level of the sea, and is none.
static bool is_sea(const Digging *digging, size_t cell) {
    return digging->height->cells[cell] < (float)digging->params->sea_level;
}

// Whether water that comes here runs off.
static bool runs_off(const Digging *digging, size_t cell, float bed) {
    const float ground = digging->ground.cells[cell];
    return ground < bed || is_sea(digging, cell) || is_border(&digging->ground, cell) ||
           (ground == bed && digging->marks[cell] & CHANNEL);
}

static bool visit(Digging *digging, size_t cell, Visit next, Error *error) {
    const size_t width = (size_t)digging->ground.width;
    Visit *known = &digging->visits[cell];
    if (known->search == digging->search && known->cost <= next.cost)
        return true;
    *known = next;
    return heap_add(&digging->heap, waiting_cell(next.cost, (int)(cell % width), (int)(cell / width)), error);
}

// The neighbours of a cell that a search has come to.
static bool go_on(Digging *digging, size_t cell, Error *error) {
    const Breach *params = digging->params;
    const Visit here = digging->visits[cell];
    const float *falls = digging->falls + cell / (size_t)digging->ground.width * NEIGHBOURS;
    const uint32_t length = here.from / (uint32_t)NEIGHBOURS + 1;
    if (params->length > 0 && length > params->length)
        return true;
    for (int i = 0; i < NEIGHBOURS; i++) {
        const size_t to = neighbour_of(&digging->ground, cell, i);
        const float bed = height_below(here.bed, falls[i]);
        const float depth = max(digging->ground.cells[to] - bed, 0);
        if (params->depth > 0 && digging->height->cells[to] - bed > (float)params->depth)
            continue; // other channels may have been dug here before
        const Visit next = { .cost = here.cost + depth,
                             .bed = bed,
                             .search = digging->search,
                             .from = length * (uint32_t)NEIGHBOURS +
                                     (uint32_t)((i + NEIGHBOURS / 2) % NEIGHBOURS) };
        if (!visit(digging, to, next, error))
            return false;
    }
    return true;
}

// Finds the cell where the cheapest channel from a pit ends; NOWHERE if the limits allow none.
static Status search(const Run *run, Digging *digging, size_t pit, size_t *found, Error *error) {
    enum { CELLS_PER_POLL = 1 << 16 };
    const size_t width = (size_t)digging->ground.width;
    digging->search++;
    digging->heap.count = 0;
    *found = NOWHERE;
    if (!visit(digging, pit, (Visit){ 0, digging->ground.cells[pit], digging->search, 0 }, error))
        return STATUS_MEMORY;
    for (size_t polled = 1; digging->heap.count > 0; polled++) {
        const Waiting next = heap_take(&digging->heap);
        const size_t cell = (size_t)waiting_y(next) * width + (size_t)waiting_x(next);
        const Visit *here = &digging->visits[cell];
        if (ordered_bits(here->cost) != (uint32_t)(next >> 32))
            continue; // found more cheaply since
        if (cell != pit && runs_off(digging, cell, here->bed)) {
            *found = cell;
            return STATUS_OK;
        }
        if (!go_on(digging, cell, error))
            return STATUS_MEMORY;
        if (polled % CELLS_PER_POLL == 0 && run_stopped(run))
            return STATUS_STOPPED;
    }
    return STATUS_OK;
}

// Digs from the channel's end back to the pit.
static void dig(Digging *digging, size_t end, size_t pit) {
    for (size_t at = end; at != pit;) {
        const Visit *here = &digging->visits[at];
        float *ground = &field_cells(&digging->ground)[at];
        if (*ground >= here->bed && !is_sea(digging, at)) {
            *ground = here->bed;
            digging->marks[at] |= CHANNEL;
        }
        at = neighbour_of(&digging->ground, at, (int)(here->from % (uint32_t)NEIGHBOURS));
    }
    digging->marks[pit] |= CHANNEL;
}

static Status open_pit(const Run *run, Digging *digging, size_t pit, Error *error) {
    if (digging->marks[pit] & CHANNEL)
        return STATUS_OK; // another one's passes here
    size_t end;
    const Status status = search(run, digging, pit, &end, error);
    if (status == STATUS_OK && end != NOWHERE)
        dig(digging, end, pit);
    digging->left = digging->left || end == NOWHERE;
    return status;
}

static Status find_falls(Digging *digging, Error *error) {
    const int rows = digging->height->height;
    digging->falls = memory_new((size_t)rows * NEIGHBOURS, sizeof *digging->falls, error);
    for (int y = 0; digging->falls && y < rows; y++) {
        const CellShape shape = field_row_shape(digging->height, y);
        const bool squares = shape.across == 1 && shape.down == 1;
        for (int i = 0; i < NEIGHBOURS; i++) {
            const double across = neighbour_x[i] * shape.across, down = neighbour_y[i] * shape.down;
            const float distance =
                squares ? 1 / inverse_distance[i] : (float)sqrt(across * across + down * down);
            digging->falls[y * NEIGHBOURS + i] = (float)digging->params->slope * distance;
        }
    }
    return digging->falls ? STATUS_OK : STATUS_MEMORY;
}

static Status open_pits(const Run *run, Digging *digging, Error *error) {
    enum { PITS_PER_POLL = 1 << 10 };
    const Field *height = digging->height;
    const size_t width = (size_t)height->width;
    Status status = fill_to_spills(run, height, (float)digging->params->sea_level, &digging->ground, error);
    if (status == STATUS_OK)
        status = list_pits(run, digging, error);
    if (status != STATUS_OK)
        return status;
    digging->visits = memory_new_zeroed(field_count(height), sizeof *digging->visits, error);
    if (!digging->visits || find_falls(digging, error) != STATUS_OK)
        return STATUS_MEMORY;
    memcpy(field_cells(&digging->ground), height->cells, field_count(height) * sizeof(float));
    for (size_t i = 0; i < digging->pit_count && status == STATUS_OK; i++) {
        if (i % PITS_PER_POLL == 0)
            status = run_advance(run, (double)i, (double)digging->pit_count);
        const Waiting pit = digging->pits[i];
        if (status == STATUS_OK)
            status = open_pit(run, digging, (size_t)waiting_y(pit) * width + (size_t)waiting_x(pit), error);
    }
    return status;
}

static Status run(const Call *call, Error *error) {
    const Breach *params = call->params;
    Field *out = &call->outputs[0].field;
    Digging digging = { .params = params, .height = call->inputs[0].field, .ground = *out };
    memcpy(field_cells(out), digging.height->cells, field_count(out) * sizeof(float));
    Status status = open_pits(call->run, &digging, error);
    memory_free(digging.marks);
    memory_free(digging.pits);
    memory_free(digging.visits);
    memory_free(digging.falls);
    memory_free(digging.heap.at);
    if (status == STATUS_OK && digging.left)
        status = fill_to_spills(call->run, out, (float)params->sea_level, out, error);
    return status;
}

static const Param params[] = {
    PARAM(Breach, slope, .initial = 0, .min = 0, .max = 1e4, .unit = UNIT_SLOPE,
          .doc = "gradient of channels; a step too small for heights to hold is the next that they hold; 0: "
                 "as high as the pit's bottom throughout"),
    PARAM(Breach, depth, .initial = 0, .min = 0, .max = HEIGHT_MAX,
          .doc = "no channel is deeper below the given ground; pits that need one are filled instead; 0: "
                 "any depth"),
    PARAM(Breach, length, .initial = 0, .min = 0, .max = 1, .unit = UNIT_SIDES,
          .doc = "pits that need a longer channel are filled instead; 0: any length"),
    PARAM(Breach, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "ground below this is sea, into which water drains"),
    { 0 },
};

const Operation op_breach = {
    .name = "breach",
    .measures = MEASURES_CELLS,
    .category = "rivers",
    .keywords = "carve depression sink removal channel condition",
    .summary = "Opens the pits of a terrain by channels, so that water drains from everywhere",
    .description = "fill makes flats; breach cuts through the rim instead and usually changes far fewer "
                   "cells. From the lowest on, each pit gets the channel, one cell wide, that needs the "
                   "least digging: the sum of the heights by which its cells are lowered, as they are by "
                   "then. With a slope, which makes longer channels deeper, the least is not always found. "
                   "Nothing is raised unless depth or length are given.",
    .source = "Lindsay and Dhun 2015, least-cost breaching; Lindsay 2016, hybrid breaching and filling",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "breached", "heights without pits", .heights = true } },
    .params = params,
    .params_size = sizeof(Breach),
    .example = "local open = height:breach{ depth = 0.1 }",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .picture = "local open = height:breach{}\n"
               "return open:relief{ rivers = ((height - open) * 100):clamp() }",
    .see_also = "fill lakes flow_accumulation",
    .run = run,
};
