#include "rivers/drainage.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "rivers/filling.h"

#include <stdbool.h>
#include <string.h>

// A flat cell whose region reaches into another band. Seen by nobody else.
enum { UNSETTLED = UNSEEN + 1, OUTLET = 16 }; // a bit

typedef struct Descent {
    Drainage *drainage;
    uint32_t *queue; // a place for each cell
    int band_rows;
} Descent;

// --- slopes ----------------------------------------------------------------------------------------------

KERNEL static void descend_row(const float *restrict up, const float *restrict row,
                               const float *restrict down, uint8_t *restrict direction, int width,
                               float sea) {
    for (int x = 1; x < width - 1; x++) {
        const float level = row[x];
        float steepest = 0;
        int to = UNSEEN;
#define LOOK(neighbour, nearness, code)                                                                      \
    {                                                                                                        \
        const float descent = (level - (neighbour)) * (nearness);                                            \
        to = descent > steepest ? (code) : to;                                                               \
        steepest = descent > steepest ? descent : steepest;                                                  \
    }
        LOOK(row[x + 1], 1.0f, 0)
        LOOK(down[x + 1], ESKER_DIAGONAL, 1)
        LOOK(down[x], 1.0f, 2)
        LOOK(down[x - 1], ESKER_DIAGONAL, 3)
        LOOK(row[x - 1], 1.0f, 4)
        LOOK(up[x - 1], ESKER_DIAGONAL, 5)
        LOOK(up[x], 1.0f, 6)
        LOOK(up[x + 1], ESKER_DIAGONAL, 7)
#undef LOOK
        direction[x] = (uint8_t)(level < sea ? DRAINS_OFF : to);
    }
}

static uint8_t border_direction(const Drainage *drainage, int x, int y) {
    const Field *filled = &drainage->filled;
    const size_t cell = (size_t)y * (size_t)filled->width + (size_t)x;
    const float level = filled->cells[cell];
    float steepest = 0;
    int to = DRAINS_OFF;
    for (int i = 0; i < NEIGHBOURS && level >= (float)drainage->sea_level; i++) {
        if (!within_field(filled, x + neighbour_x[i], y + neighbour_y[i]))
            continue;
        const float descent = (level - filled->cells[neighbour_of(filled, cell, i)]) * inverse_distance[i];
        to = descent > steepest ? i : to;
        steepest = max(descent, steepest);
    }
    return (uint8_t)to;
}

static void descend_rows(void *context, int first, int end) {
    const Descent *descent = context;
    const Drainage *drainage = descent->drainage;
    const Field *filled = &drainage->filled;
    const int width = filled->width;
    for (int y = first; y < end; y++) {
        uint8_t *row = drainage->direction + (size_t)y * (size_t)width;
        const bool border = y == 0 || y == filled->height - 1;
        for (int x = 0; x < width; x += border ? 1 : max(width - 1, 1))
            row[x] = border_direction(drainage, x, y);
        if (!border)
            descend_row(field_row(filled, y - 1), field_row(filled, y), field_row(filled, y + 1), row, width,
                        (float)drainage->sea_level);
    }
}

// --- flats -----------------------------------------------------------------------------------------------

// Some rows of a field. `place` counts from their first cell.
typedef struct Rows {
    const Drainage *drainage;
    const float *level;
    uint8_t *direction;
    uint32_t *queue;
    int first, end;
    bool whole; // the whole field
} Rows;

static bool is_flat(const Rows *rows, size_t place) {
    const int direction = rows->direction[place] & ~OUTLET;
    return direction == UNSEEN || (rows->whole && direction == UNSETTLED);
}

static bool has_row(const Rows *rows, int y) {
    return y >= rows->first && y < rows->end;
}

// Marks the cells from which flats are flooded: those that drain, at the level of a flat cell beside them.
static void mark_outlets(const Rows *rows) {
    const Field *filled = &rows->drainage->filled;
    const size_t width = (size_t)filled->width;
    for (int y = rows->first; y < rows->end; y++)
        for (size_t x = 0; x < width; x++) {
            const size_t place = (size_t)(y - rows->first) * width + x;
            if (!is_flat(rows, place))
                continue;
            for (int i = 0; i < NEIGHBOURS; i++) {
                if (!has_row(rows, y + neighbour_y[i]))
                    continue;
                const size_t to = neighbour_of(filled, place, i);
                if (rows->level[to] == rows->level[place] && rows->direction[to] < UNSEEN)
                    rows->direction[to] |= OUTLET;
            }
        }
}

