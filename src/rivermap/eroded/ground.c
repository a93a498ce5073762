// Draws the ground of eroded land: a pixel's altitude is a mean of the cells around its middle, weighed by a
// cubic stretched to the pixel's size. On flat maps pixels are rows of a grid, whose weights are the same all
// along a row or column, and where cells and pixels are the same a pixel's altitude is its cell's own. On
// planets a projection gives each pixel its place on a face.

#include "rivermap/eroded/ground.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "rivermap/eroded/pixel_seas.h"
#include "rivermap/globe.h"

#include <math.h>
#include <string.h>

enum { REACH_MAX = 32, TAPS_MAX = 2 * REACH_MAX }; // cells to each side of a pixel of a planet

static float cubic(float x) {
    const float d = x < 0 ? -x : x;
    if (d >= 2)
        return 0;
    return d < 1 ? (1.5f * d - 2.5f) * d * d + 1 : ((-0.5f * d + 2.5f) * d - 4) * d + 2;
}

// Weights, which add up to 1, of `count` cells around a place: by a cubic (Catmull and Rom 1974) stretched to
// the size of a pixel, of which a cell is `cell`. `first`: the place, from the middle of the first.
static void weigh_cells(float *weights, int count, float first, float cell) {
    float sum = 0;
    for (int i = 0; i < count; i++) {
        weights[i] = cubic(((float)i - first) * cell);
        sum += weights[i];
    }
    float moment = 0; // from where they should lie on average: of a plane the mean is the plane
    for (int i = 0; i < count; i++) {
        weights[i] /= sum;
        moment += weights[i] * ((float)i - first);
    }
    weights[count / 2 - 1] += moment;
    weights[count / 2] -= moment;
}

// How the pixels of a row or column lie on the window's cells.
typedef struct GridTaps {
    int reach, count; // of cells to each side, and in all, that a pixel's altitude comes from
    int *first;       // of each pixel's
    float *weights;   // `count` of each pixel's
    int *begins;      // pixel i holds the middles of cells begins[i] … begins[i + 1] - 1
} GridTaps;

typedef struct Water {
    float least, least_at_mouth; // of streams, cells
    double pixels;               // that a cell's area takes, on planets on average
    float sea;                   // its altitude
    bool beds;                   // pixels show the altitudes of streams
} Water;

typedef struct Picture {
    const Atlas *atlas;
    Field *altitude, *flow, *river; // river: of what was asked for
    Field *discharge, *wadi;        // the same of a watered map; NULL: not wanted
    const RiverLines *lines;        // NULL: no rivers
    Water water;
    GridTaps across, down; // of a flat map
} Picture;

// --- flat maps: which cells --------------------------------------------------------------------------------

// `start`: of the window, `first_cell`: of its land.
static Status taps_create(GridTaps *taps, const Atlas *atlas, Int128 start, int pixels, Int128 first_cell,
                          Error *error) {
    enum { FINE = 16 }; // bits of a place in a cell
    const Int128 pixel = atlas->view->pixel, size = (Int128)1 << (PLACE_BITS - atlas->depth);
    const Int128 origin = start + view_nudge(atlas->view), first_middle = first_cell * size + size / 2;
    const bool same = pixel == size && (origin & (size - 1)) == 0;
    taps->reach = same ? 0 : double_to_within(ceil(2 / atlas->cell), 1, SIDE_MAX);
    taps->count = same ? 1 : 2 * taps->reach;
    taps->first = memory_new((size_t)pixels, sizeof *taps->first, error);
    taps->weights = memory_new_cells(pixels, taps->count, sizeof *taps->weights, error);
    taps->begins = memory_new((size_t)pixels + 1, sizeof *taps->begins, error);
    if (!taps->first || !taps->weights || !taps->begins)
        return STATUS_MEMORY;
    for (int i = 0; i < pixels; i++) {
        const Int128 middle = origin + pixel * i + pixel / 2 - first_middle;
        const Int128 fine = middle >> (PLACE_BITS - atlas->depth - FINE);
        const int cell = (int)(fine >> FINE);
        const float part = (float)(int)(fine & ((1 << FINE) - 1)) * 0x1p-16f;
        taps->first[i] = same ? cell : cell - taps->reach + 1;
        if (same)
            taps->weights[i] = 1;
        else
            weigh_cells(taps->weights + i * taps->count, taps->count, part + (float)(taps->reach - 1),
                        (float)atlas->cell);
    }
    for (int i = 0; i <= pixels; i++)
        taps->begins[i] =
            (int)((origin + pixel * i - first_middle + size - 1) >> (PLACE_BITS - atlas->depth));
    return STATUS_OK;
}

