// Ground of a finer level: a quadratic spline of the coarser one (weights 9 3 3 1), with new detail. Integer
// differences are added to the nearest coarse cell's altitude, so the result does not depend on the base.

#include "land/law.h"
#include "land/soil_forms.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"

#include <math.h>
#include <string.h>

// In cells: the most slope to which new detail is proportional, on soil and elsewhere, and what it has on
// flat ground.
#define SLOPE_CAP (1843 / 4096.0f)
#define SLOPE_MIN (205 / 4096.0f)
#define SLOPE_CAP_ON_SOIL 1.2f

// Of swells on soil, in slopes over a cell. Where the spline crosses the coast there are none: they would
// draw it along their lattice.
#define SWELL 3.0f

typedef struct Detail {
    RandomKey key;
    float roughness, least; // minimum, on flat ground, in units
    float coast;            // roughness where the spline crosses the coast
    float settled;          // the share of all detail that is left there
    float cell, most;       // what a cell's side counts as, and SLOPE_CAP, in units
    float steepest;         // the same inland
} Detail;

// A row of children and what it is made from: the coarse row that they lie in, and the one nearest beside it.
typedef struct Spline {
    const Level *level;
    const Parent *parent;
    uint32_t *columns; // 32 random bits for each column
    Detail detail;
    float *chance; // -1 to 1
    float *swell;  // of soil: what is added inland
    SoilForms forms;
} Spline;

// The coarse cells that the spline reads: a nearest, b beside it, d above or below it, and e diagonal to it.
typedef struct Near {
    int32_t a, b, d, e;
} Near;

// The spline minus the nearest cell, (3 (b - a) + 3 (d - a) + (e - a))/2^bits: 4, or 3 in doubled units.
KERNEL_INLINE int32_t spline_rise(Near near, int bits) {
    const uint32_t a = (uint32_t)near.a, sides = ((uint32_t)near.b - a) + ((uint32_t)near.d - a);
    const uint32_t rise = 3 * sides + ((uint32_t)near.e - a) + (1U << (bits - 1));
    return (int32_t)rise >> bits;
}

KERNEL_INLINE int32_t rounded(float value) {
    const float shifted = value < 0 ? value - 0.5f : value + 0.5f;
    return whole_within(shifted, -HIGHEST, HIGHEST);
}

// New detail, proportional to the slope up to a cap, because more would steepen steep ground without limit,
// and swells; little of both in the sea.
KERNEL_INLINE float new_detail(Detail detail, float steep, float slope, bool land, float chance,
                               float swell) {
    const float height = min(steep, detail.steepest) + detail.least;
    const float gentle = 1 + 0.6f * steepness(slope, detail.cell);
    return detail.roughness * (height * gentle * chance + swell) * (land ? 1.0f : 0.1f);
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
    return detail.coast * min(slope, detail.most) * chance;
}

// What is added to the spline.
KERNEL_INLINE int32_t detail_of(Detail detail, Near near, float steep, float slope, float chance, float swell,
                                int32_t sea) {
    const float share = settled(slope, detail.cell, detail.settled);
    const float inland = new_detail(detail, steep, slope, near.a > sea, chance, swell) * share;
    const float coast = coast_detail(detail, near, chance);
    return rounded(crosses_coast(near, sea) ? coast : inland);
}

typedef struct SplineRow {
    const int32_t *near_z, *far_z; // coarse rows
    const float *near_slope, *far_slope, *steep;
    const float *chance, *swell;
    int32_t *z;
    float *slope;
} SplineRow;

// Children 2i and 2i + 1 of coarse cell i lie a quarter of a cell to its left and right.
KERNEL static void spline_row(const SplineRow *rows, int count, Detail detail, int32_t offset, int32_t sea) {
    const int32_t *restrict near_z = rows->near_z, *restrict far_z = rows->far_z;
    const float *restrict near_slope = rows->near_slope, *restrict far_slope = rows->far_slope;
    const float *restrict steep = rows->steep, *restrict chance = rows->chance, *restrict swell = rows->swell;
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
                          detail_of(detail, near_left, steep[i], left, chance[2 * i], swell[2 * i], sea),
                      right_detail = detail_of(detail, near_right, steep[i], right, chance[2 * i + 1],
                                               swell[2 * i + 1], sea);
        z[2 * i] = sum(start, spline_rise(near_left, 3) + left_detail);
        z[2 * i + 1] = sum(start, spline_rise(near_right, 3) + right_detail);
        slope[2 * i] = left;
        slope[2 * i + 1] = right;
    }
}

