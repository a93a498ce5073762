// Names of places, from syllables. Each region of the map has a language of its own: which syllables there
// are and which endings.

#ifndef ESKER_SETTLEMENT_NAMES_H
#define ESKER_SETTLEMENT_NAMES_H

#include <stdint.h>

enum { NAME_MAX_BYTES = 32 };

// The name of the place in a square of a level, of a map with this seed, which is (x, y) of its sides from
// the upper left corner and `side` metres wide. In one region no two places of whatever level that are fewer
// than 32 squares of theirs apart share a name, nor do those of neighbouring regions.
// `spare`: 0; from 1 on, other names, which no square has.
void place_name(uint64_t seed, int level, int square_x, int square_y, double x, double y, double side,
                int spare, char name[NAME_MAX_BYTES]);

#endif
