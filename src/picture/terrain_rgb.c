// Heights as the colours of elevation tiles, which MapLibre, Mapbox GL, QGIS and Tangram turn back into
// metres:
//
//     terrarium  metres = 256 red + green + blue / 256 - 32768
//     mapbox     metres = (65536 red + 256 green + blue) / 10 - 10000
//
// Sources: "Terrain Tiles: Data formats", Mapzen (github.com/tilezen/joerd/blob/master/docs/formats.md);
// "Mapbox Terrain-RGB v1", docs.mapbox.com.

#include "core/math.h"
#include "core/operation.h"
#include "core/whole.h"

#include <math.h>

typedef struct TerrainRgb {
    int encoding;
    double metres, step;
} TerrainRgb;

enum { TERRARIUM, MAPBOX };

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

static Status run(const Call *call, Error *error) {
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

static const Param params[] = {
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
    .params = params,
    .params_size = sizeof(TerrainRgb),
    .example = "local elevation = height:terrain_rgb{ metres = 2000, step = 0.25 }",
    .picture = "return height:terrain_rgb{ metres = 2000 }, height:terrain_rgb{ encoding = \"mapbox\", "
               "metres = 2000 }",
    .see_also = "relief save",
    .run = run,
};
