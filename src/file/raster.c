// GeoTIFF, and every other raster that GDAL reads. GDAL sees only a file in memory: what it may open is
// decided by access.h, as for all files.

#include "file/formats.h"

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "file/gdal.h"
#include "file/systems.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct Raster {
    const Gdal *gdal;
    Reading *reading;
    unsigned char *bytes; // of the file
    GdalHandle set, band;
    int width, height, bands;
} Raster;

static Status cannot_read(const Raster *raster, Error *error) {
    const char *message = raster->gdal->CPLGetLastErrorMsg();
    return fail(error, STATUS_FILE, "cannot read '%.200s': %.200s", raster->reading->path,
                *message ? message : "GDAL does not know its format");
}

static Status read_bytes(Raster *raster, size_t *size, Error *error) {
    FILE *stream = raster->reading->stream;
    *size = bytes_left(stream);
    raster->bytes = memory_new(max(*size, 1), 1, error);
    if (!raster->bytes)
        return STATUS_MEMORY;
    if (fread(raster->bytes, 1, *size, stream) != *size)
        return fail(error, STATUS_FILE, "cannot read '%.200s'", raster->reading->path);
    return STATUS_OK;
}

static Status open_raster(Raster *raster, Error *error) {
    const Gdal *gdal = raster->gdal;
    size_t size;
    const Status status = read_bytes(raster, &size, error);
    if (status != STATUS_OK)
        return status;
    gdal->CPLErrorReset();
    void *file = gdal->VSIFileFromMemBuffer(GDAL_MEMORY_PATH, raster->bytes, size, 0);
    if (file)
        gdal->VSIFCloseL(file);
    raster->set = gdal->GDALOpenEx(GDAL_MEMORY_PATH, GDAL_OPEN_RASTER, NULL, NULL, NULL);
    if (!raster->set && raster->reading->guessed)
        return refuse_format(raster->reading->path, error);
    if (!raster->set)
        return cannot_read(raster, error);
    raster->width = gdal->GDALGetRasterXSize(raster->set);
    raster->height = gdal->GDALGetRasterYSize(raster->set);
    raster->bands = gdal->GDALGetRasterCount(raster->set);
    return refuse_pixels(raster->reading, raster->width, raster->height, error);
}

static Status find_frame(const Raster *raster, Frame *frame, Error *error) {
    const Gdal *gdal = raster->gdal;
    double numbers[6];
    *frame = (Frame){ 0 };
    if (gdal->GDALGetGeoTransform(raster->set, numbers) != 0) {
        const int points = gdal->GDALGetGCPCount(raster->set);
        if (points)
            tell(raster->reading->notice,
                 "'%.200s' is placed by %d control points, no frame: it lies nowhere (gdalwarp places it)",
                 raster->reading->path, points);
        return STATUS_OK;
    }
    *frame = (Frame){ numbers[0], numbers[3], numbers[1], numbers[4], numbers[2], numbers[5], NULL, NULL };
    if (!frame_is_valid(frame)) {
        *frame = (Frame){ 0 };
        return STATUS_OK;
    }
    const Status status = system_name(gdal, gdal->GDALGetProjectionRef(raster->set), &frame->system, error);
    if (status != STATUS_OK || !raster->band)
        return status;
    return frame_text(gdal->GDALGetRasterUnitType(raster->band), FRAME_UNIT_MAX, &frame->unit, error);
}

// Tiles of 512 rows and less are decoded once.
enum { ROWS_AT_ONCE = 512 };

static Status read_heights(const Raster *raster, Error *error) {
    const Gdal *gdal = raster->gdal;
    Field *field = raster->reading->field;
    int has_scale = 0, has_offset = 0;
    const double scale = gdal->GDALGetRasterScale(raster->band, &has_scale),
                 offset = gdal->GDALGetRasterOffset(raster->band, &has_offset);
    Status status = field_create(field, raster->width, raster->height, error);
    for (int y = 0; status == STATUS_OK && y < field->height; y += ROWS_AT_ONCE) {
        const int rows = min(field->height - y, ROWS_AT_ONCE);
        float *cells = field_row(field, y);
        if (gdal->GDALRasterIO(raster->band, GDAL_READ, 0, y, field->width, rows, cells, field->width, rows,
                               GDAL_FLOAT32, 0, 0) != 0)
            return cannot_read(raster, error);
        for (size_t i = 0; i < (size_t)rows * (size_t)field->width && (has_scale || has_offset); i++)
            cells[i] = (float)((double)cells[i] * (has_scale ? scale : 1) + (has_offset ? offset : 0));
    }
    return status;
}

