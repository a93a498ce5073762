// Erosion by streams, from untouched land (age 0) to a mature landscape (age 1). This file declares the
// operation; stream_level.h has the equations.

#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/summary.h"
#include "erosion/erodibility.h"
#include "erosion/stream_level.h"
#include "erosion/stream_pyramid.h"
#include "water/drainage_tree.h"
#include "water/flow.h"

#include <math.h>
#include <string.h>

// --- lakes -------------------------------------------------------------------------------------------------

// Lakes fill with what streams bring, up to plains that fall gently to the outlet, and fans at their edges.
// What settles in a lake is missing in those below.

typedef struct Lakes {
    StreamLevel *level;
    double least; // share of a lake that fills, whatever streams bring
    float deposition;
    float steepest;   // slope of a fan, in heights per cell
    float head;       // up to so many drained cells; of larger streams' plains it falls with their root
    double *capacity; // of a dam the room in its lakes; then of each cell the share of it that is filled
    double *stored;   // of each cell what has settled upstream
} Lakes;

static bool in_lake(const StreamLevel *level, size_t cell) {
    return level->start[cell] > STREAM_SEA && level->water[cell] > level->ground[cell];
}

// --- the surface of a full lake --------------------------------------------------------------------------

// Sediment rises from the dam upstream, and beyond the water's edge as long as the ground is lower.
static void find_water(void *context, const uint32_t *cells, size_t count) {
    const Lakes *lakes = context;
    const StreamLevel *level = lakes->level;
    for (size_t k = count; k > 0; k--) {
        const size_t cell = cells[k - 1], to = receiver_of(&level->tree, cell);
        const float ground = level->ground[cell], below = to == cell ? ground : level->water[to];
        const bool beside = ground < below || (to != cell && in_lake(level, to));
        const float slope = lakes->steepest * sqrtf(min(lakes->head / (float)drained_cells(level, cell), 1));
        const float rise = slope / receiver_nearness(&level->tree, cell);
        level->water[cell] = beside ? max(ground, below + rise) : ground;
    }
}

// Outside of lakes nothing sinks, and in them nothing below the ground.
static void find_least(void *context, int first, int end) {
    const StreamLevel *level = context;
    for (int y = first; y < end; y++) {
        const size_t from = padded_at(&level->tree.grid, 0, y), to = from + (size_t)level->tree.grid.width;
        for (size_t cell = from; cell < to; cell++)
            level->room[cell] = in_lake(level, cell) ? level->ground[cell] : FLT_MAX;
    }
}

// Ways of water through a lake that lie side by side may differ in length, and the sediment along them in
// height: without the slide there would be cliffs between them.
static Status find_surface(const Run *run, Lakes *lakes) {
    StreamLevel *level = lakes->level;
    const PaddedGrid *grid = &level->tree.grid;
    const Slope slope = {
        .grid = grid, .heights = level->water, .least = level->room, .most = lakes->steepest
    };
    Status status = drainage_order_up(run, &level->tree, 6, find_water, lakes);
    if (status == STATUS_OK)
        status = parallel_rows(run, grid->height, grid->width * 1.0, find_least, level);
    return status == STATUS_OK ? hillslopes_slide(run, &slope) : status;
}

// --- filling ---------------------------------------------------------------------------------------------

// Whether a lake's water has yet to come to the cell over which it spills: its dam.
static bool behind_dam(const StreamLevel *level, size_t cell) {
    return in_lake(level, cell) && !is_outlet(&level->tree, cell);
}

static void find_capacity(void *context, int first, int end) {
    const Lakes *lakes = context;
    const StreamLevel *level = lakes->level;
    for (int y = first; y < end; y++) {
        const size_t from = padded_at(&level->tree.grid, 0, y), to = from + (size_t)level->tree.grid.width;
        for (size_t cell = from; cell < to; cell++) {
            const bool wet = in_lake(level, cell);
            lakes->capacity[cell] = wet ? (double)(level->water[cell] - level->ground[cell]) : 0;
            lakes->stored[cell] = 0;
        }
    }
}

