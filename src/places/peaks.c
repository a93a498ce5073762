// Summits and pits with their topographic prominence. Pits are the summits of the heights upside down.

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/summary.h"
#include "places/points.h"
#include "places/summits.h"

#include <limits.h>
#include <stdlib.h>

typedef struct Peaks {
    int kind, count;
    double prominence, sea_level;
} Peaks;

enum { KIND_PEAKS, KIND_PITS };
enum { POINTS, PROMINENCES, SADDLES };

static int by_prominence(const void *a, const void *b) {
    const Summit *one = a, *other = b;
    if (one->prominence != other->prominence)
        return one->prominence > other->prominence ? -1 : 1;
    return one->cell < other->cell ? -1 : 1;
}

static PlacePoint point_at(const Summits *summits, uint32_t cell) {
    const uint32_t width = (uint32_t)summits->height->width, column = cell % width, row = cell / width;
    const float altitude = surface_at(summits, cell);
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
    points->wraps = call->wraps;
    return points;
}

static Status give(const Call *call, const Summits *summits, Error *error) {
    const Peaks *params = call->params;
    if (summits->count > 0)
        qsort(summits->at, summits->count, sizeof *summits->at, by_prominence);
    const int all = (int)min(summits->count, INT_MAX);
    const int count = params->count > 0 ? min(params->count, all) : all;
    Points *points = give_points(call, POINTS, count, error);
    Points *saddles = points ? give_points(call, SADDLES, count, error) : NULL;
    double *prominences = saddles ? memory_new((size_t)max(count, 1), sizeof *prominences, error) : NULL;
    if (!prominences)
        return STATUS_MEMORY;
    call->outputs[PROMINENCES].numbers.at = prominences;
    call->outputs[PROMINENCES].numbers.count = count;
    for (int i = 0; i < count; i++) {
        const Summit *summit = &summits->at[i];
        points->at[i] = point_at(summits, summit->cell);
        saddles->at[i] = point_at(summits, summit->saddle);
        prominences[i] = (double)summit->prominence;
    }
    return STATUS_OK;
}

// Gaps become as low as the lowest ground, or, for pits, as high as the highest: no summit is there, and no
// way over them.
static Status sink_gaps(const Field *height, float level, Field *sunk, Error *error) {
    const Status status = field_create(sunk, height->width, height->height, error);
    for (size_t i = 0; status == STATUS_OK && i < field_count(height); i++)
        field_cells(sunk)[i] = field_has_data(height, i) ? height->cells[i] : level;
    return status;
}

// Saddles in gaps move to the first cell of that height.
static void leave_gaps(const Field *height, float level, Summits *summits) {
    uint32_t cell = 0;
    while (cell + 1 < field_count(height) && !(field_has_data(height, cell) && height->cells[cell] == level))
        cell++;
    for (size_t i = 0; i < summits->count; i++)
        if (!field_has_data(height, summits->at[i].saddle))
            summits->at[i].saddle = cell;
}

static Status run(const Call *call, Error *error) {
    const Peaks *params = call->params;
    const Field *height = call->inputs[0].field;
    double low, high;
    if (field_count(height) >= UINT32_MAX)
        return fail(error, STATUS_INVALID, "the field is too large: at most %lld cells",
                    (long long)UINT32_MAX - 1);
    Status status = field_range(call->run, height, &low, &high, error);
    if (status != STATUS_OK)
        return status;
    const float level = (float)(params->kind == KIND_PITS ? high : low);
    low = max(low, params->sea_level);
    const double least = params->prominence > 0 ? params->prominence : max(high - low, 0) / 20;
    Summits summits = { .height = height,
                        .wraps = call->wraps,
                        .sign = params->kind == KIND_PITS ? -1.0f : 1.0f,
                        .least = (float)least,
                        .sea_level = (float)params->sea_level };
    Field sunk = { 0 };
    if (height->gaps) {
        status = sink_gaps(height, level, &sunk, error);
        summits.height = &sunk;
    }
    if (status == STATUS_OK)
        status = summits_find(call->run, &summits, error);
    if (status == STATUS_OK && height->gaps)
        leave_gaps(height, level, &summits);
    if (status == STATUS_OK)
        status = give(call, &summits, error);
    memory_free(summits.at);
    field_free(&sunk);
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
    PARAM(Peaks, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "ground below this is sea, flat and without summits or pits"),
    { 0 },
};

const Operation op_peaks = {
    .name = "peaks",
    .gaps = GAPS_OWN,
    .category = "places",
    .keywords = "summits mountains maxima minima extremes highest lowest prominence persistence pits sinks "
                "local maximum position spot heights argmax argmin",
    .summary = "Finds summits or pits with their topographic prominence: where the ground is highest",
    .description =
        "The most prominent come first: the first peak is the highest cell, the first pit the "
        "lowest of land without a sea. Prominence is how far one must descend from a summit, to its "
        "key saddle, before the way leads up to higher ground. The key saddle is a pass, or the sea around "
        "an island. The prominence of the highest summit is the range of heights, and its saddle the lowest "
        "cell. Every bump is a summit, "
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
