// Cuts a field along polygons: cells outside have no data.

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "places/overlay.h"

#include <string.h>

typedef struct Clip {
    bool invert, crop;
} Clip;

typedef struct Mask {
    uint8_t *covered; // of each cell
    int width;
} Mask;

static void cover_row(void *context, int row, int first, int end) {
    const Mask *mask = context;
    memset(mask->covered + (size_t)row * (size_t)mask->width + (size_t)first, 1, (size_t)(end - first));
}

static Status find_covered(const Call *call, Mask *mask, Error *error) {
    const Field *height = call->inputs[0].field;
    const Window window = window_of_field("height", height);
    Shapes *shapes;
    Status status = overlay_new(&call->inputs[1], &window, &shapes, error);
    for (int i = 0; status == STATUS_OK && i < shapes->count; i++)
        status =
            polygon_cells(shapes, &shapes->shapes[i], height->width, height->height, cover_row, mask, error);
    shapes_free(shapes);
    const bool invert = ((const Clip *)call->params)->invert;
    for (size_t i = 0; invert && i < field_count(height); i++)
        mask->covered[i] = !mask->covered[i];
    return status;
}

typedef struct Part { // columns left … right - 1, rows top … bottom - 1
    int left, top, right, bottom;
} Part;

static Part find_part(const Field *height, const Mask *mask) {
    Part part = { height->width, height->height, 0, 0 };
    for (int y = 0; y < height->height; y++)
        for (int x = 0; x < height->width; x++)
            if (mask->covered[(size_t)y * (size_t)height->width + (size_t)x])
                part = (Part){ min(part.left, x), min(part.top, y), max(part.right, x + 1),
                               max(part.bottom, y + 1) };
    return part;
}

static Status cut_part(const Field *from, const Mask *mask, Part part, Field *to, Error *error) {
    Status status = field_create(to, part.right - part.left, part.bottom - part.top, error);
    if (status != STATUS_OK)
        return status;
    Gaps *gaps = gaps_new(field_count(to), error);
    if (!gaps)
        return STATUS_MEMORY;
    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++) {
            const size_t at = (size_t)(y + part.top) * (size_t)from->width + (size_t)(x + part.left);
            const size_t cell = (size_t)y * (size_t)to->width + (size_t)x;
            field_cells(to)[cell] = from->cells[at];
            gaps->at[cell] = !mask->covered[at] || !field_has_data(from, at);
        }
    field_set_gaps(to, gaps);
    return STATUS_OK;
}

static Status run(const Call *call, Error *error) {
    const Clip *clip = call->params;
    const Field *from = call->inputs[0].field;
    Field *to = &call->outputs[0].field;
    Mask mask = { memory_new_zeroed(field_count(from), 1, error), from->width };
    if (!mask.covered)
        return STATUS_MEMORY;
    Status status = find_covered(call, &mask, error);
    Part part = { 0, 0, from->width, from->height };
    if (status == STATUS_OK && clip->crop)
        part = find_part(from, &mask);
    if (status == STATUS_OK && part.right <= part.left) {
        tell(call->notice, "no cell of height is %s the polygons", clip->invert ? "outside" : "inside");
        part = (Part){ 0, 0, from->width, from->height };
    }
    if (status == STATUS_OK)
        status = cut_part(from, &mask, part, to, error);
    memory_free(mask.covered);
    const Frame cut = { .x = part.left, .y = part.top, .right_x = 1, .down_y = 1 };
    to->frame = frame_of_part(&from->frame, &cut);
    return status;
}

static const Param params[] = {
    PARAM(Clip, invert, .doc = "true: cells inside have no data instead"),
    PARAM(Clip, crop, .initial = 1,
          .doc = "whether the result has only the rows and columns with cells that remain"),
    { 0 },
};

const Operation op_clip = {
    .name = "clip",
    .category = "vectors",
    .keywords = "mask cut cutline boundary area of interest extract gdalwarp r.mask crop",
    .summary = "Cuts a field along polygons: cells outside have no data",
    .description =
        "A cell is inside where its centre is. rasterize gives the same cells as a mask of 0 and 1. Parts of "
        "polygons outside the field do not count; polygons wholly outside are an error.",
    .inputs = { { "height", "heights" }, { "polygons", "what remains", { &type_polygons } } },
    .outputs = { { "height", "the heights inside", .heights = true } },
    .params = params,
    .params_size = sizeof(Clip),
    .framing = FRAMING_SET,
    .gaps = GAPS_OWN,
    .wrapping = WRAPPING_LOST,
    .any_sizes = true,
    .shapes_outputs = true,
    .always_finite = "heights are those of the input",
    .example = "local area = esker.polygons{ size = 64, list = { { { 10, 10 }, { 50, 20 }, { 30, 60 } } } }\n"
               "local inside = height:clip(area)",
    .see_also = "crop rasterize set_gaps zonal_statistics",
    .run = run,
};
