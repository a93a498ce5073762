// What streams lay down, before the level is eroded. Which of them: those that fall gently, or come out of
// steep ground. How much: by the root of what they drain.
//
// Where a stream's fall lessens to half and by enough it lays down a fan: a cone that falls more steeply than
// the stream goes on, over what lies lower. The beds on it rise to it. Beside a larger stream that falls
// gently lies a floor: ground is drawn to the height of the stream, what is higher worn off and what is lower
// filled up. What is laid down is not cut at this level.

#include "land/level.h"

#include "core/math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPAN = 512 };

#define STEEP 0.2f       // fall of a stream that has no floor
#define FLOOR 0.1f       // half a floor's width against the root of what is drained, for a deposition of 1
#define FLOOR_MIN 0.75f  // in cells
#define FLAT 0.5f        // share of it that is flat; beyond, the valley's side begins
#define ACROSS_MIN 0.01f // a floor's slope towards its stream
#define ACROSS 0.3f      // and against the stream's fall, or water would run beside it
#define FAN 0.67f        // a fan's length against that root
#define FAN_MAX 7.0f     // longer ones, in cells, are those of coarser levels
#define FAN_FALL 0.5f    // a fan's fall, from that of the stream behind it, 0, to that before it, 1
#define BREAK 0.08f      // minimum decrease of the stream's slope

// --- streams ----------------------------------------------------------------------------------------------

// One a stream: its fall over the next cells in units a cell; half its floor's width and its fan's length in
// cells, 0 where there is none; and how much more steeply than it a fan falls.
typedef struct Deposits {
    int32_t *fall;
    float *floor, *fan, *fan_fall;
} Deposits;

static Deposits deposits_of(const Level *level) {
    return (Deposits){ level->fresh, level->fresh_area, level->cut, level->cut + level->count / 2 };
}

// From a cell down or up along a stream: where it ends, and how far off.
static size_t follow(const Level *level, size_t cell, bool up, float *length) {
    for (int step = 0; step < FALL_REACH; step++) {
        int way = up ? NEIGHBOURS : level->receiver[cell];
        float most = 0;
        for (int d = 0; d < NEIGHBOURS && up; d++) {
            const size_t donor = towards(level, cell, d);
            if (level->receiver[donor] != opposite(d) || level->area[donor] <= most)
                continue;
            most = level->area[donor];
            way = d;
        }
        if (way >= NEIGHBOURS)
            return cell;
        *length += way & 1 ? 1 / ESKER_DIAGONAL : 1;
        cell = towards(level, cell, way);
    }
    return cell;
}

static float fall_behind(const Level *level, size_t cell) {
    float length = 0;
    const size_t end = follow(level, cell, false, &length);
    const int32_t surface = max(level->z[end], level->sea);
    return length > 0 ? (float)difference(level->z[cell], surface) / length : 0;
}

static float fall_before(const Level *level, size_t cell) {
    float length = 0;
    const size_t end = follow(level, cell, true, &length);
    return length > 0 ? (float)difference(level->z[end], level->z[cell]) / length : 0;
}

static float fan_of(const Level *level, size_t cell, float fall, float *more) {
    const float reach = FAN * level->land->rules.deposition * sqrtf(level->area[cell]);
    if (reach < 1 || reach > FAN_MAX)
        return 0;
    const float before = fall_before(level, cell);
    if (before < 2 * fall || before - fall < BREAK * LAND_UNITS_PER_CELL)
        return 0;
    *more = FAN_FALL * (before - fall);
    return min(reach, (float)DEPOSIT_REACH);
}

static float floor_of(const Level *level, size_t cell, float fall) {
    const float reach = FLOOR * level->land->rules.deposition * sqrtf(level->area[cell]);
    const float half = reach * (1 - fall * (1 / (STEEP * LAND_UNITS_PER_CELL)));
    return half >= FLOOR_MIN ? half : 0;
}

