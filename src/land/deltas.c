#include "land/deltas.h"

#include "land/runoff.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/whole.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DELTA_STREAM = 1 << 27 };
enum {
    ARMS = 5,        // of a delta, at most
    ARM_CELLS = 64,  // of an arm
    SIDE = 80,       // of a box of cells, at most
    LAST_LEVEL = 3,  // on which deltas are built
    SPRING_ROOM = 9, // cells around the beginning of an arm
    LEAD = 4,        // cells from it to its river on finer levels, at most: 1 to 3 at four deltas tried
    // A step depends on what is LEAD cells around its head, which is as far away, and on what drains there.
    LEAD_REACH = 2 * LEAD + 2,
};
#define REACH 0.17f      // of a delta against the root of what its river drains, at a deposition of 1
#define REACH_LEAST 8.0f // in cells of its level
#define REACH_MOST 16.0f
#define AREA_LEAST 90.0f  // cells of level 0 that its river drains
#define SPRING_LEAST 0.1f // share of its river that an arm drains, at least: natural streams begin with less

// --- which mouths ------------------------------------------------------------------------------------------

static uint32_t number_of(const LandDelta *delta) {
    return (uint32_t)delta->x | (uint32_t)delta->y << 16;
}

static double chance_of(const Land *land, const LandDelta *delta, uint32_t use) {
    return (double)random_bits(random_key(land->rules.seed, DELTA_STREAM), number_of(delta), use) * 0x1p-32;
}

static int half_box(const LandDelta *delta) {
    return whole_int(1.4f * delta->reach) + (1 << delta->level) + 4;
}

// A delta's box on a level, in its cells.
typedef struct Box {
    Int128 left, top, right, bottom;
} Box;

static Box box_of(const LandDelta *delta, int level) {
    const Int128 middle_x = (2 * (Int128)delta->x + 1) << level >> 1,
                 middle_y = (2 * (Int128)delta->y + 1) << level >> 1,
                 half = half_box(delta) * ((Int128)1 << max(level - delta->level, 0));
    return (Box){ middle_x - half, middle_y - half, middle_x + half + 1, middle_y + half + 1 };
}

static bool delta_of(const Land *land, size_t cell, LandDelta *delta) {
    const LandWindow *root = &land->root;
    const float area = root->area[cell], of_root = REACH * land->rules.deposition * sqrtf(area);
    *delta = (LandDelta){ .x = (int)(cell % (size_t)root->width),
                          .y = (int)(cell / (size_t)root->width),
                          .area = area,
                          .level = 1 };
    while (delta->level < LAST_LEVEL && ldexpf(of_root, delta->level) < REACH_LEAST)
        delta->level++;
    delta->reach = min(ldexpf(of_root, delta->level), REACH_MOST);
    const Box box = box_of(delta, delta->level);
    return delta->reach >= REACH_LEAST && delta->level <= land->rules.graded && box.left > 1 && box.top > 1 &&
           box.right + 1 < (Int128)root->width << delta->level &&
           box.bottom + 1 < (Int128)root->height << delta->level;
}

static bool is_mouth(const LandWindow *root, size_t cell) {
    if (root->receiver[cell] >= NEIGHBOURS || root->area[cell] < AREA_LEAST)
        return false;
    const size_t to = window_towards(root, cell, root->receiver[cell]);
    return root->receiver[to] == LAND_SEA && root->altitude[to] < 0;
}

// Larger rivers first.
static int by_area(const void *a, const void *b) {
    const LandDelta *one = a, *other = b;
    const uint32_t first = number_of(one), second = number_of(other);
    return one->area != other->area ? (one->area < other->area) - (one->area > other->area)
                                    : (first > second) - (first < second);
}

static bool is_apart(const LandDelta *one, const LandDelta *other) {
    const float room =
        ldexpf((float)half_box(one), -one->level) + ldexpf((float)half_box(other), -other->level) + 4;
    return (float)abs(one->x - other->x) > room || (float)abs(one->y - other->y) > room;
}

Status deltas_choose(const Root *made, Land *land, Error *error) {
    const LandWindow *root = &land->root;
    const size_t cells = (size_t)root->width * (size_t)root->height;
    int mouths = 0, kept = 0;
    for (size_t cell = 0; cell < cells; cell++)
        mouths += is_mouth(root, cell);
    LandDeltas *deltas = memory_new(1, sizeof *deltas + (size_t)mouths * sizeof *deltas->at, error);
    if (!deltas)
        return STATUS_MEMORY;
    deltas->count = 0;
    for (size_t cell = 0; cell < cells; cell++)
        if (is_mouth(root, cell) && !root_courses_has(made->courses, cell) &&
            delta_of(land, cell, &deltas->at[deltas->count]))
            deltas->count++;
    qsort(deltas->at, (size_t)deltas->count, sizeof *deltas->at, by_area);
    for (int i = 0; i < deltas->count; i++) {
        bool apart = true;
        for (int k = 0; k < kept && apart; k++)
            apart = is_apart(&deltas->at[k], &deltas->at[i]);
        if (apart)
            deltas->at[kept++] = deltas->at[i];
    }
    deltas->count = kept;
    land->deltas = deltas;
    return STATUS_OK;
}

