// Tetrahedra that share a face cut it in the same place: the longest edge comes first, whichever of the two
// is cut; of edges of equal length, the one with the larger seed.

#include "rivermap/planet/tetrahedron_cells.h"

#include "core/math.h"

#include <math.h>

// A cell is a, b, c, d: its longest edge from a to b.
typedef struct Tetrahedron {
    double longest;
    Apex a, b, c, d;
} Tetrahedron;

// Numbers, also where a condition would do: compilers do not make vectors of choices between conditions.
typedef struct Edge {
    double length;   // squared
    double seed;     // of the vertex that cuts it
    double opposite; // 1: not the one from a, but the one across from it
} Edge;

KERNEL_INLINE Edge edge_between(Apex a, Apex b, double opposite) {
    return (Edge){ apex_distance(a, b), (double)mix_seeds(a.seed, b.seed), opposite };
}

KERNEL_INLINE bool is_over(Edge a, Edge b) {
    return (a.length > b.length) | ((a.length == b.length) & (a.seed > b.seed));
}

KERNEL_INLINE Edge edge_if(bool first, Edge a, Edge b) {
    return (Edge){ value_if(first, a.length, b.length), value_if(first, a.seed, b.seed),
                   value_if(first, a.opposite, b.opposite) };
}

KERNEL_INLINE Edge longer_edge(Edge a, Edge b) {
    return edge_if(is_over(b, a), b, a);
}

// Of three pairs of opposite edges the longer ones, and of those the longest.
KERNEL_INLINE Tetrahedron longest_first(Apex a, Apex b, Apex c, Apex d) {
    const Edge first = longer_edge(edge_between(a, b, 0), edge_between(c, d, 1)),
               second = longer_edge(edge_between(a, c, 0), edge_between(b, d, 1)),
               third = longer_edge(edge_between(a, d, 0), edge_between(b, c, 1));
    const bool not_first = is_over(second, first);
    const Edge of_two = edge_if(not_first, second, first);
    const bool is_third = is_over(third, of_two);
    const Edge longest = edge_if(is_third, third, of_two);
    const bool turn = longest.opposite > 0;
    // The ends of a's edge, and of the one across.
    const Apex far = apex_if(is_third, d, apex_if(not_first, c, b));
    const Apex left = apex_if(is_third, b, apex_if(not_first, b, c)), right = apex_if(is_third, c, d);
    return (Tetrahedron){ longest.length, apex_if(turn, left, a), apex_if(turn, right, far),
                          apex_if(turn, a, left), apex_if(turn, far, right) };
}

// The plane goes through the cut and the edge across.
KERNEL_INLINE CellCut cut_between(const CutRules *rules, double longest, Apex a, Apex b, Apex c, Apex d) {
    const uint32_t seed = mix_seeds(a.seed, b.seed);
    const double altitude =
        dry_altitude(&rules->dry, dry_step(&rules->dry, sqrt(longest)), 0.5f, a.altitude, b.altitude, seed);
    const Apex middle = { a.x + (b.x - a.x) * 0.5, a.y + (b.y - a.y) * 0.5, a.z + (b.z - a.z) * 0.5, altitude,
                          seed };
    const Vec3 at = apex_place(middle);
    return (CellCut){ middle,
                      vec3_towards(vec3_cross(vec3_minus(apex_place(c), at), vec3_minus(apex_place(d), at)),
                                   vec3_minus(apex_place(a), at)) };
}

static Cell cell_of(Tetrahedron whole) {
    return (Cell){ whole.longest, { whole.a, whole.b, whole.c, whole.d } };
}

Cell tetrahedron_cell(const Apex corners[4]) {
    return cell_of(longest_first(corners[0], corners[1], corners[2], corners[3]));
}

static CellCut cut_cell(const CutRules *rules, const Cell *cell) {
    return cut_between(rules, cell->longest, cell->at[0], cell->at[1], cell->at[2], cell->at[3]);
}

static Cell half_cell(const Cell *cell, const CellCut *cut, bool second) {
    return cell_of(longest_first(cell->at[second], cut->middle, cell->at[2], cell->at[3]));
}

