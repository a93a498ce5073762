// Where the runoff that streams carry comes from: the ground of level 0, whose streams know the mean of all
// that they drain. Finer levels inherit it with the drained area, so it needs no more land around a window. A
// stream that begins on a finer level has the mean of the ground that drains into it there.

#include "land/runoff.h"

#include "core/memory.h"
#include "land/drain.h"
#include "land/level.h"
#include "land/salt_lakes.h"
#include "land/tiles.h"

#include <math.h>

float stream_width(const Level *level, size_t cell) {
    const float drained = level->area[cell], share = level->runoff ? runoff_share(level->runoff[cell]) : 1;
    return level->land->rules.widening * sqrtf(drained * share);
}

// --- level 0 -----------------------------------------------------------------------------------------------

static bool drains_on(const LandWindow *root, size_t cell) {
    return root->receiver[cell] < NEIGHBOURS || root->receiver[cell] == LAND_LAKE;
}

// What runs off is known for the cells of this level, into which those of level 0 are divided.
enum { LOCAL_LEVEL = 1 };

// What runs off a cell of level 0: the sum of its parts, over their number.
static double mean_of_parts(const Land *land, const float *local, size_t cell) {
    const size_t width = (size_t)land->root.width, x = cell % width, y = cell / width;
    const size_t parts = (size_t)1 << LOCAL_LEVEL;
    double sum = 0;
    for (size_t row = 0; row < parts; row++)
        for (size_t column = 0; column < parts; column++)
            sum += (double)clamp(local[(y * parts + row) * width * parts + x * parts + column], -1e5f, 1e5f);
    return sum / (double)(parts * parts);
}

// What comes into a river from beyond the map, or from a spring, runs off as what drains there.
static void add_brought(const LandWindow *root, size_t cell, double *water, double *cells) {
    const double drained = (double)root->area[cell];
    if (root->receiver[cell] >= NEIGHBOURS || drained < *cells + 1)
        return;
    *water *= drained / *cells;
    *cells = drained;
}

// From the highest cells down: sums are exact enough in doubles, and their order is always the same.
static void carry_down(const Land *land, double *water, double *cells) {
    const LandWindow *root = &land->root;
    for (size_t i = (size_t)root->width * (size_t)root->height; i-- > 0;) {
        const size_t cell = (size_t)land->upward[i];
        add_brought(root, cell, &water[cell], &cells[cell]);
        root->runoff[cell] = runoff_code((float)(water[cell] / cells[cell]));
        if (root->receiver[cell] != LAND_LAKE)
            water[cell] = max(water[cell], 0);
        if (!drains_on(root, cell))
            continue;
        water[land->target[cell]] += water[cell];
        cells[land->target[cell]] += cells[cell];
    }
}

Status land_set_runoff(Land *land, const float *local, const float *ground, Error *error) {
    const size_t count = (size_t)land->root.width * (size_t)land->root.height,
                 parts = count << (2 * LOCAL_LEVEL);
    float *kept = memory_new(2 * parts, sizeof *kept, error);
    double *sums = kept ? memory_new(2 * count, sizeof *sums, error) : NULL;
    if (!sums) {
        memory_free(kept);
        return STATUS_MEMORY;
    }
    Status status = STATUS_OK;
    for (size_t i = 0; i < parts; i++) {
        kept[i] = clamp(local[i], 0.0f, 1e5f);
        kept[parts + i] = clamp(ground[i], 0.0f, 1e5f);
    }
    for (size_t i = 0; i < count; i++) {
        sums[i] = mean_of_parts(land, local, i);
        sums[count + i] = 1;
    }
    carry_down(land, sums, sums + count);
    for (size_t i = 0; i < count; i++)
        sums[count + i] = mean_of_parts(land, local, i);
    status = land_find_salt_lakes(land, sums + count, sums, error);
    memory_free(sums);
    memory_free(land->local);
    land->local = kept;
    land->ground = kept + parts;
    tiles_drop(land->tiles);
    return status;
}

// --- the ground of finer levels ----------------------------------------------------------------------------

enum { PART_BITS = 15 };

