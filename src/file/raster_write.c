// GeoTIFF, written by GDAL into memory, or into the temporary file, and from there through whole_file.h: as a
// whole, or some rows at a time.

#include "file/raster.h"

#include "core/gaps.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "file/coordinate_systems.h"
#include "file/formats.h"
#include "file/gdal.h"

#include <math.h>
#include <stdint.h>

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
    fwrite(bytes, 1, (size_t)size, stream); // whole_file_close detects write errors
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

// Whether all cells are whole numbers up to `most`, which become `numbers`.
KERNEL static bool raster_bytes(const float *restrict cells, float most, uint8_t *restrict numbers,
                                size_t count) {
    int others = 0;
    for (size_t i = 0; i < count; i++) {
        const float above = cells[i] > 0 ? cells[i] : 0;
        const int whole = whole_unchecked(above < most ? above : most);
        others |= (float)whole != cells[i];
        numbers[i] = (uint8_t)whole;
    }
    return !others;
}

static Status refuse_number(const Writing *writing, int most, Error *error) {
    const Field *field = writing->value;
    size_t i = 0;
    while ((float)whole_within((double)field->cells[i], 0, most) == field->cells[i])
        i++;
    return fail(error, STATUS_INVALID, "'%.200s': type = \"uint8\" holds whole numbers, 0 to %d%s, got %s",
                writing->path, most, field->gaps ? " beside cells without data" : "",
                digits_of((double)field->cells[i]).text);
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
    if (!raster_bytes(field->cells, (float)most, numbers, field_count(field)))
        return refuse_number(writing, most, error);
    for (size_t i = 0; field->gaps && i < field_count(field); i++)
        numbers[i] = field_has_data(field, i) ? numbers[i] : UINT8_MAX;
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
