// Direct sunlight on the ground over a day.
//
// The sun's declination on day n is 23.45° sin(360° (284 + n) / 365) (Cooper 1969, "The absorption of
// radiation in solar stills", equation 6). Its altitude a and azimuth follow from the latitude and the hour
// angle. Through m = 1 / (sin a + 0.50572 (a + 6.07995°)^-1.6364) air masses (Kasten and Young 1989, "Revised
// optical air mass tables and approximation formula", equation 3) a share transmission^m of 1.361 kW/m²
// arrives, times 1 + 0.033 cos(360° n / 365) for the sun's distance (Duffie and Beckman 1991, "Solar
// engineering of thermal processes", equation 1.4.1a); ground gets its cosine to the normal, none in shadow.

#include "core/elementary.h"
#include "core/math.h"
#include "surface/horizon.h"
#include "surface/nine_points.h"

#include <math.h>
#include <string.h>

typedef struct Insolation {
    double latitude, day, transmission, exaggeration;
    int steps;
    bool shadows;
} Insolation;

typedef struct Sun {
    double azimuth;         // degrees clockwise from north
    double east, south, up; // towards it, length 1
    double energy;          // kWh/m² on ground that faces it
} Sun;

typedef struct Day {
    Horizon horizon;
    Field tangent; // of the horizon towards the sun
    bool shadows;
    Compass compass;
    float scale;                        // cells that a height of 1 stands for
    float x, y, z, steepness, strength; // of the present sun; steepness: the tangent of its altitude
} Day;

#define SOLAR_CONSTANT 1.361 // kW/m²

// The share that passes the air.
static double transmitted(double transmission, double altitude) {
    const double degrees = altitude * (180 / PI);
    const double mass = 1 / (sine(altitude) + 0.50572 * power(degrees + 6.07995, -1.6364));
    return power(transmission, mass);
}

// The sun in the middle of step i of the day from sunrise to sunset; `half_day` is sunset's hour angle.
static Sun sun_at(const Insolation *params, double declination, double half_day, int i) {
    const double latitude = params->latitude * (PI / 180);
    const double hour = half_day * ((2 * i + 1.0) / params->steps - 1); // 0 at noon
    const double up =
        sine(latitude) * sine(declination) + cosine(latitude) * cosine(declination) * cosine(hour);
    const double altitude = arctangent2(up, sqrt(max(1 - up * up, 0)));
    const double west = cosine(declination) * sine(hour);
    const double south =
        sine(latitude) * cosine(declination) * cosine(hour) - cosine(latitude) * sine(declination);
    const double hours = 2 * half_day * (12 / PI) / params->steps;
    const double nearer = 1 + 0.033 * cosine(params->day * (2 * PI / 365));
    return (Sun){ arctangent2(-west, -south) * (180 / PI), -west, south, up,
                  SOLAR_CONSTANT * nearer * hours * transmitted(params->transmission, altitude) };
}

KERNEL static void shine(const void *context, NinePoints at, int count, float *restrict out) {
    const Day *day = context;
    const float sun_x = day->x, sun_y = day->y, sun_z = day->z, strength = day->strength;
    const float scale = day->scale, steepness = day->steepness;
    const float *restrict tangent = field_row(&day->tangent, at.y) + at.x;
    for (int x = 0; x < count; x++) {
        float across, along;
        gradient_at(GRADIENT_HORN, at, x, &across, &along);
        const float p = across * scale, q = along * scale;
        const float facing = (sun_z - p * sun_x - q * sun_y) / sqrtf(p * p + q * q + 1);
        const float lit = facing > 0 ? facing * strength : 0;
        out[x] += tangent[x] * scale <= steepness ? lit : 0;
    }
}

static Status day_create(const Call *call, Day *day, Error *error) {
    const Insolation *params = call->params;
    const Field *height = call->inputs[0].field;
    *day = (Day){ .shadows = params->shadows,
                  .scale = cells_per_height(height, params->exaggeration),
                  .compass = frame_compass(&height->frame) };
    Status status = field_create(&day->tangent, call->width, call->height, error);
    if (status == STATUS_OK && day->shadows)
        status = horizon_create(&day->horizon, call->run, height, call->wraps, error);
    if (status == STATUS_OK) { // without shadows the horizon stays level
        memset(field_cells(&day->tangent), 0, field_count(&day->tangent) * sizeof(float));
        memset(field_cells(&call->outputs[0].field), 0, field_count(height) * sizeof(float));
    }
    return status;
}

