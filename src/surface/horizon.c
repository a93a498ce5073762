#include "surface/horizon.h"

#include "core/elementary.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

typedef struct Point {
    float height; // of the ground
    float share;  // of the cell below
    int row;      // of the cell above, counted on beyond edges that meet
    int hull;     // on the hull of what lies ahead: the number of a point
} Point;

// Lines run from column to column, `rise` rows each: line i has the points (x, i + first + rise · x). Heights
// between two rows are interpolated, and a cell's tangent is that of the two lines beside it: lines through
// nearest cells would leave streaks.
typedef struct Lines {
    const Field *ground;
    double rise;
    int first, count; // the row at which line 0 starts, 0 where edges meet; how many lines there are
    int from;         // the first of every other band is followed
    bool wraps;
    bool ahead_is_right;   // the direction is that of growing x
    double step;           // between two points of a line, in cells
    float *tangents;       // of the cells: 0 at first; each gets its share of two lines
    ptrdiff_t column, row; // from one to the next
    struct Slot *slots;
} Lines;

// BAND lines next to each other are followed one after the other; what cells get from them is added up apart,
// since cells of one column, or of one row, lie far from each other in memory.
enum { SLOTS = 10, BAND = 8, BAND_ROWS = BAND + 4 };

// Working memory for a band.
typedef struct Slot {
    Point *points; // of a line, twice as many as columns where edges meet
    float *sums;   // of the cells of each column from its base on
    int *bases;    // rows, counted on beyond edges that meet
} Slot;

// The columns in which a line has cells on either side, first … end - 1: those with start + rise · x within
// -1 … rows, the ends not included.
static void columns_of(const Lines *lines, int line, int *first, int *end) {
    const int width = lines->ground->width, rows = lines->ground->height;
    const double start = line + lines->first, rounding = 1e-6;
    *first = 0;
    *end = width;
    if (lines->wraps || fabs(lines->rise) * width < rounding)
        return;
    const double a = (rounding - 1 - start) / lines->rise, b = (rows - rounding - start) / lines->rise;
    *first = index_within(ceil(max(min(a, b), 0)), width);
    *end = min(index_within(floor(max(max(a, b), -1)) + 1, width + 1), width);
}

// The heights on a line, from its far end back: of columns `from`, `from` + `step` and so on. Beyond an edge,
// the row there stands for the one that is missing.
static void sound_line(const Lines *lines, int line, int from, int step, int count, Point *points) {
    const Field *ground = lines->ground;
    const int rows = ground->height, width = ground->width;
    const double start = line + lines->first;
    int turned = 0; // rows of the field that a line which wraps has gone beyond
    for (int i = 0, x = from; i < count; i++, x += step) {
        const double y = start + lines->rise * x, above = floor(y);
        const int row = whole_int(above);
        const int column = x < 0 ? x + width : x < width ? x : x - width;
        const float share = (float)(y - above);
        int upper = row - turned, lower = upper + 1;
        if (lines->wraps) {
            for (; upper < 0; upper += rows)
                turned -= rows;
            for (; upper >= rows; upper -= rows)
                turned += rows;
            lower = upper + 1 < rows ? upper + 1 : 0;
        }
        const float *high = field_row(ground, clamp(upper, 0, rows - 1));
        const float *low = field_row(ground, clamp(lower, 0, rows - 1));
        points[i] = (Point){ (1 - share) * high[column] + share * low[column], share, row, 0 };
    }
}

// How much the ground rises from a point to one ahead of it.
static double rise_to(const Lines *lines, const Point *points, int from, int to) {
    return ((double)points[to].height - (double)points[from].height) / (lines->step * (from - to));
}

// Whether `there` is lower in sight than `beyond`.
static bool is_hidden(const Point *points, int here, int there, int beyond) {
    const double height = (double)points[here].height;
    return ((double)points[there].height - height) * (here - beyond) <=
           ((double)points[beyond].height - height) * (here - there);
}

// One line, from its far end back: the cells above and below each point get their share of its tangent.
static void follow_line(const Lines *lines, int line, const Slot *slot) {
    const int width = lines->ground->width, lap = lines->wraps ? width : 0; // ahead, where edges meet
    Point *points = slot->points;
    int first, end, hull = 0;
    columns_of(lines, line, &first, &end);
    if (end <= first)
        return;
    const int step = lines->ahead_is_right ? -1 : 1;
    const int from = (lines->ahead_is_right ? end - 1 : first) - lap * step;
    sound_line(lines, line, from, step, lap + end - first, points);
    for (int i = 0, x = from; i < lap + end - first; i++, x += step) {
        while (hull > 1 && is_hidden(points, i, points[hull - 1].hull, points[hull - 2].hull))
            hull--;
        if (i >= lap && hull > 0) {
            const float tangent = (float)rise_to(lines, points, i, points[hull - 1].hull);
            float *sums = slot->sums + x * BAND_ROWS + (points[i].row - slot->bases[x]);
            sums[0] += (1 - points[i].share) * tangent;
            sums[1] += points[i].share * tangent;
        }
        points[hull++].hull = i;
    }
}

