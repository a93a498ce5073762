// Summits and pits with their topographic prominence (Kirmse and de Ferranti 2017, "Calculating the
// prominence and isolation of every mountain in the world", Introduction): how far one must go down from a
// summit before any way leads to higher ground. Cells are flooded from above: a cell without a higher
// neighbour is a summit; where two summits' grounds meet is the saddle of the lower one. The highest summit
// is measured from the lowest cell. Pits are the summits of the heights upside down. The sea is flat.

#include "core/math.h"
#include "core/memory.h"
#include "core/summary.h"
#include "places/points.h"
#include "rivers/cell_queue.h"
#include "rivers/drainage.h"

#include <stdlib.h>

typedef struct Peaks {
    int kind, count;
    double prominence, sea_level;
} Peaks;

enum { KIND_PEAKS, KIND_PITS };
enum { POINTS, PROMINENCES, SADDLES };

typedef struct Peak {
    uint32_t cell, saddle;
    float prominence;
} Peak;

typedef struct Flooding {
    const Field *height;
    bool wraps;
    float sign; // -1: upside down
    float least, sea_level;
    uint32_t *order;  // cells from the highest
    uint32_t *parent; // towards the summit on whose ground a cell lies
    Peak *peaks;
    int count, room;
} Flooding;

static const uint32_t dry = UINT32_MAX; // the parent of a cell that is not flooded yet

// The ground, or the surface of the sea.
static float surface_at(const Flooding *flooding, size_t cell) {
    return max(flooding->height->cells[cell], flooding->sea_level);
}

static float height_at(const Flooding *flooding, size_t cell) {
    return flooding->sign * surface_at(flooding, cell) + 0.0f;
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

static Status add_peak(Flooding *flooding, uint32_t summit, uint32_t saddle, Error *error) {
    const float prominence = height_at(flooding, summit) - height_at(flooding, saddle);
    const bool sea = flooding->height->cells[summit] < flooding->sea_level;
    if (sea || !(prominence >= flooding->least) || prominence <= 0)
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
    flooding->peaks[flooding->count++] = (Peak){ summit, saddle, prominence };
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
        status = add_peak(flooding, lower, cell, error);
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
    return add_peak(flooding, flooding->order[0], flooding->order[count - 1], error);
}

static int by_prominence(const void *a, const void *b) {
    const Peak *one = a, *other = b;
    if (one->prominence != other->prominence)
        return one->prominence > other->prominence ? -1 : 1;
    return one->cell < other->cell ? -1 : 1;
}

static PlacePoint point_at(const Flooding *flooding, uint32_t cell) {
    const uint32_t width = (uint32_t)flooding->height->width, column = cell % width, row = cell / width;
    const float altitude = surface_at(flooding, cell);
    return (PlacePoint){ .x = column + 0.5, .y = row + 0.5, .altitude = altitude, .species = 1 };
}

static Points *give_points(const Call *call, int output, int count, Error *error) {
    const Field *height = call->inputs[0].field;
    Points *points = points_new(count, error);
    if (!points)
        return NULL;
    call->outputs[output].value = points;
    points->width = height->width;
    points->height = height->height;
    return points;
}

static Status give(const Call *call, const Flooding *flooding, Error *error) {
    const Peaks *params = call->params;
    if (flooding->count > 0)
        qsort(flooding->peaks, (size_t)flooding->count, sizeof *flooding->peaks, by_prominence);
    const int count = params->count > 0 ? min(params->count, flooding->count) : flooding->count;
    Points *points = give_points(call, POINTS, count, error);
    Points *saddles = points ? give_points(call, SADDLES, count, error) : NULL;
    double *prominences = saddles ? memory_new((size_t)max(count, 1), sizeof *prominences, error) : NULL;
    if (!prominences)
        return STATUS_MEMORY;
    call->outputs[PROMINENCES].numbers.at = prominences;
    call->outputs[PROMINENCES].numbers.count = count;
    for (int i = 0; i < count; i++) {
        const Peak *peak = &flooding->peaks[i];
        points->at[i] = point_at(flooding, peak->cell);
        saddles->at[i] = point_at(flooding, peak->saddle);
        prominences[i] = (double)peak->prominence;
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
    low = max(low, params->sea_level);
    const double least = params->prominence > 0 ? params->prominence : max(high - low, 0) / 20;
    Flooding flooding = { .height = height,
                          .wraps = call->wraps,
                          .sign = params->kind == KIND_PITS ? -1.0f : 1.0f,
                          .least = (float)least,
                          .sea_level = (float)params->sea_level };
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
    PARAM(Peaks, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "ground below this is sea, flat and without summits or pits"),
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
        "lowest of land without a sea. Prominence is how far one must descend from a summit before the way "
        "leads up to higher ground, to the key saddle: a pass, or the sea around an island; that of the "
        "highest summit is the range of heights, and its saddle the lowest cell. Every bump is a summit, "
        "most have little prominence. At the edge, ground that rises beyond it counts as a summit.",
    .source =
        "Kirmse and de Ferranti 2017, Calculating the prominence and isolation of every mountain in the "
        "world",
    .inputs = { { "height", "heights" } },
    .outputs = { { "points", "centres of cells, with altitudes", &type_points },
                 { "prominences", "one for each point", &type_numbers },
                 { "saddles", "the key saddle of each point: passes, and the rims over which pits drain",
                   &type_points } },
    .params = params,
    .params_size = sizeof(Peaks),
    .wrapping = WRAPPING_CHOSEN,
    .example = "local summits, prominences, passes = height:peaks{ prominence = 0.1 }\n"
               "local highest = summits:list()[1]\n"
               "print(highest.x, highest.y, highest.altitude, prominences[1])",
    .picture =
        "local summits, _, passes = height:peaks()\n"
        "return height:relief{ exaggeration = 2 }:paint(passes, { colour = \"#f2e8c9\" }):paint(summits)\n"
        "    :paint((height:peaks{ kind = \"pits\" }), { colour = \"#1f4e9c\" })",
    .see_also = "statistics position_index ridges contours",
    .run = run,
};
