// Bytes between two processes of one machine, through files: numbers are the machine's own.

#ifndef ESKER_BYTES_H
#define ESKER_BYTES_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct ByteWriter {
    FILE *stream;
    size_t left; // bytes that may still be written
    bool full;   // some did not fit, and were left out
} ByteWriter;

// What is lost on the way to the file is found by the reader.
void bytes_put(ByteWriter *to, const void *bytes, size_t size);

// Fails with STATUS_INVALID where there are fewer.
Status bytes_get(FILE *from, void *bytes, size_t size, Error *error);

// The sides of a grid whose cells follow, so many bytes each: STATUS_INVALID unless both are 1 … SIDE_MAX and
// all cells are there.
Status bytes_get_sides(FILE *from, int sides[2], size_t cell, Error *error);

// How many are left. A reader takes no memory for more than these.
size_t bytes_left(FILE *from);

// Fails with STATUS_INVALID: what was read is not what a writer writes.
Status bytes_damaged(Error *error);

#endif
