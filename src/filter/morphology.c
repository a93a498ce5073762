// Grey-scale morphology (Serra 1982): a dilation gives each cell the maximum of its surroundings, an erosion
// the minimum; an opening is a dilation of the erosion, a closing the reverse.
//
// Squares and disks are sums of steps.

#include "core/fetch.h"
#include "core/field.h"
#include "core/gaps.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/parallel.h"
#include "core/whole.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- greatest of steps -------------------------------------------------------------------------------------

// The maximum over a neighbourhood that is a sum of steps, one maximum of two cells a step: each step joins
// the neighbourhood with itself moved by the step (Xu 1991, "Decomposition of convex polygonal morphological
// structuring elements into neighborhood subsets"). A run of n + 1 cells takes the logarithm of n.
// A part of the field is followed downwards. Each row that is loaded lets every step join one row more, so
// that the rows between, which steps have reached in part, stay in the cache.

typedef struct Step {
    int x, y; // in cells
} Step;

typedef struct StepMax {
    const Field *from;
    Field *to;         // of the same size, another field
    const Gaps *gaps;  // cells that do not count; NULL: none
    bool lowest;       // not the highest
    bool wraps;        // otherwise cells beyond the edges do not count
    Step first;        // from a cell to the one that it takes without any step
    const Step *steps; // any of them may be taken or not: down (y > 0), or right where y is 0
    int step_count;
    const Step *others; // from a cell to others that count, too
    int other_count;
} StepMax;

enum { STEP_RUN_MAX = 32 };

enum {
    PART_MIN = 512,   // columns
    CACHE = 64 << 10, // floats of a part's memory, where that leaves PART_MIN
    ROWS_A_STEP = 32, // rows of a part for each row beyond it that it needs
};

typedef struct Parts {
    const StepMax *task;
    int width, height;     // of a part
    int across;            // parts beside each other
    int left, right, down; // how far all steps go together
    size_t line;           // floats from row to row of a part's memory
    size_t room;           // floats of a part: rows, and a line for those that count besides
    float *memory;
} Parts;

// What is further away than any height.
static float nothing(const StepMax *task) {
    return task->lowest ? INFINITY : -INFINITY;
}

// Row y from column `start` on, any number of rows and columns outside; `nothing` where there are no cells.
static void step_max_load(const StepMax *task, int y, int start, int count, float *restrict cells) {
    const int width = task->from->width, height = task->from->height;
    const int row = task->wraps ? (y % height + height) % height : y;
    const bool exists = row >= 0 && row < height;
    const int first = exists ? clamp(-start, 0, count) : count,
              end = exists ? clamp(width - start, first, count) : count;
    for (int i = 0; i < first; i++)
        cells[i] = nothing(task);
    for (int i = end; i < count; i++)
        cells[i] = nothing(task);
    if (!exists)
        return;
    const float *restrict from = field_row(task->from, row);
    if (end > first)
        memcpy(cells + first, from + start + first, (size_t)(end - first) * sizeof *cells);
    for (int i = 0; task->wraps && i < count; i++) {
        if (i == first)
            i = end;
        if (i < count)
            cells[i] = from[((start + i) % width + width) % width];
    }
}

// step_max_load, where cells of gaps do not count.
static void load_row(const StepMax *task, int y, int start, int count, float *cells) {
    step_max_load(task, y, start, count, cells);
    if (!task->gaps)
        return;
    const int width = task->from->width, height = task->from->height;
    const unsigned char *gap = task->gaps->at + (size_t)((y % height + height) % height) * (size_t)width;
    for (int i = 0; i < count; i++)
        if (gap[((start + i) % width + width) % width])
            cells[i] = nothing(task);
}

// Of equal heights the second stays.
KERNEL_INLINE float chosen(bool lowest, float a, float b) {
    return lowest ? min(a, b) : max(a, b);
}

// `cells` may be further on in the same row: what is read there has not been written.
KERNEL_NARROW static void step_max_join(bool lowest, float *out, const float *cells, int count) {
    if (lowest) {
        INDEPENDENT_PASSES
        for (int i = 0; i < count; i++)
            out[i] = min(out[i], cells[i]);
    } else {
        INDEPENDENT_PASSES
        for (int i = 0; i < count; i++)
            out[i] = max(out[i], cells[i]);
    }
}

