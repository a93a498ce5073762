// The model of climate (docs/climate.md): winds by belts of latitude carry water from the sea, which falls
// where air rises, over mountains or in the belts' fronts. Water is reduced to the sea's level: a column
// above high ground holds less of it, so that mixing columns moves no water up to plateaus.
//
// Cells are advanced by semi-Lagrangian steps (Staniforth and Côté 1991), eddies by implicit diffusion, first
// along rows, then along columns. A season is one task, so that results do not depend on threads.

#include "climate/climate.h"

#include "core/elementary.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

const ClimateRules climate_rules_default = { .belts = true, .rain = 1, .tilt = EARTH_TILT, .lift = 0.3 };

#define DAY 86400.0

enum { STEPS = 150, COUNTED = 30 }; // of time; the last ones, whose rain is the season's

// --- constants of the model --------------------------------------------------------------------------------

#define MIXING 1.6e6f    // of eddies, m²/s, on lands of WIDE metres and more
#define WIDE 3e6         // metres
#define SPEED 8.0        // m/s: at this speed air crosses 0.9 cells in a step
#define FARTHEST 6.0f    // cells that air crosses in a step, at most
#define NEARBY 700e3     // metres: how far land makes a coast's climate
#define AIR_SMOOTH 30e3  // metres over which air evens out the ground that it flows over
#define MOST_RISE 0.15   // m/s: air rises over ranges by no more, whatever the slope; the rest flows around
#define THINNING 2500.0f // metres in which the water of air falls to 1/e
#define RAIN_DAYS 4.0f   // days in which saturated air rains out without mountains
#define FILL_DAYS 1.8f   // days in which dry air over the sea takes up water
#define CLEARING 0.5f    // days in which water beyond saturation falls
#define EARTH_DEGREE 111194.9 // metres
#define SHIFT 6.0             // degrees by which belts move in July on the earth, twice as much over land
#define GYRE 4.0              // m/s: winds around the oceans' highs
#define SUMMER 0.5            // more rain over warm land
#define CONVERGENCE 0.55      // share of the belts' divergence that counts
#define NARROW 0.12           // columns near the poles are as wide as so much of their width at the equator

// --- grids -------------------------------------------------------------------------------------------------

// Arrays have one column more than the grid, which repeats the first one of a round grid.
typedef struct Grid {
    int width, height, stride;
    size_t count; // cells with the column more
    bool round;
    double down;          // metres from row to row
    const double *across; // of each row, from column to column
    const double *latitudes;
} Grid;

static size_t at_cell(const Grid *grid, int x, int y) {
    return (size_t)y * (size_t)grid->stride + (size_t)x;
}

// Repeats the first column; a flat grid's last.
static void close_rows(const Grid *grid, float *cells) {
    for (int y = 0; y < grid->height; y++) {
        float *row = cells + at_cell(grid, 0, y);
        row[grid->width] = row[grid->round ? 0 : grid->width - 1];
    }
}

// --- mixing ------------------------------------------------------------------------------------------------

// One implicit step of diffusion along a line: (1 + 2r) f[i] - r (f[i-1] + f[i+1]) = g[i], where r is half
// the variance in cells, by elimination forwards and substitution backwards. Nothing crosses a line's ends;
// where they meet, the solution is corrected by a multiple of `around` (Sherman and Morrison 1950).
typedef struct Line {
    float *own, *carried; // factors of a cell's value, and of its neighbour's
    float *around;        // of a round line; NULL
    float last;           // share of the last cell in the correction
} Line;

static void line_factors(float *own, float *carried, int count, double r, double first, double last) {
    double before = 0;
    for (int i = 0; i < count; i++) {
        const double middle = i == 0 ? first : i == count - 1 ? last : 1 + 2 * r;
        const double factor = 1 / (middle - r * before);
        before = r * factor;
        own[i] = (float)factor;
        carried[i] = (float)before;
    }
}

KERNEL_INLINE void line_solve(const Line *line, float *cells, int count) {
    float before = 0;
    for (int i = 0; i < count; i++) {
        before = line->own[i] * cells[i] + line->carried[i] * before;
        cells[i] = before;
    }
    for (int i = count - 2; i >= 0; i--) {
        before = cells[i] + line->carried[i] * before;
        cells[i] = before;
    }
}