// Cells without data: those of the mask, and numbers that are none.
static Status read_gaps(const Raster *raster, Error *error) {
    const Gdal *gdal = raster->gdal;
    Field *field = raster->reading->field;
    const bool masked = !(gdal->GDALGetMaskFlags(raster->band) & GDAL_MASK_ALL_VALID);
    Gaps *gaps = gaps_new(field_count(field), error);
    if (!gaps)
        return STATUS_MEMORY;
    if (masked &&
        gdal->GDALRasterIO(gdal->GDALGetMaskBand(raster->band), GDAL_READ, 0, 0, field->width, field->height,
                           gaps->at, field->width, field->height, GDAL_BYTE, 0, 0) != 0) {
        gaps_release(gaps);
        return cannot_read(raster, error);
    }
    for (size_t i = 0; i < field_count(field); i++)
        gaps->at[i] = (masked && gaps->at[i] == 0) || !isfinite(field->cells[i]);
    field_set_gaps(field, gaps);
    return STATUS_OK;
}

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

static Status read_colours(const Raster *raster, const int channels[4], Error *error) {
    Image *image = raster->reading->image;
    const Status status = image_create(image, raster->width, raster->height, error);
    if (status != STATUS_OK)
        return status;
    memset(image_row(image, 0), 255, (size_t)image->width * (size_t)image->height * sizeof(Pixel));
    for (int i = 0; i < 4; i++)
        if (channels[i] &&
            raster->gdal->GDALRasterIO(raster->gdal->GDALGetRasterBand(raster->set, channels[i]), GDAL_READ,
                                       0, 0, image->width, image->height,
                                       (unsigned char *)image_row(image, 0) + i, image->width, image->height,
                                       GDAL_BYTE, (int)sizeof(Pixel), (int)sizeof(Pixel) * image->width) != 0)
            return cannot_read(raster, error);
    return STATUS_OK;
}

static Status read_content(Raster *raster, Error *error) {
    Reading *reading = raster->reading;
    int channels[4];
    if (reading->band == 0 && find_channels(raster, channels)) {
        const Status status = read_colours(raster, channels, error);
        return status == STATUS_OK ? find_frame(raster, &reading->image->frame, error) : status;
    }
    const int band = max(reading->band, 1);
    if (band > raster->bands)
        return fail(error, STATUS_INVALID, "'%.200s' has %d bands, not %d", reading->path, raster->bands,
                    band);
    raster->band = raster->gdal->GDALGetRasterBand(raster->set, band);
    if (raster->gdal->GDALDataTypeIsComplex(raster->gdal->GDALGetRasterDataType(raster->band)))
        return fail(error, STATUS_FILE,
                    "cannot read '%.200s': band %d has complex numbers, which are no heights", reading->path,
                    band);
    Status status = read_heights(raster, error);
    if (status == STATUS_OK)
        status = read_gaps(raster, error);
    return status == STATUS_OK ? find_frame(raster, &reading->field->frame, error) : status;
}

Status read_raster(Reading *reading, Error *error) {
    Raster raster = { .gdal = gdal_open(error), .reading = reading };
    if (!raster.gdal)
        return reading->guessed ? refuse_format(reading->path, error) : STATUS_FILE;
    if (reading->given)
        return refuse_range(reading, error);
    Status status = open_raster(&raster, error);
    if (status == STATUS_OK)
        status = read_content(&raster, error);
    if (raster.set)
        raster.gdal->GDALClose(raster.set);
    raster.gdal->VSIUnlink(GDAL_MEMORY_PATH);
    memory_free(raster.bytes);
    return status;
}
