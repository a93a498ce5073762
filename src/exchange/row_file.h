// Files that are written and read some rows at a time, for fields larger than memory: .npy and .r32, with the
// .json beside them, and rasters by GDAL.

#ifndef ESKER_ROW_FILE_H
#define ESKER_ROW_FILE_H

#include "core/field.h"
#include "core/format.h"
#include "core/frame.h"
#include "file/formats.h"
#include "file/raster.h"
#include "file/whole_file.h"

typedef struct RowWriter { // zeroed: closed
    WholeFile file;
    bool open;
    const FileFormat *format;
    RasterWriter raster;
    int width, height, rows_left;
    char path[4096];
} RowWriter;

// The ending of `path` chooses the format. The file appears under its name when it is finished.
Status row_writer_open(RowWriter *writer, const char *path, int width, int height, Error *error);
Status row_writer_add(RowWriter *writer, Field *rows, Error *error);

// Closes the file, and writes beside it where its cells lie and how it was made. `labels` may be NULL.
Status row_writer_finish(RowWriter *writer, const Frame *frame, const Labels *labels, Error *error);
void row_writer_abandon(RowWriter *writer); // does nothing if it is closed

typedef struct RowReader { // zeroed: closed
    FILE *stream;
    char path[400]; // for messages
    int width, height;
    int64_t start; // of the cells
    NumberKind numbers;
    bool is_flipped; // the lowest row comes first
    Raster raster;   // zeroed: raw numbers
    Frame frame;
} RowReader;

// `width` and `height` are for formats that do not store them, else 0. They are also 0 if the .json beside
// the file has them.
Status row_reader_open(RowReader *reader, const char *path, int width, int height, Error *error);

// Fills `rows`, which has the width of the file, from row `first` on. Cells without data are gaps.
Status row_reader_get(RowReader *reader, int first, Field *rows, Error *error);
void row_reader_close(RowReader *reader);

#endif
