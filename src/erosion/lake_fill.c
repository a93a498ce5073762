#include "erosion/lake_fill.h"

#include "core/math.h"
#include "core/memory.h"

typedef struct Lakes {
    StreamLevel *level;
    uint32_t *dam;    // of each cell of a lake the cell over which it spills; of others themselves
    double *capacity; // of each dam the room in its lakes; afterwards the share of it that is filled
    double *stored;   // of each cell what has settled upstream
} Lakes;

static bool in_lake(const StreamLevel *level, size_t cell) {
    return level->start[cell] > STREAM_SEA && level->water[cell] > level->ground[cell];
}

static void find_dams(Lakes *lakes) {
    const StreamLevel *level = lakes->level;
    const DrainageTree *tree = &level->tree;
    for (size_t k = tree->count; k > 0; k--) {
        const size_t cell = tree->order[k - 1];
        const bool wet = in_lake(level, cell);
        lakes->dam[cell] =
            wet && !is_outlet(tree, cell) ? lakes->dam[receiver_of(tree, cell)] : (uint32_t)cell;
        lakes->capacity[cell] = lakes->stored[cell] = 0;
        if (wet)
            lakes->capacity[lakes->dam[cell]] += (double)(level->water[cell] - level->ground[cell]);
    }
}

static void fill_behind_dams(Lakes *lakes, float deposition) {
    const StreamLevel *level = lakes->level;
    const DrainageTree *tree = &level->tree;
    for (size_t k = 0; k < tree->count; k++) {
        const size_t cell = tree->order[k], to = receiver_of(tree, cell);
        const double room = lakes->capacity[cell];
        const double brought = max(level->load[cell] - lakes->stored[cell], 0) * (double)deposition;
        if (room > 0) {
            lakes->capacity[cell] = min(brought / room, 1);
            lakes->stored[cell] += min(brought, room);
        }
        if (to != cell)
            lakes->stored[to] += lakes->stored[cell];
    }
}

static void raise_ground(const Lakes *lakes) {
    const StreamLevel *level = lakes->level;
    for (size_t k = 0; k < level->tree.count; k++) {
        const size_t cell = level->tree.order[k];
        if (in_lake(level, cell))
            level->ground[cell] =
                lerp(level->ground[cell], level->water[cell], (float)lakes->capacity[lakes->dam[cell]]);
    }
}

Status lakes_fill(StreamLevel *level, float deposition, Error *error) {
    const size_t count = padded_count(&level->tree.grid);
    Lakes lakes = { .level = level };
    lakes.dam = memory_new(count, sizeof *lakes.dam, error);
    lakes.capacity = lakes.dam ? memory_new(count, sizeof *lakes.capacity, error) : NULL;
    lakes.stored = lakes.capacity ? memory_new(count, sizeof *lakes.stored, error) : NULL;
    if (lakes.stored) {
        find_dams(&lakes);
        fill_behind_dams(&lakes, deposition);
        raise_ground(&lakes);
    }
    const Status status = lakes.stored ? STATUS_OK : STATUS_MEMORY;
    memory_free(lakes.dam);
    memory_free(lakes.capacity);
    memory_free(lakes.stored);
    return status;
}
