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

// Frees the disk's room behind rows whose cells nobody reads any more, where the file system can.
void plane_discard(const Plane *plane, int first, int rows);

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

// Flats that reach across strips have no direction yet after drainage_find_part: UNSEEN and above. Each is
// drained within the rows that it has, or, where these are too many for memory, over cells on disk.

// Finds where each of them lies. Rows are added from the first to the last; rows without such cells may be
// left out.
typedef struct FlatExtents FlatExtents;
FlatExtents *flat_extents_new(int width, Error *error);
void flat_extents_free(FlatExtents *extents);
Status flat_extents_add(FlatExtents *extents, int row, const uint8_t *direction, Error *error);

// A part of the field that holds whole flats: cells of these rows and columns.
typedef struct FlatWindow {
    int top, bottom, left, right; // the first and the last
    int seed;                     // with one flat: the column of one of its cells in the first row; or -1
} FlatWindow;

// Windows for all flats: those with at most `rows` rows share windows of that many whole rows, others have
// one each. `windows` has room for as many as there are flats. Returns how many there are.
int flat_extents_windows(FlatExtents *extents, int rows, FlatWindow *windows);
int flat_extents_count(const FlatExtents *extents);

// Drains the flats of a window that have no directions, or the one of its seed. The part of the field that is
// given has FALL_RADIUS (even_choice.h) more rows and columns on each side, or as many as there are; its
// first cell is the field's at `column` and `row`. Directions of other cells are lost.
Status large_flats_within(const Run *run, const FlatWindow *window, const Field *filled, float sea,
                          int column, int row, uint8_t *direction, Error *error);

// Drains flats in a plane of directions (bytes, drainage.h) beside one of filled heights; all other cells but
// those of such flats have theirs. Both planes need only the rows of the flats' windows and FALL_RADIUS more
// on each side. Cells without data, which are no numbers, count as `lowest`.
Status large_flats(const Run *run, const Plane *filled, Plane *direction, float sea, float lowest,
                   const FlatWindow *flats, int count, Error *error);

// --- the cells that drain through each cell ---

// What a strip's own cells send across its edges, and where water that enters leaves again. Directions are a
// byte a cell. Freed by memory_free(notes->at).
Status large_count_look(const Run *run, const uint8_t *direction, int width, int rows, Notes *notes,
                        Error *error);

// Counts a strip's cells.
Status large_count_finish(const Run *run, const uint8_t *direction, const uint64_t *entering, Field *sum,
                          Error *error);

// --- water that parts between two neighbours ---

// The ways of a cell's water: drainage.h, and downstream.h and flow.h for the second.
typedef struct Parting32 {
    uint8_t direction, second;
    uint16_t share;
} Parting32;

typedef struct PartingPlanes {
    Plane ways, sum, rest, waiting;
} PartingPlanes;

// Sets the ways of some rows.
Status parting_write(const PartingPlanes *planes, int row, int rows, const uint8_t *direction,
                     const uint8_t *second, const uint16_t *share, Error *error);

// Counts what drains into each cell of some rows, once all ways are set.
Status parting_count(const PartingPlanes *planes, int first, int count, Error *error);

// Sums up what drains through the cells of some rows, as far as that is known. `above` and `below`: whether
// cells of the rows beyond can go on now. Cells count 1, or with `size`, the whole field's size and frame,
// their area over that of one in its middle.
Status parting_visit(const PartingPlanes *planes, int first, int count, const Field *size, bool *above,
                     bool *below, Error *error);

// --- where water ends ---

// A strip in which water ends where `direction` is none of a neighbour. A value of each cell says what
// becomes of water that ends there: bits of any kind, or a label, from 1, in the order of the strip's cells.
typedef struct WayStrip {
    uint8_t *direction;
    uint32_t *value;
    int width, rows;
    uint32_t labels;       // how many; 0: values are no labels
    bool measured;         // not values, but the lengths of ways are wanted
    const uint64_t *steps; // for that, of each row, where they are not counted (outlet_routes.h)
} WayStrip;

