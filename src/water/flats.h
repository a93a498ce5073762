// Level ground: how water finds its way over it. A flat is level cells that touch and have no lower
// neighbour; its outlets are cells beside it at its level that drain.
//
// Each cell drains along the cheapest way to an outlet, found from all outlets at once (Dijkstra 1959). A
// step's cost is its true length times weights of its two cells, which fall with the distance from higher
// ground: 4 / (3 + d) with d in cells. So water keeps away from higher ground and gathers in the middle, as
// with the two gradients of Garbrecht and Martz 1997 and of Barnes, Lehman and Mulla 2014 ("An efficient
// assignment of drainage direction over flat surfaces"), but lengths are those on the ground, and costs fall
// on all ways, so that none ends in a pit.
//
// Far from higher ground many ways cost the same or nearly so, and water would run side by side. There the
// ground is rough: each step's cost is multiplied by a random factor. The cheapest ways over rough ground
// join soon, as rivers do (Licea and Newman 1996, "Geodesics in two-dimensional first-passage percolation").
// The factor follows from the cost of the cell to which the step leads, which is the same however the land is
// turned or mirrored, and where water runs straight down all along an edge it is the same for all.
//
// All costs are whole numbers, the same in whatever order cells are visited.

#ifndef ESKER_FLATS_H
#define ESKER_FLATS_H

#include "core/field.h"
#include "core/random.h"
#include "water/drainage.h"
#include "water/even_choice.h"

enum {
    FLAT_STRAIGHT = 29, // length of a step; 41 / 29 = √2 - 0.0004
    FLAT_DIAGONAL = 41,
    FLAT_WEIGHT = 196,              // beside higher ground
    FLAT_REACH = 4 * FLAT_STRAIGHT, // so much further from it the weight is half of that
    FLAT_FAR = 84 * FLAT_STRAIGHT,  // distance from which on it is the least
    FLAT_WEIGHT_LEAST = 9,
    FLAT_EVEN = 256, // roughness beside higher ground; elsewhere more than half and less than 1.5 of it
    FLAT_STEP_MAX = FLAT_DIAGONAL * 2 * FLAT_WEIGHT,
    FLAT_STEP_LEAST = FLAT_STRAIGHT * FLAT_WEIGHT_LEAST
};

static inline int flat_length(int way) {
    return way % 2 ? FLAT_DIAGONAL : FLAT_STRAIGHT;
}

// The length of the shortest of some ways (a bit each); 0: there is none.
static inline int flat_shortest(unsigned ways) {
    return ways & 0x55 ? FLAT_STRAIGHT : ways ? FLAT_DIAGONAL : 0;
}

// Of a cell at some distance from the next cell of higher ground.
static inline uint8_t flat_weight(int distance) {
    const int weight = FLAT_WEIGHT * FLAT_REACH / (FLAT_REACH + distance - FLAT_STRAIGHT);
    return (uint8_t)(distance < FLAT_FAR ? weight : FLAT_WEIGHT_LEAST);
}

// Some rows of a field with flats. Costs are kept modulo 2^16: those of neighbours differ by FLAT_STEP_MAX at
// most.
typedef struct LevelGround {
    Field filled;
    float sea;
    uint8_t *direction;
    uint8_t *weight; // of cells in flats
    uint16_t *cost;  // of these: of the way to an outlet
} LevelGround;

// The factor, in units of 1 / FLAT_EVEN, of steps to a cell of a flat. The farther higher ground is, the more
// random it is: banks lead water through narrow flats, and down the middle of lakes.
static inline int flat_roughness(int weight, uint16_t cost) {
    const int farness = FLAT_WEIGHT - weight;
    const int random = (int)(random_bits(random_key(0, 0), cost, (uint32_t)weight) >> 24) - 128;
    return FLAT_EVEN + random * farness / FLAT_WEIGHT * farness / FLAT_WEIGHT * farness / FLAT_WEIGHT;
}

