// Summits and pits with their topographic prominence (Kirmse and de Ferranti 2017, "Calculating the
// prominence and isolation of every mountain in the world", Introduction): how far one must go down from a
// summit before any way leads to higher ground. Cells are flooded from above: a cell without a higher
// neighbour is a summit; where two summits' grounds meet is the saddle of the lower one. The highest summit
// is measured from the lowest cell. Pits are the summits of the heights upside down.

#include "core/math.h"
#include "core/memory.h"
#include "core/summary.h"
#include "places/points.h"
#include "rivers/cell_queue.h"
#include "rivers/drainage.h"

#include <stdlib.h>

typedef struct Peaks {
    int kind, count;
    double prominence;
} Peaks;

enum { KIND_PEAKS, KIND_PITS };

typedef struct Peak {
    uint32_t cell;
    float prominence;
} Peak;

typedef struct Flooding {
    const Field *height;
    bool wraps;
    float sign; // -1: upside down
    float least;
    uint32_t *order;  // cells from the highest
    uint32_t *parent; // towards the summit on whose ground a cell lies
    Peak *peaks;
    int count, room;
} Flooding;

static const uint32_t dry = UINT32_MAX; // the parent of a cell that is not flooded yet

static float height_at(const Flooding *flooding, size_t cell) {
    return flooding->sign * flooding->height->cells[cell] + 0.0f;
}

// A whole number that is lower the higher the cell.
static uint32_t depth_of(const Flooding *flooding, uint32_t cell) {
    return ~ordered_bits(height_at(flooding, cell));
}

// Radix sort in two digits; equal heights stay in the order of rows. The room is `parent`'s.
static Status sort_cells(Flooding *flooding, Error *error) {
    enum { DIGIT = 16, VALUES = 1 << DIGIT };
    const size_t count = field_count(flooding->height);
    size_t *starts = memory_new(VALUES, sizeof *starts, error);
    if (!starts)
        return STATUS_MEMORY;
    uint32_t *from = flooding->order, *to = flooding->parent;
    for (size_t i = 0; i < count; i++)
        from[i] = (uint32_t)i;
    for (int shift = 0; shift < 32; shift += DIGIT) {
        memset(starts, 0, VALUES * sizeof *starts);
        for (size_t i = 0; i < count; i++)
            starts[depth_of(flooding, from[i]) >> shift & (VALUES - 1)]++;
        for (size_t value = 0, sum = 0; value < VALUES; value++) {
            const size_t here = starts[value];
            starts[value] = sum;
            sum += here;
        }
        for (size_t i = 0; i < count; i++)
            to[starts[depth_of(flooding, from[i]) >> shift & (VALUES - 1)]++] = from[i];
        uint32_t *const swap = from;
        from = to;
        to = swap;
    }
    memory_free(starts);
    return STATUS_OK;
}

static uint32_t summit_of(const Flooding *flooding, uint32_t cell) {
    uint32_t *parent = flooding->parent;
    while (parent[cell] != cell)
        cell = parent[cell] = parent[parent[cell]];
    return cell;
}

// Whether a summit was flooded before another.
static bool is_higher(const Flooding *flooding, uint32_t one, uint32_t other) {
    const float a = height_at(flooding, one), b = height_at(flooding, other);
    return a > b || (a == b && one < other);
}

static Status add_peak(Flooding *flooding, uint32_t summit, float saddle, Error *error) {
    const float prominence = height_at(flooding, summit) - saddle;
    if (!(prominence >= flooding->least) || prominence <= 0)
        return STATUS_OK;
    if (flooding->count == flooding->room) {
        const int room = flooding->room ? 2 * flooding->room : 256;
        Peak *peaks = memory_new((size_t)room, sizeof *peaks, error);
        if (!peaks)
            return STATUS_MEMORY;
        if (flooding->count)
            memcpy(peaks, flooding->peaks, (size_t)flooding->count * sizeof *peaks);
        memory_free(flooding->peaks);
        flooding->peaks = peaks;
        flooding->room = room;
    }
    flooding->peaks[flooding->count++] = (Peak){ summit, prominence };
    return STATUS_OK;
}

// The cell in this direction, or none: `dry`.
static uint32_t neighbour(const Flooding *flooding, uint32_t cell, int direction) {
    const Field *height = flooding->height;
    const uint32_t width = (uint32_t)height->width;
    int x = (int)(cell % width) + neighbour_x[direction], y = (int)(cell / width) + neighbour_y[direction];
    if (flooding->wraps) {
        x = (x + height->width) % height->width;
        y = (y + height->height) % height->height;
    }
    return within_field(height, x, y) ? (uint32_t)y * width + (uint32_t)x : dry;
}

// Where the grounds of several summits meet, all but the highest end.
static Status flood(Flooding *flooding, uint32_t cell, Error *error) {
    uint32_t *parent = flooding->parent, highest = dry;
    Status status = STATUS_OK;
    for (int i = 0; i < NEIGHBOURS && status == STATUS_OK; i++) {
        const uint32_t next = neighbour(flooding, cell, i);
        if (next == dry || parent[next] == dry)
            continue;
        const uint32_t summit = summit_of(flooding, next);
        if (summit == highest)
            continue;
        if (highest == dry) {
            highest = summit;
            continue;
        }
        const bool above = is_higher(flooding, summit, highest);
        const uint32_t lower = above ? highest : summit;
        highest = above ? summit : highest;
        status = add_peak(flooding, lower, height_at(flooding, cell), error);
        parent[lower] = highest;
    }
    parent[cell] = highest == dry ? cell : highest;
    return status;
}

