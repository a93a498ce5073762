// Directions strip by strip. A strip needs some rows on each side; flats that reach its edge are drained
// afterwards (large_flats.h).

#include "core/math.h"
#include "core/memory.h"
#include "large/large.h"
#include "large/large_flats.h"
#include "water/drainage.h"
#include "water/even_choice.h"

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
    const int top = max(first - FALL_RADIUS, 0),
              end = min(first + rows + FALL_RADIUS, descent->filled->height);
    part->height = end - top;
    Drainage drainage = { .filled = *part, .sea_level = (double)descent->sea, .row = top };
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
    Status status = field_create(&part, descent->filled->width,
                                 min(descent->rows + 2 * FALL_RADIUS, descent->filled->height), error);
    for (int i = 0; i < strips && status == STATUS_OK; i++) {
        status = descend_strip(descent, i, &part, error);
        if (status == STATUS_OK)
            status = run_advance(descent->run, i + 1, strips);
    }
    field_free(&part);
    return status;
}

// -----------------------------------------------------------------------------------------------------------

Status large_directions(const Run *run, const Plane *filled, float sea, float lowest, int rows,
                        Plane *direction, Error *error) {
    LargeDescent descent = { run, filled, direction, sea, lowest, rows, NULL };
    descent.unsettled = memory_new((size_t)filled->height, sizeof *descent.unsettled, error);
    Status status = descent.unsettled ? descend_strips(&descent, error) : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = large_flats(run, &(LargeFlats){ filled, direction, sea, lowest, descent.unsettled }, error);
    memory_free(descent.unsettled);
    return status;
}
