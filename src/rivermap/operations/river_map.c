// Zoomable maps with rivers and fjords (Mogensen and Isenbecker 2025): the operation that makes one.

#include "rivermap/operations/tilings.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/summary.h"
#include "core/whole.h"

#include <math.h>

extern const Operation op_render;

typedef struct RiverMapParams {
    int tiling;
    bool rivers, islands, wide;
    double river_width;
    int rules;
    double sea_level;
    Numbers corners;
    const Field *guide;
    int land, landscape;
    double side, radius, relief, concavity, talus, rounding, roughness, variety, hardness, deposition,
        hillslope, lakes;
    Numbers latitudes, wind;
    double temperature, rain, seasons, lift;
    bool climate;
    double k1, k2, k3, k4, k5, k6, k7, k8;
} RiverMapParams;

enum { MENDED, PAPER };

enum { ISLANDS = 5 }; // of the landscapes

// Slopes of streams where 24 cells of the finest level that erosion shapes drain, 0.05 km² by default.
static const LandRules landscapes[] = {
    { .gentle = 0.015f, .steep = 0.5f },
    { .gentle = 0.005f, .steep = 0.03f },
    { .gentle = 0.07f, .steep = 0.25f },
    { .gentle = 0.3f, .steep = 0.8f },
    { .gentle = 0.02f, .steep = 0.4f, .hardness = 0.85f },
    { .gentle = 0.05f, .steep = 0.4f },
};

#define SIDE 3e6      // metres, of flat maps
#define RADIUS 6371e3 // of planets
#define HILLSLOPE 200 // metres

// Widths of rivers against the root of what they drain. Real ones are 0.7 to 1 m wide for 1 km²: width in
// metres follows about 5 times the root of the discharge at bankfull stage in m³/s (Leopold and Maddock 1953,
// "The hydraulic geometry of stream channels"), which is 0.02 to 0.04 m³/s for 1 km².
#define WIDTH 0.001 // rivers of half to twice that meander
#define RAW_WIDTH 0.004

#define TILING_NAME(name, doc) #name,
#define TILING_TABLE(name, doc) &tiling_##name,
#define TILING_DOC(name, doc) "; " #name ": " doc
static const char *const tiling_names[] = { ALL_TILINGS(TILING_NAME) NULL };
static const Tiling *const tilings[] = { ALL_TILINGS(TILING_TABLE) };

#define LAND_NAME(name) #name,
static const char *const land_names[] = { ALL_LANDS(LAND_NAME) NULL };

static void set(float *rule, double given) {
    *rule = isnan(given) ? *rule : (float)given;
}

static double width_of(const RiverMapParams *params, bool eroded) {
    return !isnan(params->river_width) ? params->river_width : eroded ? WIDTH : RAW_WIDTH;
}

// The parameters of a landscape, overridden by those given.
static LandRules land_rules(const RiverMapParams *params, double width, uint64_t seed) {
    LandRules rules = land_rules_default;
    const LandRules *country = &landscapes[params->landscape == NOT_CHOSEN ? 0 : params->landscape];
    rules.gentle = country->gentle;
    rules.steep = country->steep;
    rules.hardness = country->hardness;
    rules.hillslope = HILLSLOPE;
    set(&rules.relief, params->relief);
    set(&rules.concavity, params->concavity);
    set(&rules.talus, params->talus);
    set(&rules.rounding, params->rounding);
    set(&rules.roughness, params->roughness);
    set(&rules.variety, params->variety);
    set(&rules.hardness, params->hardness);
    set(&rules.deposition, params->deposition);
    set(&rules.hillslope, params->hillslope);
    set(&rules.lakes, params->lakes);
    rules.meanders = width >= WIDTH / 2 && width <= 2 * WIDTH;
    rules.widening = (float)width;
    rules.guided = params->guide != NULL;
    rules.seed = random_bits(random_key(seed, 2), 0, 0);
    return rules;
}

