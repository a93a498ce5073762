// Fill, spill, merge (Barnes, Callaghan and Wickert 2021, sections 3.2 and 3.3): from the roots down it is
// known how much each depression receives in all; from that follows whether it overflows, and so what the
// other one receives. The last roots to reach an outlet may spill into earlier ones, never the other way
// round.

#include "core/math.h"
#include "core/memory.h"
#include "water/depressions.h"

#include <stdlib.h>

typedef struct Filling {
    const Depressions *all;
    double evaporation, drained;
    uint32_t *waiting; // depressions to be looked at
    uint32_t waiting_count;
    float *heights; // of the own cells of depressions that are partly full
    uint32_t *start;
} Filling;

// Water spills into a leaf: all depressions around it receive it, up to `end`.
static void spill_into(const Filling *filling, uint32_t leaf, uint32_t end, double amount) {
    Depression *at = filling->all->at;
    for (uint32_t i = leaf; i != end; i = at[i].parent)
        at[i].water += amount;
}

static void overflow(const Filling *filling, uint32_t from, uint32_t end) {
    Depression *at = filling->all->at;
    const double capacity = capacity_of(&at[from], filling->evaporation);
    spill_into(filling, at[from].beyond, end, at[from].water - capacity);
    at[from].water = capacity;
}

static void look_at_children(Filling *filling, uint32_t index) {
    Depression *at = filling->all->at, *parent = &at[index];
    double capacity[2];
    for (int i = 0; i < 2; i++)
        capacity[i] = capacity_of(&at[parent->children[i]], filling->evaporation);
    if (parent->water >= capacity[0] + capacity[1]) { // merged
        parent->holds = true;
        return;
    }
    for (int i = 0; i < 2; i++)
        if (at[parent->children[i]].water > capacity[i])
            overflow(filling, parent->children[i], index);
    for (int i = 0; i < 2; i++)
        filling->waiting[filling->waiting_count++] = parent->children[i];
}

static void look_at(Filling *filling, uint32_t index) {
    Depression *depression = &filling->all->at[index];
    if (depression->children[0] == NO_DEPRESSION ||
        depression->water >= capacity_of(depression, filling->evaporation))
        depression->holds = depression->water > 0;
    else
        look_at_children(filling, index);
}

static void fill_root(Filling *filling, uint32_t root) {
    Depression *depression = &filling->all->at[root];
    const double capacity = capacity_of(depression, filling->evaporation);
    const double excess = depression->water - capacity;
    if (excess > 0) {
        depression->water = capacity; // to the bit, so that it is full
        if (depression->beyond == 0)
            filling->drained += excess;
        else
            spill_into(filling, depression->beyond, NO_DEPRESSION, excess);
    }
    filling->waiting[filling->waiting_count++] = root;
    while (filling->waiting_count > 0)
        look_at(filling, filling->waiting[--filling->waiting_count]);
}

// --- levels ----------------------------------------------------------------------------------------------

static bool is_partial(const Filling *filling, const Depression *depression) {
    return depression->holds && depression->water < capacity_of(depression, filling->evaporation);
}

static int compare(const void *one, const void *other) {
    const float a = *(const float *)one, b = *(const float *)other;
    return (a > b) - (a < b);
}

static void gather_band(const Filling *filling, int band) {
    const Depressions *all = filling->all;
    const size_t first = own_first(all, band);
    for (size_t i = first; i < first + all->own.count[band]; i++) {
        const uint32_t own = all->own.depression[i];
        if (is_partial(filling, &all->at[own]))
            filling->heights[filling->start[own]++] = all->height->cells[all->own.cell[i]];
    }
}

static Status gather_heights(Filling *filling, Error *error) {
    const Depressions *all = filling->all;
    size_t count = 0;
    filling->start = memory_new(all->count, sizeof *filling->start, error);
    if (!filling->start)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < all->count; i++) {
        filling->start[i] = (uint32_t)count;
        count += is_partial(filling, &all->at[i]) ? all->at[i].own : 0;
    }
    filling->heights = memory_new(count + 1, sizeof *filling->heights, error);
    if (!filling->heights)
        return STATUS_MEMORY;
    for (int band = 0; band < all->own.bands.count && count > 0; band++)
        gather_band(filling, band);
    for (uint32_t i = 0; i < all->count; i++)
        if (is_partial(filling, &all->at[i])) {
            filling->start[i] -= all->at[i].own;
            qsort(filling->heights + filling->start[i], all->at[i].own, sizeof *filling->heights, compare);
        }
    return STATUS_OK;
}

// Over k cells whose heights have the sum s water w stands at (w - k e + s) / k, if no further cell is lower.
static double level_of(const Filling *filling, uint32_t index) {
    const Depression *at = filling->all->at, *depression = &at[index];
    const float *heights = filling->heights + filling->start[index];
    double cells = 0, sum = 0, last = -(double)INFINITY;
    for (int i = 0; i < 2 && depression->children[i] != NO_DEPRESSION; i++) {
        const Depression *child = &at[depression->children[i]];
        cells += child->cells;
        sum += child->sum;
        last = (double)child->rim;
    }
    for (uint32_t i = 0;; i++) {
        const double level =
            cells > 0 ? (depression->water + sum) / cells - filling->evaporation : (double)INFINITY;
        if (i == depression->own || (cells > 0 && level <= (double)heights[i]))
            return max(level, last);
        last = (double)heights[i];
        sum += last;
        cells++;
    }
}

Status depressions_fill(const Depressions *depressions, double evaporation, double *drained, Error *error) {
    Depression *at = depressions->at;
    Filling filling = { .all = depressions, .evaporation = evaporation, .drained = at[0].water };
    filling.waiting = memory_new(depressions->count, sizeof *filling.waiting, error);
    Status status = filling.waiting ? STATUS_OK : STATUS_MEMORY;
    for (uint32_t i = depressions->leaves.count; i < depressions->count; i++)
        at[i].water = 0;
    for (uint32_t i = 1; i < depressions->count; i++)
        if (at[i].parent != NO_DEPRESSION)
            at[at[i].parent].water += at[i].water;
    for (uint32_t i = depressions->root_count; i > 0 && status == STATUS_OK; i--)
        fill_root(&filling, depressions->roots[i - 1]);
    if (status == STATUS_OK)
        status = gather_heights(&filling, error);
    for (uint32_t i = 1; i < depressions->count && status == STATUS_OK; i++)
        if (at[i].holds)
            at[i].level = is_partial(&filling, &at[i]) ? level_of(&filling, i) : (double)at[i].rim;
    *drained = filling.drained;
    memory_free(filling.waiting);
    memory_free(filling.heights);
    memory_free(filling.start);
    return status;
}
