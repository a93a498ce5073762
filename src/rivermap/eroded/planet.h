// The eroded land of a planet (docs/endless-land.md): the six faces of a cube around it, each a square grid
// of equal angles. Faces are numbered as in land/cube.h.

#ifndef ESKER_ERODED_PLANET_H
#define ESKER_ERODED_PLANET_H

#include "rivermap/eroded/eroded.h"
#include "rivermap/eroded/pixel_seas.h"
#include "rivermap/eroded/river_widths.h"

#include <math.h>
#include <stdatomic.h>

// An altitude of 1 is this part of the way around the planet: VERTICAL_SCALE of its radius.
#define PLANET_SCALE (VERTICAL_SCALE / 6.28318530717958648)

// The width of a river that drains a square as large as the map's side is wide, against one that drains the
// whole planet; √(16/6), as a face's side is a quarter of the way around.
#define PLANET_WIDENING 1.63299316185545207

// Near a globe's edge, where the picture shows the ground aslant, rivers are drawn as if a pixel showed at
// most so many of them side by side.
enum { PLANET_ASLANT = 4 };

// The share of the planet that cells of a depth drain.
static inline double planet_share(double area, int depth) {
    return area * (16.0 / CUBE_FACES) * ldexp(1, -2 * depth);
}

// A place on a face: 0 … the cells of a side, to the right and down.
typedef struct GridPlace {
    int face;
    double x, y;
    double across, down; // how long a cell's sides are there, against those in the middle of a face
} GridPlace;

// `axes`: of the cube, on the planet. `side`: cells.
GridPlace grid_place(const Vec3 axes[3], double side, Vec3 at);
Vec3 place_on_planet(const Vec3 axes[3], double side, int face, double x, double y);

// What a level knows of what a view shows, and of some cells around.
typedef struct PlanetWindow {
    const View *view;
    int depth;    // the level has 2^depth cells around the planet
    double cell;  // the side of one in the middle of a face, in pixels
    double side;  // cells along a face's side
    Int128 datum; // altitudes count from here: units of the level above the sea
    double unit;  // of altitudes, in map units
    LandFaces land;
    _Atomic uint8_t *in_gap[CUBE_FACES]; // whether a cell lies in a gap of a river; NULL: none does
} PlanetWindow;

// The depth whose cells are half a pixel to a pixel large, or level 0's where that is finer.
int planet_depth(const View *view);

// The cells that the view shows; `margin` more around them.
Status planet_open(PlanetWindow *window, const View *view, int depth, int margin, Error *error);

// Those of a coarser level around the same.
Status planet_open_coarser(PlanetWindow *window, const PlanetWindow *finer, int depth, int margin,
                           Error *error);
void planet_close(PlanetWindow *window);

// A cell, which may lie beyond an edge of its face, on its own face; its number in that face's window, or -1.
int planet_cell(const PlanetWindow *window, CubeCell *cell);

static inline double planet_altitude(const PlanetWindow *window, int face, int cell) {
    const LandWindow *land = &window->land.on[face];
    return (double)(land->base + land->altitude[cell] - window->datum) * window->unit;
}

Status planet_datum(const View *view, Datum *datum, Error *error);
Status planet_render(const View *view, Error *error);
Status planet_add_rivers(const View *view, NetworkBuilder *builder, Error *error);

// --- planet_streams.c --------------------------------------------------------------------------------------

// A cell's way to the next, as a line between smoothed places on the planet.
typedef struct PlanetStream {
    CubeCell from, to;
    int from_cell, to_cell; // in the faces' windows
    Vec3 at, to_at;
    float area, to_area;          // cells of the level
    double from_sea, to_from_sea; // as those of flat land's places
    bool ends;                    // at `to`: in the sea or a sink
    bool mouth;                   // in the sea
} PlanetStream;

// Finds the gaps of rivers that drain `least` above and below them.
Status planet_find_gaps(PlanetWindow *window, float least, Error *error);

// Whether a river runs through a cell that drains `least`, or in its gap.
static inline bool planet_has_river(const PlanetWindow *window, int face, int cell, float least) {
    return window->land.on[face].area[cell] >= least ||
           (window->in_gap[face] && atomic_load_explicit(&window->in_gap[face][cell], memory_order_relaxed));
}

// Sets what runs through a cell of a face's window; false where there is no river, or in the sea.
bool planet_stream(const PlanetWindow *window, int face, int cell, float least, PlanetStream *stream);

typedef struct PlanetCell {
    int face, cell;
} PlanetCell;

typedef struct PlanetCells {
    PlanetCell *at;
    int count;
} PlanetCells;

// Finds the cells of which planet_stream may know something, in the order of faces and their cells. The
// caller frees `found->at`, also if it fails.
Status planet_cells_find(const PlanetWindow *window, float least, PlanetCells *found, Error *error);

// --- planet_seas.c -----------------------------------------------------------------------------------------

// Shows sea where straits and inlets of the land's cells run and streams end. Pixels within
// PIXEL_SEAS_MARGIN of the view's edge are for those inside. `pixels`: that a cell's area takes on average.
Status planet_open_seas(const PlanetWindow *window, double pixels, Error *error);

// --- planet_lines.c ----------------------------------------------------------------------------------------

typedef struct PlanetLines PlanetLines;

// The rivers that show in a window, to be drawn pixel by pixel; NULL: `status` says why.
PlanetLines *planet_lines_new(const PlanetWindow *window, Status *status, Error *error);
void planet_lines_free(PlanetLines *lines);

// How much of the pixel at a place they cover; above 1 their width in pixels.
float planet_lines_cover(const PlanetLines *lines, const GridPlace *place, Vec3 at);

#endif
