// Level 0 of a map's eroded land, before it is eroded: heights from the map's own. A flat map is one face, a
// planet the six faces of a cube, turned so that its corners lie in the sea.

#include "rivermap/eroded/archipelago.h"
#include "rivermap/eroded/ground.h"
#include "rivermap/eroded/map_climate.h"
#include "rivermap/eroded/sea_arms.h"

#include "core/elementary.h"
#include "core/error.h"
#include "core/field.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/noise.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/whole.h"
#include "land/cube.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// --- flat maps: coasts without the grid --------------------------------------------------------------------

// Turned noise that takes the grid out of level 0: the raw map's first edges are straight coasts and ridges.

enum { BEND_FINER = 4 }; // finer cells along the side of a cell

enum { SWELL_OCTAVES = 4, BEND_OCTAVES = 4, SWELL_CELLS = 40, BEND_CELLS = 80 }; // the widest octave's cells
enum { BEND_STEP = 2 };
// Arms of the sea, a few cells wide, are straight between such bends.
enum { WIND_OCTAVES = 2, WIND_CELLS = 16 };
enum { SWELL_STREAM = 1 << 21, ACROSS_STREAM, DOWN_STREAM, WIND_ACROSS_STREAM, WIND_DOWN_STREAM };
#define SWELL 0.7f       // strength of the widest octave
#define BEND 9.0f        // the same, in cells
#define WIND 4.0f        // of arms of the sea
#define EVENED 1.4f      // low hills rise by this share, against high mountains
#define HIGH_CELLS 10.0f // height at which nothing rises

typedef struct Noise {
    float cells, strength; // of the widest octave
    int octaves;
} Noise;

// Noise, each octave of which is turned by atan(3/4) against the one before.
static float noise_at(RandomKey key, int x, int y, Noise noise) {
    float sum = 0, strength = noise.strength, across = 0.8f / noise.cells, down = 0.6f / noise.cells;
    for (int octave = 0; octave < noise.octaves; octave++) {
        const float u = 1000 + (float)x * across - (float)y * down,
                    v = 1000 + (float)x * down + (float)y * across;
        sum += strength * value_noise_float(key, (uint32_t)octave << 16, u, v);
        const float turned = 2 * (across * 0.8f - down * 0.6f);
        down = 2 * (across * 0.6f + down * 0.8f);
        across = turned;
        strength /= 2;
    }
    return sum;
}

typedef struct Swelling {
    Field *field;
    RandomKey key;
} Swelling;

static void swell_rows(void *context, int first, int end) {
    const float least = 0.1f;
    const Swelling *swelling = context;
    const Noise noise = { SWELL_CELLS, SWELL, SWELL_OCTAVES };
    for (int y = first; y < end; y++)
        for (int x = 0; x < swelling->field->width; x++) {
            float *height = field_row(swelling->field, y) + x;
            if (!(*height > 0))
                continue;
            const float factor = 1 + noise_at(swelling->key, x, y, noise);
            const float evened = (1 + EVENED) / (1 + EVENED * *height / HIGH_CELLS);
            *height *= evened * max(factor, least);
        }
}

// Raises and lowers the land by a factor, so that the coast stays.
static Status swell_land(const Run *run, Field *field, uint32_t seed) {
    Swelling swelling = { field, random_key(seed, SWELL_STREAM) };
    return parallel_rows(run, field->height, field->width * 50.0, swell_rows, &swelling);
}

enum { STEP = BEND_STEP * BEND_FINER }; // finer cells between two places

// Places of a grid, BEND_STEP cells of the field apart, and one more along each side; linear between them.
typedef struct Bends {
    int nodes;            // along a side
    float *across, *down; // in finer cells
    const float *winding; // how near arms of the sea they are; NULL: far from all
    uint32_t seed;
    const uint32_t *from;
    uint32_t *bent;
} Bends;

// A place beyond the border, 0 to `last`, as far inside: if the border's heights were repeated, they would be
// streaks.
static int mirrored(int place, int last) {
    const int above = max(place, -1 - place);
    return min(above, 2 * last + 1 - above);
}

