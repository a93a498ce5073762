// One level's land while it is made from the coarser one, inside src/land. The steps are those of
// docs/endless-land.md, one function here for each, in the order in which they are taken.
//
// Why windows agree: a step sets each cell from cells at most its reach away, as a function of their values
// and of the cell's place on the level's grid alone. The rectangle that is wanted gets a margin, the sum of
// all reaches, and after each step what is right ends that much further inside: the region. What lies beyond
// it is never looked at again. Where the whole land ends there is no margin: the cells along its edge never
// change, and the region ends before them.

#ifndef ESKER_LEVEL_H
#define ESKER_LEVEL_H

#include "core/kernel.h"
#include "core/math.h"
#include "land/hillslope.h"
#include "land/land.h"
#include "land/seams.h"
#include "rivers/drainage.h"

#include <stdbool.h>

enum {
    FIRST_FILL = 14, // M0: cells of the longest way out of a pit that is filled before erosion
    LAST_FILL = 12,  // M: and after it
    EROSIONS = 12,   // IT
    PASSES = 2,      // of straightening
    GHOSTS = 3,      // rounds in which what lost its water dries up
    EVENINGS = 2,    // rounds in which the falls of streams even out
    SINKINGS = 3,    // rounds in which streams sink below what lies beside them
    PEELINGS = 4,    // rounds in which the upper end of a stream dries up where the ground lies lower
    HEADS = 8,       // rounds in which it does where the ground is not hollow

    PARENT_MARGIN = 4, // coarse cells around those whose children are made
    WALK_REACH = 3,    // cells from a stream's cell to a bend that straightening cuts off
    INHERIT_REACH = 6,
    STRAIGHTEN_REACH = 1 + PASSES * 2 * WALK_REACH + 1 + GHOSTS,
    SINK_REACH = 2,
    EROSION_REACH = 1,
    FOOT_REACH = 1,
    BANK_REACH = 2,
    FALL_REACH = 3,    // cells over which a stream's fall is measured
    AGGRADINGS = 5,    // rounds in which beds rise to their fans
    MOUTH_REACH = 3,   // what decides whether a delta grows
    DELTA_REACH = 3,   // cells from a mouth to the end of its delta
    DEPOSIT_REACH = 4, // cells from a stream to the end of what it lays down
    MARGIN = INHERIT_REACH + STRAIGHTEN_REACH + EVENINGS + 2 * SINKINGS * SINK_REACH + FIRST_FILL +
             FOOT_REACH + FALL_REACH + DEPOSIT_REACH + AGGRADINGS + MOUTH_REACH + DELTA_REACH + 1 +
             EROSIONS * EROSION_REACH + PEELINGS + BANK_REACH + LAST_FILL + 1 + STREAM_CELLS +
             HEADS, // the most; margin_of() of a level
};

#define AREA_MAX 0x1p100f
#define HIGHEST (((int32_t)1 << 30) - 1) // altitudes in any window lie between this and its negative

typedef struct Tiles Tiles;

struct Land {
    LandRules rules;
    float source_scale;
    LandSource *source;
    void *context;
    LandWindow root; // level 0
    Tiles *tiles;
};

typedef struct Region {
    int left, top, right, bottom; // right and bottom excluded
} Region;

typedef struct Parent Parent;

enum { PATCHES = CUBE_FACES, GUARD = 4 }; // cells along the edge of a planet's arrays that no step sets

// A rectangle of the level, and the coarser land around it. A flat land's level is one patch.
typedef struct Patch {
    PatchPlace place; // x and y: on the level's grid
    LandWindow parent;
} Patch;

typedef struct Level {
    const Land *land;
    const Run *run;
    int number;
    Hillslope hillslope;
    Int128 x, y; // its first cell; even, as width and height are
    int width, height;
    size_t count;
    bool ends_left, ends_top, ends_right, ends_bottom; // where the whole land does
    Region region;                                     // what is right by now
    const Patch *patches;                              // one below the other
    int patch_count;
    const Seams *seams, *coarse_seams; // of a planet's; NULL: there is one patch
    int32_t deepest;                   // of pits that are filled

    Int128 base;               // of altitudes
    int32_t sea;               // altitudes up to this one are sea
    int32_t *z, *next, *spare; // altitudes, and two of the kind to work with
    float *area;
    uint8_t *receiver; // LAND_NONE: free ground. LAND_SEA: sea, and the land's edge
    float *slope;      // S: that of the coarse land, smoothed, in units a cell

    int *streams, *stream_rows; // stream cells row by row, those of row y from streams[stream_rows[y]] on
    int32_t *fresh;             // one number a stream, to work with
    float *fresh_area;          // likewise

    uint16_t *flow, *next_flow; // falls.h
    uint16_t *direction;        // where cells would drain to
    float *cut, *limit;         // erode.c
} Level;

// The coarser level around the level's parents. The arrays have a cell more on every side, which is the same
// as its neighbour, so that the land goes on level beyond its edge.
struct Parent {
    const LandWindow *window;
    int stride;           // of the arrays
    float stream_area;    // what drains so many coarse cells is a stream
    float kept_area;      // and so many, one of the finer level, too
    int32_t sea, offset;  // the sea's level in the window; altitudes that become 0
    int32_t *sharp;       // altitudes, sharpened
    float *steep, *slope; // the gradient's size, and its mean over 3 × 3 cells
    int32_t *profile;     // of streams, in the level's units; no cells around
    int column, row;      // of the parent of the level's first cell, in the window
};

