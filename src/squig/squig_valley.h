// Symmetric valleys: the second of the problems that Prusinkiewicz and Hammel leave open.

#ifndef ESKER_SQUIG_VALLEY_H
#define ESKER_SQUIG_VALLEY_H

#include "core/field.h"
#include "core/parallel.h"
#include "squig/squig.h"

// The water of a row's vertices and its altitude, infinite where there is none yet; one vertex more on both
// sides, like its neighbour.
typedef struct SquigLine {
    uint32_t *water;
    float *altitudes;
} SquigLine;

// How far water was passed on, from row to row.
typedef struct SquigSweep {
    SquigLine line, before; // the row, and that from which water comes
    float *heights;         // of the valley's side at the row's vertices
    int y, step;            // the next row, and from it to that after
} SquigSweep;

// Zeroed but for what the caller sets.
typedef struct SquigValley {
    double alt;     // the altitude of water whose `high` is 0
    float slope;    // of the sides, altitude a cell
    float symmetry; // the share of the open valley in `height`, 0 … 1
    Field *land;    // the landscape without a river; it is overwritten
    Field *height;  // where the valley opens
    // The valley's own:
    int side, patch; // cells from vertex to vertex of the land's coarse shape
    uint32_t *water; // of each vertex: where its water is, the row in the upper half
    SquigSweep sweep;
} SquigValley;

// The valley of the river through the vertices of `squig`'s next level, whose grid the fields use. `height`
// may still change until the valley opens. Ended also where it fails.
Status squig_valley_begin(SquigValley *valley, const Run *run, const Squig *squig, Error *error);
void squig_valley_end(SquigValley *valley);

// Passes the water on from row to row, down; on one thread. Ends early where a stop was requested.
void squig_valley_flow_down(SquigValley *valley, const Run *run);

// Then up, and opens the valley.
Status squig_valley_open(SquigValley *valley, const Run *run);

#endif