// Lets `count` cells from (x, y) on join `out`; `line` has room for them.
static void join_others(const StepMax *task, int x, int y, int count, float *out, float *line) {
    const bool inside = x >= 0 && x + count <= task->from->width && y >= 0 && y < task->from->height;
    const bool there = inside && !task->gaps;
    if (!there)
        load_row(task, y, x, count, line);
    step_max_join(task->lowest, out, there ? field_row(task->from, y) + x : line, count);
}

// `count` columns and `height` rows from (start, top) on.
static void follow_part(const Parts *parts, int start, int count, int top, int height, float *memory) {
    const StepMax *task = parts->task;
    const int rows = parts->down + 1, reach = count + parts->left + parts->right;
    const int steps = task->step_count;
    float *const other = memory + (size_t)rows * parts->line;
    for (int next = 0; next < height + parts->down; next++) {
        int row = next, first = 0, end = reach;
        float *cells = memory + (size_t)(row % rows) * parts->line;
        load_row(task, task->first.y + top + row, start + task->first.x - parts->left, reach, cells);
        for (int i = 0; i < steps && row >= 0; i++) {
            const Step step = task->steps[i];
            const float *moved = cells;
            row -= step.y;
            if (row < 0)
                break;
            cells = memory + (size_t)(row % rows) * parts->line;
            const int piece = count / steps + 1; // of the next row, between joins: processors wait for many
            fetch_to_read(task->from, task->first.y + top + next + 1, start + i * piece, piece);
            fetch_to_write(task->to, top + next - parts->down, start + i * piece, piece);
            first += step.x < 0 ? -step.x : 0;
            end -= step.x > 0 ? step.x : 0;
            step_max_join(task->lowest, cells + first, moved + first + step.x, end - first);
        }
        if (row < 0)
            continue;
        for (int i = 0; i < task->other_count; i++)
            join_others(task, start + task->others[i].x, top + row + task->others[i].y, count, cells + first,
                        other);
        memcpy(field_row(task->to, top + row) + start, cells + first, (size_t)count * sizeof *cells);
    }
}

static void follow_parts(void *context, int first, int end) {
    const Parts *parts = context;
    const Field *from = parts->task->from;
    for (int part = first; part < end; part++) {
        const int start = part % parts->across * parts->width, top = part / parts->across * parts->height;
        follow_part(parts, start, min(from->width - start, parts->width), top,
                    min(from->height - top, parts->height), parts->memory + (size_t)part * parts->room);
    }
}

// --- small elements ----------------------------------------------------------------------------------------

// The smallest elements are joined from the rows of the field into the result, in one pass over it and in the
// order in which their steps would: so zeros keep their signs.

enum { SMALL_REACH = 2, SMALL_ROWS = 2 * SMALL_REACH + 1 };

typedef enum Small { NONE, CROSS, SQUARE_OF_3, DISK_OF_2 } Small;

KERNEL_INLINE float of_three(bool lowest, float a, float b, float c) {
    return chosen(lowest, chosen(lowest, a, b), c);
}

KERNEL_INLINE float of_row(bool lowest, const float *row, int x) {
    return of_three(lowest, row[x - 1], row[x], row[x + 1]);
}

// Row 0 is the middle one.
KERNEL_INLINE float small_at(Small small, bool lowest, const float *const *rows, int x) {
    if (small == CROSS) {
        const float upper = chosen(lowest, rows[0][x], rows[-1][x]),
                    left = chosen(lowest, upper, rows[0][x - 1]),
                    right = chosen(lowest, left, rows[0][x + 1]);
        return chosen(lowest, right, rows[1][x]);
    }
    const float square =
        of_three(lowest, of_row(lowest, rows[-1], x), of_row(lowest, rows[0], x), of_row(lowest, rows[1], x));
    if (small == SQUARE_OF_3)
        return square;
    const float upper = chosen(lowest, square, rows[-2][x]), left = chosen(lowest, upper, rows[0][x - 2]),
                right = chosen(lowest, left, rows[0][x + 2]);
    return chosen(lowest, right, rows[2][x]);
}

