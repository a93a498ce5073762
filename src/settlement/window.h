// The window that places and roads are asked for, and the parameters that both take.

#ifndef ESKER_SETTLEMENT_WINDOW_H
#define ESKER_SETTLEMENT_WINDOW_H

#include "settlement/towns.h"

typedef struct SettlementWindow {
    WINDOW_MEMBERS;
    int projection, face;
    Numbers rotation;
    double spacing, largest, smallest, ports;
} SettlementWindow;

// What both take by default.
#define SPACING 32.0
#define LARGEST_PLACE 1e6
#define SMALLEST_PLACE 20.0
#define PORTS_WORTH 1.0

#define SETTLEMENT_PARAMS                                                                                    \
    WINDOW_PARAMS(SettlementWindow), PROJECTION_PARAMS(SettlementWindow),                                    \
        PARAM(SettlementWindow, spacing, .initial = SPACING, .min = 8, .max = 4096, .unit = UNIT_CELLS,      \
              .doc = "about the least distance between the places that are shown: a finer window "           \
                     "shows smaller ones"),                                                                  \
        PARAM(SettlementWindow, largest, .initial = LARGEST_PLACE, .min = 1, .max = 1e9,                     \
              .doc = "people in the largest places of 400 km around; others have fewer by their rank, "      \
                     "and the largest cities of a large map more"),                                          \
        PARAM(SettlementWindow, smallest, .initial = SMALLEST_PLACE, .min = 1, .max = 1e9,                   \
              .doc = "places with fewer people are left out"),                                               \
        PARAM(SettlementWindow, ports, .initial = PORTS_WORTH, .min = 0, .max = 10,                          \
              .doc = "how much places by the sea are sought; 0: no more than others")

// What a window asks for.
typedef struct SettlementView {
    View view;
    Settlement settlement;
    Region region;
    int level; // the last one that is shown; -1: none
    int bits;  // of the grid to whose pixels places are found
} SettlementView;

Status settlement_view(SettlementView *shown, const Call *call, Error *error);

// Pixels along a face's side that are as large as a window's.
double face_pixels(const View *view);

// Draws what the window shows, and `margin` cells more on each side where the map has them; the box is in
// cells of the window. grid_free frees it, also after a failure.
Status settlement_ground(const SettlementView *shown, int margin, Grid *ground, Error *error);

// Where a place in pixels of a grid is in the window, in its cells. On a planet it may be that at the other
// side of a map that meets itself. False: the window's projection does not show it.
bool settlement_place(const SettlementView *shown, const Grid *grid, double x, double y, Vec2 *place);

// Where one of the map's own places is; false: the window's projection does not show it.
bool settlement_own_place(const SettlementView *shown, const OwnPlace *own, Vec2 *place);

#endif
