#include "climate/cover.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/whole.h"

#include <math.h>

// From 0 at `from` to 1 at `to`, which may be the smaller one.
static float step(float from, float to, float at) {
    const float share = clamp((at - from) / (to - from), 0, 1);
    return share * share * (3 - 2 * share);
}

// --- colours -----------------------------------------------------------------------------------------------

typedef struct Tint { // sRGB
    float red, green, blue;
} Tint;

static Tint blend(Tint from, Tint to, float share) {
    return (Tint){ from.red + (to.red - from.red) * share, from.green + (to.green - from.green) * share,
                   from.blue + (to.blue - from.blue) * share };
}

// Ground with what grows on it, by temperature and moisture: the plane of Whittaker 1975.
enum { WARMTHS = 5, MOISTURES = 5 };
static const float warmths[WARMTHS] = { -12, -2, 6, 14, 24 }; // °C
static const float moistures[MOISTURES] = { 0.05f, 0.2f, 0.5f, 1, 2 };

// clang-format off
static const Tint tints[WARMTHS][MOISTURES] = {
    { { 148, 138, 118 }, { 138, 130, 102 }, { 124, 121,  86 }, { 112, 117,  80 }, { 104, 112,  76 } },
    { { 160, 150, 126 }, { 150, 145, 108 }, { 122, 128,  86 }, {  92, 112,  74 }, {  76, 102,  68 } },
    { { 188, 168, 128 }, { 174, 162, 106 }, { 142, 148,  86 }, {  96, 124,  70 }, {  76, 111,  64 } },
    { { 208, 182, 134 }, { 188, 170, 108 }, { 152, 152,  82 }, {  90, 121,  60 }, {  56,  98,  52 } },
    { { 222, 194, 144 }, { 202, 174, 108 }, { 162, 156,  78 }, {  88, 128,  54 }, {  40,  90,  42 } },
};
// clang-format on

// Where a value lies between those of a list: the last that is not above, and the share of the next.
static int place_among(const float *list, int count, float value, float *share) {
    int i = 0;
    while (i < count - 2 && value > list[i + 1])
        i++;
    *share = clamp((value - list[i]) / (list[i + 1] - list[i]), 0, 1);
    return i;
}

static Tint tint_of(float warmth, float moisture) {
    float along, across;
    const int row = place_among(warmths, WARMTHS, warmth, &along),
              column = place_among(moistures, MOISTURES, moisture, &across);
    return blend(blend(tints[row][column], tints[row][column + 1], across),
                 blend(tints[row + 1][column], tints[row + 1][column + 1], across), along);
}

static const Tint desert_rock = { 158, 120, 88 }, varnished_rock = { 118, 90, 70 },
                  grey_rock = { 139, 130, 117 }, snow_white = { 244, 247, 251 }, ice_blue = { 226, 238, 246 },
                  reeds = { 82, 98, 66 }, salt_white = { 230, 225, 212 }, river_sand = { 222, 203, 162 },
                  pebbles = { 154, 150, 128 }, spruce = { 56, 86, 60 }, birch = { 122, 134, 78 },
                  cold_sea = { 48, 74, 90 }, suburb = { 170, 161, 144 }, inner_town = { 120, 109, 103 },
                  street_grey = { 128, 124, 119 }, works = { 168, 167, 165 }, artery_grey = { 196, 190, 178 },
                  gardens = { 108, 128, 82 }, red_soil = { 166, 126, 82 }, pale_soil = { 216, 200, 164 };

static uint8_t byte_of(float value) {
    return (uint8_t)whole_within((double)value + 0.5, 0, 255);
}

static Pixel pixel_of(Tint tint, float light, float opacity) {
    return (Pixel){ byte_of(tint.red * light), byte_of(tint.green * light), byte_of(tint.blue * light),
                    byte_of(255 * opacity) };
}

// --- biomes ------------------------------------------------------------------------------------------------

