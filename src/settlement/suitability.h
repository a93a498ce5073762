// How well a pixel of a grid suits a place: by slope, height, climate, and what it has, as a river or a
// harbour.

#ifndef ESKER_SETTLEMENT_SUITABILITY_H
#define ESKER_SETTLEMENT_SUITABILITY_H

#include "core/random.h"
#include "settlement/towns.h"

enum { SIGHT = 8 }; // pixels around one that are looked at

// A grid, which may end SIGHT pixels beyond those that are asked for.
typedef struct Survey {
    const Settlement *settlement;
    const Grid *grid;
    double steeper; // slopes of the ground against those between pixels
} Survey;

// What a place is founded for, each about 1: so that places nearby differ.
typedef struct Leaning {
    float river, crossing, sea, lake, pass, plain;
} Leaning;

// `column`, `row`: of its square (square_column).
Leaning leaning_of(RandomKey key, uint32_t column, uint32_t row);

// About 0.1 to 3; 0 where nobody lives, and where it is no more than `enough`. Sets where it is more the
// kind, and the food: how many people the land around it feeds, 0 to 1.
float suitability(const Survey *survey, int x, int y, const Leaning *leaning, float enough, SiteKind *kind,
                  float *food);

// How many people besides farmers the land within SIGHT of a pixel feeds, against good land: 0 to 1.
float surplus_around(const Survey *survey, int x, int y);

// Whether the water that a place of this kind is founded for is within three pixels; always on dry ground.
bool suits_kind(const Survey *survey, int x, int y, SiteKind kind);

#endif
