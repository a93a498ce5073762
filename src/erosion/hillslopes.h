// What happens to slopes between streams. Neither makes pits: what sinks stays above a neighbour.

#ifndef ESKER_HILLSLOPES_H
#define ESKER_HILLSLOPES_H

#include "erosion/stream_level.h"

// Lets crests sink towards the mean of the cells around them. `strength`: 0 … 1. Uses `water`.
Status hillslopes_round(const Run *run, StreamLevel *level, float strength);

typedef struct Slope {
    const PaddedGrid *grid;
    float *heights;
    const float *mask;  // how easily cells slide, 0 … 1; NULL: 1
    const float *least; // below which none sinks; NULL: none
    float most;         // the steepest, in heights per cell
    const float *uncut; // the ground before it was cut; NULL: it was not
    float bank;         // how much steeper than that the side of a cut is, in heights per cell
} Slope;

// Lowers what stands more steeply above any neighbour; what slides half as easily stands twice as steep. The
// sides of cuts keep the form of the ground that was cut.
Status hillslopes_slide(const Run *run, const Slope *slope);

#endif
