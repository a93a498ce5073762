// Heights as the colours of elevation tiles, which MapLibre, Mapbox GL, QGIS and Tangram turn back into
// metres:
//
//     terrarium  metres = 256 red + green + blue / 256 - 32768
//     mapbox     metres = (65536 red + 256 green + blue) / 10 - 10000
//
// Sources: "Terrain Tiles: Data formats", Mapzen (github.com/tilezen/joerd/blob/master/docs/formats.md);
// "Mapbox Terrain-RGB v1", docs.mapbox.com.

#include "core/gaps.h"
#include "core/math.h"
#include "core/operation.h"
#include "core/whole.h"

#include <math.h>

enum { TERRARIUM, MAPBOX, RED, GREEN, BLUE, ALPHA }; // the last four: bands of a picture

typedef struct TerrainRgb {
    int encoding;
    double metres, step;
} TerrainRgb;

typedef struct Encoding {
    const Field *height;
    Image *image;
    double metres, step;   // of a height of 1; heights are rounded to multiples of `step`
    double units, nothing; // numbers a metre; the number of 0 metres
} Encoding;

enum { LARGEST = 0xffffff };

static void encode_rows(void *context, int first, int end) {
    const Encoding *encoding = context;
    for (int y = first; y < end; y++) {
        const float *heights = field_row(encoding->height, y);
        Pixel *pixels = image_row(encoding->image, y);
        for (int x = 0; x < encoding->height->width; x++) {
            double metres = (double)heights[x] * encoding->metres;
            if (encoding->step > 0)
                metres = floor(metres / encoding->step + 0.5) * encoding->step;
            const double number = metres * encoding->units + encoding->nothing + 0.5;
            const unsigned code = (unsigned)double_to_within(number, 0, LARGEST);
            pixels[x] = (Pixel){ (uint8_t)(code >> 16), (uint8_t)(code >> 8), (uint8_t)code, 255 };
        }
    }
}

static Status run_encoding(const Call *call, Error *error) {
    (void)error;
    const TerrainRgb *params = call->params;
    const bool mapbox = params->encoding == MAPBOX;
    const double unit = frame_height_metres(&call->inputs[0].field->frame);
    Encoding encoding = { .height = call->inputs[0].field,
                          .image = &call->outputs[0].image,
                          .metres = isnan(params->metres) ? unit > 0 ? unit : 1 : params->metres,
                          .step = params->step,
                          .units = mapbox ? 10 : 256,
                          .nothing = mapbox ? 100000 : 8388608 };
    return parallel_rows(call->run, call->height, call->width * 4.0, encode_rows, &encoding);
}

static const Param encoding_params[] = {
    PARAM(TerrainRgb, encoding, .choices = CHOICES("terrarium", "mapbox"),
          .doc =
              "terrarium: -32768 to 32768 m in steps of 1/256 m; mapbox: from -10,000 m in steps of 0.1 m"),
    PARAM(TerrainRgb, metres, .min = 1e-9, .max = 1e9, .optional = true,
          .doc = "metres that a height of 1 stands for; none: those of the unit that slopes take them in "
                 "(frame.unit, or that of the system), otherwise 1"),
    PARAM(TerrainRgb, step, .initial = 0, .min = 0, .max = 1e5,
          .doc = "rounds elevations to multiples of this many metres, for smaller files; 0: to the steps of "
                 "the encoding"),
    { 0 },
};

const Operation op_terrain_rgb = {
    .name = "terrain_rgb",
    .gaps = GAPS_KEPT,
    .category = "picture",
    .keywords = "terrarium mapbox elevation tile dem raster-dem web map encode",
    .summary = "Encodes heights as the colours of elevation tiles, from which web maps read metres",
    .description = "Elevations outside the range of the encoding are clipped. `esker tiles --kinds "
                   "terrarium` makes a whole pyramid of such tiles.",
    .source = "Mapzen, Terrain Tiles: Data formats; Mapbox Terrain-RGB v1",
    .inputs = { { "height", "heights" } },
    .outputs = { { "image", "elevations as colours", &type_image } },
    .params = encoding_params,
    .params_size = sizeof(TerrainRgb),
    .example = "local elevation = height:terrain_rgb{ metres = 2000, step = 0.25 }",
    .picture = "return height:terrain_rgb{ metres = 2000 }, height:terrain_rgb{ encoding = \"mapbox\", "
               "metres = 2000 }",
    .see_also = "relief save",
    .run = run_encoding,
};

// --- from colours to heights -------------------------------------------------------------------------------

// The heights that colours of elevation tiles stand for, or one band of a picture.

typedef struct FromTerrainRgb {
    int encoding;
} FromTerrainRgb;

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

static Status run_decoding(const Call *call, Error *error) {
    const FromTerrainRgb *params = call->params;
    Field *height = &call->outputs[0].field;
    Gaps *gaps = gaps_new(field_count(height), error);
    if (!gaps)
        return STATUS_MEMORY;
    Decoding decoding = { call->inputs[0].image, height, gaps, params->encoding };
    const Status status = parallel_rows(call->run, call->height, call->width * 2.0, decode_rows, &decoding);
    field_set_gaps(height, gaps);
    height->frame = call->inputs[0].image->frame;
    if (params->encoding <= MAPBOX) { // the frame of an image says that there are no heights
        height->frame.no_heights = false;
        height->frame.sealess = height->frame.system != NULL;
    }
    return status == STATUS_OK && params->encoding <= MAPBOX && frame_is_set(&height->frame)
               ? frame_text("m", FRAME_UNIT_MAX, &height->frame.unit, error)
               : status;
}

static const Param decoding_params[] = {
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
    .params = decoding_params,
    .params_size = sizeof(FromTerrainRgb),
    .framing = FRAMING_SET,
    .always_finite = "24 bits of a number",
    .example = "local height = height:terrain_rgb{ metres = 2000 }:from_terrain_rgb()",
    .see_also = "terrain_rgb load colorize",
    .run = run_decoding,
};
