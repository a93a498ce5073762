// GeoTIFF, and every other raster that GDAL reads, as a whole.

#include "file/raster.h"

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "file/coordinate_systems.h"
#include "file/formats.h"
#include "file/gdal.h"

#include <math.h>
#include <stdint.h>
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

// --- writing -----------------------------------------------------------------------------------------------

// GeoTIFF, written by GDAL into memory, or into the temporary file, and from there through whole_file.h.

typedef struct Drawing { // what is written
    const Gdal *gdal;
    const Labels *labels;
    GdalHandle set;
} Drawing;

static Status cannot_write(const Gdal *gdal, Error *error) {
    if (gdal_files_check(error) != STATUS_OK) // which GDAL tells as something else
        return STATUS_FILE;
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

static void describe_heights(const Drawing *drawing, const Frame *frame) {
    const Gdal *gdal = drawing->gdal;
    GdalHandle band = gdal->GDALGetRasterBand(drawing->set, 1);
    char sea[40], top[40];
    snprintf(sea, sizeof sea, "%.17g", frame->sea);
    snprintf(top, sizeof top, "%.17g", frame->top);
    if (frame->unit)
        gdal->GDALSetRasterUnitType(band, frame->unit);
    if (frame->no_heights || !frame->sealess)
        gdal->GDALSetMetadataItem(band, RASTER_SEA, frame->no_heights ? RASTER_NO_HEIGHTS : sea, NULL);
    if (frame->top != 0)
        gdal->GDALSetMetadataItem(band, RASTER_TOP, top, NULL);
}

static Status place(const Drawing *drawing, const Frame *frame, Error *error) {
    const Gdal *gdal = drawing->gdal;
    if (!frame_is_set(frame))
        return STATUS_OK;
    double numbers[] = { frame->x, frame->right_x, frame->down_x, frame->y, frame->right_y, frame->down_y };
    gdal->GDALSetGeoTransform(drawing->set, numbers);
    describe_heights(drawing, frame);
    if (!frame->system)
        return STATUS_OK;
    char *wkt = system_wkt(gdal, frame->system, false, error);
    if (!wkt)
        return STATUS_INVALID;
    gdal->GDALSetProjection(drawing->set, wkt);
    gdal->VSIFree(wkt);
    return STATUS_OK;
}

static Status copy_out(const Drawing *drawing, FILE *stream, Error *error) {
    unsigned long long size = 0;
    const void *bytes = drawing->gdal->VSIGetMemFileBuffer(GDAL_MEMORY_PATH, &size, 0);
    if (!bytes || size == 0)
        return cannot_write(drawing->gdal, error);
    fwrite(bytes, 1, size, stream); // whole_file_close detects write errors
    return STATUS_OK;
}

static void put_label(const Drawing *drawing, const Label *label) {
    char key[GDAL_KEY_MAX];
    gdal_key(label->key, key);
    drawing->gdal->GDALSetMetadataItem(drawing->set, key, label->value, NULL);
}

// What the numbers of a file are: labels have no mean.
typedef enum Numeric { NUMERIC_FLOATS, NUMERIC_INTEGERS, NUMERIC_LABELS } Numeric;

// A cloud-optimised GeoTIFF: tiles, and overviews before them, so that a part at any scale is a few reads.
static Status write_set(const Drawing *drawing, const char *path, Numeric numeric, Error *error) {
    static const char *const predictors[] = { [NUMERIC_FLOATS] = "PREDICTOR=FLOATING_POINT",
                                              [NUMERIC_INTEGERS] = "PREDICTOR=STANDARD",
                                              [NUMERIC_LABELS] = "PREDICTOR=NO" };
    const Gdal *gdal = drawing->gdal;
    const char *const options[] = { "COMPRESS=DEFLATE",
                                    "LEVEL=1",
                                    predictors[numeric],
                                    "BIGTIFF=IF_SAFER",
                                    numeric == NUMERIC_LABELS ? "OVERVIEW_RESAMPLING=NEAREST"
                                                              : "OVERVIEW_RESAMPLING=AVERAGE",
                                    NULL };
    for (int i = 0; drawing->labels && i < drawing->labels->count; i++)
        put_label(drawing, &drawing->labels->at[i]);
    gdal->CPLErrorReset();
    GdalHandle file =
        gdal->GDALCreateCopy(gdal->GDALGetDriverByName("COG"), path, drawing->set, 0, options, NULL, NULL);
    if (!file)
        return cannot_write(gdal, error);
    gdal->GDALClose(file);
    return STATUS_OK;
}

static Status write_memory(const Drawing *drawing, FILE *stream, Numeric numeric, Error *error) {
    const Status status = write_set(drawing, GDAL_MEMORY_PATH, numeric, error);
    return status == STATUS_OK ? copy_out(drawing, stream, error) : status;
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
    drawing->gdal->VSIUnlink(GDAL_MEMORY_PATH);
}

// What is in the band: the heights, or whole numbers from which a scale and an offset make them.
typedef struct Band {
    const void *numbers;
    int type, bytes;
    bool is_scaled;
    double scale, offset, gap_number;
    void *own; // of what was made, or NULL
} Band;

// The heights themselves; a copy with a number that no cell has only if there are gaps.
static Status make_floats(const Field *field, Band *band, Error *error) {
    *band = (Band){ .numbers = field->cells, .type = GDAL_FLOAT32, .bytes = 4 };
    if (!field->gaps)
        return STATUS_OK;
    float *marked = band->own = memory_new(field_count(field), sizeof *marked, error);
    band->gap_number = number_for_gaps(field);
    for (size_t i = 0; marked && i < field_count(field); i++)
        marked[i] = field_has_data(field, i) ? field->cells[i] : (float)band->gap_number;
    band->numbers = marked;
    return marked ? STATUS_OK : STATUS_MEMORY;
}

// The lowest number stands for no data, where there are gaps; it is left out, too, where `low` is the number
// above it, so that whole heights from there to the highest number are kept as they are. Two's complement:
// both types are 16 bits alike.
static Status make_integers(const Field *field, bool is_signed, Scale scale, Band *band, Error *error) {
    const int least = is_signed ? INT16_MIN : 0, most = is_signed ? INT16_MAX : UINT16_MAX;
    const int first = field->gaps || scale.low == least + 1 ? least + 1 : least;
    const double step = (scale.high - scale.low) / (most - first);
    uint16_t *numbers = memory_new(field_count(field), sizeof *numbers, error);
    *band = (Band){ .numbers = numbers,
                    .type = is_signed ? GDAL_INT16 : GDAL_UINT16,
                    .bytes = 2,
                    .is_scaled = step != 1 || scale.low != first,
                    .scale = step,
                    .offset = scale.low - first * step,
                    .gap_number = least,
                    .own = numbers };
    for (size_t i = 0; numbers && i < field_count(field); i++) {
        const double number = first + ((double)field->cells[i] - scale.low) / step + 0.5;
        const int whole = whole_within(floor(number), first, most);
        numbers[i] = (uint16_t)(field_has_data(field, i) ? whole : least);
    }
    return numbers ? STATUS_OK : STATUS_MEMORY;
}

// Whole numbers as they are. 255 stands for no data, where there are gaps.
static Status make_bytes(const Writing *writing, Band *band, Error *error) {
    const Field *field = writing->value;
    const int most = field->gaps ? UINT8_MAX - 1 : UINT8_MAX;
    uint8_t *numbers = memory_new(field_count(field), sizeof *numbers, error);
    *band =
        (Band){ .numbers = numbers, .type = GDAL_BYTE, .bytes = 1, .gap_number = UINT8_MAX, .own = numbers };
    if (!numbers)
        return STATUS_MEMORY;
    for (size_t i = 0; i < field_count(field); i++) {
        const int whole = whole_within((double)field->cells[i], 0, most);
        if (field_has_data(field, i) && (float)whole != field->cells[i])
            return fail(error, STATUS_INVALID,
                        "'%.200s': type = \"uint8\" holds whole numbers, 0 to %d%s, got %s", writing->path,
                        most, field->gaps ? " beside cells without data" : "",
                        digits_of((double)field->cells[i]).text);
        numbers[i] = field_has_data(field, i) ? (uint8_t)whole : UINT8_MAX;
    }
    return STATUS_OK;
}

static void describe_band(const Drawing *drawing, const Field *field, const Band *band) {
    const Gdal *gdal = drawing->gdal;
    GdalHandle to = gdal->GDALGetRasterBand(drawing->set, 1);
    if (field->gaps)
        gdal->GDALSetRasterNoDataValue(to, band->gap_number);
    if (band->is_scaled) {
        gdal->GDALSetRasterScale(to, band->scale);
        gdal->GDALSetRasterOffset(to, band->offset);
    }
}

static Status write_heights(const Writing *writing, Error *error) {
    const Field *field = writing->value;
    const CellType type = writing->cells;
    Drawing drawing = { .labels = writing->labels };
    Band band = { 0 };
    if (type == TYPE_FLOAT16)
        return fail(error, STATUS_INVALID, "a .tif has numbers of type float32, int16, uint16 or uint8");
    if ((type == TYPE_FLOAT32 || type == TYPE_UINT8) && writing->is_scaled)
        return fail(error, STATUS_INVALID,
                    "'%.200s' takes no low and high: its numbers are the heights (type = \"int16\" and "
                    "\"uint16\" span them)",
                    writing->path);
    Status status = begin(&drawing, field->width, field->height, error);
    if (status == STATUS_OK)
        status = type == TYPE_FLOAT32 ? make_floats(field, &band, error)
                 : type == TYPE_UINT8
                     ? make_bytes(writing, &band, error)
                     : make_integers(field, type == TYPE_INT16, writing->scale, &band, error);
    if (status == STATUS_OK)
        status = add_band(&drawing, band.numbers, band.type, band.bytes,
                          (size_t)band.bytes * (size_t)field->width, error);
    if (status == STATUS_OK) {
        describe_band(&drawing, field, &band);
        status = place(&drawing, &field->frame, error);
    }
    if (status == STATUS_OK)
        status = write_memory(&drawing, writing->stream,
                              type == TYPE_FLOAT32 ? NUMERIC_FLOATS
                              : type == TYPE_UINT8 ? NUMERIC_LABELS
                                                   : NUMERIC_INTEGERS,
                              error);
    end(&drawing);
    memory_free(band.own);
    return status;
}

// Opaque pictures have three bands, others a fourth.
static Status add_channels(const Drawing *drawing, const Image *image, Error *error) {
    const size_t row = (size_t)image->width * sizeof(Pixel);
    const int count = image_is_opaque(image) ? 3 : 4;
    Status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < count; i++) {
        const unsigned char *first = (const unsigned char *)image->pixels + i;
        status = add_band(drawing, first, GDAL_BYTE, (int)sizeof(Pixel), row, error);
        if (status == STATUS_OK)
            drawing->gdal->GDALSetRasterColorInterpretation(
                drawing->gdal->GDALGetRasterBand(drawing->set, i + 1), GDAL_RED + i);
    }
    return status;
}

