// Eroded land at any zoom (docs/endless-land.md): a pyramid of levels, each with twice the cells along a side
// of the one before. Level 0 is eroded as a whole. A finer level inherits the streams of the coarser one with
// their discharge and falling profile, and erodes the ground between them in a bounded number of local
// steps. Therefore any window of any level can be computed alone, overlapping windows agree bit for bit,
// every cell has its true discharge, and no stream rises downstream.

#ifndef ESKER_LAND_H
#define ESKER_LAND_H

#include "core/field.h"
#include "core/parallel.h"
#include "core/whole.h"
#include "land/cube.h"

#include <stdbool.h>
#include <stdint.h>

// Altitudes are integers in units of 1/4096 of a cell's side on their level. Heights of a source are four
// times finer.
enum { LAND_UNITS_PER_CELL = 4096, LAND_SOURCE_UNITS_PER_CELL = 4 * LAND_UNITS_PER_CELL };

enum { LAND_LEVEL_MAX = 94 };

typedef struct LandRules {
    float erodibility; // 0.01 … 0.12: how fast streams cut
    float uplift;      // 0 … 0.1 cell sides per step: more makes young, jagged land, less makes worn land
    float talus;       // 0.3 … 1.5: the steepest stable slope
    float rounding;    // 0 … 0.5: diffusion of hillslopes
    float roughness;   // 0 … 1: new detail per level
    float detail;      // 0 … 1: share of the source's own detail that is kept
    float hardness;    // 0 … 0.9: hardness of strata, which form cliffs
    float deposition;  // 0 … 1: valley floors, fans, deltas and beaches
    bool eased;        // whether levels smooth steep ground, and coarse ones get more detail
    bool guided;       // whether coarse levels keep the mean heights of level 0, a model or a sketch
    bool planet;       // level 0 holds the faces of a cube, stacked vertically
    float hillslope;   // cells of level 0: streams begin where its square drains; 0: at every level
    uint32_t seed;
} LandRules;

extern const LandRules land_rules_default;

// A cell's receiver is a direction of water/drainage.h (0 … 7: E, SE, S, SW, W, NW, N, NE) or one of these:
// LAND_SEA where water ends (the sea, the edge of the whole land, and rare sinks inland), LAND_NONE for a
// pit.
enum { LAND_SEA = 8, LAND_NONE = 9 };

// A rectangle of one level, in row order.
typedef struct LandWindow {
    Int128 x, y; // its first cell on the level's grid
    int width, height, level;
    int face;          // the planet's face that contains the window
    int32_t *altitude; // altitude + base is the height above the sea in units
    Int128 base;       // may differ between windows
    float *area;       // drained area in cells of this level; at most 2^100
    uint8_t *receiver;
} LandWindow;

// Fills `heights` (width × height) with the raw heights of a level: integers modulo 2^32 (only differences
// are used), LAND_SOURCE_UNITS_PER_CELL per cell side. The rectangle is inside the level's grid. Several
// threads may call it at once.
typedef Status LandSource(void *context, int level, Int128 x, Int128 y, int width, int height,
                          uint32_t *heights, const Run *run, Error *error);

// Rules, level 0, the source and a cache of windows. Threads may share it.
typedef struct Land Land;

// Makes level 0 from `heights` (any size; in cell sides, sea below 0) with `erosions` iterations. Slopes
// should be below 1. Heights of the source are multiplied by `source_scale`. `source` may be NULL.
Status land_create(Land **land, const LandRules *rules, const Field *heights, int erosions,
                   float source_scale, LandSource *source, void *context, const Run *run, Error *error);
void land_free(Land *land); // NULL is allowed

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
void land_faces_free(LandFaces *faces);

// Limits the cache of windows, by default to 256 MiB or a third of the memory limit. The cache never
// changes a result.
void land_keep(Land *land, size_t bytes);

#endif