static void taps_free(GridTaps *taps) {
    memory_free(taps->first);
    memory_free(taps->weights);
    memory_free(taps->begins);
}

// --- flat maps: altitudes ----------------------------------------------------------------------------------

enum { SPAN = 4096 }; // cells across, at most, that are added up at a time

KERNEL static void add_weighted_cells(const int32_t *restrict altitudes, int count, double base,
                                      double weight, double *restrict sums) {
    for (int i = 0; i < count; i++)
        sums[i] += weight * (base + (double)altitudes[i]);
}

// Where a double does not hold the base: each altitude is rounded by itself, the same in every window.
static void add_cells_far_up(const int32_t *altitudes, int count, Int128 base, double weight, double *sums) {
    for (int i = 0; i < count; i++)
        sums[i] += weight * (double)(base + altitudes[i]);
}

// Adds the rows of cells that pixels of row y come from, by weight: `count` columns from `left` on.
static void add_rows(const Picture *picture, int y, int left, int count, double *sums) {
    const LandWindow *land = &picture->atlas->land.on[0];
    const GridTaps *down = &picture->down;
    const Int128 base = land->base - picture->atlas->datum, most = (Int128)1 << 51;
    for (int tap = 0; tap < down->count; tap++) {
        const double weight = (double)down->weights[y * down->count + tap];
        const int row = clamp(down->first[y] + tap, 0, land->height - 1);
        const int32_t *altitudes = land->altitude + (size_t)row * (size_t)land->width + left;
        if (base < most && base > -most)
            add_weighted_cells(altitudes, count, (double)base, weight, sums);
        else
            add_cells_far_up(altitudes, count, base, weight, sums);
    }
}

// Pixels `first` … `end` - 1 of row y.
static void draw_pixels(const Picture *picture, int y, int first, int end) {
    const GridTaps *across = &picture->across;
    const int width = picture->atlas->land.on[0].width, taps = across->count;
    const int left = clamp(across->first[first], 0, width - 1);
    const int right = clamp(across->first[end - 1] + taps, left + 1, width);
    const double unit = picture->atlas->unit;
    double sums[SPAN];
    memset(sums, 0, (size_t)(right - left) * sizeof *sums);
    add_rows(picture, y, left, right - left, sums);
    float *row = field_row(picture->altitude, y);
    for (int x = first; x < end; x++) {
        const float *weights = across->weights + x * taps;
        double sum = 0;
        for (int tap = 0; tap < taps; tap++)
            sum += (double)weights[tap] * sums[clamp(across->first[x] + tap, left, right - 1) - left];
        row[x] = (float)(sum * unit);
    }
}

static int pixels_at_once(const Picture *picture) {
    const int cells = double_to_within(ceil(1 / picture->atlas->cell), 1, SIDE_MAX);
    return (SPAN - picture->across.count) / cells;
}

static void draw_altitudes(void *context, int first, int end) {
    const Picture *picture = context;
    const int width = picture->altitude->width, step = pixels_at_once(picture);
    for (int y = first; y < end; y++)
        for (int x = 0; x < width; x += step)
            draw_pixels(picture, y, x, min(x + step, width));
}

// --- flat maps: flow ---------------------------------------------------------------------------------------

// Of the columns of cells that lie in a row of pixels, `first` … `end` - 1: the cell of land through which
// most drains, what drains through it, and whether water may end in one of the cells. -1, and less than 0:
// sea alone.
typedef struct Columns {
    int first, end;
    int cell[SPAN];
    float most[SPAN];
    uint8_t ends[SPAN];
} Columns;