// Of finer cells around one, those that a row of them is moved to.
KERNEL static void bend_row(const uint32_t *restrict from, int nodes, const float *restrict across,
                            const float *restrict down, int y, uint32_t *restrict row) {
    const int last = (nodes - 1) * STEP - 1;
    const float v = (float)(y % STEP) * (1 / (float)STEP);
    for (int node = 0; node < nodes - 1; node++) {
        const float across_here = lerp(across[node], across[node + nodes], v),
                    across_end = lerp(across[node + 1], across[node + 1 + nodes], v),
                    down_here = lerp(down[node], down[node + nodes], v),
                    down_end = lerp(down[node + 1], down[node + 1 + nodes], v);
        for (int i = 0; i < STEP; i++) {
            const float u = (float)i * (1 / (float)STEP);
            const int x = node * STEP + i;
            const int column = x + whole_unchecked(lerp(across_here, across_end, u)),
                      line = y + whole_unchecked(lerp(down_here, down_end, u));
            row[x] = from[mirrored(line, last) * (last + 1) + mirrored(column, last)];
        }
    }
}

static void bend_rows(void *context, int first, int end) {
    const Bends *bends = context;
    const size_t side = (size_t)(bends->nodes - 1) * STEP;
    for (int y = first; y < end; y++) {
        const size_t at = (size_t)(y / STEP) * (size_t)bends->nodes;
        bend_row(bends->from, bends->nodes, bends->across + at, bends->down + at, y,
                 bends->bent + (size_t)y * side);
    }
}

static void set_bends(void *context, int first, int end) {
    const Bends *bends = context;
    const RandomKey across = random_key(bends->seed, ACROSS_STREAM),
                    down = random_key(bends->seed, DOWN_STREAM);
    const Noise noise = { BEND_CELLS, BEND * BEND_FINER, BEND_OCTAVES };
    for (int y = first; y < end; y++)
        for (int x = 0; x < bends->nodes; x++) {
            const size_t at = (size_t)y * (size_t)bends->nodes + (size_t)x;
            bends->across[at] = noise_at(across, x * BEND_STEP, y * BEND_STEP, noise);
            bends->down[at] = noise_at(down, x * BEND_STEP, y * BEND_STEP, noise);
        }
}

static void add_winding(void *context, int first, int end) {
    const Bends *bends = context;
    const RandomKey across = random_key(bends->seed, WIND_ACROSS_STREAM),
                    down = random_key(bends->seed, WIND_DOWN_STREAM);
    const Noise noise = { WIND_CELLS, WIND * BEND_FINER, WIND_OCTAVES };
    for (int y = first; y < end; y++)
        for (int x = 0; x < bends->nodes; x++) {
            const size_t at = (size_t)y * (size_t)bends->nodes + (size_t)x;
            if (!(bends->winding[at] > 0))
                continue;
            bends->across[at] += bends->winding[at] * noise_at(across, x * BEND_STEP, y * BEND_STEP, noise);
            bends->down[at] += bends->winding[at] * noise_at(down, x * BEND_STEP, y * BEND_STEP, noise);
        }
}

// Moves the heights of the finer cells of a square of `cells` by a few cells, into `bent`.
static Status bend_heights(const Run *run, const uint32_t *heights, int cells, uint32_t seed,
                           const float *winding, uint32_t *bent, Error *error) {
    Bends bends = { .nodes = cells / BEND_STEP + 1, .winding = winding, .seed = seed, .from = heights };
    bends.bent = bent;
    const int side = cells * BEND_FINER;
    const size_t nodes = (size_t)bends.nodes * (size_t)bends.nodes;
    bends.across = memory_new(nodes, sizeof *bends.across, error);
    bends.down = memory_new(nodes, sizeof *bends.down, error);
    Status status = bends.across && bends.down ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = parallel_rows(run, bends.nodes, bends.nodes * 100.0, set_bends, &bends);
    if (status == STATUS_OK && winding)
        status = parallel_rows(run, bends.nodes, bends.nodes * 20.0, add_winding, &bends);
    if (status == STATUS_OK)
        status = parallel_rows(run, side, side * 2.0, bend_rows, &bends);
    memory_free(bends.across);
    memory_free(bends.down);
    return status;
}

