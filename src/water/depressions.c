#include "water/depressions.h"

#include "core/math.h"
#include "core/memory.h"
#include "water/basin_rims.h"
#include "water/spills.h"

#include <math.h>

// --- hierarchy -------------------------------------------------------------------------------------------

// Parts of the land that were joined; each has its highest depression so far.
typedef struct Part {
    uint32_t part, depression;
} Part;

static uint32_t part_of(Part *parts, uint32_t leaf) {
    while (parts[leaf].part != leaf)
        leaf = parts[leaf].part = parts[parts[leaf].part].part;
    return leaf;
}

static void set_rim(Depression *depression, const Depressions *all, const Spill *spill, uint32_t beyond,
                    uint32_t parent) {
    const float *height = all->height->cells;
    depression->rim = spill->height;
    depression->beyond = beyond;
    depression->parent = parent;
    depression->outlet = height[spill->basin[0]] < spill->height ? spill->basin[1] : spill->basin[0];
}

static void join(Depressions *all, Part *parts, const Spill *spill) {
    const uint32_t leaves[2] = { all->leaves.label[spill->basin[0]], all->leaves.label[spill->basin[1]] };
    const uint32_t out = part_of(parts, 0);
    const uint32_t ends[2] = { part_of(parts, leaves[0]), part_of(parts, leaves[1]) };
    if (ends[0] == ends[1])
        return;
    const bool reaches_outlet = ends[0] == out || ends[1] == out;
    const uint32_t parent = reaches_outlet ? NO_DEPRESSION : all->count++;
    for (int side = 0; side < 2; side++) {
        const uint32_t own = parts[ends[side]].depression;
        if (ends[side] == out)
            continue;
        set_rim(&all->at[own], all, spill, leaves[!side], parent);
        if (reaches_outlet)
            all->roots[all->root_count++] = own;
        else
            all->at[parent].children[side] = own;
    }
    parts[ends[0]].part = ends[1];
    parts[ends[1]].depression = parent;
}

static Status build(Depressions *all, const SpillList *spills, Error *error) {
    const size_t most = 2 * (size_t)all->leaves.count;
    Part *parts = memory_new(all->leaves.count, sizeof *parts, error);
    all->at = memory_new(most, sizeof *all->at, error);
    all->roots = memory_new(all->leaves.count, sizeof *all->roots, error);
    if (!parts || !all->at || !all->roots) {
        memory_free(parts);
        return STATUS_MEMORY;
    }
    for (uint32_t i = 0; i < all->leaves.count; i++)
        parts[i] = (Part){ i, i };
    for (size_t i = 0; i < most; i++)
        all->at[i] = (Depression){ .parent = NO_DEPRESSION, .children = { NO_DEPRESSION, NO_DEPRESSION } };
    all->count = all->leaves.count;
    for (size_t i = 0; i < spills->count; i++)
        join(all, parts, &spills->at[i]);
    memory_free(parts);
    return STATUS_OK;
}

// Parents come after their children.
static Status list_rims(Depressions *all, Error *error) {
    all->rims = memory_new(all->count, sizeof *all->rims, error);
    if (!all->rims)
        return STATUS_MEMORY;
    for (uint32_t i = all->count; i-- > 0;) {
        const float rim = all->at[i].rim;
        const uint32_t parent = all->at[i].parent;
        all->rims[i] = (Rim){ rim, parent == NO_DEPRESSION ? rim : all->rims[parent].highest, parent };
    }
    return STATUS_OK;
}

// The smallest depression below whose rim a cell lies, which lies below the highest.
static uint32_t depression_of(const Depressions *all, uint32_t cell) {
    const float height = all->height->cells[cell];
    uint32_t at = all->leaves.label[cell];
    while (all->rims[at].height <= height)
        at = all->rims[at].parent;
    return at;
}

static size_t list_band(const Depressions *all, size_t first, size_t end) {
    uint32_t *cell = all->own.cell + first, *depression = all->own.depression + first;
    size_t count = 0;
    for (size_t i = first; i < end; i++) {
        cell[count] = (uint32_t)i;
        count += all->rims[all->leaves.label[i]].highest > all->height->cells[i];
    }
    for (size_t i = 0; i < count; i++)
        depression[i] = depression_of(all, cell[i]);
    return count;
}

static void list_bands(void *context, int first, int end) {
    const Depressions *all = context;
    const RowBands bands = all->own.bands;
    const size_t width = (size_t)all->height->width;
    for (int band = first; band < end; band++)
        all->own.count[band] = list_band(all, (size_t)(band * bands.rows) * width,
                                         (size_t)band_end(bands, all->height, band) * width);
}

