// The channels of tiles in the plane, only along rivers wide enough to be channels.

#ifndef ESKER_TILE_CHANNELS_H
#define ESKER_TILE_CHANNELS_H

#include "rivermap/channels.h"
#include "rivermap/tile/tile.h"

// Adds all of a map's.
void tile_channels_add(Channels *channels);

#endif
