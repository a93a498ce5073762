#include "water/downhill.h"

#include "core/kernel.h"

KERNEL static void point_row(const float *restrict up, const float *restrict row, const float *restrict down,
                             uint32_t *restrict label, int width, uint32_t place, float sea) {
    for (int x = 1; x < width - 1; x++) {
        float least = row[x];
        int to = x;
#define LOOK(neighbour, less, at)                                                                            \
    to = (neighbour)less least ? (at) : to;                                                                  \
    least = (neighbour)less least ? (neighbour) : least;
        LOOK(up[x - 1], <=, x - width - 1)
        LOOK(up[x], <=, x - width)
        LOOK(up[x + 1], <=, x - width + 1)
        LOOK(row[x - 1], <=, x - 1)
        LOOK(row[x + 1], <, x + 1)
        LOOK(down[x - 1], <, x + width - 1)
        LOOK(down[x], <, x + width)
        LOOK(down[x + 1], <, x + width + 1)
#undef LOOK
        label[x] = row[x] < sea ? BASIN_FOUND : place + (uint32_t)to;
    }
    label[0] = label[width - 1] = BASIN_FOUND;
}

void point_downhill(const float *up, const float *row, const float *down, uint32_t *label, int width,
                    uint32_t place, float sea) {
    point_row(up, row, down, label, width, place, sea);
}

static void label_from(uint32_t *label, uint32_t cell, uint32_t *basins) {
    uint32_t at = cell;
    while (!(label[at] & BASIN_FOUND) && label[at] != at)
        at = label[at];
    if (!(label[at] & BASIN_FOUND))
        label[at] = BASIN_FOUND | (*basins)++;
    const uint32_t found = label[at];
    for (uint32_t next; !(label[cell] & BASIN_FOUND); cell = next) {
        next = label[cell];
        label[cell] = found;
    }
}

uint32_t label_downhill(uint32_t *label, uint32_t cells) {
    uint32_t basins = 1;
    for (uint32_t i = 0; i < cells; i++)
        if (!(label[i] & BASIN_FOUND))
            label_from(label, i, &basins);
    return basins;
}
