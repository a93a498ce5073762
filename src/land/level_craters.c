// The bowls of craters on the levels that they enter, between erosion and drainage.

#include "land/craters.h"
#include "land/level.h"

// A crater's bowl is all its own, and its water ends at its lowest place or in its lake: streams that come
// into it end there, and those that leave it begin at its rim. Until the level is drained it is no free
// ground, so that nothing fills it. True if a stream ends to be one.
static bool dig_crater(const Level *level, size_t cell) {
    const int32_t wanted = max(level->wanted[cell], level->sea + level->least_fall);
    const int receiver = level->receiver[cell];
    const bool pool = level->marks[cell] == MARK_POOL, stream = receiver < NEIGHBOURS;
    if (level->z[cell] <= level->sea || (stream && wanted >= level->z[cell] && !pool)) {
        level->marks[cell] = MARK_NEAR;
        return false;
    }
    if (receiver == LAND_SEA) // where the water of the coarser level's bowl ends: streams there may be lower
        level->marks[cell] = MARK_BOTTOM;
    level->z[cell] = receiver == LAND_SEA && !pool ? min(wanted, level->z[cell]) : wanted;
    level->wanted[cell] = UNWANTED;
    level->receiver[cell] = pool ? LAND_LAKE : LAND_SEA;
    level->area[cell] = 1;
    return stream;
}

void free_craters(const Level *level) {
    const Region box = level->changed;
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            if (level->marks[cell] == MARK_BOWL)
                level->receiver[cell] = LAND_NONE;
        }
}

Status dig_craters(Level *level) {
    const Region box = level->changed;
    bool any = false;
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            if (level->marks[cell] >= MARK_BOWL && level->wanted[cell] != UNWANTED)
                any |= dig_crater(level, cell);
        }
    return any ? list_streams(level) : STATUS_OK;
}
