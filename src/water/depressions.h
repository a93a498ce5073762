// The depressions of a heightfield as a hierarchy (Barnes, Callaghan and Wickert 2020, "Computing water flow
// through complex landscapes, part 2: finding hierarchies in depressions and morphological segmentations"),
// and the water that they hold (the same 2021, "part 3: Fill-Spill-Merge: flow routing in depression
// hierarchies").
//
// A leaf is what drains into one pit. Where two depressions meet at the height of the lower one's rim they
// become the children of a third. A depression whose rim leads to an outlet is a root. Water that one cannot
// hold spills into the leaf beyond its rim; where that one's depression is full, too, both merge.
//
// The water that a depression takes up to a height z is the sum of z - h + e over its cells' heights h < z,
// with e for what evaporates.

#ifndef ESKER_DEPRESSIONS_H
#define ESKER_DEPRESSIONS_H

#include "core/error.h"
#include "core/field.h"
#include "core/math.h"
#include "core/parallel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// --- leaves ------------------------------------------------------------------------------------------------

// The leaves of a heightfield: what drains into one pit.
//
// Bands of rows are followed downhill side by side. Where water leaves a band its basin goes on as the one
// that it enters; what remains is numbered in the order in which the field's rows meet it, as if there were
// no bands.

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

// --- the hierarchy -----------------------------------------------------------------------------------------

#define NO_DEPRESSION UINT32_MAX

typedef struct Depression {
    uint32_t parent, children[2]; // or NO_DEPRESSION
    uint32_t beyond;              // the leaf beyond the rim; 0: an outlet
    uint32_t outlet;              // a cell: the rim's lowest
    float rim;
    uint32_t own;      // cells below the rim that are not below a child's
    double cells, sum; // cells below the rim, and their heights
    double water;      // that it receives; then what it keeps
    bool holds;        // a lake of its own, not a part of its parent's
    double level;      // of its lake
} Depression;

// What is read of a depression for every cell.
typedef struct Rim {
    float height, highest; // its own, and that of the root above it
    uint32_t parent;
} Rim;

// The cells that lie below a rim, in the order of rows, and the smallest depression below whose rim each
// lies. Those of a band of rows begin where all cells of the band do.
typedef struct OwnCells {
    RowBands bands;
    size_t *count; // of each band
    uint32_t *cell, *depression;
} OwnCells;

typedef struct Depressions {
    const Field *height;
    float sea;
    Leaves leaves;
    OwnCells own;
    uint32_t count;
    Depression *at; // leaves first, then parents after their children
    Rim *rims;
    uint32_t *roots;
    uint32_t root_count; // in the order in which they reach an outlet
} Depressions;

// Where the lists of a band's own cells begin.
static inline size_t own_first(const Depressions *all, int band) {
    return (size_t)(band * all->own.bands.rows) * (size_t)all->height->width;
}

// The hierarchy, for outlets at the border and below `sea`. Freed by depressions_free, also after a failure.
Status depressions_find(const Run *run, Depressions *depressions, Error *error);

void depressions_free(Depressions *depressions);

// What a lake with a level at the rim takes.
static inline double capacity_of(const Depression *depression, double evaporation) {
    return depression->cells * ((double)depression->rim + evaporation) - depression->sum;
}

#endif
