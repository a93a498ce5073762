// Lakes in a picture of eroded land.

#ifndef ESKER_LAKE_PIXELS_H
#define ESKER_LAKE_PIXELS_H

#include "rivermap/eroded/atlas.h"

// Cells around a view that they are drawn from, on each level.
enum { LAKE_MARGIN = 18 };

// Draws the lakes of an atlas into its view's fields, over ground and rivers: the altitude of the water, and
// how deep it is where the view has a field for that.
Status draw_lake_pixels(const Atlas *atlas, Error *error);

// The beds of the lakes of level 0, of an atlas of all of it, which must stay; NULL on failure.
typedef struct LakePicture LakePicture;
LakePicture *lake_beds_new(const Atlas *atlas, Error *error);
void lake_beds_free(LakePicture *beds);

// How deep one is, as its water finds it that does not fill it: a LakeDepth (land/salt_lakes.h).
float lake_bed_depth(const void *beds, int face, int x, int y);

// Whether any cell is a lake's.
bool atlas_has_lakes(const Atlas *atlas);

#endif