enum {
    BIOME_ICE = 1,
    BIOME_TUNDRA,
    BIOME_TAIGA,
    BIOME_TEMPERATE_RAIN_FOREST,
    BIOME_TEMPERATE_FOREST,
    BIOME_WOODLAND,
    BIOME_STEPPE,
    BIOME_COLD_DESERT,
    BIOME_HOT_DESERT,
    BIOME_SAVANNA,
    BIOME_TROPICAL_FOREST,
    BIOME_TROPICAL_RAIN_FOREST
};

static int biome_of(float mean, float warmest, float moisture) {
    if (warmest < 1)
        return BIOME_ICE;
    if (warmest < 9)
        return BIOME_TUNDRA;
    if (moisture < 0.2f)
        return mean < 18 ? BIOME_COLD_DESERT : BIOME_HOT_DESERT;
    if (mean > 20)
        return moisture < 0.55f  ? BIOME_SAVANNA
               : moisture < 1.3f ? BIOME_TROPICAL_FOREST
                                 : BIOME_TROPICAL_RAIN_FOREST;
    if (moisture < 0.5f)
        return BIOME_STEPPE;
    if (mean < 3)
        return BIOME_TAIGA;
    return moisture < 0.8f ? BIOME_WOODLAND
           : moisture < 2  ? BIOME_TEMPERATE_FOREST
                           : BIOME_TEMPERATE_RAIN_FOREST;
}

// --- the cover ---------------------------------------------------------------------------------------------

// Cold seas are grey beside warm ones. There is ice that summers do not melt, and floes where the mean of the
// year is below what freezes the sea.
static Cover sea_cover(const Air *air, const CoverGround *ground) {
    const float warmest = air->temperature + air->half_range;
    const float cold = max(step(2, -2, warmest), 0.7f * step(-2, -8, air->temperature));
    const float ice = min(4 * cold, 1) * step(0.4f, 0.8f, cold + 0.2f * ground->variety);
    const float grey = 0.6f * step(17, 2, air->temperature), shown = ice + (1 - ice) * grey;
    Cover cover = { .colour = pixel_of(blend(cold_sea, ice_blue, shown > 0 ? ice / shown : 0), 1, shown) };
    cover.shares[COVER_ICE] = ice;
    return cover;
}

// Takes a share of what is left.
static float take(float *left, float share) {
    const float taken = *left * share;
    *left -= taken;
    return taken;
}

typedef struct Growth { // what grows, and what it depends on
    float mean, warmest, moisture, slope, wet;
    float rained;                      // moisture without that of rivers
    float even_warmest, even_moisture; // without noise, for parcels whose crops are the same throughout
    float trees, rock, snow, ice, marsh, salt, sand, crops; // of what the ones before leave
    float town, built;                                      // how far it is within a town, and built on
    float park, street, artery;
} Growth;

// Crops stand in patches: where noise is above the level that leaves so much of the ground. They begin in
// valleys, and a parcel that is seen has them all over or not at all.
static float crops_of(const Growth *growth, const CoverGround *ground, float valley) {
    const Farming *farming = &ground->farming;
    const float deviation = 0.75f, // of the noise
        edge = 0.25f - 0.24f * farming->parted, parcel = 0.6f * farming->parted * (farming->chosen - 0.5f);
    const float warmest = growth->even_warmest, moisture = growth->even_moisture;
    const float level_ground = step(0.25f, 0.1f, farming->slope) * step(0.9f, 0.5f, ground->slope);
    const float fit = step(8, 13, warmest) * step(0.3f, 0.55f, moisture) * step(3.5f, 2, moisture) *
                      level_ground * step(52, 42, warmest) * (1 - ground->salt) * (1 - ground->brook);
    if (!(farming->share > 0) || !(fit > 0))
        return 0;
    const double share = min((double)farming->share, 0.999);
    const float level = deviation * 0.55f * (float)logarithm((1 - share) / share);
    const float patch = farming->patches + valley * (1 - farming->parted) + parcel;
    return (1 - farming->hedge) * fit * (farming->share >= 1 ? 1 : step(level - edge, level + edge, patch));
}