// The name of a parameter of eroded land that was given; NULL: none.
static const char *eroded_given(const RiverMapParams *params) {
    const struct {
        const char *name;
        double given;
    } rules[] = { { "side", params->side },
                  { "radius", params->radius },
                  { "relief", params->relief },
                  { "concavity", params->concavity },
                  { "talus", params->talus },
                  { "rounding", params->rounding },
                  { "roughness", params->roughness },
                  { "variety", params->variety },
                  { "hardness", params->hardness },
                  { "deposition", params->deposition },
                  { "hillslope", params->hillslope },
                  { "lakes", params->lakes },
                  { "temperature", params->temperature },
                  { "rain", params->rain },
                  { "seasons", params->seasons },
                  { "lift", params->lift } };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (!isnan(rules[i].given))
            return rules[i].name;
    return params->landscape != NOT_CHOSEN ? "landscape"
           : params->latitudes.count       ? "latitudes"
           : params->wind.count            ? "wind"
           : params->climate               ? "climate"
                                           : NULL;
}

#define LAND_OF_TILING(name) tiling->name,
static const LandMethods *chosen_land(const RiverMapParams *params) {
    const Tiling *tiling = tilings[params->tiling];
    const LandMethods *const lands[] = { ALL_LANDS(LAND_OF_TILING) };
    if (params->land != NOT_CHOSEN)
        return lands[params->land];
    return params->rules == PAPER ? tiling->raw : tiling->eroded;
}

// The length of the map's side, or the planet's radius.
static double metres_of(const RiverMapParams *params) {
    const bool planet = tilings[params->tiling]->planet;
    const double given = planet ? params->radius : params->side;
    return isnan(given) ? (planet ? RADIUS : SIDE) : given;
}

// --- climate -----------------------------------------------------------------------------------------------

#define DEGREE 111194.927 // metres on the earth

// Around 45° by default, as many degrees as the side has on the earth.
static ClimateRules climate_rules(const RiverMapParams *params) {
    ClimateRules rules = climate_rules_default;
    const double half = min(metres_of(params) / DEGREE / 2, 45);
    const bool planet = tilings[params->tiling]->planet, given = params->latitudes.count > 0;
    rules.south = planet ? -90 : given ? params->latitudes.at[0] : 45 - half;
    rules.north = planet ? 90 : given ? params->latitudes.at[1] : 45 + half;
    rules.belts = params->wind.count == 0;
    if (!rules.belts) {
        rules.east = params->wind.at[0];
        rules.northward = params->wind.at[1];
    }
    const struct {
        double *rule, given;
    } numbers[] = { { &rules.temperature, params->temperature },
                    { &rules.rain, params->rain },
                    { &rules.tilt, params->seasons },
                    { &rules.lift, params->lift } };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!isnan(numbers[i].given))
            *numbers[i].rule = numbers[i].given;
    return rules;
}

// Whether the map was asked for one: without, rivers know nothing of it.
static bool has_climate(const RiverMapParams *params) {
    return params->climate || params->latitudes.count > 0 || params->wind.count > 0 ||
           !isnan(params->temperature) || !isnan(params->rain) || !isnan(params->seasons) ||
           !isnan(params->lift);
}

static Status check_climate(const RiverMapParams *params, Error *error) {
    const Numbers *latitudes = &params->latitudes;
    if (latitudes->count == 0)
        return STATUS_OK;
    if (tilings[params->tiling]->planet)
        return fail(error, STATUS_INVALID, "latitudes are for flat maps: a planet reaches from pole to pole");
    if (latitudes->at[0] > latitudes->at[1])
        return fail(error, STATUS_INVALID,
                    "latitudes must be { south, north }, the south not above the north, got { %s, %s }: "
                    "write { %s, %s }",
                    digits_of(latitudes->at[0]).text, digits_of(latitudes->at[1]).text,
                    digits_of(latitudes->at[1]).text, digits_of(latitudes->at[0]).text);
    return STATUS_OK;
}

// --- guides ------------------------------------------------------------------------------------------------

// What the numbers of a guide are: those of −1 to 1, or heights in a unit, whose highest gives the relief.
typedef struct GuideScale {
    bool measured;
    double factor, sea; // altitude = (number − sea) × factor
} GuideScale;

// The length of the side of a guide's ground, whose outermost cells lie on the map's border.
static Status guide_side(const Field *guide, double *side, Error *error) {
    const double cell = field_cell_metres(guide);
    const CellShape shape = field_cell_shape(guide);
    const double across = (guide->width - 1) * cell * shape.across,
                 down = (guide->height - 1) * cell * shape.down;
    if (!(cell > 0))
        return fail(error, STATUS_INVALID,
                    "the guide's frame does not say how large its cells are: give side, the metres of the "
                    "map's side");
    if (fabs(across - down) > max(across, down) / 64)
        return fail(
            error, STATUS_INVALID,
            "the guide shows %.0f × %.0f m, but a map is a square: crop it, or give side, to which it "
            "is stretched",
            across, down);
    *side = max(across, down);
    return STATUS_OK;
}

