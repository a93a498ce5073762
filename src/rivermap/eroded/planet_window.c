#include "rivermap/eroded/planet.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "rivermap/globe.h"

#include <math.h>

// A face of a cube has as many cells as pixels, which are larger in its middle and smaller at its corners.
int planet_depth(const View *view) {
    const double around = view->projection == PROJECTION_CUBE ? 4 * view->pixels : 2 * PI / globe_pixel(view);
    const int depth = log2_above(around), least = eroded_of(view->map)->depth;
    return max(depth, least);
}

static PlanetWindow window_of(const View *view, int depth) {
    return (PlanetWindow){ .view = view,
                           .depth = depth,
                           .cell = 2 * PI / globe_pixel(view) * ldexp(1, -depth),
                           .side = ldexp(1, depth - 2),
                           .unit = ldexp(1 / (PLANET_SCALE * LAND_UNITS_PER_CELL), -depth) };
}

// --- which cells a view shows -----------------------------------------------------------------------------

typedef struct Shown {
    const PlanetWindow *window;
    LandRect (*rows)[CUBE_FACES];
} Shown;

static void include_cell(LandRect *rect, Int128 x, Int128 y) {
    const bool empty = rect->right <= rect->left;
    *rect = (LandRect){ empty || x < rect->left ? x : rect->left, empty || y < rect->top ? y : rect->top,
                        empty || x >= rect->right ? x + 1 : rect->right,
                        empty || y >= rect->bottom ? y + 1 : rect->bottom };
}

static void include_pixel(void *planet, Vec3 at, int x, int y) {
    const Shown *shown = planet;
    const PlanetWindow *window = shown->window;
    (void)x;
    const GridPlace place = grid_place(eroded_of(window->view->map)->axes, window->side, at);
    const double last = window->side - 1, column = floor(place.x), row = floor(place.y);
    include_cell(&shown->rows[y][place.face], whole_64(clamp(column, 0, last)),
                 whole_64(clamp(row, 0, last)));
}

static Status find_shown(PlanetWindow *window, Error *error) {
    View view = *window->view;
    Field frame = { .width = view.width, .height = view.height };
    const size_t rows = (size_t)view.height;
    Shown shown = { window, memory_new_zeroed(rows, sizeof *shown.rows, error) };
    if (!shown.rows)
        return STATUS_MEMORY;
    if (!view.altitude)
        view.altitude = &frame;
    const Status status = globe_draw(&view, include_pixel, &shown, error);
    for (size_t y = 0; y < rows; y++)
        for (int face = 0; face < CUBE_FACES; face++) {
            const LandRect *rect = &shown.rows[y][face];
            if (rect->right <= rect->left)
                continue;
            include_cell(&window->land.wanted[face], rect->left, rect->top);
            include_cell(&window->land.wanted[face], rect->right - 1, rect->bottom - 1);
        }
    memory_free(shown.rows);
    return status;
}

// -----------------------------------------------------------------------------------------------------------

static Status fill(PlanetWindow *window, int margin, Error *error) {
    const View *view = window->view;
    Land *land;
    Status status = eroded_land(view->map, view->run, &land, error);
    if (status != STATUS_OK)
        return status;
    land_faces_spread(&window->land, whole_64(window->side), margin);
    return land_faces(land, view->run, window->depth - eroded_of(view->map)->depth, &window->land, error);
}

Status planet_open(PlanetWindow *window, const View *view, int depth, int margin, Error *error) {
    *window = window_of(view, depth);
    const Status status = find_shown(window, error);
    return status == STATUS_OK ? fill(window, margin, error) : status;
}

Status planet_open_coarser(PlanetWindow *window, const PlanetWindow *finer, int depth, int margin,
                           Error *error) {
    const int levels = finer->depth - depth;
    *window = window_of(finer->view, depth);
    window->datum = finer->datum >> levels;
    for (int face = 0; face < CUBE_FACES; face++) {
        const LandRect *rect = &finer->land.wanted[face];
        if (rect->right > rect->left)
            window->land.wanted[face] =
                (LandRect){ rect->left >> levels, rect->top >> levels, ((rect->right - 1) >> levels) + 1,
                            ((rect->bottom - 1) >> levels) + 1 };
    }
    return fill(window, margin, error);
}

void planet_close(PlanetWindow *window) {
    for (int face = 0; face < CUBE_FACES; face++)
        memory_free((void *)window->in_gap[face]);
    land_faces_free(&window->land);
}

int planet_cell(const PlanetWindow *window, CubeCell *cell) {
    if (!cube_resolve(whole_64(window->side), cell))
        return -1;
    const LandWindow *land = &window->land.on[cell->face];
    const Int128 column = cell->x - land->x, row = cell->y - land->y;
    if (!land->altitude || column < 0 || row < 0 || column >= land->width || row >= land->height)
        return -1;
    return (int)row * land->width + (int)column;
}
