// Frames as users write them: the arguments of the operation georeference, and the property `frame`.

#ifndef ESKER_GEOREFERENCE_H
#define ESKER_GEOREFERENCE_H

#include "core/operation.h"

typedef struct Georeference {
    double x, y, cell, cell_width, cell_height, turn_x, turn_y, sea, top;
    const char *system, *unit;
    const Field *like;
    bool nowhere;
} Georeference;

extern const Operation op_georeference;

// The frame that the arguments describe.
Status georeference_frame(const Georeference *given, Frame *frame, Error *error);

#endif
