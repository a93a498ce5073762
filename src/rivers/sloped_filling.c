#include "rivers/sloped_filling.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "rivers/cell_queue.h"
#include "rivers/drainage.h"

#include <float.h>
#include <stdbool.h>

// --- shelves -----------------------------------------------------------------------------------------------

#define NO_CELL UINT32_MAX

// Cells by height, lowest first: sorted only on the current shelf, a small heap. Cells of higher shelves
// are chained, unsorted, until their turn.
typedef struct Shelves {
    const Field *level;
    uint32_t *first; // of each shelf, a cell or NO_CELL
    uint32_t *next;  // of each cell, on its shelf
    int count, at;
    float lowest, per_height;
    Queue heap;
} Shelves;

static int shelf_of(const Shelves *shelves, float level) {
    const float shelf = (level - shelves->lowest) * shelves->per_height;
    return index_within(shelf, shelves->count);
}

static Status shelves_create(Shelves *shelves, const Field *height, const Field *level, Error *error) {
    enum { CELLS_PER_SHELF = 16 };
    const size_t cells = field_count(height);
    float lowest = height->cells[0], highest = lowest;
    for (size_t i = 0; i < cells; i++) {
        lowest = min(height->cells[i], lowest);
        highest = max(height->cells[i], highest);
    }
    *shelves = (Shelves){ .level = level, .count = (int)(cells / CELLS_PER_SHELF) + 1, .lowest = lowest };
    const float range = highest - lowest, per_height = (float)shelves->count / range;
    shelves->per_height = range > 0 && range <= FLT_MAX && per_height <= FLT_MAX ? per_height : 0;
    shelves->first = memory_new((size_t)shelves->count, sizeof *shelves->first, error);
    shelves->next = shelves->first ? memory_new(cells, sizeof *shelves->next, error) : NULL;
    if (!shelves->next)
        return STATUS_MEMORY;
    for (int i = 0; i < shelves->count; i++)
        shelves->first[i] = NO_CELL;
    return STATUS_OK;
}

static void shelves_free(Shelves *shelves) {
    memory_free(shelves->first);
    memory_free(shelves->next);
    memory_free(shelves->heap.at);
}

static Waiting waiting_at(const Shelves *shelves, uint32_t cell) {
    const uint32_t width = (uint32_t)shelves->level->width;
    return waiting_cell(shelves->level->cells[cell], (int)(cell % width), (int)(cell / width));
}

static bool shelves_add(Shelves *shelves, int x, int y, Error *error) {
    const uint32_t cell = (uint32_t)y * (uint32_t)shelves->level->width + (uint32_t)x;
    const int shelf = shelf_of(shelves, shelves->level->cells[cell]);
    if (shelf <= shelves->at)
        return heap_add(&shelves->heap, waiting_cell(shelves->level->cells[cell], x, y), error);
    shelves->next[cell] = shelves->first[shelf];
    shelves->first[shelf] = cell;
    return true;
}

// Moves the next shelf with cells into the heap if that is empty. `heap` is empty afterwards only if no
// cells are left.
static bool shelves_ready(Shelves *shelves, Error *error) {
    while (shelves->heap.count == 0 && shelves->at + 1 < shelves->count) {
        uint32_t cell = shelves->first[++shelves->at];
        for (; cell != NO_CELL; cell = shelves->next[cell])
            if (!heap_add(&shelves->heap, waiting_at(shelves, cell), error))
                return false;
    }
    return true;
}

// --- flood -------------------------------------------------------------------------------------------------

typedef struct Flood {
    const Field *height;
    Field *filled;
    float sea, slope;
    uint8_t *seen;
    Shelves shore; // cells above the flood
} Flood;

static bool flood_to(Flood *flood, int x, int y, float least, Error *error) {
    const size_t to = (size_t)y * (size_t)flood->height->width + (size_t)x;
    flood->seen[to] = 1;
    field_cells(flood->filled)[to] = max(flood->height->cells[to], least);
    return shelves_add(&flood->shore, x, y, error);
}

// Spreads the flood from (x, y), which is at `level`, to its neighbours.
static bool flood_from(Flood *flood, int x, int y, float level, Error *error) {
    const Field *height = flood->height;
    const bool border = on_border(height, x, y);
    const size_t cell = (size_t)y * (size_t)height->width + (size_t)x;
    for (int i = 0; i < NEIGHBOURS; i++) {
        const int to_x = x + neighbour_x[i], to_y = y + neighbour_y[i];
        if ((border && !within_field(height, to_x, to_y)) || flood->seen[neighbour_of(height, cell, i)])
            continue;
        if (!flood_to(flood, to_x, to_y, level + flood->slope / inverse_distance[i], error))
            return false;
    }
    return true;
}

// The border and the shore.
static bool begin(Flood *flood, Error *error) {
    const Field *height = flood->height;
    for (int y = 0; y < height->height; y++)
        for (int x = 0; x < height->width; x++) {
            const size_t cell = (size_t)y * (size_t)height->width + (size_t)x;
            const bool border = on_border(height, x, y), wet = height->cells[cell] < flood->sea;
            flood->seen[cell] = border || wet;
            field_cells(flood->filled)[cell] = height->cells[cell];
            if (border && !wet && !shelves_add(&flood->shore, x, y, error))
                return false;
        }
    for (int y = 0; y < height->height; y++)
        for (int x = 0; x < height->width; x++) {
            const float level = field_row(height, y)[x];
            if (level < flood->sea && !flood_from(flood, x, y, level, error))
                return false;
        }
    return true;
}

static Status spread(const Run *run, Flood *flood, Error *error) {
    enum { CELLS_PER_POLL = 1 << 16 };
    const double cells = (double)field_count(flood->height);
    for (size_t done = 0;; done++) {
        if (done % CELLS_PER_POLL == 0 && run_advance(run, (double)done, cells) != STATUS_OK)
            return STATUS_STOPPED;
        if (!shelves_ready(&flood->shore, error))
            return STATUS_MEMORY;
        if (flood->shore.heap.count == 0)
            return STATUS_OK;
        const Waiting next = heap_take(&flood->shore.heap);
        const int x = waiting_x(next), y = waiting_y(next);
        if (!flood_from(flood, x, y, field_row(flood->filled, y)[x], error))
            return STATUS_MEMORY;
    }
}

Status fill_with_slope(const Run *run, const Field *height, float sea, float slope, Field *filled,
                       Error *error) {
    Flood flood = { .height = height, .filled = filled, .sea = sea, .slope = slope };
    Status status = shelves_create(&flood.shore, height, filled, error);
    if (status == STATUS_OK && !(flood.seen = memory_new(field_count(height), 1, error)))
        status = STATUS_MEMORY;
    if (status == STATUS_OK)
        status = begin(&flood, error) ? spread(run, &flood, error) : STATUS_MEMORY;
    shelves_free(&flood.shore);
    memory_free(flood.seen);
    return status;
}
