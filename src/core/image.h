// An Image is a grid of 8-bit RGBA pixels, row by row, pixel (0, 0) at the top left, alpha not premultiplied.

#ifndef ESKER_IMAGE_H
#define ESKER_IMAGE_H

#include "core/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Pixel {
    uint8_t red, green, blue, alpha;
} Pixel;

typedef struct Image {
    int width, height;   // 1 … SIDE_MAX; both 0 while there are no pixels
    const Pixel *pixels; // width × height, row by row; owned; written through image_row
    Frame frame;         // where its pixels lie; no part of its hash
} Image;

// Like field_create; pixels are not set yet.
Status image_create(Image *image, int width, int height, Error *error);

void image_free(Image *image);

bool image_is_opaque(const Image *image);

// A 64-bit hash of size and colours, the same on every machine.
uint64_t image_hash(const Image *image);

// Row y: writable for an Image *, read-only for a const Image *, as for fields.
#ifdef __cppcheck__ // cppcheck misreads _Generic
#define image_row(image, y) image_row_to_write((Image *)(image), y)
#else
#define image_row(image, y)                                                                                  \
    _Generic((image), Image * : image_row_to_write, const Image * : image_row_to_read)(image, y)
#endif

static inline Pixel *image_row_to_write(Image *image, int y) {
    return (Pixel *)image->pixels + (size_t)y * (size_t)image->width;
}

static inline const Pixel *image_row_to_read(const Image *image, int y) {
    return image->pixels + (size_t)y * (size_t)image->width;
}

#endif
