// Projections of a planet: equirectangular, orthographic, onto the faces of a cube, and Mercator.

#ifndef ESKER_GLOBE_H
#define ESKER_GLOBE_H

#include "core/vector.h"
#include "rivermap/view.h"

// Draws pixel (x, y), which shows the point `at`.
typedef void GlobePainter(void *planet, Vec3 at, int x, int y);

// Finds the altitudes of places, at most so many, and how much of a pixel there rivers cover
// (NULL: not asked for).
enum { GLOBE_PLACES = 1024 };
typedef void GlobeFinder(const void *planet, const Vec3 *places, int count, double *altitudes, float *rivers);

// The side of a pixel, on the unit sphere.
double globe_pixel(const View *view);

// The position of a point on the unrotated equirectangular map: x and y, 0 … 1.
Vec2 globe_on_map(Vec3 at);

// The opposite.
Vec3 globe_place(Vec2 position);

// The position on the view's whole map, x and y 0 … 1, at which it shows a point; false: it does not.
bool globe_shows(const View *view, Vec3 at, Vec2 *position);

// The place in the window's middle.
Vec3 globe_middle(const View *view);

// From which direction all places are seen, of length 1; (0, 0, 0) where each is seen from above.
Vec3 globe_viewer(const View *view);

// Draws all pixels; those outside a disk get the altitude -1.
Status globe_draw(const View *view, GlobePainter *painter, void *planet, Error *error);

// The same by blocks of pixels, which lie close together.
Status globe_draw_places(const View *view, GlobeFinder *finder, const void *planet, Error *error);

// The altitudes of any number of places.
void globe_find(GlobeFinder *finder, const void *planet, const Vec3 *places, int count, double *altitudes);

#endif