enum { BEFORE = 40 }; // cells by which the steps before shrink the region, at most

// How far a box reaches beyond cells.
static Int128 beyond(const Box *box, const Box *cells) {
    const Int128 across = max(cells->left - box->left, box->right - cells->right),
                 down = max(cells->top - box->top, box->bottom - cells->bottom);
    return max(across, down);
}

int deltas_reach(const Land *land, const LandWindow *wanted, int margin) {
    const Int128 inner = margin - BEFORE, outer = margin, none = 1;
    const Int128 right = wanted->x + wanted->width, bottom = wanted->y + wanted->height;
    const Box known = { wanted->x - inner, wanted->y - inner, right + inner, bottom + inner };
    int reach = 0;
    for (int i = 0; land->deltas && i < land->deltas->count; i++) {
        const LandDelta *delta = &land->deltas->at[i];
        const Box box = box_of(delta, wanted->level);
        if (wanted->level < delta->level || box.left >= right + outer || box.right <= wanted->x - outer ||
            box.top >= bottom + outer || box.bottom <= wanted->y - outer)
            continue;
        const int own = wanted->level == delta->level ? (int)max(beyond(&box, &known), none) : LEAD_REACH;
        reach = max(reach, own);
    }
    return reach;
}

// --- a site ------------------------------------------------------------------------------------------------

// Of cells of the box.
enum { GROUND, WET, PLAIN }; // land, sea, sea that becomes land

typedef struct Spot {
    double x, y;
} Spot;

// Where an arm runs, a curve from its river to its end, and the cells of it, from the first beside the river
// to the last before the sea.
typedef struct Arm {
    int id; // of its chances
    Spot from, bend, to;
    double length, share;
    int count, cells[ARM_CELLS]; // of the box
} Arm;

typedef struct Site {
    const Level *level;
    const LandDelta *delta;
    int left, top, side;    // of the box, in the arrays
    int up[ARM_CELLS], ups; // the river's cells, from the last before the sea to the apex; of the box
    Spot mouth, axis;
    double fill;    // how far the plain reaches between arms
    Arm arms[ARMS]; // the river's own first, from its mouth on
    int count;
    unsigned without; // ids of arms, as bits, that have no way
    uint8_t state[SIDE * SIDE], way[SIDE * SIDE];
    int32_t bed[SIDE * SIDE]; // of what is water
    float area[SIDE * SIDE];
    bool water[SIDE * SIDE]; // whether an arm or a brook is led there, or the river's course from the apex on
    uint8_t seen[SIDE * SIDE];
    int waiting[SIDE * SIDE], from[SIDE * SIDE], steps[SIDE * SIDE]; // scratch of searches
    uint16_t runoff[SIDE * SIDE];
} Site;

static double chance(const Site *site, uint32_t use) {
    return chance_of(site->level->land, site->delta, use);
}

static size_t in_level(const Site *site, int cell) {
    return (size_t)(site->top + cell / site->side) * (size_t)site->level->width +
           (size_t)(site->left + cell % site->side);
}

static bool is_within(const Site *site, int x, int y) {
    return x > 0 && y > 0 && x < site->side - 1 && y < site->side - 1;
}

static int beside_in_box(const Site *site, int cell, int direction) {
    return cell + neighbour_y[direction] * site->side + neighbour_x[direction];
}

static bool is_wet(const Level *level, size_t cell) {
    return level->receiver[cell] == LAND_SEA && level->z[cell] <= level->sea;
}

static Spot spot_of(const Site *site, int cell) {
    const int x = cell % site->side, y = cell / site->side;
    return (Spot){ x, y };
}

// The last cell of the river: the largest near the place on level 0.
static int find_mouth(const Site *site) {
    const Level *level = site->level;
    const int middle = site->side / 2, reach = (1 << level->number) + 2;
    const float least = 0.4f * ldexpf(site->delta->area, 2 * level->number);
    int best = -1;
    float most = least;
    for (int y = middle - reach; y <= middle + reach; y++)
        for (int x = middle - reach; x <= middle + reach; x++) {
            const size_t cell = in_level(site, y * site->side + x);
            if (level->receiver[cell] >= NEIGHBOURS || level->area[cell] <= most ||
                !is_wet(level, towards(level, cell, level->receiver[cell])))
                continue;
            most = level->area[cell];
            best = y * site->side + x;
        }
    return best;
}

