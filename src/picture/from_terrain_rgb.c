// The heights that colours of elevation tiles stand for, or one band of a picture. terrain_rgb.c has the
// formulas.

#include "core/gaps.h"
#include "core/operation.h"

typedef struct FromTerrainRgb {
    int encoding;
} FromTerrainRgb;

enum { TERRARIUM, MAPBOX, RED, GREEN, BLUE, ALPHA };

typedef struct Decoding {
    const Image *image;
    Field *height;
    Gaps *gaps;
    int encoding;
} Decoding;

static float height_of(Pixel pixel, int encoding) {
    const int code = pixel.red << 16 | pixel.green << 8 | pixel.blue;
    switch (encoding) {
    case TERRARIUM:
        return (float)(code - 8388608) / 256;
    case MAPBOX:
        return (float)((double)(code - 100000) / 10);
    case RED:
        return (float)pixel.red / 255;
    case GREEN:
        return (float)pixel.green / 255;
    case BLUE:
        return (float)pixel.blue / 255;
    default:
        return (float)pixel.alpha / 255;
    }
}

static void decode_rows(void *context, int first, int end) {
    const Decoding *decoding = context;
    for (int y = first; y < end; y++) {
        const Pixel *pixels = image_row((Image *)decoding->image, y);
        float *heights = field_row(decoding->height, y);
        unsigned char *gaps = decoding->gaps->at + (size_t)y * (size_t)decoding->image->width;
        for (int x = 0; x < decoding->image->width; x++) {
            gaps[x] = decoding->encoding != ALPHA && pixels[x].alpha == 0;
            heights[x] = height_of(pixels[x], decoding->encoding);
        }
    }
}

static Status run(const Call *call, Error *error) {
    const FromTerrainRgb *params = call->params;
    Field *height = &call->outputs[0].field;
    Gaps *gaps = gaps_new(field_count(height), error);
    if (!gaps)
        return STATUS_MEMORY;
    Decoding decoding = { call->inputs[0].image, height, gaps, params->encoding };
    const Status status = parallel_rows(call->run, call->height, call->width * 2.0, decode_rows, &decoding);
    field_set_gaps(height, gaps);
    height->frame = call->inputs[0].image->frame;
    return status == STATUS_OK && params->encoding <= MAPBOX && frame_is_set(&height->frame)
               ? frame_text("m", FRAME_UNIT_MAX, &height->frame.unit, error)
               : status;
}

static const Param params[] = {
    PARAM(FromTerrainRgb, encoding,
          .choices = CHOICES("terrarium", "mapbox", "red", "green", "blue", "alpha"),
          .doc = "what colours stand for: metres of elevation tiles, or one band, 0 to 1"),
    { 0 },
};

const Operation op_from_terrain_rgb = {
    .name = "from_terrain_rgb",
    .category = "picture",
    .keywords = "terrarium mapbox elevation tile dem decode heights from colours band channel",
    .summary = "Reads heights from the colours of elevation tiles, or from one band of a picture",
    .description = "Transparent pixels are cells without data. An image keeps 8 bits of a band: load{ band = "
                   "1 } reads one of "
                   "a 16-bit picture as it is.",
    .source = "Mapzen, Terrain Tiles: Data formats; Mapbox Terrain-RGB v1",
    .inputs = { { "image", "the colours", { &type_image } } },
    .outputs = { { "height", "heights in metres, or 0 to 1" } },
    .params = params,
    .params_size = sizeof(FromTerrainRgb),
    .framing = FRAMING_SET,
    .always_finite = "24 bits of a number",
    .example = "local height = height:terrain_rgb{ metres = 2000 }:from_terrain_rgb()",
    .see_also = "terrain_rgb load colorize",
    .run = run,
};