static void line_set(Line *line, int count, double r) {
    const double middle = 1 + 2 * r;
    if (!line->around) {
        line_factors(line->own, line->carried, count, r, 1 + r, 1 + r);
        return;
    }
    line_factors(line->own, line->carried, count, r, 2 * middle, middle + r * r / middle);
    for (int i = 0; i < count; i++)
        line->around[i] = i == 0 ? (float)-middle : i == count - 1 ? (float)-r : 0;
    line_solve(line, line->around, count);
    line->last = (float)(r / middle);
    const float whole = 1 + line->around[0] + line->last * line->around[count - 1];
    for (int i = 0; i < count; i++)
        line->around[i] /= whole;
}

static void mix_row(const Line *line, float *cells, int count) {
    line_solve(line, cells, count);
    if (!line->around)
        return;
    const float share = cells[0] + line->last * cells[count - 1];
    for (int i = 0; i < count; i++)
        cells[i] -= share * line->around[i];
}

// A standard deviation of so many metres, in one step: a line for each row, and one for all columns.
typedef struct Mixing {
    const Grid *grid;
    Line *rows, column;
    float *factors;
} Mixing;

static void mixing_free(Mixing *mixing) {
    memory_free(mixing->rows);
    memory_free(mixing->factors);
}

// At most `most` of the grid's sides.
static Status mixing_create(Mixing *mixing, const Grid *grid, double metres, double most, Error *error) {
    const size_t width = (size_t)grid->width, height = (size_t)grid->height;
    *mixing = (Mixing){ .grid = grid };
    mixing->rows = memory_new(height, sizeof *mixing->rows, error);
    mixing->factors = mixing->rows ? memory_new(3 * width * height + 2 * height, sizeof(float), error) : NULL;
    if (!mixing->factors)
        return STATUS_MEMORY;
    float *at = mixing->factors;
    for (int y = 0; y < grid->height; y++, at += 3 * width) {
        const double cells = min(metres / grid->across[y], most * grid->width);
        mixing->rows[y] = (Line){ at, at + width, grid->round ? at + 2 * width : NULL, 0 };
        line_set(&mixing->rows[y], grid->width, cells * cells / 2);
    }
    const double cells = min(metres / grid->down, most * grid->height);
    mixing->column = (Line){ at, at + height, NULL, 0 };
    line_set(&mixing->column, grid->height, cells * cells / 2);
    return STATUS_OK;
}

KERNEL static void mix_columns(const Line *column, float *cells, int width, int height, ptrdiff_t stride) {
    for (int x = 0; x < width; x++)
        cells[x] *= column->own[0];
    for (int y = 1; y < height; y++) {
        float *restrict row = cells + y * stride;
        const float *restrict up = row - stride;
        const float own = column->own[y], carried = column->carried[y];
        for (int x = 0; x < width; x++)
            row[x] = own * row[x] + carried * up[x];
    }
    for (int y = height - 2; y >= 0; y--) {
        float *restrict row = cells + y * stride;
        const float *restrict down = row + stride;
        const float carried = column->carried[y];
        for (int x = 0; x < width; x++)
            row[x] += carried * down[x];
    }
}

static void mix(const Mixing *mixing, float *cells) {
    const Grid *grid = mixing->grid;
    for (int y = 0; y < grid->height; y++)
        mix_row(&mixing->rows[y], cells + at_cell(grid, 0, y), grid->width);
    mix_columns(&mixing->column, cells, grid->width, grid->height, grid->stride);
}

// Four steps are nearly a bell curve.
static Status smooth(const Grid *grid, double metres, double most, float *cells, Error *error) {
    enum { TIMES = 4 };
    Mixing mixing;
    const Status status = mixing_create(&mixing, grid, metres / sqrt(TIMES), most, error);
    for (int i = 0; i < TIMES && status == STATUS_OK; i++)
        mix(&mixing, cells);
    mixing_free(&mixing);
    close_rows(grid, cells);
    return status;
}

// --- winds -------------------------------------------------------------------------------------------------

// Where the air of each cell comes from, in one step: between four cells.
typedef struct Drift {
    int32_t *from;
    float *across, *down; // shares of the cells to the right and below
} Drift;