// `shore`: an altitude below which the cells where water ends are sea.
KERNEL static void add_row_of_cells(const uint8_t *restrict receiver, const int32_t *restrict altitude,
                                    const float *restrict area, int64_t shore, int first_cell, int count,
                                    int *restrict cell, float *restrict most, uint8_t *restrict ends) {
    for (int i = 0; i < count; i++) {
        const bool end = receiver[i] == LAND_SEA;
        const float here = (end & (altitude[i] < shore)) ? -1 : area[i];
        cell[i] = here > most[i] ? first_cell + i : cell[i];
        most[i] = max(here, most[i]);
        ends[i] |= end;
    }
}

// Those of pixels `first` … `end` - 1 of row y.
static void find_columns(const Picture *picture, int y, int first, int end, Columns *columns) {
    const LandWindow *land = &picture->atlas->land.on[0];
    const Int128 most = (Int128)1 << 40, shore = clamp(-land->base, -most, most);
    columns->first = clamp(picture->across.begins[first], 0, land->width);
    columns->end = clamp(picture->across.begins[end], columns->first, land->width);
    const int count = columns->end - columns->first;
    for (int i = 0; i < count; i++) {
        columns->cell[i] = -1;
        columns->most[i] = -1;
        columns->ends[i] = 0;
    }
    const int last = min(picture->down.begins[y + 1], land->height);
    for (int row = max(picture->down.begins[y], 0); row < last; row++) {
        const int at = row * land->width + columns->first;
        add_row_of_cells(land->receiver + at, land->altitude + at, land->area + at, (int64_t)shore, at, count,
                         columns->cell, columns->most, columns->ends);
    }
}

// The cell of a pixel's land through which most drains, or -1: it holds sea alone. Of several with the same
// it is the first, row by row. Says what drains through it, and whether water may end in one of the pixel's
// cells.
static inline int main_cell(const Picture *picture, const Columns *columns, int x, float *area, bool *ends) {
    const int *begins = picture->across.begins + x;
    const int first = max(begins[0], columns->first) - columns->first,
              end = min(begins[1], columns->end) - columns->first;
    int cell = -1;
    float most = -1;
    for (int i = first; i < end; i++) {
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): columns first … end - 1 are set
        const bool better = columns->most[i] > most || (columns->most[i] == most && columns->cell[i] < cell);
        cell = better ? columns->cell[i] : cell;
        most = better ? columns->most[i] : most;
        *ends |= columns->ends[i];
    }
    *area = max(most, 0.0f);
    return cell;
}

// The cell of a pixel's sea into which most drains, if that is `least` or more; otherwise -1.
static int mouth_cell(const Picture *picture, int x, int y, float least) {
    const LandWindow *land = &picture->atlas->land.on[0];
    const int *columns = picture->across.begins + x, *rows = picture->down.begins + y;
    int mouth = -1;
    for (int row = max(rows[0], 0); row < min(rows[1], land->height); row++)
        for (int column = max(columns[0], 0); column < min(columns[1], land->width); column++) {
            const int cell = row * land->width + column;
            if (land->receiver[cell] != LAND_SEA || land->base + land->altitude[cell] > 0)
                continue;
            const float area = most_into(picture->atlas, (AtlasCell){ 0, column, row, 0 });
            if (area >= least) {
                least = area;
                mouth = cell;
            }
        }
    return mouth;
}

// A pixel whose altitude is a mean of cells. Where a stream runs through it, that would dam the stream, and
// average away the sea into which one runs: it shows the stream, or the sea if no more drains elsewhere.
static void show_water(const Picture *picture, int x, int y, float area, int cell, bool ends) {
    const Atlas *atlas = picture->atlas;
    const Water *water = &picture->water;
    float *altitude = &field_row(picture->altitude, y)[x];
    if (water->beds && area >= water->least)
        *altitude = (float)altitude_in(atlas, &atlas->land.on[0], cell);
    if (ends && *altitude >= water->sea) {
        const int mouth = mouth_cell(picture, x, y, max(area, water->least_at_mouth));
        if (mouth >= 0)
            *altitude =
                min((float)altitude_in(atlas, &atlas->land.on[0], mouth), water->sea - (float)atlas->unit);
    }
}

