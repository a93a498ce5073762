// Terrain shaped by its rivers.
//
// Speirs 2020, section 4.2, computes heights from a disk around every point of a river: the river's height
// plus a cross section, weighted by (1 - (x/r)²)³ and blended where disks overlap. This rounds off every
// crest, leaves land outside the disks undefined, and lets water leave its bed where a low river passes a
// high one.
//
// Our default takes the lowest of all valleys: each stretch of river defines an unbounded valley, and the
// height of a cell is that of the lowest valley there. Crests form where two valleys meet; all land above a
// river drains into it; and because rivers close to each other differ little in altitude (profiles.h), every
// bank is above its river. Where roughness makes slopes too gentle for that, land falls away from a river's
// banks by no more than the slope.

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/noise.h"
#include "core/operation.h"
#include "core/random.h"
#include "core/whole.h"
#include "rivers/network.h"

#include <math.h>
#include <string.h>

// --- valleys -----------------------------------------------------------------------------------------------

// The valleys of all stretches of river, and which of them can be the lowest where.

// A straight piece of a river, in cells of the terrain.
typedef struct Stretch {
    float x, y, across, down; // from (x, y) to (x + across, y + down)
    float per_length;         // 1 / its length squared
    float altitude, rise;     // at its beginning, and how much higher its end is (rivers fall: negative)
    float width;              // of its bed
    float slope;              // of its valley's sides, heights per cell
    float floor;              // width over which the valley's bottom is rounded
} Stretch;

typedef struct ValleyShape {
    double scale;      // cells of the terrain for each of the network
    double slope;      // of the sides, heights per cell of the terrain
    double upstream;   // how much steeper they are at the highest rivers than at the sea, 0 … 1
    double floodplain; // the floor's half width, in widths of the river
    double rough;      // variation of slopes, 0 … 1
} ValleyShape;

enum { TILE = 16 }; // cells a side

// The width of a bank in cells, and how much steeper than the valley's floor it is, as a share of the
// side's slope.
#define BANK 2.0f
#define BANK_RISE 0.5f

typedef struct Valleys {
    int count;
    Stretch *stretches;
    int columns, rows; // of tiles
    size_t *first;     // columns × rows + 1: where each tile's list begins
    int *lists;        // stretches
} Valleys;

// The distance of a position from a stretch.
static inline float stretch_distance(const Stretch *stretch, float x, float y) {
    const float px = x - stretch->x, py = y - stretch->y;
    const float share = segment_share_by(px, py, stretch->across, stretch->down, stretch->per_length);
    return segment_distance(px, py, stretch->across, stretch->down, share);
}

// Half the width of the water, of at least one cell and a half, so that it drains from cell to cell.
KERNEL_INLINE float stretch_bed(const Stretch *stretch) {
    return max(0.5f * stretch->width, 0.75f);
}

// The least height of land `beyond` a river's bed that keeps its water there: beside its banks it falls away
// by `fall` a cell.
KERNEL_INLINE float dam_height(float altitude, float fall, float beyond) {
    return altitude - fall * max(beyond - BANK, 0.0f);
}

// --- stretches ---------------------------------------------------------------------------------------------

static Stretch stretch_of(const RiverPoint *from, const RiverPoint *to, const ValleyShape *shape) {
    const double scale = shape->scale, width = (double)from->width * scale;
    const double across = (to->x - from->x) * scale, down = (to->y - from->y) * scale;
    const double length = across * across + down * down;
    const float middle = 0.5f * (from->altitude + to->altitude) / RIVER_TOP;
    return (Stretch){ .x = (float)(from->x * scale),
                      .y = (float)(from->y * scale),
                      .across = (float)across,
                      .down = (float)down,
                      .per_length = length > 1e-12 ? (float)(1 / length) : 0,
                      .altitude = from->altitude,
                      .rise = to->altitude - from->altitude,
                      .width = (float)width,
                      .slope = (float)(shape->slope * (1 - shape->upstream * (1 - 2 * (double)middle) / 2)),
                      .floor = (float)(shape->floodplain * width) };
}

