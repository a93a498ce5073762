// GeoTIFF, and every other raster that GDAL reads, as a whole.

#include "file/formats.h"

#include "core/math.h"
#include "file/gdal_beside.h"
#include "file/raster.h"

#include <stdlib.h>
#include <string.h>

// Which band has each channel; 0: none. Not colours unless red, green and blue are bytes.
static bool find_channels(const Raster *raster, int channels[4]) {
    const Gdal *gdal = raster->gdal;
    memset(channels, 0, 4 * sizeof *channels);
    for (int i = 1; i <= min(raster->bands, 4); i++) {
        GdalHandle band = gdal->GDALGetRasterBand(raster->set, i);
        const int meaning = gdal->GDALGetRasterColorInterpretation(band);
        if (gdal->GDALGetRasterDataType(band) == GDAL_BYTE && meaning >= GDAL_RED && meaning <= GDAL_ALPHA)
            channels[meaning - GDAL_RED] = i;
    }
    return channels[0] && channels[1] && channels[2];
}

static Status read_colours(const Raster *raster, Image *image, const int channels[4], Error *error) {
    const Status status = image_create(image, raster->width, raster->height, error);
    if (status != STATUS_OK)
        return status;
    const Field shape = { .width = image->width, .height = image->height };
    memset(image_row(image, 0), 255, (size_t)image->width * (size_t)image->height * sizeof(Pixel));
    for (int i = 0; i < 4; i++)
        if (channels[i] &&
            raster_move_rows(raster->gdal, raster->gdal->GDALGetRasterBand(raster->set, channels[i]),
                             GDAL_READ, &shape, 0, (unsigned char *)image_row(image, 0) + i, GDAL_BYTE,
                             (int)sizeof(Pixel)) != 0)
            return raster_fail(raster, error);
    return STATUS_OK;
}

// Whether a text names another value without data than the raster itself does.
static bool has_other_missing(const Raster *raster, const char *text) {
    const char *element = strstr(text, "<NoDataValue"), *value = element ? strchr(element, '>') : NULL;
    int has_own = 0;
    const double own = raster->gdal->GDALGetRasterNoDataValue(
        raster->band ? raster->band : raster->gdal->GDALGetRasterBand(raster->set, 1), &has_own);
    return value && !(has_own && strtod(value + 1, NULL) == own);
}

// What GDAL keeps beside the file and would count here.
static void tell_unread(const Raster *raster, const Frame *frame, Error *notice) {
    char text[1 << 14];
    gdal_beside_extra(raster->path, text, sizeof text);
    const struct {
        const char *element, *what;
        bool counts;
    } elements[] = {
        { "<NoDataValue", "which cells have no data", has_other_missing(raster, text) },
        { "<Scale>", "the scale of its numbers", !raster->is_scaled },
        { "<GeoTransform", "where it lies", !frame_is_set(frame) },
        { "<SRS", "its coordinate system", !frame->system },
    };
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (elements[i].counts && strstr(text, elements[i].element)) {
            tell(notice, "'%.200s.aux.xml' says %s, and is not read: gdal_translate makes a .tif that has it",
                 raster->path, elements[i].what);
            return;
        }
}

// Reads the frame, and tells what of the place could not be read.
static Status read_frame(const Raster *raster, Frame *frame, Error *notice, Error *error) {
    const Status status = raster_frame(raster, frame, notice, error);
    if (status == STATUS_OK)
        tell_unread(raster, frame, notice);
    return status;
}

// Tells what the file has besides the band that is read by default.
static void tell_of_others(const Raster *raster, Error *notice) {
    const Gdal *gdal = raster->gdal;
    if (gdal->GDALGetRasterColorInterpretation(raster->band) == GDAL_PALETTE)
        tell(notice, "'%.200s' has the colours of a palette, whose numbers are read as heights",
             raster->path);
    if (raster->bands - (raster->alpha ? 1 : 0) > 1)
        tell(notice, "'%.200s' has %d bands; this is the first (argument band)", raster->path, raster->bands);
}

static Status read_content(Reading *reading, Raster *raster, Error *error) {
    int channels[4];
    if (reading->band == 0 && find_channels(raster, channels)) {
        const Status status = read_colours(raster, reading->image, channels, error);
        return status == STATUS_OK ? read_frame(raster, &reading->image->frame, reading->notice, error)
                                   : status;
    }
    Status status = raster_choose(raster, max(reading->band, 1), error);
    if (status == STATUS_OK)
        status = field_create(reading->field, raster->width, raster->height, error);
    if (status == STATUS_OK)
        status = raster_rows(raster, 0, reading->field, error);
    if (status == STATUS_OK && reading->band == 0)
        tell_of_others(raster, reading->notice);
    return status == STATUS_OK ? read_frame(raster, &reading->field->frame, reading->notice, error) : status;
}

Status read_raster(Reading *reading, Error *error) {
    Raster raster;
    Status status = raster_open(&raster, reading->stream, reading->path, error);
    if (status == STATUS_FILE)
        reading->is_unknown = !raster_explain(reading->path, error);
    if (status == STATUS_OK)
        status = refuse_pixels(reading, raster.width, raster.height, error);
    if (status == STATUS_OK)
        status = read_content(reading, &raster, error);
    raster_close(&raster);
    return status;
}

const FileFormat format_raster = {
    .name = "another raster",
    .endings =
        "img hgt dem bil bip bsq flt dat bt jp2 dt0 dt1 dt2 ter grd gtx rst sdat kap xyz grb grb2 grib",
    .media_type = "application/octet-stream",
    .library = "GDAL",
    .holds = { { &type_field }, { &type_image } },
    .read = read_raster,
    .rows = ROWS_RASTER,
    .keeps = KEEPS_FRAME | KEEPS_GAPS,
    .numbers = "as 32-bit floats; 8 bits of each colour",
    .gaps = "the number for no data, or the mask",
    .load_takes = "band",
    .doc = "What else GDAL reads from one file, some with a header beside it; files of other endings are "
           "tried, too",
};
