// The inputs of growth: boundary, attraction points, mouths and ridges (Speirs 2020, section 4.3).

#ifndef ESKER_GROWTH_INPUTS_H
#define ESKER_GROWTH_INPUTS_H

#include "core/operation.h"
#include "rivers/growth.h"
#include "rivers/network.h"

typedef struct GrownNetwork {
    int points, rivers, ridges, ridge_resolution, boundary, max_steps;
    double reach, kill, step, mouth_spacing;
    double concavity, steepest, river_width, floodplain, meander;
    Numbers polygon, mouths, ridge_lines;
    const Field *mask;
} GrownNetwork;

enum { BOUNDARY_RECTANGLE, BOUNDARY_ELLIPSE };
enum {
    ELLIPSE_CORNERS = 128,
    CORNERS_MAX = ELLIPSE_CORNERS > NUMBERS_MAX / 2 ? ELLIPSE_CORNERS : NUMBERS_MAX / 2
};

typedef struct Plan {
    const Call *call;
    const GrownNetwork *params;
    double width, height; // map units
    Boundary boundary;
    Vec2 corners[CORNERS_MAX];
    Vec2 *points; // attraction points
    int point_count, mouth_count;
    Vec2 *mouths, *edges; // where rivers begin, and where they flow out
    Vec2 *ridge_points;
    Ridge *ridges;
    int ridge_point_count, ridge_count;
    Wall *walls;
    int wall_count;
} Plan;

// From the arguments of river_network. Freed by plan_free, also after a failure.
Status plan_create(Plan *plan, const Call *call, Error *error);

void plan_free(Plan *plan);

#endif
