// One of Azgaar's maps as what operations take: a guide, and what lies on it.

#ifndef ESKER_AZGAAR_WORLD_H
#define ESKER_AZGAAR_WORLD_H

#include "core/format.h"
#include "places/shapes.h"
#include "vectors/azgaar_ground.h"

enum { WORLD_RIVERS, WORLD_LAKES, WORLD_PLACES, WORLD_ROUTES, WORLD_SHAPES };

extern const FileFormat format_azgaar;

extern const char *const azgaar_shape_names[WORLD_SHAPES + 1];

// Polygons for lakes, lines for all else, or dots, each with attributes, in a window of the whole square.
// Freed by the caller; *made is NULL where the map has none of the kind.
Status azgaar_shapes(const AzgaarGround *ground, int kind, Shapes **made, Error *error);

// Reads an export: its heights, or the shapes that `reading->layer` names.
Status read_azgaar(Reading *reading, Error *error);

#endif
