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
// bank is above its river.

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/noise.h"
#include "core/operation.h"
#include "core/random.h"
#include "core/whole.h"
#include "rivers/network.h"
#include "rivers/valleys.h"

#include <math.h>

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

typedef struct TileCells {
    float height[TILE * TILE], river[TILE * TILE], weight[TILE * TILE];
    float rough[TILE * TILE]; // factors of slopes
} TileCells;

// --- roughness ---------------------------------------------------------------------------------------------

// Value noise in octaves from 1/8 of the map's side down to two cells, about -1 … 1: a function of the place
// on the map, not of the cell, so that sizes agree.
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
    float strength = 0.5f * (float)ground->shape.rough, count = 8;
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
    }
}

// The height of a stretch's valley is the river's, plus its side: slope (√(d² + f²) - f), d the distance from
// the bank and f the floor's width, flat at the bottom and straight above; and a low bank at the water's
// edge, which keeps it in its bed where the floor is flat.
KERNEL static void lower_tile(const Stretch *restrict stretch, int left, int top, TileCells *restrict tile) {
    const float across = stretch->across, down = stretch->down, per_length = stretch->per_length;
    const float from_x = (float)left + 0.5f - stretch->x, from_y = (float)top + 0.5f - stretch->y;
    const float width = stretch->width;
    const float bed = width > 1.5f ? 0.5f * width : 0.75f; // at least one cell, so that water drains
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
            const float side =
                slope * tile->rough[i] * (sqrtf(beyond * beyond + floor_squared) - floor + bank);
            const float height = altitude + side;
            tile->height[i] = min(height, tile->height[i]);
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

// Heights above the highest rivers approach 1 but do not exceed it.
static void limit_tile(TileCells *tile) {
    const float top = RIVER_TOP, left = 1 - top;
    for (int i = 0; i < TILE * TILE; i++) {
        const float over = (tile->height[i] - top) / left, above = max(over, 0);
        const float limited = top + left * above / sqrtf(1 + above * above);
        tile->height[i] = over > 0 ? limited : tile->height[i];
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
        lower_tile(stretch, left, top, &beds);
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
            tile->height[i] = min(coast, tile->height[i]);
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
                    lower_tile(stretch, left, top, &tile);
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
    PARAM(Terrain, roughness, .initial = 0.3, .min = 0, .max = 0.9,
          .doc = "how much slopes vary from place to place"),
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
