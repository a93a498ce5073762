// Where a call lies, and what its arguments are in cells: what operation_run does with frames (core/frame.h)
// and units.

#ifndef ESKER_OPERATION_FRAMES_H
#define ESKER_OPERATION_FRAMES_H

#include "core/operation.h"

// Sets call->frame to that of the first input that has one, with what the others add; fails with
// STATUS_INVALID where one lies elsewhere.
Status operation_find_frame(const Operation *operation, Call *call, const void *params, Error *error);

// Gives the outputs the frame of the call, each with its own cells.
void operation_set_frames(const Operation *operation, const Call *call);

// Turns per-side values, lengths and slopes in `params` into those of cells, and tells in call->notice where
// cells or heights are not what the operation takes them for.
Status operation_resolve_units(const Operation *operation, const Call *call, void *params, Error *error);

// The coordinates, as the call's places are given, of a place in shares of the field's sides.
Status operation_place_as_given(const Call *call, double share_x, double share_y, double place[2],
                                Error *error);

#endif
