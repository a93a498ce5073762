#include "settlement/grid.h"

#include "core/math.h"
#include "rivermap/view.h"

#include <math.h>

GridBox grid_box(int bits, const Int128 corners[4], int margin) {
    const int shift = PLACE_BITS - bits, side = 1 << bits;
    const Int128 most = side;
    const Int128 left = (corners[0] >> shift) - margin, top = (corners[1] >> shift) - margin,
                 right = -(-corners[2] >> shift) + margin, bottom = -(-corners[3] >> shift) + margin;
    const int x = (int)(left < 0       ? 0
                        : left >= most ? most - 1
                                       : left),
              y = (int)(top < 0       ? 0
                        : top >= most ? most - 1
                                      : top);
    return (GridBox){ x, y, (int)(right > most ? most : right) - x,
                      (int)(bottom > most ? most : bottom) - y };
}

GridBox grid_box_aligned(int bits, GridBox box, int side) {
    const int all = 1 << bits, x = box.x & -side, y = box.y & -side;
    const int right = min((box.x + box.width + side - 1) & -side, all),
              bottom = min((box.y + box.height + side - 1) & -side, all);
    return (GridBox){ x, y, right - x, bottom - y };
}

Status grid_draw(Grid *grid, const RiverMap *map, int bits, GridBox box, const Run *run, Error *error) {
    const Int128 pixel = (Int128)1 << (PLACE_BITS - bits);
    *grid = (Grid){ .bits = bits, .box = box, .metres = ldexp(map->metres, -bits) };
    const double pixels = ldexp(1, bits);
    View view = { .map = map,
                  .run = run,
                  .altitude = &grid->altitude,
                  .river = &grid->river,
                  .flow = &grid->flow,
                  .water = &grid->water,
                  .discharge = map->watered ? &grid->discharge : NULL,
                  .width = box.width,
                  .height = box.height,
                  .x = pixel * box.x + pixel * box.width / 2,
                  .y = pixel * box.y + pixel * box.height / 2,
                  .pixel = pixel,
                  .pixels = pixels,
                  .side = map->metres,
                  .line_basin = map->constants.width > 0
                                    ? (float)((double)CHANNEL_MIN / (double)map->constants.width / pixels)
                                    : INFINITY };
    view.centre_x = view.x;
    view.centre_y = view.y;
    const Status status = view_draw(&view, error);
    return status == STATUS_OK ? view_raise(&view) : status;
}

void grid_free(Grid *grid) {
    field_free(&grid->altitude);
    field_free(&grid->river);
    field_free(&grid->flow);
    field_free(&grid->water);
    field_free(&grid->discharge);
}
