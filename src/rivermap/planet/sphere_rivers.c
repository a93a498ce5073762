// The rivers of a sphere, on its equirectangular map.

#include "rivermap/globe.h"
#include "rivermap/planet/sphere.h"
#include "rivermap/tile/tile_rivers.h"

#include <math.h>

// The window is inside a circle around its centre; an arc is longer than its chord.
static bool beside(const TileWindow *window, const Tile *tile) {
    const View *view = window->view;
    const double pixel = 1 / view->pixels, width = view->width * pixel, height = view->height * pixel;
    const double radius = 3.1416 * (width + height) + 1.6 * sqrt(tile->shape.longest);
    return squared_distance(tile->places[0], window->middle) > radius * radius;
}

Status sphere_add_rivers(const View *view, NetworkBuilder *builder, Error *error) {
    (void)error;
    TileWindow window = tile_window(view);
    window.pixel = globe_pixel(view);
    window.middle = globe_middle(view);
    window.on_map = globe_on_map;
    window.beside = beside;
    return tile_rivers_add(&window, builder);
}
