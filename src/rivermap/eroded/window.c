#include "rivermap/eroded/window.h"

#include "core/math.h"

#include <math.h>

int eroded_depth(const View *view) {
    const int depth = log2_above(view->pixels), least = view->map->eroded->depth;
    return depth > least ? depth : least;
}

// The cells of a row or column that a window shows, and more.
typedef struct Span {
    Int128 first;
    int count;
} Span;

static Span span_of(Int128 from, Int128 size, int depth, int margin) {
    const int shift = PLACE_BITS - depth;
    const Int128 last_cell = ((Int128)1 << depth) - 1;
    Int128 first = (from >> shift) - margin, last = ((from + size - 1) >> shift) + margin;
    first = first < 0 ? 0 : first > last_cell ? last_cell : first;
    last = last < first ? first : last > last_cell ? last_cell : last;
    return (Span){ first, (int)(last - first) + 1 };
}

Status eroded_open(ErodedWindow *window, const View *view, int depth, int margin, Error *error) {
    *window = (ErodedWindow){ .view = view,
                              .depth = depth,
                              .cell = view->pixels / ldexp(1, depth),
                              .unit = ldexp(1 / (VERTICAL_SCALE * UNITS_PER_CELL), -depth) };
    const Span across = span_of(view_left(view), view->pixel * view->width, depth, margin),
               down = span_of(view_top(view), view->pixel * view->height, depth, margin);
    Land *land;
    const Status status = eroded_land(view->map, view->run, &land, error);
    return status == STATUS_OK ? land_window(land, view->run, depth - view->map->eroded->depth, across.first,
                                             down.first, across.count, down.count, &window->land, error)
                               : status;
}

float river_area_least_at(const RiverMap *map, int depth, double cell) {
    // Of streams, the smaller ones end in the levels below the hillslope length, up to four times its square.
    const double length = (double)map->eroded->rules.hillslope * ldexp(1, depth);
    return (float)max(4 * length * length, (double)RIVER_PIXELS / (cell * cell));
}

float river_area_least(const ErodedWindow *window) {
    return river_area_least_at(window->view->map, window->depth, window->cell);
}

void eroded_close(ErodedWindow *window) {
    land_window_free(&window->land);
}
