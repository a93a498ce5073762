// Areas are joined run by run (a run: neighbouring ones in a row) with union-find: linear in the number of
// cells but for a factor that never exceeds four.

#include "analysis/largest_area.h"

#include "core/memory.h"

#include <string.h>

typedef struct Span { // one run, and its node in the forest
    int start, end;   // columns start … end - 1
    uint32_t parent;
    uint32_t cells; // of the whole area, at its root; a map has less than 2^32 cells of one
} Span;

typedef struct Areas {
    const BitMap *map;
    Span *spans;
    uint32_t *first; // of each row, and one more
} Areas;

// Calls for each run of the row in turn: from column `at`, or -1 where there is none.
static int next_run(const uint8_t *row, int width, int at, int *end) {
    while (at < width && !row[at])
        at++;
    if (at == width)
        return -1;
    *end = at;
    while (*end < width && row[*end])
        (*end)++;
    return at;
}

static uint32_t fill_spans(const Areas *areas, bool store) {
    uint32_t count = 0;
    for (int y = 0; y < areas->map->height; y++) {
        const uint8_t *row = areas->map->cells + (size_t)y * (size_t)areas->map->width;
        areas->first[y] = count;
        int end = 0;
        for (int start = next_run(row, areas->map->width, 0, &end); start >= 0;
             start = next_run(row, areas->map->width, end, &end), count++)
            if (store)
                areas->spans[count] = (Span){ start, end, count, (uint32_t)(end - start) };
    }
    areas->first[areas->map->height] = count;
    return count;
}

static uint32_t root_of(Span *spans, uint32_t node) {
    while (spans[node].parent != node) {
        spans[node].parent = spans[spans[node].parent].parent; // halves the way for the next time
        node = spans[node].parent;
    }
    return node;
}

// The root is always the earliest run, so that ties fall the same way however areas were joined.
static void join(Span *spans, uint32_t a, uint32_t b) {
    a = root_of(spans, a);
    b = root_of(spans, b);
    if (a == b)
        return;
    const uint32_t root = a < b ? a : b, child = a < b ? b : a;
    spans[child].parent = root;
    spans[root].cells += spans[child].cells;
}

static void join_rows(const Areas *areas, int y, int below) {
    uint32_t i = areas->first[y], j = areas->first[below];
    while (i < areas->first[y + 1] && j < areas->first[below + 1]) {
        const Span *upper = &areas->spans[i], *lower = &areas->spans[j];
        if (upper->start < lower->end && lower->start < upper->end)
            join(areas->spans, i, j);
        if (upper->end < lower->end)
            i++;
        else
            j++;
    }
}

static void join_ends(const Areas *areas, int y) {
    const uint32_t first = areas->first[y], last = areas->first[y + 1];
    if (first < last && areas->spans[first].start == 0 && areas->spans[last - 1].end == areas->map->width)
        join(areas->spans, first, last - 1);
}

static void clear_all_but(const Areas *areas, uint32_t largest) {
    const int width = areas->map->width;
    for (int y = 0; y < areas->map->height; y++)
        for (uint32_t i = areas->first[y]; i < areas->first[y + 1]; i++)
            if (root_of(areas->spans, i) != largest)
                memset(areas->map->cells + (size_t)y * (size_t)width + areas->spans[i].start, 0,
                       (size_t)(areas->spans[i].end - areas->spans[i].start));
}

Status keep_largest_area(const BitMap *map, Error *error) {
    Areas areas = { .map = map };
    areas.first = memory_new((size_t)map->height + 1, sizeof *areas.first, error);
    if (!areas.first)
        return STATUS_MEMORY;
    const uint32_t count = fill_spans(&areas, false);
    areas.spans = memory_new((size_t)count + 1, sizeof *areas.spans, error);
    if (areas.spans) {
        fill_spans(&areas, true);
        for (int y = 0; y < map->height; y++) {
            join_ends(&areas, y);
            join_rows(&areas, y, wrap(y + 1, map->height));
        }
        uint32_t largest = 0;
        for (uint32_t i = 0; i < count; i++)
            if (areas.spans[i].parent == i && areas.spans[i].cells > areas.spans[largest].cells)
                largest = i;
        if (count > 0)
            clear_all_but(&areas, root_of(areas.spans, largest));
    }
    memory_free(areas.first);
    const Status status = areas.spans ? STATUS_OK : STATUS_MEMORY;
    memory_free(areas.spans);
    return status;
}
