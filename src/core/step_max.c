// A strip of columns is followed downwards. Each row that is loaded lets every step join one row more, so
// that the rows between, which steps have reached in part, stay in the cache.

#include "core/step_max.h"

#include "core/gaps.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

enum { STRIP_MIN = 512 };

typedef struct Strips {
    const StepMax *task;
    int width;             // of a strip
    int left, right, down; // how far all steps go together
    size_t line;           // floats from row to row of a strip's memory
    size_t room;           // floats of a strip: rows, and a line for those that count besides
    float *memory;
} Strips;

// Row y from column `start` on, any number of rows and columns outside; -infinity where there are no cells.
KERNEL static void step_max_load(const StepMax *task, int y, int start, int count, float *restrict cells) {
    const int width = task->from->width, height = task->from->height;
    const int row = task->wraps ? (y % height + height) % height : y;
    const bool exists = row >= 0 && row < height;
    const int first = exists ? clamp(-start, 0, count) : count,
              end = exists ? clamp(width - start, first, count) : count;
    for (int i = 0; i < first; i++)
        cells[i] = -INFINITY;
    for (int i = end; i < count; i++)
        cells[i] = -INFINITY;
    if (!exists)
        return;
    const float *restrict from = field_row(task->from, row);
    for (int i = first; i < end; i++)
        cells[i] = task->sign * from[start + i];
    for (int i = 0; task->wraps && i < count; i++) {
        if (i == first)
            i = end;
        if (i < count)
            cells[i] = task->sign * from[((start + i) % width + width) % width];
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
            cells[i] = -INFINITY;
}

// `cells` may be further on in the same row: what is read there has not been written.
KERNEL static void step_max_join(float *out, const float *cells, int count) {
    INDEPENDENT_PASSES
    for (int i = 0; i < count; i++)
        out[i] = max(out[i], cells[i]);
}

KERNEL static void step_max_join_others(float *restrict out, const float *restrict cells, float sign,
                                        int count) {
    for (int i = 0; i < count; i++)
        out[i] = max(out[i], sign * cells[i]);
}

KERNEL static void step_max_write(float *restrict out, const float *restrict cells, float sign, int count) {
    for (int i = 0; i < count; i++)
        out[i] = sign * cells[i];
}

// Lets `count` cells from (x, y) on join `out`; `line` has room for them.
static void join_others(const StepMax *task, int x, int y, int count, float *out, float *line) {
    const bool inside = x >= 0 && x + count <= task->from->width && y >= 0 && y < task->from->height;
    if (inside && !task->gaps) {
        step_max_join_others(out, field_row(task->from, y) + x, task->sign, count);
    } else {
        load_row(task, y, x, count, line);
        step_max_join(out, line, count);
    }
}

static void follow_strip(const Strips *strips, int start, int count, float *memory) {
    const StepMax *task = strips->task;
    const int rows = strips->down + 1, reach = count + strips->left + strips->right;
    float *const other = memory + (size_t)rows * strips->line;
    for (int next = 0; next < task->from->height + strips->down; next++) {
        int row = next, first = 0, end = reach;
        float *cells = memory + (size_t)(row % rows) * strips->line;
        load_row(task, task->first.y + row, start + task->first.x - strips->left, reach, cells);
        for (int i = 0; i < task->step_count && row >= 0; i++) {
            const Step step = task->steps[i];
            const float *moved = cells;
            row -= step.y;
            if (row < 0)
                break;
            cells = memory + (size_t)(row % rows) * strips->line;
            first += step.x < 0 ? -step.x : 0;
            end -= step.x > 0 ? step.x : 0;
            step_max_join(cells + first, moved + first + step.x, end - first);
        }
        if (row < 0)
            continue;
        for (int i = 0; i < task->other_count; i++)
            join_others(task, start + task->others[i].x, row + task->others[i].y, count, cells + first,
                        other);
        step_max_write(field_row(task->to, row) + start, cells + first, task->sign, count);
    }
}

static void follow_strips(void *context, int first, int end) {
    const Strips *strips = context;
    for (int strip = first; strip < end; strip++) {
        const int start = strip * strips->width;
        follow_strip(strips, start, min(strips->task->from->width - start, strips->width),
                     strips->memory + (size_t)strip * strips->room);
    }
}

Status step_max(const Run *run, const StepMax *task, Error *error) {
    Strips strips = { .task = task };
    for (int i = 0; i < task->step_count; i++) {
        const Step step = task->steps[i];
        *(step.x < 0 ? &strips.left : &strips.right) += abs(step.x);
        strips.down += step.y;
    }
    const int beside = strips.left + strips.right;
    strips.width = max(STRIP_MIN, beside / 2); // so that all strips take at most three fields
    const int count = (task->from->width + strips.width - 1) / strips.width;
    strips.line = (((size_t)strips.width + (size_t)beside) / 16 + 2) * 16;
    strips.room = strips.line * ((size_t)strips.down + 2);
    strips.memory = memory_new((size_t)count * strips.room, sizeof(float), error);
    if (!strips.memory)
        return STATUS_MEMORY;
    const double cells = (strips.width + 0.5 * beside) * (task->from->height + strips.down);
    const Status status = parallel_rows(
        run, count, cells * (1 + 0.1 * (task->step_count + task->other_count)), follow_strips, &strips);
    memory_free(strips.memory);
    return status;
}

int step_run(Step *steps, int count, Step step, int times) {
    for (int reached = 0, more; reached < times; reached += more) {
        more = min(reached + 1, times - reached);
        steps[count++] = (Step){ more * step.x, more * step.y };
    }
    return count;
}
