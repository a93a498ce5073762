// Lines of equal height.

#include "analysis/contours.h"
#include "analysis/contour_lines.h"
#include "core/field.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/parallel.h"
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

// The numbers of the multiples of the interval, counted from the sea, within the range of heights; none with
// levels alone.
static Status find_multiples(const Call *call, double *interval, double *from, int *count, Error *error) {
    const Contours *params = call->params;
    double low, high;
    *count = 0;
    if (params->levels.count && params->interval == 0)
        return STATUS_OK;
    const Status status = field_range(call->run, call->inputs[0].field, &low, &high, error);
    if (status != STATUS_OK)
        return status;
    const double sea = call->frame.sea;
    *interval = params->interval > 0 ? params->interval : round_interval(high - low);
    *from = ceil((low - sea) / *interval);
    const double all = floor((high - sea) / *interval) - *from + 1;
    if (!(all <= LEVELS_MAX))
        return fail(error, STATUS_INVALID, "an interval of %s gives %s lines between %s and %s; at most %d",
                    digits_of(*interval).text, digits_of(all).text, digits_of(low).text, digits_of(high).text,
                    LEVELS_MAX);
    *count = whole_within(all, 0, LEVELS_MAX);
    return STATUS_OK;
}

// Finds the levels of the interval and of the list, each once, from the lowest.
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
        levels->at[i] =
            (Level){ (float)(call->frame.sea + (from + i) * interval), is_index(params, from + i) };
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

// The lines of a level, and where the network has them.
typedef struct LevelLines {
    LineList lines;
    Status status;
    int first_reach, first_point;
} LevelLines;

typedef struct Tracer {
    const Run *run;
    const Levels *levels;
    ContourStyle style;
    int width, height;    // of the field
    Squares *squares;     // in memory, or
    ContourSquare *known; // those of one level after the other,
    size_t *start;        // of each level, and the end
    LevelLines *found;
    RiverNetwork *network;
} Tracer;

static Status trace_level(const Tracer *tracer, int level, LineList *lines, Error *error) {
    const float height = tracer->levels->at[level].height;
    if (tracer->squares)
        return trace_contours(tracer->run, tracer->squares, height, lines, error);
    const size_t first = tracer->start[level], count = tracer->start[level + 1] - first;
    return trace_squares(tracer->known + first, count, height, tracer->width, tracer->height, lines, error);
}

static void trace_levels(void *context, int first, int end) {
    Tracer *tracer = context;
    Error ignored; // told once, for all threads
    for (int i = first; i < end; i++) {
        LevelLines *found = &tracer->found[i];
        LineList *lines = &found->lines;
        found->status = trace_level(tracer, i, lines, &ignored);
        if (found->status == STATUS_OK)
            found->status = smooth_lines(lines, 0, tracer->style.smooth, &ignored);
        for (int k = 0; k < lines->reach_count; k++)
            lines->reaches[k].order = tracer->levels->at[i].index ? INDEX_ORDER : 1;
    }
}

// Places the lines of all levels one after the other, from the lowest.
static Status place_lines(const Tracer *tracer, int *reaches, int *points, Error *error) {
    int64_t all = 0;
    *reaches = *points = 0;
    for (int i = 0; i < tracer->levels->count; i++) {
        LevelLines *found = &tracer->found[i];
        if (found->status == STATUS_MEMORY)
            return fail(error, STATUS_MEMORY, "not enough memory for the lines");
        for (int k = 0; k < found->lines.reach_count; k++)
            all += found->lines.reaches[k].count;
        if (found->status == STATUS_INVALID || all > LINE_POINTS_MAX)
            return fail(error, STATUS_INVALID, "lines of more than %d points", LINE_POINTS_MAX);
        if (found->status != STATUS_OK)
            return found->status;
        found->first_reach = *reaches;
        found->first_point = *points;
        *reaches += found->lines.reach_count;
        *points = (int)all;
    }
    return STATUS_OK;
}

static void copy_levels(void *context, int first, int end) {
    const Tracer *tracer = context;
    RiverNetwork *network = tracer->network;
    for (int i = first; i < end; i++) {
        const LevelLines *found = &tracer->found[i];
        int point = found->first_point;
        for (int k = 0; k < found->lines.reach_count; k++) {
            const Reach from = found->lines.reaches[k];
            Reach *to = &network->reaches[found->first_reach + k];
            *to = from;
            to->first = point;
            for (int j = 0; j < from.count; j++) {
                network->points[point] = found->lines.points[from.first + j];
                network->points[point++].width = (float)(tracer->style.line * from.order);
            }
        }
    }
}

// Points get their distances to the line's end.
static Status settle(const Tracer *tracer, Error *error) {
    const Status status = network_settle(tracer->network, error);
    for (int i = 0; i < tracer->levels->count; i++) {
        const LevelLines *found = &tracer->found[i];
        for (int k = 0; k < found->lines.reach_count; k++)
            tracer->network->reaches[found->first_reach + k].order = found->lines.reaches[k].order;
    }
    return status;
}

