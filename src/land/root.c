// Level 0: the whole land, small enough to be solved exactly. Pits are filled once (root_flood.c); then each
// cell drains into its steepest neighbour and is cut by stream power, in order from the water's end upward
// (Braun and Willett 2013, sections 2 and 3), until slopes are those of the law. A cell stays above its
// receiver, so no pit opens again.

#include "land/root.h"
#include "land/deltas.h"
#include "land/law.h"
#include "land/runoff.h"
#include "land/strata.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

enum { HIGHEST_ROOT = 1 << 28, EROSIONS_OF_ROOT = 60 };
#define GRADING 0.5 // how far one brings the ground to the law

// A planet has no edge.
static bool is_edge(const Land *land, int x, int y) {
    const LandWindow *window = &land->root;
    if (land->rules.planet)
        return false;
    return x == 0 || y == 0 || x == window->width - 1 || y == window->height - 1;
}

static void mark_edges(const Root *root) {
    const LandWindow *window = root->window;
    const int height = root->land->rules.planet ? window->width : window->height;
    for (size_t i = 0; i < root->count; i++) {
        const int x = (int)(i % (size_t)window->width), y = (int)(i / (size_t)window->width) % height;
        root->edge[i] = x == 0 || y == 0 || x == window->width - 1 || y == height - 1;
    }
}

// --- erosion ----------------------------------------------------------------------------------------------

static void cut_root(const Root *root) {
    const uint8_t *restrict receiver = root->window->receiver;
    const int *restrict target = root->target, *restrict order = root->order;
    const float *restrict area = root->window->area, *restrict slopes = root->land->law->first_slopes;
    double *restrict z = root->z;
    for (size_t k = root->ends; k < root->count; k++) {
        const size_t cell = (size_t)order[k];
        const int direction = receiver[cell];
        if (direction >= NEIGHBOURS)
            continue;
        const double bed = max(z[target[cell]], 0.0);
        const double rate =
            GRADING * law_power(root->land, (double)area[cell]) * (double)inverse_distance[direction];
        const double uplift = GRADING * (double)slopes[cell];
        const double cut = (z[cell] + uplift + rate * bed) / (1 + rate), least = bed + root->fall;
        z[cell] = max(cut, least);
    }
}

enum { OUTER_CELLS = 8 }; // from the edge inward
#define OUTWARD 2.0       // the steepest rise of the land towards the edge, against the law's slope

// Lowers a row or column towards its first cell, to what lies behind. No pit opens: a lowered cell stays
// above the one behind it, but for the first, where water ends.
// Beds of given courses stay above what they drain into, as they are.
static void lower_outer_end(const Root *root, size_t first, ptrdiff_t step, int length) {
    const int cells = min(OUTER_CELLS, length / 2);
    const double least = root->fall, cell_units = (double)root->land->cell * (double)law_share(root->land, 0);
    for (int i = cells; i-- > 0;) {
        const ptrdiff_t cell = (ptrdiff_t)first + i * step;
        double *z = root->z + cell;
        const double rise = i > 0 ? OUTWARD * (double)root->land->law->steepness[cell] * cell_units : 0,
                     most = max(z[step], 0.0) + rise;
        if (*z >= 0 && !root_courses_has(root->courses, (size_t)cell))
            *z = clamp(*z, least, max(most, least));
    }
}

// No water crosses the edge inward, and what drains inward is cut no faster than a cell a step: the land
// along the edge would stand as a wall.
static void lower_outer_cells(const Root *root) {
    const int width = root->window->width, height = root->window->height;
    if (root->land->rules.planet || min(width, height) < 3)
        return;
    for (int y = 0; y < height; y++) {
        lower_outer_end(root, (size_t)y * (size_t)width, 1, width);
        lower_outer_end(root, (size_t)(y + 1) * (size_t)width - 1, -1, width);
    }
    for (int x = 0; x < width; x++) {
        lower_outer_end(root, (size_t)x, width, height);
        lower_outer_end(root, (size_t)(height - 1) * (size_t)width + (size_t)x, -width, height);
    }
}

