// Ground of a finer level: a quadratic spline of the coarser one (weights 9 3 3 1), with new detail. Integer
// differences are added to the nearest coarse cell's altitude, so the result does not depend on the base.

#include "land/strata.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"

#include <math.h>

enum { SLOPE_CAP = 1843, SLOPE_MIN = 205 }; // 0.45 and 0.05 cells: new detail is proportional to slope

// --- the coarse land --------------------------------------------------------------------------------------

static int32_t altitude_near(const LandWindow *window, int x, int y) {
    return window->altitude[(size_t)clamp(y, 0, window->height - 1) * (size_t)window->width +
                            (size_t)clamp(x, 0, window->width - 1)];
}

// How much the coarse land is sharpened: 1 on gentle slopes, falling to `least` on steep ones. Sharpened at
// every level, steep ground would become ever steeper; below 0 it is smoothed: that is done where the
// rules ease steep ground, but not on soil, which no streams cut.
typedef struct Sharpening {
    float gentle, steep, least;
    bool keeps_sea; // beside land on one side, too
} Sharpening;

enum { SEA_IS_KEPT_TO = 2 }; // the last level that loses no sea

static Sharpening sharpening_of(bool eased, int level) {
    const float cell = LAND_UNITS_PER_CELL;
    const bool keeps_sea = level <= SEA_IS_KEPT_TO;
    return eased ? (Sharpening){ 0.15f * cell, 0.5f * cell, -0.3f, keeps_sea }
                 : (Sharpening){ 0.3f * cell, 0.8f * cell, 0, keeps_sea };
}

// Sharpens before the spline smooths: v - (n + s + e + w - 4v)/8 keeps the means of 2 × 2 cells to second
// order. Never crosses sea level. Shallow sea between land on two sides counts as three quarters as deep as
// the lower of them is high: otherwise the spline makes it land, inlets close, and of the sea at a river's
// mouth a speck is left. On the first levels this holds for sea beside any land, but coasts then follow the
// edges of cells, and on all levels they would be straight lines.
KERNEL static void sharpen_row(const int32_t *restrict above, const int32_t *restrict row,
                               const int32_t *restrict below, int count, int32_t sea, Sharpening sharpening,
                               int32_t *restrict sharp) {
    const float per_slope = (1 - sharpening.least) / (sharpening.steep - sharpening.gentle);
    const int32_t alone = sharpening.keeps_sea ? HIGHEST : -HIGHEST; // of the highest side, what counts
    for (int x = 1; x < count - 1; x++) {
        const int32_t v = row[x];
        const uint32_t around =
            (uint32_t)row[x - 1] + (uint32_t)row[x + 1] + (uint32_t)above[x] + (uint32_t)below[x];
        const int32_t laplacian = (int32_t)(around - 4 * (uint32_t)v);
        const float across = (float)difference(row[x + 1], row[x - 1]),
                    down = (float)difference(below[x], above[x]);
        const float slope = sqrtf(across * across + down * down) * 0.5f;
        const float falling = 1 - (slope - sharpening.gentle) * per_slope;
        const float share = clamp(falling, sharpening.least, 1.0f);
        const int32_t sharper = difference(v, whole_unchecked((float)laplacian * (share / 8)));
        const int32_t beside = max(row[x - 1], row[x + 1]), before = max(above[x], below[x]);
        const int32_t between = max(min(row[x - 1], row[x + 1]), min(above[x], below[x]));
        const int32_t first = max(beside, before), second = max(min(beside, before), between);
        const int32_t shore = max(second, min(first, alone));
        const int32_t high = max(difference(shore, sea), 0);
        const int32_t deep = sea - high + high / 4, floor_of_sea = min(v, deep);
        sharp[x] = v > sea ? (sharper > sea ? sharper : v) : floor_of_sea;
    }
}

// |∇z| by central differences, half of one at the land's edge; 0 in the sea.
KERNEL static void measure_row(const int32_t *restrict above, const int32_t *restrict row,
                               const int32_t *restrict below, int count, int32_t sea, float *restrict steep) {
    for (int x = 1; x < count - 1; x++) {
        const float across = (float)difference(row[x + 1], row[x - 1]),
                    down = (float)difference(below[x], above[x]);
        steep[x] = row[x] > sea ? sqrtf(across * across + down * down) * 0.5f : 0;
    }
}

