// Water on fields larger than memory: the results are those of the same operations in memory, bit for bit.
//
// A field is worked on in strips of `rows` whole rows. What strips need of each other is known along their
// edges alone (Barnes 2016, "Parallel priority-flood depression filling for trillion cell digital elevation
// models on desktops or clusters"; Barnes 2017, "Parallel non-divergent flow accumulation for trillion cell
// digital elevation models on desktops or clusters"): each strip is looked at, a graph of all edges is solved
// in memory, and each strip is looked at again. Its parts are as many as the cells along edges.

#ifndef ESKER_LARGE_H
#define ESKER_LARGE_H

#include "core/frame.h"
#include "core/parallel.h"
#include "core/scratch.h"

// --- planes ------------------------------------------------------------------------------------------------

// A plane is a grid in this process's temporary file, for fields larger than memory.

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

// --- operations --------------------------------------------------------------------------------------------

// Planes of heights hold floats, those of directions bytes (drainage.h). Results have been created. Cells
// without data, which are no numbers, count as `lowest`, which is below all others and the sea: water leaves
// there.

// `fill` with slope 0. Cells without data are none in the result, too.
Status large_fill(const Run *run, const Plane *height, float sea, float lowest, int rows, Plane *filled,
                  Error *error);

// The directions of drainage_find. `frame` says where the cells lie.
Status large_directions(const Run *run, const Plane *filled, const Frame *frame, float sea, float lowest,
                        int rows, Plane *direction, Error *error);

// The cells that drain through each cell.
Status large_count(const Run *run, const Plane *direction, int rows, Plane *sum, Error *error);

// Rows of heights, all of them numbers.
Status large_read(const Plane *height, int first, int rows, float lowest, float *cells, Error *error);

// Strips of a plane.
static inline int strip_count(const Plane *plane, int rows) {
    return (plane->height + rows - 1) / rows;
}

static inline int strip_rows(const Plane *plane, int rows, int strip) {
    return strip * rows + rows <= plane->height ? rows : plane->height - strip * rows;
}

#endif