static void set_drift(const Grid *grid, Drift *drift, size_t cell, int x, int y, float across, float down) {
    float column = (float)x - clamp(across, -FARTHEST, FARTHEST);
    const float row = clamp((float)y - clamp(down, -FARTHEST, FARTHEST), 0.0f, (float)(grid->height - 1));
    if (grid->round)
        column += column < 0 ? (float)grid->width : column >= (float)grid->width ? -(float)grid->width : 0;
    column = clamp(column, 0.0f, grid->round ? (float)grid->width : (float)(grid->width - 1));
    const int left = min(whole_within((double)column, 0, grid->width), grid->width - 1),
              top = min(whole_within((double)row, 0, grid->height), grid->height - 2);
    drift->from[cell] = top * grid->stride + left;
    drift->across[cell] = column - (float)left;
    drift->down[cell] = row - (float)top;
}

KERNEL static void carry_air(const float *restrict from, const int32_t *restrict at,
                             const float *restrict across, const float *restrict down, int stride, int count,
                             float *restrict to) {
    for (int i = 0; i < count; i++) {
        const int upper = at[i], lower = upper + stride;
        const float above = from[upper] + (from[upper + 1] - from[upper]) * across[i],
                    below = from[lower] + (from[lower + 1] - from[lower]) * across[i];
        to[i] = above + (below - above) * down[i];
    }
}

static void carry(const Grid *grid, const Drift *drift, const float *from, float *to) {
    for (int y = 0; y < grid->height; y++) {
        const size_t row = at_cell(grid, 0, y);
        carry_air(from, drift->from + row, drift->across + row, drift->down + row, grid->stride, grid->width,
                  to + row);
    }
}

typedef struct Wind {
    double east, north; // m/s
    double belt;        // degrees from the middle of the belts
    double coast;       // 1 at an east coast of the horse latitudes, -1 at a west coast
} Wind;

static double bell(double x) {
    return exponential(-x * x);
}

// What all seasons share.
typedef struct Model {
    const ClimateRules *rules;
    Grid grid;
    float *land;              // 1, in the sea 0
    float *inland;            // how much land there is nearby
    float *heights;           // of land
    float *smooth_heights;    // as air follows them
    float *maritime;          // 0 far inland, 1 over the sea: 1 - c
    float *mean, *half_range; // of temperatures at the sea's level
    double step;              // of time, seconds
    double nearby;            // metres, NEARBY or as much as the land has room for
    double belt_row;          // metres of a row in the belts
    Mixing mixing;
    const Run *run;
} Model;

typedef struct Slope {
    double east, north; // per metre
} Slope;

static Slope slope_of(const Grid *grid, const float *cells, int x, int y) {
    const int last = grid->width - 1;
    const int left = x > 0         ? x - 1
                     : grid->round ? last
                                   : 0,
              right = x < last      ? x + 1
                      : grid->round ? 0
                                    : last;
    const int up = max(y - 1, 0), down = min(y + 1, grid->height - 1);
    const double columns = grid->round ? 2 : right - left;
    const float *row = cells + at_cell(grid, 0, y);
    return (Slope){ ((double)row[right] - (double)row[left]) / (columns * grid->across[y]),
                    ((double)cells[at_cell(grid, x, up)] - (double)cells[at_cell(grid, x, down)]) /
                        ((down - up) * grid->down) };
}

// Belts of latitude, which move with the sun: -1 January, 1 July. Trade winds from 0 to 30°, westerlies to
// 65°, polar easterlies.
static Wind wind_at(const Model *model, int x, int y, double sun) {
    const ClimateRules *rules = model->rules;
    const Grid *grid = &model->grid;
    const double latitude = grid->latitudes[y];
    const double inland = (double)model->inland[at_cell(grid, x, y)];
    const double belt = latitude - SHIFT * rules->tilt / EARTH_TILT * sun * (1 + inland);
    if (!rules->belts)
        return (Wind){ rules->east, rules->northward, belt, 0 };
    const double away = fabs(belt), side = belt < 0 ? -1 : 1;
    const double trades = sine(PI * clamp(away / 30, 0, 1)), west = sine(PI * clamp((away - 30) / 35, 0, 1)),
                 polar = sine(PI * clamp((away - 65) / 25, 0, 1));
    const Slope land = slope_of(grid, model->inland, x, y);
    const double room = model->nearby / NEARBY; // small lands have no oceans around
    const double coast = clamp(-2.2 * land.east * model->nearby, -1, 1) * bell((away - 28) / 12) * room;
    const double poleward = latitude < 0 ? -1 : latitude > 0 ? 1 : 0;
    return (Wind){ -7 * trades + 9 * west - 3 * polar,
                   side * (-2.4 * trades + 1.6 * west - 0.8 * polar) + poleward * GYRE * coast, belt, coast };
}

