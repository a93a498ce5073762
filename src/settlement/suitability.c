#include "settlement/suitability.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/random.h"
#include "rivermap/eroded/eroded.h"
#include "rivermap/eroded/map_climate.h"

#include <math.h>

// Pixels that count around one, and the distance at which land shelters it.
enum { AROUND = 3, SHELTER = SIGHT };

static float ramp(float from, float to, float at) {
    return smoothstep(clamp((at - from) / (to - from), 0, 1));
}

// Of a pixel beside the grid the nearest one: that of the map's border where the map ends.
static size_t near_index(const Grid *grid, int x, int y) {
    return grid_index(grid, clamp(x, grid->box.x, grid->box.x + grid->box.width - 1),
                      clamp(y, grid->box.y, grid->box.y + grid->box.height - 1));
}

// What is around a pixel.
typedef struct Around {
    float sea, lake; // shares of the square of 7 × 7 pixels
    float flow;      // the largest of 3 × 3 pixels
    float water;     // and the m³/s there, where the grid knows them
} Around;

// Two of the eight beside a river's pixel lead into it if they drain less than it does, together about as
// much. Along one river the second is the first's, and both drain as much as the pixel.
static bool rivers_meet(const Grid *grid, int x, int y) {
    const float here = grid->flow.cells[near_index(grid, x, y)];
    float first = 0, second = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            const float flow = i || j ? grid->flow.cells[near_index(grid, x + i, y + j)] : 0;
            if (flow >= here)
                continue;
            second = max(second, min(first, flow));
            first = max(first, flow);
        }
    return here >= 60 && second >= 0.15f * here && first + second <= 1.15f * here;
}

// A pass: higher ground on two opposite sides, lower on the two others.
static bool is_pass(const Grid *grid, int x, int y) {
    const float here = grid->altitude.cells[near_index(grid, x, y)], clear = 0.02f * (float)grid->metres;
    for (int way = 0; way < 2; way++) {
        const int i = way ? 0 : AROUND, j = AROUND - i;
        const float before = grid->altitude.cells[near_index(grid, x - i, y - j)],
                    after = grid->altitude.cells[near_index(grid, x + i, y + j)],
                    left = grid->altitude.cells[near_index(grid, x - j, y - i)],
                    right = grid->altitude.cells[near_index(grid, x + j, y + i)];
        if (min(before, after) > here + clear && max(left, right) < here - clear)
            return true;
    }
    return false;
}

static Around look_around(const Grid *grid, int x, int y) {
    Around around = { 0 };
    int sea = 0, lake = 0;
    const bool inside = x >= grid->box.x + AROUND && x < grid->box.x + grid->box.width - AROUND;
    for (int j = -AROUND; j <= AROUND; j++) {
        const size_t row = near_index(grid, x, y + j);
        for (int i = -AROUND; i <= AROUND; i++) {
            const size_t at = inside ? row + (size_t)(ptrdiff_t)i : near_index(grid, x + i, y + j);
            const bool is_sea = grid->altitude.cells[at] < 0;
            sea += is_sea;
            lake += !is_sea && grid->water.cells && grid->water.cells[at] > 0;
            if (i * i <= 1 && j * j <= 1 && !is_sea && grid->flow.cells[at] > around.flow) {
                around.flow = grid->flow.cells[at];
                around.water = grid->discharge.cells ? grid->discharge.cells[at] : 0;
            }
        }
    }
    around.sea = (float)sea / 49;
    around.lake = (float)lake / 49;
    return around;
}

// Between two pixels, so many pixels apart; what it would be if pixels were as long as those in the middle of
// a planet's face.
static float slope_between(const Survey *survey, size_t from, size_t to, int apart) {
    const float *heights = survey->grid->altitude.cells;
    return (float)(((double)max(heights[to], 0) - (double)max(heights[from], 0)) /
                   (apart * survey->grid->metres) * survey->steeper);
}