// Ground below the top of a layer rises towards it, but not the beds of rivers: flat tops, cliffs and
// canyons. It rises less the more it drains, so that nothing rises downstream.
static void raise_tops(const Root *root) {
    const double few = 8, many = 72;        // cells that drain through ground and through rivers
    const double steep = 0.3, share = 0.92; // the part of a layer that becomes a cliff, and the cliff's
    const LandWindow *window = root->window;
    const double hardness = (double)root->land->rules.hardness, layer = mesa_layer(root->land);
    for (size_t k = 0; k < root->count && hardness > 0; k++) {
        const size_t cell = (size_t)root->order[k];
        const double z = root->z[cell], area = (double)window->area[cell];
        if (z <= 0)
            continue;
        const double above = z / layer - floor(z / layer);
        const double cliff = above * share / steep, top = share + (above - steep) * (1 - share) / (1 - steep);
        const double dry = clamp((many - area) / (many - few), 0.0, 1.0);
        root->z[cell] = z + hardness * dry * layer * ((above < steep ? cliff : top) - above);
    }
}

// Whole numbers that fall by 1 or more.
static void round_altitudes(const Root *root) {
    int32_t *altitude = root->window->altitude;
    for (size_t k = 0; k < root->count; k++) {
        const size_t cell = (size_t)root->order[k];
        if (root->z[cell] < 0)
            continue;
        altitude[cell] = whole_int(root->z[cell] + 0.5);
        if (root_lakes_has(root->lakes, cell)) {
            altitude[cell] = altitude[root_lakes_outlet(root->lakes, cell)];
            continue;
        }
        if (root->window->receiver[cell] >= NEIGHBOURS)
            continue;
        const int32_t bed = max(altitude[root->target[cell]], 0);
        altitude[cell] = max(altitude[cell], bed + least_fall(&root->land->rules, 0));
    }
}

// --- the law's slopes --------------------------------------------------------------------------------------

enum { SPREADINGS = 8 }; // means of 3 × 3 cells
#define LOWLANDS 0.5f    // first heights, in cells, below which land is lowland, and above which it is range
#define RANGES 6.0f
#define OF_PLANETS 0.4f // of both: planets have larger cells, and heights that are not evened

static float mean_around(const Root *root, const float *steepness, size_t cell) {
    float sum = steepness[cell];
    int count = 1;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const ptrdiff_t beside = cell_beside(root, cell, d);
        sum += beside == NO_CELL ? 0 : steepness[beside];
        count += beside != NO_CELL;
    }
    return sum / (float)count;
}

// Of cells that have all neighbours: the same, in the same order.
KERNEL static void find_means_inside(const float *restrict above, const float *restrict row,
                                     const float *restrict below, int count, float *restrict mean) {
    for (int i = 0; i < count; i++) {
        const float right = row[i] + row[i + 1] + below[i + 1], lower = right + below[i] + below[i - 1];
        mean[i] = (lower + row[i - 1] + above[i - 1] + above[i] + above[i + 1]) / 9;
    }
}

// Means of 3 × 3 cells.
static Status spread_steepness(const Root *root, Error *error) {
    float *steepness = root->land->law->steepness, *spread = memory_new(root->count, sizeof *spread, error);
    if (!spread)
        return STATUS_MEMORY;
    for (int round = 0; round < SPREADINGS; round++) {
        for (int y = 0; y < root->window->height; y++) {
            const int width = root->window->width;
            const size_t start = (size_t)y * (size_t)width, last = start + (size_t)width - 1;
            const float *row = steepness + start + 1;
            const bool inside = root_has_inside(root, start);
            if (inside)
                find_means_inside(row - width, row, row + width, width - 2, spread + start + 1);
            for (size_t cell = start; cell <= last; cell += inside ? last - start : 1)
                spread[cell] = mean_around(root, steepness, cell);
        }
        memcpy(steepness, spread, root->count * sizeof *steepness);
    }
    memory_free(spread);
    return STATUS_OK;
}

// Lowlands and ranges lie where the first heights are low and high.
static Status set_steepness(const Root *root, Error *error) {
    const LandRules *rules = &root->land->rules;
    float *steepness = root->land->law->steepness;
    const float unit = rules->planet ? OF_PLANETS : 1;
    const double ratio = rules->gentle > 0 ? (double)(rules->steep / rules->gentle) : 1;
    const double of_lowlands = power(ratio, 0);
    for (size_t cell = 0; cell < root->count; cell++) {
        const float height = (float)max(root->window->altitude[cell], 0) / (float)root->land->cell;
        const float high = clamp((height / unit - LOWLANDS) / (RANGES - LOWLANDS), 0.0f, 1.0f);
        const double raised = high > 0 ? power(ratio, (double)(high * high * (3 - 2 * high))) : of_lowlands;
        steepness[cell] = rules->gentle * (float)raised;
    }
    return spread_steepness(root, error);
}

