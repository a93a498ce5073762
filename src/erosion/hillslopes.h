// What happens to slopes between streams. Neither makes pits: what sinks stays above a neighbour.

#ifndef ESKER_HILLSLOPES_H
#define ESKER_HILLSLOPES_H

#include "erosion/stream_level.h"

// Lets crests sink towards the mean of the cells around them. `strength`: 0 … 1. Uses `water`.
Status hillslopes_round(const Run *run, StreamLevel *level, float strength);

// Lowers what stands more steeply than the talus above any neighbour; ground that erodes half as easily
// stands twice as steep.
Status hillslopes_slide(const Run *run, StreamLevel *level, float talus);

#endif
