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
#include "water/padded_grid.h"

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
        tiers[DRAINAGE_TIERS_MAX]; // these bands; then those that join them, to one: see drainage_order.h
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

#endif
