// Directions strip by strip. Slopes need the rows beside a strip. Flats that reach a strip's edge are flooded
// afterwards, over the directions on disk: each from its first outlet in the order of rows, as in memory.

#include "core/math.h"
#include "core/memory.h"
#include "large/large.h"
#include "large/pages.h"
#include "rivers/cell_queue.h"
#include "rivers/drainage.h"

enum { PAGES_MAX = 8192 }; // 512 MiB

typedef struct LargeDescent {
    const Run *run;
    const Plane *filled;
    Plane *direction;
    float sea, lowest;
    int rows;
    bool *unsettled; // of each row: whether it has cells without a direction
} LargeDescent;

// --- strips ------------------------------------------------------------------------------------------------

static void note_unsettled(LargeDescent *descent, const uint8_t *direction, int first, int rows) {
    const size_t width = (size_t)descent->filled->width;
    for (int y = 0; y < rows; y++) {
        const uint8_t *row = direction + (size_t)y * width;
        bool any = false;
        for (size_t x = 0; x < width; x++)
            any |= row[x] >= UNSEEN;
        descent->unsettled[first + y] = any;
    }
}

static Status descend_strip(LargeDescent *descent, int strip, Field *part, Error *error) {
    const int first = strip * descent->rows, rows = strip_rows(descent->filled, descent->rows, strip);
    const int top = max(first - 1, 0), end = min(first + rows + 1, descent->filled->height);
    part->height = end - top;
    Drainage drainage = { .filled = *part, .sea_level = (double)descent->sea };
    Status status = large_read(descent->filled, top, end - top, descent->lowest, field_cells(part), error);
    if (status == STATUS_OK)
        status = drainage_find_part(descent->run, &drainage, first - top, first - top + rows, error);
    if (status == STATUS_OK) {
        const uint8_t *direction =
            drainage.direction + (size_t)(first - top) * (size_t)descent->filled->width;
        note_unsettled(descent, direction, first, rows);
        status = plane_write(descent->direction, first, rows, direction, error);
    }
    memory_free(drainage.direction);
    return status;
}

static Status descend_strips(LargeDescent *descent, Error *error) {
    const int strips = strip_count(descent->filled, descent->rows);
    Field part = { 0 };
    Status status =
        field_create(&part, descent->filled->width, min(descent->rows + 2, descent->filled->height), error);
    for (int i = 0; i < strips && status == STATUS_OK; i++) {
        status = descend_strip(descent, i, &part, error);
        if (status == STATUS_OK)
            status = run_advance(descent->run, i + 1, strips);
    }
    field_free(&part);
    return status;
}

// --- flats across strips -----------------------------------------------------------------------------------

typedef struct Flood {
    const LargeDescent *descent;
    Pages pages;
    Queue queue;
    Field level;        // three rows: that above, the row, and that below
    uint8_t *direction; // the same
} Flood;

// Lets the neighbour of a cell drain into it if it has no direction yet.
static Status enter(Flood *flood, int x, int y, int neighbour, Error *error) {
    const int to_x = x + neighbour_x[neighbour], to_y = y + neighbour_y[neighbour];
    uint8_t *direction = pages_byte(&flood->pages, to_x, to_y, error);
    if (!direction)
        return STATUS_FILE;
    if (*direction < UNSEEN)
        return STATUS_OK;
    *direction = (uint8_t)((neighbour + NEIGHBOURS / 2) % NEIGHBOURS);
    pages_change(&flood->pages, to_x, to_y);
    return queue_append(&flood->queue, waiting_cell(0, to_x, to_y), error) ? STATUS_OK : STATUS_MEMORY;
}

