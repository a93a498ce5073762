// Functions shared by the tilings of the plane.

#ifndef ESKER_PLANE_H
#define ESKER_PLANE_H

#include "rivermap/tile/tile.h"

// The first tiles contain the map's square with a margin, so that rivers cross its border like any other
// line, and are rotated against it by 17°, so that no side of a tile is parallel to the map's. `x`, `y`:
// from the centre of the square.
Vec3 plane_place(double x, double y);

// First vertex i of a map, of up to four.
Vertex plane_vertex(const RiverMap *map, int i);

// The cut of an edge at `along`, or beside it, in lengths of the edge.
static inline EdgeCut plane_cut(Vec3 near, Vec3 far, double along, double aside) {
    const double x = far.x - near.x, y = far.y - near.y;
    return (EdgeCut){ { near.x + x * along - y * aside, near.y + y * along + x * aside, 0 }, along };
}

// --- plane_view.c, plane_rivers.c --------------------------------------------------------------------------

extern const LandMethods plane_raw;
Status plane_heights(const View *view, uint32_t *heights, Error *error);
Status plane_add_rivers(const View *view, NetworkBuilder *builder, Error *error);

#endif
