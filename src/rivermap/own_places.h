// A zoomable map's own places: towns and villages of its author.

#ifndef ESKER_OWN_PLACES_H
#define ESKER_OWN_PLACES_H

#include "core/whole.h"

#include <stddef.h>

typedef struct OwnPlace {
    Int128 x, y;       // on the map (rivermap/view.h)
    double population; // people
    double apart;      // to the nearest place with more people, as a share of the map's side
    size_t name, kind; // where the texts begin in the block; 0: none
} OwnPlace;

// Which other places there are.
typedef enum OtherPlaces { OTHERS_ALL, OTHERS_SMALLER, OTHERS_NONE } OtherPlaces;

typedef struct OwnPlaces { // one block of memory
    size_t size;           // of the block, in bytes
    OtherPlaces others;
    int count;
    OwnPlace at[]; // those with the most people first
} OwnPlaces;

static inline const char *own_text(const OwnPlaces *places, size_t text) {
    return (const char *)places + text;
}

#endif
