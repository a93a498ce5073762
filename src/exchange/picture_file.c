#include "exchange/picture_file.h"

#include "exchange/format_list.h"
#include "file/formats.h"

#include <stdatomic.h>
#include <stdio.h>

static int64_t place_of(const PictureWriter *writer, int x, int y) {
    return writer->pixels.start + ((int64_t)y * writer->width + x) * (int64_t)sizeof(Pixel);
}

Status picture_writer_open(PictureWriter *writer, const char *path, int width, int height, Error *error) {
    const FileFormat *format = find_written_format(&type_image, path);
    if (format != &format_png)
        return fail(error, STATUS_INVALID,
                    "'%.300s' must end in .png, which holds pictures larger than memory", path);
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

Status picture_writer_finish(PictureWriter *writer, const Run *run, const Frame *frame, const Labels *labels,
                             Error *error) {
    if (!writer->open)
        return STATUS_OK;
    writer->open = false;
    atomic_bool failed = false;
    const Stored stored = { writer, &failed };
    const PngPixels pixels = { .width = writer->width,
                               .height = writer->height,
                               .opaque = !writer->transparent,
                               .frame = frame,
                               .read = read_pixels,
                               .context = &stored };
    Status status = writer->row == writer->height
                        ? write_png_pixels(writer->file.stream, run, &pixels, labels, error)
                        : fail(error, STATUS_INVALID, "%d rows are missing", writer->height - writer->row);
    if (status == STATUS_OK && atomic_load(&failed))
        status = fail(error, STATUS_FILE, "cannot read the temporary file");
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
