#include "settlement/oases.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/whole.h"
#include "rivermap/eroded/eroded.h"
#include "rivermap/view.h"
#include "settlement/road_search.h"

#include <math.h>

// On either side, metres: of a river of 1 m³/s. Four times the water reaches twice as far.
#define BELT 180.0
#define LEAST_WATER 1.0f // m³/s, of a river that has a belt
#define GENTLE 0.02f     // a slope on which water reaches half as far as on level ground
#define DRY 0.4f         // rain, of what can evaporate, where belts have their full width
#define MOIST 0.65f      // and where they have none

enum { OASIS_STREAM = 98 };
// The widest, and what belts depend on: a pixel takes a pixel of what water reaches, or more.
enum { BELT_PIXELS = 13, BELT_MARGIN = BELT_PIXELS + 1 };

void oases_free(Oases *oases) {
    memory_free(oases->green);
    *oases = (Oases){ 0 };
}

static float moisture_of(const Air *air) {
    return air->rain / max(air->potential, 3 * HOLDRIDGE);
}

// --- where it is dry ---------------------------------------------------------------------------------------

// Whether a rectangle of the map may have dry ground: the climate of a place is a mean of the cells around
// it.
static bool may_be_dry(const Climate *climate, const double from[2], const double to[2]) {
    const int left = max(whole_int(floor(from[0] * climate->width)) - 1, 0),
              right = min(whole_int(floor(to[0] * climate->width)) + 1, climate->width - 1),
              top = max(whole_int(floor(from[1] * climate->height)) - 1, 0),
              bottom = min(whole_int(floor(to[1] * climate->height)) + 1, climate->height - 1);
    const size_t layer = (size_t)climate->width * (size_t)climate->height;
    float rain[SEASONS] = { INFINITY, INFINITY, INFINITY }, mean = -INFINITY, range = -INFINITY;
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++) {
            const float *cell = climate->cells + (size_t)y * (size_t)climate->width + (size_t)x;
            mean = max(mean, cell[0]);
            range = max(range, cell[layer]);
            for (int season = 0; season < SEASONS; season++)
                rain[season] = min(rain[season], cell[(2 + (size_t)season) * layer]);
        }
    const float falls = 0.25f * (rain[SEASON_JANUARY] + 2 * rain[SEASON_EQUINOX] + rain[SEASON_JULY]),
                evaporates = HOLDRIDGE * 0.25f *
                             (max(mean - range, 0) + 2 * max(mean, 0) + max(mean + max(range, 0), 0));
    return falls < 1.01f * MOIST * max(evaporates, 3 * HOLDRIDGE);
}

// --- how far water reaches ---------------------------------------------------------------------------------

typedef struct Spreading {
    const Grid *grid;
    float *left; // metres that water still reaches beyond each pixel
    bool *waits;
    int *queue; // a ring
    int first, count, room;
    float least;   // what is left at the edge of a belt
    float steeper; // a rise of a metre between neighbours, as a slope
    RandomKey key; // of how well ground lets water through, in squares of some pixels
} Spreading;

static void wait_for(Spreading *spreading, int pixel) {
    if (spreading->waits[pixel])
        return;
    spreading->waits[pixel] = true;
    spreading->queue[(spreading->first + spreading->count++) % spreading->room] = pixel;
}

static float share_between(float from, float to, float at) {
    return smoothstep(clamp((at - from) / (to - from), 0, 1));
}

// How far the river of a pixel waters the ground beside it, metres.
static float reach_of(const Grid *grid, const Climate *climate, int x, int y) {
    const size_t at = grid_index(grid, x, y);
    const float water = grid->discharge.cells[at];
    if (!(water >= LEAST_WATER) || !(grid->river.cells[at] > 0) || grid_is_open_water(grid, at))
        return 0;
    const double side = ldexp(1, grid->bits);
    const Air air = climate_at(climate, (x + 0.5) / side, (y + 0.5) / side, grid->altitude.cells[at]);
    return (float)min(BELT * sqrt((double)water), BELT_PIXELS * grid->metres) *
           share_between(MOIST, DRY, moisture_of(&air));
}

enum { LEAKS_BITS = 1 };

// From pixel to pixel, until none is reached farther. What is left is the most of all ways, in whatever order
// they are tried.
static void spread(Spreading *spreading) {
    const Grid *grid = spreading->grid;
    const GridBox *box = &grid->box;
    while (spreading->count > 0) {
        const int pixel = spreading->queue[spreading->first], x = pixel % box->width, y = pixel / box->width;
        spreading->first = (spreading->first + 1) % spreading->room;
        spreading->count--;
        spreading->waits[pixel] = false;
        for (int way = 0; way < WAYS; way++) {
            const int i = x + road_x[way], j = y + road_y[way];
            if (i < 0 || j < 0 || i >= box->width || j >= box->height)
                continue;
            const int next = j * box->width + i;
            if (grid_is_open_water(grid, (size_t)next))
                continue;
            const float length = way % 2 ? 1.41421356f : 1,
                        rise = grid->altitude.cells[next] - grid->altitude.cells[pixel],
                        slope = rise * spreading->steeper / (length * GENTLE);
            const float leaks = 1 + 0.9f * random_unit(spreading->key, (uint32_t)(box->x + i) >> LEAKS_BITS,
                                                       (uint32_t)(box->y + j) >> LEAKS_BITS);
            const float left =
                spreading->left[pixel] - length * (float)grid->metres * (leaks + slope * slope);
            if (left > spreading->left[next] && left > spreading->least) {
                spreading->left[next] = left;
                wait_for(spreading, next);
            }
        }
    }
}

