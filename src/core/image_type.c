// The value type of images.

#include "core/field.h"
#include "core/image.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/value.h"

#include <stdio.h>

// --- images ------------------------------------------------------------------------------------------------

Status image_create(Image *image, int width, int height, Error *error) {
    *image = (Image){ 0 };
    if (width < 1 || width > SIDE_MAX || height < 1 || height > SIDE_MAX)
        return fail(error, STATUS_INVALID, "an image's sides must be 1 to %d, got %d × %d", SIDE_MAX, width,
                    height);
    Pixel *pixels = memory_new_cells(width, height, sizeof *pixels, error);
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

// --- the type ----------------------------------------------------------------------------------------------

static bool is_empty(const void *value) {
    return !((const Image *)value)->pixels;
}

static void free_image(void *value) {
    image_free(value);
}

static int64_t width(const void *value) {
    return ((const Image *)value)->width;
}

static int64_t height(const void *value) {
    return ((const Image *)value)->height;
}

static Frame *frame(void *value) {
    return &((Image *)value)->frame;
}

static uint64_t hash(const void *value) {
    return image_hash(value);
}

static void describe(const void *value, char *text, size_t size) {
    const Image *image = value;
    snprintf(text, size, " %d × %d", image->width, image->height);
}

static size_t pixel_bytes(const Image *image) {
    return (size_t)image->width * (size_t)image->height * sizeof *image->pixels;
}

static void write(const void *value, ByteWriter *to) {
    const Image *image = value;
    bytes_put(to, &image->width, sizeof image->width);
    bytes_put(to, &image->height, sizeof image->height);
    frame_write(&image->frame, to);
    bytes_put(to, image->pixels, pixel_bytes(image));
}

static Status read(void *held, FILE *from, Error *error) {
    Image *image = held;
    int sides[2] = { 0 };
    Frame frame = { 0 };
    Status status = bytes_get_sides(from, sides, sizeof *image->pixels, error);
    if (status == STATUS_OK)
        status = frame_read(&frame, from, error);
    if (status == STATUS_OK)
        status = image_create(image, sides[0], sides[1], error);
    if (status != STATUS_OK)
        return status;
    image->frame = frame;
    return bytes_get(from, image_row(image, 0), pixel_bytes(image), error);
}

static const ValueProperty properties[] = {
    { "width", .get = width, .doc = "pixels from left to right" },
    { "height", .get = height, .doc = "pixels from top to bottom" },
    { "frame", .doc = FRAME_DOC },
    { 0 },
};

const ValueType type_image = {
    .name = "Image",
    .kind = "image",
    .singular = "an image",
    .plural = "images",
    .number = 2,
    .doc = "a grid of 8-bit RGBA pixels",
    .properties = properties,
    .picture = "return (...)",
    .ending = "png",
    .size = sizeof(Image),
    .offset = offsetof(Output, image),
    .is_empty = is_empty,
    .free = free_image,
    .frame = frame,
    .hash = hash,
    .describe = describe,
    .write = write,
    .read = read,
};
