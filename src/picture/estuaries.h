// Estuaries of zoomable maps, in which rivers say how much of the water is theirs, 0 … 1.

#ifndef ESKER_ESTUARIES_H
#define ESKER_ESTUARIES_H

#include "picture/rivers_around.h"

// Whether a picture may have estuaries. `is_part`: it is part of a larger one, which may have land where this
// has none.
bool may_have_estuaries(const Field *height, const Field *rivers, double sea, bool is_part);

// The share of the river's water in an estuary; -1 elsewhere. `cover`: in, the share of the cell that rivers
// cover; out, the share that all water covers.
float share_in_estuary(const RiversAround *around, int x, int y, float *cover);

#endif
