// What a level of eroded land knows of a view: an atlas of windows. A flat map's has one face, a planet's the
// six faces of a cube (land/cube.h). Everything drawn and listed of eroded land is read from an atlas.

#ifndef ESKER_ATLAS_H
#define ESKER_ATLAS_H

#include "core/vector.h"
#include "land/runoff.h"
#include "rivermap/eroded/eroded.h"
#include "water/drainage.h"

#include <math.h>

// --- the grids of a cube -----------------------------------------------------------------------------------

// Faces and their grids are those of land/cube.h.

typedef CubePlace GridPlace;

// The place on the grid of a direction from the planet's middle. `axes`: of the cube, on the planet.
GridPlace grid_place(const Vec3 axes[3], double side, Vec3 at);

// The opposite; the place may lie a little beyond an edge of its face.
Vec3 place_on_planet(const Vec3 axes[3], double side, int face, double x, double y);

// --- atlases -----------------------------------------------------------------------------------------------

// An altitude of 1 is this part of a planet's circumference: VERTICAL_SCALE of its radius.
#define PLANET_SCALE (VERTICAL_SCALE / 6.28318530717958648)

// The map's length is the side of a flat map, or the circumference of a planet. Altitude 1 is VERTICAL_SCALE
// of the side or the radius.
typedef struct Atlas {
    const View *view;
    bool planet;
    int depth;                  // the level has 2^depth cells along the map's length
    Int128 side;                // cells along a face's side
    double cell;                // side of a cell, on planets of one in the middle of a face, in pixels
    double pixels;              // along the side of a flat map or the radius of a planet
    double widening;            // width of a river, in cells, is this × √(cells that it drains)
    int height_depth;           // of the cells whose sides altitudes are measured by
    int rise;                   // what altitudes count more than the level's, in 65536ths (law.h)
    Int128 datum;               // altitudes count from here: units of the level above the sea
    double unit;                // of altitudes, in map units
    double per_runoff;          // m³/s of a cell that a mm a year runs off
    LandRect shown[CUBE_FACES]; // cells of the view
    LandFaces land;             // and around
} Atlas;

// The depth whose cells are half a pixel to a pixel large, or level 0's where that is finer.
int atlas_depth(const View *view);

// The cells that a view shows, and `margin` more on every side where the land goes on. Closed by atlas_close,
// also after a failure.
Status atlas_open(Atlas *atlas, const View *view, int depth, int margin, Error *error);

// Makes the same land for later calls, and more of it where the view moves.
Status atlas_prepare(const View *view, int depth, int margin, Error *error);

// The cells of a coarser level in the same view, and `margin` more.
Status atlas_open_coarser(Atlas *atlas, const Atlas *finer, int depth, int margin, Error *error);
void atlas_close(Atlas *atlas);

// --- cells -------------------------------------------------------------------------------------------------

// A cell's column and row in its face's window. `turn`: of its directions since the cell from which it was
// reached, clockwise quarter turns.
typedef struct AtlasCell {
    int face, x, y, turn;
} AtlasCell;

static inline const LandWindow *land_of(const Atlas *atlas, AtlasCell cell) {
    return &atlas->land.on[cell.face];
}

static inline int cell_number(const Atlas *atlas, AtlasCell cell) {
    return cell.y * land_of(atlas, cell)->width + cell.x;
}

static inline int receiver_of(const Atlas *atlas, AtlasCell cell) {
    return land_of(atlas, cell)->receiver[cell_number(atlas, cell)];
}

static inline float area_of(const Atlas *atlas, AtlasCell cell) {
    return land_of(atlas, cell)->area[cell_number(atlas, cell)];
}

// Above the sea, in the level's units.
static inline Int128 height_of(const Atlas *atlas, AtlasCell cell) {
    const LandWindow *land = land_of(atlas, cell);
    return land->base + land->altitude[cell_number(atlas, cell)];
}

// The altitude of a cell of a window above the datum, in map units.
static inline double altitude_in(const Atlas *atlas, const LandWindow *land, int number) {
    return (double)(land->base + land->altitude[number] - atlas->datum) * atlas->unit;
}

static inline double altitude_of(const Atlas *atlas, AtlasCell cell) {
    return altitude_in(atlas, land_of(atlas, cell), cell_number(atlas, cell));
}

// The altitude of the sea above the datum, in map units.
static inline double shore_of(const Atlas *atlas) {
    return (double)-atlas->datum * atlas->unit;
}

