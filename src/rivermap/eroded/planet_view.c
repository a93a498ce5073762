// Draws a view of a planet's eroded land, in any projection: a pixel shows the cells around its middle on the
// ground, weighed by a cubic as on flat land (flat_view.c).

#include "rivermap/eroded/cell_weights.h"
#include "rivermap/eroded/planet.h"
#include "rivermap/eroded/wide_view.h"
#include "rivermap/globe.h"
#include "rivers/drainage.h"

#include "core/elementary.h"
#include "core/math.h"

#include <math.h>
#include <string.h>

enum { REACH_MAX = 32, TAPS_MAX = 2 * REACH_MAX }; // cells to each side of a pixel, which may be larger

typedef struct PlanetPicture {
    const PlanetWindow *window; // of a wide view
    Field *river;               // of what was asked for
    const PlanetLines *lines;   // NULL: no rivers
    double pixels;              // that a cell's area takes on average
    double stream;              // a cell that drains this many is a stream
} PlanetPicture;

// --- cells ------------------------------------------------------------------------------------------------

// The cell at a column and row of a face, which may lie beyond an edge; beyond two, one beside it.
static int cell_at(const PlanetWindow *window, int face, Int128 x, Int128 y, int *own_face) {
    const LandWindow *land = &window->land.on[face];
    const Int128 column = x - land->x, row = y - land->y, side = whole_64(window->side);
    *own_face = face;
    if (land->altitude && column >= 0 && row >= 0 && column < land->width && row < land->height)
        return (int)row * land->width + (int)column;
    const bool beside = x < 0 || x >= side;
    CubeCell cell = { face, x, beside ? clamp(y, 0, side - 1) : y, 0 };
    const int number = planet_cell(window, &cell);
    *own_face = cell.face;
    return number;
}

// The cells along one axis that a pixel's altitude comes from.
typedef struct Taps {
    Int128 first;
    int count;
    float weights[TAPS_MAX];
} Taps;

static Taps taps_at(double place, double cell) {
    const double from_middle = place - 0.5, below = floor(from_middle);
    const int reach = double_to_within(ceil(2 / cell), 1, REACH_MAX);
    const double size = max(cell, 2.0 / REACH_MAX);
    Taps taps = { .first = whole_64(below) - reach + 1, .count = 2 * reach };
    weigh_cells(taps.weights, taps.count, (float)(from_middle - below) + (float)(reach - 1), (float)size);
    return taps;
}

static double mean_inside(const PlanetWindow *window, const GridPlace *place, const Taps *across,
                          const Taps *down) {
    const LandWindow *land = &window->land.on[place->face];
    const int32_t *from = land->altitude + (size_t)(down->first - land->y) * (size_t)land->width +
                          (size_t)(across->first - land->x);
    const double base = (double)(land->base - window->datum);
    double sum = 0;
    for (int row = 0; row < down->count; row++, from += land->width) {
        double part = 0;
        for (int column = 0; column < across->count; column++)
            part += (double)across->weights[column] * (base + from[column]);
        sum += (double)down->weights[row] * part;
    }
    return sum * window->unit;
}

static double mean_over_edge(const PlanetWindow *window, const GridPlace *place, const Taps *across,
                             const Taps *down) {
    double sum = 0;
    for (int row = 0; row < down->count; row++) {
        double part = 0;
        for (int column = 0; column < across->count; column++) {
            int face;
            const int cell = cell_at(window, place->face, across->first + column, down->first + row, &face);
            part += cell < 0 ? 0 : (double)across->weights[column] * planet_altitude(window, face, cell);
        }
        sum += (double)down->weights[row] * part;
    }
    return sum;
}

static bool is_sea_at(const PlanetWindow *window, int face, Int128 x, Int128 y) {
    const int cell = cell_at(window, face, x, y, &face);
    const LandWindow *land = &window->land.on[face];
    return cell >= 0 && land->base + land->altitude[cell] <= 0;
}

// Whether one of the cells that count for more than nothing is sea, or land.
static bool any_cell(const PlanetWindow *window, const GridPlace *place, const Taps *across, const Taps *down,
                     bool sea) {
    for (int row = 0; row < down->count; row++)
        for (int column = 0; column < across->count; column++)
            if (down->weights[row] > 0 && across->weights[column] > 0 &&
                is_sea_at(window, place->face, across->first + column, down->first + row) == sea)
                return true;
    return false;
}

