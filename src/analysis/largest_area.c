// Areas are joined run by run (a run: adjacent ones in a row) with union-find: linear in the number of
// cells, times a factor of at most four. The root of an area is its first run, in whatever order runs are
// joined.

#include "analysis/largest_area.h"

#include "core/math.h"
#include "core/memory.h"

#include <string.h>

// --- squares -----------------------------------------------------------------------------------------------

// A square is a run of `side` ones in each of `side` consecutive rows. Along a row, a counter holds the
// length of the run of ones that begins here; down the columns there is one counter per column.

Status bit_map_create(BitMap *map, int width, int height, bool wraps, Error *error) {
    *map = (BitMap){ width, height, wraps, NULL };
    map->cells = memory_new_cells(width, height, 1, error);
    return map->cells ? STATUS_OK : STATUS_MEMORY;
}

void bit_map_free(BitMap *map) {
    memory_free(map->cells);
    *map = (BitMap){ 0 };
}

typedef struct Squares {
    const BitMap *map;
    int side;
    bool cover;
    int *counters; // one a column, for the loops down the columns
} Squares;

static uint8_t *row_of(const BitMap *map, int y) {
    return map->cells + (size_t)y * (size_t)map->width;
}

// Both directions along a line follow one rule: count the cells since the last zero (find) or one (cover).
static int advance(int counter, uint8_t cell, bool cover) {
    return (cell != 0) != cover ? counter + 1 : 0;
}

// Squares extend to the right of their corners, so finding goes from right to left and covering from left
// to right. Where edges meet, a line starts side - 1 cells early, to count what wraps around; those cells
// are read before they are written.
static int early(const Squares *squares) {
    return squares->map->wraps ? 1 - squares->side : 0;
}

static void along_rows(void *context, int first, int end) {
    const Squares *squares = context;
    const int width = squares->map->width, side = squares->side;
    for (int y = first; y < end; y++) {
        uint8_t *row = row_of(squares->map, y);
        int counter = squares->cover ? side : 0;
        for (int i = early(squares); i < 0; i++)
            counter = advance(counter, row[squares->cover ? width + i : -1 - i], squares->cover);
        for (int i = 0; i < width; i++) {
            uint8_t *cell = &row[squares->cover ? i : width - 1 - i];
            counter = advance(counter, *cell, squares->cover);
            *cell = squares->cover ? counter < side : counter >= side;
        }
    }
}

enum { COLUMNS = 256 }; // that go down together, row by row

static void down_columns(void *context, int first, int end) {
    const Squares *squares = context;
    const int width = squares->map->width, height = squares->map->height, side = squares->side;
    const int from = first * COLUMNS, to = min(end * COLUMNS, width);
    const bool cover = squares->cover;
    int *counters = squares->counters;
    for (int x = from; x < to; x++)
        counters[x] = cover ? side : 0;
    for (int i = early(squares); i < 0; i++) {
        const uint8_t *row = row_of(squares->map, cover ? height + i : -1 - i);
        for (int x = from; x < to; x++)
            counters[x] = advance(counters[x], row[x], cover);
    }
    for (int i = 0; i < height; i++) {
        uint8_t *row = row_of(squares->map, cover ? i : height - 1 - i);
        for (int x = from; x < to; x++) {
            counters[x] = advance(counters[x], row[x], cover);
            row[x] = cover ? counters[x] < side : counters[x] >= side;
        }
    }
}

static Status go_over(const Run *run, const BitMap *map, int side, bool cover, Error *error) {
    if (side == 1)
        return STATUS_OK;
    if (side > map->width || side > map->height) {
        memset(map->cells, 0, (size_t)map->width * (size_t)map->height);
        return STATUS_OK;
    }
    Squares squares = { map, side, cover, memory_new((size_t)map->width, sizeof(int), error) };
    if (!squares.counters)
        return STATUS_MEMORY;
    Status status = parallel_rows(run, map->height, map->width * 1.5, along_rows, &squares);
    if (status == STATUS_OK)
        status = parallel_rows(run, (map->width + COLUMNS - 1) / COLUMNS, map->height * (double)COLUMNS * 0.5,
                               down_columns, &squares);
    memory_free(squares.counters);
    return status;
}

Status find_squares(const Run *run, const BitMap *map, int side, Error *error) {
    return go_over(run, map, side, false, error);
}

Status cover_squares(const Run *run, const BitMap *map, int side, Error *error) {
    return go_over(run, map, side, true, error);
}

// --- the largest area --------------------------------------------------------------------------------------

typedef struct Span { // one run, and its node in the forest
    int start, end;   // columns start … end - 1
    uint32_t parent;
    uint32_t cells; // of the whole area, at its root; a map has less than 2^32 cells of one
} Span;

