#include "rivermap/planet/sphere_cells.h"

#include "core/math.h"

#include <math.h>

// Differences of places first: the plane is exact to the last bits for the smallest tiles, too.
KERNEL_INLINE Vec3 plane_between(Vec3 cut, Vec3 across, Vec3 end) {
    return vec3_towards(vec3_cross(vec3_minus(across, cut), cut), vec3_minus(end, cut));
}

Vec3 sphere_plane(Vec3 cut, Vec3 across, Vec3 end) {
    return plane_between(cut, across, end);
}

// A cell is a, b, c: its longest edge from a to b, and the vertex across, c. As tile_cut cuts a tile without
// rivers.
KERNEL_INLINE CellCut cut_between(const CutRules *rules, double longest, Apex a, Apex b, Apex c) {
    const double x = a.x + b.x, y = a.y + b.y, z = a.z + b.z, length = sqrt(x * x + y * y + z * z);
    const uint32_t seed = mix_seeds(a.seed, b.seed);
    const double altitude =
        dry_altitude(&rules->dry, dry_step(&rules->dry, sqrt(longest)), 0.5f, a.altitude, b.altitude, seed);
    const Apex middle = { x / length, y / length, z / length, altitude, seed };
    return (CellCut){ middle, plane_between(apex_place(middle), apex_place(c), apex_place(a)),
                      dry_source(&rules->dry, a.altitude, b.altitude, c.altitude, altitude) };
}

// The half of a cell at one end of its longest edge.
typedef struct SphereHalf {
    double longest;
    Apex a, b, c;
} SphereHalf;

KERNEL_INLINE SphereHalf half_of(Apex middle, Apex end, Apex across) {
    const double l0 = apex_distance(middle, end), l1 = apex_distance(end, across),
                 l2 = apex_distance(across, middle);
    const bool second = l1 > l0;
    const double longer = value_if(second, l1, l0);
    const bool third = l2 > longer;
    return (SphereHalf){ value_if(third, l2, longer), apex_if(third, across, apex_if(second, end, middle)),
                         apex_if(third, middle, apex_if(second, across, end)),
                         apex_if(third, end, apex_if(second, middle, across)) };
}

static Cell cell_of(SphereHalf half) {
    return (Cell){ half.longest, { half.a, half.b, half.c } };
}

Cell sphere_cell(const Tile *tile) {
    Apex at[3];
    for (int i = 0; i < 3; i++)
        at[i] = (Apex){ tile->places[i].x, tile->places[i].y, tile->places[i].z,
                        (double)tile->vertices[i].altitude, tile->vertices[i].seed };
    return cell_of(half_of(at[0], at[1], at[2]));
}

static CellCut cut_cell(const CutRules *rules, const Cell *cell) {
    return cut_between(rules, cell->longest, cell->at[0], cell->at[1], cell->at[2]);
}

static Cell half_cell(const Cell *cell, const CellCut *cut, bool second) {
    return cell_of(half_of(cut->middle, cell->at[second], cell->at[2]));
}

KERNEL_INLINE void set_half(Lanes *to, int i, SphereHalf half) {
    to->longest[i] = half.longest;
    lane_set(to, 0, i, half.a);
    lane_set(to, 1, i, half.b);
    lane_set(to, 2, i, half.c);
}

KERNEL static void halve_sphere_lanes(const CutRules *rules, int count, const Lanes *restrict from,
                                      Lanes *first, Lanes *second, int at, LaneCuts *restrict cuts) {
    const CutRules all = *rules;
    INDEPENDENT_PASSES
    for (int i = 0; i < count; i++) {
        const Apex a = lane_apex(from, 0, i), b = lane_apex(from, 1, i), c = lane_apex(from, 2, i);
        const CellCut cut = cut_between(&all, from->longest[i], a, b, c);
        lane_set_cut(cuts, i, cut);
        set_half(first, i, half_of(cut.middle, a, c));
        set_half(second, at + i, half_of(cut.middle, b, c));
    }
}

KERNEL static int cut_sphere_lanes(const CutRules *rules, LanePlaces *places, Lanes *lanes, int first) {
    const CutRules all = *rules;
    int more = 0;
    INDEPENDENT_PASSES
    for (int i = first; i < first + LOOP_LANES; i++) {
        const Apex a = lane_apex(lanes, 0, i), b = lane_apex(lanes, 1, i), c = lane_apex(lanes, 2, i);
        const Vec3 at = { places->x[i], places->y[i], places->z[i] };
        const double longest = lanes->longest[i];
        const bool finest = longest <= all.finest;
        const CellCut cut = cut_between(&all, longest, a, b, c);
        const bool to_a = vec3_dot(cut.normal, vec3_minus(at, apex_place(cut.middle))) >= 0;
        const SphereHalf half = half_of(cut.middle, apex_if(to_a, a, b), c);
        const double left = value_if(finest, longest, half.longest);
        places->begins[i] = seed_if(!finest & cut.begins, 1, places->begins[i]);
        lanes->longest[i] = left;
        lane_set(lanes, 0, i, apex_if(finest, a, half.a));
        lane_set(lanes, 1, i, apex_if(finest, b, half.b));
        lane_set(lanes, 2, i, apex_if(finest, c, half.c));
        more = (int)seed_if(left > all.finest, 1, (uint32_t)more);
    }
    return more;
}

// In the plane through the corners, where the line from the planet's centre to the place meets it.
KERNEL_INLINE double altitude_in(Apex a, Apex b, Apex c, double datum, Vec3 at) {
    const Vec3 corner = apex_place(a), to_b = vec3_minus(apex_place(b), corner),
               to_c = vec3_minus(apex_place(c), corner), up = vec3_cross(to_b, to_c);
    const double lower = vec3_dot(up, corner) / vec3_dot(up, at);
    const Vec3 off = vec3_minus((Vec3){ at.x * lower, at.y * lower, at.z * lower }, corner);
    const double whole = 1 / vec3_dot(up, up);
    const double share_b = vec3_dot(up, vec3_cross(off, to_c)) * whole,
                 share_c = vec3_dot(up, vec3_cross(to_b, off)) * whole;
    return (a.altitude - datum + share_b * (b.altitude - a.altitude) + share_c * (c.altitude - a.altitude)) *
           (1 / FIXED_UNITS);
}

double sphere_altitude(const CutRules *rules, const Cell *cell, Vec3 at) {
    return altitude_in(cell->at[0], cell->at[1], cell->at[2], rules->datum, at);
}

KERNEL static void find_sphere_altitudes(const CutRules *rules, LanePlaces *restrict places,
                                         const Lanes *restrict lanes, int first) {
    const double datum = rules->datum;
    for (int i = first; i < first + LOOP_LANES; i++) {
        const Vec3 at = { places->x[i], places->y[i], places->z[i] };
        places->altitudes[i] =
            altitude_in(lane_apex(lanes, 0, i), lane_apex(lanes, 1, i), lane_apex(lanes, 2, i), datum, at);
    }
}

const CellMethods sphere_cells = {
    3, cut_cell, half_cell, halve_sphere_lanes, cut_sphere_lanes, find_sphere_altitudes
};
