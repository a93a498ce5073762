// The orders of streams, cell by cell.
//
// Strahler 1957, "Quantitative analysis of watershed geomorphology": a stream is of order 1 from its spring;
// where two of the same order meet it becomes one more, where different ones meet it takes the greater.
// Shreve 1966, "Statistical law of stream numbers": the number of springs above. Hack 1957, "Studies of
// longitudinal stream profiles in Virginia and Maryland": the stream that reaches an outlet is of order 1,
// each tributary one more than the stream that it joins; of the streams that meet, the one that drains most
// cells goes on.

#include "water/stream_order.h"
#include "core/math.h"
#include "core/memory.h"
#include "water/downstream.h"
#include "water/flow.h"

#include <string.h>

typedef struct StreamOrder {
    int method;
    STREAM_MEMBERS;
} StreamOrder;

typedef struct Ordering {
    const Streams *streams;
    float *order;
    uint32_t *trail;
    uint8_t *steps; // of each cell for Hack's order
} Ordering;

// Whether a stream's water goes on to another stream cell.
static bool joins(const Streams *streams, size_t cell) {
    const size_t to = receiver_cell(streams, cell);
    return to != cell && is_stream(streams, to);
}

// --- from springs ------------------------------------------------------------------------------------------

// Leaves only directions of streams into streams. No order is known yet: 0.
static void keep_streams(void *context, int first, int end) {
    const Ordering *ordering = context;
    const Streams *streams = ordering->streams;
    const size_t width = (size_t)streams->drainage.height->width;
    memset(ordering->order + (size_t)first * width, 0,
           (size_t)(end - first) * width * sizeof *ordering->order);
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++)
        if (!is_stream(streams, i))
            streams->drainage.direction[i] = UNSEEN;
        else if (!joins(streams, i))
            streams->drainage.direction[i] = DRAINS_OFF;
}

static Meeting meeting_at(const Ordering *ordering, size_t cell, unsigned donors) {
    Meeting meeting = { 0 };
    for (int i = 0; donors; i++, donors >>= 1) {
        if (!(donors & 1))
            continue;
        meeting_add(&meeting, ordering->order[neighbour_of(ordering->streams->drainage.height, cell, i)]);
    }
    return meeting;
}

static void order_strahler(void *context, const uint32_t *cells, int count, const uint8_t *donors) {
    const Ordering *ordering = context;
    for (int i = 0; i < count; i++) {
        ordering->order[cells[i]] = strahler_order(meeting_at(ordering, cells[i], donors[cells[i]]));
    }
}

static void order_shreve(void *context, const uint32_t *cells, int count, const uint8_t *donors) {
    const Ordering *ordering = context;
    for (int i = 0; i < count; i++) {
        ordering->order[cells[i]] = shreve_order(meeting_at(ordering, cells[i], donors[cells[i]]));
    }
}

static Status order_from_springs(const Run *run, Ordering *ordering, VisitCells *visit, Error *error) {
    const Drainage *drainage = &ordering->streams->drainage;
    const Downstream downstream = { .width = drainage->height->width,
                                    .height = drainage->height->height,
                                    .direction = drainage->direction,
                                    .visit = visit,
                                    .context = ordering };
    const Status status =
        parallel_rows(run, downstream.height, downstream.width * 2.0, keep_streams, ordering);
    return status == STATUS_OK ? visit_downstream(run, &downstream, error) : status;
}

// --- from outlets ------------------------------------------------------------------------------------------

// The stream that goes on as this cell.
static size_t main_donor(const Streams *streams, size_t cell) {
    const Field *height = streams->drainage.height;
    const int x = (int)(cell % (size_t)height->width), y = (int)(cell / (size_t)height->width);
    size_t most = cell;
    float area = 0;
    for (int i = 0; i < NEIGHBOURS; i++) {
        if (!within_field(height, x + neighbour_x[i], y + neighbour_y[i]))
            continue;
        const size_t from = neighbour_of(height, cell, i);
        if (receiver_cell(streams, from) != cell || from == cell || !is_stream(streams, from))
            continue;
        const bool more = streams->drained.cells[from] > area;
        most = more ? from : most;
        area = more ? streams->drained.cells[from] : area;
    }
    return most;
}

enum { NO_STREAM, GOES_ON, JOINS, ENDS }; // ENDS: at an outlet

// What a stream's cell is to the one into which it drains; orders are not known yet: 0.
static void find_steps(void *context, int first, int end) {
    const Ordering *ordering = context;
    const Streams *streams = ordering->streams;
    const size_t width = (size_t)streams->drainage.height->width;
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++) {
        int step = NO_STREAM;
        if (is_stream(streams, i))
            step = !joins(streams, i)                                    ? ENDS
                   : main_donor(streams, receiver_cell(streams, i)) == i ? GOES_ON
                                                                         : JOINS;
        ordering->steps[i] = (uint8_t)step;
        ordering->order[i] = 0;
    }
}