KERNEL_INLINE int32_t graded_child(Detail detail, Near near, float slope, float chance, int32_t offset,
                                   int32_t sea) {
    const float inland = detail.roughness * slope * chance * (near.a > sea ? 1.0f : 0.1f);
    const float coast = 0.5f * coast_detail(detail, near, chance);
    const int32_t added = rounded(crosses_coast(near, sea) ? coast : inland);
    return sum(difference(near.a, offset), spline_rise(near, 4) + added);
}

// On floors that coarser levels have laid, whose slope is far below the law's, the level makes little relief:
// else it would put hills on them again. By the law a stream has 0.15 of the slope of those that begin where
// it drains 4,000 cells, which is when its floor becomes too wide for a level's deposits (deposit.c).
#define FLOOR 0.15f // of the law's slope: the coarse slope where there is least relief
#define HILLS 0.4f  // and from which on there is all of it

KERNEL static void settle_row(const SplineRow *rows, int count, float least) {
    const float *restrict near_slope = rows->near_slope, *restrict far_slope = rows->far_slope;
    float *restrict slope = rows->slope;
    const float rate = 1 / (HILLS - FLOOR), sixteenth = rate / 16, bare = rate * FLOOR;
    for (int i = 0; i < count; i++) {
        const float middle = 9 * near_slope[i] + 3 * far_slope[i];
        const float left = (middle + (3 * near_slope[i - 1] + far_slope[i - 1])) * sixteenth,
                    right = (middle + (3 * near_slope[i + 1] + far_slope[i + 1])) * sixteenth;
        const float one = slope[2 * i], other = slope[2 * i + 1];
        slope[2 * i] = clamp(left - bare * one, least * one, one);
        slope[2 * i + 1] = clamp(right - bare * other, least * other, other);
    }
}

// The same where altitudes keep their unit. New detail is a share of the law's slope.
KERNEL static void graded_row(const SplineRow *rows, int count, Detail detail, int32_t offset, int32_t sea) {
    const int32_t *restrict near_z = rows->near_z, *restrict far_z = rows->far_z;
    const float *restrict chance = rows->chance, *restrict slope = rows->slope;
    int32_t *restrict z = rows->z;
    for (int i = 0; i < count; i++) {
        const int32_t a = near_z[i], d = far_z[i];
        const Near near_left = { a, near_z[i - 1], d, far_z[i - 1] },
                   near_right = { a, near_z[i + 1], d, far_z[i + 1] };
        z[2 * i] = graded_child(detail, near_left, slope[2 * i], chance[2 * i], offset, sea);
        z[2 * i + 1] = graded_child(detail, near_right, slope[2 * i + 1], chance[2 * i + 1], offset, sea);
    }
}

// The mean gradient at the children of a row, of length 1.
KERNEL static void lean_children(const float *restrict near, const float *restrict far, int count,
                                 float *restrict children) {
    for (int i = 0; i < count; i++) {
        const float middle = 9 * near[i] + 3 * far[i];
        children[2 * i] = middle + (3 * near[i - 1] + far[i - 1]);
        children[2 * i + 1] = middle + (3 * near[i + 1] + far[i + 1]);
    }
}

KERNEL static void set_length_one(int count, float *restrict east, float *restrict south) {
    for (int i = 0; i < count; i++) {
        const float length = 1 / (sqrtf(east[i] * east[i] + south[i] * south[i]) + 1);
        east[i] *= length;
        south[i] *= length;
    }
}

// `formed`: the sum of the weights of lean_children is 16.
KERNEL static void add_swells(const float *restrict formed, const float *restrict sunk,
                              const float *restrict noise, int count, float *restrict swell) {
    for (int i = 0; i < count; i++)
        swell[i] = 0.0625f * formed[i] * (swell[i] + sunk[i] + SWELL * noise[i]);
}

