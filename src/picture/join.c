// Puts images together: contact sheets, comparisons.

#include "core/math.h"
#include "core/operation.h"
#include "core/whole.h"

#include <string.h>

typedef struct Join {
    int direction, gap;
} Join;

enum { RIGHT_OF, BELOW };

static void put_image(const Image *image, Image *into, int left, int top) {
    for (int y = 0; y < image->height; y++)
        memcpy(image_row(into, top + y) + left, image_row(image, y), (size_t)image->width * sizeof(Pixel));
}

static Status run(const Call *call, Error *error) {
    const Join *join = call->params;
    const Image *first = call->inputs[0].image, *second = call->inputs[1].image;
    const bool below = join->direction == BELOW;
    const int wider = max(first->width, second->width);
    const int higher = max(first->height, second->height);
    const double width = below ? wider : (double)first->width + join->gap + second->width;
    const double height = below ? (double)first->height + join->gap + second->height : higher;
    if (width > SIDE_MAX || height > SIDE_MAX)
        return fail(error, STATUS_INVALID, "the image would be %.0f × %.0f, at most %d × %d are allowed",
                    width, height, SIDE_MAX, SIDE_MAX);
    Image *image = &call->outputs[0].image;
    const Status status = image_create(image, whole_int(width), whole_int(height), error);
    if (status != STATUS_OK)
        return status;
    memset(image_row(image, 0), 255, (size_t)image->width * (size_t)image->height * sizeof(Pixel));
    put_image(first, image, 0, 0);
    put_image(second, image, below ? 0 : first->width + join->gap, below ? first->height + join->gap : 0);
    return STATUS_OK;
}

static const Param params[] = {
    PARAM(Join, direction, .choices = CHOICES("right", "below"), .doc = "where the second image goes"),
    PARAM(Join, gap, .initial = 4, .min = 0, .max = 1000, .doc = "width of the white gap, in pixels"),
    { 0 },
};

const Operation op_join = {
    .name = "join",
    .category = "picture",
    .keywords = "montage combine sheet beside concatenate",
    .summary = "Puts two images side by side, or one below the other",
    .description = "Areas that neither covers are white. Rows of joined images make a contact sheet.",
    .inputs = { { "first", "an image", { &type_image } },
                { "second", "another, of any size", { &type_image } } },
    .outputs = { { "image", "both", &type_image } },
    .framing = FRAMING_LOST,
    .params = params,
    .params_size = sizeof(Join),
    .any_sizes = true,
    .shapes_outputs = true,
    .example = "local pair = height:relief{}:join(height:slope{}:relief{})",
    .picture = "return height:relief{}:join(height:relief{ palette = \"desert\" })",
    .see_also = "relief",
    .run = run,
};
