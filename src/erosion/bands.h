// Erosion in place whose differences take effect after the whole pass, without a second copy of the grids.
//
// A rule sees three rows at a time. Rows are grouped in bands, and a window of four rows moves down each
// band. The rule reads row y of the grids into the window, computes row y - 1, both of whose neighbours are
// now there, and writes row y - 2 back. The two rows at each end of a band are copied before the pass for
// the neighbouring bands. Bands may therefore run in parallel, and a pass never reads what it has changed.
// The result does not depend on the order of cells: a shifted, mirrored or rotated field erodes to the same
// land, shifted, mirrored or rotated.
//
// Where opposite edges do not meet, cells outside the field have values declared by the rule, chosen so that
// nothing is exchanged with them.

#ifndef ESKER_BANDS_H
#define ESKER_BANDS_H

#include "core/field.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/parallel.h"

enum { BAND_GRIDS_MAX = 3, WINDOW_ROWS = 4 };

enum { QUANTITIES_MAX = 9 };

// Four rows of each quantity of the rule, each row with one more cell at each end.
typedef struct Window {
    float *cells;
    int width;
    const float *outside; // the values of each quantity beyond the edges; NULL if opposite edges meet
} Window;

// Cell 0 of row y; -1 and `width` may be read, too, once the row is closed.
static inline float *window_row(const Window *window, int quantity, int y) {
    return window->cells +
           (size_t)(quantity * WINDOW_ROWS + (y & (WINDOW_ROWS - 1))) * (size_t)(window->width + 2) + 1;
}

// Adds the cells beyond both ends of a row that was just filled.
static inline void window_close(const Window *window, int quantity, int y) {
    float *row = window_row(window, quantity, y);
    const float *outside = window->outside;
    row[-1] = outside ? outside[quantity] : row[window->width - 1];
    row[window->width] = outside ? outside[quantity] : row[0];
}

// In each, y continues beyond the field's edges for the window; `field_y` is the field's row.
typedef struct BandRule {
    int quantities;
    float outside[QUANTITIES_MAX];
    void (*read)(const void *context, const Window *window, const float *const *rows, int y, int field_y);
    void (*measure)(const void *context, const Window *window, int y, int field_y);
    // `rows` still have the values from before the pass.
    void (*write)(const void *context, const Window *window, float *const *rows, int y);
} BandRule;

typedef struct Bands {
    Field *grids[BAND_GRIDS_MAX]; // of one size
    int grid_count, count;
    bool wraps; // opposite edges meet
    BandRule rule;
    const void *context;
    float *copies, *windows;
} Bands;

// Set by the caller: `grids`, `grid_count`, `wraps`, `rule` and `context`. Needs 4 × grid_count + 4 ×
// quantities rows per band.
Status bands_create(Bands *bands, Error *error);
void bands_free(Bands *bands);

// One pass over all rows.
Status bands_pass(const Run *run, Bands *bands, double cost_per_row);

// --- neighbours --------------------------------------------------------------------------------------------

// Functions of a cell's neighbours that give the same bits for a mirrored or rotated field: sums add
// opposite neighbours first, and equally low neighbours share.

// The sum of eight neighbours' values, row by row.
KERNEL_INLINE float sum_around(const float *at) {
    return ((at[0] + at[7]) + (at[2] + at[5])) + ((at[1] + at[6]) + (at[3] + at[4]));
}

KERNEL_INLINE float lowest_of(float a, float b, float c, float d) {
    const float ab = min(a, b), cd = min(c, d);
    return min(ab, cd);
}

// The share of each of the lowest neighbours: 1 to 1/4.
KERNEL_INLINE float part_of_lowest(float lowest, float a, float b, float c, float d) {
    const float ab = (a == lowest ? 1.0f : 0.0f) + (b == lowest ? 1.0f : 0.0f);
    const float cd = (c == lowest ? 1.0f : 0.0f) + (d == lowest ? 1.0f : 0.0f);
    const float equal = ab + cd;
    return equal < 2 ? 1.0f : equal < 3 ? 0.5f : equal < 4 ? 1 / 3.0f : 0.25f;
}

// What a cell of this height receives from a neighbour whose lowest neighbours may include it.
KERNEL_INLINE float part_from(float its_lowest, float its_part, float height) {
    return its_lowest == height ? its_part : 0;
}

#endif
