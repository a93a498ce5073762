// Names beside points, as on printed maps.

#ifndef ESKER_POINT_NAMES_H
#define ESKER_POINT_NAMES_H

#include "core/field.h"
#include "places/points.h"

typedef struct PointNames {
    const Points *points;
    int column;          // the attribute that names them
    double scale;        // pixels for each cell of the points' window
    const double *radii; // of their dots, in pixels
    double size;         // height of the smallest dots' capitals, in pixels
} PointNames;

// Draws names into `letters`, and what surrounds them into `halo`: shares of pixels, zeroed. Names of points
// that come first take their room first, and those that find none are left out.
Status write_point_names(const PointNames *names, Field *letters, Field *halo, Error *error);

#endif
