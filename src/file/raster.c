// Rasters that GDAL reads: as a whole, or some rows at a time.

#include "file/raster.h"

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "file/coordinate_systems.h"
#include "file/formats.h"
#include "file/gdal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// --- channels and values -----------------------------------------------------------------------------------

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
static bool has_other_gaps(const Raster *raster, const char *text) {
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
        { "<NoDataValue", "which cells have no data", has_other_gaps(raster, text) },
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

// --- open files --------------------------------------------------------------------------------------------

// GDAL begins with the name under which it sees the file, which is nobody else's.
static void drop_name(char *message, const char *name) {
    const size_t length = strlen(name);
    for (char *at = length ? strstr(message, name) : NULL; at; at = strstr(at, name)) {
        const size_t more = length + strspn(at + length, ",: ");
        memmove(at, at + more, strlen(at + more) + 1);
    }
}

Status raster_fail(const Raster *raster, Error *error) {
    char message[300];
    snprintf(message, sizeof message, "%s", raster->gdal->CPLGetLastErrorMsg());
    drop_name(message, raster->file);
    return fail(error, STATUS_FILE, "cannot read '%.200s': %.200s", raster->path,
                *message ? message : "GDAL does not know its format");
}

// Whether a path has one of these endings.
static bool ends_in_one(const char *path, const char *const endings[]) {
    const char *own = strrchr(path, '.');
    for (size_t i = 0; own && endings[i]; i++)
        if (strcasecmp(own, endings[i]) == 0)
            return true;
    return false;
}

// Formats whose headers open, and whose cells lie in files that GDAL would open itself.
static bool lies_apart(const char *path, Error *error) {
    static const char *const endings[] = { ".ers", ".mpr", ".aux", NULL };
    if (!ends_in_one(path, endings))
        return false;
    fail(error, STATUS_FILE,
         "cannot read '%.300s': the cells of %s files lie in others, which GDAL may not open here; "
         "gdal_translate makes a .tif of it",
         path, strrchr(path, '.'));
    return true;
}

bool raster_explain(const char *path, Error *error) {
    static const char *const by_name[] = { ".map", ".nc", ".h5", ".hdf", NULL };
    char header[GDAL_HEADER_MAX];
    const bool has_header = gdal_beside_header(path, header);
    if (has_header)
        fail(error, STATUS_FILE, "cannot read '%.300s': GDAL finds no .%s of this format beside it", path,
             header);
    else if (ends_in_one(path, by_name))
        fail(error, STATUS_FILE,
             "cannot read '%.300s': GDAL would have to open %s files itself, which it may not; "
             "gdal_translate makes a .tif of it",
             path, strrchr(path, '.'));
    else
        return lies_apart(path, error);
    return true;
}

Status raster_open(Raster *raster, FILE *stream, const char *path, Error *error) {
    *raster = (Raster){ 0 };
    if (lies_apart(path, error))
        return STATUS_FILE;
    *raster = (Raster){ .gdal = gdal_open(error), .path = path };
    const Gdal *gdal = raster->gdal;
    if (!gdal)
        return STATUS_FILE;
    const Status status = gdal_files_show(gdal, stream, path, raster->file, error);
    if (status != STATUS_OK) {
        raster_close(raster);
        return status;
    }
    gdal_beside_show(path, raster->file);
    gdal->CPLErrorReset();
    raster->set = gdal->GDALOpenEx(raster->file, GDAL_OPEN_RASTER, NULL, NULL, NULL);
    if (!raster->set) {
        raster_fail(raster, error);
        raster_close(raster);
        return STATUS_FILE;
    }
    raster->width = gdal->GDALGetRasterXSize(raster->set);
    raster->height = gdal->GDALGetRasterYSize(raster->set);
    raster->bands = gdal->GDALGetRasterCount(raster->set);
    return STATUS_OK;
}

void raster_close(Raster *raster) {
    if (raster->set)
        raster->gdal->GDALClose(raster->set);
    gdal_files_hide(raster->file);
    *raster = (Raster){ 0 };
}

// The band that says how opaque the others are, in numbers of any type; of bytes GDAL makes a mask by itself.
static GdalHandle find_alpha(const Raster *raster) {
    const Gdal *gdal = raster->gdal;
    for (int i = 1; i <= raster->bands; i++) {
        GdalHandle band = gdal->GDALGetRasterBand(raster->set, i);
        if (gdal->GDALGetRasterColorInterpretation(band) == GDAL_ALPHA)
            return band == raster->band ? NULL : band;
    }
    return NULL;
}

Status raster_choose(Raster *raster, int band, Error *error) {
    const Gdal *gdal = raster->gdal;
    if (band > raster->bands)
        return fail(error, STATUS_INVALID, "'%.200s' has %d bands, not %d", raster->path, raster->bands,
                    band);
    raster->band = gdal->GDALGetRasterBand(raster->set, band);
    if (gdal->GDALDataTypeIsComplex(gdal->GDALGetRasterDataType(raster->band)))
        return fail(error, STATUS_FILE,
                    "cannot read '%.200s': band %d has complex numbers, which are no heights", raster->path,
                    band);
    int has_scale = 0, has_offset = 0;
    const double scale = gdal->GDALGetRasterScale(raster->band, &has_scale),
                 offset = gdal->GDALGetRasterOffset(raster->band, &has_offset);
    raster->is_scaled = has_scale || has_offset;
    raster->scale = has_scale ? scale : 1;
    raster->offset = has_offset ? offset : 0;
    raster->is_masked = !(gdal->GDALGetMaskFlags(raster->band) & GDAL_MASK_ALL_VALID);
    raster->alpha = find_alpha(raster);
    const char *kind = gdal->GDALGetMetadataItem(raster->band, "PIXELTYPE", "IMAGE_STRUCTURE");
    raster->is_signed = kind && strcmp(kind, "SIGNEDBYTE") == 0;
    return STATUS_OK;
}

static void read_heights(const Raster *raster, Frame *frame) {
    const Gdal *gdal = raster->gdal;
    const char *sea = gdal->GDALGetMetadataItem(raster->band, RASTER_SEA, NULL),
               *top = gdal->GDALGetMetadataItem(raster->band, RASTER_TOP, NULL);
    Frame described = *frame;
    described.no_heights = sea && strcmp(sea, RASTER_NO_HEIGHTS) == 0;
    described.sea = sea && !described.no_heights ? strtod(sea, NULL) : 0;
    described.sealess = !sea; // of other programs' models
    described.top = top ? strtod(top, NULL) : 0;
    if (frame_is_valid(&described))
        *frame = described;
}

Status raster_frame(const Raster *raster, Frame *frame, Error *notice, Error *error) {
    const Gdal *gdal = raster->gdal;
    double numbers[6];
    *frame = (Frame){ 0 };
    if (gdal->GDALGetGeoTransform(raster->set, numbers) != 0) {
        const int points = gdal->GDALGetGCPCount(raster->set);
        if (points)
            tell(notice,
                 "'%.200s' is placed by %d control points, no frame: it lies nowhere (gdalwarp places it)",
                 raster->path, points);
        return STATUS_OK;
    }
    *frame = (Frame){ numbers[0], numbers[3], numbers[1], numbers[4], numbers[2], numbers[5], .sea = 0 };
    if (!frame_is_valid(frame)) {
        *frame = (Frame){ 0 };
        return STATUS_OK;
    }
    const Status status = system_name(gdal, gdal->GDALGetProjectionRef(raster->set), &frame->system, error);
    if (status != STATUS_OK || !raster->band)
        return status;
    read_heights(raster, frame);
    return frame_text(gdal->GDALGetRasterUnitType(raster->band), FRAME_UNIT_MAX, &frame->unit, error);
}

int raster_move_rows(const Gdal *gdal, GdalHandle band, int way, const Field *shape, int first, void *cells,
                     int type, int step) {
    int wide = 0, high = 0, failed = 0;
    gdal->GDALGetBlockSize(band, &wide, &high);
    wide = max(wide, 1), high = max(high, 1);
    const int end = first + shape->height;
    for (int y = first, next; y < end && !failed; y = next) {
        next = (int)min((int64_t)(y / high + 1) * high, (int64_t)end);
        for (int x = 0; x < shape->width && !failed; x += wide) {
            const int count = min(shape->width - x, wide);
            char *to =
                (char *)cells + ((size_t)(y - first) * (size_t)shape->width + (size_t)x) * (size_t)step;
            failed = gdal->GDALRasterIO(band, way, x, y, count, next - y, to, count, next - y, type, step,
                                        step * shape->width);
        }
    }
    return failed;
}

// Makes cells without data of those that are transparent. Opacities may be shares of 1, which are 0 as bytes.
static Status find_transparent(const Raster *raster, int first, const Field *rows, Gaps *gaps, Error *error) {
    int wide = 0, high = 0;
    raster->gdal->GDALGetBlockSize(raster->alpha, &wide, &high);
    high = min(max(high, 1), rows->height);
    float *alpha = memory_new_cells(rows->width, high, sizeof *alpha, error);
    Status status = alpha ? STATUS_OK : STATUS_MEMORY;
    for (int y = 0; y < rows->height && status == STATUS_OK; y += high) {
        const Field part = { .width = rows->width, .height = min(high, rows->height - y) };
        unsigned char *at = gaps->at + (size_t)y * (size_t)rows->width;
        if (raster_move_rows(raster->gdal, raster->alpha, GDAL_READ, &part, first + y, alpha, GDAL_FLOAT32,
                             sizeof *alpha) != 0)
            status = raster_fail(raster, error);
        for (size_t i = 0; status == STATUS_OK && i < field_count(&part); i++)
            at[i] = at[i] || alpha[i] == 0;
    }
    memory_free(alpha);
    return status;
}

// GDAL before 3.7 gives signed bytes as if they had no sign, and compares those with the number for no data.
static void make_signed(const Raster *raster, float *cells, size_t count) {
    int has_gap_number = 0;
    const double gap_number = raster->gdal->GDALGetRasterNoDataValue(raster->band, &has_gap_number);
    for (size_t i = 0; i < count; i++) {
        cells[i] -= cells[i] > 127 ? 256 : 0;
        if (has_gap_number && (double)cells[i] == gap_number)
            cells[i] = NAN; // a gap, as all that is not finite
    }
}

// Whole blocks of floats past GDAL's cache, whose memory would be touched for nothing. Returns 1 after a
// failure.
static int read_blocks(const Raster *raster, int first, Field *rows, int wide, int high, float *block) {
    int failed = 0;
    for (int y = 0; y < rows->height; y += high)
        for (int x = 0; x < rows->width && !failed; x += wide) {
            const size_t count = (size_t)min(wide, rows->width - x);
            failed = raster->gdal->GDALReadBlock(raster->band, x / wide, (first + y) / high, block) != 0;
            for (int row = 0; row < min(high, rows->height - y) && !failed; row++)
                memcpy(field_row(rows, y + row) + x, block + (size_t)row * (size_t)wide,
                       count * sizeof *block);
        }
    return failed;
}

static int read_cells(const Raster *raster, int first, Field *rows) {
    int wide = 0, high = 0;
    raster->gdal->GDALGetBlockSize(raster->band, &wide, &high);
    const bool is_whole = wide > 0 && high > 0 && wide <= (1 << 20) / high && first % high == 0 &&
                          ((first + rows->height) % high == 0 || first + rows->height == raster->height) &&
                          raster->gdal->GDALGetRasterDataType(raster->band) == GDAL_FLOAT32;
    float *block = is_whole ? memory_new_cells(wide, high, sizeof *block, NULL) : NULL;
    const int failed = block ? read_blocks(raster, first, rows, wide, high, block)
                             : raster_move_rows(raster->gdal, raster->band, GDAL_READ, rows, first,
                                                field_cells(rows), GDAL_FLOAT32, sizeof(float));
    memory_free(block);
    return failed;
}

Status raster_rows(const Raster *raster, int first, Field *rows, Error *error) {
    const Gdal *gdal = raster->gdal;
    float *cells = field_cells(rows);
    const size_t count = field_count(rows);
    if (read_cells(raster, first, rows) != 0)
        return raster_fail(raster, error);
    if (raster->is_signed)
        make_signed(raster, cells, count);
    for (size_t i = 0; i < count && raster->is_scaled; i++)
        cells[i] = (float)((double)cells[i] * raster->scale + raster->offset);
    if (!raster->is_masked && !raster->alpha)
        return gaps_find(rows, error);
    Gaps *gaps = gaps_new(count, error);
    if (!gaps)
        return STATUS_MEMORY;
    if (raster->is_masked && raster_move_rows(gdal, gdal->GDALGetMaskBand(raster->band), GDAL_READ, rows,
                                              first, gaps->at, GDAL_BYTE, 1) != 0) {
        gaps_release(gaps);
        return raster_fail(raster, error);
    }
    for (size_t i = 0; i < count; i++)
        gaps->at[i] = (raster->is_masked && gaps->at[i] == 0) || !isfinite(cells[i]);
    const Status status = raster->alpha ? find_transparent(raster, first, rows, gaps, error) : STATUS_OK;
    if (status != STATUS_OK) {
        gaps_release(gaps);
        return status;
    }
    field_set_gaps(rows, gaps);
    return STATUS_OK;
}
