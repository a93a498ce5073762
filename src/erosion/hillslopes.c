#include "erosion/hillslopes.h"

#include "core/field.h"
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

#define DIAGONAL 1.41421356f

// How far a cell may stand above another, which stood lower by `fall` before the ground was cut.
KERNEL_INLINE float cut_rise(float most, float bank, float fall) {
    return min(most, bank + max(fall, 0.0f));
}

// How high a cell may stand for its neighbour at an offset; `ease`: how easily it slides.
static inline float stable_above(const Slope *slope, size_t cell, ptrdiff_t offset, float ease,
                                 float distance) {
    const size_t other = (size_t)((ptrdiff_t)cell + offset);
    const float most = slope->most / ease * distance, bank = slope->bank / ease * distance;
    const float rise = slope->uncut ? cut_rise(most, bank, slope->uncut[cell] - slope->uncut[other]) : most;
    return slope->heights[other] + rise;
}

// Lowers a cell to what may stand above its neighbours at `offsets`: two beside it, two at corners.
static inline bool slide(const Slope *slope, size_t cell, const ptrdiff_t offsets[4]) {
    float *own = slope->heights + cell;
    const float ease = slope->mask ? slope->mask[cell] : 1;
    if (ease <= 0)
        return false;
    const float beside =
        min(stable_above(slope, cell, offsets[0], ease, 1), stable_above(slope, cell, offsets[1], ease, 1));
    const float at_corner = min(stable_above(slope, cell, offsets[2], ease, DIAGONAL),
                                stable_above(slope, cell, offsets[3], ease, DIAGONAL));
    const float stable = min(beside, at_corner);
    const float limit = slope->least ? max(stable, slope->least[cell]) : stable;
    const bool slides = *own > limit;
    *own = slides ? limit : *own;
    return slides;
}

// Slopes slide until none is too steep, which leaves each cell as low as the lowest way to it allows: the
// same ground in whatever order cells slide. So bands of rows slide on their own: every second one, then
// those between, and again where a band beside them has slid.
enum { BANDS_MAX = 256, BAND_ROWS = 64, SWEEPS_MAX = 16 }; // rows: at least

typedef struct SlidingBand {
    bool waits, slid; // whether cells may have become too steep; whether some have slid
} SlidingBand;

typedef struct Slide {
    const Slope *slope;
    int band_rows, count, parity;
    SlidingBand bands[BANDS_MAX];
} Slide;

// Whether one of some cells may be too steep above its neighbours in the row `other`, or the one at `beside`:
// with a mask, not all are that are found.
KERNEL static bool may_slide(const float *restrict row, const float *restrict other, ptrdiff_t beside,
                             float most, int count) {
    uint32_t any = 0;
    for (int x = 0; x < count; x++) {
        const float straight = min(row[x + beside], other[x]), corner = min(other[x - 1], other[x + 1]);
        any |= row[x] > min(straight + most, corner + most * DIAGONAL);
    }
    return any != 0;
}

// The same where ground was cut.
KERNEL static bool may_cave_in(const float *restrict row, const float *restrict other,
                               const float *restrict uncut, const float *restrict uncut_other,
                               ptrdiff_t beside, float most, float bank, int count) {
    const float most_aslant = most * DIAGONAL, bank_aslant = bank * DIAGONAL;
    uint32_t any = 0;
    for (int x = 0; x < count; x++) {
        const float own = uncut[x];
        const float straight = min(row[x + beside] + cut_rise(most, bank, own - uncut[x + beside]),
                                   other[x] + cut_rise(most, bank, own - uncut_other[x]));
        const float aslant = min(other[x - 1] + cut_rise(most_aslant, bank_aslant, own - uncut_other[x - 1]),
                                 other[x + 1] + cut_rise(most_aslant, bank_aslant, own - uncut_other[x + 1]));
        any |= row[x] > min(straight, aslant);
    }
    return any != 0;
}