// Floods the flat cells around (x, y), which drains. Cells of a flat have only higher ground beside them, and
// each other.
static Status flood_flat(Flood *flood, int x, int y, Error *error) {
    const Field *level = &flood->level;
    const float own = field_row(level, 1)[x];
    Status status = STATUS_OK;
    for (int i = 0; i < NEIGHBOURS && status == STATUS_OK; i++)
        if (within_field(level, x + neighbour_x[i], 1) && y + neighbour_y[i] >= 0 &&
            y + neighbour_y[i] < flood->descent->filled->height &&
            field_row(level, 1 + neighbour_y[i])[x + neighbour_x[i]] == own)
            status = enter(flood, x, y, i, error);
    while (status == STATUS_OK && flood->queue.count > 0) {
        const Waiting cell = queue_next(&flood->queue);
        for (int i = 0; i < NEIGHBOURS && status == STATUS_OK; i++)
            status = enter(flood, waiting_x(cell), waiting_y(cell), i, error);
    }
    return status;
}

// Whether the cell drains and a neighbour at its level does not yet.
static bool is_outlet(const Flood *flood, int x, int top, int end) {
    const size_t width = (size_t)flood->level.width;
    if (flood->direction[width + (size_t)x] >= UNSEEN)
        return false;
    for (int i = 0; i < NEIGHBOURS; i++) {
        const int to_x = x + neighbour_x[i], to_y = 1 + neighbour_y[i];
        if (to_x >= 0 && to_x < flood->level.width && to_y >= top && to_y < end &&
            flood->direction[(size_t)to_y * width + (size_t)to_x] >= UNSEEN &&
            field_row(&flood->level, to_y)[to_x] == field_row(&flood->level, 1)[x])
            return true;
    }
    return false;
}

// The directions of the rows beside row y, and its own.
static Status copy_rows(Flood *flood, int y, int top, int end, Error *error) {
    Status status = STATUS_OK;
    for (int row = top; row < end && status == STATUS_OK; row++)
        status = pages_copy_row(&flood->pages, y - 1 + row,
                                flood->direction + (size_t)row * (size_t)flood->level.width, error);
    return status;
}

static Status flood_row(Flood *flood, int y, Error *error) {
    const Plane *filled = flood->descent->filled;
    const int top = y > 0 ? 0 : 1, end = y + 1 < filled->height ? 3 : 2;
    Status status = large_read(filled, y - 1 + top, end - top, flood->descent->lowest,
                               field_row(&flood->level, top), error);
    if (status == STATUS_OK)
        status = copy_rows(flood, y, top, end, error);
    for (int x = 0; x < filled->width && status == STATUS_OK; x++)
        if (is_outlet(flood, x, top, end)) {
            status = flood_flat(flood, x, y, error);
            if (status == STATUS_OK)
                status = copy_rows(flood, y, top, end, error);
        }
    return status;
}

static Status flood_all(LargeDescent *descent, Error *error) {
    const int height = descent->filled->height, width = descent->filled->width;
    Flood flood = { .descent = descent };
    Status status = field_create(&flood.level, width, 3, error);
    if (status == STATUS_OK && !(flood.direction = memory_new((size_t)width, 3, error)))
        status = STATUS_MEMORY;
    if (status == STATUS_OK)
        status = pages_create(&flood.pages, descent->direction, PAGES_MAX, error);
    for (int y = 0; y < height && status == STATUS_OK; y++)
        if (descent->unsettled[y] || descent->unsettled[max(y - 1, 0)] ||
            descent->unsettled[min(y + 1, height - 1)]) {
            status = flood_row(&flood, y, error);
            if (status == STATUS_OK)
                status = run_advance(descent->run, y + 1, height);
        }
    if (status == STATUS_OK)
        status = pages_flush(&flood.pages, error);
    pages_free(&flood.pages);
    field_free(&flood.level);
    memory_free(flood.direction);
    memory_free(flood.queue.at);
    return status;
}

// -----------------------------------------------------------------------------------------------------------

Status large_directions(const Run *run, const Plane *filled, float sea, float lowest, int rows,
                        Plane *direction, Error *error) {
    LargeDescent descent = { run, filled, direction, sea, lowest, rows, NULL };
    descent.unsettled = memory_new((size_t)filled->height, sizeof *descent.unsettled, error);
    Status status = descent.unsettled ? descend_strips(&descent, error) : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = flood_all(&descent, error);
    memory_free(descent.unsettled);
    return status;
}
