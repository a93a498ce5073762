// Lines as vector tiles: "Mapbox Vector Tile Specification 2.1" (github.com/mapbox/vector-tile-spec), a
// protocol buffer of layers, whose features are lines in whole numbers, 0 … 4096 across the tile.

#ifndef ESKER_VECTOR_TILE_H
#define ESKER_VECTOR_TILE_H

#include "rivers/network.h"
#include "tiles/byte_buffer.h"

typedef struct VectorTile {
    double left, top, side; // in cells of the network's window
    const char *name;       // of the layer
    double metres;          // that an altitude of 1 stands for
} VectorTile;

// Appends the lines of a network that lie in the tile or a 16th of its side around as a layer; nothing where
// there are none. Rivers: one feature for each `width`, in cells, rounded to half powers of 2. Lines of one
// altitude each: one feature for each `ele`, in metres, with `index` for lines of order 2.
Status vector_tile_add(const RiverNetwork *network, const VectorTile *tile, Growing *to, Error *error);

#endif