static void measure_streams(const Level *level, int y, int first, int end) {
    const Deposits deposits = deposits_of(level);
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const bool runs = level->receiver[cell] < NEIGHBOURS;
        const float fall = runs ? max(fall_behind(level, cell), 0.0f) : 0;
        deposits.fall[k] = whole_int(fall);
        deposits.floor[k] = runs ? floor_of(level, cell, fall) : 0;
        deposits.fan[k] = runs ? fan_of(level, cell, fall, &deposits.fan_fall[k]) : 0;
    }
}

// --- stamps -----------------------------------------------------------------------------------------------

// For the cells of a span: the weighted sum of the rises by the floors around, the sum of weights, the share
// by which cells follow the floors, and the rise by fans.
typedef struct Ground {
    float weight[SPAN], rise[SPAN], share[SPAN], fan[SPAN];
} Ground;

// Cells of row y, columns first … end - 1, around a stream dy rows away.
typedef struct Span {
    const Level *level;
    int y, dy, first, end;
} Span;

// The columns that lie within a reach of the stream's.
static Span within_reach(const Span *span, int column, float reach) {
    Span near = *span;
    const float off = (float)span->dy, room = reach * reach - off * off;
    const int aside = room < 0 ? -1 : whole_int(sqrtf(room));
    near.first = max(column - aside, span->first);
    near.end = min(column + aside + 1, span->end);
    return near;
}

static void stamp_floor(const Span *span, int k, int column, Ground *ground) {
    const Level *level = span->level;
    const Deposits deposits = deposits_of(level);
    const float half = deposits.floor[k], reach = min(half, (float)DEPOSIT_REACH), off = (float)span->dy;
    const float across = ACROSS_MIN * LAND_UNITS_PER_CELL + ACROSS * (float)deposits.fall[k];
    const int32_t *z = level->z + (size_t)span->y * (size_t)level->width;
    const int32_t bed = level->z[level->streams[k]];
    const Span near = within_reach(span, column, reach);
    for (int x = near.first; x < near.end; x++) {
        const float aside = (float)(x - column), square = aside * aside + off * off;
        const float distance = sqrtf(square), fade = 1 - square / ((reach + 1) * (reach + 1));
        const float weight = fade * fade / (square + 0.1f);
        const int i = x - span->first;
        ground->weight[i] += weight;
        ground->rise[i] += weight * ((float)difference(bed, z[x]) + across * distance);
        ground->share[i] = max(ground->share[i], (1 - distance / half) * (1 / (1 - FLAT)));
    }
}

static void stamp_fan(const Span *span, int k, int column, Ground *ground) {
    const Level *level = span->level;
    const Deposits deposits = deposits_of(level);
    const float reach = deposits.fan[k], off = (float)span->dy, more = deposits.fan_fall[k];
    const float fall = (float)deposits.fall[k] + more, most = 1.5f * level->area[level->streams[k]];
    const size_t start = (size_t)span->y * (size_t)level->width;
    const int32_t *z = level->z + start;
    const int32_t bed = level->z[level->streams[k]];
    const Span near = within_reach(span, column, reach);
    for (int x = near.first; x < near.end; x++) {
        const float aside = (float)(x - column), distance = sqrtf(aside * aside + off * off);
        const float rise = (float)difference(bed, z[x]) + more * reach - fall * distance;
        float *fan = &ground->fan[x - span->first];
        if (level->area[start + (size_t)x] <= most)
            *fan = max(*fan, rise);
    }
}

