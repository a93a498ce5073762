// Spills: the passes over which the water of one basin reaches another, and the level to which each basin
// fills before its water has reached an outlet.
//
// That level is the least, over all ways to an outlet, of the highest spill on the way: the one on the way in
// a minimum spanning tree, which Kruskal's algorithm finds, the lowest spills first. Of a part of the land
// only `keys` matter to the others: basins that touch them, and outlets. A basin that is no key fills until
// it meets one, and to no less than that one's level.

#ifndef ESKER_SPILLS_H
#define ESKER_SPILLS_H

#include "core/error.h"
#include "core/math.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_BASIN UINT32_MAX

typedef struct Spill {
    float height;
    uint32_t basin[2];
} Spill;

// `count` of `room` spills, and room to sort as many.
typedef struct SpillList {
    Spill *at, *scratch;
    size_t count, room;
} SpillList;

typedef struct Basin {
    uint32_t part; // a basin that this one was joined to, or itself
    uint32_t next; // the basins of a part form a ring
    uint32_t key;  // of a part, where `part` is this basin: a key in it, or NO_BASIN
    float level;
} Basin;

void spills_sort(SpillList *list);

// Puts each of the basins `first` … `end` - 1 in a part of its own, without a key.
void basins_begin(Basin *basins, uint32_t first, uint32_t end);

// Adds a spill. Requires room.
static inline void spills_add(SpillList *list, float height, uint32_t one, uint32_t other) {
    list->at[list->count++] = (Spill){ height, { one, other } };
}

// Spills that were seen last, so that of the many between two basins few are kept.
enum { SPILLS_SEEN_BITS = 10, SPILLS_SEEN = 1 << SPILLS_SEEN_BITS };

typedef struct SeenSpills {
    Spill at[SPILLS_SEEN];
} SeenSpills;

static inline void seen_clear(SeenSpills *seen) {
    for (int i = 0; i < SPILLS_SEEN; i++)
        seen->at[i].basin[0] = NO_BASIN;
}

// Adds at most one spill to the list. Requires room.
static inline void note_spill(SeenSpills *seen, SpillList *list, float height, uint32_t one, uint32_t other) {
    const uint32_t low = min(one, other), high = max(one, other);
    const uint32_t slot =
        (low * UINT32_C(0x9e3779b1) + high * UINT32_C(0x85ebca77)) >> (32 - SPILLS_SEEN_BITS);
    Spill *last = &seen->at[slot];
    if (last->basin[0] == low && last->basin[1] == high) {
        last->height = min(height, last->height);
        return;
    }
    if (last->basin[0] != NO_BASIN)
        list->at[list->count++] = *last;
    *last = (Spill){ height, { low, high } };
}

// Adds those that are still seen, at most SPILLS_SEEN.
static inline void seen_flush(SeenSpills *seen, SpillList *list) {
    for (int i = 0; i < SPILLS_SEEN; i++)
        if (seen->at[i].basin[0] != NO_BASIN)
            list->at[list->count++] = seen->at[i];
    seen_clear(seen);
}

// Keeps of spills between the basins `first` … `end` - 1 those of a minimum spanning forest. Leaves each
// basin in a part of its own.
void spills_thin(SpillList *list, Basin *basins, uint32_t first, uint32_t end);

// Joins basins. Of one that is no key `key` and `level` become the key that it reaches first and the level
// at which it does. Spills between two keys are added to `left`, which has room for one less than there are
// keys, unless it is NULL.
void spills_join(SpillList *list, Basin *basins, SpillList *left);

#endif
