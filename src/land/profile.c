// How streams lie in their ground: even falls, below what is beside them, ending where the ground does, and
// banks that hold them.

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
    const Status status = level_step_streams(level, reach, row);
    return status == STATUS_OK ? level_step_streams(level, 0, set_row) : status;
}

// (receiver + 2 own + lowest donor)/4 keeps every fall at 1 or more. Not on steep ground, whose streams
// follow benches.
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
        const int32_t shift = (difference(end_of_fall(level, cell), own) + difference(lowest, own)) >> 2;
        const float gentle = 1 - steepness(level->slope[cell]);
        level->fresh[k] = own + (gentle < 1 ? whole_int((float)shift * gentle) : shift);
    }
}

Status even_streams(Level *level) {
    Status status = STATUS_OK;
    for (int round = 0; round < EVENINGS && status == STATUS_OK; round++)
        status = set_streams(level, 1, even_row);
    return status;
}

// --- sinking ----------------------------------------------------------------------------------------------

// Below free ground to which the stream would fall more steeply than along its way.
static int32_t below_ground(const Level *level, size_t cell, float own_fall, int32_t lowest) {
    for (int d = 0; d < NEIGHBOURS; d++) {
        const size_t beside = towards(level, cell, d);
        if (level->receiver[beside] != LAND_NONE || level->z[beside] > lowest)
            continue;
        const float fall = (float)difference(level->z[cell], level->z[beside]) * inverse_distance[d];
        if (fall >= own_fall)
            lowest = level->z[beside] - 1;
    }
    return lowest;
}

// So far that a donor's steepest fall leads here, not to another stream beside it.
static int32_t below_rival(const Level *level, size_t donor, int way, int32_t own, int32_t lowest) {
    const int32_t z = level->z[donor];
    const float fall = (float)difference(z, own) * inverse_distance[way];
    for (int d = 0; d < NEIGHBOURS; d++) {
        const size_t rival = towards(level, donor, d);
        const bool stream = level->receiver[rival] < NEIGHBOURS && level->receiver[rival] != opposite(d);
        if (d == way || !stream || level->z[rival] >= z)
            continue;
        const float rival_fall = (float)difference(z, level->z[rival]) * inverse_distance[d];
        if (rival_fall < fall)
            continue;
        const int32_t below = z - whole_int(rival_fall / inverse_distance[way]) - 1;
        lowest = min(lowest, below);
    }
    return lowest;
}

// As far as the receiver lets it.
static void sink_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int receiver = level->receiver[cell];
        if (receiver >= NEIGHBOURS)
            continue;
        const int32_t own = level->z[cell], bed = end_of_fall(level, cell);
        int32_t lowest =
            below_ground(level, cell, (float)difference(own, bed) * inverse_distance[receiver], own);
        for (int d = 0; d < NEIGHBOURS; d++) {
            const size_t donor = towards(level, cell, d);
            if (level->receiver[donor] == opposite(d))
                lowest = below_rival(level, donor, opposite(d), own, lowest);
        }
        lowest = max(lowest, bed + 1);
        level->fresh[k] = min(lowest, own);
    }
}

Status sink_streams(Level *level) {
    Status status = STATUS_OK;
    for (int round = 0; round < SINKINGS && status == STATUS_OK; round++)
        status = set_streams(level, SINK_REACH, sink_row);
    return status;
}

// --- upper ends -------------------------------------------------------------------------------------------

// A stream's upper end that stands an eighth of a cell over free ground: the divide has passed it.
static void find_stranded(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int32_t low = level->z[cell] - LAND_UNITS_PER_CELL / 8;
        bool has_donor = false, stands_over = false;
        for (int d = 0; d < NEIGHBOURS; d++) {
            const size_t other = towards(level, cell, d);
            has_donor |= level->receiver[other] == opposite(d);
            stands_over |= level->receiver[other] == LAND_NONE && level->z[other] < low;
        }
        level->fresh[k] = !has_donor && stands_over;
    }
}

static void dry_up(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        if (!level->fresh[k] || level->receiver[cell] >= NEIGHBOURS)
            continue;
        level->receiver[cell] = LAND_NONE;
        level->area[cell] = 1;
    }
}

Status peel_streams(Level *level) {
    Status status = STATUS_OK;
    for (int round = 0; round < PEELINGS && status == STATUS_OK; round++) {
        status = level_step_streams(level, 1, find_stranded);
        if (status == STATUS_OK)
            status = level_step_streams(level, 0, dry_up);
    }
    return status;
}

// --- banks ------------------------------------------------------------------------------------------------

// Raises the bank of row y beside the streams of row y + dy, to where the ground falls from them no more
// steeply than they do; and notes the largest beside each cell.
static void note_banks(const Level *level, int y, int dy) {
    const int width = level->width;
    int32_t *bank = level->next + (size_t)y * (size_t)width;
    float *largest = level->cut + (size_t)y * (size_t)width;
    for (int k = level->stream_rows[y + dy]; k < level->stream_rows[y + dy + 1]; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int x = level->streams[k] - (y + dy) * width, receiver = level->receiver[cell];
        if (receiver >= NEIGHBOURS)
            continue;
        const int32_t own = level->z[cell], fall = difference(own, end_of_fall(level, cell));
        const float steep = (float)fall * inverse_distance[receiver];
        for (int dx = -1; dx <= 1; dx++) {
            if ((dx == 0 && dy == 0) || x + dx < 0 || x + dx >= width)
                continue;
            const float distance = dx != 0 && dy != 0 ? 1 / ESKER_DIAGONAL : 1;
            const int32_t least = own - whole_int(steep * distance) + 1;
            bank[x + dx] = max(bank[x + dx], least);
            largest[x + dx] = max(largest[x + dx], level->area[cell]);
        }
    }
}

static void bank_row(const Level *level, int y, int first, int end) {
    const size_t start = (size_t)y * (size_t)level->width;
    int32_t *bank = level->next + start, *z = level->z + start;
    float *largest = level->cut + start;
    const float plain = level->land->rules.flood_plain, least = plain > 0 ? 1 / (plain * plain) : AREA_MOST;
    for (int x = 0; x < level->width; x++) {
        bank[x] = level->sea + 1;
        largest[x] = 0;
    }
    for (int dy = -1; dy <= 1; dy++)
        note_banks(level, y, dy);
    for (int x = first; x < end; x++) {
        if (level->receiver[start + (size_t)x] != LAND_NONE)
            continue;
        const int32_t above = difference(z[x], bank[x]);
        z[x] = above < 0 ? bank[x] : largest[x] > least ? bank[x] + above / 8 : z[x];
    }
}

static void raise_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++)
        bank_row(level, y, block->left, block->right);
}

Status raise_banks(Level *level) {
    return level_step(level, BANK_REACH, 2, raise_block);
}
