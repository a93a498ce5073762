#include "settlement/kept_sites.h"
#include "settlement/own_sites.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "rivermap/eroded/eroded.h"
#include "rivermap/eroded/map_climate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const site_kinds[SITE_KINDS] = { "plain", "river",   "ford",  "bridge", "confluence",
                                             "lake",  "harbour", "mouth", "pass" };

// --- levels ------------------------------------------------------------------------------------------------

#define SMALLEST_SQUARE 500.0 // metres
#define FINEST_PIXEL 25.0     // the same

// Whether a level has places that are not too small. The last one is that of which Zipf's law makes hamlets.
static bool has_people(const Settlement *settlement, int level) {
    const double hamlet = 20, people = level_population(settlement, level),
                 smallest = settlement->rules.smallest;
    return people >= min(smallest, hamlet) && village_people(people) >= smallest;
}

// Which levels have other places than the map's own: those large enough, and not too large beside those.
static void set_others(Settlement *settlement) {
    const OwnPlaces *own = settlement->map->places;
    settlement->end = own && own->others == OTHERS_NONE ? 0 : settlement->levels;
    while (settlement->end > 0 && !has_people(settlement, settlement->end - 1))
        settlement->end--;
    while (own && own->count > 0 && own->others == OTHERS_SMALLER && settlement->first < settlement->end &&
           village_people(level_population(settlement, settlement->first)) >
               own->at[own->count - 1].population)
        settlement->first++;
}

Status settlement_open(Settlement *settlement, const RiverMap *map, const SettlementRules *rules,
                       const Run *run, Error *error) {
    enum { FIRST_BITS = 3, LEVELS_MAX = 20 };
    if (!map->land->create)
        return fail(error, STATUS_INVALID,
                    "places need land = \"eroded\", whose altitudes are metres; this map is raw");
    *settlement = (Settlement){ .map = map, .run = run, .rules = *rules, .side = face_metres(map) };
    while (settlement->first_bits < FIRST_BITS && square_metres(settlement, 0) > LARGEST_SQUARE)
        settlement->first_bits++;
    while (settlement->levels < LEVELS_MAX && (map->places || has_people(settlement, settlement->levels)) &&
           square_metres(settlement, settlement->levels) >= SMALLEST_SQUARE)
        settlement->levels++;
    set_others(settlement);
    const Status status = eroded_memo(map, &settlement->memo, error);
    return status == STATUS_OK ? map_climate(map, run, &settlement->climate, error) : status;
}

int settlement_level(const Settlement *settlement, double pixels, double spacing) {
    const double squares = pixels / spacing;
    return squares < 1 ? -1
                       : max(min(log2_below(squares) - settlement->first_bits, settlement->levels - 1), -1);
}

int settlement_last_bits(const Settlement *settlement) {
    const int least = level_bits(settlement, max(settlement->levels - 1, 0));
    int bits = least;
    while (bits < 30 && ldexp(settlement->side, -bits - 1) >= FINEST_PIXEL)
        bits++;
    return bits;
}

// Zipf's law: places with more people than n are as many as 1 / n. A level's places have between one and four
// times its least; of the first level's half have more than twice as many, a tenth more than ten times, as
// the capital of all its squares has. Poor land and bad sites have fewer: cities by what the land around them
// has to spare, so that the largest ones of a map lie where most of it is.
static double share_of(const Settlement *settlement, const Site *site) {
    enum { PEOPLE_STREAM = 600 };
    const double least = 1 / 7.0; // of level_population
    const RandomKey key =
        random_key(eroded_of(settlement->map)->rules.seed, PEOPLE_STREAM + (uint32_t)site->level);
    const double chance =
        (double)random_unit(key, square_column(site->face, site->square_x), (uint32_t)site->square_y);
    const double worth = (double)site->worth, good = 0.6 + 0.8 * worth / (worth + 0.7);
    if (site->level > 0)
        return min(least * 4 / (1 + 3 * chance) * good, 1) * sqrt((double)site->food);
    const double faces = settlement->map->tiling->planet ? CUBE_FACES : 1, spare = (double)site->surplus,
                 squares = least * faces * ldexp(1, 2 * settlement->first_bits),
                 most = max(squares * spare * spare, 1),
                 fed = max(spare * sqrt(spare), 0.1 * sqrt((double)site->food));
    return min(least / max(chance, least / squares) * good, most) * fed;
}

