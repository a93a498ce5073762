// What an operation does besides its run: frames, units and gaps of its results.

#ifndef ESKER_OPERATION_STEPS_H
#define ESKER_OPERATION_STEPS_H

#include "core/gaps.h"
#include "core/operation.h"

// --- frames and units --------------------------------------------------------------------------------------

// Where a call lies, and what its arguments are in cells: what operation_run does with frames (core/frame.h)
// and units.

// Sets call->frame to that of the first input that has one, with what the others add; fails with
// STATUS_INVALID where one lies elsewhere.
Status operation_find_frame(const Operation *operation, Call *call, const void *params, Error *error);

// Gives the outputs the frame of the call, each with its own cells.
void operation_set_frames(const Operation *operation, const Call *call);

// Turns per-side values, lengths and slopes in `params` into those of cells, and tells in call->notice where
// cells or heights are not what the operation takes them for.
Status operation_resolve_units(const Operation *operation, const Call *call, void *params, Error *error);

// --- gaps --------------------------------------------------------------------------------------------------

// How operation_run treats cells without data (core/gaps.h), as the operation declares.

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