static void fill_behind_dams(void *context, const uint32_t *cells, size_t count) {
    const Lakes *lakes = context;
    const StreamLevel *level = lakes->level;
    for (size_t k = 0; k < count; k++) {
        const size_t cell = cells[k], to = receiver_of(&level->tree, cell);
        const double room = lakes->capacity[cell];
        if (behind_dam(level, cell)) {
            lakes->capacity[to] += room;
        } else if (room > 0) {
            const double came = max(level->load[cell] - lakes->stored[cell], 0);
            const double brought = came * (double)lakes->deposition;
            const double least = lakes->least * (level->mask ? (double)level->mask[cell] : 1);
            const double share = clamp(brought / room, least, 1);
            lakes->capacity[cell] = share;
            lakes->stored[cell] += share * room;
        }
        if (to != cell)
            lakes->stored[to] += lakes->stored[cell];
    }
}

static void raise_ground(void *context, const uint32_t *cells, size_t count) {
    const Lakes *lakes = context;
    const StreamLevel *level = lakes->level;
    for (size_t k = count; k > 0; k--) {
        const size_t cell = cells[k - 1];
        if (behind_dam(level, cell))
            lakes->capacity[cell] = lakes->capacity[receiver_of(&level->tree, cell)];
        if (in_lake(level, cell))
            level->ground[cell] = lerp(level->ground[cell], level->water[cell], (float)lakes->capacity[cell]);
    }
}

// Raises the ground of lakes, whose drainage is that of the ground. A lake gets the rule's deposition times
// what its streams carry. Uses `room`, and finds the drainage of what comes out.
static Status lakes_fill(const Run *run, StreamLevel *level, const StreamRule *rule, Error *error) {
    const PaddedGrid *grid = &level->tree.grid;
    const size_t count = padded_count(grid);
    Lakes lakes = { .level = level,
                    .least = (double)rule->silted,
                    .deposition = rule->deposition,
                    .steepest = rule->fan_slope / level->side,
                    .head = 5e-5f * level->side * level->side };
    if (rule->deposition <= 0)
        return STATUS_OK;
    lakes.capacity = memory_new(count, sizeof *lakes.capacity, error);
    lakes.stored = lakes.capacity ? memory_new(count, sizeof *lakes.stored, error) : NULL;
    Status status = lakes.stored ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = stream_level_load(run, level);
    if (status == STATUS_OK)
        status = find_surface(run, &lakes);
    if (status == STATUS_OK)
        status = parallel_rows(run, grid->height, grid->width * 2.0, find_capacity, &lakes);
    if (status == STATUS_OK)
        status = drainage_order_down(run, &level->tree, 6, fill_behind_dams, &lakes);
    if (status == STATUS_OK)
        status = drainage_order_up(run, &level->tree, 6, raise_ground, &lakes);
    memory_free(lakes.capacity);
    memory_free(lakes.stored);
    return status == STATUS_OK ? stream_level_drain_again(run, level, rule, error) : status;
}

// --- history -----------------------------------------------------------------------------------------------

// Land of an age. At first water runs as it does on the given land; from the
// age of capture on as on mature land. So each stream deepens its valley in place from one age to the next,
// and a captured river leaves its valley slowly. Were the network of each age found by itself, rivers would
// jump while a user moves a slider. With the mature network from the start, young rivers would cut ditches
// through ridges and leave real valleys that coarse levels do not know; with a later capture, smooth slopes
// would be covered with parallel rills.

#define STREAM_CAPTURE 0.16 // an age

typedef struct StreamHistory {
    StreamRule young;  // until the age, at most that of capture
    StreamRule later;  // from there until the age
    StreamRule mature; // until age 1
} StreamHistory;

// --- sediment ----------------------------------------------------------------------------------------------

typedef struct Settling {
    const StreamLevel *level;
    Field *deposit;
} Settling;

static void clear_rows(void *context, int first, int end) {
    const Settling *settling = context;
    for (int y = first; y < end; y++)
        memset(field_row(settling->deposit, y), 0, (size_t)settling->deposit->width * sizeof(float));
}

// Before sediment settles the ground is taken off the deposit, afterwards it is added again.
static void take_off_rows(void *context, int first, int end) {
    const Settling *settling = context;
    for (int y = first; y < end; y++) {
        const float *ground = settling->level->ground + padded_at(&settling->level->tree.grid, 0, y);
        float *deposit = field_row(settling->deposit, y);
        for (int x = 0; x < settling->deposit->width; x++)
            deposit[x] -= ground[x];
    }
}

static void add_rows(void *context, int first, int end) {
    const Settling *settling = context;
    for (int y = first; y < end; y++) {
        const float *ground = settling->level->ground + padded_at(&settling->level->tree.grid, 0, y);
        float *deposit = field_row(settling->deposit, y);
        for (int x = 0; x < settling->deposit->width; x++)
            deposit[x] = max(deposit[x] + ground[x], 0);
    }
}

