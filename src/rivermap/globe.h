// Projections of a planet: equirectangular, orthographic, and onto the faces of a cube.

#ifndef ESKER_GLOBE_H
#define ESKER_GLOBE_H

#include "core/vector.h"
#include "rivermap/view.h"

// Draws pixel (x, y), which shows the point `at`. `walk`: GLOBE_WALK_MAX bytes for the painter, one buffer
// for each block of rows; its first 64 bytes are initially zero.
enum { GLOBE_WALK_MAX = 60 * 1000 };
typedef void GlobePainter(void *planet, void *walk, Vec3 at, int x, int y);

// The side of a pixel, on the unit sphere.
double globe_pixel(const View *view);

// The position of a point on the unrotated equirectangular map: x and y, 0 … 1.
Vec2 globe_on_map(Vec3 at);

// The place in the window's middle.
Vec3 globe_middle(const View *view);

// Draws all pixels; those outside a disk get the altitude -1.
Status globe_draw(const View *view, GlobePainter *painter, void *planet, Error *error);

#endif