// --- flat maps: fjords -------------------------------------------------------------------------------------

// Narrow fjords of a coarse grid.

enum { FJORD_CELLS = 4 }; // finer cells along the side of a coarse one

// In finer cells: the square around a coarse cell, and the least size of a piece of land in it.
enum { AROUND = FJORD_CELLS + 2, PIECE = 4 };

typedef struct Fjords {
    const int32_t *fine;
    Field *field;
    float unit;
    int side;         // finer cells along it
    uint8_t *reached; // finer cells of the sea that is open to a coarse cell of sea
    int *stack;
    int count;
} Fjords;

// Finer sea in coarse sea, of a row of coarse cells.
KERNEL static void open_row(const float *restrict coarse, const int32_t *restrict fine, int count,
                            uint8_t *restrict reached) {
    for (int x = 0; x < count; x++)
        for (int i = 0; i < FJORD_CELLS; i++)
            reached[x * FJORD_CELLS + i] = (coarse[x] < 0) & (fine[x * FJORD_CELLS + i] < 0);
}

static void open_rows(void *context, int first, int end) {
    const Fjords *fjords = context;
    for (int y = first; y < end; y++) {
        const float *coarse = field_row(fjords->field, y / FJORD_CELLS);
        const size_t start = (size_t)y * (size_t)fjords->side;
        open_row(coarse, fjords->fine + start, fjords->field->width, fjords->reached + start);
    }
}

static void reach(Fjords *fjords, int x, int y) {
    if (x < 0 || y < 0 || x >= fjords->side || y >= fjords->side)
        return;
    const int at = y * fjords->side + x;
    if (fjords->fine[at] >= 0 || fjords->reached[at])
        return;
    fjords->reached[at] = 1;
    fjords->stack[fjords->count++] = at;
}

static void reach_around(Fjords *fjords, int x, int y) {
    reach(fjords, x - 1, y);
    reach(fjords, x + 1, y);
    reach(fjords, x, y - 1);
    reach(fjords, x, y + 1);
}

static bool is_coarse_sea(const Fjords *fjords, int x, int y) {
    return field_row(fjords->field, y)[x] < 0;
}

// Whether a coarse cell of the sea lies beside land.
static bool is_coast(const Fjords *fjords, int x, int y) {
    const int last = fjords->field->width - 1;
    return is_coarse_sea(fjords, x, y) &&
           (!is_coarse_sea(fjords, max(x - 1, 0), y) || !is_coarse_sea(fjords, min(x + 1, last), y) ||
            !is_coarse_sea(fjords, x, max(y - 1, 0)) || !is_coarse_sea(fjords, x, min(y + 1, last)));
}

// From the open sea in a coarse cell.
static void reach_from(Fjords *fjords, int left, int top) {
    for (int i = 0; i < FJORD_CELLS * FJORD_CELLS; i++) {
        const int x = left + i % FJORD_CELLS, y = top + i / FJORD_CELLS;
        if (fjords->reached[y * fjords->side + x])
            reach_around(fjords, x, y);
    }
}

// On from the coast into cells that are land as a whole: few.
static void reach_inland(Fjords *fjords) {
    for (int y = 0; y < fjords->field->height; y++)
        for (int x = 0; x < fjords->field->width; x++)
            if (is_coast(fjords, x, y))
                reach_from(fjords, x * FJORD_CELLS, y * FJORD_CELLS);
    while (fjords->count > 0) {
        const int at = fjords->stack[--fjords->count];
        reach_around(fjords, at % fjords->side, at / fjords->side);
    }
}

// How many cells a piece of land has, from (x, y) on; takes it away.
static int take_piece(bool land[AROUND][AROUND], int x, int y) {
    if (x < 0 || y < 0 || x >= AROUND || y >= AROUND || !land[y][x])
        return 0;
    land[y][x] = false;
    int count = 1;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            count += take_piece(land, x + dx, y + dy);
    return count;
}

