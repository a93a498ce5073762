// Stream profiles: evens their falls, lowers them below the ground beside them, removes heads that stand
// above free ground, and raises banks.

#include "land/level.h"

#include "core/math.h"

static int32_t end_of_fall(const Level *level, size_t cell) {
    return max(level->z[towards(level, cell, level->receiver[cell])], level->sea);
}

// Altitudes of streams as level->fresh has them.
static void set_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++)
        if (level->receiver[level->streams[k]] < NEIGHBOURS)
            level->z[level->streams[k]] = level->fresh[k];
}

static Status set_streams(Level *level, int reach, LevelStreams *row) {
    Status status = level_step_streams(level, reach, row);
    if (status == STATUS_OK)
        status = level_step_streams(level, 0, set_row);
    level_exchange(level, LEVEL_ALTITUDE);
    return status;
}

// (receiver + 2 own + lowest donor)/4 keeps every fall at 1 or more.
static void even_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int32_t own = level->z[cell];
        level->fresh[k] = own;
        if (level->receiver[cell] >= NEIGHBOURS)
            continue;
        int32_t lowest = HIGHEST;
        for (int d = 0; d < NEIGHBOURS; d++) {
            const size_t donor = towards(level, cell, d);
            if (level->receiver[donor] == opposite(d))
                lowest = min(lowest, level->z[donor]);
        }
        if (lowest == HIGHEST)
            continue;
        const int32_t shift = sum(difference(end_of_fall(level, cell), own), difference(lowest, own)) >> 2;
        level->fresh[k] = sum(own, shift);
    }
}

Status even_streams(Level *level) {
    Status status = STATUS_OK;
    for (int round = 0; round < EVENINGS && status == STATUS_OK; round++)
        status = set_streams(level, 1, even_row);
    return status;
}

// --- sinking ----------------------------------------------------------------------------------------------

// Constant while streams sink, per stream cell: the lowest free ground that shares a side and a corner with
// it (HIGHEST: none), and the directions, as bits, of the donors that are adjacent to another stream that is
// not their donor.
typedef struct Sides {
    int32_t *straight, *aslant;
    uint16_t *rivals;
} Sides;

static Sides sides_of(const Level *level) {
    return (Sides){ level->next, level->spare, level->direction };
}

static bool is_rival(const Level *level, size_t donor, int way, int direction) {
    const int receiver = level->receiver[towards(level, donor, direction)];
    return direction != way && receiver < NEIGHBOURS && receiver != opposite(direction);
}

static bool has_rivals(const Level *level, size_t donor, int way) {
    bool any = false;
    for (int d = 0; d < NEIGHBOURS && !any; d++)
        any = is_rival(level, donor, way, d);
    return any;
}

static int donors_with_rivals(const Level *level, size_t cell) {
    int donors = 0;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const size_t donor = towards(level, cell, d);
        if (level->receiver[donor] == opposite(d) && has_rivals(level, donor, opposite(d)))
            donors |= 1 << d;
    }
    return donors;
}

static void measure_sides(const Level *level, int y, int first, int end) {
    const Sides sides = sides_of(level);
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        int32_t lowest[2] = { HIGHEST, HIGHEST };
        for (int d = 0; d < NEIGHBOURS; d++) {
            const size_t beside = towards(level, cell, d);
            const int32_t z = level->receiver[beside] == LAND_NONE ? level->z[beside] : HIGHEST;
            lowest[d & 1] = min(lowest[d & 1], z);
        }
        sides.straight[k] = lowest[0];
        sides.aslant[k] = lowest[1];
        sides.rivals[k] = (uint16_t)donors_with_rivals(level, cell);
    }
}

// Lowers the stream below free ground that is a steeper descent than its receiver.
static int32_t below_ground(int32_t own, int32_t ground, float closeness, float own_fall, int32_t lowest) {
    const bool steeper = ground <= own && (float)difference(own, ground) * closeness >= own_fall;
    const int32_t below = steeper ? ground - 1 : own;
    return min(lowest, below);
}

