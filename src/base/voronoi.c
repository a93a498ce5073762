// Voronoi diagrams (Olsen 2004, "Voronoi diagrams", after Worley): the map is divided into regions with
// random feature points. d_n is the distance to the n-th nearest of them, and
//
//     h = c_1 d_1 + c_2 d_2 + … + c_n d_n
//
// c = { -1, 1 } gives mountains with ridges, and h = 0 on the borders, where d_1 = d_2. Each hill can
// therefore be scaled by its own value without a discontinuity: the domain map (Olsen 2004, "Base terrain
// modifications").
//
// The nearest points are in the 3 × 3 regions around a cell's own, or farther away where the last of them is
// farther than the points of the next regions may be. The paper stops at its short range, "which occasionally
// produces minor errors": cliffs along borders of regions, and with many coefficients everywhere.

#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"
#include "core/random.h"
#include "core/rescale.h"

#include <assert.h>
#include <math.h>

typedef struct Voronoi {
    int regions, points_per_region, metric, domain;
    Numbers coefficients;
    double jitter, hill_coverage, offset;
} Voronoi;

enum { SQUARED, EUCLIDEAN, MANHATTAN, CHEBYSHEV };
// How many regions around are searched at most. In the nearest 3 × 3 there is a point for each of 8
// distances, and none is farther away than 2 + 2 in any metric.
enum { FARTHEST = 4 };
enum { NONE, RANDOM, BINARY };
enum { NEAREST_MAX = 8, CHUNK = 64, POINTS_MAX = 4, CANDIDATES_MAX = 81 * POINTS_MAX };

typedef struct Diagram {
    const Voronoi *voronoi;
    Field *height, *domain;
    int columns, rows; // regions
    float reach;       // of the points from their region's centre, in regions
    RandomKey across, down, value;
} Diagram;

typedef struct Candidate { // a feature point, in region units from the field's corner
    float x, y, value;
} Candidate;

// The position of a point in its region, 0 … 1. By default it keeps off the border: two points that nearly
// coincide would make a needle (the paper does not specify it; four fifths of the region come closest to its
// scores, docs/olsen-tables.md).
static float scatter(RandomKey key, float reach, uint32_t x, uint32_t y) {
    return 0.5f + reach * random_signed(key, x, y);
}

// The feature points in the regions at most `reach` around (column, row).
static int find_candidates(const Diagram *diagram, int column, int row, int reach, Candidate *candidates) {
    const int points = diagram->voronoi->points_per_region;
    int count = 0;
    for (int dy = -reach; dy <= reach; dy++)
        for (int dx = -reach; dx <= reach; dx++) {
            const uint32_t i = (uint32_t)((column + dx + 2 * diagram->columns) % diagram->columns);
            const uint32_t j = (uint32_t)((row + dy + 2 * diagram->rows) % diagram->rows);
            for (int k = 0; k < points; k++) {
                const uint32_t at = i * POINTS_MAX + (uint32_t)k;
                candidates[count++] = (Candidate){
                    (float)(column + dx) + scatter(diagram->across, diagram->reach, at, j),
                    (float)(row + dy) + scatter(diagram->down, diagram->reach, at, j),
                    random_unit(diagram->value, at, j),
                };
            }
        }
    return count;
}

KERNEL_INLINE float metric_distance(int metric, float across, float down) {
    const float x = fabsf(across), y = fabsf(down);
    return metric == MANHATTAN ? x + y : metric == CHEBYSHEV ? max(x, y) : across * across + down * down;
}

// For `count` cells from x on, all in one region: the distances to the nearest points (Euclidean ones
// squared), and the value of the nearest.
KERNEL_INLINE void measure_by(int metric, const Candidate *candidates, int candidate_count, int nearest_count,
                              float first_x, float step, float y, int count,
                              float nearest[NEAREST_MAX][CHUNK], float *restrict values) {
    assert(nearest_count > 0);
    for (int n = 0; n < nearest_count; n++)
        for (int i = 0; i < count; i++)
            nearest[n][i] = INFINITY;
    for (int c = 0; c < candidate_count; c++) {
        const float off_x = first_x - candidates[c].x, off_y = y - candidates[c].y;
        const float value = candidates[c].value;
        float distances[CHUNK];
        for (int i = 0; i < count; i++) {
            distances[i] = metric_distance(metric, off_x + (float)i * step, off_y);
            values[i] = distances[i] < nearest[0][i] ? value : values[i];
        }
        for (int n = 0; n < nearest_count; n++) { // the greater of the two moves on
            float *restrict kept = nearest[n];
            for (int i = 0; i < count; i++) {
                const float lower = min(distances[i], kept[i]);
                distances[i] = max(kept[i], distances[i]);
                kept[i] = lower;
            }
        }
    }
}

