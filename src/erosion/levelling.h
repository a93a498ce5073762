// The rule that fast thermal erosion and Olsen's new erosion share: a cell and the lowest of its four
// neighbours are levelled, where their difference lies between two bounds.

#ifndef ESKER_LEVELLING_H
#define ESKER_LEVELLING_H

#include "core/operation.h"

typedef struct Levelling {
    float above, most; // a difference d is levelled where above < d <= most
    bool diagonal;     // the rotated neighbourhood: the four diagonal neighbours (Olsen 2004, figure 13)
} Levelling;

// `iterations` passes in place over a copy of the call's first input, into its first output.
Status level_in_place(const Call *call, Levelling levelling, int iterations, Error *error);

#endif