// The stretches of a network, without tiles. Freed by valleys_free, also after a failure.
static Status valleys_create(Valleys *valleys, const RiverNetwork *network, const ValleyShape *shape,
                             Error *error) {
    const int count = network->point_count - network->reach_count;
    *valleys = (Valleys){ 0 };
    valleys->stretches = memory_new((size_t)count + 1, sizeof *valleys->stretches, error);
    if (!valleys->stretches)
        return STATUS_MEMORY;
    for (int i = 0; i < network->reach_count; i++) {
        const RiverPoint *points = network->points + network->reaches[i].first;
        for (int k = 1; k < network->reaches[i].count; k++)
            valleys->stretches[valleys->count++] = stretch_of(&points[k - 1], &points[k], shape);
    }
    return STATUS_OK;
}

static void valleys_free(Valleys *valleys) {
    memory_free(valleys->stretches);
    memory_free(valleys->first);
    memory_free(valleys->lists);
    *valleys = (Valleys){ 0 };
}

// --- tiles -------------------------------------------------------------------------------------------------

// The height of the valley's side at this distance, as in lower_tile in terrain.c but without roughness and
// banks.
static float side_height(const Stretch *stretch, float distance) {
    const float bank = 0.5f * stretch->width, beyond = distance > bank ? distance - bank : 0;
    return stretch->slope * (sqrtf(beyond * beyond + stretch->floor * stretch->floor) - stretch->floor);
}

// Bounds of a valley's height in a square: altitude + rough × side, for any roughness.
typedef struct Bound {
    float altitude, side;
    float dam; // what dam_height is at most
} Bound;

static Bound lowest_in(const Stretch *stretch, float distance, float half, float fall) {
    // Beds are widened to the size of a cell, which lowers the land beside them.
    const float inner = distance - half - 0.75f, end = stretch->altitude + stretch->rise;
    return (Bound){ min(end, stretch->altitude), side_height(stretch, max(inner, 0)),
                    dam_height(max(end, stretch->altitude), fall, distance - half - stretch_bed(stretch)) };
}

static Bound highest_in(const Stretch *stretch, float distance, float half) {
    const float end = stretch->altitude + stretch->rise;
    return (Bound){ .altitude = max(end, stretch->altitude),
                    .side = side_height(stretch, distance + half) + stretch->slope * BANK * BANK_RISE };
}

static float at_roughness(Bound bound, float rough) {
    return bound.altitude + rough * bound.side;
}

// What all squares share.
typedef struct Sorting {
    Valleys *valleys;
    const ValleyShape *shape; // NULL: by `radius`
    float radius;
    int side, task_side;      // in tiles: of the square around all, and of those that threads take
    size_t *begins, *lengths; // of each tile, in the lists of its task
    struct Task *tasks;       // in rows of side / task_side
} Sorting;

// Recursively from the whole area to the single tiles of one square: a stretch that is irrelevant to a
// square is irrelevant to its quarters.
typedef struct Task {
    const Sorting *sorting;
    int column, row; // its first tile
    int *candidates; // lists one after another, one for each square on the way down
    int count, room;
    Bound *bounds; // of the current list
    int *lists;    // of tiles in the order visited
    size_t listed, list_room;
    Status status;
    Error error;
} Task;

enum { TASKS_ACROSS = 4 };

static bool reserve(void **block, size_t size, size_t used, size_t wanted, size_t *room, Error *error) {
    if (used + wanted <= *room)
        return true;
    const size_t larger = 2 * (used + wanted);
    void *copy = memory_enlarge(*block, used, larger, size, error);
    if (!copy)
        return false;
    *block = copy;
    *room = larger;
    return true;
}

static bool reserve_candidates(Task *task, int wanted, Error *error) {
    void *block = task->candidates;
    size_t room = (size_t)task->room;
    const bool enough = reserve(&block, sizeof(int), (size_t)task->count, (size_t)wanted, &room, error);
    task->candidates = block;
    task->room = (int)room;
    return enough;
}

// Appends to the candidates those of first … first + count - 1 within the radius; gives how many.
static int choose_near(Task *task, int first, int count, float x, float y, float half) {
    const Sorting *sorting = task->sorting;
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const int candidate = task->candidates[first + i];
        if (stretch_distance(&sorting->valleys->stretches[candidate], x, y) - half <= sorting->radius)
            task->candidates[task->count + kept++] = candidate;
    }
    return kept;
}

