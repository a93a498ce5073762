#include "land/falls.h"

#include "core/math.h"
#include "rivers/drainage.h"

// v - z + a direction, of an altitude that lies in quarters; right even where the count has run over.
KERNEL_INLINE int32_t towards_at(int32_t v, int32_t z, uint32_t direction) {
    return (int32_t)((uint32_t)v + direction - (uint32_t)z);
}

KERNEL_INLINE int32_t greatest_of(int32_t a, int32_t b, int32_t c, int32_t d) {
    const int32_t ab = max(a, b), cd = max(c, d);
    return max(ab, cd);
}

KERNEL static void find_falls_kernel(const int32_t *restrict above, const int32_t *restrict row,
                                     const int32_t *restrict below, int count, int32_t *restrict fall,
                                     uint16_t *restrict direction) {
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
        direction[i] = (uint16_t)(best > 0 ? way : way + FALLS_NOWHERE);
    }
}

void find_falls(const int32_t *quarters, ptrdiff_t stride, int count, int32_t *fall, uint16_t *direction) {
    const int32_t *row = quarters - 1;
    find_falls_kernel(row - stride, row, row + stride, count, fall, direction);
}

KERNEL_INLINE uint16_t brought(uint16_t rain, uint16_t direction, uint16_t wanted) {
    return direction == wanted ? rain : 0;
}

KERNEL static void gather_rain_kernel(const uint16_t *restrict rain_above, const uint16_t *restrict rain,
                                      const uint16_t *restrict rain_below, const uint16_t *restrict above,
                                      const uint16_t *restrict row, const uint16_t *restrict below, int count,
                                      uint16_t *restrict gathered) {
    for (int i = 0; i < count; i++) {
        const uint16_t from_right = brought(rain[i + 2], row[i + 2], 4),
                       from_left = brought(rain[i], row[i], 0);
        const uint16_t from_below =
            (uint16_t)(brought(rain_below[i + 2], below[i + 2], 5) +
                       brought(rain_below[i + 1], below[i + 1], 6) + brought(rain_below[i], below[i], 7));
        const uint16_t from_above =
            (uint16_t)(brought(rain_above[i], above[i], 1) + brought(rain_above[i + 1], above[i + 1], 2) +
                       brought(rain_above[i + 2], above[i + 2], 3));
        gathered[i] = (uint16_t)(1 + from_right + from_left + from_below + from_above);
    }
}

void gather_rain(const uint16_t *rain, ptrdiff_t stride, const uint16_t *above, const uint16_t *row,
                 const uint16_t *below, int count, uint16_t *gathered) {
    gather_rain_kernel(rain - stride - 1, rain - 1, rain + stride - 1, above - 1, row - 1, below - 1, count,
                       gathered);
}
