// Land that water has shaped, at every zoom (docs/endless-land.md): a pyramid of levels, each with twice as
// many cells along a side as the one before. Level 0 is eroded as a whole. A finer level inherits the streams
// of the coarser one, with discharge and falling profile, and erodes what drains little between them in a
// bounded number of local steps. So any window of any level can be had, windows agree bit for bit where they
// overlap, every cell knows its true discharge, and nothing rises downstream.

#ifndef ESKER_LAND_H
#define ESKER_LAND_H

#include "core/field.h"
#include "core/parallel.h"
#include "core/whole.h"
#include "land/cube.h"

#include <stdbool.h>
#include <stdint.h>

// An altitude is a whole number of these to the side of a cell of its level. The map's own heights, a
// source's, are four times as fine.
enum { LAND_UNITS_PER_CELL = 4096, LAND_SOURCE_UNITS_PER_CELL = 4 * LAND_UNITS_PER_CELL };

enum { LAND_LEVEL_MAX = 94 };

typedef struct LandRules {
    float erodibility; // 0.01 … 0.12: how fast streams cut
    float uplift;      // 0 … 0.1 cell sides a step: against erodibility, young and jagged or worn
    float talus;       // 0.3 … 1.5: the steepest slope that holds
    float rounding;    // 0 … 0.5: of hillslopes, by diffusion
    float roughness;   // 0 … 1: new detail a level
    float detail;      // 0 … 1: how much of the source's own detail is kept
    float hardness;    // 0 … 0.9: of hard strata, which stand out as cliffs
    float deposition;  // 0 … 1: valley floors, fans, deltas and beaches
    bool planet;       // level 0 holds the faces of a cube, one below the other
    float hillslope;   // in cells of level 0: streams begin where its square drains; 0: at every level
    uint32_t seed;
} LandRules;

extern const LandRules land_rules_default;

// Where a cell drains to: a neighbour as in rivers/drainage.h (0 … 7: E, SE, S, SW, W, NW, N, NE), or
enum { LAND_SEA = 8, LAND_NONE = 9 }; // sea, or the edge of the whole land; a pit

// What one level knows of a rectangle, row by row.
typedef struct LandWindow {
    Int128 x, y; // its first cell on the level's grid
    int width, height, level;
    int face;          // of a planet, on which the window lies
    int32_t *altitude; // altitude + base: units above the sea
    Int128 base;       // windows differ in it
    float *area;       // drained, in cells of this level; at most 2^100
    uint8_t *receiver;
} LandWindow;

// Fills `heights`, width × height, with a level's own heights, which need not be eroded: whole numbers modulo
// 2^32 (their differences count) of LAND_SOURCE_UNITS_PER_CELL to a cell's side. The rectangle lies inside
// the level's grid. May be called by several threads at once.
typedef Status LandSource(void *context, int level, Int128 x, Int128 y, int width, int height,
                          uint32_t *heights, const Run *run, Error *error);

// Rules, level 0, the source, and a cache of windows. Threads may share it.
typedef struct Land Land;

// Level 0: `heights`, of any size, in cell sides, the sea below 0; eroded so often. Slopes should be below 1:
// `source_scale` is what heights of the source are multiplied by for that. No source: NULL.
Status land_create(Land **land, const LandRules *rules, const Field *heights, int erosions,
                   float source_scale, LandSource *source, void *context, const Run *run, Error *error);
void land_free(Land *land); // NULL is allowed

// A rectangle of a level, whose grid has (width of level 0) × 2^level columns; it lies inside the grid.
Status land_window(Land *land, const Run *run, int level, Int128 x, Int128 y, int width, int height,
                   LandWindow *window, Error *error);
void land_window_free(LandWindow *window);

// --- planets ----------------------------------------------------------------------------------------------

// Cells of a face; the right column and the lower row are excluded. Empty where right <= left.
typedef struct LandRect {
    Int128 left, top, right, bottom;
} LandRect;

// Rectangles on the six faces (land/cube.h), and what a level knows of them, from the same base; x and y of
// their windows are on the face, too. No window where the rectangle is empty.
typedef struct LandFaces {
    LandRect wanted[CUBE_FACES];
    LandWindow on[CUBE_FACES];
} LandFaces;

// Adds to them what lies of a rectangle on its face and beyond its edges.
void land_faces_add(LandFaces *faces, int face, LandRect rect, Int128 side);

// Widens the rectangles by all cells so near to theirs, also over edges. `side`: cells of a face's side.
void land_faces_spread(LandFaces *faces, Int128 side, int reach);

// Fills the windows.
Status land_faces(Land *land, const Run *run, int level, LandFaces *faces, Error *error);
void land_faces_free(LandFaces *faces);

// The most bytes of windows that are kept, at first 256 MiB, or a quarter of the memory limit. What is kept changes no bit.
void land_keep(Land *land, size_t bytes);

#endif
