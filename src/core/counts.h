// Counts turned into starts, in place: the step in the middle of a counting sort.

#ifndef ESKER_COUNTS_H
#define ESKER_COUNTS_H

#include <stddef.h>
#include <stdint.h>

// Each of the `n` counts becomes the sum of those before it: where the items that it counted begin.
static inline void counts_to_starts(uint32_t *counts, size_t n) {
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
}

#endif
