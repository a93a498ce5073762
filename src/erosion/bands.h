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

#endif
