// Stream power on one level of a pyramid. Water erodes the ground at the rate K √A S, where A is the drained
// area and S the slope towards the receiver, and the ground rises at the rate U (Howard 1994; the exponents
// m = 1/2 and n = 1 give a concavity of 1/2, as in nature, and need no unit but the field's side).
//
// The implicit scheme of Braun and Willett 2013 (equations 21 to 23) is stable for steps of any length, so
// one step covers the whole time T. With z0 the original height, F = K T √a / d, a and d the drained area and
// the distance to the receiver r in cells (whose size cancels):
//
//     z = (z0 + U T + F z_r) / (1 + F)
//
// Where less drains than at a stream's head, F is that of the head: a hillslope as steep as it, at any
// resolution. (With a alone, slopes grow with the resolution: the finest streams are a cell wide.)
//
// What remains to be found is which way water runs on the land that comes out. So the step is done again with
// the receivers of its own result until these hardly change, as Steer 2021 does with the analytical solution;
// a coarser level, where a few rounds reach everywhere, gives the first guess. Land of an age below 1 gets
// the same receivers: see stream_erosion.c.
//
// Sediment (Yuan, Braun, Guerit, Rouby and Cordonnier 2019, equation 5, with G the deposition): G times what
// was eroded upstream without sediment, per drained cell, is added to z0.

#ifndef ESKER_STREAM_LEVEL_H
#define ESKER_STREAM_LEVEL_H

#include "core/error.h"
#include "core/parallel.h"
#include "water/drainage_tree.h"

#include <float.h>

// What is the same on all levels.
typedef struct StreamRule {
    float time;                    // T, 0 … 1
    float power;                   // K T
    float head;                    // drained area at which streams begin, as a share of N²
    float talus;                   // the steepest slope, in heights per side of the field
    float bank;                    // of the sides of valleys, above that of the given land; in the same unit
    float floor_slope, lake_slope; // of valley floors, and of the water of lakes; in the same unit
    float fan_slope;               // of sediment where small streams come into a lake; in the same unit
    float relief;                  // between the highest start and the lowest
    float deposition;              // G
    float silted;                  // the least share of a lake that sediment fills
    float floor;                   // half the width of a valley's floor over √a
    float rounding;                // of crests, 0 … 1
    float sea_level;               // lower land is sea
} StreamRule;

#define STREAM_SEA (-FLT_MAX) // as a start: land under the sea

typedef struct StreamLevel {
    DrainageTree tree;
    float side;   // of the whole field, in cells
    float lowest; // the height at which streams end: the sea's or, without one, that of the lowest land
    bool has_sea;
    float *start;  // z0 + U T, or STREAM_SEA
    float *mask;   // how easily each cell erodes, 0 … 1; NULL: 1
    float *rain;   // NULL: 1
    float *ground; // z
    float *water;  // the surface of the water on it: the ground, or a lake's
    float *room;   // how far a cell lies from the edge of a valley's floor, in cells
    double *flow;  // a
    double *cells; // how many drain through each; NULL: as `flow` says
    double *load;  // what was eroded upstream, in heights times cells
} StreamLevel;

static inline double drained_cells(const StreamLevel *level, size_t cell) {
    return level->cells ? level->cells[cell] : level->flow[cell];
}

Status stream_level_create(StreamLevel *level, PaddedGrid grid, bool masked, bool rained, Error *error);
void stream_level_free(StreamLevel *level);

// Finds receivers for the ground, and what drains through each cell. `keeps`: see drainage_tree_find.
Status stream_level_drain(const Run *run, StreamLevel *level, const StreamRule *rule, bool keeps,
                          Error *error);

// Finds them again once the ground has changed: water keeps its way where this still leads down.
Status stream_level_drain_again(const Run *run, StreamLevel *level, const StreamRule *rule, Error *error);

// The ground that the streams leave of the start.
Status stream_level_erode(const Run *run, StreamLevel *level, const StreamRule *rule);

// After that: the ground that they leave where sediment settles and large valleys have floors.
Status stream_level_settle(const Run *run, StreamLevel *level, const StreamRule *rule);

// Finds the load: what was eroded upstream of each cell.
Status stream_level_load(const Run *run, StreamLevel *level);

// --- hillslopes --------------------------------------------------------------------------------------------

// What happens to slopes between streams. Neither makes pits: what sinks stays above a neighbour.

// Lets crests sink towards the mean of the cells around them. `strength`: 0 … 1. Uses `water`.
Status hillslopes_round(const Run *run, StreamLevel *level, float strength);

typedef struct Slope {
    const PaddedGrid *grid;
    float *heights;
    const float *mask;  // how easily cells slide, 0 … 1; NULL: 1
    const float *least; // below which none sinks; NULL: none
    float most;         // the steepest, in heights per cell
    const float *uncut; // the ground before it was cut; NULL: it was not
    float bank;         // how much steeper than that the side of a cut is, in heights per cell
} Slope;

// Lowers what stands more steeply above any neighbour; what slides half as easily stands twice as steep. The
// sides of cuts keep the form of the ground that was cut.
Status hillslopes_slide(const Run *run, const Slope *slope);

// The same for a level that streams have eroded: they cut slits a cell wide, so the sides of valleys slide
// until they are little steeper than the given land.
Status stream_level_slide(const Run *run, const StreamLevel *level, const StreamRule *rule);

#endif
