// Lines of equal height by marching squares.

#ifndef ESKER_MARCHING_SQUARES_H
#define ESKER_MARCHING_SQUARES_H

#include "analysis/line_list.h"
#include "core/field.h"

// Prepares lines of the heights. Freed by lines_free, also after a failure.
Status lines_begin(const Run *run, const Field *height, LineList *lines, Error *error);

// Adds the lines along which the field, interpolated bilinearly between cells' centres, is at `level`: higher
// ground on the right. They end at the field's edges, where there is no data, or where they
// began.
Status trace_contours(const Run *run, const Field *height, float level, LineList *lines, Error *error);

#endif