// A place between two cells of LOCAL_LEVEL.
typedef struct Between {
    int cell;    // the first
    float share; // of the next
} Between;

// The middle of a cell of a level, at most between the first and last of `count` cells from `first` on.
static Between between_cells(Int128 at, int level, Int128 first, int count) {
    const Int128 part = (Int128)1 << PART_BITS;
    const Int128 place = (((2 * at + 1) << (PART_BITS - 1)) >> level) - part / 2;
    const Int128 within = clamp(place, first * part, (first + count - 1) * part);
    const int cell = (int)(within >> PART_BITS);
    return cell - first == count - 1 && count > 1
               ? (Between){ cell - 1, 1 }
               : (Between){ cell, (float)(int)(within & (part - 1)) / (float)(1 << PART_BITS) };
}

// A place between the rows and columns of the known cells.
static float between_rows(const Land *land, const float *known, Between across, Between down) {
    const int width = land->root.width << LOCAL_LEVEL;
    const float *upper = known + (size_t)down.cell * (size_t)width, *lower = upper + width;
    const int next = across.cell + 1;
    const float above = upper[across.cell] + (upper[next] - upper[across.cell]) * across.share,
                below = lower[across.cell] + (lower[next] - lower[across.cell]) * across.share;
    return above + (below - above) * down.share;
}

// `y`: on the stacked faces of a planet.
static Between between_known_rows(const Land *land, int face, int finer, Int128 y) {
    const int rows = (land->rules.planet ? land->root.width : land->root.height) << LOCAL_LEVEL;
    return between_cells(y, finer, (Int128)face * rows, rows);
}

static void spread_row(const Level *part, int face, const Between *across, int y) {
    const Land *land = part->land;
    const Between down = between_known_rows(land, face, part->number - LOCAL_LEVEL, part->y + y);
    uint16_t *runoff = part->runoff + (size_t)y * (size_t)part->width;
    for (int x = 0; x < part->width; x++)
        if (runoff[x] == RUNOFF_UNKNOWN)
            runoff[x] = runoff_code(between_rows(land, land->local, across[x], down));
}

float land_local_runoff(const Land *land, int level, int face, Int128 x, Int128 y) {
    const int finer = level - LOCAL_LEVEL, width = land->root.width << LOCAL_LEVEL;
    const Int128 top = land->rules.planet ? ((Int128)face * land->root.width) * ((Int128)1 << level) : 0;
    const Int128 twice = finer < 0 ? 2 : 1; // level 0 is coarser
    if (!land->ground)
        return INFINITY;
    return between_rows(land, land->ground, between_cells(x * twice, max(finer, 0), 0, width),
                        between_known_rows(land, face, max(finer, 0), (top + y) * twice));
}

typedef struct Spreading {
    Level part;
    int face;
    const Between *across; // of each column
} Spreading;

static void spread_rows(void *context, int first, int end) {
    const Spreading *spreading = context;
    for (int y = first; y < end; y++)
        spread_row(&spreading->part, spreading->face, spreading->across, y);
}

Status level_spread_runoff(const Level *level) {
    const int width = level->land->root.width << LOCAL_LEVEL;
    Between *across = (Between *)level->limit; // the erosion's, which is as long as a row at least
    _Static_assert(sizeof(Between) == 2 * sizeof *level->limit, "two of its rows hold a row's columns");
    Status status = STATUS_OK;
    for (int i = 0; i < level->patch_count && status == STATUS_OK && level->land->local; i++) {
        Spreading spreading = { level_part(level, &level->patches[i]), level->patches[i].place.face, across };
        for (int x = 0; x < spreading.part.width; x++)
            across[x] = between_cells(spreading.part.x + x, level->number - LOCAL_LEVEL, 0, width);
        status =
            parallel_rows(level->run, spreading.part.height, level->width * 4.0, spread_rows, &spreading);
    }
    level_exchange(level, LEVEL_AREA);
    return status;
}

// --- streams that begin ------------------------------------------------------------------------------------

// Ground that drains into a cell, from where the search has got so far.
typedef struct Above {
    size_t cell;
    unsigned donors; // directions, as bits
} Above;