static bool on_edge(const Rows *rows, uint32_t place) {
    const uint32_t width = (uint32_t)rows->drainage->filled.width;
    const uint32_t last = (uint32_t)(rows->end - rows->first - 1) * width;
    return !rows->whole && (place < width || place >= last);
}

// Floods the flat cells around an outlet. False if they may go on beyond these rows.
static bool flood_flat(const Rows *rows, int x, int y, uint32_t place) {
    const Field *filled = &rows->drainage->filled;
    const uint32_t start = place;
    bool inside = true;
    size_t count = 0;
    for (size_t at = 0;; place = rows->queue[at++]) {
        for (int i = 0; i < NEIGHBOURS; i++) {
            if (place == start && !within_field(filled, x + neighbour_x[i], y + neighbour_y[i]))
                continue;
            if (on_edge(rows, place) &&
                !has_row(rows, rows->first + (int)(place / (uint32_t)filled->width) + neighbour_y[i]))
                continue;
            const size_t to = neighbour_of(filled, place, i);
            if (!is_flat(rows, to) || rows->level[to] != rows->level[place])
                continue;
            rows->direction[to] = (uint8_t)((i + NEIGHBOURS / 2) % NEIGHBOURS);
            rows->queue[count++] = (uint32_t)to;
            inside = inside && !on_edge(rows, (uint32_t)to);
        }
        if (at == count)
            break;
    }
    for (size_t i = 0; i < count && !inside; i++)
        rows->direction[rows->queue[i]] = UNSETTLED;
    return inside;
}

static void flood_flats(const Rows *rows) {
    const int width = rows->drainage->filled.width;
    mark_outlets(rows);
    for (int y = rows->first; y < rows->end; y++) {
        uint8_t *direction = rows->direction + (size_t)(y - rows->first) * (size_t)width;
        for (int x = 0; x < width; x++) {
            if (!(direction[x] & OUTLET))
                continue;
            direction[x] &= (uint8_t)~OUTLET;
            flood_flat(rows, x, y, (uint32_t)(y - rows->first) * (uint32_t)width + (uint32_t)x);
        }
    }
}

static Rows rows_of(const Descent *descent, int first, int end) {
    const Drainage *drainage = descent->drainage;
    const size_t start = (size_t)first * (size_t)drainage->filled.width;
    return (Rows){ .drainage = drainage,
                   .level = drainage->filled.cells + start,
                   .direction = drainage->direction + start,
                   .queue = descent->queue + start,
                   .first = first,
                   .end = end };
}

static void flood_bands(void *context, int first, int end) {
    const Descent *descent = context;
    const int height = descent->drainage->filled.height;
    for (int band = first; band < end; band++) {
        const int top = band * descent->band_rows;
        const Rows rows = rows_of(descent, top, min(top + descent->band_rows, height));
        flood_flats(&rows);
    }
}

static Status flood_all(const Run *run, Descent *descent) {
    enum { BAND_ROWS = 64 };
    const Field *filled = &descent->drainage->filled;
    const int bands = (filled->height + BAND_ROWS - 1) / BAND_ROWS;
    descent->band_rows = BAND_ROWS;
    const Status status =
        parallel_rows(run, bands, filled->width * (double)BAND_ROWS * 2, flood_bands, descent);
    if (status != STATUS_OK)
        return status;
    Rows rows = rows_of(descent, 0, filled->height);
    rows.whole = true;
    flood_flats(&rows);
    return STATUS_OK;
}

Status drainage_find(const Run *run, Drainage *drainage, Error *error) {
    const Field *height = drainage->height;
    const size_t cells = field_count(height);
    Status status = fill_to_spills(run, height, (float)drainage->sea_level, &drainage->filled, error);
    if (status != STATUS_OK)
        return status;
    drainage->direction = memory_new(cells, 1, error);
    Descent descent = { .drainage = drainage };
    descent.queue = drainage->direction ? memory_new(cells, sizeof *descent.queue, error) : NULL;
    if (!descent.queue)
        return STATUS_MEMORY;
    status = parallel_rows(run, height->height, height->width * 2.0, descend_rows, &descent);
    if (status == STATUS_OK)
        status = flood_all(run, &descent);
    memory_free(descent.queue);
    return status;
}
