// Where the edits of a map are drawn (land/edit_charts.h).

#ifndef ESKER_MAP_CHARTS_H
#define ESKER_MAP_CHARTS_H

#include "core/vector.h"
#include "land/edits.h"
#include "places/shapes.h"
#include "rivermap/tiling.h"

// Sets the chart of a shape whose points are shares of a map's side, and its points there. `half`: of its
// width. False: it is too large for a planet. The map's land is made.
bool map_chart(const RiverMap *map, const ShapePoint *points, int count, double half, EditChart *chart,
               EditPoint *placed);

// The chart around a direction.
EditChart map_chart_at(const RiverMap *map, Vec3 up);

// Where a planet's map shows a place, as a direction in the axes of its cube, and the opposite.
Vec3 map_direction(const RiverMap *map, Vec2 place);
Vec2 map_place(const RiverMap *map, Vec3 at);

// The nearest place of a planet to which an edit may be moved so that it lies on two faces of the cube at
// most.
bool map_place_beside(const RiverMap *map, const LandEdit *edit, Vec2 *place);

#endif