double site_population(const Settlement *settlement, const Site *site) {
    const OwnPlaces *own = settlement->map->places;
    if (own && site->own)
        return own->at[site->own - 1].population;
    const int64_t people = whole_64(floor(village_people(
        max(level_population(settlement, site->level) * share_of(settlement, site), (double)site->follows))));
    // Numbers of the squares in a block are the remainders, so that no two of its places have as many people.
    const int side = people >= 1000 ? 8 : people >= 100 ? 4 : 2, all = side * side;
    const int number = site->square_y % side * side + site->square_x % side;
    return (double)(people - people % all - (people % all < number ? all : 0) + number);
}

const char *site_name(const Settlement *settlement, const Site *site, char made[NAME_MAX_BYTES]) {
    enum { TRIES = 8 };
    const OwnPlaces *own = settlement->map->places;
    if (site->own && own->at[site->own - 1].name)
        return own_text(own, own->at[site->own - 1].name);
    const double squares = ldexp(1, settlement->first_bits + site->level);
    const NamedPlace named = { .planet = settlement->map->tiling->planet,
                               .face = site->face,
                               .level = site->level,
                               .square_x = site->square_x,
                               .square_y = site->square_y,
                               .x = (site->square_x + 0.5) / squares,
                               .y = (site->square_y + 0.5) / squares,
                               .side = settlement->side };
    int spare = site->own;
    do
        place_name(eroded_of(settlement->map)->rules.seed, &named, spare, made);
    while (is_own_name(settlement, made) && spare++ < site->own + TRIES);
    return made;
}

const char *site_kind(const Settlement *settlement, const Site *site) {
    const OwnPlaces *own = settlement->map->places;
    const size_t given = site->own ? own->at[site->own - 1].kind : 0;
    return given ? own_text(own, given) : site_kinds[site->kind];
}

int compare_sites(const Site *a, const Site *b) {
    return a->level != b->level         ? a->level - b->level
           : a->face != b->face         ? a->face - b->face
           : a->square_y != b->square_y ? a->square_y - b->square_y
           : a->square_x != b->square_x ? a->square_x - b->square_x
                                        : a->own - b->own;
}

// --- places ------------------------------------------------------------------------------------------------

enum { MOVE = 8 }; // pixels of the finer grid that a place moves at most, from level to level
enum { SITES_STREAM = 78 };

#define LEAST_WORTH 0.12f

void sites_free(Sites *sites) {
    memory_free(sites->at);
    *sites = (Sites){ 0 };
}

static Status add_site(Sites *sites, Site site, Error *error) {
    if (sites->count == sites->room) {
        const int room = 2 * sites->room + 64;
        Site *at = memory_enlarge(sites->at, (size_t)sites->count, (size_t)room, sizeof *at, error);
        if (!at)
            return STATUS_MEMORY;
        sites->at = at;
        sites->room = room;
    }
    sites->at[sites->count++] = site;
    return STATUS_OK;
}

// Whether a square of land that feeds so many people has one of a level's places. There are fewer as well as
// smaller ones on poor land, but towns farther apart than villages stand there, too. Blocks of squares are
// left out as well as squares in the others: a lone village would have no road.
static bool is_settled(RandomKey key, int level, uint32_t x, uint32_t y, float food) {
    enum { TOWNS = 3, BLOCK_BITS = 2, CHANCES = 9 << 24 }; // levels of towns
    const double share = 0.35 * min((level + 1) / (double)TOWNS, 1),
                 least = exponential(share * logarithm(max((double)food, 1e-6)));
    return (double)random_unit(key, x + CHANCES, y) < least &&
           (double)random_unit(key, (x >> BLOCK_BITS) + 2 * CHANCES, y >> BLOCK_BITS) < least;
}

// Squares of a planet's face are of unequal size. So many of the larger ones as of the smaller ones have a
// candidate in the same area, if it is left out of the others by chance.
static bool is_in_turn(const Survey *survey, RandomKey key, uint32_t column, int square_x, int square_y) {
    enum { AREA_CHANCES = 27 << 24 };
    if (!survey->grid->axes)
        return true;
    const GridShape shape =
        grid_shape(survey->grid, square_x * SQUARE + SQUARE / 2, square_y * SQUARE + SQUARE / 2);
    return (double)random_unit(key, column + AREA_CHANCES, (uint32_t)square_y) <
           shape.across * shape.down * sqrt(1 - shape.cosine * shape.cosine);
}

