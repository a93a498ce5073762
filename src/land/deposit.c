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
        for (unsigned donors = up ? donors_of(level, cell) : 0; donors;) {
            const int d = next_direction(&donors);
            const float area = level->area[towards(level, cell, d)];
            way = area > most ? d : way;
            most = max(area, most);
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

// The columns around a stream, from DEPOSIT_REACH before it on: more than it reaches, a whole vector.
enum { STAMP = 16 };

// For the cells of a span, from PAD on, and the columns beside it that stamps may touch: their altitudes and
// what they drain, the weighted sum of the rises by the floors around, the sum of weights, the share by which
// cells follow the floors, and the rise by fans.
enum { PAD = 2 * DEPOSIT_REACH, ROOM = PAD + SPAN + STAMP };
typedef struct Ground {
    int32_t z[ROOM];
    float area[ROOM], weight[ROOM], rise[ROOM], share[ROOM], fan[ROOM];
} Ground;

// The last column on either side that lies within a reach of a stream, `off` rows away. -1: none.
KERNEL_INLINE int within_reach(float reach, float off) {
    const float room = reach * reach - off * off;
    return room < 0 ? -1 : whole_int(sqrtf(room));
}

// `i`: of the ground, DEPOSIT_REACH before the stream. What lies beyond the reach gets a weight of 0.
KERNEL_INLINE void stamp_floor(const Deposits *deposits, int k, int32_t bed, float off, int i,
                               Ground *ground) {
    const float half = deposits->floor[k], reach = min(half, (float)DEPOSIT_REACH);
    const float across = ACROSS_MIN * LAND_UNITS_PER_CELL + ACROSS * (float)deposits->fall[k];
    const int last = within_reach(reach, off);
    for (int at = 0; at < STAMP; at++) {
        const float aside = (float)(at - DEPOSIT_REACH), square = aside * aside + off * off;
        const float distance = sqrtf(square), fade = 1 - square / ((reach + 1) * (reach + 1));
        const bool within = abs(at - DEPOSIT_REACH) <= last;
        const float weight = within ? fade * fade / (square + 0.1f) : 0;
        const float share = within ? (1 - distance / half) * (1 / (1 - FLAT)) : 0;
        ground->weight[i + at] += weight;
        ground->rise[i + at] += weight * ((float)difference(bed, ground->z[i + at]) + across * distance);
        ground->share[i + at] = max(ground->share[i + at], share);
    }
}

KERNEL_INLINE void stamp_fan(const Deposits *deposits, int k, int32_t bed, float drained, float off, int i,
                             Ground *ground) {
    const float reach = deposits->fan[k], more = deposits->fan_fall[k];
    const float fall = (float)deposits->fall[k] + more, most = 1.5f * drained;
    const int last = within_reach(reach, off);
    for (int at = 0; at < STAMP; at++) {
        const float aside = (float)(at - DEPOSIT_REACH), distance = sqrtf(aside * aside + off * off);
        const bool within = (abs(at - DEPOSIT_REACH) <= last) & (ground->area[i + at] <= most);
        const float rise = (float)difference(bed, ground->z[i + at]) + more * reach - fall * distance;
        ground->fan[i + at] = max(ground->fan[i + at], within ? rise : 0);
    }
}

// Streams `first` … `end` - 1, `off` rows away. `start`: the cell of their row in whose column the span
// begins.
KERNEL static void stamp_streams(const Level *level, int first, int end, float off, int start,
                                 Ground *ground) {
    const Deposits deposits = deposits_of(level);
    for (int k = first; k < end; k++) {
        const float reach = max(deposits.floor[k], deposits.fan[k]);
        const int cell = level->streams[k], i = PAD + cell - start - DEPOSIT_REACH;
        if (reach == 0 || reach < off)
            continue;
        if (deposits.floor[k] > 0)
            stamp_floor(&deposits, k, level->z[cell], off, i, ground);
        if (deposits.fan[k] > 0)
            stamp_fan(&deposits, k, level->z[cell], level->area[cell], off, i, ground);
    }
}

static void stamp_span(const Level *level, int y, int first, int end, Ground *ground) {
    const size_t cell = (size_t)y * (size_t)level->width + (size_t)first, count = (size_t)(end - first);
    memset(ground, 0, sizeof *ground);
    memcpy(ground->z + PAD, level->z + cell, count * sizeof *ground->z);
    memcpy(ground->area + PAD, level->area + cell, count * sizeof *ground->area);
    const int top = max(y - DEPOSIT_REACH, 0), bottom = min(y + DEPOSIT_REACH, level->height - 1);
    for (int row = top; row <= bottom; row++) {
        const Streams streams = streams_between(level, row, max(first - DEPOSIT_REACH, 0),
                                                min(end + DEPOSIT_REACH, level->width));
        stamp_streams(level, streams.first, streams.end, (float)abs(row - y), row * level->width + first,
                      ground);
    }
}

// level->next: the altitude to which a cell rises, or falls. Streams rise to fans alone.
KERNEL static void lay_cells(const Ground *ground, const uint8_t *restrict receiver,
                             const int32_t *restrict z, int count, int32_t *restrict next,
                             float *restrict slope) {
    for (int i = 0; i < count; i++) {
        const int at = PAD + i;
        const float share = receiver[i] == LAND_NONE ? min(ground->share[at], 1.0f) : 0;
        const float mean = share * ground->rise[at] / ground->weight[at], floor = share > 0 ? mean : 0;
        const float fan = receiver[i] == LAND_SEA ? 0 : ground->fan[at];
        const float rise = fan > 0 ? max(fan, floor) : floor, kept = fan > 0 ? 0 : 1 - share;
        next[i] = sum(z[i], whole_int(rise));
        slope[i] *= kept;
    }
}

static void lay_block(const Level *level, const Region *block) {
    Ground ground;
    for (int y = block->top; y < block->bottom; y++) {
        const size_t start = (size_t)y * (size_t)level->width;
        const Columns near = columns_by_streams(level, y, DEPOSIT_REACH, block->left, block->right);
        memcpy(level->next + start + block->left, level->z + start + block->left,
               (size_t)(block->right - block->left) * sizeof *level->z);
        for (int left = near.first; left < near.end; left += SPAN) {
            const int end = min(left + SPAN, near.end);
            const size_t cell = start + (size_t)left;
            stamp_span(level, y, left, end, &ground);
            lay_cells(&ground, level->receiver + cell, level->z + cell, end - left, level->next + cell,
                      level->slope + cell);
        }
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
        // As those of donors are, which are higher.
        for (unsigned donors = most > own ? donors_of(level, cell) : 0; donors;)
            most = min(most, level->z[towards(level, cell, next_direction(&donors))] - 1);
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