static Status spreading_open(Spreading *spreading, const RiverMap *map, const Grid *grid, Error *error) {
    const GridBox *box = &grid->box;
    *spreading = (Spreading){ .grid = grid,
                              .room = box->width * box->height,
                              .key = random_key(eroded_of(map)->rules.seed, OASIS_STREAM),
                              .least = -0.5f * (float)grid->metres,
                              .steeper = (float)(eroded_steepening(map, grid->metres) / grid->metres) };
    spreading->left = memory_new_cells(box->width, box->height, sizeof *spreading->left, error);
    spreading->waits = memory_new_cells_zeroed(box->width, box->height, sizeof *spreading->waits, error);
    spreading->queue = memory_new_cells(box->width, box->height, sizeof *spreading->queue, error);
    return spreading->left && spreading->waits && spreading->queue ? STATUS_OK : STATUS_MEMORY;
}

static void spreading_close(Spreading *spreading) {
    memory_free(spreading->left);
    memory_free(spreading->waits);
    memory_free(spreading->queue);
}

static void spread_water(Spreading *spreading, const Climate *climate, float *green) {
    const Grid *grid = spreading->grid;
    const GridBox *box = &grid->box;
    const float pixel = (float)grid->metres;
    for (int i = 0; i < spreading->room; i++) {
        const float reach = reach_of(grid, climate, box->x + i % box->width, box->y + i / box->width);
        spreading->left[i] = reach > 0 ? reach : -INFINITY;
        // A belt that is narrower than a pixel is a part of it.
        green[i] = reach > 0 ? min(2 * reach / pixel, 1) : 1;
        if (reach > 0)
            wait_for(spreading, i);
    }
    spread(spreading);
    for (int i = 0; i < spreading->room; i++)
        green[i] *= clamp(spreading->left[i] / pixel + 0.5f, 0, 1);
}

Status oases_find(Oases *oases, const RiverMap *map, const Climate *climate, const Int128 corners[4],
                  double pixels, const Run *run, Error *error) {
    *oases = (Oases){ 0 };
    const int bits = clamp(log2_below(min(pixels, map->metres / OASIS_METRES)), 0, 30);
    const GridBox box = grid_box(bits, corners, BELT_MARGIN);
    const double pixel = ldexp(1, -bits), from[] = { box.x * pixel, box.y * pixel },
                 to[] = { (box.x + box.width) * pixel, (box.y + box.height) * pixel };
    if (map->tiling->planet || !map->watered || !may_be_dry(climate, from, to))
        return STATUS_OK;
    Grid grid;
    Spreading spreading = { .left = NULL };
    Status status = grid_draw(&grid, map, bits, box, run, error);
    if (status == STATUS_OK)
        status = spreading_open(&spreading, map, &grid, error);
    if (status == STATUS_OK)
        oases->green = memory_new_cells(box.width, box.height, sizeof *oases->green, error);
    if (status == STATUS_OK && !oases->green)
        status = STATUS_MEMORY;
    if (status == STATUS_OK)
        spread_water(&spreading, climate, oases->green);
    oases->box = box;
    oases->bits = bits;
    spreading_close(&spreading);
    grid_free(&grid);
    return status;
}

// --- of pixels ---------------------------------------------------------------------------------------------

void oases_row(const Oases *oases, const Vec3 *places, int count, float *green) {
    const GridBox *box = &oases->box;
    const double pixels = ldexp(1, oases->bits),
                 down = clamp(places->y * pixels - 0.5 - box->y, 0, max(box->height - 1, 0));
    const int row = whole_int(floor(down)), below = min(row + 1, box->height - 1);
    for (int i = 0; i < count; i++)
        green[i] = 0;
    for (int i = 0; i < count && oases->green; i++) {
        const double across = clamp(places[i].x * pixels - 0.5 - box->x, 0, max(box->width - 1, 0));
        const int column = whole_int(floor(across)), next = min(column + 1, box->width - 1);
        const float *upper = oases->green + (size_t)row * (size_t)box->width,
                    *lower = oases->green + (size_t)below * (size_t)box->width;
        green[i] = bilinear(upper[column], upper[next], lower[column], lower[next], (float)(across - column),
                            (float)(down - row));
    }
}
