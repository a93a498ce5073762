// Draws a view of a planet's eroded land, in any projection: a pixel shows the cells around its middle on the
// ground, weighed by a cubic as on flat land (grid_ground.c).

#include "rivermap/eroded/cell_weights.h"
#include "rivermap/eroded/ground.h"
#include "rivermap/eroded/pixel_seas.h"
#include "rivermap/globe.h"

#include "core/elementary.h"
#include "core/math.h"

#include <math.h>
#include <string.h>

enum { REACH_MAX = 32, TAPS_MAX = 2 * REACH_MAX }; // cells to each side of a pixel, which may be larger

typedef struct PlanetPicture {
    const Atlas *atlas;
    Field *river;            // of what was asked for
    const RiverLines *lines; // NULL: no rivers
    double pixels;           // that a cell's area takes on average
    double stream;           // a cell that drains this many is a stream
} PlanetPicture;

// --- cells ------------------------------------------------------------------------------------------------

// The cell at a column and row of a face's window, which may lie beyond an edge of the face; beyond two, one
// beside it.
static inline bool cell_at(const Atlas *atlas, int face, int x, int y, AtlasCell *cell) {
    const LandWindow *land = &atlas->land.on[face];
    *cell = (AtlasCell){ face, x, y, 0 };
    if (x >= 0 && y >= 0 && x < land->width && y < land->height)
        return true;
    const Int128 column = land->x + x;
    if (column < 0 || column >= atlas->side)
        cell->y = (int)(clamp(land->y + y, 0, atlas->side - 1) - land->y);
    return atlas_resolve(atlas, cell);
}

// The cells along one axis that a pixel's altitude comes from, as the face's window counts them.
typedef struct Taps {
    int first, count;
    float weights[TAPS_MAX];
} Taps;

static Taps taps_at(double place, Int128 window, double cell) {
    const double from_middle = place - 0.5, below = floor(from_middle);
    const int reach = double_to_within(ceil(2 / cell), 1, REACH_MAX);
    const double size = max(cell, 2.0 / REACH_MAX);
    Taps taps = { .first = (int)(whole_64(below) - window) - reach + 1, .count = 2 * reach };
    weigh_cells(taps.weights, taps.count, (float)(from_middle - below) + (float)(reach - 1), (float)size);
    return taps;
}

static double mean_inside(const Atlas *atlas, int face, const Taps *across, const Taps *down) {
    const LandWindow *land = &atlas->land.on[face];
    const int32_t *from = land->altitude + (size_t)down->first * (size_t)land->width + (size_t)across->first;
    const double base = (double)(land->base - atlas->datum);
    double sum = 0;
    for (int row = 0; row < down->count; row++, from += land->width) {
        double part = 0;
        for (int column = 0; column < across->count; column++)
            part += (double)across->weights[column] * (base + from[column]);
        sum += (double)down->weights[row] * part;
    }
    return sum * atlas->unit;
}

static double mean_over_edge(const Atlas *atlas, int face, const Taps *across, const Taps *down) {
    double sum = 0;
    for (int row = 0; row < down->count; row++) {
        double part = 0;
        for (int column = 0; column < across->count; column++) {
            AtlasCell cell;
            if (cell_at(atlas, face, across->first + column, down->first + row, &cell))
                part += (double)across->weights[column] * altitude_of(atlas, cell);
        }
        sum += (double)down->weights[row] * part;
    }
    return sum;
}

static bool is_sea_at(const Atlas *atlas, int face, int x, int y) {
    AtlasCell cell;
    return cell_at(atlas, face, x, y, &cell) && height_of(atlas, cell) <= 0;
}

// Whether one of the cells that count for more than nothing is sea, or land.
static bool any_cell(const Atlas *atlas, int face, const Taps *across, const Taps *down, bool sea) {
    for (int row = 0; row < down->count; row++)
        for (int column = 0; column < across->count; column++)
            if (down->weights[row] > 0 && across->weights[column] > 0 &&
                is_sea_at(atlas, face, across->first + column, down->first + row) == sea)
                return true;
    return false;
}

// The cubic swings beyond the cells' altitudes, but makes no sea of land and no land of sea.
static double altitude_at(const Atlas *atlas, const GridPlace *place) {
    const int face = place->face;
    const LandWindow *land = &atlas->land.on[face];
    const Taps across = taps_at(place->x, land->x, atlas->cell * place->across),
               down = taps_at(place->y, land->y, atlas->cell * place->down);
    const bool inside = across.first >= 0 && across.first + across.count <= land->width && down.first >= 0 &&
                        down.first + down.count <= land->height;
    const double mean = inside ? mean_inside(atlas, face, &across, &down)
                               : mean_over_edge(atlas, face, &across, &down),
                 shore = shore_of(atlas);
    const bool sea = mean < shore;
    if (is_sea_at(atlas, face, (int)(whole_64(place->x) - land->x), (int)(whole_64(place->y) - land->y)) ==
            sea ||
        any_cell(atlas, face, &across, &down, sea))
        return mean;
    return sea ? shore + atlas->unit : shore - atlas->unit;
}

// --- streams ----------------------------------------------------------------------------------------------

// What runs through a pixel: the most that drains through a cell whose middle lies in it; and the bed of a
// stream, whose line passes within a pixel: its altitude, and 1 on the line, 0 a pixel beside it.
typedef struct Water {
    float area;
    double bed, nearness;
} Water;

