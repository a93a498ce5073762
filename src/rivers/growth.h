// Rivers grown by space colonisation (Speirs 2020, section 4; Runions, Lane and Prusinkiewicz 2007):
// tributaries grow step by step from the mouths towards the attraction points that they are closest to.
//
// In every step, each point within reach pulls the closest tributary that it sees; each pulled tributary
// grows a child in the mean direction of the pulls and its own; points within the kill distance of a child
// are reached and removed. Sums use integers, so their order does not matter.
//
// Growth ends. A child in the mean direction keeps half a step from all tributaries but its parent: there
// can be no more such children than circles of a quarter of a step fit into the area. Any other child grows
// straight towards the closest point, which sees it: each brings its point a step closer, and a point has at
// most reach / step + 1 of them. If neither can grow, the point is removed. So there are at most about 16
// area / (PI step²) + points × (reach / step + 1) tributaries, and every step of growth_run adds one or
// removes a point.
//
// A mouth has one child: two rivers never share a mouth.

#ifndef ESKER_GROWTH_H
#define ESKER_GROWTH_H

#include "core/parallel.h"
#include "rivers/attraction.h"
#include "rivers/boundary.h"

typedef struct Tributary {
    Vec2 at; // its upper end
    float direction_x, direction_y;
    int parent;  // -1 at a mouth; always of a smaller number
    int reached; // number of points that drain here
    bool grown;  // it has a child
    int next;    // of those in the same cell of the grid
} Tributary;

typedef struct Wall {
    Vec2 from, to;
} Wall;

// A chain of walls and its bounding box.
typedef struct WallGroup {
    int first, end;
    Vec2 low, high;
} WallGroup;

typedef struct Growth {
    const Boundary *boundary;
    const Wall *walls; // that no tributary crosses and no point sees through
    int wall_count;
    double reach, kill, step; // map units
    int max_steps;            // 0: any number
    Attraction attraction;    // created by the caller; with what follows freed by growth_free
    Tributary *tributaries;
    int count, room;
    struct Pull *pulls;
    uint64_t *pulled;  // a bit for each tributary
    WallGroup *groups; // of all walls
    int group_count;
    int *near_groups, near_group_count; // in reach of the current tributary
    int *grid;                          // the first tributary of each cell, or -1
    int columns, rows;
    double cell;
} Growth;

// Sets up the grid of a window of `width` × `height` map units. Set by the caller: boundary, walls, reach,
// kill, step, attraction.
Status growth_begin(Growth *growth, double width, double height, Error *error);

// Plants a mouth at `edge` and a river from there to `mouth`, extended towards the closest point until a
// point that it sees is in reach or an obstacle is in the way.
Status growth_plant(Growth *growth, Vec2 edge, Vec2 mouth, Error *error);

// Grows until no point pulls.
Status growth_run(Growth *growth, const Run *run, Error *error);

// Increases the reach of tributaries, so that growth_run can continue.
void growth_widen(Growth *growth, double reach);

// Frees what only growing needs; tributaries and their grid remain.
void growth_finish(Growth *growth);

void growth_free(Growth *growth);

#endif
