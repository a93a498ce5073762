// Grids of a zoomable map whose pixels are a power of two along its side. What is decided on such a grid is
// the same in every window, whatever the window's own pixels are.
//
// A flat map has one face, a planet the six of a cube (land/cube.h), each with a grid of its own. It goes on
// beyond the edges of its face, with the pixels that the adjacent faces have there, turned as their columns
// and rows are. So what is near an edge is decided on one face alone, with all that is around it.

#ifndef ESKER_SETTLEMENT_GRID_H
#define ESKER_SETTLEMENT_GRID_H

#include "core/elementary.h"
#include "core/field.h"
#include "core/whole.h"
#include "land/cube.h"
#include "rivermap/view.h"

// A rectangle of pixels, from (x, y) on.
typedef struct GridBox {
    int x, y, width, height;
} GridBox;

typedef struct Grid {
    int bits;                           // 2^bits pixels along a face's side
    int face;                           // 0 of a flat map
    const Vec3 *axes;                   // of a planet's cube; NULL: the map is flat
    GridBox box;                        // what is drawn; width 0: nothing
    double metres;                      // a pixel's side, on planets in the middle of a face
    double *tangents;                   // on planets: of the angles of the box's columns, then of its rows
    bool is_sea;                        // its land and sea are exchanged (settlement/sea_lanes.h)
    Field altitude, river, flow, water; // as those of render; water is empty on maps without lakes
    Field discharge;                    // of a watered map: m³/s
} Grid;

// The grids of a map's faces.
typedef struct Grids {
    int bits;
    bool round; // of a planet
    Grid on[CUBE_FACES];
    GridBox own[CUBE_FACES]; // of each face the pixels that any grid shows
} Grids;

static inline const Grid *any_grid(const Grids *grids) {
    const Grid *grid = grids->on;
    while (grid->box.width <= 0 && grid < grids->on + CUBE_FACES - 1)
        grid++;
    return grid;
}

// Where a grid shows a pixel of a face; false: it lies on another side of the planet.
static inline bool pixel_on_grid(const Grid *grid, int face, int *x, int *y) {
    CubeCell cell = { face, *x, *y, 0 };
    if (face == grid->face)
        return true;
    if (!cube_unfold((Int128)1 << grid->bits, grid->face, &cell))
        return false;
    *x = (int)cell.x;
    *y = (int)cell.y;
    return true;
}

// Rectangles of the map: one of a flat map, on planets of each face. They are left, top, right and bottom in
// places of the face; right 0: there is none.
typedef struct Region {
    const Vec3 *axes; // as those of a grid
    Int128 corners[CUBE_FACES][4];
} Region;

// The length of a face's side in metres.
static inline double face_metres(const RiverMap *map) {
    return map->tiling->planet ? map->metres * (PI / 2) : map->metres;
}

// What a window shows.
Status region_of_view(Region *region, const View *view, Error *error);

// The box of all pixels of a face that a region touches, and `margin` more around it, across edges of the
// face, too: of its own pixels. Width 0: none.
GridBox region_box(const Region *region, int bits, int face, int margin);

// The same as a face's grid shows it, with the pixels beyond its edges.
GridBox region_box_on_grid(const Region *region, int bits, int face, int margin);

// A box of a face and `more` pixels around it. On planets those of the adjacent faces, too, of which there
// are at least `across` beyond an edge.
GridBox box_beyond(const Region *region, int bits, GridBox box, int more, int across);

// Draws the grids of all faces whose box is not empty. grids_free takes zeroed ones, too, and is called also
// after a failure.
Status grids_draw(Grids *grids, const RiverMap *map, int bits, const GridBox boxes[CUBE_FACES],
                  const Run *run, Error *error);
void grids_free(Grids *grids);

// Whether a pixel is beyond two edges of a grid, where no face is: its ground is that of one beside it.
static inline bool is_on_no_face(const Grid *grid, int x, int y) {
    const int side = 1 << grid->bits;
    return grid->axes && (x < 0 || x >= side) && (y < 0 || y >= side);
}

// Moves a place beyond an edge of a grid, in its pixels, to the face where it is, and gives that; beyond two
// edges, to one beside it.
int grid_face_of(const Grid *grid, double *x, double *y);

// A place in pixels of a grid, which may lie beyond an edge: as a direction from the planet's middle, in
// radii, and where the climate has it.
Vec3 grid_direction(const Grid *grid, double x, double y);
Vec2 grid_in_climate(const Grid *grid, double x, double y);

// A pixel's middle in the plane or in space, in pixels, to measure distances.
Vec3 grid_place_of(const Grid *grid, int x, int y);

// How long a pixel is to the right and down, against `metres`, and the cosine of the angle between both.
typedef struct GridShape {
    double across, down, cosine;
} GridShape;

GridShape grid_shape(const Grid *grid, int x, int y);

// Prepares grid_shape of a planet's grid, whose box is set.
Status grid_find_tangents(Grid *grid, Error *error);

// The box of all pixels that a rectangle of the map touches, given in places (rivermap/view.h), and `margin`
// more on each side; all on the map.
GridBox grid_box(int bits, const Int128 corners[4], int margin);

// The same box, enlarged to whole squares of `side` pixels, a power of two.
GridBox grid_box_aligned(int bits, GridBox box, int side);

// Draws the ground. grid_free takes a zeroed grid, too, and is called also after a failure.
Status grid_draw(Grid *grid, const RiverMap *map, int bits, GridBox box, const Run *run, Error *error);
void grid_free(Grid *grid);

static inline bool box_is_none(const GridBox *box) {
    return box->width <= 0;
}

static inline bool box_holds(const GridBox *box, int x, int y) {
    return x >= box->x && y >= box->y && x < box->x + box->width && y < box->y + box->height;
}

// The index of a pixel, which the box holds, among those of the box.
static inline size_t box_index(const GridBox *box, int x, int y) {
    return (size_t)(y - box->y) * (size_t)box->width + (size_t)(x - box->x);
}

static inline size_t grid_index(const Grid *grid, int x, int y) {
    return box_index(&grid->box, x, y);
}

static inline bool is_on_own_face(const Grid *grid, int x, int y) {
    const int side = 1 << grid->bits;
    return x >= 0 && y >= 0 && x < side && y < side;
}

// Whether a pixel is sea, lake, or mostly river.
static inline bool grid_is_wet(const Grid *grid, size_t at) {
    return grid->altitude.cells[at] < 0 || grid->river.cells[at] >= 0.5f ||
           (grid->water.cells && grid->water.cells[at] > 0);
}

// Whether a pixel is sea or lake.
static inline bool grid_is_open_water(const Grid *grid, size_t at) {
    return grid->altitude.cells[at] < 0 || (grid->water.cells && grid->water.cells[at] > 0);
}

// Whether a road over a pixel crosses a river, though it may be narrow.
static inline bool grid_has_river(const Grid *grid, size_t at) {
    return grid->river.cells[at] >= 0.1f;
}

// Whether a pixel is one of the outermost on the map, where land ends. A planet has none.
static inline bool grid_is_at_border(const Grid *grid, int x, int y) {
    enum { BORDER_PIXELS = 2 };
    if (grid->axes)
        return false;
    const int last = (1 << grid->bits) - 1 - BORDER_PIXELS;
    return x < BORDER_PIXELS || y < BORDER_PIXELS || x > last || y > last;
}

#endif
