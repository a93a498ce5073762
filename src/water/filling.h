// Fills the pits of a heightfield to the height at which they spill, in linear time.
//
// Cells that run down into the same pit are a basin. A cell's water leaves over no lower point than its
// basin's does, so that the filled height of a cell is the greater of its own and its basin's level
//. Basins are found in bands of rows, each on its own: a band's edges make pits that are none, and
// these spill into the next band at once. Only basins along those edges are joined on one thread (the
// division is that of Barnes 2016, "Parallel priority-flood depression filling for trillion cell digital
// elevation models on desktops or clusters", whose tiles flood instead).

#ifndef ESKER_FILLING_H
#define ESKER_FILLING_H

#include "core/error.h"
#include "core/field.h"
#include "core/math.h"
#include "core/parallel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// --- spills ------------------------------------------------------------------------------------------------

// Spills: the passes over which the water of one basin reaches another, and the level to which each basin
// fills before its water has reached an outlet.
//
// That level is the least, over all ways to an outlet, of the highest spill on the way: the one on the way in
// a minimum spanning tree, which Kruskal's algorithm finds, the lowest spills first. Of a part of the land
// only `keys` matter to the others: basins that touch them, and outlets. A basin that is no key fills until
// it meets one, and to no less than that one's level.

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

// Joins basins. Of one that is no key `key` and `level` become the key that it reaches first and the level
// at which it does. Spills between two keys are added to `left`, which has room for one less than there are
// keys, unless it is NULL.
void spills_join(SpillList *list, Basin *basins, SpillList *left);

// --- basins of a band --------------------------------------------------------------------------------------

// Basins of a band of rows: what runs down into the same cell.

// Marks labels: the number of a cell's basin in its band, with this bit. Others are places of lower cells.
#define BASIN_FOUND UINT32_C(0x80000000)

// Points each cell of a row to its lowest neighbour, of equal ones to the last that comes before it, or to
// itself. `place` is that of the row in its band; one that lies outside wraps round. Ends of the row and
// cells below `sea` are outlets: BASIN_FOUND.
void point_downhill(const float *up, const float *row, const float *down, uint32_t *label, int width,
                    uint32_t place, float sea);

// Follows the cells of a band downhill and labels them; basins are numbered as they are met, from 1. 0 are
// outlets. Returns the number of basins, with 0.
uint32_t label_downhill(uint32_t *label, uint32_t cells);

// --- filling -----------------------------------------------------------------------------------------------

// From every cell of `filled`, whose cells are there already, a path that never rises leads to the border or
// to a cell below `sea`. No cell is higher than that requires.
Status fill_to_spills(const Run *run, const Field *height, float sea, Field *filled, Error *error);

// Some rows of a larger field, which goes on beyond open edges. Basins along these are keys: 0 are those that
// reach the border or the sea within the part, others have numbers from 1. The part is filled twice: first
// to find the keys and the spills between them; then, once the levels of keys are known from all parts, the
// cells.
typedef struct FillPart {
    bool open_top, open_bottom;
    uint32_t *top, *bottom; // for each cell of an open edge its key
    uint32_t key_count;     // without 0
    SpillList spills;       // between keys; has room for as many as there are cells along open edges
    const float *levels;    // of keys, from 1 on; NULL: not known yet
    size_t level_count;     // as many as keys, or they are those of another part
    Field *filled;          // its cells are there; NULL: not yet
} FillPart;

Status fill_part(const Run *run, const Field *height, float sea, FillPart *part, Error *error);

#endif
