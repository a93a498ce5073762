// The rivers of a heightfield: the cells with enough flow.

#include "rivers/rivers_from_flow.h"
#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/summary.h"
#include "water/flow.h"

#include <math.h>

typedef struct RiversFromFlow {
    BEGINNING_MEMBERS;
    double sea_level, river_width;
} RiversFromFlow;

static RiverPoint point_at(const RiverCells *cells, const RiverCell *cell) {
    const double side = max(cells->width, cells->height), area = (double)cell->drained;
    return (RiverPoint){ .x = (double)cell->x + 0.5,
                         .y = (double)cell->y + 0.5,
                         .area = area / (side * side),
                         .altitude = cell->altitude,
                         .width = (float)(cells->river_width * side * sqrt(area / cells->most)) };
}

// Where the water of a river's last cell goes: into the sea, a quarter of a cell beyond the shore, so that
// no two rivers end in one point; or to where nothing is known, across the border or into a gap.
static RiverPoint end_of(const RiverCells *cells, const RiverCell *cell) {
    RiverPoint last = point_at(cells, cell);
    const int direction = (int)cell->direction;
    if (direction != DRAINS_OFF) {
        last.x += 0.75 * neighbour_x[direction];
        last.y += 0.75 * neighbour_y[direction];
        last.altitude = cell->ends_in_data ? (float)cells->sea_level : last.altitude;
    } else if (last.x < 1 || last.x > cells->width - 1) {
        last.x = last.x < 1 ? 0 : cells->width;
    } else {
        last.y = last.y < 1 ? 0 : cells->height;
    }
    return last;
}

int river_cells_in_row(const RiverRows *rows, int y, RiverCell *cells) {
    const Field *height = rows->height, *drained = rows->counted ? rows->counted : rows->sum;
    const size_t width = (size_t)height->width, start = (size_t)y * width;
    int count = 0;
    for (size_t x = 0; x < width; x++) {
        const size_t i = start + x;
        if (!(drained->cells[i] >= rows->least) || !field_has_data(rows->filled, i) ||
            rows->filled->cells[i] < rows->sea)
            continue;
        const int direction = rows->direction[i];
        const size_t here = (size_t)(y + rows->first) * width + x;
        if (cells)
            cells[count] =
                (RiverCell){ .x = (int32_t)x,
                             .y = y + rows->row,
                             .drained = rows->sum->cells[i],
                             .altitude = rows->filled->cells[i],
                             .direction = (uint16_t)direction,
                             .ends_in_data = direction < NEIGHBOURS &&
                                             field_has_data(height, neighbour_of(height, here, direction)) };
        count++;
    }
    return count;
}

// The nodes of the cells of three rows.
typedef struct NodeRows {
    const RiverCells *cells;
    int *at;     // of each column, or NETWORK_NOWHERE
    size_t next; // the first cell of the row below
} NodeRows;

static int *node_row(const NodeRows *rows, int y) {
    return rows->at + (size_t)(y % 3) * (size_t)rows->cells->width;
}

static void read_row(NodeRows *rows, int y) {
    const RiverCells *cells = rows->cells;
    int *row = node_row(rows, y);
    for (int x = 0; x < cells->width; x++)
        row[x] = NETWORK_NOWHERE;
    for (; rows->next < cells->count && cells->at[rows->next].y == y; rows->next++)
        row[cells->at[rows->next].x] = (int)rows->next;
}

// Its water flows on, or leaves across the border or into the sea.
static void link_cell(const NodeRows *rows, NetworkBuilder *builder, size_t number) {
    const RiverCell *cell = &rows->cells->at[number];
    const int direction = (int)cell->direction;
    int to = direction == DRAINS_OFF
                 ? NETWORK_NOWHERE
                 : node_row(rows, cell->y + neighbour_y[direction])[cell->x + neighbour_x[direction]];
    if (to < 0) {
        to = network_node(builder, 0, end_of(rows->cells, cell));
        if (direction != DRAINS_OFF && cell->ends_in_data)
            network_link(builder, to, NETWORK_MOUTH);
    }
    network_link(builder, (int)number, to);
}

Status rivers_of_cells(const Run *run, const RiverCells *cells, RiverNetwork **network, Error *error) {
    NetworkBuilder builder = { 0 };
    NodeRows rows = { .cells = cells };
    rows.at = memory_new((size_t)cells->width, 3 * sizeof *rows.at, error);
    Status status = rows.at ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK && cells->count > RIVER_CELLS_MAX)
        status = fail(error, STATUS_INVALID, "rivers of more than %d cells: let them begin later",
                      RIVER_CELLS_MAX);
    if (status == STATUS_OK) {
        network_reserve(&builder, (int)cells->count, false);
        for (size_t i = 0; i < cells->count; i++)
            network_node(&builder, 0, point_at(cells, &cells->at[i]));
        size_t at = 0;
        read_row(&rows, 0);
        for (int y = 0; y < cells->height; y++) {
            if (y + 1 < cells->height)
                read_row(&rows, y + 1);
            for (; at < cells->count && cells->at[at].y == y; at++)
                link_cell(&rows, &builder, at);
        }
    }
    memory_free(rows.at);
    status = network_finish(&builder, status, run, 0, network, error);
    if (status != STATUS_OK)
        return status;
    (*network)->width = cells->width;
    (*network)->height = cells->height;
    (*network)->cell = 1.0 / max(cells->width, cells->height);
    return STATUS_OK;
}

// --- the operation -----------------------------------------------------------------------------------------

typedef struct Listing {
    RiverRows rows;
    RiverCell *cells;
    size_t *start; // of each row
} Listing;

static void count_rows(void *context, int first, int end) {
    const Listing *listing = context;
    for (int y = first; y < end; y++)
        listing->start[y + 1] = (size_t)river_cells_in_row(&listing->rows, y, NULL);
}

