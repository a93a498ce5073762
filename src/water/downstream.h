// Visits the cells of a field downstream, each after all cells that drain into it, on all threads. Bands of
// rows are followed side by side; what leaves a band goes on in the next round, whose bands lie half a band
// higher or lower.
//
// The order of visits depends on the bands. A visitor therefore reads what it needs from a cell's donors, in
// the order of neighbours, and writes the cell alone: then results do not depend on that order.

#ifndef ESKER_DOWNSTREAM_H
#define ESKER_DOWNSTREAM_H

#include "core/error.h"
#include "core/parallel.h"

#include <stdint.h>

// Visits `count` cells in the order of the list. donors[cell] has bit i set if the cell's neighbour i
// (drainage.h) drains into it. May not fail.
typedef void VisitCells(void *context, const uint32_t *cells, int count, const uint8_t *donors);

typedef struct Downstream {
    int width, height;
    const uint8_t *direction; // as in drainage.h; cells above DRAINS_OFF are not visited
    const uint8_t *second; // where flow parts: the other neighbour into which it drains, elsewhere NO_SECOND;
                           // NULL: nowhere
    VisitCells *visit;
    void *context;
} Downstream;

enum { NO_SECOND = 255 };

// Requires directions without cycles and at most 2^32 cells.
Status visit_downstream(const Run *run, const Downstream *downstream, Error *error);

#endif
