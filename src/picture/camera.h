// The camera of a view: its position, and the directions of the rays through the picture.

#ifndef ESKER_CAMERA_H
#define ESKER_CAMERA_H

#include "core/operation.h"
#include "picture/max_pyramid.h"

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

#endif
