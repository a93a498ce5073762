// The search for least-cost paths. A state is a cell and one of 16 directions in which it was entered: to the
// eight neighbours and in knight's moves.

#ifndef ESKER_PATH_SEARCH_H
#define ESKER_PATH_SEARCH_H

#include "core/operation.h"
#include "water/cell_queue.h"

typedef struct Path {
    Numbers paths;
    double slope, turning, crossing, reuse, width, sea_level;
    const Field *cost, *water;
    int smooth;
} Path;

enum { MOVES = 16 };

// What a search reads of a cell.
typedef struct PathGround {
    float surface; // the ground's, or that of a lake; the sea's may be above
    float price;   // of a length; negative in water
} PathGround;

typedef struct Search {
    const Run *run;
    const Path *path;
    const Field *height;
    Field filled;                           // heights with pits filled; only if there is `water`
    int directions;                         // states of a cell: MOVES, or 1 if bends cost nothing
    double length[MOVES], steepness[MOVES]; // of moves in N; of a rise by 1, relative to the slope
    int offset[MOVES];                      // of the cells to which they lead
    double turn[MOVES][MOVES];              // costs of bends; infinite above 90°
    double least;                           // cost of N on the flat at best
    size_t start;                           // the state in which the path begins
    float *costs;                           // of states
    uint8_t *from;                          // the direction from which a state was reached; bit 7: settled
    bool *built;                            // cells of paths
    PathGround *ground;
    float *cheapest; // of each row
    BucketQueue queue;
} Search;

typedef struct Ends {
    int from_x, from_y, to_x, to_y;
} Ends;

// The lengths, slopes and bends of moves.
void path_prepare(Search *search);

// Settles states in the order of their cost until the goal is reached; gives its state. Not found: gaps keep
// it apart.
Status path_search(Search *search, const Ends *ends, size_t *goal, bool *found, Error *error);

// The state before, on the way to this one: false where it is the first.
bool path_step_back(const Search *search, size_t *state);

size_t path_cell(const Search *search, size_t state);

// The ground, or the surface of water; and whether there is any.
double path_surface(const Search *search, size_t cell);
bool path_is_wet(const Search *search, size_t cell);

#endif
