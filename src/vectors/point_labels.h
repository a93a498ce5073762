// Names of points in SVG, as text beside their dots.

#ifndef ESKER_POINT_LABELS_H
#define ESKER_POINT_LABELS_H

#include "places/points.h"

#include <stdio.h>

// Writes the attribute `name` of points, if they have it. Those that come first take their room first; names
// without room are left out.
Status write_point_labels(FILE *stream, const Points *points, Error *error);

#endif
