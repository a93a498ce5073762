// Deposits at the coast: deltas at the mouths of streams, and beaches.
//
// A delta grows on the levels on which it is a few cells long, two cells on each: the first sea cell becomes
// a stream cell, the cells beside it land, and the sea around becomes shallow; otherwise the next level's
// spline would drown the delta.

#include "land/level.h"

#include "core/math.h"
#include "land/runoff.h"

#include <math.h>
#include <string.h>

#define DELTA 0.5f     // length of a delta per √(drained area), at deposition 1
#define DELTA_MAX 8.0f // maximum, in cells; coarser levels make longer ones
#define BEACH 0.4f     // coasts with this slope or more have no beach

enum { DELTA_HEIGHTS = 24, SHALLOWS = 32 }; // of a cell: as many deltas are one high, and shallows deep
enum { TAKEN = 1 };                         // in level->direction: a stream's new cell, or the sea before it

static bool is_water(const Level *level, size_t cell) {
    return level->receiver[cell] == LAND_SEA && level->z[cell] <= level->sea;
}

// --- deltas -----------------------------------------------------------------------------------------------

// Streams that drain into a cell.
typedef struct Mouth {
    float area, largest, water; // water: area times runoff, of a watered land
    int32_t lowest;             // altitude
    int count;                  // of the largest
} Mouth;

static Mouth mouth_of(const Level *level, size_t cell) {
    Mouth mouth = { .lowest = HIGHEST };
    for (int d = 0; d < NEIGHBOURS; d++) {
        const size_t donor = towards(level, cell, d);
        if (level->receiver[donor] != opposite(d) || level->area[donor] < level->hillslope.stream_area)
            continue;
        mouth.area += level->area[donor];
        mouth.water += level->runoff ? level->area[donor] * runoff_of(level->runoff[donor]) : 0;
        mouth.lowest = min(mouth.lowest, level->z[donor]);
        if (level->area[donor] > mouth.largest)
            mouth.count = 0;
        mouth.largest = max(mouth.largest, level->area[donor]);
        mouth.count += level->area[donor] == mouth.largest;
    }
    return mouth;
}

// Whether its neighbours have neighbours.
static bool is_inside(const Level *level, size_t cell) {
    const int x = (int)(cell % (size_t)level->width), y = (int)(cell / (size_t)level->width);
    return x > 1 && y > 1 && x < level->width - 2 && y < level->height - 2;
}

// Whether the stream is the only largest one that runs into its cell of the sea, with open water before it.
static bool grows(const Level *level, size_t cell) {
    const int way = level->receiver[cell];
    const float reach = DELTA * level->land->rules.deposition * sqrtf(level->area[cell]);
    if (way >= NEIGHBOURS || reach < 1 || reach >= DELTA_MAX)
        return false;
    const size_t first = towards(level, cell, way);
    if (!is_inside(level, first) || !is_water(level, first))
        return false;
    for (int turn = -1; turn <= 1; turn++)
        if (!is_water(level, towards(level, first, (way + turn) & 7)))
            return false;
    const Mouth mouth = mouth_of(level, first);
    return mouth.largest == level->area[cell] && mouth.count == 1 &&
           mouth.lowest >= level->sea + 4 * level->least_fall &&
           mouth_of(level, towards(level, first, way)).area == 0;
}

static void mark_mouths(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++)
        level->fresh[k] = grows(level, (size_t)level->streams[k]);
}

static void become_land(const Level *level, size_t cell, int32_t altitude, float area, int receiver) {
    level->z[cell] = altitude;
    level->spare[cell] = altitude; // the ground where no stream runs
    level->area[cell] = area;
    level->receiver[cell] = (uint8_t)receiver;
}

static void extend_stream(const Level *level, size_t cell) {
    const int way = level->receiver[cell];
    const size_t first = towards(level, cell, way), next = towards(level, first, way);
    const Mouth mouth = mouth_of(level, first);
    const int32_t above = difference(mouth.lowest, level->sea) / 2;
    level->direction[first] = level->direction[next] = TAKEN;
    become_land(level, first, level->sea + min(above, level->cell / DELTA_HEIGHTS), min(mouth.area, AREA_MAX),
                way);
    if (level->runoff)
        level->runoff[first] = runoff_code(mouth.water / mouth.area);
}

