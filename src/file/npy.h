// The head of a numpy file.

#ifndef ESKER_NPY_H
#define ESKER_NPY_H

#include "file/formats.h"

typedef struct NpyArray {
    NumberKind numbers;
    bool by_columns; // as Fortran has them
    double width, height;
} NpyArray;

// Leaves the stream at the first number.
Status npy_read_header(const Reading *reading, NpyArray *array, Error *error);
void npy_write_header(FILE *stream, int width, int height);

#endif
