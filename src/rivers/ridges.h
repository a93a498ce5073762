// Ridges: centripetal Catmull-Rom splines through given points, as lines that no tributary crosses.

#ifndef ESKER_RIDGES_H
#define ESKER_RIDGES_H

#include "rivers/boundary.h"

// Writes `resolution` + 1 points along the spline from b to c to `places`; a and d control the tangents at
// its ends (Speirs 2020, section 4.1; Catmull and Rom 1974; centripetal: Yuksel, Schaefer and Keyser 2011).
void ridge_span(Vec2 a, Vec2 b, Vec2 c, Vec2 d, int resolution, Vec2 *places);

#endif
