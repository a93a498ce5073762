#include "large/large_breach.h"

#include "core/memory.h"
#include "large/pages.h"

#include <math.h>
#include <string.h>

enum { LAYERS = 3, PAGES_MAX = 1280 }; // of each layer: 320 MiB where a cell has four bytes

typedef struct Store {
    Pages layers[LAYERS];
    BreachCells *cells;
    Error *error;
    float nothing; // where the file cannot be read
} Store;

static void *cell_at(void *context, BreachLayer layer, int x, int y, bool changes) {
    Store *store = context;
    Pages *pages = &store->layers[layer];
    void *cell = store->cells->failed ? NULL : pages_cell(pages, x, y, store->error);
    if (!cell) {
        store->cells->failed = true;
        store->nothing = 0;
        return &store->nothing;
    }
    if (changes)
        pages_change(pages, x, y);
    return cell;
}

Status large_breach_rows(const BreachPlanes *planes, const Field *rows, int first, float sea, Error *error) {
    const size_t width = (size_t)rows->width;
    uint8_t *marks = memory_new(width, 1, error);
    Status status = marks ? STATUS_OK : STATUS_MEMORY;
    for (int y = 0; y < rows->height && status == STATUS_OK; y++) {
        const float *row = field_row(rows, y);
        for (size_t x = 0; x < width; x++)
            marks[x] = row[x] < sea ? BREACH_SEA : 0;
        status = plane_write(planes->layers[BREACH_MARKS], first + y, 1, marks, error);
    }
    for (int layer = BREACH_GIVEN; layer <= BREACH_GROUND && status == STATUS_OK; layer++)
        if (planes->layers[layer])
            status = plane_write(planes->layers[layer], first, rows->height, rows->cells, error);
    memory_free(marks);
    return status;
}

size_t large_breach_pits(const Field *height, int first, const Field *filled, int row, Waiting *pits) {
    const size_t width = (size_t)filled->width, start = (size_t)first * width;
    size_t count = 0;
    for (size_t i = 0; i < field_count(filled); i++)
        if (breach_is_pit(height, start + i, filled->cells[i]))
            pits[count++] = waiting_cell(height->cells[start + i], (int)(i % width), row + (int)(i / width));
    return count;
}

Status large_breach(const Run *run, const Breach *breach, const Field *place, const BreachPlanes *planes,
                    Waiting *pits, size_t count, bool *left, Error *error) {
    BreachCells cells = { .width = place->width, .height = place->height, .at = cell_at };
    Store store = { .cells = &cells, .error = error };
    cells.store = &store;
    Status status = STATUS_OK;
    for (int i = 0; i < LAYERS && status == STATUS_OK; i++)
        if (planes->layers[i])
            status = pages_create(&store.layers[i], planes->layers[i], PAGES_MAX, error);
    if (status == STATUS_OK)
        status = breach_pits(run, breach, place, &cells, pits, count, left, error);
    if (status == STATUS_OK)
        status = pages_flush(&store.layers[BREACH_GROUND], error);
    for (int i = 0; i < LAYERS; i++)
        pages_free(&store.layers[i]);
    return status;
}
