#include "erosion/hillslopes.h"

#include "core/kernel.h"
#include "core/math.h"

// --- crests ----------------------------------------------------------------------------------------------

typedef struct Rounding {
    const StreamLevel *level;
    float strength;
} Rounding;

// How far a crest stands over the mean of its neighbours. Rows begin one cell to the left.
KERNEL_INLINE float crest(const float *restrict above, const float *restrict row, const float *restrict below,
                          ptrdiff_t x) {
    const float beside = (row[x] + row[x + 2]) + (above[x + 1] + below[x + 1]);
    const float corners = (above[x] + below[x + 2]) + (above[x + 2] + below[x]);
    const float mean = beside * (1.0f / 6) + corners * (1.0f / 12);
    return max(row[x + 1] - mean, 0.0f);
}

KERNEL static void round_crests_alike(const float *restrict above, const float *restrict row,
                                      const float *restrict below, float strength, int count,
                                      float *restrict out) {
    for (int x = 0; x < count; x++)
        out[x] = row[x + 1] - strength * crest(above, row, below, x);
}

KERNEL static void round_masked_crests(const float *restrict above, const float *restrict row,
                                       const float *restrict below, const float *restrict mask,
                                       float strength, int count, float *restrict out) {
    for (int x = 0; x < count; x++)
        out[x] = row[x + 1] - strength * mask[x] * crest(above, row, below, x);
}

static void round_crests(void *context, int first, int end) {
    const Rounding *rounding = context;
    const StreamLevel *level = rounding->level;
    const PaddedGrid *grid = &level->tree.grid;
    const size_t stride = padded_stride(grid);
    for (int y = first; y < end; y++) {
        const size_t at = padded_at(grid, 0, y);
        const float *row = level->ground + at - 1;
        if (level->mask)
            round_masked_crests(row - stride, row, row + stride, level->mask + at, rounding->strength,
                                grid->width, level->water + at);
        else
            round_crests_alike(row - stride, row, row + stride, rounding->strength, grid->width,
                               level->water + at);
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