// Ends water at the last cells of land, and numbers these; values elsewhere are 0. `height` has the strip's
// rows from `first` on, and one more on each side. Cells without data are lower than the sea.
void large_end_basins(const Field *height, int first, float sea, WayStrip *strip);

// Ends water in rivers, where it leaves and, if asked for, before cells without data. Values are the filled
// heights there, or the sea's level.
typedef struct RiverStrip {
    const Field *height;           // as above, with its gaps
    const Field *filled, *drained; // of the strip
    float sea, least;              // cells that drain through a river
    bool before_gaps;
} RiverStrip;
void large_end_rivers(const RiverStrip *rivers, int first, WayStrip *strip);

// Ends water at outlets, pairs of a cell of the strip and its label, from 1. Values elsewhere are 0.
void large_end_outlets(const uint32_t *outlets, size_t count, WayStrip *strip);

// What becomes of water that enters at each cell of the edges. Freed by memory_free(notes->at).
Status large_ways_look(const Run *run, const WayStrip *strip, Notes *notes, Error *error);

// The value of where the water of each cell ends: `ends` are those of gate_join_ends.
Status large_ways_finish(const Run *run, const WayStrip *strip, const uint64_t *ends, uint32_t labels_above,
                         uint32_t *value, Error *error);

// The length of the way of each cell's water, as routes_length takes it. `ends` are those of
// gate_join_lengths.
Status large_ways_lengths(const Run *run, const WayStrip *strip, const uint64_t *ends, uint64_t *length,
                          Error *error);

// --- orders of streams ---

// A strip of a field with rivers. Fields have one more row on each side, or as many as there are. Cells
// without data are lower than the sea.
typedef struct StreamStrip {
    const Field *height, *drained; // NULL: not wanted
    const Field *rivers;           // where streams are; NULL: where enough drains
    const uint8_t *direction;      // of the strip's cells
    int first, rows;               // the strip's in those of the fields
    float sea, least;
} StreamStrip;

// The nodes of a strip's streams. Freed by memory_free(notes->at).
Status large_orders_look(const StreamStrip *strip, Notes *notes, Error *error);

// Joins strips, which are added from the first to the last.
typedef struct OrderJoin OrderJoin;
OrderJoin *order_join_new(int width, Error *error);
void order_join_free(OrderJoin *join);

// Fails with STATUS_FILE where the notes are not those of such a strip.
Status order_join_add(OrderJoin *join, const uint32_t *notes, size_t count, Error *error);

// `method`: of stream_order.h.
Status order_join_solve(OrderJoin *join, int method, Error *error);

// The orders of a strip's nodes, once they are solved.
const float *order_join_orders(const OrderJoin *join, int strip, size_t *count);

// The order of each cell of a strip.
Status large_orders_finish(const StreamStrip *strip, const float *orders, size_t count, Field *order,
                           Error *error);

// --- strips whose water crosses edges ---

// Joins the notes of large_count_look or large_ways_look, which are added from the first strip to the last.
typedef struct GateJoin GateJoin;
GateJoin *gate_join_new(int width, int strips, Error *error);
void gate_join_free(GateJoin *join);

// Fails with STATUS_FILE where the notes are not those of such a strip.
Status gate_join_add(GateJoin *join, const uint32_t *notes, size_t count, Error *error);

// Of counts: the cells of other strips whose water enters at each cell of the first and of the last row. Of
// ways: the values of where water ends that leaves there, or the lengths of its ways from there.
void gate_join_sums(GateJoin *join);
Status gate_join_ends(GateJoin *join, Error *error);
Status gate_join_lengths(GateJoin *join, Error *error);
void gate_join_values(const GateJoin *join, int strip, uint64_t *values);

// How many labels the strips above have.
uint32_t gate_join_labels(const GateJoin *join, int strip);

#endif