// What is added to the ground of a row inland, over the detail: swells and forms of soil, else nothing. The
// noises `aside` and `off` bend forms, and `off` makes the swells.
static void draw_swells(const Spline *spline, size_t near_cell, size_t far_cell, int y, size_t scratch,
                        const float *aside, const float *off, float *swell) {
    const Level *level = spline->level;
    const Parent *parent = spline->parent;
    memset(swell, 0, (size_t)level->width * sizeof *swell);
    if (!level->hillslope.soil)
        return;
    float *east = level->area + scratch, *south = (float *)(void *)(level->spare + scratch);
    lean_children(parent->east + near_cell, parent->east + far_cell, level->width / 2, east);
    lean_children(parent->south + near_cell, parent->south + far_cell, level->width / 2, south);
    set_length_one(level->width, east, south);
    float *sunk = (float *)(void *)(level->fresh + scratch);
    memset(sunk, 0, (size_t)level->width * sizeof *sunk);
    soil_forms_add(level, &spline->forms, y, &(SoilRow){ east, south, aside, off }, swell, sunk);
    lean_children(parent->formed + near_cell, parent->formed + far_cell, level->width / 2, east);
    add_swells(east, sunk, off, level->width, swell);
}

static void upsample_rows(void *context, int first, int end) {
    const Spline *spline = context;
    const Level *level = spline->level;
    const Parent *parent = spline->parent;
    const size_t scratch = (size_t)first * (size_t)level->width; // a row that stays in the processor's cache
    for (int y = first; y < end; y++) {
        const int near_row = parent->row + y / 2, far_row = near_row + (y & 1 ? 1 : -1);
        const size_t near_cell = parent_at(parent, parent->column, near_row),
                     far_cell = parent_at(parent, parent->column, far_row),
                     start = (size_t)y * (size_t)level->width;
        SplineRow rows = { .near_z = parent->sharp + near_cell,
                           .far_z = parent->sharp + far_cell,
                           .near_slope = parent->slope + near_cell,
                           .far_slope = parent->slope + far_cell,
                           .steep = parent->steep + near_cell,
                           .chance = spline->chance + start,
                           .swell = spline->swell + start,
                           .z = level->z + start,
                           .slope = level->slope + start };
        float *patch = (float *)(void *)(level->next + scratch), *swell = level->slope + start;
        draw_chances(level, spline->detail.key, spline->columns, y, spline->chance + start, patch, swell);
        draw_swells(spline, near_cell, far_cell, y, scratch, patch, swell, spline->swell + start);
        if (level->graded) {
            law_row(level->land, level->number, level->patches->place.face, level->x, level->y + y,
                    level->width, rows.slope, level->land->rules.edits ? level->area + start : NULL);
            settle_row(&rows, level->width / 2, settled_min(&level->land->rules));
            graded_row(&rows, level->width / 2, spline->detail, parent->offset, parent->sea);
            continue;
        }
        spline_row(&rows, level->width / 2, spline->detail, parent->offset, parent->sea);
    }
}

Status upsample(Level *level, const Parent *parent, Error *error) {
    const Land *land = level->land;
    const float cell = (float)level->cell;
    Spline spline = { .level = level,
                      .parent = parent,
                      .detail = { .key = random_key(land->rules.seed, (uint32_t)level->number),
                                  .roughness = land->rules.roughness,
                                  .coast = has_shorelines(&land->rules) ? 0 : land->rules.roughness,
                                  .least = level->hillslope.soil ? 0 : SLOPE_MIN * cell,
                                  .settled = level->hillslope.soil ? 1 : settled_min(&land->rules),
                                  .cell = cell,
                                  .most = SLOPE_CAP * cell,
                                  .steepest =
                                      (level->hillslope.soil ? SLOPE_CAP_ON_SOIL : SLOPE_CAP) * cell },
                      .chance = level->cut,
                      .swell = level->limit };
    level->base = (level->graded ? 1 : 2) * (parent->window->base + parent->offset);
    level->sea = sea_above(level->base);
    spline.columns = memory_new((size_t)level->width, sizeof *spline.columns, error);
    Status status = spline.columns ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK && level->hillslope.soil)
        status = soil_forms_draw(level, &spline.forms, error);
    if (status == STATUS_OK) {
        for (int x = 0; x < level->width; x++)
            spline.columns[x] = bits_of_place(level->x + x);
        status = parallel_rows(level->run, level->height, level->width * 5.0, upsample_rows, &spline);
    }
    if (status == STATUS_OK)
        status = draw_coastline(level, parent);
    soil_forms_free(&spline.forms);
    memory_free(spline.columns);
    return status;
}
