#include "core/image.h"

#include "core/field.h"
#include "core/memory.h"
#include "core/random.h"

Status image_create(Image *image, int width, int height, Error *error) {
    *image = (Image){ 0 };
    if (width < 1 || width > SIDE_MAX || height < 1 || height > SIDE_MAX)
        return fail(error, STATUS_INVALID, "an image's sides must be 1 to %d, got %d × %d", SIDE_MAX, width,
                    height);
    Pixel *pixels = memory_new((size_t)width * (size_t)height, sizeof *pixels, error);
    if (!pixels)
        return STATUS_MEMORY;
    *image = (Image){ .width = width, .height = height, .pixels = pixels };
    return STATUS_OK;
}

void image_free(Image *image) {
    memory_free((Pixel *)image->pixels);
    *image = (Image){ 0 };
}

uint64_t image_hash(const Image *image) {
    uint64_t hash = mix64((uint64_t)image->width << 32 | (uint32_t)image->height);
    const size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < count; i++) {
        const Pixel *pixel = &image->pixels[i];
        hash = mix64(hash ^ ((uint64_t)pixel->red << 24 | (uint64_t)pixel->green << 16 |
                             (uint64_t)pixel->blue << 8 | pixel->alpha));
    }
    return hash;
}

bool image_is_opaque(const Image *image) {
    const size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < count; i++)
        if (image->pixels[i].alpha != 255)
            return false;
    return true;
}
