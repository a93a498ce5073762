// The sea in which a planet's rivers end. A pixel's altitude is a mean of the cells around, which averages
// away inlets and specks of sea. As on flat land (flat_view.c) a pixel shows the sea instead where a stream
// ends in it, unless more drains through the pixel elsewhere.

#include "rivermap/eroded/planet.h"
#include "rivermap/globe.h"
#include "rivers/drainage.h"

#include "core/whole.h"

#include <math.h>

// The pixel that shows the middle of a cell, counted row by row, or -1.
static int pixel_of(const PlanetWindow *window, const CubeCell *cell) {
    const View *view = window->view;
    const Vec3 at = place_on_planet(eroded_of(view->map)->axes, window->side, cell->face,
                                    (double)cell->x + 0.5, (double)cell->y + 0.5);
    Vec2 position;
    if (!globe_shows(view, at, &position))
        return -1;
    const double x = (position.x - ldexp((double)view_left(view), -PLACE_BITS)) * view->pixels,
                 y = (position.y - ldexp((double)view_top(view), -PLACE_BITS)) * view->pixels;
    return x >= 0 && y >= 0 && x < view->width && y < view->height ? whole_int(y) * view->width + whole_int(x)
                                                                   : -1;
}

// The cell of the sea into which one drains; false: none.
static bool mouth_of(const PlanetWindow *window, int face, int cell, CubeCell *mouth, double *altitude) {
    const LandWindow *land = &window->land.on[face];
    const int direction = land->receiver[cell];
    if (direction >= NEIGHBOURS)
        return false;
    *mouth = (CubeCell){ face, land->x + cell % land->width + neighbour_x[direction],
                         land->y + cell / land->width + neighbour_y[direction], 0 };
    const int number = planet_cell(window, mouth);
    const LandWindow *below = &window->land.on[mouth->face];
    if (number < 0 || below->receiver[number] < NEIGHBOURS || below->base + below->altitude[number] > 0)
        return false;
    *altitude = planet_altitude(window, mouth->face, number);
    return true;
}

// `area`: of the stream, in pixels.
static void show_mouth(const PlanetWindow *window, int pixel, float area, double altitude) {
    const float sea = (float)((double)-window->datum * window->unit);
    float *shown = &field_cells(window->view->altitude)[pixel],
          *flow = &field_cells(window->view->flow)[pixel];
    if (*shown < sea || *flow > area)
        return;
    *shown = fminf((float)altitude, sea - (float)window->unit);
    *flow = 0;
}

void planet_draw_mouths(const PlanetWindow *window, double pixels) {
    const RiverMap *map = window->view->map;
    const float least = window->cell >= 0.5 ? (float)stream_area(map, window->depth)
                                            : river_min_area(map, window->depth, window->cell);
    for (int face = 0; face < CUBE_FACES; face++) {
        const LandWindow *land = &window->land.on[face];
        for (int i = 0; land->altitude && i < land->width * land->height; i++) {
            CubeCell mouth;
            double altitude;
            if (land->area[i] < least || !mouth_of(window, face, i, &mouth, &altitude))
                continue;
            const int pixel = pixel_of(window, &mouth);
            if (pixel >= 0)
                show_mouth(window, pixel, (float)((double)land->area[i] * pixels), altitude);
        }
    }
}
