// The rivers of a heightfield: the cells with enough flow.

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/summary.h"
#include "rivers/network.h"
#include "water/flow.h"

#include <math.h>

typedef struct RiversFromFlow {
    BEGINNING_MEMBERS;
    double sea_level, river_width;
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

static bool lies_in_sea(const Flow *flow, const RiversFromFlow *params, size_t cell) {
    return flow->drainage.filled.cells[cell] < (float)params->sea_level;
}

typedef struct Cells {
    const Flow *flow;
    const RiversFromFlow *params;
    float least;
    double most;
    int *nodes;       // of each cell, or NETWORK_NOWHERE
    uint32_t *rivers; // the cells of rivers in each row, from the place of its first cell
    int *count;       // of these
} Cells;

static void list_rivers(void *context, int first, int end) {
    const Cells *cells = context;
    const Flow *flow = cells->flow;
    const size_t width = (size_t)flow->sum.width;
    for (int y = first; y < end; y++) {
        const size_t start = (size_t)y * width;
        uint32_t *rivers = cells->rivers + start;
        int count = 0;
        for (size_t i = start; i < start + width; i++) {
            cells->nodes[i] = NETWORK_NOWHERE;
            if (flow->sum.cells[i] >= cells->least && !lies_in_sea(flow, cells->params, i))
                rivers[count++] = (uint32_t)i;
        }
        cells->count[y] = count;
    }
}

// Its water flows on, or leaves across the border or into the sea.
static void link_cell(const Cells *cells, NetworkBuilder *builder, size_t cell) {
    const Flow *flow = cells->flow;
    const int direction = flow->drainage.direction[cell];
    int to =
        direction == DRAINS_OFF ? NETWORK_NOWHERE : cells->nodes[neighbour_of(&flow->sum, cell, direction)];
    if (to < 0) {
        const RiverPoint last = point_at(flow, cells->params, cell, cells->most);
        const bool mouth = direction != DRAINS_OFF &&
                           field_has_data(flow->drainage.height, neighbour_of(&flow->sum, cell, direction));
        to = network_node(builder, 0, end_of(flow, last, direction, mouth, cells->params->sea_level));
        if (mouth)
            network_link(builder, to, NETWORK_MOUTH);
    }
    network_link(builder, cells->nodes[cell], to);
}

static Status add_listed(const Run *run, Cells *cells, NetworkBuilder *builder, Error *error) {
    const Field *sum = &cells->flow->sum;
    double least;
    Status status = field_range(run, sum, &least, &cells->most, error);
    if (status == STATUS_OK)
        status = parallel_rows(run, sum->height, sum->width * 2.0, list_rivers, cells);
    if (status != STATUS_OK)
        return status;
    cells->most = max(cells->most, 1.0);
    int all = 0;
    for (int y = 0; y < sum->height; y++)
        all += cells->count[y];
    network_reserve(builder, all, false);
    for (int pass = 0; pass < 2; pass++)
        for (int y = 0; y < sum->height; y++) {
            const uint32_t *rivers = cells->rivers + (size_t)y * (size_t)sum->width;
            for (int i = 0; i < cells->count[y]; i++)
                if (pass == 0)
                    cells->nodes[rivers[i]] = network_node(
                        builder, 0, point_at(cells->flow, cells->params, rivers[i], cells->most));
                else
                    link_cell(cells, builder, rivers[i]);
        }
    return STATUS_OK;
}

// A cell with enough water is part of a river.
static Status add_cells(const Call *call, const Flow *flow, NetworkBuilder *builder, Error *error) {
    const RiversFromFlow *params = call->params;
    const size_t count = field_count(&flow->sum);
    double least = 0;
    Status status = beginning_cells(STREAM_BEGINNING(params), flow->drainage.height, &least, error);
    if (status != STATUS_OK)
        return status;
    Cells cells = { .flow = flow, .params = params, .least = (float)least };
    status = STATUS_MEMORY;
    if ((cells.nodes = memory_new(count, sizeof *cells.nodes, error)) &&
        (cells.rivers = memory_new(count, sizeof *cells.rivers, error)) &&
        (cells.count = memory_new((size_t)flow->sum.height, sizeof *cells.count, error)))
        status = add_listed(call->run, &cells, builder, error);
    memory_free(cells.nodes);
    memory_free(cells.rivers);
    memory_free(cells.count);
    return status;
}

static Status find_rivers(const Call *call, Flow *flow, Error *error) {
    NetworkBuilder builder = { 0 };
    Field areas = { 0 };
    Status status = flow_find(call->run, flow, false, error);
    if (status == STATUS_OK)
        status = flow_areas(flow->drainage.height, &areas, error);
    flow->rain = areas.cells ? &areas : NULL;
    if (status == STATUS_OK)
        status = flow_accumulate(call->run, flow, error);
    field_free(&areas);
    flow->rain = NULL;
    if (status == STATUS_OK)
        status = add_cells(call, flow, &builder, error);
    RiverNetwork *network;
    status = network_finish(&builder, status, call->run, 0, &network, error);
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
        "Water flows from cell to cell as in flow_accumulation with method \"d8\". Points "
        "are the centres of cells, but where a river leaves the field: its last point is on the edge, with "
        "x = width or y = height at the right and below. Elsewhere it ends in the first cell of the sea, as "
        "a mouth.",
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
