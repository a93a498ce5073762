// Felzenszwalb and Huttenlocher 2012, "Distance transforms of sampled functions", section 2: distances down
// the columns, then along each row the lower envelope of the parabolas (x - q)² + g(q)², where g(q) is the
// distance in column q. Where edges meet, a row continues for half its length at both ends.

#include "places/transform.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>

enum { STRIP = 64, BLOCKS = 64 };

typedef struct Parabola {
    double start; // where it becomes the lowest
    int at;
    float height; // g²
} Parabola;

typedef struct Transform {
    const Field *mask;
    Field *squared;
    float threshold;
    bool outside, wraps;
    float limit;
    int turns;           // how often a column is passed in each direction
    int margin, rows;    // continued columns at either end; rows of a block
    Parabola *parabolas; // for each block, as many as a row has places
} Transform;

KERNEL static void distance_step(const float *restrict mask, float threshold, bool outside, float limit,
                                 float *restrict nearest, int count) {
    for (int x = 0; x < count; x++) {
        const bool is_there = (mask[x] > threshold) != outside;
        nearest[x] = is_there ? 0 : min(nearest[x] + 1, limit);
    }
}

KERNEL static void distance_keep(float *restrict kept, const float *restrict nearest, bool first, int count) {
    for (int x = 0; x < count; x++)
        kept[x] = first ? nearest[x] : min(kept[x], nearest[x]);
}

// Down and up the columns of a strip; where edges meet, a second time with what has come across.
static void down_columns(void *context, int first, int end) {
    const Transform *transform = context;
    const int width = transform->mask->width, height = transform->mask->height;
    for (int strip = first; strip < end; strip++) {
        const int start = strip * STRIP, count = min(width - start, STRIP);
        for (int up = 0; up < 2; up++) {
            float nearest[STRIP];
            for (int x = 0; x < count; x++)
                nearest[x] = transform->limit;
            for (int turn = 0; turn < transform->turns; turn++)
                for (int i = 0; i < height; i++) {
                    const int y = up ? height - 1 - i : i;
                    distance_step(field_row(transform->mask, y) + start, transform->threshold,
                                  transform->outside, transform->limit, nearest, count);
                    distance_keep(field_row(transform->squared, y) + start, nearest, !up && turn == 0, count);
                }
        }
    }
}

// The lower envelope of a row's parabolas; returns how many form it.
static int envelope(const Transform *transform, const float *row, Parabola *parabolas) {
    const int width = transform->mask->width;
    int count = 0;
    for (int at = -transform->margin; at < width + transform->margin; at++) {
        const float g = row[(at + width) % width];
        if (g >= transform->limit)
            continue;
        Parabola next = { -INFINITY, at, g * g };
        while (count > 0) { // where the two intersect
            const Parabola *last = &parabolas[count - 1];
            const double rise = (double)next.height - (double)last->height;
            const double apart = at - last->at, middle = 0.5 * ((double)at + last->at);
            next.start = middle + 0.5 * rise / apart;
            if (next.start > last->start)
                break;
            count--;
            next.start = -INFINITY;
        }
        parabolas[count++] = next;
    }
    return count;
}

static void along_rows(void *context, int first, int end) {
    const Transform *transform = context;
    const int width = transform->mask->width, height = transform->mask->height;
    for (int block = first; block < end; block++) {
        const size_t places = (size_t)width + 2 * (size_t)transform->margin;
        Parabola *parabolas = transform->parabolas + (size_t)block * places;
        const int stop = min((block + 1) * transform->rows, height);
        for (int y = block * transform->rows; y < stop; y++) {
            float *row = field_row(transform->squared, y);
            const int count = envelope(transform, row, parabolas);
            for (int x = 0, k = 0; x < width; x++) {
                while (k + 1 < count && parabolas[k + 1].start < x)
                    k++;
                const float off = (float)(x - parabolas[k].at);
                row[x] = count ? off * off + parabolas[k].height : transform->limit * transform->limit;
            }
        }
    }
}

Status distance_transform(const Run *run, const Field *mask, float threshold, bool outside, bool wraps,
                          Field *squared, Error *error) {
    Transform transform = { .mask = mask,
                            .squared = squared,
                            .threshold = threshold,
                            .outside = outside,
                            .wraps = wraps,
                            .limit = distance_limit(mask),
                            .turns = wraps ? 2 : 1,
                            .margin = wraps ? mask->width / 2 : 0,
                            .rows = (mask->height + BLOCKS - 1) / BLOCKS };
    const int strips = (mask->width + STRIP - 1) / STRIP;
    const int blocks = (mask->height + transform.rows - 1) / transform.rows;
    const size_t places = (size_t)mask->width + 2 * (size_t)transform.margin;
    transform.parabolas = memory_new(memory_count(blocks, (int64_t)places), sizeof(Parabola), error);
    Status status = transform.parabolas ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = parallel_rows(run, strips, mask->height * (STRIP * 0.6), down_columns, &transform);
    if (status == STATUS_OK)
        status = parallel_rows(run, blocks, (double)transform.rows * mask->width * 6, along_rows, &transform);
    memory_free(transform.parabolas);
    return status;
}
