#include "erosion/bands.h"

#include "core/math.h"
#include "core/memory.h"

#include <string.h>

enum { BANDS_MAX = 8, BAND_MIN = 16, ENDS = 2 }; // ENDS: rows copied at each end of a band

static int first_row(const Bands *bands, int band) {
    return (int)((int64_t)bands->grids[0]->height * band / bands->count);
}

static float *copied_row(const Bands *bands, int band, int grid, int i) {
    const size_t row = ((size_t)band * (size_t)bands->grid_count + (size_t)grid) * 2 * ENDS + (size_t)i;
    return bands->copies + row * (size_t)bands->grids[0]->width;
}

Status bands_create(Bands *bands, Error *error) {
    const int height = bands->grids[0]->height, most = height / BAND_MIN;
    bands->count = clamp(most, 1, BANDS_MAX);
    const int count = bands->count, width = bands->grids[0]->width;
    bands->copies = memory_new_cells(count * bands->grid_count * 2 * ENDS, width, sizeof(float), error);
    bands->windows =
        memory_new_cells(count * bands->rule.quantities * WINDOW_ROWS, width + 2, sizeof(float), error);
    return bands->copies && bands->windows ? STATUS_OK : STATUS_MEMORY;
}

void bands_free(Bands *bands) {
    memory_free(bands->copies);
    memory_free(bands->windows);
}

static int around(int y, int height) {
    return (y % height + height) % height;
}

static void copy_ends(void *context, int first, int end) {
    const Bands *bands = context;
    const Field *shape = bands->grids[0];
    for (int band = first; band < end; band++)
        for (int grid = 0; grid < bands->grid_count; grid++)
            for (int i = 0; i < 2 * ENDS; i++) {
                const int y =
                    i < ENDS ? first_row(bands, band) + i : first_row(bands, band + 1) + i - 2 * ENDS;
                memcpy(copied_row(bands, band, grid, i),
                       field_row(bands->grids[grid], around(y, shape->height)),
                       (size_t)shape->width * sizeof(float));
            }
}

// Row y of a grid as it was before the pass; -2 and -1 belong to the band above, `last` and `last` + 1 to the
// one below.
static const float *row_before(const Bands *bands, int band, int grid, int y) {
    if (y < first_row(bands, band))
        return copied_row(bands, around(band - 1, bands->count), grid, 2 * ENDS + y - first_row(bands, band));
    if (y >= first_row(bands, band + 1))
        return copied_row(bands, around(band + 1, bands->count), grid, y - first_row(bands, band + 1));
    return field_row(bands->grids[grid], y);
}

static bool is_outside(const Bands *bands, int y) {
    return !bands->wraps && (y < 0 || y >= bands->grids[0]->height);
}

static void fill_outside(const Bands *bands, const Window *window, int y) {
    for (int quantity = 0; quantity < bands->rule.quantities; quantity++)
        for (int x = -1; x <= window->width; x++)
            window_row(window, quantity, y)[x] = bands->rule.outside[quantity];
}

static void pass_band(const Bands *bands, int band) {
    const BandRule *rule = &bands->rule;
    const int width = bands->grids[0]->width, height = bands->grids[0]->height;
    const int top = first_row(bands, band), bottom = first_row(bands, band + 1);
    const size_t window_cells = (size_t)rule->quantities * WINDOW_ROWS * (size_t)(width + 2);
    const Window window = { bands->windows + (size_t)band * window_cells, width,
                            bands->wraps ? NULL : rule->outside };
    for (int y = top - 2; y < bottom + 2; y++) {
        const float *before[BAND_GRIDS_MAX];
        float *after[BAND_GRIDS_MAX];
        if (is_outside(bands, y)) {
            fill_outside(bands, &window, y);
        } else {
            for (int grid = 0; grid < bands->grid_count; grid++)
                before[grid] = row_before(bands, band, grid, y);
            rule->read(bands->context, &window, before, y, around(y, height));
        }
        if (y >= top && !is_outside(bands, y - 1))
            rule->measure(bands->context, &window, y - 1, around(y - 1, height));
        if (y < top + 2)
            continue;
        for (int grid = 0; grid < bands->grid_count; grid++)
            after[grid] = field_row(bands->grids[grid], y - 2);
        rule->write(bands->context, &window, after, y - 2);
    }
}

static void pass_bands(void *context, int first, int end) {
    for (int band = first; band < end; band++)
        pass_band(context, band);
}

Status bands_pass(const Run *run, Bands *bands, double cost_per_row) {
    const double rows = (double)bands->grids[0]->height / bands->count;
    Status status = parallel_rows(run, bands->count, bands->grids[0]->width * 0.5, copy_ends, bands);
    if (status == STATUS_OK)
        status = parallel_rows(run, bands->count, rows * cost_per_row, pass_bands, bands);
    return status;
}