// The same for those whose valley may be the lowest. Roughness is the same for all valleys at a place, and
// heights change evenly with it: what is higher than another both where it is least and where it is most
// always is.
static int choose_lowest(Task *task, int first, int count, float x, float y, float half) {
    const Sorting *sorting = task->sorting;
    const float smooth = 1 - (float)sorting->shape->rough, rough = 1 + (float)sorting->shape->rough;
    const float fall = (float)sorting->shape->slope;
    Bound ceiling = { INFINITY, 0, 0 }, *bounds = task->bounds;
    float bottom = INFINITY;
    for (int i = 0; i < count; i++) {
        const Stretch *stretch = &sorting->valleys->stretches[task->candidates[first + i]];
        const float distance = stretch_distance(stretch, x, y);
        bounds[i] = lowest_in(stretch, distance, half, fall);
        bottom = min(at_roughness(bounds[i], smooth), bottom);
        if (at_roughness(bounds[i], 1) >= at_roughness(ceiling, 1))
            continue;
        const Bound highest = highest_in(stretch, distance, half);
        if (at_roughness(highest, 1) < at_roughness(ceiling, 1))
            ceiling = highest;
    }
    const float slack = 1e-5f, at_least = at_roughness(ceiling, smooth) + slack,
                at_most = at_roughness(ceiling, rough) + slack;
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (bounds[i].dam >= bottom || at_roughness(bounds[i], smooth) <= at_least ||
            at_roughness(bounds[i], rough) <= at_most)
            task->candidates[task->count + kept++] = task->candidates[first + i];
    return kept;
}

static bool list_tile(Task *task, int column, int row, int first, int count, Error *error) {
    const Sorting *sorting = task->sorting;
    const size_t tile = (size_t)row * (size_t)sorting->valleys->columns + (size_t)column;
    void *block = task->lists;
    const bool enough = reserve(&block, sizeof(int), task->listed, (size_t)count, &task->list_room, error);
    task->lists = block;
    if (!enough)
        return false;
    sorting->begins[tile] = task->listed;
    sorting->lengths[tile] = (size_t)count;
    if (count)
        memcpy(task->lists + task->listed, task->candidates + first, (size_t)count * sizeof(int));
    task->listed += (size_t)count;
    return true;
}

// Whether the task has any tile of a square.
static bool is_in(const Task *task, int column, int row, int side) {
    const int reach = max(side, task->sorting->task_side);
    return task->column / reach == column / reach && task->row / reach == row / reach;
}

// The square of `side` tiles whose upper left tile is (column, row). Above the task's own square, each task
// finds the same candidates again.
static Status sort_square(Task *task, int column, int row, int side, int first, int count,
                          Error *error) { // NOLINT(misc-no-recursion): as deep as the sides halve
    const Valleys *valleys = task->sorting->valleys;
    if (column >= valleys->columns || row >= valleys->rows || !is_in(task, column, row, side))
        return STATUS_OK;
    const float middle = 0.5f * (float)(side * TILE), half = middle * 1.41421357f;
    if (!reserve_candidates(task, count, error))
        return STATUS_MEMORY;
    const float x = (float)(column * TILE) + middle, y = (float)(row * TILE) + middle;
    const int kept = task->sorting->shape ? choose_lowest(task, first, count, x, y, half)
                                          : choose_near(task, first, count, x, y, half);
    const int own = task->count;
    task->count += kept;
    Status status = STATUS_OK;
    if (side == 1)
        status = list_tile(task, column, row, own, kept, error) ? STATUS_OK : STATUS_MEMORY;
    else
        for (int i = 0; i < 4 && status == STATUS_OK; i++)
            status = sort_square(task, column + (i & 1) * side / 2, row + (i >> 1) * side / 2, side / 2, own,
                                 kept, error);
    task->count = own;
    return status;
}

static void sort_tasks(void *context, int first, int end) {
    const Sorting *sorting = context;
    const int count = sorting->valleys->count;
    for (int i = first; i < end; i++) {
        Task *task = &sorting->tasks[i];
        task->status = STATUS_MEMORY;
        task->bounds = memory_new((size_t)count + 1, sizeof *task->bounds, &task->error);
        if (task->bounds && reserve_candidates(task, count + 1, &task->error)) {
            for (int k = 0; k < count; k++)
                task->candidates[k] = k;
            task->count = count;
            task->status = sort_square(task, 0, 0, sorting->side, 0, count, &task->error);
        }
        memory_free(task->candidates);
        memory_free(task->bounds);
    }
}

static const Task *task_at(const Sorting *sorting, int column, int row) {
    return &sorting->tasks[row / sorting->task_side * (sorting->side / sorting->task_side) +
                           column / sorting->task_side];
}

