#include "erosion/hillslopes.h"

#include "core/kernel.h"
#include "core/math.h"

// --- crests ----------------------------------------------------------------------------------------------

typedef struct Rounding {
    const StreamLevel *level;
    float strength;
} Rounding;

KERNEL static void round_crests(void *context, int first, int end) {
    const Rounding *rounding = context;
    const StreamLevel *level = rounding->level;
    const PaddedGrid *grid = &level->tree.grid;
    const ptrdiff_t stride = (ptrdiff_t)padded_stride(grid);
    for (int y = first; y < end; y++) {
        const size_t at = padded_at(grid, 0, y);
        const float *restrict row = level->ground + at;
        float *restrict out = level->water + at;
        for (ptrdiff_t x = 0; x < grid->width; x++) {
            const float beside = (row[x - 1] + row[x + 1]) + (row[x - stride] + row[x + stride]);
            const float corners =
                (row[x - stride - 1] + row[x + stride + 1]) + (row[x - stride + 1] + row[x + stride - 1]);
            const float mean = beside * (1.0f / 6) + corners * (1.0f / 12);
            const float mask = level->mask ? level->mask[at + (size_t)x] : 1;
            out[x] = row[x] - rounding->strength * mask * max(row[x] - mean, 0);
        }
    }
}

Status hillslopes_round(const Run *run, StreamLevel *level, float strength) {
    enum { PASSES = 3 };
    const PaddedGrid *grid = &level->tree.grid;
    Rounding rounding = { level, strength };
    Status status = STATUS_OK;
    for (int i = 0; i < PASSES && status == STATUS_OK; i++) {
        padded_extend(grid, level->ground);
        status = parallel_rows(run, grid->height, grid->width * 0.6, round_crests, &rounding);
        float *swap = level->ground;
        level->ground = level->water;
        level->water = swap;
    }
    return status;
}

// --- talus -----------------------------------------------------------------------------------------------

// Lowers a cell to what may stand above its neighbours at `offsets`: two beside it, two at corners.
static inline bool slide(const StreamLevel *level, size_t cell, const ptrdiff_t offsets[4], float most) {
    float *own = level->ground + cell;
    const float mask = level->mask ? level->mask[cell] : 1;
    if (mask <= 0 || level->start[cell] <= STREAM_SEA)
        return false;
    const float beside = min(own[offsets[0]], own[offsets[1]]),
                at_corner = min(own[offsets[2]], own[offsets[3]]);
    const float limit = min(beside + most / mask, at_corner + most / mask * 1.41421356f);
    const bool slides = *own > limit;
    *own = slides ? limit : *own;
    return slides;
}

static bool slide_all(const StreamLevel *level, float most) {
    const PaddedGrid *grid = &level->tree.grid;
    const ptrdiff_t stride = (ptrdiff_t)padded_stride(grid);
    const ptrdiff_t before[] = { -1, -stride, -stride - 1, -stride + 1 };
    const ptrdiff_t behind[] = { 1, stride, stride + 1, stride - 1 };
    bool slid = false;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++)
            slid = slide(level, padded_at(grid, x, y), before, most) || slid;
    for (int y = grid->height - 1; y >= 0; y--)
        for (int x = grid->width - 1; x >= 0; x--)
            slid = slide(level, padded_at(grid, x, y), behind, most) || slid;
    return slid;
}

void hillslopes_slide(StreamLevel *level, float talus) {
    enum { SWEEPS_MAX = 16 };
    bool slid = true;
    for (int i = 0; i < SWEEPS_MAX && slid; i++) {
        padded_extend(&level->tree.grid, level->ground);
        slid = slide_all(level, talus / level->side);
    }
}
