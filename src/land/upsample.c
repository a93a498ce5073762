// Ground of a finer level: a quadratic spline of the coarser one (weights 9 3 3 1), with new detail. Integer
// differences are added to the nearest coarse cell's altitude, so the result does not depend on the base.

#include "land/strata.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"

#include <math.h>

enum { SLOPE_CAP = 1843, SLOPE_MIN = 205 }; // 0.45 and 0.05 cells: new detail is proportional to slope

typedef struct Detail {
    RandomKey key;
    float roughness, least; // minimum, on flat ground, in units
    float coast;            // roughness where the spline crosses the coast
    float settled;          // the share of all detail that is left there
} Detail;

// A row of children and what it is made from: the coarse row that they lie in, and the one nearest beside it.
typedef struct Spline {
    const Level *level;
    const Parent *parent;
    uint32_t *columns;      // 32 random bits for each column
    uint32_t *own, *coarse; // the source's heights; NULL: none
    Detail detail;
    float *added;  // what the source adds, in units
    float *chance; // -1 to 1
} Spline;

// The coarse cells that the spline reads: a nearest, b beside it, d above or below it, and e diagonal to it.
typedef struct Near {
    int32_t a, b, d, e;
} Near;

// The spline minus the nearest cell, in doubled units: (3 (b - a) + 3 (d - a) + (e - a))/8.
KERNEL_INLINE int32_t spline_rise(Near near) {
    const uint32_t a = (uint32_t)near.a, sides = ((uint32_t)near.b - a) + ((uint32_t)near.d - a);
    const uint32_t rise = 3 * sides + ((uint32_t)near.e - a) + 4;
    return (int32_t)rise >> 3;
}

KERNEL_INLINE int32_t rounded(float value) {
    const float shifted = value < 0 ? value - 0.5f : value + 0.5f;
    return whole_within(shifted, -HIGHEST, HIGHEST);
}

// New detail, proportional to the slope up to a cap, because more would steepen steep ground without limit;
// little of it in the sea.
KERNEL_INLINE float new_detail(Detail detail, float steep, float slope, bool land, float chance) {
    const float height = min(steep, (float)SLOPE_CAP) + detail.least;
    const float gentle = 1 + 0.6f * steepness(slope);
    return detail.roughness * height * gentle * chance * (land ? 1.0f : 0.1f);
}

KERNEL_INLINE bool crosses_coast(Near near, int32_t sea) {
    const int32_t lowest = min(min(near.a, near.b), min(near.d, near.e)),
                  highest = max(max(near.a, near.b), max(near.d, near.e));
    return lowest <= sea && highest > sea;
}

// Where the spline crosses the coast, new detail is proportional to its own slope, on land and in the sea:
// the coast moves as far on any ground. With less it would stay on the edges of coarser cells.
KERNEL_INLINE float coast_detail(Detail detail, Near near, float chance) {
    const float across = (float)difference(near.b, near.a), down = (float)difference(near.d, near.a);
    const float slope = sqrtf(across * across + down * down);
    return detail.coast * min(slope, (float)SLOPE_CAP) * chance;
}

// Limits the source's detail on gentle ground, where it would leave endless pits.
KERNEL_INLINE float within_slope(float added, float slope) {
    const float most = slope + (float)SLOPE_MIN;
    return clamp(added, -most, most);
}

// What is added to the spline: new detail and the source's own, `added`.
KERNEL_INLINE int32_t detail_of(Detail detail, Near near, float steep, float slope, float chance, float added,
                                int32_t sea) {
    const float share = settled(slope, detail.settled), source = within_slope(added, slope);
    const float inland = (new_detail(detail, steep, slope, near.a > sea, chance) + source) * share;
    const float coast = coast_detail(detail, near, chance) + source * share;
    return rounded(crosses_coast(near, sea) ? coast : inland);
}

typedef struct SplineRow {
    const int32_t *near_z, *far_z; // coarse rows
    const float *near_slope, *far_slope, *steep;
    const float *chance, *added;
    int32_t *z;
    float *slope;
} SplineRow;

