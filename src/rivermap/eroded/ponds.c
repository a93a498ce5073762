#include "rivermap/eroded/ponds.h"

#include "core/math.h"
#include "core/memory.h"

typedef struct Ponds {
    float *cells;
    int width, height;
    uint8_t *seen;
    int *sea; // the cells of one
} Ponds;

static void see(const Ponds *ponds, int cell, int *count) {
    if (ponds->cells[cell] >= 0 || ponds->seen[cell])
        return;
    ponds->seen[cell] = 1;
    ponds->sea[(*count)++] = cell;
}

// Collects the sea around a cell. Returns whether it is a pond, whose cells are then the first `count`.
static bool is_pond(const Ponds *ponds, int cell, int *count) {
    const int width = ponds->width, height = ponds->height;
    bool open = false;
    *count = 0;
    see(ponds, cell, count);
    for (int i = 0; i < *count; i++) {
        const int x = ponds->sea[i] % width, y = ponds->sea[i] / width;
        open = open || x == 0 || y == 0 || x == width - 1 || y == height - 1;
        for (int to_y = max(y - 1, 0); to_y <= min(y + 1, height - 1); to_y++)
            for (int to_x = max(x - 1, 0); to_x <= min(x + 1, width - 1); to_x++)
                see(ponds, to_y * width + to_x, count);
    }
    return !open && *count < POND_CELLS;
}

Status fill_ponds(Field *field, Error *error) {
    const size_t cells = field_count(field);
    Ponds ponds = { .cells = field_cells(field), .width = field->width, .height = field->height };
    ponds.seen = memory_new_zeroed(cells, 1, error);
    ponds.sea = ponds.seen ? memory_new(cells, sizeof *ponds.sea, error) : NULL;
    const Status status = ponds.sea ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; status == STATUS_OK && i < cells; i++) {
        int count;
        if (is_pond(&ponds, (int)i, &count))
            for (int k = 0; k < count; k++)
                ponds.cells[ponds.sea[k]] = 0;
    }
    memory_free(ponds.seen);
    memory_free(ponds.sea);
    return status;
}
