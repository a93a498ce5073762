#include "settlement/window.h"

#include <math.h>

Status settlement_view(SettlementView *shown, const Call *call, Error *error) {
    const SettlementWindow *window = call->params;
    *shown = (SettlementView){ .level = -1 };
    View *view = &shown->view;
    const WindowRequest asked = { WINDOW_ASKED(window) };
    const SettlementRules rules = { window->largest, window->smallest, window->ports };
    Status status = settlement_open(&shown->settlement, call->inputs[0].value, &rules, call->run, error);
    if (status == STATUS_OK)
        status = view_set(view, call, &asked, error);
    if (status != STATUS_OK)
        return status;
    const Settlement *settlement = &shown->settlement;
    shown->corners[0] = view_left(view);
    shown->corners[1] = view_top(view);
    shown->corners[2] = shown->corners[0] + view->pixel * view->width;
    shown->corners[3] = shown->corners[1] + view->pixel * view->height;
    shown->level = settlement_level(settlement, view->pixels, window->spacing);
    shown->bits = max(level_bits(settlement, max(shown->level, 0)),
                      min(log2_above(view->pixels), settlement_last_bits(settlement)));
    return STATUS_OK;
}

Status settlement_ground(const SettlementView *shown, int margin, Grid *ground, Error *error) {
    View view = shown->view;
    const Int128 side = (Int128)1 << PLACE_BITS, pixel = view.pixel;
    const Int128 room[4] = { shown->corners[0], shown->corners[1], side - shown->corners[2],
                             side - shown->corners[3] };
    int more[4]; // cells on the left, at the top, on the right, at the bottom
    for (int i = 0; i < 4; i++)
        more[i] = room[i] < pixel * margin ? (int)(room[i] / pixel) : margin;
    view.width += more[0] + more[2];
    view.height += more[1] + more[3];
    view.x = shown->corners[0] - pixel * more[0] + pixel * view.width / 2;
    view.y = shown->corners[1] - pixel * more[1] + pixel * view.height / 2;
    *ground = (Grid){ .box = { -more[0], -more[1], view.width, view.height } };
    view.altitude = &ground->altitude;
    view.river = &ground->river;
    view.flow = &ground->flow;
    view.water = &ground->water;
    return view_draw(&view, error);
}

Vec2 settlement_place(const SettlementView *shown, int bits, double x, double y) {
    const View *view = &shown->view;
    // Whole 256ths of the grid's pixels, so that only the last step rounds.
    const int finer = 8;
    const Int128 part = (Int128)1 << (PLACE_BITS - bits - finer);
    const Int128 at_x = whole_128(floor(ldexp(x, finer) + 0.5)) * part - shown->corners[0],
                 at_y = whole_128(floor(ldexp(y, finer) + 0.5)) * part - shown->corners[1];
    return (Vec2){ (double)at_x / (double)view->pixel, (double)at_y / (double)view->pixel };
}

Vec2 settlement_own_place(const SettlementView *shown, const OwnPlace *place) {
    const double pixel = (double)shown->view.pixel;
    return (Vec2){ (double)(place->x - shown->corners[0]) / pixel,
                   (double)(place->y - shown->corners[1]) / pixel };
}