// Whether the sea parts the land around a coarse cell.
static bool is_parted(const Fjords *fjords, int left, int top) {
    bool land[AROUND][AROUND];
    for (int y = 0; y < AROUND; y++)
        for (int x = 0; x < AROUND; x++) {
            const int at_x = left + x - 1, at_y = top + y - 1;
            land[y][x] = at_x >= 0 && at_y >= 0 && at_x < fjords->side && at_y < fjords->side &&
                         !fjords->reached[at_y * fjords->side + at_x];
        }
    int pieces = 0;
    for (int y = 0; y < AROUND; y++)
        for (int x = 0; x < AROUND; x++)
            pieces += take_piece(land, x, y) >= PIECE;
    return pieces > 1;
}

// The mean of a coarse cell's open sea; 0 where it has none.
static float sea_in(const Fjords *fjords, int left, int top) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < FJORD_CELLS * FJORD_CELLS; i++) {
        const int at = (top + i / FJORD_CELLS) * fjords->side + left + i % FJORD_CELLS;
        if (fjords->reached[at]) {
            sum += fjords->fine[at];
            count++;
        }
    }
    return count > 0 ? (float)(sum / count * (double)fjords->unit) : 0;
}

static void part_rows(void *context, int first, int end) {
    const Fjords *fjords = context;
    for (int y = first; y < end; y++)
        for (int x = 0; x < fjords->field->width; x++) {
            float *cell = &field_row(fjords->field, y)[x];
            const float sea = *cell < 0 ? 0 : sea_in(fjords, x * FJORD_CELLS, y * FJORD_CELLS);
            if (sea < 0 && is_parted(fjords, x * FJORD_CELLS, y * FJORD_CELLS))
                *cell = sea;
        }
}

// A coarse cell whose mean is land, but through which the sea passes between two pieces of land, becomes sea.
// `fine`: heights of the finer cells, the sea below 0; `unit`: what one is in `field`.
static Status open_fjords(const Run *run, const int32_t *fine, float unit, Field *field, Error *error) {
    const size_t count = field_count(field) * FJORD_CELLS * FJORD_CELLS;
    Fjords fjords = { .fine = fine, .field = field, .unit = unit, .side = field->width * FJORD_CELLS };
    fjords.reached = memory_new(count, 1, error);
    fjords.stack = memory_new(count, sizeof *fjords.stack, error);
    Status status = fjords.reached && fjords.stack ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = parallel_rows(run, fjords.side, fjords.side * 0.5, open_rows, &fjords);
    if (status == STATUS_OK) {
        reach_inland(&fjords);
        status = parallel_rows(run, field->height, field->width * 30.0, part_rows, &fjords);
    }
    memory_free(fjords.stack);
    memory_free(fjords.reached);
    return status;
}

// --- flat maps: heights ------------------------------------------------------------------------------------

enum { FINER = 2 }; // levels at which fjords are seen: FJORD_CELLS cells to one of level 0, as bends have

// A view of the map's own land, in cells as large as those of a depth.
static View view_of_cells(const RiverMap *map, const Run *run, int depth) {
    const Int128 cell = (Int128)1 << (PLACE_BITS - depth);
    return (View){ .map = map,
                   .run = run,
                   .width = 1 << depth,
                   .height = 1 << depth,
                   .x = cell << (depth - 1),
                   .y = cell << (depth - 1),
                   .pixel = cell,
                   .pixels = ldexp(1, depth),
                   .line_basin = INFINITY };
}

// A guide has valleys of its own: the raw map's rivers would only dig pits into them.
static Status own_heights(const RiverMap *of, int depth, uint32_t *heights, const Run *run, Error *error) {
    RiverMap map = *of;
    map.constants.rivers = map.constants.rivers && map.guide.width == 0;
    const View view = view_of_cells(&map, run, depth);
    return map.tiling->heights(&view, heights, error);
}

// The map's own heights as a whole, `finer` levels above level 0; NULL: `status` says why.
static uint32_t *whole_map(const RiverMap *map, int finer, const Run *run, Status *status, Error *error) {
    const int depth = eroded_of(map)->depth + finer, side = 1 << depth;
    uint32_t *heights = memory_new_cells(side, side, sizeof *heights, error);
    *status = heights ? own_heights(map, depth, heights, run, error) : STATUS_MEMORY;
    if (*status == STATUS_OK)
        return heights;
    memory_free(heights);
    return NULL;
}

