// Every file format, a line each, in the order of messages and of the manual; and what is asked of all of
// them.

#ifndef ESKER_FORMAT_LIST_H
#define ESKER_FORMAT_LIST_H

#include "core/format.h"
#include "core/operation.h"

// clang-format off
#define ALL_FORMATS(X) \
    X(png) \
    X(tif) \
    X(exr) \
    X(asc) \
    X(npy) \
    X(r16) \
    X(r32) \
    X(pgm) \
    X(raster) \
    X(geojson) \
    X(gpkg) \
    X(shp) \
    X(fgb) \
    X(csv) \
    X(azgaar) \
    X(svg) \
    X(obj) \
    X(ply) \
    X(stl) \
    X(glb)
// clang-format on

#define DECLARE_FORMAT(name) extern const FileFormat format_##name;
ALL_FORMATS(DECLARE_FORMAT)

// The list itself, NULL-ended.
extern const FileFormat *const all_formats[];

// The format in which values of a type are written to a path, and that of a path which is read; NULL: none.
// Any file may be a raster that GDAL reads.
const FileFormat *find_written_format(const ValueType *type, const char *path);
const FileFormat *find_read_format(const char *path);

// Endings as in ".png, .tif or .exr".
typedef struct Endings {
    char text[300];
} Endings;

// Of the formats in which values of a type are written, those of files that are read, and those of fields
// larger than memory.
Endings endings_written(const ValueType *type);
Endings endings_read(void);
Endings endings_by_rows(void);

// Refuses parameters that are given and that the format would ignore. `params` are those of op_load or
// op_save.
Status refuse_ignored(const Operation *operation, const void *params, const FileFormat *format,
                      const char *path, Error *error);

// Refuses a file that cannot be read because of its name; or one in which GDAL finds no raster, which `error`
// says already.
Status refuse_ending(const char *path, Endings allowed, Error *error);
Status refuse_unknown(const char *path, Endings allowed, Error *error);

// What a parameter means, with the endings of the formats that take it.
typedef struct ParamDoc {
    char text[600];
} ParamDoc;
ParamDoc param_doc(const Operation *operation, const Param *param);

#endif