// The lists in the order of the tiles.
static bool arrange(const Sorting *sorting, Error *error) {
    Valleys *valleys = sorting->valleys;
    const size_t tiles = memory_count(valleys->columns, valleys->rows);
    size_t at = 0;
    for (size_t i = 0; i < tiles; i++)
        at += sorting->lengths[i];
    valleys->first = memory_new(tiles + 1, sizeof *valleys->first, error);
    valleys->lists = valleys->first ? memory_new(at + 1, sizeof(int), error) : NULL;
    if (!valleys->lists)
        return false;
    size_t tile = 0, to = 0;
    for (int row = 0; row < valleys->rows; row++)
        for (int column = 0; column < valleys->columns; column++, tile++) {
            const Task *task = task_at(sorting, column, row);
            valleys->first[tile] = to;
            if (sorting->lengths[tile])
                memcpy(valleys->lists + to, task->lists + sorting->begins[tile],
                       sorting->lengths[tile] * sizeof(int));
            to += sorting->lengths[tile];
        }
    valleys->first[tiles] = to;
    return true;
}

static Status run_tasks(Sorting *sorting, const Run *run, Error *error) {
    const int across = sorting->side / sorting->task_side, count = across * across;
    Task tasks[TASKS_ACROSS * TASKS_ACROSS] = { 0 };
    for (int i = 0; i < count; i++) {
        tasks[i].sorting = sorting;
        tasks[i].column = i % across * sorting->task_side;
        tasks[i].row = i / across * sorting->task_side;
    }
    sorting->tasks = tasks;
    Status status = parallel_rows(run, count, 50.0 * sorting->valleys->count, sort_tasks, sorting);
    for (int i = 0; i < count && status == STATUS_OK; i++)
        if ((status = tasks[i].status) != STATUS_OK)
            *error = tasks[i].error;
    if (status == STATUS_OK && !arrange(sorting, error))
        status = STATUS_MEMORY;
    for (int i = 0; i < count; i++)
        memory_free(tasks[i].lists);
    return status;
}

static Status sort_tiles(Sorting *sorting, const Run *run, int width, int height, Error *error) {
    Valleys *valleys = sorting->valleys;
    valleys->columns = (width + TILE - 1) / TILE;
    valleys->rows = (height + TILE - 1) / TILE;
    const size_t tiles = memory_count(valleys->columns, valleys->rows);
    Status status = STATUS_MEMORY;
    sorting->side = 1;
    while (sorting->side < valleys->columns || sorting->side < valleys->rows)
        sorting->side *= 2;
    sorting->task_side = max(sorting->side / TASKS_ACROSS, 1);
    if ((sorting->begins = memory_new(tiles, sizeof *sorting->begins, error)) &&
        (sorting->lengths = memory_new(tiles, sizeof *sorting->lengths, error)))
        status = run_tasks(sorting, run, error);
    memory_free(sorting->begins);
    memory_free(sorting->lengths);
    return status;
}

// Finds for each tile the stretches whose valley may be the lowest somewhere in it.
static Status valleys_sort_lowest(Valleys *valleys, const Run *run, const ValleyShape *shape, int width,
                                  int height, Error *error) {
    Sorting sorting = { .valleys = valleys, .shape = shape };
    return sort_tiles(&sorting, run, width, height, error);
}

// Finds for each tile the stretches that are within `radius` of some position in it.
static Status valleys_sort_near(Valleys *valleys, const Run *run, double radius, int width, int height,
                                Error *error) {
    Sorting sorting = { .valleys = valleys, .radius = (float)radius };
    return sort_tiles(&sorting, run, width, height, error);
}

// --- terrain -----------------------------------------------------------------------------------------------

typedef struct Terrain {
    int style;
    double scale, slope, upstream, floodplain, roughness, radius;
} Terrain;

enum { STYLE_VALLEYS, STYLE_PAPER };

typedef struct Ground {
    const Valleys *valleys;
    const Boundary *boundary; // with a shore, or NULL: land everywhere
    Field *height, *river;
    ValleyShape shape;
    RandomKey key;
    float cell;            // in map units
    float radius, spacing; // of disks, in cells
} Ground;

#define NO_BED 1e9f

typedef struct TileCells {
    float height[TILE * TILE], river[TILE * TILE], weight[TILE * TILE];
    float rough[TILE * TILE]; // factors of slopes
    float bed[TILE * TILE];   // the height of beds and banks; NO_BED elsewhere
    float dam[TILE * TILE];   // least heights, so that rivers stay in their beds
    float even[TILE * TILE];  // heights without roughness
} TileCells;

