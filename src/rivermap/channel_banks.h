// The shape of rivers' banks.

#ifndef ESKER_CHANNEL_BANKS_H
#define ESKER_CHANNEL_BANKS_H

#include "rivermap/channels.h"

// The cell of a lattice of noise that was looked at last, and the random slopes at its corners: the next
// pixel mostly lies in the same.
typedef struct BankCell {
    uint32_t column, row;
    bool known;
    double slopes[4][2];
} BankCell;

// Of one thread.
typedef struct Banks {
    int finest_level; // as those of channels
    double finest_cell;
    BankCell levels[PLACE_BITS + 1];
} Banks;

void banks_begin(Banks *banks, const Channels *channels);

// Where a place `ratio` half widths from the middle of a river is in its cross section, whose bank is at 1.
// `half`: its half width, pixels.
double bank_at(Banks *banks, Int128 x, Int128 y, double ratio, double half);

#endif
