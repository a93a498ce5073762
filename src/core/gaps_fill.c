// The nearest cells with data.

#include "core/gaps.h"
#include "core/memory.h"

enum { NOWHERE = -1 };

typedef struct Nearest {
    int x, y; // x NOWHERE: not found yet
} Nearest;

static void offer(Nearest *at, Nearest other, int x, int y) {
    if (other.x == NOWHERE)
        return;
    const double dx = at->x - x, dy = at->y - y, other_dx = other.x - x, other_dy = other.y - y;
    if (at->x == NOWHERE || other_dx * other_dx + other_dy * other_dy < dx * dx + dy * dy)
        *at = other;
}

// One sweep over all rows, each once to the right and once to the left; cells take over what their neighbours
// behind them have found (Danielsson 1980, "Euclidean distance mapping", the algorithm of eight neighbours).
static void sweep(Nearest *nearest, int width, int height, int down) {
    for (int row = 0; row < height; row++) {
        const int y = down > 0 ? row : height - 1 - row, behind = y - down;
        Nearest *cells = nearest + (size_t)y * (size_t)width;
        const Nearest *before = nearest + (size_t)(row ? behind : y) * (size_t)width;
        for (int x = 0; x < width; x++)
            for (int side = x > 0 ? -1 : 0; side <= 1 && x + side < width; side++)
                offer(&cells[x], before[x + side], x, y);
        for (int x = 1; x < width; x++)
            offer(&cells[x], cells[x - 1], x, y);
        for (int x = width - 2; x >= 0; x--)
            offer(&cells[x], cells[x + 1], x, y);
    }
}

Status gaps_fill(const Field *field, Field *filled, Error *error) {
    const size_t count = field_count(field);
    if (field->gaps->count == count)
        return fail(error, STATUS_INVALID, "none of the cells has data");
    Status status = field_create(filled, field->width, field->height, error);
    filled->side = field->side;
    Nearest *nearest = status == STATUS_OK ? memory_new(count, sizeof *nearest, error) : NULL;
    if (!nearest) {
        field_free(filled);
        return STATUS_MEMORY;
    }
    for (int y = 0; y < field->height; y++)
        for (int x = 0; x < field->width; x++) {
            const size_t i = (size_t)y * (size_t)field->width + (size_t)x;
            nearest[i] = (Nearest){ field_has_data(field, i) ? x : NOWHERE, y };
        }
    sweep(nearest, field->width, field->height, 1);
    sweep(nearest, field->width, field->height, -1);
    for (size_t i = 0; i < count; i++)
        field_cells(filled)[i] = field_row(field, nearest[i].y)[nearest[i].x];
    filled->wraps = field->wraps;
    filled->frame = field->frame;
    memory_free(nearest);
    return STATUS_OK;
}
