// Points, lines and polygons on a field: their coordinates in its cells, and the cells that they cover.

#ifndef ESKER_OVERLAY_H
#define ESKER_OVERLAY_H

#include "core/field.h"
#include "core/operation.h"
#include "places/shapes.h"

// An affine step from coordinates of one window to those of another.
typedef struct CellMap {
    double x, y, right_x, right_y, down_x, down_y;
} CellMap;

static inline void cell_map_point(const CellMap *map, double x, double y, double at[2]) {
    at[0] = map->x + x * map->right_x + y * map->down_x;
    at[1] = map->y + x * map->right_y + y * map->down_y;
}

// A window of cells, for messages by its name.
typedef struct Window {
    const char *name;
    const Frame *frame;
    int width, height;
} Window;

Window window_of_field(const char *name, const Field *field);

// From the cells of `from` to those of `to`. Fails with STATUS_INVALID where they lie in different coordinate
// systems, or only one of them lies anywhere and their sizes differ. `vectors`: the message tells of
// reproject.
Status cell_map_find(const Window *from, const Window *to, bool vectors, CellMap *map, Error *error);

// Whether two names of coordinate systems are of different ones; NULL agrees with any.
bool systems_differ(const char *a, const char *b);

// cell_map_find of the window of an input: Points, Lines, Polygons or a RiverNetwork.
Status overlay_map(const Input *input, const Window *to, CellMap *map, Error *error);

// A copy of such an input in other cells, without attributes: a shape for each point, reach, or shape. NULL
// if memory runs out.
Shapes *overlay_copy(const Input *input, const CellMap *map, Error *error);

// Fails with STATUS_INVALID, and tells both extents, where all `shapes`, in the cells of `to`, lie farther
// than `reach` cells outside it: another model, or coordinates that are exchanged.
Status overlay_check_meeting(const char *name, const Shapes *shapes, const Window *to, double reach,
                             Error *error);

// The largest radius of points, in cells of their window; 0 of anything else.
double input_radius(const Input *input);

// Whether an input is the rivers of a window of a map, which may run beside it.
bool is_part_of_map(const Input *input);

// The same for an input that is in the cells of `to`; not for a network.
Status input_check_meeting(const Input *input, const Window *to, double reach, Error *error);

// A copy in the cells of `to`, which it meets (overlay_check_meeting), if it is no window of a map.
Status overlay_new(const Input *input, const Window *to, Shapes **placed, Error *error);

// The attributes of an input, or NULL.
const Attributes *input_attributes(const Input *input);

// Calls `cover` with stretches of cells [first, end) of a row of a `width` × `height` grid.
typedef void CoverCells(void *context, int row, int first, int end);

// The cells whose centres lie inside a polygon: inside an odd number of its rings (as gdal_rasterize does).
Status polygon_cells(const Shapes *shapes, const Shape *shape, int width, int height, CoverCells *cover,
                     void *context, Error *error);

// Calls `visit` with the cells that a line from a to b passes through, in its order; each shares a side with
// the one before. Those outside the grid are left out.
typedef void VisitCell(void *context, size_t cell);
void line_cells(const ShapePoint *a, const ShapePoint *b, int width, int height, VisitCell *visit,
                void *context);

// The cell that holds a place, or SIZE_MAX outside the grid.
size_t place_cell(double x, double y, int width, int height);

// Numbers the cells that each shape covers by its place in the list, from 1 on; later ones lie on top.
// `numbers` has a place for each cell, zeroed. Of lines: the cells that they pass through; of points: those
// that hold them.
Status number_cells(const Shapes *shapes, const ValueType *type, int width, int height, uint32_t *numbers,
                    Error *error);

#endif