// --- roughness ---------------------------------------------------------------------------------------------

// Value noise in octaves from a third of the map's side, which makes ranges and lowlands, down to two cells,
// about -1 … 1: a function of the place on the map, not of the cell, so that sizes agree.
// `down`: of the row, in the octave's cells, few of which a map has.
KERNEL static void roughen_row(RandomKey key, uint32_t layer, int left, float cell, float count, float down,
                               float strength, float *restrict factor) {
    const int row = whole_unchecked(down);
    for (int x = 0; x < TILE; x++) {
        const float across = ((float)(left + x) + 0.5f) * cell * count;
        const int column = whole_unchecked(across);
        factor[x] += strength * value_noise_in_cell_float(key, (uint32_t)column + layer, (uint32_t)row,
                                                          across - (float)column, down - (float)row);
    }
}

static void roughen_tile(const Ground *ground, int left, int top, float *rough) {
    float factor[TILE * TILE] = { 0 };
    float strength = (float)ground->shape.rough, count = 3;
    for (uint32_t octave = 0; count * ground->cell < 0.5f; octave++, count *= 2, strength *= 0.6f)
        for (int y = 0; y < TILE; y++)
            roughen_row(ground->key, octave << 24, left, ground->cell, count,
                        ((float)(top + y) + 0.5f) * ground->cell * count, strength, factor + y * TILE);
    const float most = (float)ground->shape.rough;
    for (int i = 0; i < TILE * TILE; i++) {
        const float inside = min(factor[i], most);
        rough[i] = 1 + max(inside, -most);
    }
}

// --- the lowest valley -------------------------------------------------------------------------------------

static void clear_tile(TileCells *tile, float height) {
    for (int i = 0; i < TILE * TILE; i++) {
        tile->height[i] = height;
        tile->river[i] = tile->weight[i] = 0;
        tile->bed[i] = NO_BED;
        tile->dam[i] = -NO_BED;
        tile->even[i] = height;
    }
}

// The height of a stretch's valley is the river's, plus its side: slope (√(d² + f²) - f), d the distance from
// the bank and f the floor's width, flat at the bottom and straight above; and a low bank at the water's
// edge, which keeps it in its bed where the floor is flat.
KERNEL static void lower_tile(const Stretch *restrict stretch, int left, int top, float fall,
                              TileCells *restrict tile) {
    const float across = stretch->across, down = stretch->down, per_length = stretch->per_length;
    const float from_x = (float)left + 0.5f - stretch->x, from_y = (float)top + 0.5f - stretch->y;
    const float bed = stretch_bed(stretch);
    const float slope = stretch->slope, floor = stretch->floor, floor_squared = floor * floor;
    for (int y = 0; y < TILE; y++)
        for (int x = 0; x < TILE; x++) {
            const int i = y * TILE + x;
            const float px = from_x + (float)x, py = from_y + (float)y;
            const float along = segment_share_by(px, py, across, down, per_length);
            const float distance = segment_distance(px, py, across, down, along);
            const float altitude = stretch->altitude + along * stretch->rise;
            const float beyond = distance > bed ? distance - bed : 0;
            const float bank = beyond < BANK ? BANK_RISE * beyond : BANK_RISE * BANK;
            const float side = slope * (sqrtf(beyond * beyond + floor_squared) - floor + bank);
            const float height = altitude + tile->rough[i] * side, here = beyond < BANK ? height : NO_BED;
            tile->height[i] = min(height, tile->height[i]);
            tile->bed[i] = min(here, tile->bed[i]);
            tile->dam[i] = max(dam_height(altitude, fall, beyond), tile->dam[i]);
            tile->even[i] = min(altitude + side, tile->even[i]);
        }
}

// The water: its width in the bed, the share covered at the banks; proportionally less for a river narrower
// than a cell.
KERNEL static void wet_tile(const Stretch *restrict stretch, int left, int top, TileCells *restrict tile) {
    const float width = stretch->width, drawn = max(width, 1), share = min(1, width);
    for (int y = 0; y < TILE; y++)
        for (int x = 0; x < TILE; x++) {
            const int i = y * TILE + x;
            const float distance =
                stretch_distance(stretch, (float)(left + x) + 0.5f, (float)(top + y) + 0.5f);
            float inside = 0.5f * drawn + 0.5f - distance;
            inside = max(inside, 0);
            const float wet = inside < 1 ? inside * share : drawn * share;
            tile->river[i] = max(wet, tile->river[i]);
        }
}