KERNEL_INLINE void set_half(Lanes *to, int i, Tetrahedron half) {
    to->longest[i] = half.longest;
    lane_set(to, 0, i, half.a);
    lane_set(to, 1, i, half.b);
    lane_set(to, 2, i, half.c);
    lane_set(to, 3, i, half.d);
}

KERNEL static void halve_tetrahedron_lanes(const CutRules *rules, int count, const Lanes *restrict from,
                                           Lanes *first, Lanes *second, int at, LaneCuts *restrict cuts) {
    const CutRules all = *rules;
    INDEPENDENT_PASSES
    for (int i = 0; i < count; i++) {
        const Apex a = lane_apex(from, 0, i), b = lane_apex(from, 1, i), c = lane_apex(from, 2, i),
                   d = lane_apex(from, 3, i);
        const CellCut cut = cut_between(&all, from->longest[i], a, b, c, d);
        lane_set_cut(cuts, i, cut);
        set_half(first, i, longest_first(a, cut.middle, c, d));
        set_half(second, at + i, longest_first(b, cut.middle, c, d));
    }
}

KERNEL static int cut_tetrahedron_lanes(const CutRules *rules, LanePlaces *places, Lanes *lanes, int first) {
    const CutRules all = *rules;
    int more = 0;
    INDEPENDENT_PASSES
    for (int i = first; i < first + LOOP_LANES; i++) {
        const Apex a = lane_apex(lanes, 0, i), b = lane_apex(lanes, 1, i), c = lane_apex(lanes, 2, i),
                   d = lane_apex(lanes, 3, i);
        const Vec3 at = { places->x[i], places->y[i], places->z[i] };
        const double longest = lanes->longest[i];
        const bool finest = longest <= all.finest;
        const CellCut cut = cut_between(&all, longest, a, b, c, d);
        const bool to_a = vec3_dot(cut.normal, vec3_minus(at, apex_place(cut.middle))) >= 0;
        const Tetrahedron half = longest_first(apex_if(to_a, a, b), cut.middle, c, d);
        const double left = value_if(finest, longest, half.longest);
        lanes->longest[i] = left;
        lane_set(lanes, 0, i, apex_if(finest, a, half.a));
        lane_set(lanes, 1, i, apex_if(finest, b, half.b));
        lane_set(lanes, 2, i, apex_if(finest, c, half.c));
        lane_set(lanes, 3, i, apex_if(finest, d, half.d));
        more = (int)seed_if(left > all.finest, 1, (uint32_t)more);
    }
    return more;
}

// The share of a corner is the volume that the place holds with the three others.
KERNEL_INLINE double share_of(Vec3 corner, Vec3 a, Vec3 b, Vec3 c, Vec3 at) {
    const Vec3 normal = vec3_cross(vec3_minus(b, a), vec3_minus(c, a));
    return vec3_dot(normal, vec3_minus(at, a)) / vec3_dot(normal, vec3_minus(corner, a));
}

KERNEL static void find_tetrahedron_altitudes(const CutRules *rules, LanePlaces *restrict places,
                                              const Lanes *restrict lanes, int first) {
    const double datum = rules->datum;
    for (int i = first; i < first + LOOP_LANES; i++) {
        const Vec3 at = { places->x[i], places->y[i], places->z[i] };
        const Apex a = lane_apex(lanes, 0, i), b = lane_apex(lanes, 1, i), c = lane_apex(lanes, 2, i),
                   d = lane_apex(lanes, 3, i);
        const Vec3 pa = apex_place(a), pb = apex_place(b), pc = apex_place(c), pd = apex_place(d);
        const double share_a = share_of(pa, pb, pc, pd, at), share_b = share_of(pb, pc, pd, pa, at),
                     share_c = share_of(pc, pd, pa, pb, at), share_d = share_of(pd, pa, pb, pc, at);
        const double sum = share_a * (a.altitude - datum) + share_b * (b.altitude - datum) +
                           share_c * (c.altitude - datum) + share_d * (d.altitude - datum);
        places->altitudes[i] = sum / (share_a + share_b + share_c + share_d) * (1 / FIXED_UNITS);
    }
}

const CellMethods tetrahedron_cells = {
    4, cut_cell, half_cell, halve_tetrahedron_lanes, cut_tetrahedron_lanes, find_tetrahedron_altitudes
};
