// Shades what a ray from the camera hits: ground, rivers, the sea, the cut through the ground, sky, and the
// air between.

#ifndef ESKER_SCENERY_H
#define ESKER_SCENERY_H

#include "picture/camera.h"
#include "picture/colour.h"
#include "picture/daylight.h"
#include "picture/open_sea.h"
#include "picture/river_cover.h"
#include "picture/shading.h"

typedef struct Scenery {
    MaxPyramid pyramid, unraised; // the unscaled heights
    bool flat;                    // everything is at z = 0, with the colours of its heights
    Daylight daylight;
    OpenSea open_sea;
    RiverCover rivers;
    const Image *drape; // may be NULL
    float linear[256];  // of the drape's bytes
    const Ramp *ramp;
    Camera camera;
    int width, height; // of the picture
    Vector sun;
    Lights lights; // the sun's, and the sky's beside it
    // Places on the palette (land_scale.h) of z: z of the height whose place is 0, and factors.
    double shore, above, bend, below, bend_below;
    double rocky, haze;
    Light rock, wall, shallow, deep, zenith, horizon, river;
} Scenery;

// Colours that go with the palette. `has_sea`: the palette has colours for it.
void scenery_colour(Scenery *scenery, bool has_sea);

// The colour at a position in the picture, in pixels from its upper left corner.
Light scenery_at(const Scenery *scenery, double across, double down);

#endif
