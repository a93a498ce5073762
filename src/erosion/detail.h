// Detail of a finer land, laid into a refined field octave by octave, so that the field's means stay.

#ifndef ESKER_DETAIL_H
#define ESKER_DETAIL_H

#include "core/error.h"
#include "core/field.h"
#include "core/parallel.h"

enum { DETAIL_LEVELS_MAX = 4 };

// `result`: the field, which becomes `levels` times twice as fine. `means[levels]`: the land that the detail
// is taken from, of that size; those before it, empty so far, become its means over larger cells, to be freed
// by the caller. The first is used up. `detail`: its strength; 1 for as much as the field's octaves lead to
// expect.
Status add_detail(const Run *run, Field *result, Field *means, int levels, double detail, Error *error);

#endif