enum { BORDER_CELLS = 24 }; // of level 0 along the border, that are lowered

// Lowers the land of a row or column towards its first cell, to what lies farther in: a third of BORDER_CELLS
// at the border.
static void lower_end(float *cells, ptrdiff_t step) {
    const float least = 0.1f;
    for (ptrdiff_t i = 0; i < BORDER_CELLS; i++) {
        const ptrdiff_t inward = (BORDER_CELLS - i) * (BORDER_CELLS - i) / (3 * BORDER_CELLS);
        float *height = cells + i * step;
        const float lower = max(height[inward * step], least * *height);
        *height = min(*height, lower);
    }
}

// No river of the raw map crosses the outer edges of its first triangles, so the border would be a straight
// ridge.
static void lower_border(Field *field) {
    const int side = field->width, last = side - 1;
    for (int i = 0; i < side; i++) {
        lower_end(field_row(field, i), 1);
        lower_end(field_row(field, i) + last, -1);
    }
    for (int i = 0; i < side; i++) {
        lower_end(field_row(field, 0) + i, side);
        lower_end(field_row(field, last) + i, -side);
    }
}

// Each cell's mean of the heights in its middle.
static void take_middles(const uint32_t *fine, float unit, Field *field) {
    const size_t side = (size_t)field->width << FINER;
    const int middle = (1 << FINER) / 2;
    for (int y = 0; y < field->height; y++)
        for (int x = 0; x < field->width; x++) {
            const uint32_t *at =
                fine + (size_t)((y << FINER) + middle) * side + (size_t)((x << FINER) + middle);
            const float upper =
                            (float)(int32_t)at[-1 - (ptrdiff_t)side] + (float)(int32_t)at[-(ptrdiff_t)side],
                        lower = (float)(int32_t)at[-1] + (float)(int32_t)at[0];
            field_row(field, y)[x] = (upper + lower) * (unit / 4);
        }
}

// The field and the finer heights that it comes from, bent. `winding`: see Bends.
static Status take_bent(const Run *run, const uint32_t *heights, uint32_t seed, const float *winding,
                        float unit, uint32_t *bent, Field *field, Error *error) {
    Status status = bend_heights(run, heights, field->width, seed, winding, bent, error);
    if (status == STATUS_OK)
        take_middles(bent, unit / (1 << FINER), field);
    return status == STATUS_OK ? open_fjords(run, (const int32_t *)bent, unit / FJORD_CELLS, field, error)
                               : status;
}

// Bent once more where the sea has arms then: the same everywhere else.
static Status bent_heights(const Run *run, const uint32_t *heights, uint32_t seed, float unit, Field *field,
                           Error *error) {
    const int side = field->width << FINER;
    uint32_t *bent = memory_new_cells(side, side, sizeof *bent, error);
    float *winding = NULL;
    Status status = bent ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = take_bent(run, heights, seed, NULL, unit, bent, field, error);
    if (status == STATUS_OK)
        status = find_sea_arms(field, BEND_STEP, &winding, error);
    if (status == STATUS_OK && winding)
        status = take_bent(run, heights, seed, winding, unit, bent, field, error);
    memory_free(winding);
    memory_free(bent);
    return status;
}

// --- archipelagos ------------------------------------------------------------------------------------------

static Archipelago islands_of(const RiverMap *map) {
    return archipelago_of(eroded_of(map)->rules.seed, map->tiling->planet, map->sea_level);
}

typedef struct Islands {
    Archipelago of;
    Field *field;
} Islands;

static void island_rows(void *context, int first, int end) {
    const Islands *islands = context;
    const int side = islands->field->width;
    for (int y = first; y < end; y++)
        for (int x = 0; x < side; x++) {
            const Vec3 at = { (x + 0.5) / side, (y + 0.5) / side, 0 };
            field_row(islands->field, y)[x] =
                (float)(archipelago_altitude(&islands->of, at) * VERTICAL_SCALE * side);
        }
}

