// W3C, "Compositing and blending level 1", sections 9.1 and 10: with the backdrop's alpha a and the source's
// s, the result has the alpha s + a (1 - s) and the colour
//
//     (s (1 - a) C_source + s a B(C_backdrop, C_source) + (1 - s) a C_backdrop) / alpha
//
// for colours as they are stored, not in linear light.

#include "core/kernel.h"
#include "core/math.h"
#include "core/whole.h"
#include "filter/blend.h"

enum { CHUNK = 256 };

typedef struct Layers {
    const Blend *blend;
    const Image *a, *b;
    Image *out;
} Layers;

typedef float Channels[4][CHUNK]; // red, green, blue, alpha; 0 … 1

static void load(const Pixel *pixels, int count, Channels to) {
    for (int x = 0; x < count; x++) {
        to[0][x] = (float)pixels[x].red / 255;
        to[1][x] = (float)pixels[x].green / 255;
        to[2][x] = (float)pixels[x].blue / 255;
        to[3][x] = (float)pixels[x].alpha / 255;
    }
}

static uint8_t byte_of(float value) {
    return (uint8_t)whole_within(value * 255 + 0.5f, 0, 255);
}

static void store(Channels from, int count, Pixel *pixels) {
    for (int x = 0; x < count; x++)
        pixels[x] =
            (Pixel){ byte_of(from[0][x]), byte_of(from[1][x]), byte_of(from[2][x]), byte_of(from[3][x]) };
}

// The source's alpha.
KERNEL static void find_weights(const float *restrict alpha, const float *restrict mask, float opacity,
                                int count, float *restrict weights) {
    for (int x = 0; x < count; x++) {
        const float share = mask ? mask[x] : 1, above = share > 0 ? share : 0;
        weights[x] = alpha[x] * opacity * (above < 1 ? above : 1);
    }
}

// One channel: `mixed` holds B(a, b), and then the result.
KERNEL static void compose(const float *restrict a, const float *restrict b, const float *restrict alpha,
                           const float *restrict weights, int count, float *restrict mixed) {
    for (int x = 0; x < count; x++) {
        const float above = mixed[x] > 0 ? mixed[x] : 0, inside = above < 1 ? above : 1;
        const float source = weights[x], backdrop = alpha[x];
        const float sum =
            source * (1 - backdrop) * b[x] + source * backdrop * inside + (1 - source) * backdrop * a[x];
        const float all = source + backdrop * (1 - source);
        mixed[x] = all > 0 ? sum / all : a[x];
    }
}

static void blend_rows(void *context, int first, int end) {
    const Layers *layers = context;
    const Blend *blend = layers->blend;
    Channels a, b, out;
    float weights[CHUNK];
    for (int y = first; y < end; y++)
        for (int start = 0; start < layers->out->width; start += CHUNK) {
            const int count = min(layers->out->width - start, CHUNK);
            load(image_row(layers->a, y) + start, count, a);
            load(image_row(layers->b, y) + start, count, b);
            find_weights(b[3], blend->mask ? field_row(blend->mask, y) + start : NULL, (float)blend->opacity,
                         count, weights);
            for (int channel = 0; channel < 3; channel++) {
                blend_values(blend->mode, a[channel], b[channel], NULL, 1, count, out[channel]);
                compose(a[channel], b[channel], a[3], weights, count, out[channel]);
            }
            for (int x = 0; x < count; x++)
                out[3][x] = weights[x] + a[3][x] * (1 - weights[x]);
            store(out, count, image_row(layers->out, y) + start);
        }
}

Status blend_images(const Run *run, const Blend *blend, const Image *a, const Image *b, Image *out) {
    return parallel_rows(run, out->height, out->width * 8.0, blend_rows, &(Layers){ blend, a, b, out });
}