// Lowers the stream until its donors' steepest descent leads here, not to another adjacent stream.
static int32_t below_rivals(const Level *level, size_t donor, int way, int32_t own, int32_t lowest) {
    const int32_t z = level->z[donor];
    const float fall = (float)difference(z, own) * inverse_distance[way];
    for (int d = 0; d < NEIGHBOURS; d++) {
        const size_t rival = towards(level, donor, d);
        if (!is_rival(level, donor, way, d) || level->z[rival] >= z)
            continue;
        const float rival_fall = (float)difference(z, level->z[rival]) * inverse_distance[d];
        if (rival_fall < fall)
            continue;
        const int32_t below = difference(z, whole_int(rival_fall / inverse_distance[way])) - 1;
        lowest = min(lowest, below);
    }
    return lowest;
}

// The fall that sinking leaves a stream. Streams that fall by a unit a step can never bend: a bend needs a
// fall for each of its cells, and finer levels divide what there is. Less on plains, and on the finest levels
// without soil, where streams would be left above the ground beside them.
int32_t gentlest_fall(const Level *level, size_t cell) {
    enum { FINE = 12 };
    const float most = level->number > FINE ? 4 : 32, of_ground = level->slope[cell] / 8;
    return whole_int(clamp(of_ground, 1.0f, most));
}

// Limits the lowering: the stream stays above its receiver.
static void sink_row(const Level *level, int y, int first, int end) {
    const Sides sides = sides_of(level);
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int receiver = level->receiver[cell];
        if (receiver >= NEIGHBOURS)
            continue;
        const int32_t own = level->z[cell], bed = end_of_fall(level, cell);
        const float fall = (float)difference(own, bed) * inverse_distance[receiver];
        int32_t lowest = own;
        if (!level->hillslope.soil) {
            lowest = below_ground(own, sides.straight[k], 1, fall, lowest);
            lowest = below_ground(own, sides.aslant[k], ESKER_DIAGONAL, fall, lowest);
        }
        for (unsigned left = sides.rivals[k]; left; left &= left - 1) {
            const int d = __builtin_ctz(left);
            lowest = below_rivals(level, towards(level, cell, d), opposite(d), own, lowest);
        }
        lowest = max(lowest, bed + gentlest_fall(level, cell));
        level->fresh[k] = min(lowest, own);
    }
}

Status sink_streams(Level *level) {
    Status status = level_step_streams(level, SINK_REACH, measure_sides);
    for (int round = 0; round < SINKINGS && status == STATUS_OK; round++)
        status = set_streams(level, round == 0 ? 0 : SINK_REACH, sink_row);
    return status;
}

// --- upper ends -------------------------------------------------------------------------------------------

// How many donors each stream has.
static void count_donors(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        int donors = 0;
        for (int d = 0; d < NEIGHBOURS; d++)
            donors += level->receiver[towards(level, cell, d)] == opposite(d);
        level->direction[cell] = (uint16_t)donors;
    }
}

// Whether a stream head is an eighth of a cell above free ground: the divide has moved past it.
static void find_stranded(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int32_t low = level->z[cell] - LAND_UNITS_PER_CELL / 8;
        bool stands_over = false;
        level->fresh[k] = 0;
        if (level->direction[cell] > 0 || level->receiver[cell] >= NEIGHBOURS)
            continue;
        for (int d = 0; d < NEIGHBOURS; d++) {
            const size_t other = towards(level, cell, d);
            stands_over |= level->receiver[other] == LAND_NONE && level->z[other] < low;
        }
        level->fresh[k] = stands_over;
    }
}

static void dry_row(const Level *level, int y) {
    const Streams streams = streams_of_row(level, y);
    for (int k = streams.first; k < streams.end; k++) {
        if (!level->fresh[k])
            continue;
        const size_t cell = (size_t)level->streams[k];
        level->direction[towards(level, cell, level->receiver[cell])]--;
        level->receiver[cell] = LAND_NONE;
        level->area[cell] = 1;
    }
}

