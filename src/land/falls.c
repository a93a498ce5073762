#include "land/falls.h"

#include "core/math.h"
#include "water/drainage.h"

// v - z plus a direction in the two low bits, for altitudes times 4; exact even after overflow.
KERNEL_INLINE int32_t towards_at(int32_t v, int32_t z, uint32_t direction) {
    return (int32_t)((uint32_t)v + direction - (uint32_t)z);
}

KERNEL_INLINE int32_t greatest_of(int32_t a, int32_t b, int32_t c, int32_t d) {
    const int32_t ab = max(a, b), cd = max(c, d);
    return max(ab, cd);
}

KERNEL static void find_falls_kernel(const int32_t *restrict above, const int32_t *restrict row,
                                     const int32_t *restrict below, int count, int32_t *restrict fall,
                                     int32_t *restrict direction) {
    for (int i = 0; i < count; i++) {
        const int32_t v = row[i + 1];
        const int32_t straight = greatest_of(towards_at(v, row[i + 2], 0), towards_at(v, below[i + 1], 1),
                                             towards_at(v, row[i], 2), towards_at(v, above[i + 1], 3));
        const int32_t aslant = greatest_of(towards_at(v, below[i + 2], 0), towards_at(v, below[i], 1),
                                           towards_at(v, above[i], 2), towards_at(v, above[i + 2], 3));
        const int32_t straight_fall = straight >> 2, aslant_fall = aslant >> 2;
        const int32_t diagonal = (float)aslant_fall * ESKER_DIAGONAL > (float)straight_fall;
        const int32_t best = diagonal ? aslant_fall : straight_fall;
        const int32_t way = 2 * ((diagonal ? aslant : straight) & 3) + diagonal;
        fall[i] = best;
        direction[i] = best > 0 ? way : way + FALLS_NOWHERE;
    }
}

void find_falls(const int32_t *quarters, ptrdiff_t stride, int count, int32_t *fall, int32_t *direction) {
    const int32_t *row = quarters - 1;
    find_falls_kernel(row - stride, row, row + stride, count, fall, direction);
}

// The flow of a neighbour if it drains in the given direction, otherwise 0; direction bits cleared.
KERNEL_INLINE uint32_t brought(uint16_t flow, uint16_t wanted) {
    const uint16_t cells = flow ^ wanted;
    return cells & FLOW_DIRECTION ? 0 : cells;
}

KERNEL static void gather_flow_kernel(const uint16_t *restrict above, const uint16_t *restrict row,
                                      const uint16_t *restrict below, int count,
                                      uint16_t *restrict gathered) {
    for (int i = 0; i < count; i++) {
        const uint16_t beside = (uint16_t)(brought(row[i + 2], 4) + brought(row[i], 0));
        const uint16_t from_below =
            (uint16_t)(brought(below[i + 2], 5) + brought(below[i + 1], 6) + brought(below[i], 7));
        const uint16_t from_above =
            (uint16_t)(brought(above[i], 1) + brought(above[i + 1], 2) + brought(above[i + 2], 3));
        const uint16_t own = (uint16_t)(FLOW_CELL + (row[i + 1] & FLOW_DIRECTION));
        gathered[i] = (uint16_t)(beside + from_below + from_above + own);
    }
}

void gather_flow(const uint16_t *flow, ptrdiff_t stride, int count, uint16_t *gathered) {
    gather_flow_kernel(flow - stride - 1, flow - 1, flow + stride - 1, count, gathered);
}
