// How much sun and sky light reaches each point of a heightfield, or of the sea that covers its low parts
// and extends beyond it.

#ifndef ESKER_DAYLIGHT_H
#define ESKER_DAYLIGHT_H

#include "picture/max_pyramid.h"

#include <stdint.h>

#define OPEN_SKY 0.85f // of level ground

typedef struct Daylight {
    const Field *height;
    uint8_t *sun; // of each point: 0 in the shadow of higher ground, with soft edges, 255 in the sun
    Field sky;    // 0 … 1: less in hollows and at the foot of slopes; a cell for step × step points
    int step;
    // Beyond the field, over the sea: shadow heights at the field's border.
    Vector towards; // the sun
    float soft;     // a shadow is full where it is this much higher than the surface
    float *borders; // rows 0 and height - 1, then columns 0 and width - 1
} Daylight;

// `sun`: the direction towards it, of length 1. Freed by daylight_free, also after a failure.
Status daylight_create(Daylight *daylight, const Run *run, const MaxPyramid *pyramid, Vector sun,
                       Error *error);

void daylight_free(Daylight *daylight);

// 0 … 1, between points too. Beyond the field: at the sea's surface.
double daylight_sun(const Daylight *daylight, double x, double y);
double daylight_sky(const Daylight *daylight, double x, double y);

#endif
