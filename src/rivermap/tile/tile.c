#include "rivermap/tile/tile.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/random.h"
#include "rivermap/triangle_rivers.h"

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

// --- rivers as data ----------------------------------------------------------------------------------------

typedef struct Reader {
    const TileWindow *window;
    NetworkBuilder *builder;
    double longest; // squared, what tiles are cut down to
} Reader;

// In cells of the window.
static RiverPoint point_at(const TileWindow *window, Vec3 at) {
    const View *view = window->view;
    Vec2 place = window->on_map(at);
    if (view_goes_round(view))
        place.x = view_nearest_turn(view, place.x);
    const double pixels = view->pixels;
    return (RiverPoint){ .x = (place.x - window->left) * pixels, .y = (place.y - window->top) * pixels };
}

// A chain: a sum of hashes is the same for mirrored places, whose coordinates change places. Adding 0 makes
// one zero of two.
static uint64_t mix_place(uint64_t key, Vec3 at) {
    return mix_number(mix_number(mix_number(key, at.x + 0.0), at.y + 0.0), at.z + 0.0);
}

// Of the edge between two places, whichever comes first.
static uint64_t edge_key(Vec3 a, Vec3 b) {
    const bool turn = first_is_near(b, a);
    return mix_place(mix_place(0, turn ? b : a), turn ? a : b) | 1;
}

static void add_tile(const Reader *reader, const Tile *tile) {
    const TileWindow *window = reader->window;
    const View *view = window->view;
    Vec3 crossings[3];
    TriangleRivers triangle = { .count = tile_crossings(tile, crossings) };
    triangle.middle = point_at(window, tile_middle(tile->places));
    if (triangle.middle.x < 0 || triangle.middle.x >= view->width || triangle.middle.y < 0 ||
        triangle.middle.y >= view->height)
        return;
    const double whole = view->map->tiling->planet ? 4 * PI : 1; // the basins of a planet are in square radii
    int i = 0;
    for (int edge = 0; edge < 3; edge++) {
        const Crossing crossing = tile->edges[edge];
        if (!crossing.river)
            continue;
        RiverPoint *point = &triangle.points[i];
        *point = point_at(window, crossings[i]);
        point->altitude = (float)((double)crossing.altitude * (1 / FIXED_UNITS));
        point->area = (double)crossing.basin * (double)crossing.basin / whole;
        point->width = (float)(view->map->width * (double)crossing.basin * view->pixels);
        triangle.keys[i] = edge_key(tile->places[edge], tile->places[(edge + 1) % 3]);
        triangle.out[i] = crossing.forwards;
        i++;
    }
    triangle_rivers_add(reader->builder, &triangle);
}

static void go_down(const Reader *reader, const Tile *tile) {
    if (reader->builder->failed || reader->window->beside(reader->window, tile))
        return;
    if (tile->shape.longest <= reader->longest) {
        if (tile_has_river(tile))
            add_tile(reader, tile);
        return;
    }
    Tile halves[2];
    tile_cut(reader->window->view->map, tile, halves);
    go_down(reader, &halves[0]);
    go_down(reader, &halves[1]);
}

TileWindow tile_window(const View *view) {
    return (TileWindow){ .view = view,
                         .left = ldexp((double)view_left(view), -PLACE_BITS),
                         .top = ldexp((double)view_top(view), -PLACE_BITS) };
}

Status tile_rivers_add(const TileWindow *window, NetworkBuilder *builder) {
    const View *view = window->view;
    const Reader reader = { .window = window,
                            .builder = builder,
                            .longest = view->map->tiling->tiles->finest * window->pixel * window->pixel };
    Tile first[FIRST_TILES_MAX];
    const int count = first_tiles(view->map, first);
    Status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < count; i++) {
        go_down(&reader, &first[i]);
        status = run_advance(view->run, i + 1, count);
    }
    return status;
}