// Sets for `count` cells the directions in which free ground drains into them, as bits. Streams that are
// inherited pass on no flow.
KERNEL_NARROW static void find_ground_into(const uint16_t *restrict flow, ptrdiff_t stride, int count,
                                           uint16_t *restrict into) {
    const uint16_t *const up = flow - stride, *const down = flow + stride;
    for (int i = 0; i < count; i++) {
        const int east = (flow[i + 1] & FLOW_DIRECTION) == 4,
                  south_east = (down[i + 1] & FLOW_DIRECTION) == 5, south = (down[i] & FLOW_DIRECTION) == 6,
                  south_west = (down[i - 1] & FLOW_DIRECTION) == 7,
                  west = (flow[i - 1] & FLOW_DIRECTION) == 0, north_west = (up[i - 1] & FLOW_DIRECTION) == 1,
                  north = (up[i] & FLOW_DIRECTION) == 2, north_east = (up[i + 1] & FLOW_DIRECTION) == 3;
        into[i] = (uint16_t)(east | south_east << 1 | south << 2 | south_west << 3 | west << 4 |
                             north_west << 5 | north << 6 | north_east << 7);
    }
}

// They are kept where the erosion's cuts were.
static uint16_t *ground_into(const Level *level) {
    void *cut = level->cut;
    return cut;
}

// Where a search may come; on a planet all cells.
static Region searched(const Level *level) {
    const Region *region = &level->region;
    const int far = level->seams ? max(level->width, level->height) : STREAM_CELLS;
    return (Region){ max(region->left - far, 1), max(region->top - far, 1),
                     min(region->right + far, level->width - 1),
                     min(region->bottom + far, level->height - 1) };
}

static void ground_rows(void *context, int first, int end) {
    const Level *level = context;
    const Region region = searched(level);
    for (int y = region.top + first; y < region.top + end; y++) {
        const size_t cell = (size_t)y * (size_t)level->width + (size_t)region.left;
        find_ground_into(level->flow + cell, level->width, region.right - region.left,
                         ground_into(level) + cell);
    }
}

// NOBODY: on planets, a cell beyond those that are known. What drains from there is not counted: no valid
// cell lies so near to it.
static ptrdiff_t owner_of(const Level *level, size_t cell) {
    return level->seams ? level->next[cell] : (ptrdiff_t)cell;
}

// The mean runoff of what the flow of a cell counts, summed up as whole parts of a mm: their order does not
// matter.
static float mean_above(const Level *level, size_t cell) {
    const double parts = 256;
    const uint16_t *into = ground_into(level);
    Above way[STREAM_CELLS + 1] = { { cell, into[cell] } };
    int64_t sum = whole_64((double)runoff_of(level->runoff[cell]) * parts), count = 1;
    for (int steps = 0; steps >= 0;) {
        Above *at = &way[steps];
        if (!at->donors) {
            steps--;
            continue;
        }
        const ptrdiff_t owner = owner_of(level, towards(level, at->cell, next_direction(&at->donors)));
        if (owner == NOBODY)
            continue;
        const size_t donor = (size_t)owner;
        sum += whole_64((double)runoff_of(level->runoff[donor]) * parts);
        count++;
        if (steps < STREAM_CELLS)
            way[++steps] = (Above){ donor, into[donor] };
    }
    return (float)((double)sum / (parts * (double)count));
}

static void gather_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const bool begins = (level->flow[cell] & FLOW_DIRECTION) < NEIGHBOURS;
        level->fresh[k] = begins ? runoff_code(mean_above(level, cell)) : level->runoff[cell];
    }
}

static void take_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++)
        level->runoff[level->streams[k]] = (uint16_t)level->fresh[k];
}

Status level_gather_runoff(Level *level) {
    const Region region = searched(level);
    Status status =
        parallel_rows(level->run, region.bottom - region.top, region.right - region.left, ground_rows, level);
    if (status == STATUS_OK)
        status = level_step_streams(level, 0, gather_row);
    if (status == STATUS_OK)
        status = level_step_streams(level, 0, take_row);
    level_exchange(level, LEVEL_AREA);
    return status;
}
