// Flow accumulation: what drains through each cell of a heightfield.

#ifndef ESKER_FLOW_H
#define ESKER_FLOW_H

#include "core/error.h"
#include "core/field.h"
#include "core/operation.h"
#include "core/parallel.h"
#include "water/drainage.h"

#include <stdint.h>

// What flow_direction writes for each direction and DRAINS_OFF: codes, or angles from north.
void flow_direction_names(bool angle, const Frame *frame, float names[NEIGHBOURS + 1]);

// Counts the cells that drain through each cell (D8 without rain): whole numbers, whose sums are exact in any
// order. Bands of rows are counted each on its own; each also finds for what enters it where that leaves.
// Then the sums are joined over the crossings of edges alone, and each band adds what enters it along its way
// (Barnes 2017, "Parallel non-divergent flow accumulation for trillion cell digital elevation models on
// desktops or clusters", adds it by counting once more).

// Fills `sum`, whose cells are there already, for directions as in drainage.h. Requires fewer than 2^32
// cells.
Status count_cells_above(const Run *run, const uint8_t *direction, Field *sum, Error *error);

// The same of a strip of a larger field. `entering`: what comes from beyond, for each cell of the first row,
// then of the last. Directions lead beyond nothing.
Status count_cells_into(const Run *run, const uint8_t *direction, const uint64_t *entering, Field *sum,
                        Error *error);

// The same into numbers: each array has a place for each cell, of which `sum` is the result. `entering` may
// be NULL.
typedef struct CellCount {
    uint32_t *sum, *way;
    uint8_t *waiting;
} CellCount;
Status count_drained(const Run *run, const Field *size, const uint8_t *direction, const uint64_t *entering,
                     const CellCount *count, Error *error);

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

// Turns the directions of a drainage into those of D-infinity. `second` gets the other neighbour into which a
// cell drains, or NO_SECOND (downstream.h), `share` what of 65535 goes there. Flats, the border and the sea
// keep their directions. Of a part, those of FALL_RADIUS rows (even_choice.h) on each side mean nothing.
Status part_flow(const Run *run, const Drainage *drainage, uint16_t *share, uint8_t *second);

// A VisitCells (downstream.h): sums up what drains through cells whose donors are known. `context` is a Flow.
void flow_add_donors(void *context, const uint32_t *cells, int count, const uint8_t *donors);

// Fails with STATUS_INVALID where less than nothing falls. `rain` may be NULL.
Status flow_check_rain(const Field *rain, Error *error);

// The areas of cells, over that of one in the middle of the field, as rain: where rows differ on the ground.
// Elsewhere, where each is 1, `areas` stays empty. Freed by field_free.
Status flow_areas(const Field *height, Field *areas, Error *error);

// Sums up what drains through each cell, itself included.
Status flow_accumulate(const Run *run, Flow *flow, Error *error);

void flow_free(Flow *flow);

// --- streams -----------------------------------------------------------------------------------------------

// The cells of a heightfield that are streams: those through which enough drains, or those that a mask marks.

// Where rivers begin: where this drains. One of them is given, or none: then the share counts.
typedef struct Beginning {
    double share; // of all cells
    double area;  // m²; NAN: not given
    double cells; // likewise
} Beginning;

// Members and parameters that operations on streams share.
#define BEGINNING_MEMBERS double threshold, area, cells

#define BEGINNING_PARAMS(Type)                                                                               \
    PARAM(Type, threshold, .initial = 0.001, .min = 1e-9, .max = 1,                                          \
          .doc = "share of all cells that must drain through a cell for a river to begin; a crop changes "   \
                 "what it means"),                                                                           \
        BEGINNING_PLACES(Type)

// Those that name no share.
#define BEGINNING_PLACES(Type)                                                                               \
    PARAM(Type, area, .min = 1e-9, .max = 1e18, .optional = true, .unit = UNIT_AREA,                         \
          .doc = "area that must drain through it instead, on the ground of a field with a frame"),          \
        PARAM(Type, cells, .min = 1, .max = 1e18, .optional = true, .unit = UNIT_CELLS,                      \
              .doc = "cells that must drain through it instead")

#define STREAM_BEGINNING(params) ((Beginning){ (params)->threshold, (params)->area, (params)->cells })

// Cells that must drain through one for a river to begin; for an area, of the size of those in the middle of
// the field (flow_areas): else all count alike.
// Fails with STATUS_INVALID where an area is asked for and the field has none, or both are given.
Status beginning_cells(Beginning beginning, const Field *height, double *cells, Error *error);

#define STREAM_MEMBERS                                                                                       \
    BEGINNING_MEMBERS;                                                                                       \
    double sea_level;                                                                                        \
    const Field *rivers

#define STREAM_PARAMS(Type)                                                                                  \
    BEGINNING_PARAMS(Type),                                                                                  \
        PARAM(Type, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,    \
              .doc = "ground below this is sea, into which water drains"),                                   \
        PARAM(Type, rivers, .doc = "rivers are where this is above 0, instead of by threshold")

typedef struct Streams {
    Drainage drainage;
    const Field *rivers;
    bool measured; // wants `drained` in any case
    Field drained; // cells through each cell; if `measured`, or without `rivers`
    float sea, least;
} Streams;

// Set by the caller: drainage.height, .filled and .sea_level, and rivers, which may be NULL: then streams are
// where enough drains. Freed by streams_free, also after a failure.
Status streams_find(const Run *run, Streams *streams, Beginning beginning, Error *error);

static inline bool is_sea(const Streams *streams, size_t cell) {
    return streams->drainage.height->cells[cell] < streams->sea;
}

static inline bool is_stream(const Streams *streams, size_t cell) {
    return !is_sea(streams, cell) && (streams->rivers ? streams->rivers->cells[cell] > 0
                                                      : streams->drained.cells[cell] >= streams->least);
}

// The cell into which one drains; of one that drains off itself.
static inline size_t receiver_cell(const Streams *streams, size_t cell) {
    const int direction = streams->drainage.direction[cell];
    return direction < NEIGHBOURS ? neighbour_of(streams->drainage.height, cell, direction) : cell;
}

// Lets all water end in the first stream on its way: streams drain off.
Status streams_end_ways(const Run *run, Streams *streams);

void streams_free(Streams *streams);

#endif
