// Stretches are found row by row, then joined with those that they touch in the row above (union-find), then
// sorted by their flats.

#include "water/flat_list.h"

#include "core/disjoint_sets.h"
#include "core/kernel.h"
#include "core/memory.h"
#include "water/drainage.h"

#include <string.h>

#define LEFT_OUT UINT32_MAX

typedef struct Listing {
    const uint8_t *direction;
    int width, first, end; // rows
    uint32_t *row;         // of each row, from `first` on: its first stretch; one more: the count of all
    Stretch *stretches;    // in the order of cells
    uint32_t *joined;      // of each stretch: an earlier one of its flat, or itself; then its flat
} Listing;

// --- stretches ---------------------------------------------------------------------------------------------

KERNEL static int count_stretches(const uint8_t *direction, int width) {
    int count = 0;
    for (int x = 1; x < width; x++)
        count += (direction[x] >= UNSEEN) & (direction[x - 1] < UNSEEN);
    return count;
}

static void count_rows(void *context, int first, int end) {
    const Listing *listing = context;
    for (int y = first; y < end; y++) {
        const size_t start = (size_t)(listing->first + y) * (size_t)listing->width;
        listing->row[y + 1] = (uint32_t)count_stretches(listing->direction + start, listing->width);
    }
}

static void list_rows(void *context, int first, int end) {
    const Listing *listing = context;
    const size_t width = (size_t)listing->width;
    for (int y = first; y < end; y++) {
        const uint8_t *row = listing->direction + (size_t)(listing->first + y) * width;
        const size_t start = (size_t)(listing->first + y) * width;
        size_t x = 0;
        for (uint32_t i = listing->row[y]; i < listing->row[y + 1]; i++) {
            while (row[x] < UNSEEN)
                x++;
            listing->stretches[i].start = (uint32_t)(start + x);
            while (row[x] >= UNSEEN)
                x++;
            listing->stretches[i].end = (uint32_t)(start + x);
        }
    }
}

// --- flats -------------------------------------------------------------------------------------------------

// The root of a flat is its first stretch, as far as that is known.
static void join(uint32_t *joined, uint32_t one, uint32_t other) {
    one = set_root(joined, one);
    other = set_root(joined, other);
    if (one < other)
        joined[other] = one;
    else
        joined[one] = other;
}

// Joins the stretches of a row with those above that they touch, across corners too.
static void join_row(const Listing *listing, int y) {
    const Stretch *stretches = listing->stretches;
    const size_t width = (size_t)listing->width;
    uint32_t above = listing->row[y - 1], here = listing->row[y];
    while (above < listing->row[y] && here < listing->row[y + 1]) {
        const size_t end = stretches[above].end + width;
        if (stretches[above].start + width <= stretches[here].end && stretches[here].start <= end)
            join(listing->joined, above, here);
        if (end < stretches[here].end)
            above++;
        else
            here++;
    }
}

static void leave_out_row(const Listing *listing, int y, uint32_t *sizes) {
    for (uint32_t i = listing->row[y]; i < listing->row[y + 1]; i++)
        sizes[set_root(listing->joined, i)] = LEFT_OUT;
}

// Numbers the flats by their first stretches; `sizes` are zeros. Afterwards `joined` has the numbers, and
// `first` those stretches.
static void number(const Listing *listing, uint32_t *sizes, FlatList *list) {
    const int rows = listing->end - listing->first;
    const uint32_t count = listing->row[rows];
    leave_out_row(listing, 0, sizes);
    leave_out_row(listing, rows - 1, sizes);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t flat = set_root(listing->joined, i);
        sizes[flat] += sizes[flat] != LEFT_OUT;
    }
    uint32_t flats = 0, placed = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t earlier = listing->joined[i], size = sizes[i];
        listing->joined[i] = earlier != i ? listing->joined[earlier] : size == LEFT_OUT ? LEFT_OUT : flats;
        if (earlier != i || size == LEFT_OUT)
            continue;
        list->first[flats++] = placed;
        placed += size;
    }
    list->first[flats] = placed;
    list->count = (int)flats;
}

// Sorts the stretches by flats. `next`: room for a number of each flat.
static void sort(const Listing *listing, uint32_t *next, FlatList *list) {
    memcpy(next, list->first, (size_t)list->count * sizeof *next);
    for (uint32_t i = 0; i < listing->row[listing->end - listing->first]; i++) {
        const uint32_t flat = listing->joined[i];
        const Stretch stretch = listing->stretches[i];
        if (flat == LEFT_OUT)
            continue;
        list->stretches[next[flat]++] = stretch;
        list->cells += stretch.end - stretch.start;
    }
}

// --- all ---------------------------------------------------------------------------------------------------

static Status list_stretches(const Run *run, Listing *listing, Error *error) {
    const int rows = listing->end - listing->first;
    if (!(listing->row = memory_new_zeroed((size_t)rows + 1, sizeof *listing->row, error)))
        return STATUS_MEMORY;
    const Status status = parallel_rows(run, rows, listing->width * 0.1, count_rows, listing);
    if (status != STATUS_OK)
        return status;
    for (int y = 0; y < rows; y++)
        listing->row[y + 1] += listing->row[y];
    if (listing->row[rows] == 0)
        return STATUS_OK;
    if (!(listing->stretches = memory_new(listing->row[rows], sizeof *listing->stretches, error)))
        return STATUS_MEMORY;
    return parallel_rows(run, rows, listing->width * 0.5, list_rows, listing);
}

static Status group(Listing *listing, FlatList *list, Error *error) {
    const int rows = listing->end - listing->first;
    const size_t count = listing->row[rows];
    uint32_t *sizes = memory_new_zeroed(count, sizeof *sizes, error);
    Status status = STATUS_MEMORY;
    if (sizes && (listing->joined = memory_new(count, sizeof *listing->joined, error)) &&
        (list->first = memory_new(count + 1, sizeof *list->first, error)) &&
        (list->stretches = memory_new(count, sizeof *list->stretches, error))) {
        for (uint32_t i = 0; i < count; i++)
            listing->joined[i] = i;
        for (int y = 1; y < rows; y++)
            join_row(listing, y);
        number(listing, sizes, list);
        sort(listing, sizes, list);
        status = STATUS_OK;
    }
    memory_free(sizes);
    return status;
}

Status flat_list_create(const Run *run, FlatList *list, const uint8_t *direction, int width, int first,
                        int end, Error *error) {
    Listing listing = { .direction = direction, .width = width, .first = first, .end = end };
    *list = (FlatList){ 0 };
    Status status = list_stretches(run, &listing, error);
    if (status == STATUS_OK && listing.stretches)
        status = group(&listing, list, error);
    memory_free(listing.row);
    memory_free(listing.stretches);
    memory_free(listing.joined);
    return status;
}

void flat_list_free(FlatList *list) {
    memory_free(list->stretches);
    memory_free(list->first);
    *list = (FlatList){ 0 };
}