KERNEL static void measure(int metric, const Candidate *candidates, int candidate_count, int nearest_count,
                           float first_x, float step, float y, int count, float nearest[NEAREST_MAX][CHUNK],
                           float *restrict values) {
    if (metric == MANHATTAN)
        measure_by(MANHATTAN, candidates, candidate_count, nearest_count, first_x, step, y, count, nearest,
                   values);
    else if (metric == CHEBYSHEV)
        measure_by(CHEBYSHEV, candidates, candidate_count, nearest_count, first_x, step, y, count, nearest,
                   values);
    else
        measure_by(SQUARED, candidates, candidate_count, nearest_count, first_x, step, y, count, nearest,
                   values);
}

// Whether no point farther than `searched` outside a region can be nearer than the last of `nearest`. Cells,
// as in `measure`, lie from `first_x` on, from the corner of the region in the middle.
static bool near_enough(bool squared, float searched, const float *restrict last, float first_x, float step,
                        float y, int count) {
    const float vertical = min(y, 1 - y);
    int enough = 1;
    for (int i = 0; i < count; i++) {
        const float x = first_x + (float)i * step, horizontal = min(x, 1 - x);
        const float free = searched + min(horizontal, vertical);
        enough &= last[i] <= (squared ? free * free : free);
    }
    return enough;
}

KERNEL static void combine(const Voronoi *voronoi, float nearest[NEAREST_MAX][CHUNK], int count,
                           float *restrict out) {
    for (int i = 0; i < count; i++)
        out[i] = 0;
    for (int n = 0; n < voronoi->coefficients.count; n++) {
        const float coefficient = (float)voronoi->coefficients.at[n];
        if (voronoi->metric == EUCLIDEAN)
            for (int i = 0; i < count; i++)
                out[i] += coefficient * sqrtf(nearest[n][i]);
        else
            for (int i = 0; i < count; i++)
                out[i] += coefficient * nearest[n][i];
    }
}

static int region_of(int at, int cells, int regions) {
    return (int)((int64_t)at * regions / cells);
}

// Cells `first` … `end` - 1 of row y, all in one region.
static void draw_cells(const Diagram *diagram, int column, int y, int first, int end) {
    const Field *height = diagram->height;
    const int row = region_of(y, height->height, diagram->rows);
    const int count = diagram->voronoi->coefficients.count;
    const float step = (float)diagram->columns / (float)height->width;
    const float down = (float)y * (float)diagram->rows / (float)height->height;
    const int metric = diagram->voronoi->metric;
    const bool squared = metric == SQUARED || metric == EUCLIDEAN;
    Candidate candidates[FARTHEST + 1][CANDIDATES_MAX];
    float nearest[NEAREST_MAX][CHUNK];
    int found[FARTHEST + 1] = { 0 };
    for (int x = first; x < end; x += CHUNK) {
        const int cells = min(end - x, CHUNK);
        const float across = (float)x * step;
        float *values = field_row(diagram->domain, y) + x;
        int reach = 0;
        do {
            reach++;
            if (!found[reach])
                found[reach] = find_candidates(diagram, column, row, reach, candidates[reach]);
            measure(metric, candidates[reach], found[reach], count, across, step, down, cells, nearest,
                    values);
        } while (reach < FARTHEST &&
                 !near_enough(squared, (float)reach + 0.5f - diagram->reach, nearest[count - 1],
                              across - (float)column, step, down - (float)row, cells));
        combine(diagram->voronoi, nearest, cells, field_row(diagram->height, y) + x);
    }
}

static void draw_rows(void *context, int first, int end) {
    const Diagram *diagram = context;
    const int width = diagram->height->width;
    for (int y = first; y < end; y++)
        for (int column = 0, x = 0, next; column < diagram->columns; column++, x = next) {
            next = (int)(((int64_t)(column + 1) * width + diagram->columns - 1) / diagram->columns);
            if (x < next)
                draw_cells(diagram, column, y, x, next);
        }
}

// Heights are 0 to 1 here; applies the offset, clips at 0, and multiplies each hill by its domain's value.
KERNEL static void shape_rows(void *context, int first, int end) {
    const Diagram *diagram = context;
    const float offset = (float)diagram->voronoi->offset, coverage = (float)diagram->voronoi->hill_coverage;
    const int domain = diagram->voronoi->domain;
    for (int y = first; y < end; y++) {
        float *restrict heights = field_row(diagram->height, y), *restrict values =
                                                                     field_row(diagram->domain, y);
        for (int x = 0; x < diagram->height->width; x++) {
            const float covered = values[x] <= coverage ? 1.0f : 0.0f;
            const float lowered = heights[x] + offset;
            values[x] = domain == BINARY ? covered : values[x];
            heights[x] = max(lowered, 0) * (domain == RANDOM ? values[x] * covered : covered);
        }
    }
}

