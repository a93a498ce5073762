// Detail of finer land makes no ponds inland.

#ifndef ESKER_DRY_LAND_H
#define ESKER_DRY_LAND_H

#include "core/error.h"
#include "core/field.h"
#include "core/parallel.h"

// Raises `finer`, which is `levels` times twice as fine as `field` and has its means, to `sea` and above,
// where a cell of `field` and the eight around it are: the coast crosses cells that touch the sea, no others.
// Means stay.
Status keep_dry(const Run *run, const Field *field, int levels, float sea, Field *finer, Error *error);

#endif
