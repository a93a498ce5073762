#include "rivers/depressions.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "rivers/drainage.h"
#include "rivers/spills.h"

#include <string.h>

// --- leaves ----------------------------------------------------------------------------------------------

#define FOUND UINT32_C(0x80000000) // marks leaves' numbers; others are neighbours, and ROOT

enum { ROOT = NEIGHBOURS };

// The lowest neighbour. Equal ones count if they come before a cell, so that no ring forms.
static uint32_t lowest_neighbour(const Field *height, size_t cell) {
    static const uint8_t before[] = { 5, 6, 7, 4 }, after[] = { 0, 3, 2, 1 };
    float least = height->cells[cell];
    uint32_t lowest = ROOT;
    for (int i = 0; i < 4; i++) {
        const float other = height->cells[neighbour_of(height, cell, before[i])];
        lowest = other <= least ? before[i] : lowest;
        least = min(other, least);
    }
    for (int i = 0; i < 4; i++) {
        const float other = height->cells[neighbour_of(height, cell, after[i])];
        lowest = other < least ? after[i] : lowest;
        least = min(other, least);
    }
    return lowest;
}

static void point_rows(void *context, int first, int end) {
    const Depressions *depressions = context;
    const Field *height = depressions->height;
    for (int y = first; y < end; y++)
        for (int x = 0; x < height->width; x++) {
            const size_t cell = (size_t)y * (size_t)height->width + (size_t)x;
            const bool out = on_border(height, x, y) || height->cells[cell] < depressions->sea;
            depressions->label[cell] = out ? FOUND : lowest_neighbour(height, cell);
        }
}

static void label_from(Depressions *depressions, size_t cell) {
    uint32_t *label = depressions->label;
    size_t at = cell;
    while (label[at] < ROOT)
        at = neighbour_of(depressions->height, at, (int)label[at]);
    if (label[at] == ROOT)
        label[at] = FOUND | depressions->leaves++;
    const uint32_t found = label[at];
    for (at = cell; !(label[at] & FOUND);) {
        const int to = (int)label[at];
        label[at] = found;
        at = neighbour_of(depressions->height, at, to);
    }
}

static Status label_leaves(const Run *run, Depressions *depressions, Error *error) {
    const Field *height = depressions->height;
    const size_t cells = field_count(height);
    depressions->label = memory_new(cells, sizeof *depressions->label, error);
    if (!depressions->label)
        return STATUS_MEMORY;
    const Status status = parallel_rows(run, height->height, height->width * 10.0, point_rows, depressions);
    if (status != STATUS_OK)
        return status;
    depressions->leaves = 1;
    for (size_t i = 0; i < cells; i++)
        label_from(depressions, i);
    for (size_t i = 0; i < cells; i++)
        depressions->label[i] &= ~FOUND;
    return STATUS_OK;
}

// --- rims ------------------------------------------------------------------------------------------------

// The lowest spill between two leaves that was seen last in its slot; a spill's `basin` are cells here, for
// the outlet.
enum { SLOT_BITS = 12, SLOTS = 1 << SLOT_BITS };

typedef struct Slot {
    uint32_t leaves[2];
    Spill spill;
} Slot;

typedef struct Rims {
    const Depressions *depressions;
    Slot *slots;
    SpillList list;
    Error *error;
} Rims;

static bool keep_spill(Rims *rims, Spill spill) {
    SpillList *list = &rims->list;
    if (list->count == list->room) {
        const size_t room = 2 * list->room + 1024;
        Spill *grown = memory_new(room, sizeof *grown, rims->error);
        if (!grown)
            return false;
        if (list->count)
            memcpy(grown, list->at, list->count * sizeof *grown);
        memory_free(list->at);
        list->at = grown;
        list->room = room;
    }
    list->at[list->count++] = spill;
    return true;
}

// The lower of a spill's cells, whose height its water finds beyond a rim that is one cell wide.
static float lower_side(const float *height, const Spill *spill) {
    return min(height[spill->basin[0]], height[spill->basin[1]]);
}

// Of equal heights the one with the lower side: water that has several ways takes the lowest.
static bool is_lower(const float *height, const Spill *a, const Spill *b) {
    return a->height < b->height || (a->height <= b->height && lower_side(height, a) < lower_side(height, b));
}

static bool note_pair(Rims *rims, size_t from, size_t to) {
    const uint32_t *label = rims->depressions->label;
    const float *height = rims->depressions->height->cells;
    const uint32_t low = min(label[from], label[to]), high = max(label[from], label[to]);
    if (low == high)
        return true;
    Slot *slot = &rims->slots[(low * UINT32_C(0x9e3779b1) + high * UINT32_C(0x85ebca77)) >> (32 - SLOT_BITS)];
    const Spill spill = { max(height[from], height[to]), { (uint32_t)from, (uint32_t)to } };
    if (slot->leaves[0] == low && slot->leaves[1] == high) {
        slot->spill = is_lower(height, &spill, &slot->spill) ? spill : slot->spill;
        return true;
    }
    const bool enough = slot->leaves[1] == 0 || keep_spill(rims, slot->spill);
    *slot = (Slot){ { low, high }, spill };
    return enough;
}

enum { PIECE = 1024 };

// Whether one of the neighbours that come after a cell belongs to another leaf.
KERNEL static void find_rims(const uint32_t *restrict label, const uint32_t *restrict below,
                             uint8_t *restrict found, int count) {
    for (int x = 0; x < count; x++)
        found[x] = (uint8_t)((label[x] != label[x + 1]) | (label[x] != below[x - 1]) |
                             (label[x] != below[x]) | (label[x] != below[x + 1]));
}

