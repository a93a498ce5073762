#include "subdivision/sphere.h"

#include "core/elementary.h"
#include "core/random.h"

#include <math.h>

static double squared_distance(Place3 a, Place3 b) {
    const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    return dx * dx + dy * dy + dz * dz;
}

static Place3 middle_of(Place3 a, Place3 b) {
    const Place3 sum = { a.x + b.x, a.y + b.y, a.z + b.z };
    const double length = sqrt(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z);
    return (Place3){ sum.x / length, sum.y / length, sum.z / length };
}

static bool comes_first(Place3 a, Place3 b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

double facet_side(Place3 a, Place3 b, Place3 p) {
    const bool turn = comes_first(b, a);
    const Place3 first = turn ? b : a, second = turn ? a : b;
    return (first.y * second.z - first.z * second.y) * p.x + (first.z * second.x - first.x * second.z) * p.y +
           (first.x * second.y - first.y * second.x) * p.z;
}

static void find_longest(Facet *facet) {
    facet->longest = -1;
    for (int i = 0; i < 3; i++) {
        const double length = squared_distance(facet->places[i], facet->places[(i + 1) % 3]);
        if (length > facet->longest) {
            facet->longest = length;
            facet->cut = i;
        }
    }
}

void facet_cut(const Constants *constants, const Facet *facet, Facet halves[2]) {
    const int first = facet->cut, second = (first + 1) % 3, across = (first + 2) % 3;
    const double length = sqrt(facet->longest);
    const Scales scales = fixed_scales(constants, length);
    const Vertex v0 = facet->vertices[across], v1 = facet->vertices[first], v2 = facet->vertices[second];
    const Crossing e1 = facet->edges[second], e2 = facet->edges[across];
    const Cut cut = cut_long_edge(constants, &scales, constants->k1 * (float)(length * FIXED_UNITS), 0.5f, v1,
                                  v2, facet->edges[first]);
    const Triangle whole = { v0, v1, v2, cut.vertex, e1, e2, cut.first, cut.second };
    const Crossing e3 = cross_short_edge(constants, &scales, &whole);
    const Place3 middle = middle_of(facet->places[first], facet->places[second]);
    halves[0] = (Facet){ .places = { facet->places[first], middle, facet->places[across] },
                         .vertices = { v1, cut.vertex, v0 },
                         .edges = { cut.first, e3, e2 } };
    halves[1] = (Facet){ .places = { middle, facet->places[second], facet->places[across] },
                         .vertices = { cut.vertex, v2, v0 },
                         .edges = { cut.second, e1, crossing_turned(e3, true) } };
    find_longest(&halves[0]);
    find_longest(&halves[1]);
}

// --- the first faces ---------------------------------------------------------------------------------------

// Face 8 p + s: of the six orders of the axes, by falling size of the coordinates, and the eight signs.
static const int orders[6][3] = {
    { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 }
};

int sphere_face_at(Place3 at) {
    const double size[3] = { fabs(at.x), fabs(at.y), fabs(at.z) };
    int order = 0;
    while (size[orders[order][0]] < size[orders[order][1]] || size[orders[order][1]] < size[orders[order][2]])
        order++;
    return 8 * order + (at.x < 0) + 2 * (at.y < 0) + 4 * (at.z < 0);
}

// Vertex 0, 1 or 2 of a face lies on one, two or three axes.
static void place_vertex(const RiverMap *map, Facet *face, int index, int number) {
    double place[3] = { 0, 0, 0 };
    uint32_t code = 0; // says which of the 26 it is
    for (int i = 0; i <= number; i++) {
        const int axis = orders[index / 8][i];
        const bool negative = index >> axis & 1;
        place[axis] = negative ? -1 / sqrt(number + 1.0) : 1 / sqrt(number + 1.0);
        code |= (negative ? 2u : 1u) << 2 * axis;
    }
    const RandomKey seeds = random_key(map->seeds[0], map->seeds[1]),
                    altitudes = random_key(map->seeds[2], 0);
    face->places[number] = (Place3){ place[0], place[1], place[2] };
    face->vertices[number] =
        (Vertex){ (int64_t)(0.3 * (double)random_signed(altitudes, code, 0) * FIXED_UNITS),
                  random_bits(seeds, code, 0) };
}

// The face across an edge: over that between the vertices on one axis and on two, the third axis changes its
// sign; over the next, the first two axes change places; over the last, the last two.
static int neighbour(int face, int edge) {
    const int *order = orders[face / 8];
    if (edge == 0)
        return face ^ 1 << order[2];
    const int wanted[3] = { order[edge == 1 ? 1 : 0], order[edge == 1 ? 0 : 2], order[edge == 1 ? 2 : 1] };
    for (int i = 0; i < 6; i++)
        if (orders[i][0] == wanted[0] && orders[i][1] == wanted[1])
            return 8 * i + face % 8;
    return face;
}

static int64_t level_of(const Facet *face) {
    return (face->vertices[0].altitude + face->vertices[1].altitude + face->vertices[2].altitude) / 3;
}

// The edge over which a face drains, or -1.
static int lowest_edge(const Facet *faces, int face) {
    int lowest = -1;
    int64_t level = level_of(&faces[face]);
    for (int edge = 0; edge < 3; edge++)
        if (level_of(&faces[neighbour(face, edge)]) < level) {
            level = level_of(&faces[neighbour(face, edge)]);
            lowest = edge;
        }
    return lowest;
}

static bool reaches_sea(const Facet *faces, int face) {
    for (int edge = lowest_edge(faces, face); edge >= 0; edge = lowest_edge(faces, face))
        face = neighbour(face, edge);
    for (int i = 0; i < 3; i++)
        if (faces[face].vertices[i].altitude < 0)
            return true;
    return false;
}

// The edge through which a face's river leaves, or -1.
static int outlet(const Facet *face) {
    for (int edge = 0; edge < 3; edge++)
        if (face->edges[edge].river && face->edges[edge].forwards)
            return edge;
    return -1;
}

static void add_first_rivers(Facet *faces) {
    for (int face = 0; face < SPHERE_FACES; face++) {
        const int edge = lowest_edge(faces, face);
        if (edge < 0 || level_of(&faces[face]) < 0 || !reaches_sea(faces, face))
            continue;
        const int below = neighbour(face, edge);
        const int64_t altitude = (level_of(&faces[face]) + level_of(&faces[below])) / 2;
        faces[face].edges[edge] = (Crossing){ true, true, 0, altitude };
        faces[below].edges[edge] = (Crossing){ true, false, 0, altitude }; // neighbours number edges alike
    }
    for (int face = 0; face < SPHERE_FACES; face++) // each adds what it drains to all edges on its way down
        for (int at = face, edge; (edge = outlet(&faces[at])) >= 0; at = neighbour(at, edge)) {
            const double basin = (double)faces[at].edges[edge].basin;
            const float more = (float)sqrt(basin * basin + 4 * PI / SPHERE_FACES);
            faces[at].edges[edge].basin = faces[neighbour(at, edge)].edges[edge].basin = more;
        }
}

void sphere_faces(const RiverMap *map, Facet faces[SPHERE_FACES]) {
    for (int face = 0; face < SPHERE_FACES; face++) {
        faces[face] = (Facet){ 0 };
        for (int number = 0; number < 3; number++)
            place_vertex(map, &faces[face], face, number);
        find_longest(&faces[face]);
    }
    if (map->constants.rivers)
        add_first_rivers(faces);
}
