// Where a small river passes close to a large one of another valley, it cannot be far above it: the land
// between them would be too steep, and water would leave its bed. Each river bounds those around it as if it
// had a valley of the terrain's shape (valleys.h), but flatter; so does a coast.

#ifndef ESKER_LOWER_NEIGHBOURS_H
#define ESKER_LOWER_NEIGHBOURS_H

#include "rivers/growth.h"

// The bounds of altitudes, one element per tributary.
typedef struct LoweringBounds {
    double steepest;       // how far a river may be above another beside it, heights per side
    double floodplain;     // distance within which it keeps others low, in widths
    const double *width;   // of the river, map units
    const float *distance; // along the river to its mouth
} LoweringBounds;

// Lowers altitudes to the highest that keep all bounds and never rise downstream. Returns false, with the
// error filled, if there is too little memory.
bool lower_rivers(const Growth *growth, const LoweringBounds *bounds, float *altitude, Error *error);

#endif