// The sums of a band go to their cells; those beyond edges that do not meet are lost.
static void add_sums(const Lines *lines, const Slot *slot) {
    const int rows = lines->ground->height;
    for (int x = 0; x < lines->ground->width; x++) {
        const float *sums = slot->sums + x * BAND_ROWS;
        const int base = slot->bases[x];
        float *cells = lines->tangents + x * lines->column;
        for (int i = 0; i < BAND_ROWS; i++) {
            const int row = base + i, at = lines->wraps ? ((row % rows) + rows) % rows : row;
            if (at >= 0 && at < rows)
                cells[at * lines->row] += sums[i];
        }
    }
}

static void follow_band(const Lines *lines, int band, const Slot *slot) {
    const int width = lines->ground->width, line = band * BAND;
    for (int x = 0; x < width; x++) // rounding may put a row one above
        slot->bases[x] = whole_int(floor(line + lines->first + lines->rise * x)) - 1;
    memset(slot->sums, 0, (size_t)width * BAND_ROWS * sizeof(float));
    for (int i = line; i < min(line + BAND, lines->count); i++)
        follow_line(lines, i, slot);
    add_sums(lines, slot);
}

static int band_count(const Lines *lines) {
    return (lines->count + BAND - 1) / BAND;
}

static void follow_slots(void *context, int first, int end) {
    const Lines *lines = context;
    const int bands = band_count(lines);
    for (int slot = first; slot < end; slot++)
        for (int band = lines->from + 2 * slot; band < bands; band += 2 * SLOTS)
            follow_band(lines, band, &lines->slots[slot]);
}

static void turn(const Field *from, Field *to) {
    enum { BLOCK = 32 }; // cells that stay in the cache
    for (int top = 0; top < from->height; top += BLOCK)
        for (int left = 0; left < from->width; left += BLOCK)
            for (int y = top; y < min(top + BLOCK, from->height); y++)
                for (int x = left; x < min(left + BLOCK, from->width); x++)
                    field_row(to, x)[y] = field_row(from, y)[x];
}

Status horizon_create(Horizon *horizon, const Field *height, bool wraps, Error *error) {
    const size_t side = (size_t)field_side(height);
    *horizon = (Horizon){ .height = height, .wraps = wraps };
    Status status = field_create(&horizon->turned, height->height, height->width, error);
    if (status == STATUS_OK)
        horizon->slots = memory_new_zeroed(SLOTS, sizeof *horizon->slots, error);
    for (int i = 0; i < SLOTS && horizon->slots && status == STATUS_OK; i++) {
        Slot *slot = &horizon->slots[i];
        slot->points = memory_new(2 * side, sizeof *slot->points, error);
        slot->sums = slot->points ? memory_new(side * BAND_ROWS, sizeof *slot->sums, error) : NULL;
        slot->bases = slot->sums ? memory_new(side, sizeof *slot->bases, error) : NULL;
        status = slot->bases ? STATUS_OK : STATUS_MEMORY;
    }
    if (status == STATUS_OK && horizon->slots) {
        turn(height, &horizon->turned);
        return STATUS_OK;
    }
    horizon_free(horizon);
    return STATUS_MEMORY;
}

void horizon_free(Horizon *horizon) {
    for (int i = 0; i < SLOTS && horizon->slots; i++) {
        memory_free(horizon->slots[i].points);
        memory_free(horizon->slots[i].sums);
        memory_free(horizon->slots[i].bases);
    }
    memory_free(horizon->slots);
    horizon->slots = NULL;
    field_free(&horizon->turned);
}

// Every other band, so that no two threads add to the same cell; and where an odd number of bands meets
// itself, the last one alone.
static Status follow(const Run *run, Lines *lines) {
    const int bands = band_count(lines), count = lines->count;
    const bool meets = lines->wraps && bands % 2 != 0;
    Status status = STATUS_OK;
    lines->count = meets ? (bands - 1) * BAND : count;
    const double cost = lines->ground->width * 25.0 * lines->count / SLOTS / 2;
    for (lines->from = 0; lines->from < 2 && status == STATUS_OK; lines->from++)
        status = parallel_rows(run, SLOTS, cost, follow_slots, lines);
    lines->count = count;
    if (meets && status == STATUS_OK)
        follow_band(lines, bands - 1, lines->slots);
    return status;
}

Status horizon_towards(Horizon *horizon, const Run *run, double azimuth, Field *tangent) {
    const double right = sine(azimuth * (PI / 180)), down = -cosine(azimuth * (PI / 180));
    const bool flat = fabs(right) >= fabs(down);
    const Field *ground = flat ? horizon->height : &horizon->turned;
    const double rise = flat ? down / right : right / down, drop = rise * (ground->width - 1);
    Lines lines = { .ground = ground,
                    .slots = horizon->slots,
                    .rise = rise,
                    .count = ground->height,
                    .wraps = horizon->wraps,
                    .ahead_is_right = flat ? right > 0 : down > 0,
                    .step = sqrt(1 + rise * rise),
                    .tangents = field_cells(tangent),
                    .column = flat ? 1 : tangent->width,
                    .row = flat ? tangent->width : 1 };
    if (!lines.wraps) {
        lines.first = whole_int(floor(-max(drop, 0)));
        lines.count += whole_int(ceil(fabs(drop))) + 1;
    }
    memset(field_cells(tangent), 0, field_count(tangent) * sizeof(float));
    return follow(run, &lines);
}
