#include "surface/horizon.h"

#include "core/elementary.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/transpose.h"
#include "core/whole.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

// Lines run from row to row, `rise` columns each: line i has the points (i + first + at_middle + rise · (y -
// middle), y), the same on ground that is mirrored, and through the cells of rows, columns and diagonals.
// Heights between two columns are interpolated, and a cell's tangent is that of the two lines beside it:
// lines through nearest cells would leave streaks.
//
// A band of lines is followed side by side, from the far end on; point 0 lies below all others, and has none
// ahead. Each point keeps its tangent and its horizon, so that horizons of horizons are the hull of what lies
// ahead. Most points see past no more than the one before them, which is a loop over vectors; the few others
// are listed and go on one by one.
enum { LANES = 64, NEW_LANES = LANES - 1 }; // bands share a line, so that each writes its own cells

typedef struct Lines {
    const Field *ground;
    Field *tangents;
    double rise, middle, at_middle; // the row in the middle, and where lines are there, 0 or half a column
    int first, count; // the column at which line 0 starts, 0 where edges meet; how many lines there are
    int points;       // of a line
    bool wraps;
    bool ahead_is_down; // the direction is that of growing y
    float per_cell;     // 1 / the distance between two points of a line
    struct Slot *slots;
} Lines;

// Working memory for a band: LANES lines side by side, point by point.
typedef struct Slot {
    float *heights, *tangents;
    int *horizons;
    atomic_flag taken;
} Slot;

// Where the lines of a band are at one point: line i in column x + i + share of row y.
typedef struct Place {
    int y, x;
    float share;
    int first, end; // the lines that have ground there, or whose cells are new
    bool counts;    // not only ahead, where edges meet
} Place;

// What the lines of a band know of the point before, and of its horizon.
typedef struct Last {
    float height[LANES], tangent[LANES];
    float horizon_height[LANES], horizon_tangent[LANES];
    int horizon[LANES], farther[LANES]; // which points these are, and the horizon's own
    int unsure[LANES];                  // whether there may be a steeper horizon beyond that one
} Last;

static Place place_at(const Lines *lines, int band, int point) {
    const int rows = lines->ground->height, width = lines->ground->width, lap = lines->points - rows;
    const int y = lines->ahead_is_down ? lines->points - point : point - 1 - lap;
    const double exact = lines->first + lines->at_middle + lines->rise * (y - lines->middle),
                 whole = floor(exact + 0.5);
    const double at = fabs(exact - whole) < 1e-6 ? whole : exact, left = floor(at);
    const int line = band * NEW_LANES - 1, x = line + whole_int(left);
    const float share = (float)(at - left);
    if (lines->wraps)
        return (Place){ y < 0 ? y + rows : y % rows,
                        ((x % width) + width) % width,
                        share,
                        0,
                        min(LANES, lines->count - line),
                        y >= 0 && y < rows };
    return (
        Place){ y, x, share, clamp((share > 0 ? -1 : 0) - x, 0, LANES), clamp(width - x, 0, LANES), true };
}

// The cells of the columns on both sides of each line: copied where some lie beyond an edge. There the last
// column stands for what is missing.
static const float *cells_at(const Lines *lines, Place place, float copy[LANES + 1]) {
    const int width = lines->ground->width;
    const float *row = field_row(lines->ground, place.y);
    if (place.x >= 0 && place.x + LANES < width)
        return row + place.x;
    for (int i = 0, x = place.x; i <= LANES; i++, x++) {
        if (lines->wraps && x == width)
            x = 0;
        copy[i] = row[clamp(x, 0, width - 1)];
    }
    return copy;
}

static void forget(Last *last, int first, int end) {
    for (int i = first; i < end; i++) {
        last->height[i] = last->horizon_height[i] = -INFINITY;
        last->tangent[i] = last->horizon_tangent[i] = -INFINITY;
        last->horizon[i] = last->farther[i] = 0;
    }
}

