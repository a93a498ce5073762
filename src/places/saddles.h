// Lists of saddles between summits.

#ifndef ESKER_SADDLES_H
#define ESKER_SADDLES_H

#include "core/error.h"

#include <stddef.h>
#include <stdint.h>

// Of several saddles of two summits the highest. A summit that ends within its band is its own `other`.
typedef struct Saddle {
    uint64_t place;      // of the lower of the two cells between which it lies
    uint32_t one, other; // summits
} Saddle;

typedef struct Saddles { // and room to sort as many
    Saddle *at, *scratch;
    size_t count, room;
} Saddles;

// Saddles that were seen last, so that of the many between two summits few are kept.
enum { SADDLES_SEEN_BITS = 10, SADDLES_SEEN = 1 << SADDLES_SEEN_BITS };

typedef struct SeenSaddles {
    Saddle at[SADDLES_SEEN];
} SeenSaddles;

// The highest first. Requires as much room in `scratch`.
void saddles_sort(Saddles *list);

// Room for `more` saddles, in `at`.
Status saddles_reserve(Saddles *list, size_t more, Error *error);

Status saddles_append(Saddles *list, const Saddles *from, Error *error);

void saddles_forget(SeenSaddles *seen);

// Adds at most one saddle to the list. Requires room.
void saddles_note(SeenSaddles *seen, Saddles *list, Saddle saddle);

// Adds those that are still seen, at most SADDLES_SEEN. Requires room.
void saddles_flush(SeenSaddles *seen, Saddles *list);

#endif