static Status each_row(const Run *run, Settling settling, RowsBody *body) {
    return parallel_rows(run, settling.deposit->height, settling.deposit->width * 0.5, body, &settling);
}

// --- all ---------------------------------------------------------------------------------------------------

static Status settle(const Run *run, StreamLevel *level, const StreamRule *rule, Field *deposit) {
    Status status = each_row(run, (Settling){ level, deposit }, take_off_rows);
    if (status == STATUS_OK)
        status = stream_level_settle(run, level, rule);
    return status == STATUS_OK ? each_row(run, (Settling){ level, deposit }, add_rows) : status;
}

static Status fill_lakes(const Run *run, StreamLevel *level, const StreamRule *rule, Field *deposit,
                         Error *error) {
    Status status = each_row(run, (Settling){ level, deposit }, take_off_rows);
    if (status == STATUS_OK)
        status = lakes_fill(run, level, rule, error);
    return status == STATUS_OK ? each_row(run, (Settling){ level, deposit }, add_rows) : status;
}

static Status erode_later(const Run *run, StreamPyramid *pyramid, const StreamInput *input,
                          const StreamHistory *history, Field *deposit, Error *error) {
    StreamLevel *level = &pyramid->levels[0];
    const StreamRule *later = &history->later;
    float *young = level->room; // the ground, while nothing settles
    memcpy(young, level->ground, padded_count(&level->tree.grid) * sizeof *young);
    Status status = stream_pyramid_drain(run, pyramid, input, &history->mature, error);
    if (status == STATUS_OK)
        status = stream_level_raise(run, level, input, young, later->time);
    if (status == STATUS_OK)
        status = stream_level_erode(run, level, later);
    return status == STATUS_OK ? settle(run, level, later, deposit) : status;
}

// The land of an age: the ground of the finest level, whose flow is what drains through each cell of it and
// whose start is the given land, raised. `deposit`, whose cells are there already, gets what sediment adds to
// the ground: where it settles along streams, over what they would leave without it, and in lakes. The
// pyramid has to be freed, also after a failure.
static Status stream_history_run(const Run *run, StreamPyramid *pyramid, const StreamInput *input,
                                 const StreamHistory *history, Field *deposit, Error *error) {
    StreamLevel *level = &pyramid->levels[0];
    const bool captured = history->later.time > 0;
    const StreamRule *rule = captured ? &history->later : &history->young;
    Status status = stream_pyramid_create(run, pyramid, input, &history->young, error);
    if (status == STATUS_OK)
        status = each_row(run, (Settling){ level, deposit }, clear_rows);
    if (status == STATUS_OK)
        status = stream_level_drain(run, level, &history->young, false, error);
    if (status == STATUS_OK)
        status = stream_level_erode(run, level, &history->young);
    if (status == STATUS_OK && captured)
        status = erode_later(run, pyramid, input, history, deposit, error);
    if (status == STATUS_OK)
        status = stream_level_raise(run, level, input, NULL, history->young.time + history->later.time);
    if (status == STATUS_OK)
        status = stream_level_slide(run, level, rule);
    if (status == STATUS_OK)
        status = hillslopes_round(run, level, rule->rounding);
    if (status == STATUS_OK)
        status = stream_level_drain_again(run, level, rule, error);
    return status == STATUS_OK ? fill_lakes(run, level, rule, deposit, error) : status;
}

typedef struct StreamErosion {
    double age, uplift, erodibility, talus, deposition, sea_level, channel;
    const Field *uplift_map, *rain, *mask;
} StreamErosion;

enum { HEIGHT, FLOW, DEPOSIT, ERODED };

// --- results ---------------------------------------------------------------------------------------------

typedef struct Take {
    const Call *call;
    const StreamLevel *level;
    bool eroded; // otherwise the heights are to the bit what they were
} Take;

