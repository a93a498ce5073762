// Reads a file of heights or colours; the extension selects the format. What no format here knows is GDAL's.

#include "core/gaps.h"
#include "core/math.h"
#include "core/summary.h"
#include "core/whole.h"
#include "exchange/format_list.h"
#include "file/access.h"
#include "file/coordinate_systems.h"
#include "file/sidecar.h"
#include "places/points.h"

#include <math.h>
#include <string.h>
#include <strings.h>

typedef struct Load {
    double low, high, max_pixels;
    int width, height, band, order, geometry;
    const char *channel, *layer, *system;
    bool flip, wrap;
} Load;

extern const Operation op_load;

// Whether a field reaches to one of these numbers below 0, or beyond a huge one. Cells without data hold 0.
static bool is_suspicious(const Field *field, const float *usual, size_t count, float huge) {
    Bounds bounds = bounds_of(field_row(field, 0), field->width);
    for (int y = 1; y < field->height; y++) {
        const Bounds both[] = { bounds, bounds_of(field_row(field, y), field->width) };
        bounds = bounds_join(both, 2);
    }
    bool is_usual = false;
    for (size_t i = 0; i < count; i++)
        is_usual = is_usual || bounds.least == usual[i];
    return is_usual || bounds.most > huge || bounds.least < -huge;
}

// Tells of numbers that usually stand where there are no data, if the file does not say so: far below all
// others, or as large as no height is.
static void tell_of_likely_gaps(const Reading *reading) {
    static const float usual[] = { -9999, -99999, -32767, -32768 };
    const Field *field = reading->field;
    const float huge = 1e30F, far_below = 1000;
    if (!field->cells || !is_suspicious(field, usual, sizeof usual / sizeof *usual, huge))
        return;
    float lowest = INFINITY, next = INFINITY, found = 0;
    size_t count = 0;
    for (size_t i = 0; i < field_count(field); i++) {
        const float height = field->cells[i];
        if (!field_has_data(field, i))
            continue;
        if (fabsf(height) > huge)
            found = height;
        if (height < lowest)
            next = lowest, lowest = height, count = 0;
        else if (height > lowest && height < next)
            next = height;
        count += height == lowest;
    }
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (lowest == usual[i] && next < INFINITY && next - lowest >= far_below)
            found = lowest;
    if (found != 0)
        tell(reading->notice,
             "'%.200s' has heights of %s%s, and does not say that they are no data: set_gaps does",
             reading->path, digits_of((double)found).text,
             count > 1 && found == lowest ? " in several cells" : "");
}

// Takes what was not given from the .json beside the file.
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
    if (!*reading->system && beside->frame.system)
        reading->system = beside->frame.system;
}

// Gives the call what was read, if it is neither a field nor an image.
static void give_value(const Call *call, const Reading *reading) {
    for (int i = 0; reading->value && i < OUTPUTS_MAX && op_load.outputs[i].name; i++)
        if (op_load.outputs[i].type == reading->type)
            call->outputs[i].value = reading->value;
}

// Where the cells lie, unless the file says it better.
static void place(const Reading *reading, const FileFormat *format, const Sidecar *beside) {
    Field *field = reading->field;
    Frame *frame = &field->frame;
    const bool same_size =
        beside->width == 0 || (field->width == beside->width && field->height == beside->height);
    if (!field->cells)
        return;
    if (frame_is_set(&beside->frame) && same_size &&
        (!frame_is_set(frame) ||
         (!frame->system && frames_agree(frame, &beside->frame, field->width, field->height))))
        field->frame = beside->frame;
    if (frame_is_set(frame) && !frame->system && format->keeps & KEEPS_PROJECT)
        frame->system = prj_read(reading->path);
    if (frame_is_set(frame) && format->keeps & KEEPS_PROJECT && !frame_is_set(&beside->frame))
        frame->sealess = true; // another program's model
}

