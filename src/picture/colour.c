#include "picture/colour.h"

#include "core/elementary.h"

// IEC 61966-2-1: the transfer function of sRGB and its inverse.
static double decoded(double value) {
    return value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055, 2.4);
}

static double encoded(double light) {
    return light <= 0.0031308 ? light * 12.92 : 1.055 * power(light, 1 / 2.4) - 0.055;
}

Light to_light(Pixel pixel) {
    return (Light){ (float)decoded(pixel.red / 255.0), (float)decoded(pixel.green / 255.0),
                    (float)decoded(pixel.blue / 255.0) };
}

static Light blend(Light from, Light to, float share) {
    return (Light){ from.red + (to.red - from.red) * share, from.green + (to.green - from.green) * share,
                    from.blue + (to.blue - from.blue) * share };
}

void ramp_fill(Ramp *ramp, const Palette *palette) {
    int next = 0; // the first stop above the height
    for (int step = 0; step <= 2 * RAMP_STEPS; step++) {
        const double height = (double)(step - RAMP_STEPS) / RAMP_STEPS;
        while (next < palette->count && palette->stops[next].height <= height)
            next++;
        const struct PaletteStop *low = &palette->stops[next > 0 ? next - 1 : 0];
        const struct PaletteStop *high = &palette->stops[next < palette->count ? next : palette->count - 1];
        const double range = high->height - low->height;
        const float share = range > 0 ? (float)((height - low->height) / range) : 0;
        ramp->steps[step] = blend(to_light(low->colour), to_light(high->colour), share);
    }
    for (int step = 0; step <= ENCODE_STEPS; step++)
        ramp->encode[step] = (uint8_t)(encoded((double)step / ENCODE_STEPS) * 255 + 0.5);
}