static void stamp_span(const Level *level, int y, int first, int end, Ground *ground) {
    const Deposits deposits = deposits_of(level);
    memset(ground, 0, sizeof *ground);
    for (int dy = -DEPOSIT_REACH; dy <= DEPOSIT_REACH; dy++) {
        const Span span = { level, y, dy, first, end };
        if (y + dy < 0 || y + dy >= level->height)
            continue;
        const float off = (float)abs(dy);
        const Streams streams = streams_between(level, y + dy, max(first - DEPOSIT_REACH, 0),
                                                min(end + DEPOSIT_REACH, level->width));
        for (int k = streams.first; k < streams.end; k++) {
            const float reach = max(deposits.floor[k], deposits.fan[k]);
            const int column = level->streams[k] - (y + dy) * level->width;
            if (reach == 0 || reach < off)
                continue;
            if (deposits.floor[k] > 0)
                stamp_floor(&span, k, column, ground);
            if (deposits.fan[k] > 0)
                stamp_fan(&span, k, column, ground);
        }
    }
}

// level->next: the altitude to which a cell rises, or falls. Streams rise to fans alone.
KERNEL static void lay_cells(const Ground *ground, const uint8_t *restrict receiver,
                             const int32_t *restrict z, int count, int32_t *restrict next,
                             float *restrict slope) {
    for (int i = 0; i < count; i++) {
        const float share = receiver[i] == LAND_NONE ? min(ground->share[i], 1.0f) : 0;
        const float mean = share * ground->rise[i] / ground->weight[i], floor = share > 0 ? mean : 0;
        const float fan = receiver[i] == LAND_SEA ? 0 : ground->fan[i];
        const float rise = fan > 0 ? max(fan, floor) : floor, kept = fan > 0 ? 0 : 1 - share;
        next[i] = sum(z[i], whole_int(rise));
        slope[i] *= kept;
    }
}

static void lay_block(const Level *level, const Region *block) {
    Ground ground;
    for (int y = block->top; y < block->bottom; y++)
        for (int left = block->left; left < block->right; left += SPAN) {
            const int end = min(left + SPAN, block->right);
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)left;
            stamp_span(level, y, left, end, &ground);
            lay_cells(&ground, level->receiver + cell, level->z + cell, end - left, level->next + cell,
                      level->slope + cell);
        }
}

KERNEL static void take_ground(int32_t *restrict z, const uint8_t *restrict receiver,
                               const int32_t *restrict next, int count) {
    for (int i = 0; i < count; i++)
        z[i] = receiver[i] == LAND_NONE ? next[i] : z[i];
}

static void take_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++) {
        const size_t cell = (size_t)y * (size_t)level->width + (size_t)block->left;
        take_ground(level->z + cell, level->receiver + cell, level->next + cell, block->right - block->left);
    }
}

// A bed rises to its fan, but stays below what its donors were, so that all falls are 1 or more.
static void find_beds(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int32_t own = level->z[cell];
        int32_t most = max(level->next[cell], own);
        for (int d = 0; d < NEIGHBOURS && most > own; d++) { // as those of donors are, which are higher
            const size_t donor = towards(level, cell, d);
            if (level->receiver[donor] == opposite(d))
                most = min(most, level->z[donor] - 1);
        }
        level->spare[k] = most;
    }
}

static void take_beds(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++)
        if (level->receiver[level->streams[k]] < NEIGHBOURS)
            level->z[level->streams[k]] = level->spare[k];
}

Status deposit(Level *level) {
    if (!level->hillslope.deposits)
        return STATUS_OK;
    Status status = level_step_streams(level, FALL_REACH, measure_streams);
    if (status == STATUS_OK)
        status = level_step(level, DEPOSIT_REACH, 5, lay_block);
    level_exchange(level, LEVEL_NEXT | LEVEL_SLOPE);
    for (int round = 0; round < AGGRADINGS && status == STATUS_OK; round++) {
        status = level_step_streams(level, 1, find_beds);
        if (status == STATUS_OK)
            status = level_step_streams(level, 0, take_beds);
        level_exchange(level, LEVEL_ALTITUDE);
    }
    if (status == STATUS_OK)
        status = level_step(level, 0, 0.5, take_block);
    level_exchange(level, LEVEL_ALTITUDE);
    return status;
}
