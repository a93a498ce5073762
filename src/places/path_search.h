// The search for least-cost paths (Galin et al. 2010, "Procedural generation of roads", sections 3 and 4). A
// state is a cell and one of 16 directions in which it was entered: to the eight neighbours and in knight's
// moves. A move of length L on the ground that rises by s per length costs
//
//     L · (1 + (s / slope)²) · (mean of the cost field),   times 1 + crossing in water, times reuse on an
//     earlier path
//
// where water has its surface: the sea's, or that to which pits fill. What the length crosses counts: both
// cells by half, or, in a knight's move, its two cells and the two that it passes by a quarter each. A
// diagonal meets the cells at its sides in a corner only, which counts where both are water, since rivers run
// diagonally, too. A bend costs `turning` for a right angle, which none exceeds. The search is Dijkstra's,
// ordered by cost plus the straight line that is left (Hart, Nilsson and Raphael 1968), which never exceeds
// the path.

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

// How long moves from a cell of a row are, in N, and their steepness where they rise by 1, relative to the
// slope. A move to another row is as long as one between two rows of the mean of their cells' sides.
typedef struct PathMoves {
    double length[MOVES], steepness[MOVES];
} PathMoves;

typedef struct PathSearch {
    const Run *run;
    const Path *path;
    const Field *height;
    Field filled;              // heights with pits filled; only if there is `water`
    int directions;            // states of a cell: MOVES, or 1 if bends cost nothing
    bool even;                 // the cells of all rows have the same sides
    CellShape *shapes;         // of the rows; one where they are even
    PathMoves *moves;          // likewise
    CellShape shortest;        // the shortest sides of all rows
    int offset[MOVES];         // of the cells to which moves lead
    double turn[MOVES][MOVES]; // costs of bends; infinite above 90°
    double least;              // cost of N on the flat at best
    size_t start;              // the state in which the path begins
    float *costs;              // of states
    uint8_t *from;             // the direction from which a state was reached; bit 7: settled
    bool *built;               // cells of paths
    PathGround *ground;
    float *cheapest; // of each row
    BucketQueue queue;
} PathSearch;

typedef struct PathEnds {
    int from_x, from_y, to_x, to_y;
} PathEnds;

// Makes what a search needs, and prepares it for the first path: run, path, height and, with water, filled
// are set.
Status path_search_begin(PathSearch *search, Error *error);

// Frees all of it.
void path_search_free(PathSearch *search);

// Gives the state in which the cheapest path reaches its end. Not found: gaps keep it apart.
Status path_search(PathSearch *search, const PathEnds *ends, size_t *goal, bool *found, Error *error);

// The state before, on the way to this one: false where it is the first.
bool path_step_back(const PathSearch *search, size_t *state);

// The cell of a state.
size_t path_cell(const PathSearch *search, size_t state);

// The ground, or the surface of water; and whether there is any.
double path_surface(const PathSearch *search, size_t at);
bool path_is_wet(const PathSearch *search, size_t at);

// The sides of the cells of a row, or of the nearest one.
CellShape path_shape(const PathSearch *search, int row);

// A way of dx columns and dy rows, in sides of cells of the frame's size.
double path_length(CellShape one, CellShape other, double dx, double dy);

#endif
