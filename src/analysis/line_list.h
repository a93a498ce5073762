// Lines under construction, and their smoothing.

#ifndef ESKER_LINE_LIST_H
#define ESKER_LINE_LIST_H

#include "rivers/network.h"

#include <limits.h>

enum { LINE_POINTS_MAX = INT_MAX / 4 };

// Zeroed at first; freed by lines_free.
typedef struct LineList {
    RiverPoint *points;
    Reach *reaches;
    int point_count, point_room, reach_count, reach_room;
    Status status; // of the first failure
} LineList;

void lines_free(LineList *lines);

// Add a point, and a line of all points from `first` on; false, with `status` and the error set, if there is
// no room.
bool lines_add_point(LineList *lines, RiverPoint point, Error *error);
bool lines_add_reach(LineList *lines, int first, Error *error);

// Cuts the corners of a list's lines from `first` on (Chaikin 1974, "An algorithm for high speed curve
// generation"), `rounds` times.
Status smooth_lines(LineList *lines, int first, int rounds, Error *error);

#endif
