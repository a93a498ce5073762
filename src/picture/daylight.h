// How much sun and sky reach each point of a heightfield.

#ifndef ESKER_DAYLIGHT_H
#define ESKER_DAYLIGHT_H

#include "picture/sight.h"

#include <stdint.h>

typedef struct Daylight {
    const Field *height;
    uint8_t *sun; // of each point: 0 in the shadow of higher ground, with soft edges, 255 in the sun
    Field sky;    // 0 … 1: less in hollows and at the foot of slopes; a cell for step × step points
    int step;
} Daylight;

// `sun`: the direction towards it, of length 1. Freed by daylight_free, also after a failure.
Status daylight_create(Daylight *daylight, const Run *run, const Sight *sight, Vector sun, Error *error);

void daylight_free(Daylight *daylight);

// 0 … 1, between points too.
double daylight_sun(const Daylight *daylight, double x, double y);
double daylight_sky(const Daylight *daylight, double x, double y);

#endif
