// Squig curves: a river's course through a recursively subdivided mesh of triangles (Prusinkiewicz and
// Hammel 1993, "Squig curves revisited"), with branches (figure 11) and the altitude of the water.
//
// The mesh is a square cut along its diagonal into an upper and a lower triangle, or the upper one alone. A
// triangle of level k is half of a cell of a grid of 2^k × 2^k cells. Of its four children the corner ones
// have its orientation, and the centre one is rotated by half a turn.

#ifndef ESKER_SQUIG_H
#define ESKER_SQUIG_H

#include "core/error.h"
#include "core/random.h"
#include "rivers/network.h"

#include <stdbool.h>
#include <stdint.h>

enum { SQUIG_LEVELS_MAX = 18 };

// A triangle's edges, and the corners that face them.
typedef enum SquigEdge { SQUIG_ACROSS, SQUIG_DOWN, SQUIG_DIAGONAL, SQUIG_EDGES } SquigEdge;

typedef struct SquigTriangle {
    int x, y; // its cell
    bool lower;
    uint8_t exit;    // the edge where the river leaves
    uint8_t entries; // bits of the edges where it enters: none at a source, two at a confluence
    double high;     // of the water where it enters or springs
    double low;      // and where it leaves
} SquigTriangle;

typedef struct Squig {
    int level, count;
    SquigTriangle *triangles; // crossed by a river, upstream first
    SquigTriangle *next;      // those of the next level, once they are reserved and made
    int next_count;
    RandomKey halves, branches, falls;
    double tributaries; // probability that a triangle gets one
    int branch_levels;  // number of levels with tributaries
    double waterfalls;  // share of the fall concentrated in one child, 0 … 1
} Squig;

// Begins with the river's whole course through one triangle (`high` and `low` set, one entry), or through
// two. Freed by squig_free, also after a failure.
Status squig_begin(Squig *squig, uint64_t seed, const SquigTriangle *triangles, int count, Error *error);

// Subdivides once more, in three steps: reserves room, makes the next level's triangles, which allocates
// nothing, and goes on to that level. Sources are `rise` higher than the water they join.
Status squig_reserve(Squig *squig, Error *error);
void squig_subdivide(Squig *squig, double rise);
void squig_advance(Squig *squig);

void squig_free(Squig *squig);

// The middle of an edge, on the grid of the next level.
void squig_middle(const SquigTriangle *triangle, SquigEdge edge, int *x, int *y);

// The mapping of the square's positions and the water's altitudes to a network: cells and heights.
typedef struct SquigFrame {
    int width, height;
    double left, top;          // the square's upper left corner
    double right_x, right_y;   // from there to the upper right
    double bottom_x, bottom_y; // from there to the lower left
    double base, scale;        // an altitude of 0, and of 1 more
    double river_width;        // where all water is joined, in cells
} SquigFrame;

// Connects the midpoints of the edges crossed, once there is room for them. Allocates nothing.
void squig_reserve_nodes(const Squig *squig, NetworkBuilder *builder);
void squig_connect(const Squig *squig, const SquigFrame *frame, NetworkBuilder *builder);

// The network that they are, unless `connected`, how it went so far, is a failure. Frees the builder.
Status squig_network(const Squig *squig, const SquigFrame *frame, NetworkBuilder *builder, Status connected,
                     const Run *run, RiverNetwork **made, Error *error);

// Places the river on the vertices of its next level, in a grid of so many levels: first every vertex is
// raised to the water that may flow beside it, then the water is set; an edge gets that of the upstream
// triangle, which is written last. `alt`: the altitude of water whose `high` is 0.
void squig_lay_river(const Squig *squig, Field *height, int levels, double alt);

#endif