// Takes relief and side from a guide of heights in a unit, for eroded land, if no relief is given.
static Status measure_guide(const Call *call, RiverMapParams *params, GuideScale *scale, Error *error) {
    const Field *guide = params->guide;
    *scale = (GuideScale){ .factor = 1 };
    if (!guide)
        return STATUS_OK;
    const double metres = frame_unit_metres(&guide->frame);
    if (!(metres > 0) || !isnan(params->relief) || !chosen_land(params)->create)
        return STATUS_OK;
    double least = 0, most = 0;
    Status status = field_range(call->run, guide, &least, &most, error);
    const double sea = guide->frame.sealess ? 0 : guide->frame.sea;
    const double highest = max(max(fabs(least - sea), fabs(most - sea)) * metres, 1.0);
    if (status == STATUS_OK && isnan(params->side))
        status = guide_side(guide, &params->side, error);
    if (status == STATUS_OK && !(highest <= params->side / 10))
        return fail(error, STATUS_INVALID,
                    "the guide's heights reach %s m; at most a tenth of the map's side, %s m, is allowed",
                    digits_of(highest).text, digits_of(params->side).text);
    params->relief = highest;
    *scale = (GuideScale){ true, metres / highest, sea };
    return status;
}

static Status check_guide(const Call *call, const RiverMapParams *params, const GuideScale *scale,
                          Error *error) {
    const Field *guide = params->guide;
    double least = 0, most = 0;
    const Status status = field_range(call->run, guide, &least, &most, error);
    if (status != STATUS_OK || scale->measured || (least >= -1 && most <= 1))
        return status;
    return fail(error, STATUS_INVALID, "guide must be -1 to 1, got %s to %s; %s", digits_of(least).text,
                digits_of(most).text,
                frame_unit_metres(&guide->frame) > 0
                    ? "heights in a unit need no relief"
                    : "heights need a unit: guide:georeference{ unit = \"m\", … }");
}

// -----------------------------------------------------------------------------------------------------------

static Status check(const Call *call, const RiverMapParams *params, const GuideScale *scale, Error *error) {
    const Field *guide = params->guide;
    const Tiling *tiling = tilings[params->tiling];
    const LandMethods *land = chosen_land(params);
    if (params->wide && tiling->planet)
        return fail(error, STATUS_INVALID, "wide rivers are for flat maps");
    if (land->create && params->rules == PAPER)
        return fail(error, STATUS_INVALID, "rules = \"paper\" needs land = \"raw\"");
    if (!land->create && eroded_given(params))
        return fail(error, STATUS_INVALID, "%s is for land = \"eroded\"; this map is raw",
                    eroded_given(params));
    if (tiling->planet ? !isnan(params->side) : !isnan(params->radius))
        return fail(error, STATUS_INVALID,
                    tiling->planet ? "side is for flat maps: this one is a planet (radius)"
                                   : "radius is for planets: this map is flat (side)");
    const double length = metres_of(params);
    if (land->create && params->relief > length / 10)
        return fail(error, STATUS_INVALID, "relief must be at most a tenth of the map's %s, %s m; got %s m",
                    tiling->planet ? "radius" : "side", digits_of(length / 10).text,
                    digits_of(params->relief).text);
    if (land->create && guide && isnan(params->relief))
        return fail(error, STATUS_INVALID,
                    "a guide needs relief, the metres of its altitude 1, or heights in a unit: "
                    "guide:georeference{ unit = \"m\", … }");
    const Status climate = check_climate(params, error);
    if (climate != STATUS_OK)
        return climate;
    if (params->corners.count > 0 && !tiling->corners)
        return fail(error, STATUS_INVALID, "the tiling \"%s\" has no corners", tiling_names[params->tiling]);
    if (!guide)
        return STATUS_OK;
    if (!tiling->guide)
        return fail(error, STATUS_INVALID, "the tiling \"%s\" takes no guide", tiling_names[params->tiling]);
    if (params->corners.count > 0)
        return fail(error, STATUS_INVALID, "give corners or a guide, not both");
    if (guide->width < 2 || guide->height < 2)
        return fail(error, STATUS_INVALID, "guide must have at least 2 × 2 cells, got %d × %d", guide->width,
                    guide->height);
    return check_guide(call, params, scale, error);
}