static void take_rows(void *context, int first, int end) {
    const Take *take = context;
    const StreamLevel *level = take->level;
    Output *outputs = take->call->outputs;
    for (int y = first; y < end; y++) {
        const size_t at = padded_at(&level->tree.grid, 0, y);
        const float *before = field_row(take->call->inputs[0].field, y);
        float *height = field_row(&outputs[HEIGHT].field, y), *flow = field_row(&outputs[FLOW].field, y);
        float *deposit = field_row(&outputs[DEPOSIT].field, y),
              *eroded = field_row(&outputs[ERODED].field, y);
        for (int x = 0; x < take->call->width; x++) {
            const size_t cell = at + (size_t)x;
            const bool land = take->eroded && level->start[cell] > STREAM_SEA;
            height[x] = land ? level->ground[cell] : before[x];
            flow[x] = (float)level->flow[cell];
            deposit[x] = land ? deposit[x] : 0;
            eroded[x] = land ? max(level->start[cell] + deposit[x] - level->ground[cell], 0) : 0;
        }
    }
}

// --- arguments -------------------------------------------------------------------------------------------

// How much time has passed at an age: so much that equal steps of age change the land about as much.
static double time_at(double age) {
    return age * sqrt(age);
}

// What happens from one age to a later one.
static StreamRule rule_of(const StreamErosion *erosion, double from, double to, int side, double relief) {
    const double time = time_at(to) - time_at(from);
    return (StreamRule){ .time = (float)time,
                         .head = (float)erosion->channel,
                         .power = (float)(4 * erosion->erodibility * time),
                         .talus = (float)(min(erosion->talus * side / max(to, 1e-6), 1e12)),
                         .bank = (float)min(0.5 * erosion->talus * side, 1e12),
                         .deposition = (float)erosion->deposition,
                         .silted = (float)(to * to * to * to * min(erosion->erodibility, 1)),
                         .floor_slope = (float)(0.4 * relief),
                         .lake_slope = (float)(0.002 * relief),
                         .fan_slope = (float)(1.2 * relief),
                         .relief = relief > 0 ? (float)relief : 1,
                         .floor = (float)(0.012 * erosion->deposition * sqrt(time)),
                         .rounding = (float)min(2 * to * to, 1),
                         .sea_level = (float)erosion->sea_level };
}

static StreamHistory history_of(const StreamErosion *erosion, int side, double lowest, double highest) {
    const double age = erosion->age, young = min(age, STREAM_CAPTURE);
    const double relief = highest + erosion->uplift * time_at(age) - lowest;
    return (StreamHistory){ .young = rule_of(erosion, 0, young, side, relief),
                            .later = rule_of(erosion, young, age, side, relief),
                            .mature = rule_of(erosion, 0, 1, side, relief) };
}

static Status check(const Call *call, double *lowest, double *highest, Error *error) {
    const StreamErosion *erosion = call->params;
    const double most = 1e18;
    Status status = erodibility_check(call, erosion->mask, error);
    if (status == STATUS_OK)
        status = uplift_map_check(call, erosion->uplift_map, error);
    if (status == STATUS_OK)
        status = flow_check_rain(erosion->rain, error);
    if (status == STATUS_OK)
        status = field_range(call->run, call->inputs[0].field, lowest, highest, error);
    if (status == STATUS_OK && (*lowest < -most || *highest > most))
        return fail(error, STATUS_INVALID, "heights must be -1e18 to 1e18, got %s to %s",
                    digits_of(*lowest).text, digits_of(*highest).text);
    return status;
}

// --- the operation ---------------------------------------------------------------------------------------

static Status run(const Call *call, Error *error) {
    const StreamErosion *erosion = call->params;
    const Field *height = call->inputs[0].field;
    double lowest = 0, highest = 0;
    Status status = check(call, &lowest, &highest, error);
    if (status != STATUS_OK)
        return status;
    const StreamHistory history = history_of(erosion, field_side(height), lowest, highest);
    const StreamInput input = { .height = height,
                                .rain = erosion->rain,
                                .mask = erosion->mask,
                                .uplift_map = erosion->uplift_map,
                                .uplift = (float)erosion->uplift,
                                .wraps = call->wraps };
    StreamPyramid pyramid;
    status = stream_history_run(call->run, &pyramid, &input, &history, &call->outputs[DEPOSIT].field, error);
    Take take = { call, &pyramid.levels[0], erosion->age > 0 };
    if (status == STATUS_OK)
        status = parallel_rows(call->run, call->height, call->width * 1.0, take_rows, &take);
    stream_pyramid_free(&pyramid);
    return status;
}

