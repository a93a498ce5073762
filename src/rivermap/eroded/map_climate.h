// The climate of a map with eroded land: on a coarse grid of the whole map, kept with it, and in windows.

#ifndef ESKER_MAP_CLIMATE_H
#define ESKER_MAP_CLIMATE_H

#include "climate/climate.h"
#include "rivermap/view.h"

// Gets the climate of a map, which must have eroded land: fails with STATUS_INVALID otherwise. It is computed
// once.
Status map_climate(const RiverMap *map, const Run *run, const Climate **climate, Error *error);

// Finds the climate of a map whose land was just made, keeps it, and gives the land its runoff.
Status map_climate_begin(const RiverMap *map, const Run *run, Land *land, Error *error);

// Takes the climate of pixels (x, y) … (x + count - 1, y), AIRS_MAX at most, and their places: of flat maps
// in sides from the upper left corner, of planets in circumferences from the middle. Equal to the bit in all
// windows of one grid.
enum { AIRS_MAX = 256 };
typedef void AirPainter(void *context, const Air *airs, const Vec3 *places, int x, int y, int count);

// Gives the climate of all pixels of a window whose altitudes, in metres, have been drawn. A pixel of the sea
// has that of the sea's level; pixels outside a globe get none.
Status view_airs(const View *view, const Climate *climate, AirPainter *painter, void *context, Error *error);

// Takes rivers from pixels whose ground is under snow all year. Altitudes are those of view_draw, before
// view_raise; `sea` is the sea's.
Status view_freeze(const View *view, float sea, Error *error);

#endif