static Status write_colours(const Writing *writing, Error *error) {
    const Image *image = writing->value;
    Drawing drawing = { .labels = writing->labels };
    Status status = begin(&drawing, image->width, image->height, error);
    if (status == STATUS_OK)
        status = add_channels(&drawing, image, error);
    if (status == STATUS_OK)
        status = place(&drawing, &image->frame, error);
    if (status == STATUS_OK)
        status = write_memory(&drawing, writing->stream, NUMERIC_INTEGERS, error);
    end(&drawing);
    return status;
}

const FileFormat format_tif = {
    .name = "GeoTIFF",
    .endings = "tif tiff",
    .media_type = "image/tiff",
    .library = "GDAL",
    .holds = { { &type_field, write_heights }, { &type_image, write_colours } },
    .read = read_raster,
    .rows = ROWS_RASTER,
    .keeps = KEEPS_FRAME | KEEPS_GAPS,
    .numbers = "exact; masks as uint8; int16 and uint16 with a scale, to half a step; 8 bits of "
               "each colour",
    .gaps = "the number for no data, or the mask",
    .load_takes = "band",
    .save_takes = "low high type",
    .doc = "Heights or a picture, as a cloud-optimised GeoTIFF",
};

// --- some rows at a time -----------------------------------------------------------------------------------

