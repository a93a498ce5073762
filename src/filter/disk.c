// The cells of a disk are those of its convex hull, a polygon whose opposite edges are equal: the sum of the
// edges that go down or right (Xu 1991, core/step_max.h). It has about 3.5 r^(2/3) edges (Balog and Bárány
// 1991, "On the convex hull of the integer points in a disc"). Sums of edges may leave out cells beside
// narrow tips; these count one by one. A whole radius has a tip of one cell on each side, without which
// nearly none is left out.

#include "filter/disk.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <stdlib.h>

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

Status disk_create(Disk *disk, double radius, int reach, Error *error) {
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

void disk_free(Disk *disk) {
    memory_free(disk->steps);
    memory_free(disk->others);
}
