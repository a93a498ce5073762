// Blends layers: fields, and images channel by channel.

#ifndef ESKER_BLEND_H
#define ESKER_BLEND_H

#include "core/operation.h"

typedef struct Blend {
    int mode;
    double opacity;
    const Field *mask; // NULL: everywhere
} Blend;

enum { BLEND_NORMAL }; // the first mode

// out = a + (B(a, b) - a) · opacity · mask for `count` values; `mask` may be NULL. Returns the largest
// float_magnitude (core/finite.h).
int32_t blend_values(int mode, const float *a, const float *b, const float *mask, float opacity, int count,
                     float *out);

// b over a, of the same size, into `out`.
Status blend_images(const Run *run, const Blend *blend, const Image *a, const Image *b, Image *out);

#endif
