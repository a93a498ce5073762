#include "settlement/built.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/whole.h"
#include "rivermap/eroded/eroded.h"
#include "settlement/road_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void built_free(Built *built) {
    memory_free(built->at);
    *built = (Built){ 0 };
}

// --- growth ------------------------------------------------------------------------------------------------

#define STEEP 0.12f  // a slope on which houses cost twice as much as on level ground
#define BRIDGE 3.0f  // the price of a pixel of river
#define LARGEST 250  // pixels: a town for which its level's squares are too small
#define SMALLEST 5.0 // the same: those with less are as round as one of that size

enum { BUILT_STREAM = 96 };

typedef struct Growing {
    const Grid *grid;
    float steeper; // a rise of a metre between neighbours, as a slope
    RandomKey key;
    int left, top;                         // of the square, on the grid
    float prices[BUILT_SIDE * BUILT_SIDE]; // infinite where nobody builds
    float costs[BUILT_SIDE * BUILT_SIDE];
} Growing;

static float height_at(const Grid *grid, int x, int y) {
    const GridBox *box = &grid->box;
    return max(grid->altitude.cells[grid_index(grid, clamp(x, box->x, box->x + box->width - 1),
                                               clamp(y, box->y, box->y + box->height - 1))],
               0);
}

// Ground is not all for sale: by noise of pixels and of four together.
static float price_of(const Growing *growing, int x, int y) {
    const Grid *grid = growing->grid;
    if (!box_holds(&grid->box, x, y) || grid_is_at_border(grid, x, y))
        return INFINITY;
    const size_t at = grid_index(grid, x, y);
    if (grid_is_open_water(grid, at))
        return INFINITY;
    const float across = height_at(grid, x + 1, y) - height_at(grid, x - 1, y),
                down = height_at(grid, x, y + 1) - height_at(grid, x, y - 1);
    const float slope = 0.5f * growing->steeper * sqrtf(across * across + down * down) / STEEP;
    const float own = random_unit(growing->key, (uint32_t)x, (uint32_t)y),
                wide = random_unit(growing->key, (uint32_t)(x >> 2) + (1U << 30), (uint32_t)(y >> 2));
    return (1 + slope * slope) * (0.6f + 0.8f * own) * (0.5f + wide) * (grid_is_wet(grid, at) ? BRIDGE : 1);
}

static void find_prices(Growing *growing) {
    for (int y = 0; y < BUILT_SIDE; y++)
        for (int x = 0; x < BUILT_SIDE; x++) {
            growing->prices[y * BUILT_SIDE + x] = price_of(growing, growing->left + x, growing->top + y);
            growing->costs[y * BUILT_SIDE + x] = INFINITY;
        }
}

// The least costs from the middle, by passes over the square to and fro until nothing changes: each cost is
// the least of all ways, in whatever order they are tried.
static bool pass_over(Growing *growing, int from, int to, int step) {
    bool changed = false;
    for (int y = from; y != to; y += step)
        for (int x = from; x != to; x += step) {
            const int at = y * BUILT_SIDE + x;
            if (!(growing->prices[at] < INFINITY))
                continue;
            float least = growing->costs[at];
            for (int way = 0; way < WAYS; way++) {
                const int i = x + road_x[way], j = y + road_y[way];
                if (i < 0 || j < 0 || i >= BUILT_SIDE || j >= BUILT_SIDE)
                    continue;
                const int before = j * BUILT_SIDE + i;
                const float length = way % 2 ? 1.41421356f : 1;
                if (growing->costs[before] < INFINITY)
                    least = min(least, growing->costs[before] +
                                           0.5f * length * (growing->prices[before] + growing->prices[at]));
            }
            changed = changed || least < growing->costs[at];
            growing->costs[at] = least;
        }
    return changed;
}

static void find_costs(Growing *growing) {
    const int middle = BUILT_REACH * BUILT_SIDE + BUILT_REACH;
    growing->prices[middle] = min(growing->prices[middle], BRIDGE); // the place itself
    growing->costs[middle] = 0;
    while (pass_over(growing, 0, BUILT_SIDE, 1) || pass_over(growing, BUILT_SIDE - 1, -1, -1)) {
    }
}

// Finer pixels show land where one shows water: there a town goes on as beside it.
static void reach_shores(Growing *growing) {
    enum { SHORE = 2 }; // pixels
    for (int pass = 0; pass < SHORE; pass++) {
        float before[BUILT_SIDE * BUILT_SIDE];
        memcpy(before, growing->costs, sizeof before);
        for (int at = 0; at < BUILT_SIDE * BUILT_SIDE; at++) {
            if (before[at] < INFINITY)
                continue;
            for (int way = 0; way < WAYS; way++) {
                const int i = at % BUILT_SIDE + road_x[way], j = at / BUILT_SIDE + road_y[way];
                if (i >= 0 && j >= 0 && i < BUILT_SIDE && j < BUILT_SIDE)
                    growing->costs[at] = min(growing->costs[at], before[j * BUILT_SIDE + i]);
            }
        }
    }
}

static int compare_costs(const void *first, const void *second) {
    const float a = *(const float *)first, b = *(const float *)second;
    return (a > b) - (a < b);
}

