#include "water/spills.h"

#include "core/counts.h"
#include "water/cell_queue.h"

#include <string.h>

// --- sorting ---------------------------------------------------------------------------------------------

enum { DIGIT_BITS = 11, DIGITS = 3, DIGIT_VALUES = 1 << DIGIT_BITS };

static uint32_t digit_of(const Spill *spill, int digit) {
    return ordered_bits(spill->height) >> (digit * DIGIT_BITS) & (DIGIT_VALUES - 1);
}

// By radix, which keeps the order of equal ones.
void spills_sort(SpillList *list) {
    uint32_t start[DIGITS][DIGIT_VALUES];
    memset(start, 0, sizeof start);
    for (size_t i = 0; i < list->count; i++)
        for (int digit = 0; digit < DIGITS; digit++)
            start[digit][digit_of(&list->at[i], digit)]++;
    for (int digit = 0; digit < DIGITS; digit++) {
        counts_to_starts(start[digit], DIGIT_VALUES);
        for (size_t i = 0; i < list->count; i++)
            list->scratch[start[digit][digit_of(&list->at[i], digit)]++] = list->at[i];
        Spill *const sorted = list->scratch;
        list->scratch = list->at;
        list->at = sorted;
    }
}

// --- joining ---------------------------------------------------------------------------------------------

void basins_begin(Basin *basins, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++)
        basins[i] = (Basin){ i, i, NO_BASIN, 0 };
}

static uint32_t part_of(Basin *basins, uint32_t basin) {
    while (basins[basin].part != basin)
        basin = basins[basin].part = basins[basins[basin].part].part;
    return basin;
}

void spills_thin(SpillList *list, Basin *basins, uint32_t first, uint32_t end) {
    size_t kept = 0;
    spills_sort(list);
    for (size_t i = 0; i < list->count; i++) {
        const Spill spill = list->at[i];
        const uint32_t one = part_of(basins, spill.basin[0]), other = part_of(basins, spill.basin[1]);
        basins[one].part = other;
        if (one != other)
            list->at[kept++] = spill;
    }
    list->count = kept;
    for (uint32_t i = first; i < end; i++)
        basins[i].part = i;
}

// All basins of a part reach a key.
static void reach(Basin *basins, uint32_t part, uint32_t key, float level) {
    uint32_t at = part;
    do {
        basins[at].key = key;
        basins[at].level = level;
        at = basins[at].next;
    } while (at != part);
}

static void join_rings(Basin *basins, uint32_t one, uint32_t other) {
    const uint32_t next = basins[one].next;
    basins[one].next = basins[other].next;
    basins[other].next = next;
}

void spills_join(SpillList *list, Basin *basins, SpillList *left) {
    spills_sort(list);
    for (size_t i = 0; i < list->count; i++) {
        const Spill spill = list->at[i];
        uint32_t into = part_of(basins, spill.basin[0]), from = part_of(basins, spill.basin[1]);
        if (into == from)
            continue;
        if (basins[into].key == NO_BASIN) {
            const uint32_t keyless = into;
            into = from;
            from = keyless;
        }
        const uint32_t key = basins[into].key, other = basins[from].key;
        if (key == NO_BASIN)
            join_rings(basins, into, from);
        else if (other == NO_BASIN)
            reach(basins, from, key, spill.height);
        else if (left)
            spills_add(left, spill.height, key, other);
        basins[from].part = into;
    }
}