// Converts an altitude to one relative to the sea.
static double from_sea(double altitude, double sea_level) {
    return clamp(altitude - sea_level, -1, 1);
}

// Copies the guide behind the map, so that the map is one self-contained block.
static void keep_guide(RiverMap *map, const Field *field, const GuideScale *scale, double sea_level) {
    float *cells = (float *)(void *)(map + 1);
    for (size_t i = 0; i < field_count(field); i++)
        cells[i] = (float)from_sea(((double)field->cells[i] - scale->sea) * scale->factor, sea_level);
    map->guide = (Guide){ field->width, field->height, 0, cells };
    while ((1 << map->guide.depth) < field_side(field) - 1)
        map->guide.depth++;
    map->constants.guide = &map->guide;
    for (int corner = 0; corner < 4; corner++)
        map->corners[corner] = (double)
            cells[(corner < 2 ? 0 : field->height - 1) * field->width + (corner % 2 ? field->width - 1 : 0)];
}

static Status run(const Call *call, Error *error) {
    RiverMapParams measured = *(const RiverMapParams *)call->params;
    const RiverMapParams *params = &measured;
    GuideScale scale;
    Status status = measure_guide(call, &measured, &scale, error);
    if (status == STATUS_OK)
        status = check(call, params, &scale, error);
    if (status != STATUS_OK)
        return status;
    const LandMethods *land = chosen_land(params);
    const double width = width_of(params, land->create != NULL);
    const size_t guide_bytes = params->guide ? field_count(params->guide) * sizeof(float) : 0;
    RiverMap *map = memory_new(sizeof *map + guide_bytes, 1, error);
    if (!map)
        return STATUS_MEMORY;
    *map = (RiverMap){ .tiling = tilings[params->tiling],
                       .land = land,
                       .width = width,
                       .sea_level = params->sea_level,
                       .archipelago = params->landscape == ISLANDS,
                       .lakes = isnan(params->lakes) ? 0 : params->lakes,
                       .metres = land->create ? metres_of(params) : 0,
                       .climate = climate_rules(params),
                       .watered = land->create && has_climate(params),
                       .constants = { .k1 = (float)params->k1,
                                      .k2 = (float)params->k2,
                                      .k3 = (float)params->k3,
                                      .k4 = (float)params->k4,
                                      .k5 = (float)params->k5,
                                      .k6 = (float)params->k6,
                                      .k7 = (float)params->k7,
                                      .k8 = (float)params->k8,
                                      .width = params->wide || land->wide ? (float)width : 0,
                                      .rivers = params->rivers,
                                      .islands = params->islands,
                                      .paper = params->rules == PAPER } };
    const RandomKey seeds = random_key(call->seed, 0), altitudes = random_key(call->seed, 1);
    for (uint32_t corner = 0; corner < 4; corner++) {
        map->seeds[corner] = random_bits(seeds, corner, 0);
        // The paper does not define the first altitudes: 0.3 ν makes half of the maps' area land.
        map->corners[corner] =
            from_sea(params->corners.count ? params->corners.at[corner]
                                           : 0.3 * (double)random_signed(altitudes, corner, 0),
                     params->sea_level);
    }
    if (params->guide)
        keep_guide(map, params->guide, &scale, params->sea_level);
    call->outputs[0].value = map;
    const LandRules rules = land_rules(params, width, call->seed);
    return land->create ? land->create(map, &rules, error) : STATUS_OK;
}