// Whether the water of a stretch may be in the tile.
static bool is_wet(const Stretch *stretch, int left, int top) {
    const float half = 0.5f * TILE;
    return stretch_distance(stretch, (float)left + half, (float)top + half) <=
           0.5f * stretch->width + 1 + 1.41421357f * half;
}

// Where roughness makes slopes gentle, the valley of a low river is lower than the bed of a high one beside
// it, whose water would leave it. In beds and on banks, only the rivers count that are there; beside them
// land is no lower than their dams. Neither raises land above what it is without roughness.
static float beside_rivers(const TileCells *tile, int i, float lowest) {
    const float most = max(lowest, tile->even[i]);
    return tile->bed[i] < NO_BED ? min(tile->bed[i], most) : min(max(lowest, tile->dam[i]), most);
}

// Heights above the highest rivers approach 1 but do not exceed it.
static void limit_tile(TileCells *tile) {
    const float top = RIVER_TOP, left = 1 - top;
    for (int i = 0; i < TILE * TILE; i++) {
        const float height = beside_rivers(tile, i, tile->height[i]);
        const float over = (height - top) / left, above = max(over, 0);
        const float limited = top + left * above / sqrtf(1 + above * above);
        tile->height[i] = over > 0 ? limited : height;
    }
}

// --- the paper's disks -------------------------------------------------------------------------------------

// A disk around a place of the river (Speirs 2020, section 4.2): its height there plus the slope times the
// distance, weighted by (1 - (x/r)²)³, added to what other disks give.
KERNEL static void add_disk(const Ground *ground, float from_x, float from_y, float altitude, float share,
                            float slope, TileCells *restrict tile) {
    const float per_radius = 1 / (ground->radius * ground->radius);
    for (int y = 0; y < TILE; y++)
        for (int x = 0; x < TILE; x++) {
            const int i = y * TILE + x;
            const float dx = from_x + (float)x, dy = from_y + (float)y, squared = dx * dx + dy * dy;
            const float near = 1 - squared * per_radius, inside = max(near, 0);
            const float weight = share * inside * inside * inside;
            tile->weight[i] += weight;
            tile->height[i] += weight * (altitude + slope * sqrtf(squared));
        }
}

static void add_disks(const Ground *ground, const Stretch *stretch, int left, int top, TileCells *tile) {
    const float length = sqrtf(stretch->across * stretch->across + stretch->down * stretch->down);
    const int count = whole_int(length / ground->spacing) + 1;
    const float reach = ground->radius + 0.70710678f * TILE;
    for (int i = 0; i < count; i++) {
        const float along = ((float)i + 0.5f) / (float)count;
        const float x = (float)left + 0.5f - (stretch->x + along * stretch->across);
        const float y = (float)top + 0.5f - (stretch->y + along * stretch->down);
        const float middle_x = x + 0.5f * (TILE - 1), middle_y = y + 0.5f * (TILE - 1);
        if (middle_x * middle_x + middle_y * middle_y < reach * reach)
            add_disk(ground, x, y, stretch->altitude + along * stretch->rise, length / (float)count,
                     (float)ground->shape.slope, tile);
    }
}

// Land outside all disks gets the maximum height; a river's own cells keep its height.
static void blend_tile(const Ground *ground, const int *list, size_t count, int left, int top,
                       TileCells *tile) {
    clear_tile(tile, 0);
    for (size_t i = 0; i < count; i++)
        add_disks(ground, &ground->valleys->stretches[list[i]], left, top, tile);
    TileCells beds;
    clear_tile(&beds, 2);
    for (int i = 0; i < TILE * TILE; i++)
        beds.rough[i] = 1;
    for (size_t i = 0; i < count; i++) {
        const Stretch *stretch = &ground->valleys->stretches[list[i]];
        if (!is_wet(stretch, left, top))
            continue;
        lower_tile(stretch, left, top, 0, &beds);
        wet_tile(stretch, left, top, &beds);
    }
    for (int i = 0; i < TILE * TILE; i++) {
        const float blended = tile->weight[i] > 0 ? tile->height[i] / tile->weight[i] : 1;
        tile->height[i] = beds.river[i] > 0 ? beds.height[i] : min(blended, 1);
        tile->river[i] = beds.river[i];
    }
}

// --- the whole ---------------------------------------------------------------------------------------------

