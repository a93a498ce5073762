// Shades what a ray from the camera hits: ground, rivers, the sea, the cut through the ground, sky, and the
// air between.

#ifndef ESKER_SCENERY_H
#define ESKER_SCENERY_H

#include "core/operation.h"
#include "picture/colour.h"
#include "picture/daylight.h"
#include "picture/max_pyramid.h"
#include "picture/river_cover.h"
#include "picture/shading.h"

// The camera of a view: its position, and the directions of the rays through the picture.
typedef struct CameraPlan {        // places in sides of the field, z above the sea
    const Numbers *place, *target; // empty: from the angles, and the field's middle
    double azimuth, pitch, field_of_view;
    Compass compass;   // of the field
    double distance;   // NAN: as far as it takes to see the whole field
    bool over_sea;     // which ends the ground at z 0
    int columns, rows; // of the picture
} CameraPlan;

typedef struct Camera {
    Vector place; // cells
    Vector ahead, right,
        up;       // right (left on mirrored ground) and up, half of the picture's height at distance 1
    double pixel; // its width at distance 1
    double clear; // distance from which on there is haze
} Camera;

// Fails with STATUS_INVALID when the camera is inside the ground, looks straight up or down, or at itself.
Status camera_aim(Camera *camera, const CameraPlan *plan, const MaxPyramid *pyramid, Error *error);

// The apparent depth of the sea: the depth of the floor inside the field, of the nearby border just beyond
// it, and a uniform depth far away.
typedef struct OpenSea {
    const MaxPyramid *pyramid;
    double *sums; // of the border's cells, clockwise from the upper left corner: of the first 0, 1, 2, …
    int count;    // cells of the border
    double far;   // the value far away
} OpenSea;

// Freed by open_sea_free, also after a failure.
Status open_sea_create(OpenSea *sea, const MaxPyramid *pyramid, Error *error);

void open_sea_free(OpenSea *sea);

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