// The sea becomes half as deep as land is high, but not up to a depth of one cell: finer levels make coasts
// of shores that are as gentle as they are.
static void deepen_sea(const Root *root, double highest) {
    int32_t *altitude = root->window->altitude;
    const double shore = root->land->cell;
    double deepest = 2 * shore;
    for (size_t cell = 0; cell < root->count; cell++)
        deepest = max(deepest, -(double)altitude[cell]);
    const double more = max(highest / (2 * deepest) - 1, 0.0);
    for (size_t cell = 0; cell < root->count; cell++) {
        const double depth = -(double)altitude[cell];
        const double share = (depth - shore) / (deepest - shore);
        if (depth > shore)
            altitude[cell] = -whole_int(depth * (1 + more * share * share) + 0.5);
    }
}

// Of a model or a sketch: what the law says of its own slopes.
static Status find_steepness(const Root *root, Error *error) {
    const LandWindow *window = root->window;
    const double cell_units = (double)root->land->cell * (double)law_share(root->land, 0);
    for (size_t cell = 0; cell < root->count; cell++) {
        const int direction = window->receiver[cell];
        const double fall =
            direction < NEIGHBOURS ? root->z[cell] - max(root->z[root->target[cell]], 0.0) : 0;
        const double slope = fall * (double)inverse_distance[direction & 7] / cell_units;
        root->land->law->steepness[cell] = (float)(slope * law_power(root->land, (double)window->area[cell]));
    }
    return spread_steepness(root, error);
}

// As high as asked for: all slopes by the same factor. Returns the highest altitude.
static double scale_relief(const Root *root) {
    const LandRules *rules = &root->land->rules;
    const double asked = (double)rules->relief * root->land->cell;
    double highest = 0, top = 0;
    for (size_t cell = 0; cell < root->count; cell++) {
        highest = max(highest, root->z[cell]);
        top = max(top, law_top(root->land, cell, root->z[cell]));
    }
    if (!(asked > 0) || !(top > 0))
        return highest;
    for (size_t cell = 0; cell < root->count; cell++) {
        root->z[cell] = root->z[cell] > 0 ? root->z[cell] * (asked / top) : root->z[cell];
        root->land->law->steepness[cell] *= (float)(asked / top);
    }
    return highest * (asked / top);
}

// ------------------------------------------------------------------------------------------------------------

// Among the depressions that the flood has filled.
static Status choose_lakes(Root *root, const Run *run, Error *error) {
    if (!root->first)
        return STATUS_OK;
    const Status status = root_drain(root, run);
    return status == STATUS_OK ? root_lakes_choose(root, error) : status;
}

static Status flood(Root *root, const Run *run, Error *error) {
    Status status = root_courses_lay(root, root->land->rules.courses, error);
    if (status == STATUS_OK)
        status = root_flood(root, run, error);
    for (size_t i = 0; i < root->count; i++)
        root->z[i] = (double)root->window->altitude[i];
    root_list_inland(root);
    return status;
}

static Status erode_root(Root *root, Land *land, const Run *run, Error *error) {
    Status status = open_closed_seas(root, error);
    if (status == STATUS_OK)
        status = smooth_sea_floor(root, run, error);
    if (status == STATUS_OK)
        status = flood(root, run, error);
    if (status == STATUS_OK)
        status = set_steepness(root, error);
    if (status == STATUS_OK)
        status = law_set_first_slopes(land, error);
    if (status == STATUS_OK)
        status = choose_lakes(root, run, error);
    for (int step = 0; step < EROSIONS_OF_ROOT && status == STATUS_OK; step++) {
        status = (step == 0 ? root_drain : root_drain_again)(root, run);
        if (status != STATUS_OK)
            break;
        cut_root(root);
        lower_outer_cells(root);
        root_lakes_hold(root);
        root_courses_carve(root);
    }
    if (status == STATUS_OK)
        status = root_drain(root, run);
    if (status != STATUS_OK)
        return status;
    const double highest = scale_relief(root);
    set_strata(land, highest);
    deepen_sea(root, highest);
    raise_tops(root);
    root_lakes_hold(root);
    round_altitudes(root);
    root_lakes_end(root);
    const LandRules *rules = &land->rules;
    const bool deltas = rules->deposition > 0 && !rules->planet && !rules->guided;
    return deltas ? deltas_choose(root, land, error) : STATUS_OK;
}