// Land rises from its coast as from a river; the sea floor falls more gently.
static void meet_sea(const Ground *ground, int left, int top, bool land_only, TileCells *tile) {
    static const float deepest = 0.15f;
    for (int i = 0; i < TILE * TILE; i++) {
        const int x = left + i % TILE, y = top + i / TILE;
        const Vec2 spot = { (double)(((float)x + 0.5f) * ground->cell),
                            (double)(((float)y + 0.5f) * ground->cell) };
        const float inland = (float)boundary_distance(ground->boundary, spot) / ground->cell;
        const float slope = (float)ground->shape.slope, beach = (float)BEACH / ground->cell;
        const float side =
            inland > 0 ? slope * (sqrtf(inland * inland + beach * beach) - beach) : slope * inland;
        if (inland <= 0) {
            tile->height[i] = land_only ? 0 : side * deepest / (deepest - side);
            tile->river[i] = 0;
        } else if (!land_only) {
            const float coast = side * tile->rough[i];
            tile->even[i] = min(side, tile->even[i]);
            tile->height[i] = beside_rivers(tile, i, min(coast, tile->height[i]));
        }
    }
}

static void store_tile(const Ground *ground, int left, int top, const TileCells *tile) {
    const int width = ground->height->width, height = ground->height->height;
    for (int y = 0; y < TILE && top + y < height; y++)
        for (int x = 0; x < TILE && left + x < width; x++) {
            field_row(ground->height, top + y)[left + x] = tile->height[y * TILE + x];
            field_row(ground->river, top + y)[left + x] = tile->river[y * TILE + x];
        }
}

static void shape_tiles(void *context, int first, int end) {
    const Ground *ground = context;
    const Valleys *valleys = ground->valleys;
    const float fall = (float)ground->shape.slope;
    TileCells tile;
    for (int row = first; row < end; row++)
        for (int column = 0; column < valleys->columns; column++) {
            const size_t at = (size_t)row * (size_t)valleys->columns + (size_t)column;
            const int *list = valleys->lists + valleys->first[at], left = column * TILE, top = row * TILE;
            const size_t count = valleys->first[at + 1] - valleys->first[at];
            roughen_tile(ground, left, top, tile.rough);
            if (ground->radius > 0) {
                blend_tile(ground, list, count, left, top, &tile);
            } else {
                clear_tile(&tile, 1e9f);
                for (size_t i = 0; i < count; i++) {
                    const Stretch *stretch = &valleys->stretches[list[i]];
                    lower_tile(stretch, left, top, fall, &tile);
                    if (is_wet(stretch, left, top))
                        wet_tile(stretch, left, top, &tile);
                }
                limit_tile(&tile);
            }
            if (ground->boundary)
                meet_sea(ground, left, top, ground->radius > 0, &tile);
            store_tile(ground, left, top, &tile);
        }
}

// --- running -----------------------------------------------------------------------------------------------

// The paper's altitudes are distances to the mouth, as shares of the longest, within 80 % of the heights
// (Speirs 2020, sections 4 and 5.3).
static RiverNetwork *with_distances_as_altitudes(const RiverNetwork *network, Error *error) {
    RiverNetwork *copy =
        network_new(network->reach_count, network->point_count, network_grown_size(network), error);
    if (!copy)
        return NULL;
    network_copy_grown(copy, network);
    float longest = 0;
    for (int i = 0; i < network->point_count; i++)
        longest = max(network->points[i].distance, longest);
    for (int i = 0; i < network->point_count; i++) {
        copy->points[i] = network->points[i];
        copy->points[i].altitude = longest > 0 ? RIVER_TOP * network->points[i].distance / longest : 0;
    }
    for (int i = 0; i < network->reach_count; i++)
        copy->reaches[i] = network->reaches[i];
    return copy;
}

static Status shape_land(const Call *call, const RiverNetwork *network, const Ground *ground, Error *error) {
    const int width = ground->height->width, height = ground->height->height;
    Valleys valleys;
    Ground with_valleys = *ground;
    with_valleys.valleys = &valleys;
    Status status = valleys_create(&valleys, network, &ground->shape, error);
    if (status == STATUS_OK)
        status = ground->radius > 0
                     ? valleys_sort_near(&valleys, call->run, (double)ground->radius, width, height, error)
                     : valleys_sort_lowest(&valleys, call->run, &ground->shape, width, height, error);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, valleys.rows, valleys.columns * 4000.0, shape_tiles, &with_valleys);
    valleys_free(&valleys);
    return status;
}

