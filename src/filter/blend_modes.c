// The modes in which a layer is blended onto another (W3C, "Compositing and blending level 1", section 9.1),
// where a is the backdrop and b the source: a + (B(a, b) - a) · opacity · mask.

#include "filter/blend.h"

#include "core/finite.h"
#include "core/kernel.h"
#include "core/math.h"

#include <math.h>

enum {
    NORMAL,
    ADD,
    SUBTRACT,
    MULTIPLY,
    SCREEN,
    OVERLAY,
    HARD_LIGHT,
    SOFT_LIGHT,
    DIFFERENCE,
    EXCLUSION,
    DODGE,
    BURN,
    DARKEN,
    LIGHTEN,
};

KERNEL_INLINE float screen(float a, float b) {
    return a + b - a * b;
}

KERNEL_INLINE float hard_light(float a, float b) {
    return b <= 0.5f ? a * (2 * b) : screen(a, 2 * b - 1);
}

KERNEL_INLINE float soft_light(float a, float b) {
    const float root = sqrtf(max(a, 0)), shadow = ((16 * a - 12) * a + 4) * a;
    const float light = a <= 0.25f ? shadow : root;
    return b <= 0.5f ? a - (1 - 2 * b) * a * (1 - a) : a + (2 * b - 1) * (light - a);
}

KERNEL_INLINE float mixed(int mode, float a, float b) {
    switch (mode) {
    case ADD:
        return a + b;
    case SUBTRACT:
        return a - b;
    case MULTIPLY:
        return a * b;
    case SCREEN:
        return screen(a, b);
    case OVERLAY:
        return hard_light(b, a);
    case HARD_LIGHT:
        return hard_light(a, b);
    case SOFT_LIGHT:
        return soft_light(a, b);
    case DIFFERENCE:
        return fabsf(a - b);
    case EXCLUSION:
        return a + b - 2 * a * b;
    case DODGE:
        return a <= 0 ? 0 : a >= 1 - b ? 1.0f : a / (1 - b);
    case BURN:
        return a >= 1 ? 1.0f : 1 - a >= b ? 0 : 1 - (1 - a) / b;
    case DARKEN:
        return min(a, b);
    case LIGHTEN:
        return max(a, b);
    default:
        return b;
    }
}

KERNEL_INLINE int32_t blend_row_by(int mode, const float *restrict a, const float *restrict b,
                                   const float *restrict mask, float opacity, int count,
                                   float *restrict out) {
    int32_t most = 0;
    if (!mask)
        for (int x = 0; x < count; x++) {
            out[x] = a[x] * (1 - opacity) + mixed(mode, a[x], b[x]) * opacity;
            most = max(most, float_magnitude(out[x]));
        }
    else
        for (int x = 0; x < count; x++) {
            const float weight = mask[x] * opacity;
            out[x] = a[x] * (1 - weight) + mixed(mode, a[x], b[x]) * weight;
            most = max(most, float_magnitude(out[x]));
        }
    return most;
}

#define ROW_BY(mode)                                                                                         \
    case mode:                                                                                               \
        return blend_row_by(mode, a, b, mask, opacity, count, out);

// Static, since the symbols of a kernel's versions are exported from a library whatever its visibility.
KERNEL static int32_t blend_row(int mode, const float *a, const float *b, const float *mask, float opacity,
                                int count, float *out) {
    switch (mode) {
        ROW_BY(NORMAL)
        ROW_BY(ADD)
        ROW_BY(SUBTRACT)
        ROW_BY(MULTIPLY)
        ROW_BY(SCREEN)
        ROW_BY(OVERLAY)
        ROW_BY(HARD_LIGHT)
        ROW_BY(SOFT_LIGHT)
        ROW_BY(DIFFERENCE)
        ROW_BY(EXCLUSION)
        ROW_BY(DODGE)
        ROW_BY(BURN)
        ROW_BY(DARKEN)
        ROW_BY(LIGHTEN)
    }
    return 0;
}

int32_t blend_values(int mode, const float *a, const float *b, const float *mask, float opacity, int count,
                     float *out) {
    return blend_row(mode, a, b, mask, opacity, count, out);
}