static const Param params[] = {
    PARAM(StreamErosion, age, .initial = 1, .min = 0, .max = 1,
          .doc = "from 0, untouched, to 1, a mature landscape; erosion and uplift grow with age^1.5"),
    PARAM(StreamErosion, erodibility, .initial = 1, .min = 0, .max = 1000,
          .doc = "how fast streams cut down"),
    PARAM(StreamErosion, uplift, .initial = 0, .min = 0, .max = 1000,
          .doc = "rise of the land until age 1, in heights"),
    PARAM(StreamErosion, uplift_map,
          .doc = "share of the uplift by which each cell rises, 0 to 1; by default 1"),
    PARAM(StreamErosion, rain, .doc = "rain on each cell, 0 or more; by default 1"),
    PARAM(StreamErosion, talus, .initial = 20, .min = 0.01, .max = 1e4, .unit = UNIT_SLOPE,
          .doc = "no slope stays steeper at age 1; at age 0.5 none stays steeper than twice this. Sides of "
                 "valleys are steeper than the given land by at most half of it"),
    PARAM(StreamErosion, channel, .initial = 1e-4, .min = 0, .max = 1,
          .doc =
              "drained area at which streams begin, as a share of N²; above that are hillslopes, as steep as "
              "the stream's head. The default is a cell of 100², 0: a cell"),
    PARAM(StreamErosion, deposition, .initial = 0.5, .min = 0, .max = 1,
          .doc = "share of the sediment that settles, in lakes and on valley floors"),
    PARAM(StreamErosion, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "lower ground is sea, in which streams end; it stays as it is"),
    PARAM_MASK(StreamErosion),
    { 0 },
};

const Operation op_stream_erosion = {
    .name = "stream_erosion",
    .measures = NEEDS_SQUARES,
    .category = "erosion",
    .keywords = "fluvial power incision valley mountain uplift landscape evolution dendritic wear deposits "
                "sediment alluvium alluvial canyon gully anastomosis",
    .summary = "Carves branching valleys into any terrain, which drain all of it once it is mature",
    .description =
        "Works on base terrain, a drawn sketch or a loaded elevation model. Water drains from every cell "
        "along one path into the sea or off the border. With `wrap`, for land that tiles, no water "
        "leaves over an edge; without a sea all of it ends in the lowest cell, wherever that lies. But "
        "fill, basins, lakes, flow_accumulation and rivers_from_flow always drain over the border. Streams "
        "erode in proportion to slope times the square root of the drained area, "
        "hillslopes sink to the talus, lakes become sloping plains of sediment, and large valleys get flat "
        "floors. Land is "
        "without hollows at age 1; younger land, hard rock, or land without deposition keeps those whose "
        "outlets streams have not cut down yet: fill closes them. `flow` is that of the result. "
        "On land the balance closes: the result is height + uplift * uplift_map * age^1.5 - eroded + "
        "deposit. Sediment settles along streams, measured over the ground that they would leave without it, "
        "and in lakes; what slides or is rounded off afterwards counts as eroded. No stream cuts below the "
        "sea or, without one, below the lowest height.\n\nUntil age 0.16 streams follow the given land; "
        "later each deepens the valley that it has at age 1. So land changes gradually with the age. A "
        "coarse preview shows where the valleys of a finer field will be, and nearly their heights. Streams "
        "begin at `channel`, a share of all land. A smaller share makes finer and steeper valleys. With 0 "
        "streams begin at one cell, and a large field is covered with rills. 3e-4 makes smooth hillslopes, "
        "whose steepness hardly depends on the resolution. Spectral terrain at age 0.9 has a mean slope of "
        "16 degrees with 200 cells a side and 22 with 1024; with 3e-4 13 and 16, with 0 17 and 29. Give "
        "harder rock a smaller mask; at 0 it is not eroded. Craters and other basins without an outlet are "
        "filled or cut open; to keep some, blend the land back: esker.lerp(worn, land, basins).",
    .source = "Braun and Willett 2013; Cordonnier, Bovy and Braun 2019; Yuan et al. 2019",
    .inputs = { { "height", "heights, 0 to 1" } },
    .outputs = { { "height", "eroded heights", .heights = true },
                 { "flow", "drained area", .dimension = DIMENSION_CELLS },
                 { "deposit", "thickness of the sediment that settled", .dimension = DIMENSION_HEIGHT },
                 { "eroded", "thickness of what streams and slopes took away",
                   .dimension = DIMENSION_HEIGHT } },
    .params = params,
    .params_size = sizeof(StreamErosion),
    .example = "local worn, flow = height:stream_erosion{ age = 0.7 }",
    .wrapping = WRAPPING_ASKED,
    .run = run,
};