static const double suns[SEASONS] = { -1, 0, 1 };

static Wind mean_wind(const Model *model, int x, int y) {
    Wind mean = { 0, 0, 0, 0 };
    for (int season = 0; season < SEASONS; season++) {
        const Wind wind = wind_at(model, x, y, suns[season]);
        mean.east += wind.east / SEASONS;
        mean.north += wind.north / SEASONS;
        mean.coast += wind.coast / SEASONS;
    }
    return mean;
}

static void drift_at(const Model *model, Drift *drift, int x, int y, Wind wind) {
    const Grid *grid = &model->grid;
    set_drift(grid, drift, at_cell(grid, x, y), x, y, (float)(wind.east * model->step / grid->across[y]),
              (float)(-wind.north * model->step / grid->down));
}

// --- temperature -------------------------------------------------------------------------------------------

// At the sea's level.
static void set_temperature(Model *model, int x, int y, double coast) {
    const Grid *grid = &model->grid;
    const size_t cell = at_cell(grid, x, y);
    const double latitude = fabs(grid->latitudes[y]), rise = sine(latitude * (PI / 180)),
                 square = rise * rise;
    const double sea = (double)model->maritime[cell], land = 1 - sea;
    const double warm_sea = 7 * sea * square * clamp((80 - latitude) / 15, 0.2, 1),
                 hot_land = 4 * land * bell((latitude - 21) / 11);
    model->mean[cell] =
        (float)(27 - 42 * square * rise + warm_sea + hot_land + 3 * coast + model->rules->temperature);
    const double polar = 1 - 0.5 * clamp((latitude - 66) / 24, 0, 1); // ice and low sun keep summers cold
    model->half_range[cell] = (float)((sea * (1 + 6 * rise) + land * (1.5 + 29 * square * polar)) *
                                      model->rules->tilt / EARTH_TILT);
}

// Air becomes the sea's within 1.2 days, the land's within 2.2.
static Status find_temperatures(Model *model, Error *error) {
    const Grid *grid = &model->grid;
    Drift drift;
    int32_t *from = memory_new(grid->count, sizeof *from, error);
    float *cells = from ? memory_new(grid->count * 4, sizeof *cells, error) : NULL;
    const Status status = cells ? STATUS_OK : STATUS_MEMORY;
    if (cells) {
        float *air = cells + 2 * grid->count, *coast = cells + 3 * grid->count;
        drift = (Drift){ from, cells, cells + grid->count };
        for (int y = 0; y < grid->height; y++)
            for (int x = 0; x < grid->width; x++) {
                const Wind wind = mean_wind(model, x, y);
                const size_t cell = at_cell(grid, x, y);
                drift_at(model, &drift, x, y, wind);
                model->maritime[cell] = 1 - model->land[cell];
                coast[cell] = (float)wind.coast;
            }
        const float of_land = (float)min(model->step / (2.2 * DAY), 1),
                    of_sea = (float)min(model->step / (1.2 * DAY), 1);
        for (int i = 0; i < STEPS / 2; i++) {
            close_rows(grid, model->maritime);
            carry(grid, &drift, model->maritime, air);
            for (int y = 0; y < grid->height; y++)
                for (size_t cell = at_cell(grid, 0, y); cell < at_cell(grid, grid->width, y); cell++) {
                    const float own = 1 - model->land[cell], rate = own > 0 ? of_sea : of_land;
                    model->maritime[cell] = air[cell] + rate * (own - air[cell]);
                }
            mix(&model->mixing, model->maritime);
        }
        for (int y = 0; y < grid->height; y++)
            for (int x = 0; x < grid->width; x++)
                set_temperature(model, x, y, (double)coast[at_cell(grid, x, y)]);
    }
    memory_free(from);
    memory_free(cells);
    return status;
}

// --- rain --------------------------------------------------------------------------------------------------

