// GeoTIFF, and every other raster that GDAL reads. GDAL sees only a file in memory: what it may open is
// decided by access.h, as for all files, and written files go through whole_file.h.

#include "file/formats.h"

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "file/gdal.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char memory_path[] = "/vsimem/esker-file";

// --- coordinate systems ------------------------------------------------------------------------------------

// "EPSG:26916" where the system is one that has a code, else its WKT.
static Status name_system(const Gdal *gdal, const char *wkt, const char **kept, Error *error) {
    *kept = NULL;
    if (!wkt || !*wkt)
        return STATUS_OK;
    GdalHandle system = gdal->OSRNewSpatialReference(wkt);
    gdal->OSRAutoIdentifyEPSG(system);
    const char *authority = gdal->OSRGetAuthorityName(system, NULL),
               *code = gdal->OSRGetAuthorityCode(system, NULL);
    char name[40];
    const bool has_code = authority && code && strcmp(authority, "EPSG") == 0 && strlen(code) < 16;
    snprintf(name, sizeof name, "EPSG:%.16s", has_code ? code : "");
    const Status status = frame_text(has_code ? name : wkt, FRAME_SYSTEM_MAX, kept, error);
    gdal->OSRRelease(system);
    return status;
}

// The reverse; freed by VSIFree. NULL with the error filled if GDAL does not know it.
static char *wkt_of(const Gdal *gdal, const char *name, Error *error) {
    GdalHandle system = gdal->OSRNewSpatialReference(NULL);
    char *wkt = NULL, *text = (char *)name; // only read
    const int outcome = strncmp(name, "EPSG:", 5) == 0 ? gdal->OSRImportFromEPSG(system, atoi(name + 5))
                                                       : gdal->OSRImportFromWkt(system, &text);
    if (outcome != 0 || gdal->OSRExportToWkt(system, &wkt) != 0)
        fail(error, STATUS_INVALID, "GDAL does not know the coordinate system '%.100s'", name);
    gdal->OSRRelease(system);
    return outcome == 0 ? wkt : NULL;
}

// --- reading -----------------------------------------------------------------------------------------------

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
    void *file = gdal->VSIFileFromMemBuffer(memory_path, raster->bytes, size, 0);
    if (file)
        gdal->VSIFCloseL(file);
    raster->set = gdal->GDALOpenEx(memory_path, GDAL_OPEN_RASTER, NULL, NULL, NULL);
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
    if (gdal->GDALGetGeoTransform(raster->set, numbers) != 0)
        return STATUS_OK;
    *frame = (Frame){ numbers[0], numbers[3], numbers[1], numbers[4], numbers[2], numbers[5], NULL, NULL };
    if (!frame_is_valid(frame)) {
        *frame = (Frame){ 0 };
        return STATUS_OK;
    }
    const Status status = name_system(gdal, gdal->GDALGetProjectionRef(raster->set), &frame->system, error);
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
    if (reading->band == 0 && find_channels(raster, channels))
        return read_colours(raster, channels, error);
    const int band = max(reading->band, 1);
    if (band > raster->bands)
        return fail(error, STATUS_INVALID, "'%.200s' has %d bands, not %d", reading->path, raster->bands,
                    band);
    raster->band = raster->gdal->GDALGetRasterBand(raster->set, band);
    Status status = read_heights(raster, error);
    if (status == STATUS_OK)
        status = read_gaps(raster, error);
    if (status == STATUS_OK)
        status = find_frame(raster, &reading->field->frame, error);
    return status;
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
    raster.gdal->VSIUnlink(memory_path);
    memory_free(raster.bytes);
    return status;
}

// --- writing -----------------------------------------------------------------------------------------------

typedef struct Drawing { // what is written
    const Gdal *gdal;
    const Labels *labels;
    GdalHandle set, file;
} Drawing;

