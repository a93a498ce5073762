#include "squig/midpoints.h"

// A vertex belongs to one level only, so hashing its position is hashing the ends of its edge (figure 5).
static float displaced(const Midpoints *middles, float mean, int x, int y) {
    return mean + middles->limit * random_signed(middles->key, (uint32_t)x << middles->shift,
                                                 (uint32_t)y << middles->shift);
}

// The mean of an edge's ends; with smoothness also the corners opposite the edge on both sides, as in Loop
// subdivision (3, 3, 1, 1 eighths), which leaves fewer creases along the edges of the first levels. The
// border has one such corner and uses only its ends.
static float mean_of(const Midpoints *middles, float from, float to, const float *left, const float *right) {
    const float mean = 0.5f * (from + to);
    if (!left || !right)
        return mean;
    return mean + middles->smoothness * 0.25f * (0.5f * (*left + *right) - mean);
}

static void cross_row(const Midpoints *middles, int y) {
    Field *field = middles->field;
    const int step = middles->stride, last = field->width - 1;
    float *row = field_row(field, y);
    const float *above = y > 0 ? field_row(field, y - 2 * step) : NULL;
    const float *below = y < last ? field_row(field, y + 2 * step) : NULL;
    for (int x = step; x < last; x += 2 * step)
        row[x] = displaced(middles,
                           mean_of(middles, row[x - step], row[x + step], above ? above + x - step : NULL,
                                   below ? below + x + step : NULL),
                           x, y);
}

static void fill_row(const Midpoints *middles, int y) {
    Field *field = middles->field;
    const int step = middles->stride, last = field->width - 1;
    float *row = field_row(field, y);
    const float *up = field_row(field, y - step), *down = field_row(field, y + step);
    for (int x = 0; x <= last; x += 2 * step)
        row[x] = displaced(middles,
                           mean_of(middles, up[x], down[x], x > 0 ? up + x - 2 * step : NULL,
                                   x < last ? down + x + 2 * step : NULL),
                           x, y);
    for (int x = step; x < last; x += 2 * step)
        row[x] = displaced(
            middles, mean_of(middles, up[x - step], down[x + step], up + x + step, down + x - step), x, y);
}

static void displace_rows(void *context, int first, int end) {
    const Midpoints *middles = context;
    for (int i = first; i < end; i++) {
        const int row = middles->beside ? i - 1 : i; // what is beside begins first, for it cannot be shared
        if (middles->beside && row < 0)
            middles->beside(middles->beside_context);
        else if (row % 2 == 0)
            cross_row(middles, row * middles->stride);
        else
            fill_row(middles, row * middles->stride);
    }
}

Status midpoints_displace(const Run *run, Midpoints middles, int level, int levels) {
    const int rows = (1 << level) + 1;
    middles.stride = 1 << (levels - level);
    middles.shift = MIDPOINT_LEVELS_MAX - levels;
    return parallel_rows(run, rows + (middles.beside ? 1 : 0), rows * 4.0, displace_rows, &middles);
}