// Houses stand close together in the middle and along arteries; at the edge quarters are built on here and
// not yet there. None stand on steep ground, in marsh, on ice.
static void build(Growth *growth, const CoverGround *ground) {
    const Town *town = &ground->town;
    if (!town->in_town)
        return;
    const float noise = 0.3f * clamp(town->noise, -1.5f, 1.5f) * (1 - 0.7f * town->quarters);
    const float share =
        town->growth + noise + 0.5f * town->quarters * (town->chance - 0.5f) - 0.12f * town->ribbon;
    const float fit = step(0.55f, 0.3f, ground->slope) * (1 - growth->snow) * (1 - growth->marsh) *
                      (1 - ground->salt) * (1 - ground->bed);
    const float edge = 0.12f - 0.09f * town->quarters;
    growth->town = step(1 + edge, 1 - edge, share) * fit;
    float close = town->close + 0.2f * town->ribbon * (1 - town->close) +
                  0.14f * town->quarters * (town->chance - 0.5f) +
                  0.12f * town->blocks * (town->block - 0.5f);
    close += town->industry * (0.78f - close);
    growth->park = max(town->open, town->blocks * step(0.95f, 0.97f, town->block) * (1 - town->industry));
    close = clamp(close * (1 - 0.92f * growth->park), 0, 0.96f);
    const float streets = town->street * (1 - 0.8f * growth->park);
    // A house and its yard have as much of the ground as the mean of its block.
    const float house = (1 - 0.92f * growth->park) * (1 - town->yard) + town->yard * max(2 * close - 1, 0);
    const float blocks = close + (house - close) * town->houses;
    growth->built = growth->town * (streets + (1 - streets) * blocks);
    growth->street = streets;
    // Arteries lead on out of the town.
    growth->artery = town->artery * step(1.3f, 1, town->growth - 0.3f) * fit;
    growth->built += (1 - growth->built) * growth->artery;
}

#define OASIS 0.85f // moisture of banks in deserts

static Growth growth_of(const Air *air, const CoverGround *ground) {
    const float noise = ground->variety, slope = ground->slope, least = 3 * HOLDRIDGE;
    const float valley = step(0.25f, 0.9f, ground->wet) * step(0.5f, 0.1f, slope);
    Growth growth = { .slope = slope, .wet = ground->wet };
    growth.mean = air->temperature + 2 * ground->south + noise;
    growth.warmest = growth.mean + air->half_range;
    const float dry = max(air->potential, least) * (1 + 0.25f * ground->south);
    growth.even_warmest = growth.warmest - noise;
    growth.even_moisture = clamp(air->rain / dry, 0.02f, 6) * (1 + 1.2f * valley);
    growth.rained = growth.even_moisture * (float)exponential(0.45 * (double)noise);
    const float watered = ground->fresh * (1 - ground->salt) * step(0.3f, 0.1f, slope); // oases
    growth.even_moisture = max(growth.even_moisture, OASIS * watered);
    growth.moisture = max(growth.rained, OASIS * watered * (float)exponential(0.3 * (double)noise));
    const float moisture = growth.moisture, warmest = growth.warmest;
    growth.snow = snow_share(warmest) * step(2.0f, 1.2f, slope) * step(5, 60, air->rain);
    growth.ice = ice_share(warmest) * step(0.4f, 0.1f, slope);
    const float scorched = step(44, 54, warmest); // beyond what plants bear
    const float lush = step(7.5f, 11.5f, warmest) * step(0.45f, 0.95f, moisture) * (1 - scorched);
    const float bare = slope - 0.3f * lush; // plants hold the soil
    growth.trees = lush * step(1.45f, 0.9f, bare);
    const float scree = 0.6f * step(9, 4, warmest) * step(0.05f, 0.4f, slope);
    const float blown = step(0.45f, 0.15f, moisture) * step(0.3f, 0.8f, slope + 0.1f * noise);
    growth.rock = max(step(0.9f, 1.5f, bare + 0.15f * noise), max(scree, blown));
    growth.marsh = step(0.05f, 0.01f, slope) * step(0.5f, 0.9f, ground->wet) * step(0.8f, 1.5f, moisture);
    growth.salt = step(0.04f, 0.01f, slope) * step(0.15f, 0.08f, moisture) * step(0.4f, 0.8f, ground->wet);
    growth.salt = max(growth.salt, ground->salt);
    growth.rock *= 1 - ground->salt;
    growth.trees *= 1 - ground->salt;
    growth.marsh *= 1 - ground->salt;
    growth.sand = max(step(0.32f, 0.12f, moisture) * step(2, 8, warmest), scorched);
    growth.crops = crops_of(&growth, ground, valley);
    build(&growth, ground);
    growth.crops *= 1 - growth.town;
    growth.rock *= 1 - growth.built;
    return growth;
}

