// The rows of flats that reach across strips. Stretches of a row, cells side by side, are joined with those
// of the row above that they touch, across corners too.

#include "core/disjoint_sets.h"
#include "core/math.h"
#include "core/memory.h"
#include "large/large.h"
#include "water/drainage.h"
#include "water/flats.h"

#include <stdlib.h>
#include <string.h>

typedef struct FlatStretch {
    int start, end; // `end` is the one after the last
    uint32_t flat;
} FlatStretch;

struct FlatExtents {
    int width, row;            // the last row that was added
    FlatStretch *above, *here; // of that row, and of the next
    int above_count;
    uint32_t *joined; // of each flat: another number of it, or its own
    int (*rows)[2];   // the first and the last
    size_t count, room;
};

FlatExtents *flat_extents_new(int width, Error *error) {
    FlatExtents *extents = memory_new_zeroed(1, sizeof *extents, error);
    if (!extents)
        return NULL;
    const size_t most = (size_t)width / 2 + 1;
    extents->width = width;
    if ((extents->above = memory_new(most, sizeof *extents->above, error)) &&
        (extents->here = memory_new(most, sizeof *extents->here, error)))
        return extents;
    flat_extents_free(extents);
    return NULL;
}

void flat_extents_free(FlatExtents *extents) {
    if (!extents)
        return;
    memory_free(extents->above);
    memory_free(extents->here);
    memory_free(extents->joined);
    memory_free(extents->rows);
    memory_free(extents);
}

static Status make_room(FlatExtents *extents, Error *error) {
    if (extents->count < extents->room)
        return STATUS_OK;
    const size_t room = extents->room * 2 + 1024;
    uint32_t *joined = memory_enlarge(extents->joined, extents->count, room, sizeof *joined, error);
    if (!joined)
        return STATUS_MEMORY;
    extents->joined = joined;
    int(*rows)[2] = memory_enlarge(extents->rows, extents->count, room, sizeof *rows, error);
    if (!rows)
        return STATUS_MEMORY;
    extents->rows = rows;
    extents->room = room;
    return STATUS_OK;
}

static void join(FlatExtents *extents, uint32_t one, uint32_t other) {
    one = set_root(extents->joined, one);
    other = set_root(extents->joined, other);
    if (one == other)
        return;
    extents->joined[other] = one;
    extents->rows[one][0] = min(extents->rows[one][0], extents->rows[other][0]);
    extents->rows[one][1] = max(extents->rows[one][1], extents->rows[other][1]);
}

static Status add_stretch(FlatExtents *extents, FlatStretch *stretch, int *above, int row, Error *error) {
    const Status status = make_room(extents, error);
    if (status != STATUS_OK)
        return status;
    stretch->flat = (uint32_t)extents->count++;
    extents->joined[stretch->flat] = stretch->flat;
    extents->rows[stretch->flat][0] = extents->rows[stretch->flat][1] = row;
    while (*above < extents->above_count && extents->above[*above].end < stretch->start)
        (*above)++;
    for (int i = *above; i < extents->above_count && extents->above[i].start <= stretch->end; i++)
        join(extents, extents->above[i].flat, stretch->flat);
    return STATUS_OK;
}

Status flat_extents_add(FlatExtents *extents, int row, const uint8_t *direction, Error *error) {
    if (row != extents->row + 1)
        extents->above_count = 0;
    int above = 0, count = 0;
    Status status = STATUS_OK;
    for (int x = 0; x < extents->width && status == STATUS_OK; x++) {
        if (direction[x] < UNSEEN)
            continue;
        FlatStretch *stretch = &extents->here[count++];
        stretch->start = x;
        while (x < extents->width && direction[x] >= UNSEEN)
            x++;
        stretch->end = x;
        status = add_stretch(extents, stretch, &above, row, error);
    }
    FlatStretch *free_one = extents->above;
    extents->above = extents->here;
    extents->here = free_one;
    extents->above_count = count;
    extents->row = row;
    return status;
}

int flat_extents_count(const FlatExtents *extents) {
    int count = 0;
    for (size_t i = 0; i < extents->count; i++)
        count += extents->joined[i] == i;
    return count;
}

static int compare(const void *one, const void *other) {
    const int *a = one, *b = other;
    return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

int flat_extents_windows(FlatExtents *extents, int rows, int (*pairs)[2]) {
    int count = 0, windows = 0;
    for (size_t i = 0; i < extents->count; i++)
        if (extents->joined[i] == i) {
            pairs[count][0] = extents->rows[i][0];
            pairs[count++][1] = extents->rows[i][1];
        }
    qsort(pairs, (size_t)count, sizeof *pairs, compare);
    for (int i = 0; i < count; i++) {
        const int first = pairs[i][0], last = pairs[i][1];
        const bool fits = windows > 0 && max(pairs[windows - 1][1], last) - pairs[windows - 1][0] < rows;
        if (fits || (windows > 0 && last <= pairs[windows - 1][1])) {
            pairs[windows - 1][1] = max(pairs[windows - 1][1], last);
        } else {
            pairs[windows][0] = first;
            pairs[windows++][1] = last;
        }
    }
    return windows;
}

Status large_flats_within(const Run *run, const Field *filled, float sea, int row, int first, int rows,
                          uint8_t *direction, Error *error) {
    Drainage drainage = { .filled = *filled, .direction = direction, .sea_level = (double)sea, .row = row };
    const int above = max(first - 1, 0), end = min(first + rows + 1, filled->height);
    for (int y = 0; y < filled->height; y++)
        if (y < above || y >= end) // flats farther away do not matter, and may go on outside the window
            memset(direction + (size_t)y * (size_t)filled->width, DRAINS_OFF, (size_t)filled->width);
    return flats_drain(run, &drainage, above, end, error);
}
