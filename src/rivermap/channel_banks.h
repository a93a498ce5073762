// The shape of rivers' banks.

#ifndef ESKER_CHANNEL_BANKS_H
#define ESKER_CHANNEL_BANKS_H

#include "rivermap/channels.h"

// The cell of a lattice of noise that was looked at last, and the random numbers at its corners: the next
// pixel mostly lies in the same.
typedef struct BankCell {
    uint32_t column, row;
    bool known;
    double corners[4];
} BankCell;

// Of one thread.
typedef struct Banks {
    int finest_level; // as those of channels
    double finest_cell;
    BankCell levels[PLACE_BITS + 1];
} Banks;

void banks_begin(Banks *banks, const Channels *channels);

// The displacement of the bank of a river of this half width, pixels, at a place: in half widths.
double bank_noise(Banks *banks, Int128 x, Int128 y, double half);

#endif