// A season, cell by cell.
typedef struct Year {
    Drift drift;
    float *water, *air; // mm, reduced to the sea's level, before and after it is carried
    float *full;        // that of saturated air
    float *fall, *lift; // rain in a step, over the water: of half-saturated air 1/4 fall + 1/2 lift
    float *potential;   // what can evaporate in a step
    float *from_sea;    // share of what is missing that the sea adds in a step
    float *spread;      // what divergence of the wind leaves
    float *rain;        // sum of the last steps
} Year;

enum { YEAR_ARRAYS = 11 };

// Freed by year_free, also after a failure.
static Status year_create(Year *year, size_t count, Error *error) {
    int32_t *from = memory_new(count, sizeof *from, error);
    float *cells = from ? memory_new_zeroed(count * YEAR_ARRAYS, sizeof *cells, error) : NULL;
    *year = (Year){ .drift = { from, cells, cells ? cells + count : NULL } };
    if (!cells)
        return STATUS_MEMORY;
    float **const arrays[] = { &year->water,     &year->air,      &year->full,   &year->fall, &year->lift,
                               &year->potential, &year->from_sea, &year->spread, &year->rain };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = cells + (2 + i) * count;
    return STATUS_OK;
}

static void year_free(Year *year) {
    memory_free(year->drift.from);
    memory_free(year->drift.across);
}

// Of a column of saturated air at the sea's level: Clausius and Clapeyron's relation, 6.6 % a degree.
static double saturation(double temperature) {
    return 58 * exponential(0.066 * (min(temperature, 32) - 27));
}

// How readily saturated air rains without mountains: at the belts where it rises.
static double readiness(const Model *model, Wind wind, double latitude, double inland, double summer) {
    if (!model->rules->belts)
        return 0.8;
    const double storms = 0.22 + 1.5 * bell(wind.belt / 9) + 1.15 * bell((fabs(wind.belt) - 52) / 16);
    const double warm_land = SUMMER * max(summer, 0) * inland * clamp((65 - fabs(latitude)) / 10, 0, 1);
    return (storms + warm_land) * exponential(1.2 * wind.coast);
}

static void set_cell(const Model *model, Year *year, int x, int y, double sun, double divergence) {
    const Grid *grid = &model->grid;
    const size_t cell = at_cell(grid, x, y);
    const double latitude = grid->latitudes[y], step = model->step, days = step / DAY;
    const Wind wind = wind_at(model, x, y, sun);
    const double season = clamp(latitude / 12, -1, 1) * sun;
    const double at_sea = (double)model->mean[cell] + (double)model->half_range[cell] * season;
    const double height = (double)model->heights[cell], temperature = at_sea - LAPSE * height;
    const double thin = exponential(-height / (double)THINNING), full = saturation(at_sea);
    const Slope ground = slope_of(grid, model->smooth_heights, x, y);
    const double dry_coast = exponential(1.5 * min(wind.coast, 0));
    const double steep = max(wind.east * ground.east + wind.north * ground.north, 0);
    const double rise = steep / (1 + steep / MOST_RISE) * dry_coast;
    const double summer = clamp(latitude / 15, -1, 1) * sun;
    const double inland = (double)model->inland[cell];
    const double ready = readiness(model, wind, latitude, inland, summer);
    const double frozen = clamp(-temperature / 10, 0, 0.9); // sea under ice evaporates less
    drift_at(model, &year->drift, x, y, wind);
    year->full[cell] = (float)full;
    year->water[cell] = (float)(0.7 * full);
    year->fall[cell] = (float)(thin * ready * days / (double)RAIN_DAYS);
    year->lift[cell] = (float)(thin * model->rules->lift * rise * step / (double)THINNING);
    year->potential[cell] = HOLDRIDGE * (float)(max(temperature, 0) * days / 365);
    year->from_sea[cell] = (1 - model->land[cell]) * (float)(min(days / (double)FILL_DAYS, 1) * (1 - frozen));
    year->spread[cell] = (float)exponential(-clamp(divergence * step, -0.5, 0.5));
}

// How much the wind's northward part spreads the air at a cell, per second. Belts are as wide as the earth's,
// also where a flat land has more latitudes than ground.
static double divergence_at(const Model *model, int x, int y, double sun) {
    const int up = max(y - 1, 0), down = min(y + 1, model->grid.height - 1);
    if (!model->rules->belts)
        return 0;
    const double change = wind_at(model, x, up, sun).north - wind_at(model, x, down, sun).north;
    return CONVERGENCE * change / ((down - up) * model->belt_row);
}

