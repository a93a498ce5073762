#include "water/drainage.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "water/even_choice.h"
#include "water/filling.h"
#include "water/flats.h"

// --- slopes ----------------------------------------------------------------------------------------------

enum { TIED = 64 }; // of a direction: another one is as steep

// Sides that differ by less count as equal: ways that are equally steep on squares stay so where only the
// rounding of a frame tells the sides apart.
#define EVEN (1 / 1024.0)

CellShape drainage_row_shape(const Drainage *drainage, int y) {
    const CellShape shape = field_row_shape(drainage->height ? drainage->height : &drainage->filled, y);
    const double down = shape.down / shape.across;
    return (CellShape){ 1, fabs(down - 1) < EVEN ? 1 : down };
}

// 1 / distance to the neighbours of a cell of some row, in its width.
typedef struct Nearness {
    float across, down, diagonal;
} Nearness;

static Nearness nearness_in_row(const Drainage *drainage, int y) {
    const double down = drainage_row_shape(drainage, y).down;
    return (Nearness){ 1, (float)(1 / down), (float)(1 / sqrt(1 + down * down)) };
}

// Whether any direction is tied.
KERNEL static int descend_row(const float *restrict up, const float *restrict row, const float *restrict down,
                              uint8_t *restrict direction, int width, Nearness near, float sea) {
    uint8_t any = 0;
    for (int x = 1; x < width - 1; x++) {
        const float level = row[x];
        float steepest = 0;
        int to = UNSEEN;
#define LOOK(neighbour, nearness, code)                                                                      \
    {                                                                                                        \
        const float descent = (level - (neighbour)) * (nearness);                                            \
        to = descent > steepest ? (code) : descent == steepest ? to | TIED : to;                             \
        steepest = descent > steepest ? descent : steepest;                                                  \
    }
        LOOK(row[x + 1], near.across, 0)
        LOOK(down[x + 1], near.diagonal, 1)
        LOOK(down[x], near.down, 2)
        LOOK(down[x - 1], near.diagonal, 3)
        LOOK(row[x - 1], near.across, 4)
        LOOK(up[x - 1], near.diagonal, 5)
        LOOK(up[x], near.down, 6)
        LOOK(up[x + 1], near.diagonal, 7)
#undef LOOK
        to = steepest > 0 ? to : UNSEEN;
        direction[x] = (uint8_t)(level < sea ? DRAINS_OFF : to);
        any |= direction[x] & TIED;
    }
    return any;
}

// The same of any cell.
static uint8_t steepest_direction(const Drainage *drainage, Nearness near, int x, int y) {
    const Field *filled = &drainage->filled;
    const size_t cell = (size_t)y * (size_t)filled->width + (size_t)x;
    const float level = filled->cells[cell], sea = (float)drainage->sea_level;
    const float nearness[NEIGHBOURS] = { near.across, near.diagonal, near.down, near.diagonal,
                                         near.across, near.diagonal, near.down, near.diagonal };
    float steepest = 0;
    unsigned ways = 0;
    for (int i = 0; i < NEIGHBOURS && level >= sea; i++) {
        if (!within_field(filled, x + neighbour_x[i], y + neighbour_y[i]))
            continue;
        const float descent = (level - filled->cells[neighbour_of(filled, cell, i)]) * nearness[i];
        ways = descent > steepest ? 0 : ways;
        ways |= descent > 0 && descent >= steepest ? 1U << i : 0;
        steepest = max(descent, steepest);
    }
    if (several(ways))
        ways = ways_of_the_fall(filled, sea, x, y, &towards_neighbours, ways);
    return (uint8_t)(ways ? draw_way(ways, x, drainage->row + y) : DRAINS_OFF);
}

static void descend_rows(void *context, int first, int end) {
    const Drainage *drainage = context;
    const Field *filled = &drainage->filled;
    const int width = filled->width;
    for (int y = first; y < end; y++) {
        uint8_t *row = drainage->direction + (size_t)y * (size_t)width;
        const Nearness near = nearness_in_row(drainage, y);
        const bool border = y == 0 || y == filled->height - 1;
        for (int x = 0; x < width; x += border ? 1 : max(width - 1, 1))
            row[x] = steepest_direction(drainage, near, x, y);
        if (border)
            continue;
        const int tied = descend_row(field_row(filled, y - 1), field_row(filled, y), field_row(filled, y + 1),
                                     row, width, near, (float)drainage->sea_level);
        for (int x = 1; tied && x < width - 1; x++)
            row[x] = row[x] & TIED ? steepest_direction(drainage, near, x, y) : row[x];
    }
}

// --- all ---------------------------------------------------------------------------------------------------

// The directions of all rows but for flats, then the flats of some.
static Status find_directions(const Run *run, Drainage *drainage, int first, int end, Error *error) {
    const Field *filled = &drainage->filled;
    drainage->direction = memory_new(field_count(filled), 1, error);
    if (!drainage->direction)
        return STATUS_MEMORY;
    const Status status = parallel_rows(run, filled->height, filled->width * 2.0, descend_rows, drainage);
    return status == STATUS_OK ? flats_drain(run, drainage, first, end, error) : status;
}

Status drainage_find(const Run *run, Drainage *drainage, Error *error) {
    const Status status =
        fill_to_spills(run, drainage->height, (float)drainage->sea_level, &drainage->filled, error);
    return status == STATUS_OK ? find_directions(run, drainage, 0, drainage->filled.height, error) : status;
}

Status drainage_find_part(const Run *run, Drainage *drainage, int first, int end, Error *error) {
    return find_directions(run, drainage, first, end, error);
}
