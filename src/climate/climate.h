// The climate of a land: temperature and rain in three seasons on a coarse grid, from the ground, the
// latitude and the wind (docs/climate.md has the equations). A window of the land reads it smoothly between
// cells.

#ifndef ESKER_CLIMATE_H
#define ESKER_CLIMATE_H

#include "core/error.h"
#include "core/parallel.h"

#include <stdbool.h>

// The tilt of the earth's axis, degrees.
#define EARTH_TILT 23.4

#define LAPSE 0.0057 // °C by which a metre higher is cooler

#define HOLDRIDGE 58.93f // what can evaporate in a year, mm, for each °C above 0 (Holdridge 1967)

typedef struct ClimateRules {
    double south, north;    // latitudes of the lower and upper edge, degrees
    bool belts;             // winds are those of a planet's belts: trades, westerlies, polar easterlies
    double east, northward; // otherwise the wind, m/s
    double temperature;     // °C more everywhere
    double rain;            // factor
    double tilt;            // of the axis, degrees: how strong seasons are
    double lift;            // share of the water lifted by mountains that rains out
} ClimateRules;

extern const ClimateRules climate_rules_default; // without latitudes

typedef struct ClimateGround {
    int width, height;    // at least 2
    const float *heights; // metres, the sea below 0; rows from north to south
    double cell;          // metres from row to row; of a flat land also from column to column
    bool round;           // a planet: columns get narrower towards the poles, the first follows the last
} ClimateGround;

typedef enum Season { SEASON_JANUARY, SEASON_EQUINOX, SEASON_JULY, SEASONS } Season;

// What each cell has.
enum { CLIMATE_LAYERS = 2 + SEASONS };

typedef struct Climate { // one block of memory
    int width, height;
    bool round;
    double south, north;
    float cells[]; // of each layer: temperature at the sea's level, half its yearly range, rain
} Climate;

// Freed by memory_free. NULL: `status` says why.
Climate *climate_create(const ClimateGround *ground, const ClimateRules *rules, const Run *run,
                        Status *status, Error *error);

// The climate of a place.
typedef struct Air {
    float temperature;       // the year's mean, °C
    float half_range;        // January's and July's mean differ from it by so much
    float rain, evaporation; // mm a year
    float potential;         // what would evaporate if there was enough rain, mm a year
    float winter, summer;    // rain at the seasons' rates, mm a year
    bool northern;           // whether the sun stands in the south
} Air;

// At a place of the grid, 0 … 1 from left to right and top to bottom, on ground of this height in metres.
// Places are rounded to a 2^24th of the grid, so that what a window makes of its last digits does not matter.
Air climate_at(const Climate *climate, double x, double y, float height);

// The share of level ground under snow that summers do not melt, and of that under ice, where the warmest
// month has this mean, °C.
float snow_share(float warmest);
float ice_share(float warmest);

// Classes of Köppen and Geiger, numbered as by Beck et al. 2018 (Scientific Data 5, 180214): 1 Af … 30 EF.
enum { KOPPEN_CLASSES = 30 };
extern const char *const koppen_names[KOPPEN_CLASSES + 1]; // 0: the sea

int koppen_class(const Air *air);

#endif