// Cold forests have few species, in stands: dark spruce, and light birch and larch where it burnt. However
// cold the winter is, trees are as green as in a mean of 0 °C.
static Tint woods_of(const Growth *growth, float variety) {
    const float share = 0.5f * step(11, 5, growth->mean);
    const Tint woods = tint_of(max(growth->mean, 0), max(growth->moisture, 0.9f));
    return blend(blend(woods, spruce, share * step(-0.1f, -1, variety)), birch,
                 share * step(0.1f, 1, variety));
}

// How far warmth and time have reddened bare ground: frost breaks fresh rock.
static float weathered(const Growth *growth) {
    return step(-8, 6, growth->mean);
}

// Open ground: where plants are sparse its soil shows, red or pale.
static Tint open_tint(const Growth *growth, float soil) {
    const Tint ground = tint_of(growth->mean, min(growth->moisture, 0.55f));
    const float bare = step(0.6f, 0.25f, growth->moisture);
    const Tint red = blend(ground, red_soil, 0.45f * bare * weathered(growth) * step(0.1f, 1.2f, soil));
    return blend(red, pale_soil, 0.4f * bare * step(-0.1f, -1.2f, soil));
}

// Ripe and green crops, meadows and ploughed soil, side by side; from afar their mean. Dry ones are ripe.
static Tint crops_tint(const Growth *growth, const Farming *farming) {
    static const Tint crops[] = { { 158, 126, 82 }, { 198, 180, 122 }, { 184, 168, 108 }, { 140, 150, 88 },
                                  { 112, 138, 76 }, { 124, 150, 82 },  { 100, 130, 72 } };
    enum { CROPS = sizeof crops / sizeof *crops };
    static const float order[CROPS] = { 0, 1, 2, 3, 4, 5, 6 };
    float next;
    const float green = step(0.4f, 1.2f, growth->even_moisture);
    const float use = 0.5f + 0.5f * green + farming->parted * (farming->use - 0.5f) * 5 + 2 * green + 1;
    const int crop = place_among(order, CROPS, use, &next);
    const Tint mean = blend(crops[2], crops[4], 0.25f + 0.5f * green);
    return blend(mean, blend(crops[crop], crops[crop + 1], step(0.35f, 0.65f, next)), farming->parted);
}

// Bare rock of deserts is dark where it is old (desert varnish), by wide patches.
static Tint rock_tint(const Growth *growth, float soil) {
    const Tint desert = blend(desert_rock, varnished_rock, step(-0.6f, 1, soil));
    return blend(grey_rock, desert, weathered(growth) * step(0.5f, 0.2f, growth->moisture));
}