typedef struct Areas {
    const BitMap *map;
    Span *spans;
    uint32_t *first; // of each row, and one more
    uint32_t largest;
} Areas;

enum { BAND = 64 }; // rows that one thread joins; their borders are joined afterwards

// The next run from column `at` on: its start, or -1 where there is none.
static int next_run(const uint8_t *row, int width, int at, int *end) {
    const uint8_t *start = memchr(row + at, 1, (size_t)(width - at));
    if (!start)
        return -1;
    const uint8_t *after = memchr(start, 0, (size_t)(row + width - start));
    *end = after ? (int)(after - row) : width;
    return (int)(start - row);
}

static void count_runs(void *context, int first, int last) {
    const Areas *areas = context;
    const int width = areas->map->width;
    for (int y = first; y < last; y++) {
        const uint8_t *row = row_of(areas->map, y);
        uint32_t count = 0;
        for (int end = 0; end < width && next_run(row, width, end, &end) >= 0;)
            count++;
        areas->first[y + 1] = count;
    }
}

static void store_runs(void *context, int first, int last) {
    const Areas *areas = context;
    const int width = areas->map->width;
    for (int y = first; y < last; y++) {
        const uint8_t *row = row_of(areas->map, y);
        int end = 0;
        for (uint32_t i = areas->first[y]; i < areas->first[y + 1]; i++) {
            const int start = next_run(row, width, end, &end);
            areas->spans[i] = (Span){ start, end, i, (uint32_t)(end - start) };
        }
    }
}

static uint32_t root_of(Span *spans, uint32_t node) {
    while (spans[node].parent != node) {
        spans[node].parent = spans[spans[node].parent].parent; // path halving
        node = spans[node].parent;
    }
    return node;
}

static void join(Span *spans, uint32_t a, uint32_t b) {
    a = root_of(spans, a);
    b = root_of(spans, b);
    if (a == b)
        return;
    const uint32_t root = min(a, b), child = max(b, a);
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

static int band_end(const Areas *areas, int band) {
    const int end = (band + 1) * BAND, height = areas->map->height;
    return min(end, height);
}

static void join_bands(void *context, int first, int last) {
    const Areas *areas = context;
    for (int band = first; band < last; band++)
        for (int y = band * BAND; y < band_end(areas, band); y++) {
            if (areas->map->wraps)
                join_ends(areas, y);
            if (y + 1 < band_end(areas, band))
                join_rows(areas, y, y + 1);
        }
}

// The parent of every span becomes its root, which reading threads may then look up.
static void find_roots(Areas *areas, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) { // parents come before their children
        areas->spans[i].parent = areas->spans[areas->spans[i].parent].parent;
        if (areas->spans[i].parent == i && areas->spans[i].cells > areas->spans[areas->largest].cells)
            areas->largest = i;
    }
}

static void clear_others(void *context, int first, int last) {
    const Areas *areas = context;
    for (int y = first; y < last; y++)
        for (uint32_t i = areas->first[y]; i < areas->first[y + 1]; i++) {
            const Span *span = &areas->spans[i];
            if (span->parent != areas->largest)
                memset(row_of(areas->map, y) + span->start, 0, (size_t)(span->end - span->start));
        }
}

static Status join_all(const Run *run, Areas *areas) {
    const int height = areas->map->height, bands = (height + BAND - 1) / BAND;
    Status status = parallel_rows(run, height, areas->map->width * 0.2, store_runs, areas);
    if (status == STATUS_OK)
        status = parallel_rows(run, bands, areas->map->width * (double)BAND, join_bands, areas);
    const int seams = areas->map->wraps ? bands : bands - 1; // the last one: from the bottom to the top
    for (int band = 0; status == STATUS_OK && band < seams; band++)
        join_rows(areas, band_end(areas, band) - 1, wrap(band_end(areas, band), height));
    return status;
}

Status keep_largest_area(const Run *run, const BitMap *map, Error *error) {
    const int height = map->height;
    Areas areas = { .map = map };
    areas.first = memory_new((size_t)height + 1, sizeof *areas.first, error);
    if (!areas.first)
        return STATUS_MEMORY;
    Status status = parallel_rows(run, height, map->width * 0.2, count_runs, &areas);
    areas.first[0] = 0;
    for (int y = 0; status == STATUS_OK && y < height; y++)
        areas.first[y + 1] += areas.first[y];
    const uint32_t count = status == STATUS_OK ? areas.first[height] : 0;
    if (count > 0) {
        areas.spans = memory_new(count, sizeof *areas.spans, error);
        status = areas.spans ? join_all(run, &areas) : STATUS_MEMORY;
    }
    if (status == STATUS_OK && count > 0) {
        find_roots(&areas, count);
        status = parallel_rows(run, height, map->width * 0.2, clear_others, &areas);
    }
    memory_free(areas.first);
    memory_free(areas.spans);
    return status;
}
