#include "rivermap/eroded/flat.h"

#include "core/math.h"
#include "core/memory.h"

#include <math.h>

int flat_depth(const View *view) {
    const int depth = log2_above(view->pixels), least = eroded_of(view->map)->depth;
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

Status flat_open(FlatWindow *window, const View *view, int depth, int margin, Error *error) {
    *window = (FlatWindow){ .view = view,
                            .depth = depth,
                            .cell = view->pixels / ldexp(1, depth),
                            .unit = ldexp(1 / (VERTICAL_SCALE * UNITS_PER_CELL), -depth) };
    const Span across = span_of(view_left(view), view->pixel * view->width, depth, margin),
               down = span_of(view_top(view), view->pixel * view->height, depth, margin);
    Land *land;
    const Status status = eroded_land(view->map, view->run, &land, error);
    return status == STATUS_OK
               ? land_window(land, view->run, depth - eroded_of(view->map)->depth, across.first, down.first,
                             across.count, down.count, &window->land, error)
               : status;
}

void flat_close(FlatWindow *window) {
    land_window_free(&window->land);
    memory_free((void *)window->in_gap);
}
