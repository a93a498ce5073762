#include "rivermap/square/lattice_rows.h"

#include "core/math.h"
#include "core/whole.h"

#include <math.h>

enum { COARSE_VERTICES = (LATTICE_CELLS / 2 + 1) * (LATTICE_CELLS / 2 + 1) };

double lattice_guided(const Limits *limits, int x, int y) {
    const Square *place = &limits->place;
    const double units = (double)UNITS_PER_CELL * (double)(UINT64_C(1) << place->depth);
    return (double)(guide_altitude(limits->guide, 2 * place->x + (uint64_t)x, 2 * place->y + (uint64_t)y,
                                   place->depth + 1, units) -
                    (int64_t)place->base);
}

// --- wide --------------------------------------------------------------------------------------------------

// Altitudes are even after doubling, so half a sum is an integer.
KERNEL_INLINE double cut_edge_wide(double a, double b, uint32_t seed, float step, const Limits *limits) {
    const float moved = displacement(step, limits->k2, (float)(a - b), seed);
    const double altitude = 0.5 * (a + b) + (double)truncf(moved);
    return clamp(altitude, limits->wide.lowest, limits->wide.highest);
}

#define Number double
#define WIDTH wide
#define GUIDED
#define NewVertices NewVertices_wide
#define cut_edge cut_edge_wide
#define cut_edges cut_edges_wide
#define cut_diagonals cut_diagonals_wide
#define source source_wide
#define may_begin may_begin_wide
#define beginnings beginnings_wide
#define interleave_row interleave_row_wide
#define cut_all cut_all_wide

#include "rivermap/square/lattice_rows_text.h"

// --- narrow ------------------------------------------------------------------------------------------------

KERNEL_INLINE int32_t cut_edge_narrow(int32_t a, int32_t b, uint32_t seed, float step, const Limits *limits) {
    const float moved = displacement(step, limits->k2, (float)(a - b), seed);
    const int32_t altitude = ((a + b) >> 1) + whole_unchecked(moved);
    return clamp(altitude, limits->narrow.lowest, limits->narrow.highest);
}

#define Number int32_t
#define WIDTH narrow
#define NewVertices NewVertices_narrow
#define cut_edge cut_edge_narrow
#define cut_edges cut_edges_narrow
#define cut_diagonals cut_diagonals_narrow
#define source source_narrow
#define may_begin may_begin_narrow
#define beginnings beginnings_narrow
#define interleave_row interleave_row_narrow
#define cut_all cut_all_narrow

#include "rivermap/square/lattice_rows_text.h"

// --- either ------------------------------------------------------------------------------------------------

void lattice_cut(const Lattice *from, Lattice *to, const Limits *limits, bool rivers, uint64_t *begin) {
    if (from->is_narrow)
        cut_all_narrow(from, to, limits, rivers, begin);
    else
        cut_all_wide(from, to, limits, rivers, begin);
}
