// Erodibility of the ground, 0 (the cell loses nothing) to 1: the `mask` of the erosions. A cell that loses
// nothing still receives material, so material is conserved under any mask.

#ifndef ESKER_ERODIBILITY_H
#define ESKER_ERODIBILITY_H

#include "core/operation.h"

// Rows with one more cell at each end, and one more row at the top and the bottom. Without a mask all rows
// share one.
typedef struct Erodibility {
    float *cells;
    size_t stride; // from row to row
} Erodibility;

// Fails with STATUS_INVALID if the mask, which may be NULL, leaves 0 … 1.
Status erodibility_check(const Call *call, const Field *mask, Error *error);

// The same of the shares by which ground rises.
Status uplift_map_check(const Call *call, const Field *map, Error *error);

// Fails as erodibility_check does.
Status erodibility_create(Erodibility *erodibility, const Call *call, const Field *mask, Error *error);
void erodibility_free(Erodibility *erodibility);

// Cell 0 of row y, -1 … height; -1 and the field's width may be read, too.
static inline const float *erodibility_row(const Erodibility *erodibility, int y) {
    return erodibility->cells + (size_t)(y + 1) * erodibility->stride + 1;
}

#define PARAM_MASK(type)                                                                                     \
    PARAM(type, mask,                                                                                        \
          .doc = "erodibility of each cell, 0 to 1; a cell at 0 loses no material but may receive some; "    \
                 "by default 1 everywhere")

#endif