static Status flood_all(const Run *run, Flooding *flooding, Error *error) {
    const size_t count = field_count(flooding->height);
    flooding->order = memory_new(count, sizeof *flooding->order, error);
    flooding->parent = flooding->order ? memory_new(count, sizeof *flooding->parent, error) : NULL;
    Status status = flooding->parent ? sort_cells(flooding, error) : STATUS_MEMORY;
    if (status == STATUS_OK)
        memset(flooding->parent, 0xff, count * sizeof *flooding->parent);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        if (i % 65536 == 0 && run_stopped(run))
            status = STATUS_STOPPED;
        else
            status = flood(flooding, flooding->order[i], error);
    }
    if (status != STATUS_OK)
        return status;
    const size_t lowest = flooding->order[count - 1];
    return add_peak(flooding, flooding->order[0], height_at(flooding, lowest), error);
}

static int by_prominence(const void *a, const void *b) {
    const Peak *one = a, *other = b;
    if (one->prominence != other->prominence)
        return one->prominence > other->prominence ? -1 : 1;
    return one->cell < other->cell ? -1 : 1;
}

static Status give(const Call *call, const Flooding *flooding, Error *error) {
    const Field *height = flooding->height;
    const Peaks *params = call->params;
    if (flooding->count > 0)
        qsort(flooding->peaks, (size_t)flooding->count, sizeof *flooding->peaks, by_prominence);
    const int count = params->count > 0 ? min(params->count, flooding->count) : flooding->count;
    Points *points = points_new(count, error);
    if (!points)
        return STATUS_MEMORY;
    call->outputs[0].value = points;
    points->width = height->width;
    points->height = height->height;
    double *prominences = memory_new((size_t)max(count, 1), sizeof *prominences, error);
    if (!prominences)
        return STATUS_MEMORY;
    call->outputs[1].numbers.at = prominences;
    call->outputs[1].numbers.count = count;
    for (int i = 0; i < count; i++) {
        const uint32_t cell = flooding->peaks[i].cell, width = (uint32_t)height->width;
        const uint32_t column = cell % width, row = cell / width;
        points->at[i] =
            (PlacePoint){ .x = column + 0.5, .y = row + 0.5, .altitude = height->cells[cell], .species = 1 };
        prominences[i] = (double)flooding->peaks[i].prominence;
    }
    return STATUS_OK;
}

static Status run(const Call *call, Error *error) {
    const Peaks *params = call->params;
    const Field *height = call->inputs[0].field;
    double low, high;
    if (field_count(height) >= dry)
        return fail(error, STATUS_INVALID, "the field is too large: at most %lld cells",
                    (long long)UINT32_MAX - 1);
    Status status = field_range(call->run, height, &low, &high, error);
    if (status != STATUS_OK)
        return status;
    const double least = params->prominence > 0 ? params->prominence : (high - low) / 20;
    Flooding flooding = { .height = height,
                          .wraps = call->wraps,
                          .sign = params->kind == KIND_PITS ? -1.0f : 1.0f,
                          .least = (float)least };
    status = flood_all(call->run, &flooding, error);
    if (status == STATUS_OK)
        status = give(call, &flooding, error);
    memory_free(flooding.order);
    memory_free(flooding.parent);
    memory_free(flooding.peaks);
    return status;
}

static const Param params[] = {
    PARAM(Peaks, kind, .choices = CHOICES("peaks", "pits"), .initial = KIND_PEAKS,
          .doc = "peaks: summits; pits: the lowest cells of hollows, whose prominence is their depth"),
    PARAM(Peaks, prominence, .initial = 0, .min = 0, .max = HEIGHT_MAX,
          .doc = "height above the highest saddle to higher ground, at least; 0: a twentieth of the range of "
                 "heights"),
    PARAM(Peaks, count, .initial = 0, .min = 0, .max = 1e7,
          .doc = "how many at most, the most prominent ones; 0: all"),
    { 0 },
};

const Operation op_peaks = {
    .name = "peaks",
    .category = "places",
    .keywords = "summits mountains maxima minima extremes highest lowest prominence persistence pits sinks "
                "local maximum position spot heights",
    .summary = "Finds summits or pits with their topographic prominence: where the ground is highest",
    .description =
        "The most prominent come first: the first peak is the highest cell, the first pit the "
        "lowest. Prominence is how far one must descend from a summit before the way leads up to "
        "higher ground; that of the highest summit is the range of heights. Every bump is a summit, "
        "most have little prominence. At the edge, ground that rises beyond it counts as a summit.",
    .source =
        "Kirmse and de Ferranti 2017, Calculating the prominence and isolation of every mountain in the "
        "world",
    .inputs = { { "height", "heights" } },
    .outputs = { { "points", "centres of cells, with altitudes", &type_points },
                 { "prominences", "one for each point", &type_numbers } },
    .params = params,
    .params_size = sizeof(Peaks),
    .wrapping = WRAPPING_CHOSEN,
    .example = "local summits, prominences = height:peaks{ prominence = 0.1 }\n"
               "local highest = summits:list()[1]\n"
               "print(highest.x, highest.y, highest.altitude, prominences[1])",
    .picture = "return height:relief{ exaggeration = 2 }:paint(height:peaks(), { line = 6 })\n"
               "    :paint(height:peaks{ kind = \"pits\" }, { line = 6, colour = \"#1f4e9c\" })",
    .see_also = "statistics position_index ridges contours",
    .run = run,
};
