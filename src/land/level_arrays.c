// The arrays of a level that sheets of edits (land/edit_sheets.h) have, too.

#include "land/level.h"

#include "core/memory.h"

Status level_arrays_new(Level *level, size_t cells, Error *error) {
    const bool watered = level->land->rules.watered;
    level->z = cells_new(cells, sizeof *level->z, error);
    level->next = cells_new(cells, sizeof *level->next, error);
    level->spare = cells_new(cells, sizeof *level->spare, error);
    level->area = cells_new(cells, sizeof *level->area, error);
    level->receiver = cells_new(cells, sizeof *level->receiver, error);
    level->runoff = watered ? cells_new(cells, sizeof *level->runoff, error) : NULL;
    level->slope = cells_new(cells, sizeof *level->slope, error);
    level->fresh = cells_new(cells, sizeof *level->fresh, error);
    level->flow = cells_new(cells, sizeof *level->flow, error);
    level->next_flow = cells_new(cells, sizeof *level->next_flow, error);
    level->cut = cells_new(cells, sizeof *level->cut, error);
    return level->z && level->next && level->spare && level->area && level->receiver && level->slope &&
                   level->fresh && level->flow && level->next_flow && level->cut &&
                   (level->runoff || !watered)
               ? STATUS_OK
               : STATUS_MEMORY;
}

Status level_wishes_new(Level *level, size_t cells, Error *error) {
    level->wanted = cells_new(cells, sizeof *level->wanted, error);
    level->marks = cells_new(cells, sizeof *level->marks, error);
    return level->wanted && level->marks ? STATUS_OK : STATUS_MEMORY;
}

void level_arrays_free(const Level *level) {
    memory_free(level->marks);
    memory_free(level->wanted);
    memory_free(level->cut);
    memory_free(level->next_flow);
    memory_free(level->flow);
    memory_free(level->fresh);
    memory_free(level->slope);
    memory_free(level->runoff);
    memory_free(level->receiver);
    memory_free(level->area);
    memory_free(level->spare);
    memory_free(level->next);
    memory_free(level->z);
}