#define CELLS_PATH GDAL_FILES "cells.tif"
#define WHOLE_PATH GDAL_FILES "whole.tif"

Status raster_writer_open(RasterWriter *writer, int width, int height, int channels, Error *error) {
    static const char *const options[] = { "TILED=YES", "BLOCKXSIZE=512", "BLOCKYSIZE=512",
                                           "BIGTIFF=IF_SAFER", NULL };
    enum { MORE = 1 << 26 }; // what a file has besides its cells, of which some do not become less
    *writer = (RasterWriter){ .gdal = gdal_open(error), .channels = channels };
    const Gdal *gdal = writer->gdal;
    if (!gdal)
        return STATUS_FILE;
    const Status status = gdal_files_allow(gdal, 2 * (int64_t)width * height * 4 + MORE, error);
    if (status != STATUS_OK) {
        *writer = (RasterWriter){ 0 };
        return status;
    }
    writer->set = gdal->GDALCreate(gdal->GDALGetDriverByName("GTiff"), CELLS_PATH, width, height,
                                   max(channels, 1), channels ? GDAL_BYTE : GDAL_FLOAT32, options);
    for (int i = 0; writer->set && i < channels; i++)
        gdal->GDALSetRasterColorInterpretation(gdal->GDALGetRasterBand(writer->set, i + 1), GDAL_RED + i);
    return writer->set ? STATUS_OK : cannot_write(gdal, error);
}

