#include "water/row_spills.h"

#include "core/kernel.h"

enum { PIECE = 1024 }; // cells of a row at a time

// Finds the ways between which cells water may spill. `apart`: not 0 for rows whose basins count from
// different numbers.
KERNEL static void find_spills(const float *restrict row, const float *restrict down,
                               const uint32_t *restrict label, const uint32_t *restrict under, uint32_t apart,
                               uint8_t *restrict ways, int count) {
    for (int x = 0; x < count; x++) {
        const float high = max(row[x], down[x + 1]), other = max(row[x + 1], down[x]);
        const float low = min(row[x], down[x + 1]), other_low = min(row[x + 1], down[x]);
        const uint32_t here = label[x], right = label[x + 1], below = under[x], far = under[x + 1];
        uint32_t found = here != right ? BESIDE : 0;
        found |= ((here ^ below) | apart) != 0 ? BELOW : 0;
        found |= ((((here ^ far) | apart) != 0) & (other_low > high)) ? FALLING : 0;
        found |= ((((right ^ below) | apart) != 0) & (low > other)) ? RISING : 0;
        ways[x] = (uint8_t)found;
    }
}

static void note_ways(SeenSpills *seen, SpillList *list, const RowPair *at, int x, int ways) {
    const uint32_t here = at->own + (at->label[x] & ~BASIN_FOUND),
                   under = at->below + (at->under[x] & ~BASIN_FOUND);
    if (ways & BESIDE)
        note_spill(seen, list, max(at->row[x], at->row[x + 1]), here,
                   at->own + (at->label[x + 1] & ~BASIN_FOUND));
    if (ways & BELOW)
        note_spill(seen, list, max(at->row[x], at->down[x]), here, under);
    if (ways & FALLING)
        note_spill(seen, list, max(at->row[x], at->down[x + 1]), here,
                   at->below + (at->under[x + 1] & ~BASIN_FOUND));
    if (ways & RISING)
        note_spill(seen, list, max(at->row[x + 1], at->down[x]), at->own + (at->label[x + 1] & ~BASIN_FOUND),
                   under);
}

void note_row_spills(SeenSpills *seen, SpillList *list, const RowPair *at, int width, int noted) {
    const uint32_t apart = at->own ^ at->below;
    uint8_t ways[PIECE];
    for (int first = 0; first < width - 1; first += PIECE) {
        const int count = min(width - 1 - first, PIECE);
        find_spills(at->row + first, at->down + first, at->label + first, at->under + first, apart, ways,
                    count);
        for (int x = 0; x < count; x++)
            if (ways[x] & noted)
                note_ways(seen, list, at, first + x, ways[x] & noted);
    }
    if (apart)
        note_ways(seen, list, at, width - 1, BELOW & noted);
}
