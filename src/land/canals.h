// Canals of a land: courses of one's own that begin on a level below 0, as a stream of a given width from
// cell to cell. Finer levels inherit them as all other streams.

#ifndef ESKER_CANALS_H
#define ESKER_CANALS_H

#include "land/edits.h"

enum {
    CANAL_CELLS = 64,       // of a part, which is an edit
    CANAL_CELLS_MAX = 2048, // of a canal
};

// A cell of the level that a canal enters, as it is before the canal is carved. Heights are those of edits,
// areas shares of the land's.
typedef struct CanalCell {
    int face; // set before, with its place there
    Int128 x, y;
    bool water;     // sea, a lake or the outlet of one
    double area;    // what a stream here drains; 0: none is here
    double surface; // how high the ground or the water is
    double lowest;  // the lowest ground here and beside
    double fall;    // the least that a canal falls by from cell to cell
} CanalCell;

// Looks at these cells, not along the edge of a flat land. Computes the land there, which no one else
// may use.
Status land_look_along(Land *land, const Run *run, int level, CanalCell *cells, int count, Error *error);

// Adds the cells of the stream that runs through the last of `count` cells, down to where it ends, drains
// `area` or comes to the edge of a flat land, but no more than fit into `room`.
Status land_follow_stream(Land *land, const Run *run, int level, double area, CanalCell *cells, int *count,
                          int room, Error *error);

// What a river so many shares of the side wide drains, as a share of the land's area.
double canal_area(const LandRules *rules, double width);

// Whether a cell of the level lies at the edge of a flat land, or beyond it.
bool is_at_land_edge(const Land *land, int level, const CanalCell *cell);

// What streams of the level drain, at least.
double canal_area_min(const Land *land, int level);

// EDIT_CANAL: its points are the middles of cells, each beside the next one, the last one where the part
// ends; then the heights of its bed at each, two to a point.
static inline int canal_data(int count) {
    return (count + 1) / 2;
}

static inline double canal_bed(const LandEdits *edits, const LandEdit *edit, int i) {
    const EditPoint *pair = edits->points + edit->first + edit->count + i / 2;
    return i % 2 ? pair->y : pair->x;
}

#endif
