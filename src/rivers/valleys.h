// The valleys of all stretches of river, and which of them can be the lowest where.

#ifndef ESKER_VALLEYS_H
#define ESKER_VALLEYS_H

#include "core/math.h"
#include "rivers/network.h"

#include <math.h>

// A straight piece of a river, in cells of the terrain.
typedef struct Stretch {
    float x, y, across, down; // from (x, y) to (x + across, y + down)
    float per_length;         // 1 / its length squared
    float altitude, rise;     // at its beginning, and how much higher its end is (rivers fall: negative)
    float width;              // of its bed
    float slope;              // of its valley's sides, heights per cell
    float floor;              // width over which the valley's bottom is rounded
} Stretch;

typedef struct ValleyShape {
    double scale;      // cells of the terrain for each of the network
    double slope;      // of the sides, heights per cell of the terrain
    double upstream;   // how much steeper they are at the highest rivers than at the sea, 0 … 1
    double floodplain; // the floor's half width, in widths of the river
    double rough;      // variation of slopes, 0 … 1
} ValleyShape;

enum { TILE = 16 }; // cells a side

// The width of a bank in cells, and how much steeper than the valley's floor it is, as a share of the
// side's slope.
#define BANK 2.0f
#define BANK_RISE 0.5f

typedef struct Valleys {
    int count;
    Stretch *stretches;
    int columns, rows; // of tiles
    size_t *first;     // columns × rows + 1: where each tile's list begins
    int *lists;        // stretches
} Valleys;

// The distance of a position from a stretch.
static inline float stretch_distance(const Stretch *stretch, float x, float y) {
    const float px = x - stretch->x, py = y - stretch->y;
    const float share = segment_share_by(px, py, stretch->across, stretch->down, stretch->per_length);
    return segment_distance(px, py, stretch->across, stretch->down, share);
}

// The stretches of a network, without tiles. Freed by valleys_free, also after a failure.
Status valleys_create(Valleys *valleys, const RiverNetwork *network, const ValleyShape *shape, Error *error);

// Finds for each tile the stretches whose valley may be the lowest somewhere in it.
Status valleys_sort_lowest(Valleys *valleys, const Run *run, const ValleyShape *shape, int width, int height,
                           Error *error);

// Finds for each tile the stretches that are within `radius` of some position in it.
Status valleys_sort_near(Valleys *valleys, const Run *run, double radius, int width, int height,
                         Error *error);

void valleys_free(Valleys *valleys);

#endif