static float steepness(const Survey *survey, int x, int y) {
    const Grid *grid = survey->grid;
    const float across = slope_between(survey, near_index(grid, x - 1, y), near_index(grid, x + 1, y), 2),
                down = slope_between(survey, near_index(grid, x, y - 1), near_index(grid, x, y + 1), 2);
    if (!grid->axes)
        return sqrtf(across * across + down * down);
    const GridShape shape = grid_shape(grid, x, y);
    const double right = (double)across / shape.across, low = (double)down / shape.down,
                 cosine = shape.cosine;
    return (float)sqrt(max(right * right + low * low - 2 * cosine * right * low, 0) / (1 - cosine * cosine));
}

// The eight directions.
enum { WINDS = 8 };
static const int wind_x[WINDS] = { 1, 1, 0, -1, -1, -1, 0, 1 }, wind_y[WINDS] = { 0, 1, 1, 1, 0, -1, -1, -1 };

static size_t index_towards(const Grid *grid, int x, int y, int wind, int distance) {
    return near_index(grid, x + distance * wind_x[wind], y + distance * wind_y[wind]);
}

// The share of directions in which there is land.
static float land_around(const Grid *grid, int x, int y) {
    int land = 0;
    for (int wind = 0; wind < WINDS; wind++)
        land += grid->altitude.cells[index_towards(grid, x, y, wind, SHELTER)] >= 0;
    return (float)land / WINDS;
}

// 1 where the country is level all around.
static float openness(const Survey *survey, int x, int y) {
    const size_t here = grid_index(survey->grid, x, y);
    float steepest = 0;
    for (int wind = 0; wind < WINDS; wind++) {
        const size_t there = index_towards(survey->grid, x, y, wind, SHELTER / 2);
        steepest = max(steepest, fabsf(slope_between(survey, here, there, SHELTER / 2)));
    }
    return ramp(0.15f, 0.03f, steepest);
}

// Whether the land beyond the river beside a pixel is level, two or three pixels away.
static bool is_crossing(const Survey *survey, int x, int y) {
    const Grid *grid = survey->grid;
    float river = 0;
    int to = 0;
    for (int wind = 0; wind < WINDS; wind++) {
        const float flow = grid->flow.cells[index_towards(grid, x, y, wind, 1)];
        if (flow > river) {
            river = flow;
            to = wind;
        }
    }
    for (int far = 2; far <= 3; far++) {
        const size_t there = index_towards(grid, x, y, to, far);
        if (!grid_is_wet(grid, there) && grid->flow.cells[there] < 0.25f * river)
            return fabsf(slope_between(survey, grid_index(grid, x, y), there, far)) < 0.12f;
    }
    return false;
}

#define YEAR 3.15576e7 // seconds

// How much of the year a river has water: a wadi has floods only (rivermap/eroded/eroded.h).
static float perennial(const Grid *grid, const Around *around) {
    if (!grid->discharge.cells)
        return 1;
    const double drained = max((double)around->flow, 1) * grid->metres * grid->metres;
    const float runoff = (float)((double)around->water * YEAR * 1000 / drained); // mm a year
    return max(ramp(0.5f * WADI_RUNOFF, 2 * WADI_RUNOFF, runoff),
               ramp(0.3f * RIVER_STEADY, 2 * RIVER_STEADY, around->water));
}

// The share of the fields around a pixel that its river can water, where crops drink 0.6 m a year.
static float watered(const Grid *grid, const Around *around) {
    const double fields = 25 * grid->metres * grid->metres;
    return grid->discharge.cells ? (float)min((double)around->water * YEAR / 0.6 / fields, 1) : 1;
}

// What land of this air grows, 0 to 1: by summers and winters and by rain or the water of a river of this
// worth, less so in rain that washes out the soil; nothing beyond the tree line.
static float crops_in(const Air *air, float river) {
    const float warmest = air->temperature + air->half_range,
                moisture = air->rain / max(air->potential, 1.5f * HOLDRIDGE);
    const float summer = ramp(7, 16, warmest) * ramp(52, 42, warmest),
                winter = 0.3f + 0.7f * ramp(-16, 2, air->temperature),
                moist = max(0.01f + 0.99f * ramp(0.12f, 0.6f, moisture), 0.7f * river);
    return summer * winter * moist * (1 - 0.6f * ramp(1.6f, 3.2f, moisture));
}