// Two rows, which share most of what is read; the lower one may be left out.
KERNEL_INLINE void small_cells(Small small, bool lowest, const float *const *rows, int count,
                               float *restrict upper, float *restrict lower) {
    if (lower)
        for (int x = 0; x < count; x++) {
            upper[x] = small_at(small, lowest, rows, x);
            lower[x] = small_at(small, lowest, rows + 1, x);
        }
    else
        for (int x = 0; x < count; x++)
            upper[x] = small_at(small, lowest, rows, x);
}

#define SMALL_CELLS(small)                                                                                   \
    case small:                                                                                              \
        if (lowest)                                                                                          \
            small_cells(small, true, rows, count, upper, lower);                                             \
        else                                                                                                 \
            small_cells(small, false, rows, count, upper, lower);                                            \
        break;

KERNEL_NARROW static void step_max_small(Small small, bool lowest, const float *const *rows, int count,
                                         float *upper, float *lower) {
    switch (small) {
        SMALL_CELLS(CROSS)
        SMALL_CELLS(SQUARE_OF_3)
        SMALL_CELLS(DISK_OF_2)
    case NONE:
        break;
    }
}

typedef struct SmallTask {
    const StepMax *task;
    Small small;
} SmallTask;

static bool are_steps(const Step *steps, int count, const Step *expected, int expected_count) {
    for (int i = 0; count == expected_count && i < count; i++)
        if (steps[i].x != expected[i].x || steps[i].y != expected[i].y)
            return false;
    return count == expected_count;
}

static Small small_of(const StepMax *task) {
    static const Step square[] = { { 1, 0 }, { 1, 0 }, { 0, 1 }, { 0, 1 } },
                      sides[] = { { 0, -1 }, { -1, 0 }, { 1, 0 }, { 0, 1 } },
                      tips[] = { { 0, -2 }, { -2, 0 }, { 2, 0 }, { 0, 2 } };
    if (task->gaps)
        return NONE;
    if (task->step_count == 0)
        return are_steps(task->others, task->other_count, sides, 4) ? CROSS : NONE;
    if (!are_steps(task->steps, task->step_count, square, 4))
        return NONE;
    if (task->other_count == 0)
        return SQUARE_OF_3;
    return are_steps(task->others, task->other_count, tips, 4) ? DISK_OF_2 : NONE;
}

// `count` cells from (x, y) on, around which some may be missing.
static void small_part(const SmallTask *small, int x, int y, int count) {
    const StepMax *task = small->task;
    enum { ROOM = 4 * SMALL_REACH };
    float copies[SMALL_ROWS][ROOM];
    const float *rows[SMALL_ROWS];
    for (int i = 0; i < SMALL_ROWS; i++) {
        load_row(task, y + i - SMALL_REACH, x - SMALL_REACH, count + 2 * SMALL_REACH, copies[i]);
        rows[i] = copies[i] + SMALL_REACH;
    }
    step_max_small(small->small, task->lowest, rows + SMALL_REACH, count, field_row(task->to, y) + x, NULL);
}

static void small_rows(void *context, int first, int end) {
    const SmallTask *small = context;
    const StepMax *task = small->task;
    const int width = task->from->width, height = task->from->height;
    for (int y = first, count; y < end; y += count) {
        const bool inside = y >= SMALL_REACH && y < height - SMALL_REACH && width > 2 * SMALL_REACH;
        count = inside && y + 1 < min(end, height - SMALL_REACH) ? 2 : 1;
        const float *rows[SMALL_ROWS + 1];
        for (int i = 0; i < SMALL_ROWS + count - 1 && inside; i++)
            rows[i] = field_row(task->from, y + i - SMALL_REACH) + SMALL_REACH;
        if (inside)
            step_max_small(small->small, task->lowest, rows + SMALL_REACH, width - 2 * SMALL_REACH,
                           field_row(task->to, y) + SMALL_REACH,
                           count == 2 ? field_row(task->to, y + 1) + SMALL_REACH : NULL);
        for (int row = y; row < y + count; row++)
            for (int x = 0; x < width; x += SMALL_REACH)
                if (inside && x == SMALL_REACH)
                    x = width - 2 * SMALL_REACH;
                else
                    small_part(small, x, row, min(width - x, SMALL_REACH));
    }
}

