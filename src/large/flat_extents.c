// Where flats lie that reach across strips. Stretches of a row, cells side by side, are joined with those
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
    FlatWindow *at;   // of each flat
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
    memory_free(extents->at);
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
    FlatWindow *at = memory_enlarge(extents->at, extents->count, room, sizeof *at, error);
    if (!at)
        return STATUS_MEMORY;
    extents->at = at;
    extents->room = room;
    return STATUS_OK;
}

static void join(FlatExtents *extents, uint32_t one, uint32_t other) {
    one = set_root(extents->joined, one);
    other = set_root(extents->joined, other);
    if (one == other)
        return;
    extents->joined[other] = one;
    FlatWindow *window = &extents->at[one];
    const FlatWindow *added = &extents->at[other];
    window->seed = added->top < window->top ? added->seed : window->seed;
    window->top = min(window->top, added->top);
    window->bottom = max(window->bottom, added->bottom);
    window->left = min(window->left, added->left);
    window->right = max(window->right, added->right);
}

// A flat with a first stretch. Most stretches belong to a flat that is there, so that flats are far fewer.
static Status begin_flat(FlatExtents *extents, FlatStretch *stretch, int row, Error *error) {
    const Status status = make_room(extents, error);
    if (status != STATUS_OK)
        return status;
    stretch->flat = (uint32_t)extents->count++;
    extents->joined[stretch->flat] = stretch->flat;
    extents->at[stretch->flat] = (FlatWindow){ row, row, stretch->start, stretch->end - 1, stretch->start };
    return STATUS_OK;
}

static void enlarge_flat(FlatExtents *extents, FlatStretch *stretch, int row, uint32_t flat) {
    stretch->flat = set_root(extents->joined, flat);
    FlatWindow *window = &extents->at[stretch->flat];
    window->bottom = row;
    window->left = min(window->left, stretch->start);
    window->right = max(window->right, stretch->end - 1);
}

static Status add_stretch(FlatExtents *extents, FlatStretch *stretch, int *above, int row, Error *error) {
    const FlatStretch *others = extents->above;
    while (*above < extents->above_count && others[*above].end < stretch->start)
        (*above)++;
    int i = *above;
    if (i == extents->above_count || others[i].start > stretch->end)
        return begin_flat(extents, stretch, row, error);
    enlarge_flat(extents, stretch, row, others[i].flat);
    while (++i < extents->above_count && others[i].start <= stretch->end)
        join(extents, others[i].flat, stretch->flat);
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
    const FlatWindow *a = one, *b = other;
    return a->top != b->top ? (a->top > b->top) - (a->top < b->top)
                            : (a->left > b->left) - (a->left < b->left);
}

// Windows that share rows have all columns.
static int share_rows(const FlatExtents *extents, int rows, FlatWindow *windows, int count) {
    FlatWindow shared = { .bottom = -1 };
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const FlatWindow flat = windows[i];
        if (flat.bottom - flat.top >= rows) {
            windows[kept++] = flat;
            continue;
        }
        if (shared.bottom >= 0 && max(shared.bottom, flat.bottom) - shared.top >= rows) {
            windows[kept++] = shared;
            shared.bottom = -1;
        }
        if (shared.bottom < 0)
            shared = (FlatWindow){ flat.top, flat.bottom, 0, extents->width - 1, -1 };
        shared.bottom = max(shared.bottom, flat.bottom);
    }
    if (shared.bottom >= 0)
        windows[kept++] = shared;
    return kept;
}

int flat_extents_windows(FlatExtents *extents, int rows, FlatWindow *windows) {
    int count = 0;
    for (size_t i = 0; i < extents->count; i++)
        if (extents->joined[i] == i)
            windows[count++] = extents->at[i];
    qsort(windows, (size_t)count, sizeof *windows, compare);
    return share_rows(extents, rows, windows, count);
}

// --- within a window ---------------------------------------------------------------------------------------

enum { OF_THE_FLAT = 255 };

// Leaves only the flat of a cell: marks its cells, then takes the mark away and all other flats.
static Status keep_flat(const Field *size, size_t seed, uint8_t *direction, Error *error) {
    size_t count = 0, room = 1024;
    uint32_t *waiting = memory_new(room, sizeof *waiting, error);
    if (!waiting)
        return STATUS_MEMORY;
    waiting[count++] = (uint32_t)seed;
    direction[seed] = OF_THE_FLAT;
    while (count > 0) {
        const size_t cell = waiting[--count];
        if (count + NEIGHBOURS > room) {
            uint32_t *grown = memory_enlarge(waiting, count, 2 * room, sizeof *waiting, error);
            if (!grown) {
                memory_free(waiting);
                return STATUS_MEMORY;
            }
            waiting = grown;
            room *= 2;
        }
        for (int i = 0; i < NEIGHBOURS; i++) {
            const size_t to = neighbour_of(size, cell, i);
            if (direction[to] < UNSEEN || direction[to] == OF_THE_FLAT)
                continue;
            direction[to] = OF_THE_FLAT;
            waiting[count++] = (uint32_t)to;
        }
    }
    memory_free(waiting);
    for (size_t i = 0; i < field_count(size); i++)
        direction[i] = direction[i] == OF_THE_FLAT ? UNSEEN
                       : direction[i] >= UNSEEN    ? DRAINS_OFF
                                                   : direction[i];
    return STATUS_OK;
}

// Flats in rows farther away than those beside the window do not matter, and may go on outside the part.
static void leave_out(const Field *size, int first, int end, uint8_t *direction) {
    for (int y = 0; y < size->height; y++)
        if (y < first || y >= end)
            memset(direction + (size_t)y * (size_t)size->width, DRAINS_OFF, (size_t)size->width);
}

Status large_flats_within(const Run *run, const FlatWindow *window, const Field *filled, float sea,
                          int column, int row, uint8_t *direction, Error *error) {
    Drainage drainage = {
        .filled = *filled, .direction = direction, .sea_level = (double)sea, .row = row, .column = column
    };
    const int first = max(window->top - 1 - row, 0), end = min(window->bottom + 2 - row, filled->height);
    const size_t width = (size_t)filled->width;
    Status status = STATUS_OK;
    leave_out(filled, first, end, direction);
    if (window->seed >= 0)
        status = keep_flat(filled, (size_t)(window->top - row) * width + (size_t)(window->seed - column),
                           direction, error);
    return status == STATUS_OK ? flats_drain(run, &drainage, first, end, error) : status;
}