KERNEL static void mean_row(const float *restrict above, const float *restrict row,
                            const float *restrict below, int count, float *restrict mean) {
    for (int x = 1; x < count - 1; x++) {
        const float left = above[x - 1] + row[x - 1] + below[x - 1];
        const float middle = above[x] + row[x] + below[x];
        const float right = above[x + 1] + row[x + 1] + below[x + 1];
        mean[x] = (left + middle + right) * (1 / 9.0f);
    }
}

// Sets the row and column around an array of a parent's to the cells nearest to them.
static void pad(void *array, const Parent *parent) {
    const LandWindow *window = parent->window;
    uint32_t *cells = array;
    const size_t stride = (size_t)parent->stride;
    for (int y = 1; y <= window->height; y++) {
        uint32_t *row = cells + (size_t)y * stride;
        row[0] = row[1];
        row[stride - 1] = row[stride - 2];
    }
    memcpy(cells, cells + stride, stride * sizeof *cells);
    memcpy(cells + (size_t)(window->height + 1) * stride, cells + (size_t)window->height * stride,
           stride * sizeof *cells);
}

// Removes the ditches of streams that end at the finer level: their cells rise to the mean of those around.
static void close_valleys(const Parent *parent, int y, int32_t *plain) {
    const LandWindow *window = parent->window;
    const bool ends = parent->kept_area > parent->stream_area && y > 0 && y < window->height - 1;
    for (int x = 1; ends && x < window->width - 1; x++) {
        const size_t cell = (size_t)y * (size_t)window->width + (size_t)x;
        if (!is_stream(parent, cell) || window->area[cell] >= parent->kept_area)
            continue;
        int32_t rise = 0;
        for (int d = 0; d < NEIGHBOURS; d++)
            rise += difference(window->altitude[window_towards(window, cell, d)], window->altitude[cell]) / 8;
        plain[parent_at(parent, x, y)] = sum(window->altitude[cell], max(rise, 0));
    }
}

// Rows of the window, whose plain altitudes `profile` holds at first.
static void plain_rows(void *context, int first, int end) {
    const Parent *parent = context;
    const LandWindow *window = parent->window;
    for (int y = first; y < end; y++) {
        memcpy(parent->profile + parent_at(parent, 0, y),
               window->altitude + (size_t)y * (size_t)window->width,
               (size_t)window->width * sizeof *parent->profile);
        close_valleys(parent, y, parent->profile);
    }
}

static void sharpen_rows(void *context, int first, int end) {
    const Parent *parent = context;
    const size_t stride = (size_t)parent->stride;
    const Sharpening sharpening = sharpening_of(parent->eased, parent->window->level + 1);
    for (int y = first + 1; y <= end; y++) {
        const int32_t *row = parent->profile + (size_t)y * stride;
        sharpen_row(row - stride, row, row + stride, parent->stride, parent->sea, sharpening,
                    parent->sharp + (size_t)y * stride);
        measure_row(row - stride, row, row + stride, parent->stride, parent->sea,
                    parent->steep + (size_t)y * stride);
    }
}

static void mean_rows(void *context, int first, int end) {
    const Parent *parent = context;
    const size_t stride = (size_t)parent->stride;
    for (int y = first + 1; y <= end; y++) {
        const float *row = parent->steep + (size_t)y * stride;
        mean_row(row - stride, row, row + stride, parent->stride, parent->slope + (size_t)y * stride);
    }
}

static Status measure(Parent *parent, const Run *run) {
    const int rows = parent->window->height;
    Status status = parallel_rows(run, rows, parent->stride * 0.5, plain_rows, parent);
    if (status == STATUS_OK) {
        pad(parent->profile, parent);
        status = parallel_rows(run, rows, parent->stride * 2.0, sharpen_rows, parent);
    }
    if (status == STATUS_OK) {
        pad(parent->sharp, parent);
        pad(parent->steep, parent);
        status = parallel_rows(run, rows, parent->stride * 1.0, mean_rows, parent);
    }
    if (status == STATUS_OK)
        pad(parent->slope, parent);
    return status;
}

