#include "picture/colour.h"

#include "core/elementary.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/whole.h"

// IEC 61966-2-1: the inverse of the transfer function of sRGB.
static double decoded(double value) {
    return value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055, 2.4);
}

Light to_light(Pixel pixel) {
    return (Light){ (float)decoded(pixel.red / 255.0), (float)decoded(pixel.green / 255.0),
                    (float)decoded(pixel.blue / 255.0) };
}

// Each byte begins where the light halfway between it and the one below is encoded.
static void fill_encode(uint8_t encode[ENCODE_STEPS + 1]) {
    int step = 0;
    for (int byte = 0; byte <= 255; byte++) {
        const double end = byte < 255 ? decoded((byte + 0.5) / 255) * ENCODE_STEPS : ENCODE_STEPS + 1;
        for (; step <= ENCODE_STEPS && step < end; step++)
            encode[step] = (uint8_t)byte;
    }
}

void ramp_fill(Ramp *ramp, const Palette *palette) {
    Light stops[PALETTE_MAX];
    for (int i = 0; i < palette->count; i++)
        stops[i] = to_light(palette->stops[i].colour);
    int next = 0; // the first stop above the height
    for (int step = 0; step <= 2 * RAMP_STEPS; step++) {
        const double height = (double)(step - RAMP_STEPS) / RAMP_STEPS;
        while (next < palette->count && palette->stops[next].height <= height)
            next++;
        const int low = next > 0 ? next - 1 : 0, high = next < palette->count ? next : palette->count - 1;
        const double from = palette->stops[low].height, range = palette->stops[high].height - from;
        const float share = range > 0 ? (float)((height - from) / range) : 0;
        ramp->steps[step] = light_blend(stops[low], stops[high], share);
    }
    fill_encode(ramp->encode);
}

Light ramp_rock(const Ramp *ramp) {
    Light sum = { 0, 0, 0 };
    const int first = RAMP_STEPS + RAMP_STEPS / 2, end = RAMP_STEPS + RAMP_STEPS * 78 / 100;
    for (int step = first; step < end; step++) {
        sum.red += ramp->steps[step].red;
        sum.green += ramp->steps[step].green;
        sum.blue += ramp->steps[step].blue;
    }
    const Light mean = light_scaled(sum, 1 / (float)(end - first));
    const float grey = 0.2126f * mean.red + 0.7152f * mean.green + 0.0722f * mean.blue;
    return light_scaled(light_blend(mean, (Light){ 1.08f * grey, grey, 0.9f * grey }, 0.6f), 0.8f);
}

bool ramp_has_sea(const Ramp *ramp) {
    const Light sea = ramp_at(ramp, RAMP_RIVER), land = ramp_at(ramp, 0);
    return !(sea.red == land.red && sea.green == land.green && sea.blue == land.blue);
}

Light ramp_river(const Ramp *ramp) {
    return ramp_has_sea(ramp) ? ramp_at(ramp, RAMP_RIVER) : to_light((Pixel){ 0x2b, 0x5d, 0x8c, 255 });
}

enum { CHUNK = 256 };

KERNEL static void light_steps(const float *restrict light, int count, int *restrict steps) {
    for (int i = 0; i < count; i++) {
        steps[i] = whole_within(light[i] * ENCODE_STEPS + 0.5f, 0, ENCODE_STEPS);
    }
}

void encode_lights(const Ramp *ramp, const float *red, const float *green, const float *blue, int count,
                   Pixel *pixels) {
    int steps[3][CHUNK];
    for (int start = 0; start < count; start += CHUNK) {
        const int some = min(count - start, CHUNK);
        light_steps(red + start, some, steps[0]);
        light_steps(green + start, some, steps[1]);
        light_steps(blue + start, some, steps[2]);
        for (int i = 0; i < some; i++)
            pixels[start + i] = (Pixel){ ramp->encode[steps[0][i]], ramp->encode[steps[1][i]],
                                         ramp->encode[steps[2][i]], 255 };
    }
}

void ramp_pixels(const Ramp *ramp, Pixel pixels[RAMP_COLOURS]) {
    for (int step = 0; step < RAMP_COLOURS; step++) {
        const Light light = ramp->steps[step];
        encode_lights(ramp, &light.red, &light.green, &light.blue, 1, &pixels[step]);
    }
}
