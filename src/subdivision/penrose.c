#include "subdivision/penrose.h"

#include <math.h>

#define GOLDEN 1.6180339887498949

static const double golden = GOLDEN;

// An acute triangle is cut on BC, near C; an obtuse one on CA, near A. `v0` is across from the edge that is
// cut, between `near` (V1), closer to the cut, and `far` (V2).
void robinson_cut(const Constants *constants, const Robinson *triangle, Robinson halves[2]) {
    const int near = triangle->acute ? 2 : 0, far = triangle->acute ? 1 : 2, across = triangle->acute ? 0 : 1;
    const Place2 from = triangle->places[near], to = triangle->places[far];
    const Vertex v0 = triangle->vertices[across], v1 = triangle->vertices[near], v2 = triangle->vertices[far];
    const double length = triangle->length, shorter = length * (golden - 1), share = 2 - golden;
    const Scales scales = fixed_scales(constants, length);
    const Crossing *edges = triangle->edges;
    const Crossing e0 = edges[triangle->acute ? 1 : 2];
    const Crossing e1 = edges[triangle->acute ? 0 : 1],
                   e2 = edges[triangle->acute ? 2 : 0]; // to far, to near
    const Cut cut = cut_long_edge(constants, &scales, constants->k1 * (float)(length * FIXED_UNITS),
                                  (float)(golden - 1), v1, v2, e0);
    const Triangle whole = { v0, v1, v2, cut.vertex, e1, e2, cut.first, cut.second };
    const Crossing e3 = cross_short_edge(constants, &scales, &whole), out_of_far = crossing_turned(e3, true);
    const Place2 at = { from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share };
    const Place2 apex = triangle->places[across];
    if (triangle->acute) { // acute (C, A, R) and obtuse (B, R, A)
        halves[0] =
            (Robinson){ true, shorter, { from, apex, at }, { v1, v0, cut.vertex }, { e2, e3, cut.first } };
        halves[1] = (Robinson){
            false, length, { to, at, apex }, { v2, cut.vertex, v0 }, { cut.second, out_of_far, e1 }
        };
    } else { // obtuse (B, P, A) and acute (P, C, B)
        halves[0] =
            (Robinson){ false, shorter, { apex, at, from }, { v0, cut.vertex, v1 }, { e3, cut.first, e2 } };
        halves[1] = (Robinson){
            true, shorter, { at, to, apex }, { cut.vertex, v2, v0 }, { cut.second, e1, out_of_far }
        };
    }
}

// Sides φ and 1 times the scale; the circle that touches all sides holds the map's square, turned against it
// so that no side of a tile is parallel to one of the map's.
void penrose_kite(const RiverMap *map, Robinson halves[2]) {
    const double sine_36 = 0.58778525229247314, cosine_36 = 0.80901699437494742;
    const double sine_turn = 0.29237170472273677, cosine_turn = 0.95630475596303544; // 17°
    const double radius = golden * golden * sine_36 / (golden + 1); // the kite's area by half its girth
    const double scale = 0.7072 / radius;   // a hair more than half of the square's diagonal
    const double centre = radius / sine_36; // from B, along BC
    const Place2 corners[4] = { { -centre, 0 },
                                { golden - centre, 0 },
                                { golden * cosine_36 - centre, golden * sine_36 },
                                { golden * cosine_36 - centre, -golden * sine_36 } }; // B, C, A, A'
    Place2 places[4];
    Vertex vertices[4];
    for (int i = 0; i < 4; i++) {
        places[i] = (Place2){ 0.5 + scale * (corners[i].x * cosine_turn - corners[i].y * sine_turn),
                              0.5 + scale * (corners[i].x * sine_turn + corners[i].y * cosine_turn) };
        vertices[i] = (Vertex){ (int64_t)(map->corners[i] * FIXED_UNITS), map->seeds[i] };
    }
    for (int half = 0; half < 2; half++) {
        const int a = 2 + half;
        halves[half] = (Robinson){ .acute = true,
                                   .length = scale * golden,
                                   .places = { places[a], places[0], places[1] },
                                   .vertices = { vertices[a], vertices[0], vertices[1] } };
    }
}