typedef struct Drying {
    const Level *level;
    int odd; // whether the second of two bands dries up
} Drying;

enum { BAND = 32 }; // rows

static void dry_bands(void *context, int first, int end) {
    const Drying *drying = context;
    const Region *region = &drying->level->region;
    for (int pair = first; pair < end; pair++) {
        const int top = region->top + (2 * pair + drying->odd) * BAND;
        for (int y = top; y < min(top + BAND, region->bottom); y++)
            dry_row(drying->level, y);
    }
}

// Every second band, and then those between, because two removed cells may share a receiver.
static Status dry_up(const Level *level) {
    const int rows = level->region.bottom - level->region.top, pairs = (rows + 2 * BAND - 1) / (2 * BAND);
    Status status = STATUS_OK;
    for (int odd = 0; odd < 2 && status == STATUS_OK; odd++)
        status =
            parallel_rows(level->run, pairs, level->width * 0.3 * BAND, dry_bands, &(Drying){ level, odd });
    return status;
}

Status peel_streams(Level *level) {
    Status status = level_step_streams(level, 1, count_donors);
    for (int round = 0; round < PEELINGS && status == STATUS_OK; round++) {
        status = level_step_streams(level, round == 0 ? 0 : 1, find_stranded);
        if (status == STATUS_OK)
            status = dry_up(level);
        level_exchange(level, LEVEL_RECEIVER | LEVEL_AREA | LEVEL_COUNT);
    }
    return status;
}

// --- banks ------------------------------------------------------------------------------------------------

// Raises the bank of row y beside the streams of row y + dy, to where the ground falls from them no more
// steeply than they do. A stream that ends on free ground has no bank there: other rows raise that ground.
static void note_banks(const Level *level, int y, int dy) {
    const int width = level->width;
    int32_t *bank = level->next + (size_t)y * (size_t)width;
    for (int k = level->stream_rows[y + dy]; k < level->stream_rows[y + dy + 1]; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int x = level->streams[k] - (y + dy) * width, receiver = level->receiver[cell];
        if (receiver >= NEIGHBOURS || level->receiver[towards(level, cell, receiver)] == LAND_NONE)
            continue;
        const int32_t own = level->z[cell], fall = difference(own, end_of_fall(level, cell));
        const float steep = (float)fall * inverse_distance[receiver];
        for (int dx = -1; dx <= 1; dx++) {
            if ((dx == 0 && dy == 0) || x + dx < 0 || x + dx >= width)
                continue;
            const float distance = dx != 0 && dy != 0 ? 1 / ESKER_DIAGONAL : 1;
            const int32_t least = sum(difference(own, whole_int(steep * distance)), 1);
            bank[x + dx] = max(bank[x + dx], least);
        }
    }
}

KERNEL static void raise_ground(int32_t *restrict z, const uint8_t *restrict receiver,
                                const int32_t *restrict bank, int count) {
    for (int i = 0; i < count; i++) {
        const int32_t raised = max(z[i], bank[i]);
        z[i] = receiver[i] == LAND_NONE ? raised : z[i];
    }
}

static void bank_block(const Level *level, const Region *block) {
    const int width = level->width;
    const int32_t lowest = level->sea + 1;
    for (int y = block->top; y < block->bottom; y++) {
        int32_t *bank = level->next + (size_t)y * (size_t)width;
        for (int x = 0; x < width; x++)
            bank[x] = lowest;
        for (int dy = -1; dy <= 1; dy++)
            note_banks(level, y, dy);
    }
}

static void raise_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++) {
        const size_t start = (size_t)y * (size_t)level->width + (size_t)block->left;
        raise_ground(level->z + start, level->receiver + start, level->next + start,
                     block->right - block->left);
    }
}

// Two steps, because raising stores streams too, which other rows read for their banks.
Status raise_banks(Level *level) {
    Status status = level_step(level, BANK_REACH, 1.5, bank_block);
    if (status == STATUS_OK)
        status = level_step(level, 0, 0.5, raise_block);
    level_exchange(level, LEVEL_ALTITUDE);
    return status;
}
