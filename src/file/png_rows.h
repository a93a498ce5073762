// The pixels of a PNG: filtered and compressed in blocks of rows, several at once. The blocks are those of
// one zlib stream, as pigz makes it, and depend on the size of a row only: the bytes are the same for any
// number of threads.

#ifndef ESKER_PNG_ROWS_H
#define ESKER_PNG_ROWS_H

#include "core/parallel.h"

#include <png.h>
#include <stddef.h>
#include <zlib.h>

typedef struct PixelRows {
    int height, pixel_bytes;
    size_t bytes; // of a row
    // Writes the pixels of row y, on any thread.
    void (*fill)(const void *context, int y, unsigned char *row);
    const void *context;
} PixelRows;

enum { BLOCKS_MAX = 16 }; // compressed at once

typedef struct PackedBlock {
    z_stream stream;
    unsigned char *raw, *packed, *row; // filtered rows, what they become, and a row that is not filtered
    size_t raw_bytes, packed_bytes;
    unsigned long sum; // Adler-32 of the filtered rows
} PackedBlock;

typedef struct Packing {
    PixelRows rows;
    int block_rows, blocks, first; // `first`: of the blocks that are compressed now
    size_t most;                   // packed bytes of a block
    PackedBlock at[BLOCKS_MAX];
} Packing;

// Fails with STATUS_MEMORY. Freed by packing_free, also where it failed.
Status packing_create(Packing *packing, const PixelRows *rows, Error *error);
void packing_free(Packing *packing);

// Writes the IDAT chunks. libpng's errors jump out of it.
Status pixels_write(png_structp png, const Run *run, Packing *packing);

#endif
