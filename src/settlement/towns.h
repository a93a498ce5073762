// Where places are: towns and villages of a zoomable map with eroded land.
//
// Places have levels. Level 0 divides the map into squares of 200 to 400 km, each further level halves them.
// In each square the pixel that suits best is a candidate, on a grid of 16 × 16 pixels a square. A
// candidate is kept if it is the best within 0.62 squares of its level and no place of a coarser level is
// that near. So a place depends on what is around it alone, and every window finds the same.

#ifndef ESKER_SETTLEMENT_TOWNS_H
#define ESKER_SETTLEMENT_TOWNS_H

#include "core/elementary.h"
#include "core/math.h"
#include "core/memo.h"
#include "rivermap/view.h"
#include "settlement/grid.h"
#include "settlement/names.h"

#include <math.h>

typedef enum SiteKind {
    SITE_PLAIN,
    SITE_RIVER,
    SITE_FORD,
    SITE_BRIDGE,
    SITE_CONFLUENCE,
    SITE_LAKE,
    SITE_HARBOUR,
    SITE_MOUTH,
    SITE_PASS,
    SITE_KINDS
} SiteKind;

extern const char *const site_kinds[SITE_KINDS];

typedef struct Site {
    int face;               // of the map, on whose grids the rest is
    int x, y;               // its pixel on the grid
    int before_x, before_y; // and on the grid before; -1: it is new
    int level, square_x, square_y;
    int own; // 1 + its number among the map's own places; 0: none of them
    SiteKind kind;
    float worth;    // how well it suits, about 0.1 to 2
    float food;     // how many people the land feeds, against the best: 0 to 1
    float surplus;  // of a place of level 0: what feeds a city there (surplus_around)
    float follows;  // people that a city nearby brings, at least
    float altitude; // metres
    Vec3 at;        // where its pixel is (grid_place_of)
} Site;

typedef struct Sites { // zeroed: empty
    int count, room;
    Site *at;
} Sites;

void sites_free(Sites *sites);

typedef struct SettlementRules {
    double largest, smallest; // people in a place
    double ports;             // how much the sea attracts
} SettlementRules;

enum { SQUARE = 16, SQUARE_BITS = 4 }; // pixels of a level's own grid along a square
enum { RADIUS = 10 };                  // of them, within which there is one place: 0.62 squares

typedef struct Settlement {
    const RiverMap *map;
    const Run *run;
    const Climate *climate;
    Memo *memo;
    SettlementRules rules;
    double side;    // of a face, metres
    int first_bits; // 2^first_bits squares of level 0 along a face's side
    int levels;     // how many there are
    int first, end; // levels that have places besides the map's own
} Settlement;

// Fails with STATUS_INVALID for maps that have no places: those with raw land.
Status settlement_open(Settlement *settlement, const RiverMap *map, const SettlementRules *rules,
                       const Run *run, Error *error);

// The bits of a level's own grid.
static inline int level_bits(const Settlement *settlement, int level) {
    return settlement->first_bits + SQUARE_BITS + level;
}

#define FORD_METRES 20.0 // a wider river has a bridge

// Width in metres of a river with this flow, in pixels.
static inline double flow_metres(const Settlement *settlement, const Grid *grid, float flow) {
    return settlement->map->width * sqrt((double)flow) * grid->metres;
}

// Pixels of a grid within which all is that is so many pixels away in the middle of a face. On the faces of a
// cube pixels are 2/3 as long in one direction at least.
static inline int pixels_within(const Settlement *settlement, int pixels) {
    return settlement->map->tiling->planet ? pixels * 3 / 2 : pixels;
}

// A number for each square of all faces.
static inline uint32_t square_column(int face, int square_x) {
    return (uint32_t)square_x + ((uint32_t)face << 29);
}

// The last level of which places have so many pixels between them; -1: none.
int settlement_level(const Settlement *settlement, double pixels, double spacing);

// Places are found to a pixel of this many bits and no finer.
int settlement_last_bits(const Settlement *settlement);

#define LARGEST_SQUARE 400e3 // metres

static inline double square_metres(const Settlement *settlement, int level) {
    return ldexp(settlement->side, -settlement->first_bits - level);
}

// People of the largest places of a level's square. Four times as many places have a fourth of the people:
// Zipf's law. Of squares beyond LARGEST_SQUARE, whose land is not all used, it is by their side.
static inline double level_population(const Settlement *settlement, int level) {
    const double side = square_metres(settlement, level) / LARGEST_SQUARE;
    return settlement->rules.largest * (side > 1 ? side : side * side);
}

// As many people as a place with so many by Zipf's law has: villages are larger than the law says.
static inline double village_people(double people) {
    const double most = 1000, share = 0.6; // of its logarithm
    return people >= most ? people : most * exponential(share * logarithm(max(people, 1e-3) / most));
}

// People of a place, and what it is called; `made` has room for a name that is not its author's.
double site_population(const Settlement *settlement, const Site *site);
const char *site_name(const Settlement *settlement, const Site *site, char made[NAME_MAX_BYTES]);
const char *site_kind(const Settlement *settlement, const Site *site);

// By level, and in reading order: one order of places in whatever window.
int compare_sites(const Site *a, const Site *b);

// The square metres that so many people cover.
double town_area(double people);

enum { GRIDS_MAX = 32 };

// The margin of each grid, by its bits: pixels around the region within which its places are wanted.
// `beyond`: pixels that all grids of a planet have beyond the edges of their faces at least.
typedef struct GridMargins {
    int at[GRIDS_MAX];
    int beyond;
} GridMargins;

// Is shown the grids of each number of bits, from that of level 0 on, with the places that they have. Grids
// reach at least grid_beyond() pixels farther than their margin, or to the map's edge.
typedef Status GridVisitor(void *context, const Grids *grids, const Sites *sites, Error *error);

static inline int grid_beyond(const Settlement *settlement) {
    enum { BEYOND = 34, ON_PLANETS = 40 };
    return settlement->map->tiling->planet ? (int)ON_PLANETS : (int)BEYOND;
}

// The last grid's margin within which places are kept for the next search.
enum { SITES_MARGIN = 12 };

// Finds the places of levels 0 to `level` in a region of the map and the last grid's margin around it.
// Their pixels are those of the grid of `bits`, which is that of the level or finer. `visitor` may be NULL.
Status find_sites(const Settlement *settlement, const Region *region, int level, int bits,
                  const GridMargins *wanted, GridVisitor *visitor, void *context, Sites *sites, Error *error);

#endif
