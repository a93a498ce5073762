#include "rivermap/tile/tile.h"

#include <math.h>

void tile_find_longest(Tile *tile) {
    tile->longest = -1;
    for (int i = 0; i < 3; i++) {
        const double length = squared_distance(tile->places[i], tile->places[(i + 1) % 3]);
        if (length > tile->longest) {
            tile->longest = length;
            tile->cut = i;
        }
    }
    const int next = (tile->cut + 1) % 3;
    tile->near = first_is_near(tile->places[tile->cut], tile->places[next]) ? tile->cut : next;
}

// Scalene edges in the plane are cut somewhere around their middle and a little beside them, by the seed: no
// straight line survives, and no angle becomes small (docs/zoomable-maps.md).
static Vec3 cut_place(Tiling tiling, Vec3 near, Vec3 far, Bend bend) {
    if (tiling != TILING_SPHERE) {
        const double x = far.x - near.x, y = far.y - near.y;
        return (Vec3){ near.x + x * bend.along - y * bend.aside, near.y + y * bend.along + x * bend.aside,
                       0 };
    }
    const Vec3 sum = { near.x + far.x, near.y + far.y, near.z + far.z };
    const double length = sqrt(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z);
    return (Vec3){ sum.x / length, sum.y / length, sum.z / length };
}

// An acute triangle (A, B, C), apex B, is cut on BC near C into an acute (C, A, R) and an obtuse (B, R, A);
// an obtuse one on CA near A into an obtuse (B, P, A) and an acute (P, C, B). Lengths follow from the number
// of cuts, so that two triangles at an edge agree.
static void shape_robinson(const Tile *tile, Tile halves[2]) {
    const double shorter = tile->longest * ROBINSON_RATIO;
    Tile *near = &halves[0], *far = &halves[1];
    near->acute = tile->acute;
    far->acute = !tile->acute;
    near->longest = shorter;
    far->longest = tile->acute ? tile->longest : shorter;
    near->cut = tile->acute ? 2 : 1;
    near->near = tile->acute ? 0 : 2;
    far->cut = 1;
    far->near = tile->acute ? 1 : 2;
}

// Next is cut what lies across from the newest vertex: of the paper's triangle and of all that comes of it
// that is the longest edge, as long as the bends are left out of account. So all tiles of a size have had as
// many cuts, and fit together.
static void shape_scalene(const Tile *tile, Tile halves[2]) {
    for (int i = 0; i < 2; i++) {
        halves[i].longest = tile->longest / 2;
        halves[i].cut = 1;
        halves[i].near = first_is_near(halves[i].places[1], halves[i].places[2]) ? 1 : 2;
    }
}

void tile_cut(const RiverMap *map, const Tile *tile, Tile halves[2]) {
    const Constants *constants = &map->constants;
    const int other = (tile->cut + 1) % 3, across = (tile->cut + 2) % 3;
    const int near = tile->near, far = near == tile->cut ? other : tile->cut;
    const Vertex v0 = tile->vertices[across], v1 = tile->vertices[near], v2 = tile->vertices[far];
    // From the near end to the vertex across, and from the far one.
    const Crossing to_near = tile->edges[near == tile->cut ? across : other];
    const Crossing to_far = tile->edges[near == tile->cut ? other : across];
    const double length = sqrt(tile->longest);
    const Bend bend = cut_bend(map->tiling, mix_seeds(v1.seed, v2.seed));
    const Scales scales = fixed_scales(constants, length);
    const double step = length < 1 ? length : 1; // the first edges may be longer than the map
    const Cut cut = cut_long_edge(constants, &scales, constants->k1 * (float)(step * FIXED_UNITS),
                                  (float)(1 - bend.along), v1, v2, tile->edges[tile->cut]);
    const Triangle whole = { v0, v1, v2, cut.vertex, to_far, to_near, cut.first, cut.second };
    const Crossing e3 = cross_short_edge(constants, &scales, &whole);
    const Vec3 at = cut_place(map->tiling, tile->places[near], tile->places[far], bend);
    const Vec3 apex = tile->places[across];
    halves[0] = (Tile){ .places = { at, tile->places[near], apex },
                        .vertices = { cut.vertex, v1, v0 },
                        .edges = { cut.first, to_near, e3 } };
    halves[1] = (Tile){ .places = { at, tile->places[far], apex },
                        .vertices = { cut.vertex, v2, v0 },
                        .edges = { cut.second, to_far, crossing_turned(e3, true) } };
    if (map->tiling == TILING_PENROSE)
        shape_robinson(tile, halves);
    else if (map->tiling == TILING_SCALENE)
        shape_scalene(tile, halves);
    else
        for (int i = 0; i < 2; i++)
            tile_find_longest(&halves[i]);
}

int tile_crossings(const Tile *tile, Vec3 crossings[3]) {
    int count = 0;
    for (int i = 0; i < 3; i++) {
        const int next = i == 2 ? 0 : i + 1;
        if (!tile->edges[i].river)
            continue;
        const uint32_t seed = mix_seeds(tile->vertices[i].seed, tile->vertices[next].seed);
        const bool turn = first_is_near(tile->places[next], tile->places[i]);
        crossings[count++] = place_between(tile->places[turn ? next : i], tile->places[turn ? i : next],
                                           0.5 + 0.25 * (double)seed_value(seed));
    }
    return count;
}

Vec3 tile_middle(const Vec3 *places) {
    return place_between(place_between(places[0], places[1], 0.5), places[2], 1 / 3.0);
}

int first_tiles(const RiverMap *map, Tile tiles[FIRST_TILES_MAX]) {
    return map->tiling == TILING_PENROSE   ? penrose_tiles(map, tiles)
           : map->tiling == TILING_SCALENE ? scalene_tiles(map, tiles)
                                           : sphere_tiles(map, tiles);
}
