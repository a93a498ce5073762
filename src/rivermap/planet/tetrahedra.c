// A planet by tetrahedral subdivision, the future work of Mogensen and Isenbecker 2025 (section 9; Mogensen
// 2010): a tetrahedron around the sphere is repeatedly cut in two at its longest edge, and only the part
// that contains the current point is kept. Altitudes only: more than two tetrahedra share an edge, and at
// most one point of an edge is on the surface, so a river across it could not keep its banks above it.

#include "core/math.h"
#include "core/random.h"
#include "core/whole.h"
#include "rivermap/eroded/eroded.h"
#include "rivermap/globe.h"
#include "rivermap/planet/descent.h"
#include "rivermap/tile/tile.h"

#include <math.h>
#include <string.h>

// --- cells -------------------------------------------------------------------------------------------------

// Tetrahedra that share a face cut it in the same place: the longest edge comes first, whichever of the two
// is cut; of edges of equal length, the one with the larger seed.

extern const CellMethods tetrahedron_cells;

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

static Cell tetrahedron_cell(const Apex corners[4]) {
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

// --- the planet --------------------------------------------------------------------------------------------

typedef struct Planet {
    Cell first;
    CutRules rules;
} Planet;

// Its inscribed sphere has twice the radius of the planet; its corners are displaced at random.
static Cell first_tetrahedron(const RiverMap *map) {
    static const double signs[4][3] = { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } };
    const double radius = 6 / sqrt(3);
    Apex corners[4];
    for (int i = 0; i < 4; i++) {
        const RandomKey key = random_key(map->seeds[i], 3);
        corners[i] = (Apex){ radius * (signs[i][0] + 0.15 * (double)random_signed(key, 0, 0)),
                             radius * (signs[i][1] + 0.15 * (double)random_signed(key, 1, 0)),
                             radius * (signs[i][2] + 0.15 * (double)random_signed(key, 2, 0)),
                             (double)whole_64(map->corners[i] * FIXED_UNITS), map->seeds[i] };
    }
    return tetrahedron_cell(corners);
}

static void find_places(const void *context, const Vec3 *places, int count, double *altitudes,
                        float *rivers) {
    const Planet *planet = context;
    Descent descent;
    if (rivers)
        memset(rivers, 0, (size_t)count * sizeof *rivers);
    descent.methods = &tetrahedron_cells;
    descent.rules = planet->rules;
    descent.altitudes = altitudes;
    descent_start(&descent, places, count);
    descent_go(&descent, &planet->first, 0, count);
    descent_finish(&descent);
}

static Planet planet_of(const RiverMap *map, double pixel) {
    Planet planet = { .first = first_tetrahedron(map),
                      .rules = { .dry = dry_cut(&map->constants), .finest = 2 * pixel * pixel } };
    planet.rules.dry.k3 = INFINITY;
    return planet;
}

static Status find_datum(const View *view, Datum *datum, Error *error) {
    const Planet planet = planet_of(view->map, globe_pixel(view));
    const Vec3 at = globe_middle(view);
    double altitude;
    (void)error;
    globe_find(find_places, &planet, &at, 1, &altitude);
    *datum = (Datum){ whole_64(floor(altitude * FIXED_UNITS)), 0, 1 / FIXED_UNITS };
    return STATUS_OK;
}

static Status render(const View *view, Error *error) {
    Planet planet = planet_of(view->map, globe_pixel(view));
    planet.rules.datum = view->datum ? (double)view->datum->altitude : 0;
    return globe_draw_places(view, find_places, &planet, error);
}

static void find_altitudes(const RiverMap *map, double pixel, const Vec3 *places, int count,
                           double *altitudes) {
    const Planet planet = planet_of(map, pixel);
    globe_find(find_places, &planet, places, count, altitudes);
}

static const LandMethods raw = { .max_pixels = 0x1p40, .render = render, .datum = find_datum };

const Tiling tiling_tetrahedra = {
    .planet = true,
    .corners = true,
    .raw = &raw,
    .eroded = &eroded_planet,
    .altitudes = find_altitudes,
};
