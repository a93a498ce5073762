// Water on fields larger than memory: the results are those of the same operations in memory, bit for bit.
//
// A field is worked on in strips of whole rows. What strips need of each other is known along their
// edges alone (Barnes 2016, "Parallel priority-flood depression filling for trillion cell digital elevation
// models on desktops or clusters"; Barnes 2017, "Parallel non-divergent flow accumulation for trillion cell
// digital elevation models on desktops or clusters"): each strip is looked at, a graph of all edges is solved
// in memory, and each strip is looked at again. Its parts are as many as the cells along edges.

#ifndef ESKER_LARGE_H
#define ESKER_LARGE_H

#include "core/field.h"
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

// --- strips ------------------------------------------------------------------------------------------------

// Each operation looks at every strip alone and writes notes about its edges; joins the notes of all strips;
// and finishes every strip alone. Notes are plain numbers without pointers, so that strips may be looked at
// by other processes. A strip's heights are numbers: cells without data are lower than all others and the
// sea, and water leaves there.

typedef struct Notes { // zeroed: none
    uint32_t *at;
    size_t count; // words
} Notes;

// --- fill with slope 0 ---

// A strip of a field, which goes on beyond its open edges.
typedef struct FillStrip {
    const Field *height;
    bool open_top, open_bottom;
    float sea;
} FillStrip;

// The basins along the edges, and the spills between them. Freed by memory_free(notes->at).
Status large_fill_look(const Run *run, const FillStrip *strip, Notes *notes, Error *error);

// Joins strips, which are added from the first to the last.
typedef struct FillJoin FillJoin;
FillJoin *fill_join_new(int width, Error *error);
void fill_join_free(FillJoin *join);

// Fails with STATUS_FILE where the notes are not those of such a strip.
Status fill_join_add(FillJoin *join, const uint32_t *notes, size_t count, Error *error);
Status fill_join_solve(FillJoin *join, Error *error);

// The levels of a strip's basins, once they are solved.
const float *fill_join_levels(const FillJoin *join, int strip, size_t *count);

// Fills a strip; `filled` has its size.
Status large_fill_finish(const Run *run, const FillStrip *strip, const float *levels, size_t count,
                         Field *filled, Error *error);

// --- directions, as drainage_find ---

// Flats that reach across strips have no direction yet after drainage_find_part: UNSEEN and above. They are
// drained here, in one process, with a plane of filled heights and one of directions (bytes, drainage.h).
// Both need only the rows that have such cells and FALL_RADIUS more (even_choice.h) on each side; `unsettled`
// says which rows have some. Cells without data, which are no numbers, count as `lowest`.
Status large_flats(const Run *run, const Plane *filled, Plane *direction, float sea, float lowest,
                   const bool *unsettled, Error *error);

// --- the cells that drain through each cell ---

// What a strip's own cells send across its edges, and where water that enters leaves again. Directions are a
// byte a cell. Freed by memory_free(notes->at).
Status large_count_look(const uint8_t *direction, int width, int rows, Notes *notes, Error *error);

// Joins strips, which are added from the first to the last.
typedef struct CountJoin CountJoin;
CountJoin *count_join_new(int width, Error *error);
void count_join_free(CountJoin *join);
Status count_join_add(CountJoin *join, const uint32_t *notes, size_t count, Error *error);
void count_join_solve(CountJoin *join);

// The cells of other strips whose water enters at each cell of the first and of the last row.
void count_join_entering(const CountJoin *join, int strip, uint64_t *entering);

// Counts a strip's cells.
Status large_count_finish(const uint8_t *direction, const uint64_t *entering, Field *sum, Error *error);

#endif