static Status step_max(const Run *run, const StepMax *task, Error *error) {
    const SmallTask small = { task, small_of(task) };
    if (small.small != NONE)
        return parallel_rows(run, task->from->height, task->from->width * 0.5, small_rows, (void *)&small);
    Parts parts = { .task = task };
    for (int i = 0; i < task->step_count; i++) {
        const Step step = task->steps[i];
        *(step.x < 0 ? &parts.left : &parts.right) += abs(step.x);
        parts.down += step.y;
    }
    const int width = task->from->width, height = task->from->height, beside = parts.left + parts.right;
    const int least = max(PART_MIN, beside / 2); // so that all parts take at most three fields
    parts.width = min(max(CACHE / (parts.down + 2) - beside, least), max(width, least));
    parts.across = (width + parts.width - 1) / parts.width;
    const int more = (height - 1) / (ROWS_A_STEP * (parts.down + 1)); // parts below each other but one
    parts.height = height / (more + 1) + (height % (more + 1) > 0);
    const int count = parts.across * ((height + parts.height - 1) / parts.height);
    parts.line = (((size_t)parts.width + (size_t)beside) / 16 + 2) * 16;
    parts.room = parts.line * ((size_t)parts.down + 2);
    parts.memory = memory_new(memory_count(count, (int64_t)parts.room), sizeof(float), error);
    if (!parts.memory)
        return STATUS_MEMORY;
    const double cells = (parts.width + 0.5 * beside) * (parts.height + parts.down);
    const Status status = parallel_rows(
        run, count, cells * (1 + 0.1 * (task->step_count + task->other_count)), follow_parts, &parts);
    memory_free(parts.memory);
    return status;
}

// Appends the steps, at most STEP_RUN_MAX, that reach all multiples of `step` up to `times`; returns how many
// there are then.
static int step_run(Step *steps, int count, Step step, int times) {
    for (int reached = 0, more; reached < times; reached += more) {
        more = min(reached + 1, times - reached);
        steps[count++] = (Step){ more * step.x, more * step.y };
    }
    return count;
}

// --- disk --------------------------------------------------------------------------------------------------

// The cells around one whose middles lie within a radius, as sums of steps.
// The cells of a disk are those of its convex hull, a polygon whose opposite edges are equal: the sum of the
// edges that go down or right (Xu 1991). It has about 3.5 r^(2/3) edges (Balog and Bárány
// 1991, "On the convex hull of the integer points in a disc"). Sums of edges may leave out cells beside
// narrow tips; these count one by one. A whole radius has a tip of one cell on each side, without which
// nearly none is left out.

typedef struct Disk {
    Step first;
    Step *steps, *others;
    int step_count, other_count;
} Disk;

// Working memory for a disk.
typedef struct Hull {
    int reach;
    int *half;     // of the rows 0 … reach from the middle: the cells on either side
    int top;       // rows and columns farther from the middle are left out
    Step *corners; // of a quarter, from the middle row to row `top`
    int corner_count;
    struct Span *spans; // of the rows -top … top
} Hull;

// The cells of a row that steps reach for certain; none where both are equal.
typedef struct Span {
    int first, end;
} Span;

static void find_corners(Hull *hull) {
    int count = 0;
    for (int y = 0; y <= hull->top; y++) {
        const Step next = { min(hull->half[y], hull->top), y };
        for (; count >= 2; count--) {
            const Step a = hull->corners[count - 2], b = hull->corners[count - 1];
            if ((long)(b.x - a.x) * (next.y - b.y) > (long)(next.x - b.x) * (b.y - a.y))
                break;
        }
        hull->corners[count++] = next;
    }
    hull->corner_count = count;
}

static int greatest_divisor(int a, int b) {
    return b == 0 ? a : greatest_divisor(b, a % b);
}