// Children 2i and 2i + 1 of coarse cell i lie a quarter of a cell to its left and right.
KERNEL static void spline_row(const SplineRow *rows, int count, Detail detail, int32_t offset, int32_t sea) {
    const int32_t *restrict near_z = rows->near_z, *restrict far_z = rows->far_z;
    const float *restrict near_slope = rows->near_slope, *restrict far_slope = rows->far_slope;
    const float *restrict steep = rows->steep, *restrict added = rows->added, *restrict chance = rows->chance;
    int32_t *restrict z = rows->z;
    float *restrict slope = rows->slope;
    for (int i = 0; i < count; i++) {
        const int32_t a = near_z[i], d = far_z[i];
        const int32_t start = doubled(difference(a, offset));
        const float middle = 9 * near_slope[i] + 3 * far_slope[i];
        const float left = (middle + (3 * near_slope[i - 1] + far_slope[i - 1])) * 0.0625f,
                    right = (middle + (3 * near_slope[i + 1] + far_slope[i + 1])) * 0.0625f;
        const Near near_left = { a, near_z[i - 1], d, far_z[i - 1] },
                   near_right = { a, near_z[i + 1], d, far_z[i + 1] };
        const int32_t left_detail =
                          detail_of(detail, near_left, steep[i], left, chance[2 * i], added[2 * i], sea),
                      right_detail = detail_of(detail, near_right, steep[i], right, chance[2 * i + 1],
                                               added[2 * i + 1], sea);
        z[2 * i] = sum(start, spline_rise(near_left) + left_detail);
        z[2 * i + 1] = sum(start, spline_rise(near_right) + right_detail);
        slope[2 * i] = left;
        slope[2 * i + 1] = right;
    }
}

// The source's own detail: its heights minus the spline of its coarser level, at most one cell. More would
// leave pits whose path out is longer than the steps reach.
KERNEL static void source_row(const uint32_t *restrict own, const uint32_t *restrict near_row,
                              const uint32_t *restrict far_row, int count, float scale,
                              float *restrict added) {
    const float most = LAND_UNITS_PER_CELL;
    for (int i = 0; i < count; i++) {
        const uint32_t a = near_row[i], d = far_row[i];
        const Near near_left = { (int32_t)a, (int32_t)near_row[i - 1], (int32_t)d, (int32_t)far_row[i - 1] },
                   near_right = { (int32_t)a, (int32_t)near_row[i + 1], (int32_t)d, (int32_t)far_row[i + 1] };
        const uint32_t left = (uint32_t)spline_rise(near_left), right = (uint32_t)spline_rise(near_right);
        const float above_left = (float)(int32_t)(own[2 * i] - 2 * a - left) * scale,
                    above_right = (float)(int32_t)(own[2 * i + 1] - 2 * a - right) * scale;
        added[2 * i] = clamp(above_left, -most, most);
        added[2 * i + 1] = clamp(above_right, -most, most);
    }
}

static void add_source(const Spline *spline, int y, int near_row, int far_row, float *added) {
    const Level *level = spline->level;
    const Parent *parent = spline->parent;
    const LandRules *rules = &level->land->rules;
    const float scale = rules->detail * level->land->source_scale *
                        ((float)LAND_UNITS_PER_CELL / (float)LAND_SOURCE_UNITS_PER_CELL);
    source_row(spline->own + (size_t)y * (size_t)level->width,
               spline->coarse + parent_at(parent, parent->column, near_row),
               spline->coarse + parent_at(parent, parent->column, far_row), level->width / 2, scale, added);
}

