// How easily the ground erodes, from 0 (it gives nothing away) to 1: the `mask` of the erosions. What other
// cells give still comes down on a cell that gives nothing, so material is conserved under any mask.

#ifndef ESKER_ERODIBILITY_H
#define ESKER_ERODIBILITY_H

#include "core/operation.h"

typedef struct Erodibility {
    Field cells; // of one row where there is no mask
    bool everywhere, owned;
} Erodibility;

// For the in-place methods `woven` as in in_place.h. Fails with STATUS_INVALID where the mask leaves 0 … 1.
Status erodibility_create(Erodibility *erodibility, const Call *call, const Field *mask, bool woven,
                          Error *error);
void erodibility_free(Erodibility *erodibility);

static inline const float *erodibility_row(const Erodibility *erodibility, int y) {
    return field_row(&erodibility->cells, erodibility->everywhere ? 0 : y);
}

#define PARAM_MASK(type)                                                                                     \
    PARAM(type, mask,                                                                                        \
          .doc = "how easily each cell erodes, 0 to 1: at 0 it gives nothing away, but still receives; "     \
                 "1 everywhere when not given")

#endif