Status parent_open(Parent *parent, const Level *level, const LandWindow *window, Error *error) {
    *parent = (Parent){ .window = window,
                        .stride = window->width + 2,
                        .sea = sea_above(window->base),
                        .stream_area = hillslope_of(&level->land->rules, window->level).stream_area,
                        .kept_area = level->hillslope.stream_area / 4,
                        .eased = level->land->rules.eased && !level->hillslope.soil,
                        .column = (int)(level->x / 2 - window->x),
                        .row = (int)(level->y / 2 - window->y) };
    const size_t count = (size_t)parent->stride * (size_t)(window->height + 2);
    parent->offset = altitude_near(window, window->width / 2, window->height / 2);
    parent->sharp = cells_new(count, sizeof *parent->sharp, error);
    parent->steep = cells_new(count, sizeof *parent->steep, error);
    parent->slope = cells_new(count, sizeof *parent->slope, error);
    parent->profile = cells_new(count, sizeof *parent->profile, error);
    if (!parent->sharp || !parent->steep || !parent->slope || !parent->profile)
        return STATUS_MEMORY;
    return measure(parent, level->run);
}

void parent_free(Parent *parent) {
    memory_free(parent->sharp);
    memory_free(parent->steep);
    memory_free(parent->slope);
    memory_free(parent->profile);
}

// --- its children -----------------------------------------------------------------------------------------

typedef struct Detail {
    RandomKey key;
    float roughness, least; // minimum, on flat ground, in units
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

// The spline minus the nearest cell `a`, in doubled units: (3 (b - a) + 3 (d - a) + (e - a))/8, where b is
// beside a, d above or below it, and e diagonal to it.
KERNEL_INLINE int32_t spline_rise(int32_t a, int32_t b, int32_t d, int32_t e) {
    const uint32_t rise =
        3 * ((uint32_t)b - (uint32_t)a) + 3 * ((uint32_t)d - (uint32_t)a) + ((uint32_t)e - (uint32_t)a) + 4;
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

// Limits the source's detail on gentle ground, where it would leave endless pits.
KERNEL_INLINE float within_slope(float added, float slope) {
    const float most = slope + (float)SLOPE_MIN;
    return clamp(added, -most, most);
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
        const bool land = a > sea;
        const float new_left = new_detail(detail, steep[i], left, land, chance[2 * i]) +
                               within_slope(added[2 * i], left),
                    new_right = new_detail(detail, steep[i], right, land, chance[2 * i + 1]) +
                                within_slope(added[2 * i + 1], right);
        const float left_share = settled(left, detail.settled), right_share = settled(right, detail.settled);
        z[2 * i] =
            sum(start, spline_rise(a, near_z[i - 1], d, far_z[i - 1]) + rounded(new_left * left_share));
        z[2 * i + 1] =
            sum(start, spline_rise(a, near_z[i + 1], d, far_z[i + 1]) + rounded(new_right * right_share));
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
        const uint32_t left = (uint32_t)spline_rise((int32_t)a, (int32_t)near_row[i - 1], (int32_t)d,
                                                    (int32_t)far_row[i - 1]),
                       right = (uint32_t)spline_rise((int32_t)a, (int32_t)near_row[i + 1], (int32_t)d,
                                                     (int32_t)far_row[i + 1]);
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
        pad(spline->coarse, parent);
    spline->own = own;
    memory_free(coarse);
    return status;
}

static void set_columns(const Level *level, uint32_t *columns) {
    for (int x = 0; x < level->width; x++)
        columns[x] =
            (uint32_t)mix64((uint64_t)(level->x + x)) ^ (uint32_t)mix64((uint64_t)((level->x + x) >> 64) + 1);
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
                                      roughness_at(&land->rules, level->number, level->hillslope.carving) *
                                      level->hillslope.detail,
                                  .least = SLOPE_MIN * level->hillslope.water,
                                  .settled = settled_min(&land->rules) },
                      .added = level->area,
                      .chance = level->cut };
    level->base = 2 * (parent->window->base + parent->offset);
    level->sea = sea_above(level->base);
    spline.columns = memory_new((size_t)level->width, sizeof *spline.columns, error);
    Status status = spline.columns ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK) {
        set_columns(level, spline.columns);
        status = parallel_rows(level->run, level->height, level->width * 1.0, clear_added, &spline);
        if (status == STATUS_OK && land->source && land->rules.detail > 0 && !level->hillslope.soil)
            status = open_source(&spline, error);
    }
    if (status == STATUS_OK)
        status = parallel_rows(level->run, level->height, level->width * 5.0, upsample_rows, &spline);
    memory_free(spline.columns);
    memory_free(spline.coarse);
    return status;
}
