#include "water/drainage_order.h"

#include "core/math.h"
#include "core/memory.h"

#include <string.h>

enum { ROOT = 254, DONE = 255 }; // as a number of donors: of cells that have their place in the order

// --- within bands ----------------------------------------------------------------------------------------

static void count_donors(void *context, int first, int end) {
    DrainageTree *tree = context;
    for (int i = first; i < end; i++) {
        const DrainageBand *band = &tree->bands[i];
        memset(tree->donors + band->first, 0, band->end - band->first);
        for (size_t cell = band->first; cell < band->end; cell++) {
            const size_t to = receiver_of(tree, cell);
            if (in_band(band, to))
                tree->donors[to] = (uint8_t)(tree->donors[to] + (to != cell));
        }
    }
}

// Cells of a row that drain into another band.
static void count_donors_across(DrainageTree *tree, const DrainageBand *band, size_t row) {
    for (size_t cell = row; cell < row + (size_t)tree->grid.width; cell++) {
        const size_t to = receiver_of(tree, cell);
        tree->donors[to] = (uint8_t)(tree->donors[to] + !in_band(band, to));
    }
}

// From a cell that no other drains into, downstream as long as this was the last donor.
static void follow(DrainageTree *tree, DrainageBand *band, size_t cell) {
    for (;;) {
        const size_t to = receiver_of(tree, cell);
        band->cells[band->count++] = (uint32_t)cell;
        tree->donors[cell] = DONE;
        if (to == cell || !in_band(band, to) || --tree->donors[to] > 0)
            return;
        cell = to;
    }
}

// Marks cells that drain into those left, which have yet to meet them.
static void find_roots(DrainageTree *tree, DrainageBand *band) {
    band->roots = 0;
    for (size_t k = 0; k < band->count; k++) {
        const size_t cell = band->cells[k], to = receiver_of(tree, cell);
        if (in_band(band, to)) {
            if (tree->donors[to] >= ROOT)
                continue;
            tree->donors[to]++;
        }
        tree->donors[cell] = ROOT;
        band->roots++;
    }
    band->left += band->roots - band->count;
}

static void follow_bands(void *context, int first, int end) {
    DrainageTree *tree = context;
    const size_t stride = padded_stride(&tree->grid), width = (size_t)tree->grid.width;
    for (int i = first; i < end; i++) {
        DrainageBand *band = &tree->bands[i];
        band->count = 0;
        band->left = (band->end - band->first) / stride * width;
        for (size_t row = band->first + 1; row < band->end; row += stride)
            for (size_t cell = row; cell < row + width; cell++)
                if (tree->donors[cell] == 0)
                    follow(tree, band, cell);
        find_roots(tree, band);
    }
}

// --- between bands -----------------------------------------------------------------------------------------

typedef struct Joining {
    DrainageTree *tree;
    const DrainageTier *low, *high;
} Joining;

// Moves the roots of a band to `place`; returns the place behind them.
static uint32_t *take_roots(const DrainageTree *tree, DrainageBand *band, uint32_t *place) {
    size_t kept = 0;
    for (size_t k = 0; k < band->count; k++) {
        const uint32_t cell = band->cells[k];
        if (tree->donors[cell] == ROOT)
            *place++ = cell;
        else
            band->cells[kept++] = cell;
    }
    band->count = kept;
    return place;
}

// Goes on from the roots of the bands that are joined. These come last among the cells left, so that each is
// read before it is written over.
static void join_bands(void *context, int first, int end) {
    const Joining *joining = context;
    const DrainageTier *low = joining->low;
    for (int i = first; i < end; i++) {
        DrainageBand *band = &joining->high->bands[i];
        const int begin = i * DRAINAGE_JOINED, after = min(begin + DRAINAGE_JOINED, low->count);
        uint32_t *roots = band->cells + band->left - band->roots, *place = roots;
        for (int k = begin; k < after; k++)
            place = take_roots(joining->tree, &low->bands[k], place);
        for (band->count = 0; roots < place; roots++)
            follow(joining->tree, band, *roots);
        if (joining->high->count > 1)
            find_roots(joining->tree, band);
    }
}