static void list_rows(void *context, int first, int end) {
    const Listing *listing = context;
    for (int y = first; y < end; y++)
        river_cells_in_row(&listing->rows, y, listing->cells + listing->start[y]);
}

static Status list_cells(const Run *run, Listing *listing, size_t *count, Error *error) {
    const int width = listing->rows.height->width, height = listing->rows.height->height;
    listing->start = memory_new_zeroed((size_t)height + 1, sizeof *listing->start, error);
    Status status =
        listing->start ? parallel_rows(run, height, width * 1.0, count_rows, listing) : STATUS_MEMORY;
    for (int y = 0; status == STATUS_OK && y < height; y++)
        listing->start[y + 1] += listing->start[y];
    *count = status == STATUS_OK ? listing->start[height] : 0;
    if (status == STATUS_OK && !(listing->cells = memory_new(*count + 1, sizeof *listing->cells, error)))
        status = STATUS_MEMORY;
    return status == STATUS_OK ? parallel_rows(run, height, width * 1.0, list_rows, listing) : status;
}

// A cell with enough water is part of a river.
static Status make_network(const Call *call, const Flow *flow, const Field *counted, RiverNetwork **network,
                           Error *error) {
    const RiversFromFlow *params = call->params;
    double lowest, least = 0;
    RiverCells cells = { .width = call->width,
                         .height = call->height,
                         .sea_level = params->sea_level,
                         .river_width = params->river_width };
    Status status = beginning_cells(STREAM_BEGINNING(params), flow->drainage.height, &least, error);
    if (status == STATUS_OK)
        status = field_range(call->run, &flow->sum, &lowest, &cells.most, error);
    Listing listing = { .rows = { .height = flow->drainage.height,
                                  .filled = &flow->drainage.filled,
                                  .sum = &flow->sum,
                                  .counted = counted,
                                  .direction = flow->drainage.direction,
                                  .least = (float)least,
                                  .sea = (float)params->sea_level } };
    cells.most = max(cells.most, 1.0);
    if (status == STATUS_OK)
        status = list_cells(call->run, &listing, &cells.count, error);
    cells.at = listing.cells;
    if (status == STATUS_OK)
        status = rivers_of_cells(call->run, &cells, network, error);
    memory_free(listing.start);
    memory_free(listing.cells);
    return status;
}

// How many cells drain through each, as cells and shares count wherever rivers begin.
static Status count_cells(const Run *run, const Flow *flow, Field *counted, Error *error) {
    Flow plain = *flow;
    plain.rain = NULL;
    const Status status = field_create(counted, flow->sum.width, flow->sum.height, error);
    plain.sum = *counted;
    return status == STATUS_OK ? flow_accumulate(run, &plain, error) : status;
}

static Status find_rivers(const Call *call, Flow *flow, Error *error) {
    const RiversFromFlow *params = call->params;
    Field areas = { 0 }, counted = { 0 };
    Status status = flow_find(call->run, flow, false, error);
    if (status == STATUS_OK)
        status = flow_areas(flow->drainage.height, &areas, error);
    flow->rain = areas.cells ? &areas : NULL;
    if (status == STATUS_OK)
        status = flow_accumulate(call->run, flow, error);
    if (status == STATUS_OK && areas.cells && isnan(params->area))
        status = count_cells(call->run, flow, &counted, error);
    field_free(&areas);
    flow->rain = NULL;
    RiverNetwork *network;
    if (status == STATUS_OK)
        status = make_network(call, flow, counted.cells ? &counted : NULL, &network, error);
    field_free(&counted);
    if (status == STATUS_OK)
        call->outputs[0].value = network;
    return status;
}

static Status run(const Call *call, Error *error) {
    const RiversFromFlow *params = call->params;
    Flow flow = { .drainage = { .height = call->inputs[0].field, .sea_level = params->sea_level } };
    Status status = field_create(&flow.drainage.filled, call->width, call->height, error);
    if (status == STATUS_OK)
        status = field_create(&flow.sum, call->width, call->height, error);
    if (status == STATUS_OK)
        status = find_rivers(call, &flow, error);
    flow_free(&flow);
    field_free(&flow.sum);
    field_free(&flow.drainage.filled);
    return status;
}

static const Param params[] = {
    BEGINNING_PARAMS(RiversFromFlow),
    PARAM(RiversFromFlow, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .unit = UNIT_SEA, .doc = "ground below this is sea, where rivers end"),
    PARAM(RiversFromFlow, river_width, .initial = 0.01, .min = 0, .max = 0.5,
          .doc = "width of the largest river, in sides; others proportional to the square root of the "
                 "drained area"),
    { 0 },
};

const Operation op_rivers_from_flow = {
    .name = "rivers_from_flow",
    .measures = MEASURES_SHAPES,
    .category = "rivers",
    .keywords = "stream extraction network channel vectorize watershed",
    .summary = "Finds the rivers of a terrain: where enough water drains",
    .description =
        "Water flows from cell to cell as in flow_accumulation with method \"d8\". Points are the centres of "
        "cells, except where a river leaves the field: there its last point is on the edge, with x = width "
        "or y = height at the right and below. Elsewhere it ends in the first cell of the sea, as a mouth.",
    .source = "O'Callaghan and Mark 1984",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "network", "the rivers", &type_network } },
    .params = params,
    .params_size = sizeof(RiversFromFlow),
    .example = "local rivers = height:rivers_from_flow{ cells = 40 }",
    .picture = "local land = height:stream_erosion{ age = 0.6 }:normalize{}\n"
               "return land, land:rivers_from_flow{ threshold = 0.003 }",
    .see_also = "flow_accumulation network_statistics draw",
    .run = run,
};