static Status cannot_write(const Gdal *gdal, Error *error) {
    return fail(error, STATUS_FILE, "cannot write the GeoTIFF: %.300s", gdal->CPLGetLastErrorMsg());
}

// A band of numbers that lie in memory.
static Status add_band(const Drawing *drawing, const void *numbers, int type, int step, size_t row,
                       Error *error) {
    char pointer[60], pixel[40], line[40];
    snprintf(pointer, sizeof pointer, "DATAPOINTER=%p", numbers);
    snprintf(pixel, sizeof pixel, "PIXELOFFSET=%d", step);
    snprintf(line, sizeof line, "LINEOFFSET=%zu", row);
    const char *const options[] = { pointer, pixel, line, NULL };
    return drawing->gdal->GDALAddBand(drawing->set, type, options) == 0 ? STATUS_OK
                                                                        : cannot_write(drawing->gdal, error);
}

static Status place(const Drawing *drawing, const Frame *frame, Error *error) {
    const Gdal *gdal = drawing->gdal;
    if (!frame_is_set(frame))
        return STATUS_OK;
    double numbers[] = { frame->x, frame->right_x, frame->down_x, frame->y, frame->right_y, frame->down_y };
    gdal->GDALSetGeoTransform(drawing->set, numbers);
    if (frame->unit)
        gdal->GDALSetRasterUnitType(gdal->GDALGetRasterBand(drawing->set, 1), frame->unit);
    if (!frame->system)
        return STATUS_OK;
    char *wkt = wkt_of(gdal, frame->system, error);
    if (!wkt)
        return STATUS_INVALID;
    gdal->GDALSetProjection(drawing->set, wkt);
    gdal->VSIFree(wkt);
    return STATUS_OK;
}

static Status copy_out(const Drawing *drawing, FILE *stream, Error *error) {
    unsigned long long size = 0;
    const void *bytes = drawing->gdal->VSIGetMemFileBuffer(memory_path, &size, 0);
    if (!bytes || size == 0)
        return cannot_write(drawing->gdal, error);
    fwrite(bytes, 1, size, stream); // whole_file_close detects write errors
    return STATUS_OK;
}

// GDAL's own separator of names and values becomes an underscore.
static void put_label(const Drawing *drawing, const Label *label) {
    char key[80];
    snprintf(key, sizeof key, "%s", label->key);
    for (char *at = key; *at; at++)
        *at = *at == ':' || *at == '=' ? '_' : *at;
    drawing->gdal->GDALSetMetadataItem(drawing->set, key, label->value, NULL);
}

// A cloud-optimised GeoTIFF: tiles, and overviews before them, so that a part at any scale is a few reads.
static Status write_set(Drawing *drawing, FILE *stream, bool floats, Error *error) {
    const Gdal *gdal = drawing->gdal;
    const char *const options[] = { "COMPRESS=DEFLATE",
                                    floats ? "PREDICTOR=FLOATING_POINT" : "PREDICTOR=STANDARD",
                                    "BIGTIFF=IF_SAFER", "OVERVIEW_RESAMPLING=AVERAGE", NULL };
    for (int i = 0; drawing->labels && i < drawing->labels->count; i++)
        put_label(drawing, &drawing->labels->at[i]);
    gdal->CPLErrorReset();
    drawing->file = gdal->GDALCreateCopy(gdal->GDALGetDriverByName("COG"), memory_path, drawing->set, 0,
                                         options, NULL, NULL);
    if (!drawing->file)
        return cannot_write(gdal, error);
    gdal->GDALClose(drawing->file);
    return copy_out(drawing, stream, error);
}

static Status begin(Drawing *drawing, int width, int height, Error *error) {
    drawing->gdal = gdal_open(error);
    if (!drawing->gdal)
        return STATUS_FILE;
    drawing->set = drawing->gdal->GDALCreate(drawing->gdal->GDALGetDriverByName("MEM"), "", width, height, 0,
                                             GDAL_BYTE, NULL);
    return drawing->set ? STATUS_OK : cannot_write(drawing->gdal, error);
}