// Makes room for what is left of a tier's bands.
static Status tier_create(const DrainageTier *low, DrainageTier *high, Error *error) {
    size_t all = 0;
    for (int i = 0; i < high->count; i++) {
        DrainageBand *band = &high->bands[i];
        band->left = band->roots = 0;
        for (int k = i * DRAINAGE_JOINED; k < min((i + 1) * DRAINAGE_JOINED, low->count); k++) {
            band->left += low->bands[k].left;
            band->roots += low->bands[k].roots;
        }
        all += band->left;
    }
    memory_free(high->cells);
    high->cells = memory_new(all + 1, sizeof *high->cells, error);
    uint32_t *place = high->cells;
    for (int i = 0; place && i < high->count; i++) {
        high->bands[i].cells = place;
        place += high->bands[i].left;
    }
    return place ? STATUS_OK : STATUS_MEMORY;
}

// The mean number of cells that a tier's bands put in order.
static double cells_of_band(const DrainageTier *tier) {
    size_t all = 0;
    for (int i = 0; i < tier->count; i++)
        all += tier->bands[i].count;
    return (double)all / tier->count;
}

static Status join_tiers(const Run *run, DrainageTree *tree, Error *error) {
    Status status = STATUS_OK;
    for (int i = 1; i < tree->tier_count && status == STATUS_OK; i++) {
        const DrainageTier *low = &tree->tiers[i - 1], *high = &tree->tiers[i];
        Joining joining = { tree, low, high };
        status = tier_create(low, &tree->tiers[i], error);
        const double cells = (double)high->bands[0].left;
        if (status == STATUS_OK)
            status = parallel_rows(run, high->count, cells * 20, join_bands, &joining);
    }
    return status;
}

Status drainage_order_find(const Run *run, DrainageTree *tree, Error *error) {
    const size_t stride = padded_stride(&tree->grid);
    const double cells = (double)(tree->bands[0].end - tree->bands[0].first);
    Status status = parallel_rows(run, tree->band_count, cells * 3, count_donors, tree);
    if (status != STATUS_OK)
        return status;
    for (int i = 0; i < tree->band_count; i++) {
        const DrainageBand *band = &tree->bands[i];
        const size_t last = band->end - stride;
        count_donors_across(tree, band, band->first + 1);
        if (last > band->first)
            count_donors_across(tree, band, last + 1);
    }
    status = parallel_rows(run, tree->band_count, cells * 8, follow_bands, tree);
    return status == STATUS_OK ? join_tiers(run, tree, error) : status;
}

// --- passes ----------------------------------------------------------------------------------------------

typedef struct Pass {
    const DrainageTier *tier;
    CellsBody *body;
    void *context;
} Pass;

static void pass_bands(void *context, int first, int end) {
    const Pass *pass = context;
    for (int i = first; i < end; i++)
        pass->body(pass->context, pass->tier->bands[i].cells, pass->tier->bands[i].count);
}

static Status pass_tier(const Run *run, const DrainageTier *tier, double cost, CellsBody *body,
                        void *context) {
    Pass pass = { tier, body, context };
    return parallel_rows(run, tier->count, cells_of_band(tier) * cost, pass_bands, &pass);
}

Status drainage_order_down(const Run *run, const DrainageTree *tree, double cost, CellsBody *body,
                           void *context) {
    Status status = STATUS_OK;
    for (int i = 0; i < tree->tier_count && status == STATUS_OK; i++)
        status = pass_tier(run, &tree->tiers[i], cost, body, context);
    return status;
}

Status drainage_order_up(const Run *run, const DrainageTree *tree, double cost, CellsBody *body,
                         void *context) {
    Status status = STATUS_OK;
    for (int i = tree->tier_count - 1; i >= 0 && status == STATUS_OK; i--)
        status = pass_tier(run, &tree->tiers[i], cost, body, context);
    return status;
}