static Status run(const Call *call, Error *error) {
    const Terrain *terrain = call->params;
    const RiverNetwork *network = call->inputs[0].value;
    Output *outputs = call->outputs;
    const int width = whole_int(network->width * terrain->scale + 0.5);
    const int height = whole_int(network->height * terrain->scale + 0.5);
    Status status = field_create(&outputs[0].field, width, height, error);
    if (status == STATUS_OK)
        status = field_create(&outputs[1].field, width, height, error);
    if (status != STATUS_OK)
        return status;
    const double side = field_side(&outputs[0].field);
    const bool paper = terrain->style == STYLE_PAPER;
    const float radius = paper ? (float)(terrain->radius * side) : 0;
    Ground ground = { .height = &outputs[0].field,
                      .river = &outputs[1].field,
                      .boundary = network->boundary.coast ? &network->boundary : NULL,
                      .shape = { .scale = terrain->scale,
                                 .slope = terrain->slope / side,
                                 .upstream = paper ? 0 : terrain->upstream,
                                 .floodplain = paper ? 0 : terrain->floodplain,
                                 .rough = paper ? 0 : terrain->roughness },
                      .key = random_key(call->seed, 0),
                      .cell = (float)(network->cell / terrain->scale),
                      .radius = radius,
                      .spacing = radius > 8 ? radius / 8 : 1 };
    RiverNetwork *raised = paper ? with_distances_as_altitudes(network, error) : NULL;
    if (paper && !raised)
        return STATUS_MEMORY;
    Boundary coast = { 0 };
    if (ground.boundary) {
        status = boundary_sample(&coast, &network->boundary, network->width * network->cell,
                                 network->height * network->cell, error);
        ground.boundary = &coast;
    }
    if (status == STATUS_OK)
        status = shape_land(call, raised ? raised : network, &ground, error);
    boundary_sample_free(&coast, &network->boundary);
    memory_free(raised);
    return status;
}

static const Param params[] = {
    PARAM(Terrain, style, .choices = CHOICES("valleys", "paper"),
          .doc = "the lowest of all valleys, or the blended disks of the paper"),
    PARAM(Terrain, scale, .initial = 1, .min = 0.01, .max = 100,
          .doc = "cells of the fields per cell of the network's window"),
    PARAM(Terrain, slope, .initial = 10, .min = 0.01, .max = 1e4,
          .doc = "slope of the land beside rivers, in heights per side; at twice the network's "
                 "steepest or more, every river stays in its bed"),
    PARAM(Terrain, upstream, .initial = 1, .min = 0, .max = 1,
          .doc = "how much steeper land is beside high rivers; 0: not at all, 1: half to 1.5 times "
                 "the slope"),
    PARAM(Terrain, floodplain, .initial = 3, .min = 0, .max = 100,
          .doc = "width of the level ground beside the banks, in river widths; as in the network"),
    PARAM(Terrain, roughness, .initial = 0.65, .min = 0, .max = 0.9,
          .doc = "how much slopes vary from place to place: ranges and lowlands, and single hills"),
    PARAM(Terrain, radius, .initial = 0.025, .min = 0.001, .max = 1,
          .doc = "radius of the disks, in sides (style \"paper\")"),
    { 0 },
};

const Operation op_terrain = {
    .name = "terrain",
    .category = "rivers",
    .keywords = "river network valley land carve",
    .summary = "Shapes the land around a river network, with a valley along every river",
    .description = "Heights are 0 at the mouths and below 1. Off a coast the sea floor falls below 0.",
    .source = "Speirs 2020, sections 4.2, 5.3 and 8",
    .inputs = { { "network", "rivers", { &type_network } } },
    .outputs = { { "height", "heights, rivers in their valleys", .heights = true },
                 { "river",
                   "width in cells of the river that covers the cell, at its banks the share covered; 0 "
                   "elsewhere" } },
    .params = params,
    .params_size = sizeof(Terrain),
    .seeded = true,
    .shapes_outputs = true,
    .example = "local land, river = esker.river_network{ points = 300, size = 64 }:terrain{ scale = 2 }",
    .picture = "local network = esker.river_network{ size = 128, points = 800, rivers = 3, seed = 4 }\n"
               "local land, river = network:terrain{}\n"
               "return network, land:relief{ rivers = river }",
    .see_also = "river_network",
    .run = run,
};
