// Where the sea of a planet's land shows in a picture: along the lines between the middles of neighbouring
// cells of the sea, in whatever projection, and where streams end.

#include "rivermap/eroded/planet.h"
#include "rivermap/globe.h"
#include "rivers/drainage.h"

#include "core/math.h"
#include "core/whole.h"

#include <math.h>

typedef struct Search {
    const PlanetWindow *window;
    const PixelSeas *seas;
    const Field *flow;
    double pixels, around; // that a cell's area takes; those around the planet, if they meet, or 0
    float least;           // streams drain
    int face;
} Search;

// Where a picture shows a cell, in its pixels.
typedef struct Spot {
    bool shown;
    double x, y;
} Spot;

static Spot spot_of(const PlanetWindow *window, const CubeCell *cell) {
    const View *view = window->view;
    const Vec3 at = place_on_planet(eroded_of(view->map)->axes, window->side, cell->face,
                                    (double)cell->x + 0.5, (double)cell->y + 0.5);
    Vec2 position;
    const bool shown = globe_shows(view, at, &position);
    if (view_goes_round(view))
        position.x = view_nearest_turn(view, position.x);
    return (Spot){ .shown = shown,
                   .x = (position.x - ldexp((double)view_left(view), -PLACE_BITS)) * view->pixels,
                   .y = (position.y - ldexp((double)view_top(view), -PLACE_BITS)) * view->pixels };
}

static bool is_sea(const LandWindow *land, int cell) {
    return land->receiver[cell] >= NEIGHBOURS && land->base + land->altitude[cell] <= 0;
}

// --- straits and inlets -----------------------------------------------------------------------------------

// Planets that meet themselves are drawn as if they went on; both ends lie on the same side of the seam.
static void add_line(const Search *search, Spot from, Spot to) {
    const double around = search->around;
    if (!from.shown || !to.shown)
        return;
    to.x += to.x - from.x > around / 2 ? -around : from.x - to.x > around / 2 ? around : 0;
    for (int turn = around > 0 ? -1 : 0; turn <= (around > 0 ? 1 : 0); turn++) {
        const double left = min(from.x, to.x) + turn * around, right = max(from.x, to.x) + turn * around;
        if (right >= 0 && left < search->seas->width && max(from.y, to.y) >= 0 &&
            min(from.y, to.y) < search->seas->height)
            pixel_seas_add(search->seas, from.x + turn * around, from.y, to.x + turn * around, to.y);
    }
}

// To the right and down, and over edges both ways: beyond one, right may be down.
static void add_lines(const Search *search, int x, int y) {
    const PlanetWindow *window = search->window;
    const LandWindow *land = &window->land.on[search->face];
    const CubeCell cell = { search->face, land->x + x, land->y + y, 0 };
    const Spot from = spot_of(window, &cell);
    for (int d = 0; d < NEIGHBOURS; d += 2) {
        CubeCell beside = { cell.face, cell.x + neighbour_x[d], cell.y + neighbour_y[d], 0 };
        const int number = planet_cell(window, &beside);
        if (number >= 0 && (d < 4 || beside.face != cell.face) &&
            is_sea(&window->land.on[beside.face], number))
            add_line(search, from, spot_of(window, &beside));
    }
}

// --- mouths -----------------------------------------------------------------------------------------------

// The most that drains into a cell of the sea from one beside it.
static float drains_into(const Search *search, const CubeCell *cell) {
    float most = 0;
    for (int d = 0; d < NEIGHBOURS; d++) {
        CubeCell donor = { cell->face, cell->x + neighbour_x[d], cell->y + neighbour_y[d], 0 };
        const int number = planet_cell(search->window, &donor);
        const LandWindow *land = &search->window->land.on[donor.face];
        if (number >= 0 && land->receiver[number] == turned_direction((d + 4) % NEIGHBOURS, donor.turn))
            most = max(most, land->area[number]);
    }
    return most;
}

// Not where more drains through the pixel elsewhere.
static void add_mouth_at(const Search *search, float area, int column, int row) {
    if (column >= 0 && row >= 0 && column < search->seas->width && row < search->seas->height &&
        !(field_row(search->flow, row)[column] > (float)((double)area * search->pixels)))
        pixel_seas_add_mouth(search->seas, column, row);
}

static void add_mouth(const Search *search, int x, int y) {
    const LandWindow *land = &search->window->land.on[search->face];
    const CubeCell cell = { search->face, land->x + x, land->y + y, 0 };
    const float area = drains_into(search, &cell);
    if (area < search->least)
        return;
    const Spot spot = spot_of(search->window, &cell);
    for (int turn = search->around > 0 ? -1 : 0; spot.shown && turn <= (search->around > 0 ? 1 : 0); turn++)
        add_mouth_at(search, area, whole_int(floor(spot.x + turn * search->around)),
                     whole_int(floor(spot.y)));
}

// ----------------------------------------------------------------------------------------------------------

static void add_cell(const void *context, int x, int y) {
    add_lines(context, x, y);
    add_mouth(context, x, y);
}

static void add_rows(void *context, int first, int end) {
    const Search *search = context;
    for (int y = first; y < end; y++)
        pixel_seas_find(&search->window->land.on[search->face], y, add_cell, search);
}

Status planet_open_seas(const PlanetWindow *window, double pixels, Error *error) {
    const View *view = window->view;
    const RiverMap *map = view->map;
    PixelSeas seas;
    Search search = { .window = window,
                      .seas = &seas,
                      .flow = view->flow,
                      .pixels = pixels,
                      .around = view_goes_round(view) ? view->pixels : 0,
                      .least = window->cell >= 0.5 ? (float)stream_area(map, window->depth)
                                                   : river_min_area(map, window->depth, window->cell) };
    Status status = pixel_seas_create(&seas, view->width, view->height, error);
    for (search.face = 0; search.face < CUBE_FACES && status == STATUS_OK; search.face++) {
        const LandWindow *land = &window->land.on[search.face];
        if (land->altitude)
            status = parallel_rows(view->run, land->height, land->width * 50.0, add_rows, &search);
    }
    if (status == STATUS_OK)
        status = pixel_seas_open(&seas, -(double)window->datum * window->unit, window->unit, view->altitude,
                                 view->flow, error);
    pixel_seas_free(&seas);
    return status;
}
