// A square is a run of `side` ones in each of `side` consecutive rows. Along a row, a counter holds the
// length of the run of ones that begins here; down the columns there is one counter per column.

#include "analysis/squares.h"

#include "core/math.h"
#include "core/memory.h"

#include <string.h>

Status bit_map_create(BitMap *map, int width, int height, bool wraps, Error *error) {
    *map = (BitMap){ width, height, wraps, NULL };
    map->cells = memory_new((size_t)width * (size_t)height, 1, error);
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