// The best pixel of a level's square; worth 0: none.
static Site choose_candidate(const Survey *survey, int level, int square_x, int square_y) {
    Site best = { .face = survey->grid->face,
                  .before_x = -1,
                  .before_y = -1,
                  .level = level,
                  .square_x = square_x,
                  .square_y = square_y };
    const uint32_t column = square_column(best.face, square_x);
    const RandomKey key =
        random_key(eroded_of(survey->settlement->map)->rules.seed, SITES_STREAM + 16 * (uint32_t)level);
    const Leaning leaning = leaning_of(key, column, (uint32_t)square_y);
    if (!is_in_turn(survey, key, column, square_x, square_y))
        return best;
    for (int y = square_y * SQUARE; y < (square_y + 1) * SQUARE; y++)
        for (int x = square_x * SQUARE; x < (square_x + 1) * SQUARE; x++) {
            const float worth =
                suitability(survey, x, y, &leaning, max(best.worth, LEAST_WORTH), &best.kind, &best.food);
            if (worth > 0) {
                best.x = x;
                best.y = y;
                best.worth = worth;
            }
        }
    best.worth *= is_settled(key, level, column, (uint32_t)square_y, best.food)
                      ? 0.75f + 0.5f * random_unit(key, column, (uint32_t)square_y)
                      : 0;
    if (best.worth > 0) {
        best.at = grid_place_of(survey->grid, best.x, best.y);
        best.surplus = level > 0 ? 0 : surplus_around(survey, best.x, best.y);
    }
    return best;
}

// The same, which follows from the map, the square and what ports are worth, and is kept.
static Site candidate_in(const Survey *survey, int level, int square_x, int square_y) {
    const Settlement *settlement = survey->settlement;
    const int square[] = { survey->grid->face, level, square_x, square_y };
    const MemoKey key =
        memo_key(memo_key((MemoKey){ 0 }, square, sizeof square), &settlement->rules.ports, sizeof(double));
    Site site;
    if (!memo_find(settlement->memo, key, &site, sizeof site)) {
        site = choose_candidate(survey, level, square_x, square_y);
        memo_add(settlement->memo, key, &site, sizeof site);
    }
    return site;
}

static bool are_near(const Site *a, const Site *b) {
    return squared_distance(a->at, b->at) < RADIUS * RADIUS;
}

// Of two candidates the better one; of equal ones the first.
static bool is_better(const Site *a, const Site *b) {
    if (a->worth != b->worth)
        return a->worth > b->worth;
    if (a->face != b->face)
        return a->face < b->face;
    return a->square_y != b->square_y ? a->square_y < b->square_y : a->square_x < b->square_x;
}

// Squares of candidates on a face.
typedef struct Squares {
    int x, y, width, height;
    Site *at;
} Squares;

typedef struct AllSquares {
    bool round;
    int side; // squares along a face
    Squares on[CUBE_FACES];
} AllSquares;

// The candidate in a square, which may lie beyond an edge of the face; NULL: there is none.
static const Site *candidate_at(const AllSquares *all, int face, int x, int y) {
    CubeCell cell = { face, x, y, 0 };
    if (all->round && !cube_resolve(all->side, &cell))
        return NULL;
    const Squares *squares = &all->on[cell.face];
    const int column = (int)cell.x - squares->x, row = (int)cell.y - squares->y;
    if (column < 0 || row < 0 || column >= squares->width || row >= squares->height)
        return NULL;
    const Site *site = &squares->at[(size_t)row * (size_t)squares->width + (size_t)column];
    return site->worth > 0 ? site : NULL;
}

// --- cities ------------------------------------------------------------------------------------------------

// The ground of a place that covers more than the squares of finer levels around it. It stays where it is on
// the grid of its level three times finer, so that it is known wherever a finer level's places are: those
// within eight times the 24 pixels of that grid.
typedef struct City {
    Vec3 at;      // its middle, in pixels of that grid
    float radius; // the same
    int bits;     // of that grid
} City;