static void find_steps(Hull *hull, Disk *disk) {
    find_corners(hull);
    const Step last = hull->corners[hull->corner_count - 1];
    disk->first = (Step){ -last.x, -last.y };
    disk->step_count = step_run(disk->steps, 0, (Step){ 1, 0 }, 2 * last.x);
    for (int i = 1; i < hull->corner_count; i++) {
        const Step a = hull->corners[i - 1], b = hull->corners[i];
        const int inward = a.x - b.x, down = b.y - a.y, times = greatest_divisor(inward, down);
        const Step right = { inward / times, down / times }, left = { -right.x, right.y };
        if (inward == 0) { // the edge of both quarters on a side
            disk->step_count = step_run(disk->steps, disk->step_count, right, 2 * times);
        } else {
            disk->step_count = step_run(disk->steps, disk->step_count, right, times);
            disk->step_count = step_run(disk->steps, disk->step_count, left, times);
        }
    }
}

// The longer of the two, where there are cells between them.
static Span join(Span a, Span b) {
    if (a.first == a.end || b.first == b.end || a.end < b.first || b.end < a.first)
        return a.end - a.first >= b.end - b.first ? a : b;
    return (Span){ min(a.first, b.first), max(a.end, b.end) };
}

static void find_spans(Hull *hull, const Disk *disk) {
    const int rows = 2 * hull->top + 1;
    for (int i = 0; i < rows; i++)
        hull->spans[i] = (Span){ disk->first.x, disk->first.x + (i == 0) };
    for (int i = 0; i < disk->step_count; i++) {
        const Step step = disk->steps[i];
        for (int row = rows - 1; row >= step.y; row--) {
            const Span above = hull->spans[row - step.y],
                       moved = { above.first + step.x, above.end + step.x };
            hull->spans[row] = join(hull->spans[row], moved);
        }
    }
}

// Counts the cells that the steps leave out, and writes them unless `others` is NULL.
static int find_others(const Hull *hull, Step *others) {
    int count = 0;
    for (int y = -hull->reach; y <= hull->reach; y++) {
        const int half = hull->half[abs(y)];
        const Span span = abs(y) <= hull->top ? hull->spans[y + hull->top] : (Span){ 0, 0 };
        for (int x = -half; x <= half; x++) {
            if (x >= span.first && x < span.end) {
                x = span.end - 1;
                continue;
            }
            if (others)
                others[count] = (Step){ x, y };
            count++;
        }
    }
    return count;
}

static int decompose(Hull *hull, Disk *disk, int top) {
    hull->top = top;
    find_steps(hull, disk);
    find_spans(hull, disk);
    disk->other_count = find_others(hull, NULL);
    return disk->step_count + disk->other_count;
}

// Free with disk_free, even if it fails.
static Status disk_create(Disk *disk, double radius, int reach, Error *error) {
    const size_t rows = (size_t)reach + 1;
    Hull hull = { .reach = reach };
    hull.half = memory_new(rows, sizeof *hull.half, error);
    hull.corners = hull.half ? memory_new(rows, sizeof *hull.corners, error) : NULL;
    hull.spans = hull.corners ? memory_new(2 * rows, sizeof *hull.spans, error) : NULL;
    disk->steps = hull.spans ? memory_new(2 * rows + 2 * STEP_RUN_MAX, sizeof *disk->steps, error) : NULL;
    const double squared = mend_rounding(radius * radius);
    for (int y = 0; disk->steps && y <= reach; y++)
        hull.half[y] = whole_within(sqrt(max(squared - (double)y * y, 0)), 0, reach);
    if (disk->steps) {
        const int whole = decompose(&hull, disk, reach);
        if (reach > 0 && decompose(&hull, disk, reach - 1) > whole)
            decompose(&hull, disk, reach);
        disk->others = memory_new((size_t)disk->other_count + 1, sizeof *disk->others, error);
        if (disk->others)
            find_others(&hull, disk->others);
    }
    memory_free(hull.half);
    memory_free(hull.corners);
    memory_free(hull.spans);
    return disk->others ? STATUS_OK : STATUS_MEMORY;
}