// Pixels `first` … `end` - 1 of row y.
static void draw_flow_pixels(const Picture *picture, int y, int first, int end) {
    const Water *water = &picture->water;
    const float pixels = (float)water->pixels; // that a cell takes
    const bool between = picture->across.count > 1 || picture->down.count > 1;
    const float *altitudes = field_row(picture->altitude, y);
    float *flow = field_row(picture->flow, y),
          *discharge = picture->discharge ? field_row(picture->discharge, y) : NULL;
    Columns columns;
    find_columns(picture, y, first, end, &columns);
    for (int x = first; x < end; x++) {
        bool ends = false;
        float area = 0;
        const int cell = main_cell(picture, &columns, x, &area, &ends);
        if (between) {
            if (ends || area >= water->least)
                show_water(picture, x, y, area, cell, ends);
            flow[x] = altitudes[x] < water->sea ? 0 : max(area * pixels, 1.0f);
        } else
            flow[x] = area * pixels;
        if (discharge)
            discharge[x] = cell >= 0 && flow[x] > 0
                               ? water_in_cell(picture->atlas, &picture->atlas->land.on[0], cell)
                               : 0;
    }
}

static void draw_flow(void *context, int first, int end) {
    const Picture *picture = context;
    const int width = picture->flow->width, step = pixels_at_once(picture);
    for (int y = first; y < end; y++)
        for (int x = 0; x < width; x += step)
            draw_flow_pixels(picture, y, x, min(x + step, width));
}

// --- planets: altitudes ------------------------------------------------------------------------------------

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

// --- planets: streams --------------------------------------------------------------------------------------

// What runs through a pixel: the most that drains through a cell whose middle lies in it; and the bed of a
// stream, whose line passes within a pixel: its altitude, and 1 on the line, 0 a pixel beside it.
typedef struct Seen {
    float area, water; // water: m³/s, of a watered map
    double bed, nearness;
} Seen;

// A pixel's place, and a cell seen from there: the cell's column and row in the window of the place's face,
// and the way to its middle in pixels.
typedef struct Sight {
    const GridPlace *place;
    AtlasCell cell;
    int column, row;
    double x, y;
} Sight;

// The line to the cell into which it drains, in a direction of the place's face.
static void see_bed(const Atlas *atlas, const Sight *from, int direction, Seen *water) {
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

static void see_cell(const Picture *picture, const GridPlace *place, int x, int y, Seen *water) {
    const Atlas *atlas = picture->atlas;
    const LandWindow *land = &atlas->land.on[place->face];
    Sight seen = { .place = place, .column = x, .row = y };
    if (!cell_at(atlas, place->face, x, y, &seen.cell) || !is_drained(atlas, seen.cell))
        return;
    seen.x = ((double)(land->x + x) + 0.5 - place->x) * atlas->cell * place->across;
    seen.y = ((double)(land->y + y) + 0.5 - place->y) * atlas->cell * place->down;
    const float area = area_of(atlas, seen.cell);
    if (fabs(seen.x) <= 0.5 && fabs(seen.y) <= 0.5 && area > water->area) {
        water->area = area;
        water->water = picture->discharge ? water_of(atlas, seen.cell) : 0;
    }
    if (picture->water.beds && area >= picture->water.least)
        see_bed(atlas, &seen, turned_direction(receiver_of(atlas, seen.cell), (4 - seen.cell.turn) & 3),
                water);
}

static Seen water_at(const Picture *picture, const GridPlace *place) {
    const Atlas *atlas = picture->atlas;
    const LandWindow *land = &atlas->land.on[place->face];
    const double cell = max(atlas->cell, 2.0 / REACH_MAX), beds = picture->water.beds ? 1 : 0.5;
    const double across = beds / (cell * place->across) + 1, down = beds / (cell * place->down) + 1;
    const int left = (int)(whole_64(ceil(place->x - across - 0.5)) - land->x),
              right = (int)(whole_64(floor(place->x + across - 0.5)) - land->x),
              top = (int)(whole_64(ceil(place->y - down - 0.5)) - land->y),
              bottom = (int)(whole_64(floor(place->y + down - 0.5)) - land->y);
    Seen water = { 0 };
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++)
            see_cell(picture, place, x, y, &water);
    return water;
}

// --- planets: pixels ---------------------------------------------------------------------------------------

