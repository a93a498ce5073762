#include "rivermap/eroded/ponds.h"

#include "core/math.h"
#include "core/memory.h"
#include "land/cube.h"

typedef struct Ponds {
    float *cells;
    int width, height;
    bool planet; // the faces of a cube, one below the other
    uint8_t *seen;
    int *sea; // the cells of one
} Ponds;

static void see(const Ponds *ponds, int cell, int *count) {
    if (ponds->cells[cell] >= 0 || ponds->seen[cell])
        return;
    ponds->seen[cell] = 1;
    ponds->sea[(*count)++] = cell;
}

// The cell at a column and row beside one of row `of`, or -1: there is none.
static int cell_beside(const Ponds *ponds, int x, int y, int of) {
    const int side = ponds->width;
    if (!ponds->planet)
        return x >= 0 && y >= 0 && x < side && y < ponds->height ? y * side + x : -1;
    const int top = of / side * side;
    CubeCell cell = { of / side, x, y - top, 0 };
    return cube_resolve(side, &cell) ? (cell.face * side + (int)cell.y) * side + (int)cell.x : -1;
}

// Collects the sea around a cell. Returns whether it is a pond, whose cells are then the first `count`.
static bool is_pond(const Ponds *ponds, int cell, int *count) {
    const int width = ponds->width;
    bool border = false;
    *count = 0;
    see(ponds, cell, count);
    for (int i = 0; i < *count; i++) {
        const int x = ponds->sea[i] % width, y = ponds->sea[i] / width;
        for (int to_y = y - 1; to_y <= y + 1; to_y++)
            for (int to_x = x - 1; to_x <= x + 1; to_x++) {
                const int beside = cell_beside(ponds, to_x, to_y, y);
                border = border || (beside < 0 && !ponds->planet);
                if (beside >= 0)
                    see(ponds, beside, count);
            }
    }
    return !border && *count < POND_CELLS;
}

Status fill_ponds(Field *field, bool planet, Error *error) {
    const size_t cells = field_count(field);
    Ponds ponds = {
        .cells = field_cells(field), .width = field->width, .height = field->height, .planet = planet
    };
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