static void disk_free(Disk *disk) {
    memory_free(disk->steps);
    memory_free(disk->others);
}

// --- the operation -----------------------------------------------------------------------------------------

typedef struct Morphology {
    int kind, element;
    double radius; // in cells
} Morphology;

enum { DILATE, ERODE, OPEN, CLOSE };
enum { DISK, SQUARE };

static Status run(const Call *call, Error *error) {
    const Morphology *morphology = call->params;
    const Field *height = call->inputs[0].field;
    const int reach = whole_within(morphology->radius, 0, field_side(height));
    Step square[2 * STEP_RUN_MAX];
    const int across = step_run(square, 0, (Step){ 1, 0 }, 2 * reach);
    StepMax task = { .from = height,
                     .to = &call->outputs[0].field,
                     .gaps = height->gaps,
                     .lowest = morphology->kind == ERODE || morphology->kind == OPEN,
                     .wraps = call->wraps,
                     .first = { -reach, -reach },
                     .steps = square,
                     .step_count = step_run(square, across, (Step){ 0, 1 }, 2 * reach) };
    Disk disk = { 0 };
    Field between = { 0 };
    Status status = STATUS_OK;
    if (morphology->element == DISK) {
        status = disk_create(&disk, morphology->radius, reach, error);
        task.first = disk.first;
        task.steps = disk.steps;
        task.step_count = disk.step_count;
        task.others = disk.others;
        task.other_count = disk.other_count;
    }
    if (status == STATUS_OK && morphology->kind >= OPEN) {
        status = field_create(&between, call->width, call->height, error);
        task.to = &between;
        if (status == STATUS_OK)
            status = step_max(call->run, &task, error);
        task.from = &between;
        task.to = &call->outputs[0].field;
        task.lowest = !task.lowest;
    }
    if (status == STATUS_OK)
        status = step_max(call->run, &task, error);
    field_free(&between);
    disk_free(&disk);
    return status;
}

static int morphology_reach(const Call *call) {
    const Morphology *morphology = call->params;
    const int reach = whole_within(morphology->radius, 0, SIDE_MAX);
    return morphology->kind >= OPEN ? 2 * reach : reach;
}

static const Param params[] = {
    PARAM(Morphology, kind, .choices = CHOICES("dilate", "erode", "open", "close"),
          .doc = "dilate: the maximum around each cell, erode: the minimum; open removes what is narrower "
                 "than the "
                 "element, close fills what is"),
    PARAM(Morphology, radius, .initial = 0.03, .min = 0, .max = 0.5, .unit = UNIT_SIDES,
          .doc = "of the disk, or half the square's side"),
    PARAM(Morphology, element, .choices = CHOICES("disk", "square"), .doc = "shape of the surroundings"),
    { 0 },
};

const Operation op_morphology = {
    .name = "morphology",
    .gaps = GAPS_KEPT,
    .reach = morphology_reach,
    .category = "filter",
    .summary = "Dilates, erodes, opens or closes masks and heights",
    .description = "For masks, dilate grows and erode shrinks the area of 1. Where edges do not meet, only "
                   "cells that exist count, and everywhere only those that have data. With a disk, the time "
                   "grows with the radius in cells to the power 2/3. (Erosion by water is stream_erosion.)",
    .source = "Xu 1991, Decomposition of convex polygonal morphological structuring elements into "
              "neighborhood subsets",
    .inputs = { { "height", "heights or a mask" } },
    .outputs = { { "height", "the result", .heights = true } },
    .params = params,
    .params_size = sizeof(Morphology),
    .always_finite = "gives heights of the field",
    .wrapping = WRAPPING_CHOSEN,
    .example = "local wider = height:remap{ from = { 0.6, 0.61 } }:morphology{ radius = 0.05 }",
    .picture = "return height, height:morphology{ radius = 0.05 }, height:morphology{ kind = \"open\", "
               "radius = 0.05 }",
    .keywords = "dilate dilation erode open opening close closing expand shrink grow maximum minimum filter "
                "structuring element binary grey expander sieve holes binary_fill_holes",
    .see_also = "median blur",
    .run = run,
};
