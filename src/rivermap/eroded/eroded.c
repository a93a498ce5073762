#include "rivermap/eroded/eroded.h"

#include "core/memory.h"

#include <stdatomic.h>

static Status begin(const RiverMap *map, const Run *run, Land **land, Error *error) {
    const Eroded *eroded = eroded_of(map);
    LandRules rules = eroded->rules;
    rules.hillslope *= (float)(1 << eroded->depth);
    return eroded->begin(map, &rules, run, land, error);
}

Status eroded_land(const RiverMap *map, const Run *run, Land **land, Error *error) {
    Eroded *eroded = map->land_state;
    *land = atomic_load(&eroded->land);
    if (*land)
        return STATUS_OK;
    const Status status = begin(map, run, land, error);
    Land *first = NULL;
    if (status == STATUS_OK && !atomic_compare_exchange_strong(&eroded->land, &first, *land)) {
        land_free(*land); // another thread was quicker, with the same land
        *land = first;
    }
    return status;
}

Status eroded_create(RiverMap *map, const LandRules *rules, int depth, ErodedBegin *begin_land,
                     Error *error) {
    Eroded *eroded = memory_new_zeroed(1, sizeof *eroded, error);
    map->land_state = eroded;
    if (!eroded)
        return STATUS_MEMORY;
    eroded->rules = *rules;
    eroded->depth = depth;
    eroded->begin = begin_land;
    atomic_init(&eroded->land, NULL);
    return STATUS_OK;
}

void eroded_free(void *land_state) {
    Eroded *eroded = land_state;
    if (eroded)
        land_free(atomic_load(&eroded->land));
    memory_free(eroded);
}
