// The channels of the right-angled tiling, square by square, only along rivers wide enough to be channels.

#ifndef ESKER_SQUARE_CHANNELS_H
#define ESKER_SQUARE_CHANNELS_H

#include "rivermap/channels.h"
#include "rivermap/square/square.h"

// Adds all of a map's. Levels count from the view's zero in units of this depth.
Status square_channels_add(Channels *channels, int depth);

#endif
