// The leaves of a heightfield: what drains into one pit.
//
// Bands of rows are followed downhill side by side. Where water leaves a band its basin goes on as the one
// that it enters; what remains is numbered in the order in which the field's rows meet it, as if there were
// no bands.

#ifndef ESKER_PIT_BASINS_H
#define ESKER_PIT_BASINS_H

#include "core/error.h"
#include "core/field.h"
#include "core/math.h"
#include "core/parallel.h"

#include <stddef.h>
#include <stdint.h>

// A field's rows in bands, the last of which may have fewer.
typedef struct RowBands {
    int rows, count;
} RowBands;

static inline RowBands row_bands(const Field *field) {
    enum { CELLS = 1 << 18, ROWS = 32 }; // at least
    const int rows = min(max(CELLS / field->width, ROWS), field->height);
    return (RowBands){ rows, (field->height + rows - 1) / rows };
}

static inline int band_end(RowBands bands, const Field *field, int band) {
    return min((band + 1) * bands.rows, field->height);
}

typedef struct Leaves {
    uint32_t
        *label; // of each cell its leaf; 0 drains to an outlet, which the border is and what is below the sea
    uint32_t count; // with 0
    size_t *cells;  // of each leaf
} Leaves;

// Freed by leaves_free, also after a failure.
Status leaves_find(const Run *run, const Field *height, float sea, Leaves *leaves, Error *error);

void leaves_free(Leaves *leaves);

#endif