static void order_way(const Ordering *ordering, size_t cell) {
    const Streams *streams = ordering->streams;
    size_t count = 0;
    for (; ordering->order[cell] == 0 && ordering->steps[cell] != ENDS; cell = receiver_cell(streams, cell))
        ordering->trail[count++] = (uint32_t)cell;
    if (ordering->order[cell] == 0)
        ordering->order[cell] = 1;
    float order = ordering->order[cell];
    while (count > 0) {
        cell = ordering->trail[--count];
        order += ordering->steps[cell] == JOINS ? 1 : 0;
        ordering->order[cell] = order;
    }
}

// From the streams' cells, which are few, up from where the order is known.
static Status order_ways(const Run *run, const Ordering *ordering, size_t cells) {
    enum { PIECE = 64 };
    static const uint8_t nothing[PIECE] = { NO_STREAM };
    Status status = STATUS_OK;
    for (size_t first = 0; first < cells && status == STATUS_OK; first += PIECE) {
        const size_t count = min(cells - first, (size_t)PIECE);
        if (first % (1 << 16) == 0)
            status = run_advance(run, (double)first, (double)cells);
        if (memcmp(ordering->steps + first, nothing, count) == 0)
            continue;
        for (size_t i = first; i < first + count; i++)
            if (ordering->steps[i] != NO_STREAM && ordering->order[i] == 0)
                order_way(ordering, i);
    }
    return status;
}

static Status order_from_outlets(const Run *run, Ordering *ordering, size_t cells, Error *error) {
    const Field *height = ordering->streams->drainage.height;
    ordering->trail = memory_new(cells, sizeof *ordering->trail, error);
    ordering->steps = ordering->trail ? memory_new(cells, sizeof *ordering->steps, error) : NULL;
    Status status = ordering->steps
                        ? parallel_rows(run, height->height, height->width * 5.0, find_steps, ordering)
                        : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = order_ways(run, ordering, cells);
    memory_free(ordering->trail);
    memory_free(ordering->steps);
    return status;
}

// --- both --------------------------------------------------------------------------------------------------

static Status find_orders(const Call *call, const Streams *streams, Error *error) {
    static VisitCells *const visitors[] = {
        [METHOD_STRAHLER] = order_strahler, [METHOD_SHREVE] = order_shreve
    };
    const StreamOrder *params = call->params;
    Field *out = &call->outputs[0].field;
    Ordering ordering = { .streams = streams, .order = field_cells(out) };
    if (params->method == METHOD_HACK)
        return order_from_outlets(call->run, &ordering, field_count(out), error);
    return order_from_springs(call->run, &ordering, visitors[params->method], error);
}

static Status run(const Call *call, Error *error) {
    const StreamOrder *params = call->params;
    Streams streams = { .drainage = { .height = call->inputs[0].field,
                                      .filled = call->outputs[0].field,
                                      .sea_level = params->sea_level },
                        .rivers = params->rivers,
                        .measured = params->method == METHOD_HACK };
    Status status = streams_find(call->run, &streams, STREAM_BEGINNING(params), error);
    if (status == STATUS_OK)
        status = find_orders(call, &streams, error);
    streams_free(&streams);
    return status;
}

static const Param params[] = {
    PARAM(StreamOrder, method, .choices = CHOICES("strahler", "shreve", "hack"),
          .doc = "\"strahler\": one more where two of the same order meet; \"shreve\": the number of springs "
                 "above; \"hack\": 1 for the stream that reaches an outlet, one more for each tributary"),
    STREAM_PARAMS(StreamOrder),
    { 0 },
};

const Operation op_stream_order = {
    .name = "stream_order",
    .measures = MEASURES_SHAPES,
    .category = "rivers",
    .keywords = "strahler shreve hack horton hierarchy tributary",
    .summary = "Gives the order of the stream in each cell",
    .description = "Water flows from cell to cell as in flow_accumulation with method \"d8\". With `rivers`, "
                   "all marked cells are streams.",
    .source = "Strahler 1957; Shreve 1966; Hack 1957",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "order", "orders, from 1; 0 where no stream is" } },
    .params = params,
    .params_size = sizeof(StreamOrder),
    .example = "local main = height:stream_order{ threshold = 0.005 }:subtract(2):clamp{}",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .always_finite = "no order is more than the number of cells",
    .picture = "local land = height:stream_erosion{ age = 0.6 }:normalize{}\n"
               "return land, land:relief{ rivers = land:stream_order{ threshold = 0.003 } / 4 }",
    .see_also = "rivers_from_flow flow_accumulation network_statistics",
    .run = run,
};
