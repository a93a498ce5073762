// A FileFormat describes a kind of file. It is declared once, beside the code that reads and writes it.
// `load` and `save` with their errors, help, completion, `esker info`, esker.formats(), annotations, the
// table in docs/exchange.md, the explorer's downloads and the tests of round trips are derived from it. A new
// format is one file in src/file and one line in exchange/format_list.h.

#ifndef ESKER_FORMAT_H
#define ESKER_FORMAT_H

#include "core/param.h"
#include "core/value.h"

// What a file keeps besides its numbers.
typedef enum Keeps {
    KEEPS_PLACE = 1,  // origin and size of upright cells
    KEEPS_TURN = 2,   // also of cells that are mirrored or turned
    KEEPS_EPSG = 4,   // a coordinate system that has a code
    KEEPS_SYSTEM = 8, // any coordinate system
    KEEPS_UNIT = 16,
    KEEPS_FRAME = 31,   // all of where the cells lie
    KEEPS_GAPS = 32,    // which cells have no data
    KEEPS_BESIDE = 64,  // the rest, and how it was made, in a .json beside it (file/sidecar.h)
    KEEPS_PROJECT = 128 // any coordinate system, in a .prj beside it
} Keeps;

// How a format is read and written some rows at a time (exchange/row_file.h).
typedef enum RowKind { ROWS_NONE, ROWS_NUMPY, ROWS_RAW, ROWS_RASTER } RowKind;

// The scale between heights and the numbers in a file: the file's 0 is `low`, its largest value `high`.
typedef struct Scale {
    double low, high;
    int bits; // 8 or 16
    int most; // the largest number; 0: 2^bits - 1
} Scale;

typedef struct Reading {
    FILE *stream;     // at its beginning
    const char *path; // for messages
    bool given;       // low and high were given; otherwise those stored in the file, or 0 and 1
    double low, high;
    int width, height;   // for formats that do not store it; 0: a square
    bool is_big;         // raw numbers have the highest byte first
    bool is_flipped;     // and the lowest row
    bool is_unknown;     // set by a reader that finds no format of its own in the file
    int band;            // of a raster with several; 0: the first, or the colours
    const char *channel; // of an .exr, or the name of a band; NULL or "": the usual one
    double max_pixels;   // larger pictures are refused before allocating memory
    int geometry;       // which shapes of a file with several kinds: 0: there is one; 1: points, 2: lines, 3:
                        // polygons
    const char *layer;  // of a file with several tables; NULL or "": the first
    const char *system; // where coordinates lie if the file does not say it; NULL or "": not known
    Field *field;       // one of the two is filled, …
    Image *image;
    const ValueType *type; // … or `value` is set to one of this type
    void *value;
    Error *notice; // parts of the file that were dropped
} Reading;

typedef enum CellType { TYPE_FLOAT32, TYPE_INT16, TYPE_UINT16, TYPE_FLOAT16, TYPE_UINT8 } CellType;

typedef struct Writing {
    FILE *stream;     // whoever opened it detects that bytes were lost
    const char *path; // for messages, and for formats that have the name inside
    const Run *run;
    const ValueType *type;
    const void *value;    // of this type: a const Field * or the like
    const Labels *labels; // how it was made; may be NULL
    Error *notice;
    // Options of save, for formats that take them.
    Scale scale;    // a format that takes low and high gets the range of the heights where they are not given
    bool is_scaled; // they were given
    CellType cells;
    bool is_big, is_flipped;
    Fields more;       // further fields for the same file
    const char *names; // of all its fields
} Writing;

enum { HOLDS_MAX = 4 };

typedef struct FileFormat {
    const char *name;    // "GeoTIFF"
    const char *endings; // without dots, separated by spaces: "tif tiff"
    const char *media_type;
    const char *library; // optional, without which it is neither read nor written; NULL: none
    struct {
        const ValueType *type;                                 // NULL ends the list
        Status (*write)(const Writing *writing, Error *error); // NULL: it is only read
    } holds[HOLDS_MAX + 1];
    Status (*read)(Reading *reading, Error *error); // gives what it holds; NULL: it is only written
    RowKind rows;                                   // fields larger than memory
    unsigned keeps;                                 // of Keeps
    int bits;             // of heights, between the lowest and the highest; 0: float32, exact
    const char *numbers;  // what its numbers are, one phrase for the manual
    const char *gaps;     // how it says which cells have no data, one phrase; NULL: it does not
    const char *raw_type; // of files that are nothing but numbers: "uint16"
    // Names of parameters of load, and of save, that only some formats take; all others refuse them.
    const char *load_takes, *save_takes;
    const char *doc; // one sentence for the manual, no full stop
} FileFormat;

// Whether `word` is one of those separated by spaces, in small or capital letters. `words` may be NULL.
bool has_word(const char *words, const char *word);

// The ending of a path without its dot; NULL if it has none.
const char *path_ending(const char *path);

// Whether a file of this path is called as those of the format.
bool fits_format(const FileFormat *format, const char *path);

// The place of a type in .holds; -1: values of this type are not written so.
int written_as(const FileFormat *format, const ValueType *type);

#endif
