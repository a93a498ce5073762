// A plane is a grid in this process's temporary file, for fields larger than memory.

#ifndef ESKER_PLANE_H
#define ESKER_PLANE_H

#include "core/scratch.h"

typedef struct Plane { // zeroed: none
    int width, height;
    size_t cell; // bytes of one
    ScratchRange range;
} Plane;

// A plane whose cells are not set yet.
Status plane_create(Plane *plane, int width, int height, size_t cell, Error *error);

// Makes room for others, and leaves none. None is allowed.
void plane_free(Plane *plane);

// Rows `first` … `first` + `rows` - 1, without gaps between them.
Status plane_read(const Plane *plane, int first, int rows, void *cells, Error *error);
Status plane_write(const Plane *plane, int first, int rows, const void *cells, Error *error);

// The same for bytes that need not be rows, from `at` on.
Status plane_read_bytes(const Plane *plane, size_t at, size_t size, void *bytes, Error *error);
Status plane_write_bytes(const Plane *plane, size_t at, size_t size, const void *bytes, Error *error);

static inline size_t plane_row(const Plane *plane) {
    return (size_t)plane->width * plane->cell;
}

#endif
