// Colours in linear light, where they blend and shade as light does, and a palette as a table.

#ifndef ESKER_COLOUR_H
#define ESKER_COLOUR_H

#include "core/operation.h"

typedef struct Light { // linear, 0 … 1
    float red, green, blue;
} Light;

enum { RAMP_STEPS = 1024, ENCODE_STEPS = 4096 };

// A palette from height -1 to 1, in steps.
typedef struct Ramp {
    Light steps[2 * RAMP_STEPS + 1];
    uint8_t encode[ENCODE_STEPS + 1]; // linear to sRGB
} Ramp;

void ramp_fill(Ramp *ramp, const Palette *palette);

// sRGB (IEC 61966-2-1) to linear light.
Light to_light(Pixel pixel);

// The step for a height, -1 … 1; heights outside are cut off.
static inline Light ramp_at(const Ramp *ramp, float height) {
    const float inside = height < -1 ? -1 : height > 1 ? 1 : height;
    return ramp->steps[(int)((inside + 1) * RAMP_STEPS + 0.5f)];
}

static inline uint8_t encode_light(const Ramp *ramp, float light) {
    const float inside = light < 0 ? 0 : light > 1 ? 1 : light;
    return ramp->encode[(int)(inside * ENCODE_STEPS + 0.5f)];
}

#endif
