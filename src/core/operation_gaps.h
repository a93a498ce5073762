// How operation_run treats cells without data (core/gaps.h), as the operation declares.

#ifndef ESKER_OPERATION_GAPS_H
#define ESKER_OPERATION_GAPS_H

#include "core/gaps.h"
#include "core/operation.h"

enum { GAP_FIELDS_MAX = INPUTS_MAX + FIELDS_MAX + 8 };

typedef struct GapWork {
    Gaps *all;                    // of all inputs that have the size of the call
    Field filled[GAP_FIELDS_MAX]; // what the operation gets in place of inputs with gaps
    int count;
    Input inputs[INPUTS_MAX]; // as they were
} GapWork;

void gaps_begin(const Call *call, GapWork *work);

// Replaces inputs, and fields in `params`, that have gaps by fields without; or fails with STATUS_INVALID.
Status gaps_prepare(const Operation *operation, Call *call, void *params, GapWork *work, Error *error);

// Gives the outputs their gaps.
Status gaps_finish(const Operation *operation, Call *call, GapWork *work, Error *error);

// Restores the inputs as they were at gaps_begin, and frees what was made.
void gaps_end(Call *call, GapWork *work);

#endif
