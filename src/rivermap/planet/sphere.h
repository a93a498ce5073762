// The first tiles of a sphere: the 48 scalene faces of a disdyakis dodecahedron (Mogensen and Isenbecker
// 2025, section 6), projected onto the unit sphere.

#ifndef ESKER_SPHERE_H
#define ESKER_SPHERE_H

#include "rivermap/tile/tile.h"

enum { SPHERE_FACES = FIRST_TILES_MAX };

// All faces, with rivers across their borders: each drains across the edge to its lowest neighbour if that
// path leads to the sea.
int sphere_tiles(const RiverMap *map, Tile tiles[FIRST_TILES_MAX]);

// Which face of the sphere holds a direction.
int sphere_face_at(Vec3 at);

Status sphere_add_rivers(const View *view, NetworkBuilder *builder, Error *error);

#endif