// Villages have gardens, cities many storeys: 1,000 people live on two thirds of a square kilometre, a
// million on 250.
double town_area(double people) {
    const double thousands = max(people, 1) / 1000, dense = 1500 * exponential(logarithm(thousands) / 7);
    return people / dense * 1e6;
}

typedef struct Cities { // zeroed: none
    int count, room;
    City *at;
} Cities;

enum { CITY_BITS = 3 }; // of its grid, more than those of its level's
#define CITY_MOST 11.0f // pixels
#define WIDER 1.25      // than a circle of the same area: coasts and valleys make cities longer

// Adds those of a grid's places whose ground is found on it.
static Status add_cities(const Settlement *settlement, const Sites *sites, int bits, Cities *cities,
                         Error *error) {
    const double pixel = ldexp(settlement->side, -bits);
    for (int i = 0; i < sites->count; i++) {
        const Site *site = &sites->at[i];
        if (level_bits(settlement, site->level) + CITY_BITS != bits)
            continue;
        const double radius = WIDER * sqrt(town_area(site_population(settlement, site)) / PI) / pixel;
        if (radius < 1)
            continue;
        if (cities->count == cities->room) {
            const int room = 2 * cities->room + 16;
            City *at = memory_enlarge(cities->at, (size_t)cities->count, (size_t)room, sizeof *at, error);
            if (!at)
                return STATUS_MEMORY;
            cities->at = at;
            cities->room = room;
        }
        cities->at[cities->count++] = (City){ site->at, min((float)radius, CITY_MOST), bits };
    }
    return STATUS_OK;
}

// Whether a place would lie within a city: it is one of its quarters, and has no name of its own.
static bool is_in_city(const Cities *cities, const Site *site, int bits) {
    for (int i = 0; i < cities->count; i++) {
        const City *city = &cities->at[i];
        const double finer = ldexp(1, bits - city->bits), radius = (double)city->radius * finer;
        const Vec3 at = { city->at.x * finer, city->at.y * finer, city->at.z * finer };
        if (squared_distance(at, site->at) < radius * radius)
            return true;
    }
    return false;
}

// -----------------------------------------------------------------------------------------------------------

static bool is_kept(const Settlement *settlement, const AllSquares *all, const Cities *cities,
                    const Site *site, const Sites *older, int older_count) {
    if (site->worth <= 0 || site_population(settlement, site) < settlement->rules.smallest)
        return false;
    for (int j = site->square_y - 1; j <= site->square_y + 1; j++)
        for (int i = site->square_x - 1; i <= site->square_x + 1; i++) {
            const Site *other = candidate_at(all, site->face, i, j);
            if (other && other != site && are_near(site, other) && is_better(other, site))
                return false;
        }
    if (is_near_own(settlement, site))
        return false;
    for (int i = 0; i < older_count; i++)
        if (are_near(site, &older->at[i]))
            return false;
    return !is_in_city(cities, site, level_bits(settlement, site->level));
}

enum { FOLLOW_STREAM = 700 };
enum { FOLLOWING = 24 }; // pixels of a level's grid within which places follow those of coarser levels

// How many people live in a place because cities are near: at the edge of a city's radius a thirtieth of its
// own. Never eight times the most of the level: that would be a place of a coarser one.
static float people_following(const Settlement *settlement, const Site *site, const Sites *older, int count) {
    const OwnPlaces *own = settlement->map->places;
    const double nearest = 1 / 30.0, larger = own && own->others == OTHERS_SMALLER ? 1 : 8,
                 most = larger * level_population(settlement, site->level);
    const RandomKey key =
        random_key(eroded_of(settlement->map)->rules.seed, FOLLOW_STREAM + (uint32_t)site->level);
    double people = 0;
    for (int i = 0; older->at && i < count; i++) {
        const Site *city = &older->at[i];
        const double apart = sqrt(squared_distance(city->at, site->at)),
                     near = min((FOLLOWING - apart) / (FOLLOWING - RADIUS), 1);
        if (near > 0)
            people = max(people, site_population(settlement, city) * nearest * near * near);
    }
    const double chance =
        (double)random_unit(key, square_column(site->face, site->square_x), (uint32_t)site->square_y);
    people *= 0.5 + chance;
    return (float)(people * most / (people + most));
}

typedef struct Choosing {
    const Survey *survey;
    int level;
    const Squares *squares;
} Choosing;

