// Quadratic splines of the points of a lattice, which show no axes, as noise between two points would; and
// smooth noise made of them.

#ifndef ESKER_SMOOTH_NOISE_H
#define ESKER_SMOOTH_NOISE_H

#include "core/random.h"
#include "core/whole.h"

#include <stdbool.h>

uint32_t bits_of_place(Int128 place); // 32 random bits for a column or a row

// Values are added to a span of the cells of a row, which has room for a lattice cell before and behind.
enum {
    LATTICE_SPAN = 1024,
    LATTICE_ROOM_BITS = 5,
    LATTICE_ROOM = 1 << LATTICE_ROOM_BITS,
    LATTICE_POINTS = LATTICE_SPAN + 2
};
typedef float LatticeSpan[LATTICE_SPAN + 2 * LATTICE_ROOM]; // the first cell is that of index LATTICE_ROOM

// A lattice with a point in the middle of each 2^bits cells, and the row of cells y on it.
typedef struct Lattice {
    int bits;
    Int128 row;
    float down[3]; // what its points and those above and below count
} Lattice;

Lattice lattice_at(int bits, Int128 y);

// How many points lattice_add takes for `count` cells from x on, LATTICE_SPAN at most.
int lattice_points(const Lattice *lattice, Int128 x, int count);

// Adds the spline of points to a span. The first point is the one before that of cell x; each is the mean of
// those of three rows by `down`.
void lattice_add(const Lattice *lattice, const float *points, Int128 x, int count, float *span);

// A noise of about -1 to 1 on a rectangle of `columns` × `rows` cells. `is_zero_at_edges`: so that it is
// continuous over the edges of a planet's faces.
typedef struct LatticeNoise {
    RandomKey key;
    int bits;
    Int128 columns, rows;
    bool is_zero_at_edges;
} LatticeNoise;

#define LATTICE_CONTRAST 1.35f // of the points, as a spline evens them out

// Whether a point is none along the edges, of `end` points.
static inline bool lattice_is_inside(Int128 place, Int128 end) {
    return place > 0 && place < end - 1;
}

// At one cell.
float lattice_noise_at(const LatticeNoise *noise, Int128 x, Int128 y);

void lattice_add_noise(const LatticeNoise *noise, Int128 x, Int128 y, int count, float *span);

#endif