static void draw_pixel(void *planet, Vec3 at, int x, int y) {
    const Picture *picture = planet;
    const Atlas *atlas = picture->atlas;
    const View *view = atlas->view;
    const GridPlace place = grid_place(eroded_of(view->map)->axes, (double)atlas->side, at);
    const Seen water = water_at(picture, &place);
    const double ground = altitude_at(atlas, &place), lower = water.bed - ground;
    field_row(view->altitude, y)[x] = (float)(ground + (lower < 0 ? water.nearness * lower : 0));
    // On land at least a cell's rain, as a pixel of land may lie between the middles of cells, or hold the
    // sea's.
    const bool sea = (double)field_row(view->altitude, y)[x] < shore_of(atlas);
    field_row(view->flow, y)[x] = sea ? 0 : (float)((double)max(water.area, 1.0f) * picture->water.pixels);
    if (picture->discharge)
        field_row(picture->discharge, y)[x] = sea ? 0 : water.water;
    const int column = x - PIXEL_SEAS_MARGIN, row = y - PIXEL_SEAS_MARGIN;
    if (picture->lines && column >= 0 && row >= 0 && column < picture->river->width &&
        row < picture->river->height)
        field_row(picture->river, row)[column] = river_lines_cover(
            picture->lines, &place, at, picture->wadi ? &field_row(picture->wadi, row)[column] : NULL);
}

// --- all of a picture --------------------------------------------------------------------------------------

double pixels_of_cell(const Atlas *atlas) {
    if (!atlas->planet)
        return atlas->cell * atlas->cell;
    const double side = (double)atlas->side, pixel = globe_pixel(atlas->view);
    return 4 * PI / (CUBE_FACES * side * side) / (pixel * pixel);
}

int ground_margin(const View *view, int depth) {
    if (!view->map->tiling->planet) {
        const double cells = ldexp(1, depth) / view->pixels; // along a pixel's side
        return double_to_within(ceil((2 + PIXEL_SEAS_MARGIN) * cells), 1, SIDE_MAX) + 1;
    }
    const double cell = 2 * PI / globe_pixel(view) * ldexp(1, -depth);
    const int taps = double_to_within(ceil(3 / cell), 1, REACH_MAX) + 2,
              aslant = double_to_within(ceil(PLANET_ASLANT / cell), 1, REACH_MAX);
    return max(taps, river_reach(view->map, depth) + aslant);
}

static Status draw_grid(Picture *picture, Error *error) {
    const Atlas *atlas = picture->atlas;
    const View *view = atlas->view;
    const LandWindow *land = &atlas->land.on[0];
    const int width = view->width;
    Status status = taps_create(&picture->across, atlas, view_left(view), width, land->x, error);
    if (status == STATUS_OK)
        status = taps_create(&picture->down, atlas, view_top(view), view->height, land->y, error);
    if (status == STATUS_OK)
        status = parallel_rows(view->run, view->height, width * 20.0, draw_altitudes, picture);
    if (status == STATUS_OK)
        status = parallel_rows(view->run, view->height, width * 5.0, draw_flow, picture);
    taps_free(&picture->across);
    taps_free(&picture->down);
    return status;
}

Status ground_draw(const Atlas *atlas, const RiverLines *lines, const View *asked, Error *error) {
    const View *view = atlas->view;
    Picture picture = { .atlas = atlas,
                        .altitude = view->altitude,
                        .flow = view->flow,
                        .river = asked->river,
                        .discharge = view->map->watered ? view->discharge : NULL,
                        .wadi = view->map->watered ? asked->wadi : NULL,
                        .lines = lines,
                        .water = { .least = (float)stream_area(view->map, atlas->depth),
                                   .least_at_mouth = least_at_mouth(atlas),
                                   .pixels = pixels_of_cell(atlas),
                                   .sea = (float)shore_of(atlas),
                                   .beds = shows_beds(atlas) } };
    if (!atlas->planet)
        return draw_grid(&picture, error);
    memset(field_cells(view->flow), 0, field_count(view->flow) * sizeof(float));
    if (picture.discharge)
        memset(field_cells(view->discharge), 0, field_count(view->discharge) * sizeof(float));
    return globe_draw(view, draw_pixel, &picture, error);
}