// The cost up to which so many pixels are as near.
static float cost_of_area(const Growing *growing, double pixels) {
    float sorted[BUILT_SIDE * BUILT_SIDE];
    int count = 0;
    for (int i = 0; i < BUILT_SIDE * BUILT_SIDE; i++)
        if (growing->costs[i] < INFINITY)
            sorted[count++] = growing->costs[i];
    // cppcheck-suppress uninitvar ; the middle has a cost
    qsort(sorted, (size_t)count, sizeof *sorted, compare_costs);
    const double wanted = clamp(pixels, SMALLEST, LARGEST), room = min(wanted, count - 1);
    const int whole = whole_int(room), next = min(whole + 1, count - 1);
    const float cost = sorted[whole] + (sorted[next] - sorted[whole]) * (float)(room - whole);
    return pixels < SMALLEST ? cost * (float)sqrt(pixels / SMALLEST) : cost;
}

static void grow(Growing *growing, const Site *site, double pixels, BuiltTown *town) {
    growing->left = site->x - BUILT_REACH;
    growing->top = site->y - BUILT_REACH;
    find_prices(growing);
    find_costs(growing);
    const float edge = max(cost_of_area(growing, pixels), 0.25f);
    reach_shores(growing);
    for (int y = 0; y < BUILT_SIDE; y++)
        for (int x = 0; x < BUILT_SIDE; x++) {
            const int at = y * BUILT_SIDE + x, off_x = x - BUILT_REACH, off_y = y - BUILT_REACH;
            // The square is no town wall.
            const float away =
                            (float)(off_x * off_x + off_y * off_y) / ((BUILT_REACH - 1) * (BUILT_REACH - 1)),
                        share = max(growing->costs[at] / edge, away * away);
            town->growth[at] = (uint8_t)whole_within((double)(share * BUILT_EDGE), 0, 255);
        }
}

Status built_add(Built *built, const Settlement *settlement, const Grid *grid, const Sites *sites,
                 const Region *region, Error *error) {
    const GridBox reached = region_box(region, grid->bits, 0, BUILT_REACH + 1);
    const double pixel = ldexp(1, -grid->bits);
    Growing growing = { .grid = grid,
                        .steeper = (float)(eroded_steepening(settlement->map, grid->metres) / grid->metres),
                        .key = random_key(eroded_of(settlement->map)->rules.seed, BUILT_STREAM) };
    for (int i = 0; i < sites->count; i++) {
        const Site *site = &sites->at[i];
        if (level_bits(settlement, site->level) + BUILT_BITS != grid->bits ||
            !box_holds(&reached, site->x, site->y))
            continue;
        if (built->count == built->room) {
            const int room = 2 * built->room + 16;
            BuiltTown *at = memory_enlarge(built->at, (size_t)built->count, (size_t)room, sizeof *at, error);
            if (!at)
                return STATUS_MEMORY;
            built->at = at;
            built->room = room;
        }
        BuiltTown *town = &built->at[built->count++];
        *town = (BuiltTown){ .x = (site->x - BUILT_REACH) * pixel,
                             .y = (site->y - BUILT_REACH) * pixel,
                             .pixel = pixel,
                             .people = (float)site_population(settlement, site) };
        const double digits = logarithm((double)max(town->people, 1)) / logarithm(10);
        town->city = smoothstep((float)clamp((digits - 3) / 3, 0, 1));
        grow(&growing, site, town_area((double)town->people) / (grid->metres * grid->metres), town);
    }
    return STATUS_OK;
}

// --- of pixels ---------------------------------------------------------------------------------------------

// Between the middles of four pixels.
static float growth_at(const BuiltTown *town, int row, float down, double across) {
    const double at = across - 0.5;
    const int column = whole_int(floor(at));
    if (column < 0 || column + 1 >= BUILT_SIDE)
        return BUILT_NOWHERE;
    const uint8_t *upper = town->growth + row * BUILT_SIDE + column, *lower = upper + BUILT_SIDE;
    const float share = (float)(at - column);
    return bilinear((float)upper[0], (float)upper[1], (float)lower[0], (float)lower[1], share, down) /
           BUILT_EDGE;
}

// Towns are densest in the middle and thin outward (Clark 1951), cities the more so.
static float close_at(float city, float growth) {
    return 0.3f + 0.06f * city + (0.3f + 0.28f * city) / (1 + (4 + 12 * growth) * growth);
}

void built_row(const Built *built, const Vec3 *places, int count, BuiltPixel *pixels) {
    const double first = places[0].x, step = count > 1 ? (places[count - 1].x - first) / (count - 1) : 1;
    for (int i = 0; i < count; i++)
        pixels[i] = (BuiltPixel){ BUILT_NOWHERE, 0, 0 };
    for (int k = 0; k < built->count; k++) {
        const BuiltTown *town = &built->at[k];
        const double down = (places->y - town->y) / town->pixel - 0.5;
        const int row = whole_int(floor(clamp(down, -1, BUILT_SIDE)));
        if (row < 0 || row + 1 >= BUILT_SIDE)
            continue;
        const int from = index_within((town->x - first) / step - 1, count),
                  to = index_within((town->x + BUILT_SIDE * town->pixel - first) / step + 2, count);
        for (int i = from; i <= to; i++) {
            const double across = (places[i].x - town->x) / town->pixel;
            const float growth = across > 0 && across < BUILT_SIDE
                                     ? growth_at(town, row, (float)(down - row), across)
                                     : BUILT_NOWHERE;
            if (growth < BUILT_NOWHERE)
                pixels[i].close = max(pixels[i].close, close_at(town->city, growth));
            if (growth < pixels[i].growth) {
                pixels[i].growth = growth;
                pixels[i].city = town->city;
            }
        }
    }
}