static void end(const Drawing *drawing) {
    if (!drawing->gdal)
        return;
    if (drawing->set)
        drawing->gdal->GDALClose(drawing->set);
    drawing->gdal->VSIUnlink(memory_path);
}

// What is in the band: the heights, or whole numbers from which a scale and an offset make them.
typedef struct Band {
    const void *numbers;
    int type, bytes;
    bool is_scaled;
    double scale, offset, missing;
    void *own; // of what was made, or NULL
} Band;

// The heights themselves; a copy with a number that no cell has only if there are gaps.
static Status make_floats(const Field *field, Band *band, Error *error) {
    *band = (Band){ .numbers = field->cells, .type = GDAL_FLOAT32, .bytes = 4 };
    if (!field->gaps)
        return STATUS_OK;
    float *marked = band->own = memory_new(field_count(field), sizeof *marked, error);
    band->missing = number_for_gaps(field);
    for (size_t i = 0; marked && i < field_count(field); i++)
        marked[i] = field_has_data(field, i) ? field->cells[i] : (float)band->missing;
    band->numbers = marked;
    return marked ? STATUS_OK : STATUS_MEMORY;
}

// The lowest number stands for no data, where there are gaps. Two's complement: both types are 16 bits alike.
static Status make_integers(const Field *field, bool is_signed, Scale scale, Band *band, Error *error) {
    const int least = is_signed ? INT16_MIN : 0, most = is_signed ? INT16_MAX : UINT16_MAX;
    const int first = field->gaps ? least + 1 : least;
    const double step = (scale.high - scale.low) / (most - first);
    uint16_t *numbers = memory_new(field_count(field), sizeof *numbers, error);
    *band = (Band){ .numbers = numbers,
                    .type = is_signed ? GDAL_INT16 : GDAL_UINT16,
                    .bytes = 2,
                    .is_scaled = step != 1 || scale.low != first,
                    .scale = step,
                    .offset = scale.low - first * step,
                    .missing = least,
                    .own = numbers };
    for (size_t i = 0; numbers && i < field_count(field); i++) {
        const double number = first + ((double)field->cells[i] - scale.low) / step + 0.5;
        const int whole = whole_within(floor(number), first, most);
        numbers[i] = (uint16_t)(field_has_data(field, i) ? whole : least);
    }
    return numbers ? STATUS_OK : STATUS_MEMORY;
}

static void describe_band(const Drawing *drawing, const Field *field, const Band *band) {
    const Gdal *gdal = drawing->gdal;
    GdalHandle to = gdal->GDALGetRasterBand(drawing->set, 1);
    if (field->gaps)
        gdal->GDALSetRasterNoDataValue(to, band->missing);
    if (band->is_scaled) {
        gdal->GDALSetRasterScale(to, band->scale);
        gdal->GDALSetRasterOffset(to, band->offset);
    }
}

Status write_tif_field(FILE *stream, const Field *field, CellType type, Scale scale, const Labels *labels,
                       Error *error) {
    Drawing drawing = { .labels = labels };
    Band band = { 0 };
    Status status = begin(&drawing, field->width, field->height, error);
    if (status == STATUS_OK)
        status = type == TYPE_FLOAT32 ? make_floats(field, &band, error)
                                      : make_integers(field, type == TYPE_INT16, scale, &band, error);
    if (status == STATUS_OK)
        status = add_band(&drawing, band.numbers, band.type, band.bytes,
                          (size_t)band.bytes * (size_t)field->width, error);
    if (status == STATUS_OK) {
        describe_band(&drawing, field, &band);
        status = place(&drawing, &field->frame, error);
    }
    if (status == STATUS_OK)
        status = write_set(&drawing, stream, type == TYPE_FLOAT32, error);
    end(&drawing);
    memory_free(band.own);
    return status;
}
