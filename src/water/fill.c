// Pits filled to the height at which they spill.

#include "core/error.h"
#include "core/field.h"
#include "core/math.h"
#include "core/operation.h"
#include "core/parallel.h"
#include "water/cell_queue.h"
#include "water/drainage.h"
#include "water/filling.h"

#include <math.h>
#include <stdbool.h>

// --- filling to ground that falls --------------------------------------------------------------------------

// Fills the pits of a heightfield so that all of it falls.
// The least surface: f(c) = max(z(c), min over the neighbours n of f(n) + slope × distance(c, n)), found as
// shortest paths are (Dijkstra 1959). A cell's first neighbour at hand may be a diagonal one, and a later one
// beside it may ask for less, so that levels are lowered until the cell's turn comes. Sums of floats never
// fall where their terms do not, nor do the next heights above (height_above): the result is the same in any
// order of equal levels.

typedef struct Flood {
    const Field *height;
    Field *filled; // the level found so far; INFINITY: none
    float sea, slope;
    BucketQueue shore; // cells whose neighbours the flood has not reached from them
} Flood;

static bool flood_to(Flood *flood, int x, int y, float least, Error *error) {
    float *filled = &field_row(flood->filled, y)[x];
    const float level = max(field_row(flood->height, y)[x], least);
    if (!(level < *filled))
        return true;
    *filled = level;
    return bucket_queue_add(&flood->shore, waiting_cell(level, x, y), error);
}

// Spreads the flood from (x, y), which is at `level`, to its neighbours.
static bool flood_from(Flood *flood, int x, int y, float level, Error *error) {
    const bool border = on_border(flood->height, x, y);
    for (int i = 0; i < NEIGHBOURS; i++) {
        const int to_x = x + neighbour_x[i], to_y = y + neighbour_y[i];
        if (border && !within_field(flood->height, to_x, to_y))
            continue;
        if (!flood_to(flood, to_x, to_y, height_above(level, flood->slope / inverse_distance[i]), error))
            return false;
    }
    return true;
}

// The border and the shore.
static bool begin(Flood *flood, Error *error) {
    const Field *height = flood->height;
    for (int y = 0; y < height->height; y++)
        for (int x = 0; x < height->width; x++) {
            const float level = field_row(height, y)[x];
            const bool border = on_border(height, x, y), wet = level < flood->sea;
            field_row(flood->filled, y)[x] = border || wet ? level : INFINITY;
            if (border && !wet && !bucket_queue_add(&flood->shore, waiting_cell(level, x, y), error))
                return false;
        }
    for (int y = 0; y < height->height; y++)
        for (int x = 0; x < height->width; x++) {
            const float level = field_row(height, y)[x];
            if (level < flood->sea && !flood_from(flood, x, y, level, error))
                return false;
        }
    return true;
}

static Status spread(const Run *run, Flood *flood, Error *error) {
    enum { CELLS_PER_POLL = 1 << 16 };
    const double cells = (double)field_count(flood->height);
    for (size_t done = 0; flood->shore.count > 0; done++) {
        if (done % CELLS_PER_POLL == 0 && run_advance(run, min((double)done, cells), cells) != STATUS_OK)
            return STATUS_STOPPED;
        Waiting next;
        if (!bucket_queue_take(&flood->shore, &next, error))
            return STATUS_MEMORY;
        const int x = waiting_x(next), y = waiting_y(next);
        const float level = field_row(flood->filled, y)[x];
        if (ordered_bits(level) != (uint32_t)(next >> 32))
            continue; // reached at a lower level since
        if (!flood_from(flood, x, y, level, error))
            return STATUS_MEMORY;
    }
    return STATUS_OK;
}

// From every cell of `filled`, whose cells are there already, a path that falls by `slope` (above 0, height
// per cell) or more leads to the border or to a cell below `sea`; its steps are rounded to heights that a
// float can hold, and none is level. It is the lowest such surface that is nowhere below `height`. `filled`
// is not `height`.
static Status fill_with_slope(const Run *run, const Field *height, float sea, float slope, Field *filled,
                              Error *error) {
    Flood flood = { .height = height, .filled = filled, .sea = sea, .slope = slope };
    const Status status = begin(&flood, error) ? spread(run, &flood, error) : STATUS_MEMORY;
    bucket_queue_free(&flood.shore);
    return status;
}

// --- the operation -----------------------------------------------------------------------------------------

typedef struct Fill {
    double slope, sea_level;
} Fill;

static Status run(const Call *call, Error *error) {
    const Fill *fill = call->params;
    const Field *height = call->inputs[0].field;
    Field *filled = &call->outputs[0].field;
    const float sea = (float)fill->sea_level, slope = (float)fill->slope;
    return slope > 0 ? fill_with_slope(call->run, height, sea, slope, filled, error)
                     : fill_to_spills(call->run, height, sea, filled, error);
}

static const Param params[] = {
    PARAM(Fill, slope, .initial = 0, .min = 0, .max = 1e4, .unit = UNIT_SLOPE,
          .doc = "smallest gradient of every drainage path, which also raises flatter ground outside "
                 "pits; a step too small for heights to hold is the next that they hold: 0.00024 at heights "
                 "of 2048 to 4096; 0: filled ground is flat"),
    PARAM(Fill, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "ground below this is sea, into which water drains"),
    { 0 },
};

const Operation op_fill = {
    .name = "fill",
    .category = "rivers",
    .keywords = "depression sink pit hollow lake flood priority drain dir",
    .summary = "Fills the pits of a terrain, so that water drains from everywhere",
    .description = "From every cell a path that never rises leads across the border or into the sea. No "
                   "cell is raised more than that requires. Opposite edges do not meet.",
    .source = "without a slope by basins, as Barnes 2016; with one the least surface, by shortest paths: "
              "Dijkstra 1959",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "filled", "heights without pits", .heights = true } },
    .params = params,
    .params_size = sizeof(Fill),
    .example = "local lakes = height:fill{} - height -- their depths",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .picture = "local filled = height:fill{}\n"
               "return filled:relief{ rivers = ((filled - height) * 100):clamp() }",
    .see_also = "flow_accumulation rivers_from_flow",
    .run = run,
};