static Status pass_sun(const Call *call, Day *day, Sun sun) {
    const double direction = compass_to_cells(day->compass, sun.azimuth);
    if (direction != sun.azimuth) { // north is not up
        const double level = sqrt(sun.east * sun.east + sun.south * sun.south);
        sun.east = level * sine(direction * (PI / 180));
        sun.south = -level * cosine(direction * (PI / 180));
    }
    day->x = (float)sun.east;
    day->y = (float)sun.south;
    day->z = (float)sun.up;
    day->steepness = (float)(sun.up / max(sqrt(sun.east * sun.east + sun.south * sun.south), 1e-9));
    day->strength = (float)sun.energy;
    const Status status =
        day->shadows ? horizon_towards(&day->horizon, call->run, direction, &day->tangent) : STATUS_OK;
    return status == STATUS_OK ? nine_points(call, shine, day, 2, &call->outputs[0].field) : status;
}

static Status run(const Call *call, Error *error) {
    const Insolation *params = call->params;
    const double declination = 23.45 * (PI / 180) * sine((284 + params->day) * (2 * PI / 365));
    const double latitude = clamp(params->latitude, -89.999, 89.999) * (PI / 180);
    const double sunset = -sine(latitude) * sine(declination) / (cosine(latitude) * cosine(declination));
    const double half_day = sunset <= -1  ? PI
                            : sunset >= 1 ? 0
                                          : arctangent2(sqrt(1 - sunset * sunset), sunset);
    Day day;
    Status status = day_create(call, &day, error);
    for (int i = 0; i < params->steps && status == STATUS_OK && half_day > 0; i++)
        status = pass_sun(call, &day, sun_at(params, declination, half_day, i));
    horizon_free(&day.horizon);
    field_free(&day.tangent);
    return status;
}

static const Param params[] = {
    PARAM(Insolation, latitude, .initial = 45, .min = -90, .max = 90, .unit = UNIT_DEGREES,
          .doc = "north of the equator; north is where the frame says, otherwise up"),
    PARAM(Insolation, day, .initial = 172, .min = 1, .max = 365,
          .doc = "day of the year: 80 and 266 equinoxes, 172 and 355 solstices"),
    PARAM(Insolation, steps, .initial = 24, .min = 1, .max = 1440,
          .doc = "positions of the sun between sunrise and sunset"),
    PARAM(Insolation, transmission, .initial = 0.7, .min = 0.01, .max = 1,
          .doc = "share of the sunlight that clear air lets through from the zenith"),
    PARAM(Insolation, shadows, .initial = true,
          .doc = "whether ground casts shadows, which are found along lines one cell apart"),
    EXAGGERATION_PARAM(Insolation, UNIT_EXAGGERATION),
    { 0 },
};

const Operation op_insolation = {
    .name = "insolation",
    .gaps = GAPS_KEPT,
    .measures = MEASURES_CELLS,
    .category = "surface",
    .keywords = "solar radiation sun sunshine sunlight energy warm snow vegetation climate",
    .summary = "Gives the direct sunlight that the ground receives in a day",
    .description =
        "Warm slopes and cold ones, for snow, vegetation and vineyards. Diffuse light from the sky "
        "is not part of it: see sky_view.",
    .source =
        "Cooper 1969, The absorption of radiation in solar stills; Kasten and Young 1989, Revised "
        "optical air mass tables and approximation formula; Duffie and Beckman 1991, Solar engineering of "
        "thermal processes; horizons: Timonen and Westerholm 2010, "
        "Scalable height field self-shadowing",
    .inputs = { { "height", "heights" } },
    .outputs = { { "energy", "kWh/m² in the day" } },
    .params = params,
    .params_size = sizeof(Insolation),
    .example = "local sun = height:insolation{ latitude = 47, day = 80, steps = 8 }",
    .wrapping = WRAPPING_CHOSEN,
    .picture =
        "local colours = { { 0, \"#313695\" }, { 0.5, \"#ffffbf\" }, { 1, \"#a50026\" } }\n"
        "return height:insolation{ day = 80 }:relief{ palette = colours, contrast = 0, low = 2, high = "
        "7 }",
    .see_also = "hillshade sky_view aspect",
    .run = run,
};
