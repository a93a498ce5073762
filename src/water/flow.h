// Flow accumulation: what drains through each cell of a heightfield.

#ifndef ESKER_FLOW_H
#define ESKER_FLOW_H

#include "core/error.h"
#include "core/field.h"
#include "core/parallel.h"
#include "water/drainage.h"

#include <stdint.h>

// Counts the cells that drain through each cell (D8 without rain): whole numbers, whose sums are exact in any
// order. Bands of rows are counted each on its own; each also finds for what enters it where that leaves.
// Then the sums are joined over the crossings of edges alone, and each band adds what enters it along its way
// (Barnes 2017, "Parallel non-divergent flow accumulation for trillion cell digital elevation models on
// desktops or clusters", adds it by counting once more).

// Fills `sum`, whose cells are there already, for directions as in drainage.h. Requires fewer than 2^32
// cells.
Status count_cells_above(const Run *run, const uint8_t *direction, Field *sum, Error *error);

typedef struct Flow {
    Drainage drainage;
    const Field *rain;
    Field sum;   // the result; its cells may be those of drainage.filled, needed only before
    float *rest; // rounding errors of the sums, so that many small flows into a large river are not lost
    // D-infinity: the share, of 65535, that goes to a second neighbour, and which neighbour that is or
    // NO_SECOND (downstream.h). NULL: D8.
    uint16_t *share;
    uint8_t *second;
} Flow;

// Set by the caller: drainage except direction, rain (NULL: 1 in each cell), sum. Finds directions, by
// D-infinity (Tarboton 1997) if `parted`, otherwise by D8. Freed by flow_free, also after a failure.
Status flow_find(const Run *run, Flow *flow, bool parted, Error *error);

// Fails with STATUS_INVALID where less than nothing falls. `rain` may be NULL.
Status flow_check_rain(const Field *rain, Error *error);

// The areas of cells, over that of one in the middle of the field, as rain: where rows differ on the ground.
// Elsewhere, where each is 1, `areas` stays empty. Freed by field_free.
Status flow_areas(const Field *height, Field *areas, Error *error);

// Sums up what drains through each cell, itself included.
Status flow_accumulate(const Run *run, Flow *flow, Error *error);

void flow_free(Flow *flow);

#endif