// Whether water flows on from a cell.
static inline bool is_drained(const Atlas *atlas, AtlasCell cell) {
    return receiver_of(atlas, cell) < NEIGHBOURS;
}

// Moves a cell beyond an edge of its face to the face where it lies, and adds the turn; false: the atlas has
// no such cell.
bool atlas_resolve(const Atlas *atlas, AtlasCell *cell);

// The cell beside another; false: the atlas has none. Its turn is that of this step.
static inline bool beside(const Atlas *atlas, AtlasCell cell, int direction, AtlasCell *other) {
    const LandWindow *land = land_of(atlas, cell);
    *other = (AtlasCell){ cell.face, cell.x + neighbour_x[direction], cell.y + neighbour_y[direction], 0 };
    return (other->x >= 0 && other->y >= 0 && other->x < land->width && other->y < land->height) ||
           (atlas->planet && atlas_resolve(atlas, other));
}

// The cell into which another drains.
static inline bool next_cell(const Atlas *atlas, AtlasCell cell, AtlasCell *next) {
    const int receiver = receiver_of(atlas, cell);
    return receiver < NEIGHBOURS && beside(atlas, cell, receiver, next);
}

// The cell through which most drains into another. Of several the first clockwise from the right.
bool main_donor(const Atlas *atlas, AtlasCell cell, AtlasCell *donor);

// The most that drains into a cell from one beside it.
static inline float most_into(const Atlas *atlas, AtlasCell cell) {
    AtlasCell donor;
    return main_donor(atlas, cell, &donor) ? area_of(atlas, donor) : 0;
}

// A position on a face, which may be a little beyond an edge: 2^-PLACE_BITS of the map's length.
typedef struct AtlasPlace {
    int face;
    Int128 x, y;
} AtlasPlace;

// The middle of a cell.
static inline AtlasPlace middle_of(const Atlas *atlas, AtlasCell cell) {
    const LandWindow *land = land_of(atlas, cell);
    const int shift = PLACE_BITS - atlas->depth - 1;
    return (AtlasPlace){ cell.face, (2 * (land->x + cell.x) + 1) << shift,
                         (2 * (land->y + cell.y) + 1) << shift };
}

// On planets: the direction of a place from the planet's middle.
Vec3 atlas_on_planet(const Atlas *atlas, AtlasPlace place);

// --- water -------------------------------------------------------------------------------------------------

// What flows through a cell of a watered map, m³/s in the mean of the year.
static inline float water_in_cell(const Atlas *atlas, const LandWindow *land, int number) {
    return land->area[number] * runoff_of(land->runoff[number]) * (float)atlas->per_runoff;
}

static inline float water_of(const Atlas *atlas, AtlasCell cell) {
    return water_in_cell(atlas, land_of(atlas, cell), cell_number(atlas, cell));
}

// Whether the bed of a stream is dry, for most of the year.
static inline bool is_wadi(const Atlas *atlas, AtlasCell cell) {
    const uint16_t *runoff = land_of(atlas, cell)->runoff;
    return atlas->view->map->watered && runoff_of(runoff[cell_number(atlas, cell)]) < WADI_RUNOFF &&
           water_of(atlas, cell) < RIVER_STEADY;
}

// The cells whose stream is as wide where USUAL_RUNOFF runs off.
static inline float size_of(const Atlas *atlas, AtlasCell cell) {
    const uint16_t *runoff = land_of(atlas, cell)->runoff;
    const float area = area_of(atlas, cell);
    if (!atlas->view->map->watered)
        return area;
    return area * runoff_share(runoff[cell_number(atlas, cell)]);
}

// --- rivers ------------------------------------------------------------------------------------------------

// The share of the map that cells of the level drain.
static inline double drained_share(const Atlas *atlas, float area) {
    const double faces = atlas->planet ? 16.0 / CUBE_FACES : 1;
    return faces * ldexp((double)area, -2 * atlas->depth);
}

// The width of a river of a size (size_of), in cells.
static inline double river_width(const Atlas *atlas, float size) {
    return atlas->widening * sqrt((double)size);
}

// Half of it, in pixels.
static inline double river_half(const Atlas *atlas, float size) {
    return 0.5 * atlas->cell * atlas->widening * sqrt((double)size);
}

// The size of a river that is so many cells wide.
static inline float size_of_width(const Atlas *atlas, float width) {
    const float per_root = (float)atlas->widening, root = width / per_root;
    return root * root;
}

#endif
