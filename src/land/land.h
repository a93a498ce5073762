// Eroded land at any zoom (docs/land-levels.md): a pyramid of levels, each with twice the cells along a side
// of the one before. Level 0 is eroded as a whole. A finer level inherits the streams of the coarser one with
// their discharge and falling profile, and erodes the ground between them in a bounded number of local
// steps. Therefore any window of any level can be computed alone, overlapping windows agree bit for bit,
// every cell has its true discharge, and no stream rises downstream.

#ifndef ESKER_LAND_H
#define ESKER_LAND_H

#include "core/field.h"
#include "core/parallel.h"
#include "core/whole.h"
#include "land/edit_charts.h"

#include <stdbool.h>
#include <stdint.h>

// Altitudes are integers. On graded levels their unit is the same length, 2^-unit_bits of the side of a cell
// of the last one; from there on it halves from level to level, as cells do.

enum { LAND_LEVEL_MAX = 94 };

// Rivers of level 0 by their cells, in row order, each beside the one before.
typedef struct LandCourses {
    int count;
    int *numbers;   // by which messages call them
    int *ends;      // the cells of course i end before ends[i]
    int *cells;     // from source to mouth
    double *places; // of a planet: x and y of each cell on its map, for messages
    float
        *areas; // whole cells that drain at each mouth, at least; below COURSE_AREA_MAX. NULL: as many as do
    float *rises; // set while they are laid: how far the first heights rise along each, in cells; NULL: not
                  // asked
    int skips;    // how many of the first are left out if they end inland, which is an error of the others
} LandCourses;

#define COURSE_AREA_MAX 0x1p22f

void land_courses_free(LandCourses *courses); // NULL is allowed

// A copy without rises, of NULL one without courses; NULL if memory runs out.
LandCourses *land_courses_copy(const LandCourses *courses, Error *error);

typedef struct LandEdits LandEdits;

// Levels that are not graded: erosion lowers the ground between inherited streams, whose slopes are those of
// the coarser level.
typedef struct LandRules {
    int graded;    // the last level that makes relief by the slope-area law (land/law.h), 0 … GRADED_MAX
    int unit_bits; // 12 … 18
    float gentle,
        steep;    // slopes, where STREAM_CELLS cells of the last graded level drain, of lowlands and ranges
    float relief; // the highest ground of level 0, in cells of the last graded level; 0: as slopes make it
    float concavity;   // theta of the law, 0.2 … 0.5
    float variety;     // 0 … 1: how much slopes vary from place to place, at each scale
    float erodibility; // 0.01 … 0.12: how fast streams cut on levels that are not graded
    float uplift;      // 0 … 0.1 cell sides per step there
    float talus;       // 0.3 … 1.5: the steepest stable slope
    float rounding;    // 0 … 0.5: diffusion of hillslopes
    float roughness;   // 0 … 1: new detail per level
    float hardness;    // 0 … 0.9: hardness of strata, which form cliffs
    float deposition;  // 0 … 1: valley floors, deltas and beaches
    bool meanders;     // whether rivers do on plains, as wide as usual
    bool guided;       // whether coarse levels keep the mean heights of level 0, a model or a sketch
    bool planet;       // level 0 holds the faces of a cube, stacked vertically
    float lakes;       // 0 … 0.1: the share of level 0's land that depressions keep as lakes, at most
    float hillslope;   // cells of level 0: streams begin where its square drains; 0: at every level
    float widening;    // of rivers: their width in cells, over the root of the cells that they drain
    bool watered;      // whether cells know the mean runoff of what they drain (land_set_runoff)
    const LandCourses
        *courses;           // rivers that level 0 has, whatever its ground; NULL: none. Read while it is made
    const LandEdits *edits; // land/edits.h; NULL: none. They live as long as the land
    uint32_t seed;
} LandRules;

enum { GRADED_MAX = 20 };

extern const LandRules land_rules_default;

// A cell's receiver is a direction of water/drainage.h (0 … 7: E, SE, S, SW, W, NW, N, NE) or one of these:
// LAND_SEA where water ends (the sea, the edge of the whole land, and rare sinks inland), LAND_NONE for a
// pit, LAND_LAKE in a lake, whose water is level. It leaves through a stream that begins beside its cells, at
// their altitude.
enum { LAND_SEA = 8, LAND_NONE = 9, LAND_LAKE = 10 };

