// The rivers of a heightfield: the cells with enough flow.

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "rivers/flow.h"
#include "rivers/network.h"

#include <math.h>

typedef struct RiversFromFlow {
    double threshold, sea_level, river_width;
} RiversFromFlow;

static RiverPoint point_at(const Flow *flow, const RiversFromFlow *params, size_t cell, double most) {
    const Field *height = flow->drainage.height;
    const double side = field_side(height), area = (double)flow->sum.cells[cell];
    const size_t x = cell % (size_t)height->width, y = cell / (size_t)height->width;
    return (RiverPoint){ .x = (double)x + 0.5,
                         .y = (double)y + 0.5,
                         .area = area / (side * side),
                         .altitude = flow->drainage.filled.cells[cell],
                         .width = (float)(params->river_width * side * sqrt(area / most)) };
}

// Where the water of a river's last cell goes: into the sea, a quarter of a cell beyond the shore, so that
// no two rivers end in one point; or to where nothing is known, across the border or into a gap.
static RiverPoint end_of(const Flow *flow, RiverPoint last, int direction, bool mouth, double sea_level) {
    const Field *height = flow->drainage.height;
    if (direction != DRAINS_OFF) {
        last.x += 0.75 * neighbour_x[direction];
        last.y += 0.75 * neighbour_y[direction];
        last.altitude = mouth ? (float)sea_level : last.altitude;
    } else if (last.x < 1 || last.x > height->width - 1) {
        last.x = last.x < 1 ? 0 : height->width;
    } else {
        last.y = last.y < 1 ? 0 : height->height;
    }
    return last;
}

static bool is_sea(const Flow *flow, const RiversFromFlow *params, size_t cell) {
    return flow->drainage.filled.cells[cell] < (float)params->sea_level;
}

// A cell with enough water is part of a river; its water flows on, or leaves across the border or into the
// sea.
static Status add_cells(const Call *call, const Flow *flow, NetworkBuilder *builder, Error *error) {
    const RiversFromFlow *params = call->params;
    const size_t cells = field_count(&flow->sum);
    const float least = (float)(params->threshold * (double)cells);
    float most = 1;
    int *nodes = memory_new(cells, sizeof *nodes, error);
    if (!nodes)
        return STATUS_MEMORY;
    for (size_t i = 0; i < cells; i++)
        most = max(flow->sum.cells[i], most);
    for (size_t i = 0; i < cells; i++)
        nodes[i] = flow->sum.cells[i] >= least && !is_sea(flow, params, i)
                       ? network_node(builder, 0, point_at(flow, params, i, (double)most))
                       : NETWORK_NOWHERE;
    for (size_t i = 0; i < cells; i++) {
        if (nodes[i] < 0)
            continue;
        const int direction = flow->drainage.direction[i];
        int to = direction == DRAINS_OFF ? NETWORK_NOWHERE : nodes[neighbour_of(&flow->sum, i, direction)];
        if (to < 0) {
            const RiverPoint last = point_at(flow, params, i, (double)most);
            const bool mouth = direction != DRAINS_OFF &&
                               field_has_data(flow->drainage.height, neighbour_of(&flow->sum, i, direction));
            to = network_node(builder, 0, end_of(flow, last, direction, mouth, params->sea_level));
            if (mouth)
                network_link(builder, to, NETWORK_MOUTH);
        }
        network_link(builder, nodes[i], to);
    }
    memory_free(nodes);
    return STATUS_OK;
}

static Status find_rivers(const Call *call, Flow *flow, Error *error) {
    NetworkBuilder builder = { 0 };
    Status status = flow_find(call->run, flow, false, error);
    if (status == STATUS_OK)
        status = flow_accumulate(call->run, flow, error);
    if (status == STATUS_OK)
        status = add_cells(call, flow, &builder, error);
    RiverNetwork *network;
    if (status == STATUS_OK)
        status = network_finish(&builder, call->run, 0, &network, error);
    else
        network_discard(&builder);
    if (status != STATUS_OK)
        return status;
    network->width = call->width;
    network->height = call->height;
    network->cell = 1.0 / field_side(&flow->sum);
    call->outputs[0].value = network;
    return STATUS_OK;
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
    PARAM(RiversFromFlow, threshold, .initial = 0.001, .min = 1e-9, .max = 1,
          .doc = "share of all cells that must drain through a cell for a river to begin"),
    PARAM(RiversFromFlow, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "ground below this is sea, where rivers end"),
    PARAM(RiversFromFlow, river_width, .initial = 0.01, .min = 0, .max = 0.5,
          .doc = "width of the largest river, in sides; others proportional to the square root of the "
                 "drained area"),
    { 0 },
};

const Operation op_rivers_from_flow = {
    .name = "rivers_from_flow",
    .measures = MEASURES_SQUARES,
    .category = "rivers",
    .keywords = "stream extraction network channel vectorize watershed",
    .summary = "Finds the rivers of a terrain: where enough water drains",
    .description = "Water flows from cell to cell as in flow_accumulation with method \"d8\". Points "
                   "are the centres of cells. A river ends in the first cell of the sea, as a mouth, or "
                   "at the border.",
    .source = "O'Callaghan and Mark 1984",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "network", "the rivers", &type_network } },
    .params = params,
    .params_size = sizeof(RiversFromFlow),
    .example = "local rivers = height:rivers_from_flow{ threshold = 0.01 }",
    .picture = "return height:rivers_from_flow{ threshold = 0.003 }",
    .see_also = "flow_accumulation network_statistics draw",
    .run = run,
};