// The open sea lies there.
static bool find_axis(Site *site) {
    const int reach = whole_int(site->delta->reach);
    int wet = 0, all = 0;
    for (int dy = -reach; dy <= reach; dy++)
        for (int dx = -reach; dx <= reach; dx++) {
            const int x = whole_int(site->mouth.x) + dx, y = whole_int(site->mouth.y) + dy;
            if (dx * dx + dy * dy > reach * reach || !is_within(site, x, y))
                continue;
            const bool sea = site->state[y * site->side + x] == WET;
            site->axis.x += sea ? dx : 0;
            site->axis.y += sea ? dy : 0;
            wet += sea;
            all++;
        }
    const double length = sqrt(site->axis.x * site->axis.x + site->axis.y * site->axis.y);
    if (!(length > 0.18 * reach * wet) || wet < 0.25 * all)
        return false;
    site->axis = (Spot){ site->axis.x / length, site->axis.y / length };
    return true;
}

static int main_donor_in_box(const Site *site, int cell) {
    const Level *level = site->level;
    const size_t at = in_level(site, cell);
    int best = -1;
    float most = 0;
    for (unsigned donors = donors_of(level, at); donors;) {
        const int d = next_direction(&donors);
        const float area = level->area[towards(level, at, d)];
        if (area > most) {
            most = area;
            best = beside_in_box(site, cell, d);
        }
    }
    return best;
}

// Up to where the river is high enough for arms as long as these to fall by the least.
static bool find_apex(Site *site, int mouth) {
    const Level *level = site->level;
    const double reach = (double)site->delta->reach, least = (0.15 + 0.25 * chance(site, 1)) * reach,
                 most = 0.8 * reach;
    int cell = mouth;
    site->ups = 0;
    while (site->ups < ARM_CELLS && site->ups <= most) {
        site->up[site->ups++] = cell;
        const double high = (double)difference(level->z[in_level(site, cell)], level->sea),
                     way = site->ups + 1.4 * reach;
        if (site->ups > least && high >= way * level->least_fall)
            return true;
        cell = main_donor_in_box(site, cell);
        if (cell < 0 || !is_within(site, cell % site->side, cell / site->side) ||
            is_outlet(level, in_level(site, cell)))
            return false;
    }
    return false;
}

// --- arms --------------------------------------------------------------------------------------------------

static Spot turned(Spot way, double angle) {
    const double s = sine(angle), c = cosine(angle);
    return (Spot){ way.x * c - way.y * s, way.x * s + way.y * c };
}

static Spot spot_along(const Site *site, int number, double at) {
    const Arm *arm = &site->arms[number];
    const double left = 1 - at, a = left * left, b = 2 * at * left, c = at * at;
    const double dx = arm->to.x - arm->from.x, dy = arm->to.y - arm->from.y;
    const double phase = chance(site, 40 + (uint32_t)arm->id),
                 waves = 1 + 1.5 * chance(site, 50 + (uint32_t)arm->id);
    const double swing = 0.05 * min(4 * at, 1) * sine(6.28318530717958648 * (phase + waves * at));
    return (Spot){ a * arm->from.x + b * arm->bend.x + c * arm->to.x - swing * dy,
                   a * arm->from.y + b * arm->bend.y + c * arm->to.y + swing * dx };
}

static void add_arm(Site *site, int id, Spot from, double angle, double reach, double share) {
    const int number = site->count++;
    Arm *arm = &site->arms[number];
    const Spot way = turned(site->axis, angle);
    *arm = (Arm){ .id = id,
                  .from = from,
                  .to = { site->mouth.x + reach * way.x, site->mouth.y + reach * way.y },
                  .share = share };
    const double dx = arm->to.x - from.x, dy = arm->to.y - from.y;
    const double bow = number == 0 ? 0.1 * (chance(site, 30) - 0.5) : 0.16 * angle;
    arm->length = sqrt(dx * dx + dy * dy);
    arm->bend = (Spot){ 0.5 * (from.x + arm->to.x) - bow * dy, 0.5 * (from.y + arm->to.y) + bow * dx };
}

// The cells of its course; it goes on a little beyond its end.
static void find_cells(Site *site, int number) {
    enum { BEYOND = 4 };
    Arm *arm = &site->arms[number];
    const int steps = whole_int(4 * (arm->length + BEYOND));
    int before = whole_int(arm->from.y) * site->side + whole_int(arm->from.x), last = before;
    arm->count = 0;
    for (int i = 1; i <= steps && arm->count < ARM_CELLS; i++) {
        const double at = i / (4 * arm->length);
        Spot spot = spot_along(site, number, min(at, 1));
        if (at > 1) {
            const Spot near = spot_along(site, number, 0.9);
            spot.x += (at - 1) * 10 * (spot.x - near.x);
            spot.y += (at - 1) * 10 * (spot.y - near.y);
        }
        const int x = whole_int(floor(spot.x + 0.5)), y = whole_int(floor(spot.y + 0.5)),
                  cell = y * site->side + x;
        if (!is_within(site, x, y))
            break;
        if (cell == last)
            continue;
        const int back = before;
        const bool corner = arm->count > 0 && abs(cell % site->side - back % site->side) <= 1 &&
                            abs(cell / site->side - back / site->side) <= 1;
        if (corner)
            arm->cells[arm->count - 1] = cell;
        else {
            arm->cells[arm->count++] = cell;
            before = last;
        }
        last = cell;
    }
}

