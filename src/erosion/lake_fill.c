#include "erosion/lake_fill.h"

#include "core/math.h"
#include "core/memory.h"
#include "erosion/hillslopes.h"
#include "water/drainage_order.h"

#include <math.h>

typedef struct Lakes {
    StreamLevel *level;
    double least; // share of a lake that fills, whatever streams bring
    float deposition;
    float steepest;   // slope of a fan, in heights per cell
    float head;       // up to so many drained cells; of larger streams' plains it falls with their root
    double *capacity; // of a dam the room in its lakes; then of each cell the share of it that is filled
    double *stored;   // of each cell what has settled upstream
} Lakes;

static bool in_lake(const StreamLevel *level, size_t cell) {
    return level->start[cell] > STREAM_SEA && level->water[cell] > level->ground[cell];
}

// --- the surface of a full lake --------------------------------------------------------------------------

// Sediment rises from the dam upstream, and beyond the water's edge as long as the ground is lower.
static void find_water(void *context, const uint32_t *cells, size_t count) {
    const Lakes *lakes = context;
    const StreamLevel *level = lakes->level;
    for (size_t k = count; k > 0; k--) {
        const size_t cell = cells[k - 1], to = receiver_of(&level->tree, cell);
        const float ground = level->ground[cell], below = to == cell ? ground : level->water[to];
        const bool beside = ground < below || (to != cell && in_lake(level, to));
        const float slope = lakes->steepest * sqrtf(min(lakes->head / (float)drained_cells(level, cell), 1));
        const float rise = slope / receiver_nearness(&level->tree, cell);
        level->water[cell] = beside ? max(ground, below + rise) : ground;
    }
}

// Outside of lakes nothing sinks, and in them nothing below the ground.
static void find_least(void *context, int first, int end) {
    const StreamLevel *level = context;
    for (int y = first; y < end; y++) {
        const size_t from = padded_at(&level->tree.grid, 0, y), to = from + (size_t)level->tree.grid.width;
        for (size_t cell = from; cell < to; cell++)
            level->room[cell] = in_lake(level, cell) ? level->ground[cell] : FLT_MAX;
    }
}

// Ways of water through a lake that lie side by side may differ in length, and the sediment along them in
// height: without the slide there would be cliffs between them.
static Status find_surface(const Run *run, Lakes *lakes) {
    StreamLevel *level = lakes->level;
    const PaddedGrid *grid = &level->tree.grid;
    const Slope slope = {
        .grid = grid, .heights = level->water, .least = level->room, .most = lakes->steepest
    };
    Status status = drainage_order_up(run, &level->tree, 6, find_water, lakes);
    if (status == STATUS_OK)
        status = parallel_rows(run, grid->height, grid->width * 1.0, find_least, level);
    return status == STATUS_OK ? hillslopes_slide(run, &slope) : status;
}

// --- filling ---------------------------------------------------------------------------------------------

// Whether a lake's water has yet to come to the cell over which it spills: its dam.
static bool behind_dam(const StreamLevel *level, size_t cell) {
    return in_lake(level, cell) && !is_outlet(&level->tree, cell);
}

static void find_capacity(void *context, int first, int end) {
    const Lakes *lakes = context;
    const StreamLevel *level = lakes->level;
    for (int y = first; y < end; y++) {
        const size_t from = padded_at(&level->tree.grid, 0, y), to = from + (size_t)level->tree.grid.width;
        for (size_t cell = from; cell < to; cell++) {
            const bool wet = in_lake(level, cell);
            lakes->capacity[cell] = wet ? (double)(level->water[cell] - level->ground[cell]) : 0;
            lakes->stored[cell] = 0;
        }
    }
}

static void fill_behind_dams(void *context, const uint32_t *cells, size_t count) {
    const Lakes *lakes = context;
    const StreamLevel *level = lakes->level;
    for (size_t k = 0; k < count; k++) {
        const size_t cell = cells[k], to = receiver_of(&level->tree, cell);
        const double room = lakes->capacity[cell];
        if (behind_dam(level, cell)) {
            lakes->capacity[to] += room;
        } else if (room > 0) {
            const double came = max(level->load[cell] - lakes->stored[cell], 0);
            const double brought = came * (double)lakes->deposition;
            const double least = lakes->least * (level->mask ? (double)level->mask[cell] : 1);
            const double share = clamp(brought / room, least, 1);
            lakes->capacity[cell] = share;
            lakes->stored[cell] += share * room;
        }
        if (to != cell)
            lakes->stored[to] += lakes->stored[cell];
    }
}

static void raise_ground(void *context, const uint32_t *cells, size_t count) {
    const Lakes *lakes = context;
    const StreamLevel *level = lakes->level;
    for (size_t k = count; k > 0; k--) {
        const size_t cell = cells[k - 1];
        if (behind_dam(level, cell))
            lakes->capacity[cell] = lakes->capacity[receiver_of(&level->tree, cell)];
        if (in_lake(level, cell))
            level->ground[cell] = lerp(level->ground[cell], level->water[cell], (float)lakes->capacity[cell]);
    }
}

Status lakes_fill(const Run *run, StreamLevel *level, const StreamRule *rule, Error *error) {
    const PaddedGrid *grid = &level->tree.grid;
    const size_t count = padded_count(grid);
    Lakes lakes = { .level = level,
                    .least = (double)rule->silted,
                    .deposition = rule->deposition,
                    .steepest = rule->fan_slope / level->side,
                    .head = 5e-5f * level->side * level->side };
    if (rule->deposition <= 0)
        return STATUS_OK;
    lakes.capacity = memory_new(count, sizeof *lakes.capacity, error);
    lakes.stored = lakes.capacity ? memory_new(count, sizeof *lakes.stored, error) : NULL;
    Status status = lakes.stored ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = stream_level_load(run, level);
    if (status == STATUS_OK)
        status = find_surface(run, &lakes);
    if (status == STATUS_OK)
        status = parallel_rows(run, grid->height, grid->width * 2.0, find_capacity, &lakes);
    if (status == STATUS_OK)
        status = drainage_order_down(run, &level->tree, 6, fill_behind_dams, &lakes);
    if (status == STATUS_OK)
        status = drainage_order_up(run, &level->tree, 6, raise_ground, &lakes);
    memory_free(lakes.capacity);
    memory_free(lakes.stored);
    return status == STATUS_OK ? stream_level_drain_again(run, level, rule, error) : status;
}
