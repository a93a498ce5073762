#include "rivermap/eroded/flat.h"

#include "core/whole.h"
#include "rivers/drainage.h"

#include <math.h>

enum { TURN = 4 }; // directions of eight to the opposite one

static bool is_land(const LandWindow *land, int cell) {
    return land->receiver[cell] < LAND_SEA;
}

// The cell next to one, or -1 beyond the window.
static int next_to(const LandWindow *land, int cell, int direction) {
    const int x = cell % land->width + neighbour_x[direction],
              y = cell / land->width + neighbour_y[direction];
    return x >= 0 && y >= 0 && x < land->width && y < land->height ? y * land->width + x : -1;
}

// The one of the cells that drain into this one through which most comes, or -1.
static int main_donor(const LandWindow *land, int cell) {
    int donor = -1;
    for (int direction = 0; direction < 8; direction++) {
        const int other = next_to(land, cell, direction);
        if (other >= 0 && is_land(land, other) && land->receiver[other] == (direction + TURN) % 8 &&
            (donor < 0 || land->area[other] > land->area[donor]))
            donor = other;
    }
    return donor;
}

// The cell into which one drains, or that drains into it, if there is one; otherwise the cell itself.
static int next_along(const LandWindow *land, int cell, bool downstream) {
    int next = -1;
    if (!downstream)
        next = main_donor(land, cell);
    else if (is_land(land, cell))
        next = next_to(land, cell, land->receiver[cell]);
    return next >= 0 ? next : cell;
}

// Cells up and downstream over which the line of a river is smoothed, less one a power of two: the wider it
// is, in cells, the more.
static int smoothing(const FlatWindow *window, int cell) {
    const double width = window->view->map->width * sqrt((double)window->land.area[cell]);
    return width < 1.5 ? 1 : width < 4 ? 3 : STREAM_SMOOTHING;
}

// A place on a stream, as its lines show it: a mean of the cells up and downstream, the nearer the more. What
// is no stream is where its cell is.
static void smoothed_place(const FlatWindow *window, int cell, Int128 *x, Int128 *y) {
    const LandWindow *land = &window->land;
    const int reach = is_land(land, cell) ? smoothing(window, cell) : 0, weight = reach + 1;
    int64_t columns = (int64_t)weight * (cell % land->width), rows = (int64_t)weight * (cell / land->width);
    for (int way = 0; way < 2; way++) {
        int at = cell;
        for (int step = 1; step <= reach; step++) {
            at = next_along(land, at, way);
            columns += (int64_t)(weight - step) * (at % land->width);
            rows += (int64_t)(weight - step) * (at / land->width);
        }
    }
    const Int128 size = (Int128)1 << (PLACE_BITS - window->depth), parts = (Int128)weight * weight;
    *x = cell_place(window, land->x) + columns * (size / parts);
    *y = cell_place(window, land->y) + rows * (size / parts);
}

bool stream_at(const FlatWindow *window, int cell, float least, Stream *stream) {
    const LandWindow *land = &window->land;
    if (!is_land(land, cell) || !(land->area[cell] >= least))
        return false;
    const int to = next_to(land, cell, land->receiver[cell]);
    if (to < 0)
        return false;
    *stream = (Stream){ .from = cell, .to = to, .area = land->area[cell], .mouth = !is_land(land, to) };
    stream->to_area = stream->mouth || land->area[to] < stream->area ? stream->area : land->area[to];
    smoothed_place(window, cell, &stream->x, &stream->y);
    smoothed_place(window, to, &stream->to_x, &stream->to_y);
    return true;
}
