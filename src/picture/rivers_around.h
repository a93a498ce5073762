// The widths of rivers around a cell.

#ifndef ESKER_RIVERS_AROUND_H
#define ESKER_RIVERS_AROUND_H

#include "core/field.h"
#include "core/math.h"
#include "picture/planet.h"

typedef struct RiversAround {
    const Field *rivers;  // widths in cells, less than 1 where a river covers a part of one
    const Planet *planet; // how cells lie
    bool across_wraps, along_wraps;
} RiversAround;

static inline float river_at(const RiversAround *around, int x, int y) {
    const int column = neighbour_at(x, around->rivers->width, around->across_wraps),
              row = neighbour_at(y, around->rivers->height, around->along_wraps);
    return field_row(around->rivers, row)[column];
}

static inline float widest_around(const RiversAround *around, int x, int y, int reach) {
    float widest = 0;
    for (int dy = -reach; dy <= reach; dy++)
        for (int dx = -reach; dx <= reach; dx++)
            widest = max(widest, river_at(around, x + dx, y + dy));
    return widest;
}

#endif
