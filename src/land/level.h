// A level of land while it is computed from the coarser one (internal to src/land). Each step of
// docs/land-steps.md is one function here, in order.
//
// Why windows agree: a step computes each cell only from the values of cells within its reach and from the
// cell's position on the level's grid. The requested rectangle gets a margin, the sum of all reaches. Each
// step shrinks the valid area, the region, by its reach; cells outside the region are not read again. At the
// edge of the whole land there is no margin: edge cells never change and are outside the region.

#ifndef ESKER_LEVEL_H
#define ESKER_LEVEL_H

#include "core/kernel.h"
#include "core/math.h"
#include "core/random.h"
#include "land/cube.h"
#include "land/edits.h"
#include "land/hillslope.h"
#include "land/land.h"
#include "land/smooth_noise.h"
#include "water/drainage.h"

#include <stdatomic.h>
#include <stdbool.h>

enum {
    FIRST_FILL = 14, // M0: longest path out of a pit that is filled before erosion, in cells
    LAST_FILL = 12,  // M: the same after erosion
    HARD_FILL = 24,  // the same in hard strata and on rebounding plains: as long as the paths of free ground
    LONG_FILL = 32,  // the same on the last graded level where soil creeps, which dams long valleys
    EROSIONS = 12,   // IT: iterations of erosion
    PASSES = 2,      // passes of straightening
    DRYINGS = 6,     // rounds of turning children of the sea into land
    GHOSTS = 3,      // rounds of removing stream cells without water
    EVENINGS = 2,    // rounds of smoothing stream profiles
    SINKINGS = 3,    // rounds of lowering streams below the ground beside them
    PEELINGS = 4,    // rounds of removing stream heads beside lower ground
    PASS_REACH = 16, // cells downstream over which discharge is passed on
    GAINS = 5,       // rounds of bounding it

    PARENT_MARGIN = 4, // coarse cells around the parents of the level's cells
    WALK_REACH = 3,    // greatest distance from a stream cell to a bend that straightening cuts off
    INHERIT_REACH = 6,
    SHELF_REACH = 8, // of what no later step reads, so that it needs no margin
    STRAIGHTEN_REACH = 1 + PASSES * 2 * WALK_REACH + 1 + GHOSTS,
    SINK_REACH = 2,
    LEAVING_REACH = 5, // of a lake's outlet, where streams do not sink: what steps between straightening and
                       // sinking shrink the region by, so it needs no margin
    EROSION_REACH = 1,
    REBOUNDS = 2, // rounds of spreading what erosion has removed
    WALLS = 8,    // rounds of easing the walls of tables
    FOOT_REACH = 1,
    BANK_REACH = 2,
    FALL_REACH = 3,                               // cells along a stream over which its fall is measured
    MOUTH_REACH = 3,                              // cells around a mouth that decide whether it gets a delta
    DELTA_REACH = 3,                              // cells from a mouth to the end of its delta
    DEPOSIT_REACH = 4,                            // cells from a stream to the end of its deposits
    LOWER_REACH = 5,                              // of a wide stream that is lower than the lake beside it
    OUTLET_REACH = 7,                             // of a lake's outlet, where streams may be lower
    SHORE_REACH = OUTLET_REACH + LOWER_REACH + 2, // of a lake's shore, which two rounds smooth
    SMALL_LAKE_REACH = 15,                        // of the block of cells that one lies in
    TOP_ROUNDS = 5,                               // in which the heads of streams leave the tops of hills,
    HEAD_ROUNDS = 11, // and in which what is left of those rises that begin on hills
    EDIT_FILL = 24,   // longest path out of a pit beside what edits raise, in cells
    LOWERINGS = 24,   // rounds in which edits lower ground
    CANAL_REACH = 6,  // of a canal, around its cells
    MOUTH_CELLS = 32, // from a mouth in sea that edits raise to the sea that is left, at most
    MOUTH_REACH_ON = 2 * MOUTH_CELLS + 1,
    PIT_REACH = 8, // of a small pit, to its way out and what that leads to
    EDGE_REACH = 1,
    RISE_REACH = 2 + TOP_ROUNDS + HEAD_ROUNDS, // of what edits raise,
    RISE_LEAST = 2,                            // and where none of it crosses the edge of what is needed
    MARGIN = INHERIT_REACH + DRYINGS + STRAIGHTEN_REACH + EVENINGS + 2 * SINKINGS * SINK_REACH + FIRST_FILL +
             FOOT_REACH + FALL_REACH + DEPOSIT_REACH + MOUTH_REACH + DELTA_REACH + 1 +
             EROSIONS * EROSION_REACH + REBOUNDS + WALLS + PEELINGS + BANK_REACH + LONG_FILL + 1 +
             STREAM_CELLS + PASS_REACH + 1 + GAINS + PASS_REACH + 1 + EDGE_REACH + SHORE_REACH + 2 +
             SMALL_LAKE_REACH +
             LOWERINGS, // upper bound of margin_of(), but for what edits raise, and their lakes
};