static void choose_rows(void *context, int first, int end) {
    const Choosing *choosing = context;
    const Squares *squares = choosing->squares;
    for (int y = first; y < end; y++)
        for (int x = 0; x < squares->width; x++)
            squares->at[(size_t)y * (size_t)squares->width + (size_t)x] =
                candidate_in(choosing->survey, choosing->level, squares->x + x, squares->y + y);
}

// The candidates in whole squares of a face's box.
static Status find_candidates(const Survey *survey, int level, GridBox box, Squares *squares, Error *error) {
    *squares = (Squares){ box.x / SQUARE, box.y / SQUARE, box.width / SQUARE, box.height / SQUARE, NULL };
    squares->at = memory_new_cells(squares->width, squares->height, sizeof *squares->at, error);
    if (!squares->at)
        return STATUS_MEMORY;
    Choosing choosing = { survey, level, squares };
    return parallel_rows(survey->settlement->run, squares->height, squares->width * 5e4, choose_rows,
                         &choosing);
}

// Adds a level's places in whole squares of the boxes.
static Status add_level(const Settlement *settlement, const Survey surveys[CUBE_FACES], int level,
                        const GridBox boxes[CUBE_FACES], const Cities *cities, Sites *sites, Error *error) {
    AllSquares all = { .round = settlement->map->tiling->planet,
                       .side = 1 << (settlement->first_bits + level) };
    const int older = sites->count;
    Status status = STATUS_OK;
    if (level < settlement->first || level >= settlement->end)
        return STATUS_OK;
    for (int face = 0; face < CUBE_FACES && status == STATUS_OK; face++)
        if (!box_is_none(&boxes[face]))
            status = find_candidates(&surveys[face], level, boxes[face], &all.on[face], error);
    for (int face = 0; face < CUBE_FACES; face++) {
        const Squares *squares = &all.on[face];
        for (int i = 0; i < squares->width * squares->height && status == STATUS_OK; i++)
            if (is_kept(settlement, &all, cities, &squares->at[i], sites, older)) {
                Site site = squares->at[i];
                site.follows = people_following(settlement, &site, sites, older);
                status = add_site(sites, site, error);
            }
    }
    for (int face = 0; face < CUBE_FACES; face++)
        memory_free(all.on[face].at);
    return status;
}

static const Leaning no_leaning = { 1, 1, 1, 1, 1, 1 };

// Adds those of the map's own places of a level whose pixel is in a face's box.
static Status add_own_sites(const Survey *survey, int level, const GridBox *box, Sites *sites, Error *error) {
    const OwnPlaces *own = survey->settlement->map->places;
    Status status = STATUS_OK;
    for (int i = 0; own && i < own->count && status == STATUS_OK; i++) {
        int x, y;
        own_pixel(&own->at[i], survey->grid->bits, &x, &y);
        if (own->at[i].face != survey->grid->face || !box_holds(box, x, y) ||
            own_level(survey->settlement, &own->at[i]) != level)
            continue;
        Site site = { .face = survey->grid->face,
                      .before_x = -1,
                      .before_y = -1,
                      .level = level,
                      .square_x = x / SQUARE,
                      .square_y = y / SQUARE,
                      .own = i + 1,
                      .worth = 1,
                      .food = 1 };
        float food;
        find_own_pixel(survey->grid, &own->at[i], &site.x, &site.y);
        site.at = grid_place_of(survey->grid, site.x, site.y);
        suitability(survey, site.x, site.y, &no_leaning, 0, &site.kind, &food);
        status = add_site(sites, site, error);
    }
    return status;
}

// Moves a place to the best pixel around the four of the grid before; false where there is none. `founded`
// says whether a pixel must have what the place was founded for.
static bool move_within(const Survey *survey, Site *site, int reach, bool founded) {
    const Grid *grid = survey->grid;
    const int x = 2 * site->before_x, y = 2 * site->before_y;
    float best = 0;
    for (int j = y + 1 - reach; j <= y + reach; j++)
        for (int i = x + 1 - reach; i <= x + reach; i++) {
            if (!box_holds(&grid->box, i, j) || !is_on_own_face(grid, i, j))
                continue;
            const float off_x = (float)(i - x) - 0.5f, off_y = (float)(j - y) - 0.5f;
            const float near = 1 / (1 + 0.1f * (off_x * off_x + off_y * off_y));
            SiteKind kind;
            float food;
            const float worth = near * suitability(survey, i, j, &no_leaning, best / near, &kind, &food);
            if (worth > best && (!founded || suits_kind(survey, i, j, site->kind))) {
                best = worth;
                site->x = i;
                site->y = j;
            }
        }
    return best > 0;
}

