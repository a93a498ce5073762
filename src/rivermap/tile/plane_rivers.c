// The rivers of tiles in the plane.

#include "rivermap/tile/plane.h"
#include "rivermap/tile/tile_rivers.h"

#include <math.h>

static Vec2 on_map(Vec3 at) {
    return (Vec2){ at.x, at.y };
}

static bool beside(const TileWindow *window, const Tile *tile) {
    const View *view = window->view;
    const double reach = sqrt(tile->shape.longest) * (1 + view->map->tiling->tiles->reach);
    const Vec3 at = tile->places[0];
    return at.x + reach < window->left || at.x - reach > window->left + view->width * window->pixel ||
           at.y + reach < window->top || at.y - reach > window->top + view->height * window->pixel;
}

Status plane_add_rivers(const View *view, NetworkBuilder *builder, Error *error) {
    (void)error;
    TileWindow window = tile_window(view);
    window.pixel = 1 / view->pixels;
    window.on_map = on_map;
    window.beside = beside;
    return tile_rivers_add(&window, builder);
}