// A few arms, the outermost first, as the river's own is in the middle.
static void design(Site *site) {
    const double reach = (double)site->delta->reach;
    const int more = 1 + whole_int(floor(3.2 * chance(site, 2)));
    const double spread = 0.55 + 0.5 * chance(site, 3),
                 own = more < 2 ? 0.3 * (chance(site, 4) - 0.5) : 0.5 * (chance(site, 4) - 0.5);
    site->fill = chance(site, 5) < 0.35 ? 0.58 : 0.78 + 0.18 * chance(site, 6);
    add_arm(site, 0, site->mouth, own, reach * (0.95 + 0.1 * chance(site, 7)), 1);
    for (int i = 0; i < more; i++) {
        if (site->without >> (i + 1) & 1)
            continue;
        const int side = (i % 2 ? -1 : 1) * (chance(site, 8) < 0.5 ? 1 : -1), pair = i / 2;
        const double angle =
            side * spread * (pair == 0 ? 1 : 0.5) + 0.15 * (chance(site, 10 + (uint32_t)i) - 0.5);
        const double where =
            pair == 0 ? 0.6 + 0.4 * chance(site, 14 + (uint32_t)i) : 0.2 * chance(site, 14 + (uint32_t)i);
        const int cell = site->up[whole_within(where * (site->ups - 1), 0, site->ups - 1)];
        add_arm(site, i + 1, spot_of(site, cell), angle,
                reach * (0.75 + 0.3 * chance(site, 20 + (uint32_t)i)),
                (0.16 + 0.2 * chance(site, 24 + (uint32_t)i)));
    }
}

// --- the plain ---------------------------------------------------------------------------------------------

static double away_from_arm(const Site *site, int number, Spot spot, double *along) {
    enum { STEPS = 24 };
    double least = INFINITY;
    for (int i = 0; i <= STEPS; i++) {
        const Spot on = spot_along(site, number, (double)i / STEPS);
        const double dx = spot.x - on.x, dy = spot.y - on.y, squared = dx * dx + dy * dy;
        if (squared < least) {
            least = squared;
            *along = (double)i / STEPS;
        }
    }
    return sqrt(least);
}

// How far a place lies within the plain, in cells.
static double within(const Site *site, Spot spot) {
    const double reach = (double)site->delta->reach, x = spot.x - site->mouth.x, y = spot.y - site->mouth.y;
    const double ahead = x * site->axis.x + y * site->axis.y, aside = y * site->axis.x - x * site->axis.y;
    const double far = sqrt(x * x + y * y);
    double least = 0, most = 0; // tangents of the outermost arms
    double in = 1.5 - far;
    for (int i = 0; i < site->count; i++) {
        double along = 0;
        const double away = away_from_arm(site, i, spot, &along);
        const Spot to = { site->arms[i].to.x - site->mouth.x, site->arms[i].to.y - site->mouth.y };
        const double slant = (to.y * site->axis.x - to.x * site->axis.y) /
                             max(to.x * site->axis.x + to.y * site->axis.y, 1e-3);
        least = min(least, slant);
        most = max(most, slant);
        in = max(in, 2.2 - 0.5 * along - away);
    }
    const double slant = aside / max(ahead, 1e-3);
    const double over =
        max(max(slant - most, least - slant), 0) * max(ahead, 0); // cells beyond the outermost
    const double fan = site->fill * reach - far - over;
    return ahead > -1 ? max(in, min(fan, ahead + 2)) : in;
}

static void spread_sea(Site *site, int from) {
    uint8_t *seen = site->seen;
    int *waiting = site->waiting, count = 0;
    waiting[count++] = from;
    seen[from] = 1;
    while (count > 0) {
        const int cell = waiting[--count], x = cell % site->side, y = cell / site->side;
        for (int d = 0; d < NEIGHBOURS; d += 2) {
            const int to_x = x + neighbour_x[d], to_y = y + neighbour_y[d], to = to_y * site->side + to_x;
            if (to_x < 0 || to_y < 0 || to_x >= site->side || to_y >= site->side || seen[to] ||
                site->state[to] != WET)
                continue;
            seen[to] = 1;
            waiting[count++] = to;
        }
    }
}

// Pieces of sea that reach the box's edge; marks them as seen.
static int count_seas(Site *site) {
    int seas = 0;
    memset(site->seen, 0, sizeof site->seen);
    for (int i = 0; i < site->side * site->side; i++) {
        const int x = i % site->side, y = i / site->side;
        const bool edge = x == 0 || y == 0 || x == site->side - 1 || y == site->side - 1;
        if (edge && site->state[i] == WET && !site->seen[i]) {
            seas++;
            spread_sea(site, i);
        }
    }
    return seas;
}

#define DEEP 1.2 // normal cells, as deep as the sea is on average where a plain is built, at most

