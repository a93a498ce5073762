// Colours in linear light, for blending and shading, and a palette as a lookup table.

#ifndef ESKER_COLOUR_H
#define ESKER_COLOUR_H

#include "core/math.h"
#include "core/operation.h"
#include "core/whole.h"

typedef struct Light { // linear, 0 … 1
    float red, green, blue;
} Light;

enum { RAMP_STEPS = 1024, RAMP_COLOURS = 2 * RAMP_STEPS + 1, ENCODE_STEPS = 4096 };

// A palette from height -1 to 1, in steps.
typedef struct Ramp {
    Light steps[RAMP_COLOURS];
    uint8_t encode[ENCODE_STEPS + 1]; // linear to sRGB
} Ramp;

void ramp_fill(Ramp *ramp, const Palette *palette);

// sRGB (IEC 61966-2-1) to linear light.
Light to_light(Pixel pixel);

static inline Light light_blend(Light from, Light to, float share) {
    return (Light){ from.red + (to.red - from.red) * share, from.green + (to.green - from.green) * share,
                    from.blue + (to.blue - from.blue) * share };
}

static inline Light light_scaled(Light light, float factor) {
    return (Light){ light.red * factor, light.green * factor, light.blue * factor };
}

// Light brighter than a knee is compressed, so that `brightest` and all below it keep their differences. The
// curve is Reinhard's with a white point (Reinhard et al. 2002, equation 4), above the knee.
KERNEL_INLINE float compressed(float value, float knee, float brightest) {
    const float above = value > knee ? value - knee : 0, below = min(knee, value);
    const float over = above / (1 - knee), most = (brightest - knee) / (1 - knee);
    return below + above * (1 + over / (most * most)) / (1 + over);
}

static inline Light light_compressed(Light light, float knee, float brightest) {
    return (Light){ compressed(light.red, knee, brightest), compressed(light.green, knee, brightest),
                    compressed(light.blue, knee, brightest) };
}

// Bare rock to match a palette: the colours of its middle heights, duller and darker.
Light ramp_rock(const Ramp *ramp);

// Whether heights below 0 have colours of their own.
bool ramp_has_sea(const Ramp *ramp);

#define RAMP_RIVER (-0.4)
// The colour of rivers: the palette's sea at this height, or blue if it has no sea.
Light ramp_river(const Ramp *ramp);

// The step for a height, -1 … 1; heights outside are clamped.
KERNEL_INLINE int ramp_step(double height) {
    return index_within((height + 1) * RAMP_STEPS + 0.5, RAMP_COLOURS);
}

static inline Light ramp_at(const Ramp *ramp, double height) {
    return ramp->steps[ramp_step(height)];
}

// `count` colours, each component in an array, as opaque pixels; components are clamped to 0 … 1.
void encode_lights(const Ramp *ramp, const float *red, const float *green, const float *blue, int count,
                   Pixel *pixels);

// The steps of a ramp as pixels.
void ramp_pixels(const Ramp *ramp, Pixel pixels[RAMP_COLOURS]);

#endif
