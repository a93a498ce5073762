#include "rivers/drainage_order.h"

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

// Marks cells that drain into the trunk, which has yet to meet them.
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
}

static void follow_bands(void *context, int first, int end) {
    DrainageTree *tree = context;
    const size_t stride = padded_stride(&tree->grid);
    for (int i = first; i < end; i++) {
        DrainageBand *band = &tree->bands[i];
        band->count = 0;
        for (size_t row = band->first + 1; row < band->end; row += stride)
            for (size_t cell = row; cell < row + (size_t)tree->grid.width; cell++)
                if (tree->donors[cell] == 0)
                    follow(tree, band, cell);
        find_roots(tree, band);
    }
}

// --- between bands -----------------------------------------------------------------------------------------

// Moves the roots to their place behind the trunk.
static void take_roots(void *context, int first, int end) {
    DrainageTree *tree = context;
    for (int i = first; i < end; i++) {
        DrainageBand *band = &tree->bands[i];
        uint32_t *roots = tree->trunk + band->roots;
        size_t kept = 0;
        for (size_t k = 0; k < band->count; k++) {
            const uint32_t cell = band->cells[k];
            if (tree->donors[cell] == ROOT)
                *roots++ = cell;
            else
                band->cells[kept++] = cell;
        }
        band->count = kept;
    }
}

// Makes room for the trunk: first all of it, then the roots, which are read before they are written over.
static Status trunk_create(DrainageTree *tree, size_t *roots, Error *error) {
    memory_free(tree->trunk);
    tree->trunk = NULL;
    tree->trunk_count = (size_t)tree->grid.width * (size_t)tree->grid.height;
    *roots = 0;
    for (int i = 0; i < tree->band_count; i++) {
        tree->trunk_count -= tree->bands[i].count - tree->bands[i].roots;
        *roots += tree->bands[i].roots;
    }
    size_t place = tree->trunk_count - *roots;
    for (int i = 0; i < tree->band_count; i++) {
        const size_t count = tree->bands[i].roots;
        tree->bands[i].roots = place;
        place += count;
    }
    tree->trunk = memory_new(tree->trunk_count + 1, sizeof *tree->trunk, error);
    return tree->trunk ? STATUS_OK : STATUS_MEMORY;
}

static void follow_trunk(DrainageTree *tree, size_t roots) {
    size_t count = 0;
    for (size_t k = tree->trunk_count - roots; k < tree->trunk_count; k++) {
        size_t cell = tree->trunk[k], to = receiver_of(tree, cell);
        tree->trunk[count++] = (uint32_t)cell;
        while (to != cell && --tree->donors[to] == 0) {
            cell = to;
            to = receiver_of(tree, cell);
            tree->trunk[count++] = (uint32_t)cell;
        }
    }
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
    size_t roots = 0;
    status = parallel_rows(run, tree->band_count, cells * 8, follow_bands, tree);
    if (status == STATUS_OK)
        status = trunk_create(tree, &roots, error);
    if (status == STATUS_OK)
        status = parallel_rows(run, tree->band_count, cells, take_roots, tree);
    if (status == STATUS_OK)
        follow_trunk(tree, roots);
    return status;
}

// --- passes ----------------------------------------------------------------------------------------------

typedef struct Pass {
    const DrainageTree *tree;
    CellsBody *body;
    void *context;
} Pass;

static void pass_bands(void *context, int first, int end) {
    const Pass *pass = context;
    for (int i = first; i < end; i++)
        pass->body(pass->context, pass->tree->bands[i].cells, pass->tree->bands[i].count);
}

static Status pass_all_bands(const Run *run, const DrainageTree *tree, double cost, CellsBody *body,
                             void *context) {
    Pass pass = { tree, body, context };
    const double cells = (double)(tree->bands[0].end - tree->bands[0].first);
    return parallel_rows(run, tree->band_count, cells * cost, pass_bands, &pass);
}

Status drainage_order_down(const Run *run, const DrainageTree *tree, double cost, CellsBody *body,
                           void *context) {
    const Status status = pass_all_bands(run, tree, cost, body, context);
    if (status == STATUS_OK)
        body(context, tree->trunk, tree->trunk_count);
    return status;
}

Status drainage_order_up(const Run *run, const DrainageTree *tree, double cost, CellsBody *body,
                         void *context) {
    body(context, tree->trunk, tree->trunk_count);
    return pass_all_bands(run, tree, cost, body, context);
}
