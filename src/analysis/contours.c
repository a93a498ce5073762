// Lines of equal height.

#include "analysis/marching_squares.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Contours {
    double interval;
    Numbers levels;
    int smooth, index;
    double line;
} Contours;

enum { LEVELS_MAX = 10000, INDEX_ORDER = 2 };

typedef struct Level {
    float height;
    bool index; // drawn thicker
} Level;

typedef struct Levels {
    Level *at;
    int count;
} Levels;

// --- levels ----------------------------------------------------------------------------------------------

// By height, index levels first.
static int compare(const void *one, const void *other) {
    const Level *a = one, *b = other;
    const int heights = (a->height > b->height) - (a->height < b->height);
    return heights ? heights : b->index - a->index;
}

static bool is_index(const Contours *params, double number) {
    return params->index > 0 && number - params->index * floor(number / params->index) == 0;
}

// 1, 2 or 5 times a power of ten: the least that divides a range into at most 12.5, and so into more than 5.
static double round_interval(double range) {
    static const double steps[] = { 2, 2.5, 2 }; // from 1 to 2 to 5 to 10
    double interval = 1;
    int step = 0;
    if (!(range > 1e-30))
        return 1;
    for (; range / interval < 12.5; interval /= 10)
        ;
    for (; range / interval > 12.5; interval *= steps[step++ % 3])
        ;
    return interval;
}

// The numbers of the multiples of the interval within the range of heights; none with levels alone.
static Status find_multiples(const Call *call, double *interval, double *from, int *count, Error *error) {
    const Contours *params = call->params;
    double low, high;
    *count = 0;
    if (params->levels.count && params->interval == 0)
        return STATUS_OK;
    const Status status = field_range(call->run, call->inputs[0].field, &low, &high, error);
    if (status != STATUS_OK)
        return status;
    *interval = params->interval > 0 ? params->interval : round_interval(high - low);
    *from = ceil(low / *interval);
    const double all = floor(high / *interval) - *from + 1;
    if (!(all <= LEVELS_MAX))
        return fail(error, STATUS_INVALID, "an interval of %s gives %s lines between %s and %s; at most %d",
                    digits_of(*interval).text, digits_of(all).text, digits_of(low).text, digits_of(high).text,
                    LEVELS_MAX);
    *count = whole_within(all, 0, LEVELS_MAX);
    return STATUS_OK;
}

// Those of the interval and those of the list, each once, from the lowest.
static Status find_levels(const Call *call, Levels *levels, Error *error) {
    const Contours *params = call->params;
    double interval = 0, from = 0;
    int multiples;
    const Status status = find_multiples(call, &interval, &from, &multiples, error);
    if (status != STATUS_OK)
        return status;
    const int all = multiples + params->levels.count;
    levels->at = memory_new((size_t)all + 1, sizeof *levels->at, error);
    if (!levels->at)
        return STATUS_MEMORY;
    for (int i = 0; i < multiples; i++)
        levels->at[i] = (Level){ (float)((from + i) * interval), is_index(params, from + i) };
    for (int i = 0; i < params->levels.count; i++)
        levels->at[multiples + i] = (Level){ (float)params->levels.at[i], false };
    qsort(levels->at, (size_t)all, sizeof *levels->at, compare);
    for (int i = 0; i < all; i++)
        if (i == 0 || levels->at[i].height != levels->at[levels->count - 1].height)
            levels->at[levels->count++] = levels->at[i];
    for (int i = 0; multiples == 0 && i < levels->count; i++)
        levels->at[i].index = is_index(params, i);
    return STATUS_OK;
}

// --- lines -----------------------------------------------------------------------------------------------

static Status trace_levels(const Call *call, const Levels *levels, LineList *lines, Error *error) {
    const Contours *params = call->params;
    const Field *height = call->inputs[0].field;
    Status status = lines_begin(call->run, height, lines, error);
    for (int i = 0; i < levels->count && status == STATUS_OK; i++) {
        const int first = lines->reach_count;
        status = run_advance(call->run, i, levels->count);
        if (status == STATUS_OK)
            status = trace_contours(call->run, height, levels->at[i].height, lines, error);
        if (status == STATUS_OK)
            status = smooth_lines(lines, first, params->smooth, error);
        for (int k = first; k < lines->reach_count; k++)
            lines->reaches[k].order = levels->at[i].index ? INDEX_ORDER : 1;
    }
    return status;
}