static Status run(const Call *call, Error *error) {
    const Voronoi *voronoi = call->params;
    const int shorter = min(call->width, call->height);
    const int regions = min(voronoi->regions, shorter);
    Diagram diagram = {
        .voronoi = voronoi,
        .height = &call->outputs[0].field,
        .domain = &call->outputs[1].field,
        .columns = (int)(((int64_t)call->width * regions + shorter / 2) / shorter),
        .rows = (int)(((int64_t)call->height * regions + shorter / 2) / shorter),
        .reach = (float)(voronoi->jitter / 2),
        .across = random_key(call->seed, 0),
        .down = random_key(call->seed, 1),
        .value = random_key(call->seed, 2),
    };
    Status status = parallel_rows(call->run, call->height, call->width * 8.0, draw_rows, &diagram);
    if (status == STATUS_OK)
        status = field_rescale(call->run, diagram.height, diagram.height, 0, 1, error);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, call->height, call->width * 0.5, shape_rows, &diagram);
    return status;
}

static const Param params[] = {
    PARAM(Voronoi, regions, .initial = 4, .min = 1, .max = 4096, .doc = "regions along the shorter side"),
    PARAM(Voronoi, points_per_region, .initial = 1, .min = 1, .max = POINTS_MAX,
          .doc = "feature points in each region"),
    PARAM(Voronoi, coefficients, .initial_numbers = NUMBERS(-1, 1), .rows_min = 1, .rows_max = NEAREST_MAX,
          .min = -1000, .max = 1000,
          .doc = "factors of the distances to the nearest feature point, the second nearest and so "
                 "on, up to 8"),
    PARAM(Voronoi, metric, .choices = CHOICES("squared", "euclidean", "manhattan", "chebyshev"),
          .doc = "dx² + dy², its square root, |dx| + |dy|, or the greater of |dx| and |dy|"),
    PARAM(Voronoi, jitter, .initial = 0.8, .min = 0, .max = 1,
          .doc = "how far feature points may leave the centre of their region; 0: a square grid, 1: up to "
                 "its border"),
    PARAM(Voronoi, hill_coverage, .initial = 1, .min = 0, .max = 1, .doc = "share of hills that are kept"),
    PARAM(Voronoi, offset, .initial = 0, .min = -1, .max = 1,
          .doc = "added to all heights, which are then clipped at 0; below 0 it widens the passages"),
    PARAM(Voronoi, domain, .choices = CHOICES("none", "random", "binary"),
          .doc = "random multiplies each hill by its domain value; binary makes the domain map 0 or 1"),
    { 0 },
};

const Operation op_voronoi = {
    .name = "voronoi",
    .category = "base",
    .keywords = "worley cellular noise cells generate shatter plates tectonic pattern rock",
    .summary = "Makes cells, ridges or hills from the distances to random feature points",
    .description = "Distances are in units of a region, so the pattern does not depend on the "
                   "resolution. Heights span 0 to 1 before offset and domain are applied. The second "
                   "result, the domain map, gives each cell the random value, 0 to 1, of its nearest "
                   "feature point. Coefficients { 1 } give Worley's F1, { 0, 1 } F2, { -1, 1 } F2 - F1. "
                   "Opposite edges meet.",
    .source = "Olsen 2004, Voronoi diagrams; Base terrain modifications",
    .outputs = { { "height", "heights, 0 to 1", .heights = true },
                 { "domain", "each hill's value, 0 to 1" } },
    .params = params,
    .params_size = sizeof(Voronoi),
    .sized = true,
    .wrapping = WRAPPING_MADE,
    .seeded = true,
    .example = "local hills, domain = esker.voronoi{ size = 64, seed = 2, hill_coverage = 0.5 }",
    .picture = "local function cells(arguments)\n"
               "    arguments.size, arguments.seed, arguments.regions = 100, 3, 5\n"
               "    return esker.voronoi(arguments)\n"
               "end\n"
               "local _, domain = cells{}\n"
               "return (cells{}), (cells{ coefficients = { 1 }, metric = \"euclidean\" }), (cells{ metric = "
               "\"manhattan\" }),\n"
               "    (cells{ hill_coverage = 0.5 }), domain:colorize{}",
    .see_also = "perturb diamond_square noise",
    .run = run,
};
