// Where a small river passes close to a large one of another valley, it cannot lie far above it: the land
// between them would be too steep, and water would not stay in its bed. Each river bounds those around it as
// if it had a valley of the terrain's shape (valleys.h), but flatter; a coast does likewise.

#ifndef ESKER_LOWERING_H
#define ESKER_LOWERING_H

#include "rivers/profiles.h"

// Lowers altitudes to the highest that keep all bounds and never rise downstream. `distance`: along the river
// to its mouth, of each tributary. False, with the error filled, for want of memory.
bool lower_rivers(const Growth *growth, const ProfileShape *shape, Profiles *profiles, const float *distance,
                  Error *error);

#endif
