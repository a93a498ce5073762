#include "rivermap/eroded/fjords.h"

#include "core/memory.h"

#include <string.h>

// In finer cells: the square around a coarse cell, and the least size of a piece of land in it.
enum { AROUND = FJORD_CELLS + 2, PIECE = 4 };

typedef struct Fjords {
    const int32_t *fine;
    int side;         // finer cells along it
    uint8_t *reached; // finer cells of the sea that is open to a coarse cell of sea
    int *stack;
    int count;
} Fjords;

static void reach(Fjords *fjords, int x, int y) {
    if (x < 0 || y < 0 || x >= fjords->side || y >= fjords->side)
        return;
    const int at = y * fjords->side + x;
    if (fjords->fine[at] >= 0 || fjords->reached[at])
        return;
    fjords->reached[at] = 1;
    fjords->stack[fjords->count++] = at;
}

static void reach_open_sea(Fjords *fjords, const Field *field) {
    for (int y = 0; y < fjords->side; y++)
        for (int x = 0; x < fjords->side; x++)
            if (field->cells[y / FJORD_CELLS * field->width + x / FJORD_CELLS] < 0)
                reach(fjords, x, y);
    while (fjords->count > 0) {
        const int at = fjords->stack[--fjords->count], x = at % fjords->side, y = at / fjords->side;
        reach(fjords, x - 1, y);
        reach(fjords, x + 1, y);
        reach(fjords, x, y - 1);
        reach(fjords, x, y + 1);
    }
}

// How many cells a piece of land has, from (x, y) on; takes it away.
static int take_piece(bool land[AROUND][AROUND], int x, int y) {
    if (x < 0 || y < 0 || x >= AROUND || y >= AROUND || !land[y][x])
        return 0;
    land[y][x] = false;
    int count = 1;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            count += take_piece(land, x + dx, y + dy);
    return count;
}

// Whether the sea parts the land around a coarse cell.
static bool is_parted(const Fjords *fjords, int left, int top) {
    bool land[AROUND][AROUND];
    for (int y = 0; y < AROUND; y++)
        for (int x = 0; x < AROUND; x++) {
            const int at_x = left + x - 1, at_y = top + y - 1;
            land[y][x] = at_x >= 0 && at_y >= 0 && at_x < fjords->side && at_y < fjords->side &&
                         !fjords->reached[at_y * fjords->side + at_x];
        }
    int pieces = 0;
    for (int y = 0; y < AROUND; y++)
        for (int x = 0; x < AROUND; x++)
            pieces += take_piece(land, x, y) >= PIECE;
    return pieces > 1;
}

// The mean of a coarse cell's open sea; 0 where it has none.
static float sea_in(const Fjords *fjords, int left, int top, float unit) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < FJORD_CELLS * FJORD_CELLS; i++) {
        const int at = (top + i / FJORD_CELLS) * fjords->side + left + i % FJORD_CELLS;
        if (fjords->reached[at]) {
            sum += fjords->fine[at];
            count++;
        }
    }
    return count > 0 ? (float)(sum / count * (double)unit) : 0;
}

Status open_fjords(const int32_t *fine, float unit, Field *field, Error *error) {
    const size_t count = field_count(field) * FJORD_CELLS * FJORD_CELLS;
    Fjords fjords = { .fine = fine, .side = field->width * FJORD_CELLS };
    fjords.reached = memory_new_zeroed(count, 1, error);
    fjords.stack = memory_new(count, sizeof *fjords.stack, error);
    const bool room = fjords.reached && fjords.stack;
    if (room)
        reach_open_sea(&fjords, field);
    for (int y = 0; room && y < field->height; y++)
        for (int x = 0; x < field->width; x++) {
            float *cell = &field_row(field, y)[x];
            const float sea = *cell < 0 ? 0 : sea_in(&fjords, x * FJORD_CELLS, y * FJORD_CELLS, unit);
            if (sea < 0 && is_parted(&fjords, x * FJORD_CELLS, y * FJORD_CELLS))
                *cell = sea;
        }
    memory_free(fjords.stack);
    memory_free(fjords.reached);
    return room ? STATUS_OK : STATUS_MEMORY;
}
