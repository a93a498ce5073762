// GeoTIFF, and every other raster that GDAL reads, as a whole.

#include "file/formats.h"

#include "core/math.h"
#include "file/gdal_beside.h"
#include "file/raster.h"

#include <string.h>
#include <strings.h>

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

static Status read_content(Reading *reading, Raster *raster, Error *error) {
    int channels[4];
    if (reading->band == 0 && find_channels(raster, channels)) {
        const Status status = read_colours(raster, reading->image, channels, error);
        return status == STATUS_OK ? raster_frame(raster, &reading->image->frame, reading->notice, error)
                                   : status;
    }
    Status status = raster_choose(raster, max(reading->band, 1), error);
    if (status == STATUS_OK)
        status = field_create(reading->field, raster->width, raster->height, error);
    if (status == STATUS_OK)
        status = raster_rows(raster, 0, reading->field, error);
    return status == STATUS_OK ? raster_frame(raster, &reading->field->frame, reading->notice, error)
                               : status;
}

// GDAL reads it not: what the format needs, or that it is none.
static Status refuse_raster(const char *path, Error *error) {
    static const char *const by_name[] = { ".map", ".nc", ".h5", ".hdf" };
    const char *ending = strrchr(path, '.'), *header = gdal_beside_header(path);
    if (header)
        return fail(error, STATUS_FILE, "cannot read '%.300s': GDAL finds no .%s of this format beside it",
                    path, header);
    for (size_t i = 0; ending && i < sizeof by_name / sizeof *by_name; i++)
        if (strcasecmp(ending, by_name[i]) == 0)
            return fail(error, STATUS_FILE,
                        "cannot read '%.300s': GDAL would have to open %s files itself, which it may not; "
                        "gdal_translate makes a .tif of it",
                        path, by_name[i]);
    return refuse_format(path, error);
}

// Formats of GDAL whose headers open, and whose cells lie in files that it would open itself.
static Status check_cells_inside(const char *path, Error *error) {
    static const char *const apart[] = { ".ers", ".mpr", ".aux" };
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof apart / sizeof *apart; i++)
        if (strcasecmp(ending, apart[i]) == 0)
            return fail(
                error, STATUS_FILE,
                "cannot read '%.300s': the cells of %s files lie in others, which GDAL may not open here; "
                "gdal_translate makes a .tif of it",
                path, apart[i]);
    return STATUS_OK;
}

Status read_raster(Reading *reading, Error *error) {
    if (check_cells_inside(reading->path, error) != STATUS_OK)
        return STATUS_FILE;
    if (reading->given && gdal_open(error))
        return refuse_range(reading, error);
    Raster raster;
    Status status = raster_open(&raster, reading->stream, reading->path, error);
    if (status == STATUS_FILE && reading->guessed)
        return refuse_raster(reading->path, error);
    if (status == STATUS_OK)
        status = refuse_pixels(reading, raster.width, raster.height, error);
    if (status == STATUS_OK)
        status = read_content(reading, &raster, error);
    raster_close(&raster);
    return status;
}
