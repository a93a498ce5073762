// How much faster the first levels cut slopes. The ground between the rivers of level 0 is planes; what these
// levels leave of them, finer ones cover with gullies that are all alike.

#include "land/level.h"

#include "core/math.h"

enum { LOW_BANK_HEIGHT = LAND_UNITS_PER_CELL }; // above a stream
enum { SPAN = 512 };                            // of cells
enum { BORDER_CELLS = 8 };                      // of level 0
#define CARVED 2.0f                             // of what steep ground is cut by, so much more
#define GENTLE 0.15f // slopes that are cut as on other levels: coasts stay low, and plains drain
#define STEEP 0.45f  // slopes from which on they are cut fully

// The nearer to the left or right border, or to the one that is `off_row` cells away, the less.
KERNEL static void fade_at_border(int left, int width, int off_row, float share, float most, int count,
                                  float *carved) {
    for (int i = 0; i < count; i++) {
        const int off = min(min(left + i, width - 1 - left - i), off_row);
        carved[i] = most * min((float)off * share, 1.0f);
    }
}

// Less near the map's border, where divides cannot move out: else they would be walls.
static void set_carved(const Level *level, int y, int first, int end, float *carved) {
    const float most = CARVED * level->hillslope.carving;
    for (int x = first; level->land->rules.planet && x < end; x++)
        carved[x - first] = most;
    if (level->land->rules.planet)
        return;
    const LandWindow *root = &level->land->root; // whose border is that of all levels
    const int left = (int)level->x, row = (int)level->y + y;
    const int width = root->width << level->number, height = root->height << level->number;
    const float share = 1 / (float)(BORDER_CELLS << level->number);
    const int off_row = min(row, height - 1 - row);
    fade_at_border(left + first, width, off_row, share, most, end - first, carved);
}

static bool has_streams(const Level *level, int y) {
    return level->stream_rows[y] < level->stream_rows[y + 1];
}

// Sets level->fresh to the altitudes of streams, in rows that have some.
static void spread_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++) {
        const int start = y * level->width;
        if (!has_streams(level, y))
            continue;
        for (int cell = start + block->left; cell < start + block->right; cell++)
            level->fresh[cell] = -HIGHEST;
        const Streams streams = streams_between(level, y, block->left, block->right);
        for (int k = streams.first; k < streams.end; k++)
            level->fresh[level->streams[k]] = level->z[level->streams[k]];
    }
}

KERNEL static void take_highest(const int32_t *restrict row, int count, int32_t *restrict highest) {
    for (int i = 0; i < count; i++)
        highest[i] = max(highest[i], row[i]);
}

// `highest`: of the streams of each column, from CARVING_REACH before the first on.
KERNEL static void spare_row(const int32_t *restrict z, const int32_t *restrict highest, int count,
                             float *restrict carved) {
    for (int i = 0; i < count; i++) {
        int32_t stream = highest[i];
        for (int aside = 1; aside <= 2 * CARVING_REACH; aside++)
            stream = max(stream, highest[i + aside]);
        const bool low = (stream > -HIGHEST) & (difference(z[i], stream) < LOW_BANK_HEIGHT);
        carved[i] = low ? 0 : carved[i];
    }
}

// Ground beside a stream that is hardly higher, or lower beyond its bank: if it were cut faster than the
// stream falls, the river would be left on a dam.
static void spare_low_banks(const Level *level, int y, int first, int end, float *carved) {
    int32_t highest[SPAN + 2 * CARVING_REACH] = { 0 };
    const int width = level->width, begin = first - CARVING_REACH;
    const int left = max(begin, 0), right = min(end + CARVING_REACH, width);
    const int top = max(y - CARVING_REACH, 0), bottom = min(y + CARVING_REACH, level->height - 1);
    for (int x = begin; x < end + CARVING_REACH; x++)
        highest[x - begin] = -HIGHEST;
    for (int row = top; row <= bottom; row++)
        if (has_streams(level, row))
            take_highest(level->fresh + row * width + left, right - left, highest + (left - begin));
    spare_row(level->z + y * width + first, highest, end - first, carved);
}

KERNEL static void carve_row(const float *restrict slope, const float *restrict carved, int count,
                             float *restrict cut) {
    const float scale = 1 / ((STEEP - GENTLE) * LAND_UNITS_PER_CELL), gentle = GENTLE / (STEEP - GENTLE);
    for (int i = 0; i < count; i++)
        cut[i] *= 1 + carved[i] * clamp(slope[i] * scale - gentle, 0.0f, 1.0f);
}

static void carve_block(const Level *level, const Region *block) {
    float carved[SPAN] = { 0 };
    for (int y = block->top; y < block->bottom; y++)
        for (int x = block->left; x < block->right; x += SPAN) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const int end = min(x + SPAN, block->right);
            set_carved(level, y, x, end, carved);
            const Columns near = columns_by_streams(level, y, CARVING_REACH, x, end);
            if (near.first < near.end)
                spare_low_banks(level, y, near.first, near.end, carved + (near.first - x));
            carve_row(level->slope + cell, carved, end - x, level->cut + cell);
        }
}

Status carve(Level *level) {
    if (level->hillslope.carving <= 0)
        return STATUS_OK;
    const Status status = level_begin(level, 0.5, spread_block);
    return status == STATUS_OK ? level_step(level, CARVING_REACH, 1, carve_block) : status;
}
