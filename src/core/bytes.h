// Bytes passed between two processes of one machine, through files; numbers are in the machine's own
// format.

#ifndef ESKER_BYTES_H
#define ESKER_BYTES_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct ByteWriter {
    FILE *stream;
    size_t left; // bytes that may still be written
    bool full;   // some did not fit and were dropped
} ByteWriter;

// Errors of writing to the file are found by the reader.
void bytes_put(ByteWriter *to, const void *bytes, size_t size);

// Fails with STATUS_INVALID if fewer bytes are left.
Status bytes_get(FILE *from, void *bytes, size_t size, Error *error);

// Reads the sides of a grid whose cells of the given size follow: STATUS_INVALID unless both are 1 …
// SIDE_MAX and all cells are there.
Status bytes_get_sides(FILE *from, int sides[2], size_t cell, Error *error);

// The number of bytes left. A reader allocates no memory for more than these.
size_t bytes_left(FILE *from);

// Fails with STATUS_INVALID: the bytes are not what a writer writes.
Status bytes_damaged(Error *error);

#endif
