#include "exchange/row_file.h"

#include "core/gaps.h"
#include "core/memory.h"
#include "core/whole.h"
#include "exchange/format_list.h"
#include "file/access.h"
#include "file/formats.h"
#include "file/sidecar.h"

#include <math.h>

static Status refuse_path(const char *path, Error *error) {
    return fail(error, STATUS_INVALID, "'%.300s' must end in %s, which hold fields larger than memory", path,
                endings_by_rows().text);
}

// --- writing -----------------------------------------------------------------------------------------------

Status row_writer_open(RowWriter *writer, const char *path, int width, int height, Error *error) {
    const FileFormat *format = find_written_format(&type_field, path);
    if (!format || format->rows == ROWS_NONE)
        return refuse_path(path, error);
    writer->format = format;
    if ((size_t)snprintf(writer->path, sizeof writer->path, "%s", path) >= sizeof writer->path)
        return fail(error, STATUS_FILE, "cannot write: the path is too long");
    const bool is_raster = format->rows == ROWS_RASTER;
    Status status = is_raster ? raster_writer_open(&writer->raster, width, height, 0, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = whole_file_open(&writer->file, path, error);
    if (status != STATUS_OK) {
        raster_writer_close(&writer->raster);
        return status;
    }
    writer->open = true;
    writer->width = width;
    writer->height = writer->rows_left = height;
    if (format->rows == ROWS_NUMPY)
        npy_write_header(writer->file.stream, width, height);
    return STATUS_OK;
}

Status row_writer_add(RowWriter *writer, Field *rows, Error *error) {
    if (!writer->open || rows->width != writer->width || rows->height > writer->rows_left)
        return fail(error, STATUS_INVALID, "the file takes no %d rows of %d cells", rows->height,
                    rows->width);
    writer->rows_left -= rows->height;
    return writer->format->rows == ROWS_RASTER ? raster_writer_add(&writer->raster, rows, error)
                                               : write_r32(writer->file.stream, rows, false, false);
}

// Writes what the file itself cannot hold into the .json beside it.
static Status write_rest(RowWriter *writer, const Frame *frame, const Labels *labels, Error *error) {
    if (writer->format->rows == ROWS_RASTER)
        return raster_writer_finish(&writer->raster, writer->file.stream, frame, labels, error);
    const Sidecar beside = {
        .width = writer->width, .height = writer->height, .type = writer->format->raw_type, .frame = *frame
    };
    return sidecar_write(&writer->file, writer->path, &beside, labels, error);
}

Status row_writer_finish(RowWriter *writer, const Frame *frame, const Labels *labels, Error *error) {
    if (!writer->open)
        return STATUS_OK;
    writer->open = false;
    Status status = STATUS_OK;
    if (writer->rows_left > 0)
        status = fail(error, STATUS_INVALID, "%d rows are missing", writer->rows_left);
    else
        status = write_rest(writer, frame, labels, error);
    raster_writer_close(&writer->raster);
    return whole_file_close(&writer->file, status, error);
}

void row_writer_abandon(RowWriter *writer) {
    Error error;
    if (!writer->open)
        return;
    raster_writer_close(&writer->raster);
    whole_file_close(&writer->file, STATUS_FILE, &error);
    writer->open = false;
}

// --- reading -----------------------------------------------------------------------------------------------

static Status open_raster(RowReader *reader, Error *error) {
    Status status = raster_open(&reader->raster, reader->stream, reader->path, error);
    if (status == STATUS_FILE && !raster_explain(reader->path, error))
        status = refuse_unknown(reader->path, endings_by_rows(), error);
    if (status == STATUS_OK)
        status = raster_choose(&reader->raster, 1, error);
    if (status == STATUS_OK)
        status = raster_frame(&reader->raster, &reader->frame, NULL, error);
    if (status == STATUS_OK && (reader->raster.width > SIDE_MAX || reader->raster.height > SIDE_MAX))
        status = fail(error, STATUS_INVALID, "'%.300s' must have sides of 1 to %d", reader->path, SIDE_MAX);
    reader->width = reader->raster.width;
    reader->height = reader->raster.height;
    return status;
}

// Finds the shape of the cells, and where they begin.
static Status read_head(RowReader *reader, const FileFormat *format, int width, int height, Error *error) {
    Reading reading = { .stream = reader->stream, .path = reader->path };
    Sidecar beside = { .type = format->raw_type };
    Status status = sidecar_read(reader->path, &beside, error);
    if (status != STATUS_OK)
        return status;
    const bool given = width || height;
    NpyArray array = { .numbers = { 'f', 4, beside.is_big },
                       .width = given ? width : beside.width,
                       .height = given ? height : beside.height };
    if (format->rows == ROWS_NUMPY) {
        status = npy_read_header(&reading, &array, error);
        if (status != STATUS_OK)
            return status;
    } else {
        reader->is_flipped = beside.is_flipped;
    }
    if (!(array.width >= 1 && array.width <= SIDE_MAX && array.height >= 1 && array.height <= SIDE_MAX))
        return fail(error, STATUS_INVALID,
                    "'%.300s' must have sides of 1 to %d: give width and height of a .r32", reader->path,
                    SIDE_MAX);
    if (array.by_columns)
        return fail(error, STATUS_FILE, "'%.300s' is stored column by column, not row by row", reader->path);
    if ((double)bytes_left(reader->stream) != array.width * array.height * array.numbers.bytes)
        return fail(error, STATUS_FILE, "'%.300s' has not the length of its cells", reader->path);
    reader->width = whole_int(array.width);
    reader->height = whole_int(array.height);
    reader->numbers = array.numbers;
    reader->start = ftello(reader->stream);
    const Field shape = { .width = reader->width, .height = reader->height };
    if (!given)
        status = sidecar_check_size(reader->path, &beside, &shape, error);
    if (beside.width == 0 || (beside.width == shape.width && beside.height == shape.height))
        reader->frame = beside.frame;
    return status;
}

Status row_reader_open(RowReader *reader, const char *path, int width, int height, Error *error) {
    snprintf(reader->path, sizeof reader->path, "%s", path);
    reader->stream = access_open(path, error);
    if (!reader->stream)
        return STATUS_FILE;
    const FileFormat *format = find_read_format(path);
    const RowKind rows = format ? format->rows : ROWS_NONE;
    const Status status = rows == ROWS_NONE     ? refuse_path(path, error)
                          : rows == ROWS_RASTER ? open_raster(reader, error)
                                                : read_head(reader, format, width, height, error);
    if (status != STATUS_OK)
        row_reader_close(reader);
    return status;
}

static Status read_row(const RowReader *reader, int y, unsigned char *bytes, float *row, Error *error) {
    const size_t size = (size_t)reader->numbers.bytes, width = (size_t)reader->width;
    const int64_t at = reader->is_flipped ? reader->height - 1 - y : y;
    if (fseeko(reader->stream, (off_t)(reader->start + at * (int64_t)(width * size)), SEEK_SET) != 0 ||
        fread(bytes, size, width, reader->stream) != width)
        return fail(error, STATUS_FILE, "cannot read '%.300s'", reader->path);
    floats_get(bytes, reader->numbers, width, row);
    return STATUS_OK;
}

Status row_reader_get(RowReader *reader, int first, Field *rows, Error *error) {
    const int64_t row = (int64_t)reader->width * reader->numbers.bytes;
    if (!reader->stream || first + rows->height > reader->height)
        return fail(error, STATUS_INVALID, "'%.300s' has no such rows", reader->path);
    if (reader->raster.set)
        return raster_rows(&reader->raster, first, rows, error);
    unsigned char *bytes = memory_new((size_t)row, 1, error);
    if (!bytes)
        return STATUS_MEMORY;
    Status status = STATUS_OK;
    for (int y = 0; y < rows->height && status == STATUS_OK; y++)
        status = read_row(reader, first + y, bytes, field_row(rows, y), error);
    memory_free(bytes);
    return status == STATUS_OK ? gaps_find(rows, error) : status;
}

void row_reader_close(RowReader *reader) {
    raster_close(&reader->raster);
    if (reader->stream)
        fclose(reader->stream);
    reader->stream = NULL;
}