#define AREA_MAX 0x1p100f
#define HIGHEST (((int32_t)1 << 30) - 1) // altitudes in a window are within ±HIGHEST

typedef struct Tiles Tiles;
typedef struct Law Law;
typedef struct LandDeltas LandDeltas;
typedef struct Level Level;

// A step of a level that has been taken (the list in level_make.c).
typedef struct LandStep {
    int number; // from 0
    const char *name;
    unsigned arrays; // those that hold something so far: LEVEL_ALTITUDE …
    int rim;         // cells along the region's edge that are not valid
} LandStep;

#define STEP_CANALS "canals"       // at whose end canal_lines.c looks where another can be
#define STEP_BEFORE_BASINS "lower" // at whose end lake_fits.c looks which lakes fit

// What looks at a level after each of its steps, for developers (scripts/land-steps.c). NULL: nothing does.
typedef struct LandWatch {
    void (*look)(void *context, const Level *level, const LandStep *step);
    void *context;
} LandWatch;

enum { LAND_VERSIONS = EDIT_ENTRY_MAX + 1 };

struct Land {
    LandRules rules;
    int32_t cell;    // what a cell's side counts as, vertically, in units: on graded levels, of the last one
    LandWindow root; // level 0
    int *upward, *target; // its cells upward, and those that they drain into; NULL unless it is watered
    float *local;         // what runs off each cell of level 1, mm a year; NULL: not known
    const float *ground;  // the same as if there were no lakes, which evaporate more; in one block with it
    float *lake_shares;   // of level 0's cells, the share of its lake that holds water; NULL: all are full
    float *lake_falls;    // and how far that stands below its full level (salt_lakes.h)
    Law *law;             // of graded levels
    LandDeltas *deltas;   // land/deltas.h; NULL: none
    atomic_int *owners;   // lands that have this level 0, what is known of it, and the law
    int strata_bits;      // a stratum is so many bits of units of level 0 thick
    Tiles *tiles;         // shared with all lands that have this level 0
    uint32_t
        versions[LAND_VERSIONS]; // of levels, and of all finer ones: those that edits change have their own
    LandWatch watch;
};

static inline uint32_t land_version(const Land *land, int level) {
    return land->versions[min(level, LAND_VERSIONS - 1)];
}

typedef struct Region {
    int left, top, right, bottom; // right and bottom excluded
} Region;

static inline bool region_is_empty(Region region) {
    return region.left >= region.right || region.top >= region.bottom;
}

// Around both.
static inline Region region_joined(Region a, Region b) {
    return region_is_empty(a) ? b
                              : (Region){ min(a.left, b.left), min(a.top, b.top), max(a.right, b.right),
                                          max(a.bottom, b.bottom) };
}

// What is in both.
static inline Region region_within(Region a, Region b) {
    return (Region){ max(a.left, b.left), max(a.top, b.top), min(a.right, b.right), min(a.bottom, b.bottom) };
}