static Status island_heights(const RiverMap *map, const Run *run, Field *field) {
    Islands islands = { islands_of(map), field };
    const Status status = parallel_rows(run, field->height, field->width * 500.0, island_rows, &islands);
    return status == STATUS_OK ? swell_land(run, field, eroded_of(map)->rules.seed) : status;
}

// --- flat maps: all ----------------------------------------------------------------------------------------

static Status flat_heights(const RiverMap *map, const Run *run, Field *field, Error *error) {
    const Eroded *eroded = eroded_of(map);
    const bool guided = map->guide.width > 0;
    if (map->archipelago && !guided)
        return island_heights(map, run, field);
    const float of_guide = (float)ldexp(eroded->relief / HEIGHTS_PER_PIXEL, -eroded->depth);
    const float unit = guided ? of_guide : (float)VERTICAL_SCALE / HEIGHTS_PER_PIXEL;
    const uint32_t seed = eroded->rules.seed;
    Status status = STATUS_OK;
    uint32_t *heights = guided ? whole_map(map, 0, run, &status, error) : NULL;
    for (size_t i = 0; heights && i < field_count(field); i++)
        field_cells(field)[i] = (float)(int32_t)heights[i] * unit;
    memory_free(heights);
    uint32_t *fine = status == STATUS_OK ? whole_map(map, FINER, run, &status, error) : NULL;
    if (fine && !guided)
        status = bent_heights(run, fine, seed, unit, field, error);
    else if (fine)
        status = open_fjords(run, (const int32_t *)fine, unit / FJORD_CELLS, field, error);
    if (status == STATUS_OK && !guided) {
        lower_border(field);
        status = swell_land(run, field, seed);
    }
    memory_free(fine);
    return status;
}

// --- planets: how the cube lies ----------------------------------------------------------------------------

enum { TURNS = 20000, COARSE = 32 }; // cells along a face of a coarse planet

// Turned at random: by a unit quaternion.
static void random_axes(RandomKey key, uint32_t number, Vec3 axes[3]) {
    double q[4], length = 0;
    for (uint32_t i = 0; i < 4; i++) {
        q[i] = (double)random_signed(key, number, i);
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        q[i] /= sqrt(length > 0 ? length : 1);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    axes[0] = (Vec3){ 1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w) };
    axes[1] = (Vec3){ 2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w) };
    axes[2] = (Vec3){ 2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y) };
}

static const Vec3 upright[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

typedef double Coarse[CUBE_FACES][COARSE][COARSE];

// At places on a planet of radius 1, from as far apart as `angle`: -1 … 1.
static void altitudes_at(const RiverMap *map, const Archipelago *islands, double angle, const Vec3 *places,
                         int count, double *altitudes) {
    if (!map->archipelago)
        map->tiling->altitudes(map, angle, places, count, altitudes);
    for (int i = 0; i < count && map->archipelago; i++)
        altitudes[i] = archipelago_altitude(islands, places[i]);
}

static void measure_coarse(const RiverMap *map, Coarse altitudes) {
    const Archipelago islands = islands_of(map);
    for (int face = 0; face < CUBE_FACES; face++)
        for (int y = 0; y < COARSE; y++) {
            Vec3 places[COARSE];
            for (int x = 0; x < COARSE; x++)
                places[x] = place_on_planet(upright, COARSE, face, x + 0.5, y + 0.5);
            altitudes_at(map, &islands, PI / 2 / COARSE, places, COARSE, altitudes[face][y]);
        }
}

// The highest ground in the coarse cell of a place and, on its face, in those beside it.
static double highest_near(Coarse altitudes, Vec3 at) {
    const GridPlace place = grid_place(upright, COARSE, at);
    const int column = index_within(place.x, COARSE), row = index_within(place.y, COARSE);
    double highest = -INFINITY;
    for (int y = max(row - 1, 0); y <= min(row + 1, COARSE - 1); y++)
        for (int x = max(column - 1, 0); x <= min(column + 1, COARSE - 1); x++)
            highest = max(highest, altitudes[place.face][y][x]);
    return highest;
}

// The highest ground near a corner, or any that is not below `lowest`.
static double highest_corner(Coarse altitudes, const Vec3 axes[3], double lowest) {
    const double out = 0.57735026918962576; // 1/√3
    double highest = -INFINITY;
    for (int corner = 0; corner < 8 && highest < lowest; corner++) {
        const double x = corner & 1 ? out : -out, y = corner & 2 ? out : -out, z = corner & 4 ? out : -out;
        const Vec3 at = { x * axes[0].x + y * axes[1].x + z * axes[2].x,
                          x * axes[0].y + y * axes[1].y + z * axes[2].y,
                          x * axes[0].z + y * axes[1].z + z * axes[2].z };
        const double near = highest_near(altitudes, at);
        highest = max(highest, near);
    }
    return highest;
}

// Turns the cube so that its corners lie in the sea, where one can.
static void turn_cube(const RiverMap *map, Vec3 axes[3]) {
    const RandomKey key = random_key(map->seeds[0] ^ map->seeds[3], 9);
    Coarse altitudes;
    double lowest = INFINITY;
    measure_coarse(map, altitudes);
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        Vec3 turned[3];
        random_axes(key, turn, turned);
        const double highest = highest_corner(altitudes, turned, lowest);
        if (highest >= lowest)
            continue;
        lowest = highest;
        memcpy(axes, turned, sizeof turned);
    }
}

