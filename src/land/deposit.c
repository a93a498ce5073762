// What streams lay down on graded levels, before they are eroded. Beside a larger stream that falls gently
// lies a floor: ground is drawn to the height of the stream, what is higher worn off and what is lower filled
// up. It is as wide as the root of what the stream drains, and does not rise at this level.

#include "land/level.h"

#include "core/math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPAN = 512 };

// Valleys' floors are as wide as about the root of what is drained, and the narrower, the steeper they fall
// (Harel et al. 2022, "Drainage reorganization induces deviations in the scaling between valley width and
// drainage area", section 1: W = k A^d with d of about 0.5, and W = k A^b S^c with c below 0).
#define STEEP 0.015f    // fall of a stream that has no floor, on the true ground
#define FLOOR 0.1f      // half a floor's width against the root of what is drained, for a deposition of 1
#define FLOOR_MIN 0.75f // in cells
#define FLAT 0.5f       // share of it that is flat; beyond, the valley's side begins
#define ACROSS 0.3f     // a floor's slope towards its stream against its fall, or water would run beside it

// --- streams ----------------------------------------------------------------------------------------------

// One a stream: its fall over the next cells in units a cell, and half its floor's width in cells, 0 where
// there is none.
typedef struct Deposits {
    int32_t *fall;
    float *floor;
} Deposits;

static Deposits deposits_of(const Level *level) {
    return (Deposits){ level->fresh, level->fresh_area };
}

// Over the next cells along the stream.
static float fall_behind(const Level *level, size_t start) {
    float length = 0;
    size_t cell = start;
    for (int step = 0; step < FALL_REACH && level->receiver[cell] < NEIGHBOURS; step++) {
        length += level->receiver[cell] & 1 ? 1 / ESKER_DIAGONAL : 1;
        cell = towards(level, cell, level->receiver[cell]);
    }
    const int32_t surface = max(level->z[cell], level->sea);
    return length > 0 ? (float)difference(level->z[start], surface) / length : 0;
}

static float floor_of(const Level *level, size_t cell, float fall) {
    const float steep = STEEP * ldexpf((float)level->cell, level->land->rules.graded - level->number);
    const float reach = FLOOR * level->land->rules.deposition * sqrtf(level->area[cell]);
    const float half = reach * (1 - fall / steep);
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
    }
}

// --- stamps -----------------------------------------------------------------------------------------------

// The columns around a stream, from DEPOSIT_REACH before it on: more than it reaches, a whole vector.
enum { STAMP = 16 };

// For the cells of a span, from PAD on, and the columns beside it that stamps may touch: their altitudes, the
// weighted sum of the rises by the floors around, the sum of weights, and the share by which cells follow the
// floors.
enum { PAD = 2 * DEPOSIT_REACH, ROOM = PAD + SPAN + STAMP };
typedef struct Ground {
    int32_t z[ROOM];
    float weight[ROOM], rise[ROOM], share[ROOM];
} Ground;

// The last column on either side that lies within a reach of a stream, `off` rows away. -1: none.
KERNEL_INLINE int within_reach(float reach, float off) {
    const float room = reach * reach - off * off;
    return room < 0 ? -1 : whole_int(sqrtf(room));
}

// `i`: of the ground, DEPOSIT_REACH before the stream. What lies beyond the reach gets a weight of 0.
KERNEL_INLINE void stamp_floor(const Deposits *deposits, int k, int32_t bed, float least, float off, int i,
                               Ground *ground) {
    const float half = deposits->floor[k], reach = min(half, (float)DEPOSIT_REACH);
    const float across = least + ACROSS * (float)deposits->fall[k];
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

// Streams `first` … `end` - 1, `off` rows away. `start`: the cell of their row in whose column the span
// begins.
KERNEL static void stamp_streams(const Level *level, int first, int end, float off, int start,
                                 Ground *ground) {
    const Deposits deposits = deposits_of(level);
    const float least = (float)(4 * level->least_fall); // of a floor towards its stream
    for (int k = first; k < end; k++) {
        const int cell = level->streams[k], i = PAD + cell - start - DEPOSIT_REACH;
        if (deposits.floor[k] > 0 && deposits.floor[k] >= off)
            stamp_floor(&deposits, k, level->z[cell], least, off, i, ground);
    }
}

static void stamp_span(const Level *level, int y, int first, int end, Ground *ground) {
    const size_t cell = (size_t)y * (size_t)level->width + (size_t)first, count = (size_t)(end - first);
    memset(ground, 0, sizeof *ground);
    memcpy(ground->z + PAD, level->z + cell, count * sizeof *ground->z);
    const int top = max(y - DEPOSIT_REACH, 0), bottom = min(y + DEPOSIT_REACH, level->height - 1);
    for (int row = top; row <= bottom; row++) {
        const Streams streams = streams_between(level, row, max(first - DEPOSIT_REACH, 0),
                                                min(end + DEPOSIT_REACH, level->width));
        stamp_streams(level, streams.first, streams.end, (float)abs(row - y), row * level->width + first,
                      ground);
    }
}

// level->next: the altitude to which a cell rises, or falls.
KERNEL static void lay_cells(const Ground *ground, const uint8_t *restrict receiver,
                             const int32_t *restrict z, int count, int32_t *restrict next,
                             float *restrict slope) {
    for (int i = 0; i < count; i++) {
        const int at = PAD + i;
        const float share = receiver[i] == LAND_NONE ? min(ground->share[at], 1.0f) : 0;
        const float mean = share * ground->rise[at] / ground->weight[at], rise = share > 0 ? mean : 0;
        next[i] = sum(z[i], whole_int(rise));
        slope[i] *= 1 - share;
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

Status deposit(Level *level) {
    if (!level->hillslope.deposits)
        return STATUS_OK;
    Status status = level_step_streams(level, FALL_REACH, measure_streams);
    if (status == STATUS_OK)
        status = level_step(level, DEPOSIT_REACH, 5, lay_block);
    level_exchange(level, LEVEL_NEXT | LEVEL_SLOPE);
    if (status == STATUS_OK)
        status = level_step(level, 0, 0.5, take_block);
    level_exchange(level, LEVEL_ALTITUDE);
    return status;
}
