#include "rivermap/view_network.h"

#include <math.h>

void view_place_network(const View *view, RiverNetwork *network) {
    network->left = ldexp((double)view_left(view), -PLACE_BITS);
    network->top = ldexp((double)view_top(view), -PLACE_BITS);
    network->cell = 1 / view->pixels;
    network->width = view->width;
    network->height = view->height;
    network->exact_left = view_left(view);
    network->exact_top = view_top(view);
    network->exact_cell = view->pixel;
    network->planet = view->map->tiling->planet;
    network->frame = view_frame(view);
    for (int i = 0; i < network->point_count; i++)
        network->points[i].altitude = (float)((double)network->points[i].altitude * view_height(view));
}