static Status list_own(const Run *run, Depressions *all, Error *error) {
    const size_t cells = field_count(all->height);
    OwnCells *own = &all->own;
    own->bands = row_bands(all->height);
    all->rims[0].highest = -INFINITY;
    return (own->count = memory_new((size_t)own->bands.count, sizeof *own->count, error)) &&
                   (own->cell = memory_new(cells, sizeof *own->cell, error)) &&
                   (own->depression = memory_new(cells, sizeof *own->depression, error))
               ? parallel_rows(run, own->bands.count, 4.0 * own->bands.rows * all->height->width, list_bands,
                               all)
               : STATUS_MEMORY;
}

// --- sums ------------------------------------------------------------------------------------------------

typedef struct Measuring {
    Depressions *all;
    uint8_t *shared; // of each depression, whether several bands have cells of it
} Measuring;

// A depression of several bands has cells on both sides of an edge, if not its own then those of one in it.
static void mark_shared_in_row(const Measuring *measuring, int y) {
    const Depressions *all = measuring->all;
    const size_t width = (size_t)all->height->width, first = (size_t)y * width;
    for (size_t i = first; i < first + width; i++) {
        if (all->rims[all->leaves.label[i]].highest <= all->height->cells[i])
            continue;
        uint32_t at = depression_of(all, (uint32_t)i);
        while (at != NO_DEPRESSION && !measuring->shared[at]) {
            measuring->shared[at] = true;
            at = all->at[at].parent;
        }
    }
}

static void mark_shared(const Measuring *measuring) {
    const RowBands bands = measuring->all->own.bands;
    for (int band = 0; band + 1 < bands.count; band++) {
        mark_shared_in_row(measuring, (band + 1) * bands.rows - 1);
        mark_shared_in_row(measuring, (band + 1) * bands.rows);
    }
}

// Adds up the cells of a band, in their order, that belong to depressions of its own, or to others.
static void measure_band(const Measuring *measuring, int band, bool shared) {
    const Depressions *all = measuring->all;
    const OwnCells *own = &all->own;
    const size_t first = own_first(all, band);
    for (size_t i = first; i < first + own->count[band]; i++) {
        if (measuring->shared[own->depression[i]] != shared)
            continue;
        Depression *depression = &all->at[own->depression[i]];
        depression->own++;
        depression->cells++;
        depression->sum += (double)all->height->cells[own->cell[i]];
    }
}

// Task 0 adds up the depressions of several bands, the others those of one band each.
static void measure_side_by_side(void *context, int first, int end) {
    const Measuring *measuring = context;
    for (int task = first; task < end; task++)
        if (task > 0)
            measure_band(measuring, task - 1, false);
        else
            for (int band = 0; band < measuring->all->own.bands.count; band++)
                measure_band(measuring, band, true);
}

static Status measure(const Run *run, Depressions *all, Error *error) {
    const RowBands bands = all->own.bands;
    Measuring measuring = { all, memory_new_zeroed(all->count, 1, error) };
    if (!measuring.shared)
        return STATUS_MEMORY;
    mark_shared(&measuring);
    const Status status = parallel_rows(run, bands.count + 1, 1.0 * bands.rows * all->height->width,
                                        measure_side_by_side, &measuring);
    memory_free(measuring.shared);
    for (uint32_t i = 1; i < all->count; i++) {
        const Depression *depression = &all->at[i];
        if (depression->parent == NO_DEPRESSION)
            continue;
        all->at[depression->parent].cells += depression->cells;
        all->at[depression->parent].sum += depression->sum;
    }
    return status;
}

// --- all -------------------------------------------------------------------------------------------------

Status depressions_find(const Run *run, Depressions *depressions, Error *error) {
    const Field *height = depressions->height;
    Status status = leaves_find(run, height, depressions->sea, &depressions->leaves, error);
    SpillList rims = { 0 };
    if (status == STATUS_OK)
        status = rims_find(run, height, &depressions->leaves, &rims, error);
    if (status == STATUS_OK)
        status = build(depressions, &rims, error);
    memory_free(rims.at);
    memory_free(rims.scratch);
    if (status == STATUS_OK)
        status = list_rims(depressions, error);
    if (status == STATUS_OK)
        status = list_own(run, depressions, error);
    return status == STATUS_OK ? measure(run, depressions, error) : status;
}

void depressions_free(Depressions *depressions) {
    leaves_free(&depressions->leaves);
    memory_free(depressions->own.count);
    memory_free(depressions->own.cell);
    memory_free(depressions->own.depression);
    memory_free(depressions->at);
    memory_free(depressions->rims);
    memory_free(depressions->roots);
}
