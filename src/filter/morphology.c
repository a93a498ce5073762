// Grey-scale morphology (Serra 1982): a dilation gives each cell the maximum of its surroundings, an erosion
// the minimum; an opening is a dilation of the erosion, a closing the reverse.
//
// Squares and disks are sums of steps; an erosion is the dilation of negated heights.

#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/step_max.h"
#include "core/whole.h"

#include <math.h>
#include <stdlib.h>

// --- disk --------------------------------------------------------------------------------------------------

// The cells around one whose middles lie within a radius, as sums of steps (core/step_max.h).
// The cells of a disk are those of its convex hull, a polygon whose opposite edges are equal: the sum of the
// edges that go down or right (Xu 1991, core/step_max.h). It has about 3.5 r^(2/3) edges (Balog and Bárány
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
                     .sign = morphology->kind == DILATE || morphology->kind == CLOSE ? 1 : -1,
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
        task.sign = -task.sign;
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
    .keywords = "dilate dilation erode open opening close closing expand shrink grow maximum minimum "
                "filter structuring element binary grey expander sieve",
    .see_also = "median blur",
    .run = run,
};
