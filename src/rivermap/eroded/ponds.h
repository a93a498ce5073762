// Seas of a few cells, which finer levels would lose.

#ifndef ESKER_PONDS_H
#define ESKER_PONDS_H

#include "core/error.h"
#include "core/field.h"

enum { POND_CELLS = 12 }; // a sea away from the border has at least as many

// Raises smaller seas, below 0, to 0, so that they fill and spill: on finer levels such a pond shrinks to
// specks, and the rivers that end in it would end on dry land. `planet`: the field holds the faces of a cube,
// one below the other (land/cube.h), which have no border.
Status fill_ponds(Field *field, bool planet, Error *error);

#endif
