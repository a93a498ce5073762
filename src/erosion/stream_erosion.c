// Erosion by streams, from untouched land (age 0) to a mature landscape (age 1). This file declares the
// operation; stream_level.h has the equations.

#include "core/math.h"
#include "core/operation.h"
#include "core/summary.h"
#include "erosion/erodibility.h"
#include "erosion/stream_history.h"
#include "water/flow.h"

#include <math.h>

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

static Status check_uplift(const Call *call, const Field *map, Error *error) {
    double least = 0, most = 1;
    const Status status = map ? field_range(call->run, map, &least, &most, error) : STATUS_OK;
    if (status == STATUS_OK && (least < 0 || most > 1))
        return fail(error, STATUS_INVALID, "uplift_map must be 0 to 1, got %s to %s", digits_of(least).text,
                    digits_of(most).text);
    return status;
}

static Status check(const Call *call, double *lowest, double *highest, Error *error) {
    const StreamErosion *erosion = call->params;
    const double most = 1e18;
    Status status = erodibility_check(call, erosion->mask, error);
    if (status == STATUS_OK)
        status = check_uplift(call, erosion->uplift_map, error);
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
    PARAM(StreamErosion, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "lower ground is sea, in which streams end; it stays as it is"),
    PARAM_MASK(StreamErosion),
    { 0 },
};

const Operation op_stream_erosion = {
    .name = "stream_erosion",
    .measures = MEASURES_SQUARES,
    .category = "erosion",
    .keywords = "fluvial power incision valley mountain uplift landscape evolution dendritic wear deposits "
                "sediment",
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
        "deposit. "
        "Sediment settles along streams, measured over the ground that they would leave without it, and in "
        "lakes; what slides or is rounded off afterwards counts as eroded. No "
        "stream cuts below the sea or, without one, below the lowest height.\n\nUntil age 0.16 streams "
        "follow the given land; later each deepens the valley that it has at age 1. So land changes "
        "gradually with the age. A coarse preview "
        "shows where the valleys of a finer field will be, and nearly their heights. Streams begin at "
        "`channel`, a share of all land. A smaller share makes finer and steeper valleys. With 0 streams "
        "begin at one cell, and a large field is covered with rills. 3e-4 makes smooth hillslopes, whose "
        "steepness hardly depends on the resolution. Spectral terrain at age 0.9 has a mean slope of 16 "
        "degrees with "
        "200 cells a side and 22 with 1024; with 3e-4 13 and 16, with 0 17 and 29. Give harder rock a "
        "smaller mask; at 0 it is not eroded. Craters and other basins without an outlet are filled or cut "
        "open; to keep some, blend the land back: esker.lerp(worn, land, basins).",
    .source = "Braun and Willett 2013; Cordonnier, Bovy and Braun 2019; Yuan et al. 2019",
    .inputs = { { "height", "heights, 0 to 1" } },
    .outputs = { { "height", "eroded heights", .heights = true },
                 { "flow", "drained area, in cells" },
                 { "deposit", "thickness of the sediment that settled, in heights" },
                 { "eroded", "thickness of what streams and slopes took away, in heights" } },
    .params = params,
    .params_size = sizeof(StreamErosion),
    .example = "local worn, flow = height:stream_erosion{ age = 0.7 }",
    .wrapping = WRAPPING_ASKED,
    .run = run,
};