static const Param params[] = {
    PARAM(RiverMapParams, tiling, .choices = tiling_names,
          .doc = "how triangles cover the map" ALL_TILINGS(TILING_DOC)),
    PARAM(RiverMapParams, rivers, .initial = true, .doc = "false: land and sea only"),
    PARAM(RiverMapParams, islands, .initial = false, .doc = "islands in fjords, and straits (section 4)"),
    PARAM(RiverMapParams, wide, .initial = false,
          .doc = "raw land only: rivers whose width grows with the drained area (section 7), instead of "
                 "lines; rivers of eroded land are always wide"),
    PARAM(RiverMapParams, river_width, .min = 1e-6, .max = 0.1, .optional = true,
          .doc = "width of rivers divided by the square root of the area that they drain. By default 0.001, "
                 "as for real rivers: 1 m for 1 km² and 450 m for 200,000 km²; on raw land 0.004"),
    PARAM(RiverMapParams, rules, .choices = CHOICES("mended", "paper"),
          .doc = "\"paper\": as printed, with a few rivers that split downstream; \"mended\": without"),
    PARAM(RiverMapParams, sea_level, .initial = 0, .min = -1, .max = 1,
          .doc =
              "rise of the sea: subtracted from the altitudes of corners and guide, on planets from those of "
              "the first vertices; the results are limited to -1 to 1"),
    PARAM(RiverMapParams, corners, .rows_min = 4, .rows_max = 4, .optional = true, .min = -1, .max = 1,
          .doc = "altitudes of the map's four corners in reading order; by default from the seed"),
    PARAM(RiverMapParams, guide,
          .doc = "altitudes of the whole map, -1 to 1 with relief, or heights in the unit of its frame, "
                 "which also gives side; stretched to the map's square. An elevation model of "
                 "any resolution, a smooth sketch of 16 to 64 cells; followed down to that resolution, "
                 "then refined; only with tiling = \"right\""),
    PARAM(RiverMapParams, land, .choices = land_names, .optional = true,
          .doc = "\"eroded\", the default: land eroded by water, drained everywhere, at every zoom. \"raw\": "
                 "the land of the paper, and the default with rules = \"paper\""),
    PARAM(RiverMapParams, side, .min = 1, .max = 4e8, .optional = true,
          .doc =
              "for flat maps with eroded land: the length of the side in metres; by default 3,000 km. A map "
              "of another side is other land: a river's slope follows from the area in km² that it drains"),
    PARAM(RiverMapParams, radius, .min = 1, .max = 4e8, .optional = true,
          .doc = "for planets with eroded land: the radius in metres; by default the earth's, 6,371 km"),
    PARAM(RiverMapParams, relief, .min = 1, .max = 4e7, .optional = true,
          .doc = "height in metres that summits reach at the finest zoom, at most: the highest reach 0.7 to "
                 "1 of it. At most a tenth of the side or radius; by default it follows from the landscape's "
                 "slopes. With a guide of -1 to 1 the height in metres of its value 1, which must be given"),
    PARAM(RiverMapParams, landscape,
          .choices = CHOICES("mixed", "plains", "hills", "alps", "mesa", "islands"), .optional = true,
          .doc = "how steep eroded land is. mixed, the default: lowlands and ranges; plains, hills, alps: "
                 "the same everywhere; mesa: tables and cliffs of hard strata; islands: an archipelago with "
                 "hills, whatever the corners and k1 to k8"),
    PARAM(RiverMapParams, concavity, .min = 0.2, .max = 0.5, .optional = true,
          .doc = "how much gentler rivers are the more they drain: the exponent of the slope-area law; 0.37"),
    PARAM(RiverMapParams, variety, .min = 0, .max = 1, .optional = true,
          .doc = "how much steepness varies from place to place, at every scale; 0.5"),
    PARAM(RiverMapParams, talus, .min = 0.3, .max = 1.5, .optional = true,
          .doc = "steepest stable slope; 0.8"),
    PARAM(RiverMapParams, rounding, .min = 0, .max = 0.5, .optional = true,
          .doc = "rounding of slopes and crests; 0.1"),
    PARAM(RiverMapParams, roughness, .min = 0, .max = 1, .optional = true,
          .doc = "new detail at each level; 0.6"),
    PARAM(RiverMapParams, hardness, .min = 0, .max = 0.9, .optional = true,
          .doc = "hardness of strata, which form cliffs; 0"),
    PARAM(RiverMapParams, deposition, .min = 0, .max = 1, .optional = true,
          .doc = "strength of deposition: flat valley floors, deltas, beaches; 0.6"),
    PARAM(
        RiverMapParams, hillslope, .min = 1, .max = 1e5, .optional = true,
        .doc =
            "streams begin where the square of this length drains, in metres; smaller forms are smooth soil; "
            "200"),
    PARAM(RiverMapParams, lakes, .min = 0, .max = 0.1, .optional = true,
          .doc = "share of the land that is lakes, at most: depressions of the first heights that have "
                 "enough inflow "
                 "stay filled; 0"),
    PARAM(RiverMapParams, climate, .initial = false,
          .doc = "rivers carry the runoff of the climate's rain (docs/climate.md), and their width follows "
                 "from it: dry beds in deserts. Always true if latitudes, wind, temperature, rain, seasons "
                 "or lift is given"),
    PARAM(RiverMapParams, latitudes, .elements = "south, north", .rows_min = 2, .rows_max = 2,
          .optional = true, .min = -90, .max = 90, .unit = UNIT_DEGREES,
          .doc = "{ south, north } of flat maps: latitudes of the lower and upper edge, for climate; by "
                 "default around "
                 "45, as many degrees as the side has on the earth"),
    PARAM(RiverMapParams, wind, .elements = "east, north", .rows_min = 2, .rows_max = 2, .optional = true,
          .min = -50, .max = 50,
          .doc = "{ east, north }: one wind for the climate of the whole map, m/s; by default the belts of "
                 "winds of the latitudes"),
    PARAM(RiverMapParams, temperature, .min = -100, .max = 100, .optional = true,
          .doc = "by how many °C the climate is warmer than the earth's; 0"),
    PARAM(RiverMapParams, rain, .min = 0, .max = 100, .optional = true,
          .doc = "factor on the climate's rain; 1"),
    PARAM(RiverMapParams, seasons, .min = 0, .max = 45, .optional = true, .unit = UNIT_DEGREES,
          .doc = "tilt of the planet's axis: how far apart summer and winter are; 23.4"),
    PARAM(RiverMapParams, lift, .min = 0, .max = 2, .optional = true,
          .doc = "how much of the water that winds lift over mountains rains out there; 0.3"),
    PARAM(RiverMapParams, k1, .initial = 0.32, .min = 0, .max = 1,
          .doc = "variation of altitude with distance"),
    PARAM(RiverMapParams, k2, .initial = 0.55, .min = 0, .max = 0.8,
          .doc = "variation of altitude with altitude differences"),
    PARAM(RiverMapParams, k3, .initial = 0.1, .min = -1, .max = 1,
          .doc = "altitude above which rivers begin"),
    PARAM(RiverMapParams, k4, .initial = -0.1, .min = -1, .max = 1,
          .doc = "rivers lead to ground below this altitude"),
    PARAM(RiverMapParams, k5, .initial = 0.7, .min = 0, .max = 1,
          .doc = "probability that a river is extended upstream"),
    PARAM(RiverMapParams, k6, .initial = 2, .min = 0, .max = 100,
          .doc = "probability that a river branches, per unit of length of the edge"),
    PARAM(RiverMapParams, k7, .initial = -0.1, .min = -1, .max = 0,
          .doc = "altitude of the river below which fjords have islands"),
    PARAM(RiverMapParams, k8, .initial = 0.15, .min = 0, .max = 1, .doc = "probability of an island"),
    { 0 },
};

