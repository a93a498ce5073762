#include "rivermap/eroded/fjords.h"

#include "core/math.h"
#include "core/memory.h"

// In finer cells: the square around a coarse cell, and the least size of a piece of land in it.
enum { AROUND = FJORD_CELLS + 2, PIECE = 4 };

typedef struct Fjords {
    const int32_t *fine;
    Field *field;
    float unit;
    int side;         // finer cells along it
    uint8_t *reached; // finer cells of the sea that is open to a coarse cell of sea
    int *stack;
    int count;
} Fjords;

// Finer sea in coarse sea.
static void open_rows(void *context, int first, int end) {
    const Fjords *fjords = context;
    for (int y = first; y < end; y++) {
        const float *coarse = field_row(fjords->field, y / FJORD_CELLS);
        const int32_t *fine = fjords->fine + (size_t)y * (size_t)fjords->side;
        uint8_t *reached = fjords->reached + (size_t)y * (size_t)fjords->side;
        for (int x = 0; x < fjords->side; x++)
            reached[x] = coarse[x / FJORD_CELLS] < 0 && fine[x] < 0;
    }
}

static void reach(Fjords *fjords, int x, int y) {
    if (x < 0 || y < 0 || x >= fjords->side || y >= fjords->side)
        return;
    const int at = y * fjords->side + x;
    if (fjords->fine[at] >= 0 || fjords->reached[at])
        return;
    fjords->reached[at] = 1;
    fjords->stack[fjords->count++] = at;
}

static void reach_around(Fjords *fjords, int x, int y) {
    reach(fjords, x - 1, y);
    reach(fjords, x + 1, y);
    reach(fjords, x, y - 1);
    reach(fjords, x, y + 1);
}

static bool is_coarse_sea(const Fjords *fjords, int x, int y) {
    return field_row(fjords->field, y)[x] < 0;
}

// Whether a coarse cell of the sea lies beside land.
static bool is_coast(const Fjords *fjords, int x, int y) {
    const int last = fjords->field->width - 1;
    return is_coarse_sea(fjords, x, y) &&
           (!is_coarse_sea(fjords, max(x - 1, 0), y) || !is_coarse_sea(fjords, min(x + 1, last), y) ||
            !is_coarse_sea(fjords, x, max(y - 1, 0)) || !is_coarse_sea(fjords, x, min(y + 1, last)));
}

// From the open sea in a coarse cell.
static void reach_from(Fjords *fjords, int left, int top) {
    for (int i = 0; i < FJORD_CELLS * FJORD_CELLS; i++) {
        const int x = left + i % FJORD_CELLS, y = top + i / FJORD_CELLS;
        if (fjords->reached[y * fjords->side + x])
            reach_around(fjords, x, y);
    }
}

// On from the coast into cells that are land as a whole: few.
static void reach_inland(Fjords *fjords) {
    for (int y = 0; y < fjords->field->height; y++)
        for (int x = 0; x < fjords->field->width; x++)
            if (is_coast(fjords, x, y))
                reach_from(fjords, x * FJORD_CELLS, y * FJORD_CELLS);
    while (fjords->count > 0) {
        const int at = fjords->stack[--fjords->count];
        reach_around(fjords, at % fjords->side, at / fjords->side);
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
static float sea_in(const Fjords *fjords, int left, int top) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < FJORD_CELLS * FJORD_CELLS; i++) {
        const int at = (top + i / FJORD_CELLS) * fjords->side + left + i % FJORD_CELLS;
        if (fjords->reached[at]) {
            sum += fjords->fine[at];
            count++;
        }
    }
    return count > 0 ? (float)(sum / count * (double)fjords->unit) : 0;
}

static void part_rows(void *context, int first, int end) {
    const Fjords *fjords = context;
    for (int y = first; y < end; y++)
        for (int x = 0; x < fjords->field->width; x++) {
            float *cell = &field_row(fjords->field, y)[x];
            const float sea = *cell < 0 ? 0 : sea_in(fjords, x * FJORD_CELLS, y * FJORD_CELLS);
            if (sea < 0 && is_parted(fjords, x * FJORD_CELLS, y * FJORD_CELLS))
                *cell = sea;
        }
}

Status open_fjords(const Run *run, const int32_t *fine, float unit, Field *field, Error *error) {
    const size_t count = field_count(field) * FJORD_CELLS * FJORD_CELLS;
    Fjords fjords = { .fine = fine, .field = field, .unit = unit, .side = field->width * FJORD_CELLS };
    fjords.reached = memory_new(count, 1, error);
    fjords.stack = memory_new(count, sizeof *fjords.stack, error);
    Status status = fjords.reached && fjords.stack ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = parallel_rows(run, fjords.side, fjords.side * 0.5, open_rows, &fjords);
    if (status == STATUS_OK) {
        reach_inland(&fjords);
        status = parallel_rows(run, field->height, field->width * 30.0, part_rows, &fjords);
    }
    memory_free(fjords.stack);
    memory_free(fjords.reached);
    return status;
}
