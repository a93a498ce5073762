#include "settlement/window.h"

#include "core/whole.h"
#include "rivermap/globe.h"

#include <math.h>

double face_pixels(const View *view) {
    return view->map->tiling->planet ? PI / 2 / globe_pixel(view) : view->pixels;
}

Status settlement_view(SettlementView *shown, const Call *call, Error *error) {
    const SettlementWindow *window = call->params;
    *shown = (SettlementView){ .level = -1 };
    View *view = &shown->view;
    const WindowRequest asked = { WINDOW_ASKED(window) };
    const SettlementRules rules = { window->largest, window->smallest, window->ports };
    Status status = settlement_open(&shown->settlement, call->inputs[0].value, &rules, call->run, error);
    if (status == STATUS_OK)
        status = view_project(view, call->inputs[0].value, window->projection, window->face,
                              &window->rotation, error);
    if (status == STATUS_OK)
        status = view_set(view, call, &asked, error);
    if (status != STATUS_OK)
        return status;
    const Settlement *settlement = &shown->settlement;
    const double pixels = face_pixels(view);
    shown->level = settlement_level(settlement, pixels, window->spacing);
    shown->bits = max(level_bits(settlement, max(shown->level, 0)),
                      min(log2_above(pixels), settlement_last_bits(settlement)));
    return region_of_view(&shown->region, view, error);
}

// How many cells more the map has at an edge of the window, at most `most`. `room`: to the map's edge.
static int cells_more(Int128 room, Int128 pixel, int most) {
    return room < pixel * most ? (int)(room / pixel) : most;
}

Status settlement_ground(const SettlementView *shown, int margin, Grid *ground, Error *error) {
    View view = shown->view;
    const Int128 side = (Int128)1 << PLACE_BITS, pixel = view.pixel, left = view_left(&view),
                 top = view_top(&view);
    const bool round = view.map->tiling->planet, // whose windows go on, whatever lies there
        halved = round && view.projection == PROJECTION_EQUIRECTANGULAR;
    const Int128 pole = halved ? side / 4 : 0;
    const int before = round ? margin : cells_more(left, pixel, margin),
              after = round ? margin : cells_more(side - left - pixel * view.width, pixel, margin),
              above = cells_more(top - pole, pixel, margin),
              below = cells_more(side - pole - top - pixel * view.height, pixel, margin);
    view.width += before + after;
    view.height += above + below;
    view.x = left - pixel * before + pixel * view.width / 2;
    view.y = top - pixel * above + pixel * view.height / 2;
    *ground = (Grid){ .box = { -before, -above, view.width, view.height } };
    view.altitude = &ground->altitude;
    view.river = &ground->river;
    view.flow = &ground->flow;
    view.water = &ground->water;
    return view_draw(&view, error);
}

// A place of the view's map in cells.
static Vec2 cells_of(const View *view, Int128 x, Int128 y) {
    return (Vec2){ (double)(x - view_left(view)) / (double)view->pixel,
                   (double)(y - view_top(view)) / (double)view->pixel };
}

// Where a view shows a direction from a planet's middle.
static bool shown_place(const View *view, Vec3 direction, Vec2 *place) {
    Vec2 position;
    if (!globe_shows(view, direction, &position))
        return false;
    if (view_goes_round(view))
        position.x = view_nearest_turn(view, position.x);
    *place =
        cells_of(view, whole_128(ldexp(position.x, PLACE_BITS)), whole_128(ldexp(position.y, PLACE_BITS)));
    return true;
}

bool settlement_place(const SettlementView *shown, const Grid *grid, double x, double y, Vec2 *place) {
    const View *view = &shown->view;
    if (grid->axes)
        return shown_place(view, grid_direction(grid, x, y), place);
    // Whole 256ths of the grid's pixels, so that only the last step rounds.
    const int finer = 8;
    const Int128 part = (Int128)1 << (PLACE_BITS - grid->bits - finer);
    *place = cells_of(view, whole_128(floor(ldexp(x, finer) + 0.5)) * part,
                      whole_128(floor(ldexp(y, finer) + 0.5)) * part);
    return true;
}

bool settlement_own_place(const SettlementView *shown, const OwnPlace *own, Vec2 *place) {
    if (shown->region.axes)
        return shown_place(&shown->view,
                           (Vec3){ own->at.x * (PI / 2), own->at.y * (PI / 2), own->at.z * (PI / 2) }, place);
    *place = cells_of(&shown->view, own->x, own->y);
    return true;
}
