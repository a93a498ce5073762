// What streets make of the ground that towns cover: arteries, which are the roads that arrive, quarters
// between them, and the quarters' blocks and houses. Blocks face the artery that is nearest to the middle of
// their quarter. All lies at fixed places of the map, so that windows agree.

#ifndef ESKER_SETTLEMENT_STREETS_H
#define ESKER_SETTLEMENT_STREETS_H

#include "climate/cover.h"
#include "core/random.h"
#include "settlement/built.h"

typedef struct Quarter {
    double x, y; // its middle, metres
    BuiltPixel built;
    float chance, use;         // at random, 0 to 1: how soon it is built on, and what for
    double along_x, along_y;   // the direction of its blocks
    double from_x, from_y;     // a corner of one: a place on its artery
    double length, depth, lag; // metres of a block, and how far rows are shifted
} Quarter;

// A piece of an artery, metres.
typedef struct Artery {
    double x, y, to_x, to_y;
    float half; // of its width
} Artery;

enum { STREET_BANDS = 64 }; // of the map's rows, with the arteries that reach them

typedef struct Streets { // zeroed: there are no towns
    double length;       // of the map, metres
    RandomKey key;
    int x, y, width, height; // the quarters, in their squares
    Quarter *quarters;
    int count, room;
    Artery *arteries;
    double top, band; // where bands begin, and how high one is, metres
    int first[STREET_BANDS + 1];
    int *of; // arteries of the bands
} Streets;

// Finds the arteries for a window of a flat map with so many pixels along the map; planets have none. Roads
// need more land than anything else of a window, which is made at once if they come first: before built
// ground is found. Freed also after a failure.
Status streets_find_arteries(Streets *streets, const RiverMap *map, const Int128 corners[4], double pixels,
                             const Run *run, Error *error);

// Then finds the rest for the same window, where towns cover ground; nothing is left where they do not.
Status streets_find(Streets *streets, const RiverMap *map, const Built *built, const Int128 corners[4],
                    double pixels, const Run *run, Error *error);
void streets_free(Streets *streets);

// The nearest artery to a pixel.
typedef struct NearArtery {
    float distance; // metres from its middle; STREETS_FAR: there is none
    float half;     // of its width
} NearArtery;

#define STREETS_FAR 1e6f
void streets_row(const Streets *streets, const Vec3 *places, int count, NearArtery *near);

// The town of a pixel of so many metres.
Town streets_town(const Streets *streets, Vec3 place, const BuiltPixel *built, const NearArtery *artery,
                  float noise, double pixel);

#endif
