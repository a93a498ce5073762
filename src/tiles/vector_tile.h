// Lines as vector tiles: "Mapbox Vector Tile Specification 2.1" (github.com/mapbox/vector-tile-spec), a
// protocol buffer of layers, whose features are lines in whole numbers, 0 … 4096 across the tile.

#ifndef ESKER_VECTOR_TILE_H
#define ESKER_VECTOR_TILE_H

#include "core/error.h"
#include "rivers/network.h"

#include <stdbool.h>
#include <stddef.h>

// A growing array of bytes. If memory runs out, `failed` is set, which is reported at the end.
typedef struct Growing { // zeroed: empty
    unsigned char *at;
    size_t count, room;
    bool failed;
} Growing;
void growing_free(Growing *growing);

// Pieces of lines in a tile. Where a line begins and how it is divided depends on the window that it was
// found in; joined and simplified pieces do not, so that tiles of any window are equal, and meet their
// neighbours.
typedef struct Point {
    int x, y;
} Point;

typedef struct Piece { // of a line, within the tile and what lies around it
    double value;      // its width or altitude
    bool index;
    int first, count; // points
} Piece;

typedef struct Pieces {
    Growing points, list; // of Point, of Piece
} Pieces;

static inline int piece_count(const Pieces *pieces) {
    return (int)(pieces->list.count / sizeof(Piece));
}

static inline Piece *piece_at(const Pieces *pieces, int i) {
    return (Piece *)(void *)pieces->list.at + i;
}

static inline Point *points_of(const Pieces *pieces, const Piece *piece) {
    return (Point *)(void *)pieces->points.at + piece->first;
}

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