// --- planets: heights --------------------------------------------------------------------------------------

enum { CELLS_MAX = 1 << 10, PARTS = 4 }; // of a row at a time; places in a cell

typedef struct Heights {
    const RiverMap *map;
    Archipelago islands; // of a map that has them
    Field *field;
} Heights;

// The mean of a quarter each.
static void set_rows(void *context, int first, int end) {
    const Heights *heights = context;
    const int side = heights->field->width;
    const double scale = PLANET_SCALE * 4 * side;
    for (int row = first; row < end; row++) {
        Vec3 places[CELLS_MAX];
        double altitudes[CELLS_MAX];
        float *cells = field_row(heights->field, row);
        for (int part = 0; part < PARTS; part++) {
            const double right = part & 1 ? 0.75 : 0.25, down = part & 2 ? 0.75 : 0.25;
            for (int x = 0; x < side; x++)
                places[x] = place_on_planet(eroded_of(heights->map)->axes, side, row / side, x + right,
                                            row % side + down);
            altitudes_at(heights->map, &heights->islands, PI / 4 / side, places, side, altitudes);
            for (int x = 0; x < side; x++)
                cells[x] = (part == 0 ? 0 : cells[x]) + (float)(altitudes[x] * scale / PARTS);
        }
    }
}

static Status planet_heights(const RiverMap *map, const Run *run, Field *field, Error *error) {
    (void)error;
    Heights heights = { map, islands_of(map), field };
    return parallel_rows(run, field->height, field->width * 4000.0, set_rows, &heights);
}

// --- small seas --------------------------------------------------------------------------------------------

// Seas of a few cells, which finer levels would lose.

enum { SMALL_SEA = 12 }; // a sea away from the border has at least as many cells

typedef struct Seas {
    float *cells;
    int width, height;
    bool planet; // the faces of a cube, one below the other
    uint8_t *seen;
    int *sea; // the cells of one
} Seas;

static void see(const Seas *seas, int cell, int *count) {
    if (seas->cells[cell] >= 0 || seas->seen[cell])
        return;
    seas->seen[cell] = 1;
    seas->sea[(*count)++] = cell;
}

// The cell at a column and row beside one of row `of`, or -1: there is none.
static int cell_beside(const Seas *seas, int x, int y, int of) {
    const int side = seas->width;
    if (!seas->planet)
        return x >= 0 && y >= 0 && x < side && y < seas->height ? y * side + x : -1;
    const int top = of / side * side;
    CubeCell cell = { of / side, x, y - top, 0 };
    return cube_resolve(side, &cell) ? (cell.face * side + (int)cell.y) * side + (int)cell.x : -1;
}