// A pixel's place, and a cell seen from there: the cell's column and row in the window of the place's face,
// and the way to its middle in pixels.
typedef struct Sight {
    const GridPlace *place;
    AtlasCell cell;
    int column, row;
    double x, y;
} Sight;

// The line to the cell into which it drains, in a direction of the place's face.
static void see_bed(const Atlas *atlas, const Sight *from, int direction, Water *water) {
    const GridPlace *place = from->place;
    AtlasCell to;
    if (!cell_at(atlas, place->face, from->column + neighbour_x[direction],
                 from->row + neighbour_y[direction], &to))
        return;
    const double along_x = neighbour_x[direction] * atlas->cell * place->across,
                 along_y = neighbour_y[direction] * atlas->cell * place->down;
    const double part = -(from->x * along_x + from->y * along_y) / (along_x * along_x + along_y * along_y);
    const double share = clamp(part, 0, 1), off_x = from->x + share * along_x,
                 off_y = from->y + share * along_y;
    const double nearness = 1 - sqrt(off_x * off_x + off_y * off_y);
    if (nearness <= water->nearness)
        return;
    const double start = altitude_of(atlas, from->cell), end = altitude_of(atlas, to);
    water->nearness = nearness;
    water->bed = start + share * (max(end, shore_of(atlas)) - start);
}

static void see_cell(const PlanetPicture *picture, const GridPlace *place, int x, int y, Water *water) {
    const Atlas *atlas = picture->atlas;
    const LandWindow *land = &atlas->land.on[place->face];
    Sight seen = { .place = place, .column = x, .row = y };
    if (!cell_at(atlas, place->face, x, y, &seen.cell) || !is_drained(atlas, seen.cell))
        return;
    seen.x = ((double)(land->x + x) + 0.5 - place->x) * atlas->cell * place->across;
    seen.y = ((double)(land->y + y) + 0.5 - place->y) * atlas->cell * place->down;
    const float area = area_of(atlas, seen.cell);
    if (fabs(seen.x) <= 0.5 && fabs(seen.y) <= 0.5)
        water->area = max(water->area, area);
    if (shows_beds(atlas) && (double)area >= picture->stream)
        see_bed(atlas, &seen, turned_direction(receiver_of(atlas, seen.cell), (4 - seen.cell.turn) & 3),
                water);
}

static Water water_at(const PlanetPicture *picture, const GridPlace *place) {
    const Atlas *atlas = picture->atlas;
    const LandWindow *land = &atlas->land.on[place->face];
    const double cell = max(atlas->cell, 2.0 / REACH_MAX), beds = shows_beds(atlas) ? 1 : 0.5;
    const double across = beds / (cell * place->across) + 1, down = beds / (cell * place->down) + 1;
    const int left = (int)(whole_64(ceil(place->x - across - 0.5)) - land->x),
              right = (int)(whole_64(floor(place->x + across - 0.5)) - land->x),
              top = (int)(whole_64(ceil(place->y - down - 0.5)) - land->y),
              bottom = (int)(whole_64(floor(place->y + down - 0.5)) - land->y);
    Water water = { 0 };
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++)
            see_cell(picture, place, x, y, &water);
    return water;
}

// --- pixels -----------------------------------------------------------------------------------------------

static void draw_pixel(void *planet, Vec3 at, int x, int y) {
    const PlanetPicture *picture = planet;
    const Atlas *atlas = picture->atlas;
    const View *view = atlas->view;
    const GridPlace place = grid_place(eroded_of(view->map)->axes, (double)atlas->side, at);
    const Water water = water_at(picture, &place);
    const double ground = altitude_at(atlas, &place), lower = water.bed - ground;
    field_row(view->altitude, y)[x] = (float)(ground + (lower < 0 ? water.nearness * lower : 0));
    // On land at least a cell's rain, as a pixel of land may lie between the middles of cells, or hold the
    // sea's.
    const bool sea = (double)field_row(view->altitude, y)[x] < shore_of(atlas);
    field_row(view->flow, y)[x] = sea ? 0 : (float)((double)max(water.area, 1.0f) * picture->pixels);
    const int column = x - PIXEL_SEAS_MARGIN, row = y - PIXEL_SEAS_MARGIN;
    if (picture->lines && column >= 0 && row >= 0 && column < picture->river->width &&
        row < picture->river->height)
        field_row(picture->river, row)[column] = river_lines_cover(picture->lines, &place, at);
}

double pixels_of_cell(const Atlas *atlas) {
    const double side = (double)atlas->side, pixel = globe_pixel(atlas->view);
    return 4 * PI / (CUBE_FACES * side * side) / (pixel * pixel);
}

int globe_ground_margin(const View *view, int depth) {
    const double cell = 2 * PI / globe_pixel(view) * ldexp(1, -depth);
    const int taps = double_to_within(ceil(3 / cell), 1, REACH_MAX) + 2,
              aslant = double_to_within(ceil(PLANET_ASLANT / cell), 1, REACH_MAX);
    return max(taps, river_margin(view->map, depth) + aslant);
}

Status globe_ground(const Atlas *atlas, const RiverLines *lines, Field *river, Error *error) {
    const View *view = atlas->view;
    PlanetPicture picture = { .atlas = atlas,
                              .river = river,
                              .lines = lines,
                              .pixels = pixels_of_cell(atlas),
                              .stream = stream_area(view->map, atlas->depth) };
    memset(field_cells(view->flow), 0, field_count(view->flow) * sizeof(float));
    return globe_draw(view, draw_pixel, &picture, error);
}