// What a step between cells of a flat costs that have these weights, to the one with this roughness.
static inline int flat_rough_step(int way, int weight, int other, int roughness) {
    return flat_length(way) * (weight + other) * roughness / FLAT_EVEN;
}

// What a step from a cell of a flat costs: to another one, or to an outlet.
static inline int flat_step(const LevelGround *ground, size_t cell, size_t to, int way) {
    const int weight = ground->weight[cell], other = ground->weight[to];
    return ground->direction[to] < UNSEEN
               ? flat_length(way) * 2 * weight
               : flat_rough_step(way, weight, other, flat_roughness(other, ground->cost[to]));
}

// What is around a cell of a flat: a bit for each way to other cells of it, to outlets, and to higher ground.
typedef struct FlatSides {
    unsigned flat, outlets, higher;
} FlatSides;

static inline FlatSides flat_sides(const LevelGround *ground, size_t cell) {
    FlatSides sides = { 0, 0, 0 };
    const float level = ground->filled.cells[cell];
    for (int i = 0; i < NEIGHBOURS; i++) {
        const size_t to = neighbour_of(&ground->filled, cell, i);
        const unsigned way = 1U << i;
        if (ground->direction[to] >= UNSEEN)
            sides.flat |= way;
        else if (ground->filled.cells[to] > level)
            sides.higher |= way;
        else
            sides.outlets |= way;
    }
    return sides;
}

// Cells that a flood has reached are in buckets by their costs. No step costs less than a bucket is wide, so
// that all cells of the lowest are final, in any order (Denardo and Fox 1979, "Shortest-route methods: 1.
// Reaching, pruning, and buckets"). Costs of cells that wait differ by less than all buckets together, and by
// less than 2^15.
enum { FLAT_BUCKETS = 64, FLAT_BUCKET_BITS = 8 };
_Static_assert(FLAT_STEP_LEAST >= 1 << FLAT_BUCKET_BITS, "a bucket is wider than a step");
_Static_assert(FLAT_STEP_MAX < (FLAT_BUCKETS - 1) << FLAT_BUCKET_BITS &&
                   FLAT_STEP_MAX + (1 << FLAT_BUCKET_BITS) <= 1 << 15,
               "a step is too long");

static inline int flat_bucket(uint16_t cost) {
    return cost >> FLAT_BUCKET_BITS & (FLAT_BUCKETS - 1);
}

// The lowest of some buckets, a bit each, counted from the last one on.
static inline int flat_next_bucket(uint64_t filled, int last) {
    const uint64_t turned = filled >> last | (last ? filled << (FLAT_BUCKETS - last) : 0);
    return (last + __builtin_ctzll(turned)) % FLAT_BUCKETS;
}

// The cheapest ways from a cell of a flat to outlets beside it, of which there are some (a bit each): one of
// them, and whether others are as cheap.
static inline int flat_way_out(unsigned outlets, bool *several_are) {
    const unsigned nearest = outlets & 0x55 ? outlets & 0x55 : outlets;
    *several_are = several(nearest);
    return __builtin_ctz(nearest);
}

// Finds the weights of the cells of flats, and the ways to outlets beside them (a bit each), in a part of a
// field. Cells of its edges count as outside flats: `direction` there becomes DRAINS_OFF. Weights of cells
// closer than FLAT_FAR to edges are too small where higher ground lies beyond; `cost` is used.
enum { FLAT_SIGHT = FLAT_FAR / FLAT_STRAIGHT }; // so many cells from the edges weights are right
Status flats_weigh(const Run *run, const LevelGround *ground, uint8_t *outlets, Error *error);

// The way from a cell of a flat, once all costs are known; the ground's cell (x, y) is the field's at
// `column` and `row`. Looks FALL_RADIUS (even_choice.h) cells far, or as far as the field goes.
int flat_way(const LevelGround *ground, int x, int y, int column, int row);

// Finds the ways of the flats of a drainage among the rows `first` … `end` - 1. Unless these are the whole
// field, flats that reach the first or the last of them are left without: UNSEEN or above.
Status flats_drain(const Run *run, Drainage *drainage, int first, int end, Error *error);

#endif