// Collects the sea around a cell. Returns whether it is a small one, whose cells are then the first `count`.
static bool is_small(const Seas *seas, int cell, int *count) {
    const int width = seas->width;
    bool border = false;
    *count = 0;
    see(seas, cell, count);
    for (int i = 0; i < *count; i++) {
        const int x = seas->sea[i] % width, y = seas->sea[i] / width;
        for (int to_y = y - 1; to_y <= y + 1; to_y++)
            for (int to_x = x - 1; to_x <= x + 1; to_x++) {
                const int beside = cell_beside(seas, to_x, to_y, y);
                border = border || (beside < 0 && !seas->planet);
                if (beside >= 0)
                    see(seas, beside, count);
            }
    }
    return !border && *count < SMALL_SEA;
}

// Raises small seas, below 0, to 0, so that they fill and spill: on finer levels such a sea shrinks to
// specks, and the rivers that end in it would end on dry land. `planet`: the field holds the faces of a cube,
// one below the other (land/cube.h), which have no border.
static Status fill_small_seas(Field *field, bool planet, Error *error) {
    const size_t cells = field_count(field);
    Seas seas = {
        .cells = field_cells(field), .width = field->width, .height = field->height, .planet = planet
    };
    seas.seen = memory_new_zeroed(cells, 1, error);
    seas.sea = seas.seen ? memory_new(cells, sizeof *seas.sea, error) : NULL;
    const Status status = seas.sea ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; status == STATUS_OK && i < cells; i++) {
        int count;
        if (is_small(&seas, (int)i, &count))
            for (int k = 0; k < count; k++)
                seas.cells[seas.sea[k]] = 0;
    }
    memory_free(seas.seen);
    memory_free(seas.sea);
    return status;
}

// --- level 0 -----------------------------------------------------------------------------------------------

// Of level 0: 256 cells, or as many as a guide has; and 512 around a planet.
enum { FLAT_DEPTH = 8, GUIDED_DEPTH_MAX = 10, PLANET_DEPTH = 9 };

// Level 0 before it is eroded, the faces one below the other, in cells, with the sea below 0.
static Status first_heights(const RiverMap *map, const Run *run, Field *field, Error *error) {
    const bool planet = map->tiling->planet;
    const Status status =
        planet ? planet_heights(map, run, field, error) : flat_heights(map, run, field, error);
    const bool guided = map->guide.width > 0;
    return status == STATUS_OK && !guided ? fill_small_seas(field, planet, error) : status;
}

// A guide says what the land is like: level 0 is not eroded.
static Status begin(const RiverMap *map, const LandRules *rules, const Run *run, Land **land, Error *error) {
    const bool planet = map->tiling->planet;
    const int side = 1 << (planet ? eroded_of(map)->depth - 2 : eroded_of(map)->depth);
    LandRules own = *rules;
    own.planet = planet;
    own.courses = map->courses;
    own.edits = map->edits;
    Field field;
    *land = NULL;
    Status status = field_create(&field, side, planet ? CUBE_FACES * side : side, error);
    if (status != STATUS_OK)
        return status;
    status = first_heights(map, run, &field, error);
    if (status == STATUS_OK)
        status = land_create(land, &own, &field, map->guide.width == 0, run, error);
    field_free(&field);
    if (status == STATUS_OK && map->watered)
        status = map_climate_begin(map, run, *land, error);
    if (status != STATUS_OK) {
        land_free(*land);
        *land = NULL;
    }
    return status;
}

static Status create(RiverMap *map, const LandRules *rules, Error *error) {
    const bool planet = map->tiling->planet;
    const int depth = planet ? PLANET_DEPTH : clamp(map->guide.depth, FLAT_DEPTH, GUIDED_DEPTH_MAX);
    const Status status = eroded_create(map, rules, depth, begin, error);
    if (status == STATUS_OK && planet)
        turn_cube(map, ((Eroded *)map->land_state)->axes);
    return status;
}

#define ERODED_METHODS                                                                                       \
    .max_pixels = ERODED_PIXELS_MAX, .wide = true, .flow = true, .create = create, .free = eroded_free,      \
    .render = eroded_render, .datum = eroded_datum, .top = eroded_top, .add_rivers = eroded_add_rivers

const LandMethods eroded_flat = { ERODED_METHODS, .prepare = eroded_prepare };
const LandMethods eroded_planet = { ERODED_METHODS, .finds_datum = true };
