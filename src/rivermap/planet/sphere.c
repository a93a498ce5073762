#include "rivermap/planet/sphere.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/random.h"
#include "core/whole.h"

#include <math.h>

// Face 8 p + s: of the six orders of the axes, by falling size of the coordinates, and the eight signs.
static const int orders[6][3] = {
    { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 }
};

int sphere_face_at(Vec3 at) {
    const double size[3] = { fabs(at.x), fabs(at.y), fabs(at.z) };
    int order = 0;
    while (size[orders[order][0]] < size[orders[order][1]] || size[orders[order][1]] < size[orders[order][2]])
        order++;
    return 8 * order + (at.x < 0) + 2 * (at.y < 0) + 4 * (at.z < 0);
}

// Vertex 0, 1 or 2 of a face lies on one, two or three axes.
static void place_vertex(const RiverMap *map, Tile *face, int index, int number) {
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
    face->places[number] = (Vec3){ place[0], place[1], place[2] };
    const double altitude = clamp(0.3 * (double)random_signed(altitudes, code, 0) - map->sea_level, -1, 1);
    face->vertices[number] = (Vertex){ whole_64(altitude * FIXED_UNITS), random_bits(seeds, code, 0) };
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

static Altitude level_of(const Tile *face) {
    return (face->vertices[0].altitude + face->vertices[1].altitude + face->vertices[2].altitude) / 3;
}

// The edge over which a face drains, or -1.
static int lowest_edge(const Tile *faces, int face) {
    int lowest = -1;
    Altitude level = level_of(&faces[face]);
    for (int edge = 0; edge < 3; edge++)
        if (level_of(&faces[neighbour(face, edge)]) < level) {
            level = level_of(&faces[neighbour(face, edge)]);
            lowest = edge;
        }
    return lowest;
}

static bool reaches_sea(const Tile *faces, int face) {
    for (int edge = lowest_edge(faces, face); edge >= 0; edge = lowest_edge(faces, face))
        face = neighbour(face, edge);
    for (int i = 0; i < 3; i++)
        if (faces[face].vertices[i].altitude < 0)
            return true;
    return false;
}

// The edge through which a face's river leaves, or -1.
static int outlet(const Tile *face) {
    for (int edge = 0; edge < 3; edge++)
        if (face->edges[edge].river && face->edges[edge].forwards)
            return edge;
    return -1;
}

static void add_first_rivers(Tile *faces) {
    for (int face = 0; face < SPHERE_FACES; face++) {
        const int edge = lowest_edge(faces, face);
        if (edge < 0 || level_of(&faces[face]) < 0 || !reaches_sea(faces, face))
            continue;
        const int below = neighbour(face, edge);
        const Altitude altitude = (level_of(&faces[face]) + level_of(&faces[below])) / 2;
        faces[face].edges[edge] = (Crossing){ true, true, 0, altitude };
        faces[below].edges[edge] =
            (Crossing){ true, false, 0, altitude }; // neighbours number shared edges equally
    }
    for (int face = 0; face < SPHERE_FACES; face++) // each adds its area to all edges downstream
        for (int at = face, edge; (edge = outlet(&faces[at])) >= 0; at = neighbour(at, edge)) {
            const double basin = (double)faces[at].edges[edge].basin;
            const float more = (float)sqrt(basin * basin + 4 * PI / SPHERE_FACES);
            faces[at].edges[edge].basin = faces[neighbour(at, edge)].edges[edge].basin = more;
        }
}

int sphere_tiles(const RiverMap *map, Tile tiles[FIRST_TILES_MAX]) {
    for (int face = 0; face < SPHERE_FACES; face++) {
        tiles[face] = (Tile){ 0 };
        for (int number = 0; number < 3; number++)
            place_vertex(map, &tiles[face], face, number);
        tiles[face].shape = longest_edge_shape(tiles[face].places);
    }
    if (map->constants.rivers)
        add_first_rivers(tiles);
    return SPHERE_FACES;
}