static bool mark_plain(Site *site) {
    const Level *level = site->level;
    const int before = count_seas(site);
    double depth = 0;
    int count = 0;
    for (int i = 0; i < site->side * site->side; i++) {
        if (site->state[i] != WET || !is_within(site, i % site->side, i / site->side) ||
            within(site, spot_of(site, i)) < 0)
            continue;
        site->state[i] = PLAIN;
        depth += (double)difference(level->sea, level->z[in_level(site, i)]);
        count++;
    }
    if (count < 12 || depth > DEEP * level->cell * count || count_seas(site) != before)
        return false;
    for (int i = 0; i < site->side * site->side; i++)
        if (site->state[i] == WET && !site->seen[i] && is_within(site, i % site->side, i / site->side))
            site->state[i] = PLAIN; // a closed bay
    return true;
}

// --- water on it -------------------------------------------------------------------------------------------

static int way_between(const Site *site, int from, int to) {
    int way = 0;
    while (way < NEIGHBOURS && beside_in_box(site, from, way) != to)
        way++;
    return way;
}

static bool crosses(const Site *site, int from, int way) {
    const Level *level = site->level;
    for (int side = -1; side <= 1 && way & 1; side += 2) {
        const int one = beside_in_box(site, from, (way + side) & 7),
                  other = beside_in_box(site, from, (way - side) & 7);
        const size_t cell = in_level(site, one);
        const int receiver = site->water[one] ? site->way[one] : level->receiver[cell];
        if (receiver < NEIGHBOURS && beside_in_box(site, one, receiver) == other)
            return true;
    }
    return false;
}

static bool touches_water(const Site *site, int cell, int but, int later) {
    bool touches = site->water[cell];
    for (int d = 0; d < NEIGHBOURS && !touches; d++) {
        const int beside = beside_in_box(site, cell, d);
        touches = site->water[beside] && beside != but && beside != later;
    }
    return touches;
}

static void set_water(Site *site, int cell, int next, int32_t bed, float area, uint16_t runoff) {
    site->water[cell] = true;
    site->way[cell] = (uint8_t)way_between(site, cell, next);
    site->bed[cell] = bed;
    site->area[cell] = area;
    site->runoff[cell] = runoff;
}

// Cuts the arm off where the open sea begins; -1: it does not get there.
static int sea_of_arm(const Site *site, const Arm *arm) {
    for (int i = 0; i < arm->count; i++)
        if (site->state[arm->cells[i]] == WET)
            return i;
    return -1;
}

#define BANK 0.3 // normal cells, as high as ground is above an arm's bed, at most

static bool lay_river(Site *site) {
    const Level *level = site->level;
    Arm *arm = &site->arms[0];
    const int end = sea_of_arm(site, arm), apex = site->up[site->ups - 1];
    if (end < 1)
        return false;
    const size_t at = in_level(site, apex);
    const int whole = site->ups + end;
    const double high = (double)difference(level->z[at], level->sea);
    if (high < (double)level->least_fall * (whole + 1))
        return false;
    int next = arm->cells[end];
    for (int i = end - 1; i >= -site->ups; i--) {
        const int cell = i >= 0 ? arm->cells[i] : site->up[-i - 1];
        const size_t own = in_level(site, cell);
        const bool ground = i >= 0 && site->state[cell] == GROUND;
        const bool low = !ground || (level->receiver[own] == LAND_NONE &&
                                     (double)difference(level->z[own], level->sea) < BANK * level->cell);
        if ((i >= 0 && site->water[cell]) || !low || crosses(site, cell, way_between(site, cell, next)))
            return false;
        const int32_t bed = sum(level->sea, whole_int(high * (end - i) / whole));
        set_water(site, cell, next, bed, i >= 0 ? level->area[in_level(site, site->up[0])] : level->area[own],
                  level->runoff ? level->runoff[own] : 0);
        next = cell;
    }
    return true;
}

// Whether it runs through low ground to the sea, away from other arms but for its beginning.
static bool lay_arm(Site *site, int number) {
    const Level *level = site->level;
    Arm *arm = &site->arms[number];
    const int from = whole_int(arm->from.y) * site->side + whole_int(arm->from.x);
    const int end = sea_of_arm(site, arm);
    const bool on_river = site->water[from];
    const double high =
        (double)difference(on_river ? site->bed[from] : level->z[in_level(site, from)], level->sea);
    const float area = (float)arm->share * level->area[in_level(site, site->up[site->ups - 1])];
    int first = 0;
    while (first < end && (site->water[arm->cells[first]]))
        first++; // along its river
    if (end - first < 4 || high < (double)level->least_fall * (end + 2))
        return false;
    for (int i = first; i < end; i++) {
        const int cell = arm->cells[i], next = arm->cells[i + 1];
        const size_t at = in_level(site, cell);
        const int32_t bed = sum(level->sea, whole_int(high * (end - i) / (end + 1)));
        const bool ground = site->state[cell] == GROUND;
        if (crosses(site, cell, way_between(site, cell, next)) || site->water[cell] ||
            (i > first + 2 && touches_water(site, cell, arm->cells[i - 1], next)))
            return false;
        if (ground && (level->receiver[at] == LAND_LAKE || level->receiver[at] == LAND_SEA ||
                       is_outlet(level, at) || (double)difference(level->z[at], bed) > BANK * level->cell ||
                       (level->receiver[at] < NEIGHBOURS &&
                        (level->area[at] > 0.5f * area || difference(level->z[at], bed) < 0))))
            return false;
    }
    for (int i = end - 1; i >= first; i--) {
        const int32_t bed = sum(level->sea, whole_int(high * (end - i) / (end + 1)));
        set_water(site, arm->cells[i], arm->cells[i + 1], bed, area,
                  level->runoff ? level->runoff[in_level(site, site->up[0])] : 0);
    }
    memmove(arm->cells, arm->cells + first, (size_t)(end - first) * sizeof *arm->cells);
    arm->count = end - first;
    return true;
}