// Rain and evaporation of a step. Evaporation of land is Turc's and Pike's, P Q / √(P² + Q²) (Pike 1964).
KERNEL static void rain_row(const Year *year, const float *restrict land, size_t first, int count,
                            float clearing, float counted) {
    const float *restrict air = year->air + first, *restrict full = year->full + first,
                          *restrict fall = year->fall + first, *restrict lift = year->lift + first,
                          *restrict potential = year->potential + first,
                          *restrict from_sea = year->from_sea + first,
                          *restrict spread = year->spread + first;
    float *restrict water = year->water + first, *restrict sum = year->rain + first;
    INDEPENDENT_PASSES
    for (int i = 0; i < count; i++) {
        const float over = air[i] / full[i], wet = min(over, 1), rate = wet * (fall[i] * wet + lift[i]);
        const float ready = air[i] * rate / (1 + rate), left = air[i] - ready;
        const float beyond = max(left - full[i], 0) * clearing, rain = ready + beyond;
        const float can = potential[i], evaporated = rain * can / sqrtf(rain * rain + can * can + 1e-30f);
        const float missing = max(0.85f * full[i] - left, 0);
        water[i] = (left - beyond + land[i] * evaporated + from_sea[i] * missing) * spread[i];
        sum[i] += rain * counted;
    }
}

// How saturated the air is that comes over the border of a flat land: less where it sinks in the horse
// latitudes, least from land.
static float border_humidity(const Model *model, double latitude, float land) {
    const double sinking = model->rules->belts ? bell((fabs(latitude) - 25) / 9) : 0;
    return (float)(0.75 - (0.1 + 0.35 * (double)land) * sinking);
}

static void set_border(const Model *model, const Year *year) {
    const Grid *grid = &model->grid;
    for (int y = 0; y < grid->height && !grid->round; y++) {
        const bool whole = y == 0 || y == grid->height - 1;
        for (int x = 0; x < grid->width; x += whole ? 1 : grid->width - 1) {
            const size_t cell = at_cell(grid, x, y);
            year->air[cell] =
                border_humidity(model, grid->latitudes[y], model->land[cell]) * year->full[cell];
        }
    }
}

static void run_season(const Model *model, Year *year, Season season) {
    const Grid *grid = &model->grid;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++)
            set_cell(model, year, x, y, suns[season], divergence_at(model, x, y, suns[season]));
    const float clearing = (float)min(model->step / DAY / (double)CLEARING, 1);
    for (int i = 0; i < STEPS && !run_stopped(model->run); i++) {
        close_rows(grid, year->water);
        carry(grid, &year->drift, year->water, year->air);
        mix(&model->mixing, year->air);
        set_border(model, year);
        for (int y = 0; y < grid->height; y++) {
            const size_t row = at_cell(grid, 0, y);
            rain_row(year, model->land + row, row, grid->width, clearing, i >= STEPS - COUNTED ? 1 : 0);
        }
    }
}

typedef struct Seasons {
    const Model *model;
    Year years[SEASONS];
} Seasons;

static void run_seasons(void *context, int first, int end) {
    Seasons *seasons = context;
    for (int season = first; season < end; season++)
        run_season(seasons->model, &seasons->years[season], (Season)season);
}

static Status find_rain(const Model *model, Seasons *seasons, Error *error) {
    Status status = STATUS_OK;
    seasons->model = model;
    for (int season = 0; season < SEASONS && status == STATUS_OK; season++)
        status = year_create(&seasons->years[season], model->grid.count, error);
    return status == STATUS_OK ? parallel_rows(model->run, SEASONS, 3e7, run_seasons, seasons) : status;
}

// --- the climate -------------------------------------------------------------------------------------------

enum { MODEL_ARRAYS = 7 };