static RiverNetwork *make_network(const Call *call, const LineList *lines, Error *error) {
    const Contours *params = call->params;
    const Field *height = call->inputs[0].field;
    int points = 0;
    for (int i = 0; i < lines->reach_count; i++)
        points += lines->reaches[i].count;
    RiverNetwork *network = network_new(lines->reach_count, points, 0, error);
    if (!network)
        return NULL;
    network->lines = true;
    network->width = height->width;
    network->height = height->height;
    network->cell = 1.0 / field_side(height);
    points = 0;
    for (int i = 0; i < lines->reach_count; i++) {
        const Reach from = lines->reaches[i];
        network->reaches[i] = from;
        network->reaches[i].first = points;
        for (int k = 0; k < from.count; k++) {
            network->points[points] = lines->points[from.first + k];
            network->points[points++].width = (float)(params->line * from.order);
        }
    }
    return network;
}

// Points get their distances to the line's end.
static Status settle(RiverNetwork *network, const LineList *lines, Error *error) {
    const Status status = network_settle(network, error);
    for (int i = 0; lines->reaches && i < network->reach_count; i++)
        network->reaches[i].order = lines->reaches[i].order;
    return status;
}

// Says so if no level that was asked for is within the heights.
static Status tell_none(const Call *call, Error *error) {
    const Contours *params = call->params;
    double low, high;
    const Status status = field_range(call->run, call->inputs[0].field, &low, &high, error);
    if (status == STATUS_OK && (params->interval > 0 || params->levels.count))
        tell(call->notice, "no lines: the heights are %s to %s", digits_of(low).text, digits_of(high).text);
    return status;
}

static Status run(const Call *call, Error *error) {
    Levels levels = { 0 };
    LineList lines = { 0 };
    Status status = find_levels(call, &levels, error);
    if (status == STATUS_OK)
        status = trace_levels(call, &levels, &lines, error);
    if (status == STATUS_OK && lines.reach_count == 0)
        status = tell_none(call, error);
    RiverNetwork *network = status == STATUS_OK ? make_network(call, &lines, error) : NULL;
    if (status == STATUS_OK)
        status = network ? settle(network, &lines, error) : STATUS_MEMORY;
    if (status == STATUS_OK)
        call->outputs[0].value = network;
    else
        memory_free(network);
    memory_free(levels.at);
    lines_free(&lines);
    return status;
}

static const Param params[] = {
    PARAM(Contours, interval, .initial = 0, .min = 0, .max = HEIGHT_MAX,
          .doc = "height between lines, counted from 0; 0: a round number for 5 to 13, "
                 "or none if there are levels"),
    PARAM(Contours, levels, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "heights of further lines; without an interval, of all lines"),
    PARAM(Contours, smooth, .initial = 0, .min = 0, .max = 6,
          .doc = "how often corners are cut; lines at different heights may then touch on rough ground"),
    PARAM(Contours, index, .initial = 5, .min = 0, .max = 1000,
          .doc = "every index-th level, counted from height 0 or from the lowest of a list, has lines of "
                 "order 2 and twice the width; 0: none"),
    PARAM(Contours, line, .initial = 0.4, .min = 0, .max = 100, .unit = UNIT_CELLS,
          .doc = "width of other lines"),
    { 0 },
};

const Operation op_contours = {
    .name = "contours",
    .category = "analysis",
    .keywords = "isolines isohypses level lines topographic map elevation vector",
    .summary = "Finds the lines of equal height",
    .description =
        "A RiverNetwork of lines, each at one height, with higher ground on its right; a closed line ends in "
        "its first point. Heights between the centres of cells are bilinear. Lines of one height never "
        "cross, and without smoothing those of different heights do not. Files: .geojson has the height "
        "of each line, .svg labels on those of order 2.",
    .source = "marching squares; saddles: Nielson and Hamann 1991; smoothing: Chaikin 1974",
    .gaps = GAPS_OWN,
    .inputs = { { "height", "heights" } },
    .outputs = { { "lines", "the lines", &type_network } },
    .params = params,
    .params_size = sizeof(Contours),
    .example = "local lines = height:contours{ interval = 0.05, smooth = 2 }",
    .picture = "return height:blur{ sigma = 0.008 }:contours{ interval = 0.1, smooth = 2 }",
    .see_also = "draw relief",
    .run = run,
};