// The cubic swings beyond the cells' altitudes, but makes no sea of land and no land of sea.
static double altitude_at(const PlanetWindow *window, const GridPlace *place) {
    const Taps across = taps_at(place->x, window->cell * place->across),
               down = taps_at(place->y, window->cell * place->down);
    const LandWindow *land = &window->land.on[place->face];
    const bool inside = across.first >= land->x && across.first + across.count <= land->x + land->width &&
                        down.first >= land->y && down.first + down.count <= land->y + land->height;
    const double mean = inside ? mean_inside(window, place, &across, &down)
                               : mean_over_edge(window, place, &across, &down),
                 shore = -(double)window->datum * window->unit;
    const bool sea = mean < shore;
    if (is_sea_at(window, place->face, whole_64(place->x), whole_64(place->y)) == sea ||
        any_cell(window, place, &across, &down, sea))
        return mean;
    return sea ? shore + window->unit : shore - window->unit;
}

// --- streams ----------------------------------------------------------------------------------------------

// What runs through a pixel: the most that drains through a cell whose middle lies in it; and the bed of a
// stream, whose line passes within a pixel: its altitude, and 1 on the line, 0 a pixel beside it.
typedef struct Water {
    float area;
    double bed, nearness;
} Water;

// A cell, seen from a pixel's middle: in pixels.
typedef struct SeenCell {
    const LandWindow *land;
    int face, cell;
    double x, y;
} SeenCell;

// The line to the cell into which it drains, at (x, y) of the grid.
static void see_bed(const PlanetWindow *window, const GridPlace *place, const SeenCell *from, Int128 x,
                    Int128 y, int direction, Water *water) {
    int face;
    const int cell = cell_at(window, place->face, x, y, &face);
    if (cell < 0)
        return;
    const double along_x = neighbour_x[direction] * window->cell * place->across,
                 along_y = neighbour_y[direction] * window->cell * place->down;
    const double part = -(from->x * along_x + from->y * along_y) / (along_x * along_x + along_y * along_y);
    const double share = clamp(part, 0, 1), off_x = from->x + share * along_x,
                 off_y = from->y + share * along_y;
    const double nearness = 1 - sqrt(off_x * off_x + off_y * off_y);
    if (nearness <= water->nearness)
        return;
    const double start = planet_altitude(window, from->face, from->cell),
                 end = planet_altitude(window, face, cell);
    water->nearness = nearness;
    water->bed = start + share * (max(end, -(double)window->datum * window->unit) - start);
}

static void see_cell(const PlanetPicture *picture, const GridPlace *place, Int128 x, Int128 y, Water *water) {
    const PlanetWindow *window = picture->window;
    SeenCell seen = { .x = ((double)x + 0.5 - place->x) * window->cell * place->across,
                      .y = ((double)y + 0.5 - place->y) * window->cell * place->down };
    seen.cell = cell_at(window, place->face, x, y, &seen.face);
    if (seen.cell < 0)
        return;
    seen.land = &window->land.on[seen.face];
    const float area = seen.land->area[seen.cell];
    int direction = seen.land->receiver[seen.cell];
    if (direction >= NEIGHBOURS)
        return;
    if (fabs(seen.x) <= 0.5 && fabs(seen.y) <= 0.5)
        water->area = max(water->area, area);
    if (window->cell < 0.5 || (double)area < picture->stream)
        return;
    if (seen.face != place->face) { // as the pixel's face has it
        CubeCell cell = { place->face, x, y, 0 };
        cube_resolve(whole_64(window->side), &cell);
        direction = turned_direction(direction, (4 - cell.turn) & 3);
    }
    see_bed(window, place, &seen, x + neighbour_x[direction], y + neighbour_y[direction], direction, water);
}

static Water water_at(const PlanetPicture *picture, const GridPlace *place) {
    const PlanetWindow *window = picture->window;
    const double cell = max(window->cell, 2.0 / REACH_MAX), beds = window->cell < 0.5 ? 0.5 : 1;
    const double across = beds / (cell * place->across) + 1, down = beds / (cell * place->down) + 1;
    const Int128 left = whole_64(ceil(place->x - across - 0.5)),
                 right = whole_64(floor(place->x + across - 0.5)),
                 top = whole_64(ceil(place->y - down - 0.5)), bottom = whole_64(floor(place->y + down - 0.5));
    Water water = { 0 };
    for (Int128 y = top; y <= bottom; y++)
        for (Int128 x = left; x <= right; x++)
            see_cell(picture, place, x, y, &water);
    return water;
}

