// Reads a file of heights or colours; the extension selects the format. What no format here knows is GDAL's.

#include "core/operation.h"
#include "file/access.h"
#include "file/formats.h"

#include <string.h>
#include <strings.h>

typedef struct Load {
    double low, high, max_pixels;
    int width, height, band, order;
    const char *channel;
    bool wrap;
} Load;

typedef Status Reader(Reading *reading, Error *error);

static const struct {
    const char *ending;
    Reader *read;
} readers[] = { { ".png", read_png },     { ".r16", read_r16 }, { ".asc", read_asc }, { ".pgm", read_pgm },
                { ".npy", read_npy },     { ".raw", read_r16 }, { ".r32", read_r32 }, { ".tif", read_raster },
                { ".tiff", read_raster }, { ".exr", read_exr } };

static Status run(const Call *call, Error *error) {
    const Load *load = call->params;
    const char *path = call->inputs[0].text, *ending = strrchr(path, '.');
    Reader *read = NULL;
    for (size_t i = 0; ending && i < sizeof readers / sizeof *readers; i++)
        if (strcasecmp(ending, readers[i].ending) == 0)
            read = readers[i].read;
    if (!read && !ending)
        return refuse_format(path, error);
    const bool given = load->low != 0 || load->high != 0;
    if (given && !(load->high > load->low))
        return fail(error, STATUS_INVALID, "high must be above low, got %s and %s",
                    digits_of(load->high).text, digits_of(load->low).text);
    FILE *stream = access_open(path, error);
    if (!stream)
        return STATUS_FILE;
    Reading reading = { .stream = stream,
                        .path = path,
                        .given = given,
                        .low = given ? load->low : 0,
                        .high = given ? load->high : 1,
                        .width = load->width,
                        .height = load->height,
                        .band = load->band,
                        .channel = load->channel,
                        .is_big = load->order == 1,
                        .guessed = !read,
                        .max_pixels = load->max_pixels,
                        .field = &call->outputs[0].field,
                        .image = &call->outputs[1].image,
                        .notice = call->notice };
    const Status status = access_close(stream, path, (read ? read : read_raster)(&reading, error), error);
    reading.field->wraps = load->wrap && reading.field->cells;
    return status;
}

static const Param params[] = {
    PARAM(Load, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .doc = "height of the file's 0"),
    PARAM(Load, high, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "height of the file's largest number; low and high 0: as stored in the file, or 0 to "
                 "1"),
    PARAM(Load, width, .initial = 0, .min = 0, .max = SIDE_MAX,
          .doc = "for .r16, .raw and .r32, which do not store their size"),
    PARAM(Load, height, .initial = 0, .min = 0, .max = SIDE_MAX,
          .doc = "for .r16, .raw and .r32, which do not store their size"),
    PARAM(Load, band, .initial = 0, .min = 0, .max = 65536,
          .doc = "band of a GeoTIFF or another raster; 0: the colours, or the first"),
    PARAM(Load, channel, .initial_text = "", .doc = "channel of an .exr; none: Y, height, R, Z or the first"),
    PARAM(Load, order, .choices = CHOICES("little", "big"),
          .doc = "which byte of raw numbers comes first: the lowest or the highest"),
    PARAM(Load, max_pixels, .initial = 268435456, .min = 1, .max = 4294967296,
          .doc = "larger files are refused"),
    PARAM(Load, wrap, .doc = "true: opposite edges of the heights meet, as in a terrain that tiles"),
    { 0 },
};

const Operation op_load = {
    .name = "load",
    .category = "file",
    .keywords = "read import open file dem heightmap png asc geotiff tif gdal exr openexr",
    .summary =
        "Reads heights or an image from a file: PNG, GeoTIFF, EXR, ASC, numpy, raw, PGM and what GDAL reads",
    .description =
        "Integers are scaled to heights from low to high: high = 65535 keeps the numbers of a "
        "16-bit file. PNG and PGM files written by Esker store their range of heights. Gamma is "
        "never applied. Heights in an .asc, an .exr, a GeoTIFF or another raster are read unchanged; cells "
        "without data are gaps (find_gaps). The file's georeference becomes the field's frame.",
    .inputs = { { "path", "the file", { &type_text } } },
    .outputs = { { "height", "heights", &type_field },
                 { "image", "of a PNG or raster in colour", &type_image } },
    .params = params,
    .params_size = sizeof(Load),
    .one_output = true,
    .shapes_outputs = true,
    .see_also = "save info",
    .run = run,
};
