// The rivers of an atlas as lines in a picture, as wide as they are: by the root of what they drain. A line
// narrower than a pixel covers so much of it.

#ifndef ESKER_RIVER_LINES_H
#define ESKER_RIVER_LINES_H

#include "rivermap/eroded/atlas.h"

// Near a globe's edge, where the picture shows the ground aslant, rivers are drawn as if a pixel showed at
// most so many of them side by side.
enum { PLANET_ASLANT = 4 };

typedef struct RiverLines RiverLines;

// The rivers that show in the atlas's view; NULL: `status` says why. The atlas stays.
RiverLines *river_lines_new(const Atlas *atlas, Status *status, Error *error);
void river_lines_free(RiverLines *lines);

// Draws the rivers of a flat map into its view's fields: the widest shape the land.
Status river_lines_draw(RiverLines *lines, Error *error);

// How much of the pixel at a place of a planet they cover; above 1 their width in pixels.
float river_lines_cover(const RiverLines *lines, const GridPlace *place, Vec3 at);

#endif
