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

#include "core/error.h"
#include "core/parallel.h"
#include "rivers/boundary.h"

#include <stdbool.h>
#include <stdint.h>

// Attraction points; each knows the closest tributary that it sees. They are sorted along a space-filling
// curve, with a tree of bounding boxes that finds the points to which a new tributary is the closest so far:
// boxes whose points all have a closer one are skipped.
typedef struct AttractionPoint {
    double x, y;
    double closest; // squared distance to its tributary; INFINITY: none in reach; negative: reached, removed
    float pull_x, pull_y; // the direction from there, of length 1
    int tributary;        // a number given by the caller
} AttractionPoint;

typedef struct AttractionBox {
    double left, top, right, bottom;
    double farthest; // of `closest` of its points; negative: all removed
} AttractionBox;

typedef struct Attraction {
    AttractionPoint *points;
    int count, left;      // how many there were and are
    AttractionBox *boxes; // 1 … 2 × leaves - 1, the children of i are 2 i and 2 i + 1
    int leaves;           // a power of two
    int *pulled;          // of each leaf: the number of points that have a tributary
} Attraction;

enum { POINTS_PER_LEAF = 16 };

// Copies and sorts `count` positions and builds the tree. Freed by attraction_free, also after a failure.
Status attraction_create(Attraction *attraction, const Vec2 *places, int count, Error *error);

// Adds a tributary that may be closer to some points. `sees` says whether a point can be reached in a
// straight line.
typedef struct Arrival {
    Vec2 at;
    int tributary;
    double reach, kill; // squared
    bool (*sees)(void *context, Vec2 from, Vec2 to);
    void *context;
    int reached; // counts the points within `kill`, which are then removed
} Arrival;

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