// Differences of altitudes are right even where a count has run over.
KERNEL_INLINE int32_t difference(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a - (uint32_t)b);
}

KERNEL_INLINE int32_t sum(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

KERNEL_INLINE int32_t doubled(int32_t a) {
    return (int32_t)(2 * (uint32_t)a);
}

// The sea's level above a base, cut off where it is far away.
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

static inline size_t parent_at(const Parent *parent, int x, int y) {
    return (size_t)(y + 1) * (size_t)parent->stride + (size_t)(x + 1);
}

// 0 on gentle ground, 1 where the coarse slope, which no finer level changes, is steeper than most rock
// holds.
KERNEL_INLINE float steepness(float slope) {
    const float gentle = 0.5f * LAND_UNITS_PER_CELL, steep = 1.2f * LAND_UNITS_PER_CELL;
    const float t = (slope - gentle) * (1 / (steep - gentle));
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

// 1, and down to `least` on level ground, where streams lay down what they carry and nothing new rises.
KERNEL_INLINE float settled(float slope, float least) {
    const float t = slope * (1 / (0.15f * LAND_UNITS_PER_CELL));
    return t < least ? least : t > 1 ? 1 : t;
}

static inline float settled_min(const LandRules *rules) {
    return max(1 - 1.5f * rules->deposition, 0.1f);
}

// --- level.c, patches.c ------------------------------------------------------------------------------------

// Does a block of cells. One may be done beside any other.
typedef void LevelBlock(const Level *level, const Region *block);

// Does the streams of row y that stand in level->streams from `first` to `end` - 1.
typedef void LevelStreams(const Level *level, int y, int first, int end);

// Takes a step: the region shrinks by its reach, then all of it is done.
Status level_step(Level *level, int reach, double cost_per_cell, LevelBlock *block);

// The same with the land's edge, where the region ends before it: for what begins arrays, with no reach.
Status level_begin(Level *level, double cost_per_cell, LevelBlock *block);

// Takes a step many times that reads `next` and `flow` and sets `spare` and `next_flow`, which change places
// after each round, and no other array of cells: band by band of rows, so that the cells of one stay in the
// processor's cache for several rounds. `arrays`: those of them that it sets.
Status level_rounds(Level *level, int rounds, int reach, double cost_per_cell, unsigned arrays,
                    LevelBlock *block);

Status level_step_streams(Level *level, int reach, LevelStreams *streams);

// Arrays, one bit each. Counts: `direction` where it holds none.
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

// On a planet, brings what has become of these arrays over the edges of faces: after each round of a step
// whose results cells beside are to see.
void level_exchange_arrays(const Level *level, unsigned arrays);

static inline void level_exchange(const Level *level, unsigned arrays) {
    if (level->seams)
        level_exchange_arrays(level, arrays);
}

// A patch as a level of its own, whose arrays are part of the whole's.
Level level_part(const Level *level, const Patch *patch);

// Sets the seams between a level's patches. `side`: cells of a face's side.
Status level_sew(Level *level, Seams *seams, Seams *coarse, Int128 side, Error *error);

void level_shrink(Level *level, int reach);

// The streams of row y that lie in the region, for what takes one after another.
typedef struct Streams {
    int first, end;
} Streams;

Streams streams_of_row(const Level *level, int y);

// Lists the streams of the region.
void list_streams(Level *level);

// --- the steps ---------------------------------------------------------------------------------------------

Status parent_open(Parent *parent, const Level *level, const LandWindow *window, Error *error);
void parent_free(Parent *parent);

Status upsample(Level *level, const Parent *parent, Error *error);
Status draw_coast(Level *level, const Parent *parents);
Status inherit_streams(Level *level, const Parent *parents, Error *error);
Status straighten_streams(Level *level); // and dries up what is left without water
Status even_streams(Level *level);
Status sink_streams(Level *level);
Status fill_pits(Level *level, int steps, int32_t deepest);
Status lower_feet(Level *level);
Status deposit(Level *level);
Status lay_deltas(Level *level);
Status lay_beaches(Level *level);
Status erode(Level *level);
Status peel_streams(Level *level);
Status raise_banks(Level *level);
Status drain(Level *level);

// --- level_make.c ------------------------------------------------------------------------------------------

// Makes the land of `wanted` (level, place and size) from that of `parent_of` it.
Status level_compute(const Land *land, const Run *run, const LandWindow *parent, const LandWindow *wanted,
                     LandWindow *window, Error *error);

// Makes that of windows on faces of a planet from patches around them, `width` cells wide; sides of faces
// have `side` cells. All parents count altitudes from the same base.
Status level_compute_patches(const Land *land, const Run *run, int number, const Patch *patches, int count,
                             int width, Int128 side, LandWindow *windows, int window_count, Error *error);

// The margin of a level, in cells.
int margin_of(const Hillslope *form);

// The place and size of the coarser window that is needed for one of `land`.
LandWindow parent_of(const Land *land, const LandWindow *wanted);

// --- land_window.c, root.c ---------------------------------------------------------------------------------

// An array of cells. Windows differ in size; arrays come in few sizes, at most an eighth larger, so that what
// has been freed can be used again (core/memory.c).
void *cells_new(size_t count, size_t size, Error *error);

Status root_create(Land *land, const Field *heights, int erosions, const Run *run, Error *error);
Status window_create(LandWindow *window, Error *error); // of a level, place and size that are set

#endif