// A brook that ended in what is plain now: the shortest way on, over sides of cells, to water that is low
// enough.
static bool lead_brook(Site *site, int brook) {
    const Level *level = site->level;
    const size_t at = in_level(site, brook);
    const int start = beside_in_box(site, brook, level->receiver[at]);
    int *waiting = site->waiting, *from = site->from, *steps = site->steps, count = 0, end = -1;
    memset(from, -1, sizeof site->from);
    waiting[count++] = start;
    from[start] = brook;
    steps[start] = 1;
    for (int i = 0; i < count && end < 0; i++) {
        const int cell = waiting[i];
        if (site->water[cell] || site->state[cell] == WET) {
            const int32_t bed = site->water[cell] ? site->bed[cell] : level->sea;
            if ((double)difference(level->z[at], bed) >= (double)steps[cell] * level->least_fall)
                end = cell;
            continue;
        }
        for (int d = 0; d < NEIGHBOURS; d += 2) {
            const int to = beside_in_box(site, cell, d);
            if (!is_within(site, to % site->side, to / site->side) || from[to] >= 0 ||
                site->state[to] == GROUND)
                continue;
            from[to] = cell;
            steps[to] = steps[cell] + 1;
            waiting[count++] = to;
        }
    }
    if (end < 0)
        return false;
    const int32_t bed = site->water[end] ? site->bed[end] : level->sea;
    const double high = (double)difference(level->z[at], bed);
    const int whole = steps[end];
    for (int cell = from[end], next = end; cell != brook; next = cell, cell = from[cell])
        set_water(site, cell, next, sum(bed, whole_int(high * (whole - steps[cell]) / whole)),
                  level->area[at], level->runoff ? level->runoff[at] : 0);
    return true;
}

static bool lead_brooks(Site *site) {
    const Level *level = site->level;
    for (int i = 0; i < site->side * site->side; i++) {
        const size_t at = in_level(site, i);
        if (!is_within(site, i % site->side, i / site->side) || site->state[i] != GROUND || site->water[i] ||
            level->receiver[at] >= NEIGHBOURS)
            continue;
        const int to = beside_in_box(site, i, level->receiver[at]);
        if (site->state[to] == PLAIN && !lead_brook(site, i))
            return false;
    }
    return true;
}

// Whether all that drains into a cell is higher than its new bed.
static bool is_below_donors(const Site *site) {
    const Level *level = site->level;
    for (int i = 0; i < site->side * site->side; i++) {
        if (!site->water[i])
            continue;
        const size_t at = in_level(site, i);
        for (unsigned donors = donors_of(level, at); donors;) {
            const int d = next_direction(&donors), from = beside_in_box(site, i, d);
            if (!site->water[from] &&
                difference(level->z[in_level(site, from)], site->bed[i]) < level->least_fall)
                return false;
        }
    }
    return true;
}

// --- building ----------------------------------------------------------------------------------------------

#define PLAIN_HEIGHT (1.0 / 20) // of the plain, in normal cells

static void become(const Level *level, size_t cell, int32_t altitude, float area, int receiver) {
    level->z[cell] = altitude;
    level->spare[cell] = altitude; // the ground where no stream runs
    level->area[cell] = area;
    level->receiver[cell] = (uint8_t)receiver;
    level->slope[cell] = 0;
}

// The plain falls from the apex on, above the beds of its arms.
static int32_t plain_at(const Site *site, Spot spot) {
    const Level *level = site->level;
    const Spot apex = spot_of(site, site->up[site->ups - 1]);
    const double dx = spot.x - apex.x, dy = spot.y - apex.y, far = sqrt(dx * dx + dy * dy);
    const double high = (double)difference(site->bed[site->up[site->ups - 1]], level->sea);
    const double left = max(1 - far / (1.2 * (double)site->delta->reach + site->ups), 0);
    return sum(level->sea, whole_int(PLAIN_HEIGHT * level->cell + high * left));
}