// --- pixels -----------------------------------------------------------------------------------------------

static void draw_pixel(void *planet, Vec3 at, int x, int y) {
    const PlanetPicture *picture = planet;
    const PlanetWindow *window = picture->window;
    const View *view = window->view;
    const GridPlace place = grid_place(eroded_of(view->map)->axes, window->side, at);
    const Water water = water_at(picture, &place);
    const double ground = altitude_at(window, &place), lower = water.bed - ground;
    field_row(view->altitude, y)[x] = (float)(ground + (lower < 0 ? water.nearness * lower : 0));
    // On land at least a cell's rain, as a pixel of land may lie between the middles of cells, or hold the
    // sea's.
    const bool sea = (double)field_row(view->altitude, y)[x] < -(double)window->datum * window->unit;
    field_row(view->flow, y)[x] = sea ? 0 : (float)((double)max(water.area, 1.0f) * picture->pixels);
    const int column = x - PIXEL_SEAS_MARGIN, row = y - PIXEL_SEAS_MARGIN;
    if (picture->lines && column >= 0 && row >= 0 && column < picture->river->width &&
        row < picture->river->height)
        field_row(picture->river, row)[column] = planet_lines_cover(picture->lines, &place, at);
}

static Datum datum_of_centre(const PlanetWindow *window) {
    const GridPlace place =
        grid_place(eroded_of(window->view->map)->axes, window->side, globe_middle(window->view));
    int face;
    const int cell = cell_at(window, place.face, whole_64(place.x), whole_64(place.y), &face);
    const LandWindow *land = &window->land.on[face];
    return (Datum){ cell < 0 ? 0 : land->base + land->altitude[cell], window->depth,
                    ldexp(window->unit, window->depth) };
}

Status planet_datum(const View *view, Datum *datum, Error *error) {
    PlanetWindow window;
    const Status status = planet_open(&window, view, planet_depth(view), 2, error);
    if (status == STATUS_OK)
        *datum = datum_of_centre(&window);
    planet_close(&window);
    return status;
}

static Status draw(PlanetWindow *window, Field *river, Error *error) {
    const View *view = window->view;
    const double mean_area = 4 * PI / (CUBE_FACES * window->side * window->side), pixel = globe_pixel(view);
    PlanetPicture picture = { .window = window,
                              .river = river,
                              .pixels = mean_area / (pixel * pixel),
                              .stream = stream_area(view->map, window->depth) };
    Status status = STATUS_OK;
    if (view->own_datum)
        *view->datum = datum_of_centre(window);
    window->datum = view->datum ? datum_at(view->datum, window->depth) : 0;
    const bool rivers = view->map->constants.rivers;
    if (rivers)
        status = planet_find_gaps(window, river_min_area(view->map, window->depth, window->cell), error);
    PlanetLines *lines = rivers && status == STATUS_OK ? planet_lines_new(window, &status, error) : NULL;
    picture.lines = lines;
    memset(field_cells(view->flow), 0, field_count(view->flow) * sizeof(float));
    if (status == STATUS_OK)
        status = globe_draw(view, draw_pixel, &picture, error);
    if (status == STATUS_OK)
        status = planet_open_seas(window, picture.pixels, error);
    planet_lines_free(lines);
    return status;
}

Status planet_render(const View *view, Error *error) {
    const int depth = planet_depth(view);
    const double cell = 2 * PI / globe_pixel(view) * ldexp(1, -depth);
    const int taps = double_to_within(ceil(3 / cell), 1, REACH_MAX) + 2,
              rivers =
                  river_margin(view->map, depth) + double_to_within(ceil(PLANET_ASLANT / cell), 1, REACH_MAX);
    PlanetWindow window = { 0 };
    WideView wide;
    Status status = wide_view_create(&wide, view, error);
    if (status == STATUS_OK)
        status = planet_open(&window, &wide.view, depth, max(taps, rivers), error);
    if (status == STATUS_OK)
        status = draw(&window, view->river, error);
    if (status == STATUS_OK)
        wide_view_take(&wide, view);
    planet_close(&window);
    wide_view_free(&wide);
    return status;
}