static Status make_network(Tracer *tracer, Error *error) {
    int reaches, points;
    Status status = place_lines(tracer, &reaches, &points, error);
    if (status != STATUS_OK)
        return status;
    RiverNetwork *network = tracer->network = network_new(reaches, points, 0, error);
    if (!network)
        return STATUS_MEMORY;
    network->lines = true;
    network->width = tracer->width;
    network->height = tracer->height;
    network->cell = 1.0 / max(tracer->width, tracer->height);
    status = parallel_rows(tracer->run, tracer->levels->count, 10.0 * points / max(tracer->levels->count, 1),
                           copy_levels, tracer);
    return status == STATUS_OK ? settle(tracer, error) : status;
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

// Traces all levels, on at most the threads of `run`; `cost`: of one.
static Status trace(Tracer *tracer, const Run *run, double cost, Error *error) {
    const int count = tracer->levels->count;
    tracer->found = memory_new_zeroed((size_t)count + 1, sizeof *tracer->found, error);
    const Status status =
        tracer->found ? parallel_rows(run, count, cost, trace_levels, tracer) : STATUS_MEMORY;
    if (tracer->squares)
        squares_free(tracer->squares);
    const Status made = status == STATUS_OK ? make_network(tracer, error) : status;
    for (int i = 0; tracer->found && i < count; i++)
        lines_free(&tracer->found[i].lines);
    memory_free(tracer->found);
    if (made == STATUS_OK)
        return STATUS_OK;
    memory_free(tracer->network);
    tracer->network = NULL;
    return made;
}

static Status trace_field(Tracer *tracer, const Field *height, Error *error) {
    const Status status = squares_begin(tracer->run, height, tracer->levels->count, tracer->squares, error);
    if (status != STATUS_OK) {
        squares_free(tracer->squares);
        return status;
    }
    const Run run = squares_run(tracer->squares, tracer->run);
    return trace(tracer, &run, 0.3 * (double)height->width * height->height, error);
}

static Status run(const Call *call, Error *error) {
    const Contours *params = call->params;
    const Field *height = call->inputs[0].field;
    Levels levels = { 0 };
    Squares squares = { 0 };
    Tracer tracer = { .run = call->run,
                      .levels = &levels,
                      .squares = &squares,
                      .style = { params->smooth, params->line },
                      .width = height->width,
                      .height = height->height };
    Status status = find_levels(call, &levels, error);
    if (status == STATUS_OK)
        status = trace_field(&tracer, height, error);
    if (status == STATUS_OK && tracer.network->reach_count == 0)
        status = tell_none(call, error);
    call->outputs[0].value = tracer.network;
    memory_free(levels.at);
    return status;
}

// --- of squares that are known -----------------------------------------------------------------------------

// One level after the other, each in the order that it has.
static void sort_squares(const ContourSquares *squares, int levels, ContourSquare *sorted, size_t *start) {
    for (size_t i = 0; i < squares->count; i++)
        start[squares->at[i].level + 1]++;
    for (int i = 0; i < levels; i++)
        start[i + 1] += start[i];
    for (size_t i = 0; i < squares->count; i++)
        sorted[start[squares->at[i].level]++] = squares->at[i];
    memmove(start + 1, start, (size_t)levels * sizeof *start);
    start[0] = 0;
}

Status contours_of_squares(const Run *run, const ContourSquares *squares, const Levels *levels,
                           ContourStyle style, int width, int height, RiverNetwork **network, Error *error) {
    Tracer tracer = { .run = run, .levels = levels, .style = style, .width = width, .height = height };
    Status status = STATUS_MEMORY;
    if ((tracer.known = memory_new(squares->count + 1, sizeof *tracer.known, error)) &&
        (tracer.start = memory_new_zeroed((size_t)levels->count + 1, sizeof *tracer.start, error))) {
        sort_squares(squares, levels->count, tracer.known, tracer.start);
        status = STATUS_OK;
    }
    if (status == STATUS_OK)
        status = trace(&tracer, run, 1e6, error);
    *network = tracer.network;
    memory_free(tracer.known);
    memory_free(tracer.start);
    return status;
}

static Status run_levels(const Call *call, Error *error) {
    const Contours *params = call->params;
    Levels levels = { 0 };
    const Status status = find_levels(call, &levels, error);
    const size_t count = 2 + 2 * (size_t)levels.count;
    double *numbers = status == STATUS_OK ? memory_new(count, sizeof *numbers, error) : NULL;
    if (numbers) {
        numbers[0] = params->smooth;
        numbers[1] = params->line;
        for (int i = 0; i < levels.count; i++) {
            numbers[2 * i + 2] = (double)levels.at[i].height;
            numbers[2 * i + 3] = levels.at[i].index;
        }
        call->outputs[0].numbers.count = (int)count;
        call->outputs[0].numbers.at = numbers;
    }
    memory_free(levels.at);
    return numbers ? STATUS_OK : status == STATUS_OK ? STATUS_MEMORY : status;
}

// --- declarations ------------------------------------------------------------------------------------------

static const Param params[] = {
    PARAM(Contours, interval, .initial = 0, .min = 0, .max = HEIGHT_MAX,
          .doc =
              "height between lines, counted from the sea of the frame, or 0; 0: a round number for 5 to 13, "
              "or none if there are levels"),
    PARAM(Contours, levels, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "heights of further lines; without an interval, of all lines"),
    PARAM(Contours, smooth, .initial = 0, .min = 0, .max = 6,
          .doc = "how often corners are cut; lines at different heights may then touch on rough ground"),
    PARAM(Contours, index, .initial = 5, .min = 0, .max = 1000,
          .doc = "every index-th level, counted from there or from the lowest of a list, has lines of "
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

const Operation levels_of_contours = {
    .name = "contours",
    .gaps = GAPS_OWN,
    .inputs = { { "height", "heights" } },
    .outputs = { { "levels", "heights, and whether they are index levels", &type_numbers } },
    .params = params,
    .params_size = sizeof(Contours),
    .shapes_outputs = true,
    .wrapping = WRAPPING_LOST,
    .run = run_levels,
};