static void write_site(const Site *site) {
    const Level *level = site->level;
    for (int i = 0; i < site->side * site->side; i++) {
        const size_t at = in_level(site, i);
        if (!is_within(site, i % site->side, i / site->side))
            continue;
        const double in = within(site, spot_of(site, i));
        if (site->water[i]) {
            become(level, at, site->bed[i], site->area[i], site->way[i]);
            if (level->runoff)
                level->runoff[at] = site->runoff[i];
        } else if (site->state[i] == PLAIN) {
            become(level, at, plain_at(site, spot_of(site, i)), 1, LAND_NONE);
        } else if (site->state[i] == WET) {
            const double shallow = 0.04 + 0.012 * in * in;
            const int32_t depth = whole_int(shallow * level->cell);
            if (in > -6)
                level->z[at] = max(level->z[at], sum(level->sea, -depth));
        } else if (level->receiver[at] == LAND_NONE && in > -1) {
            const int32_t plain = plain_at(site, spot_of(site, i));
            const double above = (double)difference(level->z[at], plain);
            if (above < 0.25 * level->cell) {
                const int32_t z = above < 0 ? level->z[at] : plain;
                level->z[at] = z;
                level->spare[at] = z;
                level->slope[at] = 0;
            }
        }
    }
}

static void add_spring(Level *level, size_t cell, int room, float least) {
    const int x = (int)(cell % (size_t)level->width), y = (int)(cell / (size_t)level->width);
    level->springs[level->spring_count++] =
        (Spring){ { x - room, y - room, x + room + 1, y + room + 1 }, least, room };
}

// Lays all; the plain of an arm that has no way is not wanted, so it begins anew without it. Each time one
// arm less is left, so that happens ARMS times at most.
static bool lay_all(Site *site) {
    const unsigned before = site->without;
    memset(site->water, 0, sizeof site->water);
    for (int i = 0; i < site->side * site->side; i++)
        site->state[i] = is_wet(site->level, in_level(site, i)) ? WET : GROUND;
    site->count = 0;
    design(site);
    for (int i = 0; i < site->count; i++)
        find_cells(site, i);
    if (site->count < 2 || !mark_plain(site) || !lay_river(site))
        return false;
    for (int i = 1; i < site->count; i++)
        site->without |= lay_arm(site, i) ? 0 : 1u << site->arms[i].id;
    return site->without == before ? lead_brooks(site) && is_below_donors(site) : lay_all(site);
}

static bool plan(Site *site) {
    const Level *level = site->level;
    for (int i = 0; i < site->side * site->side; i++)
        site->state[i] = is_wet(level, in_level(site, i)) ? WET : GROUND;
    const int mouth = find_mouth(site);
    if (mouth < 0)
        return false;
    site->mouth = spot_of(site, mouth);
    return find_axis(site) && find_apex(site, mouth) && lay_all(site);
}

static void build(Level *level, const LandDelta *delta, Site *site) {
    const Box box = box_of(delta, level->number);
    const Region *region = &level->region;
    const Int128 left = box.left - level->x, top = box.top - level->y;
    const int side = 2 * half_box(delta) + 1;
    if (left < region->left || top < region->top || left + side > region->right ||
        top + side > region->bottom)
        return;
    memset(site, 0, sizeof *site);
    site->level = level;
    site->delta = delta;
    site->left = (int)left;
    site->top = (int)top;
    site->side = side;
    if (!plan(site))
        return;
    write_site(site);
    for (int i = 1; i < site->count; i++)
        if (site->arms[i].count > 0) {
            const int first = site->arms[i].cells[0];
            add_spring(level, in_level(site, first), SPRING_ROOM / 2, 0.5f * site->area[first]);
        }
}

// --- on finer levels ---------------------------------------------------------------------------------------

// Brooks may drain into an arm where it begins.
#define OF_BROOKS 0.5f

// Whether a large stream begins in a coarse cell.
static bool begins_in(const LandWindow *window, size_t cell, float least) {
    if (window->receiver[cell] >= NEIGHBOURS || window->area[cell] < least)
        return false;
    float most = 0;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const size_t beside = window_towards(window, cell, d);
        if (window->receiver[beside] == opposite(d))
            most = max(most, window->area[beside]);
    }
    return most < OF_BROOKS * window->area[cell] && !window_has_outlet(window, cell);
}

static void find_springs_of(Level *level, const Parent *parent, const LandDelta *delta, int most) {
    const LandWindow *window = parent->window;
    const Box box = box_of(delta, level->number - 1);
    const float least = min(ldexpf(SPRING_LEAST * delta->area, 2 * (level->number - 1)), AREA_MAX / 4);
    const Int128 none = 1, last_x = window->width - 1, last_y = window->height - 1;
    const int left = (int)clamp(box.left - window->x, none, last_x),
              right = (int)clamp(box.right - window->x, none, last_x),
              top = (int)clamp(box.top - window->y, none, last_y),
              bottom = (int)clamp(box.bottom - window->y, none, last_y);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            const size_t cell = (size_t)y * (size_t)window->width + (size_t)x;
            if (level->spring_count >= most || !begins_in(window, cell, least))
                continue;
            const int child_x = 2 * (x - parent->column), child_y = 2 * (y - parent->row);
            level->springs[level->spring_count++] =
                (Spring){ { child_x - SPRING_ROOM, child_y - SPRING_ROOM, child_x + 2 + SPRING_ROOM,
                            child_y + 2 + SPRING_ROOM },
                          2 * window->area[cell],
                          SPRING_ROOM };
        }
}

