#include "exchange/picture_file.h"

#include "core/math.h"
#include "core/memory.h"
#include "exchange/format_list.h"
#include "file/raster.h"

#include <stdatomic.h>
#include <stdio.h>

static int64_t place_of(const PictureWriter *writer, int x, int y) {
    return writer->pixels.start + ((int64_t)y * writer->width + x) * (int64_t)sizeof(Pixel);
}

Status picture_writer_open(PictureWriter *writer, const char *path, int width, int height, Error *error) {
    const FileFormat *format = find_written_format(&type_image, path);
    if (format != &format_png && format != &format_tif)
        return fail(error, STATUS_INVALID,
                    "'%.300s' must end in .png or .tif, which hold pictures larger than memory", path);
    if ((size_t)snprintf(writer->path, sizeof writer->path, "%s", path) >= sizeof writer->path)
        return fail(error, STATUS_FILE, "cannot write: the path is too long");
    Status status = scratch_take((int64_t)width * height * (int64_t)sizeof(Pixel), &writer->pixels, error);
    if (status == STATUS_OK)
        status = whole_file_open(&writer->file, path, error);
    if (status != STATUS_OK) {
        scratch_give_back(&writer->pixels);
        return status;
    }
    writer->open = true;
    writer->format = format;
    writer->width = width;
    writer->height = height;
    return STATUS_OK;
}

Status picture_writer_add(PictureWriter *writer, const Image *image, int first, int rows, Error *error) {
    if (!writer->open || image->width != writer->width || rows > writer->height - writer->row)
        return fail(error, STATUS_INVALID, "the picture takes no %d rows of %d pixels", rows, image->width);
    const Pixel *pixels = image_row(image, first);
    const size_t count = (size_t)rows * (size_t)image->width;
    for (size_t i = 0; i < count && !writer->transparent; i++)
        writer->transparent = pixels[i].alpha != 255;
    const Status status =
        scratch_write(place_of(writer, 0, writer->row), count * sizeof *pixels, pixels, error);
    writer->row += rows;
    return status;
}

typedef struct Stored {
    const PictureWriter *writer;
    atomic_bool *failed;
} Stored;

static void read_pixels(const void *context, int x, int y, int count, Pixel *pixels) {
    const Stored *stored = context;
    Error error;
    if (scratch_read(place_of(stored->writer, x, y), (size_t)count * sizeof *pixels, pixels, &error) !=
        STATUS_OK)
        atomic_store(stored->failed, true);
}

// Rows of tiles, one after the other.
static Status write_bands(const PictureWriter *writer, RasterWriter *raster, Error *error) {
    enum { ROWS = 512 };
    const size_t width = (size_t)writer->width;
    Pixel *pixels = memory_new_cells(writer->width, min(ROWS, writer->height), sizeof *pixels, error);
    Status status = pixels ? STATUS_OK : STATUS_MEMORY;
    for (int y = 0; y < writer->height && status == STATUS_OK; y += ROWS) {
        const int rows = min(ROWS, writer->height - y);
        status = scratch_read(place_of(writer, 0, y), width * (size_t)rows * sizeof *pixels, pixels, error);
        if (status == STATUS_OK)
            status = raster_writer_add_pixels(raster, pixels, rows, error);
    }
    memory_free(pixels);
    return status;
}

static Status write_tif(const PictureWriter *writer, const Frame *frame, const Labels *labels, Error *error) {
    RasterWriter raster;
    const int channels = writer->transparent ? 4 : 3;
    Status status = raster_writer_open(&raster, writer->width, writer->height, channels, error);
    if (status != STATUS_OK)
        return status;
    status = write_bands(writer, &raster, error);
    if (status == STATUS_OK)
        status = raster_writer_finish(&raster, writer->file.stream, frame, labels, error);
    raster_writer_close(&raster);
    return status;
}

static Status write_png(const PictureWriter *writer, const Run *run, const Frame *frame, const Labels *labels,
                        Error *error) {
    atomic_bool failed = false;
    const Stored stored = { writer, &failed };
    const PngPixels pixels = { .width = writer->width,
                               .height = writer->height,
                               .opaque = !writer->transparent,
                               .frame = frame,
                               .read = read_pixels,
                               .context = &stored };
    const Status status = write_png_pixels(writer->file.stream, run, &pixels, labels, error);
    return status == STATUS_OK && atomic_load(&failed)
               ? fail(error, STATUS_FILE, "cannot read the temporary file")
               : status;
}

Status picture_writer_finish(PictureWriter *writer, const Run *run, const Frame *frame, const Labels *labels,
                             Error *error) {
    if (!writer->open)
        return STATUS_OK;
    writer->open = false;
    const Status status = writer->row < writer->height    ? fail(error, STATUS_INVALID, "%d rows are missing",
                                                                 writer->height - writer->row)
                          : writer->format == &format_tif ? write_tif(writer, frame, labels, error)
                                                          : write_png(writer, run, frame, labels, error);
    scratch_give_back(&writer->pixels);
    return whole_file_close(&writer->file, status, error);
}

void picture_writer_abandon(PictureWriter *writer) {
    Error error;
    if (!writer->open)
        return;
    writer->open = false;
    scratch_give_back(&writer->pixels);
    whole_file_close(&writer->file, STATUS_FILE, &error);
}