enum {
    UNWANTED = INT32_MAX, // in level->wanted: no edit changes the cell
    MARK_HILL = 1,        // in level->marks: near hills, ridges, valleys and pits alone,
    MARK_HILL_TOP,        // and on top of one;
    MARK_NEAR,            // near other edits,
    MARK_TOP,             // and on top of a hill or ridge;
    MARK_SHORE,           // in a crater's lake, on levels after its first;
    MARK_BOWL,            // in a crater, on its first,
    MARK_BOTTOM,          // where its water ends,
    MARK_POOL,            // or in its lake
};

typedef struct Parent Parent;

enum {
    PATCHES = CUBE_FACES,
    GUARD = 4,
    NOBODY = -1
}; // GUARD: edge cells of a planet's arrays that no step writes

// A rectangle of the level and the coarser land around it. A level of a flat land is one patch.
typedef struct Patch {
    PatchPlace place; // x and y: on the level's grid
    LandWindow parent;
} Patch;

typedef struct Columns {
    int first, end;
} Columns;

// Where the water of a canal comes from: the cells of its first one, in the arrays, and what its stream
// drains there, at least.
typedef struct Spring {
    Region cells;
    float least;
    int room; // of an arm of a delta: cells around the children of its coarse cell; 0: those are all
} Spring;

// Stream cells that follow one another in the list of a level.
typedef struct Streams {
    int first, end;
} Streams;

struct Level {
    const Land *land;
    const Run *run;
    int number;
    bool graded;        // whether it makes relief by the law
    int32_t cell;       // the land's
    int32_t least_fall; // of a stream, in units
    Hillslope hillslope;
    Int128 x, y; // of the first cell; even, like width and height
    int width, height;
    size_t count;
    bool ends_left, ends_top, ends_right, ends_bottom; // whether this is the edge of the whole land
    Region region;                                     // cells that are valid so far
    int rim;                                           // of a planet: by how many those of a patch are fewer
    const Patch *patches;                              // stacked vertically in the arrays
    int patch_count;
    const Seams *seams, *coarse_seams; // between a planet's patches; NULL if there is one patch
    bool lakes;                        // whether the coarser land around its cells has lakes
    bool dry;                          // neither its cells nor the coarse ones around them are sea
    int32_t deepest;                   // depth of the deepest pit that is filled, in units

    Int128 base;               // added to altitudes
    int32_t sea;               // altitudes up to this one are sea
    int32_t *z, *next, *spare; // altitudes, and two scratch arrays of the same type
    float *area;       // on graded levels until areas are set the law's variety, where the land has edits
    uint8_t *receiver; // LAND_NONE: free ground. LAND_SEA: sea, the land's edge, sinks
    uint16_t *runoff;  // of streams that are inherited (runoff.h), elsewhere unknown; NULL: not watered
    float *slope;      // S: smoothed slope of the coarse land, in units per cell; by the law on graded levels

    Columns *land_columns; // of each row, from its first to its last cell that is not sea

    int *streams, *stream_rows; // stream cells in row order; row y starts at streams[stream_rows[y]]
    Streams *row_streams;       // of each row, those in the region when they were last looked for
    int32_t *fresh;             // scratch, one per stream cell
    float *fresh_area;          // scratch, one per stream cell

    uint16_t *flow, *next_flow; // drain.h
    uint16_t *direction;        // of steepest descent; next_flow, before erosion and between it and drainage
    float *cut, *limit;         // erode.c

    int *edits, edit_count; // those that matter here (edit_wishes.c), and the rows of the arrays that they
    struct EditRows *edit_rows; // may change
    Spring *springs;            // of canals that enter here or have before; NULL: none are near
    int spring_count;
    // Of those that enter here; NULL: none are near.
    int32_t *wanted;     // the altitudes that they want
    uint8_t *marks;      // MARK_NEAR …
    int flooded;         // while pits are filled: the least mark of cells where they are; 0: everywhere
    int deep;            // and the greatest mark of cells where those of any depth are; 0: nowhere
    Region changed;      // all that they may change
    struct Sheet *sheet; // for those that cross an edge of a planet's cube (edit_sheets.h); NULL: none does
};

