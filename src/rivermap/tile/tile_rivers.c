#include "rivermap/tile/tile_rivers.h"

#include "core/elementary.h"
#include "core/random.h"
#include "rivermap/triangle_rivers.h"

#include <math.h>

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
