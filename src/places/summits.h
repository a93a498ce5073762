// Summits of a heightfield and their topographic prominence (Kirmse and de Ferranti 2017, "Calculating the
// prominence and isolation of every mountain in the world", Introduction): how far one must go down from a
// summit before any way leads to higher ground. Of equally high cells the first in the order of rows counts
// as the highest, so that a plateau is one summit.
//
// Cells belong to the summit that they reach uphill within their band of rows. The grounds of two summits
// meet at saddles; the highest saddles first, all but the highest summit of the ground that has met end
// (Kruskal's algorithm). What touches no edge of its band ends there, each band on its own; the others'
// saddles are left for all bands together.

#ifndef ESKER_SUMMITS_H
#define ESKER_SUMMITS_H

#include "core/error.h"
#include "core/field.h"
#include "core/math.h"
#include "core/parallel.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Summit {
    uint32_t cell, saddle;
    float prominence;
} Summit;

typedef struct Summits {
    const Field *height;
    bool wraps;
    float sign;             // -1: heights upside down, for pits
    float sea_level, least; // the surface of the sea is flat and has no summits; the least prominence
    Summit *at;             // in no order
    size_t count, room;
} Summits;

// Finds all summits of at least the least prominence, and more than 0. The highest cell has that of the
// lowest. Requires fewer than 2^32 - 1 cells. `at` is freed by the caller, also after a failure.
Status summits_find(const Run *run, Summits *summits, Error *error);

// The ground, or the surface of the sea.
static inline float surface_at(const Summits *summits, size_t cell) {
    return max(summits->height->cells[cell], summits->sea_level);
}

#endif