// The cells beside and behind a stream's new one.
static void widen_stream(const Level *level, size_t cell) {
    const int way = level->receiver[cell];
    const size_t first = towards(level, cell, way);
    for (int turn = 2; turn <= 6; turn++) {
        const size_t beside = towards(level, first, (way + turn) & 7);
        if (is_water(level, beside) && level->direction[beside] != TAKEN && mouth_of(level, beside).area == 0)
            become_land(level, beside, level->sea + level->cell / DELTA_HEIGHTS, 1, LAND_NONE);
    }
}

// The sea around a stream's new cell becomes shallow, up to two such steps from where the stream ended, and
// from there on ever deeper: as shallow everywhere, it would be a square, in the shape of which the coast
// grows.
static void raise_floor(const Level *level, size_t cell) {
    const int way = level->receiver[cell], ahead_x = neighbour_x[way], ahead_y = neighbour_y[way];
    const size_t first = towards(level, cell, way);
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            const size_t around = (size_t)((ptrdiff_t)first + dy * (ptrdiff_t)level->width + dx);
            const int x = ahead_x + dx, y = ahead_y + dy, step = ahead_x * ahead_x + ahead_y * ahead_y;
            const float away = (float)(x * x + y * y) / (float)(4 * step);
            const int32_t shallow = level->cell / SHALLOWS;
            const int32_t depth = whole_int((float)shallow * max(away * away * away, 1));
            if (is_water(level, around))
                level->z[around] = max(level->z[around], level->sea - depth);
        }
}

// Mouths are few: one after another.
static void for_mouths(const Level *level, void (*change)(const Level *, size_t)) {
    for (int y = level->region.top; y < level->region.bottom; y++) {
        const Streams streams = streams_of_row(level, y);
        for (int k = streams.first; k < streams.end; k++)
            if (level->fresh[k])
                change(level, (size_t)level->streams[k]);
    }
}

static void free_marks(const Level *level, size_t cell) {
    const size_t first = towards(level, cell, level->receiver[cell]);
    level->direction[first] = level->direction[towards(level, first, level->receiver[first])] = 0;
}

Status lay_deltas(Level *level) {
    if (!level->hillslope.deposits)
        return STATUS_OK;
    if (level->dry || level->sea >= HIGHEST) {
        level_shrink(level, MOUTH_REACH + DELTA_REACH);
        return STATUS_OK;
    }
    const Status status = level_step_streams(level, MOUTH_REACH, mark_mouths);
    if (status != STATUS_OK)
        return status;
    for_mouths(level, extend_stream);
    for_mouths(level, widen_stream);
    for_mouths(level, raise_floor);
    for_mouths(level, free_marks);
    level_shrink(level, DELTA_REACH);
    level_exchange(level, LEVEL_ALTITUDE | LEVEL_AREA | LEVEL_RECEIVER);
    return STATUS_OK;
}

// --- beaches ----------------------------------------------------------------------------------------------

static bool is_coast(const Level *level, size_t cell) {
    bool coast = false;
    for (int d = 0; d < NEIGHBOURS; d++)
        coast |= is_water(level, towards(level, cell, d));
    return coast;
}

static bool has_sea(const Level *level, int y) {
    return memchr(level->receiver + (size_t)y * (size_t)level->width, LAND_SEA, (size_t)level->width);
}

// At each level cells beside the sea keep a share of their height above it, so the shore is concave.
static void beach_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++) {
        if (!has_sea(level, y - 1) && !has_sea(level, y) && !has_sea(level, y + 1))
            continue;
        for (int x = block->left; x < block->right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const float steep = level->slope[cell] * (1 / (BEACH * (float)level->cell));
            if (level->receiver[cell] != LAND_NONE || steep >= 1 || !is_coast(level, cell))
                continue;
            const float kept = 1 - (1 - steep) * level->land->rules.deposition;
            const int32_t above = whole_int((float)difference(level->z[cell], level->sea) * kept);
            level->z[cell] = level->sea + max(above, level->least_fall);
            level->slope[cell] *= 0.5f + 0.5f * kept; // so it rises less
        }
    }
}

Status lay_beaches(Level *level) {
    if (!level->hillslope.deposits)
        return STATUS_OK;
    if (level->dry || level->sea >= HIGHEST) {
        level_shrink(level, 1);
        return STATUS_OK;
    }
    const Status status = level_step(level, 1, 1, beach_block);
    level_exchange(level, LEVEL_ALTITUDE);
    return status;
}