// Moves a place of the grid before to the best pixel nearby; false where all is water. The water that it was
// founded for is at most three pixels away, and six on the next grid if the place stayed: harbours would come
// to lie inland.
static bool move_site(const Survey *survey, Site *site) {
    enum { NEAR = 2, FOUNDED = 4 }; // the four pixels, and those around them
    for (int reach = NEAR; reach <= FOUNDED; reach *= 2)
        if (move_within(survey, site, reach, true))
            return true;
    for (int reach = NEAR; reach <= MOVE; reach *= 2)
        if (move_within(survey, site, reach, false))
            return true;
    return false;
}

// The box within which places may come to lie in another one.
static GridBox wide_box(GridBox box) {
    return (GridBox){ box.x - MOVE, box.y - MOVE, box.width + 2 * MOVE, box.height + 2 * MOVE };
}

// Finds a place of the grid before on the next one; false where it is lost.
static bool refine_site(const Survey *survey, const GridBox *wide, Site *site) {
    const OwnPlaces *own = survey->settlement->map->places;
    int x = 2 * site->x, y = 2 * site->y;
    site->before_x = site->x;
    site->before_y = site->y;
    if (!site->own)
        return box_holds(wide, x, y) && move_site(survey, site);
    own_pixel(&own->at[site->own - 1], survey->grid->bits, &x, &y);
    find_own_pixel(survey->grid, &own->at[site->own - 1], &site->x, &site->y);
    return box_holds(wide, x, y);
}

// `boxes`: within which places are wanted on each face.
static void refine_sites(const Survey surveys[CUBE_FACES], const GridBox boxes[CUBE_FACES], Sites *sites) {
    int kept = 0;
    for (int i = 0; i < sites->count; i++) {
        Site *site = &sites->at[i];
        const Survey *survey = &surveys[site->face];
        const GridBox wide = wide_box(boxes[site->face]);
        if (box_is_none(&boxes[site->face]) || !refine_site(survey, &wide, site))
            continue;
        site->at = grid_place_of(survey->grid, site->x, site->y);
        sites->at[kept++] = *site;
    }
    sites->count = kept;
}

// Around the region, in pixels of the grid: within `margins` places are right. New ones depend on candidates
// and on older places nearby, and those move.
static GridMargins find_margins(const Settlement *settlement, int first, int bits, int own,
                                const GridMargins *wanted) {
    const int nearby = pixels_within(settlement, FOLLOWING);
    GridMargins margins = { { 0 } };
    margins.at[bits] = wanted->at[bits];
    for (int grid = bits; grid > first; grid--)
        margins.at[grid - 1] =
            max(wanted->at[grid - 1], (margins.at[grid] + (grid <= own ? nearby : 0) + MOVE + 1) / 2 + 1);
    return margins;
}

// The grids of a search that have so many bits.
typedef struct Finding {
    const Settlement *settlement;
    const Region *region;
    int level;
    int beyond; // pixels beyond the edges of faces
    GridVisitor *visitor;
    void *context;
    Cities *cities; // of the grids before
} Finding;

// The boxes of whole squares of each face.
static void find_squares(const Finding *finding, int bits, int margin, GridBox squares[CUBE_FACES]) {
    for (int face = 0; face < CUBE_FACES; face++) {
        const GridBox right = region_box(finding->region, bits, face, margin);
        squares[face] = box_is_none(&right) ? right : grid_box_aligned(bits, right, SQUARE);
    }
}

static Status draw_grids(const Finding *finding, int bits, int margin, Grids *grids, Error *error) {
    const Settlement *settlement = finding->settlement;
    const int radius = pixels_within(settlement, RADIUS); // there are squares as far as that
    GridBox boxes[CUBE_FACES];
    for (int face = 0; face < CUBE_FACES; face++)
        boxes[face] =
            box_beyond(finding->region, bits, region_box(finding->region, bits, face, margin + radius),
                       grid_beyond(settlement) - radius, finding->beyond);
    return grids_draw(grids, settlement->map, bits, boxes, settlement->run, error);
}