// Whether some of `count` cells from one on may have to slide.
static bool may_move(const Slope *slope, size_t cell, ptrdiff_t other, ptrdiff_t beside, int count) {
    const float *row = slope->heights + cell;
    if (!slope->uncut)
        return may_slide(row, row + other, beside, slope->most, count);
    const float *uncut = slope->uncut + cell;
    return may_cave_in(row, row + other, uncut, uncut + other, beside, slope->most, slope->bank, count);
}

// One sweep over a row, from the left or from the right. Most pieces of it stand still.
static bool slide_row(const Slope *slope, int y, ptrdiff_t step) {
    enum { PIECE = 64 };
    const PaddedGrid *grid = slope->grid;
    const ptrdiff_t other = step * (ptrdiff_t)padded_stride(grid);
    const ptrdiff_t offsets[] = { step, other, other + step, other - step };
    const size_t row = padded_at(grid, 0, y);
    const int pieces = (grid->width + PIECE - 1) / PIECE;
    bool slid = false;
    for (int i = 0; i < pieces; i++) {
        const int left = (step < 0 ? i : pieces - 1 - i) * PIECE, count = min(PIECE, grid->width - left);
        if (!may_move(slope, row + (size_t)left, other, step, count))
            continue;
        for (int k = 0; k < count; k++) {
            const int x = left + (step < 0 ? k : count - 1 - k);
            slid = slide(slope, row + (size_t)x, offsets) || slid;
        }
    }
    return slid;
}

static bool slide_rows(const Slope *slope, int first, int end) {
    bool slid = false;
    for (int y = first; y < end; y++)
        slid = slide_row(slope, y, -1) || slid;
    for (int y = end - 1; y >= first; y--)
        slid = slide_row(slope, y, 1) || slid;
    return slid;
}

static void slide_bands(void *context, int first, int end) {
    Slide *down = context;
    for (int i = first; i < end; i++) {
        SlidingBand *band = &down->bands[2 * i + down->parity];
        const int row = (2 * i + down->parity) * down->band_rows;
        const int below = min(row + down->band_rows, down->slope->grid->height);
        bool slides = band->waits;
        band->slid = false;
        for (int sweep = 0; sweep < SWEEPS_MAX && slides; sweep++) {
            slides = slide_rows(down->slope, row, below);
            band->slid = band->slid || slides;
        }
        band->waits = slides || (band->slid && down->slope->grid->wraps); // its ends meet
    }
}

static void wake(Slide *down, int band) {
    const bool inside = band >= 0 && band < down->count;
    if (inside || down->slope->grid->wraps)
        down->bands[wrap(band, down->count)].waits = true;
}

// After every second band has slid: those beside it have to.
static void wake_bands(Slide *down) {
    for (int i = down->parity; i < down->count; i += 2)
        if (down->bands[i].slid) {
            wake(down, i - 1);
            wake(down, i + 1);
        }
}

static bool any_waits(const Slide *down) {
    bool any = false;
    for (int i = 0; i < down->count; i++)
        any = any || down->bands[i].waits;
    return any;
}

Status hillslopes_slide(const Run *run, const Slope *slope) {
    const PaddedGrid *grid = slope->grid;
    Slide down = { .slope = slope };
    down.band_rows = max((grid->height + BANDS_MAX - 1) / BANDS_MAX, BAND_ROWS);
    down.count = (grid->height + down.band_rows - 1) / down.band_rows;
    for (int i = 0; i < down.count; i++)
        down.bands[i].waits = true;
    const double cost = (double)grid->width * down.band_rows * 4;
    Status status = STATUS_OK;
    for (int i = 0; i < 2 * SWEEPS_MAX && any_waits(&down) && status == STATUS_OK; i++) {
        down.parity = i % 2;
        padded_extend(grid, slope->heights);
        status = parallel_rows(run, (down.count + 1 - down.parity) / 2, cost, slide_bands, &down);
        wake_bands(&down);
    }
    return status;
}
