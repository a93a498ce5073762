// The streams of a window of eroded land as data: lines that become a network.

#ifndef ESKER_STREAM_DATA_H
#define ESKER_STREAM_DATA_H

#include "rivermap/view.h"
#include "rivers/network.h"

#include <stdbool.h>
#include <stdint.h>

// A stream's ends as nodes of the network.
typedef struct StreamLine {
    RiverPoint from, to;
    uint64_t from_key, to_key;
    bool ends, mouth; // at `to`; in the sea
} StreamLine;

// Sets a window's line of this number; false: there is none. Runs on any thread.
typedef bool StreamLineSet(const void *streams, int number, StreamLine *line);

// Adds those of `count` lines to the network that begin in the view, in their order.
Status stream_data_add(const View *view, NetworkBuilder *builder, int count, StreamLineSet *set,
                       const void *streams, Error *error);

#endif
