// Discharge and altitudes of grown rivers.

#ifndef ESKER_PROFILES_H
#define ESKER_PROFILES_H

#include "rivers/growth.h"

typedef struct Profiles { // one element a tributary; from memory_new, freed by profiles_free
    int *drained;         // number of points that drain through it
    int most;             // through any
    float *altitude;      // 0 at mouths … 0.8
} Profiles;

typedef struct ProfileShape {
    double
        concavity;   // how much steeper small rivers are: gradients proportional to (drained area)^-concavity
    double steepest; // how far a river may be above another beside it, heights per side
    double width;    // of the largest river, map units
    double floodplain; // distance within which it keeps others low, in widths
} ProfileShape;

// The width of a river in map units, proportional to the square root of its discharge (Leopold and Maddock
// 1953).
double profile_width(const ProfileShape *shape, double drained, double most);

// Altitudes rise with the distance to the mouth, to 80 % of the range of heights (Speirs 2020, sections 4 and
// 5.3), by the slope-area relation of real rivers (Flint 1974); concavity 0 is the paper's profile.
Status profiles_create(Profiles *profiles, const Growth *growth, const ProfileShape *shape, Error *error);

void profiles_free(Profiles *profiles);

#endif