// The coarser level around the level's parents. The arrays have one more cell on every side, a copy of its
// neighbour, so the land continues flat beyond its edge.
struct Parent {
    const LandWindow *window;
    int stride;           // of the arrays
    float stream_area;    // a cell that drains this many coarse cells is a stream
    int32_t sea, offset;  // sea level in the window; the altitude that becomes 0
    int32_t *sharp;       // sharpened altitudes
    float *steep, *slope; // magnitude of the gradient, and its mean over 3 × 3 cells
    float *east, *south;  // on soil where the ground rises; else NULL
    float *formed;        // and the height of its forms (soil_forms.h), a cell
    int32_t *profile;     // of streams, in the level's units; without the extra cells
    float cell;           // the level's
    bool graded;          // whether the level is
    bool gullied;         // on soil, whether it is one of its first levels
    bool lakes;           // whether the land may have any
    uint32_t seed;        // the land's
    int column, row;      // in the window, of the parent of the level's first cell
};

// Arithmetic modulo 2^32: differences of altitudes stay exact if an altitude overflows.
KERNEL_INLINE int32_t difference(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a - (uint32_t)b);
}

KERNEL_INLINE int32_t sum(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

KERNEL_INLINE int32_t doubled(int32_t a) {
    return (int32_t)(2 * (uint32_t)a);
}

// Sea level relative to a base, clamped to ±HIGHEST.
static inline int32_t sea_above(Int128 base) {
    return (int32_t)(base > HIGHEST ? -HIGHEST : base < -HIGHEST ? HIGHEST : -base);
}

static inline bool is_stream(const Parent *parent, size_t cell) {
    return parent->window->receiver[cell] < NEIGHBOURS && parent->window->area[cell] >= parent->stream_area;
}

static inline size_t window_towards(const LandWindow *window, size_t cell, int direction) {
    return (size_t)((ptrdiff_t)cell + neighbour_y[direction] * (ptrdiff_t)window->width +
                    neighbour_x[direction]);
}

static inline size_t towards(const Level *level, size_t cell, int direction) {
    return (size_t)((ptrdiff_t)cell + neighbour_y[direction] * (ptrdiff_t)level->width +
                    neighbour_x[direction]);
}

static inline int opposite(int direction) {
    return (direction + 4) & 7;
}

// The directions in which the streams lie that drain into a cell, as bits.
static inline unsigned donors_of(const Level *level, size_t cell) {
    unsigned donors = 0;
    for (int d = 0; d < NEIGHBOURS; d++)
        donors |= (unsigned)(level->receiver[towards(level, cell, d)] == opposite(d)) << d;
    return donors;
}

// Whether a stream begins here that leaves a lake. It is as high as the lake beside it, as no other is.
static inline bool is_outlet(const Level *level, size_t cell) {
    bool outlet = false;
    for (int d = 0; d < NEIGHBOURS && level->lakes && !outlet; d++) {
        const size_t beside = towards(level, cell, d);
        outlet = level->receiver[beside] == LAND_LAKE && level->z[beside] == level->z[cell];
    }
    return outlet;
}

// Whether the water of a stream comes from here, though none drains into the cell.
static inline bool is_spring(const Level *level, size_t cell) {
    const int x = (int)(cell % (size_t)level->width), y = (int)(cell / (size_t)level->width);
    bool spring = false;
    for (int i = 0; i < level->spring_count && !spring; i++) {
        const Region *cells = &level->springs[i].cells;
        spring = x >= cells->left && x < cells->right && y >= cells->top && y < cells->bottom &&
                 level->area[cell] >= level->springs[i].least;
    }
    return spring;
}

// Whether a stream runs where an arm of a delta begins, beside its river, which would take it back.
static inline bool is_near_arm(const Level *level, size_t cell) {
    return level->spring_count > 0 && level->springs[level->spring_count - 1].room > 0 &&
           is_spring(level, cell);
}

// Takes the lowest of the directions.
static inline int next_direction(unsigned *directions) {
    const int d = __builtin_ctz(*directions);
    *directions &= *directions - 1;
    return d;
}

static inline size_t parent_at(const Parent *parent, int x, int y) {
    return (size_t)(y + 1) * (size_t)parent->stride + (size_t)(x + 1);
}

// B of docs/land-steps.md: 0 where the coarse slope is at most 0.5, 1 where it is at least 1.2, which is
// steeper than most rock is stable. Finer levels cannot change the coarse slope.
KERNEL_INLINE float steepness(float slope, float cell) {
    const float gentle = 0.5f * cell, steep = 1.2f * cell;
    const float t = (slope - gentle) * (1 / (steep - gentle));
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

// 1 on slopes of 0.15 and more, falling to `least` on flat ground, where streams deposit sediment and uplift
// and new detail are reduced.
KERNEL_INLINE float settled(float slope, float cell, float least) {
    const float t = slope * (1 / (0.15f * cell));
    return t < least ? least : t > 1 ? 1 : t;
}

static inline float settled_min(const LandRules *rules) {
    return max(1 - 1.5f * rules->deposition, 0.1f);
}

// --- level.c, cube.c ------------------------------------------------------------------------------------

// Processes a block of cells. Blocks are independent and may run in parallel.
typedef void LevelBlock(const Level *level, const Region *block);

// Processes the stream cells of row y: level->streams[first] … level->streams[end - 1].
typedef void LevelStreams(const Level *level, int y, int first, int end);

// Shrinks the region by `reach`, then processes all of it.
Status level_step(Level *level, int reach, double cost_per_cell, LevelBlock *block);

// Processes the region and the land's edge, which lies outside it. For initializing arrays; reach 0.
Status level_begin(Level *level, double cost_per_cell, LevelBlock *block);

// Repeats a step that reads `next` and `flow` and writes only `spare` and `next_flow`; the pairs are swapped
// after each round. Works in bands of rows, so that a band stays in the processor's cache for several rounds.
// `arrays`: which of the two the step writes.
Status level_rounds(Level *level, int rounds, int reach, double cost_per_cell, unsigned arrays,
                    LevelBlock *block);

Status level_step_streams(Level *level, int reach, LevelStreams *streams);

// Finds the land of each row. Beyond it the rounds of filling, erosion and drainage change nothing, and
// nothing drains to land from there.
Status find_land(Level *level);

// Columns `first` … `end` - 1 of row y without the sea at both ends of the row.
static inline Columns land_between(const Level *level, int y, int first, int end) {
    const Columns *land = &level->land_columns[y];
    return (Columns){ max(first, land->first), max(min(end, land->end), max(first, land->first)) };
}

// Arrays, one bit each. LEVEL_COUNT is `direction` while it holds counts.
enum {
    LEVEL_ALTITUDE = 1,
    LEVEL_NEXT = 2,
    LEVEL_AREA = 4,
    LEVEL_RECEIVER = 8,
    LEVEL_SLOPE = 16,
    LEVEL_FLOW = 32,
    LEVEL_DIRECTION = 64,
    LEVEL_COUNT = 128
};

// Copies these arrays into the halos across the edges of a planet's faces. Call it after each round whose
// results neighbouring cells read.
void level_exchange_arrays(const Level *level, unsigned arrays);

// The same of what edits want, and of what level->flow holds in place of flow.
void level_exchange_wishes(const Level *level);
void level_exchange_states(const Level *level);

static inline void level_exchange(const Level *level, unsigned arrays) {
    if (level->seams)
        level_exchange_arrays(level, arrays);
}

// A view of one patch as a level: its arrays point into those of the whole.
Level level_part(const Level *level, const Patch *patch);

// Sets the seams between a level's patches. `side`: cells along a face's side.
Status level_sew(Level *level, Seams *seams, Seams *coarse, Int128 side, Error *error);

void level_shrink(Level *level, int reach);

// The stream cells of row y in the region, for code that visits them in order.
Streams streams_of_row(const Level *level, int y);

// Those of columns `first` … `end` - 1 of row y, whether they are in the region or not.
Streams streams_between(const Level *level, int y, int first, int end);

// Columns `first` … `end` - 1 without those at both ends that no stream of rows y - `reach` … y + `reach`
// reaches.
Columns columns_by_streams(const Level *level, int y, int reach, int first, int end);

// Lists the streams of the region.
Status list_streams(Level *level);

// Sets `marks` of cells `cell` … `cell` + `count` - 1 to 1 or 0.
typedef void LevelMarks(const Level *level, size_t cell, int count, uint8_t *marks);

// Lists the marked cells of the region in place of the streams, so that steps along streams visit them.
Status list_cells(Level *level, LevelMarks *mark);

// --- the steps ---------------------------------------------------------------------------------------------

Status parent_open(Parent *parent, const Level *level, const LandWindow *window, Error *error);
void parent_free(Parent *parent);
// Beyond the edges of a planet's face: the ground on its lines, led on straight, instead of that of the
// cells.
void lead_ground_on(const Parent *parent, const Level *level, int32_t *plain);
// Sets the row and column around an array of 32-bit cells, laid out as the parent's, to the cells nearest to
// them.
void parent_pad(void *array, const Parent *parent);

Status upsample(Level *level, const Parent *parent, Error *error);
// Random numbers, -1 to 1, of row y, from 32 random bits for each column. With a guide, those of the children
// of a cell have a mean of 0. On soil `patch` and `swell` become two smooth noises of about -1 to 1.
void draw_chances(const Level *level, RandomKey key, const uint32_t *columns, int y, float *chance,
                  float *patch, float *swell);
Status draw_coast(Level *level, const Parent *parents);
Status inherit_streams(Level *level, const Parent *parents, Error *error);
Status straighten_streams(Level *level); // also removes stream cells left without water
Status even_streams(Level *level);
int32_t gentlest_fall(const Level *level, size_t cell); // the least that sinking leaves a stream
Status sink_streams(Level *level);
Status fill_pits(Level *level, int steps, int32_t deepest);
Status lower_feet(Level *level);
Status deposit(Level *level);
Status lay_deltas(Level *level);
Status draw_lakes(Level *level, const Parent *parents); // which keep_seas_open completes
Status keep_seas_open(Level *level, const Parent *parents);
Status smooth_shelf(Level *level);
Status lay_beaches(Level *level);
Status raise_shores(Level *level);
Status cut_small_lakes(Level *level);
Status erode(Level *level); // leaves in `next` what free ground has lost
Status rebound(Level *level);
void lower_edge(const Level *level);
void drain_edge(Level *level);
Status peel_streams(Level *level);
Status raise_banks(Level *level);
Status drain(Level *level);
// Finds ways out of small pits, with `next` as find_stream_owners leaves it, and takes them, before which
// `spare` and `next_flow` must not change.
void find_pits(const Level *level);
void drain_pits(const Level *level);

// --- shore_lines.c -----------------------------------------------------------------------------------------

enum { SHORE_WAVE_BITS = 3 }; // children between points of the long waves

// Where the shores of the sea or of lakes run.
typedef struct Shoreline {
    const Level *level;
    const Parent *parent;
    bool of_lakes;
    Int128 top;                                // the level's first row on its face
    LatticeNoise across[2], down[2];           // long and short waves
    float weights[2][1 << SHORE_WAVE_BITS][3]; // of the points around a child, along its row
    float per_slope;
} Shoreline;

Shoreline shoreline_of(const Level *level, const Parent *parent, bool of_lakes);

// What the waves have in common at children one after another: those of a row, and of the points around
// them. Begins as { 0 }, for one shoreline.
typedef struct ShoreWaves {
    bool known, drawn[2]; // the row, and the points
    Int128 y, column[2];  // of the middle points
    float weights[2][3];
    uint32_t rows[2][3];
    bool inside[2][3]; // of what is not 0
    float across[2][3][3], down[2][3][3];
} ShoreWaves;

// Whether a child is on the wet side of the shore. `water`: its altitude in the coarser window.
bool child_is_wet(const Shoreline *line, ShoreWaves *waves, int x, int y, int32_t water);

// Whether land has such shores; a guide's and a field's are those of their heights.
bool has_shorelines(const LandRules *rules);

// Moves the ground beside the coast to its side of the sea's level; after the spline.
Status draw_coastline(const Level *level, const Parent *parent);

// --- level_lakes.c -----------------------------------------------------------------------------------------

// In level->direction while water is thinned: what a cell is for now.
enum {
    SHORE_GROUND,
    SHORE_WATER,
    SHORE_DRYING, // a child of water that is to be land: water still
    SHORE_FRINGE, // a child of land that is to be water: ground still
};

void find_lakes(Level *level, const Parent *parents);
// Whether the stream that leaves a lake begins at a cell of a window.
bool window_has_outlet(const LandWindow *window, size_t cell);
// Row y of the coarser land's altitudes, laid out as the parent's: below the water of lakes.
void lower_lake_beds(const Parent *parent, int y, int32_t *plain);
void mark_lake_rows(void *level, int first, int end);
// What thinning has made of a cell; false: it is no lake's.
bool settle_lake(const Level *level, size_t cell);

// --- level_make.c ------------------------------------------------------------------------------------------

// Computes the window `wanted` (level, position and size) from `parent`, the window of parent_of(). `made`
// also has the margin around, whose cells are not valid.
Status level_compute(const Land *land, const Run *run, const LandWindow *parent, const LandWindow *wanted,
                     LandWindow *made, Error *error);

// Maps the memory that computing this window takes, and frees it: coarser levels, which come first, then use
// parts of it in place of memory of their own, which the system would have to clear.
Status level_reserve(const Land *land, const LandWindow *wanted, Error *error);

// Computes windows on a planet's faces from patches around them, `width` cells wide. `side`: cells along a
// face's side. All parents have the same base.
Status level_compute_patches(const Land *land, const Run *run, int number, const Patch *patches, int count,
                             int width, Int128 side, LandWindow *windows, int window_count, Error *error);

// Allocates arrays with room for so many cells: those that every level has, and so have sheets of edits
// (edit_sheets.h), and those of what edits want.
Status level_arrays_new(Level *level, size_t cells, Error *error);
Status level_wishes_new(Level *level, size_t cells, Error *error);

// Frees both, from the last to the first: freed blocks are used again from the last on, so each array gets
// the one that it had, and those of which only a part is used, for streams, do not take others' memory.
void level_arrays_free(const Level *level);

// Position and size of the coarser window from which `wanted` is computed.
LandWindow parent_of(const Land *land, const LandWindow *wanted);

// --- land_window.c, root.c ---------------------------------------------------------------------------------

// Allocates an array of cells. Sizes are rounded up, by an eighth at most, to a few values, so that freed
// arrays can be reused, also larger ones (core/memory.c).
void *cells_new(size_t count, size_t size, Error *error);

Status root_create(Land *land, const Field *heights, bool eroded, const Run *run, Error *error);
// Level, position and size must be set. `watered`: with runoff.
Status window_create(LandWindow *window, bool watered, Error *error);

// --- runoff.c ----------------------------------------------------------------------------------------------

// Sets the runoff of cells that have inherited none to that of the ground there, in all of the arrays.
Status level_spread_runoff(const Level *level);

// Sets that of the streams that begin on the level to the mean of the ground that drains into them.
Status level_gather_runoff(Level *level);

// The width of a stream, in cells.
float stream_width(const Level *level, size_t cell);

// --- discharge.c -------------------------------------------------------------------------------------------

// Sets, on planets, in `next` which cells those of the halos are copies of, or NOBODY. The others need it.
void find_stream_owners(const Level *level);

// Pass what streams lack on, so that nothing falls downstream: drained area first, and then water.
Status pass_area(Level *level);
Status pass_water(Level *level);

// Keeps streams from carrying more than their donors and what the ground drains into them.
Status bound_discharge(Level *level);

#endif
