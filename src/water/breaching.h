// Channels of least cost out of pits (breach.c), in cells that are in memory or elsewhere.

#ifndef ESKER_BREACHING_H
#define ESKER_BREACHING_H

#include "core/operation.h"
#include "water/cell_queue.h"
#include "water/drainage.h"

#include <stdbool.h>

typedef struct Breach {
    double slope, depth; // in heights a cell and in heights; 0: level, any
    double length;       // in cells; 0: any
    double sea_level;
} Breach;

extern const Operation limits_of_breach; // gives slope, depth, length and sea_level as such numbers

enum { BREACH_SEA = 1, BREACH_CHANNEL = 2 };

// What is known of each cell: its height as given, that as dug so far, and bits.
typedef enum BreachLayer { BREACH_GIVEN, BREACH_GROUND, BREACH_MARKS } BreachLayer;

typedef struct BreachCells {
    int width, height;
    const float *given; // not read where no channel is too deep
    float *ground;      // as given at first
    uint8_t *marks;     // BREACH_SEA, of cells below the sea's level

    // Cells that are not in memory: the place of one, valid until the next call, and whether it is changed.
    // After a failure it is a place that means nothing, and `failed` is set.
    void *(*at)(void *store, BreachLayer layer, int x, int y, bool changes);
    void *store;
    bool failed; // with the error filled that breach_pits was given
} BreachCells;

// Whether a cell is one from which a channel leads, given its filled height. It may be on the border.
static inline bool breach_is_pit(const Field *height, size_t cell, float filled) {
    if (!(filled > height->cells[cell])) // so that it is not on the border
        return false;
    for (int i = 0; i < NEIGHBOURS; i++)
        if (height->cells[neighbour_of(height, cell, i)] < height->cells[cell])
            return false;
    return true;
}

// Opens pits, which are put in order. `place`: where the field lies; its cells are not read. `*left`: whether
// some could not be opened within the limits.
Status breach_pits(const Run *run, const Breach *breach, const Field *place, BreachCells *cells,
                   Waiting *pits, size_t count, bool *left, Error *error);

#endif