// A rectangle of one level, in row order.
typedef struct LandWindow {
    Int128 x, y; // its first cell on the level's grid
    int width, height, level;
    int face;          // the planet's face that contains the window
    uint32_t version;  // of its level, for the cache (land/tiles.h)
    int32_t *altitude; // altitude + base is the height above the sea in units
    Int128 base;       // may differ between windows
    float *area;       // drained area in cells of this level; at most 2^100
    uint8_t *receiver;
    uint16_t *runoff; // the mean of what drains through a cell (land/runoff.h); NULL: the land is not watered
} LandWindow;

// Rules, level 0 and a cache of windows. Threads may share it.
typedef struct Land Land;

// Makes level 0 from `heights` (any size; in sides of cells of the last graded level; sea
// below 0). `eroded`: by the law, which the rules must have; otherwise it is only drained.
Status land_create(Land **land, const LandRules *rules, const Field *heights, bool eroded, const Run *run,
                   Error *error);
void land_free(Land *land); // NULL is allowed

// Sets what runs off each cell of level 1, at most 1e5 mm a year, of a land that is watered. Less than 0
// where a lake evaporates more than falls on it, which the rivers that come in make up for, as far as they
// can. `ground`: the same if there were no lakes. Until then the runoff is unknown; while it is set no other
// thread may use the land.
Status land_set_runoff(Land *land, const float *local, const float *ground, Error *error);

// How high the summits of the finest level are, at most, in units of level 0.
double land_top(const Land *land);

// Whether level 0 has sea in a box of a face, or on that face within `reach` cells of it.
bool land_has_sea(const Land *land, int face, const EditBox *box, int reach);

// The cell of level 0 that another one drains into, -1 where water ends and -2 in a lake.
int land_next_cell(const Land *land, int cell);

// The same land with more edits, if any, which live as long as it does and begin with those that it has.
// Level 0 and the cache are shared, so what the new ones do not reach is not computed again. NULL if memory
// runs out.
Land *land_with_edits(const Land *land, const LandEdits *edits, Error *error);

// Each graded level makes relief above the streams of the coarser one, so means rise from level to level.
// What the mean ground of a level rises by up to the last graded one, in 65536ths of its altitude.
int land_rise(const LandRules *rules, int level);

// Computes a rectangle of a level. The level's grid has (width of level 0) × 2^level columns and must contain
// the rectangle.
Status land_window(Land *land, const Run *run, int level, Int128 x, Int128 y, int width, int height,
                   LandWindow *window, Error *error);
// The same for what is asked for once: altitudes alone, `area` and `receiver` are NULL, and nothing of that
// level is kept.
Status land_altitudes(Land *land, const Run *run, int level, Int128 x, Int128 y, int width, int height,
                      LandWindow *window, Error *error);
void land_window_free(LandWindow *window);

// --- windows on faces -------------------------------------------------------------------------------------

// A rectangle of cells on a face, without column `right` and row `bottom`. Empty if right <= left.
typedef struct LandRect {
    Int128 left, top, right, bottom;
} LandRect;

// Rectangles on the six faces of a planet (land/cube.h), or on the first alone, which is all of a flat land;
// and their windows, which share one base and have x and y on their face. An empty rectangle has no window.
typedef struct LandFaces {
    LandRect wanted[CUBE_FACES];
    LandWindow on[CUBE_FACES];
} LandFaces;

// Adds a rectangle of a planet, which may extend beyond the edges of its face. `side`: cells along a face's
// side.
void land_faces_add(LandFaces *faces, int face, LandRect rect, Int128 side);

// Grows the rectangles by `reach` cells, also over the edges of a planet's faces.
void land_faces_spread(const Land *land, int level, LandFaces *faces, int reach);

// Computes the windows.
Status land_faces(Land *land, const Run *run, int level, LandFaces *faces, Error *error);

// The same for what is asked for once, which are altitudes: of a flat land by land_altitudes.
Status land_faces_once(Land *land, const Run *run, int level, LandFaces *faces, Error *error);

// The same of a flat land, for later calls, so that nobody waits: where tiles are kept on one side of a
// window, coarser levels are made farther on the other.
Status land_faces_ahead(Land *land, const Run *run, int level, LandFaces *faces, Error *error);
void land_faces_free(LandFaces *faces);

// Limits the cache of windows, by default to 256 MiB or a third of the memory limit. The cache never
// changes a result.
void land_keep(Land *land, size_t bytes);

#endif
