// Puts images together: contact sheets, comparisons.

#include "core/math.h"
#include "core/operation.h"
#include "core/whole.h"

#include <string.h>

typedef struct Join {
    int direction, gap;
} Join;

enum { RIGHT_OF, BELOW };

typedef struct Place {
    const Image *image;
    int left, top;
} Place;

typedef struct Sheet {
    Place places[2];
    Image *into;
} Sheet;

static void join_rows(void *context, int first, int end) {
    const Sheet *sheet = context;
    for (int y = first; y < end; y++) {
        Pixel *row = image_row(sheet->into, y);
        int done = 0; // pixels that are set
        for (int i = 0; i < 2; i++) {
            const Place *place = &sheet->places[i];
            const Image *image = place->image;
            if (y < place->top || y >= place->top + image->height)
                continue;
            memset(row + done, 255, (size_t)(place->left - done) * sizeof *row);
            memcpy(row + place->left, image_row(image, y - place->top), (size_t)image->width * sizeof *row);
            done = place->left + image->width;
        }
        memset(row + done, 255, (size_t)(sheet->into->width - done) * sizeof *row);
    }
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
    Sheet sheet = { { { .image = first }, { .image = second } }, image };
    if (below)
        sheet.places[1].top = first->height + join->gap;
    else
        sheet.places[1].left = first->width + join->gap;
    return parallel_rows(call->run, image->height, image->width * 1.0, join_rows, &sheet);
}

static const Param params[] = {
    PARAM(Join, direction, .choices = CHOICES("right", "below"), .doc = "where the second image goes"),
    PARAM(Join, gap, .initial = 4, .min = 0, .max = 1000, .doc = "width of the white gap, in pixels"),
    { 0 },
};

const Operation op_join = {
    .name = "join",
    .category = "picture",
    .keywords = "montage combine sheet beside concatenate hstack vstack side stack column",
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