// The cells of rows that have gaps, which are no numbers until all heights are known.
static float *marked_cells(const Field *rows, Error *error) {
    float *marked = memory_new(field_count(rows), sizeof *marked, error);
    for (size_t i = 0; marked && i < field_count(rows); i++)
        marked[i] = field_has_data(rows, i) ? rows->cells[i] : NAN;
    return marked;
}

Status raster_writer_add(RasterWriter *writer, Field *rows, Error *error) {
    const Gdal *gdal = writer->gdal;
    float *marked = rows->gaps ? marked_cells(rows, error) : NULL;
    if (rows->gaps && !marked)
        return STATUS_MEMORY;
    float *cells = marked ? marked : field_cells(rows);
    const int failed = raster_move_rows(gdal, gdal->GDALGetRasterBand(writer->set, 1), GDAL_WRITE, rows,
                                        writer->row, cells, GDAL_FLOAT32, sizeof *cells);
    memory_free(marked);
    for (size_t i = 0; i < field_count(rows); i++)
        writer->lowest = min(writer->lowest, rows->cells[i]);
    writer->row += rows->height;
    writer->has_gaps |= rows->gaps != NULL;
    return failed ? cannot_write(gdal, error) : STATUS_OK;
}

Status raster_writer_add_pixels(RasterWriter *writer, Pixel *pixels, int rows, Error *error) {
    const Gdal *gdal = writer->gdal;
    const Field shape = { .width = gdal->GDALGetRasterXSize(writer->set), .height = rows };
    int failed = 0;
    for (int i = 0; i < writer->channels && !failed; i++)
        failed = raster_move_rows(gdal, gdal->GDALGetRasterBand(writer->set, i + 1), GDAL_WRITE, &shape,
                                  writer->row, (unsigned char *)pixels + i, GDAL_BYTE, sizeof *pixels);
    writer->row += rows;
    return failed ? cannot_write(gdal, error) : STATUS_OK;
}

// Gives cells without data the number that they have in a file of a small field, some rows at a time.
static Status fill_gaps(const RasterWriter *writer, double gap_number, Error *error) {
    enum { ROWS = 512 }; // of a tile
    const Gdal *gdal = writer->gdal;
    GdalHandle band = gdal->GDALGetRasterBand(writer->set, 1);
    const int width = gdal->GDALGetRasterXSize(writer->set);
    float *cells = memory_new((size_t)width * ROWS, sizeof *cells, error);
    if (!cells)
        return STATUS_MEMORY;
    int failed = 0;
    for (int y = 0; y < writer->row && !failed; y += ROWS) {
        const Field rows = { .width = width, .height = min(ROWS, writer->row - y) };
        failed = raster_move_rows(gdal, band, GDAL_READ, &rows, y, cells, GDAL_FLOAT32, sizeof *cells);
        for (size_t i = 0; i < field_count(&rows) && !failed; i++)
            cells[i] = isnan(cells[i]) ? (float)gap_number : cells[i];
        if (!failed)
            failed = raster_move_rows(gdal, band, GDAL_WRITE, &rows, y, cells, GDAL_FLOAT32, sizeof *cells);
    }
    memory_free(cells);
    gdal->GDALSetRasterNoDataValue(band, gap_number);
    return failed ? cannot_write(gdal, error) : STATUS_OK;
}

Status raster_writer_finish(RasterWriter *writer, FILE *to, const Frame *frame, const Labels *labels,
                            Error *error) {
    const Drawing drawing = { writer->gdal, labels, writer->set };
    Status status =
        writer->has_gaps ? fill_gaps(writer, number_below((double)writer->lowest), error) : STATUS_OK;
    if (status == STATUS_OK)
        status = place(&drawing, frame, error);
    if (status == STATUS_OK)
        status = write_set(&drawing, WHOLE_PATH, writer->channels ? NUMERIC_INTEGERS : NUMERIC_FLOATS, error);
    return status == STATUS_OK ? gdal_files_copy(WHOLE_PATH, to, error) : status;
}

void raster_writer_close(RasterWriter *writer) {
    if (writer->set)
        writer->gdal->GDALClose(writer->set);
    if (writer->gdal)
        gdal_files_end();
    *writer = (RasterWriter){ 0 };
}