// Roofs and pavements, by blocks and houses where they are to be seen; from afar their mean.
static Tint town_tint(const Growth *growth, const Town *town) {
    static const Tint roofs[] = {
        { 128, 122, 118 }, { 152, 146, 138 }, { 176, 168, 156 }, { 166, 138, 120 }, { 150, 116, 98 }
    };
    static const Tint halls[] = { { 196, 198, 200 }, { 172, 176, 180 }, { 158, 150, 144 } };
    enum { ROOFS = sizeof roofs / sizeof *roofs, HALLS = sizeof halls / sizeof *halls };
    const Tint mean = blend(suburb, inner_town, step(0.4f, 0.8f, town->close));
    const Tint dusty = blend(mean, tint_of(growth->mean, min(growth->moisture, 0.4f)), 0.2f);
    const float light = 0.12f * town->blocks * (town->block - 0.5f);
    const Tint block = blend(dusty, light > 0 ? roofs[2] : roofs[0], 4 * fabsf(light));
    const Tint roof = roofs[index_within((double)(town->roof * ROOFS), (int)ROOFS)];
    const Tint house = blend(block, roof, 0.7f * town->houses);
    const Tint hall = halls[index_within((double)(town->roof * HALLS), (int)HALLS)];
    const Tint used = blend(house, blend(works, hall, 0.7f * town->houses), town->industry);
    const Tint paved = blend(used, street_grey, growth->street * (0.5f + 0.4f * town->blocks));
    return blend(paved, artery_grey, growth->built > 0 ? growth->artery / growth->built : 0);
}

static Tint colour_of(const Growth *growth, const CoverGround *ground) {
    Tint tint = blend(open_tint(growth, ground->soil), woods_of(growth, ground->variety), growth->trees);
    tint = blend(tint, crops_tint(growth, &ground->farming), growth->crops);
    tint = blend(tint, salt_white, growth->salt);
    tint = blend(tint, reeds, 0.5f * growth->marsh);
    tint = blend(tint, rock_tint(growth, ground->soil), growth->rock);
    if (growth->town > 0) // gardens are watered
        tint = blend(tint, gardens, 0.7f * growth->town);
    if (growth->built > 0)
        tint = blend(tint, town_tint(growth, &ground->town), growth->built);
    return blend(tint, blend(snow_white, ice_blue, growth->ice), growth->snow);
}

Cover cover_of(const Air *air, const CoverGround *ground) {
    if (ground->sea)
        return sea_cover(air, ground);
    const Growth growth = growth_of(air, ground);
    float left = 1;
    Cover cover = { .biome = biome_of(growth.mean, growth.warmest, growth.rained) };
    const float white = take(&left, growth.snow);
    cover.shares[COVER_ICE] = white * growth.ice;
    cover.shares[COVER_SNOW] = white - cover.shares[COVER_ICE];
    const float bed = take(&left, ground->bed);
    cover.shares[COVER_BUILT] = take(&left, growth.built);
    cover.shares[COVER_ROCK] = take(&left, growth.rock);
    cover.shares[COVER_SALT] = take(&left, growth.salt);
    cover.shares[COVER_MARSH] = take(&left, growth.marsh);
    cover.shares[COVER_CROPS] = take(&left, growth.crops);
    cover.shares[COVER_TREES] = take(&left, growth.trees);
    cover.shares[COVER_SAND] = take(&left, growth.sand) + bed;
    cover.shares[COVER_GRASS] = left;
    const float bare = growth.snow + growth.sand * (1 - growth.snow);
    const float trees = growth.trees * (1 - growth.crops);
    const float light = 1 + ground->grain * (0.03f + 0.08f * trees * (1 - growth.rock)) * (1 - 0.7f * bare) +
                        (0.03f + 0.04f * trees) * ground->variety * (1 - growth.snow);
    const Tint bed_tint = blend(pebbles, river_sand, step(0.8f, 0.3f, growth.moisture));
    cover.colour = pixel_of(blend(colour_of(&growth, ground), bed_tint, bed), light, 1);
    return cover;
}