static Air air_at(const Survey *survey, int x, int y, float altitude) {
    const Vec2 at = grid_in_climate(survey->grid, x + 0.5, y + 0.5);
    return climate_at(survey->settlement->climate, at.x, at.y, altitude);
}

// What the land feeds, 0 to 1: crops, and beyond them herds and fish; nothing on snow and ice.
static float food_of(const Air *air, float river, float sea) {
    const float warmest = air->temperature + air->half_range,
                moisture = air->rain / max(air->potential, 1.5f * HOLDRIDGE);
    const float crops = crops_in(air, river),
                grazed = 0.08f * ramp(2, 8, warmest) * ramp(0.05f, 0.3f, moisture),
                fished = 0.2f * ramp(2, 8, warmest) * ramp(0.02f, 0.2f, sea);
    return max(crops, grazed) + fished * (1 - crops);
}

enum { REACH_STEPS = 4 }; // pixels around one are looked at in each direction, up to SIGHT away

// How much of what is around a pixel is land: the hinterland of a town.
static float hinterland(const Grid *grid, int x, int y) {
    int land = 0;
    for (int wind = 0; wind < WINDS; wind++)
        for (int far = 1; far <= REACH_STEPS; far++)
            land += grid->altitude.cells[index_towards(grid, x, y, wind, far * SIGHT / REACH_STEPS)] >= 0;
    return (float)land / (WINDS * REACH_STEPS);
}

// Where the year is cold its crops feed those who grow them, and no town.
static float surplus_in(const Air *air, float river) {
    return crops_in(air, river) * ramp(-6, 10, air->temperature);
}

static float river_worth(float flow) {
    return clamp((float)(logarithm(1 + 0.25 * (double)flow) / (9 * logarithm(2))), 0, 1);
}

Leaning leaning_of(RandomKey key, uint32_t column, uint32_t row) {
    enum { LEANINGS = 6 };
    float about[LEANINGS];
    for (int i = 0; i < LEANINGS; i++)
        about[i] = 0.3f + 1.4f * random_unit(key, column + ((uint32_t)(i + 1) << 24), row);
    return (Leaning){ about[0], about[1], about[2], about[3], about[4], about[5] };
}

// What a pixel has, and the kind of place that it makes.
static float gifts_of(const Survey *survey, int x, int y, const Around *around, float river,
                      const Leaning *leaning, SiteKind *kind) {
    const Grid *grid = survey->grid;
    const float coast = ramp(0.02f, 0.3f, around->sea) * ramp(0.85f, 0.6f, around->sea),
                shelter = coast > 0 ? coast * ramp(0.3f, 0.75f, land_around(grid, x, y)) : 0,
                mouth = river * coast,
                shore = ramp(0.02f, 0.3f, around->lake) * ramp(0.9f, 0.6f, around->lake),
                open = river < 0.5f && coast <= 0 ? openness(survey, x, y) : 0;
    const bool meet = river > 0.15f && rivers_meet(grid, x, y), pass = is_pass(grid, x, y),
               cross = leaning->crossing > 1 && river > 0.3f && !meet && is_crossing(survey, x, y),
               wide = flow_metres(survey->settlement, grid, around->flow) > FORD_METRES;
    *kind = mouth > 0.3f           ? SITE_MOUTH
            : shelter > 0.1f       ? SITE_HARBOUR
            : around->lake > 0.04f ? SITE_LAKE
            : meet                 ? SITE_CONFLUENCE
            : pass                 ? SITE_PASS
            : cross && wide        ? SITE_BRIDGE
            : cross                ? SITE_FORD
            : river > 0.3f         ? SITE_RIVER
                                   : SITE_PLAIN;
    return 0.3f + 0.5f * leaning->river * river + 0.3f * leaning->crossing * (meet || cross) +
           (float)survey->settlement->rules.ports * leaning->sea * (0.5f * mouth + 0.6f * shelter) +
           0.6f * leaning->lake * shore + 1.2f * leaning->pass * pass + 0.7f * leaning->plain * open;
}

