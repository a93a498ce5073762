// The cells of a heightfield that are streams: those through which enough drains, or those that a mask marks.

#ifndef ESKER_STREAMS_H
#define ESKER_STREAMS_H

#include "core/operation.h"
#include "water/drainage.h"

// Members and parameters that operations on streams share.
#define STREAM_MEMBERS                                                                                       \
    double threshold, sea_level;                                                                             \
    const Field *rivers

#define STREAM_PARAMS(Type)                                                                                  \
    PARAM(Type, threshold, .initial = 0.001, .min = 1e-9, .max = 1,                                          \
          .doc = "share of all cells that must drain through a cell for a river to begin"),                  \
        PARAM(Type, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,                          \
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
// where `threshold` of all cells drain. Freed by streams_free, also after a failure.
Status streams_find(const Run *run, Streams *streams, double threshold, Error *error);

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
