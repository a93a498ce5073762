// Where each cell of a heightfield drains, as trees: every cell has one receiver among its eight neighbours,
// and following receivers leads to an outlet. Pits drain over their lowest pass.
//
// The receiver is drawn from the lower neighbours with a probability proportional to the fourth power of the
// slope towards them, by a hash of the place. The steepest neighbour would send all water of a plane along
// one of eight directions, in parallel lines; with a lower power streams leave their valleys.

#ifndef ESKER_DRAINAGE_TREE_H
#define ESKER_DRAINAGE_TREE_H

#include "core/error.h"
#include "core/parallel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A grid with a frame one cell wide, so that every cell has eight neighbours in memory. Where opposite edges
// meet the frame holds what lies beyond; elsewhere whatever its owner puts there.
typedef struct PaddedGrid {
    int width, height; // without the frame
    bool wraps;
} PaddedGrid;

static inline size_t padded_stride(const PaddedGrid *grid) {
    return (size_t)grid->width + 2;
}

static inline size_t padded_count(const PaddedGrid *grid) {
    return padded_stride(grid) * ((size_t)grid->height + 2);
}

// (x, y): -1 … width, -1 … height.
static inline size_t padded_at(const PaddedGrid *grid, int x, int y) {
    return (size_t)(y + 1) * padded_stride(grid) + (size_t)(x + 1);
}

// The cell that (x, y) of the frame stands for; a cell stands for itself.
static inline size_t padded_cell(const PaddedGrid *grid, int x, int y) {
    const int in_x = x < 0 ? grid->width - 1 : x >= grid->width ? 0 : x;
    const int in_y = y < 0 ? grid->height - 1 : y >= grid->height ? 0 : y;
    return padded_at(grid, in_x, in_y);
}

static inline bool padded_border(const PaddedGrid *grid, int x, int y) {
    return x == 0 || y == 0 || x == grid->width - 1 || y == grid->height - 1;
}

// Fills the frame from the other side where edges meet; elsewhere with `beyond`, or with the nearest cells.
void padded_close(const PaddedGrid *grid, float *cells, float beyond);
void padded_extend(const PaddedGrid *grid, float *cells);

#define NOT_A_CELL UINT32_MAX

typedef struct DrainageBand { // of rows
    size_t first, end;        // its cells in memory, with the frame's beside them
    uint32_t *cells;          // in the order, without those left
    size_t count, roots;
    size_t left; // how many of its cells have a place in the order only among more bands
} DrainageBand;

enum { DRAINAGE_TIERS_MAX = 16, DRAINAGE_JOINED = 4 }; // how many bands are one band of the next tier

typedef struct DrainageTier {
    DrainageBand *bands;
    int count;
    uint32_t *cells; // of the bands, but for those of the first tier
} DrainageTier;

typedef struct DrainageTree {
    PaddedGrid grid;
    // Of each cell the cell into which it drains, times two, plus one where that is a diagonal neighbour. An
    // outlet is its own receiver.
    uint32_t *receiver;
    uint32_t *order; // the cells of the bands; before these are known: of each cell a receiver that is kept,
                     // then a basin's label
    uint8_t *donors; // that have not been met yet
    DrainageBand *bands;
    int band_count;
    DrainageTier
        tiers[DRAINAGE_TIERS_MAX]; // these bands; then those that join them, to one: see the order of cells
    int tier_count;
} DrainageTree;

// Fails with STATUS_INVALID where there are more cells than 31 bits can number.
Status drainage_tree_create(DrainageTree *tree, PaddedGrid grid, Error *error);
void drainage_tree_free(DrainageTree *tree);

static inline size_t receiver_of(const DrainageTree *tree, size_t cell) {
    return tree->receiver[cell] >> 1;
}

static inline bool in_band(const DrainageBand *band, size_t cell) {
    return cell >= band->first && cell < band->end;
}

static inline bool is_outlet(const DrainageTree *tree, size_t cell) {
    return receiver_of(tree, cell) == cell;
}

// 1 / the distance to the receiver, in cells; of an outlet 1.
static inline float receiver_nearness(const DrainageTree *tree, size_t cell) {
    return tree->receiver[cell] & 1 ? 0.707106781186547524f : 1;
}

// Draws receivers for the heights of `ground`, whose frame is closed with FLT_MAX. Cells not above `sea` are
// outlets; so are, where edges do not meet, the pits along the border. Where nothing is, the lowest cell
// becomes one, of several the first; where edges do not meet, the lowest of the border. `scale` brings
// differences of height to about 1: 1 over that of a cell's.
//
// With `keeps` cells above `sea` keep the receivers that stand in `order`, written as in `receiver`; those of
// which NOT_A_CELL stands there are drawn. Kept ones may lead uphill if they end at a cell that keeps itself,
// which is a pit, or at one that is not above any of theirs.
Status drainage_tree_find(const Run *run, DrainageTree *tree, const float *ground, float sea, float scale,
                          bool keeps, Error *error);

// --- the order of cells ------------------------------------------------------------------------------------

// The cells of a drainage tree in an order, and passes in it. Bands of rows are put in order each on its own:
// all cells but those into which water comes from another band, through whichever cells, and those at which
// these are entered. What is left of some bands is put in order as one band, until one has all rows: only the
// largest rivers wait for others on one thread.
//
// A cell's donors come in the order of the last cells, row by row, that have no donors and drain through
// them. So sums are added in the same order however high the bands are.

// Finds the order once all receivers are known.
Status drainage_order_find(const Run *run, DrainageTree *tree, Error *error);

// Passes over some cells, which touches these and their receivers.
typedef void CellsBody(void *context, const uint32_t *cells, size_t count);

// From all cells to those that they drain into: each cell after its donors. The body takes its cells from the
// first to the last. The cost of a cell is in nanoseconds.
Status drainage_order_down(const Run *run, const DrainageTree *tree, double cost, CellsBody *body,
                           void *context);

// From outlets up: each cell after its receiver. The body takes its cells from the last to the first.
Status drainage_order_up(const Run *run, const DrainageTree *tree, double cost, CellsBody *body,
                         void *context);

#endif