// One point further: the horizon is the point before, or if that hides its own horizon no longer, that one.
KERNEL static void advance(const float *restrict cells, float share, int point, Last *restrict last,
                           float *restrict heights, float *restrict tangents, int *restrict horizons) {
    for (int i = 0; i < LANES; i++) {
        const float height = (1 - share) * cells[i] + share * cells[i + 1];
        const float rise = last->height[i] - height;
        const bool beyond = last->tangent[i] > rise;
        const float far_rise = (last->horizon_height[i] - height) / (float)(point - last->horizon[i]);
        const float horizon_height = beyond ? last->horizon_height[i] : last->height[i];
        const float horizon_tangent = beyond ? last->horizon_tangent[i] : last->tangent[i];
        const float tangent = beyond ? far_rise : rise;
        const int horizon = beyond ? last->horizon[i] : point - 1;
        last->farther[i] = beyond ? last->farther[i] : last->horizon[i];
        last->unsure[i] = horizon_tangent > tangent;
        last->horizon_height[i] = horizon_height;
        last->horizon_tangent[i] = horizon_tangent;
        heights[i] = last->height[i] = height;
        tangents[i] = last->tangent[i] = tangent;
        horizons[i] = last->horizon[i] = horizon;
    }
}

// Lines that may see past their horizon go on from horizon to horizon.
static void look_farther(const Slot *slot, int point, Last *last) {
    int lines[LANES], count = 0;
    for (int i = 0; i < LANES; i++) {
        lines[count] = i;
        count += last->unsure[i];
    }
    while (count > 0) {
        int left = 0;
        for (int k = 0; k < count; k++) {
            const int i = lines[k], here = point * LANES + i;
            const int horizon = last->farther[i], there = horizon * LANES + i;
            const float height = slot->heights[there], beyond = slot->tangents[there];
            const float tangent = (height - last->height[i]) / (float)(point - horizon);
            slot->horizons[here] = last->horizon[i] = horizon;
            slot->tangents[here] = last->tangent[i] = tangent;
            last->farther[i] = slot->horizons[there];
            last->horizon_height[i] = height;
            last->horizon_tangent[i] = beyond;
            lines[left] = i;
            left += beyond > tangent;
        }
        count = left;
    }
}

KERNEL_INLINE float known(float tangent) {
    return tangent > -INFINITY ? tangent : 0; // no ground ahead
}

// Each cell gets its share of the lines on both sides.
KERNEL static void share_tangents(const float *restrict tangents, float near, float far, int count,
                                  float *restrict cells) {
    for (int i = 0; i < count; i++)
        cells[i] = near * known(tangents[i]) + far * known(tangents[i - 1]);
}

static void write_tangents(const Lines *lines, Place place, const float *tangents) {
    const int width = lines->ground->width;
    const float far = place.share * lines->per_cell, near = (1 - place.share) * lines->per_cell;
    const int first = lines->wraps ? 1 : max(1, -place.x), end = place.end;
    float *row = field_row(lines->tangents, place.y);
    for (int i = first, count; i < end; i += count) { // one piece, but where edges meet
        const int x = (place.x + i) % width;
        count = min(end - i, width - x);
        share_tangents(tangents + i, near, far, count, row + x);
    }
}

static void follow_band(const Lines *lines, int band, const Slot *slot) {
    Last last;
    float copy[LANES + 1];
    int first = 0, end = 0; // the lines that had ground at the last point
    forget(&last, 0, LANES);
    for (int point = 1; point <= lines->points; point++) {
        const Place place = place_at(lines, band, point);
        if (place.first >= place.end)
            continue;
        if (!lines->wraps && (place.first != first || place.end != end)) { // lines that enter
            forget(&last, place.first, end > first ? min(first, place.end) : place.end);
            forget(&last, end > first ? max(end, place.first) : place.end, place.end);
            first = place.first;
            end = place.end;
        }
        const ptrdiff_t at = (ptrdiff_t)point * LANES;
        advance(cells_at(lines, place, copy), place.share, point, &last, slot->heights + at,
                slot->tangents + at, slot->horizons + at);
        look_farther(slot, point, &last);
        if (place.counts)
            write_tangents(lines, place, slot->tangents + at);
    }
}

// There are as many as threads.
static Slot *take_slot(Slot *slots) {
    Slot *slot = slots;
    while (atomic_flag_test_and_set(&slot->taken))
        slot++;
    return slot;
}

static void follow_bands(void *context, int first, int end) {
    const Lines *lines = context;
    Slot *slot = take_slot(lines->slots);
    for (int band = first; band < end; band++)
        follow_band(lines, band, slot);
    atomic_flag_clear(&slot->taken);
}

