// The rule that fast thermal erosion and Olsen's new erosion share: a cell gives to the lowest of its four
// neighbours, where their difference lies between two bounds; half of the difference levels the two.

#ifndef ESKER_LEVELLING_H
#define ESKER_LEVELLING_H

#include "core/operation.h"

typedef struct Levelling {
    float above, most; // a difference d moves where above < d <= most
    float share;       // so much of it
    bool diagonal;     // the rotated neighbourhood: the four diagonal neighbours (Olsen 2004, figure 13)
    const Field *mask; // may be NULL
} Levelling;

// `iterations` passes in place over a copy of the call's first input, into its first output.
Status level_in_place(const Call *call, Levelling levelling, int iterations, Error *error);

#endif
