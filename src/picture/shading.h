// How pictures of land are lit: the one shader of relief, perspective and what calls them.
//
// Three lights, a main one and two weaker ones beside it, fall on slopes that are compressed, so that gentle
// land shows and steep land keeps its forms (lights_tone). What faces the light becomes warmer and lighter,
// what faces away becomes bluish and keeps its colour (lit_ground). Imhof 1982, "Cartographic Relief
// Presentation", chapters 9 and 13; Patterson and Jenny 2011.

#ifndef ESKER_SHADING_H
#define ESKER_SHADING_H

#include "core/frame.h"
#include "picture/colour.h"

#include <math.h>

enum { LIGHTS = 3 };

typedef struct Lights {
    float towards[LIGHTS][3]; // unit vectors: to the right, down, up
    float share[LIGHTS];      // each one's share of the light on level ground, over its own light there
    float contrast;           // 1: as it should be
} Lights;

// `azimuth`: clockwise from north, which lies where `compass` says, and `altitude` above the horizon,
// degrees; `contrast`: 0 none, 0.85 as it should be. Fails with STATUS_INVALID unless the altitude is 1
// to 90.
Status lights_set(Lights *lights, Compass compass, double azimuth, double altitude, double contrast,
                  Error *error);

// The greatest slope that is told apart.
#define SLOPE_MOST 1e6f

// What a slope m is drawn as, over m: 1.6 / (1 + (p + √p) / 2), p = m / 0.8. Gentle ones look steeper, those
// of 1 less steep, and none more than 2.56.
KERNEL_INLINE float slope_compression(float steepness) {
    const float part = steepness * (1 / 0.8f);
    return 1.6f / (1 + 0.5f * (part + sqrtf(part)));
}

// A light that fades out before the ground faces away, without an edge: half the light plus its root mean
// square with this toe.
#define TOE 0.16f // squared

KERNEL_INLINE float soft_light(float facing) {
    return 0.5f * (facing + sqrtf(facing * facing + TOE));
}

// How light ground is: 0 where it is level, down to about -0.8 in shade and up to 0.5 in the light. `across`
// and `along`: its slopes to the right and down.
KERNEL_INLINE float lights_tone(const Lights *lights, float across, float along) {
    const float gain = 1.65f;
    const float x = clamp(across, -SLOPE_MOST, SLOPE_MOST), y = clamp(along, -SLOPE_MOST, SLOPE_MOST);
    const float steepness = sqrtf(x * x + y * y), kept = slope_compression(steepness);
    const float right = x * kept, down = y * kept, upright = 1 / sqrtf(right * right + down * down + 1);
    float light = 0;
    for (int i = 0; i < LIGHTS; i++) {
        const float *towards = lights->towards[i];
        light +=
            lights->share[i] * soft_light((towards[2] - right * towards[0] - down * towards[1]) * upright);
    }
    const float tone = gain * (light - 1), square = tone * tone;
    return lights->contrast * tone / sqrtf(sqrtf(1 + square * square));
}

// High ground has more contrast than lowlands, as air makes distant ones pale (aerial perspective; Imhof
// 1982, chapter 13). `high`: 0 at the shore to 1 on the highest summits.
KERNEL_INLINE float contrast_at(float high) {
    return 0.85f + 0.3f * high;
}

// One channel of a colour in a tone: in shade multiplied by the shade's colour, in the light made brighter
// and mixed with the light's.
KERNEL_INLINE float lit_channel(float colour, float tone, float shade, float light) {
    const float dark = max(-tone, 0), bright = max(tone, 0);
    return colour * (1 - dark * (1 - shade) + 0.22f * bright) + (light - colour) * 0.22f * bright;
}

// A colour in a tone. The light is brighter than white: see shading_brightest.
KERNEL_INLINE Light lit_ground(Light colour, float tone) {
    return (Light){ lit_channel(colour.red, tone, 0.20f, 1.30f),
                    lit_channel(colour.green, tone, 0.225f, 1.24f),
                    lit_channel(colour.blue, tone, 0.34f, 1.06f) };
}

#define SHADING_KNEE 0.72f // brighter colours are compressed, or slopes in snow would not show

// The brightest channel that lit_ground makes of white.
static inline float shading_brightest(const Lights *lights) {
    return 1 + 0.24f * lights->contrast;
}

#endif
