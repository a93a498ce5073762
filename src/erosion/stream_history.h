// Land of an age. At first water runs as it does on the given land; from the
// age of capture on as on mature land. So each stream deepens its valley in place from one age to the next,
// and a captured river leaves its valley slowly. Were the network of each age found by itself, rivers would
// jump while a user moves a slider. With the mature network from the start, young rivers would cut ditches
// through ridges and leave real valleys that coarse levels do not know; with a later capture, smooth slopes
// would be covered with parallel rills.

#ifndef ESKER_STREAM_HISTORY_H
#define ESKER_STREAM_HISTORY_H

#include "erosion/stream_pyramid.h"

#define STREAM_CAPTURE 0.16 // an age

typedef struct StreamHistory {
    StreamRule young;  // until the age, at most that of capture
    StreamRule later;  // from there until the age
    StreamRule mature; // until age 1
} StreamHistory;

// The land of an age: the ground of the finest level, whose flow is what drains through each cell of it and
// whose start is the given land, raised. `deposit`, whose cells are there already, gets what sediment adds to
// the ground: where it settles along streams, over what they would leave without it, and in lakes. The
// pyramid has to be freed, also after a failure.
Status stream_history_run(const Run *run, StreamPyramid *pyramid, const StreamInput *input,
                          const StreamHistory *history, Field *deposit, Error *error);

#endif
