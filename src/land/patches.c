// A level that consists of patches of a planet's faces: each as a level of its own, and the seams between
// them.

#include "land/falls.h"
#include "land/level.h"

Level level_part(const Level *level, const Patch *patch) {
    const size_t first = (size_t)patch->place.row * (size_t)level->width;
    Level part = *level;
    part.x = patch->place.x;
    part.y = patch->place.y;
    part.height = patch->place.height;
    part.patches = patch;
    part.patch_count = 1;
    part.count = (size_t)part.width * (size_t)part.height;
    part.z += first;
    part.next += first;
    part.spare += first;
    part.area += first;
    part.receiver += first;
    part.slope += first;
    part.direction += first;
    part.flow += first;
    part.next_flow += first;
    return part;
}

void level_exchange_arrays(const Level *level, unsigned arrays) {
    const Seams *seams = level->seams;
    if (arrays & LEVEL_ALTITUDE)
        seams_exchange_altitudes(seams, level->z);
    if (arrays & LEVEL_NEXT)
        seams_exchange_altitudes(seams, level->next);
    if (arrays & LEVEL_AREA)
        seams_exchange_floats(seams, level->area);
    if (arrays & LEVEL_RECEIVER)
        seams_exchange_receivers(seams, level->receiver, LAND_NONE);
    if (arrays & LEVEL_SLOPE)
        seams_exchange_floats(seams, level->slope);
    if (arrays & LEVEL_FLOW)
        seams_exchange_flow(seams, level->flow, FLOW_CELL + LAND_NONE);
    if (arrays & LEVEL_DIRECTION)
        seams_exchange_directions(seams, level->direction, LAND_NONE);
    if (arrays & LEVEL_COUNT)
        seams_exchange_counts(seams, level->direction, 0);
}

// The seams of patches at half their resolution: those of the coarser level's cells.
static Status coarse_seams_between(Seams *seams, const Level *level, const PatchPlace *places, Int128 side,
                                   Error *error) {
    PatchPlace coarse[PATCHES];
    for (int i = 0; i < level->patch_count; i++)
        coarse[i] = (PatchPlace){ places[i].face, places[i].x / 2, places[i].y / 2, places[i].height / 2,
                                  places[i].row / 2 };
    return seams_between(seams, coarse, level->patch_count, level->width / 2, side / 2, error);
}

Status level_sew(Level *level, Seams *seams, Seams *coarse, Int128 side, Error *error) {
    PatchPlace places[PATCHES];
    for (int i = 0; i < level->patch_count; i++) {
        places[i] = level->patches[i].place;
        places[i].y -= places[i].face * side;
    }
    Status status = seams_between(seams, places, level->patch_count, level->width, side, error);
    if (status == STATUS_OK)
        status = coarse_seams_between(coarse, level, places, side, error);
    level->seams = seams;
    level->coarse_seams = coarse;
    return status;
}
