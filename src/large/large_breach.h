// Pits opened by channels over cells on disk. Which channel a pit gets depends on those of all lower pits, so
// that they are opened one after the other, as in memory (water/breaching.h).

#ifndef ESKER_LARGE_BREACH_H
#define ESKER_LARGE_BREACH_H

#include "large/large.h"
#include "water/breaching.h"

// For each BreachLayer a plane; none of given heights where no channel is too deep.
typedef struct BreachPlanes {
    Plane *layers[BREACH_MARKS + 1];
} BreachPlanes;

// Sets the cells of rows from `first` on; cells without data are lower than all others.
Status large_breach_rows(const BreachPlanes *planes, const Field *rows, int first, float sea, Error *error);

// The pits of a strip that begins with the field's `row`. `height` has the strip's rows from `first` on, and
// one more on each side. `pits` has room for all cells; returns how many there are.
size_t large_breach_pits(const Field *height, int first, const Field *filled, int row, Waiting *pits);

// Opens all pits, as breach_pits.
Status large_breach(const Run *run, const Breach *breach, const Field *place, const BreachPlanes *planes,
                    Waiting *pits, size_t count, bool *left, Error *error);

#endif
