// Reads a file of heights or colours; the extension selects the format. What no format here knows is GDAL's.

#include "core/math.h"
#include "core/operation.h"
#include "core/whole.h"
#include "file/access.h"
#include "file/formats.h"
#include "file/sidecar.h"
#include "file/systems.h"

#include <math.h>
#include <string.h>
#include <strings.h>

typedef struct Load {
    double low, high, max_pixels;
    int width, height, band, order;
    const char *channel;
    bool flip, wrap;
} Load;

typedef Status Reader(Reading *reading, Error *error);

static const struct {
    const char *ending;
    Reader *read;
    bool is_alone;    // no .json beside it
    const char *type; // of raw numbers
} readers[] = {
    { ".png", read_png, true },
    { ".r16", read_r16, .type = "uint16" },
    { ".asc", read_asc },
    { ".pgm", read_pgm },
    { ".npy", read_npy },
    { ".raw", read_r16, .type = "uint16" },
    { ".r32", read_r32, .type = "float32" },
    { ".tif", read_raster, true },
    { ".tiff", read_raster, true },
    { ".exr", read_exr, true },
};

// What was not given comes from the .json beside the file.
static void complete(Reading *reading, const Sidecar *beside) {
    if (!reading->width && !reading->height) {
        reading->width = whole_int(beside->width);
        reading->height = whole_int(beside->height);
    }
    if (!reading->given && beside->scaled) {
        reading->low = beside->low;
        reading->high = beside->high;
    }
    reading->is_flipped = reading->is_flipped || beside->is_flipped;
}

// Where the cells lie, unless the file says it better.
static void place(const Reading *reading, const Sidecar *beside) {
    Field *field = reading->field;
    Frame *frame = &field->frame;
    const bool same_size =
        beside->width == 0 || (field->width == beside->width && field->height == beside->height);
    if (field->cells && frame_is_set(&beside->frame) && same_size &&
        (!frame_is_set(frame) ||
         (!frame->system && frames_agree(frame, &beside->frame, field->width, field->height))))
        field->frame = beside->frame;
    const char *ending = strrchr(reading->path, '.');
    if (frame_is_set(frame) && !frame->system && strcasecmp(ending, ".asc") == 0)
        frame->system = prj_read(reading->path);
}

static Status run(const Call *call, Error *error) {
    const Load *load = call->params;
    const char *path = call->inputs[0].text, *ending = strrchr(path, '.');
    Reader *read = NULL;
    bool is_alone = true;
    const char *type = NULL;
    for (size_t i = 0; ending && i < sizeof readers / sizeof *readers; i++)
        if (strcasecmp(ending, readers[i].ending) == 0) {
            read = readers[i].read;
            is_alone = readers[i].is_alone;
            type = readers[i].type;
        }
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
                        .is_flipped = load->flip,
                        .guessed = !read,
                        .max_pixels = load->max_pixels,
                        .field = &call->outputs[0].field,
                        .image = &call->outputs[1].image,
                        .notice = call->notice };
    Sidecar beside = { .type = type };
    Status status = is_alone ? STATUS_OK : sidecar_read(path, &beside, error);
    complete(&reading, &beside);
    reading.is_big = load->order == NOT_CHOSEN ? beside.is_big : load->order == 1;
    if (status == STATUS_OK)
        status = (read ? read : read_raster)(&reading, error);
    status = access_close(stream, path, status, error);
    if (status == STATUS_OK && !load->width && !load->height)
        status = sidecar_check_size(path, &beside, reading.field, error);
    place(&reading, &beside);
    reading.field->wraps = load->wrap && reading.field->cells;
    return status;
}

static const Param params[] = {
    PARAM(Load, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .doc = "height of the file's 0"),
    PARAM(Load, high, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "height of the file's largest number; low and high 0: as stored in the file, or 0 to "
                 "1"),
    PARAM(Load, width, .initial = 0, .min = 0, .max = SIDE_MAX,
          .doc = "for .r16, .raw and .r32 without a .json beside them"),
    PARAM(Load, height, .initial = 0, .min = 0, .max = SIDE_MAX,
          .doc = "for .r16, .raw and .r32 without a .json beside them"),
    PARAM(Load, band, .initial = 0, .min = 0, .max = 65536,
          .doc = "band of a GeoTIFF or another raster; 0: the colours, or the first"),
    PARAM(Load, channel, .initial_text = "",
          .doc = "channel of an .exr, of the first of several parts that has it, or PART.CHANNEL; none: Y, "
                 "height, R, Z or the first"),
    PARAM(
        Load, order, .choices = CHOICES("little", "big"), .optional = true,
        .doc =
            "which byte of raw numbers comes first, the lowest or the highest; none: as the .json beside it "
            "says, or the lowest"),
    PARAM(Load, flip, .doc = "true: the lowest row of raw numbers comes first"),
    PARAM(Load, max_pixels, .initial = 268435456, .min = 1, .max = 4294967296,
          .doc = "larger files are refused"),
    PARAM(Load, wrap, .doc = "true: opposite edges of the heights meet, as in a terrain that tiles"),
    { 0 },
};

const Operation op_load = {
    .name = "load",
    .category = "file",
    .keywords = "read import open file dem heightmap png asc geotiff tif gdal exr openexr heightfield "
                "imread translate",
    .summary =
        "Reads heights or an image from a file: PNG, GeoTIFF, EXR, ASC, numpy, raw, PGM and what GDAL reads",
    .description =
        "Integers are scaled to heights from low to high: high = 65535 keeps the numbers of a "
        "16-bit file. PNG and PGM files written by Esker store their range of heights. Gamma is "
        "never applied. Heights in an .asc, an .exr, a GeoTIFF or another raster are read unchanged; cells "
        "without data are gaps (find_gaps). The file's georeference becomes the field's frame. What an .r16, "
        ".raw or .r32 does not store comes from the .json that save writes beside it. Other rasters of GDAL "
        "are "
        ".flt, .bil, .bip, .bsq, .sdat, .rst, .img, .hgt, .dem, .dt1, .bt, .grd, .xyz and .jp2, some with a "
        "header beside them.",
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
