// What is wrong with the named arguments of a call, in the same words for every interface.

#ifndef ESKER_ARGUMENTS_H
#define ESKER_ARGUMENTS_H

#include "core/operation.h"

// Fails: the operation takes no argument of this name. `with_inputs`: whether inputs are named, too.
Status argument_unknown(const Operation *operation, const char *name, bool with_inputs, Error *error);

// Fails: the parameter does not take a value, which `got` describes.
Status argument_wrong(const Operation *operation, const Param *param, const char *got, Error *error);

// The size of a call from size, width and height, 0 where not given.
Status argument_sides(const Operation *operation, const int sides[3], Call *call, Error *error);

#endif