// More than the gifts of a pixel are: with what is around it, or of any where that is NULL.
static float most_gifts(const Survey *survey, const Leaning *leaning, const Around *around, float river) {
    const float ports = (float)survey->settlement->rules.ports;
    const float sea = !around || around->sea > 0 ? 1.1f * ports * leaning->sea : 0,
                plain = !around || river < 0.5f ? 0.7f * leaning->plain : 0,
                lake = !around || around->lake > 0 ? 0.6f * leaning->lake : 0;
    return 1.001f * (0.3f + 0.5f * leaning->river * river + 0.3f * leaning->crossing + max(sea, plain) +
                     lake + 1.2f * leaning->pass);
}

float suitability(const Survey *survey, int x, int y, const Leaning *leaning, float enough, SiteKind *kind,
                  float *food) {
    const Grid *grid = survey->grid;
    const size_t at = grid_index(grid, x, y);
    if (grid_is_wet(grid, at) || grid_is_at_border(grid, x, y))
        return 0;
    const float altitude = grid->altitude.cells[at], slope = steepness(survey, x, y);
    const float even = 1 / (1 + 12 * slope * slope), height = altitude / 1800,
                low = 1 / (1 + height * height);
    const float enough_here = enough / max(even * low, 1e-6f); // that its gifts have to be
    if (even * low < 0.04f || most_gifts(survey, leaning, NULL, 1) <= enough_here)
        return 0;
    const Around around = look_around(grid, x, y);
    const float river = river_worth(around.flow) * perennial(grid, &around);
    if (most_gifts(survey, leaning, &around, river) <= enough_here)
        return 0;
    SiteKind own;
    const float best = even * low * gifts_of(survey, x, y, &around, river, leaning, &own); // on good soil
    if (best <= enough)
        return 0;
    const Air air = air_at(survey, x, y, altitude);
    const float own_food = food_of(&air, river * watered(grid, &around), around.sea);
    const float worth = best * sqrtf(own_food);
    if (worth <= enough)
        return 0;
    *kind = own;
    *food = own_food * min(1.4f * hinterland(grid, x, y), 1);
    return worth;
}

float surplus_around(const Survey *survey, int x, int y) {
    const float own = 0.3f, enough = 0.75f; // the share of the pixel, and the surplus of good land
    const Grid *grid = survey->grid;
    const Around around = look_around(grid, x, y);
    const float river = river_worth(around.flow) * perennial(grid, &around) * watered(grid, &around);
    const Air here = air_at(survey, x, y, grid->altitude.cells[grid_index(grid, x, y)]);
    float sum = 0;
    for (int wind = 0; wind < WINDS; wind++)
        for (int step = 1; step <= REACH_STEPS; step++) {
            const int far = step * SIGHT / REACH_STEPS;
            const float altitude = grid->altitude.cells[index_towards(grid, x, y, wind, far)];
            if (altitude < 0)
                continue;
            const Air air = air_at(survey, x + far * wind_x[wind], y + far * wind_y[wind], altitude);
            sum += surplus_in(&air, 0);
        }
    return min((own * surplus_in(&here, river) + (1 - own) * sum / (WINDS * REACH_STEPS)) / enough, 1);
}

bool suits_kind(const Survey *survey, int x, int y, SiteKind kind) {
    const Around around = look_around(survey->grid, x, y);
    const bool river = river_worth(around.flow) * perennial(survey->grid, &around) > 0.3f;
    switch (kind) {
    case SITE_HARBOUR:
        return around.sea > 0;
    case SITE_MOUTH:
        return around.sea > 0 && river;
    case SITE_LAKE:
        return around.lake > 0;
    case SITE_RIVER:
    case SITE_FORD:
    case SITE_BRIDGE:
    case SITE_CONFLUENCE:
        return river;
    default:
        return true;
    }
}
