// Pieces of lines in a tile. Where a line begins and how it is divided depends on the window that it was
// found in; joined and simplified pieces do not, so that tiles of any window are equal, and meet their
// neighbours.

#ifndef ESKER_PIECES_H
#define ESKER_PIECES_H

#include "core/error.h"
#include "tiles/byte_buffer.h"

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

// Joins pieces of one value where one ends and one other begins; leaves out points that are less than
// `tolerance` from the line between their neighbours; sorts the pieces by value and place. Which points stay
// is decided by a few points around each alone. Closed lines begin at their least point.
Status pieces_unite(Pieces *pieces, double tolerance, Error *error);

void pieces_free(Pieces *pieces);

#endif