Status find_delta_springs(Level *level, const Parent *parents, Error *error) {
    const LandDeltas *deltas = level->land->deltas;
    if (level->hillslope.deltas == 0)
        return STATUS_OK;
    const int room = level->spring_count + 4 * ARMS * deltas->count;
    Spring *more =
        memory_enlarge(level->springs, (size_t)level->spring_count, (size_t)room, sizeof *more, error);
    if (!more)
        return STATUS_MEMORY;
    level->springs = more;
    for (int i = 0; i < deltas->count; i++)
        if (deltas->at[i].level < level->number)
            find_springs_of(level, &parents[0], &deltas->at[i], level->spring_count + 4 * ARMS);
    return STATUS_OK;
}

static bool is_in(const Level *level, int x, int y) {
    return x > LEAD && y > LEAD && x < level->width - LEAD - 1 && y < level->height - LEAD - 1;
}

static float most_of_donors(const Level *level, size_t cell) {
    float most = 0;
    for (unsigned donors = donors_of(level, cell); donors;)
        most = max(most, level->area[towards(level, cell, next_direction(&donors))]);
    return most;
}

// The head of an arm among the children of its coarse one.
static bool head_of(const Level *level, const Spring *spring, int *head_x, int *head_y) {
    const int left = spring->cells.left + spring->room, top = spring->cells.top + spring->room;
    for (int y = top; y < top + 2; y++)
        for (int x = left; x < left + 2; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            if (!is_in(level, x, y) || level->receiver[cell] >= NEIGHBOURS ||
                level->area[cell] < spring->least ||
                most_of_donors(level, cell) >= OF_BROOKS * level->area[cell])
                continue;
            *head_x = x;
            *head_y = y;
            return true;
        }
    return false;
}

static int way_of_step(int dx, int dy) {
    int way = 0;
    while (way < NEIGHBOURS && (neighbour_x[way] != dx || neighbour_y[way] != dy))
        way++;
    return way;
}

// Its arm begins beside the river on every level.
static void lead_back(const Level *level, const Spring *spring) {
    int x, y, best_x = 0, best_y = 0, nearest = LEAD * LEAD + 1;
    if (!head_of(level, spring, &x, &y))
        return;
    const size_t head = (size_t)y * (size_t)level->width + (size_t)x;
    for (int dy = -LEAD; dy <= LEAD; dy++)
        for (int dx = -LEAD; dx <= LEAD; dx++) {
            const size_t cell = (size_t)(y + dy) * (size_t)level->width + (size_t)(x + dx);
            const int far = dx * dx + dy * dy;
            if (level->receiver[cell] < NEIGHBOURS && level->area[cell] > level->area[head] &&
                far < nearest) {
                nearest = far;
                best_x = dx;
                best_y = dy;
            }
        }
    const int steps = max(abs(best_x), abs(best_y));
    const int32_t high = level->z[(size_t)(y + best_y) * (size_t)level->width + (size_t)(x + best_x)];
    size_t next = head;
    for (int i = 1; i < steps; i++) {
        const double share = (double)i / steps;
        const int to_x = x + whole_int(floor(best_x * share + 0.5)),
                  to_y = y + whole_int(floor(best_y * share + 0.5));
        const size_t cell = (size_t)to_y * (size_t)level->width + (size_t)to_x;
        const bool brook = level->receiver[cell] < NEIGHBOURS && !is_outlet(level, cell) &&
                           level->area[cell] < OF_BROOKS * level->area[head];
        const int32_t lowest = brook ? level->z[next] : level->sea;
        if (!(brook || level->receiver[cell] == LAND_NONE) || level->z[cell] <= lowest)
            return;
        const int way =
            way_of_step((int)(next % (size_t)level->width) - to_x, (int)(next / (size_t)level->width) - to_y);
        const int32_t even = sum(level->z[head], whole_int((double)difference(high, level->z[head]) * share));
        level->receiver[cell] = (uint8_t)way;
        level->area[cell] = level->area[head];
        level->z[cell] = brook ? level->z[cell] : max(even, sum(level->z[next], 1));
        if (level->runoff)
            level->runoff[cell] = level->runoff[head];
        next = cell;
    }
}

Status build_deltas(Level *level, Error *error) {
    const LandDeltas *deltas = level->land->deltas;
    if (level->hillslope.deltas == 0)
        return STATUS_OK;
    for (int i = 0; i < level->spring_count; i++)
        if (level->springs[i].room > 0)
            lead_back(level, &level->springs[i]);
    Site *site = memory_new(1, sizeof *site, error);
    if (!site)
        return STATUS_MEMORY;
    for (int i = 0; i < deltas->count; i++)
        if (deltas->at[i].level == level->number)
            build(level, &deltas->at[i], site);
    memory_free(site);
    level_shrink(level, level->hillslope.deltas);
    return list_streams(level);
}