const Operation op_river_map = {
    .name = "river_map",
    .category = "zoomable maps",
    .keywords = "endless infinite world landscape continent island coast fjord planet zoom lod procedural",
    .summary = "Makes a map with rivers and fjords that can be drawn at any zoom",
    .description = "render draws a window of it. Altitudes of eroded land are metres above the sea, and its "
                   "slopes follow from the drained area (docs/endless-land.md). Altitudes of raw land are -1 "
                   "to 1, with the sea at 0. The parameters k1 to k8 shape raw land, from which eroded land "
                   "takes land, sea and high ground. From k3 on they affect only fjords and islands.",
    .source = "Mogensen and Isenbecker 2025, sections 2 to 7, and 9",
    .outputs = { { "map", "the map", &type_map } },
    .params = params,
    .params_size = sizeof(RiverMapParams),
    .seeded = true,
    .any_sizes = true,
    .example = "local map = esker.river_map{ seed = 7, islands = true }\n"
               "local altitude, river = map:render{ x = 0.4, y = 0.6, zoom = 10, size = 64 }",
    .picture = "local map, pictures = esker.river_map{ seed = 7, islands = true }, {}\n"
               "for i, zoom in ipairs{ 2, 6, 18 } do\n"
               "    local altitude, river = map:render{ x = 0.43685, y = 0.5651, zoom = zoom, size = 128 }\n"
               "    pictures[i] = altitude:relief{ rivers = river }\n"
               "end\n"
               "return table.unpack(pictures)",
    .see_also = "render rivers",
    .drawn_by = &op_render,
    .run = run,
};
