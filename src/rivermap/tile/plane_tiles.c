// The first tiles of maps in the plane, around the map's square: so that rivers cross its border like any
// other line, they are larger than it.

#include "rivermap/tile/tile.h"

#include "core/whole.h"

#include <math.h>

#define GOLDEN 1.6180339887498949

// The circle that touches all sides holds the square, whose half diagonal is a hair less.
static const double radius_needed = 0.7072, bent_radius_needed = 1.4; // where cuts bend edges inwards

// Turned against the square by 17°, so that no side of a tile is parallel to one of the map's.
static Vec3 turned(double x, double y) {
    const double sine = 0.29237170472273677, cosine = 0.95630475596303544;
    return (Vec3){ 0.5 + x * cosine - y * sine, 0.5 + x * sine + y * cosine, 0 };
}

static Vertex first_vertex(const RiverMap *map, int i) {
    return (Vertex){ whole_64(map->corners[i] * FIXED_UNITS), map->seeds[i] };
}

// The two acute triangles of a kite, with sides φ and 1 times a scale.
int penrose_tiles(const RiverMap *map, Tile tiles[FIRST_TILES_MAX]) {
    const double sine_36 = 0.58778525229247314, cosine_36 = 0.80901699437494742;
    const double radius = GOLDEN * GOLDEN * sine_36 / (GOLDEN + 1); // the kite's area by half its girth
    const double scale = radius_needed / radius, centre = radius / sine_36; // from B, along BC
    const double corners[4][2] = { { -centre, 0 },
                                   { GOLDEN - centre, 0 },
                                   { GOLDEN * cosine_36 - centre, GOLDEN * sine_36 },
                                   { GOLDEN * cosine_36 - centre, -GOLDEN * sine_36 } }; // B, C, A, A'
    for (int half = 0; half < 2; half++) {
        const int order[3] = { 2 + half, 0, 1 };
        Tile *tile = &tiles[half];
        *tile = (Tile){ .longest = scale * GOLDEN * scale * GOLDEN, .cut = 1, .near = 2, .acute = true };
        for (int i = 0; i < 3; i++) {
            tile->places[i] = turned(scale * corners[order[i]][0], scale * corners[order[i]][1]);
            tile->vertices[i] = first_vertex(map, order[i]);
        }
    }
    return 2;
}

// One triangle with the sides of a disdyakis dodecahedron's: 1, a and b times a scale, with
// a² = 9 (12 + 6√2) / (4 (60 + 6√2)) and b² = (30 - 3√2) / (60 + 6√2): half of b is printed in section 6.
int scalene_tiles(const RiverMap *map, Tile tiles[FIRST_TILES_MAX]) {
    const double root = sqrt(2), b = sqrt((30 - 3 * root) / (60 + 6 * root));
    const double a = sqrt(9 * (12 + 6 * root) / (4 * (60 + 6 * root)));
    const double foot = (1 + a * a - b * b) / 2, height = sqrt(a * a - foot * foot);
    const double radius = height / (1 + a + b), scale = bent_radius_needed / radius;
    const double centre_x = (1 + a - b) / 2;
    const double corners[3][2] = { { 0, 0 }, { 1, 0 }, { foot, height } };
    tiles[0] = (Tile){ 0 };
    for (int i = 0; i < 3; i++) {
        tiles[0].places[i] = turned(scale * (corners[i][0] - centre_x), scale * (corners[i][1] - radius));
        tiles[0].vertices[i] = first_vertex(map, i);
    }
    tile_find_longest(&tiles[0]);
    tiles[0].longest = 2 * a * a * scale * scale; // its halves are larger than those of a right-angled one
    return 1;
}