static void upsample_rows(void *context, int first, int end) {
    const Spline *spline = context;
    const Level *level = spline->level;
    const Parent *parent = spline->parent;
    for (int y = first; y < end; y++) {
        const int near_row = parent->row + y / 2, far_row = near_row + (y & 1 ? 1 : -1);
        const size_t near_cell = parent_at(parent, parent->column, near_row),
                     far_cell = parent_at(parent, parent->column, far_row),
                     start = (size_t)y * (size_t)level->width;
        float *added = spline->added + start;
        if (spline->own)
            add_source(spline, y, near_row, far_row, added);
        const SplineRow rows = { parent->sharp + near_cell,
                                 parent->sharp + far_cell,
                                 parent->slope + near_cell,
                                 parent->slope + far_cell,
                                 parent->steep + near_cell,
                                 spline->chance + start,
                                 added,
                                 level->z + start,
                                 level->slope + start };
        draw_chances(level, spline->detail.key, spline->columns, y, spline->chance + start);
        spline_row(&rows, level->width / 2, spline->detail, parent->offset, parent->sea);
    }
}

static Status open_source(Spline *spline, Error *error) {
    const Level *level = spline->level;
    const Land *land = level->land;
    const Parent *parent = spline->parent;
    const LandWindow *window = parent->window;
    const size_t stride = (size_t)parent->stride, width = (size_t)window->width;
    spline->coarse = cells_new(stride * (size_t)(window->height + 2), sizeof *spline->coarse, error);
    uint32_t *coarse = cells_new(width * (size_t)window->height, sizeof *coarse, error);
    uint32_t *own = (uint32_t *)level->next; // not in use yet
    Status status = spline->coarse && coarse ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = land->source(land->context, level->number, level->x, level->y, level->width, level->height,
                              own, level->run, error);
    if (status == STATUS_OK)
        status = land->source(land->context, level->number - 1, window->x, window->y, window->width,
                              window->height, coarse, level->run, error);
    for (int y = 0; y < window->height && status == STATUS_OK; y++)
        memcpy(spline->coarse + parent_at(parent, 0, y), coarse + (size_t)y * width, width * sizeof *coarse);
    if (status == STATUS_OK)
        parent_pad(spline->coarse, parent);
    spline->own = own;
    memory_free(coarse);
    return status;
}

// Maps get more detail on their coarse levels, which turns streams away from the grid. On fine levels, where
// streams go on for ever, that much would be a fuzz along the grid.
static float roughness_at(const LandRules *rules, int level, float carving) {
    const float more = min(1.6f * rules->roughness, 1.0f), most = max(more, rules->roughness);
    const float share = rules->eased ? clamp((float)(12 - level) / 4, 0.0f, 1.0f) : 0;
    return (rules->roughness + (most - rules->roughness) * share) * (1 + 0.8f * carving);
}

static void clear_added(void *context, int first, int end) {
    const Spline *spline = context;
    const size_t width = (size_t)spline->level->width;
    memset(spline->added + (size_t)first * width, 0, (size_t)(end - first) * width * sizeof *spline->added);
}

Status upsample(Level *level, const Parent *parent, Error *error) {
    const Land *land = level->land;
    Spline spline = { .level = level,
                      .parent = parent,
                      .detail = { .key = random_key(land->rules.seed, (uint32_t)level->number),
                                  .roughness =
                                      roughness_at(&land->rules, level->number, level->hillslope.carving),
                                  .coast = land->rules.roughness,
                                  .least = level->hillslope.soil ? 0 : SLOPE_MIN,
                                  .settled = level->hillslope.soil ? 1 : settled_min(&land->rules) },
                      .added = level->area,
                      .chance = level->cut };
    level->base = 2 * (parent->window->base + parent->offset);
    level->sea = sea_above(level->base);
    spline.columns = memory_new((size_t)level->width, sizeof *spline.columns, error);
    Status status = spline.columns ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK) {
        for (int x = 0; x < level->width; x++)
            spline.columns[x] = bits_of_place(level->x + x);
        status = parallel_rows(level->run, level->height, level->width * 1.0, clear_added, &spline);
        if (status == STATUS_OK && land->source && land->rules.detail > 0 && !level->hillslope.soil)
            status = open_source(&spline, error);
    }
    if (status == STATUS_OK)
        status = parallel_rows(level->run, level->height, level->width * 5.0, upsample_rows, &spline);
    if (status == STATUS_OK)
        status = bend_coasts(level, parent);
    memory_free(spline.columns);
    memory_free(spline.coarse);
    return status;
}