// A model or a sketch is as high and steep as it is.
static Status keep_root(Root *root, Land *land, const Run *run, Error *error) {
    Status status = flood(root, run, error);
    if (status == STATUS_OK)
        status = choose_lakes(root, run, error);
    if (status == STATUS_OK)
        status = root_drain(root, run);
    if (status == STATUS_OK && land->law)
        status = find_steepness(root, error);
    if (status != STATUS_OK)
        return status;
    set_strata(land, scale_relief(root));
    root_lakes_hold(root);
    round_altitudes(root);
    root_lakes_end(root);
    return status;
}

// Altitude 0 is land, a unit above the sea's level.
static void begin_root(const Land *land, const Field *heights) {
    const LandWindow *window = &land->root;
    for (int y = 0; y < window->height; y++)
        for (int x = 0; x < window->width; x++) {
            const size_t cell = (size_t)y * (size_t)window->width + (size_t)x;
            const float height = field_row(heights, y)[x] * (float)land->cell;
            const int32_t altitude = whole_within(height, -HIGHEST_ROOT, HIGHEST_ROOT);
            const bool sea = field_row(heights, y)[x] < 0;
            window->altitude[cell] = sea ? min(altitude, -1) : max(altitude, 1);
            window->receiver[cell] = sea || is_edge(land, x, y) ? LAND_SEA : LAND_NONE;
        }
}

// A planet without sea drains into its lowest cell.
static void open_sea(const LandWindow *window) {
    const size_t count = (size_t)window->width * (size_t)window->height;
    size_t lowest = 0;
    for (size_t i = 0; i < count; i++)
        lowest = window->altitude[i] < window->altitude[lowest] ? i : lowest;
    window->altitude[lowest] = min(window->altitude[lowest], -1);
    window->receiver[lowest] = LAND_SEA;
}

Status root_create(Land *land, const Field *heights, bool eroded, const Run *run, Error *error) {
    LandWindow *window = &land->root;
    *window = (LandWindow){ .width = heights->width, .height = heights->height };
    Status status = window_create(window, land->rules.watered, error);
    if (status == STATUS_OK)
        status = law_create(land, error);
    if (status != STATUS_OK)
        return status;
    begin_root(land, heights);
    if (window->runoff)
        memset(window->runoff, RUNOFF_UNKNOWN, field_count(heights) * sizeof *window->runoff);
    if (land->rules.planet)
        open_sea(window);
    Root root = { .land = land,
                  .window = window,
                  .count = field_count(heights),
                  .fall = land->law ? filled_fall(&land->rules, 0) : 2,
                  .fall_bits = land->rules.unit_bits - (eroded ? 4 : 8) };
    if (land->rules.lakes > 0) {
        root.first = memory_new(root.count, sizeof *root.first, error);
        status = root.first ? STATUS_OK : STATUS_MEMORY;
    }
    if (root.first)
        memcpy(root.first, window->altitude, root.count * sizeof *root.first);
    root.z = memory_new(root.count, sizeof *root.z, error);
    root.seen = memory_new(root.count, sizeof *root.seen, error);
    root.edge = memory_new(root.count, sizeof *root.edge, error);
    root.order = memory_new(root.count, sizeof *root.order, error);
    root.target = memory_new(root.count, sizeof *root.target, error);
    root.inland = memory_new(root.count, sizeof *root.inland, error);
    root.former = memory_new(root.count, sizeof *root.former, error);
    root.mended = memory_new(root.count, sizeof *root.mended, error);
    if (root.edge)
        mark_edges(&root);
    const bool all = root.z && root.seen && root.edge && root.order && root.target && root.inland &&
                     root.former && root.mended;
    status = status == STATUS_OK && all ? (eroded ? erode_root : keep_root)(&root, land, run, error)
                                        : STATUS_MEMORY;
    memory_free(root.z);
    memory_free(root.seen);
    memory_free(root.edge);
    if (land->rules.watered) {
        land->upward = root.order;
        land->target = root.target;
    } else {
        memory_free(root.order);
        memory_free(root.target);
    }
    memory_free(root.inland);
    memory_free(root.former);
    memory_free(root.mended);
    memory_free(root.first);
    root_lakes_free(root.lakes);
    root_courses_free(root.courses);
    return status;
}
