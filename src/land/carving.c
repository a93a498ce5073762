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

// Ground beside a stream that is hardly higher, or lower beyond its bank: if it were cut faster than the
// stream falls, the river would be left on a dam.
static void spare_low_banks(const Level *level, int y, int first, int end, float *carved) {
    const int32_t *z = level->z + (size_t)y * (size_t)level->width;
    const int top = max(y - CARVING_REACH, 0), bottom = min(y + CARVING_REACH, level->height - 1);
    for (int row = top; row <= bottom; row++)
        for (int k = level->stream_rows[row]; k < level->stream_rows[row + 1]; k++) {
            const int stream = level->streams[k], column = stream - row * level->width;
            for (int x = max(column - CARVING_REACH, first); x <= min(column + CARVING_REACH, end - 1); x++)
                if (difference(z[x], level->z[stream]) < LOW_BANK_HEIGHT)
                    carved[x - first] = 0;
        }
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
            spare_low_banks(level, y, x, end, carved);
            carve_row(level->slope + cell, carved, end - x, level->cut + cell);
        }
}

Status carve(Level *level) {
    return level->hillslope.carving > 0 ? level_step(level, CARVING_REACH, 1, carve_block) : STATUS_OK;
}
