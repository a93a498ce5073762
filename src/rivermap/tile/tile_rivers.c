// The rivers of tiles as data: of those that render draws, in the plane and on the sphere.

#include "rivermap/planet/globe.h"
#include "rivermap/tile/tile.h"
#include "rivermap/triangle_rivers.h"

#include "core/random.h"

#include <math.h>

typedef struct Reader {
    const View *view;
    NetworkBuilder *builder;
    double left, top; // of the window, in map units
    Vec3 middle;      // of planets: of the window
    double longest;   // squared, what tiles are cut down to
} Reader;

// In cells of the window.
static RiverPoint point_at(const Reader *reader, Vec3 at) {
    if (is_planet(reader->view->map))
        at = globe_seen(at);
    return (RiverPoint){ .x = (at.x - reader->left) * reader->view->pixels,
                         .y = (at.y - reader->top) * reader->view->pixels };
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
    const View *view = reader->view;
    Vec3 crossings[3];
    TriangleRivers triangle = { .count = tile_crossings(tile, crossings) };
    triangle.middle = point_at(reader, tile_middle(tile->places));
    if (triangle.middle.x < 0 || triangle.middle.x >= view->width || triangle.middle.y < 0 ||
        triangle.middle.y >= view->height)
        return;
    int i = 0;
    for (int edge = 0; edge < 3; edge++) {
        const Crossing crossing = tile->edges[edge];
        if (!crossing.river)
            continue;
        RiverPoint *point = &triangle.points[i];
        *point = point_at(reader, crossings[i]);
        point->altitude = (float)((double)crossing.altitude * (1 / FIXED_UNITS));
        point->area = (double)crossing.basin * (double)crossing.basin;
        point->width = (float)(view->map->width * (double)crossing.basin * view->pixels);
        triangle.keys[i] = edge_key(tile->places[edge], tile->places[(edge + 1) % 3]);
        triangle.out[i] = crossing.forwards;
        i++;
    }
    triangle_rivers_add(reader->builder, &triangle);
}

// Whether a tile, with all its children, lies beside the window.
static bool lies_beside(const Reader *reader, const Tile *tile) {
    const View *view = reader->view;
    const double size = sqrt(tile->longest), pixel = 1 / view->pixels;
    const double width = view->width * pixel, height = view->height * pixel;
    const Vec3 at = tile->places[0];
    if (is_planet(
            view->map)) { // the window lies in a circle around its middle; an arc is longer than its chord
        const double radius = 3.1416 * (width + height) + 1.6 * size;
        return squared_distance(at, reader->middle) > radius * radius;
    }
    const double reach = size * (1 + BEND_REACH);
    return at.x + reach < reader->left || at.x - reach > reader->left + width || at.y + reach < reader->top ||
           at.y - reach > reader->top + height;
}

static void go_down(const Reader *reader, const Tile *tile) {
    if (reader->builder->failed || lies_beside(reader, tile))
        return;
    if (tile->longest <= reader->longest) {
        if (tile->edges[0].river || tile->edges[1].river || tile->edges[2].river)
            add_tile(reader, tile);
        return;
    }
    Tile halves[2];
    tile_cut(reader->view->map, tile, halves);
    go_down(reader, &halves[0]);
    go_down(reader, &halves[1]);
}

Status add_tile_rivers(const View *view, NetworkBuilder *builder) {
    const double pixel = is_planet(view->map) ? globe_pixel(view) : 1 / view->pixels;
    const Reader reader = { .view = view,
                            .builder = builder,
                            .left = ldexp((double)view_left(view), -PLACE_BITS),
                            .top = ldexp((double)view_top(view), -PLACE_BITS),
                            .middle = globe_middle(view),
                            .longest = finest_tile(view->map->tiling) * pixel * pixel };
    Tile first[FIRST_TILES_MAX];
    const int count = first_tiles(view->map, first);
    Status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < count; i++) {
        go_down(&reader, &first[i]);
        status = run_advance(view->run, i + 1, count);
    }
    return status;
}
