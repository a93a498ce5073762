#include "rivers/drainage.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "rivers/filling.h"

#include <stdbool.h>
#include <string.h>

// Flats are flooded band by band, those that reach into other bands once more in wider bands, the rest in the
// whole field. UNSEEN + pass + 1 marks the cells of those that a pass left, inside this file alone.
enum { WHOLE = 2, PASSES };
static const int pass_rows[WHOLE] = { 64, 512 }; // of a band

typedef struct Descent {
    Drainage *drainage;
    uint32_t *queue; // a place for each cell
    bool *flat;      // whether a row has cells of flats that are not flooded yet
    int pass;
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

// Some rows of a field; places count from their first cell.
typedef struct Rows {
    const Field *filled;
    const float *level;
    uint8_t *direction;
    uint32_t *queue;
    int first, end;
    int pass;
} Rows;

// Marks the `count` cells from `place` on that have a flat neighbour at their level in the rows above to
// below.
KERNEL static void mark_beside_flats(const Rows *rows, size_t place, bool above, bool below,
                                     uint8_t *restrict marks, int count) {
    const uint8_t last = (uint8_t)(UNSEEN + rows->pass);
    const float *level = rows->level + place;
    memset(marks, 0, (size_t)count);
    for (int i = 0; i < NEIGHBOURS; i++) {
        const size_t to = neighbour_of(rows->filled, place, i);
        if ((neighbour_y[i] < 0 && !above) || (neighbour_y[i] > 0 && !below))
            continue;
        const float *beside = rows->level + to;
        const uint8_t *direction = rows->direction + to;
        for (int x = 0; x < count; x++)
            marks[x] |=
                (uint8_t)(((direction[x] >= UNSEEN) & (direction[x] <= last)) & (level[x] == beside[x]));
    }
}

static bool enters(const Rows *rows, size_t to, float level) {
    const int direction = rows->direction[to];
    return direction >= UNSEEN && direction <= UNSEEN + rows->pass && rows->level[to] == level;
}

// The first and the last row of a band: who knows what lies beyond.
static bool on_edge(const Rows *rows, size_t place) {
    const size_t width = (size_t)rows->filled->width;
    return rows->pass != WHOLE && (place < width || place >= (size_t)(rows->end - rows->first - 1) * width);
}

// Floods the flat cells around (x, y), which drains. Unless they stay away from a band's edges, they are left
// unsettled.
static void flood_from(const Rows *rows, int x, int y) {
    const size_t start = (size_t)(y - rows->first) * (size_t)rows->filled->width + (size_t)x;
    const float level = rows->level[start];
    const size_t cells = (size_t)(rows->end - rows->first) * (size_t)rows->filled->width;
    size_t count = 0;
    bool inside = true;
    for (int i = 0; i < NEIGHBOURS; i++) {
        const int to_x = x + neighbour_x[i], to_y = y + neighbour_y[i];
        const size_t to = neighbour_of(rows->filled, start, i);
        if (to_x < 0 || to_x >= rows->filled->width || to_y < rows->first || to_y >= rows->end ||
            !enters(rows, to, level))
            continue;
        rows->direction[to] = (uint8_t)((i + NEIGHBOURS / 2) % NEIGHBOURS);
        rows->queue[count++] = (uint32_t)to;
    }
    for (size_t at = 0; at < count; at++) {
        const size_t place = rows->queue[at];
        const bool edge = on_edge(rows, place);
        inside = inside && !edge;
        for (int i = 0; i < NEIGHBOURS; i++) {
            const size_t to = neighbour_of(rows->filled, place, i); // wraps around above the first row
            if ((edge && to >= cells) || !enters(rows, to, level))
                continue;
            rows->direction[to] = (uint8_t)((i + NEIGHBOURS / 2) % NEIGHBOURS);
            rows->queue[count++] = (uint32_t)to;
        }
    }
    for (size_t i = 0; i < count && !inside; i++)
        rows->direction[rows->queue[i]] = (uint8_t)(UNSEEN + rows->pass + 1);
}

static void flood_from_row(const Rows *rows, int y) {
    enum { PIECE = 1024 };
    const int width = rows->filled->width;
    const bool above = y > rows->first, below = y + 1 < rows->end;
    const uint8_t *direction = rows->direction + (size_t)(y - rows->first) * (size_t)width;
    uint8_t marks[PIECE];
    flood_from(rows, 0, y); // as if marked
    for (int first = 1; first < width - 1; first += PIECE) {
        const int count = min(width - 1 - first, PIECE);
        const size_t place = (size_t)(y - rows->first) * (size_t)width + (size_t)first;
        mark_beside_flats(rows, place, above, below, marks, count);
        for (int x = 0; x < count; x++)
            if (marks[x] && direction[first + x] < UNSEEN)
                flood_from(rows, first + x, y);
    }
    flood_from(rows, width - 1, y);
}

static Rows rows_of(const Descent *descent, int first, int end) {
    const Drainage *drainage = descent->drainage;
    const size_t start = (size_t)first * (size_t)drainage->filled.width;
    return (Rows){ .filled = &drainage->filled,
                   .level = drainage->filled.cells + start,
                   .direction = drainage->direction + start,
                   .queue = descent->queue + start,
                   .first = first,
                   .end = end,
                   .pass = descent->pass };
}

static void find_flat_rows(void *context, int first, int end) {
    const Descent *descent = context;
    const size_t width = (size_t)descent->drainage->filled.width;
    for (int y = first; y < end; y++) {
        const uint8_t *row = descent->drainage->direction + (size_t)y * width;
        bool flat = false;
        for (int code = UNSEEN; code <= UNSEEN + descent->pass && !flat; code++)
            flat = memchr(row, code, width) != NULL;
        descent->flat[y] = flat;
    }
}

// Only from the rows beside what is flat.
static void flood_flats(const Descent *descent, int first, int end) {
    const Rows rows = rows_of(descent, first, end);
    for (int y = first; y < end; y++)
        if (descent->flat[max(y - 1, first)] || descent->flat[y] || descent->flat[min(y + 1, end - 1)])
            flood_from_row(&rows, y);
}

static void flood_bands(void *context, int first, int end) {
    const Descent *descent = context;
    const int height = descent->drainage->filled.height, count = pass_rows[descent->pass];
    for (int band = first; band < end; band++)
        flood_flats(descent, band * count, min((band + 1) * count, height));
}

static Status flood_all(const Run *run, Descent *descent) {
    const Field *filled = &descent->drainage->filled;
    Status status = STATUS_OK;
    for (descent->pass = 0; descent->pass < PASSES && status == STATUS_OK; descent->pass++) {
        status = parallel_rows(run, filled->height, filled->width * 0.1, find_flat_rows, descent);
        if (status == STATUS_OK && descent->pass == WHOLE) {
            flood_flats(descent, 0, filled->height);
        } else if (status == STATUS_OK) {
            const int rows = pass_rows[descent->pass], bands = (filled->height + rows - 1) / rows;
            status = parallel_rows(run, bands, filled->width * (double)rows, flood_bands, descent);
        }
    }
    return status;
}

static Status create(Drainage *drainage, Descent *descent, Error *error) {
    const size_t cells = field_count(&drainage->filled);
    *descent = (Descent){ .drainage = drainage };
    drainage->direction = memory_new(cells, 1, error);
    descent->queue = drainage->direction ? memory_new(cells, sizeof *descent->queue, error) : NULL;
    descent->flat = descent->queue ? memory_new((size_t)drainage->filled.height, 1, error) : NULL;
    return descent->flat ? STATUS_OK : STATUS_MEMORY;
}

static Status descend(const Run *run, Descent *descent) {
    const Field *filled = &descent->drainage->filled;
    return parallel_rows(run, filled->height, filled->width * 2.0, descend_rows, descent);
}

Status drainage_find(const Run *run, Drainage *drainage, Error *error) {
    Descent descent = { 0 };
    Status status =
        fill_to_spills(run, drainage->height, (float)drainage->sea_level, &drainage->filled, error);
    if (status == STATUS_OK)
        status = create(drainage, &descent, error);
    if (status == STATUS_OK)
        status = descend(run, &descent);
    if (status == STATUS_OK)
        status = flood_all(run, &descent);
    memory_free(descent.queue);
    memory_free(descent.flat);
    return status;
}

Status drainage_find_part(const Run *run, Drainage *drainage, int first, int end, Error *error) {
    Descent descent = { 0 };
    Status status = create(drainage, &descent, error);
    if (status == STATUS_OK)
        status = descend(run, &descent);
    if (status == STATUS_OK) {
        memset(descent.flat, true, (size_t)drainage->filled.height);
        flood_flats(&descent, first, end);
    }
    memory_free(descent.queue);
    memory_free(descent.flat);
    return status;
}
