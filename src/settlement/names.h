// Names of places, from syllables. Each region of the map has a language of its own: which syllables there
// are and which endings.

#ifndef ESKER_SETTLEMENT_NAMES_H
#define ESKER_SETTLEMENT_NAMES_H

#include <stdbool.h>
#include <stdint.h>

enum { NAME_MAX_BYTES = 32 };

// A place in a square of a level, on a face of a map which is `side` metres wide: (x, y) of its sides from
// the upper left corner. Of a flat map the face is 0, of a planet the face of the cube (land/cube.h).
typedef struct NamedPlace {
    bool planet;
    int face, level, square_x, square_y;
    double x, y, side;
} NamedPlace;

// The name of a place of a map with this seed. In one region no two places of whatever level that are fewer
// than 32 squares of theirs apart share a name, nor do those of neighbouring regions.
// `spare`: 0; from 1 on, other names, which no square has.
void place_name(uint64_t seed, const NamedPlace *place, int spare, char name[NAME_MAX_BYTES]);

#endif
