#include "rivermap/tile/tile.h"

#include "core/math.h"

#include <math.h>

void tile_cut(const RiverMap *map, const Tile *tile, Tile halves[2]) {
    const Constants *constants = &map->constants;
    const TileMethods *methods = map->tiling->tiles;
    const TileShape shape = tile->shape;
    const int near = shape.near, far = shape_far(shape), across = shape_across(shape);
    const int other = (shape.cut + 1) % 3;
    const Vertex v0 = tile->vertices[across], v1 = tile->vertices[near], v2 = tile->vertices[far];
    // From the near end to the vertex across, and from the far one.
    const Crossing to_near = tile->edges[near == shape.cut ? across : other];
    const Crossing to_far = tile->edges[near == shape.cut ? other : across];
    const double length = sqrt(shape.longest);
    const EdgeCut at = methods->cut(tile->places[near], tile->places[far], mix_seeds(v1.seed, v2.seed));
    const Scales scales = fixed_scales(constants, length);
    const double step = min(length, 1); // the first edges may be longer than the map
    const Cut cut = cut_long_edge(constants, &scales, constants->k1 * (float)(step * FIXED_UNITS),
                                  (float)(1 - at.along), v1, v2, tile->edges[shape.cut]);
    const Triangle whole = { v0, v1, v2, cut.vertex, to_far, to_near, cut.first, cut.second };
    const Crossing e3 = cross_short_edge(constants, &scales, &whole);
    const Vec3 apex = tile->places[across];
    halves[0] = (Tile){ .places = { at.at, tile->places[near], apex },
                        .vertices = { cut.vertex, v1, v0 },
                        .edges = { cut.first, to_near, e3 } };
    halves[1] = (Tile){ .places = { at.at, tile->places[far], apex },
                        .vertices = { cut.vertex, v2, v0 },
                        .edges = { cut.second, to_far, crossing_turned(e3, true) } };
    for (int i = 0; i < 2; i++)
        halves[i].shape = methods->half(&shape, i == 1, halves[i].places);
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
