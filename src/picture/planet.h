// How the projection of a planet's heights affects shading: the distance between cells on the ground, the
// direction of north and, in the orthographic projection, the round edge and the atmosphere.

#ifndef ESKER_PLANET_H
#define ESKER_PLANET_H

#include "core/frame.h"
#include "picture/colour.h"

// As in render; PLANAR: not a planet.
typedef enum MapProjection { PLANAR, EQUIRECTANGULAR, ORTHOGRAPHIC, CUBE, MERCATOR } MapProjection;

typedef struct Planet {
    MapProjection projection;
    int width, height;   // cells; the longer side of an orthographic or cube picture is the whole planet's
    double north, south; // latitudes of an equirectangular map's upper and lower edge, degrees
    double top, bottom;  // edges of a Mercator map, as shares of the whole one's side from its top
    int face;            // of the cube: front, right, back, left, top, bottom
    double air;          // thickness; 1: slightly thicker than the earth's
    double contrast;     // of day and night
    float sun[3];        // towards it; x to the right, y down, z to the viewer
} Planet;

// The projection of a window of a planet, from its frame.
MapProjection planet_projection(const Frame *frame);

// What the frame of a window with `height` rows says of its upper and lower edge: latitudes, where it is in
// degrees, and shares of a Mercator map, where it is in EPSG:3857. Otherwise those of the whole planet.
typedef struct PlanetEdges {
    double upper, lower;
} PlanetEdges;

PlanetEdges planet_latitudes(const Frame *frame, int height);
PlanetEdges planet_extent(const Frame *frame, int height);

// How many times wider and higher a row shows the ground than the middle of the whole map does; 1 on globes
// and on faces of the cube.
typedef struct Stretch {
    double across, along;
} Stretch;

Stretch planet_stretch(const Planet *planet, int y);

// Converts slopes of the picture, for each of `count` cells of row y from `start`, to slopes of the ground:
// to the east and to the south; on the globe to the viewer's right and down. In the middle they are
// unchanged.
void planet_slopes(const Planet *planet, int start, int count, int y, float *across, float *along);

// Makes slopes gentler near a globe's edge. A pixel there covers 1 / z cells of ground, of which it shows
// one, whose slope is chance.
void planet_even_edge(const Planet *planet, int start, int count, int y, float *across, float *along);

// The columns of row y that show ground, all but on the globe.
void planet_columns(const Planet *planet, int y, int *first, int *end);

// Applies night on the far side, air, and the space around to lit ground on the globe.
Light planet_from_space(const Planet *planet, Light ground, int x, int y);

#endif