static Status slot_create(Slot *slot, int points, Error *error) {
    const size_t count = ((size_t)points + 1) * LANES;
    slot->heights = memory_new(count, sizeof *slot->heights, error);
    slot->tangents = slot->heights ? memory_new(count, sizeof *slot->tangents, error) : NULL;
    slot->horizons = slot->tangents ? memory_new(count, sizeof *slot->horizons, error) : NULL;
    atomic_flag_clear(&slot->taken);
    for (int i = 0; i < LANES && slot->horizons; i++) { // below all other ground
        slot->heights[i] = -INFINITY;
        slot->tangents[i] = -INFINITY;
        slot->horizons[i] = 0;
    }
    return slot->horizons ? STATUS_OK : STATUS_MEMORY;
}

Status horizon_create(Horizon *horizon, const Run *run, const Field *height, bool wraps, Error *error) {
    const int points = (wraps ? 2 : 1) * max(height->width, height->height);
    *horizon = (Horizon){ .height = height,
                          .wraps = wraps,
                          .shape = field_cell_shape(height),
                          .slot_count = run->threads > 0 ? run->threads : processor_count() };
    Status status = field_create(&horizon->turned, height->height, height->width, error);
    if (status == STATUS_OK)
        status = field_create(&horizon->turned_tangent, height->height, height->width, error);
    if (status == STATUS_OK)
        horizon->slots = memory_new_zeroed((size_t)horizon->slot_count, sizeof *horizon->slots, error);
    status = horizon->slots ? status : STATUS_MEMORY;
    for (int i = 0; i < horizon->slot_count && status == STATUS_OK; i++)
        status = slot_create(&horizon->slots[i], points, error);
    if (status == STATUS_OK)
        status = field_transpose(run, height, &horizon->turned);
    if (status != STATUS_OK)
        horizon_free(horizon);
    return status;
}

void horizon_free(Horizon *horizon) {
    for (int i = 0; i < horizon->slot_count && horizon->slots; i++) {
        memory_free(horizon->slots[i].heights);
        memory_free(horizon->slots[i].tangents);
        memory_free(horizon->slots[i].horizons);
    }
    memory_free(horizon->slots);
    horizon->slots = NULL;
    field_free(&horizon->turned);
    field_free(&horizon->turned_tangent);
}

// Whether lines run from column to column. Diagonal ones run along the longer side, whatever the last bits of
// sine and cosine are: once around is as far on mirrored ground.
static bool runs_across(const Horizon *horizon, double right, double down) {
    const double more = fabs(right) - fabs(down);
    const bool diagonal = fabs(more) < 1e-9 * fabs(right);
    return diagonal ? horizon->height->width > horizon->height->height : more > 0;
}

Status horizon_towards(Horizon *horizon, const Run *run, double azimuth, Field *tangent) {
    const CellShape shape = horizon->shape;
    const double right = sine(azimuth * (PI / 180)) / shape.across,
                 down = -cosine(azimuth * (PI / 180)) / shape.down; // in cells
    const bool flat = runs_across(horizon, right, down);
    const Field *ground = flat ? &horizon->turned : horizon->height;
    const double rise = flat ? down / right : right / down;
    const double row = flat ? shape.across : shape.down,
                 column = flat ? shape.down : shape.across;              // of `ground`
    const double beside = 0.5 + fabs(rise) * 0.5 * (ground->height - 1); // the middle's columns, at both ends
    Lines lines = { .ground = ground,
                    .tangents = flat ? &horizon->turned_tangent : tangent,
                    .rise = rise,
                    .middle = 0.5 * (ground->height - 1),
                    .at_middle = ground->height % 2 == 0 && fabs(rise) > 0.5 ? 0.5 : 0,
                    .count = ground->width,
                    .points = (horizon->wraps ? 2 : 1) * ground->height,
                    .wraps = horizon->wraps,
                    .ahead_is_down = flat ? right > 0 : down > 0,
                    .per_cell = (float)(1 / sqrt(row * row + rise * rise * column * column)),
                    .slots = horizon->slots };
    if (!lines.wraps) {
        lines.first = -whole_int(ceil(beside));
        lines.count += 2 * whole_int(ceil(beside)) + 1;
    }
    const int bands = (lines.count + NEW_LANES - 1) / NEW_LANES;
    const Status status = parallel_rows(run, bands, lines.points * 4.0 * LANES, follow_bands, &lines);
    return flat && status == STATUS_OK ? field_transpose(run, &horizon->turned_tangent, tangent) : status;
}
