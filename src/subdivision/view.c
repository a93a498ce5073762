#include "subdivision/view.h"

#include <math.h>

// The window must lie in the middle `part` of the map's side: 1, or for a planet's latitudes one half.
static Status check_window(const char *name, Wide centre, Wide half, double part, Error *error) {
    const Wide one = (Wide)1 << PLACE_BITS, hair = half >> 24, low = (Wide)ldexp((1 - part) / 2, PLACE_BITS);
    if (centre - half >= low - hair && centre + half <= one - low + hair)
        return STATUS_OK;
    const double margin = (double)(low + half) / (double)one;
    if (margin > 0.5)
        return fail(error, STATUS_INVALID,
                    "the window is larger than the map: a planet is twice as wide as high");
    const Digits least = digits_of(margin), most = digits_of(1 - margin),
                 got = digits_of((double)centre / (double)one);
    if (margin == 0.5)
        return fail(error, STATUS_INVALID, "the window leaves the map: at this zoom %s must be 0.5, got %s",
                    name, got.text);
    return fail(error, STATUS_INVALID, "the window leaves the map: at this zoom %s must be %s to %s, got %s",
                name, least.text, most.text, got.text);
}

Status view_set(View *view, const Call *call, Decimal x, Decimal y, double zoom, bool half_high,
                Error *error) {
    // What bits there are for places and altitudes, less what a pixel needs.
    const RiverMap *map = call->inputs[0].map;
    const double most_pixels = map->tiling == TILING_RIGHT ? 0x1p100 : 0x1p40;
    const int longer = call->width > call->height ? call->width : call->height;
    const double pixels = zoom * longer;
    if (!(pixels <= most_pixels))
        return fail(error, STATUS_INVALID, "zoom must be at most %s at this size, got %s",
                    digits_of(most_pixels / longer).text, digits_of(zoom).text);
    view->map = map;
    view->run = call->run;
    view->width = call->width;
    view->height = call->height;
    view->x = place_of(x);
    view->y = place_of(y);
    view->pixel = (Wide)ldexp(1 / pixels, PLACE_BITS);
    view->pixels = pixels;
    view->line_basin = INFINITY;
    const Status status = check_window("x", view->x, view->pixel * call->width / 2, 1, error);
    return status == STATUS_OK
               ? check_window("y", view->y, view->pixel * call->height / 2, half_high ? 0.5 : 1, error)
               : status;
}