static Status model_create(Model *model, const ClimateGround *ground, const ClimateRules *rules,
                           Error *error) {
    const int width = ground->width, height = ground->height;
    *model = (Model){ .rules = rules,
                      .grid = { .width = width,
                                .height = height,
                                .stride = width + 1,
                                .count = ((size_t)width + 1) * (size_t)height,
                                .round = ground->round,
                                .down = ground->cell } };
    Grid *grid = &model->grid;
    double *rows = memory_new(2 * (size_t)height, sizeof *rows, error);
    model->land = rows ? memory_new_zeroed(grid->count * MODEL_ARRAYS, sizeof(float), error) : NULL;
    grid->latitudes = rows;
    grid->across = rows ? rows + height : NULL;
    if (!model->land)
        return STATUS_MEMORY;
    float **const arrays[] = { &model->inland,   &model->heights, &model->smooth_heights,
                               &model->maritime, &model->mean,    &model->half_range };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = model->land + (i + 1) * grid->count;
    for (int y = 0; y < height; y++) {
        rows[y] = rules->north - (y + 0.5) / height * (rules->north - rules->south);
        rows[height + y] = ground->cell * (ground->round ? max(cosine(rows[y] * (PI / 180)), NARROW) : 1);
    }
    return STATUS_OK;
}

static void model_free(Model *model) {
    memory_free((void *)model->grid.latitudes);
    memory_free(model->land);
    mixing_free(&model->mixing);
}

static Status model_begin(Model *model, const ClimateGround *ground, Error *error) {
    Grid *grid = &model->grid;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            const size_t cell = at_cell(grid, x, y);
            const float height = ground->heights[y * grid->width + x];
            model->land[cell] = model->inland[cell] = height >= 0 ? 1 : 0;
            model->heights[cell] = model->smooth_heights[cell] = max(height, 0);
        }
    const double wide = ground->cell * max(grid->width, grid->height);
    const double speed = model->rules->belts
                             ? SPEED
                             : max(SPEED, sqrt(model->rules->east * model->rules->east +
                                               model->rules->northward * model->rules->northward));
    const double most = 1.0 / 6;
    model->step = 0.9 * ground->cell / speed;
    const double latitudes = (model->rules->north - model->rules->south) / grid->height * EARTH_DEGREE;
    model->belt_row = grid->round ? grid->down : max(grid->down, latitudes);
    model->nearby = min(NEARBY, most * ground->cell * grid->height);
    Status status = smooth(grid, NEARBY, most, model->inland, error);
    if (status == STATUS_OK)
        status = smooth(grid, AIR_SMOOTH, 100, model->smooth_heights, error);
    if (status != STATUS_OK)
        return status;
    const double mixing = (double)MIXING * min(wide / WIDE, 1);
    return mixing_create(&model->mixing, grid, sqrt(2 * mixing * model->step), 1, error);
}

static float *layer_of(Climate *climate, int layer) {
    return climate->cells + (size_t)layer * (size_t)climate->width * (size_t)climate->height;
}

static void keep(const Model *model, const Seasons *seasons, Climate *climate) {
    const Grid *grid = &model->grid;
    const double a_year = 365 * DAY / (COUNTED * model->step) * model->rules->rain;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            const size_t cell = at_cell(grid, x, y), to = (size_t)y * (size_t)grid->width + (size_t)x;
            layer_of(climate, 0)[to] = model->mean[cell];
            layer_of(climate, 1)[to] = model->half_range[cell];
            for (int season = 0; season < SEASONS; season++)
                layer_of(climate, 2 + season)[to] =
                    (float)((double)seasons->years[season].rain[cell] * a_year);
        }
}

Climate *climate_create(const ClimateGround *ground, const ClimateRules *rules, const Run *run,
                        Status *status, Error *error) {
    const size_t cells = (size_t)ground->width * (size_t)ground->height;
    Model model;
    Seasons seasons = { 0 };
    Climate *climate = memory_new(sizeof *climate + cells * CLIMATE_LAYERS * sizeof(float), 1, error);
    *status = climate ? model_create(&model, ground, rules, error) : STATUS_MEMORY;
    if (!climate)
        return NULL;
    model.run = run;
    if (*status == STATUS_OK)
        *status = model_begin(&model, ground, error);
    if (*status == STATUS_OK)
        *status = find_temperatures(&model, error);
    if (*status == STATUS_OK)
        *status = find_rain(&model, &seasons, error);
    climate->width = ground->width;
    climate->height = ground->height;
    climate->round = ground->round;
    climate->south = rules->south;
    climate->north = rules->north;
    if (*status == STATUS_OK)
        keep(&model, &seasons, climate);
    for (int season = 0; season < SEASONS; season++)
        year_free(&seasons.years[season]);
    model_free(&model);
    if (*status == STATUS_OK)
        return climate;
    memory_free(climate);
    return NULL;
}
