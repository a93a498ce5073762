// The streams of an atlas: their cells, their courses smoothed over cells, and their water.

#ifndef ESKER_RIVER_COURSES_H
#define ESKER_RIVER_COURSES_H

#include "rivermap/eroded/atlas.h"

// A river's at one of its cells, smoothed.
typedef struct StreamPlace {
    AtlasPlace at;   // on the cell's face
    double along[2]; // the river's direction there, of any length
    Int128 height;   // of its water above the sea, in 256ths of the level's units
    double from_sea; // the way to its mouth, 1: as far as is looked or farther
    int to_sea;      // the same in cells, STREAM_ESTUARY: as far or farther
} StreamPlace;

// A cell's way to the next, as a line between smoothed places.
typedef struct Stream {
    AtlasCell from, to;
    StreamPlace at, to_at;
    float area, to_area; // cells of the level
    float size, to_size; // by which it is wide (size_of)
    bool ends;           // at `to`: in the sea, at the land's edge or in a sink
    bool mouth;          // in the sea
} Stream;

// Sets what runs through a cell; false where there is no river, or where the ground is sea. Looks at land
// STREAM_ESTUARY + 1 cells around. Sets the heights of its water only where they are asked for.
bool stream_at(const Atlas *atlas, AtlasCell cell, float least, bool heights, Stream *stream);

enum { STREAM_BEYOND = 12 };

// On flat maps: how the water of a river goes on in the sea, from the mouth over ever deeper ground, as a
// line. `last`: its last cell. The number of the line's pieces; 0: no mouth.
int stream_beyond(const Atlas *atlas, AtlasCell last, AtlasPlace places[STREAM_BEYOND + 1]);

enum { STREAM_SORTS = 2 };

// Cells that have a stream, in the order of faces and their cells.
typedef struct StreamCells {
    AtlasCell *at;
    int count;
} StreamCells;

// 0 … STREAM_SORTS - 1, or -1: not wanted.
typedef int StreamSort(const void *context, AtlasCell cell);

// Finds the cells of which stream_at knows something, of each sort. Freed by stream_cells_free, also if it
// fails.
Status stream_cells_find(const Atlas *atlas, float least, StreamSort *sort, const void *context,
                         StreamCells found[STREAM_SORTS], Error *error);
void stream_cells_free(StreamCells found[STREAM_SORTS]);

#endif
