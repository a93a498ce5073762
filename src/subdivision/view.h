// What render asks of a tiling: to draw the pixels of a window.

#ifndef ESKER_VIEW_H
#define ESKER_VIEW_H

#include "subdivision/axis.h"
#include "subdivision/river_map.h"

typedef struct View {
    const RiverMap *map;
    const Run *run;
    const Field *altitude, *river; // rivers are 0 at first
    Wide x, y, pixel;              // the centre and a pixel's side
    double pixels;                 // along the map's side
    bool relative, whole_pixels;   // altitudes from the centre's; rivers as published
    bool disk;                     // of spheres: as seen from far away, not as a map
    double longitude, latitude;    // of spheres: degrees, where the middle of the whole map lies
} View;

Status draw_squares(const View *view, Error *error);
Status draw_penrose(const View *view, Error *error);
Status draw_sphere(const View *view, Error *error);

#endif