static Status run(const Call *call, Error *error) {
    const Load *load = call->params;
    const char *path = call->inputs[0].text;
    const FileFormat *format = find_read_format(path);
    if (!format)
        return refuse_ending(path, endings_read(), error);
    const bool given = load->low != 0 || load->high != 0;
    Status status = refuse_ignored(&op_load, load, format, path, error);
    if (status != STATUS_OK)
        return status;
    if (given && !(load->high > load->low))
        return fail(error, STATUS_INVALID, "high must be above low, got %s and %s",
                    digits_of(load->high).text, digits_of(load->low).text);
    Reading reading = { .path = path,
                        .given = given,
                        .low = given ? load->low : 0,
                        .high = given ? load->high : 1,
                        .width = load->width,
                        .height = load->height,
                        .band = load->band,
                        .channel = load->channel,
                        .is_flipped = load->flip,
                        .max_pixels = load->max_pixels,
                        .geometry = load->geometry + 1,
                        .layer = load->layer,
                        .system = load->system,
                        .field = &call->outputs[0].field,
                        .image = &call->outputs[1].image,
                        .notice = call->notice };
    FILE *stream = reading.stream = access_open(path, error);
    if (!stream)
        return STATUS_FILE;
    Sidecar beside = { .type = format->raw_type };
    status = format->keeps & KEEPS_BESIDE ? sidecar_read(path, &beside, error) : STATUS_OK;
    complete(&reading, &beside);
    reading.is_big = load->order == NOT_CHOSEN ? beside.is_big : load->order == 1;
    if (status == STATUS_OK)
        status = format->read(&reading, error);
    give_value(call, &reading);
    if (reading.is_unknown)
        status = refuse_unknown(path, endings_read(), error);
    status = access_close(stream, path, status, error);
    if (status == STATUS_OK && !load->width && !load->height)
        status = sidecar_check_size(path, &beside, reading.field, error);
    place(&reading, format, &beside);
    if (status == STATUS_OK && !has_word(format->load_takes, "low"))
        tell_of_likely_gaps(&reading);
    reading.field->wraps = load->wrap && reading.field->cells;
    return status;
}

static const Param params[] = {
    PARAM(Load, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .doc = "height of the file's 0"),
    PARAM(Load, high, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "height of the file's largest number; low and high 0: as stored in the file, or 0 to "
                 "1"),
    PARAM(Load, width, .initial = 0, .min = 0, .max = SIDE_MAX,
          .doc = "columns, where no .json beside the file says it"),
    PARAM(Load, height, .initial = 0, .min = 0, .max = SIDE_MAX,
          .doc = "rows, where no .json beside the file says it"),
    PARAM(Load, band, .initial = 0, .min = 0, .max = 65536,
          .doc = "band that is read as heights; 0: the colours, or the first"),
    PARAM(Load, channel, .initial_text = "",
          .doc = "channel, of the first of several parts that has it, or PART.CHANNEL; none: Y, "
                 "height, R, Z or the first"),
    PARAM(
        Load, order, .choices = CHOICES("little", "big"), .optional = true,
        .doc =
            "which byte of raw numbers comes first, the lowest or the highest; none: as the .json beside it "
            "says, or the lowest"),
    PARAM(Load, geometry, .choices = CHOICES("points", "lines", "polygons"), .optional = true,
          .doc = "what is read of a file that has several of them; none: it has one kind"),
    PARAM(Load, layer, .initial_text = "", .doc = "table that is read; none: the first"),
    PARAM(Load, system, .initial_text = "",
          .doc = "coordinate system, \"EPSG:26916\", where the file names none"),
    PARAM(Load, flip, .doc = "true: the lowest row of raw numbers comes first"),
    PARAM(Load, max_pixels, .initial = 268435456, .min = 1, .max = 4294967296,
          .doc = "larger files are refused"),
    PARAM(Load, wrap, .doc = "true: opposite edges of the heights meet, as in a terrain that tiles"),
    { 0 },
};

const Operation op_load = {
    .name = "load",
    .category = "file",
    .keywords = "read import open file dem heightmap png asc geotiff tif gdal exr openexr heightfield imread "
                "translate geojson shapefile geopackage vector roads ogr loadtxt genfromtxt fromfile",
    .summary =
        "Reads heights, an image, or points, lines and polygons from a file, whose ending names the format",
    .description =
        "Integers are scaled to heights from low to high: high = 65535 keeps the numbers of a "
        "16-bit file. PNG and PGM files written by Esker store their range of heights. Gamma is "
        "never applied. A PNG whose bands of colour are equal is read as heights if it has 16 bits, or low "
        "and high are given. Cells without data are gaps (find_gaps). The file's georeference becomes the "
        "field's frame. What a format does not store comes from the .json that save writes beside the file. "
        "Points, lines and polygons come with their attributes and lie in a window of their own; reproject "
        "puts them into the cells of a field. GeoJSON without a coordinate system is in degrees of WGS 84, "
        "as RFC 7946 says.",
    .inputs = { { "path", "the file", { &type_text } } },
    .outputs = { { "height", "heights", &type_field },
                 { "image", "of a PNG or raster in colour", &type_image },
                 { "points", "of a file of vectors", &type_points },
                 { "lines", "of a file of vectors", &type_lines },
                 { "polygons", "of a file of vectors", &type_polygons } },
    .params = params,
    .params_size = sizeof(Load),
    .one_output = true,
    .shapes_outputs = true,
    .see_also = "save info",
    .run = run,
};