static bool note_cell(Rims *rims, int x, int y) {
    const Field *height = rims->depressions->height;
    const size_t cell = (size_t)y * (size_t)height->width + (size_t)x;
    bool enough = true;
    for (int i = 0; i <= 3 && enough; i++)
        if (within_field(height, x + neighbour_x[i], y + neighbour_y[i]))
            enough = note_pair(rims, cell, neighbour_of(height, cell, i));
    return enough;
}

static bool note_row(Rims *rims, int y) {
    const Field *height = rims->depressions->height;
    const int width = height->width;
    const uint32_t *label = rims->depressions->label + (size_t)y * (size_t)width;
    const uint32_t *below = y + 1 < height->height ? label + width : label;
    uint8_t found[PIECE];
    bool enough = note_cell(rims, 0, y);
    for (int first = 1; first < width - 1; first += PIECE) {
        const int count = min(width - 1 - first, PIECE);
        find_rims(label + first, below + first, found, count);
        for (int i = 0; i < count && enough; i++)
            if (found[i])
                enough = note_cell(rims, first + i, y);
    }
    return enough && (width == 1 || note_cell(rims, width - 1, y));
}

static Status note_all(Rims *rims) {
    bool enough = true;
    for (int y = 0; y < rims->depressions->height->height && enough; y++)
        enough = note_row(rims, y);
    for (int i = 0; i < SLOTS && enough; i++)
        enough = rims->slots[i].leaves[1] == 0 || keep_spill(rims, rims->slots[i].spill);
    return enough ? STATUS_OK : STATUS_MEMORY;
}

// --- hierarchy -------------------------------------------------------------------------------------------

// In the order of is_lower: by the second key first, since equal ones keep their order.
static void sort_spills(const Depressions *all, SpillList *spills) {
    const float *height = all->height->cells;
    for (size_t i = 0; i < spills->count; i++)
        spills->at[i].height = lower_side(height, &spills->at[i]);
    spills_sort(spills);
    for (size_t i = 0; i < spills->count; i++)
        spills->at[i].height = max(height[spills->at[i].basin[0]], height[spills->at[i].basin[1]]);
    spills_sort(spills);
}

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
    const uint32_t leaves[2] = { all->label[spill->basin[0]], all->label[spill->basin[1]] };
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

static Status build(Depressions *all, SpillList *spills, Error *error) {
    const size_t most = 2 * (size_t)all->leaves;
    Part *parts = memory_new(all->leaves, sizeof *parts, error);
    all->at = memory_new_zeroed(most, sizeof *all->at, error);
    all->roots = memory_new(all->leaves, sizeof *all->roots, error);
    spills->scratch = memory_new(spills->count + 1, sizeof *spills->scratch, error);
    if (!parts || !all->at || !all->roots || !spills->scratch) {
        memory_free(parts);
        return STATUS_MEMORY;
    }
    for (uint32_t i = 0; i < all->leaves; i++)
        parts[i] = (Part){ i, i };
    for (size_t i = 0; i < most; i++)
        all->at[i] = (Depression){ .parent = NO_DEPRESSION, .children = { NO_DEPRESSION, NO_DEPRESSION } };
    all->count = all->leaves;
    sort_spills(all, spills);
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

static uint32_t depression_of(const Depressions *all, size_t cell) {
    const float height = all->height->cells[cell];
    uint32_t at = all->label[cell];
    if (at == 0 || all->rims[at].highest <= height)
        return NO_DEPRESSION;
    while (all->rims[at].height <= height)
        at = all->rims[at].parent;
    return at;
}

static void own_rows(void *context, int first, int end) {
    const Depressions *all = context;
    const size_t width = (size_t)all->height->width;
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++)
        all->own[i] = depression_of(all, i);
}

static Status list_own(const Run *run, Depressions *all, Error *error) {
    all->own = memory_new(field_count(all->height), sizeof *all->own, error);
    return all->own ? parallel_rows(run, all->height->height, all->height->width * 5.0, own_rows, all)
                    : STATUS_MEMORY;
}

static void measure(Depressions *all) {
    for (size_t i = 0; i < field_count(all->height); i++) {
        const uint32_t own = all->own[i];
        if (own == NO_DEPRESSION)
            continue;
        all->at[own].own++;
        all->at[own].cells++;
        all->at[own].sum += (double)all->height->cells[i];
    }
    for (uint32_t i = 1; i < all->count; i++) {
        const Depression *depression = &all->at[i];
        if (depression->parent == NO_DEPRESSION)
            continue;
        all->at[depression->parent].cells += depression->cells;
        all->at[depression->parent].sum += depression->sum;
    }
}

Status depressions_find(const Run *run, Depressions *depressions, Error *error) {
    Status status = label_leaves(run, depressions, error);
    if (status != STATUS_OK)
        return status;
    Rims rims = { .depressions = depressions, .error = error };
    rims.slots = memory_new_zeroed(SLOTS, sizeof *rims.slots, error);
    status = rims.slots ? note_all(&rims) : STATUS_MEMORY;
    memory_free(rims.slots);
    if (status == STATUS_OK)
        status = build(depressions, &rims.list, error);
    memory_free(rims.list.at);
    memory_free(rims.list.scratch);
    if (status == STATUS_OK)
        status = list_rims(depressions, error);
    if (status == STATUS_OK)
        status = list_own(run, depressions, error);
    if (status == STATUS_OK)
        measure(depressions);
    return status;
}

void depressions_free(Depressions *depressions) {
    memory_free(depressions->label);
    memory_free(depressions->own);
    memory_free(depressions->at);
    memory_free(depressions->rims);
    memory_free(depressions->roots);
}
