// Long narrow arms of the sea on level 0 of a flat map.

#ifndef ESKER_SEA_ARMS_H
#define ESKER_SEA_ARMS_H

#include "core/error.h"
#include "core/field.h"

// How near an arm each place of a grid is, `step` cells of the field apart, and one more along each side: 1
// in one, 0 far from all. `near` is NULL if there is none. The sea lies below 0; it goes on beyond the field.
Status find_sea_arms(const Field *field, int step, float **near, Error *error);

#endif