static Status find_on_surveys(const Finding *finding, const Survey surveys[CUBE_FACES], int bits, int margin,
                              Sites *sites, Error *error) {
    const Settlement *settlement = finding->settlement;
    const bool own = bits <= level_bits(settlement, finding->level);
    const int level = bits - level_bits(settlement, 0);
    GridBox squares[CUBE_FACES];
    find_squares(finding, bits, margin + (own ? pixels_within(settlement, RADIUS) : 0), squares);
    refine_sites(surveys, squares, sites);
    Status status = STATUS_OK;
    for (int face = 0; face < CUBE_FACES && own && status == STATUS_OK; face++) {
        const GridBox wide = wide_box(squares[face]);
        if (!box_is_none(&squares[face]))
            status = add_own_sites(&surveys[face], level, &wide, sites, error);
    }
    if (own && status == STATUS_OK)
        status = add_level(settlement, surveys, level, squares, finding->cities, sites, error);
    if (status == STATUS_OK)
        status = add_cities(settlement, sites, bits, finding->cities, error);
    for (int i = 0; i < sites->count && status == STATUS_OK; i++) {
        Site *site = &sites->at[i];
        const Grid *grid = surveys[site->face].grid;
        site->altitude = grid->altitude.cells[grid_index(grid, site->x, site->y)];
    }
    return status;
}

static Status find_on_grids(const Finding *finding, int bits, int margin, Sites *sites, Error *error) {
    const Settlement *settlement = finding->settlement;
    Grids grids = { 0 };
    Survey surveys[CUBE_FACES];
    Status status = draw_grids(finding, bits, margin, &grids, error);
    for (int face = 0; face < CUBE_FACES; face++)
        surveys[face] =
            (Survey){ .settlement = settlement,
                      .grid = &grids.on[face],
                      .steeper = eroded_steepening(settlement->map, ldexp(settlement->side, -bits)) };
    if (status == STATUS_OK)
        status = find_on_surveys(finding, surveys, bits, margin, sites, error);
    if (status == STATUS_OK && finding->visitor)
        status = finding->visitor(finding->context, &grids, sites, error);
    grids_free(&grids);
    return status;
}

// Leaves those that are in the region and its margin.
static void keep_inside(const Region *region, int bits, int margin, Sites *sites) {
    GridBox boxes[CUBE_FACES];
    int kept = 0;
    for (int face = 0; face < CUBE_FACES; face++)
        boxes[face] = region_box(region, bits, face, margin);
    for (int i = 0; i < sites->count; i++)
        if (box_holds(&boxes[sites->at[i].face], sites->at[i].x, sites->at[i].y))
            sites->at[kept++] = sites->at[i];
    sites->count = kept;
}

static int compare_listed(const void *first, const void *second) {
    return compare_sites(first, second);
}

Status find_sites(const Settlement *settlement, const Region *region, int level, int bits,
                  const GridMargins *wanted, GridVisitor *visitor, void *context, Sites *sites,
                  Error *error) {
    const int first = level_bits(settlement, 0);
    Cities cities = { .at = NULL };
    const Finding finding = { settlement, region, level, wanted->beyond, visitor, context, &cities };
    Status status = STATUS_OK;
    bool kept = false;
    if (level < 0)
        return STATUS_OK;
    if (!visitor && wanted->at[bits] == SITES_MARGIN)
        status = find_kept_sites(settlement, region, level, bits, sites, &kept, error);
    if (kept || status != STATUS_OK)
        return status;
    const GridMargins margins = find_margins(settlement, first, bits, level_bits(settlement, level), wanted);
    for (int grid = first; grid <= bits && status == STATUS_OK; grid++)
        status = find_on_grids(&finding, grid, margins.at[grid], sites, error);
    memory_free(cities.at);
    keep_inside(region, bits, wanted->at[bits], sites);
    if (sites->count > 0)
        qsort(sites->at, (size_t)sites->count, sizeof *sites->at, compare_listed);
    if (status == STATUS_OK && wanted->at[bits] >= SITES_MARGIN)
        keep_sites(settlement, region, level, bits, sites);
    return status;
}
