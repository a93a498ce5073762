// The climate of a place: the grid's between its cells, cooler by the place's own height.

#include "climate/climate.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/whole.h"

#include <math.h>
#include <stddef.h>

// --- between cells -----------------------------------------------------------------------------------------

// Weights of three cells by a quadratic spline: smooth, and never beyond the cells' own values.
typedef struct Weights {
    int cells[3];
    float shares[3];
} Weights;

// A little more than whole parts, so that no middle of a pixel lies between two of them.
#define PARTS 0x1p24
#define BETWEEN 0.3819660112501051

static double rounded(double place) {
    return clamp(floor(place * PARTS + BETWEEN) / PARTS, 0, 1);
}

static Weights weights_at(double place, int count, bool round) {
    const double at = place * count;
    const int middle = index_within(at, count), last = count - 1;
    const float off = (float)(at - middle) - 0.5f, before = 0.5f - off, after = 0.5f + off;
    return (Weights){ { middle > 0 ? middle - 1
                        : round    ? last
                                   : 0,
                        middle,
                        middle < last ? middle + 1
                        : round       ? 0
                                      : last },
                      { 0.5f * before * before, 0.75f - off * off, 0.5f * after * after } };
}

static float layer_at(const Climate *climate, int layer, const Weights *across, const Weights *down) {
    const float *cells = climate->cells + (size_t)layer * (size_t)climate->width * (size_t)climate->height;
    float sum = 0;
    for (int j = 0; j < 3; j++) {
        const float *row = cells + (size_t)down->cells[j] * (size_t)climate->width;
        const float part = across->shares[0] * row[across->cells[0]] +
                           across->shares[1] * row[across->cells[1]] +
                           across->shares[2] * row[across->cells[2]];
        sum += down->shares[j] * part;
    }
    return sum;
}

// --- the place ---------------------------------------------------------------------------------------------

// Of the three seasons, spring and autumn alike.
static float a_year(float january, float equinox, float july) {
    return 0.25f * (january + 2 * equinox + july);
}

Air climate_at(const Climate *climate, double x, double y, float height) {
    const double row = rounded(y);
    const Weights across = weights_at(rounded(x), climate->width, climate->round),
                  down = weights_at(row, climate->height, false);
    float values[CLIMATE_LAYERS];
    for (int layer = 0; layer < CLIMATE_LAYERS; layer++)
        values[layer] = layer_at(climate, layer, &across, &down);
    const float *rain = values + 2, mean = values[0] - (float)LAPSE * max(height, 0), range = values[1];
    const double latitude = climate->north - row * (climate->north - climate->south);
    const bool northern = latitude >= 0;
    const float evaporates = HOLDRIDGE * a_year(max(mean - range, 0), max(mean, 0), max(mean + range, 0)),
                falls = a_year(rain[SEASON_JANUARY], rain[SEASON_EQUINOX], rain[SEASON_JULY]);
    return (Air){ .temperature = mean,
                  .half_range = range,
                  .rain = falls,
                  // Turc's and Pike's (Pike 1964, "The estimation of annual run-off")
                  .evaporation =
                      falls * (evaporates / sqrtf(falls * falls + evaporates * evaporates + 1e-12f)),
                  .potential = evaporates,
                  .northern = northern,
                  .winter = rain[northern ? SEASON_JANUARY : SEASON_JULY],
                  .summer = rain[northern ? SEASON_JULY : SEASON_JANUARY] };
}

float snow_share(float warmest) {
    return smoothstep(clamp((3.5f - warmest) / 3, 0, 1));
}

float ice_share(float warmest) {
    return smoothstep(clamp(-0.25f * warmest, 0, 1));
}

// --- Köppen's classes --------------------------------------------------------------------------------------

const char *const koppen_names[KOPPEN_CLASSES + 1] = {
    "sea", "Af",  "Am",  "Aw",  "BWh", "BWk", "BSh", "BSk", "Csa", "Csb", "Csc",
    "Cwa", "Cwb", "Cwc", "Cfa", "Cfb", "Cfc", "Dsa", "Dsb", "Dsc", "Dsd", "Dwa",
    "Dwb", "Dwc", "Dwd", "Dfa", "Dfb", "Dfc", "Dfd", "ET",  "EF",
};

enum {
    KOPPEN_AF = 1,
    KOPPEN_AM,
    KOPPEN_AW,
    KOPPEN_BW,
    KOPPEN_BS = 6,
    KOPPEN_C = 8,
    KOPPEN_D = 17,
    KOPPEN_ET = 29
};
enum { DRY_SUMMER, DRY_WINTER, NO_DRY_SEASON };

// Third letters, a to d: temperatures of months follow a sine, so the fourth warmest is at half the range.
static int warmth_of(const Air *air) {
    const float warmest = air->temperature + air->half_range, coldest = air->temperature - air->half_range,
                fourth = air->temperature + 0.5f * air->half_range;
    return warmest >= 22 ? 0 : fourth >= 10 ? 1 : coldest < -38 ? 3 : 2;
}

// Criteria of Peel et al. 2007 (Hydrology and Earth System Sciences 11, table 1). Of the seasons' rates, two
// thirds are taken for 70 % of the rain of half a year.
int koppen_class(const Air *air) {
    const float mean = air->temperature, warmest = mean + air->half_range, coldest = mean - air->half_range;
    const float sum = air->summer + air->winter, share = sum > 0 ? air->summer / sum : 0.5f;
    const float dry = 20 * mean + (share > 0.7f ? 280.0f : share < 0.3f ? 0.0f : 140.0f);
    const float between = 2 * air->rain - 0.5f * sum; // at the equinoxes, which count twice
    const float least = max(min(min(air->summer, air->winter), between), 0) / 12;
    if (warmest < 10)
        return KOPPEN_ET + (warmest < 0);
    if (air->rain < max(dry, 0))
        return (air->rain < 0.5f * dry ? KOPPEN_BW : KOPPEN_BS) + (mean < 18);
    if (coldest >= 18)
        return least >= 60 ? KOPPEN_AF : least >= 100 - air->rain / 25 ? KOPPEN_AM : KOPPEN_AW;
    const bool dry_summer = air->summer < 40 * 12 && air->summer < air->winter / 3,
               dry_winter = air->winter < air->summer / 10;
    const int season = dry_summer   ? DRY_SUMMER
                       : dry_winter ? DRY_WINTER
                                    : NO_DRY_SEASON,
              warmth = warmth_of(air);
    return coldest > 0 ? KOPPEN_C + 3 * season + min(warmth, 2) : KOPPEN_D + 4 * season + warmth;
}
